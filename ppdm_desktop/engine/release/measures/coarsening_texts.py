"""Phrases on what released values still show of a column, such as "10 years"."""

from __future__ import annotations

import math
import re

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.generalised_texts import OTHER
from ppdm_desktop.engine.table.hierarchies import ANYTHING
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.table.rules.base import read_date_ends
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Exact, Number, to_year_or_amount

_PERIODS = (
    (re.compile(r"[0-9]{4}-[0-9]{2}"), lazy("month")),
    (re.compile(r"[0-9]{4}-Q[0-9]"), lazy("quarter")),
    (re.compile(r"[0-9]{4}"), lazy("year")),
    (re.compile(r"\[([0-9]{3})(?:0, (?:\1)4|5, (?:\1)9)\]"), lazy("5 years")),
    (re.compile(r"\[([0-9]{3})0, (?:\1)9\]"), lazy("10 years")),
)
"""The pattern of each period of dates, finest first, because ranges of joined periods stand next to single ones."""


_FEW_RANGES = 5
"""Of so few ranges, open ones among them, the common width of the others says little."""
_OPEN = tuple("<≤>≥")
_MONTH, _MOST_DAYS = 365.2425 / 12, 92
"""Days of a month; wider ranges of dates are told in months."""
_CHANGED = lazy("changed")
_EXACT = 2.0**53
"""Up to this limit every whole number is exact as a float."""


def describe_coarsening(source: Column, released: Column, base: float = 0.0) -> list[Sentence]:
    """Return in a few words how broad the released values of a column are, such as "10 years"; empty if exact.

    There is one phrase, or for numbers up to two: "rounded to 10" and "0 to 90". Values that also occur in the source
    count as exact, except rounded or cut numbers. It is "changed" for dates and numbers that are neither the source's
    nor explained by rounding and limits.

    Parameters
    ----------
    source, released
        The column before all steps, and as it is released.
    base
        The base to which a step rounded the numbers; 0 if none did, or if this is not known.
    """
    if released.kind == source.kind == "numeric":
        return _describe_numbers(source, released, base)
    texts = released.categories
    if set(texts) <= set(source.categories):
        return []
    if released.kind == source.kind == "date":
        return [_CHANGED]
    if source.kind not in ("date", "numeric"):
        return [_describe_group(source, texts)]
    if source.kind == "date" and any(shape.fullmatch(text) for shape, _ in _PERIODS for text in texts):
        return [next(name for shape, name in _PERIODS if any(map(shape.fullmatch, texts)))]
    return [_describe_ranges(source, released)]


def _describe_group(source: Column, texts: tuple[str, ...]) -> Sentence:
    """Return how broad the texts are that stand for categories.

    The first of these that applies:

    - "sets of up to 3" if some text is a set of several values; the number is that of all source values if a text
      stands for any value;
    - "5 most frequent values, others together" if one text stands for all others;
    - "first 2 characters" if all texts are cut off, with the length of the longest;
    - else "4 groups", the number of texts.
    """
    most = max(text.count(", ") + 1 if text.startswith("{") else 1 for text in texts)
    if most > 1:
        return lazy("sets of up to {n}", n=len(source.categories) if ANYTHING in texts else most)
    if OTHER in texts:
        number = len(texts) - 1
        if number == 1:
            return lazy("most frequent value, others together")
        return lazy("{n} most frequent values, others together", n=number)
    if all(text.endswith(ANYTHING) for text in texts):
        return lazy("first {n} {n:character|characters}", n=max(len(text.rstrip(ANYTHING)) for text in texts))
    return lazy("{n} {n:group|groups}", n=len(texts))


def _describe_numbers(source: Column, released: Column, base: float) -> list[Sentence]:
    """Return the base to which the released numbers were rounded, and the limits at which they were cut.

    Empty if no released number has more records than it had in the source. The base is named if it is larger than that
    of the source's numbers; if it is 0, it is found from the numbers between the limits, provided that one of these has
    more records than before. A limit is named if more records show the lowest or highest released number than had it,
    and the source goes beyond it by more than ``base``. "changed" if neither rounding nor limits explain the numbers.
    """
    (before, counts), (after, counts_after) = source.counted_numbers(), released.counted_numbers()
    # A value that more records have than before stands for others; if these are only gone, no value has more.
    index = np.minimum(np.searchsorted(before, after), max(len(before) - 1, 0))
    is_merged = counts_after > np.where(before[index] == after, counts[index], 0)
    if not is_merged.any():
        return []
    has_low = bool(is_merged[0] and after[0] - before[0] > base)
    has_high = bool(is_merged[-1] and before[-1] - after[-1] > base)
    inner = slice(int(has_low), len(after) - int(has_high))
    decimals = max((column.style or NumberStyle()).decimals for column in (source, released))
    base, phrases = base or is_merged[inner].any() * _find_common_base(after[inner], decimals), list[Sentence]()
    if base > _find_common_base(before, decimals):
        phrases.append(lazy("rounded to {base}", base=Number(base)))
    low, high = (to_year_or_amount(float(after[end]), before[[0, -1]].tolist()) for end in (0, -1))
    if has_low and has_high:
        phrases.append(lazy("{low} to {high}", low=low, high=high))
    elif has_low or has_high:
        phrases.append(lazy("from {limit}", limit=low) if has_low else lazy("up to {limit}", limit=high))
    return phrases or [_CHANGED]


