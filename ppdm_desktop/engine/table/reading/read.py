"""Reading a source: from a path and options to a table with an account of how it was read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Codes, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import InputSection, row_spans
from ppdm_desktop.engine.table.codebook import CodeLabel, order_scale_labels
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.kinds import guess_decimal, guess_kind, present_texts
from ppdm_desktop.engine.table.reading.base import HEAD, read_with
from ppdm_desktop.engine.table.reading.child import read_in_child
from ppdm_desktop.engine.table.reading.delimited import read_decoded
from ppdm_desktop.engine.table.reading.encoding import Decoded
from ppdm_desktop.engine.table.reading.formats.delimited import DelimitedText
from ppdm_desktop.engine.table.reading.header import LOOKED_AT, UNSURE
from ppdm_desktop.engine.table.reading.ignored_options import note_ignored_options
from ppdm_desktop.engine.table.reading.import_log import (
    ImportLog,
    LeftOut,
    MarkOfColumn,
    MarkSuggestion,
    Reading,
    ReadTwice,
    RepairDone,
)
from ppdm_desktop.engine.table.reading.long_numbers import warn_of_cut_numbers, with_rounded_numbers
from ppdm_desktop.engine.table.reading.marks import MARKS
from ppdm_desktop.engine.table.reading.memory_source import FRAME_FORMAT, MemorySource, Source, path_of
from ppdm_desktop.engine.table.reading.name_lines import (
    MOST_LINES,
    NameLines,
    complete_names,
    find_name_lines,
    labels_from,
    to_name_lines,
)
from ppdm_desktop.engine.table.reading.names import make_unique_names
from ppdm_desktop.engine.table.reading.near_types import means_no_answer, warn_of_near_types
from ppdm_desktop.engine.table.reading.raw import THIN_ROWS, DeclaredMissing, RawTable
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.table.reading.repairs import SourceColumn, merge_equal_texts, repair
from ppdm_desktop.engine.table.reading.rows import LeaveOut, propose_row_removals
from ppdm_desktop.engine.table.reading.source import load
from ppdm_desktop.engine.table.reading.text_file import open_text
from ppdm_desktop.engine.table.stored.code_store import CodeStore, column_class
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Term, Value

_MOST_WORDS, _LONGEST_MARK = 1_000, 60
_NOTHING_TYPED: Codes = np.empty(0, dtype=np.int32)


def read_source(
    source: Source, options: InputSection, *, plugins: Collection[str] = (), store: CodeStore | None = None
) -> Reading:
    """Return the table of a file, or of a table in memory, with the account of how it was read.

    Parameters
    ----------
    source
        A regular file, which is opened read-only and never changed; or a table in memory.
    options
        The recipe's reading options; options left out are guessed.
    plugins
        Names of plug-ins whose readers may read the file, too.
    store
        Stores the codes of the columns outside memory; None keeps them in memory. A table in memory does not use it.

    Raises
    ------
    InputError
        When the file cannot be read as asked, or memory is lacking; names the file, and line or sheet where there is
        one.
    RecipeError
        When the options name a column or row that the file does not have, give two columns one name, or leave no row.
    """
    path = path_of(source)
    try:
        if isinstance(source, MemorySource):
            return _read_from_memory(source, options)
        return _read_from_file(path, options, plugins, store)
    except InputError as error:
        if error.file is None:
            error.file = str(path)
        raise
    except MemoryError as error:
        raise InputError("error.read.memory", file=str(path)) from error


def _read_from_memory(source: MemorySource, options: InputSection) -> Reading:
    """Return the reading of a table in memory, as if it had been read from a file; most columns keep their kinds.

    Numeric and date columns, and those that the recipe repairs, get the kind that their texts show. The texts that mean
    "missing" are those that the recipe names, else those of the table. Raises InputError where the recipe states the
    SHA-256 of another source.
    """
    _refuse_another(options, source.sha256)
    marks = options if options.missing is not None else options.model_copy(update={"missing": source.missing_marks})
    return source.typed(
        _assemble_reading(FRAME_FORMAT, frozenset(), source.raw, source.sha256, len(source.data), marks, store=None)
    )


def _refuse_another(options: InputSection, digest: str) -> None:
    """Raise InputError when the recipe states a SHA-256 that is not the source's."""
    if options.sha256 is not None and options.sha256 != digest:
        raise InputError(
            "error.read.other-file", args={"expected": Term(options.sha256[:12]), "found": Term(digest[:12])}
        )


