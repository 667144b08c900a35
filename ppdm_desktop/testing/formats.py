"""Batteries of tests for readers, writers and samples."""

from __future__ import annotations

import csv
import io
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.samples.base import Sample
from ppdm_desktop.engine.table.codebook import CodeLabel
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.base import HEAD, READERS, Reader, read_with
from ppdm_desktop.engine.table.reading.child import read_in_child
from ppdm_desktop.engine.table.reading.ignored_options import OF_FORMATS, note_ignored_options
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.registry import list_format_claims
from ppdm_desktop.engine.table.writing import count_differing_cells
from ppdm_desktop.engine.table.writing.base import UnreadableFile, Writer, Written
from ppdm_desktop.engine.table.writing.guard import unguard_columns
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.texts import all_texts, explain, render
from ppdm_desktop.testing.common import with_registered, with_texts

# --- readers, writers and samples ---------------------------------------------------------

CUTS = 10
_CUTS_IN_CHILD = 4
"""A process begins for each."""
_OF_ANY_FORMAT = frozenset(
    {
        *("missing", "person", "one_row_per_person", "quota", "sha256", "last_row", "names", "leave_out"),
        *(
            "rows",
            "people_count",
            "least_count",
            "largest",
            "columns_are_people",
            "people",
            "repair",
            "readings",
            "dictionary",
            "household",
            "order_by",
            "reduce",
        ),
    }
)
"""Keys of ``[input]`` that are obeyed whatever the format: they are about the table or the bytes."""
_WISHES = {
    "sheet": "no such sheet",
    "encoding": "utf-16-le",
    "delimiter": "\x1f",
    "decimal": ",",
    "header_row": 2,
}


def _require(kept: object, otherwise: str) -> None:
    """Raise AssertionError with the text ``otherwise`` unless ``kept`` is true."""
    if not kept:
        raise AssertionError(otherwise)


# --- readers ----------------------------------------------------------------------------


@dataclass(frozen=True)
class FileCase:
    """A file of some format with the contents that a reader should find in it.

    Attributes
    ----------
    data
        Bytes of the file: a table with a header and at least two rows.
    columns
        The exact text of each cell, by the columns' names.
    options
        The reading options that cannot be guessed.
    format
        Name of the format in the import log; the reader's id if empty.
    """

    data: bytes
    columns: Mapping[str, Sequence[str]]
    options: InputSection = InputSection()
    format: str = ""


def check_reader(cls: type[Reader], files: Sequence[FileCase]) -> None:
    """Check that a reader keeps the contract of ``Reader``, on every given file.

    Parameters
    ----------
    cls
        The class, registered or not. If it declares ``in_child``, it has to stand in a module that another process can
        import.
    files
        Files of the reader's format, at least one.

    Raises
    ------
    AssertionError
        When the reader is not declared completely; another reader claims a file as surely; a cell is read as another
        text; an option is neither obeyed nor listed as ignored; or a truncated file gives anything but ``InputError``
        or the rows that are left.
    """
    reader = cls()
    check_reader_declared(cls)
    _require(files, f"{reader.id} needs a file to be tried on")
    with with_texts(reader), with_registered(READERS, cls):
        for case in files:
            _check_claims(reader, case)
            _check_texts(reader, case)
            _check_options(reader, case)
            _check_cuts(reader, case)


def check_reader_declared(cls: type[Reader]) -> None:
    """Check the parts of a reader's contract that need no file of its format: id, title, suffixes, claims.

    Raises
    ------
    AssertionError
        When the reader is not declared completely, or a claim is not from 0 to 100.
    """
    reader = cls()
    _require(reader.id and reader.title, "a reader needs an id and a title")
    endings = all(suffix.startswith(".") and suffix == suffix.lower() for suffix in reader.suffixes)
    _require(reader.suffixes and endings, "suffixes are small letters after a dot")
    claims = [reader.claims(head) for head in (b"", b"a,b\r\n1,2\r\n", bytes(range(256)) * 16)]
    _require(all(claim in range(101) for claim in claims), "a claim is from 0 to 100")


def _find_plugin_name(reader: Reader) -> tuple[str, ...]:
    """Return the name of the plug-in that a reader belongs to, in a tuple; empty for the program's own readers.

    Readers of plug-ins take part only if their plug-in is named.
    """
    plugin = plugins.of_reader(reader.id)
    return () if plugin is None else (plugin.name,)


def _read_table(reader: Reader, data: bytes, options: InputSection) -> RawTable:
    """Return the table that a reader reads from data, in a separate process if the reader demands that."""
    return (read_in_child if reader.in_child else read_with)(reader, data, options)


