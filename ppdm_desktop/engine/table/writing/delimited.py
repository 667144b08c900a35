"""The delimited data file: UTF-8 without a byte-order mark, commas, CRLF, quotes only where needed.

Line ends are CRLF (RFC 4180), also because with them the csv module quotes a lone carriage
return in every Python version, so that the bytes are the same everywhere.
"""

from __future__ import annotations

import csv
import io
from collections import defaultdict
from collections.abc import Iterator
from itertools import count, islice

import numpy as np

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.base import UnreadableFile
from ppdm_desktop.engine.table.writing.guard import guard

_BLOCK = 5_000
_LONGEST_FIELD = 2**31 - 1


def write_delimited(table: Table, progress: Progress, *, guarded: bool = True) -> bytes:
    """Return a table as the bytes of a CSV file."""
    keep = guard if guarded else str
    buffer = io.BytesIO()
    with io.TextIOWrapper(buffer, encoding="utf-8", newline="", write_through=False) as text:
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([keep(name) for name in table.names])
        shown = [(tuple(map(keep, progress.each(column.texts))), column.codes) for column in table.columns]
        for start in range(0, table.rows, _BLOCK):
            block = [map(texts.__getitem__, codes[start : start + _BLOCK].tolist()) for texts, codes in shown]
            writer.writerows(zip(*block, strict=True))
            progress.report(start / table.rows, "doing.writing")
        text.flush()
        return buffer.getvalue()


def _row_blocks(data: bytes, progress: Progress) -> Iterator[list[list[str]]]:
    before = csv.field_size_limit(_LONGEST_FIELD)
    try:
        raw = io.BytesIO(data)
        with io.TextIOWrapper(raw, encoding="utf-8", errors="strict", newline="") as text:
            rows = csv.reader(text, strict=True)
            yield list(islice(rows, 1))
            while block := list(islice(rows, _BLOCK)):
                yield block
                progress.report(raw.tell() / len(data), "doing.writing")
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
    rows = _row_blocks(data, progress)
    first = next(rows)
    if not first:
        raise UnreadableFile("no header")
    header = first[0]
    # A text that is new gets the next number by being looked up.
    indices: list[defaultdict[str, int]] = [defaultdict(count().__next__) for _ in header]
    blocks: list[list[np.ndarray[tuple[int], np.dtype[np.int32]]]] = [[] for _ in header]
    for block in rows:
        try:
            by_column = list(zip(*block, strict=True))
        except ValueError as error:
            raise UnreadableFile("rows of different length") from error
        if len(by_column) != len(header):
            raise UnreadableFile("rows of another length than the header")
        for index, parts, values in zip(indices, blocks, by_column, strict=True):
            parts.append(np.fromiter(map(index.__getitem__, values), dtype=np.int32, count=len(values)))
    empty = np.empty(0, dtype=np.int32)
    return tuple(
        Column(name=name, header=name, codes=np.concatenate(parts) if parts else empty, texts=tuple(index))
        for name, index, parts in zip(header, indices, blocks, strict=True)
    )