def _read_from_file(path: Path, options: InputSection, plugins: Collection[str], store: CodeStore | None) -> Reading:
    """Return the table of a file with the account of how it was read.

    With a ``store`` a delimited text in UTF-8 is read in pieces. Any other file is loaded whole, and read here or, by
    some readers, in a child process. Raises InputError where the recipe states another file's SHA-256, or the file
    cannot be read, and RecipeError as ``read_source`` does.
    """
    if store is not None:
        with open_text(path, options.encoding) as text:
            if text is not None and (reader := reader_of(text[:HEAD], plugins)).id == DelimitedText.id:
                _refuse_another(options, text.sha256)
                decoded = Decoded(text, text.encoding)
                raw = progress.part(0.1, 0.9).run(read_decoded, decoded, options, store.keep)
                return progress.part(0.9, 1.0).run(
                    _assemble_reading, reader.id, reader.honours, raw, text.sha256, text.size, options, store
                )
    data, digest = progress.part(0.0, 0.05).run(load, path)
    _refuse_another(options, digest)
    size = len(data)
    reader = reader_of(data, plugins)
    run = read_in_child if reader.in_child else read_with
    raw = progress.part(0.05, 0.9).run(run, reader, data, options)
    del data
    return progress.part(0.9, 1.0).run(_assemble_reading, reader.id, reader.honours, raw, digest, size, options, store)


def _assemble_reading(
    format: str,
    honours: frozenset[str],
    raw: RawTable,
    digest: str,
    size: int,
    options: InputSection,
    store: CodeStore | None,
) -> Reading:
    """Return the reading made from raw columns, with names, kinds, repairs and warnings, and without rows to leave out.

    These are the rows that the recipe leaves out; other rows that are probably no records stay in the table, and the
    account asks about them. The options in the reading are those given, but with sheet, encoding, decimal mark and the
    like filled in as they were guessed. Raises RecipeError when they name a column or row that does not exist, give two
    columns one name, or leave no row.

    Parameters
    ----------
    format, honours
        The id of the reader, and the options that it uses.
    raw
        The columns as the reader returned them.
    digest, size
        SHA-256 and number of bytes of the source.
    store
        Stores the codes of the columns outside memory; None keeps them in memory.
    """
    marks = tuple(dict.fromkeys(("", *(options.missing or ()))))
    raw, name_lines = _complete_names(raw, options)
    raw_columns, two_readings = _choose_readings(_name_columns(raw, options, frozenset(marks), store), raw, options)
    raw_columns, numbers, left_out, to_answer = progress.part(0.0, 0.3).run(
        _leave_out_rows, raw_columns, raw, options, name_lines
    )
    read_twice = tuple(_list_reading_questions(two_readings, numbers))
    with progress.part(0.3, 1.0):
        of_people = np.flatnonzero(~np.isin(numbers, name_lines.rows))
        columns, decimal, decimal_notes = _decide_decimal_mark(raw_columns, raw, options, of_people)
        columns, repairs, source = _repair_columns(raw_columns, columns, options, decimal)
        typed, notes = _guess_kinds(columns, decimal, raw.ranked, options.dictionary)
        warnings = [
            *note_ignored_options(honours, raw, options),
            *_keep_true_warnings(raw.warnings, left_out),
            *decimal_notes,
            *(reading.question for reading in read_twice),
            *notes,
            *warn_of_near_types(typed, decimal, numbers, name_lines.rows),
        ]
        table = Table(tuple(typed), numbers)
        left = {row.row for row in left_out}
        account = ImportLog(
            sha256=digest,
            bytes=size,
            format=raw.format or format,
            sheet=raw.sheet,
            encoding=raw.encoding,
            delimiter=raw.delimiter,
            decimal=decimal,
            header_row=raw.header_row,
            header=raw.header,
            rows_read=table.rows,
            columns_read=len(typed),
            rows_unread=tuple(row for row in raw.unread if row.row not in left),
            missing_marks=marks,
            hidden=raw.hidden,
            sheets=raw.sheets,
            sheets_seen=raw.sheets_seen,
            suggested_missing=suggest_marks(typed),
            warnings=tuple(_join_notes(warnings)),
            names_given=len(options.names),
            rows_left_out=left_out,
            rows_to_answer=to_answer,
            read_twice=read_twice,
            repairs=repairs,
            declared_missing=_list_marks_by_column(raw, table),
        )
        filled = {name: getattr(account, name) for name in ("sheet", "encoding", "delimiter", "decimal", "header_row")}
        return Reading(table, account, options.model_copy(update=filled | {"missing": marks}), source)


