"""The decisions of a reconstruction before anything is drawn: k, the class, the masks, and the cells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.discretising import mask_of
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import Mask
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.merge_cells import joined_masks
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.parameters import PROFILES
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import shuffled_by
from ppdm_desktop.engine.methods.base.profiles import PAPER
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table

LEAST_K = 2
MOST_CLASSES = 20


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything about a reconstruction that does not depend on random draws.

    Attributes
    ----------
    k
        The largest of the parameter and what any record's level asks for.
    class_column
        The class, and
    classes
        each record's, -1 where missing.
    masks
        What each quasi-identifier may show, in file order.
    groups
        int64, shape (records,): the group that each record asks for; k is the largest.
    """

    k: int
    class_column: Column
    classes: Ints
    masks: tuple[Mask, ...]
    groups: Ints


@dataclass(frozen=True, eq=False)
class Masked:
    """The table's cells after names were exchanged.

    Attributes
    ----------
    codes
        Each quasi-identifier's groups after the exchange, in the order of the masks.
    cell
        int64, shape (records,): each record's cell after the exchange.
    people
        int64, shape (cells,): people of the source who truly are in the cell, or show it after the
        exchange, whichever are fewer.
    eligible
        bool, shape (records,): records that may be chosen.
    left_out
        People whose own cell is not released whatever is chosen.
    """

    codes: tuple[Ints, ...]
    cell: Ints
    people: Ints
    eligible: Bools
    left_out: int


def needed_k(table: Table, settings: Settings) -> int:
    """Return k: the largest group size that any record demands."""
    return int(groups_needed(table, settings).max(initial=LEAST_K))


def groups_needed(table: Table, settings: Settings) -> Ints:
    """Return the group size that each record demands, int64, shape (records,)."""
    return settings.groups_asked("k", levels_of(table), LEAST_K)


def class_of(table: Table, name: str) -> Column:
    """Return the class column: the named one, else the first confidential column with few values.

    Raises
    ------
    RecipeError
        When there is none, or the one named cannot be a class.
    """
    fitting = [column for column in table.with_role("confidential") if _classifies(column)]
    if not name:
        if not fitting:
            raise RecipeError("error.reconstruction.no-class", args={"most": MOST_CLASSES})
        return fitting[0]
    column = table.column(name)
    if column.role not in ("confidential", "other") or not _classifies(column):
        raise RecipeError("error.reconstruction.unfit-class", column=name, args={"most": MOST_CLASSES})
    return column


def _classifies(column: Column) -> bool:
    """Return whether a column can be a class: 2 to 20 values of a fitting kind."""
    return column.kind in ("nominal", "ordinal", "numeric") and 2 <= len(column.categories) <= MOST_CLASSES


def plan_of(table: Table, settings: Settings) -> Plan:
    """Return k, class and masks of a reconstruction; nothing is drawn."""
    values = settings.values
    k = needed_k(table, settings)
    column = class_of(table, str(values["class"]))
    classes = column.category_codes.astype(np.int64)
    # The paper cuts at members' own values, and its profile keeps doing so.
    on_public_grid = any(values[name] != value for name, value in PROFILES[PAPER].items())
    method, count = str(values["mask"]), int(values["ranges"])
    finest = [
        mask_of(quasi, table, column.name, method=method, count=count, on_public_grid=on_public_grid)
        for quasi in quasi_of(table, settings)
    ]
    masks = joined_masks(finest, classes, len(column.categories), k)
    return Plan(k, column, classes, masks, groups_needed(table, settings))


def quasi_of(table: Table, settings: Settings) -> list[Column]:
    """Return the quasi-identifiers of the step, in file order."""
    return [column for column in table.with_role("quasi-identifier") if column.name in settings.columns]


def masked_by(plan: Plan, share: float, streams: StepStream) -> Masked:
    """Return the cells after names were exchanged at random within classes."""
    rows = len(plan.classes)
    codes = tuple(
        swapped_within(mask.codes, plan.classes, share, streams.stream(f"exchange {mask.column.name}"))
        if mask.swapped
        else mask.codes
        for mask in plan.masks
    )
    both = [np.r_[mask.codes, code] for mask, code in zip(plan.masks, codes, strict=True)]
    classes = classes_of_codes(both, 2 * rows)
    original_cell, cell = classes.ids[:rows], classes.ids[rows:]
    truly, after = (np.bincount(ids, minlength=classes.count) for ids in (original_cell, cell))
    people = np.minimum(truly, after).astype(np.int64)
    width = len(plan.class_column.categories)
    labelled = plan.classes >= 0
    labels = np.bincount(cell[labelled] * width + plan.classes[labelled], minlength=classes.count * width)
    several = (labels.reshape(classes.count, width) > 0).sum(axis=1) >= 2
    usable = (people >= plan.k) & several
    return Masked(codes, cell, people, usable[cell] & labelled, int((~usable[original_cell]).sum()))


def swapped_within(codes: Ints, classes: Ints, share: float, stream: RandomStream) -> Ints:
    """Return the codes after random pairs of records of the same class exchanged theirs.

    In every class ``2 * floor(share * n / 2)`` records change partners, so that the share of each
    value in each class stays exactly as it was (Zhu, Li & Wu 2009, step 1, for names).

    Parameters
    ----------
    codes, classes
        int64, shape (records,): value and class, -1 where missing (a class of its own).
    share
        Share of each class's records that take part, 0 .. 1.
    """
    order = shuffled_by(classes + 1, stream)
    sizes = np.bincount(classes + 1)
    starts = np.r_[0, np.cumsum(sizes)[:-1]]
    rank = np.arange(len(codes)) - np.repeat(starts, sizes)
    takes_part = rank < np.repeat(2 * np.floor(share * sizes / 2).astype(np.int64), sizes)
    chosen = order[takes_part]
    swapped = codes.copy()
    # Both ends of a pair stand side by side: every class takes part with an even number.
    swapped[chosen[0::2]] = codes[chosen[1::2]]
    swapped[chosen[1::2]] = codes[chosen[0::2]]
    return swapped
