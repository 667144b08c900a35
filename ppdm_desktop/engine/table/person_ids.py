"""Finding the people of a table by the columns that hold the ids of people and of their households."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.people import People, renumber_by_appearance

PERSON, HOUSEHOLD = "person", "household"
"""What a column identifies (``Column.identifies``)."""


def identify_people(table: Table, names: Sequence[str], household: str | None = None) -> People:
    """Return the person of each row: rows with equal texts in all id columns belong to one person.

    Parameters
    ----------
    table
        The source, row by row.
    names
        The columns that form the id together. A row in which one of them is missing is a person of its own.
    household
        The column that tells who lives together; None without one. A row in which it is missing is a household of its
        own.
    """
    people = People(*_assign_id_numbers(table, names))
    return people if household is None else people.in_households(_assign_id_numbers(table, (household,))[0])


def with_ids_marked(table: Table, names: Sequence[str] | None, household: str | None = None) -> Table:
    """Return the table with ``identifies`` of each column set: "person", "household", or None for all others.

    ``names`` are the columns that hold, alone or together, the ids of people; None or empty means none. ``household``
    is the column of household ids. Other columns lose an earlier mark.
    """
    marks = {**dict.fromkeys(names or (), PERSON), **({household: HOUSEHOLD} if household is not None else {})}
    changed = [column for column in table.columns if column.identifies != marks.get(column.name)]
    return table.replacing(*(replace(column, identifies=marks.get(column.name)) for column in changed))


def find_spelling_variants(texts: Mapping[str, int]) -> dict[str, str]:
    """Return the ids that are probably another spelling of a second id, each with the spelling to be used.

    "007" (2 rows) and "7" (9 rows) give {"007": "7"}. Two ids are spellings of one if they differ only in capitals,
    zeros at the beginning, Unicode form, or blanks at the ends or repeated between words; "A007" and "A7" do not. This
    is only a proposal: ids are compared exactly until the user says that two are one person.

    Parameters
    ----------
    texts
        Different ids, with the number of rows of each.

    Returns
    -------
    dict
        Of several spellings the one in most rows is used, of equally frequent ones the shortest, of these the first. It
        is no key itself, nor is an id without another spelling.
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_normalise_id(text), []).append(text)
    replacements: dict[str, str] = {}
    for spellings in groups.values():
        if len(spellings) > 1:
            best = max(spellings, key=lambda text: (texts[text], -len(text)))
            replacements.update({text: best for text in spellings if text != best})
    return replacements


def _normalise_id(text: str) -> str:
    """Return an id in small letters and composed Unicode, with single blanks and without zeros at the beginning.

    "007 A" gives "7 a", "A007" gives "a007", and an id of zeros only gives "".
    """
    return " ".join(unicodedata.normalize("NFC", text).casefold().split()).lstrip("0")


def _assign_id_numbers(table: Table, names: Sequence[str]) -> tuple[Ints, Bools]:
    """Return the number of each row's id, and which rows lack an id, both of shape (rows,).

    ``names`` are the columns that form the id together. The ids A, B, A give 0, 1, 0: numbers follow the order of first
    rows. A row lacks an id where any of these columns is missing; it then has a number of its own, as a person of one
    row.
    """
    columns = [table.column(name) for name in names]
    key = np.zeros(table.rows, dtype=np.int64)
    has_no_id = np.zeros(table.rows, dtype=np.bool_)
    for column in columns:
        key = renumber_by_appearance(key * (len(column.texts) + 1) + column.codes)
        has_no_id |= column.missing
    key[has_no_id] = table.rows + np.flatnonzero(has_no_id)
    return renumber_by_appearance(key), has_no_id
