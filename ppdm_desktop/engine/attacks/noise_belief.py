"""What an intruder who knows the noise believes of each true value behind it.

The linear guess at a noisy value is the best only where values are normal. An intruder does better: they
work out how the true values are distributed, from the release alone or from a register, and apply Bayes'
rule to each released value. Both are done here, and the worse of the two is what counts.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.attacks.doubt import (
    MOST_HELD,
    NAMED,
    ONE_SECRET,
    PROVED,
    SURE_BEFORE,
    TAILS,
    Doubts,
    RareSecret,
    doubt_ratio,
    half_widths,
    rare_secret,
)
from ppdm_desktop.engine.noise.kernels import NoiseLaw, chance_between, cumulative_from
from ppdm_desktop.engine.progress import Progress, silent

MOST_POINTS = 801
"""Points of the grid of true values that beliefs are worked out on."""
MOST_CELLS = 800
"""Cells of released values that the distribution is rebuilt from."""
MOST_SHOWN = 3_000
"""Distinct released values that get a row of their own; beyond, they share the cells."""
MOST_UPDATES = 600
MOST_ADDED = 1_000
"""Cells that what reflected noise adds is summed over; finer ones are put together."""
MIRRORS = 16
"""Groups of predictions, in each of which noise counts as reflected at one place when a distribution is rebuilt."""
ATOM_PEOPLE, ATOM_SHARE = 5, 0.02
_ROWS_AT_ONCE = 2_048
_BELIEFS_AT_ONCE = 200_000
"""Beliefs that are worked out together: what fits into a processor's own memory is worked out faster."""
RESIDUALS_IN_SD = 256
"""What a prediction leaves open is distinguished in steps of the noise's standard deviation over this."""
_WORSE = 2
"""So many stops in a row that foretell less, and more updates are not tried."""
_LEAST_LIKELY = 0.001
"""Chance below which a figure of the file is not explained by the declared noise."""
_TINY = 1e-300


@dataclass(frozen=True)
class LevelNoise:
    """The noise of one privacy level, as its parameters state it.

    Attributes
    ----------
    law
        Noise of phase 1.
    cell
        Width of the cells of phase 2, in the column's unit; the step where there is no phase 2.
    """

    law: NoiseLaw
    cell: float


@dataclass(frozen=True, eq=False)
class NoisyColumn:
    """A column before and after noise, one entry a person.

    Attributes
    ----------
    truth, shown
        True and released values, shape (people,), none missing.
    level
        Place of each person's level in ``levels``, shape (people,).
    levels
        The noise of each level.
    step
        The column's grid.
    low, high
        Its bounds.
    mirror
        Where noise is reflected, half a step below zero, and where the cells start then; None where it is not.
    """

    truth: Floats
    shown: Floats
    level: Ints
    levels: tuple[LevelNoise, ...]
    step: float
    low: float
    high: float
    mirror: float | None = None

    @property
    def origin(self) -> float:
        """Where the cells of phase 2 start."""
        return self.low - self.step / 2 if self.mirror is None else self.mirror

    @cached_property
    def grid(self) -> Floats:
        """Values that the truth may have: every step between the bounds, or 801 points."""
        points = min(int(round((self.high - self.low) / self.step)) + 1, MOST_POINTS)
        return np.linspace(self.low, self.high, max(points, 2))

    @property
    def slack(self) -> float:
        """How far a truth may lie from its point of the grid."""
        exact = len(self.grid) < MOST_POINTS
        return 0.0 if exact else float(self.grid[1] - self.grid[0]) / 2

    def as_it_shows(self) -> NoisyColumn:
        """Return the column with the noise that the file really holds, never more than was declared.

        Where the root mean square of what was added lies below its 0.1 % point under the declared noise, the
        standard deviation falls to what was measured.
        """
        from scipy.special import gammaincinv

        found = []
        for place, each in enumerate(self.levels):
            people = np.flatnonzero(self.level == place)
            found.append(each)
            if len(people) < 2:
                continue
            offsets, times = self._offsets(people, each)
            square, spread = added_squares(each, offsets, times, self.step, reflected=self.mirror is not None)
            measured = float(np.mean(np.square(self.shown[people] - self.truth[people])))
            # The mean of the squares under the declared noise, as a gamma law of its mean and variance.
            shape = square**2 / max(spread / len(people), _TINY)
            if measured < square * float(gammaincinv(shape, _LEAST_LIKELY)) / shape:
                reflected = self.mirror is not None
                found[-1] = _with_square(each, measured, offsets, times, self.step, reflected=reflected)
        return replace(self, levels=tuple(found))

    def _offsets(self, people: Ints, level: LevelNoise) -> tuple[Floats, Floats]:
        """Return where in their cells the true values of some people lie, and the share of people at each place.

        What reflected noise adds depends on the distance to the mirror: there it is the place above the mirror, on at
        most as many places as the grid has points.
        """
        own = self.truth[people] - self.origin
        if self.mirror is None:
            own = np.mod(own, level.cell)
        elif self.slack:
            width = float(self.grid[1] - self.grid[0])
            own = np.rint(own / width) * width
        places, times = np.unique(np.rint(own / (self.step / 2)).astype(np.int64), return_counts=True)
        return np.asarray(places * (self.step / 2), dtype=np.float64), times / len(people)


