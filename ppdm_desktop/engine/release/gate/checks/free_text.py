"""Check that no column holds text that people wrote freely."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult
from ppdm_desktop.engine.texts import listed

MANY_WORDS, MANY_DISTINCT = 3.0, 0.5


@register
class FreeText(Check):
    """No released column holds what people wrote freely."""

    id = "free-text"
    title = "Free text"
    order = 70
    source = "own rule: what people wrote freely may name anybody, and no count shows it"
    fix_on = "columns"
    direction = "at-most"
    figure_unit = "columns"
    weight = LOOKS_AT_EVERY_VALUE
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: any is red where the public gets it."""
        return Limits(0, 0 if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Find released columns in which people wrote what they liked."""
        found = []
        for column in evidence.exported.columns:
            known = ~column.missing
            if column.kind != "text" or not known.any():
                continue
            words = np.array([len(text.split()) for text in progress.each(column.texts)], dtype=np.float64)
            mean_words = float(words[column.codes][known].mean())
            distinct = int(np.count_nonzero(np.bincount(column.codes[known]))) / int(known.sum())
            if mean_words >= MANY_WORDS or distinct >= MANY_DISTINCT:
                found.append(column.name)
        figure = Figure(len(found), n=len(evidence.exported.columns), unit="columns")
        if not found:
            return self.verdict(GREEN, figure, 0)
        status = RED if self.limits_of(evidence).red is not None else AMBER
        return self.verdict(status, figure, 0, columns=listed(found))
