"""Check that no identifier is released, nor a column that corresponds to one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import compress, repeat
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.table.column import Column, assign_text_numbers
from ppdm_desktop.engine.table.likeness import find_commonest_entries
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names

MOST_EQUAL = 0.01
REPEATS_BELOW, REPEATS_FROM = 0.9, 50
MIRRORED_VALUES = 0.9
FEWEST_VALUES = 21
"""An identifier with fewer different values may be a category, so that many rows may share a value."""
FILLER_TIMES = 10
"""A value with this many times as many rows as the median value only fills cells, such as "none"."""


@register
class IdentifiersGone(Check):
    """No identifier is released, nor a column that equals or corresponds to one."""

    id = "identifiers-gone"
    title = "Names and other identifiers"
    order = 50
    cause = READING_AND_ROLES
    source = lazy("GDPR, article 4(5) (no attribution without additional information)")
    fix_on = "columns"
    figure_unit = "columns"
    weight = LOOKS_AT_EVERY_VALUE
    usual = Colours.of("gate.identifiers-gone.green", "gate.identifiers-gone.amber", "gate.identifiers-gone.red")
    green_none = VerdictText.green("gate.identifiers-gone.green-none")
    amber_kept_secret = VerdictText.amber("gate.identifiers-gone.amber-kept-secret")
    red_codes = VerdictText.red("gate.identifiers-gone.red-codes")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the number of released columns that are identifiers, or equal or correspond to one.

        Green if there are none, else red. If all of them hold codes that a step wrote in place of identifiers, they are
        amber unless the release is public.
        """
        prepared, exported = evidence.candidate.prepared, evidence.exported
        identifiers = [column for column in prepared.original.columns if column.role == "identifier"]
        revealing_names = _find_released_identifiers(evidence, identifiers)
        figure = Figure(len(revealing_names), n=len(exported.columns), unit="columns")
        if not revealing_names:
            return self.verdict(self.usual.green if identifiers else self.green_none, figure, 0, count=len(identifiers))
        if set(revealing_names) <= evidence.code_columns:
            kept = any(step.result.detail.get("kept_secret") for step in evidence.candidate.steps)
            arguments: dict[str, Any] = {"columns": Names.of(revealing_names)}
            if prepared.type.is_public:
                return self.verdict(self.red_codes, figure, 0, **arguments)
            return self.verdict(self.amber_kept_secret if kept else self.usual.amber, figure, 0, **arguments)
        return self.verdict(self.usual.red, figure, 0, columns=Names.of(revealing_names))


def _find_released_identifiers(evidence: Evidence, identifiers: Sequence[Column]) -> list[str]:
    """Return the names of the released columns that are an identifier, show one, or correspond to one value by value.

    Those released under an identifier's name come first. An identifier is shown if more than 1 % of the rows have their
    own, or, where the source was reduced to a row for each person, one of another row of the same person.
    """
    columns, most = evidence.exported.columns, evidence.candidate.prepared.type.k_min
    revealing_names = [identifier.name for identifier in identifiers if identifier.name in evidence.exported]
    steps = len(identifiers) * len(columns)
    for round, identifier in enumerate(identifiers):
        source = identifier.take(evidence.source_rows) if evidence.rows_correspond else identifier
        identifier_codes = _Identifier.of(source)
        for index, column in enumerate(columns):
            progress.report((round * len(columns) + index) / steps, "doing.gate")
            if column.name in revealing_names or (compared_column := _align_with_source(evidence, column)) is None:
                continue
            if _can_reveal_identifier(compared_column, identifier_codes, most) or _is_from_another_row(
                evidence, identifier, column
            ):
                revealing_names.append(column.name)
    return revealing_names


def _align_with_source(evidence: Evidence, released: Column) -> Column | None:
    """Return a column to compare with an identifier row by row; None if its values are synthetic numbers or dates.

    It is the released column itself. In synthetic rows it is the source's column of this name: its categories reappear
    there, though in other people's rows.
    """
    if evidence.rows_correspond:
        return released
    return None if released.kind in ("numeric", "date") else evidence.truth(released.name)


