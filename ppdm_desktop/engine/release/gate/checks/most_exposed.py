"""Check of the people about whom the release leaves least doubt: how often the guess about them is right."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.attacks.doubt import Exposed, lower_end
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.families import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.causes import WHAT_IS_LEARNT
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import FEWEST, PEOPLE, SHARE_OR_PEOPLE
from ppdm_desktop.engine.release.gate.results import CheckResult, Colours, VerdictText
from ppdm_desktop.engine.tie_breaking import GRID
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.values import Name, Share

ABOVE_CONTROL = 0.05
ENDS = untranslated("ends of the one-sided 95 % Clopper-Pearson intervals")
LOWER_END = untranslated("lower end of the one-sided 95 % Clopper-Pearson interval")


@register
class MostExposed(Check):
    """The people most at risk are not guessed right nearly always."""

    id = "most-exposed"
    title = "People most at risk"
    order = 114
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.EXCHANGE, KnobKind.ENDS, KnobKind.ROUNDING, KnobKind.VALUES_IN_GROUP, KnobKind.SOURCE_GROUP)
    source = lazy(
        "C. Clopper and E. Pearson, Biometrika 26, 1934 (the interval), for the most exposed one in a hundred people"
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
    not_run = VerdictText.not_run("gate.most-exposed.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: of the upper end of the share, and for red of its lower end."""
        return Limits(0.80, 0.95 if type.is_public else None)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Judge the worst column: the share guessed right, and what it gains over the control.

        Red is what is sure, the lower end of the interval; a reason is wanted from the upper end on.
        """
        beliefs = [belief for belief in evidence.beliefs if belief.exposed.people]
        if not beliefs:
            return self.verdict(self.not_applicable)
        limits = self.limits_of(evidence)
        worst = max(beliefs, key=lambda belief: (_rank(belief.exposed, limits), belief.exposed.low))
        exposed = worst.exposed
        arguments: dict[str, Any] = {
            "column": Name(worst.column),
            "people": exposed.people,
            "right": Share(exposed.right, exposed.people),
            "control": Share(exposed.control, exposed.people),
        }
        text = self.usual[_rank(exposed, limits)]
        counted = (exposed.right, exposed.people)
        if exposed.people < FEWEST:
            count = Figure(exposed.right, n=exposed.people, unit=PEOPLE)
            return self.verdict(
                self.red_few if text == self.usual.red else self.amber_few, count, counted=counted, **arguments
            )
        share = exposed.right / exposed.people
        limit: float | None = limits.green
        figure = Figure(share, low=exposed.low, high=_upper_end(exposed), n=exposed.people, unit="share", method=ENDS)
        if text == self.usual.red:
            figure = Figure(exposed.low, n=exposed.people, unit="share", method=LOWER_END)
        elif text == self.usual.green and not _is_within(exposed, limits):
            # Nothing was gained: the share itself stands beside the one without the record.
            figure = Figure(share, n=exposed.people, unit="share")
            allowed = exposed.control / exposed.people + ABOVE_CONTROL
            limit = None if allowed >= 1 else allowed
        return self.verdict(text, figure, limit, counted=counted, **arguments)


def _upper_end(exposed: Exposed) -> float:
    """Return the upper end of the one-sided 95 % Clopper-Pearson interval of the share guessed right."""
    return 1.0 - lower_end(exposed.people - exposed.right, exposed.people)


def _is_within(exposed: Exposed, limits: Limits) -> bool:
    """Say whether the upper end of the share guessed right keeps the limit."""
    return _upper_end(exposed) <= float(limits.green) + GRID


def _gains(exposed: Exposed) -> bool:
    """Say whether more is guessed right than without the record: what is guessed anyway is no fault of the release."""
    return exposed.right >= exposed.control + ABOVE_CONTROL * exposed.people


def _rank(exposed: Exposed, limits: Limits) -> int:
    """Return 0 for green, 1 for amber, 2 for red; no interval says anything of few, but the count alone may be red."""
    if exposed.people < FEWEST:
        is_red = limits.red is not None and exposed.right >= limits.red * exposed.people and _gains(exposed)
        return 2 if is_red else 1
    if not _gains(exposed) or _is_within(exposed, limits):
        return 0
    return 2 if limits.red is not None and exposed.low >= limits.red else 1
