"""Finding columns that may identify people, by the way their values repeat or by their names.

A person's sex, birth, age band and town stay the same from row to row, while rows of different people agree in them
only by chance. So a column whose equal values go with equal values in other columns may hold person ids. Names of
columns (`column_names`) are a second source; the form of the values is not looked at.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints, to_smallest_int_type
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_names import interpret_column_name, is_called_people
from ppdm_desktop.engine.table.people import People

LEAST_VALUES = 20
LEAST_PAIRS = 20
MOST_ROWS_PER_VALUE = 60.0
HIGH_LIKENESS = 0.9
FEWEST_AGREEING = 2
SAME = 0.99
_FEWEST, _MOST = 2, 200
_COMMONEST = 0.98
_SAME_IN = 0.8
_OTHERS = 3
_MIRRORED_VALUES = 50
_AS_BY_CHANCE = 0.9
_MOST_COMBINATIONS = 1_000_000
_FIXED_BY = {"name": ("name", "sex"), "birth": ("birth",), "ethnicity": ("ethnicity",)}
"""The traits that a trait fixes: rows that agree in both are not therefore one person's."""
_MOST_COMPARED = 256
_MOST_STACKED = 2_000_000
"""Cells of the compared columns that are laid side by side, so that all are compared at once."""


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as numbers: the index of each row's value among the distinct values, or -1 where the row has none.

    Attributes
    ----------
    name
        Name of the column.
    codes
        The indices, shape (rows,), from 0 without gaps, in the smallest integer type that holds them.
    counts
        How many rows have each value.
    """

    name: str
    codes: AnyInts
    counts: Ints

    @classmethod
    def of(cls, column: Column) -> Coded:
        """Return a column with its distinct texts numbered from 0, and -1 where a cell is missing.

        Numbers are in the order of the column's texts; texts that no row uses get none.
        """
        uses = np.bincount(column.codes, minlength=len(column.texts))
        used = uses > 0
        for code, text in enumerate(column.texts):
            if text in column.missing_texts:
                used[code] = False
        number = to_smallest_int_type(np.where(used, np.cumsum(used) - 1, -1))
        codes = number[column.codes] if len(number) else np.empty(0, dtype=np.int8)
        return cls(column.name, codes, uses[used].astype(np.int64))

    @property
    def filled(self) -> int:
        """Return how many rows have a value."""
        return int(self.counts.sum())

    @property
    def values(self) -> int:
        """Return how many different values there are."""
        return len(self.counts)

    @property
    def pairs(self) -> int:
        """Return how many pairs of neighbouring rows have equal values when the rows are sorted by value.

        It is n - 1 for each value that n rows have: a, a, a, b, b gives 3. Empty cells form no pair.
        """
        return self.filled - self.values


@dataclass(frozen=True)
class Agreement:
    """How much more often than by chance rows with the same value in one column agree in another column.

    Attributes
    ----------
    column
        Name of the other column.
    share
        Share of pairs of rows with the same value that agree in the other column.
    likeness
        ``(share - chance) / (1 - chance)``, where chance is the share among any rows.
    once
        Whether the evidence is a different one: the other column is filled in a single row of each value.
    """

    column: str
    share: float
    likeness: float
    once: bool = False


@dataclass(frozen=True, eq=False)
class Compared:
    """Columns with enough different values for agreement between rows to be informative.

    Attributes
    ----------
    columns
        The columns, at most about 256.
    chances
        For each column the share of pairs of rows that agree in it by chance.
    """

    columns: Sequence[Coded]
    chances: Sequence[float]

    @cached_property
    def stacked(self) -> AnyInts | None:
        """Return the codes of all compared columns as one array, shape (columns, rows), or None.

        None means that there is no cell, or more than two million.
        """
        cells = sum(len(column.codes) for column in self.columns)
        return np.stack([column.codes for column in self.columns]) if 0 < cells <= _MOST_STACKED else None

    def agreeing(self, first: Ints, second: Ints) -> Iterator[tuple[int, int]]:
        """Yield for each compared column how many row pairs have equal values, and how many have any value.

        A pair with one filled and one empty cell counts in the second number only, one with two empty cells in neither.
        ``first`` and ``second`` are the indices of the two rows of each pair, shape (pairs,).
        """
        if self.stacked is not None:
            progress.check()
            first_codes, second_codes = self.stacked[:, first], self.stacked[:, second]
            same, empty = first_codes == second_codes, (first_codes < 0) & (second_codes < 0)
            yield from zip(
                np.count_nonzero(same & ~empty, axis=1).tolist(), np.count_nonzero(~empty, axis=1).tolist(), strict=True
            )
            return
        for column in self.columns:
            progress.check()
            first_codes, second_codes = column.codes[first], column.codes[second]
            same, empty = first_codes == second_codes, (first_codes < 0) & (second_codes < 0)
            yield int(np.count_nonzero(same & ~empty)), int(np.count_nonzero(~empty))


def select_comparable_columns(columns: Sequence[Coded], lasting: Container[str] = ()) -> Compared:
    """Return the columns with enough different values for agreement between rows to be informative.

    With each comes the chance that two rows of which at least one is filled agree in it.

    These have 2 to 200 different values ("missing" being one), none of which is in 98 % or more of the rows. If there
    are more than 256, a selection of 256, and those in ``lasting``, is returned, spread evenly over the table. Two
    empty cells never count as agreeing.

    Parameters
    ----------
    columns
        Columns of the table.
    lasting
        Names of columns that the selection keeps if they have such values.
    """
    compared = []
    for column in columns:
        counts = np.append(column.counts, len(column.codes) - column.filled)
        shares = counts[counts > 0] / max(len(column.codes), 1)
        if _FEWEST <= len(shares) <= _MOST and float(shares.max()) < _COMMONEST:
            filled, empty = column.counts / max(len(column.codes), 1), 1 - column.filled / max(len(column.codes), 1)
            compared.append((column, float((filled**2).sum() / (1 - empty**2))))
    if len(compared) > _MOST_COMPARED:
        spread = set(np.linspace(0, len(compared) - 1, _MOST_COMPARED).astype(int).tolist())
        compared = [column for index, column in enumerate(compared) if index in spread or column[0].name in lasting]
    return Compared([column for column, _ in compared], [chance for _, chance in compared])


def measure_agreement(column: Coded, compared: Compared) -> list[Agreement]:
    """Return for each compared column, in order, how far rows with the same value of ``column`` agree in it.

    Each result has the share of pairs that agree, and its likeness: 1 if all agree, 0 if as many as any two rows, and
    below 0 if fewer. Pairs are formed of neighbouring rows after sorting by ``column``; rows without a value in it form
    none. A pair counts where at least one of its two cells is filled; a filled and an empty cell do not agree. The
    column itself and compared columns with fewer than 20 such pairs are left out. The list is empty where no value
    repeats.

    Parameters
    ----------
    column
        The column whose equal values form the pairs.
    compared
        The result of ``select_comparable_columns``.
    """
    order = np.argsort(column.codes, kind="stable")
    order = order[len(order) - column.filled :]
    sorted_codes = column.codes[order]
    places = np.flatnonzero(sorted_codes[1:] == sorted_codes[:-1])
    first, second = order[places], order[places + 1]
    if not len(first):
        return []
    agreeing = compared.agreeing(first, second)
    return [
        Agreement(candidate.name, same / pairs, (same / pairs - chance) / (1.0 - chance))
        for candidate, chance, (same, pairs) in zip(compared.columns, compared.chances, agreeing, strict=True)
        if candidate is not column and pairs >= LEAST_PAIRS
    ]


def may_be_people(column: Coded) -> bool:
    """Return whether a column has as many values, and repeats as often, as person ids do.

    It needs at least 20 different values, 20 repetitions, and on average no more than 60 rows for each value.
    """
    enough = column.values >= LEAST_VALUES and column.pairs >= LEAST_PAIRS
    return enough and column.filled <= MOST_ROWS_PER_VALUE * column.values


def find_person_columns(likenesses: Sequence[Agreement]) -> list[Agreement]:
    """Return the entries with a likeness of 0.9 or more, highest first; an empty list if there are fewer than two.

    Likeness is 1 where all rows with the same value agree in a column, and 0 where as many do as of any two rows.
    """
    agreements = sorted(
        (column for column in likenesses if column.likeness >= HIGH_LIKENESS), key=lambda column: -column.likeness
    )
    return agreements if len(agreements) >= FEWEST_AGREEING else []


def find_record_key(columns: Sequence[Coded], occasions: Container[str]) -> str:
    """Return the name of the table's first column if it repeats and tells records with several events apart; else "".

    For example, a patient number in a table with one row for each patient and visit. Its values must repeat at least 20
    times (a value in n rows repeats n - 1 times), no cell of it may be empty, and no two rows may agree in it and in
    all ``occasions``, the names of columns that say for which event or time a row was written. It must not be one of
    these itself, and the table must have one of them.
    """
    events = [column for column in columns if column.name in occasions]
    first = columns[0] if columns else None
    if first is None or not events or first in events or first.pairs < LEAST_PAIRS or (first.codes < 0).any():
        return ""
    rows = np.column_stack([first.codes, *(column.codes for column in events)])
    return first.name if len(np.unique(rows, axis=0)) == len(rows) else ""


def evidence_of_people(column: Coded, compared: Compared, traits: Mapping[str, str]) -> list[Agreement]:
    """Return the columns whose agreement suggests that a column's values are people, lasting traits first.

    Columns of lasting traits that are filled in a single row of nearly every repeated value are returned alone, with
    likeness 1. Else rows with the same value must agree in two columns at least and, where columns of lasting traits
    can be compared, in one of them: rows of one place agree in town and county, but not in sex. Of the traits, and of
    the other columns, those that agree most come first. A trait that the column's own trait determines, as a name
    determines the sex, is no such evidence.

    The list is empty without evidence, for values that stand for combinations of the agreeing columns, and for a column
    with fewer than 20 values, fewer than 20 repetitions or on average more than 60 rows for each value.

    Parameters
    ----------
    column
        The column that may hold people.
    compared
        The result of ``select_comparable_columns``.
    traits
        Names of columns of a person's lasting trait, with the trait: ``name``, ``sex``, ``birth`` or ``ethnicity``.
    """
    if not may_be_people(column):
        return []
    lasting = [trait for trait in compared.columns if trait.name in traits]
    filled_once = [trait for trait in lasting if trait is not column and is_filled_once(column, trait)]
    return [Agreement(trait.name, 1.0, 1.0, once=True) for trait in filled_once] or _find_agreeing_columns(
        column, compared, traits
    )


def _find_agreeing_columns(column: Coded, compared: Compared, traits: Mapping[str, str]) -> list[Agreement]:
    """Return the columns that agree, with a likeness of 0.9 or more, in rows with the same value; lasting traits first.

    A trait that the column's own trait determines, as a name determines the sex, is no evidence. The list is empty in
    these cases:

    - fewer than two columns agree;
    - columns of lasting traits can be compared and none of them agrees;
    - the column's values stand for combinations of the agreeing columns.
    """
    fixed = _FIXED_BY.get(traits.get(column.name, ""), ())
    likenesses = [
        agreement for agreement in measure_agreement(column, compared) if traits.get(agreement.column) not in fixed
    ]
    agreeing = find_person_columns(likenesses)
    lasting = [agreement for agreement in agreeing if agreement.column in traits]
    if not lasting and any(agreement.column in traits for agreement in likenesses):
        return []
    names = {agreement.column for agreement in agreeing}
    if is_made_of(column, [candidate for candidate in compared.columns if candidate.name in names]):
        return []
    return lasting + [agreement for agreement in agreeing if agreement not in lasting]


def is_filled_once(column: Coded, trait: Coded) -> bool:
    """Return whether a trait is filled in a single row of each repeated value, as age is in a person's first row only.

    At least 20 values must be repeated; at most 1 % of them may have the trait twice, and at least 80 % must have it
    once.
    """
    rows = np.flatnonzero((column.codes >= 0) & (trait.codes >= 0))
    filled = np.bincount(column.codes[rows], minlength=column.values)[column.counts > 1]
    often, once = int(np.count_nonzero(filled > 1)), int(np.count_nonzero(filled == 1))
    return len(filled) >= LEAST_VALUES and often <= (1 - SAME) * len(filled) and once >= _SAME_IN * len(filled)


def is_made_of(column: Coded, parts: Sequence[Coded]) -> bool:
    """Return whether a column's values stand for combinations of other columns, as a weight by region and age does.

    True if nearly every combination of the other columns has one value and nearly every value one combination (at most
    1 % more pairs of both than there are values, or combinations), and if there are at least 90 % of the combinations
    that would be expected if the other columns were independent. Rows of a few people, whose traits repeat, show fewer.
    Other columns with more than half as many values, such as birthdays, are left out, and so are rows in which the
    column is missing.
    """
    parts = sorted((part for part in parts if 2 * part.values <= column.values), key=lambda part: -part.values)
    rows = np.flatnonzero(column.codes >= 0)
    key, count = np.zeros(len(rows), dtype=np.int64), 1
    shares = np.ones(1)
    for part in parts:
        codes = part.codes[rows].astype(np.int64) + 1
        combined, numbers = np.unique(key * (part.values + 1) + codes, return_inverse=True)
        # A column that those before it fix adds nothing that could have come out otherwise.
        if len(combined) > count and len(shares) * (part.values + 1) <= _MOST_COMBINATIONS:
            shares = np.outer(shares, np.bincount(codes) / len(rows)).reshape(-1)
        key, count = numbers.reshape(-1).astype(np.int64), len(combined)
    together = len(np.unique(key * column.values + column.codes[rows]))
    if together * SAME > min(count, column.values):
        return False
    expected = float((1 - (1 - shares) ** len(rows)).sum())
    return count >= _AS_BY_CHANCE * expected


def determines_others(likenesses: Sequence[Agreement]) -> bool:
    """Return whether a column determines nearly all others: at least 80 % of them have a likeness of 0.99 or more.

    ``likenesses`` has one entry for each other column; False with fewer than three.
    """
    return len(likenesses) >= _OTHERS and sum(agreement.likeness >= SAME for agreement in likenesses) >= _SAME_IN * len(
        likenesses
    )


def is_one_to_one(column: Coded, identifier: Coded) -> bool:
    """Return whether two columns correspond one to one in at least 99 of 100 rows that have a value.

    Both must have at least 20 repetitions, since where every value occurs once any two columns correspond. False for
    fewer than 50 values, and where numbers of values, or the filled rows, differ by more than 1 %.
    """
    most = max(column.values, identifier.values)
    if min(column.values, identifier.values) < max(_MIRRORED_VALUES, SAME * most - 1):
        return False
    both = (column.codes >= 0) & (identifier.codes >= 0)
    rows = int(both.sum())
    if rows < SAME * max(column.filled, identifier.filled) or min(column.pairs, identifier.pairs) < LEAST_PAIRS:
        return False
    width = column.values
    keys = identifier.codes[both].astype(np.int64) * width + column.codes[both]
    pairs, counts = np.unique(keys, return_counts=True)
    commonest = find_commonest_entries(pairs // width, counts) & find_commonest_entries(pairs % width, counts)
    return int(counts[commonest].sum()) >= SAME * rows


def find_commonest_entries(values: Ints, counts: Ints) -> Bools:
    """Return which entries have the highest count among all entries of the same value, bool, shape (entries,).

    Values 3, 3, 5 with counts 2, 7, 1 give False, True, True. Of equal counts the first entry has it, so that each
    value has exactly one such entry.
    """
    order = np.lexsort((-counts, values))
    flags = np.zeros(len(order), dtype=np.bool_)
    starts = np.append(True, values[order][1:] != values[order][:-1])
    flags[order[starts]] = True
    return flags


WHOLE = 0.99
"""Share of the people of whom each has one value of a column from which on they count as its parts."""


@dataclass(frozen=True)
class SuspectedPeople:
    """A column that may identify people, with the evidence.

    Attributes
    ----------
    column
        Name of the column.
    values, rows
        Number of different values, and number of rows that have one.
    agreement
        The column in which rows with the same value agree most; None where only the name is evidence.
    lasting
        Whether that column is a lasting trait of a person, such as sex or year of birth.
    named
        Whether the column's name means a person's key, or the column tells records with several events apart.
    """

    column: str
    values: int
    rows: int
    agreement: Agreement | None
    lasting: bool
    named: bool

    @property
    def strong(self) -> bool:
        """Whether the evidence is strong: rows agree in a person's lasting trait, or the column's name means people.

        Agreement in other columns is weak: a town also determines its county, and identifies nobody.
        """
        return self.lasting or self.named


def find_possible_person_ids(table: Table) -> tuple[SuspectedPeople, ...]:
    """Return the columns that repeat and may identify people: strong evidence first, then most values.

    With each come its numbers of values and of filled rows, and the evidence. This is that rows with the same value
    agree in other columns, that the column's name means people, or that it is the key of records with several events.
    Columns with fractions or weights, or with fewer than 20 values or repetitions, are left out.
    """
    coded = []
    for column in table.columns:
        progress.check()
        coded.append(Coded.of(column))
    named_of = {column.name: interpret_column_name(column.header, column.label) for column in table.columns}
    traits = {name: named.trait for name, named in named_of.items() if named.trait}
    compared = select_comparable_columns(coded, traits)
    key_of_events = find_record_key(coded, [name for name, named in named_of.items() if named.occasion])
    suspects = []
    for candidate in coded:
        progress.check()
        if candidate.values < LEAST_VALUES or candidate.pairs < LEAST_PAIRS:
            continue
        column = table.column(candidate.name)
        if column.has_fractions or named_of[candidate.name].weight:
            continue
        best = next(iter(evidence_of_people(candidate, compared, traits)), None)
        lasts, key = (
            best is not None and best.column in traits,
            candidate.name == key_of_events or is_called_people(column.header, column.label, column.kind),
        )
        if best is not None or key:
            suspects.append(SuspectedPeople(candidate.name, candidate.values, candidate.filled, best, lasts, key))
    return tuple(sorted(suspects, key=lambda suspect: (not suspect.strong, -suspect.values)))


def may_split_people(people: People, column: Column) -> bool:
    """Return whether the table's people may be mere parts of the people that another column identifies.

    Example: each row is taken for a person, and a column "patient" has 500 values in 2,000 rows. True when at least 99
    % of the people who have a value in the column have a single one, and there are fewer values than such people. Empty
    cells do not count.
    """
    coded = Coded.of(column)
    filled_rows = np.flatnonzero(coded.codes >= 0)
    pairs = np.unique(people.of_row[filled_rows] * max(coded.values, 1) + coded.codes[filled_rows])
    values_of = np.bincount(pairs // max(coded.values, 1), minlength=people.count)
    there = np.count_nonzero(values_of)
    return bool(there > coded.values and np.count_nonzero(values_of == 1) >= WHOLE * there)
