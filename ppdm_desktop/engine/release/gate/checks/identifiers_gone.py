"""Check that no identifier is released, nor a column that stands for one."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import compress, repeat
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.causes import READING_AND_ROLES
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import CheckResult, VerdictText
from ppdm_desktop.engine.table.column import Column, numbered_texts
from ppdm_desktop.engine.table.likeness import is_commonest
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names

MOST_EQUAL = 0.01
REPEATS_BELOW, REPEATS_FROM = 0.9, 50
MIRRORED_VALUES = 0.9
FEWEST_VALUES = 21
"""An identifier of fewer values may be a category: what many rows show of it is nobody's."""
FILLER_TIMES = 10
"""A value shown by so many times as many rows as the median one fills cells, such as "none"."""


@register
class IdentifiersGone(Check):
    """No identifier is released, nor a column that equals or mirrors one."""

    id = "identifiers-gone"
    title = "Names and other identifiers"
    order = 50
    cause = READING_AND_ROLES
    source = lazy("GDPR, article 4(5) (no attribution without additional information)")
    fix_on = "columns"
    figure_unit = "columns"
    weight = LOOKS_AT_EVERY_VALUE
    green = VerdictText.green("gate.identifiers-gone.green")
    green_none = VerdictText.green("gate.identifiers-gone.green-none")
    amber = VerdictText.amber("gate.identifiers-gone.amber")
    amber_kept_secret = VerdictText.amber("gate.identifiers-gone.amber-kept-secret")
    red = VerdictText.red("gate.identifiers-gone.red")
    red_codes = VerdictText.red("gate.identifiers-gone.red-codes")
    not_run = VerdictText.not_run("gate.identifiers-gone.not-run")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Count the released columns that are identifiers, or equal or mirror one."""
        prepared, exported = evidence.candidate.prepared, evidence.exported
        identifiers = [column for column in prepared.original.columns if column.role == "identifier"]
        found = [column.name for column in identifiers if column.name in exported]
        steps = len(identifiers) * len(exported.columns)
        for round, identifier in enumerate(identifiers):
            source = identifier.take(evidence.source_rows) if evidence.rows_correspond else identifier
            own = _Identifier.of(source)
            for place, column in enumerate(exported.columns):
                progress.report((round * len(exported.columns) + place) / steps, "doing.gate")
                if column.name in found or (beside := _beside(evidence, column)) is None:
                    continue
                most = prepared.type.k_min
                if _gives_away(beside, own, most) or _in_another_row(evidence, identifier, column):
                    found.append(column.name)
        figure = Figure(len(found), n=len(exported.columns), unit="columns")
        if not found:
            return self.verdict(self.green if identifiers else self.green_none, figure, 0, count=len(identifiers))
        if set(found) <= evidence.shown_as_codes:
            kept = any(step.result.detail.get("kept_secret") for step in evidence.candidate.steps)
            words: dict[str, Any] = {"columns": Names.of(found)}
            if prepared.type.is_public:
                return self.verdict(self.red_codes, figure, 0, **words)
            return self.verdict(self.amber_kept_secret if kept else self.amber, figure, 0, **words)
        return self.verdict(self.red, figure, 0, columns=Names.of(found))


def _beside(evidence: Evidence, released: Column) -> Column | None:
    """Return the column whose rows are those of the source, None where its values are new.

    Where rows are generated, categories are still those of true people, only in other rows: they
    are judged as they stood in the source. Numbers and dates are new.
    """
    if evidence.rows_correspond:
        return released
    return None if released.kind in ("numeric", "date") else evidence.truth(released.name)


def _folded(column: Column, index: dict[str, int]) -> Ints:
    """Return a number for each row's text, trimmed and case-folded, -1 where missing."""
    progress.check()
    there = np.array([text not in column.missing_texts for text in column.texts], dtype=np.bool_)
    codes = np.full(len(column.texts), -1, dtype=np.int64)
    texts = column.texts if there.all() else list(compress(column.texts, there.tolist()))
    codes[there] = numbered_texts(list(map(str.casefold, map(str.strip, texts))), index)
    return codes[column.codes] if len(codes) else np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Identifier:
    """An identifier's values, trimmed and case-folded: numbered by their first place, and each row's number."""

    index: dict[str, int]
    rows: Ints
    distinct: int

    @classmethod
    def of(cls, column: Column) -> _Identifier:
        index: dict[str, int] = {}
        rows = _folded(column, index)
        return cls(index, rows, int(np.count_nonzero(np.bincount(rows[rows >= 0]))))

    def points_at_few(self, most: int) -> Bools:
        """Say for each row whether its value points at few people, and is neither a category nor fills cells.

        Parameters
        ----------
        most
            So many people may share a value. Where there are many values, each counts as one person's.
        """
        known = self.rows >= 0
        rows_of_value = np.bincount(self.rows[known], minlength=len(self.index))
        allowed = float(most)
        if self.distinct >= FEWEST_VALUES:
            allowed = max(allowed, FILLER_TIMES * float(np.median(rows_of_value[rows_of_value > 0])))
        return known & (np.append(rows_of_value, 0)[self.rows] <= allowed)

    def numbered_after(self, index: dict[str, int]) -> Ints:
        """Return each row's number among the values of a released column, beyond those where it shows none of them."""
        number = np.full(len(self.index), -1, dtype=np.int64)
        progress.check()
        own = np.fromiter(map(self.index.get, index, repeat(-1)), dtype=np.int64, count=len(index))
        shown = np.flatnonzero(own >= 0)
        number[own[shown]] = shown
        lacking = np.flatnonzero(number < 0)
        number[lacking] = len(index) + np.arange(len(lacking))
        return np.append(number, -1)[self.rows]