def _complete_names(raw: RawTable, options: InputSection) -> tuple[RawTable, NameLines]:
    """Return the table with empty or repeated column names completed from lines below them, and these lines.

    There are at most three such lines, and they stay in the table as rows. They are those that the recipe leaves out as
    names by their numbers, else those found, without lines that the recipe leaves out for another reason or says to be
    people. If the recipe leaves out lines as names, they become the columns' labels, unless the file has labels. Where
    there are such lines, the warning that the header is uncertain is dropped.
    """
    wanted = [section for section in options.leave_out if "names" in (section.reason, section.found)]
    spans = [span for section in wanted for span in section.spans()]
    name_lines = find_name_lines(raw)
    spans_left_out = [*row_spans(options.people), *(span for section in options.leave_out for span in section.spans())]
    if spans:
        is_named = np.array([_is_within(int(row), spans) for row in raw.row_numbers[:LOOKED_AT]])
        lines = to_name_lines(raw, np.flatnonzero(is_named)[:MOST_LINES].tolist())
    else:
        lines = name_lines.without(lambda row: _is_within(row, spans_left_out))
    headers, labels = complete_names(raw.headers, lines), raw.labels
    if wanted and not any(labels):
        labels = tuple(labels_from(lines, headers))
    warnings = tuple(note for note in raw.warnings if not (lines.rows and note.id == UNSURE))
    return replace(raw, headers=tuple(headers), labels=labels, warnings=warnings), lines


def _is_within(row: int, spans: Iterable[tuple[int, int]]) -> bool:
    """Return whether a row number is in one of the spans, pairs of first and last row."""
    return any(first <= row <= last for first, last in spans)


def _guess_kinds(
    columns: Sequence[Column], decimal: str, ranked: Collection[int], described: Collection[str]
) -> tuple[list[Column], list[Note]]:
    """Return the columns with guessed kinds, and warnings about doubtful ones.

    Columns with labelled codes get their kind from these where `_to_coded_column` can tell it. In all others over-long
    numbers are rounded first, which a warning says; where a program had cut off digits, the warning is only about this.

    Parameters
    ----------
    decimal
        The file's decimal mark.
    ranked
        Indices of the columns whose codes the file ranks.
    described
        Names of the columns whose codes a data dictionary explains.
    """
    typed, notes = [], []
    for done, column in enumerate(columns):
        progress.report(done / len(columns), "doing.read")
        if (coded := _to_coded_column(column, done in ranked, column.name in described)) is not None:
            typed.append(coded)
            continue
        cut = warn_of_cut_numbers(column)
        column, rounded = with_rounded_numbers(column, decimal)
        notes += [note for note in (cut or rounded,) if note is not None]
        guess = guess_kind(column, decimal)
        typed.append(replace(column, kind=guess.kind, style=guess.style))
        if guess.warning is not None:
            notes.append(Note(guess.warning, {"columns": Names.of([column.name])}))
    return typed, notes


def _join_notes(notes: Sequence[Note]) -> list[Note]:
    """Return the warnings, with those of the same id that name columns joined into one, at the place of the first.

    Two warnings on column "a" (3 cells, row 7) and column "b" (2 cells, row 4) become one on "a" and "b" (5 cells, row
    4): counts are added up, and the lowest row number is kept. Other arguments, such as an example, are those of the
    last. Warnings without columns stay as they are.
    """
    joined: dict[tuple[str, int], dict[str, Value]] = {}
    for index, note in enumerate(notes):
        names_columns = isinstance(note.arguments.get("columns"), Names)
        before = joined.setdefault((note.id, -1 if names_columns else index), {})
        for key, value in note.arguments.items():
            earlier = before.get(key)
            if isinstance(earlier, Names) and isinstance(value, Names):
                before[key] = Names.of([*dict.fromkeys((*earlier.texts, *value.texts))])
            elif isinstance(earlier, int) and isinstance(value, int):
                before[key] = min(earlier, value) if key == "row" else earlier + value
            else:
                before[key] = value
    return [Note(id, arguments) for (id, _), arguments in joined.items()]


