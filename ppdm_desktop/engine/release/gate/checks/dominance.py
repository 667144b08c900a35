"""Check that no released group average reveals the value of one person who makes up most of its sum."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.disclosure.averages import dominated_averages
from ppdm_desktop.engine.release.disclosure.groups_of_people import dominated_rows
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name


@register
class Dominance(Check):
    """In no group with a released average does one person make up nearly the whole sum."""

    id = "dominance"
    title = "Averages of one person"
    cause = WHAT_IS_LEARNT
    order = 113
    answered_by = (KnobKind.ENDS,)
    source = lazy(
        "A. Hundepool et al., Statistical Disclosure Control, 2012, section 4.2 (dominance rule and p % rule)"
    )
    fix_on = "protect"
    on_protection = True
    figure_unit = "groups"
    red_for = "public"
    by_chance = True
    usual = Colours.of("gate.dominance.green", "gate.dominance.amber", "gate.dominance.red")
    not_applicable = VerdictText.not_applicable("gate.dominance.not-applicable")
    of_rows = Colours.of("gate.dominance.green-rows", "gate.dominance.amber-rows", "gate.dominance.red-rows")
    not_applicable_unknown = VerdictText.not_applicable("gate.dominance.not-applicable-unknown")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the column with most group averages of which one person makes up nearly the whole sum.

        Its figure is the number of these averages. Red in a public release, else amber, if there are any; green if
        there are none. Not applicable if no column shows averages of groups.
        """
        grouped = {
            protection.column
            for step, protection in evidence.protections
            if protection.manner == "grouped" and not step.method.coarsens_numbers
        }
        judged = [
            (name, dominated)
            for name in sorted(grouped & set(evidence.judged.names))
            if (dominated := dominated_averages(evidence.disclosed, name)) is not None
        ]
        if not judged:
            return self.verdict(self.not_applicable)
        column, dominated = max(judged, key=lambda pair: int(np.count_nonzero(pair[1])))
        count, groups = int(np.count_nonzero(dominated)), len(dominated)
        figure = Figure(count, n=groups, unit=self.figure_unit)
        if not count:
            return self.verdict(self.usual.green, figure, 0)
        text = self.usual.red if evidence.candidate.prepared.type.is_public else self.usual.amber
        counted = (count, evidence.released_people)
        return self.verdict(
            text, figure, 0, counted=counted, column=Name(column), count=count, people=evidence.released_people
        )

    def judge_groups(self, evidence: Evidence) -> CheckResult:
        """Return the result for the column of sums with most rows in which one person contributes nearly all.

        Its figure is the number of these rows. Red in a public release, else amber, if there are any; green if there
        are none. Not applicable if the recipe names no column of the source that states the largest contribution.
        """
        judged = dominated_rows(evidence.disclosed, evidence.candidate.prepared.complete.input.largest)
        if not judged:
            return self.verdict(self.not_applicable_unknown)
        column = max(judged, key=lambda name: int(np.count_nonzero(judged[name])))
        count, rows = int(np.count_nonzero(judged[column])), evidence.judged.rows
        text = self.of_rows.red if evidence.candidate.prepared.type.is_public else self.of_rows.amber
        figure = Figure(count, n=rows, unit=self.figure_unit)
        return self.verdict(text if count else self.of_rows.green, figure, 0, column=Name(column), count=count)
