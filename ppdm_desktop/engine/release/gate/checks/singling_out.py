"""Check of how many people can be picked out by what is released of them."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.beliefs import known_all
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.checks.certain_by_all import CertainByAll
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, RED, CheckResult
from ppdm_desktop.engine.texts import listed

PUBLIC_SHARE = 0.01
_HALF = 0.5


@register
class SinglingOut(Check):
    """Few people are the only ones who show their released values."""

    id = "singling-out"
    title = "Picking out one person"
    order = 118
    source = "Article 29 Working Party, Opinion 05/2014 (WP 216): singling out"
    fix_on = "columns"
    direction = "at-most"
    figure_unit = "share"
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours, as shares of the people."""
        green = PUBLIC_SHARE if type.is_public else 1.0 / k_min
        return Limits(green, None if type.is_internal else 1.0 / k_min if type.is_public else _HALF)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Judge the people who are unique by every released column that is not confidential.

        Beyond the red edge it is red only where a secret goes with it, or where there is no secret to be kept
        and being found is all there is.
        """
        picked = evidence.picked
        if not picked.people or not picked.columns:
            return self.verdict(NOT_APPLICABLE)
        type, limits = evidence.candidate.prepared.type, self.limits_of(evidence)
        share = picked.by_all_but_secret / picked.people
        one, most = picked.by_all_but_one / picked.people, 1.0 / type.k_min
        words: dict[str, Any] = {"columns": listed(list(picked.columns), 6), "people": picked.people}
        if share <= limits.green and one > most:
            figure = Figure(one, n=picked.people, unit=self.figure_unit)
            return self.verdict(AMBER, figure, most, variant="one", records=picked.by_all_but_one, **words)
        red = limits.red is not None and share > limits.red and self._tells(evidence)
        status = GREEN if share <= limits.green else RED if red else AMBER
        figure = Figure(share, n=picked.people, unit=self.figure_unit)
        return self.verdict(status, figure, limits.green, records=picked.by_all_but_secret, **words)

    def _tells(self, evidence: Evidence) -> bool:
        """Say whether whoever is picked out is also told something about, or has nothing else to be kept."""
        if not evidence.confidential:
            return True
        type = evidence.candidate.prepared.type
        if type.is_public:
            return not evidence.is_tolerated(known_all)
        red = CertainByAll().limits(type, type.k_min).red
        return red is not None and int(evidence.certain_by_all.sum()) / evidence.judged.rows > red
