"""Check that the release was not chosen as the best of many random draws."""

from __future__ import annotations

from datetime import date
from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import CHECKS, Check, Limits, register, title_of_check
from ppdm_desktop.engine.release.gate.draws import find_improved_checks
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Day

MOST_DRAWS = 5
"""With more draws than this, a better one counts as chosen and not as chance, in a public release."""


@register
class Redrawn(Check):
    """The candidate was not chosen as the best of many random draws."""

    id = "redrawn"
    title = "Run again with a new key"
    order = 270
    cause = KEYS_AND_DRAWS
    fix_on = "protect"
    figure_unit = "draws"
    reads_file = False
    after_others = True
    of_history = True
    usual = Colours.of("gate.redrawn.green", "gate.redrawn.amber", "gate.redrawn.red")
    not_applicable = VerdictText.not_applicable("gate.redrawn.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the number of random draws, which matter if this draw is better than an earlier one.

        Green up to 1; red beyond 5 in a public release, never otherwise.
        """
        return Limits(1, MOST_DRAWS if type.is_public else None)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for earlier draws of the same table by the same steps that a check judged worse than this.

        Only checks whose result depends on the draw count. Green if no earlier draw was worse; else amber, or red
        beyond the red limit of draws. Not applicable if nothing was drawn at random.
        """
        if not any(step.drawn for step in evidence.candidate.steps):
            return self.verdict(self.not_applicable)
        draws, limits = evidence.draws, self.limits_of(evidence)
        note = Note("note.draws.unknown")
        if draws.since is not None:
            note = Note("note.draws.since", {"day": Day(date.fromisoformat(draws.since))})
        arguments: dict[str, Any] = {"draw": draws.number, "draws": draws.tried, "known": note}
        figure = Figure(draws.tried, unit=self.figure_unit, note=untranslated("as far as is known here"))
        by_chance = [check.id for check in CHECKS.all().values() if check.by_chance]
        better = find_improved_checks(draws, evidence.results, by_chance, evidence.candidate.prepared.type.id)
        if not better:
            return self.verdict(self.usual.green, figure, None, **arguments)
        arguments |= {"worse": better[-1].draw, "title": title_of_check(better[-1].check)}
        is_red = limits.red is not None and draws.tried > limits.red
        text = self.usual.red if is_red else self.usual.amber
        return self.verdict(text, figure, limits.red if is_red else limits.green, **arguments)
