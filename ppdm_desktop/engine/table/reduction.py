"""Reducing a table to one row for each person, by computing one value from the values of the person's rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, ColumnSection, InputSection, Recipe, ReduceWay
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.dates import DateFormat, guess_date_format
from ppdm_desktop.engine.table.exact_numbers import MOST_DIGITS, distinct_values, scaled_texts
from ppdm_desktop.engine.table.kinds import apply_columns, present_texts
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import identify_people, with_ids_marked
from ppdm_desktop.engine.table.within_person import MadeSame, unify_within_person
from ppdm_desktop.engine.wording.texts import describe_kind, describe_role
from ppdm_desktop.engine.wording.values import Names, Term

_MOST = 10**MOST_DIGITS


@dataclass(frozen=True, eq=False)
class Records:
    """A source as the recipe describes it: its rows as read, and its records, which are rows or people.

    Records are people where the recipe asks to reduce the rows to one for each person.

    Attributes
    ----------
    recipe
        The recipe, with added entries for the columns of the person's id and of the number of rows.
    read
        Every row, with roles and kinds.
    reduced
        The person of each row of ``read``, where rows were reduced to one for each person; else None.
    table
        The records: one row for each person where rows were reduced, else ``read``, with its people where the recipe
        tells them apart.
    made_same
        For each column that the recipe wants constant within a person, how much was changed for it.
    """

    recipe: Recipe
    read: Table
    reduced: People | None
    table: Table
    made_same: tuple[MadeSame, ...] = ()

    def of_rows(self, rows: Bools) -> Bools:
        """Return which records have at least one of the marked rows, bool, shape (records,)."""
        return rows if self.reduced is None else self.reduced.with_any(rows)

    def to_rows(self, records: Bools) -> Bools:
        """Return which rows belong to a marked record, bool, shape (rows,)."""
        return records if self.reduced is None else records[self.reduced.of_row]


def prepare_records(table: Table, recipe: Recipe, decimal: str) -> Records:
    """Return the source with roles and kinds, reduced to one row for each person if the recipe asks for it.

    Columns that the recipe wants constant within each person are made so first; nothing is, and nothing is reduced, if
    the recipe names no column of person ids. A table that is not reduced has the people that the recipe names; unless
    the release shuffles rows, their rows count as linked by their order. Also returned are the recipe with entries for
    the added columns, all rows before the reduction with their people (None where nothing is reduced), and how much was
    made constant. ``decimal`` is the file's decimal mark.

    Raises
    ------
    RecipeError, InputError
        When a column is missing or not of its declared kind, or people's rows cannot be reduced to one; names key and
        column.
    """
    recipe = with_people_described(recipe, table)
    table = with_ids_marked(table, recipe.input.person, recipe.input.household)
    read = progress.part(0.0, 0.8).run(apply_columns, table, sections_of_rows(recipe), decimal)
    input_section = recipe.input
    if input_section.person is None:
        return Records(recipe, read, None, read)
    people = identify_people(read, input_section.person, input_section.household)
    read, made = _unify_within_people(read, people, input_section)
    if input_section.reduce is None:
        read = read.with_people(people if recipe.release.shuffle_rows else people.released_in_order())
        return Records(recipe, read, None, read, made)
    return Records(
        recipe, read, people, progress.part(0.8, 1.0).run(reduce_rows_by_person, read, people, recipe, decimal), made
    )


def _unify_within_people(
    table: Table, people: People, input_section: InputSection
) -> tuple[Table, tuple[MadeSame, ...]]:
    """Return the table with some columns made constant within each person, as the recipe asks, and what that changed.

    All rows of a person get their first or their most frequent value. For each such column the number of changed cells,
    and of people with one, is returned, even if it is 0. Columns that the table lacks are skipped.
    """
    columns, made = [], []
    for name, section in input_section.repair.items():
        if section.within_person is not None and name in table:
            column, done = unify_within_person(table.column(name), people, section.within_person)
            columns.append(column)
            made.append(done)
    return (table.replacing(*columns) if columns else table), tuple(made)


def with_people_described(recipe: Recipe, table: Table) -> Recipe:
    """Return the recipe with entries added for the columns of ids and of the number of a person's rows.

    The ids become identifiers, the number of rows a numeric quasi-identifier, unless the recipe has an entry for them.
    Nothing is added for the number of rows unless ``[input.reduce]`` asks for this column.

    Parameters
    ----------
    recipe
        If its ``[input]`` does not name ``person``, it is returned as it is.
    table
        The source as read.

    Raises
    ------
    RecipeError
        When ``[input]`` names a column that does not exist, an id column that would be released, or for the number of
        rows a new column whose name is taken.
    """
    input_section = recipe.input
    if input_section.person is None:
        return recipe
    named = [("input.person", name) for name in input_section.person]
    named += [("input.household", input_section.household)] if input_section.household is not None else []
    named += [("input.order_by", input_section.order_by)] if input_section.order_by is not None else []
    named += (
        [("input.reduce.columns", name) for name in input_section.reduce.columns]
        if input_section.reduce is not None
        else []
    )
    for key, name in named:
        if name not in table:
            raise RecipeError(
                "error.people.no-such-column", column=name, args={"key": Term(key), "columns": Names.of(table.names)}
            )
    sections = dict(recipe.columns)
    for key, name in named:
        if key in ("input.person", "input.household"):
            section = sections.setdefault(name, ColumnSection(role="identifier"))
            if section.role in RELEASED_ROLES:
                raise RecipeError(
                    "error.people.released", column=name, args={"key": Term(key), "role": describe_role(section.role)}
                )
    if input_section.reduce is not None and input_section.reduce.rows is not None:
        if input_section.reduce.rows in table:
            raise RecipeError("error.people.rows-taken", column=input_section.reduce.rows)
        sections.setdefault(input_section.reduce.rows, ColumnSection(role="quasi-identifier", kind="numeric"))
    return recipe.model_copy(update={"columns": sections})


def sections_of_rows(recipe: Recipe) -> Mapping[str, ColumnSection]:
    """Return the recipe's column entries as they apply to the rows before these are reduced to one for each person.

    Two things are left out: the bounds of a column that is to be summed, since they apply to the sum, and the entry for
    the number of rows, a column that does not exist yet. A recipe that reduces nothing gives all its entries.
    """
    reduce = recipe.input.reduce
    if reduce is None:
        return recipe.columns
    unbounded = {
        name: section.model_copy(update={"bounds": None}) for name, section in _find_sections_of_sums(recipe).items()
    }
    return {name: section for name, section in {**recipe.columns, **unbounded}.items() if name != reduce.rows}


def _find_sections_of_sums(recipe: Recipe) -> dict[str, ColumnSection]:
    """Return the entries that apply to columns to be summed: for each its own, else ``"*"``; none where both lack."""
    assert recipe.input.reduce is not None
    return {
        name: section
        for name, way in recipe.input.reduce.columns.items()
        if way == "sum" and (section := recipe.columns.get(name, recipe.columns.get("*"))) is not None
    }


def reduce_rows_by_person(table: Table, people: People, recipe: Recipe, decimal: str) -> Table:
    """Return the table with one row for each person, in the order of their first rows in the source.

    Each column is reduced in the way that the recipe names (first, sum, mean ...). A column with each person's number
    of rows is added if the recipe asks for it.

    Parameters
    ----------
    table
        All rows, with the kinds that ``sections_of_rows`` declares.
    people
        The person of each row.
    recipe
        From ``with_people_described``; it must have ``[input.reduce]``.
    decimal
        The file's decimal mark.

    Returns
    -------
    The table, in which each row has the row number of the person's first row. It has no privacy levels.

    Raises
    ------
    RecipeError
        When a column cannot be reduced in the way the recipe says; names key and column.
    InputError
        When a sum has more digits than a number may have, or lies outside the bounds declared for it.
    """
    input_section = recipe.input
    assert input_section.reduce is not None
    rows = _Rows(people, table, input_section)
    columns = []
    for index, column in enumerate(table.columns):
        progress.report(index / len(table.columns), "progress.read.people")
        columns.append(rows.reduced(column, input_section.reduce.way(column.name)))
    if input_section.reduce.rows is not None:
        columns.append(Column.from_texts(input_section.reduce.rows, map(str, people.sizes.tolist())))
    made = Table(tuple(columns), table.row_numbers[people.first_rows])
    again = _find_sections_of_sums(recipe)
    if input_section.reduce.rows is not None:
        again[input_section.reduce.rows] = recipe.columns[input_section.reduce.rows]
    return progress.make_silent_progress().run(apply_columns, made, again, decimal)


class _Rows:
    """The rows of each person in order of time, from which a single value of a column is computed for each person."""

    def __init__(self, people: People, table: Table, input_section: InputSection) -> None:
        """Find the first and the last row of each person in time, and the order of each person's rows.

        Time is the recipe's ``order_by`` column, else the order of the file, which also decides between equal times. A
        row without a time comes after all that have one, and is a person's first or last row only if all their rows are
        so.
        """
        self.people = people
        self._numbers = table.row_numbers
        time = np.zeros(people.rows)
        if input_section.order_by is not None:
            time = _place_on_scale(table.column(input_section.order_by), "order_by")
        at = np.arange(people.rows, dtype=np.int64)
        # A row without time is neither the first nor the last while there is one with it.
        unknown = np.isnan(time)
        draw = np.where(unknown, 0.0, time)
        self._first = people.first_by(unknown, draw, at)
        self._last = people.first_by(unknown, -draw, -at)
        self._order = np.empty(people.rows, dtype=np.int64)
        self._order[np.lexsort((at, draw, unknown, people.of_row))] = at

    def reduced(self, column: Column, way: ReduceWay) -> Column:
        """Return a column with one value for each person, computed in the given way.

        "first" and "last" take the value of the person's first or last row in time, even if it is missing.
        "most-frequent", "min" and "max" take a filled value if the person has any. "sum" and "mean" compute one. Raises
        RecipeError for "sum" and "mean" of a column that is not numeric, and "min" and "max" of one that is neither
        numeric nor of readable dates; InputError for a sum or mean of too many digits.
        """
        if way == "first":
            return column.take(self._first)
        if way == "last":
            return column.take(self._last)
        if way == "most-frequent":
            return column.take(self._find_commonest_rows(column))
        if way in ("mean", "sum"):
            return self._compute_sum_or_mean(column, way)
        places = _place_on_scale(column, way)
        missing = np.isnan(places)
        draw = np.where(missing, 0.0, places)
        return column.take(self.people.first_by(missing, draw if way == "min" else -draw, self._order))

    def _find_commonest_rows(self, column: Column) -> Ints:
        """Return for each person the index of a row with their most frequent value.

        Of equally frequent values the one that comes first in time is taken: "b, a, a, b" gives b. A missing cell is
        taken only if a person has nothing else.
        """
        codes = column.category_codes.astype(np.int64)
        _, inverse, counts = np.unique(
            self.people.of_row * (len(column.categories) + 1) + codes + 1, return_inverse=True, return_counts=True
        )
        often = np.where(codes < 0, 0, counts[inverse.reshape(-1)])
        return self.people.first_by(-often, self._order)

    def _compute_sum_or_mean(self, column: Column, way: ReduceWay) -> Column:
        """Return a column with the exact sum or mean of each person's numbers; missing cells do not count.

        A mean is rounded to the column's step, half up: with step 1, 2 and 3 give 3, -2 and -3 give -2. A person
        without any number keeps the missing text of their first row in time. Raises RecipeError for a column that is
        not numeric, InputError for a sum or mean of too many digits.
        """
        style = column.style
        if column.kind != "numeric" or style is None:
            _refuse_reduction(column, way)
        is_filled = ~column.missing
        of_row, scaled = self.people.of_row[is_filled], column.scaled[is_filled]
        largest = max((abs(int(edge)) for edge in (scaled.min(initial=0), scaled.max(initial=0))), default=0)
        # Exact whatever the size: beyond 64 bits Python's own whole numbers add up.
        exact = largest * max(self.people.most_rows, 1) < 2**62
        totals = np.zeros(self.people.count, dtype=np.int64 if exact else object)
        np.add.at(totals, of_row, scaled if exact else scaled.astype(object))
        numbers = np.bincount(of_row, minlength=self.people.count)
        there = np.flatnonzero(numbers)
        values = totals[there]
        if way == "mean":
            step = int(style.step.scaleb(style.decimals))
            width = numbers[there].astype(totals.dtype) * step
            if exact and largest * self.people.most_rows + step * self.people.most_rows >= 2**61:
                values, width = values.astype(object), width.astype(object)
            values = (2 * values + width) // (2 * width) * step
        beyond = np.flatnonzero(np.abs(values) >= _MOST)
        if len(beyond):
            row = int(self._numbers[self.people.first_rows[there[beyond[0]]]])
            raise InputError("error.people.sum-too-long", column=column.name, row=row, args={"digits": MOST_DIGITS})
        distinct, value_index = distinct_values(values.astype(np.int64))
        texts = scaled_texts(distinct, style.decimals, style.decimal)
        # Nobody's value is known where all are missing: the mark of their first row stays.
        codes = column.codes[self._first].astype(np.int64) + len(texts)
        codes[there] = value_index
        used, fresh = np.unique(codes, return_inverse=True)
        named = [*texts, *column.texts]
        return replace(
            column,
            codes=fresh.reshape(-1).astype(np.int32),
            texts=tuple(named[code] for code in used.tolist()),
        )


def _refuse_reduction(column: Column, way: str) -> NoReturn:
    """Raise RecipeError because a column cannot order rows (``way`` is ``order_by``) or else holds no numbers."""
    id = "error.people.no-order" if way == "order_by" else "error.people.not-numbers"
    raise RecipeError(id, column=column.name, args={"way": Term(way), "kind": describe_kind(column.kind)})


def _place_on_scale(column: Column, way: str) -> Floats:
    """Return each row's position on the column's scale, shape (rows,), NaN where missing or unreadable.

    The position is the number; of a date it is its rank among the column's different dates, 0 for the earliest. ``way``
    is the way of reducing rows that the error names.

    Raises
    ------
    RecipeError
        When the column is neither numeric nor a date column, even an ordinal one, or the format of its dates cannot be
        guessed.
    """
    if column.kind == "numeric":
        return np.array(column.numbers, dtype=np.float64)
    if column.kind != "date":
        _refuse_reduction(column, way)
    texts = present_texts(column)
    form = DateFormat.parse(column.date_format) if column.date_format is not None else guess_date_format(texts).format
    if form is None:
        if texts:
            _refuse_reduction(column, way)
        return np.full(len(column), np.nan)
    moments = {text: moment for text in texts if (moment := form.read(text)) is not None}
    rank = {moment: float(position) for position, moment in enumerate(sorted(set(moments.values())))}
    of_text = np.array([rank[moments[text]] if text in moments else np.nan for text in column.texts], dtype=np.float64)
    return np.asarray(of_text[column.codes])