def _check_claims(reader: Reader, case: FileCase) -> None:
    """Check that a reader claims its own file, and that no other reader claims it as surely.

    A claim is how sure a reader is of a file, from 0 (no claim) to 100. Raises AssertionError otherwise.
    """
    head = case.data[:HEAD]
    _require(reader.claims(head), f"{reader.id} does not claim its own file")
    claims = list_format_claims(head, _find_plugin_name(reader))
    _require(all(0 < claim <= 100 for claim, _ in claims), "a claim is from 0 to 100")
    surest = [reader.id for claim, reader in claims if claim == claims[0][0]]
    _require(len(surest) == 1, f"{' and '.join(surest)} claim the same file as surely")


def _check_texts(reader: Reader, case: FileCase) -> None:
    """Check that a reader reads every cell as its exact text, twice: as asked, then by the options it found itself.

    The format has to be the expected one, and the warnings the same both times. Raises AssertionError otherwise.
    """
    with tempfile.TemporaryDirectory(prefix="ppdm-check-") as folder:
        path = Path(folder) / "file"
        path.write_bytes(case.data)
        reading = read_source(path, case.options, plugins=_find_plugin_name(reader))
        again = read_source(path, reading.options, plugins=_find_plugin_name(reader))
    expected = case.format or reader.id
    _require(reading.account.format == expected, f"read as {reading.account.format}, not as {expected}")
    for result in (reading, again):
        texts = {column.name: column.values() for column in result.table.columns}
        _require(texts == {name: list(values) for name, values in case.columns.items()}, f"other texts: {texts}")
    _require(again.account.warnings == reading.account.warnings, "what a reading fills in is warned of when read again")


def _check_options(reader: Reader, case: FileCase) -> None:
    """Check that every option of ``[input]`` is either obeyed by the reader or listed as ignored, not both.

    An obeyed option must have an effect on the file and give no warning; an ignored one must give one warning and
    change nothing that is read. Raises AssertionError otherwise.
    """
    keys = frozenset(InputSection.model_fields)
    _require(reader.honours <= keys, f"no keys of [input]: {sorted(reader.honours - keys)}")
    unsaid = keys - reader.honours - {*OF_FORMATS} - _OF_ANY_FORMAT
    _require(not unsaid, f"neither obeyed nor listed as ignored: {sorted(unsaid)}")
    plain = read_with(reader, case.data, case.options)
    for key in OF_FORMATS:
        wished = case.options.model_copy(update={key: _WISHES[key]})
        notes = note_ignored_options(reader.honours, plain, wished)
        for note in notes:
            _require(render(note.id, note.arguments).sentence, f"{note.id} says nothing")
        if key in reader.honours:
            _require(not notes, f"{key} is obeyed and listed as passed over")
            _require(_is_obeyed(reader, case, key, wished, plain), f"{key} changes nothing")
        else:
            _require(len(notes) == 1, f"{key} is not listed as passed over")
            _require(
                _to_text_rows(read_with(reader, case.data, wished)) == _to_text_rows(plain),
                f"{key} changes what is read",
            )


def _is_obeyed(reader: Reader, case: FileCase, key: str, wished: InputSection, plain: RawTable) -> bool:
    """Return whether an option has an effect: it changes the table, is recorded as used, or the file is refused.

    ``wished`` are the options with option ``key`` set, ``plain`` is the table read without it. The decimal mark counts
    as obeyed, too, where the reader leaves it to the program.
    """
    try:
        raw_table = read_with(reader, case.data, wished)
    except InputError:
        return True
    if key == "decimal":
        return raw_table.decimal in (None, _WISHES[key])  # None: the reader obeys it
    return _to_text_rows(raw_table) != _to_text_rows(plain) or getattr(raw_table, key) == _WISHES[key]


def _check_cuts(reader: Reader, case: FileCase) -> None:
    """Check that a truncated file is refused with InputError, or read as the first of its rows, the last perhaps cut.

    It is truncated after several shares of its bytes. Rows are compared only if the column names were read whole.
    """
    whole = _read_table(reader, case.data, case.options)
    cuts = _CUTS_IN_CHILD if reader.in_child else CUTS
    for part in range(1, cuts + 1):
        size = len(case.data) * part // (cuts + 1)
        try:
            result = _read_table(reader, case.data[:size], case.options)
        except InputError as error:
            _require(error.id in all_texts() and explain(error), f"{error.id} has no text")
            continue
        except Exception as error:
            raise AssertionError(f"cut after {size} bytes: {type(error).__name__}") from error
        _require(len(result.row_numbers) <= len(whole.row_numbers), f"cut after {size} bytes it has more rows")
        if result.headers == whole.headers:
            left = _to_text_rows(result)[1:-1]  # the last row may be cut itself
            _require(left == _to_text_rows(whole)[1 : len(left) + 1], f"cut after {size} bytes it has other rows")


