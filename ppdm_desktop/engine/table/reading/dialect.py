"""Guess the delimiter of a text file: the sign that gives rows of equal length."""

from __future__ import annotations

import csv
import re
from collections import Counter
from dataclasses import dataclass

from ppdm_desktop.engine.table.reading.text_file import Text

CANDIDATES = (";", ",", "\t", "|")
ONE_COLUMN = ""
_SAMPLE = 256 * 2**10
_MOST_RECORDS = 2000
_DIGITS = re.compile(r"[-+]?[0-9]*")
_OTHER_SIGNS = "~^!#$%&*+/:=?\\`"
"""Signs that may separate columns and are not tried; those of words, numbers and addresses are none of them."""
_NEARLY_ALL = 0.95
_LEAST_LINES = 3
_QUOTED = re.compile(r'"[^"]*"')
_FIGURE = re.compile(
    r"(?:[\s0-9.,:/+*%$=-]|[ap]\.?m\b|t|z\b|utc|gmt"
    r"|(?:jan|feb|mar|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])[a-z]*)*",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class _Score:
    """How well a delimiter splits a sample.

    Share of rows of the usual width, that width, and whether the first row fits.
    """

    delimiter: str
    share: float
    width: int
    first_fits: bool

    def rank(self) -> tuple[float, bool, int]:
        """Return a sort key: larger for a better delimiter."""
        return round(self.share, 3), self.first_fits, self.width


def guess_delimiter(data: Text) -> str:
    """Return the delimiter of UTF-8 text; "" when the file has one column."""
    sample = _sample(data)
    scores = [score for sign in CANDIDATES if (score := _score(sample, sign)) is not None]
    sound = [score for score in scores if score.share >= 0.5]
    if sound:
        return max(sound, key=_Score.rank).delimiter
    absent = [sign for sign in (",", ";", "\t", "|") if sign.encode() not in data]
    return absent[0] if absent else ONE_COLUMN


def unusual_delimiter(data: Text, line: int) -> tuple[str, int] | None:
    """Return an unusual sign that may separate the columns, and their number, for a file that was read as one column.

    It stands equally often in nearly every line, in that of the names as well, and has something on both sides. Dates,
    times, amounts and the like are one value each, whatever stands between digits.

    Parameters
    ----------
    data
        UTF-8 text.
    line
        1-based line of the column names.
    """
    lines = [_QUOTED.sub("x", text) for text in _sample(data).splitlines()[line - 1 :] if text.strip()]
    lines = lines[:_MOST_RECORDS]
    if len(lines) < _LEAST_LINES:
        return None
    only_figures = sum(_FIGURE.fullmatch(text) is not None for text in lines[1:]) >= _NEARLY_ALL * (len(lines) - 1)
    delimiters = []
    for sign in _OTHER_SIGNS:
        times = lines[0].count(sign)
        if not times or not _parts(lines[0], sign) or (only_figures and _FIGURE.fullmatch(sign)):
            continue
        if sum(text.count(sign) == times and _parts(text, sign) for text in lines) >= _NEARLY_ALL * len(lines):
            delimiters.append((sign, times + 1))
    return max(delimiters, key=lambda candidate: candidate[1], default=None)


def _parts(line: str, sign: str) -> bool:
    """Return whether a line has text on both sides of a sign."""
    return sum(bool(part.strip()) for part in line.split(sign)) > 1


def _sample(data: Text) -> str:
    """Return the beginning of a text up to its last whole line."""
    if len(data) <= _SAMPLE:
        return data[:_SAMPLE].decode("utf-8")
    text = data[:_SAMPLE].decode("utf-8", "ignore")
    cut = text.rfind("\n")
    return text[: cut + 1] if cut > 0 else text


def _score(sample: str, sign: str) -> _Score | None:
    """Return how well a sign splits a sample into rows of equal length; None where it does not."""
    rows: list[list[str]] = []
    try:
        for row in csv.reader(sample.splitlines(keepends=True), delimiter=sign):
            if row:
                rows.append(row)
            if len(rows) >= _MOST_RECORDS:
                break
    except csv.Error:
        pass
    if not rows:
        return None
    widths = Counter(map(len, rows))
    width, rows_of_width = max(widths.items(), key=lambda item: (item[1], item[0]))
    if width < 2:
        return None
    share = rows_of_width / len(rows)
    first_fits = len(rows[0]) == width
    if sign == "," and not first_fits and _decimal_commas(rows, width):
        return None
    return _Score(sign, share, width, first_fits)


def _decimal_commas(rows: list[list[str]], width: int) -> bool:
    """Return whether the comma only ever stands between digits, so that it is a decimal mark."""
    if width != 2 or len(rows[0]) != 1:
        return False
    return all(_DIGITS.fullmatch(field) for row in rows[1:] if len(row) == 2 for field in row)
