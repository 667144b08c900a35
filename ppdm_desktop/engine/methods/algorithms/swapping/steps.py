"""What both swapping methods do around a column: refusals, warnings and the new table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.column import Swapped
from ppdm_desktop.engine.methods.algorithms.swapping.demands import (
    ONE_MEMBER,
    LevelDemand,
    as_share,
    ceiling,
    level_demands,
)
from ppdm_desktop.engine.methods.algorithms.swapping.given import column_input, refuse_varying
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Streams
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.algorithms.swapping.report import column_detail, column_notes, protection_of
from ppdm_desktop.engine.methods.base.step import Protection, Settings, StepResult
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Term

Swap = Callable[[ColumnInput, tuple[LevelDemand, ...], Streams, Progress], Swapped]

# Records times categories; four such arrays of 64-bit numbers must fit into memory.
CELL_LIMIT = 60_000_000


def check_swap(table: Table, settings: Settings) -> list[Note]:
    """Refuse what no swap can do; return warnings.

    Raises
    ------
    RecipeError
        Without quasi-identifiers, when all values of two would be exchanged, or when a column changes within people.
    InputError
        When a column holds a single value, or too many categories for its length.
    """
    if not table.with_role("quasi-identifier"):
        raise RecipeError("error.swap.no-quasi-identifier")
    refuse_varying(table, settings)
    notes = []
    proportion = settings.values["proportion"]
    share = settings.values["group_share"]
    for name in settings.columns:
        categories = len(table.column(name).categories)
        if categories < 2:
            raise InputError("error.swap.one-value", column=name)
        if table.rows * categories > CELL_LIMIT:
            raise InputError("error.swap.too-many-categories", column=name, args={"categories": categories})
        if not isinstance(proportion, str) and proportion > ceiling(categories):
            if categories == 2 and proportion == 1:
                raise RecipeError("error.swap.all-values-flip", column=name, args={"key": Term("proportion")})
            if "proportion" in settings.written:
                arguments = {
                    "column": Name(name),
                    "proportion": Ratio(float(proportion)),
                    "most": Ratio(float(ceiling(categories))),
                }
                notes.append(Note("note.swap.above-ceiling", arguments))
        if categories == 2 and share != ONE_MEMBER and as_share(share) == 1:
            raise RecipeError("error.swap.all-values-flip", column=name, args={"key": Term("group_share")})
    if share == ONE_MEMBER:
        notes.append(Note("note.swap.one-member"))
    if len(settings.columns) > 1:
        notes.append(Note("note.swap.several-columns", {"columns": Names.of(settings.columns)}))
    return notes


def swap_effect(table: Table, settings: Settings) -> dict[str, object]:
    """Return how many records a swap can reach: arguments of the effect's sentence."""
    refuse_varying(table, settings)
    classes = quasi_identifier_classes(table)
    unique = groups = 0
    for name in settings.columns:
        found = column_input(table, name, classes).identified()
        unique += len(found.unique)
        groups += found.groups
    return {"unique": unique, "groups": groups, "columns": Names.of(settings.columns)}


def swap_step(
    table: Table,
    settings: Settings,
    streams: StepStream,
    progress: Progress,
    swap: Swap,
    *,
    groups_served: bool = True,
) -> StepResult:
    """Swap each column from the step's input and put the results together.

    Parameters
    ----------
    table, settings, streams, progress
        As for ``Method.run``.
    swap
        Turns one column's true categories into the released ones.
    groups_served
        False when groups were not promised a change.
    """
    progress.report(0.0, "progress.swap.posterior")
    refuse_varying(table, settings)
    people = table.several
    levels = levels_of(table) if people is None else levels_of(table).take(people.first_rows)
    classes = quasi_identifier_classes(table)
    progress.check()
    notes: list[Note] = []
    detail = {}
    changed = []
    protections = []
    for index, name in enumerate(settings.columns):
        part = progress.part(index / len(settings.columns), (index + 1) / len(settings.columns))
        column = table.column(name)
        given = column_input(table, name, classes)
        done = swap(given, level_demands(settings, levels, given.categories), _named(streams, name), part)
        part.check()
        detail[name] = column_detail(done, column.categories, levels)
        notes += column_notes(name, detail[name])
        protections.append(_of_rows(protection_of(name, done, levels, groups_served=groups_served), people))
        if (done.codes != given.truth).any():
            changed.append(with_categories(column, done.codes if people is None else done.codes[people.of_row]))
    progress.report(1.0, "progress.swap.search")
    return StepResult(table.replacing(*changed), tuple(protections), {"columns": detail}, tuple(notes))


def recognised_swap(before: Table, settings: Settings, *, groups_served: bool = True) -> tuple[Protection, ...]:
    """Return whom a swap protects in a file that another program made by it.

    Parameters
    ----------
    before, settings
        The table that was swapped, and how.
    groups_served
        False when groups were not promised a change.
    """
    classes = quasi_identifier_classes(before)
    found = []
    for name in settings.columns:
        given = column_input(before, name, classes)
        identifiable = given.identified()
        served = np.zeros(len(given.truth), dtype=np.bool_)
        served[identifiable.unique] = True
        served[identifiable.collective] = groups_served
        treatment = np.where(served, given.level, -1)
        found.append(_of_rows(Protection(name, "randomised", served, treatment), before.several))
    return tuple(found)


def _of_rows(protection: Protection, people: People | None) -> Protection:
    """Return what is said of people, said of each of their rows."""
    if people is None:
        return protection
    return replace(protection, served=protection.served[people.of_row], treatment=protection.treatment[people.of_row])


def _named(streams: StepStream, column: str) -> Callable[[str], RandomStream]:
    # The column's name is part of the purpose: the order of columns changes no draw.
    return lambda purpose: streams.stream(f"swap {purpose}: {column}")


def with_categories(column: Column, released: Ints) -> Column:
    """Return the column with other categories; cells that keep theirs keep their very text.

    Parameters
    ----------
    column
        A nominal or ordinal column: one text a category.
    released
        Category of each row, -1 where missing (those rows are left as they are).
    """
    truth = column.category_codes
    place = {text: code for code, text in enumerate(column.texts)}
    code_of = np.array([place[name] for name in column.categories], dtype=np.int32)
    moved = np.flatnonzero(released != truth)
    codes = column.codes.copy()
    codes[moved] = code_of[released[moved]]
    return replace(column, codes=codes)
