"""Matching released rows to source rows: by position, by a key column in both files, or not at all."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Term, Value

ALIGNED, NONE, BY = "aligned", "none", "by="


@dataclass(frozen=True, eq=False)
class Rows:
    """Pairs of corresponding rows.

    Attributes
    ----------
    source, released
        int64, shape (pairs,): row indices in the source's and in the released table, ascending in the source.
    """

    source: Ints
    released: Ints


def aligned_rows(source: Table, reading: Reading, file: str) -> Rows:
    """Return rows matched by position: the first row of one file with the first of the other, and so on.

    ``file`` is the name of the released file, for errors.

    Raises
    ------
    InputError
        When the files differ in length, or rows of the released file could not be read.
    """
    unread = reading.account.rows_unread
    if unread:
        arguments: dict[str, Value] = {
            "count": len(unread),
            "line": unread[0].line,
            "reason": Term(reading.account.reason(unread[0])),
        }
        raise InputError("error.compare.rows-unread", file=file, args=arguments)
    if reading.table.rows != source.rows:
        arguments = {"released": reading.table.rows, "source": source.rows}
        raise InputError("error.compare.row-count", file=file, args=arguments)
    both = np.arange(source.rows, dtype=np.int64)
    return Rows(both, both)


def match_rows_by_key(source: Table, released: Table, name: str, files: tuple[str, str]) -> Rows:
    """Return rows matched by a column that is a unique key in both files; rows without a partner are left out.

    Values are compared as texts, without blanks at their ends. The pairs are in the order of the source.

    Parameters
    ----------
    source, released
        Both tables.
    name
        The column.
    files
        Names of both files, for errors.

    Raises
    ------
    InputError
        When a file lacks the column, a row has no value in it or the same value as another row, or no row matches.
    """
    keys = []
    for table, file in ((source, files[0]), (released, files[1])):
        if name not in table:
            raise InputError("error.compare.no-key", file=file, column=name, args={"columns": Names.of(table.names)})
        keys.append(_list_key_texts(table, table.column(name), file))
    row_of_key = {key: row for row, key in enumerate(keys[1])}
    source_row = np.fromiter((row_of_key.get(key, -1) for key in keys[0]), dtype=np.int64, count=source.rows)
    there = np.flatnonzero(source_row >= 0).astype(np.int64)
    if not len(there):
        raise InputError("error.compare.no-twin", file=files[1], column=name)
    return Rows(there, source_row[there])


def _list_key_texts(table: Table, column: Column, file: str) -> list[str]:
    """Return each row's text in the key column, without blanks at the ends.

    Raises
    ------
    InputError
        When a row has no key, or the same key as an earlier row; the error names the first such row.
    """
    if column.missing.any():
        row = int(table.row_numbers[int(column.missing.argmax())])
        arguments: dict[str, Value] = {"count": int(column.missing.sum())}
        raise InputError("error.compare.key-missing", file=file, column=column.name, row=row, args=arguments)
    keys = [text.strip() for text in column.values()]
    if len(set(keys)) < len(keys):
        first: dict[str, int] = {}
        for row, key in zip(table.row_numbers.tolist(), keys, strict=True):
            if key in first:
                arguments = {"first": first[key], "count": len(keys) - len(set(keys))}
                raise InputError("error.compare.key-twice", file=file, column=column.name, row=row, args=arguments)
            first[key] = row
    return keys


def order_note(pairs: list[tuple[Column, Column]]) -> Note | None:
    """Return a note if the released rows look like the source's rows in another order, else None.

    They do if columns hold the source's values equally often, but agree row by row hardly more than by chance. One
    column that keeps its order is enough for None; columns with one value, new values or values in other numbers are
    ignored. The note names the columns in another order.

    Parameters
    ----------
    pairs
        Each column in the source and as released, rows matched by position.
    """
    moved, kept = [], 0
    for source, released in pairs:
        index = {text: code for code, text in enumerate(source.texts)}
        into = np.array([index.get(text, -1) for text in released.texts], dtype=np.int64)
        before, after = source.codes.astype(np.int64), into[released.codes]
        counts = np.bincount(before, minlength=len(source.texts))
        if not len(before) or (after < 0).any() or counts.max() == len(before):
            continue
        if not np.array_equal(counts, np.bincount(after, minlength=len(source.texts))):
            continue
        chance = float(((counts / len(before)) ** 2).sum())
        agree = float((before == after).mean())
        if agree < chance + 0.1 * (1 - chance):
            moved.append(source.name)
        else:
            kept += 1
    if not moved or kept:
        return None
    return Note("note.compare.other-order", {"columns": Names.of(moved)})
