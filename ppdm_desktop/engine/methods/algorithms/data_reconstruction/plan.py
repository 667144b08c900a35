"""Decides, before anything is drawn, what a reconstruction may show: k, the class, and groups of values.

A cell is a combination of shown quasi-identifiers. A cell with fewer than k people may not be released: k copies of its
records would claim to represent k people. So neighbouring values are joined until nearly everybody is in a cell with
enough people and several classes. Values are joined where that loses the least information, about the class and about
the column itself, for each person brought into a valid cell. The records of the few people left over cannot be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.classifier_inputs import TREE
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import Mask, mask_of
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import shuffle_by_keys
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import RandomStream, StepStream
from ppdm_desktop.engine.table.column import Column, Table

# --- merge cells --------------------------------------------------------------------------

MOST_LEFT_OUT = 0.05
"""Largest share of the people who may be in cells that are not released."""
_LARGEST_KEY = 2.0**62


def join_masks(masks: Sequence[Mask], classes: Ints, width: int, k: int) -> tuple[Mask, ...]:
    """Return the masks with values joined until at most 5 % of the records are in invalid cells.

    A cell is a combination of shown values; it is invalid if it has fewer than ``k`` people or fewer than two classes.
    Each record counts as a person. Before this, unordered groups of fewer than ``k`` people are joined. Each further
    join is the one that loses the least information for each person brought into a valid cell or, if none brings
    anybody, the one that loses least; of equal ones, the first. If no join is left, the masks are returned as they are
    then.

    Parameters
    ----------
    masks
        The groups of values of each quasi-identifier.
    classes, width
        Each record's class (-1 where missing), and the number of classes.
    k
        Number of people that a cell needs.
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
    """Counts of people and classes in each cell, made once so that many joins of values can be tried."""

    def __init__(self, codes: Ints, labels: Ints, people: Ints) -> None:
        """Store one cell (combination of values) in each row of the arrays.

        Parameters
        ----------
        codes
            Group index in each column, shape (cells, columns), -1 where missing.
        labels
            Number of people of each class, shape (cells, classes).
        people
            Number of people, shape (cells,).
        """
        self._codes, self._labels, self._people = codes, labels, people
        self.disorder = float((labels.sum(axis=1) * _entropy(labels)).sum())
        # Joining two values of a column is a sum on one key of all columns, where one is large enough.
        widths = [int(column.max(initial=-1)) + 2 for column in codes.T]
        self._strides = np.cumprod([1, *widths[:-1]], dtype=np.float64)
        self._fits = bool(self._strides[-1:].sum() * (widths[-1] if widths else 1) < _LARGEST_KEY)
        self._keys = (codes + 1) @ self._strides.astype(np.int64) if self._fits else np.zeros(0, dtype=np.int64)

    @classmethod
    def of(cls, masks: Sequence[Mask], classes: Ints, width: int) -> _Counted:
        """Return the counts for all cells that some record has, given the groups of values of each column.

        Each record counts as a person; a missing value is a value of its own, and a missing class is no class.
        ``classes`` is each record's class, -1 where missing, and ``width`` the number of classes.
        """
        codes = [mask.codes for mask in masks]
        cells = classes_of_codes(codes, len(classes))
        labelled = classes >= 0
        labels = np.bincount(cells.ids[labelled] * width + classes[labelled], minlength=cells.count * width)
        labels = labels.reshape(cells.count, width).astype(np.int64)
        return cls(np.stack([column[cells.first] for column in codes], axis=1), labels, cells.sizes)

    def joined(self, column: int, members: Sequence[int]) -> _Counted:
        """Return the counts after groups of a column are joined; of these, only totals over all cells can be asked.

        They are ``left_out`` and ``disorder`` (how many bits the cells leave unknown about all people's classes);
        nothing can be asked by group, or joined again. ``members`` are the indexes of the groups that become one; the
        first of them is its new index.
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
        """Return the bits of information about a column that a join of its groups takes from all people together.

        It is the number of people in the joined groups times the entropy of the groups among them. ``members`` are the
        indexes of these groups.
        """
        codes = self._codes[:, column]
        sizes = [int(self._people[codes == value].sum()) for value in members]
        return float(sum(sizes) * _entropy(np.array([sizes], dtype=np.int64))[0])

    def left_out(self, k: int) -> int:
        """Return how many people are in cells with fewer than ``k`` people or a single class."""
        fit = (self._people >= k) & ((self._labels > 0).sum(axis=1) >= 2)
        return int(self._people[~fit].sum())

    def by_group(self, column: int, groups: int) -> Ints:
        """Return the number of people of each class in each group of a column, int64, shape (groups, classes).

        People without a class, or without a value in the column, are not counted. ``groups`` is the number of groups.
        """
        counts = np.zeros((groups + 1, self._labels.shape[1]), dtype=np.int64)
        np.add.at(counts, self._codes[:, column], self._labels)
        return counts[:-1]


def _list_joins(masks: Sequence[Mask], cells: _Counted) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the joins worth trying, as pairs of a column's index and the rising indexes of its groups to join.

    In ordered columns, they are any two neighbours. In others, they are the rarest name with the name whose shares of
    classes are most similar, and the rarest four, eight and so on, up to all but the most frequent name: joined one by
    one, these may bring nobody into a valid cell. Only people with a class count here. A column with
    a single group has no joins.
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
    """Return the mask with unordered groups joined until each has at least k people, or one group is left.

    A mask says which values of a column are shown as one: those of a group. The rarest group is joined with the group
    whose shares of classes are most similar. An ordered mask, or a mask with a single group, is returned unchanged.
    Records without a value are in no group; those without a class count in a group's people, but not in its shares.
    ``classes`` is each record's class, -1 where missing, and ``width`` the number of classes.
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
    """Return the index of the rarest group and of the group with the most similar shares of classes.

    Most similar is the smallest sum of absolute differences between the shares; of equals, the first. ``counts`` are
    people by group and class, shape (groups, classes), with at least two groups. ``sizes`` are the people in each
    group and decide only which is rarest; None to count only people with a class, which are the sums of ``counts``.
    """
    sizes = counts.sum(axis=1) if sizes is None else sizes
    rarest = int(np.argmin(sizes))
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    gap = np.abs(shares - shares[rarest]).sum(axis=1)
    gap[rarest] = np.inf
    return rarest, int(np.argmin(gap))


