"""Check of how far the shares of confidential values moved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, RED, CheckResult
from ppdm_desktop.engine.utility.cells import shared_cells, total_variation

SMALL_SHIFT, LARGE_SHIFT = 0.01, 0.05
_ROUNDING = 1e-12


@register
class MarginalShift(Check):
    """The shares of confidential values stay what they were."""

    id = "marginal-shift"
    title = "Shares of confidential values"
    order = 190
    source = "own rule: a release that shifts the shares says something untrue of everybody"
    fix_on = "protect"
    direction = "at-most"
    figure_unit = "share"
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours."""
        return Limits(SMALL_SHIFT, LARGE_SHIFT if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Measure how far the shares of confidential values moved."""
        shifts = {name: marginal_distance(evidence, name) for name in evidence.confidential}
        departure = sum(departures(step.result.detail) for step in evidence.candidate.steps)
        if not shifts:
            return self.verdict(NOT_APPLICABLE)
        worst = max(shifts, key=lambda name: shifts[name])
        shift = shifts[worst]
        figure = Figure(
            shift,
            n=evidence.judged.rows,
            unit="share",
            method="total variation; numbers with many values in 20 cells",
            note=f"departure of phase I: {departure:g} records",
        )
        arguments: dict[str, Any] = {
            "column": worst,
            "shift": f"{100 * shift:.2g}",
            "departure": round(departure),
        }
        if shift <= SMALL_SHIFT + _ROUNDING and departure == 0:
            return self.verdict(GREEN, figure, SMALL_SHIFT, **arguments)
        if (red := self.limits_of(evidence).red) is not None and shift > red + _ROUNDING:
            return self.verdict(RED, figure, SMALL_SHIFT, **arguments)
        variant = "" if arguments["departure"] else "balanced"
        return self.verdict(AMBER, figure, SMALL_SHIFT, variant=variant, **arguments)


def marginal_distance(evidence: Evidence, name: str) -> float:
    """Return the total variation of a column, before the steps against exported."""
    return total_variation(*shared_cells(evidence.truth(name), evidence.judged.column(name)).shares())


def departures(detail: Any) -> float:
    """Return the sum of all figures called ``departure`` in a step's detail."""
    if isinstance(detail, Mapping):
        return sum(
            float(value) if key == "departure" and isinstance(value, int | float) else departures(value)
            for key, value in detail.items()
        )
    if isinstance(detail, list | tuple):
        return sum(map(departures, detail))
    return 0.0
