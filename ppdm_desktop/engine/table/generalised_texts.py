"""Replacing each category of a column by a broader text, such as a range, a period or a masked code.

The program counts such texts before a release and writes them in it; both follow the rules here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import pairwise

import numpy as np

from ppdm_desktop.engine.table.bins import Bins
from ppdm_desktop.engine.table.column import Column, NumberStyle, to_exact_decimal
from ppdm_desktop.engine.table.hierarchies import ANYTHING

OTHER = "(*)"
"""What stands for rare values; a sign, as released data are read in any language."""
OR_MISSING = " (?)"
"""What ends a text that stands for a missing value, too."""
_MASK = "*"
_SEPARATORS = (", ", "; ", " | ", " / ")
_CODE = re.compile(r"[A-Z0-9][A-Z0-9 -]*[A-Z0-9]", re.ASCII | re.IGNORECASE)
_LEAST_CODE = 4
_RANGE = re.compile(r"\[(.*?\d.*?)[,;] (.*\d.*)([\])])")
"""A range whose ends are dates or numbers; its groups are both ends and the closing bracket."""
_MOST_DECIMALS = 3
"""Most decimals that ends of ranges have like their column: two numbers with more read as a place on a map."""

WRITTEN_SPANS: Mapping[int, Callable[[datetime], str]] = {
    1: lambda day: f"{day.year:04d}-{day.month:02d}",
    3: lambda day: f"{day.year:04d}-Q{(day.month + 2) // 3}",
    12: lambda day: f"{day.year:04d}",
    60: lambda day: _find_year_period(day, 5),
    120: lambda day: _find_year_period(day, 10),
    240: lambda day: _find_year_period(day, 20),
}
"""How a day is written as its month, quarter, year, 5, 10 or 20 years, by months."""


def _find_year_period(day: datetime, years: int) -> str:
    """Return the period in which a day lies, such as ``[2020, 2024]``; it begins at a multiple of ``years``."""
    first = day.year - day.year % years
    return span_of(f"{first:04d}", f"{first + years - 1:04d}")


def week_of(day: datetime) -> str:
    """Return the days of the week in which a day lies, from Monday to Sunday: ``[2020-01-27, 2020-02-02]``."""
    monday = day.date() - timedelta(days=day.weekday())
    sunday = min(monday.toordinal() + 6, date.max.toordinal())
    return span_of(monday.isoformat(), date.fromordinal(sunday).isoformat())


def replace_category_texts(column: Column, texts: tuple[str, ...], order: tuple[str, ...] | None) -> Column:
    """Return a column with ``texts[i]`` in the cells of its category i; missing cells keep their texts.

    ``texts`` has an entry for each of ``column.categories``; categories with equal texts become one. The column becomes
    ordinal where ``order`` is given (new texts from low to high; it must have all of them, and those that no category
    gets are left out), else nominal. Number style, bounds, date format and hierarchy are dropped.
    """
    present = set(texts)
    names = [text for text in order or sorted(present) if text in present]
    gone = [text for text in column.texts if text in column.missing_texts]
    code_of = {text: code for code, text in enumerate([*names, *gone])}
    of_category = np.array([code_of[text] for text in texts] or [0], dtype=np.int32)
    of_text = np.array([code_of.get(text, 0) for text in column.texts] or [0], dtype=np.int32)
    codes = np.where(column.missing, of_text[column.codes], of_category[np.maximum(column.category_codes, 0)])
    return replace(
        column,
        codes=codes.astype(np.int32),
        texts=tuple(code_of),
        kind="ordinal" if order is not None else "nominal",
        order=tuple(names) if order is not None else None,
        style=None,
        bounds=None,
        date_format=None,
        hierarchy=None,
        labels_ordered=False,
    )


def assign_ranges(column: Column, cuts: Sequence[Decimal]) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """Return the text of the range of each number of a numeric column, and the texts of all ranges from low to high.

    The first tuple has an entry for each different number, rising; the second one also has ranges without a number. The
    cuts, rising, divide the numbers into ranges: 20 and 40 give "< 20", "[20, 40)" and "≥ 40", or outer ranges that end
    at the column's bounds. An inner range with room for one number is that number: of whole numbers 4 and not "[4, 5)".
    Cuts outside the bounds, or at the lower one, are left out, and without any cut the result is None. Ends of ranges
    have as many decimals as the column (none if it has more than three), or more where cuts or bounds need them.
    """
    style, bounds = column.style or NumberStyle(), None
    one_number = Decimal(1).scaleb(-style.decimals)
    if style.decimals > _MOST_DECIMALS:
        style = NumberStyle.written(0, style.decimal)
    written = style.fine_enough(cuts)
    if column.bounds is not None:
        bounds = (to_exact_decimal(column.bounds[0]), to_exact_decimal(column.bounds[1]))
        written = written.fine_enough(bounds)
        cuts = [cut for cut in cuts if bounds[0] < cut <= bounds[1]]
    if not cuts:
        return None
    bins = Bins(tuple(cuts), bounds, written)
    inner = zip(pairwise(cuts), bins.labels[1:-1], strict=True)
    inner_labels = [written.text(low) if high - low == one_number else label for (low, high), label in inner]
    labels = (bins.labels[0], *inner_labels, bins.labels[-1])
    values, _ = column.counted_numbers()  # the categories of a number are its different values, rising
    return tuple(labels[index] for index in bins.find_bins(values).tolist()), labels


def join_neighbours(column: Column, count: int) -> tuple[str, ...]:
    """Return for each ordered category the text of its group, when neighbours are joined into at most ``count`` groups.

    The groups have about equally many records: of a, b, c, d with 4, 3, 2 and 1 records, two groups are ``[a, b]`` and
    ``[c, d]``, three are ``a``, ``b`` and ``[c, d]``. There are fewer groups where a category is very frequent. A group
    of a single category has the category's own text.
    """
    names, counts = column.categories, column.category_counts
    group = np.minimum((np.cumsum(counts) - counts) * count // max(int(counts.sum()), 1), count - 1)
    texts = [""] * len(names)
    for group_number in np.unique(group).tolist():
        inside = np.flatnonzero(group == group_number)
        label = names[inside[0]] if len(inside) == 1 else span_of(names[inside[0]], names[inside[-1]])
        for index in inside.tolist():
            texts[index] = label
    return tuple(texts)


def span_of(low: str, high: str) -> str:
    """Return the text of a range from one ordered category to another, ``[low, high]``; a semicolon if one has a comma.

    Of a category that is a range of dates or numbers itself, only the outer end is shown: ``[2020-01, 2020-03]`` and
    ``[2021-01, 2021-02]`` give ``[2020-01, 2021-02]``. The bracket at the upper end stays: ``[1, 2)`` and ``[2, 3)``
    give ``[1, 3)``. An end written with ``<`` or ``≥`` stays open: ``2020-05`` and ``≥ 2021-01`` give ``≥ 2020-05``,
    ``< 18`` and ``[18, 30)`` give ``< 30``, ``< 18`` and ``30`` give ``≤ 30``; with both ends open it is ``*``.
    """
    high_range = _RANGE.fullmatch(high)
    last, bracket = (high_range[2], high_range[3]) if high_range else (high, "]")
    if high.startswith("≥ "):
        return ANYTHING if low.startswith(("< ", "≤ ")) else f"≥ {find_range_start(low)}"
    if low.startswith(("< ", "≤ ")):
        return f"{'≤' if bracket == ']' else '<'} {last}"
    first = find_range_start(low)
    return f"[{first}{'; ' if ',' in first + last else ', '}{last}{bracket}"


def choose_separator(texts: Sequence[str]) -> str:
    """Return the first of ", ", "; ", " | " and " / " that occurs in none of the texts; ", " if all do."""
    return next((mark for mark in _SEPARATORS if not any(mark in text for text in texts)), _SEPARATORS[0])


def set_of(texts: Sequence[str], between: str) -> str:
    """Return the text of a set of categories, ``{a, b}``, separated by ``between``; a single one stays as it is."""
    return texts[0] if len(texts) == 1 else "{" + between.join(texts) + "}"


def list_set_members(text: str, values: Container[str]) -> list[str]:
    """Return the values in a text of `set_of`, such as ``a`` and ``b`` in ``{a, b}``; empty for any other text."""
    splits = [text[1:-1].split(between) for between in _SEPARATORS] if text[:1] + text[-1:] == "{}" else []
    return next((parts for parts in splits if all(part in values for part in parts)), [])


def find_range_start(text: str) -> str:
    """Return where a category that is a range begins, such as 2020 for ``[2020, 2024]``; any other text as it is."""
    match = _RANGE.fullmatch(text)
    return match[1] if match else text


def find_rarest_categories(column: Column, share: float) -> frozenset[str]:
    """Return the texts of the rarest categories that together hold at most a share of the records, but at least two.

    Only records with a value count. Of a, b, c, d with 4, 3, 2 and 1 records, c and d are returned for 0.3, and for
    0.05 as well. Of equally frequent ones the first in order is taken. Empty for a column with fewer than three
    categories.
    """
    names, counts = column.categories, column.category_counts
    if len(names) < 3:
        return frozenset()
    order = np.argsort(counts, kind="stable")
    most = int(np.searchsorted(np.cumsum(counts[order]), share * int(counts.sum()), side="right"))
    return frozenset(names[index] for index in order[: max(most, 2)].tolist())


def replace_by_other(column: Column, names: frozenset[str]) -> tuple[str, ...]:
    """Return the text of each category, in order, with the named categories replaced by ``(*)``."""
    return tuple(OTHER if name in names else name for name in column.categories)


def mask_code_endings(column: Column, length: int) -> tuple[str, ...]:
    """Return the text of each category with every character after the first ``length`` ones replaced by ``*``."""
    return tuple(text[:length] + _MASK * max(len(text) - length, 0) for text in column.categories)


def code_length(column: Column) -> int | None:
    """Return the common length of the values of a column of codes such as ZIP codes; None for any other column.

    It is a column of codes when its values, two or more, all have the same length, at least four, and consist of Latin
    letters and digits (blanks and hyphens only inside), and at least half of all characters are digits.
    """
    names = column.categories
    lengths = {len(name) for name in names}
    if len(lengths) != 1 or (length := lengths.pop()) < _LEAST_CODE or len(names) < 2:
        return None
    digits = sum(character.isdigit() for name in names for character in name)
    return length if all(map(_CODE.fullmatch, names)) and 2 * digits >= length * len(names) else None
