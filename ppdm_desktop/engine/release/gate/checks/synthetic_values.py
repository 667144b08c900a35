"""Check that synthetic records show no category that too few people have."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.algorithms.condensation.believable import rare_categories
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, VerdictText
from ppdm_desktop.engine.wording.values import Names

_LEAST_GROUP = 2


@register
class SyntheticValues(Check):
    """No synthetic record shows a true category that fewer people have than a group has."""

    id = "synthetic-values"
    title = "True values in artificial records"
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.SOURCE_GROUP, KnobKind.FEWER_VALUES)
    order = 232
    fix_on = "protect"
    on_protection = True
    figure_unit = "records"
    red_for = "all"
    green = VerdictText.green("gate.synthetic-values.green")
    red = VerdictText.red("gate.synthetic-values.red")
    not_applicable = VerdictText.not_applicable("gate.synthetic-values.not-applicable")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for synthetic records with a category that fewer people have than a group must have.

        The people are those whose records the first such step was given. If earlier releases were topped up, these are
        gone, and the records of the release are counted instead. Numbers and dates are not looked at.

        Red if there are any, else green; not applicable without a step that makes records from groups of people.
        """
        made = [step for step in evidence.candidate.steps if "small_groups" in step.result.detail]
        if not made:
            return self.verdict(self.not_applicable)
        step = made[0]
        needs, source = step.settings.groups_asked("group", levels_of(step.before), _LEAST_GROUP), step.before
        if "top_up" in step.result.detail:
            # The people of earlier releases are gone; each category is shown as often as it was held.
            source = evidence.candidate.final
            needs = np.full(source.rows, needs.min(initial=_LEAST_GROUP))
        showing, rows = [], np.zeros(evidence.exported.rows, dtype=np.bool_)
        for column in evidence.exported.columns:
            progress.check()
            if column.name not in source or column.kind in ("numeric", "date"):
                continue
            true = source.column(column.name)
            rare = {true.categories[code] for code in np.flatnonzero(rare_categories(true, needs)).tolist()}
            is_rare = np.array([text in rare for text in column.texts], dtype=np.bool_)[column.codes]
            if is_rare.any():
                showing.append(column.name)
                rows |= is_rare
        figure = Figure(int(rows.sum()), n=len(rows), unit="records")
        if not showing:
            return self.verdict(self.green, figure, 0)
        return self.verdict(self.red, figure, 0, records=int(rows.sum()), rows=len(rows), columns=Names.of(showing))
