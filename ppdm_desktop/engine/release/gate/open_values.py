"""Which confidential columns a release leaves open, and whether it shows anybody's own class."""

from __future__ import annotations

from ppdm_desktop.engine.release.gate.evidence import Evidence


def open_columns(evidence: Evidence) -> list[str]:
    """Return the confidential columns with records of one-valued classes neither randomised nor grouped."""
    return [
        name
        for name in evidence.confidential
        if name not in evidence.protected_columns or evidence.open_records(name).any()
    ]


def quasi_regenerated(evidence: Evidence) -> bool:
    """Say whether some step made every released quasi-identifier anew."""
    quasi = {column.name for column in evidence.judged.with_role("quasi-identifier")}
    return bool(quasi) and any(
        step.method.correspondence != "record" and quasi <= set(step.settings.columns)
        for step in evidence.candidate.steps
    )