def added_squares(
    level: LevelNoise, offsets: Floats, shares: Floats, step: float, *, reflected: bool = False
) -> tuple[float, float]:
    """Return mean and variance of the square of what noise, cells and the draw inside a cell add to a value.

    Parameters
    ----------
    offsets, shares
        Where in its cell the true value lies, and for which share of the people, shape (places,).
    step
        The column's grid.
    reflected
        Whether noise is reflected at 0, from which the offsets are counted then.
    """
    if reflected:
        wide = (level.law.reach + float(offsets.max())) / (MOST_ADDED * level.cell)
        level = replace(level, cell=level.cell * max(math.ceil(wide), 1))
    reach = int(math.ceil((level.law.reach + level.cell) / level.cell))
    chance: Floats
    if reflected:
        last = reach + int(math.ceil(float(offsets.max()) / level.cell))
        cells = np.arange(last + 1, dtype=np.float64) * level.cell
        chance = chance_between(level.law, cells[None], cells[None] + level.cell, offsets[:, None], 0.0)
        low = cells[None] - offsets[:, None]
    else:
        cells = np.arange(-reach, reach + 1, dtype=np.float64) * level.cell
        low = cells[None] - offsets[:, None]
        chance = level.law.cumulative(low + level.cell) - level.law.cumulative(low)
    middle = low + level.cell / 2
    inside = max(level.cell**2 - step**2, 0.0) / 12
    fourth = max(level.cell**4 - step**4, 0.0) / 80
    square = float(shares @ (chance * (middle**2 + inside)).sum(axis=1))
    quartic = float(shares @ (chance * (middle**4 + 6 * middle**2 * inside + fourth)).sum(axis=1))
    return square, max(quartic - square**2, 0.0)


def _with_square(
    level: LevelNoise, wanted: float, offsets: Floats, shares: Floats, step: float, *, reflected: bool
) -> LevelNoise:
    """Return a level with the smaller noise that adds the mean square which was measured."""
    low, high = level.law.sd * 1e-4, level.law.sd
    for _ in range(40):
        middle = math.sqrt(low * high)
        trial = replace(level, law=NoiseLaw(level.law.kind, middle))
        if added_squares(trial, offsets, shares, step, reflected=reflected)[0] < wanted:
            low = middle
        else:
            high = middle
    return replace(level, law=NoiseLaw(level.law.kind, low))


