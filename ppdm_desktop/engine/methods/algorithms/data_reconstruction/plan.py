"""The decisions of a reconstruction before anything is drawn: k, the class, the masks, and the cells.

Joins neighbouring values until nearly everybody is in a cell with enough people and several classes.

A cell with fewer than k people may not be released: k copies of its records would claim to represent k people. Values
are joined where that costs the least information, about the class and about the column itself, for each person
brought into a valid cell; records of the few people left over cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import Mask, mask_of
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.parameters import PROFILES
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import shuffle_by_keys
from ppdm_desktop.engine.methods.base.step import PAPER, Settings
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table

# --- merge cells --------------------------------------------------------------------------

MOST_LEFT_OUT = 0.05
"""Largest share of people who may be in cells that are not released."""
_LARGEST_KEY = 2.0**62


def join_masks(masks: Sequence[Mask], classes: Ints, width: int, k: int) -> tuple[Mask, ...]:
    """Return the masks with values joined until at most 5 % of the people are in invalid cells.

    A cell, a combination of shown values, is invalid with fewer than ``k`` people or a single class. Joins are chosen
    by least loss of information for each person gained; where no join is left, the masks come back as far as they are.

    Parameters
    ----------
    classes, width
        Each record's class, -1 where missing, and how many classes there are.
    k
        People a cell needs.
    """
    joined = [_join_rare_groups(mask, classes, width, k) for mask in masks]
    while True:
        progress.check()
        cells = _Counted.of(joined, classes, width)
        left = cells.left_out(k)
        if left <= MOST_LEFT_OUT * len(classes):
            return tuple(joined)
        choices = list(_list_joins(joined, cells))
        if not choices:
            return tuple(joined)
        ranked = []
        for turn, (column, members) in enumerate(choices):
            progress.check()
            after = cells.joined(column, members)
            rescued = left - after.left_out(k)
            loss = after.disorder - cells.disorder + cells.detail_lost(column, members)
            ranked.append((loss / rescued if rescued > 0 else np.inf, loss, turn))
        column, members = choices[min(ranked)[2]]
        joined[column] = joined[column].joined(*members)


class _Counted:
    """Cells by their codes, with people by class; one for each cell, so that many joins can be tried."""

    def __init__(self, codes: Ints, labels: Ints, people: Ints) -> None:
        """Take one row of ``codes``, ``labels`` (counts by class) and ``people`` for each combination of values."""
        self._codes, self._labels, self._people = codes, labels, people
        self.disorder = float((labels.sum(axis=1) * _entropy(labels)).sum())
        # Joining two values of a column is a sum on one key of all columns, where one is large enough.
        widths = [int(column.max(initial=-1)) + 2 for column in codes.T]
        self._strides = np.cumprod([1, *widths[:-1]], dtype=np.float64)
        self._fits = bool(self._strides[-1:].sum() * (widths[-1] if widths else 1) < _LARGEST_KEY)
        self._keys = (codes + 1) @ self._strides.astype(np.int64) if self._fits else np.zeros(0, dtype=np.int64)

    @classmethod
    def of(cls, masks: Sequence[Mask], classes: Ints, width: int) -> _Counted:
        """Return the cells of masks, with the people in each by class.

        A cell is a combination of groups, one of each mask, that some record has. ``classes`` is each record's class,
        -1 where missing, and ``width`` the number of classes.
        """
        codes = [mask.codes for mask in masks]
        cells = classes_of_codes(codes, len(classes))
        labelled = classes >= 0
        labels = np.bincount(cells.ids[labelled] * width + classes[labelled], minlength=cells.count * width)
        labels = labels.reshape(cells.count, width).astype(np.int64)
        return cls(np.stack([column[cells.first] for column in codes], axis=1), labels, cells.sizes)

    def joined(self, column: int, members: Sequence[int]) -> _Counted:
        """Return the cells with some values of a column joined; usable for counting, not for joining again.

        ``members`` are the group indexes of the column that become one, the first its index.
        """
        first = members[0]
        moved = np.isin(self._codes[:, column], members)
        if self._fits:
            keys = self._keys - moved * int(self._strides[column]) * (self._codes[:, column] - first)
            _, ids = np.unique(keys, return_inverse=True)
            count = int(ids.max(initial=-1)) + 1
        else:
            codes = self._codes.copy()
            codes[moved, column] = first
            classes = classes_of_codes(list(codes.T), len(codes))
            ids, count = classes.ids, classes.count
        width = self._labels.shape[1]
        cells = ids[:, None] * width + np.arange(width)
        labels = np.bincount(cells.ravel(), self._labels.ravel(), count * width).reshape(count, width)
        people = np.bincount(ids, self._people, count).astype(np.int64)
        return _Counted(self._codes[:0], labels.astype(np.int64), people)

    def detail_lost(self, column: int, members: Sequence[int]) -> float:
        """Return the bits of information about the column that a join takes from all people together.

        It is the number of people in the joined groups times the entropy of the groups among them.
        """
        codes = self._codes[:, column]
        sizes = [int(self._people[codes == value].sum()) for value in members]
        return float(sum(sizes) * _entropy(np.array([sizes], dtype=np.int64))[0])

    def left_out(self, k: int) -> int:
        """Return how many people are in cells with fewer than ``k`` people or a single class."""
        fit = (self._people >= k) & ((self._labels > 0).sum(axis=1) >= 2)
        return int(self._people[~fit].sum())

    def by_group(self, column: int, groups: int) -> Ints:
        """Return the number of people in each group of a column by class, int64, shape (groups, classes)."""
        counts = np.zeros((groups + 1, self._labels.shape[1]), dtype=np.int64)
        np.add.at(counts, self._codes[:, column], self._labels)
        return counts[:-1]


def _list_joins(masks: Sequence[Mask], cells: _Counted) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the joins worth trying as (column, group indexes, rising).

    Neighbours of ordered columns; the rarest name with the one most like it, and the rarest four, eight, ... names and
    all but the commonest at once, for one by one they may bring nobody into a fit cell.
    """
    for column, mask in enumerate(masks):
        groups = len(mask.groups)
        if groups < 2:
            continue
        if mask.ordered:
            yield from ((column, (first, first + 1)) for first in range(groups - 1))
            continue
        counts = cells.by_group(column, groups)
        yield column, tuple(sorted(_find_groups_to_join(counts)))
        rarest = np.argsort(counts.sum(axis=1), kind="stable").tolist()
        sizes = {2**power for power in range(2, groups.bit_length())} | {groups - 1}
        yield from ((column, tuple(sorted(rarest[:size]))) for size in sorted(sizes) if 2 < size < groups)


