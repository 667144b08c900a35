"""Local suppression: which cells to empty so that every row's class is large enough, with few empty cells.

A class is a set of rows that show the same values; an empty cell counts as a value. A mask is the set of columns in
which a row is emptied. A row without a class yet is called open. The search is greedy and makes no random draws;
`bound_row_costs` is a lower bound of the cost of any solution.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from itertools import combinations
from math import comb

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import find_records_to_hide
from ppdm_desktop.engine.result_cache import RESULTS, hash_arrays

MOST_MASKS = 4_096
_FEWEST_MASKS, _MASK_ROWS = 256, 40_000_000
_MEETING_ROWS, _MEETING_MASKS, _MEETING_WORK = 2_000, 1_024, 500_000
"""Limits of rows, masks, and rows times masks up to which members of different classes are tried together."""
_GIVE_BACK_ROUNDS = 5
_SAME = 1e-9
_LARGEST_KEY = (1 << 62) - 1
_MULTIPLIER = 0x9E3779B97F4A7C15
_OPEN = -1


def fewest_blanks(
    codes: AnyInts, demands: Ints, weights: Floats | None = None, *, who: Ints | None = None, is_rough: bool = False
) -> Bools:
    """Return which cells to empty so that each row's class has as many people as it demands; bool, (rows, columns).

    Results are cached: the same rows, in whatever order, are searched once.

    Parameters
    ----------
    codes
        Shape (rows, columns): the value of each cell, -1 where it is missing already; such a cell is never marked.
    demands
        Shape (rows,): the class size that each row demands, in people.
    weights
        Shape (columns,): what an empty cell of a column costs (less than 0.01 counts as 0.01); 1 each if None.
    who
        Shape (rows,): index of each row's person, from 0 on, who demands the same in all rows; None if each row is a
        different person.
    is_rough
        Whether a few more cells may be emptied, so that the search takes a tenth of the time.

    Returns
    -------
    bool, shape (rows, columns): few cells, not always the fewest. With up to twelve columns, every mask is tried; with
    more, a choice of about 4096 or fewer. A mask is a set of columns to empty.

    Raises
    ------
    InputError
        When all people together are too few for one of them.
    """
    rows, columns = codes.shape
    if not rows:
        return np.zeros((rows, columns), dtype=np.bool_)
    people, asked = rows if who is None else len(np.unique(who)), int(demands.max())
    if asked > people:
        raise InputError("error.method.too-few", args={"people": people, "group": asked})
    # Ties go by value and not by place, so that the order of the rows changes nothing.
    keys = (*codes.T[::-1], demands) if who is None else (*codes.T[::-1], who, demands)
    order = np.lexsort(keys)
    costs = np.ones(columns) if weights is None else np.maximum(weights, 0.01)
    table = np.asarray(codes[order], dtype=np.int64), np.asarray(demands[order], dtype=np.int64)
    whose = None if who is None else who[order]
    # Planning asks for the same cells as the step that it then tries, several times.
    blanks = np.zeros((rows, columns), dtype=np.bool_)
    blanks[order] = RESULTS.get(
        (fewest_blanks, is_rough, hash_arrays(*table, costs, *(() if whose is None else (whose,)))),
        lambda: _Search(*table, _Masks.of(costs, codes), whose, is_rough=is_rough).run(),
    )
    return blanks & (codes >= 0)


def bound_row_costs(codes: AnyInts, demands: Ints, weights: Floats, *, who: Ints | None = None) -> Floats:
    """Return a lower bound of the cost of emptying cells in each row, float64, shape (rows,), whatever the method.

    A row's class can only have people of the source who agree with it in all columns that it still shows. A cell that
    is missing already costs nothing. The sum of the bounds is a lower bound for every solution. It is 0 for a row whose
    class is large enough as it is, and infinite where all people together are too few, as far as all sets of columns
    are tried: with more than twelve columns only small sets are, and a row that none of them helps costs at least the
    cheapest set with one more column.

    Parameters
    ----------
    codes, demands, weights, who
        Values, demanded class sizes, costs of columns and people, as for ``fewest_blanks``.
    """
    masks, keys = _Masks.of(weights, codes), _Keys(codes)
    costs, gaps = np.where(codes < 0, 0.0, weights), np.asarray((codes < 0).any(axis=1))
    # A mask that is not tried has more columns than the number up to which all were.
    values: Floats = np.sort(costs, axis=1)[:, : masks.complete + 1].sum(axis=1)
    if masks.complete == len(weights):
        values[:] = np.inf
    rows = np.arange(len(codes), dtype=np.int64)
    for mask in masks.columns[masks.columns.sum(axis=1) <= masks.complete]:
        progress.check()
        price = costs[rows] @ mask
        cheaper = np.asarray(price < values[rows])
        if not cheaper.any():
            continue
        enough = keys.sizes(mask, rows[cheaper], who) >= demands[rows[cheaper]]
        values[rows[cheaper][enough]] = price[cheaper][enough]
        # Masks become dearer: only where a cell is missing can a later one cost less.
        cheaper[cheaper] = enough
        rows = rows[~cheaper | gaps[rows]]
        if not len(rows):
            break
    return values


@dataclass(frozen=True, eq=False)
class _Masks:
    """Sets of columns in which a row may be emptied, the cheapest first.

    Attributes
    ----------
    columns
        bool, shape (masks, columns): the columns of each set; the first set is empty, the last has all columns.
    weights
        Shape (masks,): what emptying a row in these columns costs.
    complete
        All sets of up to this many columns are included.
    """

    columns: Bools
    weights: Floats
    complete: int

    @classmethod
    def of(cls, weights: Floats, codes: AnyInts) -> _Masks:
        """Return the sets of columns that may be emptied, cheapest first, of equal ones those with fewer columns first.

        With up to twelve columns, these are all sets; with more, all small sets, and larger sets of the columns with
        the most different values, about 4096 or (from 10,000 rows on) fewer.

        Parameters
        ----------
        weights
            Shape (columns,): what an empty cell costs.
        codes
            Shape (rows, columns): the values.
        """
        count = complete = len(weights)
        # Up to twelve columns there are no more masks than this; beyond them many rows leave time for fewer.
        most = MOST_MASKS if count <= 12 else min(MOST_MASKS, max(_FEWEST_MASKS, _MASK_ROWS // max(len(codes), 1)))
        while sum(comb(count, size) for size in range(complete + 1)) > most:
            complete -= 1
        chosen = [set(combination) for size in range(complete + 1) for combination in combinations(range(count), size)]
        if complete < count:
            values = [len(np.unique(column)) for column in codes.T]
            by_values = sorted(range(count), key=lambda column: (-values[column], column))
            for size in range(complete, count + 1):
                first = set(by_values[:size])
                larger = [first | {column} for column in range(count) if column not in first]
                chosen += [subset for subset in (first, *larger) if len(subset) > complete]
        columns = np.zeros((len(chosen), count), dtype=np.bool_)
        for mask, subset in enumerate(chosen):
            columns[mask, list(subset)] = True
        columns = columns[np.sort(np.unique(columns, axis=0, return_index=True)[1])]
        total = np.round(columns @ weights, 9)
        order = np.lexsort((columns.sum(axis=1), total))
        return cls(columns[order], total[order], complete)


class _Keys:
    """Keys of rows, which are equal if the rows agree in all columns that a mask does not empty.

    Keys are exact if all combinations of values can be numbered. Otherwise, two different rows get the same key with a
    probability below 1 in 10^15; the recount of the released classes would notice it.
    """

    def __init__(self, codes: AnyInts) -> None:
        """Compute the part of each row's key that each column contributes.

        ``codes`` has shape (rows, columns), -1 where missing. If keys would not fit into 63 bits, they are hashes.
        """
        values = [int(width) + 2 for width in codes.max(axis=0, initial=-1)]
        factors = [1]
        for width in values[:-1]:
            factors.append(factors[-1] * width)
        if factors[-1] * values[-1] > _LARGEST_KEY:
            factors = [pow(_MULTIPLIER, power + 1, 1 << 64) for power in range(len(values))]
        wide = np.array(factors, dtype=np.uint64).view(np.int64)
        self._parts = np.ascontiguousarray((codes.astype(np.int64) + 1).T) * wide[:, None]
        self._all: Ints = self._parts.sum(axis=0)

    def of(self, mask: Bools, rows: Ints) -> Ints:
        """Return the keys of ``rows`` under one mask, int64, shape (rows,): equal for rows with the same values shown.

        ``mask``, bool, shape (columns,), marks the columns that are emptied; a missing value is a value of its own.
        """
        if 2 * int(mask.sum()) <= len(mask):
            keys: Ints = self._all[rows]
            for part in np.flatnonzero(mask).tolist():
                keys -= self._parts[part][rows]
            return keys
        keys = np.zeros(len(rows), dtype=np.int64)
        for part in np.flatnonzero(~mask).tolist():
            keys += self._parts[part][rows]
        return keys

    def of_masks(self, masks: Bools) -> Ints:
        """Return the key of each row under its own mask; ``masks`` is bool, shape (rows, columns)."""
        return np.asarray((self._parts * ~masks.T).sum(axis=0))

    def sizes(self, mask: Bools, rows: Ints, who: Ints | None) -> Ints:
        """Return how many people of the table agree with each of ``rows`` in the columns that a mask does not empty.

        The row's own person counts; int64, shape of ``rows``. ``mask``, bool, shape (columns,), marks the columns that
        are emptied. ``who`` is the person of each row of the table, None if each row is a different person.
        """
        keys = self.of(mask, np.arange(len(self._all)))
        if who is None:
            wanted, keys = keys[rows], np.sort(keys)
            return np.searchsorted(keys, wanted, "right") - np.searchsorted(keys, wanted, "left")
        ids = np.unique(keys, return_inverse=True)[1]
        pairs = np.unique(ids * (int(who.max()) + 1) + who)
        return np.bincount(pairs // (int(who.max()) + 1))[ids[rows]]


class _Search:
    """The greedy search; rows are sorted by demand, and rows of one person are neighbours.

    Each class has an entry in four arrays: its mask, its key under this mask, its number of people, and the largest
    class that one of its members demands (or demanded, if it has left).
    """

    def __init__(self, codes: Ints, demands: Ints, masks: _Masks, who: Ints | None, *, is_rough: bool) -> None:
        """Start with every row without a class, and with no columns to empty."""
        self._is_rough = is_rough
        self._marks = masks.columns.astype(np.float32)
        self._keys, self._demands, self._masks, self._who = _Keys(codes), demands, masks, who
        rows = len(demands)
        self._mask = np.full(rows, _OPEN, dtype=np.int64)
        self._class = np.full(rows, _OPEN, dtype=np.int64)
        self._open = np.arange(rows, dtype=np.int64)
        self._count = 0
        self._class_mask, self._class_key, self._size, self._need, self._member = np.zeros((5, rows), dtype=np.int64)
        self._by_class: tuple[Ints, Ints] | None = None

    def run(self) -> Bools:
        """Return which cells to empty so that every row's class has as many people as the row demands; bool.

        The result has shape (rows, columns). Cells that were missing before may be marked as well.
        """
        weights = self._masks.weights
        for weight in np.unique(weights):
            masks = np.flatnonzero(weights == weight).tolist()
            if weight == weights[-1]:
                self._join_open_to_settled()
            self._settle_most(masks)
            dearer, self._by_class = weights[weights > weight].min(initial=np.inf), None
            for mask in masks if self._who is None else ():
                self._borrow_members(mask, float(dearer))
            progress.report(1 - len(self._open) / max(len(self._mask), 1), "progress.method.search")
            if not len(self._open):
                break
        if len(self._open):
            self._empty_open_rows()
        if self._who is None:
            self._give_back()
            if self._form_cheaper_classes():
                self._give_back()
        return self._masks.columns[self._mask]

    def _settle_most(self, masks: list[int]) -> None:
        """Put rows without a class into classes, each time under the mask that does so for most of them.

        It ends when no mask helps any row. A mask is a set of columns to be emptied; ``masks`` are the indexes of the
        masks that are tried.
        """
        # A mask settles no more rows after others were settled, so an old count is an upper bound.
        waiting = [(-len(self._open), mask, False) for mask in masks]
        heapify(waiting)
        while waiting and len(self._open):
            progress.check()
            _, mask, is_new = heappop(waiting)
            if not is_new:
                if settled := self._count_settled_rows(mask):
                    heappush(waiting, (-settled, mask, True))
                continue
            self._settle_open_rows(mask)
            waiting = [(count, candidate, False) for count, candidate, _ in waiting]
            heapify(waiting)

    def _count_settled_rows(self, mask: int) -> int:
        """Return how many rows without a class would be in a large enough class under a mask; nothing is changed.

        A class has only rows without a class, and of these the least demanding: the most rows of which each demands at
        most as many people as they are. A mask is a set of columns to be emptied; ``mask`` is its index.
        """
        keys, demands = self._keys.of(self._masks.columns[mask], self._open), self._demands[self._open]
        if self._who is not None or demands[0] != demands[-1]:
            return int(self._sort_open_rows(keys)[1].sum())
        keys.sort()
        sizes = np.diff(_find_starts(keys), append=len(keys))
        return int(sizes[sizes >= demands[0]].sum())

    def _sort_open_rows(self, keys: Ints) -> tuple[Ints, Bools]:
        """Return the rows without a class sorted by key, and which of them, in this order, would get a class.

        ``keys`` has one entry for each row without a class. Of rows with equal keys, the least demanding would form a
        class: the most rows of which each demands at most as many people as they are. Of rows that demand 2, 2 and 5
        people, these are the first two.
        """
        order = np.argsort(keys, kind="stable")
        rows, starts = self._open[order], _find_starts(keys[order])
        group = _to_group_indexes(starts, len(rows))
        rank = self._count_preceding_people(rows, starts, group)
        kept = np.maximum.reduceat(np.where(self._demands[rows] <= rank, rank, 0), starts)
        return rows, rank <= kept[group]

    def _count_preceding_people(self, rows: Ints, starts: Ints, group: Ints) -> Ints:
        """Return, for each row, how many people of its class come up to and including it.

        ``rows`` are sorted by class, and a person's rows in it are neighbours: rows of the persons 3, 3, 5 give 1, 1,
        2. ``starts`` is where each class begins and ``group`` is the class of each row.
        """
        people = np.ones(len(rows), dtype=np.int64)
        if self._who is not None:
            people[1:] = self._who[rows[1:]] != self._who[rows[:-1]]
            people[starts] = 1
        total = np.cumsum(people)
        return np.asarray(total - (total[starts] - 1)[group])

    def _settle_open_rows(self, mask: int) -> None:
        """Put rows without a class into the classes that they form under a mask, where these are large enough for them.

        A class is large enough for a row if these rows alone are as many people as the row demands; members of a class
        that exists already under the mask do not count, but the rows join it. The list of rows without a class is
        updated. A mask is a set of columns to be emptied; ``mask`` is its index.
        """
        keys = self._keys.of(self._masks.columns[mask], self._open)
        rows, content = self._sort_open_rows(keys)
        self._put_into_classes(rows[content], mask)
        self._open = np.flatnonzero(self._mask == _OPEN)

    def _put_into_classes(self, rows: Ints, mask: int) -> None:
        """Put rows into the classes of rows that look the same under a mask; classes that do not exist yet are created.

        A mask is a set of columns to be emptied; ``mask`` is its index. The rows must be in no class. Sizes, demands
        and masks are changed in place, but not the list of rows without a class.
        """
        keys = self._keys.of(self._masks.columns[mask], rows)
        different, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        classes = self._find_classes(mask, different)
        new = np.flatnonzero(classes < 0)
        classes[new] = np.arange(self._count, self._count + len(new))
        self._count += len(new)
        self._class_mask[classes[new]], self._class_key[classes[new]] = mask, different[new]
        self._member[classes[new]] = rows[first[new]]
        self._size[classes[new]] = self._need[classes[new]] = 0
        self._class[rows], self._mask[rows] = classes[inverse], mask
        self._size[classes] += np.bincount(inverse, minlength=len(classes))
        np.maximum.at(self._need, self._class[rows], self._demands[rows])

    def _find_classes(self, mask: int, keys: Ints) -> Ints:
        """Return the index of the class that has each key under a mask; -1 if there is none. int64, shape of ``keys``.

        A mask is a set of columns to be emptied; ``mask`` is its index.
        """
        there = np.flatnonzero(self._class_mask[: self._count] == mask)
        there = there[np.argsort(self._class_key[there])]
        if not len(there):
            return np.full(len(keys), -1, dtype=np.int64)
        index = np.minimum(np.searchsorted(self._class_key[there], keys), len(there) - 1)
        return np.where(self._class_key[there[index]] == keys, there[index], -1)

    def _borrow_members(self, mask: int, dearer: float) -> None:
        """Put rows without a class into a class together with members that other classes can spare, if that saves cost.

        The class is a new one, or one that exists already under the mask. The members come from classes in which fewer
        columns are emptied. It saves if emptying the rows, and more cells of the members, costs at most as much as
        emptying the rows in the next dearer set of columns, which costs ``dearer`` (infinite if there is none). The
        list of rows without a class is updated. ``mask`` is the index of the set of columns that the class empties.
        """
        progress.check()
        if not len(self._open):
            return
        weight, keys = self._masks.weights[mask], self._keys.of(self._masks.columns[mask], self._open)
        order = np.argsort(keys, kind="stable")
        rows, starts = self._open[order], _find_starts(keys[order])
        group, values = _to_group_indexes(starts, len(rows)), keys[order][starts]
        classes = self._find_classes(mask, values)
        there = np.where(classes >= 0, self._size[classes], 0)
        donors, value_index = self._find_donor_classes(mask, values)
        spare = np.bincount(value_index, self._size[donors] - self._need[donors], len(values))
        dearest = np.zeros(len(values))
        np.maximum.at(dearest, value_index, self._masks.weights[self._class_mask[donors]])
        asking = np.arange(1, len(rows) + 1) - starts[group]
        short = np.maximum(self._demands[rows] - asking - there[group], 0)
        possible = (short <= spare[group]) & (short * (weight - dearest[group]) <= asking * (dearer - weight) + _SAME)
        for group_index in np.unique(group[possible]).tolist():
            for last in np.flatnonzero(possible & (group == group_index))[::-1].tolist():
                size = int(there[group_index] + asking[last] + short[last])
                helping = self._choose_rows_to_move(donors[value_index == group_index], int(short[last]), size)
                if helping is None:
                    continue
                extra = float((weight - self._masks.weights[self._mask[helping]]).sum())
                if extra <= asking[last] * (dearer - weight) + _SAME:
                    self._remove_rows(helping)
                    self._put_into_classes(np.concatenate([rows[starts[group_index] : last + 1], helping]), mask)
                    break
        self._open = np.flatnonzero(self._mask == _OPEN)

    def _find_donor_classes(self, mask: int, values: Ints) -> tuple[Ints, Ints]:
        """Return the classes that can spare rows for a class under a mask, and the index of their keys in ``values``.

        A mask is a set of columns to be emptied; ``mask`` is its index. The classes empty fewer columns, all of them in
        the mask. ``values`` are rising keys under this mask.
        """
        columns, live = self._masks.columns[mask], slice(0, self._count)
        # Counted by a product, which is several times as fast as `any`.
        smaller = self._marks @ np.where(columns, np.float32(0), np.float32(1)) == 0
        smaller[mask] = False
        donors = np.flatnonzero(smaller[self._class_mask[live]] & (self._size[live] > self._need[live]))
        keys = self._keys.of(columns, self._member[donors])
        value_index = np.minimum(np.searchsorted(values, keys), len(values) - 1)
        fits = values[value_index] == keys
        return donors[fits], value_index[fits]

    def _choose_rows_to_move(self, classes: Ints, short: int, size: int) -> Ints | None:
        """Return the ``short`` rows that are cheapest to move to a class of a given size; None if there are fewer.

        Cheapest are the rows in which most is emptied already, and of these the least demanding. They come from
        ``classes``, from each no more than it can spare, and demand at most ``size``. Nothing is moved yet.
        """
        members = (
            np.concatenate([self._open[:0], *map(self._list_members, classes.tolist())]) if short else self._open[:0]
        )
        members = members[self._demands[members] <= size]
        # Of a class no more than it can spare, those with the smallest demands.
        whose = self._class[members]
        rank = np.arange(len(members)) - np.searchsorted(whose, whose)
        members = members[rank < (self._size - self._need)[whose]]
        order = np.lexsort((members, self._demands[members], -self._masks.weights[self._mask[members]]))
        return members[order[:short]] if len(members) >= short else None

    def _remove_rows(self, rows: Ints) -> None:
        """Remove rows from their classes. No class becomes empty, because each keeps as many rows as it demands.

        The demands of the classes, and the rows' masks, are not changed.
        """
        np.subtract.at(self._size, self._class[rows], 1)
        left = np.unique(self._class[rows])
        self._class[rows] = _OPEN
        for class_index in left.tolist():
            self._member[class_index] = self._list_members(class_index)[0]

    def _list_members(self, class_index: int) -> Ints:
        """Return the rows of a class, rising.

        Since rows were last sorted by class, which happens once for each cost of a set of columns to empty, the class
        may only have lost rows.
        """
        if self._by_class is None:
            order = np.argsort(self._class, kind="stable")
            self._by_class = order, np.searchsorted(self._class[order], np.arange(self._count + 1))
        order, starts = self._by_class
        rows = order[starts[class_index] : starts[class_index + 1]]
        return np.asarray(rows[self._class[rows] == class_index])

    def _empty_open_rows(self) -> None:
        """Empty all columns of the rows without a class, and of whole classes, cheapest first, until they are enough.

        They are enough if all rows that show nothing, those emptied earlier included, are as many people as each of
        them demands. Only masks and open rows are updated: the class of each row and the entries of the classes stay as
        before.
        """
        everything = self._masks.columns.shape[0] - 1
        out = self._mask == _OPEN
        classes = Classes(np.where(out, 0, self._class), max(self._count, 1))
        costs = self._masks.weights[everything] - self._masks.weights[self._mask]
        hidden = find_records_to_hide(out, classes, self._demands, self._mask == everything, self._who, costs)
        assert hidden is not None  # all people together are enough
        self._mask[hidden] = everything
        self._open = self._open[:0]

    def _renumber_classes(self) -> None:
        """Renumber the classes from 0, with their sizes and the largest demand of their present members.

        If a class is too small for a member, its demand becomes 0, because its rows are open.
        """
        keys = self._keys.of_masks(self._masks.columns[self._mask])
        order = np.lexsort((keys, self._mask))
        new = np.ones(len(order), dtype=np.bool_)
        new[1:] = (keys[order][1:] != keys[order][:-1]) | (self._mask[order][1:] != self._mask[order][:-1])
        self._class[order] = np.cumsum(new) - 1
        self._count = int(new.sum())
        live, firsts = slice(0, self._count), order[new]
        self._class_mask[live], self._class_key[live], self._member[live] = self._mask[firsts], keys[firsts], firsts
        self._size[live] = np.bincount(self._class, minlength=self._count)
        self._need[live] = 0
        np.maximum.at(self._need, self._class, self._demands)
        # Nobody has to stay in a class that is too small: its rows are open.
        self._need[self._need > self._size] = 0

    def _give_back(self) -> None:
        """Move rows that their class can spare to classes in which emptying costs less, the dearest rows first.

        It ends if nothing can be moved any more, or after five rounds. Classes are then numbered anew.
        """
        weights = self._masks.weights
        for _ in range(_GIVE_BACK_ROUNDS):
            self._renumber_classes()
            rows = np.flatnonzero((self._size > self._need)[self._class] & (weights[self._mask] > 0))
            goal = np.full(len(rows), -1, dtype=np.int64)
            for mask in np.unique(self._class_mask[: self._count]).tolist():
                progress.check()
                free = np.flatnonzero((goal < 0) & (weights[self._mask[rows]] > weights[mask]))
                classes = self._find_classes(mask, self._keys.of(self._masks.columns[mask], rows[free]))
                fits = (classes >= 0) & (self._size[classes] + 1 >= self._demands[rows[free]])
                goal[free[fits]] = classes[fits]
            moving = np.flatnonzero(goal >= 0)
            moved = 0
            for index in moving[np.argsort(-weights[self._mask[rows[moving]]], kind="stable")].tolist():
                row, to = rows[index], goal[index]
                left = self._class[row]
                if self._size[left] > self._need[left] and self._size[to] + 1 >= self._demands[row]:
                    self._size[left] -= 1
                    self._size[to] += 1
                    self._need[to] = max(self._need[to], self._demands[row])
                    self._class[row], self._mask[row] = to, self._class_mask[to]
                    moved += 1
            if not moved:
                break
        self._renumber_classes()

    def _join_open_to_settled(self) -> None:
        """Let rows without a class form classes with rows that have one, before those left are emptied completely.

        Nothing is formed if people have several rows, in a rough search, or if the table is large: above 2,000 rows,
        1,024 masks (sets of columns to empty) or 500,000 rows times masks. If each row is a different person and
        some have no class, classes are numbered anew in any case, and the list of rows without a class is updated.
        """
        if self._who is None and len(self._open):
            self._mask[self._open] = len(self._masks.weights) - 1
            self._renumber_classes()
            self._form_cheaper_classes()
            self._open = np.flatnonzero(self._mask == len(self._masks.weights) - 1)
            self._mask[self._open] = _OPEN
            self._renumber_classes()

    def _form_cheaper_classes(self) -> bool:
        """Move rows into new or existing classes where emptying costs less in all; return whether it saved anything.

        For rough searches, and above 2,000 rows, 1,024 masks (sets of columns to empty) or 500,000 rows times masks,
        nothing is tried and the result is False.
        """
        rows, masks = len(self._mask), len(self._masks.weights)
        if self._is_rough or rows > _MEETING_ROWS or masks > _MEETING_MASKS or rows * masks > _MEETING_WORK:
            return False
        met = False
        for mask in range(1, masks - 1):
            progress.check()
            while self._form_class_under(mask):
                met = True
                self._renumber_classes()
        return met

    def _form_class_under(self, mask: int) -> bool:
        """Form or enlarge one class of rows that agree under a mask, if that saves cost; return whether one was.

        A mask is a set of columns to be emptied; ``mask`` is its index. Only the first such class is treated, and only
        the masks of its rows are changed; the caller numbers the classes anew and calls again.
        """
        saving = self._masks.weights[self._mask] - self._masks.weights[mask]
        keys = self._keys.of(self._masks.columns[mask], np.arange(len(saving)))
        different = np.unique(keys[saving > _SAME])
        if not len(different):
            return False
        of, targets = np.searchsorted(different, keys), self._find_classes(mask, different)
        rows = np.flatnonzero((np.append(different, _LARGEST_KEY)[of] == keys) & (self._mask != mask))
        for value, giving in self._list_hopeful_classes(of[rows], self._class[rows], saving[rows], targets):
            fitting = rows[of[rows] == value]
            whose = self._class[fitting]
            matching, target = np.bincount(whose, minlength=self._count), int(targets[value])
            leaving = self._find_leaving_rows(fitting[whose == giving], giving, matching)
            meeting = self._choose_class_rows(leaving, fitting[whose != giving], target, saving, matching)
            if len(meeting) and saving[meeting].sum() > _SAME:
                self._mask[meeting] = mask
                return True
        return False

    def _list_hopeful_classes(self, of: Ints, whose: Ints, saving: Floats, targets: Ints) -> list[tuple[int, int]]:
        """Return pairs of a value and a class whose rows may form or join a cheaper class of this value, rising.

        Without them no cheaper class can be formed. All classes together can give enough rows for the smallest demand,
        and the class saves more than the cheapest rows cost that could make up the number.

        Parameters
        ----------
        of, whose, saving
            Value and class of each row that may move, and what it saves then; shape (rows,).
        targets
            The class that each value has already, otherwise -1.
        """
        pairs, first, matching = np.unique(of * self._count + whose, return_index=True, return_counts=True)
        order = np.lexsort((-saving[first], of[first]))
        first, matching = first[order], matching[order]
        value, giving, saved = of[first], whose[first], saving[first]
        given = np.where(matching == self._size[giving], matching, (self._size - self._need)[giving])
        given = np.minimum(given, matching)
        size, need = (np.where(targets >= 0, numbers[targets], 0)[value] for numbers in (self._size, self._need))
        missing = np.maximum(need, self._demands[0]) - size - given
        # Rows that save come first; of the others only as many as are missing.
        begin, end = np.searchsorted(value, value), np.searchsorted(value, value, "right")
        count, sums = np.append(0, np.cumsum(given)), np.append(0.0, np.cumsum(given * saved))
        useful = np.append(0, np.cumsum(given * (saved > 0)))
        wanted = count[begin] + np.maximum(missing, useful[end] - useful[begin])
        last = np.minimum(np.searchsorted(count, wanted), len(pairs))
        most = sums[last] - sums[begin] - (count[last] - wanted) * saved[last - 1] + given * saved
        is_hopeful = (saved > _SAME) & (given > 0) & (wanted <= count[end]) & (most > 0)
        is_hopeful &= np.bincount(of)[value] + size > 1
        return sorted(zip(value[is_hopeful].tolist(), giving[is_hopeful].tolist(), strict=True))

    def _find_leaving_rows(self, rows: Ints, of: int, matching: Ints) -> Ints:
        """Return those of ``rows``, the matching rows of the class ``of``, that may leave it.

        All may if every row of the class matches. Otherwise, these are the first rows, as many as the class can spare.
        ``matching`` is the number of matching rows of each class.
        """
        return rows if matching[of] == self._size[of] else rows[: self._size[of] - self._need[of]]

    def _choose_class_rows(self, leaving: Ints, rest: Ints, target: int, saving: Floats, matching: Ints) -> Ints:
        """Return rows that can form one class and save most: ``leaving``, and rows of other classes.

        Other classes give rows that they can spare, or one of them all its rows that fit, if these are all it has.
        Empty if none save. Also empty if no such set is large enough for its members' demands.

        Parameters
        ----------
        leaving
            The rows that are to get a new class.
        rest
            Rows of other classes that would fit into it.
        target
            The class, if it exists already; otherwise -1.
        saving, matching
            What each row saves, and how many rows of each class fit.
        """
        there, need = (int(self._size[target]), int(self._need[target])) if target >= 0 else (0, 0)
        classes = np.unique(self._class[rest])
        spared = [
            rest[self._class[rest] == donor][: self._size[donor] - self._need[donor]] for donor in classes.tolist()
        ]
        single = np.concatenate([rest[:0], *spared])
        single = single[np.lexsort((self._demands[single], -saving[single]))]
        whole = [
            rest[self._class[rest] == donor] for donor in classes[matching[classes] == self._size[classes]].tolist()
        ]
        best = rest[:0]
        for joining in (*(single[:short] for short in range(min(len(single), int(self._need.max())) + 1)), *whole):
            meeting = np.concatenate([leaving, joining])
            enough = there + len(meeting) >= max(need, int(self._demands[meeting].max(initial=0)))
            if len(leaving) and enough and saving[meeting].sum() > max(saving[best].sum(), _SAME):
                best = meeting
        return best


def _find_starts(keys: Ints) -> Ints:
    """Return the index at which each distinct value of sorted numbers begins."""
    new = np.ones(len(keys), dtype=np.bool_)
    np.not_equal(keys[1:], keys[:-1], out=new[1:])
    return np.flatnonzero(new)


def _to_group_indexes(starts: Ints, count: int) -> Ints:
    """Return the group of each of ``count`` positions; ``starts`` are the positions at which the groups begin."""
    return np.repeat(np.arange(len(starts)), np.diff(starts, append=count))
