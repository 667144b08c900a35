"""Check of how often guesses are right about the people with the least uncertainty."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.arrays import GRID
from ppdm_desktop.engine.attacks.uncertainty import WorstCaseGroup
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import FEWEST, PEOPLE, SHARE_OR_PEOPLE, Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.values import Name, Share

ABOVE_CONTROL = 0.05


@register
class MostExposed(Check):
    """Guesses about the people most at risk are not nearly always right."""

    id = "most-exposed"
    title = "People most at risk"
    order = 114
    cause = WHAT_IS_LEARNT
    answered_by = (
        KnobKind.EXCHANGE,
        KnobKind.ENDS,
        KnobKind.ROUNDING,
        KnobKind.VALUES_IN_GROUP,
        KnobKind.SOURCE_GROUP,
        KnobKind.LEAVE_OUT,
    )
    fix_on = "protect"
    on_protection = True
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    figure_title = "figure.most-exposed"
    by_chance = True
    usual = Colours.of("gate.most-exposed.green", "gate.most-exposed.amber", "gate.most-exposed.red")
    amber_few = VerdictText.amber("gate.most-exposed.amber-few")
    red_few = VerdictText.red("gate.most-exposed.red-few")
    not_applicable = VerdictText.not_applicable("gate.most-exposed.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the share guessed right: amber above 0.80, and for a public release red from 0.95 on."""
        return Limits(0.80, 0.95 if type.is_public else None)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the column in which guesses about the people most at risk are right most often.

        These are the 1 % of people with the least uncertainty, but at least 20, and all who are tied with them; in a
        public release instead the people of classes in which nearly all have one value, if guesses gain more there. A
        worse colour goes before a larger share. Green if the share right is at most 0.80, or less than 0.05 above that
        of guesses without the person's record. Else amber; red in a public release from 0.95 on. Where fewer than 20
        people were judged, it is a count, which is never green. Not applicable if nobody was judged.
        """
        beliefs = [belief for belief in evidence.beliefs if belief.worst_case.people]
        if not beliefs:
            return self.verdict(self.not_applicable)
        limits = self.limits_of(evidence)
        worst = max(beliefs, key=lambda belief: (_rank_exposure(belief.worst_case, limits), belief.worst_case.share))
        worst_case = worst.worst_case
        arguments: dict[str, Any] = {
            "column": Name(worst.column),
            "people": worst_case.people,
            "right": Share(worst_case.right, worst_case.people),
            "control": Share(worst_case.control, worst_case.people),
        }
        text = self.usual[_rank_exposure(worst_case, limits)]
        counted = (worst_case.right, worst_case.people)
        if worst_case.people < FEWEST:
            count = Figure(worst_case.right, n=worst_case.people, unit=PEOPLE)
            return self.verdict(
                self.red_few if text == self.usual.red else self.amber_few, count, counted=counted, **arguments
            )
        limit: float | None = limits.green
        if text == self.usual.green and worst_case.share > limits.green + GRID:
            # Nothing was gained: the share itself stands beside the one without the record.
            allowed = worst_case.control / worst_case.people + ABOVE_CONTROL
            limit = None if allowed >= 1 else allowed
        figure = Figure(worst_case.share, n=worst_case.people, unit="share")
        return self.verdict(text, figure, limit, counted=counted, **arguments)


def _rank_exposure(worst_case: WorstCaseGroup, limits: Limits) -> int:
    """Return the colour of the share guessed right: 0 for green, 1 for amber, 2 for red.

    Green is a share up to the green limit, or one less than 0.05 above that of guesses without the record. Red is a
    share from the red limit on that gains at least 0.05. For fewer than 20 people it is never green.
    """
    # What is guessed without the record is no fault of the release.
    gains = worst_case.gain >= ABOVE_CONTROL - GRID
    is_few = worst_case.people < FEWEST
    if not is_few and (not gains or worst_case.share <= limits.green + GRID):
        return 0
    return 2 if limits.red is not None and gains and worst_case.share >= limits.red - GRID else 1
