"""Check that nobody's confidential value is certain."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult
from ppdm_desktop.engine.texts import listed


@register
class CertainDisclosure(Check):
    """Nobody's true confidential value is certain."""

    id = "certain-disclosure"
    title = "Secrets given away"
    order = 110
    source = "A. Machanavajjhala et al., l-diversity, ACM TKDD 1(1), 2007: positive disclosure"
    fix_on = "protect"
    direction = "at-most"
    figure_unit = "records"
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: any is red where the public gets it."""
        return Limits(0, 0 if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the records whose true confidential value is certain."""
        certain = evidence.certain_records
        figure = Figure(certain, n=evidence.judged.rows, unit="records")
        if certain == 0:
            return self.verdict(GREEN, figure, 0, records=certain)
        columns = [name for name in evidence.confidential if evidence.certain(name).any()]
        status = RED if self.limits_of(evidence).red is not None else AMBER
        return self.verdict(status, figure, 0, records=certain, columns=listed(columns))
