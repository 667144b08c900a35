"""Check that groups from which synthetic records are made are not too small.

New records of a group with no more records than numeric columns could lie in the plane spanned by the true ones.
"""

from __future__ import annotations

from dataclasses import replace

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText


@register
class SmallGroups(Check):
    """No group of synthetic records is made from so few records that the new ones reveal them."""

    id = "small-groups"
    title = "Small groups of artificial records"
    order = 230
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.LEAVE_OUT, KnobKind.SOURCE_GROUP)
    fix_on = "protect"
    on_protection = True
    figure_unit = "groups"
    by_chance = True
    reads_file = False
    usual = Colours.of("gate.small-groups.green", "gate.small-groups.amber", "gate.small-groups.red")
    not_applicable = VerdictText.not_applicable("gate.small-groups.not-applicable")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for groups behind synthetic records with no more records than numeric columns.

        Red if there are any, amber if every step with such groups sets a floor to the variance in a group; green if
        there are none; not applicable without a step that makes records from groups. A red or amber result names the
        columns of numbers and dates that are mostly empty, because in each group few records have their value.
        """
        made = [step for step in evidence.candidate.steps if "small_groups" in step.result.detail]
        if not made:
            return self.verdict(self.not_applicable)
        small = [step.result.detail for step in made if step.result.detail["small_groups"]]
        groups = sum(int(detail["small_groups"]) for detail in small)
        records = sum(int(detail["small_records"]) for detail in small)
        figure = Figure(groups, n=sum(int(step.result.detail["groups"]) for step in made), unit="groups")
        if not groups:
            return self.verdict(self.usual.green, figure, 0)
        text = self.usual.amber if all(detail["floor"] for detail in small) else self.usual.red
        columns = max(int(detail["regenerated"]) for detail in small)
        result = self.verdict(text, figure, 0, groups=groups, records=records, columns=columns)
        return replace(result, columns=_list_mostly_empty_columns(evidence))


def _list_mostly_empty_columns(evidence: Evidence) -> tuple[str, ...]:
    """Return the released columns of numbers and dates in which fewer than half of the records have a value."""
    released = evidence.candidate.released
    columns = [column for column in released.columns if column.kind in ("numeric", "date")]
    return tuple(column.name for column in columns if 2 * column.category_counts.sum() < released.rows)
