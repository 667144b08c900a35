"""Writing and reading the delimited data file: UTF-8, commas or semicolons, CRLF, quotes only where needed.

Its header tells the delimiter: in it, commas and semicolons are quoted unless they separate columns. Line ends are CRLF
(RFC 4180), also because with them the csv module quotes a lone carriage return in every Python version, so that the
bytes are the same everywhere.
"""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Generator, Iterator
from itertools import count, islice

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Codes
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.reading.column_builder import ColumnBuilder, add_block, locate_record_fields
from ppdm_desktop.engine.table.writing.base import UnreadableFile
from ppdm_desktop.engine.table.writing.guard import guard, may_need_guard
from ppdm_desktop.engine.table.writing.scanning import may_match

_BLOCK = 5_000
_PIECE = 2 * 2**20
_LONGEST_FIELD = 2**31 - 1
_END = "\r\n"
DELIMITERS = (",", ";")
_NEEDS_QUOTES = {sign: re.compile(f'[{sign}"\r\n]') for sign in DELIMITERS}
_HEADER_NEEDS_QUOTES = re.compile('[,;"\r\n]')
_FIRST_NAME = re.compile(rb'(?:"[^"]*"|[^",;\r\n])*')


def write_delimited(table: Table, *, guarded: bool = True) -> bytes:
    """Return a table as the bytes of a CSV file in UTF-8, header included.

    If ``guarded``, a text or name that a spreadsheet would run as a formula (``=1+1``) gets an apostrophe before it.
    The table's own delimiter, a comma or semicolon, separates the columns; lines end with CRLF. Texts with the
    delimiter, a quote or a line break are quoted, and so are names with a comma or semicolon. A table of one column
    counts as separated by commas, and its empty texts are quoted.
    """
    keep = guard if guarded else str
    is_only_column = len(table.columns) == 1
    sign = "," if is_only_column else table.delimiter
    needs_quotes = _NEEDS_QUOTES[sign]

    def field(text: str, needs_quotes: re.Pattern[str] = needs_quotes) -> str:
        """Return a text as a CSV field: with an apostrophe if guarded, and quoted if it matches ``needs_quotes``."""
        return _format_field(keep(text), needs_quotes, is_only_column=is_only_column)

    buffer = io.BytesIO()
    with io.TextIOWrapper(buffer, encoding="utf-8", newline="", write_through=False) as text:
        text.write(sign.join(field(name, _HEADER_NEEDS_QUOTES) for name in table.names) + _END)
        # Each text is quoted once, however often it stands in the table: then rows are only joined.
        columns_of_texts = []
        for column in table.columns:
            changes = is_only_column or may_match(needs_quotes, column.texts)
            changes |= guarded and may_need_guard(column.texts)
            texts = map(field, progress.each(column.texts)) if changes else column.texts
            columns_of_texts.append((np.fromiter(texts, dtype=object, count=len(column.texts)), column.codes))
        for start in range(0, table.rows, _BLOCK):
            block = [texts[codes[start : start + _BLOCK]].tolist() for texts, codes in columns_of_texts]
            text.write(_END.join(map(sign.join, zip(*block, strict=True))) + _END)
            progress.report(start / table.rows, "doing.exporting")
        text.flush()
        return buffer.getvalue()


def _format_field(text: str, needs_quotes: re.Pattern[str], *, is_only_column: bool) -> str:
    """Return a text as a CSV field: in quotes, with its quotes doubled, if it matches ``needs_quotes``; else unchanged.

    With ``is_only_column`` an empty text is quoted as well, since a reader would take the line for empty.
    """
    if needs_quotes.search(text) is None and (text or not is_only_column):
        return text
    return '"' + text.replace('"', '""') + '"'


def _sign_in(data: bytes) -> str:
    """Return the delimiter of a file written by this module: a semicolon if one follows the first name, or a comma."""
    first = _FIRST_NAME.match(data)
    return ";" if first is not None and data[first.end() : first.end() + 1] == b";" else ","