def _to_text_rows(raw: RawTable) -> list[tuple[str, ...]]:
    """Return the header and then the rows of a table, each as a tuple of texts."""
    columns = [[texts[code] for code in codes.tolist()] for codes, texts in raw.columns]
    return [raw.headers, *zip(*columns, strict=True)]


# --- writers ----------------------------------------------------------------------------


_TEXTS = (
    *("007", "12345678901234567890", "NA", "", "=1+1", "'=1", "@x", "-5", "+1.2", " x ", "1E5"),
    *("ß'", 'a"b', "a,b", "a;b", "two\nlines", "\ttab", "\uff1dx", "\U0001d11e", "_x0041_"),
)
_STRANGE_WORD = "a-computer-of-nobody"


def _build_test_tables(*, keeps_blanks: bool) -> Iterator[Table]:
    """Yield tables to be written: unusual texts, numbers with both decimal marks, labels, no rows, an empty row.

    Unless ``keeps_blanks`` (the format keeps blanks at the end of a text), the unusual texts have none there.
    """
    texts_written = _TEXTS if keeps_blanks else [text.rstrip() for text in _TEXTS]
    rows = len(_TEXTS)
    odd = [Column.from_texts("=odd", texts_written), Column.from_texts("other", texts_written[::-1])]
    yield Table(tuple(odd), np.arange(1, rows + 1))
    for mark in (".", ","):
        texts = [f"{row * 37 % 100 - 20}{mark}{row % 10}0" for row in range(rows)]
        number = Column.from_texts("number", texts)
        number = replace(number, kind="numeric", style=NumberStyle.seen_in(texts, mark))
        yield Table((number, odd[0]), np.arange(1, rows + 1))
    yield from _build_labelled_tables()
    yield Table((Column.from_texts("a", []), Column.from_texts("b", [])), np.arange(0))
    yield Table((Column.from_texts("a", ["x", "", "y"]), Column.from_texts("b", ["", "", ""])), np.arange(1, 4))


def _build_labelled_tables() -> Iterator[Table]:
    """Yield tables as statistics programs have them: coded answers, labels, missing values and dates.

    Some column names are not allowed in these programs.
    """
    yes_no = (CodeLabel("1", "yes"), CodeLabel("2", "no"), CodeLabel("9", "no answer"))
    refused = (CodeLabel("-9", "refused"), CodeLabel("1", "one"))
    missing = frozenset({"", "-9", "no answer", "k.A."})
    answers, numbers = ["yes", "no", "no answer", "yes"], ["-9", "1", "12.5", ""]
    for names in (("answer", "Answer", "ANSWER!"), ("Do you agree?", "do_you_agree_", "with"), ("2nd", "Größe", "_")):
        first, second, third = names
        labelled = Column.from_texts(first, answers, codebook=yes_no, label="Do you agree?")
        coded = Column.from_texts(second, numbers, kind="numeric", codebook=refused, label=first)
        marked = replace(Column.from_texts(third, answers, codebook=yes_no), missing_texts=missing)
        yield Table((labelled, coded, marked), np.arange(1, 5))
    mixed = Column.from_texts("b", ["-9", "k.A.", "0.10", "1234567.30"], kind="numeric", missing_texts=missing)
    codes = Column.from_texts("c", ["-9", "1", "1", ""], kind="numeric", codebook=refused, missing_texts=missing)
    all_labelled = Column.from_texts("all", ["-9", "1", "1", ""], codebook=refused)
    yield Table((mixed, codes, all_labelled), np.arange(1, 5))
    days = Column.from_texts("d", ["2000-02-29", "", "1899-12-31", "9999-12-31"], kind="date")
    odd_days = Column.from_texts("e", ["2000-02-29", "0001-01-01", "31.12.1999", ""], kind="date")
    yield Table((days, odd_days), np.arange(1, 5))


def _build_unwritable_tables() -> Iterator[Table]:
    """Yield tables that some formats cannot hold: a control character, and a text of 40,000 characters."""
    for text in ("\x01", "x" * 40_000):
        yield Table((Column.from_texts("a", [text, "b"]),), np.arange(1, 3))


