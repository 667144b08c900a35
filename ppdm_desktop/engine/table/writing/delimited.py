"""The delimited data file: UTF-8 without a byte-order mark, commas, CRLF, quotes only where needed.

Line ends are CRLF (RFC 4180), also because with them the csv module quotes a lone carriage
return in every Python version, so that the bytes are the same everywhere.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import numpy as np

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.guard import guard

_BLOCK = 50_000
_LONGEST_FIELD = 2**31 - 1


class _Index(dict[str, int]):
    """Gives each new text the next number."""

    def __missing__(self, text: str) -> int:
        self[text] = number = len(self)
        return number


class UnreadableFile(ValueError):
    """A written file does not read back as a table (a fault of the writer or of the disk)."""


def write_delimited(table: Table, progress: Progress, *, guarded: bool = True) -> bytes:
    """Return a table as the bytes of a CSV file."""
    keep = guard if guarded else str
    buffer = io.BytesIO()
    with io.TextIOWrapper(buffer, encoding="utf-8", newline="", write_through=False) as text:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([keep(name) for name in table.names])
        shown = [(tuple(keep(each) for each in column.texts), column.codes) for column in table.columns]
        for start in range(0, table.rows, _BLOCK):
            block = [map(texts.__getitem__, codes[start : start + _BLOCK].tolist()) for texts, codes in shown]
            writer.writerows(zip(*block, strict=True))
            progress.report(start / table.rows, "doing.writing")
        text.flush()
        return buffer.getvalue()


def delimited_rows(data: bytes) -> Iterator[list[str]]:
    """Yield the rows of a delimited file written by this module, header first, guard still on.

    Raises
    ------
    UnreadableFile
        When it is not UTF-8 or a quote is out of place.
    """
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        with io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="strict", newline="") as text:
            yield from csv.reader(text, strict=True)
    except (csv.Error, UnicodeDecodeError) as error:
        raise UnreadableFile("not a delimited file") from error
    finally:
        csv.field_size_limit(before)


def read_delimited(data: bytes, progress: Progress) -> tuple[Column, ...]:
    """Read a file written by this module, every text as it stands there.

    Raises
    ------
    UnreadableFile
        When rows differ in length or the text cannot be read.
    """
    rows = delimited_rows(data)
    header = next(rows, None)
    if header is None:
        raise UnreadableFile("no header")
    indices = [_Index() for _ in header]
    blocks: list[list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = [[] for _ in header]
    block: list[list[str]] = []

    def take() -> None:
        try:
            by_column = list(zip(*block, strict=True))
        except ValueError as error:
            raise UnreadableFile("rows of different length") from error
        if len(by_column) != len(header):
            raise UnreadableFile("rows of another length than the header")
        for index, parts, values in zip(indices, blocks, by_column, strict=True):
            parts.append(np.fromiter(map(index.__getitem__, values), dtype=np.int32, count=len(values)))
        block.clear()
        progress.check()

    for row in rows:
        block.append(row)
        if len(block) == _BLOCK:
            take()
    if block:
        take()
    empty = np.empty(0, dtype=np.int32)
    return tuple(
        Column(name=name, header=name, codes=np.concatenate(parts) if parts else empty, texts=tuple(index))
        for name, index, parts in zip(header, indices, blocks, strict=True)
    )
