"""Columns that may identify people whatever their role: by repeating as people do, or by name.

Sources: a person's sex, birth, age band and name stay as they are from row to row, and rows of different people agree
in them by chance only (`likeness`); and what a column is called (`column_names`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_names import is_called_people, named_as
from ppdm_desktop.engine.table.likeness import (
    LEAST_PAIRS,
    LEAST_VALUES,
    Alike,
    Coded,
    comparable,
    evidence_of_people,
    record_key,
)
from ppdm_desktop.engine.table.people import People

WHOLE = 0.99
"""Share of the people of whom each has one value of a column from which on they count as its parts."""


@dataclass(frozen=True)
class SuspectedPeople:
    """A column that may identify people, with the evidence.

    Attributes
    ----------
    column
        Its name.
    values, rows
        Different values, and rows that have one.
    alike
        Where its rows agree as those of one person do, best; None where only its name speaks.
    lasting
        Whether that is a column that stays as it is with a person, such as sex or year of birth.
    named
        Whether it is called a person's key, or tells records with several events apart.
    """

    column: str
    values: int
    rows: int
    alike: Alike | None
    lasting: bool
    named: bool

    @property
    def strong(self) -> bool:
        """Return whether the evidence is strong, so that the column is hardly anything else.

        A town also determines its county, and identifies nobody.
        """
        return self.lasting or self.named


def suspected_people(table: Table) -> tuple[SuspectedPeople, ...]:
    """Return the columns that repeat and may identify people, strongest evidence first, then most values.

    Parameters
    ----------
    table
        The source as read, all columns.
    """
    coded = []
    for column in table.columns:
        progress.check()
        coded.append(Coded.of(column))
    named_of = {column.name: named_as(column.header, column.label) for column in table.columns}
    traits = {name: named.trait for name, named in named_of.items() if named.trait}
    compared = comparable(coded, traits)
    key_of_events = record_key(coded, [name for name, named in named_of.items() if named.occasion])
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


def splits(people: People, column: Column) -> bool:
    """Return whether the people of a table may be mere parts of the people whom a column identifies.

    That is so when nearly every person has a single value of the column, and there are fewer values than people.

    Parameters
    ----------
    people
        The person of each row, as the user declared it.
    column
        A column of the same rows.
    """
    coded = Coded.of(column)
    filled_rows = np.flatnonzero(coded.codes >= 0)
    pairs = np.unique(people.of_row[filled_rows] * max(coded.values, 1) + coded.codes[filled_rows])
    values_of = np.bincount(pairs // max(coded.values, 1), minlength=people.count)
    there = np.count_nonzero(values_of)
    return bool(there > coded.values and np.count_nonzero(values_of == 1) >= WHOLE * there)