@dataclass(frozen=True, eq=False)
class NoiseBelief:
    """Beliefs about every person's true value, under one prior.

    Attributes
    ----------
    grid
        True values that are possible, shape (T,).
    prior
        Their distribution, shape (T,).
    rows
        Belief in each of them for each distinct released value and level, shape (S, T); each row sums to 1.
    place
        Row of each person, shape (people,).
    half
        Half width of a right guess at each point of the grid, shape (T,).
    slack
        How far a truth may lie from its point of the grid.
    """

    grid: Floats
    prior: Floats
    rows: Floats
    place: Ints
    half: Floats
    slack: float

    @cached_property
    def _ends(self) -> tuple[Ints, Ints]:
        low = np.searchsorted(self.grid, self.grid - self.half, side="left")
        high = np.searchsorted(self.grid, self.grid + self.half, side="right")
        return low.astype(np.int64), high.astype(np.int64)

    def windows(self, rows: Floats) -> Floats:
        """Return for each guess the belief that the truth lies within its half width; shapes (R, T) to (R, T)."""
        low, high = self._ends
        sums = np.zeros((rows.shape[0], rows.shape[1] + 1))
        np.cumsum(rows, axis=1, out=sums[:, 1:])
        return sums[:, high] - sums[:, low]

    def prior_within(self, centres: Floats, half: float) -> Floats:
        """Return the prior share of truths within a half width of any values."""
        sums, last = np.concatenate([[0.0], np.cumsum(self.prior)]), len(self.grid)
        first, width = float(self.grid[0]), float(self.grid[1] - self.grid[0])
        if width <= 0:
            return np.where(np.abs(centres - first) <= half, sums[-1], 0.0)
        # The grid is even, so the place of a value is counted and not searched for.
        places = (centres - first) / width
        low = np.clip(np.ceil(places - half / width), 0, last).astype(np.int64)
        high = np.clip(np.floor(places + half / width) + 1, 0, last).astype(np.int64)
        return np.asarray(sums[high] - sums[low])

    @cached_property
    def _within(self) -> Floats:
        """Belief that the truth lies within the half width of each guess, shape (S, T)."""
        return np.clip(self.windows(self.rows), 0.0, 1.0)

    @cached_property
    def _control(self) -> Floats:
        return np.asarray(self.windows(self.prior[None])[0])

    def means(self) -> Floats:
        """Return each person's expected true value, shape (people,)."""
        return np.asarray((self.rows @ self.grid)[self.place])

    def doubts(self, truth: Floats) -> Doubts:
        """Return the doubts of the intruder who knows which row is whose."""
        return self._judged(*self._least_doubts(), self.place, truth)

    def control_right(self, truth: Floats) -> Bools:
        """Say whose value the best guess without their row has right."""
        best = int(self._control.argmax())
        return np.asarray(np.abs(self.grid[best] - truth) <= self.half[best] + self.slack)

    def doubts_in_classes(
        self, truth: Floats, ids: Ints, count: int, k_min: int, progress: Progress | None = None
    ) -> Doubts:
        """Return the doubts of the intruder who knows a person's class of equal rows only.

        Parameters
        ----------
        truth
            Shape (people,).
        ids, count
            Class of each person, shape (people,), and how many there are.
        k_min
            Weight of the prior in the control.
        progress
            Checked between parts.
        """
        progress = progress or silent()
        sizes = np.bincount(ids, minlength=count)
        # Who is alone in a class is known by it: nothing of the control is theirs.
        doubts = self.doubts(truth)
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
            found = self._of_classes(truth[members], ids[members], self.place[members], k_min, progress)
            doubts.ratio[members], doubts.right[members], doubts.proved[members] = (
                found.ratio,
                found.right,
                found.proved,
            )
            begin = end
        return doubts

    def _of_classes(self, truth: Floats, ids: Ints, place: Ints, k_min: int, progress: Progress) -> Doubts:
        """Return the doubts of some whole classes' members, shape (members,) each, ids rising.

        With U = 1 - D of each member's row, n members and the control C of everyone, the doubt that is left of one
        guess is sum(U) / n, and without the member's own row (sum(U) - U + k_min (1 - C)) / (n - 1 + k_min).
        """
        from scipy.sparse import csr_array

        own = np.concatenate([[0], np.cumsum(np.diff(ids) > 0)])
        sizes = np.bincount(own).astype(np.float64)
        # Members with one released value share a row: counted first, added once.
        pairs, back, times = np.unique(own * len(self.rows) + place, return_inverse=True, return_counts=True)
        group, row = pairs // len(self.rows), pairs % len(self.rows)
        starts = np.searchsorted(group, np.arange(len(sizes) + 1))
        used, short = np.unique(row, return_inverse=True)
        left = 1.0 - self._within[used]
        summed = csr_array((times.astype(np.float64), short.reshape(-1), starts), shape=(len(sizes), len(used))) @ left
        prior = k_min * (1.0 - self._control)
        sure_before = prior.min() <= 2 * SURE_BEFORE * (sizes.max() - 1 + k_min)
        best, ratio = np.zeros(len(pairs), dtype=np.int64), np.zeros(len(pairs))
        at_once = max(1, _BELIEFS_AT_ONCE // len(self.grid))
        for begin in range(0, len(pairs), at_once):
            progress.check()
            part = slice(begin, begin + at_once)
            size = sizes[group[part]]
            rest = summed[group[part]]
            before = rest - left[short.reshape(-1)[part]]
            before += prior
            if sure_before:
                best[part], ratio[part] = _least(rest / size[:, None], before / (size - 1 + k_min)[:, None])
                continue
            # Which guess leaves least does not hang on the numbers of people: they come in last.
            rest /= before
            best[part] = rest.argmin(axis=1)
            ratio[part] = rest[np.arange(len(rest)), best[part]] * (size - 1 + k_min) / size
        proved = summed[group, best] / sizes[group] <= 1 - PROVED
        return self._judged(best, ratio, proved, back.reshape(-1).astype(np.int64), truth)

    def _least_doubts(self) -> tuple[Ints, Floats, Bools]:
        """Return for each row the guess of least doubt, that doubt ratio, and whether no other value is possible."""
        left = 1.0 - self._within
        best, ratio = _least(left, np.broadcast_to(1.0 - self._control, left.shape))
        return best, ratio, left[np.arange(len(best)), best] <= 1 - PROVED

    def _judged(self, best: Ints, ratio: Floats, proved: Bools, place: Ints, truth: Floats) -> Doubts:
        """Return the doubts of people by the rows of beliefs, of which the guesses of least doubt are known."""
        guess = best[place]
        right = np.abs(self.grid[guess] - truth) <= self.half[guess] + self.slack
        return Doubts(ratio[place], np.asarray(right), proved[place])

    def one_secret(self, ids: Ints, count: int) -> Bools:
        """Say which classes give one value away: of 9 of 10 of their people one guess is believed to nine tenths.

        Parameters
        ----------
        ids, count
            Class of each person, shape (people,), and how many there are.
        """
        within = self._within
        guess, most = within.argmax(axis=1)[self.place], within.max(axis=1)[self.place]
        sizes = np.maximum(np.bincount(ids, minlength=count), 1)
        sure = np.bincount(ids, weights=most >= ONE_SECRET - 1e-9, minlength=count) / sizes
        found = np.zeros(count, dtype=np.bool_)
        people = np.flatnonzero((sure >= ONE_SECRET - 1e-9)[ids])
        if not len(people):
            return found
        # Of classes in which nearly everyone is revealed: is it the same that is revealed of them?
        cells, times = np.unique(ids[people] * len(self.grid) + guess[people], return_counts=True)
        order = np.lexsort((-times, cells // len(self.grid)))
        groups, first = np.unique((cells // len(self.grid))[order], return_index=True)
        common = np.zeros(count, dtype=np.int64)
        common[groups] = (cells % len(self.grid))[order][first]
        same = within[self.place[people], common[ids[people]]] >= ONE_SECRET - 1e-9
        share = np.bincount(ids[people], weights=same, minlength=count) / sizes
        found[groups] = share[groups] >= ONE_SECRET - 1e-9
        return found

    def rare(self, truth: Floats) -> list[RareSecret]:
        """Return how well the people in each tail of the distribution are named."""
        return [rare_secret(edge, named, holds, above=above) for edge, named, holds, above in self.rare_rows(truth)]

    def rare_rows(self, truth: Floats) -> list[tuple[float, Bools, Bools, bool]]:
        """Return each tail's limit, who is named as in it, who is, each of shape (people,), and if it lies above."""
        found = []
        sums = self.prior.cumsum()
        for share in TAILS:
            for above in (True, False):
                edge = self.grid[min(int(np.searchsorted(sums, 1 - share if above else share)), len(self.grid) - 1)]
                beyond = self.grid > edge if above else self.grid < edge
                holds = truth > edge if above else truth < edge
                if not 0 < self.prior[beyond].sum() <= MOST_HELD:
                    continue
                named = (self.rows[:, beyond].sum(axis=1) >= NAMED)[self.place]
                found.append((float(edge), np.asarray(named), np.asarray(holds), above))
        return found


def _least(left: Floats, before: Floats) -> tuple[Ints, Floats]:
    """Return for each row the place of the least doubt ratio and the ratio, as `doubt_ratio` has it.

    Parameters
    ----------
    left, before
        Doubt that is left of each guess, and the doubt without the release, shape (R, T).
    """
    sure = before <= SURE_BEFORE
    if sure.any():
        ratio = doubt_ratio(1.0 - left, 1.0 - before)
    else:
        ratio = left / before
    best = ratio.argmin(axis=1)
    return best, ratio[np.arange(len(best)), best]


def beliefs_behind_noise(column: NoisyColumn, progress: Progress | None = None) -> dict[str, NoiseBelief]:
    """Return beliefs under the two priors, ``rebuilt`` and ``informed``, by name.

    Parameters
    ----------
    column
        Both sides, and the noise as it is declared; what the file shows of it is never trusted upwards.
    progress
        Checked between the steps.
    """
    progress = progress or silent()
    column = column.as_it_shows()
    grid = column.grid
    if column.slack:
        # Noise far below the distance of two points would fall between them and tell of neither.
        least = float(grid[1] - grid[0]) / 2
        laws = tuple(replace(each, law=NoiseLaw(each.law.kind, max(each.law.sd, least))) for each in column.levels)
        column = replace(column, levels=laws)
    kernel, place = _kernel_of_shown(column, grid)
    kernel = _with_untouched(column, grid, kernel, place)
    progress.check()
    found = {}
    priors = {"rebuilt": rebuilt_prior(column, progress), "informed": informed_prior(column.truth, grid, column.step)}
    for name, prior in priors.items():
        progress.check()
        rows = kernel * prior
        total = rows.sum(axis=1, keepdims=True)
        rows = np.where(total > _TINY, rows / np.maximum(total, _TINY), prior)
        half = half_widths(grid, grid, prior, column.step)
        found[name] = NoiseBelief(grid, prior, rows, place, half, column.slack)
    return found


def rebuilt_prior(column: NoisyColumn, progress: Progress | None = None) -> Floats:
    """Return the distribution of the truth as anyone can rebuild it from the release, shape (T,).

    The update is that of expectation maximisation over cells. It is stopped where the distribution rebuilt from
    one half of the counts foretells the other half best: run on, it would fit the noise.
    """
    progress = progress or silent()
    counts, kernels = [], []
    for place, each in enumerate(column.levels):
        shown = column.shown[column.level == place]
        if not len(shown):
            continue
        edges = _cells(shown, column.step)
        below = cumulative_from(each.law, edges[:, None], column.grid[None], column.mirror)
        below[0], below[-1] = 0.0, 1.0
        kernels.append(np.diff(below, axis=0) * (len(shown) / len(column.shown)))
        at = np.clip(np.searchsorted(edges, shown + 1e-9 * column.step, side="right") - 1, 0, len(edges) - 2)
        counts.append(np.bincount(at, minlength=len(edges) - 1).astype(np.float64))
    return held_out_stop(np.concatenate(counts), np.concatenate(kernels), progress)


def held_out_stop(counts: Floats, kernel: Floats, progress: Progress | None = None) -> Floats:
    """Return the shares of the true cells, the number of updates chosen by two halves of the counts.

    Parameters
    ----------
    counts
        Records in each cell of the released value, shape (S,).
    kernel
        Chance of each cell given each true value, shape (S, T), columns summing to 1.
    """
    progress = progress or silent()
    odd = counts % 2
    one = np.floor(counts / 2) + odd * (np.cumsum(odd) % 2)
    # The two halves and the whole are updated side by side: going through the kernel is what takes time.
    sides = np.column_stack([one, counts - one, counts])
    used = counts > 0
    shares = np.full((kernel.shape[1], 3), 1.0 / kernel.shape[1])
    if not used.any():
        return shares[:, 2]
    some, sides = kernel[used], sides[used]
    back = np.ascontiguousarray(some.T)
    weights = sides / np.maximum(sides.sum(axis=0), 1.0)
    best, best_score, worse = shares[:, 2], -np.inf, 0
    for number in range(1, MOST_UPDATES + 1):
        if number % 16 == 0:
            progress.check()
        shares = shares * (back @ (weights / np.maximum(some @ shares, _TINY)))
        shares /= np.maximum(shares.sum(axis=0), _TINY)
        if number & (number - 1) and number != MOST_UPDATES:
            continue
        # At each power of two: how well does either half foretell the other?
        expected = np.log(np.maximum(some @ shares[:, :2], _TINY))
        score = float(sides[:, 1] @ expected[:, 0] + sides[:, 0] @ expected[:, 1])
        if score > best_score:
            best, best_score, worse = shares[:, 2].copy(), score, 0
        else:
            worse += 1
        if worse == _WORSE:
            break
    return best


def informed_prior(truth: Floats, grid: Floats, step: float) -> Floats:
    """Return the column's own distribution, as an intruder may know it from a register, shape (T,).

    A value that many people hold, more than twice as many as its two neighbours together, stays as it is; the
    rest is smoothed by a Gaussian of Silverman's width, so that no single person is in it.
    """
    width = grid[1] - grid[0]
    place = np.clip(np.rint((truth - grid[0]) / width).astype(np.int64), 0, len(grid) - 1)
    counts = np.bincount(place, minlength=len(grid)).astype(np.float64)
    beside = np.concatenate([[0.0], counts[:-1]]) + np.concatenate([counts[1:], [0.0]])
    atoms = (counts >= max(ATOM_PEOPLE, ATOM_SHARE * len(truth))) & (counts > 2 * beside)
    prior, rest = np.where(atoms, counts, 0.0), np.where(atoms, 0.0, counts)
    people = rest.sum()
    if people > 0:
        values = np.repeat(grid, rest.astype(np.int64))
        quartiles = float(np.subtract(*np.percentile(values, [75, 25]))) / 1.349
        spread = min(float(values.std()), quartiles) if quartiles > 0 else float(values.std())
        sd = 1.06 * max(spread, step / 2) * people**-0.2
        smooth = np.exp(-0.5 * np.square((grid[:, None] - grid[None]) / sd))
        prior = prior + (smooth / smooth.sum(axis=0)) @ rest
    return np.asarray(prior / prior.sum())


@dataclass(frozen=True, eq=False)
class Foretold:
    """Beliefs of an intruder to whom other columns foretell each value.

    Attributes
    ----------
    means
        Expected true value of each person, shape (people,).
    doubts
        Doubts of the intruder who knows which row is whose.
    """

    means: Floats
    doubts: Doubts


def beliefs_beyond_prediction(
    column: NoisyColumn, predicted: Floats, base: NoiseBelief, progress: Progress | None = None
) -> Foretold:
    """Return beliefs about what a prediction leaves open: noise is taken off the rest, r - m, as off a value.

    Parameters
    ----------
    column
        The noisy column.
    predicted
        What the other released columns foretell of each released value, shape (people,).
    base
        Beliefs without that; their prior is the control.
    progress
        Checked between parts.

    Notes
    -----
    The cells of phase 2 have no common place once something else is taken off each value: the draw inside them
    counts as more noise, uniform over one cell. Nor has the place where noise is reflected: the distribution is
    rebuilt with one for each of a few groups of like predictions, and each belief is worked out with its own.
    """
    progress = progress or silent()
    column = column.as_it_shows()
    truth, shown = column.truth - predicted, column.shown - predicted
    low, high = float(truth.min()), float(truth.max())
    points = min(max(int(math.ceil((high - low) / column.step)) + 1, 3), MOST_POINTS)
    grid = np.linspace(low, max(high, low + column.step), points)
    edges = _cells(shown, max(column.step * 1e-3, (shown.max() - shown.min()) / MOST_CELLS))
    mirrors, group = _mirrors(column, predicted)
    coarse, counts = [], []
    for place, each in enumerate(column.levels):
        for number, mirror in enumerate(mirrors):
            own = shown[(column.level == place) & (group == number)]
            if not len(own):
                continue
            below = _smeared(each, edges[:, None] - grid[None])
            if mirror is not None:
                turned = _smeared(each, 2.0 * mirror - edges[:, None] - grid[None])
                below = np.where(edges[:, None] > mirror, np.maximum(below - turned, 0.0), 0.0)
            below[0], below[-1] = 0.0, 1.0
            coarse.append(np.diff(below, axis=0) * (len(own) / len(shown)))
            at = np.clip(np.searchsorted(edges, own, side="right") - 1, 0, len(edges) - 2)
            counts.append(np.bincount(at, minlength=len(edges) - 1).astype(np.float64))
    prior = held_out_stop(np.concatenate(counts), np.concatenate(coarse), progress)
    half = max(column.step / 2, float(column.truth.std()) / 20) + 1e-9 * column.step
    first = np.searchsorted(grid, grid - half, side="left")
    behind = np.searchsorted(grid, grid + half, side="right")
    people = len(shown)
    means, ratio = np.zeros(people), np.ones(people)
    guess, proved = np.zeros(people, np.int64), np.zeros(people, np.bool_)
    at_once = max(1, _BELIEFS_AT_ONCE // len(grid))
    for place, each in enumerate(column.levels):
        own = np.flatnonzero(column.level == place)
        # Values that noise cannot distinguish share their beliefs, so that these are worked out once.
        apart = each.law.sd / RESIDUALS_IN_SD
        steps = np.rint(shown[own] / apart).astype(np.int64)
        order = np.argsort(steps, kind="stable")
        for begin in range(0, len(own), at_once):
            progress.check()
            here = own[order[begin : begin + at_once]]
            if column.mirror is None:
                values, back = np.unique(steps[order[begin : begin + at_once]], return_inverse=True)
                rows = _posteriors(each, np.asarray(values * apart, dtype=np.float64), grid, prior, column.step)
            else:
                # Each prediction moves the mirror to another place: no two people share a belief.
                back = np.arange(len(here))
                rows = _posteriors(
                    each, shown[here], grid, prior, column.step, mirror=column.mirror - predicted[here, None]
                )
            means[here] = predicted[here] + (rows @ grid)[back]
            sums = np.zeros((len(rows), len(grid) + 1))
            np.cumsum(rows, axis=1, out=sums[:, 1:])
            left = 1.0 - np.clip(sums[:, behind] - sums[:, first], 0.0, 1.0)
            before = 1.0 - base.prior_within(predicted[here, None] + grid[None], half)
            guess[here], ratio[here] = _least(left[back], before)
            proved[here] = left[back, guess[here]] <= 1 - PROVED
    right = np.abs(grid[guess] - truth) <= half + (grid[1] - grid[0]) / 2
    return Foretold(means, Doubts(ratio, np.asarray(right), proved))


def _mirrors(column: NoisyColumn, predicted: Floats) -> tuple[list[float | None], Ints]:
    """Return where noise is reflected among what predictions leave, for some groups of like ones; whose each is."""
    if column.mirror is None:
        return [None], np.zeros(len(predicted), dtype=np.int64)
    ends = np.unique(np.quantile(predicted, np.arange(1, MIRRORS) / MIRRORS))
    group = np.searchsorted(ends, predicted, side="right").astype(np.int64)
    sums, sizes = np.bincount(group, predicted, len(ends) + 1), np.bincount(group, minlength=len(ends) + 1)
    return [column.mirror - total / max(size, 1) for total, size in zip(sums, sizes, strict=True)], group


def _posteriors(
    level: LevelNoise, shown: Floats, grid: Floats, prior: Floats, step: float, mirror: Floats | None = None
) -> Floats:
    """Return the belief in each point of the grid after each of some values; shapes (R,), (T,), (T,) to (R, T).

    Where noise is reflected, ``mirror`` has shape (R, 1), and no truth lies below it.
    """
    apart = shown[:, None] - grid[None]
    width = max(level.cell, step) / 2
    rows = level.law.cumulative(apart + width) - level.law.cumulative(apart - width)
    if mirror is not None:
        turned = 2.0 * mirror - shown[:, None] - grid[None]
        rows += level.law.cumulative(turned + width) - level.law.cumulative(turned - width)
        rows *= grid[None] >= mirror
    rows *= prior
    total = rows.sum(axis=1, keepdims=True)
    return np.where(total > _TINY, rows / np.maximum(total, _TINY), prior)


def _smeared(level: LevelNoise, u: Floats) -> Floats:
    """Return P(noise and draw inside a cell ≤ u), the draw taken as uniform over one cell around the value."""
    half = level.cell / 2
    return np.asarray((level.law.integral(u + half) - level.law.integral(u - half)) / level.cell)


def linear_left(column: NoisyColumn) -> float:
    """Return the root mean square error of the linear guess from the column alone, as `left_of_noise` does.

    Reflected noise is not added: there it is the best linear guess that there is.
    """
    if column.mirror is not None:
        centred = column.shown - column.shown.mean()
        best = float(centred @ column.truth) / max(float(centred @ centred), _TINY)
        return left_of_noise(column, column.truth.mean() + best * centred)
    variance = float(column.shown.var())
    noise = float(np.mean(np.square([each.law.sd for each in column.levels])[column.level]))
    share = max(variance - noise, 0.0) / variance if variance > 0 else 0.0
    return left_of_noise(column, column.shown.mean() + share * (column.shown - column.shown.mean()))


def left_of_noise(column: NoisyColumn, guesses: Floats) -> float:
    """Return the root mean square error of guesses, in standard deviations of each person's noise."""
    sd = np.array([each.law.sd for each in column.levels])[column.level]
    return float(np.sqrt(np.mean(np.square((column.truth - guesses) / sd))))


def _cells(shown: Floats, step: float) -> Floats:
    """Return the edges of at most 800 cells, whole steps wide, over released values; half a step off the grid."""
    wide = max(math.ceil((shown.max() - shown.min()) / step / MOST_CELLS), 1) * step
    start = shown.min() - step / 2
    cells = int((shown.max() - start) / wide) + 1
    return np.asarray(start + wide * np.arange(cells + 1))


def _kernel_of_shown(column: NoisyColumn, grid: Floats) -> tuple[Floats, Ints]:
    """Return the chance of each distinct released value given each true one, by level, and each person's row."""
    rows: list[Floats] = []
    place = np.zeros(len(column.shown), dtype=np.int64)
    count = 0
    for at, each in enumerate(column.levels):
        people = np.flatnonzero(column.level == at)
        if not len(people):
            continue
        shown = column.shown[people]
        steps, own = np.unique(np.rint((shown - column.low) / column.step).astype(np.int64), return_inverse=True)
        if len(steps) > MOST_SHOWN:
            edges = _cells(shown, column.step)
            below = cumulative_from(each.law, edges[:, None], grid[None], column.mirror)
            below[0], below[-1] = 0.0, 1.0
            rows.append(np.diff(below, axis=0))
            own = np.clip(np.searchsorted(edges, shown + 1e-9 * column.step, side="right") - 1, 0, len(edges) - 2)
        else:
            origin = column.origin
            above = steps * column.step + (column.low - origin)
            cell = np.floor(above / each.cell + 1e-9) * each.cell + origin
            chance = chance_between(each.law, cell[:, None], (cell + each.cell)[:, None], grid[None], column.mirror)
            rows.append(chance * (column.step / each.cell))
        place[people] = own.reshape(-1) + count
        count += len(rows[-1])
    return np.concatenate(rows), place


def _with_untouched(column: NoisyColumn, grid: Floats, kernel: Floats, place: Ints) -> Floats:
    """Return the kernel with a share of cells left as they were, where more are true than the noise explains."""
    from scipy.special import ndtri

    same = np.abs(column.shown - column.truth) <= column.step * 1e-6
    # Chance that the noise gives back the very value it was put on, for each person's own level and value.
    back = np.zeros(len(place))
    for at, each in enumerate(column.levels):
        people = column.level == at
        own = column.truth[people]
        origin = column.origin
        cell = np.floor((own - origin) / each.cell + 1e-9) * each.cell + origin
        chance = chance_between(each.law, cell, cell + each.cell, own, column.mirror)
        back[people] = chance * (column.step / each.cell)
    expected, found = float(back.mean()), float(same.mean())
    most = expected + float(ndtri(1 - _LEAST_LIKELY)) * math.sqrt(max(expected * (1 - expected), 0.0) / len(place))
    if found <= most or expected >= 1:
        return kernel
    kept = (found - expected) / (1 - expected)
    identity = np.zeros_like(kernel)
    shown_at = np.rint((column.shown - grid[0]) / (grid[1] - grid[0])).astype(np.int64)
    inside = (shown_at >= 0) & (shown_at < len(grid))
    identity[place[inside], shown_at[inside]] = 1.0
    return (1 - kept) * kernel + kept * identity
