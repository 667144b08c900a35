"""The file format of SPSS for released tables."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.table.reading.formats.spss import Spss
from ppdm_desktop.engine.table.reading.statistics.statistics_reader import SPSS_EPOCH
from ppdm_desktop.engine.table.writing.base import UnreadableFile, register
from ppdm_desktop.engine.table.writing.statistics import StatisticsWriter, Stored, Value, read_with_pyreadstat
from ppdm_desktop.engine.wording.catalogue import lazy

_PROGRAM, _TIME, _HEAD = slice(4, 64), slice(92, 109), 176
_NEUTRAL_PROGRAM, _NEUTRAL_TIME = b"@(#) SPSS DATA FILE".ljust(60), b"01 Jan 0000:00:00"
_LOWEST_NUMBER = -1_000_000_000.0
"""Below it lie the missing values that stand for words among numbers."""
_DAY = 86_400
_NUMBER = re.compile(r"F([0-9]+)\.([0-9]+)")
_WIDTHS = {"labels": 8, "fixed": 20, "shortest": 40}
_KINDS = {width: kind for kind, width in _WIDTHS.items()}


@register
class Sav(StatisticsWriter):
    """The file of SPSS, with value labels and without notes."""

    id = "sav"
    title = "SPSS"
    order = 30
    suffix = ".sav"
    form = lazy("SPSS (.sav): labels beside their codes, days as dates, changed names of columns as their labels")
    most_name = 64
    most_title = 255
    most_label = 120
    most_text = 32_000
    most_missing = 3
    keeps_blanks = False
    reserved = frozenset(
        ("all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"),
    )
    first_day = dt.date(1582, 10, 15)

    def measure(self, text: str) -> int:
        """Return the length of a name or label in bytes of UTF-8, as SPSS counts it."""
        return len(text.encode("utf-8", "replace"))

    def word_value(self, number: int) -> Value | None:
        """Return a number far below all others for the n-th missing word among numbers, from 0; None beyond three."""
        return _LOWEST_NUMBER - number if number < self.most_missing else None

    def is_word(self, value: Value) -> bool:
        """Return whether a missing value stands for a word, which numbers at or below minus a billion do."""
        return isinstance(value, float) and value <= _LOWEST_NUMBER

    def day_value(self, day: dt.date) -> float:
        """Return the seconds from 14 October 1582, the epoch of SPSS, to the beginning of a day."""
        return float((day - SPSS_EPOCH).days * _DAY)

    def day_of(self, value: float) -> dt.date:
        """Return the day that a number of seconds since 14 October 1582 stands for."""
        return SPSS_EPOCH + dt.timedelta(seconds=value)

    def write_file(self, path: Path, frame: Any, stored: Sequence[Stored], titles: Sequence[str]) -> None:
        """Write the columns of a frame to an SPSS file, with how each is stored (labels, missing values) and its label.

        ``frame`` is a pandas data frame; ``stored`` and ``titles`` are in the order of its columns, and an empty title
        gives no label. The values of a column that mean "missing" are declared as missing only if there are at most
        three, else none of them is. ModuleNotFoundError is raised without pyreadstat.
        """
        import pyreadstat

        plans = dict(zip(frame.columns, stored, strict=True))
        pyreadstat.write_sav(
            frame,
            str(path),
            column_labels=[title or None for title in titles],
            row_compress=True,
            variable_value_labels={name: dict(plan.labels) for name, plan in plans.items() if plan.labels},
            missing_ranges={
                name: list(plan.missing) for name, plan in plans.items() if 0 < len(plan.missing) <= self.most_missing
            },
            variable_format={name: _choose_format(plan) for name, plan in plans.items() if plan.kind != "texts"},
        )

    def neutral(self, data: bytes) -> bytes:
        """Return the bytes of the file with a fixed time of writing, and with only the format's name as its program."""
        changed = bytearray(data)
        changed[_PROGRAM], changed[_TIME] = _NEUTRAL_PROGRAM, _NEUTRAL_TIME
        return bytes(changed)

    def head(self, data: bytes) -> bytes:
        """Return the header of the file, its first 176 bytes."""
        return data[:_HEAD]

    def parse(self, data: bytes) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Return the values of each column by name, and pyreadstat's metadata; raise UnreadableFile for a cut file.

        Other damage raises pyreadstat's own errors.
        """
        import pyreadstat

        columns, meta = read_with_pyreadstat(pyreadstat.read_sav, data)
        rows = {len(values) for values in columns.values()}
        if len(rows) > 1 or not Spss().is_whole(data, max(rows, default=0)):
            raise UnreadableFile("cut short")
        return columns, meta

    def kind_of(self, format: str) -> tuple[str, int]:
        """Return what a column holds, by its SPSS format: the ``Stored.kind``, and its decimals.

        The width of the format is 8 for labels, 20 for numbers with equally many decimals, and 40 for numbers without
        needless zeros. Any format but ``F`` with decimals gives ("days", 0), that of texts too.
        """
        number = _NUMBER.fullmatch(format)
        return ("days", 0) if number is None else (_KINDS[int(number[1])], int(number[2]))


def _choose_format(stored: Stored) -> str:
    """Return the SPSS format of a column that does not hold texts, by which ``kind_of`` recognises it later.

    ``SDATE10`` for days, ``F8.0`` for labels, ``F20.2`` for two fixed decimals, and ``F40.2`` for numbers of the kind
    "shortest" with two decimals at most.
    """
    if stored.kind == "days":
        return "SDATE10"
    return f"F{_WIDTHS[stored.kind]}.{stored.decimals}"
