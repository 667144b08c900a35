"""What always holds in a table, and which rows of a release break it; knows nothing of the program's own rules."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import product
from typing import Literal

import numpy as np
import pandas as pd

_DATE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?|-Q([1-4])|-W(\d\d))?")
_NUMBER = re.compile(r"(?<![\d.])-?\d+(?:\.\d+)?")
_STEPS = tuple(factor * 10.0**power for power in range(6, -4, -1) for factor in (5, 2, 1))
Ends = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Truth:
    """Something that holds in every row.

    Attributes
    ----------
    kind
        What is said: two words that go together, a range, a list of numbers, a first number or date that is at most
        the second, or a last number that is the sum of the others.
    columns
        Of what.
    pairs, low, high, values
        The pairs that occur, the ends of the range, and the list.
    """

    kind: Literal["pair", "range", "list", "order", "sum"]
    columns: tuple[str, ...]
    pairs: frozenset[tuple[str, str]] = frozenset()
    low: float = -np.inf
    high: float = np.inf
    values: frozenset[float] = frozenset()

    def broken(self, source: pd.DataFrame, released: pd.DataFrame) -> np.ndarray:
        """Say which released rows break it whatever their ranges and broader words may stand for, shape (rows,)."""
        if not set(self.columns) <= set(released):
            return np.zeros(len(released), dtype=bool)
        if self.kind == "pair":
            return self._broken_pairs(source, released)
        ends = [ends_of(source[name], released[name]) for name in self.columns]
        low, high = ends[0]
        with np.errstate(invalid="ignore"):
            if self.kind == "range":
                broken = (high < self.low) | (low > self.high)
            elif self.kind == "list":
                broken = (low == high) & ~np.isin(low, list(self.values))
            elif self.kind == "order":
                broken = low > ends[1][1]
            else:
                (*parts, total), slack = ends, 1e-6 * np.maximum(np.abs(ends[-1][1]), 1)
                broken = (sum(part[0] for part in parts) > total[1] + slack) | (
                    sum(part[1] for part in parts) < total[0] - slack
                )
        return np.asarray(broken)

    def _broken_pairs(self, source: pd.DataFrame, released: pd.DataFrame) -> np.ndarray:
        first, second = ([*map(str, released[name])] for name in self.columns)
        words = [{*map(str, source[name])} for name in self.columns]
        fits = {
            shown: any(pair in self.pairs for pair in product(*(map(meanings, shown, words)))) or "" in shown
            for shown in set(zip(first, second, strict=True))
        }
        return np.array([not fits[shown] for shown in zip(first, second, strict=True)], dtype=bool)


def meanings(shown: str, words: Iterable[str]) -> set[str]:
    """Return the words that a shown text may stand for: itself, those of a set in braces, of a beginning, or all."""
    words = set(words)
    members = {word.strip() for word in re.split(r"[,;|/]", shown.strip("{}"))} & words
    beginning = shown.rstrip("*")
    alike = {word for word in words if beginning != shown and word.startswith(beginning)}
    return {shown} & words or members or alike or words


def is_number(source: pd.Series) -> bool:
    """Say whether all values of a column of texts are numbers or days."""
    texts = source[source != ""]
    return bool(texts.str.fullmatch(r"-?\d+(\.\d+)?|\d{4}-\d\d-\d\d").all())


def ends_of(source: pd.Series, released: pd.Series) -> Ends:
    """Return the lowest and the highest number or day that each cell may stand for, NaN where it is empty."""
    is_date = bool(source[source != ""].str.fullmatch(r"\d{4}-\d\d-\d\d").all())
    read = _days if is_date else _numbers
    texts = released.fillna("").astype(str)
    known = {text: read(text) for text in set(texts)}
    low, high = np.array([known[text] for text in texts], dtype=float).reshape(-1, 2).T
    before, after = _step(source), _step(released)
    wide = after / 2 if not is_date and after > before else 0.0
    return low - wide, high + wide


def _step(texts: pd.Series) -> float:
    """Return the largest step that all numbers of a column are multiples of, 0 where there is none."""
    numbers = pd.to_numeric(texts.astype(str), errors="coerce").dropna().unique()
    numbers = np.abs(numbers[numbers != 0])
    steps = (step for step in _STEPS if len(numbers) and numbers.min() >= step)
    return next((step for step in steps if np.allclose(numbers / step, np.rint(numbers / step), 0, 1e-6)), 0.0)


def _numbers(text: str) -> tuple[float, float]:
    if text == "":
        return np.nan, np.nan
    if re.fullmatch(r"-?\d+(\.\d+)?([eE][+-]?\d+)?", text):
        return float(text), float(text)
    numbers = [float(number) for number in _NUMBER.findall(re.sub(r"(?<=\d)[-–](?=\d)", " ", text))]
    if not numbers or "missing" in text:
        return -np.inf, np.inf
    low = -np.inf if text[0] in "<≤" else numbers[0]
    return low, np.inf if text[0] in ">≥" else numbers[-1]


def _days(text: str) -> tuple[float, float]:
    if text == "":
        return np.nan, np.nan
    dates = list(_DATE.finditer(text))
    if not dates or "missing" in text:
        return -np.inf, np.inf
    low = -np.inf if text[0] in "<≤" else _span(dates[0])[0]
    return low, np.inf if text[0] in ">≥" else _span(dates[-1])[1]


def _span(match: re.Match[str]) -> tuple[float, float]:
    """Return the first and the last day of a day, week, month, quarter or year."""
    year, month, day, quarter, week = (int(part) if part else 0 for part in match.groups())
    if week:
        first = pd.Timestamp.fromisocalendar(year, week, 1)
        return _day(first), _day(first) + 6
    start = pd.Timestamp(year, month or (3 * quarter - 2 if quarter else 1), day or 1)
    months = 0 if day else 1 if month else 3 if quarter else 12
    return _day(start), _day(start) if day else _day(start + pd.DateOffset(months=months)) - 1


def _day(moment: pd.Timestamp) -> float:
    return float(moment.value // 86_400_000_000_000)