def _number_folded_texts(column: Column, index: dict[str, int]) -> Ints:
    """Return a number for each row's text, ignoring case and outer spaces; -1 where missing, shape (rows,).

    ``index`` holds the numbers of known texts; new texts are added to it.
    """
    progress.check()
    there = np.array([text not in column.missing_texts for text in column.texts], dtype=np.bool_)
    codes = np.full(len(column.texts), -1, dtype=np.int64)
    texts = column.texts if there.all() else list(compress(column.texts, there.tolist()))
    codes[there] = assign_text_numbers(list(map(str.casefold, map(str.strip, texts))), index)
    return codes[column.codes] if len(codes) else np.empty(0, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class _Identifier:
    """An identifier column, ignoring case and outer spaces.

    Attributes
    ----------
    index
        A number for each text.
    rows
        The number of each row's text, -1 where missing, shape (rows,).
    distinct
        Number of different texts that occur.
    """

    index: dict[str, int]
    rows: Ints
    distinct: int

    @classmethod
    def of(cls, column: Column) -> _Identifier:
        """Return the numbered texts of an identifier column, with each row's number and how many different ones occur.

        Texts that differ only in case or outer spaces have one number; missing texts have -1.
        """
        index: dict[str, int] = {}
        rows = _number_folded_texts(column, index)
        return cls(index, rows, int(np.count_nonzero(np.bincount(rows[rows >= 0]))))

    def points_at_few(self, most: int) -> Bools:
        """Return for each row whether at most ``most`` rows have its identifier, bool, shape (rows,).

        False where missing.

        Parameters
        ----------
        most
            Largest number of rows with one identifier. If there are at least 21 different identifiers, it is raised to
            10 times the median number of rows of an identifier, where that is more.
        """
        present = self.rows >= 0
        rows_of_value = np.bincount(self.rows[present], minlength=len(self.index))
        allowed = float(most)
        if self.distinct >= FEWEST_VALUES:
            allowed = max(allowed, FILLER_TIMES * float(np.median(rows_of_value[rows_of_value > 0])))
        return present & (np.append(rows_of_value, 0)[self.rows] <= allowed)

    def numbered_after(self, index: dict[str, int]) -> Ints:
        """Return each row's identifier as a number: the one that ``index`` has for the same text, shape (rows,).

        ``index`` numbers the texts of another column; identifiers that are not among them get larger numbers, and
        missing ones -1.
        """
        number = np.full(len(self.index), -1, dtype=np.int64)
        progress.check()
        true = np.fromiter(map(self.index.get, index, repeat(-1)), dtype=np.int64, count=len(index))
        shared_values = np.flatnonzero(true >= 0)
        number[true[shared_values]] = shared_values
        unnumbered = np.flatnonzero(number < 0)
        number[unnumbered] = len(index) + np.arange(len(unnumbered))
        return np.append(number, -1)[self.rows]


def _is_from_another_row(evidence: Evidence, identifier: Column, released: Column) -> bool:
    """Return whether a column shows identifiers that its people have in any of their rows in the source.

    For a source that was reduced to one row for each person: the released value of a person is compared with the
    identifier in each of the person's rows before. True if more than 1 % of these rows agree, in values that at most
    k_min people share. False if the source was not reduced, or rows are synthetic.
    """
    people = evidence.candidate.prepared.reduced
    if people is None or not evidence.rows_correspond:
        return False
    released_row = np.full(people.count, -1, dtype=np.int64)
    released_row[evidence.source_rows] = np.arange(len(evidence.source_rows))
    position = released_row[people.of_row]
    rows = np.flatnonzero(position >= 0)
    codes = _Identifier.of(evidence.candidate.prepared.read.column(identifier.name).take(rows))
    return _has_own_identifiers(
        _to_common_codes(released.take(position[rows]), codes), codes, evidence.candidate.prepared.type.k_min
    )


def _to_common_codes(released: Column, identifier: _Identifier) -> tuple[Ints, Ints, int]:
    """Return numbers of each row's released value and of its identifier, in which equal texts have equal numbers.

    Texts are equal without case and outer spaces. Both have shape (rows,), -1 where missing. All released values have
    numbers below the third part; it counts texts that no row uses as well.
    """
    index: dict[str, int] = {}
    seen = _number_folded_texts(released, index)
    return seen, identifier.numbered_after(index), len(index)


def _has_own_identifiers(numbered: tuple[Ints, Ints, int], identifier: _Identifier, most: int) -> bool:
    """Return whether more than 1 % of the rows show their own identifier, in values that at most ``most`` people share.

    Up to 1 % of the rows may be equal by chance. Identifiers of many rows do not count (`_Identifier.points_at_few`).

    Parameters
    ----------
    numbered
        As from `_to_common_codes`: each row's released value and identifier, and a number above all released values.
    identifier, most
        The identifier column, and the largest number of people who may share a value.
    """
    seen, true, values = numbered
    allowed = MOST_EQUAL * len(seen)
    same = (seen == true) & identifier.points_at_few(most)
    if int(same.sum()) <= allowed:
        return False
    both = (seen >= 0) & (true >= 0)
    width = values + len(identifier.index) + 1
    people = np.bincount(np.unique(seen[both] * width + true[both]) // width, minlength=values)
    return int((same & (np.append(people, 0)[seen] <= most)).sum()) > allowed


def _can_reveal_identifier(released: Column, identifier: _Identifier, most: int) -> bool:
    """Return whether a column shows over 1 % of the rows their own identifier, or corresponds to it one to one.

    One-to-one means except for 1 % of the cells. It is looked for only if the identifier has at least 50 different
    values and these are fewer than 90 % of the rows; it must hold for at least 90 % of the values. ``most`` is the
    largest number of people with one value at which the value still points at a person.
    """
    rows, distinct = len(identifier.rows), identifier.distinct
    if rows == 0:
        return False
    numbered = _to_common_codes(released, identifier)
    if _has_own_identifiers(numbered, identifier, most):
        return True
    seen, true, values = numbered
    if not (REPEATS_FROM <= distinct < REPEATS_BELOW * rows):
        return False
    both = (seen >= 0) & (true >= 0)
    if not both.any():
        return False
    width = values + len(identifier.index) + 1
    progress.check()
    pairs, counts = np.unique(true[both] * width + seen[both], return_counts=True)
    progress.check()
    commonest = find_commonest_entries(pairs // width, counts)
    progress.check()
    mutual = commonest & find_commonest_entries(pairs % width, counts)
    # One-to-one but for a slip of the pen: a few wrong cells hide nobody in the others.
    mirrored = int(counts[mutual].sum()) >= (1 - MOST_EQUAL) * int(both.sum())
    return mirrored and int(mutual.sum()) >= MIRRORED_VALUES * distinct
