"""Check of how often this recipe was drawn."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, CheckResult

MOST_DRAWS = 5


@register
class Redrawn(Check):
    """The candidate was not picked from many draws."""

    id = "redrawn"
    title = "Drawn again and again"
    order = 270
    source = "own rule: a draw that was picked is no draw"
    fix_on = "protect"
    direction = "at-most"
    figure_unit = "candidates"
    reads_file = False

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours."""
        return Limits(MOST_DRAWS)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the candidates drawn with this recipe: whoever draws often enough gets the one they want."""
        if not evidence.candidate.steps:
            return self.verdict(NOT_APPLICABLE)
        figure = Figure(evidence.draws, unit="candidates", note="as far as is known here")
        status = GREEN if evidence.draws <= MOST_DRAWS else AMBER
        return self.verdict(status, figure, MOST_DRAWS, draws=evidence.draws)
