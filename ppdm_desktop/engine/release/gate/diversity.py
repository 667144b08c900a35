"""Check of how many confidential values a class of equal records shows (distinct l-diversity)."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.diversity import ValueCounts, distinct_values
from ppdm_desktop.engine.release.gate.disclosure import quasi_regenerated
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, CheckResult, named, verdict

NEEDED, NEEDED_PUBLIC = 2, 3


def diversity(evidence: Evidence) -> CheckResult:
    """Check that every class shows several values of each confidential column that no step hides.

    A column is left out where some step protects it and no record of a one-valued class is left
    neither randomised nor grouped: there the value shown need not be the person's own. Nothing
    is judged where the quasi-identifiers were made anew, for nobody's class is seen then. A
    column with fewer values than asked for needs to show all it has.
    """
    if not evidence.confidential or not evidence.judged.rows or quasi_regenerated(evidence):
        return verdict("diversity", NOT_APPLICABLE)
    judged = [
        name
        for name in evidence.confidential
        if name not in evidence.protected_columns or evidence.open_records(name).any()
    ]
    if not judged:
        return verdict("diversity", NOT_APPLICABLE)
    asked = NEEDED_PUBLIC if evidence.candidate.prepared.type.is_public else NEEDED
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
    arguments: dict[str, Any] = {"columns": named(list(lacking) or judged), "least": least[worst], "needed": asked}
    if lacking:
        return verdict("diversity", AMBER, figure, asked, records=max(lacking.values()), **arguments)
    return verdict("diversity", GREEN, figure, asked, **arguments)
