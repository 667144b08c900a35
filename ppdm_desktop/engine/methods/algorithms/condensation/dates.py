"""Dates as whole numbers on the grid of their format: years, months, days, hours, minutes or seconds."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import DateFormat

_START = datetime(1970, 1, 1)
_UNITS = (("%S", timedelta(seconds=1)), ("%M", timedelta(minutes=1)), ("%H", timedelta(hours=1)))
_DAY = timedelta(days=1)


@dataclass(frozen=True)
class DateGrid:
    """How the dates of a column are counted and written.

    Attributes
    ----------
    pattern
        As in the recipe, ``%d.%m.%Y``.
    padded
        Whether days and months below ten have a leading zero.
    """

    pattern: str
    padded: bool

    @classmethod
    def of(cls, column: Column) -> DateGrid:
        """Return how a date column is written.

        Raises
        ------
        InputError
            When a value holds more than the format says (a time zone, parts of a second):
            artificial dates could not look like it.
        """
        form = DateFormat.parse(column.date_format or "%Y-%m-%d")
        assert form is not None
        padded, bare = cls(form.pattern, True), cls(form.pattern, False)
        texts = [text for text in column.texts if text not in column.missing_texts]
        plain = [(padded.text(count), bare.text(count)) for count in map(padded.count, texts)]
        if "%H" in form.pattern and any(text not in pair for text, pair in zip(texts, plain, strict=True)):
            raise InputError("error.condensation.date-form", column=column.name)
        is_padded = all(text == pair[0] for text, pair in zip(texts, plain, strict=True))
        is_bare = all(text == pair[1] for text, pair in zip(texts, plain, strict=True))
        return padded if is_padded or not is_bare else bare

    def count(self, text: str) -> int:
        """Return a date's position on the grid."""
        form = DateFormat.parse(self.pattern)
        reading = form.read(text) if form is not None else None
        if reading is None:
            raise ValueError("not a date of this format")
        moment = reading[0]
        for sign, unit in _UNITS:
            if sign in self.pattern:
                return (moment - _START) // unit
        if "%d" in self.pattern:
            return (moment - _START) // _DAY
        months = 12 * moment.year + moment.month - 1
        return months if "%m" in self.pattern else moment.year

    @property
    def ends(self) -> tuple[int, int]:
        """First and last position that the format can write, whatever the data."""
        first, last = (1970, 2069) if "%y" in self.pattern else (1, 9999)
        for sign, unit in (*_UNITS, ("%d", _DAY)):
            if sign in self.pattern:
                low = (datetime(first, 1, 1) - _START) // unit
                return low, (datetime(last, 12, 31) - _START) // unit
        return (12 * first, 12 * last + 11) if "%m" in self.pattern else (first, last)

    def text(self, count: int) -> str:
        """Return the text of the date at a position of the grid."""
        moment = self._moment(count)
        parts = {
            "%Y": f"{moment.year:04}",
            "%y": f"{moment.year % 100:02}",
            "%m": f"{moment.month:02}" if self.padded else str(moment.month),
            "%d": f"{moment.day:02}" if self.padded else str(moment.day),
            "%H": f"{moment.hour:02}",
            "%M": f"{moment.minute:02}",
            "%S": f"{moment.second:02}",
        }
        written = self.pattern
        for sign, part in parts.items():
            written = written.replace(sign, part)
        return written

    def _moment(self, count: int) -> datetime:
        """Return the date at a position of the grid."""
        for sign, unit in (*_UNITS, ("%d", _DAY)):
            if sign in self.pattern:
                return _START + count * unit
        if "%m" in self.pattern:
            return datetime(count // 12, count % 12 + 1, 1)
        return datetime(count, 1, 1)

    def counts(self, column: Column) -> Ints:
        """Return each row's position on the grid, 0 where missing."""
        per_text = [0 if text in column.missing_texts else self.count(text) for text in column.texts]
        return np.array(per_text, dtype=np.int64)[column.codes] if per_text else np.zeros(0, dtype=np.int64)
