"""Beliefs about each true value of an intruder who knows how the noise is distributed.

The linear guess at a noisy value is the best only where values are normal. An intruder does better: they estimate how
the true values are distributed, from the release alone or from a register, and apply Bayes' rule to each released
value. Both are done here, and the worse of the two counts. Beliefs can also use other released columns that predict
the noisy value.

A belief is a posterior probability. A guess is right within its half width. The uncertainty is 1 - belief; its ratio
divides it by the same without the person's record (the control).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, find_first_largest, find_first_smallest, on_grid
from ppdm_desktop.engine.attacks.noisy_column import (
    LEAST_LIKELY,
    LevelNoise,
    NoisyColumn,
    estimate_true_shares,
    informed_prior,
    make_cell_edges,
    rebuilt_prior,
)
from ppdm_desktop.engine.attacks.uncertainty import (
    CONFIRMED,
    MOST_HOLDERS,
    NAMED,
    ONE_SECRET,
    SURE_BEFORE,
    TAILS,
    RareSecret,
    Uncertainty,
    half_widths,
    measure_rare_secret,
    uncertainty_ratio,
)
from ppdm_desktop.engine.noise.kernels import chance_between, compute_cumulative
from ppdm_desktop.engine.table.people import People

MOST_RELEASED = 3_000
"""Most distinct released values with a row of their own; more values share rows by cells."""
_ROWS_AT_ONCE = 2_048
BELIEFS_AT_ONCE = 200_000
"""Beliefs computed together, few enough for the processor's cache."""
_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class NoiseBelief:
    """Posterior probabilities of every person's true value behind a noisy one, given one prior distribution.

    Attributes
    ----------
    grid
        Possible true values, rising, shape (T,).
    prior
        Assumed distribution of the true values, shape (T,).
    rows
        Belief in each possible value for each distinct pair of released value and amount of noise, shape (S, T); each
        row sums to 1.
    row_index
        Index of each person's row in ``rows``, shape (people,).
    half
        Half width of a right guess at each point of the grid, shape (T,).
    slack
        Largest distance of a true value from its point of the grid.
    """

    grid: Floats
    prior: Floats
    rows: Floats
    row_index: Ints
    half: Floats
    slack: float

    @cached_property
    def _ends(self) -> tuple[Ints, Ints]:
        """For each grid value, begin and end (exclusive) of the grid indices within its half width, shape (T,)."""
        low = np.searchsorted(self.grid, self.grid - self.half, side="left")
        high = np.searchsorted(self.grid, self.grid + self.half, side="right")
        return low.astype(np.int64), high.astype(np.int64)

    def sum_within_half_width(self, rows: Floats) -> Floats:
        """Return, for each grid value as a guess, the summed probability within its half width.

        ``rows`` holds distributions over the grid, shape (R, T); the result has the same shape.
        """
        low, high = self._ends
        sums = np.zeros((rows.shape[0], rows.shape[1] + 1))
        np.cumsum(rows, axis=1, out=sums[:, 1:])
        return sums[:, high] - sums[:, low]

    def compute_prior_within(self, centres: Floats, half: float) -> Floats:
        """Return the prior probability of a value at most ``half`` away from each centre, in the shape of ``centres``.

        Values exactly ``half`` away are included.
        """
        sums, last = np.concatenate([[0.0], np.cumsum(self.prior)]), len(self.grid)
        first, width = float(self.grid[0]), float(self.grid[1] - self.grid[0])
        if width <= 0:
            return np.where(np.abs(centres - first) <= half, sums[-1], 0.0)
        # The grid is even, so the place of a value is counted and not searched for.
        places = np.asarray((centres - first) / width)
        ends = []
        for round_off, away, more in ((np.ceil, -half / width, 0.0), (np.floor, half / width, 1.0)):
            end = places + away
            round_off(end, out=end)
            end += more
            np.maximum(end, 0.0, out=end)
            np.minimum(end, float(last), out=end)
            ends.append(sums.take(end.astype(np.intp)))
        return np.asarray(ends[1] - ends[0])

    @cached_property
    def _within(self) -> Floats:
        """Belief that the truth lies within the half width of each guess, shape (S, T)."""
        return np.clip(self.sum_within_half_width(self.rows), 0.0, 1.0)

    @cached_property
    def _control(self) -> Floats:
        """Prior probability within the half width of each grid value: the belief without any record; shape (T,)."""
        return np.asarray(self.sum_within_half_width(self.prior[None])[0])

    def means(self) -> Floats:
        """Return each person's expected true value, float64, shape (people,)."""
        return np.asarray((self.rows @ self.grid)[self.row_index])

    def uncertainty(self, truth: Floats) -> Uncertainty:
        """Return what uncertainty remains, shape (people,), to an intruder who knows which row is whose.

        ``truth`` has the true values, shape (people,); a guess is right within its half width.
        """
        least = find_least_uncertainty(1.0 - self._within, np.broadcast_to(1.0 - self._control, self._within.shape))
        return self._build_people_uncertainty(*least, self.row_index, truth)

    def control_right(self, truth: Floats) -> Bools:
        """Return for whom the one guess with the largest prior probability within its half width is right, (people,).

        The guess is the same for everybody, of equal ones the lowest; the result is bool.
        """
        best = int(find_first_largest(self._control[None])[0])
        return np.asarray(np.abs(self.grid[best] - truth) <= self.half[best] + self.slack)

    def uncertainty_in_classes(self, truth: Floats, ids: Ints, count: int, k_min: int) -> Uncertainty:
        """Return what uncertainty remains to an intruder who knows only a person's class of equal rows.

        That is, for each person, the uncertainty (1 - belief) of the best guess over that without the person's row,
        whether the guess is right, and whether it is the only one possible; shape (people,) each. A person who is alone
        in a class is judged by their own row.

        Parameters
        ----------
        truth
            True values, shape (people,).
        ids, count
            Class of each person, shape (people,), and number of classes.
        k_min
            Weight of the prior in the control (the belief without the person's row), as a number of people.
        """
        sizes = np.bincount(ids, minlength=count)
        # Who is alone in a class is known by it: nothing of the control is theirs.
        uncertainty = self.uncertainty(truth)
        together = np.flatnonzero(sizes[ids] > 1)
        order = together[np.argsort(ids[together], kind="stable")]
        ends = np.append(np.flatnonzero(np.diff(ids[order])) + 1, len(order))
        begin = 0
        while begin < len(order):
            progress.check()
            # Whole classes, about as many people as are worked out together.
            last = max(int(np.searchsorted(ends, begin + _ROWS_AT_ONCE, side="right")) - 1, 0)
            end = int(ends[last]) if ends[last] > begin else int(ends[last + 1])
            members = order[begin:end]
            class_uncertainty = self._compute_class_uncertainty(
                truth[members], ids[members], self.row_index[members], k_min
            )
            uncertainty.ratio[members], uncertainty.right[members], uncertainty.confirmed[members] = (
                class_uncertainty.ratio,
                class_uncertainty.right,
                class_uncertainty.confirmed,
            )
            begin = end
        return uncertainty

    def _compute_class_uncertainty(self, truth: Floats, ids: Ints, row_index: Ints, k_min: int) -> Uncertainty:
        """Return what uncertainty remains about each member of some classes to an intruder who knows only the class.

        The result is in the members' order, shape (members,). With U = 1 - D of each member's row, where D is the
        belief that the truth lies within the half width of a guess, n members and the control C (D of the prior), the
        remaining uncertainty of one guess is sum(U) / n, and without the member's own row (sum(U) - U + k_min (1 - C))
        / (n - 1 + k_min).

        Parameters
        ----------
        truth
            The members' true values, shape (members,).
        ids
            The members' classes, shape (members,), rising; two or more members in each class.
        row_index
            Each member's row of ``rows``, shape (members,).
        k_min
            Weight of the prior in the control.
        """
        from scipy.sparse import csr_array

        class_index = np.concatenate([[0], np.cumsum(np.diff(ids) > 0)])
        sizes = np.bincount(class_index).astype(np.float64)
        # Members with one released value share a row: counted first, added once.
        pairs, back, times = np.unique(
            class_index * len(self.rows) + row_index, return_inverse=True, return_counts=True
        )
        group, row = pairs // len(self.rows), pairs % len(self.rows)
        starts = np.searchsorted(group, np.arange(len(sizes) + 1))
        used, short = np.unique(row, return_inverse=True)
        residual = 1.0 - self._within[used]
        summed = (
            csr_array((times.astype(np.float64), short.reshape(-1), starts), shape=(len(sizes), len(used))) @ residual
        )
        prior = k_min * (1.0 - self._control)
        sure_before = prior.min() <= 2 * SURE_BEFORE * (sizes.max() - 1 + k_min)
        best, ratio = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs))
        at_once = max(1, BELIEFS_AT_ONCE // len(self.grid))
        for begin in range(0, len(pairs), at_once):
            progress.check()
            part = slice(begin, begin + at_once)
            size = sizes[group[part]]
            rest = summed[group[part]]
            before = rest - residual[short.reshape(-1)[part]]
            before += prior
            if sure_before:
                best[part], ratio[part], _ = find_least_uncertainty(
                    rest / size[:, None], before / (size - 1 + k_min)[:, None]
                )
                continue
            # Which guess leaves least does not hang on the numbers of people: they come in last.
            rest /= before
            best[part] = find_first_smallest(rest)
            ratio[part] = rest[np.arange(len(rest)), best[part]] * (size - 1 + k_min) / size
        confirmed = summed[group, best] / sizes[group] <= 1 - CONFIRMED
        return self._build_people_uncertainty(best, ratio, confirmed, back.reshape(-1).astype(np.int64), truth)

    def uncertainty_unplaced(
        self, truth: Floats, ids: Ints, k_min: int, weights: Floats | None = None
    ) -> tuple[Uncertainty, Bools]:
        """Return what uncertainty remains to an intruder who knows only a row's class, and where the control is right.

        The control is the belief without one row of the class; the second result tells whether its best guess is right.
        An intruder who chooses whom and what to guess must not follow the truth, so the control leaves out the mean of
        the class and not the person's very row. In a class with one person (total weight of at most 1) the intruder
        knows whose the rows are: each row is judged by its own belief, and the control is the prior. Both results have
        shape (rows,).

        Parameters
        ----------
        truth, ids
            True value and class of each row, shape (rows,).
        k_min
            Weight of the prior in the control, as a number of people.
        weights
            Weight of each row, such as 0.5 for each of two rows of a person, shape (rows,); 1 each when left out.
        """
        from scipy.sparse import coo_array

        weights = np.ones(len(ids)) if weights is None else weights
        sizes = np.bincount(ids, weights)
        is_unique = sizes[ids] <= 1 + GRID
        lines, line = np.unique(np.where(is_unique, self.row_index, len(self.rows) + ids), return_inverse=True)
        line, count = line.reshape(-1), len(lines)
        people = np.ones(count)
        people[line[~is_unique]] = sizes[ids[~is_unique]]
        shares = weights / np.bincount(line, weights, count)[line]
        members = coo_array((shares, (line, self.row_index)), shape=(count, len(self.rows))).tocsr()
        residual_of_rows, prior = 1.0 - self._within, 1.0 - self._control
        best, blind = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        ratio, confirmed = np.ones(count), np.zeros(count, dtype=np.bool_)
        at_once = max(1, BELIEFS_AT_ONCE // len(self.grid))
        for begin in range(0, count, at_once):
            progress.check()
            part = slice(begin, begin + at_once)
            residual, more = members[part] @ residual_of_rows, people[part] - 1
            best[part], at_prior, confirmed[part] = find_least_uncertainty(
                residual, np.broadcast_to(prior, residual.shape)
            )
            ratio[part] = at_prior * (more + k_min) / (more * at_prior + k_min)
            blind[part] = find_first_smallest(more[:, None] * residual + k_min * prior)
        guess = blind[line]
        right = np.abs(self.grid[guess] - truth) <= self.half[guess] + self.slack
        return self._build_people_uncertainty(best, ratio, confirmed, line, truth), np.asarray(right)

    def _build_people_uncertainty(
        self, best: Ints, ratio: Floats, confirmed: Bools, row_index: Ints, truth: Floats
    ) -> Uncertainty:
        """Return each person's remaining uncertainty, given the best guess of each row of beliefs.

        ``row_index`` is each person's row of beliefs; ``best``, ``ratio`` and ``confirmed`` have an entry for each such
        row.
        """
        guess = best[row_index]
        right = np.abs(self.grid[guess] - truth) <= self.half[guess] + self.slack
        return Uncertainty(ratio[row_index], np.asarray(right), confirmed[row_index])

    def one_secret(self, ids: Ints, count: int, weights: Floats) -> Bools:
        """Return which classes reveal one value that nearly all of their people have, bool, shape (classes,).

        A class does so where one guess has a belief of at least 0.9 for at least 90 % of its people; the truth does not
        matter, and one person is enough. Only the guess that is the likeliest for most of them is tried (the lowest of
        several). False for a class without rows.

        Parameters
        ----------
        ids, count
            Class of each row, shape (rows,), and number of classes.
        weights
            Weight of each row, 1 / number of rows of its person in the class, shape (rows,).
        """
        within = self._within
        guess, most = find_first_largest(within)[self.row_index], within.max(axis=1)[self.row_index]
        sizes = np.maximum(np.bincount(ids, weights, count), 1.0)
        sure = np.bincount(ids, np.where(most >= ONE_SECRET - GRID, weights, 0.0), count) / sizes
        is_one_secret = np.zeros(count, dtype=np.bool_)
        rows = np.flatnonzero((sure >= ONE_SECRET - GRID)[ids])
        if not len(rows):
            return is_one_secret
        # Of classes in which nearly everyone is revealed: is it the same that is revealed of them?
        cells, cell = np.unique(ids[rows] * len(self.grid) + guess[rows], return_inverse=True)
        times = np.bincount(cell.reshape(-1), weights[rows])
        order = np.lexsort((-on_grid(times), cells // len(self.grid)))
        groups, first = np.unique((cells // len(self.grid))[order], return_index=True)
        common = np.zeros(count, dtype=np.int64)
        common[groups] = (cells % len(self.grid))[order][first]
        same = within[self.row_index[rows], common[ids[rows]]] >= ONE_SECRET - GRID
        share = np.bincount(ids[rows], np.where(same, weights[rows], 0.0), count) / sizes
        is_one_secret[groups] = share[groups] >= ONE_SECRET - GRID
        return is_one_secret

    def rare(self, truth: Floats, people: People, classes: tuple[Ints, Floats] | None = None) -> list[RareSecret]:
        """Return for each tail of the distribution how well an intruder can name the people in it.

        Tails lie beyond the 1, 5 and 10 % quantiles of the prior (exclusive), for each share first the upper and then
        the lower tail. A tail with a prior probability of 0 or more than 12 % is left out. A person is named if any of
        their rows has a belief of at least 0.5 in the tail, and is in the tail if any of their true values is
        (``truth``, shape (rows,)). ``classes`` holds each row's class and weight: with it, the mean belief of the class
        counts instead of the row's, except in classes of one person.
        """
        rare_secrets = []
        sums = self.prior.cumsum()
        for share in TAILS:
            for above in (True, False):
                reached = 1 - share - GRID if above else share + GRID
                edge = self.grid[min(int(np.searchsorted(sums, reached)), len(self.grid) - 1)]
                beyond = self.grid > edge if above else self.grid < edge
                holds = truth > edge if above else truth < edge
                if not 0 < self.prior[beyond].sum() <= MOST_HOLDERS + GRID:
                    continue
                mass = self.rows[:, beyond].sum(axis=1)[self.row_index]
                if classes is not None:
                    ids, weights = classes
                    sizes = np.bincount(ids, weights)
                    mean = np.bincount(ids, mass * weights) / np.maximum(sizes, GRID)
                    mass = np.where(sizes[ids] <= 1 + GRID, mass, mean[ids])
                named = mass >= NAMED - GRID
                # Who is named by one row and holds the value in another is no mistake: the naming is of the person.
                secret = measure_rare_secret(float(edge), people.with_any(named), people.with_any(holds), above=above)
                rare_secrets.append(secret)
        return rare_secrets


def find_least_uncertainty(residual: Floats, before: Floats) -> tuple[Ints, Floats, Bools]:
    """Return for each row the index of the guess with the least `uncertainty_ratio` (first of several), and the ratio.

    The third result tells whether no other value is possible.

    Parameters
    ----------
    residual, before
        1 - belief in each guess with the release, and without it, shape (R, T).
    """
    sure = before <= SURE_BEFORE
    if sure.any():
        ratio = uncertainty_ratio(1.0 - residual, 1.0 - before)
    else:
        ratio = residual / before
    best = find_first_smallest(ratio)
    rows = np.arange(len(best))
    return best, ratio[rows, best], residual[rows, best] <= 1 - CONFIRMED


def beliefs_behind_noise(column: NoisyColumn) -> dict[str, NoiseBelief]:
    """Return the beliefs under two prior distributions: ``rebuilt`` from the release, and ``informed`` by a register.

    Where a released value cannot occur under a prior, the belief is the prior. If more values are unchanged than the
    noise explains, the intruder is taken to know their share.

    Parameters
    ----------
    column
        True and released values, and the declared noise. Less noise is assumed where the file shows less. Where the
        column has more values than its grid has points, less than half the distance of two points is raised to that.
    """
    column = column.with_measured_noise()
    grid = column.grid
    if column.slack:
        # Noise far below the distance of two points would fall between them and tell of neither.
        least = float(grid[1] - grid[0]) / 2
        laws = tuple(replace(level, law=replace(level.law, sd=max(level.law.sd, least))) for level in column.levels)
        column = replace(column, levels=laws)
    kernel, widths, row_index = _compute_value_kernel(column, grid)
    kernel = _mix_in_unchanged(column, grid, kernel, widths, row_index)
    progress.check()
    beliefs = {}
    priors = {"rebuilt": rebuilt_prior(column), "informed": informed_prior(column.truth, grid, column.step)}
    for name, prior in priors.items():
        progress.check()
        rows = kernel * prior
        total = rows.sum(axis=1, keepdims=True)
        rows = np.where(total > _TINY, rows / np.maximum(total, _TINY), prior)
        half = half_widths(grid, grid, prior, column.step)
        beliefs[name] = NoiseBelief(grid, prior, rows, row_index, half, column.slack)
    return beliefs


def _compute_value_kernel(column: NoisyColumn, grid: Floats) -> tuple[Floats, Floats, Ints]:
    """Return the probability of each released value given each true one, the values' widths, and people's rows.

    There is a row for each of the R distinct released values of a privacy level (people with one amount of noise), and
    a column for each of the T points of ``grid``. Where a level has more than `MOST_RELEASED` distinct values,
    neighbouring ones are joined.

    Returns
    -------
    Floats, Floats, Ints
        The chances, shape (R, T); how wide each row's range of values is, in the column's unit, shape (R,); and the
        index of each person's row, shape (people,).
    """
    rows: list[Floats] = []
    widths: list[Floats] = []
    row_index = np.zeros(len(column.released), dtype=np.int64)
    count = 0
    for at, level in enumerate(column.levels):
        people = np.flatnonzero(column.level == at)
        if not len(people):
            continue
        released = column.released[people]
        steps, kernel_row = np.unique(
            np.rint((released - column.low) / column.step).astype(np.int64), return_inverse=True
        )
        if len(steps) > MOST_RELEASED:
            edges = make_cell_edges(released, column.step, column.most_cells)
            below = compute_cumulative(level.law, edges[:, None], grid[None], column.mirror)
            below[0], below[-1] = 0.0, 1.0
            rows.append(np.diff(below, axis=0))
            widths.append(np.diff(edges))
            kernel_row = np.clip(
                np.searchsorted(edges, released + 1e-9 * column.step, side="right") - 1, 0, len(edges) - 2
            )
        else:
            origin = column.origin
            above = steps * column.step + (column.low - origin)
            cell = np.floor(above / level.cell + 1e-9) * level.cell + origin
            chance = chance_between(level.law, cell[:, None], (cell + level.cell)[:, None], grid[None], column.mirror)
            rows.append(chance * (column.step / level.cell))
            widths.append(np.full(len(steps), column.step))
        row_index[people] = kernel_row.reshape(-1) + count
        count += len(rows[-1])
    return np.concatenate(rows), np.concatenate(widths), row_index


def _mix_in_unchanged(column: NoisyColumn, grid: Floats, kernel: Floats, widths: Floats, row_index: Ints) -> Floats:
    """Return the kernel mixed with a share of unchanged values, if more values are unchanged than the noise explains.

    The share is one for all privacy levels. Otherwise ``kernel`` itself is returned. ``kernel`` has the probability of
    each released value (row) given each true one (column), ``widths`` the width of each row's range of values, and
    ``row_index`` each person's row.
    """
    from scipy.special import ndtri

    same = np.abs(column.released - column.truth) <= column.step * 1e-6
    # Chance that the noise gives back the very value it was put on, for each person's own level and value.
    back = np.zeros(len(row_index))
    for at, level in enumerate(column.levels):
        people = column.level == at
        truth = column.truth[people]
        origin = column.origin
        cell = np.floor((truth - origin) / level.cell + 1e-9) * level.cell + origin
        chance = chance_between(level.law, cell, cell + level.cell, truth, column.mirror)
        back[people] = chance * (column.step / level.cell)
    expected, observed = float(back.mean()), float(same.mean())
    most = expected + float(ndtri(1 - LEAST_LIKELY)) * math.sqrt(max(expected * (1 - expected), 0.0) / len(row_index))
    if observed <= most or expected >= 1:
        return kernel
    kept = (observed - expected) / (1 - expected)
    identity = np.zeros_like(kernel)
    shown_at = np.rint((column.released - grid[0]) / (grid[1] - grid[0])).astype(np.int64)
    inside = (shown_at >= 0) & (shown_at < len(grid))
    # Of the true values that share a point of the grid only some are the one shown.
    identity[row_index[inside], shown_at[inside]] = np.minimum(widths[row_index[inside]] / (grid[1] - grid[0]), 1.0)
    return (1 - kept) * kernel + kept * identity


MIRRORS = 8
"""Number of groups of similar predictions that share one reflection point when a distribution is rebuilt."""
RESIDUALS_IN_SD = 256
"""Residuals of predictions are distinguished in steps of the noise's standard deviation over this."""
PAIRS_IN_SD = 32
"""The same number for pairs of a value and its prediction."""


@dataclass(frozen=True, eq=False)
class PredictionBelief:
    """Beliefs of an intruder who predicts each value from other columns.

    Attributes
    ----------
    means
        Expected true value of each person, shape (people,).
    uncertainty
        Uncertainty that remains to an intruder who knows which row is whose.
    """

    means: Floats
    uncertainty: Uncertainty


def beliefs_beyond_prediction(column: NoisyColumn, predicted: Floats, base: NoiseBelief) -> PredictionBelief:
    """Return each person's expected value and remaining uncertainty, given a prediction from other columns as well.

    The beliefs are about true value minus prediction; the evidence is released value minus prediction. A guess is right
    within half a step, or within a twentieth of the true values' standard deviation if that is more. Uncertainty is
    measured against the prior of ``base``; all arrays have shape (people,).

    Parameters
    ----------
    column
        The noisy column.
    predicted
        The prediction of each released value from the other released columns, shape (people,).
    base
        Beliefs without the prediction; their prior is the control.

    Notes
    -----
    After noise is added (phase 1), values are rounded to cells and drawn inside them (phase 2). Once a different
    prediction is subtracted from each value, the cells are no longer aligned, so the draw counts as additional noise,
    uniform over one cell. The point at which noise is reflected differs as well: the distribution is rebuilt with one
    point for each of up to 8 groups of similar predictions, and each belief uses its person's own.
    """
    column = column.with_measured_noise()
    truth, released = column.truth - predicted, column.released - predicted
    low, high = float(truth.min()), float(truth.max())
    points = min(max(int(math.ceil((high - low) / column.step)) + 1, 3), column.most_cells + 1)
    grid = np.linspace(low, max(high, low + column.step), points)
    prior = _estimate_residual_prior(column, predicted, released, grid)
    half = max(column.step / 2, float(column.truth.std()) / 20) + 1e-9 * column.step
    first = np.searchsorted(grid, grid - half, side="left")
    behind = np.searchsorted(grid, grid + half, side="right")
    people = len(released)
    means, ratio = np.zeros(people), np.ones(people)
    guess, confirmed = np.zeros(people, np.int64), np.zeros(people, np.bool_)
    at_once = max(1, BELIEFS_AT_ONCE // len(grid))
    for level_index, level in enumerate(column.levels):
        level_rows = np.flatnonzero(column.level == level_index)
        representatives, group_of_row = _group_equal_pairs(
            released[level_rows], predicted[level_rows], level.law.sd / PAIRS_IN_SD
        )
        whole, level_rows = level_rows, level_rows[representatives]
        # Values that noise cannot distinguish share their beliefs, so that these are worked out once.
        apart = level.law.sd / RESIDUALS_IN_SD
        steps = np.rint(released[level_rows] / apart).astype(np.int64)
        order = np.argsort(steps, kind="stable")
        for begin in range(0, len(level_rows), at_once):
            progress.check()
            here = level_rows[order[begin : begin + at_once]]
            mirror, values, back = None, released[here], np.arange(len(here))
            if column.mirror is None:
                rounded, back = np.unique(steps[order[begin : begin + at_once]], return_inverse=True)
                values = np.asarray(rounded * apart, dtype=np.float64)
            else:
                mirror = column.mirror - predicted[here, None]
            rows = _compute_posteriors(level, values, grid, prior, column.step, mirror)
            means[here] = predicted[here] + (rows @ grid)[back]
            sums = np.zeros((len(rows), len(grid) + 1))
            np.cumsum(rows, axis=1, out=sums[:, 1:])
            residual = 1.0 - np.clip(sums[:, behind] - sums[:, first], 0.0, 1.0)
            before = 1.0 - base.compute_prior_within(predicted[here, None] + grid[None], half)
            guess[here], ratio[here], confirmed[here] = find_least_uncertainty(residual[back], before)
        means[whole] = predicted[whole] + (means[level_rows] - predicted[level_rows])[group_of_row]
        for figures in (ratio, guess, confirmed):
            figures[whole] = figures[level_rows][group_of_row]
    right = np.abs(grid[guess] - truth) <= half + (grid[1] - grid[0]) / 2
    return PredictionBelief(means, Uncertainty(ratio, np.asarray(right), confirmed))


def _estimate_residual_prior(column: NoisyColumn, predicted: Floats, values: Floats, grid: Floats) -> Floats:
    """Return the estimated distribution of true value minus prediction over ``grid``, shape (T,).

    It is rebuilt from ``values``, released value minus prediction.
    """
    finest = max(column.step * 1e-3, (values.max() - values.min()) / column.most_cells)
    edges = make_cell_edges(values, finest, column.most_cells)
    mirrors, group = _find_group_mirrors(column, predicted)
    coarse, counts = [], []
    for level_index, level in enumerate(column.levels):
        straight = _compute_cell_noise_cdf(level, edges[:, None] - grid[None])
        for number, mirror in enumerate(mirrors):
            level_values = values[(column.level == level_index) & (group == number)]
            if not len(level_values):
                continue
            below = straight
            if mirror is not None:
                below, above = np.zeros_like(straight), edges > mirror
                turned = _compute_cell_noise_cdf(level, 2.0 * mirror - edges[above, None] - grid[None])
                below[above] = np.clip(straight[above] - turned, 0.0, 1.0)
            below[0], below[-1] = 0.0, 1.0
            coarse.append(np.diff(below, axis=0) * (len(level_values) / len(values)))
            at = np.clip(np.searchsorted(edges, level_values, side="right") - 1, 0, len(edges) - 2)
            counts.append(np.bincount(at, minlength=len(edges) - 1).astype(np.float64))
    return estimate_true_shares(np.concatenate(counts), np.concatenate(coarse))


def _group_equal_pairs(values: Floats, predicted: Floats, apart: float) -> tuple[Ints, Ints]:
    """Return the first person's index for each distinct pair of value and prediction, and everybody's pair number.

    Values and predictions are rounded to multiples of ``apart`` first. Pairs are numbered from 0 by rising prediction,
    then value.
    """
    rest, prediction_index = (np.rint(numbers / apart).astype(np.int64) for numbers in (values, predicted))
    rest -= rest.min(initial=0)
    _, first, group_of_row = np.unique(
        prediction_index * (int(rest.max(initial=0)) + 1) + rest, return_index=True, return_inverse=True
    )
    return first, group_of_row.reshape(-1)


def _find_group_mirrors(column: NoisyColumn, predicted: Floats) -> tuple[list[float | None], Ints]:
    """Return the point of reflection less the mean prediction by group of similar predictions, and people's groups.

    There are at most 8 groups, by quantiles of the prediction. Without reflection the list is [None] and everybody is
    in group 0.
    """
    if column.mirror is None:
        return [None], np.zeros(len(predicted), dtype=np.int64)
    ends = np.unique(np.quantile(predicted, np.arange(1, MIRRORS) / MIRRORS))
    group = np.searchsorted(ends, predicted, side="right").astype(np.int64)
    sums, sizes = np.bincount(group, predicted, len(ends) + 1), np.bincount(group, minlength=len(ends) + 1)
    return [column.mirror - total / max(size, 1) for total, size in zip(sums, sizes, strict=True)], group


def _compute_posteriors(
    level: LevelNoise, values: Floats, grid: Floats, prior: Floats, step: float, mirror: Floats | None = None
) -> Floats:
    """Return the posterior probability of each point of the grid given each released value, shape (R, T).

    ``values`` has shape (R,), ``grid`` and ``prior`` have shape (T,). Where noise is reflected, ``mirror`` (shape (R,
    1)) is the point of reflection, and no true value lies below it, nor more than half a period above it where the
    noise has a period. For a released value that no true value explains the result is the prior.
    """
    apart = values[:, None] - grid[None]
    width = max(level.cell, step) / 2
    rows = level.law.cumulative(apart + width) - level.law.cumulative(apart - width)
    if mirror is not None:
        turned = 2.0 * mirror - values[:, None] - grid[None]
        rows += level.law.cumulative(turned + width) - level.law.cumulative(turned - width)
        above = np.inf if level.law.period is None else mirror + level.law.period / 2
        rows *= (grid[None] >= mirror) & (grid[None] <= above)
    rows *= prior
    total = rows.sum(axis=1, keepdims=True)
    return np.where(total > _TINY, rows / np.maximum(total, _TINY), prior)


def _compute_cell_noise_cdf(level: LevelNoise, u: Floats) -> Floats:
    """Return P(noise + rounding to a cell ≤ u), with the rounding taken as uniform over one cell around the value."""
    half = level.cell / 2
    return np.asarray((level.law.integral(u + half) - level.law.integral(u - half)) / level.cell)
