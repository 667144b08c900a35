"""Check that some released column was declared confidential."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.wording.values import Names


@register
class ConfidentialChosen(Check):
    """At least one released column is declared confidential."""

    id = "confidential-chosen"
    title = "Confidential columns"
    order = 75
    cause = READING_AND_ROLES
    fix_on = "columns"
    direction = "at-least"
    figure_unit = "columns"
    reads_file = False
    green = VerdictText.green("gate.confidential-chosen.green")
    amber = VerdictText.amber("gate.confidential-chosen.amber")
    amber_left_out = VerdictText.amber("gate.confidential-chosen.amber-left-out")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits: at least one column for green, and never red."""
        return Limits(1)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the number of released confidential columns: amber if there are none, else green.

        If the source has confidential columns but none is released, the result names them.
        """
        released = evidence.candidate.released
        confidential_count = len(released.with_role("confidential"))
        figure = Figure(confidential_count, n=len(released.columns), unit="columns")
        marked = evidence.candidate.prepared.table.with_role("confidential")
        if marked and not confidential_count:
            columns = Names.of([column.name for column in marked])
            return self.verdict(self.amber_left_out, figure, 1, columns=columns)
        return self.verdict(self.green if confidential_count else self.amber, figure, 1, count=confidential_count)
