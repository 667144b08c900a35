"""Check of the people about whom the release leaves least doubt: how often the guess about them is right."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.families import KnobKind
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.beliefs import ColumnBelief
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.causes import WHAT_IS_LEARNT
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import FEWEST, PEOPLE, SHARE_OR_PEOPLE
from ppdm_desktop.engine.release.gate.results import CheckResult, Colours, VerdictText
from ppdm_desktop.engine.tie_breaking import GRID
from ppdm_desktop.engine.wording.catalogue import later, untranslated
from ppdm_desktop.engine.wording.values import Name, Share

ABOVE_CONTROL = 0.05
LOWER_END = untranslated("lower end of the one-sided 95 % Clopper-Pearson interval")


@register
class MostExposed(Check):
    """The people most at risk are not guessed right nearly always."""

    id = "most-exposed"
    title = "People most at risk"
    order = 114
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.EXCHANGE, KnobKind.ENDS, KnobKind.ROUNDING, KnobKind.SOURCE_GROUP)
    source = later(
        "check",
        "C. Clopper and E. Pearson, Biometrika 26, 1934 (the interval), for the most exposed one in a hundred people",
    )
    fix_on = "protect"
    on_protection = True
    direction = "at-most"
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    figure_title = "figure.most-exposed"
    by_chance = True
    needs = ("written-back", "file-limits")
    usual = Colours.of("gate.most-exposed.green", "gate.most-exposed.amber", "gate.most-exposed.red")
    amber_few = VerdictText.amber("gate.most-exposed.amber-few")
    red_few = VerdictText.red("gate.most-exposed.red-few")
    not_applicable = VerdictText.not_applicable("gate.most-exposed.not-applicable")
    not_run = VerdictText.not_run("gate.most-exposed.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: of the share guessed right, and for red of its lower end."""
        return Limits(0.80, 0.95 if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Judge the worst column: the share guessed right, and what it gains over the control.

        Red is what is sure, the lower end of the interval; a reason is wanted from the share itself on.
        """
        found = [each for each in evidence.beliefs if each.exposed.people]
        if not found:
            return self.verdict(self.not_applicable)
        limits = self.limits_of(evidence)
        worst = max(found, key=lambda each: (_rank(each, limits), each.exposed.low))
        exposed = worst.exposed
        arguments: dict[str, Any] = {
            "column": Name(worst.column),
            "people": exposed.people,
            "right": Share(exposed.right, exposed.people),
            "control": Share(exposed.control, exposed.people),
        }
        text = self.usual[_rank(worst, limits)]
        counted = (exposed.right, exposed.people)
        if exposed.people < FEWEST:
            count = Figure(exposed.right, n=exposed.people, unit=PEOPLE)
            return self.verdict(
                self.red_few if text == self.usual.red else self.amber_few, count, counted=counted, **arguments
            )
        # Beyond green the limit is the one that is the same for every draw, so that a reason can be bound to it.
        allowed = _allowed(worst, limits) if text == self.usual.green else limits.green
        limit = None if allowed >= 1 else allowed
        figure = Figure(exposed.right / exposed.people, n=exposed.people, unit="share")
        if text == self.usual.red:
            figure = Figure(exposed.low, n=exposed.people, unit="share", method=LOWER_END)
        return self.verdict(text, figure, limit, counted=counted, **arguments)


def _allowed(belief: ColumnBelief, limits: Limits) -> float:
    """Return the share up to which it is green: what is guessed without the record is no fault of the release."""
    exposed = belief.exposed
    return max(float(limits.green), exposed.control / exposed.people + ABOVE_CONTROL)


def _is_red(belief: ColumnBelief, limits: Limits) -> bool:
    """Say whether the count alone is beyond the red edge, whatever an interval would leave open."""
    exposed = belief.exposed
    above = exposed.right >= exposed.control + ABOVE_CONTROL * exposed.people
    return limits.red is not None and exposed.right >= limits.red * exposed.people and above


def _rank(belief: ColumnBelief, limits: Limits) -> int:
    """Return 0 for green, 1 for amber, 2 for red; no interval says anything of few, but the count alone may be red."""
    exposed = belief.exposed
    if exposed.people < FEWEST:
        return 2 if _is_red(belief, limits) else 1
    if exposed.right / exposed.people < _allowed(belief, limits) - GRID:
        return 0
    return 2 if limits.red is not None and exposed.low >= limits.red else 1
