"""What both swapping methods do before and after the swap itself: refusals, warnings and the new table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import Classes, quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.people.within import refuse_varying
from ppdm_desktop.engine.methods.algorithms.swapping.column import Swapped
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    ONE_MEMBER,
    LevelDemand,
    as_share,
    compute_largest_share,
    level_demands,
    promises_groups,
)
from ppdm_desktop.engine.methods.algorithms.swapping.participants import (
    ColumnInput,
    Streams,
    Unit,
    index_combinations,
    unit_input,
    units_of,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import count_revealed_by_column, levels_of
from ppdm_desktop.engine.methods.algorithms.swapping.report import column_detail, column_notes, protection_of
from ppdm_desktop.engine.methods.base.step import Protection, Settings, StepResult
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Term, Value

KNOWN_BY_OTHERS = lazy(
    "Anyone who knows a person’s true value, such as an age, can still learn what all people with it have in common."
)
Swap = Callable[[ColumnInput, tuple[LevelDemand, ...], Streams], Swapped]

# Records times categories; four such arrays of 64-bit numbers must fit into memory.
CELL_LIMIT = 60_000_000
# Combinations that may move as one; every one has a multiplier and a row of its own in the search for the least cost.
COMBINATION_LIMIT = 100


def check_swap(table: Table, settings: Settings) -> list[Note]:
    """Return notes on a swap; raise an error if it cannot work.

    The notes are on a share in the recipe above (C - 1)/C for C values, on the setting by which only one member of a
    group changes, and on several columns that are swapped one by one.

    Raises
    ------
    RecipeError
        Without quasi-identifiers, if all values of a column with two values would be exchanged, if a column changes
        within people, or if columns swapped together have too many combinations.
    InputError
        When a column has fewer than two values, or columns swapped together have fewer than two combinations; or if
        rows times values are more than 60 million.
    """
    if not table.with_role("quasi-identifier"):
        raise RecipeError("error.swap.no-quasi-identifier")
    refuse_varying(table, settings)
    notes: list[Note] = []
    for name in settings.columns:
        if len(table.column(name).categories) < 2:
            raise InputError("error.swap.one-value", column=name)
    units = units_of(table, settings)
    for unit in units:
        notes += _check_unit(table, unit, settings)
    if settings.values["group_share"] == ONE_MEMBER:
        notes.append(Note("note.swap.one-member"))
    if len(units) > 1:
        notes.append(Note("note.swap.several-columns", {"columns": Names.of(settings.columns)}))
    return notes


def _check_unit(table: Table, unit: Unit, settings: Settings) -> Iterator[Note]:
    """Yield a note if the share of unique people in the recipe is too large to protect better.

    Raise an error if the unit cannot be swapped, but only when the result is iterated. A unit is one column or several
    swapped together. For C values, shares above (C - 1)/C are too large. RecipeError for more than 100 combinations, or
    if all unique people, or all members of groups, would exchange two values; InputError for more than 60 million rows
    times categories, or if columns swapped together have fewer than two combinations.
    """
    proportion, share = settings.values["proportion"], settings.values["group_share"]
    categories = _count_categories(table, unit)
    if unit.is_joint and categories < 2:
        raise InputError("error.swap.one-value", column=unit.label)
    if unit.is_joint and categories > COMBINATION_LIMIT:
        raise RecipeError(
            "error.swap.too-many-combinations",
            args={"combinations": categories, "limit": COMBINATION_LIMIT, "columns": Names.of(unit.columns)},
        )
    if table.rows * categories > CELL_LIMIT:
        raise InputError("error.swap.too-many-categories", column=unit.label, args={"categories": categories})
    if not isinstance(proportion, str) and proportion > compute_largest_share(categories):
        if categories == 2 and proportion == 1:
            raise RecipeError("error.swap.all-values-flip", column=unit.label, args={"key": Term("proportion")})
        if "proportion" in settings.written:
            arguments: dict[str, Value] = {
                "column": Name(unit.label),
                "proportion": Ratio(float(proportion)),
                "most": Ratio(float(compute_largest_share(categories))),
            }
            yield Note("note.swap.above-ceiling", arguments)
    if categories == 2 and share != ONE_MEMBER and as_share(share) == 1:
        raise RecipeError("error.swap.all-values-flip", column=unit.label, args={"key": Term("group_share")})


def _count_categories(table: Table, unit: Unit) -> int:
    """Return the number of categories of a column, or of combinations of columns swapped together."""
    columns = [table.column(name) for name in unit.columns]
    return len(index_combinations(columns)[1]) if unit.is_joint else len(columns[0].categories)


def swap_effect(table: Table, settings: Settings) -> dict[str, Value]:
    """Return how many unique people and groups with one value a swap can change, as values for a sentence.

    The keys are ``unique`` (people), ``groups`` (number of groups) and ``columns`` (names). Both numbers are added over
    the step's columns, of which those swapped together count once. RecipeError if a column changes within people.
    """
    refuse_varying(table, settings)
    classes = quasi_identifier_classes(table)
    unique = groups = 0
    for unit in units_of(table, settings):
        identified = unit_input(table, unit, classes).identified()
        unique += len(identified.unique)
        groups += identified.groups
    return {"unique": unique, "groups": groups, "columns": Names.of(settings.columns)}


def swap_step(table: Table, settings: Settings, streams: StepStream, swap: Swap) -> StepResult:
    """Return the result of swapping each unit of a step, that is, one column or several swapped together.

    Only people whose value the table reveals may change (unique people and members of groups with one value), as many
    as ``swap`` decides. There is a protection for each column, with an entry for each row. ``detail`` has the figures
    of each column by name under ``columns``, and those of columns swapped together under ``together``. Columns in which
    nothing changed are shared with the input; all rows of a person show the same value. People who lack a value in one
    of several columns swapped together keep their values in all of these. RecipeError if a column changes within
    people.

    Parameters
    ----------
    table, settings, streams
        The step's input, its settings, and its random streams.
    swap
        Function that swaps one unit.
    """
    groups_protected = promises_groups(settings)
    progress.report(0.0, "progress.method.search")
    refuse_varying(table, settings)
    people = table.persons
    levels = levels_of(table).take(people.first_rows)
    classes = quasi_identifier_classes(table)
    progress.check()
    notes: list[Note] = []
    detail: dict[str, Any] = {"columns": {}}
    changed = []
    protections = []
    units = units_of(table, settings)
    for index, unit in enumerate(units):
        with progress.part(index / len(units), (index + 1) / len(units)):
            column_input = unit_input(table, unit, classes)
            done = swap(
                column_input,
                level_demands(settings, levels, column_input.categories),
                _make_stream_lookup(streams, unit),
            )
            progress.check()
            columns = [table.column(name) for name in unit.columns]
            unit_detail = column_detail(done, _list_category_names(columns, column_input), levels)
            if unit.is_joint:
                unit_detail |= joint_detail(unit, table, column_input, done, classes, groups_protected=groups_protected)
                detail["together"] = unit_detail
            else:
                detail["columns"][unit.label] = unit_detail
            notes += column_notes(unit.label, unit_detail)
            codes = done.codes[people.of_row]
            for column_index, column in enumerate(columns):
                protection = protection_of(column.name, done, levels, groups_protected=groups_protected)
                protections.append(_to_row_protection(protection, people))
                values = np.asarray(column_input.views[column_index][np.maximum(codes, 0)]) if unit.is_joint else codes
                # What is missing in one of the columns stays with its person in all of them.
                values = np.where(codes >= 0, values, column.category_codes)
                if (values != column.category_codes).any():
                    changed.append(with_categories(column, values))
    progress.report(1.0, "progress.method.search")
    return StepResult(table.replacing(*changed), tuple(protections), detail, tuple(notes))


def _list_category_names(columns: Sequence[Column], column_input: ColumnInput) -> list[str]:
    """Return the text of each category, such as "flu".

    For columns swapped together, these are their texts in each combination that occurs, joined by " · " ("flu · 3").
    """
    if not column_input.views:
        return list(columns[0].categories)
    names = [
        [column.categories[code] for code in view] for column, view in zip(columns, column_input.views, strict=True)
    ]
    return [" · ".join(labels) for labels in zip(*names, strict=True)]


def joint_detail(
    unit: Unit,
    table: Table,
    column_input: ColumnInput,
    done: Swapped,
    classes: Classes,
    *,
    groups_protected: bool,
) -> dict[str, Any]:
    """Return figures about each of several columns that were swapped together, as plain data.

    - ``together``: their names.
    - ``shown_otherwise``: by column, how many unique people show another value than their true one.
    - ``left_out``: by column, how many people's values it still reveals by itself, see ``count_revealed_by_column``.
    """
    unique = done.members.identified.unique
    otherwise = {
        name: int(np.count_nonzero(view[done.codes[unique]] != view[column_input.truth[unique]]))
        for name, view in zip(unit.columns, column_input.views, strict=True)
    }
    left_out = count_revealed_by_column(
        unit, table, column_input, done.codes, classes, groups_protected=groups_protected
    )
    return {"together": list(unit.columns), "shown_otherwise": otherwise, "left_out": left_out}


def find_swap_protections(before: Table, settings: Settings) -> tuple[Protection, ...]:
    """Return a protection for each column in a file that another program made by this method.

    It has an entry for each row, and is not traceable. Unique people count as protected, and members of groups unless
    groups were promised nothing. ``treatment`` is the index of the person's privacy level, -1 for unprotected people.

    Parameters
    ----------
    before, settings
        The table that was swapped, and the settings.
    """
    classes = quasi_identifier_classes(before)
    protections = []
    for unit in units_of(before, settings):
        column_input = unit_input(before, unit, classes)
        protected = column_input.identified().flag_treated(with_groups=promises_groups(settings))
        treatment = np.where(protected, column_input.level, -1)
        protections += [
            _to_row_protection(Protection(name, "randomised", protected, treatment), before.persons)
            for name in unit.columns
        ]
    return tuple(protections)


def _to_row_protection(protection: Protection, people: People) -> Protection:
    """Return a protection with one entry for each person as one with an entry for each row."""
    return replace(
        protection, protected=protection.protected[people.of_row], treatment=protection.treatment[people.of_row]
    )


def _make_stream_lookup(streams: StepStream, unit: Unit) -> Callable[[str], RandomStream]:
    """Return a function from a purpose to the random stream that a unit (column or columns) uses for it."""
    # The names are part of the purpose: the order of columns changes no draw.
    return lambda purpose: streams.stream(f"swap {purpose}{unit.purpose}")


def with_categories(column: Column, released: Ints) -> Column:
    """Return the column with another category in some rows; cells that keep their category keep their exact text.

    Parameters
    ----------
    column
        A nominal or ordinal column with one text for each category.
    released
        New category of each row, as an index of the column's categories; -1 only in rows where the column is missing,
        which stay as they are.
    """
    truth = column.category_codes
    code_of_text = {text: code for code, text in enumerate(column.texts)}
    code_of = np.array([code_of_text[name] for name in column.categories], dtype=np.int32)
    moved = np.flatnonzero(released != truth)
    codes = column.codes.copy()
    codes[moved] = code_of[released[moved]]
    return replace(column, codes=codes)
