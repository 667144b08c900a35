"""Check that every column has a role."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.wording.values import Names


@register
class RolesDecided(Check):
    """Every source column has a role."""

    id = "roles-decided"
    title = "Roles"
    order = 10
    cause = READING_AND_ROLES
    fix_on = "columns"
    figure_unit = "columns"
    red_for = "all"
    reads_file = False
    green = VerdictText.green("gate.roles-decided.green")
    red = VerdictText.red("gate.roles-decided.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the number of columns without a role: red if there are any, else green."""
        columns = evidence.candidate.prepared.original.columns
        without = [column.name for column in columns if column.role is None]
        figure = Figure(len(without), n=len(columns), unit="columns")
        if without:
            return self.verdict(self.red, figure, 0, columns=Names.of(without), count=len(without))
        return self.verdict(self.green, figure, 0, count=len(columns))
