"""Reading delimited text to columns of codes, with notes on everything unusual, and guessing its delimiter."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import NamedTuple

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Codes, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.column_builder import (
    LONGEST_FIELD,
    Block,
    ColumnBuilder,
    add_block,
    locate_record_fields,
)
from ppdm_desktop.engine.table.reading.encoding import Decoded, decode
from ppdm_desktop.engine.table.reading.header import (
    JOINED,
    LOOKED_AT,
    Header,
    find_header,
    looks_like_value,
    usual_length,
)
from ppdm_desktop.engine.table.reading.import_log import UnreadRow
from ppdm_desktop.engine.table.reading.name_lines import names_with_groups
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.text_file import Text, TextFile
from ppdm_desktop.engine.table.stored.code_store import StoredCodes
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted

# --- dialect ------------------------------------------------------------------------------

CANDIDATES = (";", ",", "\t", "|")
ONE_COLUMN = ""
_SAMPLE = 256 * 2**10
_MOST_RECORDS = 2000
_DIGITS = re.compile(r"[-+]?[0-9]*")
_OTHER_SIGNS = "~^!#$%&*+/:=?\\`"
"""Signs that may separate columns and are not tried; those of words, numbers and addresses are none of them."""
_NEARLY_ALL = 0.95
_LEAST_LINES = 3
_QUOTED = re.compile(r'"[^"]*"')
_FIGURE = re.compile(
    r"(?:[\s0-9.,:/+*%$=-]|[ap]\.?m\b|t|z\b|utc|gmt"
    r"|(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*)*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Score:
    """How well a delimiter divides a sample into rows of equal width.

    It has the share of rows with the most frequent width, this width (number of fields), and whether the first row has
    it.
    """

    delimiter: str
    share: float
    width: int
    first_fits: bool

    def rank(self) -> tuple[float, bool, int]:
        """Return a sort key, larger for a better delimiter: share of rows of the usual width, first row fits, width."""
        return round(self.share, 3), self.first_fits, self.width


def guess_delimiter(data: Text) -> str:
    """Return the delimiter of UTF-8 text: that of comma, semicolon, tab and bar which best divides its first records.

    The best one divides most of the first 2,000 records into equally many fields, two or more; of equally good ones,
    one that divides the first record so, then the one with more fields. A comma that seems to be a decimal mark does
    not count. Where none divides at least half of them so, it is the first of the four that does not occur, so that the
    file has one column; "" where all of them occur.
    """
    sample = _take_sample(data)
    scores = [score for sign in CANDIDATES if (score := _score_delimiter(sample, sign)) is not None]
    sound = [score for score in scores if score.share >= 0.5]
    if sound:
        return max(sound, key=_Score.rank).delimiter
    absent = [sign for sign in (",", ";", "\t", "|") if sign.encode() not in data]
    return absent[0] if absent else ONE_COLUMN


def unusual_delimiter(data: Text, line: int) -> tuple[str, int] | None:
    """Return an unusual sign that may separate columns, and their number, for text read as one column; or None.

    The sign, such as ~ or #, occurs equally often in the line of names and in 95 % of the first 2,000 lines, with text
    on both sides. Quoted text is left out of account. Where 95 % of the lines below are dates, times, amounts and the
    like, signs that such texts contain do not count. Of several signs the one with most columns is returned. None where
    no sign does, and for fewer than three lines that are not empty, counted from the line of names.

    Parameters
    ----------
    data
        UTF-8 text.
    line
        1-based line of the column names; the first line where there are none.
    """
    lines = [_QUOTED.sub("x", text) for text in _take_sample(data).splitlines()[line - 1 :] if text.strip()]
    lines = lines[:_MOST_RECORDS]
    if len(lines) < _LEAST_LINES:
        return None
    only_figures = sum(_FIGURE.fullmatch(text) is not None for text in lines[1:]) >= _NEARLY_ALL * (len(lines) - 1)
    delimiters = []
    for sign in _OTHER_SIGNS:
        times = lines[0].count(sign)
        if not times or not _has_text_around(lines[0], sign) or (only_figures and _FIGURE.fullmatch(sign)):
            continue
        if sum(text.count(sign) == times and _has_text_around(text, sign) for text in lines) >= _NEARLY_ALL * len(
            lines
        ):
            delimiters.append((sign, times + 1))
    return max(delimiters, key=lambda candidate: candidate[1], default=None)


def _has_text_around(line: str, sign: str) -> bool:
    """Return whether at least two of the parts into which a sign divides a line hold more than blanks."""
    return sum(bool(part.strip()) for part in line.split(sign)) > 1


def _take_sample(data: Text) -> str:
    """Return the first 256 KiB of a text up to the end of their last whole line.

    All of a text that is not longer; all 256 KiB if they hold no line feed. A character cut off at the end is dropped.
    """
    if len(data) <= _SAMPLE:
        return data[:_SAMPLE].decode("utf-8")
    text = data[:_SAMPLE].decode("utf-8", "ignore")
    cut = text.rfind("\n")
    return text[: cut + 1] if cut > 0 else text


def _score_delimiter(sample: str, sign: str) -> _Score | None:
    """Return how well a sign divides a sample into rows of equal width; None where it does not.

    The result has the sign, the share of rows with the most frequent number of fields (of equally frequent ones the
    largest), that number, and whether the first row has it. The first 2,000 rows that are not empty count. None where
    that number is one, without rows, or where the sign is a comma that seems to be a decimal mark.
    """
    rows: list[list[str]] = []
    try:
        for row in csv.reader(sample.splitlines(keepends=True), delimiter=sign):
            if row:
                rows.append(row)
            if len(rows) >= _MOST_RECORDS:
                break
    except csv.Error:
        pass
    if not rows:
        return None
    widths = Counter(map(len, rows))
    width, rows_of_width = max(widths.items(), key=lambda item: (item[1], item[0]))
    if width < 2:
        return None
    share = rows_of_width / len(rows)
    first_fits = len(rows[0]) == width
    if sign == "," and not first_fits and _has_decimal_commas(rows, width):
        return None
    return _Score(sign, share, width, first_fits)


def _has_decimal_commas(rows: list[list[str]], width: int) -> bool:
    """Return whether commas are decimal marks: the first row has none, and every other one stands between digits.

    Example: "amount" over "1,5" and "2,25". ``width`` is the most frequent number of fields of the rows divided by
    commas; False unless it is 2. Rows that are not divided into two fields are not looked at.
    """
    if width != 2 or len(rows[0]) != 1:
        return False
    return all(_DIGITS.fullmatch(field) for row in rows[1:] if len(row) == 2 for field in row)


# --- delimited ----------------------------------------------------------------------------

_BLOCK = 2 * 2**20
_CAREFUL_BYTES = 2**20
_BATCH = 4096
Keep = Callable[[Codes], StoredCodes]


@dataclass
class _Rows:
    """Adds rows to the columns as they are read, and lists those that could not be read.

    Attributes
    ----------
    width
        Number of fields of the header.
    builders
        One for each column.
    seen
        Number of the last row that was taken, readable or not, counted from 1 at the file's beginning.
    unread
        The rows that could not be read.
    numbers
        The source's row numbers of the rows that were read, block by block.
    """

    width: int
    builders: list[ColumnBuilder]
    seen: int
    unread: list[UnreadRow] = field(default_factory=list)
    numbers: list[Ints | range] = field(default_factory=list)

    def add_block(self, block: Block, line: int) -> None:
        """Add a block of records to the columns, in place; ``line`` is the line number of the first record.

        Records with another number of fields than the header are listed as unread, and so are empty lines, which are
        empty cells only where the file has a single column. ``seen`` and ``numbers`` follow.
        """
        fields, blank = block.fields, block.blank()
        count = len(fields)
        sound = fields == self.width
        if self.width > 1:
            sound &= ~blank
        if sound.all():
            add_block(block, None, self.builders)
            self.numbers.append(range(self.seen + 1, self.seen + count + 1))
        else:
            lines = block.lines_before() + line
            for record in np.flatnonzero(~sound).tolist():
                field_count = 0 if blank[record] else int(fields[record])
                self.unread.append(_build_unread_row(int(lines[record]), field_count, self.seen + record + 1))
            good = np.flatnonzero(sound)
            if len(good):
                add_block(block, good, self.builders)
                self.numbers.append(good + self.seen + 1)
        self.seen += count

    def add_records(self, batch: Sequence[Record]) -> None:
        """Add records that were read one by one to the columns, in place.

        Records with a quote out of place or another number of fields than the header are listed as unread, and so are
        empty lines, which are empty cells only where the file has a single column. ``seen`` and ``numbers`` follow.
        """
        good: list[list[str]] = []
        numbers: list[int] = []
        for record in batch:
            self.seen += 1
            fields = record.fields
            if fields == [] and self.width == 1:
                fields = [""]
            if fields is None:
                self.unread.append(UnreadRow(record.line, "reason.unread.quote", record.lines, self.seen))
            elif len(fields) != self.width or (not record.fields and self.width > 1):
                self.unread.append(_build_unread_row(record.line, len(fields), self.seen))
            else:
                good.append(fields)
                numbers.append(self.seen)
        if good:
            for builder, texts in zip(self.builders, zip(*good)):
                builder.add(builder.codes_of(texts))
            self.numbers.append(np.array(numbers, dtype=np.int64))

    def row_numbers(self) -> Ints:
        """Return the source's row number of each row that was read, int64, shape (rows,).

        Rows are counted from 1 at the file's beginning, with the header and the unread rows.
        """
        numbers = np.empty(sum(map(len, self.numbers)), dtype=np.int64)
        start = 0
        for part in self.numbers:
            stop = start + len(part)
            numbers[start:stop] = np.arange(part.start, part.stop) if isinstance(part, range) else part
            start = stop
        return numbers


def _build_unread_row(line: int, field_count: int, row: int) -> UnreadRow:
    """Return the entry for a row that was not read, with the reason: it is blank, or has a wrong number of fields."""
    return UnreadRow(line, "reason.unread.fields" if field_count else "reason.unread.blank", field_count, row)


def read_delimited(data: bytes, options: InputSection) -> RawTable:
    """Return the cells of delimited text; an encoding or delimiter that the options do not name is guessed.

    Raises
    ------
    InputError
        When the encoding is unknown, bytes do not fit it or are NUL, and in the cases of `read_decoded`; line and byte
        are named where one is to blame.
    """
    return progress.part(0.1, 1.0).run(
        read_decoded, progress.part(0.0, 0.1).run(decode, data, options.encoding), options
    )


def read_decoded(text: Decoded, options: InputSection, keep: Keep | None = None) -> RawTable:
    """Return the cells of delimited UTF-8 text, with the delimiter and header that the options name, else guessed ones.

    Rows that have another number of fields than the header, or a quote out of place, are listed as unread, and so are
    empty lines if there are several columns. Warnings say what is doubtful.

    Parameters
    ----------
    text
        UTF-8, in memory or in a file.
    options
        The recipe's reading options.
    keep
        Stores the codes of each column outside memory, so that they are in ``stored`` and not in ``columns`` of the
        result; None keeps them in memory.

    Raises
    ------
    InputError
        For a delimiter that is several signs, not ASCII, a quote or a line end; a quote that is opened and not closed;
        a field of more than about a million characters; no row below the header, or no row of the header's length; also
        where no header can be found, or the row that the options name is missing or empty.
    """
    delimiter = options.delimiter if options.delimiter is not None else guess_delimiter(text.utf8)
    if delimiter not in CANDIDATES and (len(delimiter.encode()) > 1 or delimiter in ('"', "\r", "\n", "\0")):
        raise InputError("error.read.bad-delimiter", args={"delimiter": Quoted(delimiter)})
    top = _choose_header(text.utf8, delimiter, options)
    rows = _Rows(top.width, [ColumnBuilder() for _ in range(top.width)], top.row)
    end = _find_text_end(text.utf8)
    progress.part(0.0, 0.8).run(_read_rows, text.utf8, end, top.end, top.next_line, delimiter, rows)
    if rows.seen == top.row:
        raise InputError("error.read.header-only")
    if not rows.numbers:
        first = rows.unread[0]
        raise InputError(
            "error.read.no-row-fits",
            args={"rows": len(rows.unread), "expected": top.width, "line": first.line, "found": first.amount},
        )
    notes: list[Note] = []
    if options.delimiter is None and top.width == 1:
        unusual = unusual_delimiter(text.utf8, max(top.line, 1))
        if unusual is not None:
            notes.append(Note("warning.read.one-column", {"sign": Quoted(unusual[0]), "columns": unusual[1]}))
    columns: list[tuple[Codes, tuple[str, ...]]] = []
    stored: list[StoredCodes] = []
    for builder in rows.builders:
        progress.report(0.8 + 0.2 * len(columns) / top.width, "progress.read.rows")
        codes, texts = builder.finish()
        if keep is not None:
            stored.append(keep(codes))
            codes = codes[:0].copy()
        columns.append((codes, texts))
    return RawTable(
        headers=top.headers,
        columns=tuple(columns),
        stored=tuple(stored),
        row_numbers=rows.row_numbers(),
        header_row=top.row,
        header=top.header,
        unread=tuple(rows.unread),
        warnings=(*text.warnings, *top.warnings, *notes),
        encoding=text.encoding,
        delimiter=delimiter,
    )


def _find_text_end(utf8: Text) -> int:
    """Return the byte position after the last line that is not empty, without its line end; 0 if all lines are empty.

    Empty lines at the end are no rows; a line of blanks is not empty.
    """
    if isinstance(utf8, TextFile):
        return utf8.rstripped(b"\r\n")
    end = len(utf8)
    while end and utf8[end - 1] in b"\r\n":
        end -= 1
    return end


@dataclass(frozen=True)
class _Top:
    """The row of the column names, and how it was found; line and row are 0 where there are no names.

    ``end`` is the position in the bytes after it, and ``next_line`` the number of the line that follows.
    """

    headers: tuple[str, ...]
    row: int
    line: int
    end: int
    next_line: int
    header: Header
    warnings: tuple[Note, ...]

    @property
    def width(self) -> int:
        """Return the number of columns."""
        return len(self.headers)


def _choose_header(utf8: Text, delimiter: str, options: InputSection) -> _Top:
    """Return the header that the options name, else the one found in the first rows, with warnings on what is doubtful.

    The options may also say that there is none (row 0). Without a header all its labels are "", as many as the rows
    usually have fields. Raises InputError where the first rows have no filled cell, the row that the options name
    cannot be the header, or a quote is opened and not closed.
    """
    wanted = options.header_row
    if wanted:
        return _read_named_header(utf8, delimiter, wanted)
    first = [*islice(iterate_records(utf8, 0, 1, delimiter), LOOKED_AT + 1)]
    sound = [index for index, record in enumerate(first) if record.fields is not None]
    texts = [first[index].fields or [""] for index in sound]
    if not any(any(row) for row in texts):
        broken = next((record for record in iterate_records(utf8, 0, 1, delimiter) if record.fields is None), None)
        if broken is not None:
            raise InputError("error.read.header-quote", args={"line": broken.line})
        raise InputError("error.read.empty")
    header = find_header(texts, wanted)
    header_index = sound[header.candidate - 1]
    if header.row == 0:
        width = usual_length(texts)
        return _Top(("",) * width, 0, 0, 0, 1, header, header.notes(header_index + 1, width))
    above = texts[header.candidate - 2] if header.candidate > 1 else []
    top = _build_header(first[header_index], header_index + 1, texts[header.row :], header, above)
    unread = top.line - 1 - any(note.id == JOINED for note in top.warnings)
    notes = [Note("warning.read.lines-above-header", {"lines": unread})] if unread else []
    return replace(top, warnings=(*top.warnings, *notes))


def _read_named_header(utf8: Text, delimiter: str, wanted: int) -> _Top:
    """Return the header in the row ``wanted`` (from 1) that the options name.

    Raises InputError if this row does not exist, is empty, or has a quote out of place, and if a quote before or
    shortly after it is opened and not closed.
    """
    first = [*islice(iterate_records(utf8, 0, 1, delimiter), max(wanted - 2, 0), wanted)]
    names = first[-1] if len(first) == min(wanted, 2) else None
    if names is None or not names.fields:
        raise InputError("error.read.no-header-row", args={"line": wanted})
    following = islice(iterate_records(utf8, names.end, names.line + names.lines, delimiter), LOOKED_AT)
    below = [record.fields or [""] for record in following if record.fields is not None]
    above = (first[0].fields or []) if len(first) > 1 else []
    return _build_header(names, wanted, below, find_header([names.fields, *below], 1), above)


def _build_header(
    names: Record, row: int, below: Sequence[Sequence[str]], header: Header, above: Sequence[str]
) -> _Top:
    """Return a header made of its record, fitted to the rows below and perhaps joined with groups in the line above.

    Names are joined only if this makes more of them different and no group looks like a value: "Before", "", "After",
    "" over "Pulse", "Weight", "Pulse", "Weight" becomes "Before: Pulse", "Before: Weight", "After: Pulse", "After:
    Weight". The header has warnings on what is doubtful, and one if it was joined.

    Parameters
    ----------
    names
        The record with the column names.
    row
        Its row number.
    below, above
        The fields of the following rows, and of the row before.
    header
        How certain it is that the record holds names.
    """
    single, warnings = _fit_labels(names.fields or [""], below)
    labels = tuple(names_with_groups(above, single))
    if labels != single:
        warnings.append(Note(JOINED, {"first": row - 1, "last": row}))
    warnings += header.notes(row, len(labels))
    return _Top(labels, row, names.line, names.end, names.line + names.lines, header, tuple(warnings))


def _fit_labels(fields: Sequence[str], below: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], list[Note]]:
    """Return the column labels, fitted to the usual length of the rows below, and warnings.

    Empty labels at the end are removed if there are more labels than the rows have fields; surplus labels with text
    stay; missing ones are added as "". There are up to two warnings: on too few labels, and on labels that look like
    values.
    """
    labels = list(fields)
    warnings = []
    usual = usual_length(below)
    while usual and len(labels) > max(usual, 1) and not labels[-1].strip():
        labels.pop()
    if len(labels) < usual:
        warnings.append(Note("warning.read.header-short", {"labels": len(labels), "columns": usual}))
        labels += [""] * (usual - len(labels))
    if any(looks_like_value(label) for label in labels):
        warnings.append(Note("warning.read.header-holds-values", {}))
    return tuple(labels), warnings


def _read_rows(utf8: Text, end: int, position: int, line: int, delimiter: str, rows: _Rows) -> None:
    """Read all rows from byte ``position`` (in line ``line``) up to byte ``end``, and add them to ``rows``.

    Rows are read block by block, and record by record where quotes make that necessary. Raises InputError when a quote
    is opened and not closed, or a field has more than about a million characters.
    """
    start, whole = position, max(end - position, 1)
    sign = ord(delimiter) if delimiter else 0
    while position < end:
        progress.report((position - start) / whole, "progress.read.rows")
        stop = min(position + _BLOCK, end)
        piece = utf8[position:stop]
        block = locate_record_fields(piece, 0, len(piece), len(piece) if stop == end else end, sign)
        if block is not None:
            rows.add_block(block, line)
            position += block.used
            line += block.lines()
            continue
        goal = position + _CAREFUL_BYTES
        batch = []
        for record in iterate_records(utf8, position, line, delimiter, end):
            batch.append(record)
            if len(batch) == _BATCH or record.end >= goal:
                progress.check()
                rows.add_records(batch)
                batch = []
            if record.end >= goal:
                break
        rows.add_records(batch)
        line += record.line + record.lines - line
        position = record.end


class Record(NamedTuple):
    """One record of a delimited text, with its position.

    Attributes
    ----------
    line
        Line of the file where it begins, from 1.
    lines
        How many lines it takes.
    end
        Position in the bytes after it.
    fields
        The texts of its fields; empty for a blank line; None when a quote is out of place.
    """

    line: int
    lines: int
    end: int
    fields: list[str] | None


class _Lines:
    """An iterator over the lines of a text that remembers its position."""

    def __init__(self, data: Text, position: int, end: int) -> None:
        """Begin at the byte ``position`` of the text, to stop at the byte ``end``."""
        self._data = data
        self._end = end
        self.position = position
        self.taken = 0
        self.exhausted = False

    def __iter__(self) -> _Lines:
        """Return this iterator itself."""
        return self

    def __next__(self) -> str:
        """Return the next line with its line end, which may be a lone carriage return; raise StopIteration at the end.

        ``position`` moves behind the line, and ``taken`` counts it. At the end ``exhausted`` becomes True.
        """
        start = self.position
        if start >= self._end:
            self.exhausted = True
            raise StopIteration
        feed = self._data.find(b"\n", start, self._end)
        end = feed + 1 if feed >= 0 else self._end
        lone = self._data.find(b"\r", start, end)
        if lone >= 0 and lone + 1 != feed:
            end = lone + 1
        self.position = end
        self.taken += 1
        return self._data[start:end].decode("utf-8")


def iterate_records(data: Text, position: int, line: int, delimiter: str, end: int | None = None) -> Iterator[Record]:
    """Yield the records of a text from a byte position on, reading them one by one.

    A record with a quote out of place has ``fields`` None, an empty line no fields.

    Parameters
    ----------
    data
        UTF-8 without NUL bytes.
    position, line
        Where a record begins, and the number of that line.
    delimiter
        One sign; empty when the file is one column.
    end
        Where the text ends; None for the end of the data.

    Raises
    ------
    InputError
        When a quote is opened and not closed, or a field has more than about a million characters.
    """
    csv.field_size_limit(max(csv.field_size_limit(), LONGEST_FIELD))
    lines = _Lines(data, position, len(data) if end is None else end)
    reader = csv.reader(lines, delimiter=delimiter or "\0", strict=True)
    while True:
        before = lines.taken
        begins = line + before
        try:
            fields: list[str] | None = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            too_long = "field larger" in str(error)
            if too_long or (lines.exhausted and "end of data" in str(error)):
                raise InputError("error.read.unclosed-quote", args={"line": begins}) from error
            fields = None
        if fields is not None and any(len(field) > LONGEST_FIELD for field in fields):
            raise InputError("error.read.unclosed-quote", args={"line": begins})
        yield Record(begins, lines.taken - before, lines.position, fields)
