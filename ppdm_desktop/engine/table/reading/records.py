"""Delimited text record by record, through the ``csv`` module: the careful way."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from typing import NamedTuple

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.blocks import LONGEST_FIELD
from ppdm_desktop.engine.table.reading.text_file import Text


class Record(NamedTuple):
    """One record.

    Attributes
    ----------
    line
        Line of the file where it begins, from 1.
    lines
        How many lines it takes.
    end
        Position in the bytes after it.
    fields
        Its texts; empty for a blank line; None when a quote stands out of place.
    """

    line: int
    lines: int
    end: int
    fields: list[str] | None


class _Lines:
    """Hands out lines one at a time and remembers how far it has come."""

    def __init__(self, data: Text, position: int, end: int) -> None:
        self._data = data
        self._end = end
        self.position = position
        self.taken = 0
        self.exhausted = False

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
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


def records(data: Text, position: int, line: int, delimiter: str, end: int | None = None) -> Iterator[Record]:
    """Read records from a position on.

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
        When a quote is opened and not closed.
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
