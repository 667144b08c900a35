"""Check of how many confidential values a class of equal records shows (distinct l-diversity)."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.diversity import ValueCounts, distinct_values
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.open_values import quasi_regenerated
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, CheckResult
from ppdm_desktop.engine.texts import listed

NEEDED, NEEDED_PUBLIC = 2, 3


@register
class Diversity(Check):
    """Every class shows several values of each confidential column that no step hides."""

    id = "diversity"
    title = "Different answers in each group"
    order = 120
    source = "A. Machanavajjhala et al., l-diversity, ACM TKDD 1(1), 2007: distinct l-diversity"
    fix_on = "protect"
    direction = "at-least"
    figure_unit = "values"
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: one value more where the public gets it."""
        return Limits(NEEDED_PUBLIC if type.is_public else NEEDED)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count the fewest values that a class shows.

        A column is left out where some step protects it and no record of a one-valued class is left
        neither randomised nor grouped: there the value shown need not be the person's own. Nothing
        is judged where the quasi-identifiers were made anew, for nobody's class is seen then. A
        column with fewer values than asked for needs to show all it has.
        """
        if not evidence.confidential or not evidence.judged.rows or quasi_regenerated(evidence):
            return self.verdict(NOT_APPLICABLE)
        judged = [
            name
            for name in evidence.confidential
            if name not in evidence.protected_columns or evidence.open_records(name).any()
        ]
        if not judged:
            return self.verdict(NOT_APPLICABLE)
        asked = self.limits_of(evidence).green
        least: dict[str, int] = {}
        lacking: dict[str, int] = {}
        for name in judged:
            counts = ValueCounts.of_codes(evidence.classes, evidence.judged.column(name).category_codes)
            values = distinct_values(counts)
            least[name] = int(values.min())
            short = values < min(asked, counts.values)
            if short.any():
                lacking[name] = int(evidence.classes.sizes[short].sum())
        worst = min(lacking or judged, key=lambda name: least[name])
        method = "fewest different values of a confidential column in a class of equal released quasi-identifiers"
        figure = Figure(least[worst], n=evidence.classes.count, unit="values", method=method)
        arguments: dict[str, Any] = {"columns": listed(list(lacking) or judged), "least": least[worst], "needed": asked}
        if lacking:
            return self.verdict(AMBER, figure, asked, records=max(lacking.values()), **arguments)
        return self.verdict(GREEN, figure, asked, **arguments)
