"""Whether a release shows the classes of quasi-identifiers of real people."""

from __future__ import annotations

from ppdm_desktop.engine.release.gate.evidence import Evidence


def quasi_regenerated(evidence: Evidence) -> bool:
    """Return whether some step generated every released quasi-identifier."""
    quasi = {column.name for column in evidence.judged.with_role("quasi-identifier")}
    return bool(quasi) and any(
        step.method.correspondence != "record" and quasi <= set(step.settings.columns)
        for step in evidence.candidate.steps
    )
