"""Check of how much a person's record helps to guess their confidential value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ppdm_desktop.engine.arrays import on_grid
from ppdm_desktop.engine.attacks.comparison import INFERENCE_LIMIT, INFERENCE_SERIOUS
from ppdm_desktop.engine.methods.base.declaration import Family, KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.attack_audit.base import list_attacks_not_made, select_entries
from ppdm_desktop.engine.release.gate.base import (
    ROUNDING,
    SHARE_OR_PEOPLE,
    Check,
    Limits,
    are_few,
    quotation_of,
    register,
    state_right_pair,
    to_people_count,
    to_sentence_number,
)
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import (
    AMBER,
    GREEN,
    RED,
    WHAT_IS_LEARNT,
    CheckResult,
    Colours,
    VerdictText,
)
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import LimitOf, Name, Points, Value, Versus

SURE = 200
"""With fewer people than this, chance alone makes a gain of several percentage points."""
INFERENCE_LIMIT_OF_FEW = 0.10
_BAD = (GREEN, AMBER, RED)


@register
class Inference(Check):
    """Nobody's confidential value is guessed much better because their record is released."""

    id = "inference"
    title = "Guessing confidential values"
    order = 160
    cause = WHAT_IS_LEARNT
    answered_by = (
        KnobKind.EXCHANGE,
        KnobKind.CLOSENESS,
        KnobKind.GROUP_SIZE,
        KnobKind.ENDS,
        KnobKind.ROUNDING,
        KnobKind.FEWER_VALUES,
        KnobKind.SOURCE_GROUP,
    )
    often_failed_by = frozenset({Family.TRUE_VALUES, Family.GROUPS, Family.AVERAGES})
    source = lazy("Article 29 Working Party, Opinion 05/2014 (WP 216), inference")
    fix_on = "protect"
    on_protection = True
    figure_unit = SHARE_OR_PEOPLE
    figure_title = "figure.inference"
    by_chance = True
    reads_file = False
    usual = Colours.of("gate.inference.green", "gate.inference.amber", "gate.inference.red")
    green_few = VerdictText.green("gate.inference.green-few")
    green_small = VerdictText.green("gate.inference.green-small")
    amber_few = VerdictText.amber("gate.inference.amber-few")
    amber_small = VerdictText.amber("gate.inference.amber-small")
    amber_small_clear = VerdictText.amber("gate.inference.amber-small-clear")
    red_small = VerdictText.red("gate.inference.red-small")
    of_attack = Colours.of("gate.inference.green-attack", "gate.inference.amber-attack", "gate.inference.red-attack")
    not_applicable = VerdictText.not_applicable("gate.inference.not-applicable")
    not_run = VerdictText.not_run("gate.inference.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the gain, a difference of shares: green up to 0.05.

        Red beyond 0.20, for the public only.
        """
        return Limits(INFERENCE_LIMIT, INFERENCE_SERIOUS if type.is_public else None)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the attack that gains most from a person's own record, the worst colour first.

        - Red in a public release if the gain is surely beyond 0.20; amber beyond 0.05 (0.10 if fewer than 200 people
          were attacked); else green.
        - In a release of fewer than 20 people the gain is judged by the same rule and stated as a count.
        - If no attack measured a gain: not run where an attack was left out, else not applicable.
        """
        entries = [entry for entry in select_entries(self.id, evidence.attacks) if entry.advantage.value is not None]
        if not entries:
            not_made = list_attacks_not_made(evidence.candidate, (), check=self.id)
            return self.verdict(self.not_run if not_made else self.not_applicable)
        public = self.limits_of(evidence).red is not None
        worst = max(
            entries, key=lambda entry: (_BAD.index(_choose_colour(entry, public=public)), on_grid(_compute_gain(entry)))
        )
        colour, is_small = _choose_colour(worst, public=public), worst.sampled < SURE
        if are_few(evidence):
            return self._judge_few_people(worst, colour)
        small = Colours(self.green_few, self.amber_few, self.usual.red)
        texts = small if is_small else self.usual
        quotation = quotation_of(worst)
        if quotation is not None:
            texts = self.of_attack
        arguments: dict[str, Any] = {
            **(quotation or {"column": Name(worst.column or "")}),
            **_describe_gain(worst),
            "people": worst.sampled,
        }
        # The point estimate is judged: its interval stands in the sentence.
        figure = replace(worst.advantage, low=None, high=None)
        result = self.verdict(texts[_BAD.index(colour)], figure, _compute_gain_limit(worst), is_gain=True, **arguments)
        return replace(result, columns=() if quotation is not None else _list_columns_above_limit(entries))

    def _judge_few_people(self, worst: AttackEntry, colour: str) -> CheckResult:
        """Return the result in a release of fewer than 20 people, with the gain stated in numbers of people.

        A negative gain counts as 0. ``colour`` is the colour of ``worst``, the attack judged.
        """
        arguments: dict[str, Any] = {
            "column": Name(worst.column or ""),
            "success": to_sentence_number(float(to_people_count(worst.success).value or 0.0)),
            "control": to_sentence_number(float(to_people_count(worst.control).value or 0.0)),
            "people": worst.sampled,
        }
        amber = self.amber_small if worst.advantage.low is None or worst.advantage.low <= 0 else self.amber_small_clear
        texts = Colours(self.green_small, amber, self.red_small)
        if (quotation := quotation_of(worst)) is not None:
            texts = self.of_attack
            arguments |= {**_describe_gain(worst), **quotation}
        gained = to_people_count(worst.advantage)
        # Fewer right guesses than without their record is nothing gained, and no number of people below none.
        gained = replace(gained, value=max(float(gained.value or 0.0), 0.0))
        return self.verdict(texts[_BAD.index(colour)], gained, **arguments)


def _compute_gain(entry: AttackEntry) -> float:
    """Return how much an attack gains from the person's record over guesses without it, as a difference of shares."""
    return float(entry.advantage.value or 0.0)


def _list_columns_above_limit(entries: Sequence[AttackEntry]) -> tuple[str, ...]:
    """Return the attacked columns in which the gain is beyond its limit, each once, in order of the entries."""
    above = (entry.column for entry in entries if _compute_gain(entry) > _compute_gain_limit(entry) + ROUNDING)
    return tuple(dict.fromkeys(column for column in above if column is not None))


def _compute_gain_limit(entry: AttackEntry) -> float:
    """Return the gain above which a reason is needed: 0.05, or 0.10 if fewer than 200 people were attacked.

    With so few people, chance alone reaches 0.05.
    """
    return INFERENCE_LIMIT if entry.sampled >= SURE else INFERENCE_LIMIT_OF_FEW


def _choose_colour(entry: AttackEntry, *, public: bool) -> str:
    """Return "red", "amber" or "green" for the gain of an attack.

    Red, in a public release only, if the lower end of its 95 % interval is above 0.20; for fewer than 200 people, if
    the gain is above 0.20 and the lower end above 0. Without an interval the gain stands for its lower end. Amber if
    the gain is above 0.05 (0.10 for fewer than 200 people).

    Parameters
    ----------
    entry
        The attack's result.
    public
        Whether the release is public; only then a gain can be red.
    """
    gain, low = _compute_gain(entry), entry.advantage.low
    least = gain if low is None else low
    surely = least > INFERENCE_SERIOUS + ROUNDING
    if entry.sampled < SURE:
        surely = gain > INFERENCE_SERIOUS + ROUNDING and least > 0
    if public and surely:
        return RED
    return AMBER if gain > _compute_gain_limit(entry) + ROUNDING else GREEN


def _describe_gain(entry: AttackEntry) -> dict[str, Value]:
    """Return the values for the placeholders of a sentence on the gain of an attack.

    ``success`` and ``control`` are the right guesses with and without the person's record, ``more`` is the gain,
    ``least`` and ``most`` are the ends of its interval, ``allowed`` and ``serious`` the limits. A negative gain or end
    counts as 0.
    """
    gain = max(_compute_gain(entry), 0.0)
    low, high = (max(float(gain if end is None else end), 0.0) for end in (entry.advantage.low, entry.advantage.high))
    success, control = state_right_pair(entry.success, entry.control)
    return {
        "success": success,
        "control": control,
        "more": Versus(gain, _compute_gain_limit(entry), "points"),
        "least": Versus(low, INFERENCE_SERIOUS, "points", "low"),
        "most": Points(high, "high"),
        "allowed": LimitOf(gain, _compute_gain_limit(entry), "points"),
        "serious": LimitOf(low, INFERENCE_SERIOUS, "points"),
    }
