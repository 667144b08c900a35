"""The reported figures of a step, as lines of a label and a translatable value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Figure, Number, Ratio, Spoken, Term, Value


class FigureLine(NamedTuple):
    """One figure of a step with its label, and its column where the step treated several."""

    label: Sentence | Term
    figure: Value
    column: str = ""


def figure_value(value: object) -> Value:
    """Return a reported figure with its way of writing: 5 as a count, 0.25 as 25%, 1.75 as a number, True as yes."""
    if isinstance(value, Figure | Spoken):
        return value
    if isinstance(value, bool):
        return lazy("yes") if value else lazy("no")
    if isinstance(value, float) and 0 < value < 1:
        return Ratio(value)
    if isinstance(value, int | float):
        return int(value) if float(value).is_integer() else Number(value)
    return Term(str(value))


def labelled_lines(figures: Mapping[str, Any], labels: Mapping[str, Sentence], column: str = "") -> list[FigureLine]:
    """Return the figures that have a label, in the order of the labels.

    Parameters
    ----------
    figures
        Figures by key; None where there is none.
    labels
        Labels by key.
    column
        The column that they are of; empty where the step treated no other.
    """
    return [
        FigureLine(label, figure_value(figures[key]), column)
        for key, label in labels.items()
        if figures.get(key) is not None
    ]


def figure_lines(detail: Mapping[str, Any], labels: Mapping[str, Sentence]) -> list[FigureLine]:
    """Return the figures of a step: labelled ones by column, or all figures of a step that has none by column.

    Parameters
    ----------
    detail
        The step's figures by key; under ``columns`` those of each column by name.
    labels
        Labels by key. Of a step without figures by column, one without a label comes under its key.
    """
    columns = detail.get("columns")
    if isinstance(columns, Mapping):
        return [
            line
            for name, figures in columns.items()
            if isinstance(figures, Mapping)
            for line in labelled_lines(figures, labels, name if len(columns) > 1 else "")
        ]
    return [
        FigureLine(labels.get(key) or Term(key.replace("_", " ").capitalize()), figure_value(value))
        for key, value in detail.items()
        if isinstance(value, str | int | float | Figure)
    ]
