"""Check that the source is still the file that was read."""

from __future__ import annotations

from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText


@register
class SourceUnchanged(Check):
    """The source is still the file that was read."""

    id = "source-unchanged"
    title = "Source unchanged"
    order = 30
    cause = READING_AND_ROLES
    fix_on = "open"
    figure_unit = ""
    reads_file = False
    green = VerdictText.green("gate.source-unchanged.green")
    red = VerdictText.red("gate.source-unchanged.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result of comparing the source file's hash now and when it was read: green if equal, else red."""
        same = evidence.source_sha256 == evidence.candidate.prepared.account.sha256
        return self.verdict(self.green if same else self.red)
