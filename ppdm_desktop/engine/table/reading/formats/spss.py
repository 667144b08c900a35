"""SPSS."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.statistics.moments import SPSS_EPOCH, Unit
from ppdm_desktop.engine.table.reading.statistics.statistics_reader import Clock, StatisticsReader, parsed_by
from ppdm_desktop.engine.wording.texts import Note

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.statistics.number_texts import Shown

_MARKS = (b"$FL2", b"$FL3")
_WEIGHT, _ROWS = 76, 80
"""Where the header names the variable of weights, 0 for none, and the number of rows, each with 32 bits."""
_NOT_KNOWN = -1
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
        """Claim what begins with the mark of either form."""
        return 95 if head.startswith(_MARKS) else 0

    def parse(self, data: bytes, encoding: str | None) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Let pyreadstat parse it, with the values that its owner calls missing."""
        import pyreadstat

        return parsed_by(pyreadstat.read_sav, data, encoding, user_missing=True)

    def clock(self, format: str) -> Clock | None:
        """Say what the format counts: seconds since the calendar's beginning, or of a length of time."""
        name = _FORMAT.match(format)
        if name is not None and name[1] in _MOMENTS:
            return Clock(Unit.SECONDS, SPSS_EPOCH)
        return Clock(Unit.DURATION) if name is not None and name[1] in _LENGTHS else None

    def shown(self, format: str) -> Shown:
        """Say how the format shows numbers: ``F8.2`` with two decimals, ``N5`` with leading zeros."""
        from ppdm_desktop.engine.table.reading.statistics.number_texts import Shown

        match = _FORMAT.fullmatch(format)
        if match is None or match[1] not in _NUMBERS:
            return Shown()
        return Shown(int(match[3] or 0), int(match[2] or 0) if match[1] == "N" else 0)

    def is_whole(self, data: bytes, rows: int) -> bool:
        """Hold the rows against those of the header, which may not know."""
        return _number(data, _ROWS) in (rows, _NOT_KNOWN)

    def left(self, data: bytes, meta: Any) -> Iterator[Note]:
        """Name what is left behind, weights among it."""
        if _number(data, _WEIGHT):
            yield Note("warning.read.left-weight")
        yield from super().left(data, meta)


def _number(data: bytes, position: int) -> int:
    """Return a number of the header, whose order of bytes the layout code shows: it is 2 or 3."""
    order = "<" if data[64:65] in (b"\x02", b"\x03") else ">"
    number: int = struct.unpack_from(f"{order}i", data, position)[0]
    return number