def _entropy(counts: Ints) -> Floats:
    """Return the entropy of each row of counts, in bits, shape (rows,); 0 for a row without counts."""
    shares = counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)
    logs = np.log2(shares, out=np.zeros_like(shares), where=shares > 0)
    return np.asarray(-(shares * logs).sum(axis=1))


# --- plan ---------------------------------------------------------------------------------

LEAST_K = 2
MOST_CLASSES = 20
PAPER_SETTINGS = {"classifier": TREE, "diversity": 0}
"""What a recipe sets to run the method as in the paper."""


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything about a reconstruction that does not depend on random draws.

    Attributes
    ----------
    k
        The largest group size that any record demands, by the parameter or its privacy level.
    class_column
        The class column.
    classes
        Code of each record's class, -1 where missing.
    masks
        The groups of values that each quasi-identifier may show, in file order.
    groups
        int64, shape (records,): the group size that each record demands.
    """

    k: int
    class_column: Column
    classes: Ints
    masks: tuple[Mask, ...]
    groups: Ints


@dataclass(frozen=True, eq=False)
class Masked:
    """The cells (combinations of shown quasi-identifiers) of all records after names were exchanged.

    Attributes
    ----------
    codes
        Group indexes of each quasi-identifier after the exchange, in the order of the masks.
    cell
        int64, shape (records,): each record's cell after the exchange.
    people
        int64, shape (cells,): number of people who are in the cell before the exchange, or after it if these are fewer.
    eligible
        bool, shape (records,): records that may be chosen.
    left_out
        Number of people whose true cell can never be released.
    """

    codes: tuple[Ints, ...]
    cell: Ints
    people: Ints
    eligible: Bools
    left_out: int


def needed_k(table: Table, settings: Settings) -> int:
    """Return k: the largest group size that any record demands, by the parameter ``k`` or its privacy level.

    It is at least 2.
    """
    return int(find_needed_group_sizes(table, settings).max(initial=LEAST_K))


def find_needed_group_sizes(table: Table, settings: Settings) -> Ints:
    """Return the group size that each record demands by the parameter ``k`` or its privacy level, at least 2.

    int64, shape (records,). A ``k`` in the recipe replaces the demand of a level that nobody chose, but is not below
    the minimum of the release type; where somebody chose the level, the larger of both counts.
    """
    return settings.groups_asked("k", levels_of(table), LEAST_K)


def choose_class_column(table: Table, name: str) -> Column:
    """Return the class column: the named one or, for an empty name, the first confidential column that can be one.

    A column fits if it is nominal, ordinal or numeric with 2 to 20 different values, missing ones not counted; a named
    one may be confidential or have the role "other".

    Raises
    ------
    RecipeError
        When no column can be a class, or the named one cannot or does not exist.
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
    """Return whether a column can be a class: nominal, ordinal or numeric with 2 to 20 different values."""
    return column.kind in ("nominal", "ordinal", "numeric") and 2 <= len(column.categories) <= MOST_CLASSES


