"""Checks for identifiers that are still in the release: columns, patterns, free text."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult, named, verdict
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.patterns import LEAST_DIGITS, PatternCounts, count_patterns

MOST_EQUAL = 0.01
REPEATS_BELOW, REPEATS_FROM = 0.9, 50
MIRRORED_VALUES = 0.9
COLUMN_OF_PATTERNS = 0.95
MOST_OF_NUMBERS = 0.5
"""Of numbers one in ten passes a check digit by chance; a column of them counts when most do."""
MANY_WORDS, MANY_DISTINCT = 3.0, 0.5
PSEUDONYMS = "pseudonymise"


def identifiers_gone(evidence: Evidence, progress: Progress | None = None) -> CheckResult:
    """Check that no identifier is released, nor a column that equals or mirrors one."""
    progress = progress or silent()
    prepared, exported = evidence.candidate.prepared, evidence.exported
    identifiers = [column for column in prepared.original.columns if column.role == "identifier"]
    found = [column.name for column in identifiers if column.name in exported]
    steps = len(identifiers) * len(exported.columns)
    for round, identifier in enumerate(identifiers):
        source = identifier.take(evidence.source_rows) if evidence.rows_correspond else identifier
        own = _Identifier.of(source, progress)
        for place, column in enumerate(exported.columns):
            progress.report((round * len(exported.columns) + place) / steps, "doing.gate")
            if column.name in found or (beside := _beside(evidence, column)) is None:
                continue
            if _gives_away(beside, own, progress):
                found.append(column.name)
    figure = Figure(len(found), n=len(exported.columns), unit="columns")
    if not found:
        variant = "" if identifiers else "none"
        return verdict("identifiers-gone", GREEN, figure, 0, variant=variant, count=len(identifiers))
    made = {name for step in evidence.candidate.steps if step.method.id == PSEUDONYMS for name in step.settings.columns}
    status = AMBER if set(found) <= made else RED
    return verdict("identifiers-gone", status, figure, 0, columns=named(found))


def _beside(evidence: Evidence, released: Column) -> Column | None:
    """Return the column whose rows are those of the source, None where its values are new.

    Where rows are made anew, categories are still those of true people, only in other rows: they
    are judged as they stood in the source. Numbers and dates are new.
    """
    if evidence.rows_correspond:
        return released
    return None if released.kind in ("numeric", "date") else evidence.truth(released.name)


def _folded(column: Column, index: dict[str, int], progress: Progress) -> Ints:
    """Return a number for each row's text, trimmed and case-folded, -1 where missing."""
    gone = column.missing_texts
    codes = np.array(
        [
            -1 if text in gone else index.setdefault(text.strip().casefold(), len(index))
            for text in progress.each(column.texts)
        ],
        dtype=np.int64,
    )
    return codes[column.codes] if len(codes) else np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Identifier:
    """An identifier's values, trimmed and case-folded: numbered by their first place, and each row's number."""

    index: dict[str, int]
    rows: Ints
    distinct: int

    @classmethod
    def of(cls, column: Column, progress: Progress) -> _Identifier:
        index: dict[str, int] = {}
        rows = _folded(column, index, progress)
        return cls(index, rows, int(np.count_nonzero(np.bincount(rows[rows >= 0]))))

    def numbered_after(self, index: dict[str, int], progress: Progress) -> Ints:
        """Return each row's number among the values of a released column, beyond those where it shows none of them."""
        number = np.full(len(self.index), -1, dtype=np.int64)
        for place, text in enumerate(progress.each(list(index))):
            own = self.index.get(text)
            if own is not None:
                number[own] = place
        lacking = np.flatnonzero(number < 0)
        number[lacking] = len(index) + np.arange(len(lacking))
        return np.append(number, -1)[self.rows]


def _gives_away(released: Column, identifier: _Identifier, progress: Progress) -> bool:
    rows, distinct = len(identifier.rows), identifier.distinct
    if rows == 0:
        return False
    index: dict[str, int] = {}
    shown = _folded(released, index, progress)
    own = identifier.numbered_after(index, progress)
    if int(((shown == own) & (own >= 0)).sum()) > MOST_EQUAL * rows:
        return True
    if not (REPEATS_FROM <= distinct < REPEATS_BELOW * rows):
        return False
    known = (shown >= 0) & (own >= 0)
    if not known.any():
        return False
    width = len(index) + len(identifier.index) + 1
    progress.check()
    pairs, counts = np.unique(own[known] * width + shown[known], return_counts=True)
    progress.check()
    commonest = _is_commonest(pairs // width, counts)
    progress.check()
    mutual = commonest & _is_commonest(pairs % width, counts)
    # One-to-one but for a slip of the pen: a few wrong cells hide nobody in the others.
    mirrored = int(counts[mutual].sum()) >= (1 - MOST_EQUAL) * int(known.sum())
    return mirrored and int(mutual.sum()) >= MIRRORED_VALUES * distinct


def _is_commonest(values: Ints, counts: Ints) -> Bools:
    """Say which entries are the first of the highest count of their value."""
    order = np.lexsort((-counts, values))
    first = np.ones(len(order), dtype=np.bool_)
    first[1:] = values[order][1:] != values[order][:-1]
    found = np.zeros(len(order), dtype=np.bool_)
    found[order[first]] = True
    return found


def identifier_patterns(evidence: Evidence, progress: Progress | None = None) -> CheckResult:
    """Count cells that look like an address, a number of a person, a card."""
    progress = progress or silent()
    public = evidence.candidate.prepared.type.is_public
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
        return verdict("identifier-patterns", GREEN, figure, 0)
    status = RED if public or worst >= COLUMN_OF_PATTERNS else AMBER
    return verdict(
        "identifier-patterns",
        status,
        figure,
        0,
        cells=cells,
        columns=named(columns),
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


def free_text(evidence: Evidence, progress: Progress | None = None) -> CheckResult:
    """Find released columns in which people wrote what they liked."""
    progress = progress or silent()
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
        return verdict("free-text", GREEN, figure, 0)
    status = RED if evidence.candidate.prepared.type.is_public else AMBER
    return verdict("free-text", status, figure, 0, columns=named(found))
