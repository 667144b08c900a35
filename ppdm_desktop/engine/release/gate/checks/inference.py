"""Check of how much being in the release helps to guess a person's confidential value."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.attacks.comparison import INFERENCE_LIMIT, INFERENCE_SERIOUS
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.attack_audit.column_pairs import of_hundred
from ppdm_desktop.engine.release.attack_audit.registry import entries_for, not_made
from ppdm_desktop.engine.release.gate.attack_figures import ROUNDING, beside_limit, told, upper_end
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, NOT_RUN, RED, CheckResult


@register
class Inference(Check):
    """Nobody's confidential value is guessed much better because they are in the release."""

    id = "inference"
    title = "Guessing confidential values"
    order = 160
    source = "Article 29 Working Party, Opinion 05/2014 (WP 216): inference"
    fix_on = "protect"
    direction = "at-most"
    figure_unit = "share"
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
        worst = max(entries, key=lambda entry: upper_end(entry.advantage))
        more, high = float(worst.advantage.value or 0.0), upper_end(worst.advantage)
        is_within = high <= INFERENCE_LIMIT + ROUNDING
        few = "few" if more <= INFERENCE_LIMIT and not is_within else ""
        variant, words = told(worst, few, column=f'"{worst.column}"')
        arguments: dict[str, Any] = {
            **words,
            "success": of_hundred(worst.success.value),
            "control": of_hundred(worst.control.value),
            "more": of_hundred(max(more, 0.0)),
            "most": beside_limit(max(high, 0.0), INFERENCE_LIMIT, INFERENCE_SERIOUS),
            "allowed": of_hundred(INFERENCE_LIMIT),
            "people": worst.sampled,
        }
        if is_within:
            return self.verdict(GREEN, worst.advantage, INFERENCE_LIMIT, variant=variant, **arguments)
        red = self.limits_of(evidence).red
        status = RED if red is not None and high > red + ROUNDING else AMBER
        return self.verdict(status, worst.advantage, INFERENCE_LIMIT, variant=variant, **arguments)