def _find_common_base(values: Floats, decimals: int) -> float:
    """Return the largest number of which all values are multiples, such as 5 for 10, 25 and 40.

    0 without values, if all are 0, or if they are too large. ``decimals`` is the number of decimals they have.
    """
    units = values * 10.0**decimals
    if not len(units) or np.abs(units).max() >= _EXACT:
        return 0.0
    return float(np.gcd.reduce(np.rint(units).astype(np.int64)) / 10**decimals)


def _describe_ranges(source: Column, released: Column) -> Sentence:
    """Return how wide the ranges of a column of numbers or dates are that people have, open ones left out.

    Such as "ranges of 10", "ranges of 5 to 20, typically 12", or for dates "ranges of 3 to 12 months, typically 6", in
    days if none has more than 92. At least half of the people with a closed range have at most the typical width.
    Only the number of texts is given ("3 ranges") if there are at most five of which one is open, or if at most half of
    the people who have no single value have a closed range.
    """
    form = DateFormat.parse(source.date_format or "")
    ends = [
        range_ends(text) if source.kind == "numeric" else _read_date_range(text, form) for text in released.categories
    ]
    widths = np.array([math.nan if span is None else span[1] - span[0] for span in ends])
    is_few = len(ends) <= _FEW_RANGES and bool(np.isinf(widths).any())
    is_range = np.isfinite(widths) & (widths > 0)
    people = released.category_counts[is_range]
    if is_few or 2 * people.sum() <= released.category_counts[widths != 0].sum():
        return lazy("{n} {n:range|ranges}", n=len(ends))
    order = np.argsort(widths[is_range])
    middle = order[np.searchsorted(2 * np.cumsum(people[order]), people.sum())]
    low, typical, high = (round(float(widths[is_range][at]), 9) for at in (order[0], middle, order[-1]))
    if source.kind == "date":
        return _describe_date_widths(low, typical, high)
    if low == high:
        return lazy("ranges of {width}", width=Exact(low))
    return lazy(
        "ranges of {low} to {high}, typically {typical}", low=Exact(low), high=Exact(high), typical=Exact(typical)
    )


def _describe_date_widths(low: float, typical: float, high: float) -> Sentence:
    """Return a phrase on ranges of dates in days, from about three months on in months, or from two years on in years.

    Such as "ranges of 7 days", or "ranges of 1 to 4 months, typically 4". Years only if the narrowest has two. The
    arguments are the days from the first to the last day of the narrowest, a typical and the widest range; 6 is a week,
    because both ends belong to it.
    """
    unit = 1.0 if high < _MOST_DAYS else _MONTH if low + 1 < 24 * _MONTH else 12 * _MONTH
    shortest, usual, longest = (max(round((days + 1) / unit), 1) for days in (low, typical, high))
    counts = {"low": Number(shortest), "high": Number(longest), "typical": Number(usual)}
    if unit == 1:
        varied = lazy("ranges of {low} to {high} days, typically {typical}", **counts)
        return lazy("ranges of {n} {n:day|days}", n=longest) if shortest == longest else varied
    if unit == _MONTH:
        varied = lazy("ranges of {low} to {high} months, typically {typical}", **counts)
        return lazy("ranges of {n} {n:month|months}", n=longest) if shortest == longest else varied
    varied = lazy("ranges of {low} to {high} years, typically {typical}", **counts)
    return lazy("ranges of {n} {n:year|years}", n=longest) if shortest == longest else varied


def _read_date_range(text: str, form: DateFormat | None) -> tuple[float, float] | None:
    """Return the first and the last moment of a range of dates, in days since 1970; None for other texts.

    A single day gives its moment twice, a month, quarter or year its first moment and its last second. An open range,
    such as all days before one, gives minus and plus infinity. ``form`` is how the column writes dates.
    """
    if text.startswith(_OPEN):
        return -math.inf, math.inf
    parts = [read_date_ends(part, form) for part in re.split("[,;] ", text.strip("[])"))]
    return None if parts[0] is None or parts[-1] is None else (parts[0][0], parts[-1][1])
