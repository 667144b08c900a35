"""Check of how much being in the release helps to guess a person's confidential value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ppdm_desktop.engine.attacks.comparison import INFERENCE_LIMIT, INFERENCE_SERIOUS
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.attack_audit.registry import entries_for, not_made
from ppdm_desktop.engine.release.gate.attack_figures import ROUNDING, stated, upper_end
from ppdm_desktop.engine.release.gate.base import SUCCEEDS, Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import SHARE_OR_PEOPLE, are_few, counted, right_with_and_without, whole
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, NOT_RUN, RED, CheckResult
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.tie_breaking import on_grid
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.values import LimitOf, Name, Value, Versus


@register
class Inference(Check):
    """Nobody's confidential value is guessed much better because they are in the release."""

    id = "inference"
    title = "Guessing confidential values"
    order = 160
    source = later("check", "Article 29 Working Party, Opinion 05/2014 (WP 216), inference")
    fix_on = "protect"
    on_protection = True
    direction = "at-most"
    figure_unit = SHARE_OR_PEOPLE
    by_chance = True
    reads_file = False

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours."""
        return Limits(INFERENCE_LIMIT, INFERENCE_SERIOUS if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Compare what being in the release adds to guessing a confidential value with the limits, the worst column."""
        entries = [entry for entry in entries_for(self.id, evidence.attacks) if entry.advantage.value is not None]
        if not entries:
            lacking = not_made(evidence.candidate, (), progress, check=self.id)
            return self.verdict(NOT_RUN if lacking else NOT_APPLICABLE)
        if are_few(evidence):
            return self._of_few(max(entries, key=lambda entry: on_grid(float(entry.advantage.value or 0.0))), evidence)
        worst = max(entries, key=lambda entry: on_grid(upper_end(entry.advantage)))
        more, high = float(worst.advantage.value or 0.0), upper_end(worst.advantage)
        is_within = high <= INFERENCE_LIMIT + ROUNDING
        few = "few" if more <= INFERENCE_LIMIT and not is_within else ""
        variant, words = stated(worst, few, column=Name(worst.column or ""))
        arguments: dict[str, Any] = {**words, **_gained(worst), "people": worst.sampled}
        if is_within:
            return self.verdict(GREEN, worst.advantage, INFERENCE_LIMIT, variant=variant, is_gain=True, **arguments)
        red = self.limits_of(evidence).red
        status = RED if red is not None and high > red + ROUNDING else AMBER
        return self.verdict(status, worst.advantage, INFERENCE_LIMIT, variant=variant, is_gain=True, **arguments)

    def _of_few(self, worst: AttackEntry, evidence: Evidence) -> CheckResult:
        """Judge so few people by the count alone: beyond the red edge it is red as ever, else nobody can tell."""
        red = self.limits_of(evidence).red
        status = RED if red is not None and float(worst.advantage.value or 0.0) > red + ROUNDING else AMBER
        words: dict[str, Any] = {
            "column": Name(worst.column or ""),
            "success": whole(float(counted(worst.success).value or 0.0)),
            "control": whole(float(counted(worst.control).value or 0.0)),
            "people": worst.sampled,
        }
        # An attack that has certainly gained something, and much, has succeeded, and is said to have.
        low = worst.advantage.low
        clear = status == AMBER and worst.severity in SUCCEEDS and low is not None and low > 0
        variant, own_words = stated(worst, "small-clear" if clear else "small")
        if variant == "attack":
            words |= {**_gained(worst), **own_words}
        gained = counted(worst.advantage)
        # Fewer right guesses than without their record is nothing gained, and no number of people below none.
        gained = replace(gained, value=max(float(gained.value or 0.0), 0.0))
        return self.verdict(status, gained, variant=variant, **words)


def _gained(entry: AttackEntry) -> dict[str, Value]:
    """Return what is said of an attack: right guesses with and without the record, and the gain beside its limits.

    A gain beyond the edge of red is written beside that: then the words lie beyond both.
    """
    more, high = max(float(entry.advantage.value or 0.0), 0.0), max(upper_end(entry.advantage), 0.0)
    edge = INFERENCE_SERIOUS if high > INFERENCE_SERIOUS + ROUNDING else INFERENCE_LIMIT
    success, control = right_with_and_without(entry.success, entry.control)
    return {
        "success": success,
        "control": control,
        "more": Versus(more, INFERENCE_LIMIT, "points"),
        "most": Versus(high, edge, "points", "high"),
        "allowed": LimitOf(high, INFERENCE_LIMIT, "points"),
        "serious": LimitOf(high, INFERENCE_SERIOUS, "points"),
    }
