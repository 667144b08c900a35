"""The people of a table, found by the columns that hold the ids of people and of their households."""

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
        Its columns that hold the id together. A row in which one of them is missing is a person of its own.
    household
        The column that says who lives together. A row in which it is missing is a household of its own.
    """
    people = People(*_assign_id_numbers(table, names))
    return people if household is None else people.in_households(_assign_id_numbers(table, (household,))[0])


def with_ids_marked(table: Table, names: Sequence[str] | None, household: str | None = None) -> Table:
    """Return the table with ``identifies`` set on the columns ``names`` (of person ids) and ``household``.

    None on others.
    """
    marks = {**dict.fromkeys(names or (), PERSON), **({household: HOUSEHOLD} if household is not None else {})}
    changed = [column for column in table.columns if column.identifies != marks.get(column.name)]
    return table.replacing(*(replace(column, identifies=marks.get(column.name)) for column in changed))


def find_spelling_variants(texts: Mapping[str, int]) -> dict[str, str]:
    """Return ids that differ from a commoner id only in blanks, capitals, leading zeros or Unicode form, with that id.

    It is only a proposal: texts are compared as read until the user says that two ids are one person.

    Parameters
    ----------
    texts
        Different ids, with the number of rows of each.

    Returns
    -------
    dict
        For each such id the one it may stand for: of those that are alike the one in most rows, then the shortest.
    """
    groups: dict[str, list[str]] = {}
    for text in texts:
        groups.setdefault(_normalise_id(text), []).append(text)
    replacements: dict[str, str] = {}
    for alike in groups.values():
        if len(alike) > 1:
            best = max(alike, key=lambda text: (texts[text], -len(text)))
            replacements.update({text: best for text in alike if text != best})
    return replacements


def _normalise_id(text: str) -> str:
    """Return an id in small letters and composed Unicode, with single blanks and without leading zeros."""
    return " ".join(unicodedata.normalize("NFC", text).casefold().split()).lstrip("0")


def _assign_id_numbers(table: Table, names: Sequence[str]) -> tuple[Ints, Bools]:
    """Return the id number of each row, and which rows lack an id, both of shape (rows,).

    Ids are numbered in the order of their first rows. A row lacks one where any of the columns is missing; it then has
    a number of its own.
    """
    columns = [table.column(name) for name in names]
    key = np.zeros(table.rows, dtype=np.int64)
    lacking = np.zeros(table.rows, dtype=np.bool_)
    for column in columns:
        key = renumber_by_appearance(key * (len(column.texts) + 1) + column.codes)
        lacking |= column.missing
    key[lacking] = table.rows + np.flatnonzero(lacking)
    return renumber_by_appearance(key), lacking