def _join_rare_groups(mask: Mask, classes: Ints, width: int, k: int) -> Mask:
    """Return the mask with unordered groups joined until each has at least k people.

    An ordered mask comes back unchanged, and one with a single group. The rarest group is joined with the one whose
    classes are most similar. ``width`` is the number of classes.
    """
    while not mask.ordered and len(mask.groups) > 1:
        progress.check()
        codes = mask.codes
        present = codes >= 0
        sizes = np.bincount(codes[present], minlength=len(mask.groups))
        if sizes.min() >= k:
            break
        labelled = present & (classes >= 0)
        counts = np.bincount(codes[labelled] * width + classes[labelled], minlength=len(mask.groups) * width)
        first, second = sorted(_find_groups_to_join(counts.reshape(-1, width), sizes))
        mask = mask.joined(first, second)
    return mask


def _find_groups_to_join(counts: Ints, sizes: Ints | None = None) -> tuple[int, int]:
    """Return the index of the rarest group, and of the other group with the most similar shares of classes; ties low.

    ``counts`` has shape (groups, classes), at least two groups; ``sizes`` are the groups' sizes where they are not the
    sums of counts.
    """
    sizes = counts.sum(axis=1) if sizes is None else sizes
    rarest = int(np.argmin(sizes))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    gap = np.abs(shares - shares[rarest]).sum(axis=1)
    gap[rarest] = np.inf
    return rarest, int(np.argmin(gap))


