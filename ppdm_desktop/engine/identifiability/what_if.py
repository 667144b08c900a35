"""The ways in which columns could be generalised or left out, and the risk figures that would result.

The generalised texts are those that the method ``generalize`` releases for the same rule, so that a figure counted
beforehand is the figure of the released table. Figures are counted on one record for each class of equal values, and
for a single change only the changed column is combined again with the classes of all the others. Where people have
several rows, they are counted by the measure that limits apply to.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Codes, on_grid
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.identifiability.measures import Measure, measure_all_rows, measure_one_row
from ppdm_desktop.engine.identifiability.risk import OWN_VALUE, Distinct, has_wildcard_values, risk_figures
from ppdm_desktop.engine.table.column import MISSING, Column, NumberStyle, Table, to_decimal
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.table.generalised_texts import (
    WRITTEN_SPANS,
    assign_ranges,
    code_length,
    find_rarest_categories,
    join_neighbours,
    mask_code_endings,
    replace_by_other,
    replace_category_texts,
)
from ppdm_desktop.engine.table.people import People

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
        Name of the column.
    way
        ``left-out``, or a parameter of the method ``generalize``: ``width`` (of ranges of numbers), ``months`` (of
        periods of dates), ``level`` (of the hierarchy), ``ranges`` (number of groups of neighbours), ``characters``
        (kept of a code) or ``rare`` (the share of the records up to which the rarest values are joined).
    value
        The parameter's value; None when left out.
    texts
        The generalised text of each category of the column, in their order; empty when left out.
    order
        The generalised texts, lowest first, where they have an order; else None.
    """

    column: str
    way: str
    value: float | None = None
    texts: tuple[str, ...] = ()
    order: tuple[str, ...] | None = None

    @property
    def key(self) -> str:
        """The way and its value as a text such as "width 10", or the way alone without a value.

        It differs between the changes of one column.
        """
        return self.way if self.value is None else f"{self.way} {self.value:g}"

    @property
    def groups(self) -> int:
        """The number of different generalised texts; 0 for a column that is left out."""
        return len(set(self.texts))

    def codes(self, column: Column) -> Codes:
        """Return the generalised code of each category, shape (categories + 1,); the last entry, -1, is for missing.

        Indexing the result with category codes, -1 included, gives the generalised codes. They are numbered in the
        order in which ``texts`` first names them. Not for a change that leaves the column out.
        """
        code_of = {text: code for code, text in enumerate(dict.fromkeys(self.texts))}
        return np.array([*(code_of[text] for text in self.texts), MISSING], dtype=np.int32)

    def applied(self, column: Column) -> Column:
        """Return the column with its generalised texts; missing cells stay as they are.

        Not for a change that leaves the column out, which has no texts.
        """
        return replace_category_texts(column, self.texts, self.order)


def make_leave_out_change(column: Column) -> Change:
    """Return the change that leaves a column out."""
    return Change(column.name, LEFT_OUT)


def generalisations_of(column: Column) -> tuple[Change, ...]:
    """Return the ways to generalise a column, finest first; empty where none is possible.

    - Numbers: at most about 30 ranges of a round width (2, 5, 10, 20, ... times the column's own step).
    - Dates: months, quarters, years, 5, 10 and 20 years.
    - A column of any kind with a declared hierarchy: only its levels, except the one that joins all values.
    - Ordered categories: groups of neighbours.
    - Codes: fewer leading characters.
    - Other names: the rarest joined; nothing for free text.

    A change that leaves the values as they are or makes all equal is not listed, nor one that groups like an earlier
    one, nor one with a text that means a missing value in the column.
    """
    changes: list[Change] = []
    groupings: set[tuple[int, ...]] = {tuple(range(len(column.categories)))}
    for change in _list_generalisations(column):
        grouping = tuple(change.codes(column)[:-1].tolist())
        if change.groups < 2 or grouping in groupings or not column.missing_texts.isdisjoint(change.texts):
            continue
        groupings.add(grouping)
        changes.append(change)
    return tuple(changes)


def _list_generalisations(column: Column) -> Iterator[Change]:
    """Yield all generalisations that suit a column, finest first: by its hierarchy if it has one, else by its kind.

    Nothing for fewer than two values, or for free text without a hierarchy. A generalisation may join nothing or
    all values, or repeat another.
    """
    if len(column.categories) < 2:
        return
    if column.hierarchy is not None:
        tree = column.hierarchy
        for level in range(1, tree.height + 1):
            yield Change(column.name, LEVEL, level, tuple(tree.at(text, level) for text in column.categories))
    elif column.kind == "numeric":
        yield from _list_number_ranges(column)
    elif column.kind == "date":
        yield from _list_date_periods(column)
    elif column.kind == "ordinal":
        yield from _list_neighbour_groupings(column)
    elif column.kind == "nominal":
        length = code_length(column)
        if length is not None:
            for kept in range(length - 1, 0, -1):
                yield Change(column.name, CHARACTERS, kept, mask_code_endings(column, kept))
        else:
            yield from _list_rare_joins(column)


