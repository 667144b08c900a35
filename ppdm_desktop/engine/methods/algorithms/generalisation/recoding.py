"""Rules for a whole column that replace each value by a broader text."""

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
    """The broader text of each value of a column.

    Attributes
    ----------
    texts
        Broader text of each category of the column, in the order of the categories.
    order
        Broader texts from lowest to highest; None if they have no order.
    how
        Description of the rule.
    """

    texts: tuple[str, ...]
    order: tuple[str, ...] | None
    how: Sentence

    @property
    def how_as_data(self) -> str:
        """The description in English, whatever the current language, so that a release is the same everywhere."""
        with speak_language(SOURCE):
            return str(self.how)

    @property
    def how_by_parts(self) -> dict[str, Any]:
        """The description as plain data that can be translated later, with the keys ``english`` and ``values``."""
        return {
            "english": self.how.english,
            "values": {name: as_data(value) for name, value in self.how.values.items()},
        }

    def applied(self, column: Column) -> Column:
        """Return the column with its broader texts; missing cells stay as they are.

        The column becomes ordinal if the texts have an order, else nominal. If no text changes, the column itself is
        returned.

        Raises
        ------
        InputError
            When a broader text would be read as a missing value.
        """
        if tuple(column.categories) == self.texts:
            return column
        if not column.missing_texts.isdisjoint(self.texts):
            raise InputError("error.numeric.becomes-missing", column=column.name)
        return replace_category_texts(column, self.texts, self.order)


def describe_rule(stored: Mapping[str, Any]) -> str:
    """Return the description of a column's rule in the current language.

    Parameters
    ----------
    stored
        What the ``detail`` of a step says about the column.
    """
    rule = stored["rule"]
    return translate(rule["english"], restore_values(rule["values"]))


def describe_range_width(width: Decimal | float) -> Sentence:
    """Return a sentence on the width of ranges, such as "ranges of 10"."""
    whole = float(width).is_integer()
    return lazy("ranges of {width}", width=int(width) if whole else Number(float(width)))


def recode_by_cuts(column: Column, cuts: Sequence[Decimal], how: Sentence) -> Recoding:
    """Return the recoding of numbers into the ranges between cuts; outer ends are the column's bounds, or open.

    A range includes its lower end: without bounds, cuts at 20 and 40 give ``< 20``, ``[20, 40)`` and ``≥ 40``.
    InputError if no cut is given or all lie outside the bounds. ``how`` describes the rule.
    """
    ranges = assign_ranges(column, cuts)
    if ranges is None:
        raise InputError("error.generalize.one-range", column=column.name)
    return Recoding(*ranges, how)


def width_cuts(column: Column, width: Decimal, ends: tuple[Decimal, Decimal] | None) -> list[Decimal]:
    """Return the multiples of a width within the range of a column's values, and the ``ends``, as rising cuts.

    Without ``ends``, the cuts are the multiples above the lowest value up to the highest: values 3 to 27 and a width of
    10 give 10 and 20. With ``ends``, multiples outside them are left out. Empty for a column without values.

    Raises
    ------
    InputError
        When there would be more than about 10,000 cuts.
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
    """Return the smallest width of 1, 2, 5, 10, 20, ... steps of the column of which ``ranges`` span all values.

    For whole ages from 20 to 69 and 10 ranges it is 5. Cut at multiples of it, the values may lie in one range more.
    For a column without values or with a single one, it is one step.
    """
    span, unit = _compute_span(column), style_of(column).step
    while True:
        for factor in (1, 2, 5):
            if unit * factor * ranges >= span:
                return unit * factor
        unit *= 10


def frequency_cuts(column: Column, count: int) -> list[Decimal]:
    """Return rising cuts that divide the records into ``count`` ranges with about the same number of records.

    Records without a value do not count, and cuts are rounded down to round numbers. The numbers from 1 to 100, once
    each, are cut into four ranges at 26, 51 and 76. As cuts must differ, there may be fewer than ``count`` - 1.
    """
    reached = np.cumsum(column.category_counts)
    rows = int(reached[-1]) if len(reached) else 0
    values = [to_decimal(text, style_of(column).decimal) for text in column.categories]
    last = [int(np.searchsorted(reached * count, i * rows)) for i in range(1, count)]
    grid = NumberGrid.of(column)
    return sorted({grid.down(values[index + 1]) for index in last if index + 1 < len(values)})


def recode_ends(column: Column, ends: tuple[Decimal, Decimal]) -> Recoding:
    """Return the recoding that shows all values below the lower end as one, and all from the upper end on as one.

    Their texts are ``< low`` and ``≥ high``, the first and the last in the order; values between keep their text. With
    the ends 18 and 65, an age of 17 becomes ``< 18``, 18 stays, and 65 becomes ``≥ 65``.
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
    """Return the recoding of ordered categories into ``count`` groups of neighbours with about equally many records.

    The text of a group is ``[first, last]``: for a, b, c and d with 3, 1, 2 and 1 records, two groups are ``[a, b]``
    and ``[c, d]``. A category alone in its group keeps its text. There are fewer groups if there are fewer categories,
    or if one is very frequent.
    """
    texts = join_neighbours(column, count)
    return Recoding(
        texts,
        tuple(dict.fromkeys(texts)),
        lazy("neighbouring values in {n} {n:group|groups}", n=len(set(texts))),
    )


def recode_by_months(column: Column, months: int, fewest: int = 1) -> Recoding:
    """Return the recoding of dates into periods of ``months`` months: 1, 3, 12, 60, 120 or 240.

    Neighbouring periods are joined until each has at least ``fewest`` records. Joined periods are written as
    ``[2014-11, 2015-03]``, or at an end as ``< 2014-11`` or ``≥ 2014-11``. The last period of 5, 10 or 20 years is
    written as ``≥ 2020``, since its end may lie in the future.
    """
    return _recode_by_period(column, WRITTEN_SPANS[months], _PERIODS[months], fewest, is_open=months > 12)


