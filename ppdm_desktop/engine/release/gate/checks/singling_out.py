"""Check of how many people can be picked out by what is released of them."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.identifiability.near_identifiers import HALF
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.beliefs import known_all
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.checks.certain_by_all import CertainByAll
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import SHARE_OR_PEOPLE, share_of
from ppdm_desktop.engine.release.gate.results import CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import later
from ppdm_desktop.engine.wording.values import Names, Share

PUBLIC_SHARE = 0.01


@register
class SinglingOut(Check):
    """Few people are the only ones who show their released values."""

    id = "singling-out"
    title = "Picking out one person"
    order = 118
    source = later("check", "Article 29 Working Party, Opinion 05/2014 (WP 216), singling out")
    fix_on = "columns"
    on_protection = True
    direction = "at-most"
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    figure_title = "figure.singling-out"
    by_chance = True
    most_named = 6
    needs = ("written-back", "file-limits")
    usual = Colours.of("gate.singling-out.green", "gate.singling-out.amber", "gate.singling-out.red")
    amber_one = VerdictText.amber("gate.singling-out.amber-one")
    amber_set = VerdictText.amber("gate.singling-out.amber-set")
    red_set = VerdictText.red("gate.singling-out.red-set")
    severe = VerdictText.amber("gate.singling-out.amber-severe")
    not_applicable = VerdictText.not_applicable("gate.singling-out.not-applicable")
    not_run = VerdictText.not_run("gate.singling-out.not-run")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours, as shares of the people."""
        green = PUBLIC_SHARE if type.is_public else 1.0 / k_min
        return Limits(green, None if type.is_internal else 1.0 / k_min if type.is_public else HALF)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Judge the people who are unique by every released column that is not confidential.

        Beyond the red edge it is red only where a secret goes with it, or where there is no secret to be kept
        and being found is all there is.
        """
        picked = evidence.picked
        if not picked.people or not picked.columns:
            return self.verdict(self.not_applicable)
        type, limits = evidence.candidate.prepared.type, self.limits_of(evidence)
        share = picked.by_all_but_secret / picked.people
        one, most = picked.by_all_but_one / picked.people, 1.0 / type.k_min
        words: dict[str, Any] = {"columns": Names.of(picked.columns)}
        if share <= limits.green and one > most:
            counted = (picked.by_all_but_one, picked.people)
            figure, limit = share_of(evidence, *counted, most)
            return self.verdict(self.amber_one, figure, limit, counted=counted, share=Share(*counted), **words)
        red = limits.red is not None and share > limits.red and self._tells(evidence)
        text = self.usual.green if share <= limits.green else self.usual.red if red else self.usual.amber
        counted = (picked.by_all_but_secret, picked.people)
        figure, limit = share_of(evidence, *counted, limits.green)
        # The smallest set that picks out half of the people says more than a list of all columns.
        least = picked.sets[-1] if picked.sets and picked.sets[-1].alone >= HALF * picked.people else None
        if text != self.usual.green and least is not None and len(least.columns) < len(picked.columns):
            words |= {"set": Names.of(least.columns), "alone": Share(least.alone, picked.people)}
            text = self.red_set if red else self.amber_set
        return self.verdict(text, figure, limit, counted=counted, share=Share(*counted), **words)

    def _tells(self, evidence: Evidence) -> bool:
        """Say whether something is also learnt of those who are picked out, or has nothing else to be kept."""
        if not evidence.confidential:
            return True
        type = evidence.candidate.prepared.type
        if type.is_public:
            return not evidence.is_tolerated(known_all)
        red = CertainByAll().limits(type, type.k_min).red
        return red is not None and int(evidence.certain_by_all.sum()) / evidence.people > red
