"""The ways in which one column could be generalised, finest first, each by one rule for all records.

The generalised texts are those that the method ``generalize`` releases for the same rule, so that a figure counted
beforehand is the figure of the release.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

import numpy as np

from ppdm_desktop.engine.arrays import Codes
from ppdm_desktop.engine.table.column import MISSING, Column, NumberStyle, to_decimal
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.generalised_texts import (
    WRITTEN_SPANS,
    code_length,
    first_characters,
    in_generalised_texts,
    in_ranges,
    neighbours_together,
    rarest,
    with_other,
)

LEFT_OUT = "left-out"
WIDTH, MONTHS, LEVEL, RANGES, CHARACTERS, RARE = "width", "months", "level", "ranges", "characters", "rare"
MOST_RANGES = 30
RARE_SHARES = (0.05, 0.1, 0.2, 0.4)


@dataclass(frozen=True)
class Change:
    """One change of a column: the column is left out or generalised by one rule.

    Attributes
    ----------
    column
        Its name.
    way
        ``left-out``, ``width`` (ranges of numbers), ``months`` (of dates), ``level`` (of the
        hierarchy), ``ranges`` (neighbours in order, so many groups), ``characters`` (kept of a
        code) or ``rare`` (the rarest together, up to a share of the records). All but the first
        are parameters of the method ``generalize``.
    value
        The parameter's value; None when left out.
    texts
        The broader text of each category of the column, in their order; empty when left out.
    order
        The broader texts, lowest first, where they have an order.
    """

    column: str
    way: str
    value: float | None = None
    texts: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None

    @property
    def key(self) -> str:
        """Way and value as a text, which differs between the changes of one column."""
        return self.way if self.value is None else f"{self.way} {self.value:g}"

    @property
    def groups(self) -> int:
        """Number of different generalised texts."""
        return len(set(self.texts))

    def codes(self, column: Column) -> Codes:
        """Return the generalised code of each category, shape (categories + 1,); the last entry is -1 for missing.

        Indexing it with category codes, -1 for missing included, gives the broader codes.
        """
        code_of = {text: code for code, text in enumerate(dict.fromkeys(self.texts))}
        return np.array([*(code_of[text] for text in self.texts), MISSING], dtype=np.int32)

    def applied(self, column: Column) -> Column:
        """Return the column with its generalised texts; missing cells stay as they are."""
        return in_generalised_texts(column, self.texts, self.order)


def left_out(column: Column) -> Change:
    """Return the change that leaves a column out."""
    return Change(column.name, LEFT_OUT)


def generalisations_of(column: Column) -> tuple[Change, ...]:
    """Return the ways to generalise a column, finest first; empty where none is possible.

    Numbers: ranges on round steps (1, 2, 5, 10, 20, ... times the column's own step), at most
    ``MOST_RANGES`` of them. Dates: month, quarter, year, 5 and 10 years. A declared hierarchy: its levels, but not
    the one that puts all together. Ordered categories: neighbours together. Codes: fewer leading
    characters. Other names: the rarest together. A change that leaves the values as they are or
    makes all equal is not listed, nor one that groups like the one before.
    """
    changes: list[Change] = []
    groupings: set[tuple[int, ...]] = {tuple(range(len(column.categories)))}
    for change in _ways(column):
        grouping = tuple(change.codes(column)[:-1].tolist())
        if change.groups < 2 or grouping in groupings or not column.missing_texts.isdisjoint(change.texts):
            continue
        groupings.add(grouping)
        changes.append(change)
    return tuple(changes)


def _ways(column: Column) -> Iterator[Change]:
    """Yield all generalisations that suit the kind of a column, finest first."""
    if len(column.categories) < 2:
        return
    if column.hierarchy is not None:
        tree = column.hierarchy
        for level in range(1, tree.height + 1):
            yield Change(column.name, LEVEL, level, tuple(tree.at(text, level) for text in column.categories))
    elif column.kind == "numeric":
        yield from _widths(column)
    elif column.kind == "date":
        yield from _spans(column)
    elif column.kind == "ordinal":
        yield from _neighbours(column)
    elif column.kind == "nominal":
        length = code_length(column)
        if length is not None:
            for kept in range(length - 1, 0, -1):
                yield Change(column.name, CHARACTERS, kept, first_characters(column, kept))
        else:
            yield from _rare(column)


def _widths(column: Column) -> Iterator[Change]:
    """Yield the generalisations of numbers to ranges of round width."""
    style = column.style or NumberStyle()
    values = [to_decimal(text, style.decimal) for text in column.categories]
    low, high = min(values), max(values)
    unit = style.step
    while True:
        for factor in (1, 2, 5):
            width = unit * factor
            if width > high - low:
                return
            if width * MOST_RANGES >= high - low and width > style.step:
                cuts = [
                    multiple * width for multiple in range(math.floor(low / width) + 1, math.floor(high / width) + 1)
                ]
                ranges = in_ranges(column, cuts)
                if ranges is not None:
                    yield Change(column.name, WIDTH, _plain(width), *ranges)
        unit *= 10


def _plain(number: Decimal) -> float:
    """Return a number as an integer if it is whole, else as a float."""
    return int(number) if number == number.to_integral_value() else float(number)


def _spans(column: Column) -> Iterator[Change]:
    """Yield the generalisations of dates to months and longer periods."""
    form = DateFormat.parse(column.date_format) if column.date_format is not None else None
    read = [form.read(text) if form is not None else None for text in column.categories]
    days = [moment[0] for moment in read if moment is not None]
    if len(days) < len(read):
        return
    for months, written in WRITTEN_SPANS.items():
        texts = tuple(written(day) for day in days)
        yield Change(column.name, MONTHS, months, texts, tuple(sorted(set(texts))))


def _neighbours(column: Column) -> Iterator[Change]:
    """Yield groups of neighbouring ordered categories: half as many groups as values, then half again, down to two."""
    groups = (len(column.categories) + 1) // 2
    while groups >= 2:
        texts = neighbours_together(column, groups)
        yield Change(column.name, RANGES, groups, texts, tuple(dict.fromkeys(texts)))
        groups = groups // 2 if groups > 3 else groups - 1


def _rare(column: Column) -> Iterator[Change]:
    """Yield the generalisations that join the rarest names."""
    if len(column.categories) < 3:
        return
    for share in RARE_SHARES:
        yield Change(column.name, RARE, share, with_other(column, rarest(column, share)))