def recode_by_weeks(column: Column, fewest: int = 1) -> Recoding:
    """Return the recoding of dates into weeks; neighbouring weeks are joined until each period has ``fewest`` records.

    Joined weeks are written like joined months in ``recode_by_months``.
    """
    return _recode_by_period(column, week_of, lazy("week"), fewest)


def _recode_by_period(
    column: Column, written: Callable[[datetime], str], how: Sentence, fewest: int, *, is_open: bool = False
) -> Recoding:
    """Return the recoding of dates into periods, whose text the function ``written`` makes from a date.

    Neighbouring periods are joined until each has ``fewest`` records. The column has a declared format, which reads all
    its dates. ``how`` describes the rule, and ``is_open`` says whether the last period is written without its end.
    """
    form = DateFormat.parse(column.date_format) if column.date_format is not None else None
    texts = []
    for text in column.categories:
        read = form.read(text) if form is not None else None
        assert read is not None  # a column of dates was read in this form
        texts.append(written(read[0]))
    joined = _join_periods(texts, column.category_counts, fewest, is_open=is_open)
    is_joined = len(set(joined.values())) < len(joined)
    how = lazy("{period}, rare ones joined with their neighbours", period=Term(how)) if is_joined else how
    return Recoding(tuple(joined[text] for text in texts), tuple(dict.fromkeys(joined.values())), how)


def _join_periods(periods: Sequence[str], counts: Ints, fewest: int, *, is_open: bool) -> dict[str, str]:
    """Return, by period in rising order, the text after joining neighbouring periods until each has ``fewest`` records.

    Joined periods are written as ``[2019, 2020]``, at the ends as ``< 2021`` and ``≥ 2023``. If all periods become one,
    because they have too few records, it shows both ends (only the first with ``is_open``).

    Parameters
    ----------
    periods, counts
        Period and number of records of each category; several categories may be in the same period.
    is_open
        Whether the last period is written without its end even if it is not joined.
    """
    if not periods:
        return {}
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
    if is_open or (len(groups[-1]) > 1 and len(groups) > 1):
        texts[-1] = f"≥ {find_range_start(texts[-1])}"
    return {names[index]: text for text, group in zip(texts, groups, strict=True) for index in group}


def choose_months(column: Column) -> int:
    """Return the default length of a column's periods in months: 1, 3 or 12.

    It is 1 for dates within one calendar year, or without dates; 3 if the first and last year differ by less than 5;
    else 12.
    """
    years = [int(text[:4]) for text in recode_by_months(column, 12).texts]
    span = max(years) - min(years) if years else 0
    return 1 if span < 1 else 3 if span < 5 else 12


def recode_by_prefix(column: Column, length: int) -> Recoding:
    """Return the recoding that keeps the first ``length`` characters of each code and writes the others as ``*``."""
    return Recoding(mask_code_endings(column, length), None, lazy("first {n} {n:character|characters}", n=length))


def recode_by_level(column: Column, level: int) -> Recoding:
    """Return the recoding that replaces each value by its broader text at a level of the column's hierarchy.

    Level 0 of a declared hierarchy are the values themselves, level 1 the finest broader texts. Without a declared
    hierarchy, the levels are the inferred ones (see `inferred_levels`) and start at 1.

    Raises
    ------
    InputError
        When the column has neither a hierarchy nor inferred levels, or not so many levels.
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
    if not 0 < level <= len(steps):
        raise InputError("error.generalize.no-level", column=column.name, args={"level": level, "most": len(steps)})
    return steps[level - 1]()


def inferred_levels(column: Column) -> list[Callable[[], Recoding]]:
    """Return the levels of broader values that follow from a column's kind, as functions that make the recodings.

    - Dates: month, quarter, year, 5, 10 and 20 years; none of these without a known format.
    - Numbers: ranges of rising widths, each a multiple of the one before, from about 50 ranges on.
    - Codes of one length: one character less at each level.

    The finest level comes first; after these comes one that shows ``*`` for all values. Empty for ordered categories
    and other names.
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
    """Return rising widths of ranges (5, 10, 50, ... grid steps), each a multiple of the one before.

    The first gives at most about 50 ranges, the last at least two; none is wider than the span of the values. Whole
    ages from 20 to 69 get 5 and 10. Empty if there are no such widths.
    """
    span, unit, factor = _compute_span(column), style_of(column).step, 5
    widths: list[Decimal] = []
    while True:
        unit, factor = unit * factor, 7 - factor  # 5 and 2 in turn: each width holds the one before
        cuts = width_cuts(column, unit, None) if unit * 50 >= span else None
        if cuts is not None:
            if not cuts or unit > span:
                return widths
            widths.append(unit)


def _compute_span(column: Column) -> Decimal:
    """Return the difference between the largest and the smallest number of a column; 0 for a column without values."""
    numbers = [to_decimal(text, style_of(column).decimal) for text in column.categories]
    return max(numbers) - min(numbers) if numbers else Decimal(0)


def recode_rare_names(column: Column, share: float) -> Recoding:
    """Return the recoding that shows the rarest names as one text, ``(*)``.

    These are as many names as together have at most ``share`` of the records, but at least two: of names with 50, 40, 6
    and 4 of 100 records, a share of 0.1 joins the last two, and so does 0.01. Of equally rare names, the first in order
    is joined. Records without a value do not count. With fewer than three names, all names stay.
    """
    joined = find_rarest_categories(column, share)
    how = lazy("{n} rare {n:value|values} together", n=len(joined)) if joined else lazy("left as it is")
    return Recoding(replace_by_other(column, joined), None, how)