def _to_coded_column(column: Column, is_ranked: bool, is_described: bool) -> Column | None:
    """Return a column of codes, or of their labels, as ordinal or nominal; None where the values decide its kind.

    - Ordinal, with its codes or labels in order, if at least three of them occur and form a scale: by the file
      (``is_ranked``) or by their labels, as "0 none", "1", "2" do.
    - Nominal if they do not, and a data dictionary explains them (``is_described``) with a label for every code that
      occurs.
    - None otherwise, and for a column without codes.
    """
    texts = set(present_texts(column)) if column.codebook else set()
    label_of = dict(column.codebook)
    if is_described and texts and texts <= label_of.keys():
        ranks = order_scale_labels(column.codebook, [label_of[text] for text in texts], is_ranked=is_ranked)
        order = None if ranks is None else tuple(code for code in label_of if code in texts)
        return replace(column, kind="nominal" if order is None else "ordinal", order=order)
    order = order_scale_labels(column.codebook, tuple(texts), is_ranked=is_ranked)
    return None if order is None else replace(column, kind="ordinal", order=order)


@dataclass(frozen=True, eq=False)
class _RawColumn:
    """A column before repairs, with the codes of the cells that were stored as numbers, dates or booleans."""

    column: Column
    typed: Codes


@dataclass(frozen=True, eq=False)
class _TwoReadings:
    """A column as two readers understand it, and the row numbers."""

    first: Column
    second: Column
    row_numbers: Ints


def _name_columns(
    raw: RawTable, options: InputSection, missing: frozenset[str], store: CodeStore | None
) -> list[_RawColumn]:
    """Return the raw columns with unique names, or those that the recipe gives, and with what is known about each.

    That is which texts mean "missing" (``missing`` and those that the file states for the column), whether the file
    weighs its rows by it, and the label, codes and identifier mark that the file or the recipe's data dictionary
    states. A column that the recipe renames loses the file's name and label. An empty name becomes "Column 4", a
    repeated one "age#2".

    Parameters
    ----------
    raw
        The columns as the reader returned them.
    options
        The recipe's reading options.
    missing
        The texts that mean "missing" in every column.
    store
        Stores the codes of the columns outside memory; None keeps them in memory.

    Raises
    ------
    RecipeError
        When the recipe names a column (or repairs one) that does not exist, or makes two names equal.
    """
    read = make_unique_names(raw.headers)
    for name in options.names:
        if name not in read:
            raise RecipeError(
                "error.recipe.no-such-input-column", args={"key": Term("input.names"), "name": Name(name)}
            )
    names = [options.names.get(name, name) for name in read]
    for name, times in Counter(names).items():
        if times > 1:
            raise RecipeError("error.recipe.names-equal", args={"name": Name(name)})
    for name in options.repair:
        if name not in names:
            raise RecipeError(
                "error.recipe.no-such-input-column", args={"key": Term("input.repair"), "name": Name(name)}
            )
    # A header that was given another name may be a person's record: it goes no further.
    # So does what the file says of it besides.
    made: type[Column] = Column if store is None else column_class(store)
    columns = []
    for index, (codes, texts, typed) in enumerate(_load_columns(raw)):
        name, renamed = names[index], names[index] != read[index]
        column = made(
            name=name,
            header=name if renamed else raw.headers[index],
            codes=codes,
            texts=texts,
            missing_texts=missing | {mark.text for mark in _list_declared_missing(raw, index)},
            label=raw.labels[index] if raw.labels and not renamed else "",
            codebook=raw.codebooks[index] if raw.codebooks else (),
            is_weight=raw.weight == index,
        )
        columns.append(_RawColumn(_apply_dictionary(column, options), typed))
    return columns


