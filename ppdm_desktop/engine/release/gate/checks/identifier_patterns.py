"""Check that no cell looks like an address or a number of a person."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.patterns import LEAST_DIGITS, PatternCounts, count_patterns
from ppdm_desktop.engine.texts import listed

COLUMN_OF_PATTERNS = 0.95
MOST_OF_NUMBERS = 0.5
"""Of numbers one in ten passes a check digit by chance; a column of them counts when most do."""


@register
class IdentifierPatterns(Check):
    """No cell looks like an address, a number of a person, a card."""

    id = "identifier-patterns"
    title = "Names and numbers in cells"
    order = 60
    source = "GDPR, article 4(1): identification numbers and online identifiers"
    fix_on = "columns"
    direction = "at-most"
    figure_unit = "cells"
    weight = LOOKS_AT_EVERY_VALUE
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: any is red where the public gets it."""
        return Limits(0, 0 if type.is_public else None)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count cells that look like an address, a number of a person, a card."""
        cells, worst = 0, 0.0
        kinds: set[str] = set()
        columns: list[str] = []
        for place, column in enumerate(evidence.exported.columns):
            progress.report(place / len(evidence.exported.columns), "doing.gate")
            if column.labels_ordered or not _may_identify(column):
                continue
            found = _patterns(column, progress)
            if column.kind == "numeric" and found.matching < MOST_OF_NUMBERS * found.cells:
                continue
            if found.matching:
                columns.append(column.name)
                cells += found.matching
                kinds |= {name for name, count in found.counts.items() if count}
                worst = max(worst, found.matching / max(found.cells, 1))
        figure = Figure(cells, n=evidence.exported.rows, unit="cells")
        if cells == 0:
            return self.verdict(GREEN, figure, 0)
        status = RED if self.limits_of(evidence).red is not None or worst >= COLUMN_OF_PATTERNS else AMBER
        return self.verdict(
            status,
            figure,
            0,
            cells=cells,
            columns=listed(columns),
            kinds=", ".join(sorted(kinds)),
        )


def _may_identify(column: Column) -> bool:
    """Say whether a column can hold addresses or numbers of persons; a number needs whole ones, long enough.

    A number's kind is what the recipe says, so it is no reason to look away.
    """
    if column.kind != "numeric":
        return True
    decimals = column.style.decimals if column.style is not None else 0
    return decimals == 0 and max(map(len, column.texts), default=0) >= LEAST_DIGITS


def _patterns(column: Column, progress: Progress) -> PatternCounts:
    uses = np.bincount(column.codes, minlength=len(column.texts)).tolist()
    held = [(text, use) for text, use in zip(column.texts, uses, strict=True) if use]
    held = [(text, use) for text, use in held if text not in column.missing_texts]
    return count_patterns([text for text, _ in held], [use for _, use in held], progress)