def _row_blocks(data: bytes) -> Generator[list[list[str]]]:
    """Yield a block with the header row only, empty without a header, and then the rows in blocks of many.

    Each row is a list of texts, [] for an empty line. Raises UnreadableFile for bytes that are no CSV in UTF-8. Until
    the last block was taken or the generator is closed, the csv module accepts longer fields everywhere.
    """
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        raw = io.BytesIO(data)
        with io.TextIOWrapper(raw, encoding="utf-8", errors="strict", newline="") as text:
            rows = csv.reader(text, delimiter=_sign_in(data), strict=True)
            yield list(islice(rows, 1))
            while block := list(islice(rows, _BLOCK)):
                yield block
                progress.report(raw.tell() / len(data), "doing.exporting")
    except (csv.Error, UnicodeDecodeError) as error:
        raise UnreadableFile("not a delimited file") from error
    finally:
        csv.field_size_limit(before)


def read_delimited(data: bytes) -> tuple[Column, ...]:
    """Return the columns of a CSV file written by this module, with every text as it is in the file.

    The delimiter is the sign behind the first name: a semicolon, else a comma. Apostrophes that guard formulas stay.
    All columns are nominal.

    Raises
    ------
    UnreadableFile
        When there is no header, a row is not as long as the header, or the text cannot be read.
    """
    rows = _row_blocks(data)
    header = next(rows)
    if not header:
        raise UnreadableFile("no header")
    names = header[0]
    columns = _read_by_blocks(data, len(names))
    if columns is None:
        columns = _read_by_rows(rows, len(names))
    rows.close()
    return tuple(
        Column(name=name, header=name, codes=codes, texts=texts)
        for name, (codes, texts) in zip(names, columns, strict=True)
    )


def _read_by_blocks(data: bytes, width: int) -> list[tuple[Codes, tuple[str, ...]]] | None:
    """Return the codes and distinct texts of each column, cut from blocks of bytes; None if that is impossible.

    It is impossible where a quote is out of place, a line is empty or has not ``width`` fields, or there is a NUL byte;
    rows must be read one by one then. The header is left out. Raises UnreadableFile for bytes that are no UTF-8.
    """
    if b"\0" in data:
        return None
    builders, sign = [ColumnBuilder() for _ in range(width)], ord(_sign_in(data))
    position, is_header = 0, True
    while position < len(data):
        block = locate_record_fields(data, position, min(position + _PIECE, len(data)), len(data), sign)
        if block is None or (block.fields != width).any() or block.blank().any():
            return None
        records = np.arange(1, len(block.fields)) if is_header else None
        try:
            add_block(block, records, builders)
        except UnicodeDecodeError as error:
            raise UnreadableFile("not a delimited file") from error
        position, is_header = position + block.used, False
        progress.report(position / len(data), "doing.exporting")
    try:
        return [builder.finish() for builder in builders]
    except UnicodeDecodeError as error:
        raise UnreadableFile("not a delimited file") from error


def _read_by_rows(rows: Iterator[list[list[str]]], width: int) -> list[tuple[Codes, tuple[str, ...]]]:
    """Return the codes and distinct texts of each column from blocks of rows, without the header.

    Texts are in the order in which they first appear; codes are int32, shape (rows,). Raises UnreadableFile for a row
    that has not ``width`` fields.
    """
    # A text that is new gets the next number by being looked up.
    indices: list[defaultdict[str, int]] = [defaultdict(count().__next__) for _ in range(width)]
    blocks: list[list[Codes]] = [[] for _ in range(width)]
    for block in rows:
        try:
            by_column = list(zip(*block, strict=True))
        except ValueError as error:
            raise UnreadableFile("rows of different length") from error
        if len(by_column) != width:
            raise UnreadableFile("rows of another length than the header")
        for index, parts, values in zip(indices, blocks, by_column, strict=True):
            parts.append(np.fromiter(map(index.__getitem__, values), dtype=np.int32, count=len(values)))
    empty = np.empty(0, dtype=np.int32)
    return [(np.concatenate(parts) if parts else empty, tuple(index)) for index, parts in zip(indices, blocks)]
