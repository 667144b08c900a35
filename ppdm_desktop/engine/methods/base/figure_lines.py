"""The figures that a step reports of itself, as lines of a label and a written figure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.wording.catalogue import Sentence, language, numbers_of, say
from ppdm_desktop.engine.wording.values import Figure, written

FigureLines = list[tuple[str, str]]


def write_figure(value: object) -> str:
    """Write a figure in the language in use: 5 as a count, 0.25 as 25%, 1.75 as a number, True as yes."""
    numbers = numbers_of(language())
    if isinstance(value, Figure):
        return written(value, numbers)
    if isinstance(value, bool):
        return say("compare", "yes") if value else say("compare", "no")
    if isinstance(value, float) and 0 < value < 1:
        return numbers.percent(value)
    if isinstance(value, int | float):
        return numbers.count(int(value)) if float(value).is_integer() else numbers.number(value)
    return str(value)


def labelled_lines(figures: Mapping[str, Any], labels: Mapping[str, Sentence], prefix: str = "") -> FigureLines:
    """Return the figures that have a label, in the order of the labels.

    Parameters
    ----------
    figures
        Figures by key; None where there is none.
    labels
        Labels by key.
    prefix
        Stands before each label, such as the name of a column.
    """
    return [
        (f"{prefix}{label}", write_figure(figures[key]))
        for key, label in labels.items()
        if figures.get(key) is not None
    ]


def figure_lines(detail: Mapping[str, Any], labels: Mapping[str, Sentence]) -> FigureLines:
    """Return the figures of a step: column by column those with a label, or all of a step that has none by column.

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
            for line in labelled_lines(figures, labels, f"{name}: " if len(columns) > 1 else "")
        ]
    return [
        (str(labels.get(key, key.replace("_", " ").capitalize())), write_figure(value))
        for key, value in detail.items()
        if isinstance(value, str | int | float | Figure)
    ]
