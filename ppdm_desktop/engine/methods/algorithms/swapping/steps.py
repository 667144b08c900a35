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
from ppdm_desktop.engine.methods.algorithms.swapping.members import identified
from ppdm_desktop.engine.methods.algorithms.swapping.participants import ColumnInput, Streams
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.algorithms.swapping.report import column_detail, column_notes, protection_of
from ppdm_desktop.engine.methods.base.step import Protection, Settings, StepResult
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.texts import Note

Swap = Callable[[ColumnInput, tuple[LevelDemand, ...], Streams, Progress], Swapped]

# Records times categories; four such arrays of 64-bit numbers must fit into memory.
CELL_LIMIT = 60_000_000


def check_swap(table: Table, settings: Settings) -> list[Note]:
    """Refuse what no swap can do; return warnings.

    Raises
    ------
    RecipeError
        Without quasi-identifiers, or when all values of two would be exchanged.
    InputError
        When a column holds a single value, or too many categories for its length.
    """
    if not table.with_role("quasi-identifier"):
        raise RecipeError("error.swap.no-quasi-identifier")
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
                raise RecipeError("error.swap.all-values-flip", column=name, args={"key": "proportion"})
            if "proportion" in settings.written:
                arguments = {
                    "column": name,
                    "proportion": float(proportion),
                    "percent": round(100 * float(ceiling(categories))),
                }
                notes.append(Note("note.swap.above-ceiling", arguments))
        if categories == 2 and share != ONE_MEMBER and as_share(share) == 1:
            raise RecipeError("error.swap.all-values-flip", column=name, args={"key": "group_share"})
    if share == ONE_MEMBER:
        notes.append(Note("note.swap.one-member"))
    if len(settings.columns) > 1:
        notes.append(Note("note.swap.several-columns", {"columns": ", ".join(settings.columns)}))
    return notes


def swap_effect(table: Table, settings: Settings) -> dict[str, object]:
    """Return how many records a swap can reach: arguments of the effect's sentence."""
    classes = quasi_identifier_classes(table)
    unique = groups = 0
    for name in settings.columns:
        found = identified(classes, table.column(name).category_codes.astype(np.int64))
        unique += len(found.unique)
        groups += found.groups
    return {"unique": unique, "groups": groups, "columns": ", ".join(settings.columns)}


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
    levels = levels_of(table)
    classes = quasi_identifier_classes(table)
    progress.check()
    quasi = [column.category_codes for column in table.with_role("quasi-identifier")]
    notes: list[Note] = []
    detail = {}
    changed = []
    protections = []
    for index, name in enumerate(settings.columns):
        part = progress.part(index / len(settings.columns), (index + 1) / len(settings.columns))
        column = table.column(name)
        truth = column.category_codes.astype(np.int64)
        categories = len(column.categories)
        given = ColumnInput(truth, categories, quasi, classes, levels.codes.astype(np.int64))
        done = swap(given, level_demands(settings, levels, categories), _named(streams, name), part)
        part.check()
        detail[name] = column_detail(done, column.categories, levels)
        notes += column_notes(name, detail[name])
        protections.append(protection_of(name, done, levels, groups_served=groups_served))
        if (done.codes != truth).any():
            changed.append(with_categories(column, done.codes))
    progress.report(1.0, "progress.swap.search")
    return StepResult(table.replacing(*changed), tuple(protections), {"columns": detail}, tuple(notes))


def recognised_swap(before: Table, settings: Settings, *, groups_served: bool = True) -> tuple[Protection, ...]:
    """Return whom a swap protects in a file that somebody else made by it.

    Parameters
    ----------
    before, settings
        The table that was swapped, and how.
    groups_served
        False when groups were not promised a change.
    """
    levels, classes = levels_of(before), quasi_identifier_classes(before)
    found = []
    for name in settings.columns:
        column = before.column(name)
        identifiable = identified(classes, column.category_codes.astype(np.int64))
        served = np.zeros(before.rows, dtype=np.bool_)
        served[identifiable.unique] = True
        served[identifiable.collective] = groups_served
        treatment = np.where(served, levels.codes.astype(np.int64), -1)
        found.append(Protection(name, "randomised", served, treatment))
    return tuple(found)


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
