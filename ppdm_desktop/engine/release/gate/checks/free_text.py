"""Check that no column holds text that people wrote freely."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.texts import listed

MANY_WORDS, MANY_DISTINCT = 3.0, 0.5
RARE_TEXTS, RARE_WORDS = 20, 2.0
"""So many texts that few share, of so many words on average, are no list to choose from."""


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
        """Find released columns in which people wrote what they liked, whatever kind they are said to be."""
        k_min = evidence.candidate.prepared.type.k_min
        found = [column.name for column in evidence.exported.columns if _is_free(column, k_min, progress)]
        figure = Figure(len(found), n=len(evidence.exported.columns), unit="columns")
        if not found:
            return self.verdict(GREEN, figure, 0)
        status = RED if self.limits_of(evidence).red is not None else AMBER
        return self.verdict(status, figure, 0, columns=listed(found))


def _is_free(column: Column, k_min: int, progress: Progress) -> bool:
    """Say whether a column holds free text.

    One of kind text does by its many words, or many different texts. One of kind nominal does by the texts that few
    people share: a list of job titles has common ones, and its rare ones are short or few. Texts without a letter
    are numbers or dates, which other checks judge.
    """
    known = ~column.missing
    if column.kind not in ("text", "nominal") or not known.any():
        return False
    counts = np.bincount(column.codes[known], minlength=len(column.texts))
    distinct = int(np.count_nonzero(counts)) / int(known.sum())
    words = np.array([len(text.split()) for text in progress.each(column.texts)], dtype=np.float64)
    if column.kind == "text":
        return float(words[column.codes][known].mean()) >= MANY_WORDS or distinct >= MANY_DISTINCT
    lettered = np.array([any(map(str.isalpha, text)) for text in progress.each(column.texts)], dtype=np.bool_)
    rare = (counts > 0) & (counts < k_min) & lettered
    if int(rare.sum()) < RARE_TEXTS:
        return False
    return float(words[rare].mean()) >= RARE_WORDS or int(rare.sum()) / int(known.sum()) >= MANY_DISTINCT
