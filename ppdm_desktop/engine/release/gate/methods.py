"""Checks of the methods: can they be undone, did they move marginals, can the key be guessed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.candidate.iso20889 import PubliclyReversible
from ppdm_desktop.engine.release.candidate.model import StepRecord
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, RED, CheckResult, named, verdict
from ppdm_desktop.engine.utility.cells import shared_cells, total_variation

SMALL_SHIFT, LARGE_SHIFT = 0.01, 0.05
_ROUNDING = 1e-12


def reversible_method(evidence: Evidence) -> CheckResult:
    """Check that no step can be undone exactly without a key, nor its choice be retraced."""
    release_type = evidence.candidate.prepared.type
    reversible: dict[str, str] = {}
    firm: set[str] = set()
    traceable: list[str] = []
    for step in evidence.candidate.steps:
        undone = _undone(step)
        for name in undone:
            reversible.setdefault(name, step.method.id)
        for each in step.result.protections:
            if each.column not in undone:
                firm.add(each.column)
            if each.traceable and each.column not in traceable:
                traceable.append(each.column)
    figure = Figure(len(reversible), unit="columns")
    alone = [name for name in reversible if name not in firm]
    if reversible:
        status = RED if alone and release_type.id != "internal" else AMBER
        methods = ", ".join(sorted(set(reversible.values())))
        columns = named(alone if status == RED else list(reversible))
        return verdict("reversible-method", status, figure, 0, methods=methods, columns=columns)
    if traceable:
        return verdict("reversible-method", AMBER, figure, 0, variant="traceable", columns=named(traceable))
    return verdict("reversible-method", GREEN, figure, 0)


def _undone(step: StepRecord) -> list[str]:
    if not isinstance(step.method, PubliclyReversible):
        return []
    return [
        name
        for name in step.settings.columns
        if step.method.undo(step.result.table.column(name), step.settings) is not None
    ]


def marginal_shift(evidence: Evidence) -> CheckResult:
    """Measure how far the shares of confidential values moved."""
    shifts = {name: marginal_distance(evidence, name) for name in evidence.confidential}
    departure = sum(departures(step.result.detail) for step in evidence.candidate.steps)
    if not shifts:
        return verdict("marginal-shift", NOT_APPLICABLE)
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
        return verdict("marginal-shift", GREEN, figure, SMALL_SHIFT, **arguments)
    if shift > LARGE_SHIFT + _ROUNDING and evidence.candidate.prepared.type.is_public:
        return verdict("marginal-shift", RED, figure, SMALL_SHIFT, **arguments)
    variant = "" if arguments["departure"] else "balanced"
    return verdict("marginal-shift", AMBER, figure, SMALL_SHIFT, variant=variant, **arguments)


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


def guessable_key(evidence: Evidence) -> CheckResult:
    """Check that the key cannot be guessed."""
    if evidence.candidate.key.origin != "seed":
        return verdict("guessable-key", GREEN)
    return verdict("guessable-key", RED if evidence.candidate.prepared.type.is_public else AMBER)