def _list_number_ranges(column: Column) -> Iterator[Change]:
    """Yield generalisations of numbers to ranges whose width is 1, 2 or 5 times a power of ten of the column's step.

    Widths are larger than that step, at most the span of the values, and give at most about 30 ranges: 2, 5, 10 and 20
    for whole ages from 20 to 69. A width whose ranges have no border within the column's bounds is left out.
    """
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
                ranges = assign_ranges(column, cuts)
                if ranges is not None:
                    yield Change(column.name, WIDTH, _to_plain_number(width), *ranges)
        unit *= 10


def _to_plain_number(number: Decimal) -> float:
    """Return a number as an integer if it is whole, else as a float."""
    return int(number) if number == number.to_integral_value() else float(number)


def _list_date_periods(column: Column) -> Iterator[Change]:
    """Yield the generalisations of dates to months, quarters, years, and 5, 10 and 20 years, in this order.

    Nothing if one of the dates cannot be read in the column's format.
    """
    form = DateFormat.parse(column.date_format) if column.date_format is not None else None
    read = [form.read(text) if form is not None else None for text in column.categories]
    days = [moment[0] for moment in read if moment is not None]
    if len(days) < len(read):
        return
    for months, written in WRITTEN_SPANS.items():
        texts = tuple(written(day) for day in days)
        yield Change(column.name, MONTHS, months, texts, tuple(sorted(set(texts))))


def _list_neighbour_groupings(column: Column) -> Iterator[Change]:
    """Yield groupings of neighbouring ordered categories into half as many groups as values, half again, down to 2.

    Seven values are grouped into 4, then into 2; twelve into 6, 3 and 2; a very frequent value may leave fewer groups.
    Nothing for fewer than three values.
    """
    groups = (len(column.categories) + 1) // 2
    while groups >= 2:
        texts = join_neighbours(column, groups)
        yield Change(column.name, RANGES, groups, texts, tuple(dict.fromkeys(texts)))
        groups = groups // 2 if groups > 3 else groups - 1


def _list_rare_joins(column: Column) -> Iterator[Change]:
    """Yield the generalisations that join the rarest values, up to 5, 10, 20 and 40 % of the records, in one text.

    Nothing for fewer than three values.
    """
    if len(column.categories) < 3:
        return
    for share in RARE_SHARES:
        yield Change(column.name, RARE, share, replace_by_other(column, find_rarest_categories(column, share)))


_DOING = "doing.risk"


@dataclass(frozen=True)
class Effect:
    """The risk figures of a table after some changes of columns.

    Attributes
    ----------
    records
        Number of people; without a person column each record is another person.
    unique_people
        Number of people who match nobody else.
    uniquely, collectively
        Number of people identifiable uniquely, and collectively, over all confidential columns; None without any.
    groups
        Number of classes in which people are collectively identifiable; None without confidential columns.
    classes
        Number of classes of equal values.
    k
        Smallest number of people that any person cannot be distinguished from.
    prosecutor_mean, prosecutor_max
        Chance of being found, averaged over the people, and for the worst-case person.
    """

    records: int
    unique_people: int
    uniquely: int | None
    collectively: int | None
    groups: int | None
    classes: int
    k: int
    prosecutor_mean: float
    prosecutor_max: float

    @classmethod
    def of(cls, measure: Measure) -> Effect:
        """Return the figures of a measure; those about confidential values are None without confidential columns."""
        overall = measure.overall
        return cls(
            records=measure.people,
            unique_people=measure.unique_people,
            uniquely=overall.uniquely if overall else None,
            collectively=overall.collectively if overall else None,
            groups=overall.groups if overall else None,
            classes=measure.classes,
            k=measure.k,
            prosecutor_mean=measure.prosecutor_mean,
            prosecutor_max=measure.prosecutor_max,
        )