def _entropy(counts: Ints) -> Floats:
    """Return the entropy of each row of counts, in bits."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))


# --- plan ---------------------------------------------------------------------------------

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
        int64, shape (records,): the group size that each record asks for; k is the largest.
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
    """Return k: the largest group size that any record demands, by the parameter ``k`` or its level, at least 2."""
    return int(find_needed_group_sizes(table, settings).max(initial=LEAST_K))


def find_needed_group_sizes(table: Table, settings: Settings) -> Ints:
    """Return the group size that each record demands, by the parameter ``k`` or its level, at least 2.

    int64, shape (records,).
    """
    return settings.groups_asked("k", levels_of(table), LEAST_K)


def choose_class_column(table: Table, name: str) -> Column:
    """Return the class column: the named one, else the first confidential column with few values.

    An empty ``name`` stands for the first confidential column that can be a class.

    Raises
    ------
    RecipeError
        When there is none, or the one named cannot be a class.
    """
    fitting = [column for column in table.with_role("confidential") if _can_be_class(column)]
    if not name:
        if not fitting:
            raise RecipeError("error.reconstruction.no-class", args={"most": MOST_CLASSES})
        return fitting[0]
    column = table.column(name)
    if column.role not in ("confidential", "other") or not _can_be_class(column):
        raise RecipeError("error.reconstruction.unfit-class", column=name, args={"most": MOST_CLASSES})
    return column


def _can_be_class(column: Column) -> bool:
    """Return whether a column can be a class: nominal, ordinal or numeric, with 2 to 20 values."""
    return column.kind in ("nominal", "ordinal", "numeric") and 2 <= len(column.categories) <= MOST_CLASSES


def plan_of(table: Table, settings: Settings) -> Plan:
    """Return the plan of a reconstruction: k, class column, each record's class, joined masks, and group sizes needed.

    Nothing is drawn. RecipeError as from ``choose_class_column``.
    """
    values = settings.values
    k = needed_k(table, settings)
    column = choose_class_column(table, str(values["class"]))
    classes = column.category_codes.astype(np.int64)
    # The paper cuts at members' own values, and its profile keeps doing so.
    on_public_grid = any(values[name] != value for name, value in PROFILES[PAPER].items())
    method, count = str(values["mask"]), int(values["ranges"])
    finest = [
        mask_of(quasi, table, column.name, method=method, count=count, on_public_grid=on_public_grid)
        for quasi in list_quasi_identifiers(table, settings)
    ]
    masks = join_masks(finest, classes, len(column.categories), k)
    return Plan(k, column, classes, masks, find_needed_group_sizes(table, settings))


def list_quasi_identifiers(table: Table, settings: Settings) -> list[Column]:
    """Return the quasi-identifiers of the step, in file order."""
    return [column for column in table.with_role("quasi-identifier") if column.name in settings.columns]


def mask_records(plan: Plan, share: float, streams: StepStream) -> Masked:
    """Return the cells of all records after a share of names was exchanged at random within classes.

    A record may be chosen where its class is known and its cell (its combination of shown values) has at least k people
    before and after the exchange, and two classes after it. ``share`` is the share of each class's records that take
    part in the exchange.
    """
    rows = len(plan.classes)
    codes = tuple(
        swap_within_classes(mask.codes, plan.classes, share, streams.stream(f"exchange {mask.column.name}"))
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


def swap_within_classes(codes: Ints, classes: Ints, share: float, stream: RandomStream) -> Ints:
    """Return the codes after random pairs of records of the same class exchanged theirs.

    In every class ``2 * floor(share * n / 2)`` records take part, so that the share of each value in each class stays
    exactly as it was (Zhu, Li & Wu 2009, step 1, for names). Codes may swap with equal ones, so fewer may change;
    ``codes`` itself stays.

    Parameters
    ----------
    codes, classes
        int64, shape (records,): value and class, -1 where missing (a class of its own).
    share
        Share of each class's records that take part, 0 .. 1.
    """
    order = shuffle_by_keys(classes + 1, stream)
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
