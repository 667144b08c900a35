"""The one door: a path and options in, a table with its account out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.kinds import guess_decimal, guess_kind
from ppdm_desktop.engine.table.reading.base import Reader, read_with
from ppdm_desktop.engine.table.reading.child import read_in_child
from ppdm_desktop.engine.table.reading.ignored_options import passed_over
from ppdm_desktop.engine.table.reading.import_log import ImportLog, MarkSuggestion, Reading
from ppdm_desktop.engine.table.reading.names import column_names
from ppdm_desktop.engine.table.reading.near_types import near_types
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.table.reading.source import load
from ppdm_desktop.engine.texts import Note

# Texts that often mean "missing". They are only suggested: NA is a country, Null a surname.
_MARKS = (
    "?", "NA", "N/A", "n/a", "na", "#N/A", "NULL", "Null", "null", "None", "none", "NaN", "nan",
    "-", "--", "---", ".", "..", "*", "missing", "Missing", "MISSING", "unknown", "Unknown", "UNKNOWN",
    "not available", "not applicable", "k.A.", "k. A.", "n.v.t.", "s/o", "n.d.", " ", "  ",
)  # fmt: skip


def read_source(path: Path, options: InputSection, progress: Progress) -> Reading:
    """Read a source file.

    Parameters
    ----------
    path
        A regular file; it is opened read-only and never changed.
    options
        What the recipe says about reading; everything left out is guessed.

    Raises
    ------
    InputError
        When the file cannot be read as asked; names the file, and line or sheet where there is one.
    """
    try:
        return _read(path, options, progress)
    except InputError as error:
        if error.file is None:
            error.file = str(path)
        raise
    except MemoryError as error:
        raise InputError("error.read.memory", file=str(path)) from error


def _read(path: Path, options: InputSection, progress: Progress) -> Reading:
    data, digest = load(path, progress.part(0.0, 0.05))
    if options.sha256 is not None and options.sha256 != digest:
        raise InputError("error.read.other-file", args={"expected": options.sha256[:12], "found": digest[:12]})
    size = len(data)
    reader = reader_of(data)
    run = read_in_child if reader.in_child else read_with
    raw = run(reader, data, options, progress.part(0.05, 0.9))
    del data
    return _assemble(reader, raw, digest, size, options, progress.part(0.9, 1.0))


def _assemble(
    reader: Reader, raw: RawTable, digest: str, size: int, options: InputSection, progress: Progress
) -> Reading:
    marks = tuple(dict.fromkeys(("", *(options.missing or ()))))
    missing = frozenset(marks)
    columns = [
        Column(name=name, header=header, codes=codes, texts=texts, missing_texts=missing)
        for name, header, (codes, texts) in zip(column_names(raw.headers), raw.headers, raw.columns)
    ]
    warnings = [*passed_over(reader, raw, options), *raw.warnings]
    if raw.decimal is not None:
        decimal = raw.decimal
    elif options.decimal is not None:
        decimal = options.decimal
    else:
        decimal, doubts = guess_decimal(columns, progress)
        warnings += [Note(id, arguments) for id, arguments in doubts]
    typed = []
    for done, column in enumerate(columns):
        progress.report(done / len(columns), "progress.read.kinds")
        guess = guess_kind(column, decimal, progress)
        typed.append(replace(column, kind=guess.kind, style=guess.style))
        if guess.warning is not None:
            warnings.append(Note(guess.warning, {"column": column.name}))
    warnings += near_types(typed, decimal, raw.row_numbers, progress)
    table = Table(tuple(typed), raw.row_numbers)
    account = ImportLog(
        sha256=digest,
        bytes=size,
        format=raw.format or reader.id,
        sheet=raw.sheet,
        encoding=raw.encoding,
        delimiter=raw.delimiter,
        decimal=decimal,
        header_row=raw.header_row,
        rows_read=table.rows,
        columns_read=len(typed),
        rows_unread=raw.unread,
        missing_marks=marks,
        hidden=raw.hidden,
        sheets=raw.sheets,
        suggested_missing=suggest_marks(typed),
        warnings=tuple(warnings),
    )
    filled = {
        "sheet": raw.sheet,
        "encoding": raw.encoding,
        "delimiter": raw.delimiter,
        "decimal": decimal,
        "header_row": raw.header_row,
        "missing": marks,
    }
    return Reading(table, account, options.model_copy(update=filled))


def suggest_marks(columns: Sequence[Column]) -> tuple[MarkSuggestion, ...]:
    """Find texts that often mean "missing" and are not yet taken so, with how often they occur."""
    found: dict[str, tuple[int, list[str]]] = {}
    for column in columns:
        for mark, cells in _counts(column, _MARKS):
            total, names = found.get(mark, (0, []))
            found[mark] = (total + cells, [*names, column.name])
    return tuple(MarkSuggestion(mark, *(found[mark][0], tuple(found[mark][1]))) for mark in _MARKS if mark in found)


def _counts(column: Column, marks: Iterable[str]) -> list[tuple[str, int]]:
    present = (frozenset(marks) - column.missing_texts).intersection(column.texts)
    found = [(mark, int(np.count_nonzero(column.codes == column.texts.index(mark)))) for mark in present]
    return [(mark, cells) for mark, cells in found if cells]