def _apply_dictionary(column: Column, options: InputSection) -> Column:
    """Return a column with the label, the codes and the identifier mark of the recipe's data dictionary.

    Only codes that the column has are taken, and they replace those of the file, even if there are none; without a
    label the column keeps its own. Its cells stay as they are, and a column that the dictionary lacks is unchanged.
    """
    entry = options.dictionary.get(column.name)
    if entry is None:
        return column
    codebook = tuple(CodeLabel(code, label) for code, label in entry.codes.items() if code in column.texts)
    return replace(column, label=entry.label or column.label, codebook=codebook, is_identifier=entry.identifier)


def _list_declared_missing(raw: RawTable, index: int) -> tuple[DeclaredMissing, ...]:
    """Return the texts that the file itself calls missing in the column with this index; empty where it names none."""
    return raw.declared_missing[index] if raw.declared_missing else ()


def _list_marks_by_column(raw: RawTable, table: Table) -> tuple[MarkOfColumn, ...]:
    """Return all texts that the file itself calls missing, each with its column's name, column by column."""
    names = enumerate(table.names)
    return tuple(MarkOfColumn(name, *mark) for index, name in names for mark in _list_declared_missing(raw, index))


def _load_columns(raw: RawTable) -> Iterator[tuple[Codes, tuple[str, ...], Codes]]:
    """Yield each column's codes, texts and codes of typed values; codes are loaded from the disk only when needed."""
    for index, (codes, texts) in enumerate(raw.columns):
        typed = raw.typed[index] if raw.typed else _NOTHING_TYPED
        yield (raw.stored[index].load() if raw.stored else codes), texts, typed


def _choose_readings(
    columns: list[_RawColumn], raw: RawTable, options: InputSection
) -> tuple[list[_RawColumn], list[_TwoReadings]]:
    """Return the columns by the reader that the recipe chooses for each, and the differences for which it chooses none.

    Where two readers understand a column differently, the second reader's cells are taken if the recipe says "second",
    otherwise the first reader's.

    Raises
    ------
    RecipeError
        When the recipe chooses for a column that does not exist.
    """
    place_of = {raw_column.column.name: index for index, raw_column in enumerate(columns)}
    for name in options.readings:
        if name not in place_of:
            raise RecipeError(
                "error.recipe.no-such-input-column", args={"key": Term("input.readings"), "name": Name(name)}
            )
    chosen, asked = list(columns), []
    for reading in raw.second:
        first = columns[reading.column]
        second = _RawColumn(replace(first.column, codes=reading.codes, texts=reading.texts), reading.typed)
        choice = options.readings.get(first.column.name)
        if choice == "second":
            chosen[reading.column] = second
        elif choice is None:
            asked.append(_TwoReadings(first.column, second.column, raw.row_numbers))
    return chosen, asked


def _list_reading_questions(readings: Iterable[_TwoReadings], kept: Ints) -> Iterator[ReadTwice]:
    """Yield a question for each column in which two readers read rows as different texts: how many, and an example.

    ``kept`` are the numbers of the rows that stay in the table; others are not counted. The example is the first row
    that differs, with both texts.
    """
    for reading in readings:
        first, second = (
            np.array(version.texts, dtype=object)[version.codes] for version in (reading.first, reading.second)
        )
        differing = np.flatnonzero((first != second) & np.isin(reading.row_numbers, kept))
        if len(differing):
            example = differing[0]
            yield ReadTwice(
                reading.first.name,
                len(differing),
                int(reading.row_numbers[example]),
                str(first[example]),
                str(second[example]),
            )