def check_writer(cls: type[Writer]) -> None:
    """Check that a writer keeps the contract of ``Writer``, on tables of unusual texts, numbers, labels and dates.

    Raises
    ------
    AssertionError
        When the writer is not declared completely; the same table gives other bytes; a cell differs when read back; a
        table beyond its limits is written, or one within them is not; the file contains code, or traces of computer,
        user or time; or a truncated file gives anything but ``UnreadableFile`` or a table that differs.
    """
    writer = cls()
    _require(writer.id and writer.title and writer.form, "a writer needs an id, a title and what the note says of it")
    _require(writer.suffix.startswith(".") and len(writer.suffix) > 1, "a suffix begins with a dot")
    for table in _build_test_tables(keeps_blanks=writer.keeps_blanks):
        _require(not writer.limits(table), f"{writer.id} cannot hold an ordinary table")
        for guarded in (True, False):
            _check_written(writer, table, guarded)
    for table in _build_unwritable_tables():
        if not writer.limits(table):
            _check_written(writer, table, True)
            continue
        try:
            writer.write(table)
        except ValueError:
            continue
        raise AssertionError("a table beyond the limits was written")


def _check_written(writer: Writer, table: Table, guarded: bool) -> None:
    """Check that a written table reads back equal, with the same bytes twice, no code and no traces of the computer.

    With ``guarded``, texts that a spreadsheet program would run get a mark in front, if the format has such texts. A
    truncated file has to be unreadable or differ.
    """
    written = writer.write(table, guarded=guarded)
    _require(writer.write(table, guarded=guarded) == written, "the same table gave other bytes")
    _require(written.format == writer.id, f"the file says it is {written.format}")
    _require(written.guarded == (guarded and writer.takes_guard), "the guard is not as asked")
    _require(_count_wrong_cells(writer, written, table) == 0, "what is read back is another table")
    _require(writer.running_parts(written.data) == 0, "the file holds what a program would run")
    _require(writer.traces(written.data, [_STRANGE_WORD]) == 0, "the file tells of computer, user or time")
    for part in range(1, CUTS + 1):
        cut = written.data[: len(written.data) * part // (CUTS + 1)]
        try:
            wrong = _count_wrong_cells(writer, replace(written, data=cut), table)
        except UnreadableFile:
            continue
        _require(wrong or not written.data[len(cut) :].strip(), "a file cut short reads as the whole table")


def _count_wrong_cells(writer: Writer, written: Written, table: Table) -> int:
    """Return how many cells differ from the table when the written file is read back.

    Marks in front of texts that a spreadsheet program would run are removed before.
    """
    columns = writer.read_back(written)
    return count_differing_cells(unguard_columns(columns) if written.guarded else columns, table.columns)


# --- samples ----------------------------------------------------------------------------


def check_sample(cls: type[Sample]) -> None:
    """Check that a sample keeps the contract of ``Sample``.

    Raises
    ------
    AssertionError
        When the sample is not declared completely; the same options give other bytes; a fitting option is not taken, or
        an unfit one not refused with a message; the number of rows is not the declared one; or the recipe does not
        parse, names no release type, or names other columns than the sample's.
    """
    sample = cls()
    _require(sample.id and sample.title, "a sample needs an id and a title")
    data = sample.make({})
    _require(sample.make({}) == data == b"".join(sample.pieces({})), "the same options gave other bytes")
    _require(sample.make(sample.settled({})) == data, "its own options, given, gave other bytes")
    header, *rows = list(csv.reader(io.StringIO(data.decode("utf-8"))))
    _require(len(rows) == sample.default_rows, f"{len(rows)} rows, not {sample.default_rows}")
    _require(all(len(row) == len(header) for row in rows), "rows of different length")
    for option in sample.options:
        for value in option.fit_values():
            _require(sample.settled({option.name: value})[option.name] == value, f"{option.name} is not taken")
        for value in option.unfit_values():
            _check_refused(sample, option.name, value)
    _check_refused(sample, "no such option", 1)
    recipe = parse_recipe(tomllib.loads(sample.recipe()), formats=release_formats())
    _require(set(recipe.columns) == set(header), "the recipe names other columns than the sample's")
    _require(recipe.release.type is not None, "the recipe does not say who will get the release")


def _check_refused(sample: Sample, option: str, value: object) -> None:
    """Check that a sample refuses a value of an option, or an unknown option, with a message.

    The value None, which stands for an option not given, is not checked.
    """
    if value is None:
        return  # not given
    try:
        sample.settled({option: value})
    except InputError as error:
        _require(error.id in all_texts() and explain(error), f"{error.id} has no text")
        return
    raise AssertionError(f"{option} = {value!r} is not refused")
