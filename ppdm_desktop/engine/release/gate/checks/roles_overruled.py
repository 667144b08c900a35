"""Check that no column with a sensitive name is released unchanged under another role than confidential."""

from __future__ import annotations

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.disclosure.singled_out import MOSTLY_TRUE, compute_true_share
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, Colours
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import interpret_column_name
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names

_NOT_CONFIDENTIAL = ("quasi-identifier", "other")


@register
class RolesOverruled(Check):
    """No column of health, belief, convictions or pay is released unchanged under another role than confidential."""

    id = "roles-overruled"
    title = "Confidential columns under another role"
    order = 115
    cause = READING_AND_ROLES
    answered_by = (KnobKind.FEWER_VALUES, KnobKind.ROUNDING, KnobKind.LEAVE_OUT)
    source = lazy("GDPR, articles 9(1) and 10 (special categories of personal data, criminal convictions)")
    fix_on = "columns"
    figure_unit = "columns"
    red_for = "public"
    usual = Colours.of("gate.roles-overruled.green", "gate.roles-overruled.amber", "gate.roles-overruled.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for columns with a sensitive name that are not confidential and show over 90 % true cells.

        Empty cells count as true; columns of bins, and other exceptions of `_is_overruled`, do not count. Red in a
        public release, else amber, if there are any; else green. The figure is the number of columns.
        """
        columns = evidence.judged.columns
        overruled = [column.name for column in columns if _is_overruled(evidence, column)]
        figure = Figure(len(overruled), n=len(columns), unit=self.figure_unit)
        if not overruled:
            return self.verdict(self.usual.green, figure, 0)
        text = self.usual.red if evidence.candidate.prepared.type.is_public else self.usual.amber
        return self.verdict(text, figure, 0, columns=Names.of(overruled))


def _is_overruled(evidence: Evidence, column: Column) -> bool:
    """Return whether a column has a sensitive name, another role than confidential, and over 90 % true cells.

    Empty cells count as true. False for a column of bins, and for roles other than quasi-identifier and ``other``. In
    synthetic rows, all its values must be values of the source instead.
    """
    prepared = evidence.candidate.prepared
    if column.role not in _NOT_CONFIDENTIAL or not interpret_column_name(column.header, column.label).sensitive:
        return False
    if prepared.column_section(column.name).bins is not None:
        return False
    if evidence.rows_correspond:
        return compute_true_share(evidence.disclosed, column) > MOSTLY_TRUE
    return set(column.categories) <= set(prepared.table.column(column.name).categories)