def _in_another_row(evidence: Evidence, identifier: Column, released: Column) -> bool:
    """Say whether a column shows an identifier of another row of the same person than the one that was kept of it."""
    people = evidence.candidate.prepared.reduced
    if people is None or not evidence.rows_correspond:
        return False
    place = np.full(people.count, -1, dtype=np.int64)
    place[evidence.source_rows] = np.arange(len(evidence.source_rows))
    shown = place[people.of_row]
    rows = np.flatnonzero(shown >= 0)
    own = _Identifier.of(evidence.candidate.prepared.read.column(identifier.name).take(rows))
    return _equals(_numbered(released.take(shown[rows]), own), own, evidence.candidate.prepared.type.k_min)


def _numbered(released: Column, identifier: _Identifier) -> tuple[Ints, Ints, int]:
    """Return each row's released value and identifier, numbered alike, and how many values were released."""
    index: dict[str, int] = {}
    shown = _folded(released, index)
    return shown, identifier.numbered_after(index), len(index)


def _equals(numbered: tuple[Ints, Ints, int], identifier: _Identifier, most: int) -> bool:
    """Say whether a column shows rows their own identifier, by values that point at few of the people who show them."""
    shown, own, values = numbered
    allowed = MOST_EQUAL * len(shown)
    same = (shown == own) & identifier.points_at_few(most)
    if int(same.sum()) <= allowed:
        return False
    both = (shown >= 0) & (own >= 0)
    width = values + len(identifier.index) + 1
    people = np.bincount(np.unique(shown[both] * width + own[both]) // width, minlength=values)
    return int((same & (np.append(people, 0)[shown] <= most)).sum()) > allowed


def _gives_away(released: Column, identifier: _Identifier, most: int) -> bool:
    rows, distinct = len(identifier.rows), identifier.distinct
    if rows == 0:
        return False
    numbered = _numbered(released, identifier)
    if _equals(numbered, identifier, most):
        return True
    shown, own, values = numbered
    if not (REPEATS_FROM <= distinct < REPEATS_BELOW * rows):
        return False
    known = (shown >= 0) & (own >= 0)
    if not known.any():
        return False
    width = values + len(identifier.index) + 1
    progress.check()
    pairs, counts = np.unique(own[known] * width + shown[known], return_counts=True)
    progress.check()
    commonest = is_commonest(pairs // width, counts)
    progress.check()
    mutual = commonest & is_commonest(pairs % width, counts)
    # One-to-one but for a slip of the pen: a few wrong cells hide nobody in the others.
    mirrored = int(counts[mutual].sum()) >= (1 - MOST_EQUAL) * int(known.sum())
    return mirrored and int(mutual.sum()) >= MIRRORED_VALUES * distinct
