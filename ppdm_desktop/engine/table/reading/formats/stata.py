"""The file format of Stata."""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ppdm_desktop.engine.table.reading.base import register
from ppdm_desktop.engine.table.reading.statistics.statistics_reader import (
    WESTERN,
    Clock,
    StatisticsReader,
    Unit,
    parse_with_pyreadstat,
)
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.statistics.number_texts import NumberFormat

_MARK, _END = b"<stata_dta>", b"</stata_dta>"
_OLD = range(104, 116)
"""Releases before 117 begin with their number, the order of bytes (1 or 2) and a 1."""
_RELEASE = re.compile(rb"<stata_dta><header><release>(\d{3})</release>")
_UNICODE = 118
_UTF_8 = "UTF-8"
_BYTES = "ISO-8859-1"
"""In which each byte is a letter."""
_FIXED = re.compile(r"%-?(0?)(\d+)[.,](\d+)fc?")
_TIMED = re.compile(r"%-?(?:t([A-Za-z])|d)")
_GENERIC = "g"
"""A number that counts whatever its owner knows."""
_CLOCKS = {
    "d": Unit.DAYS,
    "c": Unit.MILLISECONDS,
    "w": Unit.WEEKS,
    "m": Unit.MONTHS,
    "q": Unit.QUARTERS,
    "h": Unit.HALVES,
    "y": Unit.YEARS,
}


@register
class Stata(StatisticsReader):
    """The file of Stata, of any release that is in use."""

    id = "stata"
    title = "Stata"
    order = 70
    suffixes = (".dta",)
    letters = frozenset(string.ascii_lowercase)

    def claims(self, head: bytes) -> int:
        """Return 95 for a file with the signature of newer releases, 85 for one that begins like older ones; else 0."""
        if head.startswith(_MARK):
            return 95
        old = len(head) > 3 and head[0] in _OLD and head[1] in (1, 2) and head[2:4] == b"\x01\x00"
        return 85 if old else 0

    def parse(self, data: bytes, encoding: str | None) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Return the values of each column by its name, and the metadata, as pyreadstat parses them.

        Dates are stored numbers. Values that are missing by a letter (``.a`` to ``.z``) are given as this letter.
        ``encoding`` None takes the one that the file states.
        """
        import pyreadstat

        return parse_with_pyreadstat(pyreadstat.read_dta, data, encoding, user_missing=True)

    def encodings(self, data: bytes) -> tuple[str | None, ...]:
        """Return the encodings to try in turn: from release 118 on None (what the file states), then that of Windows.

        For earlier releases it is a single one: UTF-8 if all texts and labels are UTF-8, else Windows-1252. They do not
        state their encoding, and a text that is no UTF-8 would be cut silently, so the file is parsed to test all
        texts.
        """
        release = _RELEASE.match(data)
        if release is not None and int(release[1]) >= _UNICODE:
            return super().encodings(data)
        columns, meta = self.parse(data, _BYTES)
        labels = (
            *(meta.column_labels or ()),
            *(label for value_label in meta.value_labels.values() for label in value_label.values()),
        )
        texts = {text for values in (*columns.values(), labels) for text in values if isinstance(text, str)}
        not_ascii = [text for text in texts if not text.isascii()]
        try:
            for text in not_ascii:
                text.encode(_BYTES).decode(_UTF_8)
        except UnicodeError:
            return (WESTERN,)
        return (_UTF_8,)

    def is_whole(self, data: bytes, rows: int) -> bool:
        """Return whether a file of a newer release has the mark at its end; True for older ones, which have none."""
        return not data.startswith(_MARK) or data.rstrip(b"\0\r\n ").endswith(_END)

    def list_omitted(self, data: bytes, meta: Any) -> Iterator[Note]:
        """Yield warnings: one on columns whose value labels are not in the file, then one for each thing not kept."""
        lost = [name for name, labels in meta.variable_to_label.items() if labels not in meta.value_labels]
        if lost:
            yield Note("warning.read.labels-lost", {"columns": Names.of(lost), "count": len(lost)})
        yield from super().list_omitted(data, meta)

    def clock(self, format: str) -> Clock | None:
        """Return the unit and epoch of a date or time format (``%td``: days since 1960); None for other formats.

        The epoch is always 1 January 1960. The unit is None for leap seconds (``%tC``) and business days (``%tb``),
        which cannot be converted. None, too, for ``%tg``.
        """
        match = _TIMED.match(format)
        if match is None or match[1] == _GENERIC:
            return None
        return Clock(_CLOCKS.get(match[1] or "d"))

    def read_format(self, format: str) -> NumberFormat:
        """Return how a number format writes numbers: ``%8.2f`` with two decimals, ``%05.0f`` with leading zeros.

        Any other format gives ``NumberFormat()``, the shortest text.
        """
        from ppdm_desktop.engine.table.reading.statistics.number_texts import NumberFormat

        match = _FIXED.fullmatch(format)
        return NumberFormat() if match is None else NumberFormat(int(match[3]), int(match[2]) if match[1] else 0)