def plan_of(table: Table, settings: Settings) -> Plan:
    """Return what is decided about a reconstruction before anything is drawn: k, class, masks, and demands.

    k is how many people a released cell (combination of quasi-identifiers) needs: the largest group size that a record
    demands, at least 2. A mask says which values of a quasi-identifier are shown as one; there is one for each that the
    step treats, in file order. In them, values are joined until at most 5 % of the records are in cells too small or
    with one class, or no join is left. Demands are the group sizes that records need, one for each.

    Raises
    ------
    RecipeError
        When no column can be a class, or the named one cannot.
    InputError
        When a date with hours contains more than the format of its column says.
    """
    values = settings.values
    k = needed_k(table, settings)
    column = choose_class_column(table, str(values["class"]))
    classes = column.category_codes.astype(np.int64)
    # The paper cuts at members' own values, and its profile keeps doing so.
    on_public_grid = any(values[name] != value for name, value in PAPER_SETTINGS.items())
    method, count = str(values["mask"]), int(values["ranges"])
    finest = [
        mask_of(quasi, table, column.name, method=method, count=count, on_public_grid=on_public_grid)
        for quasi in list_quasi_identifiers(table, settings)
    ]
    masks = join_masks(finest, classes, len(column.categories), k)
    return Plan(k, column, classes, masks, find_needed_group_sizes(table, settings))


def list_quasi_identifiers(table: Table, settings: Settings) -> list[Column]:
    """Return the quasi-identifiers that the step treats, in file order."""
    return [column for column in table.with_role("quasi-identifier") if column.name in settings.columns]


def mask_records(plan: Plan, share: float, streams: StepStream) -> Masked:
    """Return the cells of all records after some values were exchanged at random between records of the same class.

    A cell is a combination of shown quasi-identifiers. Only unordered columns are exchanged, each by itself. The result
    says which records may be chosen, and how many people's true cell (before the exchange) can never be released. A
    record may be chosen if its class is known, and its cell after the exchange has at least k people before and after
    it and at least two classes after it. ``share`` is the share of each class's records that take part in the exchange.
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
    """Return the codes after random pairs of records of the same class have exchanged theirs.

    In every class ``2 * floor(share * n / 2)`` records take part (2 of 10 with ``share`` 0.3), so the share of each
    value in each class stays exactly the same (Zhu, Li & Wu 2009, step 1, for names). A pair may have equal codes, so
    fewer may change. ``codes`` itself is not changed.

    Parameters
    ----------
    codes, classes
        int64, shape (records,): code and class, -1 where missing (which is treated as a class).
    share
        Share of each class's records that take part, from 0 to 1.
    stream
        Decides the pairs.
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
