"""Checks of what went before: earlier releases of the source, and how often this recipe was drawn."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, NOT_RUN, CheckResult, verdict

MOST_DRAWS = 5


def earlier_release(evidence: Evidence) -> CheckResult:
    """Look for earlier releases of the same source in the ledger; the same draws once more are none."""
    if evidence.history is None:
        return verdict("earlier-release", NOT_APPLICABLE)
    if not evidence.history.is_readable:
        return verdict("earlier-release", NOT_RUN)
    others = evidence.history.others
    figure = Figure(len(others), unit="releases")
    if not others:
        return verdict("earlier-release", GREEN, figure, 0)
    return verdict("earlier-release", AMBER, figure, 0, releases=len(others), day=others[-1].day)


def redrawn(evidence: Evidence) -> CheckResult:
    """Count the candidates drawn with this recipe: whoever draws often enough gets the one they want."""
    if not evidence.candidate.steps:
        return verdict("redrawn", NOT_APPLICABLE)
    figure = Figure(evidence.draws, unit="candidates", note="as far as is known here")
    status = GREEN if evidence.draws <= MOST_DRAWS else AMBER
    return verdict("redrawn", status, figure, MOST_DRAWS, draws=evidence.draws)