def _leave_out_rows(
    columns: list[_RawColumn], raw: RawTable, options: InputSection, name_lines: NameLines
) -> tuple[list[_RawColumn], Ints, tuple[LeftOut, ...], tuple[LeaveOut, ...]]:
    """Return the columns without the rows to leave out, the row numbers, the rows left out, and proposals to answer.

    The rows left out are those that the recipe names by number, and those found here for a reason for which the recipe
    leaves out whatever is found. They come with their reasons, by row number. The proposals are about other rows that
    are probably no records, and about which the recipe says nothing.

    Raises
    ------
    RecipeError
        When the recipe names a row that the file does not have, or no row is left.
    """
    reasons = _find_leave_out_reasons(raw, options)
    columns, numbers = _remove_rows(columns, raw.row_numbers, reasons)
    people = row_spans(options.people)
    open_lines = name_lines.without(lambda row: row in reasons)
    candidates = open_lines.to_leave()
    for proposed in propose_row_removals(
        [column.column for column in columns], [column.typed for column in columns], numbers
    ):
        asked = tuple(row for row in proposed.rows if not _is_within(row, people) and row not in open_lines.rows)
        if asked:
            candidates.append(replace(proposed, rows=asked))
    wanted = {section.found for section in options.leave_out}
    detected = {
        row: leave_out.reason for leave_out in candidates if leave_out.reason in wanted for row in leave_out.rows
    }
    columns, numbers = _remove_rows(columns, numbers, detected)
    reasons.update(detected)
    left = tuple(LeftOut(row, reasons[row]) for row in sorted(reasons))
    return columns, numbers, left, tuple(candidate for candidate in candidates if candidate.reason not in wanted)


def _find_leave_out_reasons(raw: RawTable, options: InputSection) -> dict[int, str]:
    """Return for each row that the recipe leaves out by its number, or by ``last_row``, the reason.

    Rows below ``last_row`` have the reason ``below`` unless the recipe states another for them. Rows that the file has
    no data in are left out of the result. Raises RecipeError for a row beyond the end of the file, also among the rows
    that it says are people.
    """
    numbers = [*raw.row_numbers[-1:].tolist(), *(row.row for row in raw.unread)]
    last = max([0, *numbers])
    reasons: dict[int, str] = {}
    here = {*raw.row_numbers.tolist(), *numbers} if options.leave_out or options.last_row else set()
    if options.last_row is not None:
        _refuse_beyond(options.last_row, last, "input.last_row")
        reasons.update(dict.fromkeys((row for row in here if row > (options.last_row or 0)), "below"))
    for section in options.leave_out:
        for first, end in section.spans():
            _refuse_beyond(end, last, "input.leave_out")
            reasons.update((row, section.reason or "other") for row in range(first, end + 1) if row in here)
    for _, end in row_spans(options.people):
        _refuse_beyond(end, last, "input.people")
    return reasons


def _keep_true_warnings(warnings: Iterable[Note], left_out: Sequence[LeftOut]) -> Iterator[Note]:
    """Yield the warnings, but not that about hardly filled last rows if all these rows were left out."""
    for note in warnings:
        below = note.id == THIN_ROWS and [row for row in left_out if row.row >= int(str(note.arguments["row"]))]
        if not below or len(below) < int(str(note.arguments["count"])):
            yield note


def _refuse_beyond(row: int, last: int, key: str) -> None:
    """Raise RecipeError, naming the recipe's key, when a row number is larger than the file's last."""
    if row > last:
        raise RecipeError("error.recipe.no-such-source-row", args={"key": Term(key), "row": row, "last": last})


def _remove_rows(columns: list[_RawColumn], numbers: Ints, without: Collection[int]) -> tuple[list[_RawColumn], Ints]:
    """Return the columns and row numbers without the rows with the numbers ``without``; unchanged if there are none.

    Raises RecipeError when no row is left.
    """
    if not without:
        return columns, numbers
    kept = np.flatnonzero(~np.isin(numbers, np.fromiter(without, dtype=np.int64)))
    if not len(kept):
        raise RecipeError("error.recipe.no-row-left")
    return [_take_rows(column, kept) for column in columns], numbers[kept]


def _take_rows(raw_column: _RawColumn, rows: Ints) -> _RawColumn:
    """Return a column with the rows of the given indices, and only the texts that they use.

    Codes are renumbered without gaps. Texts of omitted rows would otherwise help to decide whether the column holds
    numbers.
    """
    column = raw_column.column.take(rows)
    is_used = np.bincount(column.codes, minlength=len(column.texts)) > 0
    used = np.flatnonzero(is_used)
    codes = (np.cumsum(is_used) - 1).astype(np.int32)[column.codes]
    texts = column.texts if len(used) == len(column.texts) else tuple(column.texts[code] for code in used.tolist())
    typed = np.flatnonzero(np.isin(used, raw_column.typed)).astype(np.int32)
    return _RawColumn(replace(column, codes=codes, texts=texts), typed)


