"""The figures a step reports of itself, in words. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.methods.base.figure_lines import figure_lines
from ppdm_desktop.engine.methods.base.registry import find_step_method
from ppdm_desktop.engine.report.coarseness import coarseness_figures
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import written
from ppdm_desktop.ui.state.number_words import count

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
    coarseness = detail.get("coarseness")
    if not isinstance(coarseness, Mapping):
        return lines
    return lines + [(row.label, row.words) for row in coarseness_figures(coarseness)]
