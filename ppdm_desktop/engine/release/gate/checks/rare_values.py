"""Check of rare values: what few records share stands out, whoever it belongs to."""

from __future__ import annotations

from typing import Any

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, CheckResult
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.texts import listed

FEW_MOVED = 5


@register
class RareValues(Check):
    """No value of an unprotected column, and no pattern of missing cells, is shared by few only."""

    id = "rare-values"
    title = "Rare values"
    order = 200
    source = "A. Hundepool et al., Statistical Disclosure Control, Wiley, 2012"
    fix_on = "columns"
    direction = "at-most"
    figure_unit = "values and patterns"
    needs = ("written-back", "file-limits")

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count categories, extreme numbers and patterns of missing cells that few released records share."""
        k_min = evidence.candidate.prepared.type.k_min
        protected = evidence.protected_columns
        columns = [column for column in evidence.judged.columns if column.name not in protected]
        rare = {column.name: count for column in columns if (count := _rare(column, k_min))}
        patterns = lone_missing_patterns(evidence)
        moved = moved_values(evidence)
        total = sum(rare.values()) + patterns + moved
        figure = Figure(total, n=evidence.judged.rows, unit="values and patterns")
        arguments: dict[str, Any] = {
            "values": sum(rare.values()),
            "columns": listed(list(rare)) or "none",
            "patterns": patterns,
            "moved": moved,
            "k_min": k_min,
        }
        return self.verdict(AMBER if total else GREEN, figure, 0, **arguments)


def _rare(column: Column, k_min: int) -> int:
    counts = column.category_counts
    if not len(counts):
        return 0
    if column.kind == "numeric":
        # Categories of a number rise: the first is the lowest value, the last the highest.
        ends = {0, len(counts) - 1}
        return sum(int(counts[end]) < k_min for end in ends)
    return int((counts < k_min).sum())


def lone_missing_patterns(evidence: Evidence) -> int:
    """Count patterns of missing cells, over the released columns, that one record alone shows."""
    missing = [column.missing for column in evidence.exported.columns]
    if not missing or not evidence.exported.rows:
        return 0
    classes = classes_of_codes([flags.astype(np.int32) for flags in missing], evidence.exported.rows)
    anything = np.logical_or.reduce(missing)
    return int(((classes.size_of_record == 1) & anything).sum())


def moved_values(evidence: Evidence) -> int:
    """Count released values, of few records, that nobody shows truly: whoever shows one was moved there."""
    found = 0
    for name in evidence.confidential:
        if not evidence.rows_correspond:
            continue
        shown = evidence.judged.column(name).category_codes
        true = evidence.shown_is_true(name)
        for step in evidence.candidate.steps:
            for each in step.result.protections:
                if each.column != name or each.manner != "randomised" or len(each.treatment) != len(shown):
                    continue
                treated = (each.treatment >= 0) & (shown >= 0)
                width = int(shown.max(initial=-1)) + 1
                cells = each.treatment[treated] * width + shown[treated]
                _, inverse, counts = np.unique(cells, return_inverse=True, return_counts=True)
                trues = np.bincount(inverse, weights=true[treated].astype(float), minlength=len(counts))
                found += int(((counts < FEW_MOVED) & (trues == 0)).sum())
    return found