@dataclass(frozen=True, eq=False)
class WhatIf:
    """The risk figures before any change and after each single change.

    Attributes
    ----------
    before
        The figures without any change.
    single
        Each change with its figures, column by column: first leaving it out, then its generalisations, finest first.
    """

    before: Effect
    single: tuple[tuple[Change, Effect], ...]

    def of_column(self, name: str) -> list[tuple[Change, Effect]]:
        """Return the changes of one column with their figures: leaving it out, then generalisations, finest first.

        Empty for an unknown column.
        """
        return [pair for pair in self.single if pair[0].column == name]

    def find(self, column: str, key: str) -> tuple[Change, Effect] | None:
        """Return the change of a column with this ``Change.key``, and its figures; None if there is none."""
        return next((pair for pair in self.single if pair[0].column == column and pair[0].key == key), None)

    def ranked(self) -> list[tuple[Change, Effect]]:
        """Return all changes with their figures, sorted by fewest unique people, then by lowest mean risk.

        Equal changes keep their order.
        """
        return sorted(self.single, key=lambda change: (change[1].unique_people, on_grid(change[1].prosecutor_mean)))


def try_single_changes(
    quasi: Sequence[Column],
    confidential: Sequence[Column],
    people: People,
    missing_rule: str = OWN_VALUE,
) -> WhatIf:
    """Return the risk figures before any change, and after every single change of a quasi-identifier.

    The changes of a column are leaving it out, then its generalisations, finest first; columns are in the order of
    ``quasi``. People with several rows are measured by all their rows if these can be linked, else by one row.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    confidential
        The columns that the intruder wants to learn; may be empty.
    people
        The person of each row.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    """
    changes = []
    for index, column in enumerate(quasi):
        progress.report(0.3 * index / max(len(quasi), 1), _DOING)
        changes.append((make_leave_out_change(column), *generalisations_of(column)))
    if has_wildcard_values(quasi, missing_rule):
        flat = [change for options in changes for change in options]
        what_if = []
        for index, change in enumerate(flat):
            progress.report(0.3 + 0.7 * index / max(len(flat), 1), _DOING)
            effect = progress.make_silent_progress().run(
                try_combined_changes, quasi, confidential, people, [change], missing_rule
            )
            what_if.append((change, effect))
        return WhatIf(
            progress.make_silent_progress().run(try_combined_changes, quasi, confidential, people, [], missing_rule),
            tuple(what_if),
        )
    figures = _Figures(quasi, confidential, people)
    progress.report(0.4, _DOING)
    effects: dict[int, list[Effect]] = {}
    distinct = figures.distinct

    def halve(open_places: list[int], outside: Classes) -> None:
        """Fill ``effects`` for the columns with the indices ``open_places``, given the classes by all other columns.

        Each column gets the figures after each of its changes.
        """
        progress.check()
        if len(open_places) == 1:
            index = open_places[0]
            effects[index] = []
            for change in changes[index]:
                progress.check()
                effects[index].append(figures.of(figures.refined(outside, index, change)))
            progress.report(0.4 + 0.6 * len(effects) / len(quasi), _DOING)
            return
        middle = len(open_places) // 2
        left, right = open_places[:middle], open_places[middle:]
        for kept, still_open in ((right, left), (left, right)):
            ids = outside
            for index in kept:
                ids = distinct.refined(ids, distinct.codes[index])
            halve(still_open, ids)

    if quasi:
        halve(list(range(len(quasi))), distinct.together())
    before = figures.of(Classes(np.arange(distinct.classes.count, dtype=np.int64), distinct.classes.count))
    single = [pair for index in range(len(quasi)) for pair in zip(changes[index], effects[index], strict=True)]
    progress.report(1.0, _DOING)
    return WhatIf(before, tuple(single))


def try_combined_changes(
    quasi: Sequence[Column],
    confidential: Sequence[Column],
    people: People,
    changes: Sequence[Change],
    missing_rule: str = OWN_VALUE,
) -> Effect:
    """Return the risk figures after several changes at once; raise ValueError for two changes of one column.

    People with several rows are measured by all their rows if these can be linked, else by one row.

    Parameters
    ----------
    quasi
        The columns that an intruder is taken to know.
    confidential
        The columns that the intruder wants to learn; may be empty.
    people
        The person of each row.
    changes
        The changes; those of columns that are not in ``quasi`` have no effect.
    missing_rule
        ``own-value``: a missing value equals only missing ones; ``matches-anything``: it equals every value.
    """
    by_column = _index_by_column(changes)
    progress.report(0.0, _DOING)
    if has_wildcard_values(quasi, missing_rule):
        changed = changed_columns(quasi, changes)
        return Effect.of(risk_figures(changed, confidential, people, missing_rule).judged)
    figures = _Figures(quasi, confidential, people)
    ids = figures.distinct.together()
    for index, column in enumerate(quasi):
        progress.report((index + 1) / (len(quasi) + 1), _DOING)
        ids = figures.refined(ids, index, by_column.get(column.name))
    return figures.of(ids)


