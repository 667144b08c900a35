"""The file format of Stata for released tables."""

from __future__ import annotations

import datetime as dt
import re
import string
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.table.reading.formats.stata import Stata
from ppdm_desktop.engine.table.writing.base import UnreadableFile, register
from ppdm_desktop.engine.table.writing.statistics import StatisticsWriter, Stored, Value, read_with_pyreadstat
from ppdm_desktop.engine.wording.catalogue import lazy

_RELEASE = 14
"""Of the program: the first whose files are in UTF-8, and the oldest that reads them."""
_EPOCH = dt.date(1960, 1, 1)
_TIME = re.compile(rb"(?<=<timestamp>\x11).{17}(?=</timestamp>)", re.DOTALL)
_NEUTRAL_TIME = b"01 Jan 2000 00:00"
_LABELS = "%8.0f"
_FIXED = re.compile(r"%[0-9]+\.([0-9]+)f")


@register
class Dta(StatisticsWriter):
    """The file of Stata from release 14, with value labels and without notes."""

    id = "dta"
    title = "Stata"
    order = 40
    suffix = ".dta"
    form = lazy("Stata 14 (.dta): labels beside their codes, days as dates, changed names of columns as their labels")
    most_name = 32
    most_title = 80
    most_label = 32_000
    most_text = 1_000_000
    reserved = frozenset(
        (
            *("_all", "_b", "_coef", "_cons", "_n", "_pi", "_pred", "_rc", "_skip", "byte", "double", "float", "if"),
            *("in", "int", "long", "str", "strl", "using", "with"),
        )
    )
    first_day = dt.date(100, 1, 1)

    def measure(self, text: str) -> int:
        """Return the length of a name or label in characters, as Stata counts it."""
        return len(text)

    def word_value(self, number: int) -> Value | None:
        """Return the letter of the missing value for the n-th word among numbers, from 0; None beyond the 26th.

        The letter "a" stands for the missing value ``.a``.
        """
        return string.ascii_lowercase[number] if number < len(string.ascii_lowercase) else None

    def day_value(self, day: dt.date) -> float:
        """Return the number of days from 1 January 1960 to a day; negative before it."""
        return float((day - _EPOCH).days)

    def day_of(self, value: float) -> dt.date:
        """Return the day that a number of days since 1 January 1960 stands for."""
        return _EPOCH + dt.timedelta(days=value)

    def write_file(self, path: Path, frame: Any, stored: Sequence[Stored], titles: Sequence[str]) -> None:
        """Write the columns of a frame to a Stata file, with how each is stored (labels, missing values) and its label.

        ``frame`` is a pandas data frame; ``stored`` and ``titles`` are in the order of its columns, and an empty title
        gives no label. Of the values that mean "missing", only those that are letters are declared as missing; numbers
        stay ordinary values. ModuleNotFoundError is raised without pyreadstat.
        """
        import pyreadstat

        plans = dict(zip(frame.columns, stored, strict=True))
        letters = {name: [value for value in plan.missing if isinstance(value, str)] for name, plan in plans.items()}
        pyreadstat.write_dta(
            frame,
            str(path),
            column_labels=[title or None for title in titles],
            version=_RELEASE,
            variable_value_labels={name: dict(plan.labels) for name, plan in plans.items() if plan.labels},
            missing_user_values={name: listed for name, listed in letters.items() if listed},
            variable_format={name: _choose_format(plan) for name, plan in plans.items() if plan.kind != "texts"},
        )

    def neutral(self, data: bytes) -> bytes:
        """Return the bytes of the file with 1 January 2000 as its time of writing."""
        return _TIME.sub(_NEUTRAL_TIME, data, count=1)

    def head(self, data: bytes) -> bytes:
        """Return the bytes of the file up to the end of its header."""
        return data.partition(b"</header>")[0]

    def parse(self, data: bytes) -> tuple[Mapping[str, Sequence[Any]], Any]:
        """Return the values of each column by name, and pyreadstat's metadata; raise UnreadableFile for a cut file.

        Other damage raises pyreadstat's own errors.
        """
        import pyreadstat

        if not Stata().is_whole(data, 0):
            raise UnreadableFile("cut short")
        return read_with_pyreadstat(pyreadstat.read_dta, data)

    def kind_of(self, format: str) -> tuple[str, int]:
        """Return what a column holds, by its Stata format: the ``Stored.kind``, and the decimals of its numbers.

        ``%16.2f`` gives ("fixed", 2), and other widths likewise, but ``%8.0f``, the format of labelled codes,
        ("labels", 0). Formats that begin with ``%td`` give ("days", 15), all others ("shortest", 15), ``%16.0g`` too.
        """
        fixed = _FIXED.fullmatch(format)
        if fixed is not None:
            return ("labels" if format == _LABELS else "fixed"), int(fixed[1])
        return ("days" if format.startswith("%td") else "shortest"), 15


def _choose_format(stored: Stored) -> str:
    """Return the Stata format of a column that does not hold texts, by which ``kind_of`` recognises it later.

    ``%tdCCYY-NN-DD`` for days, ``%16.0g`` for numbers of the kind "shortest", ``%16.2f`` for two fixed decimals, and
    ``%8.0f`` for labels.
    """
    if stored.kind == "days":
        return "%tdCCYY-NN-DD"
    if stored.kind == "labels":
        return _LABELS
    return "%16.0g" if stored.kind == "shortest" else f"%16.{stored.decimals}f"
