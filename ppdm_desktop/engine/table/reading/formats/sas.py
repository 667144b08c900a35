"""The file formats of SAS."""

from __future__ import annotations

import re
import string
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.statistics.statistics_reader import (
    Clock,
    StatisticsReader,
    Unit,
    parse_with_pyreadstat,
)

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.statistics.number_texts import NumberFormat

_DATA_SET = bytes.fromhex("000000000000000000000000c2ea8160b31411cfbd92080009c7318c181f1011")
_TRANSPORT = re.compile(rb"HEADER RECORD\*{7}(LIBRARY |LIBV8   )HEADER RECORD!{7}")
_MEMBER = re.compile(rb"HEADER RECORD\*{7}(?:MEMBER  |MEMBV8  )HEADER RECORD!{7}")
_RECORD = 80
_FORMAT = re.compile(r"([A-Z$_](?:[A-Z0-9_]*[A-Z_])?|)(\d*)\.?(\d*)")
# Whole names, for a format of the owner's own may begin like one of these: YEARS is no YEAR.
_SEPARATED = ("DDMMYY", "MMDDYY", "YYMMDD", "MMYY", "YYMM", "YYQ", "YYQR")
_DAYS = frozenset(
    (
        *("DATE", "DAY", "MONYY", "YYMON", "YEAR", "QTR", "QTRR", "YYQZ", "MONTH", "MONNAME", "DOWNAME"),
        *("JULIAN", "JULDAY", "PDJULG", "PDJULI", "WEEKDATE", "WEEKDATX", "WEEKDAY", "WEEKU", "WEEKV", "WEEKW"),
        *("WORDDATE", "WORDDATX", "E8601DA", "B8601DA", "IS8601DA", "NLDATE", "MINGUO", "NENGO", "HDATE", "HEBDATE"),
        *(name + sign for name in _SEPARATED for sign in ("", *"BCDNPS")),
    )
)
_SECONDS = frozenset(
    (
        *("DATETIME", "DATEAMPM", "MDYAMPM", "DTDATE", "DTMONYY", "DTWKDATX", "DTYEAR", "DTYYQC", "NLDATM"),
        *("E8601DT", "E8601DZ", "E8601LX", "E8601DN", "B8601DT", "B8601DZ", "B8601LX", "B8601DN", "IS8601DT"),
    )
)
_LENGTHS = frozenset(
    (
        *("TIME", "TIMEAMPM", "HHMM", "MMSS", "TOD", "HOUR", "NLTIME", "NLTIMAP", "IS8601TM"),
        *("E8601TM", "E8601TZ", "E8601LZ", "B8601TM", "B8601TZ", "B8601LZ"),
    )
)
_CLOCKS = ((_DAYS, Unit.DAYS), (_SECONDS, Unit.SECONDS), (_LENGTHS, Unit.DURATION))
_NUMBERS = frozenset(("", "F", "COMMA", "COMMAX", "DOLLAR", "NEGPAREN", "EURO", "EUROX", "NUMX", "Z"))


@register
class Sas(StatisticsReader):
    """The data set of SAS, and its transport file."""

    id = "sas"
    title = "SAS"
    order = 80
    suffixes = (".sas7bdat", ".xpt")
    letters = frozenset(string.ascii_uppercase + "_")

    def claims(self, head: bytes) -> int:
        """Return 95 for a file that begins with the signature of a data set or of a transport file; else 0."""
        return 95 if head.startswith(_DATA_SET) or _TRANSPORT.match(head) else 0

    def parse(self, data: bytes, encoding: str | None) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Return the values of each column by its name, and the metadata, as pyreadstat parses them.

        Dates are stored numbers. In a data set, values that are missing by a letter (``.A``) are given as this letter;
        in a transport file, as missing. ``encoding`` None takes the one that the file states.

        Raises
        ------
        InputError
            When a transport file holds several tables, of which only the first would be read.
        """
        import pyreadstat

        if not _TRANSPORT.match(data):
            return parse_with_pyreadstat(pyreadstat.read_sas7bdat, data, encoding, user_missing=True)
        tables = len(_MEMBER.findall(data))
        if tables > 1:
            raise InputError("error.read.several-tables", args={"count": tables})
        return parse_with_pyreadstat(pyreadstat.read_xport, data, encoding)

    def is_whole(self, data: bytes, rows: int) -> bool:
        """Return whether a transport file consists of whole records of 80 bytes; True for any other SAS file."""
        return not _TRANSPORT.match(data) or len(data) % _RECORD == 0

    def clock(self, format: str) -> Clock | None:
        """Return the unit and epoch of a date or time format: days or seconds since 1960, or a duration; else None."""
        match = _FORMAT.fullmatch(format.upper())
        return next((Clock(unit) for names, unit in _CLOCKS if match is not None and match[1] in names), None)

    def read_format(self, format: str) -> NumberFormat:
        """Return how a number format writes numbers: ``F8.2`` with two decimals, ``Z5`` with leading zeros.

        Without a number of decimals, as in ``F8``, there are none. A format without a width, or of another sort, gives
        ``NumberFormat()``, the shortest text.
        """
        from ppdm_desktop.engine.table.reading.statistics.number_texts import NumberFormat

        match = _FORMAT.fullmatch(format.upper())
        if match is None or match[1] not in _NUMBERS or not match[2]:
            return NumberFormat()
        return NumberFormat(int(match[3] or 0), int(match[2]) if match[1] == "Z" else 0)
