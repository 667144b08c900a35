"""The file format of SPSS."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.statistics.statistics_reader import (
    SPSS_EPOCH,
    Clock,
    StatisticsReader,
    Unit,
    parse_with_pyreadstat,
)
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.statistics.number_texts import NumberFormat

_MARKS = (b"$FL2", b"$FL3")
_WEIGHT, _ROWS = 76, 80
"""Where the header names the variable of weights, 0 for none, and the number of rows, each with 32 bits."""
_NOT_KNOWN = -1
_RECORDS, _RECORD, _IS_VARIABLE = 176, 32, 2
"""Where the records of variables begin, how long each is at least, and by which number it is known."""
_LONG_NAMES = (7, 13, 1)
"""How the record of long names begins: its type, its subtype, and the size of its units."""
_FORMAT = re.compile(r"([A-Z]+)(\d*)(?:\.(\d+))?")
_MOMENTS = frozenset(
    ("DATE", "ADATE", "EDATE", "JDATE", "SDATE", "QYR", "MOYR", "WKYR", "DATETIME", "YMDHMS"),
)
_LENGTHS = frozenset(("TIME", "DTIME", "MTIME"))
_NUMBERS = frozenset(("F", "COMMA", "DOT", "DOLLAR", "PCT", "N", "CCA", "CCB", "CCC", "CCD", "CCE"))


@register
class Spss(StatisticsReader):
    """The file of SPSS, plain or compressed."""

    id = "spss"
    title = "SPSS"
    order = 60
    suffixes = (".sav", ".zsav")

    def claims(self, head: bytes) -> int:
        """Return 95 for a file that begins with the signature of the plain or the compressed form; else 0."""
        return 95 if head.startswith(_MARKS) else 0

    def parse(self, data: bytes, encoding: str | None) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Return the values of each column by its name, and the metadata, as pyreadstat parses them.

        Dates are stored numbers. Values that the file's owner declared missing are included, as they are. ``encoding``
        None takes the one that the file states.
        """
        import pyreadstat

        return parse_with_pyreadstat(pyreadstat.read_sav, data, encoding, user_missing=True)

    def clock(self, format: str) -> Clock | None:
        """Return the unit and epoch of a date or time format: seconds since 14 October 1582, or a duration in seconds.

        None for other formats.
        """
        name = _FORMAT.match(format)
        if name is not None and name[1] in _MOMENTS:
            return Clock(Unit.SECONDS, SPSS_EPOCH)
        return Clock(Unit.DURATION) if name is not None and name[1] in _LENGTHS else None

    def read_format(self, format: str) -> NumberFormat:
        """Return how a number format writes numbers: ``F8.2`` with two decimals, ``N5`` with leading zeros.

        Without a number of decimals, as in ``F8``, there are none. A format of another sort gives ``NumberFormat()``,
        the shortest text.
        """
        from ppdm_desktop.engine.table.reading.statistics.number_texts import NumberFormat

        match = _FORMAT.fullmatch(format)
        if match is None or match[1] not in _NUMBERS:
            return NumberFormat()
        return NumberFormat(int(match[3] or 0), int(match[2] or 0) if match[1] == "N" else 0)

    def is_whole(self, data: bytes, rows: int) -> bool:
        """Return whether as many rows were read as the file's header states; True if it states no number."""
        return _read_number(data, _ROWS) in (rows, _NOT_KNOWN)

    def weight(self, data: bytes) -> str:
        """Return the name of the column that the header calls the weight of each row; "" without one."""
        number = _read_number(data, _WEIGHT)
        return _find_variable_name(data, number) if number > 0 else ""

    def list_omitted(self, data: bytes, meta: Any) -> Iterator[Note]:
        """Yield warnings about what is not kept: one on a column of weights, then one for each sort of other thing."""
        if weight := self.weight(data):
            yield Note("warning.read.left-weight", {"column": Name(weight)})
        yield from super().list_omitted(data, meta)


def _find_variable_name(data: bytes, number: int) -> str:
    """Return the name of a variable by the number of its record, from 1; "" where there is none.

    Records of variables follow the header: six numbers and a name of eight letters, then the label and missing values.
    If the variable has a long name, which is in a later record, that is returned.
    """
    position, following = 0, _RECORDS
    for _ in range(number):
        position = following
        if _read_number(data, position) != _IS_VARIABLE:
            return ""
        labelled, missing = _read_number(data, position + 8), abs(_read_number(data, position + 12))
        label = 4 + -(-_read_number(data, position + _RECORD) // 4) * 4 if labelled else 0
        following = position + _RECORD + label + 8 * missing
    short = data[position + 24 : position + _RECORD].rstrip()
    return _long_names(data, position).get(short, short).decode("utf-8", "replace")


def _long_names(data: bytes, position: int) -> dict[bytes, bytes]:
    """Return the long names of variables by their short names, from the first record of them after ``position``.

    Empty where there is no such record.
    """
    start = data.find(struct.pack(f"{_byte_order(data)}iii", *_LONG_NAMES), position)
    if start < 0:
        return {}
    count = _read_number(data, start + 12)
    pairs = (pair.partition(b"=") for pair in data[start + 16 : start + 16 + count].split(b"\t"))
    return {short: long for short, _, long in pairs}


def _byte_order(data: bytes) -> str:
    """Return ``<`` for a little-endian or ``>`` for a big-endian file, as its header shows."""
    return "<" if data[64:65] in (b"\x02", b"\x03") else ">"


def _read_number(data: bytes, position: int) -> int:
    """Return the signed 32-bit number at a byte position of a file, in the file's byte order."""
    number: int = struct.unpack_from(f"{_byte_order(data)}i", data, position)[0]
    return number
