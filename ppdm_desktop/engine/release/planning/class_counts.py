"""Counts people in classes that are too small or show one confidential value, for any choice of how columns are shown.

A column's ways to be shown are its ladder; one way is a rung. A unit is a set of rows that are equal in all columns by
which people can be found and in the class size they ask for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.attacks.class_belief import Values
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.methods.algorithms.generalisation.fewest_blanks import fewest_blanks
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    find_classes_with_common_value,
    find_released_set_sizes,
)
from ppdm_desktop.engine.recipe.models import COMMON
from ppdm_desktop.engine.release.planning.ladders import Ladder
from ppdm_desktop.engine.table.column import MISSING
from ppdm_desktop.engine.table.people import People

_TABLE_CELLS = 1 << 22
"""Largest table of classes and values that is counted without sorting."""
_PARTS = 32
"""Parts of a column's range that are counted before its values."""
_QUICK = 1 << 21
"""Rows times sets of columns up to which cells to empty are looked for among all rows, as the step does."""


@dataclass(frozen=True, eq=False)
class Secret:
    """A confidential column, by values that count as one guess (`Values`).

    Attributes
    ----------
    lowest, highest
        int64, shape (units,): smallest and largest value code in each unit; -1 for no value, so that ``lowest`` is -1
        where anybody has none, and ``highest`` where nobody has one.
    reach
        int64, shape (values,): for each value, the last value that one guess covers together with it.
    common
        The value that too many of all people hold to be a secret by the gate's rule, or that every class would hold
        too often; -1 without one.
    unit, value, count
        int64 and float64, shape (pairs,): number of rows of each unit with each value that could be a secret.
    """

    lowest: Ints
    highest: Ints
    reach: Ints
    common: int
    unit: Ints
    value: Ints
    count: Floats

    @classmethod
    def of(cls, values: Values, codes: Ints, units: Classes, share_limit: float) -> Secret:
        """Return how often each unit of equal rows has each value of a column that could be a secret.

        The result has the number of rows for each unit and value that occur together, and the lowest and highest value
        code of each unit. A value is no secret, and not counted, if at least the share ``share_limit`` of all people
        have it (those without a value included), or nine in ten, the gate's own rule, if that is less.

        Parameters
        ----------
        values, codes
            The column, and the value code of each row, shape (rows,), -1 where missing.
        units
            Classes of rows that are equal in all columns.
        share_limit
            Share of people from which on they may not have one value.
        """
        lowest, highest = np.full(units.count, values.count, dtype=np.int64), np.full(units.count, -1, dtype=np.int64)
        np.minimum.at(lowest, units.ids, codes)
        np.maximum.at(highest, units.ids, codes)
        reach = values.high[values.reaching] - 1 if values.count else np.zeros(1, dtype=np.int64)
        if values.count:
            nothing = values.says_nothing[values.reaching]
            reach = np.where(nothing, np.arange(values.count), reach)
        shares = values.shares * np.mean(codes >= 0) if len(codes) else values.shares
        can_be = shares < min(share_limit, COMMON) - GRID
        has_common = len(can_be) and not can_be.all()
        common = int(np.argmin(can_be)) if has_common else -1
        rows = np.flatnonzero(np.append(can_be, False)[codes])  # the last entry is for missing
        keys, count = np.unique(units.ids[rows] * max(values.count, 1) + codes[rows], return_counts=True)
        unit, value = np.divmod(keys, max(values.count, 1))
        return cls(lowest, highest, reach, common, unit, value, count.astype(np.float64))

    def find_one_valued_classes(self, classes: Classes) -> Bools:
        """Return which classes of units show one secret value, bool of shape (classes,).

        A class does if everybody in it has a value and one guess covers all of them (38 and 39, if numbers so near
        count as one). It does not if all have exactly the value ``common``, which is no secret.
        """
        low, high = np.full(classes.count, len(self.reach), dtype=np.int64), np.full(classes.count, -1, dtype=np.int64)
        np.minimum.at(low, classes.ids, self.lowest)
        np.maximum.at(high, classes.ids, self.highest)
        return np.asarray((low >= 0) & (high <= self.reach[low]) & ~((low == high) & (low == self.common)))

    def find_covered_classes(self, classes: Classes, least: Floats) -> Bools:
        """Return which classes have at least ``least`` people whose values one guess covers, bool of shape (classes,).

        Only secret values count; a guess of a number covers all numbers near it. ``least`` has shape (classes,).
        """
        class_of, step = classes.ids[self.unit], -(-len(self.reach) // _PARTS)
        last = np.maximum.reduceat(self.reach, np.arange(0, len(self.reach), step)) // step
        is_covered = _count_most_covered_people(class_of, self.value // step, self.count, classes.count, last) >= least
        if step > 1 and is_covered.any():
            pairs = np.flatnonzero(is_covered[class_of])
            left = (np.cumsum(is_covered) - 1)[class_of[pairs]]
            most = _count_most_covered_people(
                left, self.value[pairs], self.count[pairs], int(is_covered.sum()), self.reach
            )
            is_covered[is_covered] = most >= least[is_covered]
        return is_covered


def _count_most_covered_people(class_of: Ints, values: Ints, counts: Floats, classes: int, reach: Ints) -> Floats:
    """Return the largest number of people in each class whose values one guess covers; shape (classes,).

    It is 0 for a class without a pair.

    Parameters
    ----------
    class_of, values, counts
        Class and value of each pair, and the number of people with them, shape (pairs,). Equal pairs are added up.
    classes
        Number of classes.
    reach
        For each value the last one that one guess covers together with it, shape (values,).
    """
    width = len(reach)
    keys = class_of * width + values
    if classes * width <= _TABLE_CELLS:
        upto = np.zeros((classes, width + 1))
        np.cumsum(np.bincount(keys, counts, classes * width).reshape(classes, width), axis=1, out=upto[:, 1:])
        return np.asarray((upto[:, reach + 1] - upto[:, :-1]).max(axis=1))
    pairs, pair_index = np.unique(keys, return_inverse=True)
    upto_pair = np.append(0.0, np.cumsum(np.bincount(pair_index.reshape(-1), counts)))
    first, value = np.divmod(pairs, width)
    after = np.searchsorted(pairs, first * width + reach[value], "right")
    most = np.zeros(classes)
    np.maximum.at(most, first, upto_pair[after] - upto_pair[:-1])
    return most


class ClassCounts:
    """Counts classes (groups of rows that look the same) for any choice of how the columns of a table are shown.

    Rows that are equal in all columns and ask for the same class size are counted together, as one unit.

    Parameters
    ----------
    ladders, codes
        The ways to show each column by which people can be found, and its category in each row, shape (rows,).
    demands
        int64, shape (rows,): class size that each row asks for, in people.
    secrets
        The confidential columns.
    share_limit
        Largest share of a class that may have one confidential value; 1 forbids only classes with a single value.
    people
        The person of each row, if some have several (then each row is a unit); None otherwise.
    """

    def __init__(
        self,
        ladders: Sequence[Ladder],
        codes: Sequence[AnyInts],
        demands: Ints,
        secrets: Sequence[Values],
        share_limit: float = 1.0,
        people: People | None = None,
    ) -> None:
        """Join rows that are equal in all columns and demands to weighted units; with ``people`` each row is a unit.

        Parameters
        ----------
        ladders, codes
            Ways to show each column by which people can be found, and its category in each row.
        demands
            Class size that each row asks for.
        secrets
            True values of the confidential columns.
        share_limit
            Largest share of a class that may have one such value.
        people
            The person of each row, if people have several rows; None otherwise.
        """
        rows = len(demands)
        self._ladders, self._people, self._share_limit = ladders, people, share_limit
        row_classes = Classes(np.arange(rows, dtype=np.int64), rows)
        self._units = classes_of_codes([*codes, demands], rows) if people is None else row_classes
        first = np.zeros(self._units.count, dtype=np.int64)
        first[self._units.ids] = np.arange(rows)
        self._codes = [column[first] for column in codes]
        self._demands, self._weights = demands[first], self._units.sizes.astype(np.float64)
        self._values = secrets
        # The gate counts no answer as a value where most people gave one.
        gaps = [np.asarray(values.codes < 0, dtype=np.float64) for values in secrets]
        self._rows_without = [gap for gap in gaps if 0 < 2 * gap.sum() < rows]
        of_units = (np.bincount(self._units.ids, gap, self._units.count) for gap in self._rows_without)
        self._units_without = [np.asarray(people, dtype=np.float64) for people in of_units]
        self._secrets = [Secret.of(values, values.codes, self._units, share_limit) for values in secrets]
        self._blocking: dict[tuple[int, ...], tuple[int, int, bool]] = {}

    def classes(self, choice: Sequence[int]) -> Classes:
        """Return the classes of units that are equal when each column is shown in the way that ``choice`` names for it.

        ``choice`` has one index of a rung for each column, 0 the finest. Missing counts as a value of its own. A column
        whose rung leaves it out distinguishes nobody, so if all are left out there is one class.
        """
        released = (
            ladder.rungs[rung].codes_of_categories[codes]
            for ladder, rung, codes in zip(self._ladders, choice, self._codes, strict=True)
            if not ladder.rungs[rung].is_left_out
        )
        return classes_of_codes(released, self._units.count)

    def refined(self, classes: Classes, column: int, rung: int) -> Classes:
        """Return the classes of units refined by one column in a way (``rung``) that distinguishes more."""
        released = self._ladders[column].rungs[rung].codes_of_categories[self._codes[column]]
        return classes_of_codes([classes.ids - 1, released], self._units.count)  # codes begin at -1, for missing

    def knows(self, choice: tuple[int, ...]) -> bool:
        """Return whether the rows that stand in the way of a release with a choice were counted before."""
        return choice in self._blocking

    def count_blocking_rows(self, choice: tuple[int, ...], classes: Classes | None = None) -> tuple[int, int, bool]:
        """Return how many rows stand in the way of a release with a choice, and whether some can be left out.

        A class shows one value if one guess covers the secret values of at least the share ``share_limit`` of its
        people, or if so many have no value (only in columns where fewer than half of all rows have none). Each choice
        is counted once; ``classes`` are its classes if known.

        Returns
        -------
        tuple of int, int and bool
            Rows whose class is smaller than they ask for; rows in classes that are large enough for some of their rows
            and show one value, counted only here; and whether the latter can be left out. They can if there are none.
            Otherwise nobody may have several rows, so large a share of each class must have exactly the same value (not
            only near ones, or none), and the absence of the rows must reveal nothing.
        """
        if choice not in self._blocking:
            self._blocking[choice] = self._count_blocking_rows(self.classes(choice) if classes is None else classes)
        return self._blocking[choice]

    def _count_blocking_rows(self, classes: Classes) -> tuple[int, int, bool]:
        """Return what ``count_blocking_rows`` does, for these classes."""
        sizes = np.bincount(classes.ids, self._weights, classes.count)
        is_short = self._is_short(classes, sizes)
        # No cells are emptied to mix a class of one value: whoever knows the method then knows why they are empty.
        is_kept = np.zeros(classes.count, dtype=np.bool_)
        is_kept[classes.ids[~is_short]] = True
        kept_sizes = np.where(is_kept, sizes, np.inf)
        shows = find_dominated_classes(self._secrets, classes, kept_sizes, self._share_limit)
        shows = is_kept & (shows | self._find_classes_with_gaps(classes, self._units_without, sizes))
        units_gone = shows[classes.ids]
        can_leave = not (shows & ~self._find_removed_classes(self._secrets, classes, sizes, shows)).any()
        can_leave = can_leave and not self._do_removed_people_reveal_value(
            self._secrets, units_gone, self._weights, units_gone[self._units.ids]
        )
        return int(self._weights[is_short & ~units_gone].sum()), int(self._weights[units_gone].sum()), can_leave

    def _find_classes_with_gaps(self, classes: Classes, without: Sequence[Floats], sizes: Floats | Ints) -> Bools:
        """Return which classes have too large a share of people without a confidential value, bool of shape (classes,).

        That is the share ``share_limit`` or more in some column. ``without`` holds for each column how many people of
        each unit have no value; ``sizes`` are the people of each class.
        """
        shows = np.zeros(classes.count, dtype=np.bool_)
        for people in without:
            shows |= np.bincount(classes.ids, people, classes.count) >= self._share_limit * sizes - GRID
        return shows

    def _find_removed_classes(
        self, secrets: Sequence[Secret], classes: Classes, sizes: Floats | Ints, shows: Bools
    ) -> Bools:
        """Return which classes the method that leaves rows out would remove, bool of shape (classes,).

        They are the classes marked in ``shows`` in which at least the share ``share_limit`` of the people have exactly
        the same value of a confidential column. Numbers that are only near each other, missing values, and values too
        common to be a secret do not count. All are False if people have several rows.
        """
        is_gone = np.zeros(classes.count, dtype=np.bool_)
        for secret in secrets if self._people is None and shows.any() else ():
            least = np.asarray(self._share_limit * sizes - GRID)
            pairs = np.flatnonzero(shows[classes.ids[secret.unit]])
            class_of = classes.ids[secret.unit[pairs]]
            is_gone |= find_classes_with_common_value(class_of, secret.value[pairs], secret.count[pairs], least)
        return is_gone

    def _do_removed_people_reveal_value(
        self, secrets: Sequence[Secret], units_gone: Bools, weights: Floats, rows_gone: Bools
    ) -> bool:
        """Return whether knowing who is left out reveals a confidential value; the method then leaves no rows out.

        One confidential column is enough. It does if at least ``share_limit`` of the people left out have the same
        value that could be a secret (not checked where people have several rows), or if at least half of all who have a
        value have the same one and at least ``share_limit`` of the rows left out do not have it. False if nobody is
        left out.

        Parameters
        ----------
        secrets
            The confidential columns.
        units_gone, rows_gone
            Mark the units, and the rows, that are left out.
        weights
            Number of rows of each unit.
        """
        if not units_gone.any():
            return False
        everybody_gone = Classes(np.where(units_gone, 0, 1), 2)
        sizes = np.bincount(everybody_gone.ids, weights, 2)
        if any(
            bool(self._find_removed_classes([secret], everybody_gone, sizes, np.array([True, False]))[0])
            for secret in secrets
        ):
            return True
        return any(self._is_usual_value_missing(values, rows_gone) for values in self._values)

    def _is_usual_value_missing(self, values: Values, rows_gone: Bools) -> bool:
        """Return whether the share ``share_limit`` or more of the rows left out lack the value that half of all have.

        False if no value is held by half.
        """
        usual = np.flatnonzero(values.shares >= 0.5)[:1]
        return bool(len(usual) and np.mean(values.codes[rows_gone] != usual) >= self._share_limit - GRID)

    def fewest_blanks(self, choice: Sequence[int], costs: Floats, *, is_rough: bool) -> tuple[int, int] | None:
        """Return the number of cells to empty and the number of rows to leave out then; None if that is not enough.

        It is not enough if no column is shown, if a class that is not left out would show one value, or if the absence
        of the rows left out would reveal one. In a large table only rows in too small classes are searched for cells to
        empty, so that no other row's class changes.

        Parameters
        ----------
        choice
            The way (index of the rung) in which each column is shown.
        costs
            Cost of an empty cell in each column, those left out included, shape (columns,).
        is_rough
            Whether a few more cells may be counted than the step will empty.
        """
        classes = self.classes(choice)
        is_short = self._is_short(classes, np.bincount(classes.ids, self._weights, classes.count))[self._units.ids]
        kept = [column for column, ladder in enumerate(self._ladders) if not ladder.rungs[choice[column]].is_left_out]
        if not kept:
            return None
        new_codes = [
            self._ladders[column].rungs[choice[column]].codes_of_categories[self._codes[column]] for column in kept
        ]
        table = np.stack(new_codes, axis=1)[self._units.ids]
        demands = self._demands[self._units.ids]
        mask = np.zeros(table.shape, dtype=np.bool_)
        rows = self._rows_to_search(np.flatnonzero(is_short), demands, len(kept))
        if len(rows):
            whose = None if self._people is None else np.unique(self._people.of_row[rows], return_inverse=True)[1]
            search = progress.part(1.0, 1.0)
            mask[rows] = search.run(
                fewest_blanks, table[rows], demands[rows], costs[kept], who=whose, is_rough=is_rough
            )
        released = classes_of_codes(np.where(mask, MISSING, table).T, len(table))
        row_classes = Classes(np.arange(len(table), dtype=np.int64), len(table))
        secrets = [Secret.of(values, values.codes, row_classes, self._share_limit) for values in self._values]
        shows = find_dominated_classes(secrets, released, released.sizes, self._share_limit)
        shows |= self._find_classes_with_gaps(released, self._rows_without, released.sizes)
        is_gone = self._find_removed_classes(secrets, released, released.sizes, shows)
        if (shows & ~is_gone).any() or self._do_removed_people_reveal_value(
            secrets, is_gone[released.ids], np.ones(len(table)), is_gone[released.ids]
        ):
            return None
        return int(mask.sum()), int(released.sizes[is_gone].sum())

    def _rows_to_search(self, short: Ints, demands: Ints, columns: int) -> Ints:
        """Return the indices of the rows that are searched for cells to empty; empty if no class is too small.

        Usually these are only the rows in too small classes (``short``). All rows are searched in a small table (rows
        times 2 to the power of ``columns`` at most 2,097,152), or if the rows in ``short`` belong to fewer people than
        one of them asks for. ``columns`` is the number of columns shown.
        """
        if not len(short):
            return short
        who = short if self._people is None else self._people.of_row[short]
        is_quick = len(demands) << columns <= _QUICK
        is_all = is_quick or len(np.unique(who)) < demands[short].max()
        return np.arange(len(demands)) if is_all else short

    def _is_short(self, classes: Classes, sizes: Floats | Ints) -> Bools:
        """Return which units ask for more people than their class has, bool, shape (units,).

        ``sizes`` are the numbers of people of the classes; they are not used if people have several rows.
        """
        reached = sizes[classes.ids] if self._people is None else find_released_set_sizes(classes, self._people)
        return np.asarray(reached < self._demands)


def find_dominated_classes(
    secrets: Sequence[Secret], classes: Classes, sizes: Floats | Ints, share_limit: float
) -> Bools:
    """Return which classes of units show one value of a confidential column, bool of shape (classes,).

    In at least one of the confidential columns all people of the class, or at least the share ``share_limit`` of them,
    have secret values that one guess covers. With ``share_limit`` 1 only "all" counts.

    Parameters
    ----------
    secrets, share_limit
        Values of the confidential columns by unit, and the share from which on a class shows one.
    classes, sizes
        Classes of the secrets' units, and the rows of each, shape (classes,).
    """
    is_dominated = np.zeros(classes.count, dtype=np.bool_)
    for secret in secrets:
        is_dominated |= secret.find_one_valued_classes(classes)
        if share_limit < 1:
            is_dominated |= secret.find_covered_classes(
                classes, np.asarray(share_limit * sizes - GRID, dtype=np.float64)
            )
    return is_dominated
