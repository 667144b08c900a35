"""Check that no column released unchanged reveals what a method hides in another column."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from ppdm_desktop.engine.attacks.dependence import DETERMINED
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import Family, KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.dependencies import Manner, hidden_columns, name_givers
from ppdm_desktop.engine.release.gate.base import Check, Limits, are_few, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, VerdictText
from ppdm_desktop.engine.wording.catalogue import Sentence, untranslated
from ppdm_desktop.engine.wording.values import LimitOf, Name, Share, Versus

NEARLY_ALL = 0.999
DETERMINED_PUBLIC = 0.5
"""Limit in a public release for values revealed by other columns: half of the people are too many."""
_ROUNDING = 1e-12
_METHODS: dict[Manner, Sentence] = {
    "formula": untranslated("people whose value the formula gives to within half a step, less one value for all"),
    "columns": untranslated("people in shared combinations of values that show one value, less chance"),
    "learned": untranslated("R², predicted from the others in two or five parts"),
    "twice": untranslated("people given rightly by another hidden column, less chance, or R²"),
}


@register
class Dependencies(Check):
    """No column released unchanged reveals what a method hides in another column."""

    id = "dependencies"
    title = "Columns that reveal others"
    order = 210
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.GROUP_COLUMNS, KnobKind.LEAVE_OUT, KnobKind.FEWER_VALUES)
    often_failed_by = frozenset({Family.NOISE})
    fix_on = "columns"
    on_protection = True
    figure_unit = "share"
    by_chance = True
    reads_dependencies = True
    most_named = 6
    green_none = VerdictText.green("gate.dependencies.green-none")
    not_applicable = VerdictText.not_applicable("gate.dependencies.not-applicable")
    green: ClassVar[Mapping[Manner, VerdictText]] = {
        "formula": VerdictText.green("gate.dependencies.green"),
        "columns": VerdictText.green("gate.dependencies.green-columns"),
        "learned": VerdictText.green("gate.dependencies.green-learned"),
    }
    """By manner of dependency; that another hidden column says the same is only looked for beyond the limit."""
    amber: ClassVar[Mapping[Manner, VerdictText]] = {
        "formula": VerdictText.amber("gate.dependencies.amber"),
        "columns": VerdictText.amber("gate.dependencies.amber-columns"),
        "learned": VerdictText.amber("gate.dependencies.amber-learned"),
        "twice": VerdictText.amber("gate.dependencies.amber-twice"),
    }
    red: ClassVar[Mapping[Manner, VerdictText]] = {
        "formula": VerdictText.red("gate.dependencies.red"),
        "columns": VerdictText.red("gate.dependencies.red-columns"),
        "learned": VerdictText.red("gate.dependencies.red-learned"),
        "twice": VerdictText.red("gate.dependencies.red-twice"),
    }

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits as shares of people revealed: green below 0.95.

        Red from 0.999 on outside the organisation.
        """
        return Limits(DETERMINED, None if type.is_internal else NEARLY_ALL)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the strongest dependency by which other columns reveal a hidden one.

        - Hidden is a column that a step changed, generalised or released in bins; revealed are its true values.
        - Judged is the share of people whose value is revealed, less chance, or for a prediction its R². Green without
          a dependency and below 0.95 (0.5 in a public release for combinations of columns), red from 0.999 on outside
          the organisation, else amber.
        - Not applicable without hidden columns, and for rows that are synthetic or made from groups, which have no true
          value.
        """
        if not evidence.rows_correspond or not hidden_columns(evidence.disclosed):
            return self.verdict(self.not_applicable)
        dependencies = [dependency for dependency in evidence.functional_dependencies if dependency.share > 0]
        limits = self.limits_of(evidence)
        if not dependencies:
            nothing = None if are_few(evidence) else Figure(0.0, n=evidence.released_people, unit=self.figure_unit)
            return self.verdict(self.green_none, nothing, limits.green if nothing is not None else None)
        worst = dependencies[0]
        public = evidence.candidate.prepared.type.is_public
        threshold = DETERMINED_PUBLIC if public and worst.manner == "columns" else DETERMINED
        figure = Figure(worst.share, n=worst.people, unit=self.figure_unit, method=_METHODS[worst.manner])
        texts = self.amber
        if worst.share < threshold - _ROUNDING:
            texts = self.green
        elif limits.red is not None and worst.share >= limits.red - _ROUNDING:
            texts = self.red
        columns = {dependency.column for dependency in dependencies if dependency.reveals_column}
        return self.verdict(
            texts[worst.manner],
            figure,
            threshold,
            given=name_givers(worst),
            column=Name(worst.column),
            right=Share(worst.right, worst.people),
            more=len(columns - {worst.column}),
            share=Versus(worst.share, threshold),
            allowed=LimitOf(worst.share, threshold),
        )