def _decide_decimal_mark(
    raw_columns: list[_RawColumn], raw: RawTable, options: InputSection, of_people: Ints
) -> tuple[list[Column], str, list[Note]]:
    """Return the columns with equal texts merged, the file's decimal mark, and warnings about doubts about it.

    Merged are a text cell and a stored number with the same text. The mark is that of the file, else of the recipe;
    else it is guessed from the rows with the indices ``of_people``, repaired columns left out. There are warnings only
    about a guess.
    """
    columns = [
        merge_equal_texts(raw_column.column, raw_column.column.texts, raw_column.typed)[0]
        if len(raw_column.typed)
        else raw_column.column
        for raw_column in raw_columns
    ]
    if raw.decimal is not None:
        return columns, raw.decimal, []
    if options.decimal is not None:
        return columns, options.decimal, []
    judged = [column for column in columns if not _is_repaired(options, column.name)]
    if judged and len(of_people) < len(judged[0]):
        judged = [_take_rows(_RawColumn(column, _NOTHING_TYPED), of_people).column for column in judged]
    decimal, decimal_notes = guess_decimal(judged)
    return columns, decimal, [Note(id, arguments) for id, arguments in decimal_notes]


def _repair_columns(
    raw_columns: list[_RawColumn], columns: list[Column], options: InputSection, decimal: str
) -> tuple[list[Column], tuple[RepairDone, ...], dict[str, SourceColumn]]:
    """Return the columns with the recipe's repairs, how much each repair did, and the columns before, by name.

    Values that a recipe makes equal within a person are not changed here but later. The columns before are those of the
    repaired columns, and of those in which some cells were stored as numbers or dates and others, be they empty, were
    not.
    """
    made, done = [], []
    source: dict[str, SourceColumn] = {}
    for raw_column, column in zip(raw_columns, columns, strict=True):
        progress.check()
        name = column.name
        section = options.repair.get(name) if _is_repaired(options, name) else None
        if section is not None or 0 < len(raw_column.typed) < len(raw_column.column.texts):
            source[name] = SourceColumn(raw_column.column.codes, raw_column.column.texts, raw_column.typed)
        if section is None:
            made.append(column)
            continue
        result = repair(raw_column.column, raw_column.typed, section, decimal)
        made.append(result.column)
        done.append(RepairDone(name, section.kind, result.changed, sum(cells for _, cells in result.unread)))
    return made, tuple(done), source


def _is_repaired(options: InputSection, name: str) -> bool:
    """Return whether the recipe repairs cells of a column during reading, and not only within people afterwards."""
    section = options.repair.get(name)
    return section is not None and section.in_reading


def suggest_marks(columns: Sequence[Column]) -> tuple[MarkSuggestion, ...]:
    """Return the texts that often mean "missing" but are not treated so, with the number of cells and the columns.

    The cells are counted over all these columns. Usual marks such as NA come first, then words for no answer in
    alphabetical order; only texts that occur are returned. Words for no answer have at most 60 characters, and are
    looked for only in columns of words or free text that have no codebook and at most 1,000 different texts.
    """
    counted: dict[str, tuple[int, list[str]]] = {}
    for column in columns:
        progress.check()
        has_words = column.kind in ("nominal", "text") and len(column.texts) <= _MOST_WORDS and not column.codebook
        no_answers = (
            [text for text in column.texts if len(text) <= _LONGEST_MARK and means_no_answer(text)] if has_words else ()
        )
        for mark, cells in _count_marks(column, (*MARKS, *no_answers)):
            total, names = counted.get(mark, (0, []))
            counted[mark] = (total + cells, [*names, column.name])
    ordered = [mark for mark in MARKS if mark in counted]
    ordered += sorted(set(counted).difference(MARKS))
    return tuple(MarkSuggestion(mark, *(counted[mark][0], tuple(counted[mark][1]))) for mark in ordered)


def _count_marks(column: Column, marks: Iterable[str]) -> list[tuple[str, int]]:
    """Return those of ``marks`` that occur in a column without being treated as missing, each with its number of cells.

    The order of the pairs is not fixed.
    """
    present = (frozenset(marks) - column.missing_texts).intersection(column.texts)
    counted = [(mark, int(np.count_nonzero(column.codes == column.texts.index(mark)))) for mark in present]
    return [(mark, cells) for mark, cells in counted if cells]
