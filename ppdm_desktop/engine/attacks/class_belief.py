"""Beliefs of an intruder who knows which rows could be a person's: the mean over the rows of an equivalence class.

Each released row is an observation of its person's true value: the value is the shown one, one of the values behind
the same group average, or one of the true values in a pool of swapped people. Rows with equal released
quasi-identifiers form a class. An intruder who cannot distinguish the rows of a class believes the mean of their
observations. A belief is a probability; it is summed over all values within the half width of a guess, because a guess
that near counts as right.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import (
    GRID,
    AnyInts,
    Bools,
    Floats,
    Ints,
    find_first_largest,
    find_first_smallest,
    on_grid,
)
from ppdm_desktop.engine.attacks.uncertainty import (
    CONFIRMED,
    FEWEST_HOLDERS,
    MOST_ELSEWHERE,
    MOST_HOLDERS,
    NAMED,
    ONE_SECRET,
    RARE_CATEGORY,
    TAILS,
    RareSecret,
    Uncertainty,
    half_widths,
    measure_rare_secret,
    uncertainty_ratio,
)
from ppdm_desktop.engine.identifiability.classes import Classes, count_class_people
from ppdm_desktop.engine.identifiability.ranks import rank_values
from ppdm_desktop.engine.recipe.models import COMMON
from ppdm_desktop.engine.table.people import People

if TYPE_CHECKING:
    from scipy.sparse import coo_array, csr_array


_GUESSES = 8
"""How many of the most believed values of a class are tried as guesses, besides those that a row itself tells."""
_PAIRS_AT_ONCE = 20_000
_ROWS_AT_ONCE = 20_000
_FEW = 4
"""Rows with at most this many beliefs are searched one belief after the other."""
_LONG = 500
"""Rows with more guesses than this on average are first reduced to the guesses that may be among the best."""
_TABLE_CELLS = 8_000_000
"""Most cells of a table of rows and values in which positions are looked up."""


@dataclass(frozen=True, eq=False)
class Values:
    """The values of a confidential column, and how near a right guess has to be.

    Attributes
    ----------
    codes
        int64, shape (people,): index of each person's true value, -1 where they have none.
    count
        Number of different values.
    low, high
        For each value, the first index and the end (exclusive) of the values that count as equal to it: itself for
        categories, the values within its half width for numbers, which are in rising order; shape (count,).
    names
        The texts or numbers of the values, shown to the user where a rare value is revealed.
    numeric
        Whether the values are numbers.
    weights
        Weight of each entry, 1 / number of values of its person, shape (people,); None where everyone has one row.
    holder_shares
        Share of the people who have each value, shape (count,); None where everyone has one row.
    """

    codes: Ints
    count: int
    low: Ints
    high: Ints
    names: tuple[str, ...] | Floats
    numeric: bool
    weights: Floats | None = None
    holder_shares: Floats | None = None

    @classmethod
    def of_categories(cls, codes: Ints, names: tuple[str, ...]) -> Values:
        """Return categories for which a guess counts as right only if it is exactly the true one."""
        places = np.arange(len(names), dtype=np.int64)
        return cls(codes, len(names), places, places + 1, names, False)

    @classmethod
    def of_neighbours(cls, codes: Ints, names: tuple[str, ...], positions: Floats, half_width: float) -> Values:
        """Return ordered categories for which a guess within a half width, equal for all values, counts as right.

        A guess exactly the half width away is right, too: with positions 0, 1, 2 and half width 1, a guess at the first
        category is right if the truth is the first or the second.

        Parameters
        ----------
        codes, names
            Index of each person's value among the distinct ones, -1 where they have none, and the values' texts.
        positions
            Where each value stands on the scale, rising, shape (count,).
        half_width
            How far from the truth a guess may lie, on the same scale.
        """
        low = np.searchsorted(positions, positions - half_width - GRID, side="left").astype(np.int64)
        high = np.searchsorted(positions, positions + half_width + GRID, side="right").astype(np.int64)
        return cls(codes, len(names), low, high, names, False)

    @classmethod
    def of_numbers(cls, numbers: Floats, step: float, tolerance: float | None = None) -> Values:
        """Return the numbers of a column, one for each person; a guess at one counts as right within a half width.

        The half width (`half_widths`) is the largest of half a step, a twentieth of the standard deviation, and a tenth
        of the number's distance from the median; ``tolerance`` replaces it by one width for all numbers.

        Parameters
        ----------
        numbers
            True values, shape (people,), NaN where missing.
        step
            Distance of neighbouring numbers that the column can take, such as 1 for whole numbers.
        tolerance
            Half width set by the user, in the column's unit; None for the computed one.
        """
        present = ~np.isnan(numbers)
        values, places, times = np.unique(numbers[present], return_inverse=True, return_counts=True)
        codes = np.full(len(numbers), -1, dtype=np.int64)
        codes[present] = places.reshape(-1)
        return cls.of_counted(codes, values, times, step, tolerance)

    @classmethod
    def of_counted(
        cls,
        codes: Ints,
        values: Floats,
        times: Ints,
        step: float,
        tolerance: float | None = None,
        *,
        lower: bool = True,
    ) -> Values:
        """Return a column's numbers, given as distinct values with counts; a guess is right within a half width.

        The half width is computed by `half_widths` unless ``tolerance`` replaces it by one width for all; a guess
        exactly that far away is right. Without any number the result has no values (``count`` 0).

        Parameters
        ----------
        codes
            Index of each person's number among the distinct values, -1 where they have none; shape (people,).
        values, times
            The distinct numbers, rising, and how many people have each; both of shape (values,).
        step
            Distance of neighbouring numbers that the column can take.
        tolerance
            Half width set by the user, in the column's unit; None for the computed one.
        lower
            Whether a tolerance below the smallest computed half width is used; if False, such a tolerance is ignored.
        """
        if not len(values):
            empty = np.zeros(0, dtype=np.int64)
            return cls(codes, 0, empty, empty, values, True)
        half = half_widths(values, values, times / times.sum(), step)
        if tolerance is not None and (lower or tolerance >= half.min()):
            half = np.full(len(values), tolerance * (1 + 1e-9))
        low = np.searchsorted(values, values - half, side="left").astype(np.int64)
        high = np.searchsorted(values, values + half, side="right").astype(np.int64)
        return cls(codes, len(values), low, high, values, True)

    @cached_property
    def shares(self) -> Floats:
        """Share of each value among the people who have one, float64, shape (count,).

        A person with several rows counts as one in total. All 0 where nobody has a value.
        """
        present = self.codes >= 0
        weights = None if self.weights is None else self.weights[present]
        counts = np.bincount(self.codes[present], weights, self.count).astype(np.float64)
        return np.asarray(counts / max(float(counts.sum()), 1.0))

    @cached_property
    def window_shares(self) -> Floats:
        """Share of the people whose value lies within the half width of each value, float64, shape (count,)."""
        sums = np.concatenate([[0.0], np.cumsum(self.shares)])
        return np.asarray(sums[self.high] - sums[self.low])

    @cached_property
    def says_nothing(self) -> Bools:
        """Flags of ordered categories whose neighbourhood holds 90 % of people or more, shape (count,).

        A guess at such a category would be right for nearly everybody, so it is not tried. All False for numbers, and
        for categories of which only the exact one is right.
        """
        wide = (self.high - self.low > 1) & (self.window_shares >= COMMON - GRID)
        return np.zeros(self.count, dtype=np.bool_) if self.numeric else wide

    @cached_property
    def has_neighbours(self) -> bool:
        """Whether a guess other than the exact value may be right: for numbers, and categories with a half width."""
        return self.numeric or bool((self.high - self.low > 1).any())

    @cached_property
    def reaching(self) -> Ints:
        """For each value the index of the highest value that is still a right guess at it, shape (count,)."""
        return np.asarray(np.searchsorted(self.low, np.arange(self.count), side="right") - 1, dtype=np.int64)

    def right(self, guesses: Ints, codes: Ints) -> Bools:
        """Return whether each guess is right: within the half width of the true value, or equal to it without one.

        ``guesses`` and ``codes`` are indices of the guessed and the true values, of equal shape. A guess is never
        right where the true value is missing (-1).
        """
        return np.asarray((codes >= self.low[guesses]) & (codes < self.high[guesses]) & (codes >= 0))


@dataclass(frozen=True, eq=False)
class Observations:
    """What the released rows reveal of the true values of one column: the probability of each value, given the row.

    Attributes
    ----------
    of
        int64, shape (people,): index of the observation that each row gives; rows that reveal the same share one.
    shares
        Sparse, shape (observations, count + 1): belief in each value; the last column is "no value". Rows sum to 1.
    without
        What an intruder believes without the person's own row, as two sparse matrices: which belief belongs to each
        observation, shape (observations, beliefs), and these beliefs, shape (beliefs, count + 1). None where it is
        simply the share of each value among all people.
    """

    of: Ints
    shares: csr_array
    without: tuple[csr_array, csr_array] | None = None
    _masses: dict[Values, _Masses] = field(default_factory=dict, init=False, repr=False)

    def masses(self, values: Values) -> _Masses:
        """Return an object that sums each observation's belief within the half width of any value.

        The object is made once for each ``values`` object and kept.
        """
        if values not in self._masses:
            self._masses[values] = _Masses(self.shares, values)
        return self._masses[values]

    def mapped(self, into: csr_array) -> Observations:
        """Return new observations of coarser values, with the beliefs in all values of a group added up.

        ``into`` is a sparse matrix of zeros and ones with a row for each value, the last one for "no value", and a
        column for each group. Beliefs without a person's own row are added up in the same way.
        """
        without = None if self.without is None else (self.without[0], _sort_matrix_cells(self.without[1] @ into))
        return Observations(self.of, _sort_matrix_cells(self.shares @ into), without)

    @classmethod
    def counted(cls, of: Ints, codes: Ints, values: int, weights: Floats) -> Observations:
        """Return observations whose belief in a value is its weighted share among all rows that show the same thing.

        If two rows of weight 1 show the same and have the values 0 and 2, each gets the belief 0.5 in 0 and 0.5 in 2.
        Rows without a value count as having an additional value, which is the last one. The result numbers what rows
        show anew, by rank from 0, and has no beliefs without a person's own row (``without`` is None).

        Parameters
        ----------
        of
            Whole number for what each row shows, equal for rows that show the same, shape (rows,).
        codes, values
            The value of each row, -1 where it has none, and how many values there are.
        weights
            Weight of each row, such as 0.5 for each of two rows of one person that show the same; shape (rows,).
        """
        from scipy.sparse import coo_array

        # Numbers that are none of them negative are ranked several times as fast.
        index, count = rank_values(of - of.min(initial=0))
        columns = np.where(codes >= 0, codes, values)
        sizes = np.bincount(index, weights, count)
        observations = coo_array((weights / sizes[index], (index, columns)), shape=(count, values + 1))
        return cls(index, _sort_matrix_cells(observations))


def _sort_matrix_cells(matrix: coo_array | csr_array) -> csr_array:
    """Return a matrix in row format, its columns rising and the entries of one cell summed into one.

    A matrix that is in row format already is changed in place.
    """
    by_rows = matrix.tocsr()
    by_rows.sum_duplicates()
    by_rows.sort_indices()
    return by_rows


@dataclass(frozen=True, eq=False)
class ClassBelief:
    """Beliefs about each row's true value of an intruder who knows its class of equal quasi-identifiers.

    Made by `belief_in_classes`, which combines the rows of a person.

    Attributes
    ----------
    values, observations
        The confidential column, and what the released rows reveal of it.
    ids, count
        int64, shape (rows,): class of each row, and how many classes there are.
    k_min
        Weight of the prior in the control (the belief without the person's own row), as a number of people.
    people, weights
        The person of each row, and the weight of each row, 1 / number of rows of its person in the class, shape
        (rows,).
    """

    values: Values
    observations: Observations
    ids: Ints
    count: int
    k_min: int
    people: People
    weights: Floats

    @cached_property
    def sizes(self) -> Floats:
        """Number of people in each class, float64, shape (classes,)."""
        return count_class_people(Classes(self.ids, self.count), self.people).astype(np.float64)

    @cached_property
    def _members(self) -> csr_array:
        """Share of each observation among the people of each class, sparse.

        The shape is (classes of `_looked_at`, observations). Each row counts with its weight: two rows of one person
        in a class count half each.
        """
        from scipy.sparse import coo_array

        class_index, classes = self._looked_at
        rows = np.flatnonzero(classes[class_index] == self.ids)
        return coo_array(
            (self.weights[rows] / self.sizes[self.ids[rows]], (class_index[rows], self.observations.of[rows])),
            shape=(len(classes), self.observations.shares.shape[0]),
        ).tocsr()

    @cached_property
    def means(self) -> csr_array:
        """Mean belief in each value by class, sparse, shape (classes of `_looked_at`, count + 1).

        The last column is "no value".
        """
        return _sort_matrix_cells(self._members @ self.observations.shares)

    @cached_property
    def _looked_at(self) -> tuple[Ints, Ints]:
        """For each row the index of the class that stands for its own, and the ids of these classes, rising.

        Beliefs are computed for these classes only; the index counts among them. Usually it is the row's own class.
        Where a row is alone in its class, only its observation matters, so one class represents all lone rows with the
        same observation. In a large table most rows are alone.
        """
        representative = self.ids
        unique_rows = np.flatnonzero(np.bincount(representative, minlength=self.count)[representative] == 1)
        if len(unique_rows):
            representative, observation = self.ids.copy(), self.observations.of[unique_rows]
            class_of_observation = np.zeros(self.observations.shares.shape[0], dtype=np.int64)
            class_of_observation[observation[::-1]] = self.ids[unique_rows[::-1]]
            representative[unique_rows] = class_of_observation[observation]
        present = np.zeros(self.count, dtype=np.bool_)
        present[representative] = True
        classes = np.flatnonzero(present)
        places = np.empty(self.count, dtype=np.int64)
        places[classes] = np.arange(len(classes))
        return places[representative], classes

    def one_secret(self) -> Bools:
        """Return which classes reveal one value that nearly all of their people have, bool, shape (classes,).

        A class does so where the rows of at least 90 % of its people (`ONE_SECRET`) each give the value that the class
        believes most a belief of at least 0.9; one person is enough. All False where no value of the column is known.
        """
        if self.values.count == 0 or not len(self.ids):
            return np.zeros(self.count, dtype=np.bool_)
        sure = np.where(self.predicted_most_common(), self.weights, 0.0)
        share = np.bincount(self.ids, sure, self.count) / np.maximum(self.sizes, 1.0)
        return np.asarray(share >= ONE_SECRET - GRID)

    def one_secret_rows(self) -> Bools:
        """Return which rows' class reveals one value that nearly all of its people have, bool, shape (rows,)."""
        return self.one_secret()[self.ids]

    @cached_property
    def likeliest(self) -> Ints:
        """Index of the most believed value in each row's class, -1 if there is none; int64, shape (rows,).

        Of several values that are equally believed it is the lowest index. Belief is summed within the value's half
        width. Ordered categories that are right guesses for 90 % of people anyway are left out.
        """
        return self._masses.best()[:, 0][self._looked_at[0]]

    @cached_property
    def _masses(self) -> _Masses:
        """An object that sums the classes' mean beliefs within the half width of any value, made once."""
        return _Masses(self.means, self.values)

    @cached_property
    def _without(self) -> _Masses | None:
        """Sums like `_masses` for beliefs without the person's own row.

        None where these beliefs are the shares among all people.
        """
        if self.observations.without is None:
            return None
        which, beliefs = self.observations.without
        return _Masses(_sort_matrix_cells(self._members @ which @ beliefs), self.values)

    def nearly_certain(self) -> Bools:
        """Return which rows are in a class in which nearly all share a value that is rarer among other people.

        That is so where the likeliest guess of the class has a belief of at least 0.9, which amounts to at least
        `FEWEST_HOLDERS` (5) of its people; the class has ``k_min`` people or more; and at most half of all other
        people hold the value. Rows of other classes are False.

        Returns
        -------
        Bools
            Shape (rows,).
        """
        sizes = self.sizes[self.ids]
        rows = np.flatnonzero((sizes >= self.k_min) & (self.likeliest >= 0))
        certain = np.zeros(len(self.ids), dtype=np.bool_)
        if not len(rows):
            return certain
        guess, size = self.likeliest[rows], sizes[rows]
        belief = self._masses.within(self._looked_at[0][rows], guess)
        elsewhere = self.values.window_shares[guess] * self.people_count - belief * size
        certain[rows] = (
            (belief >= ONE_SECRET - GRID)
            & (belief * size >= FEWEST_HOLDERS - GRID)
            & (elsewhere <= MOST_ELSEWHERE * (self.people_count - size) + GRID)
        )
        return certain

    def predicted_most_common(self) -> Bools:
        """Return which rows' own observation gives the most believed value of their class a belief of at least 0.9.

        The result is bool, of shape (rows,), and False where the class has no such value.
        """
        of_row = self.likeliest
        belief = self.observations.masses(self.values).within(self.observations.of, np.maximum(of_row, 0))
        return np.asarray((of_row >= 0) & (belief >= ONE_SECRET - GRID))

    @property
    def people_count(self) -> int:
        """Number of people whose values make up the prior."""
        return self.people.count

    def uncertainty(self) -> tuple[Uncertainty, Uncertainty, Bools]:
        """Return everybody's remaining uncertainty under two controls, and who is guessed right without their row.

        The control is the belief without the person's row, with which the belief from the release is compared. The
        first control leaves out exactly this row. An intruder who chooses what or whom to guess cannot know which row
        of the class it is: the second control leaves out the mean of the class instead, so that no choice follows the
        truth.

        Returns
        -------
        tuple of Uncertainty, Uncertainty and Bools
            The uncertainty by the first and by the second control, and whether the guess of largest belief under the
            first control is right; each of shape (rows,). The ratio is the smallest over the guesses tried: the most
            believed values of the class and of the row's own observation. A row without a value has ratio 1 and is
            neither right nor confirmed.
        """
        people = len(self.ids)
        with_value, unplaced = (Uncertainty.unchanged(people) for _ in range(2))
        control_right = np.zeros(people, np.bool_)
        if self.values.count == 0 or people == 0:
            return with_value, unplaced, control_right
        observations = self.observations.shares.shape[0]
        keys, back = self._find_distinct_pairs()
        order = np.argsort(back, kind="stable")
        starts = np.concatenate([[0], np.cumsum(np.bincount(back, minlength=len(keys)))])
        progress.check()
        means, own_masses = self._masses, self.observations.masses(self.values)
        best, best_guesses = means.best()[keys // observations], own_masses.best()
        common = np.argsort(-on_grid(self.values.window_shares), kind="stable")[:_GUESSES]
        for begin in range(0, len(keys), _PAIRS_AT_ONCE):
            progress.check()
            part = keys[begin : begin + _PAIRS_AT_ONCE]
            group, observation = part // observations, part % observations
            guesses = np.concatenate([best[begin : begin + len(part)], best_guesses[observation]], axis=1)
            usable = guesses >= 0
            guesses = np.where(usable, guesses, 0)
            belief, mine = means.within(group[:, None], guesses), own_masses.within(observation[:, None], guesses)
            without = self._compute_control_belief(group, guesses, belief, mine)
            at = np.arange(len(part))
            members = order[starts[begin] : starts[begin + len(part)]]
            pair = back[members] - begin
            codes = self.values.codes[members]
            for uncertainty, control in (
                (with_value, without),
                (unplaced, self._compute_control_belief(group, guesses, belief, belief)),
            ):
                ratios = np.where(usable, uncertainty_ratio(np.clip(belief, 0.0, 1.0), control), np.inf)
                chosen = find_first_smallest(ratios)
                least = ratios[at, chosen]
                uncertainty.ratio[members] = np.where(np.isfinite(least), least, 1.0)[pair]
                uncertainty.confirmed[members] = (usable[at, chosen] & (belief[at, chosen] >= CONFIRMED))[pair]
                uncertainty.right[members] = self.values.right(guesses[at, chosen][pair], codes)
            # Without the person's own row, what is common everywhere is a guess, too.
            more = np.broadcast_to(common, (len(part), len(common)))
            elsewhere = means.within(group[:, None], more), own_masses.within(observation[:, None], more)
            blind = np.concatenate([guesses, more], axis=1)
            weight = np.concatenate(
                [np.where(usable, without, -1.0), self._compute_control_belief(group, more, *elsewhere)], axis=1
            )
            control_right[members] = self.values.right(blind[at, find_first_largest(weight)][pair], codes)
        # Who has no value has no secret that could be revealed.
        no_value = self.values.codes < 0
        for uncertainty in (with_value, unplaced):
            uncertainty.ratio[no_value] = 1.0
            uncertainty.right[no_value] = uncertainty.confirmed[no_value] = False
        return with_value, unplaced, control_right

    def _find_distinct_pairs(self) -> tuple[Ints, Ints]:
        """Return the distinct pairs of class and observation, sorted, and for each row the index of its pair.

        A pair is encoded as class x (number of observations) + observation; the class is its index in `_looked_at`.
        """
        combined = self._looked_at[0] * self.observations.shares.shape[0]
        combined += self.observations.of
        back, count = rank_values(combined)
        keys = np.empty(count, dtype=np.int64)
        keys[back] = combined
        progress.check()
        return keys, back

    def _compute_control_belief(self, group: Ints, guesses: Ints, belief: Floats, mine: Floats) -> Floats:
        """Return the belief in guesses without the person's own row, float64 from 0 to 1, shape (pairs, guesses).

        It is (n belief - mine + k_min prior) / (n - 1 + k_min), with n people in the class. The prior is the guess's
        share among all other people, or the belief without an own row, if the observations state one.

        Parameters
        ----------
        group, guesses
            Index of each pair's class in `_looked_at`, shape (pairs,), and the guessed value indices, shape (pairs,
            guesses).
        belief, mine
            Belief in each guess of the whole class, and of the row that is left out, shape (pairs, guesses).
        """
        people = self.people_count
        size = self.sizes[self._looked_at[1][group]][:, None]
        if self._without is None:
            prior = np.clip((self.values.window_shares[guesses] * people - mine) / max(people - 1, 1), 0.0, 1.0)
        else:
            prior = self._without.within(group[:, None], guesses)
        others_mass = size * belief - mine
        return np.asarray(np.clip((others_mass + self.k_min * prior) / (size - 1 + self.k_min), 0.0, 1.0))

    def rare(self) -> list[RareSecret]:
        """Return for each rare category, or tail of numbers, how well an intruder can name its holders."""
        return self._measure_number_tails() if self.values.numeric else self._measure_rare_categories()

    def _measure_rare_secret(
        self, secret: str | float, named: Bools, holds: Bools, above: bool | None = None
    ) -> RareSecret:
        """Return how well an intruder names the holders of one rare value, from flags for each row.

        A person counts as ``named``, or as a holder (``holds``), if any of their rows is flagged. ``above`` tells
        whether a tail of numbers lies above ``secret``; None for a category.
        """
        return measure_rare_secret(secret, self.people.with_any(named), self.people.with_any(holds), above=above)

    def _measure_rare_categories(self) -> list[RareSecret]:
        """Return for each rare category how well an intruder can name its holders, in the order of the categories.

        A category is rare if at least one person and at most 10 % of the people with a value hold it. A row is named as
        a holder's where its class has a belief of at least 0.5 in the category.
        """
        means = self.means.tocsc()
        holder_shares = self.values.shares if self.values.holder_shares is None else self.values.holder_shares
        rare_secrets = []
        for code in np.flatnonzero((holder_shares > 0) & (holder_shares <= RARE_CATEGORY + GRID)).tolist():
            rows = slice(means.indptr[code], means.indptr[code + 1])
            named = np.zeros(means.shape[0], np.bool_)
            named[means.indices[rows]] = means.data[rows] >= NAMED - GRID
            named = named[self._looked_at[0]]
            rare_secrets.append(
                self._measure_rare_secret(str(self.values.names[code]), named, self.values.codes == code)
            )
        return rare_secrets

    def _measure_number_tails(self) -> list[RareSecret]:
        """Return for each tail of the numbers how well an intruder can name the people in it.

        Tails are the numbers beyond the 1, 5 and 10 % quantiles, for each share first the upper and then the lower
        tail. The quantile itself is not in its tail. A tail that nobody or more than 12 % of the people with a value
        hold is left out. A row is named as belonging to the tail where its class has a belief of at least 0.5 in it.
        """
        rare_secrets = []
        sums = self.values.shares.cumsum()
        means = self.means
        places = np.arange(means.shape[1])
        for share in TAILS:
            for above in (True, False):
                reached = 1 - share - GRID if above else share + GRID
                edge = min(int(np.searchsorted(sums, reached)), self.values.count - 1)
                beyond = (places > edge if above else places < edge) & (places < self.values.count)
                if edge < 0 or not 0 < self.values.shares[beyond[:-1]].sum() <= MOST_HOLDERS + GRID:
                    continue
                named = (means @ beyond.astype(np.float64)) >= NAMED - GRID
                holds = beyond[self.values.codes] & (self.values.codes >= 0)
                edge_value = float(self.values.names[edge])
                rare_secrets.append(
                    self._measure_rare_secret(edge_value, named[self._looked_at[0]], np.asarray(holds), above)
                )
        return rare_secrets


class _Masses:
    """Sums of belief over all values within the half width of a guess, for each row of a sparse matrix of beliefs."""

    def __init__(self, shares: csr_array, values: Values) -> None:
        """Store a matrix of beliefs (a row for each observation or class, a column for each value) and running sums."""
        self._values, self._shares = values, shares
        self._width = shares.shape[1]
        self._starts = shares.indptr.astype(np.int64)
        self._sums = np.concatenate([[0.0], np.cumsum(shares.data)])
        self._longest = int(np.diff(self._starts).max(initial=0))
        self._best_guesses: Ints | None = None

    @cached_property
    def _keys(self) -> Ints:
        """Position of each stored belief in the full matrix, row x number of columns + column, rising."""
        rows = np.repeat(np.arange(self._shares.shape[0], dtype=np.int64), np.diff(self._starts))
        return np.asarray(rows * self._width + self._shares.indices)

    @cached_property
    def _before(self) -> AnyInts | None:
        """Number of stored beliefs before each cell of the matrix, cells row by row, shape (rows x width + 1,).

        None where the matrix has more than `_TABLE_CELLS` cells.
        """
        cells = self._shares.shape[0] * self._width
        if cells > _TABLE_CELLS:
            return None
        before = np.zeros(cells + 1, dtype=np.int32)
        np.cumsum(np.bincount(self._keys, minlength=cells), dtype=np.int32, out=before[1:])
        return before

    def _find_stored_index(self, rows: Ints, places: Ints) -> Ints:
        """Return the index in the stored beliefs of a row's first belief in a given value or a higher one.

        ``rows`` and ``places`` (value indices) are broadcast against each other; the result has their common shape. It
        is the position that ``np.searchsorted`` gives for row x width + value index in `_keys`, so the end of the row's
        beliefs where it has none.
        """
        if self._longest <= _FEW:
            # Of a row with one belief or few, looking at each is faster than halving all.
            first, end = self._starts[rows], self._starts[rows + 1]
            positions = np.broadcast_to(first, places.shape).copy()
            for step in range(self._longest):
                at = np.minimum(first + step, max(len(self._shares.indices) - 1, 0))
                positions += (self._shares.indices[at] < places) & (first + step < end)
            return positions
        if self._before is not None:
            return np.asarray(self._before[rows * self._width + places])
        return np.asarray(np.searchsorted(self._keys, rows * self._width + places))

    def within(self, rows: Ints, guesses: Ints) -> Floats:
        """Return a row's belief that the truth lies within the half width of a guess.

        ``rows`` (row numbers) and ``guesses`` (value indices) are broadcast against each other; the result has their
        common shape.
        """
        low = self._find_stored_index(rows, self._values.low[guesses])
        high = self._find_stored_index(rows, self._values.high[guesses])
        return np.asarray(self._sums[high] - self._sums[low])

    def best(self) -> Ints:
        """Return the value indices of each row's 8 (`_GUESSES`) most believed guesses, best first, shape (rows, 8).

        A row with fewer guesses is filled up with -1. Which guesses are tried is said at `_find_best_guesses`. The
        result is computed once.
        """
        if self._best_guesses is None:
            rows = np.arange(self._shares.shape[0], dtype=np.int64)
            parts = [np.empty((0, _GUESSES), dtype=np.int64)]
            for begin in range(0, len(rows), _ROWS_AT_ONCE):
                progress.check()
                parts.append(self._find_best_guesses(rows[begin : begin + _ROWS_AT_ONCE]))
            self._best_guesses = np.concatenate(parts)
        return self._best_guesses

    def _find_best_guesses(self, chosen: Ints) -> Ints:
        """Return the most believed guesses of the rows ``chosen``, best first, shape (chosen, ``_GUESSES``).

        Guesses are value indexes, the lowest first where several are equally believed; -1 where there are no more. The
        guesses tried are the values with a belief above 0 in the row and, where neighbouring values count as right, the
        highest guess for which each such value is still right. Guesses at ordered categories that are right for 90 % of
        people anyway are left out.
        """
        starts = self._starts[chosen]
        lengths = self._starts[chosen + 1] - starts
        rows = np.repeat(np.arange(len(chosen), dtype=np.int64), lengths)
        into = np.arange(len(rows)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        places = self._shares.indices[starts[rows] + into].astype(np.int64)
        usable = places < self._values.count
        rows, places = rows[usable], places[usable]
        if self._values.has_neighbours:
            rows, places = np.tile(rows, 2), np.concatenate([places, self._values.reaching[places]])
            # Two rising lists are merged: a fraction of the time that np.unique takes.
            keys = np.sort(rows * self._width + places, kind="stable")
            rows, places = np.divmod(keys[np.diff(keys, prepend=-1) > 0], self._width)
        if self._values.says_nothing.any():
            usable = ~self._values.says_nothing[places]
            rows, places = rows[usable], places[usable]
        weight = on_grid(self.within(chosen[rows], places))
        best_codes = np.full((len(chosen), _GUESSES), -1, dtype=np.int64)
        counts = np.bincount(rows, minlength=len(chosen))
        counts = counts[counts > 0]
        if len(weight) > _LONG * len(counts):
            # Of long rows only what is believed as much as the last of the best is compared.
            of_rows = np.split(weight, np.cumsum(counts)[:-1])
            least = [np.partition(of_row, max(len(of_row) - _GUESSES, 0))[-_GUESSES:].min() for of_row in of_rows]
            kept = weight >= np.repeat(least, counts)
            rows, places, weight = rows[kept], places[kept], weight[kept]
            counts = np.bincount(rows, minlength=len(chosen))
            counts = counts[counts > 0]
        for rank in range(min(_GUESSES, int(counts.max(initial=0)))):
            # Of equal ones the first; each that was taken is struck off.
            most = np.maximum.reduceat(weight, np.cumsum(counts) - counts)
            at = np.flatnonzero((weight == np.repeat(most, counts)) & (weight >= 0))
            at = at[np.diff(rows[at], prepend=-1) > 0]
            best_codes[rows[at], rank] = places[at]
            weight[at] = -1.0
        return best_codes