def changed_columns(columns: Sequence[Column], changes: Sequence[Change]) -> list[Column]:
    """Return the columns with changes applied, in the same order: generalised, or left out of the result.

    A generalised column is ordinal if the change has an ``order``, else nominal. Other columns are unchanged, and a
    change of a column that is not there has no effect. ValueError for two changes of one column.
    """
    by_column = _index_by_column(changes)
    kept = []
    for column in columns:
        change = by_column.get(column.name)
        if change is None:
            kept.append(column)
        elif change.way != LEFT_OUT:
            kept.append(change.applied(column))
    return kept


def changed_table(table: Table, changes: Sequence[Change]) -> Table:
    """Return the table after the changes; a column that is left out stays in it with the role ``left-out``.

    Generalised columns keep their role, and are ordinal if the change has an ``order``, else nominal. Raises ValueError
    for two changes of one column.
    """
    by_column = _index_by_column(changes)

    def change_of(column: Column) -> Column:
        """Return the column after its change; the same column where it has none."""
        change = by_column.get(column.name)
        if change is None:
            return column
        return replace(column, role=LEFT_OUT) if change.way == LEFT_OUT else change.applied(column)

    return table.mapped(change_of)


def _index_by_column(changes: Sequence[Change]) -> Mapping[str, Change]:
    """Return the changes by column name; raise ValueError for two changes of one column."""
    by_name = {change.column: change for change in changes}
    if len(by_name) < len(changes):
        raise ValueError("two changes of one column")
    return by_name


class _Figures:
    """Computes risk figures from classes of distinct records, each of which stands for all equal records."""

    def __init__(self, quasi: Sequence[Column], confidential: Sequence[Column], people: People) -> None:
        """Find the classes of equal quasi-identifiers, and those with a single value of each confidential column.

        For each such column it stores one value of each class, and which classes have different values or a missing
        one.
        """
        self.distinct, self._quasi, self._people = Distinct.of(quasi, people), quasi, people
        self._secrets = {column.name: column.category_codes for column in confidential}
        # Lowest and highest confidential code of each class: one value, none missing, when equal and not -1.
        self._ranges = []
        distinct, classes = self.distinct, self.distinct.classes
        for column in confidential:
            codes = column.category_codes
            value = codes[distinct.first]
            mixed = np.bincount(classes.ids[codes != value[classes.ids]], minlength=classes.count) > 0
            self._ranges.append((value, mixed | (value < 0)))

    def refined(self, ids: Classes, index: int, change: Change | None) -> Classes:
        """Return the classes after splitting them by the column with this index, as ``change`` leaves it.

        ``change`` None leaves the column unchanged. A column that is left out splits nothing, so that ``ids`` is
        returned.
        """
        codes: Codes = self.distinct.codes[index]
        if change is not None:
            if change.way == LEFT_OUT:
                return ids
            codes = change.codes(self._quasi[index])[codes]
        return self.distinct.refined(ids, codes)

    def of(self, ids: Classes) -> Effect:
        """Return the risk figures if the distinct records (one for all records with equal values) form classes ``ids``.

        All counts are of people. Those about confidential values are None without confidential columns. If people have
        several rows, they are measured by all their rows where these can be linked, else by one row.
        """
        if self._people.with_several:
            of_rows = Classes(ids.ids[self.distinct.classes.ids], ids.count)
            way = measure_all_rows if self._people.linked else measure_one_row
            return Effect.of(way(of_rows, self._secrets, self._people))
        sizes = self.distinct.sizes(ids)
        is_unique = sizes == 1
        revealed = np.zeros(ids.count, dtype=np.bool_)
        for value, mixed in self._ranges:
            value_of_class = np.zeros(ids.count, dtype=value.dtype)
            value_of_class[ids.ids] = value
            differs = mixed | (value != value_of_class[ids.ids])
            revealed |= np.bincount(ids.ids[differs], minlength=ids.count) == 0
        group = revealed & ~is_unique
        has = bool(self._ranges)
        return Effect(
            records=self._people.count,
            unique_people=int(is_unique.sum()),
            uniquely=int((revealed & is_unique).sum()) if has else None,
            collectively=int(sizes[group].sum()) if has else None,
            groups=int(group.sum()) if has else None,
            classes=ids.count,
            k=int(sizes.min()) if ids.count else 0,
            prosecutor_mean=ids.count / max(self._people.count, 1),
            prosecutor_max=1.0 / int(sizes.min()) if ids.count else 0.0,
        )
