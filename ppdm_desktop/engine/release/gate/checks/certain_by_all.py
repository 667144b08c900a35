"""Check that knowing all other released values of a person does not reveal a confidential value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.column_belief import take_uncertainty_by_all
from ppdm_desktop.engine.release.gate.base import SHARE_OR_PEOPLE, Check, Limits, compute_limited_share, register
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import judge_common_value
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Names, Quoted, Share

MOST_VALUES = 20
"""A numeric column with more different values than this is not counted value by value."""
MOST_HOLDERS = 0.5
"""A value that a larger share of the people has is not counted by itself."""


@dataclass(frozen=True)
class _Proof:
    """A confidential value that is proved for too many of the people who have it (its holders)."""

    column: str
    value: str
    confirmed: int
    holders: int


def _find_most_confirmed_value(evidence: Evidence) -> _Proof | None:
    """Return, of the values proved for too many of their holders, the one proved for most people; None without any.

    Proved means to someone who knows all other released values, and true. Too many are more than 1 / k_min of the
    holders, and more than one person. Numeric columns with more than 20 values, and
    values that more than half of the people have, are left out.
    """
    k_min, worst = evidence.candidate.prepared.type.k_min, None
    for belief in evidence.beliefs:
        truth = evidence.truth(belief.column)
        if truth.kind == "numeric" and len(truth.categories) > MOST_VALUES:
            continue
        codes = truth.category_codes[belief.of]
        holders, confirmed = (
            np.bincount(codes[(codes >= 0) & chosen], minlength=len(truth.categories))
            for chosen in (True, belief.all.confirmed & belief.all.right)
        )
        # One person is no pattern: who is unique by everything else is counted among all people.
        too_many = (confirmed > np.maximum(holders / k_min, 1)) & (holders <= MOST_HOLDERS * holders.sum())
        if too_many.any():
            at = int(np.argmax(np.where(too_many, confirmed, 0)))
            candidate = _Proof(belief.column, truth.categories[at], int(confirmed[at]), int(holders[at]))
            worst = max((worst, candidate), key=lambda proof: proof.confirmed) if worst else candidate
    return worst


@register
class CertainByAll(Check):
    """Nobody's confidential value is certain to someone who knows their other released values."""

    id = "certain-by-all"
    title = "Values revealed to those who know more"
    order = 112
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.ALL_COLUMNS, KnobKind.GROUP_COLUMNS, KnobKind.ROUNDING, KnobKind.EXCHANGE)
    source = lazy("A. Machanavajjhala et al., l-diversity, ACM TKDD 1(1), 2007 (positive disclosure)")
    fix_on = "columns"
    on_protection = True
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    residual = "everything"
    figure_title = "figure.certain-by-all"
    by_chance = True
    usual = Colours.of("gate.certain-by-all.green", "gate.certain-by-all.amber", "gate.certain-by-all.red")
    green_common = VerdictText.green("gate.certain-by-all.green-common")
    amber_common = VerdictText.amber("gate.certain-by-all.amber-common")
    red_value = VerdictText.red("gate.certain-by-all.red-value", "figure.certain-by-all-value")
    agreed = VerdictText.green("gate.certain-by-all.green-agreed")
    not_applicable = VerdictText.not_applicable("gate.certain-by-all.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits as shares of the people: amber from the first person on.

        Red beyond 1 / k_min in a public release, beyond half in research, never within an organisation.
        """
        red = 1.0 / k_min if type.is_public else None if type.is_internal else 0.5
        return Limits(0.0, red)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for people whose confidential value is certain to someone who knows their other values.

        - Green if there are none. If only a value is certain that at least nine in ten people have, it is amber in a
          public release, else green.
        - Amber from the first person on. Red beyond 1 / k_min of the people in a public release, and in research beyond
          half of them unless at most 1 in k_min people can be found by others.
        - In a public release also red if a value is proved for too many of the people who have it.
        - Green instead of amber where the recipients signed an agreement that covers it.
        - Not applicable, before all else, without confidential columns or rows.
        """
        if not evidence.confidential or not evidence.judged.rows:
            return self.verdict(self.not_applicable)
        certain, people = int(evidence.certain_by_all.sum()), evidence.people
        limits = self.limits_of(evidence)
        common = evidence.common_certain(take_uncertainty_by_all)
        if common[0] and not certain:
            figure, _ = compute_limited_share(evidence, common[0], people, limits.green)
            return judge_common_value(self, (self.amber_common, self.green_common), evidence, figure, common)
        if certain == 0:
            figure, limit = compute_limited_share(evidence, certain, people, limits.green)
            return self.verdict(self.usual.green, figure, limit, counted=(certain, people))
        text, allowed = self.usual.amber, limits.green
        if limits.red is not None and certain / people > limits.red and not evidence.others_find_few:
            text, allowed = self.usual.red, limits.red
        elif evidence.candidate.prepared.type.is_public and (proof := _find_most_confirmed_value(evidence)) is not None:
            return self._judge_confirmed_value(evidence, proof)
        figure, limit = compute_limited_share(evidence, certain, people, allowed)
        compared_limit = None if evidence.relies_on_agreement else limit
        text = self.agreed if evidence.relies_on_agreement else text
        columns = [belief.column for belief in evidence.beliefs if bool(belief.certain(belief.all).any())]
        return self.verdict(
            text,
            figure,
            compared_limit,
            counted=(certain, people),
            share=Share(certain, people),
            columns=Names.of(columns),
        )

    def _judge_confirmed_value(self, evidence: Evidence, proof: _Proof) -> CheckResult:
        """Return the red result for a value that is proved for more than 1 / k_min of the people who have it.

        Its figure is their share of the people with this value, in a release of fewer than 20 people their number.
        """
        count, holders = proof.confirmed, proof.holders
        figure, limit = compute_limited_share(evidence, count, holders, 1.0 / evidence.candidate.prepared.type.k_min)
        return self.verdict(
            self.red_value,
            figure,
            limit,
            counted=(count, holders),
            share=Share(count, holders),
            column=Name(proof.column),
            value=Quoted(proof.value),
        )
