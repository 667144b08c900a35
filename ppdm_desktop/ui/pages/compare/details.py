"""The figures a step reports of itself, in words. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.methods.base.figure_lines import figure_lines
from ppdm_desktop.engine.methods.base.registry import find_step_method
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import Name, Ratio, written
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.state.number_words import count, percent

Lines = list[tuple[str, str]]


def detail_lines(step: str, detail: Mapping[str, Any]) -> Lines:
    """Return the figures of a step, each with its label; of a method that this version does not have under their keys.

    Parameters
    ----------
    step
        What the report calls the step's method.
    detail
        The step's figures, as the report keeps them.
    """
    method = find_step_method(step)
    rest = {key: value for key, value in detail.items() if key not in ("asked", "used")}
    numbers = numbers_of(language())
    lines = [
        (f"{line.column}: {line.label}" if line.column else str(line.label), written(line.figure, numbers, "full"))
        for line in (figure_lines(rest, {}) if method is None else method.figure_lines(rest))
    ]
    if "asked" in detail:
        lines = [
            (_("Smallest group asked for"), count(detail["asked"])),
            (_("Smallest group used"), count(detail["used"])),
            *lines,
        ]
    return lines + _coarseness(detail.get("coarseness"))


def _coarseness(found: Any) -> Lines:
    """Return what broader values cost and what groups give away, where the report has it."""
    if not isinstance(found, Mapping):
        return []
    lines = []
    if found["granularity"]["value"] is not None:
        lines.append((_("Detail kept (granularity; 100% means unchanged)"), percent(found["granularity"]["value"])))
    if found["entropy"]["value"] is not None:
        lines.append((_("Bits lost per value (non-uniform entropy)"), plain_number(found["entropy"]["value"])))
    lines.append((_("Sum of squared group sizes (discernibility)"), count(found["discernibility"]["value"])))
    if found["average_class"]["value"] is not None:
        text = _("Average group size, as a multiple of the smallest allowed")
        lines.append((text, plain_number(found["average_class"]["value"])))
    for name, own in found["homogeneity"].items():
        if own["one_valued"]["value"] is None:
            continue
        sentence = lazy(
            "{share}. Guessing the most common value of the group is right for {right} (of all people: {base})."
        )
        figures = {"share": "one_valued", "right": "majority", "base": "baseline"}
        lines.append(
            (
                _("People in a group where everyone has the same {column}", column=Name(str(name))),
                sentence.said(**{key: Ratio(own[part]["value"]) for key, part in figures.items()}),
            )
        )
    return lines
