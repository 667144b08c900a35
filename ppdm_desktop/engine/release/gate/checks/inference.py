"""Check of how much being in the release helps to guess a person's confidential value."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ppdm_desktop.engine.attacks.comparison import INFERENCE_LIMIT, INFERENCE_SERIOUS
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.attack_audit.registry import entries_for, not_made
from ppdm_desktop.engine.release.gate.attack_figures import ROUNDING, quotation_of, upper_end
from ppdm_desktop.engine.release.gate.base import SUCCEEDS, Check, Limits, register
from ppdm_desktop.engine.release.gate.causes import WHAT_IS_LEARNT
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import SHARE_OR_PEOPLE, are_few, counted, right_with_and_without, whole
from ppdm_desktop.engine.release.gate.results import CheckResult, Colours, VerdictText
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
    cause = WHAT_IS_LEARNT
    source = later("check", "Article 29 Working Party, Opinion 05/2014 (WP 216), inference")
    fix_on = "protect"
    on_protection = True
    direction = "at-most"
    figure_unit = SHARE_OR_PEOPLE
    figure_title = "figure.inference"
    by_chance = True
    reads_file = False
    green = VerdictText.green("gate.inference.green")
    amber = VerdictText.amber("gate.inference.amber")
    amber_few = VerdictText.amber("gate.inference.amber-few")
    amber_small = VerdictText.amber("gate.inference.amber-small")
    amber_small_clear = VerdictText.amber("gate.inference.amber-small-clear")
    red = VerdictText.red("gate.inference.red")
    red_few = VerdictText.red("gate.inference.red-few")
    red_small = VerdictText.red("gate.inference.red-small")
    of_attack = Colours.of("gate.inference.green-attack", "gate.inference.amber-attack", "gate.inference.red-attack")
    severe = VerdictText.amber("gate.inference.amber-severe")
    not_applicable = VerdictText.not_applicable("gate.inference.not-applicable")
    not_run = VerdictText.not_run("gate.inference.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours."""
        return Limits(INFERENCE_LIMIT, INFERENCE_SERIOUS if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Compare what being in the release adds to guessing a confidential value with the limits, the worst column."""
        entries = [entry for entry in entries_for(self.id, evidence.attacks) if entry.advantage.value is not None]
        if not entries:
            lacking = not_made(evidence.candidate, (), progress, check=self.id)
            return self.verdict(self.not_run if lacking else self.not_applicable)
        if are_few(evidence):
            return self._of_few(max(entries, key=lambda entry: on_grid(float(entry.advantage.value or 0.0))), evidence)
        worst = max(entries, key=lambda entry: on_grid(upper_end(entry.advantage)))
        more, high = float(worst.advantage.value or 0.0), upper_end(worst.advantage)
        red = self.limits_of(evidence).red
        is_few = more <= INFERENCE_LIMIT
        if high <= INFERENCE_LIMIT + ROUNDING:
            text, text_of_attack = self.green, self.of_attack.green
        elif red is not None and high > red + ROUNDING:
            text, text_of_attack = self.red_few if is_few else self.red, self.of_attack.red
        else:
            text, text_of_attack = self.amber_few if is_few else self.amber, self.of_attack.amber
        quotation = quotation_of(worst)
        if quotation is not None:
            text = text_of_attack
        arguments: dict[str, Any] = {
            **(quotation or {"column": Name(worst.column or "")}),
            **_gained(worst),
            "people": worst.sampled,
        }
        return self.verdict(text, worst.advantage, INFERENCE_LIMIT, is_gain=True, **arguments)

    def _of_few(self, worst: AttackEntry, evidence: Evidence) -> CheckResult:
        """Judge so few people by the count alone: beyond the red edge it is red as ever, else nobody can tell."""
        red = self.limits_of(evidence).red
        is_red = red is not None and float(worst.advantage.value or 0.0) > red + ROUNDING
        words: dict[str, Any] = {
            "column": Name(worst.column or ""),
            "success": whole(float(counted(worst.success).value or 0.0)),
            "control": whole(float(counted(worst.control).value or 0.0)),
            "people": worst.sampled,
        }
        # An attack that has certainly gained something, and much, has succeeded, and is said to have.
        low = worst.advantage.low
        clear = worst.severity in SUCCEEDS and low is not None and low > 0
        text = self.red_small if is_red else self.amber_small_clear if clear else self.amber_small
        if (quotation := quotation_of(worst)) is not None:
            text = self.of_attack.red if is_red else self.of_attack.amber
            words |= {**_gained(worst), **quotation}
        gained = counted(worst.advantage)
        # Fewer right guesses than without their record is nothing gained, and no number of people below none.
        gained = replace(gained, value=max(float(gained.value or 0.0), 0.0))
        return self.verdict(text, gained, **words)


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
