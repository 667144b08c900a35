"""Rules for a whole column: the generalised text of each value."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.table.column import Column, to_decimal
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.generalised_texts import (
    WRITTEN_SPANS,
    assign_ranges,
    code_length,
    find_range_start,
    find_rarest_categories,
    join_neighbours,
    mask_code_endings,
    replace_by_other,
    replace_category_texts,
    span_of,
    week_of,
)
from ppdm_desktop.engine.table.hierarchies import ANYTHING
from ppdm_desktop.engine.table.public_grid import NumberGrid
from ppdm_desktop.engine.wording.catalogue import SOURCE, Sentence, lazy, speak_language, translate
from ppdm_desktop.engine.wording.values import Number, Term, as_data, restore_values

MOST_CUTS = 10_000
MONTHS = tuple(WRITTEN_SPANS)
_PERIODS: Mapping[int, Sentence] = {
    1: lazy("month"),
    3: lazy("quarter"),
    12: lazy("year"),
    60: lazy("5 years"),
    120: lazy("10 years"),
    240: lazy("20 years"),
}


@dataclass(frozen=True)
class Recoding:
    """The generalised text of each value of a column.

    Attributes
    ----------
    texts
        Broader text of each category of the column, in their order.
    order
        Broader texts, lowest first, where they have an order.
    how
        What was done.
    """

    texts: tuple[str, ...]
    order: tuple[str, ...] | None
    how: Sentence

    @property
    def how_as_data(self) -> str:
        """The description in English, whatever the language: a release has the same bytes everywhere."""
        with speak_language(SOURCE):
            return str(self.how)

    @property
    def how_by_parts(self) -> dict[str, Any]:
        """The description as plain data to be translated later, with keys ``english`` and ``values``."""
        return {
            "english": self.how.english,
            "values": {name: as_data(value) for name, value in self.how.values.items()},
        }

    def applied(self, column: Column) -> Column:
        """Return the column with its generalised texts; missing cells stay as they are.

        The column itself comes back where no text changes.

        Raises
        ------
        InputError
            When a text would read as a mark for missing values.
        """
        if tuple(column.categories) == self.texts:
            return column
        if not column.missing_texts.isdisjoint(self.texts):
            raise InputError("error.numeric.becomes-missing", column=column.name)
        return replace_category_texts(column, self.texts, self.order)


def describe_rule(kept: Mapping[str, Any]) -> str:
    """Return the description of a column's rule in the current language.

    Parameters
    ----------
    kept
        What a step's ``detail`` keeps of the column.
    """
    rule = kept["rule"]
    return translate(rule["english"], restore_values(rule["values"]))


def describe_range_width(width: Decimal | float) -> Sentence:
    """Return a sentence on the width of ranges, such as "ranges of 10"."""
    whole = float(width).is_integer()
    return lazy("ranges of {width}", width=int(width) if whole else Number(float(width)))


def recode_by_cuts(column: Column, cuts: Sequence[Decimal], how: Sentence) -> Recoding:
    """Return the recoding of numbers into the ranges between cuts; outer ends are the bounds, or open.

    InputError where all values would be in one range. ``how`` describes the rule.
    """
    ranges = assign_ranges(column, cuts)
    if ranges is None:
        raise InputError("error.generalize.one-range", column=column.name)
    return Recoding(*ranges, how)


def width_cuts(column: Column, width: Decimal, ends: tuple[Decimal, Decimal] | None) -> list[Decimal]:
    """Return the multiples of a width inside the values' range, and the ends, as cuts.

    Rising; without ``ends`` only multiples above the lowest value and up to the highest count. Values 3 to 27 and a
    width of 10 give 10 and 20. Empty for a column without a value.

    Raises
    ------
    InputError
        When there would be more than 10,000.
    """
    if not column.categories:
        return []
    low, high = (to_decimal(column.categories[index], style_of(column).decimal) for index in (0, -1))
    if ends is not None:
        low, high = max(low, ends[0]), min(high, ends[1])
    first, last = math.floor(low / width) + 1, math.floor(high / width)
    if last - first > MOST_CUTS:
        raise InputError("error.generalize.too-narrow", column=column.name, args={"most": MOST_CUTS})
    cuts = [step * width for step in range(first, last + 1)]
    return sorted({*cuts, *(ends or ())})


def nice_width(column: Column, ranges: int = 10) -> Decimal:
    """Return the smallest of 1, 2, 5, 10, 20, ... grid steps with which ``ranges`` ranges cover the values.

    Of a column without a value the step of its grid.
    """
    style = style_of(column)
    numbers = [to_decimal(text, style.decimal) for text in column.categories]
    span = max(numbers) - min(numbers) if numbers else Decimal(0)
    unit = style.step
    while True:
        for factor in (1, 2, 5):
            if unit * factor * ranges >= span:
                return unit * factor
        unit *= 10


def frequency_cuts(column: Column, count: int) -> list[Decimal]:
    """Return cuts that divide the records into ``count`` ranges of about equal number, rounded to the public grid.

    Rising and different, so there may be fewer than ``count`` - 1; each is rounded down.
    """
    reached = np.cumsum(column.category_counts)
    rows = int(reached[-1]) if len(reached) else 0
    values = [to_decimal(text, style_of(column).decimal) for text in column.categories]
    last = [int(np.searchsorted(reached * count, i * rows)) for i in range(1, count)]
    grid = NumberGrid.of(column)
    return sorted({grid.down(values[index + 1]) for index in last if index + 1 < len(values)})


def recode_ends(column: Column, ends: tuple[Decimal, Decimal]) -> Recoding:
    """Return the recoding that joins values below the lower end, and values from the upper end on.

    They are written ``< low`` and ``≥ high``; values between keep their text.
    """
    style = style_of(column)
    written = [
        style.text(end)
        if -int(end.normalize().as_tuple().exponent) <= style.decimals
        else str(end).replace(".", style.decimal)
        for end in ends
    ]
    bottom, top = f"< {written[0]}", f"≥ {written[1]}"
    texts = []
    for text in column.categories:
        value = to_decimal(text, style.decimal)
        texts.append(bottom if value < ends[0] else top if value >= ends[1] else text)
    inner = [text for text in texts if text not in (bottom, top)]
    return Recoding(
        tuple(texts),
        (bottom, *inner, top),
        lazy("below {low} and from {high} up as one value each", low=Term(written[0]), high=Term(written[1])),
    )


def recode_ordered_groups(column: Column, count: int) -> Recoding:
    """Return the recoding of ordered categories into ``count`` groups of neighbours of about equal size.

    Size is the number of records; the text of a group is ``[first, last]``. Fewer groups come back where there are
    fewer categories.
    """
    texts = join_neighbours(column, count)
    return Recoding(
        texts,
        tuple(dict.fromkeys(texts)),
        lazy("neighbouring values in {n} {n:group|groups}", n=len(set(texts))),
    )


def recode_by_months(column: Column, months: int, fewest: int = 1) -> Recoding:
    """Return the recoding of dates as periods of ``months``: 1, 3, 12, 60, 120 or 240.

    Neighbouring periods are joined until each has at least ``fewest`` records, such as ``[2014-11, 2015-03]``, or ``≥
    2014-11`` at an end.
    """
    return _recode_by_period(column, WRITTEN_SPANS[months], _PERIODS[months], fewest)


def recode_by_weeks(column: Column, fewest: int = 1) -> Recoding:
    """Return the recoding of dates as weeks; neighbouring weeks are joined until each has ``fewest`` records.

    Joined weeks are written as joined months are in ``recode_by_months``.
    """
    return _recode_by_period(column, week_of, lazy("week"), fewest)


def _recode_by_period(column: Column, written: Callable[[datetime], str], how: Sentence, fewest: int) -> Recoding:
    """Return the recoding of dates by a function that writes their period.

    ``fewest`` is the least number of records of a period; rarer ones are joined with neighbours. ``how`` describes the
    rule.
    """
    form = DateFormat.parse(column.date_format) if column.date_format is not None else None
    texts = []
    for text in column.categories:
        read = form.read(text) if form is not None else None
        assert read is not None  # a column of dates was read in this form
        texts.append(written(read[0]))
    joined = _join_periods(texts, column.category_counts, fewest)
    is_joined = any(period != text for period, text in joined.items())
    how = lazy("{period}, rare ones joined with their neighbours", period=Term(how)) if is_joined else how
    return Recoding(tuple(joined[text] for text in texts), tuple(dict.fromkeys(joined.values())), how)


def _join_periods(periods: Sequence[str], counts: Ints, fewest: int) -> dict[str, str]:
    """Return the text of each period, in rising order, after joining neighbours until all have ``fewest`` records.

    ``[2019, 2020]``; where the first or the last is joined and others are left, ``< 2021`` and ``≥ 2023``. With fewer
    records than ``fewest`` in all, all periods are one.

    Parameters
    ----------
    periods, counts
        The period and the number of records of each category; those of one period are added up.
    """
    rising, group_of = np.unique(np.array(periods, dtype=str), return_inverse=True)
    records = np.bincount(group_of.reshape(-1), counts, len(rising))
    groups: list[list[int]] = [[]]
    for index in range(len(rising)):
        if records[groups[-1]].sum() >= fewest:
            groups.append([])
        groups[-1].append(index)
    if len(groups) > 1 and records[groups[-1]].sum() < fewest:
        last = groups.pop()
        groups[-1] += last
    names = rising.tolist()
    texts = [span_of(names[group[0]], names[group[-1]]) if len(group) > 1 else names[group[0]] for group in groups]
    # The first and the last period may be those of one person: joined ones are shown without that end.
    if len(groups[0]) > 1 and len(groups) > 1:
        texts[0] = f"< {find_range_start(texts[1])}"
    if len(groups[-1]) > 1 and len(groups) > 1:
        texts[-1] = f"≥ {find_range_start(texts[-1])}"
    return {names[index]: text for text, group in zip(texts, groups, strict=True) for index in group}


def choose_months(column: Column) -> int:
    """Return 1 (months) for dates within one calendar year, 3 (quarters) for up to five years, else 12 (years).

    Five years are a difference of less than 5 between the last and the first year. 1 for a column without dates.
    """
    years = [int(text[:4]) for text in recode_by_months(column, 12).texts]
    span = max(years) - min(years) if years else 0
    return 1 if span < 1 else 3 if span < 5 else 12


def recode_by_prefix(column: Column, kept: int) -> Recoding:
    """Return the recoding that keeps the first ``kept`` characters of each code and writes ``*`` for each other one."""
    return Recoding(mask_code_endings(column, kept), None, lazy("first {n} {n:character|characters}", n=kept))


def recode_by_level(column: Column, level: int) -> Recoding:
    """Return the recoding that writes each value as its hierarchy does at a level.

    Level 0 of a declared hierarchy is the values themselves, level 1 the finest broader ones; of an inferred one levels
    start at 1.

    Raises
    ------
    InputError
        When the column has no hierarchy, declared or inferred, or not so many levels.
    """
    if column.hierarchy is not None:
        height = column.hierarchy.height
        if level > height:
            raise InputError("error.generalize.no-level", column=column.name, args={"level": level, "most": height})
        texts = tuple(column.hierarchy.at(text, level) for text in column.categories)
        return Recoding(texts, None, lazy("level {level} of its list of broader values", level=level))
    steps = inferred_levels(column)
    if not steps:
        raise InputError("error.generalize.no-hierarchy", column=column.name)
    if level > len(steps):
        raise InputError("error.generalize.no-level", column=column.name, args={"level": level, "most": len(steps)})
    return steps[level - 1]()


def inferred_levels(column: Column) -> list[Callable[[], Recoding]]:
    """Return the levels that a column without a declared hierarchy has by its kind, as functions that make them.

    Dates whose format is known: month, quarter, year, 5, 10 and 20 years. Numbers: nested widths, from about 50
    ranges on. Codes: one character less each time. The last level is ``*`` for all.

    Finest first; empty for ordered categories and for names that are no codes of one length.
    """
    top = [lambda: Recoding((ANYTHING,) * len(column.categories), None, lazy("one text for all"))]
    if column.kind == "date":
        return [
            *(lambda months=months: recode_by_months(column, months) for months in MONTHS if column.date_format),
            *top,
        ]
    if column.kind == "numeric":
        widths = nested_widths(column)
        return [
            *(
                lambda width=width: recode_by_cuts(column, width_cuts(column, width, None), describe_range_width(width))
                for width in widths
            ),
            *top,
        ]
    length = code_length(column)
    if column.kind == "nominal" and length is not None:
        return [*(lambda kept=kept: recode_by_prefix(column, kept) for kept in range(length - 1, 0, -1)), *top]
    return []


def nested_widths(column: Column) -> list[Decimal]:
    """Return widths of 5, 10, 50, ... grid steps, each a multiple of the last, from about 50 ranges down to two.

    Rising; each gives at least two ranges, and none is wider than the span of the values.
    """
    style = style_of(column)
    unit, factor = style.step, 5
    widths: list[Decimal] = []
    span = _compute_span(column)
    while True:
        unit, factor = unit * factor, 7 - factor  # 5 and 2 in turn: each width holds the one before
        cuts = width_cuts(column, unit, None) if unit * 50 >= span else None
        if cuts is not None:
            if not cuts or unit > span:
                return widths
            widths.append(unit)


def _compute_span(column: Column) -> Decimal:
    """Return the difference between the largest and the smallest number of a column; 0 without a value."""
    numbers = [to_decimal(text, style_of(column).decimal) for text in column.categories]
    return max(numbers) - min(numbers) if numbers else Decimal(0)


def recode_rare_names(column: Column, share: float) -> Recoding:
    """Return the recoding that joins the rarest names under one text.

    They are as many as have at most ``share`` of the records together, but at least two. With fewer than three names
    nothing is joined.
    """
    joined = find_rarest_categories(column, share)
    how = lazy("{n} rare {n:value|values} together", n=len(joined)) if joined else lazy("left as it is")
    return Recoding(replace_by_other(column, joined), None, how)
