"""An intruder's beliefs where a person may have several rows: all rows of a person in a class count as one.

A class consists of rows with equal released quasi-identifiers. An intruder who looks for a person in a class believes
the mean over the people in it, whatever number of rows each has: the observations from several rows of one person are
averaged. Where all rows of a class are one person's, the intruder knows whose they are.

Also what an intruder learns of a swapped value from the shares of the values in the person's class. Who knows how
often each value becomes which other can undo this for a class: from the shares of the values that its members show
follow the shares of their true values. Where nearly all of a ward have one illness, a member who shows another one has
it, too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, find_first_smallest, on_grid
from ppdm_desktop.engine.attacks.class_belief import ClassBelief, Observations, Values
from ppdm_desktop.engine.attacks.noise_belief import NoiseBelief
from ppdm_desktop.engine.attacks.uncertainty import (
    CONFIRMED,
    Uncertainty,
    uncertainty_ratio,
)
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.table.people import People

if TYPE_CHECKING:
    from scipy.sparse import csr_array


MOSTLY = 0.5
"""Share of the people with several rows above which a column counts as constant within a person."""
_ROWS_AT_ONCE = 2_048
_TINY = 1e-300


@dataclass(frozen=True, eq=False)
class Units:
    """Numbering of the distinct pairs of class and person, called units; a unit holds all rows of a person in a class.

    Attributes
    ----------
    of_row
        int64, shape (rows,): unit of each row; units of one class have consecutive numbers.
    class_of
        int64, shape (units,): class of each unit.
    """

    of_row: Ints
    class_of: Ints

    @classmethod
    def of(cls, ids: Ints, people: People) -> Units:
        """Return the units (distinct pairs of class and person) of rows with the classes ``ids``, shape (rows,)."""
        keys, of_row = np.unique(ids * people.count + people.of_row, return_inverse=True)
        return cls(of_row.reshape(-1).astype(np.int64), keys // people.count)

    @cached_property
    def weights(self) -> Floats:
        """Weight of each row: 1 / number of rows of its person in its class, float64, shape (rows,)."""
        return np.asarray(1.0 / np.bincount(self.of_row)[self.of_row])


def row_weights(ids: Ints, people: People) -> Floats:
    """Return each row's weight, 1 / number of rows of its person in its class, float64, shape (rows,).

    All weights are 1 if nobody has several rows.
    """
    return Units.of(ids, people).weights if people.with_several else np.ones(len(ids))


def weight_by_people(values: Values, people: People) -> Values:
    """Return a column's values weighted so that each person counts once: each of a person's n values counts 1 / n.

    Rows without a value are not counted in n and weigh 0. ``holder_shares`` becomes the share of people with a value
    who have each distinct value in any row. The same object is returned where nobody has several rows.
    """
    if not people.with_several:
        return values
    present = values.codes >= 0
    rows = np.bincount(people.of_row[present], minlength=people.count)
    weights = np.where(present, 1.0 / np.maximum(rows, 1)[people.of_row], 0.0)
    pairs = np.unique(values.codes[present] * people.count + people.of_row[present])
    holders = np.bincount(pairs // people.count, minlength=values.count)
    holder_shares = holders / max(int(np.count_nonzero(rows)), 1)
    return replace(values, weights=weights, holder_shares=holder_shares)


def _stack_matrices(upper: csr_array, lower: csr_array) -> csr_array:
    """Return one matrix with the rows of both, the column indices of each row sorted."""
    from scipy.sparse import vstack

    stacked = vstack([upper, lower]).tocsr()
    stacked.sort_indices()
    return stacked


def has_repeated_draws(released: np.ndarray, same: Bools, people: People, is_constant: Bools) -> bool:
    """Return whether the rows of one person repeat a single random draw, instead of being drawn independently.

    It is assumed if at least half of the people whose true value is constant and was changed show one value in all
    rows, and also where no value was changed.

    Parameters
    ----------
    released
        What each row shows, shape (rows,).
    same
        Whether each row shows the true value, shape (rows,).
    people
        The person of each row.
    is_constant
        Flags of people whose true value is the same in all their rows, shape (people,).
    """
    changed = is_constant & people.with_any(~same)
    return bool(np.count_nonzero(changed & people.constant(released)) >= MOSTLY * np.count_nonzero(changed))


def combine_observations(
    observations: Observations,
    released_codes: Ints,
    people: People,
    is_constant: Bools,
    prior: Floats,
    *,
    repeated: bool,
) -> Observations:
    """Return observations in which the rows of people with a constant true value are combined.

    Observations from independent draws of one value multiply; a draw that several rows repeat counts once. Rows of a
    person that contradict each other (no value is possible for all of them) keep their single observations.
    ``observations`` itself is returned where there is nothing to combine.

    Parameters
    ----------
    observations, released_codes
        What each row reveals of its true value, and the code that it shows, shape (rows,).
    people
        The person of each row.
    is_constant
        bool, shape (people,): people whose true value is constant, so that their rows are combined.
    prior
        Share of each value, shape (values,).
    repeated
        Whether rows of one person that show the same repeat one draw.
    """
    from scipy.sparse import coo_array

    chosen = is_constant & (~people.constant(released_codes) if repeated else people.sizes > 1)
    if not chosen.any():
        return observations
    count, width = int(chosen.sum()), observations.shares.shape[1]
    rank = np.where(chosen, np.cumsum(chosen) - 1, -1)
    rows = np.flatnonzero(chosen[people.of_row])
    draws = rows
    if repeated:
        keys = rank[people.of_row[rows]] * (int(released_codes.max()) + 2) + released_codes[rows] + 1
        draws = rows[np.unique(keys, return_index=True)[1]]
    pairs, often = np.unique(
        rank[people.of_row[draws]] * observations.shares.shape[0] + observations.of[draws], return_counts=True
    )
    whose, observation = np.divmod(pairs, observations.shares.shape[0])
    entries = observations.shares[observation].tocoo()
    usable = entries.col < len(prior)
    line, value_index, mass = entries.row[usable], entries.col[usable].astype(np.int64), entries.data[usable]
    keys, back, times = np.unique(whose[line] * width + value_index, return_inverse=True, return_counts=True)
    weights = np.log(np.maximum(mass, _TINY)) - np.log(np.maximum(prior[value_index], _TINY))
    log_weights = np.bincount(back.reshape(-1), weights * often[line], len(keys))
    log_weights += np.log(np.maximum(prior[keys % width], _TINY))
    owner = keys // width
    # A value that one of the rows rules out is ruled out.
    kept = times == np.bincount(whose, minlength=count)[owner]
    keys, log_weights, owner = keys[kept], log_weights[kept], owner[kept]
    highest = np.full(count, -np.inf)
    np.maximum.at(highest, owner, log_weights)
    chances = np.exp(log_weights - highest[owner])
    total = np.bincount(owner, chances, count)
    joined = coo_array((chances / total[owner], (owner, keys % width)), shape=(count, width)).tocsr()
    # Rows that contradict each other tell nothing together: then each stands for itself.
    mine = rank[people.of_row[rows]]
    agree = total[mine] > 0
    of = observations.of.copy()
    of[rows[agree]] = observations.shares.shape[0] + mine[agree]
    return Observations(of, _stack_matrices(observations.shares, joined))


def belief_in_classes(
    values: Values, observations: Observations, classes: Classes, k_min: int, people: People
) -> ClassBelief:
    """Return the beliefs of an intruder who knows which class of equal rows a person is in.

    If all rows of a class are one person's, each row is judged by itself; else the observations of a person's rows in
    the class are averaged. Where nobody has several rows the classes are used as they are.

    Parameters
    ----------
    values, observations
        The confidential column, each person counting once, and what each row reveals of it.
    classes
        The classes of the rows.
    k_min
        Weight of the prior in the control (the belief without the person's own row), as a number of people.
    people
        The person of each row.
    """
    from scipy.sparse import coo_array

    ids, count = classes.ids, classes.count
    if not people.with_several:
        return ClassBelief(values, observations, ids, count, k_min, people, np.ones(len(ids)))
    units, width = Units.of(ids, people), observations.shares.shape[0]
    first = np.empty(len(units.class_of), dtype=np.int64)
    first[units.of_row] = observations.of
    different = np.zeros(len(units.class_of), dtype=np.bool_)
    different[units.of_row[observations.of != first[units.of_row]]] = True
    is_unique = np.bincount(units.class_of, minlength=count)[ids] == 1
    mixed = different & (np.bincount(units.class_of, minlength=count)[units.class_of] > 1)
    if mixed.any():
        rows, rank = np.flatnonzero(mixed[units.of_row]), np.cumsum(mixed) - 1
        unit_rank = rank[units.of_row[rows]]
        shape = int(mixed.sum()), width
        means = (
            coo_array((units.weights[rows], (unit_rank, observations.of[rows])), shape=shape).tocsr()
            @ observations.shares
        )
        of = observations.of.copy()
        of[rows] = width + unit_rank
        observations = Observations(of, _stack_matrices(observations.shares, means))
        width += len(rank[mixed])
    lone = np.flatnonzero(different[units.of_row] & is_unique)
    if len(lone):
        # A class for each of the things that the rows of a person alone in theirs tell.
        keys, back = np.unique(units.of_row[lone] * width + observations.of[lone], return_inverse=True)
        ids, count = ids.copy(), count + len(keys)
        ids[lone] = count - len(keys) + back.reshape(-1)
        units = Units.of(ids, people)
    return ClassBelief(values, observations, ids, count, k_min, people, units.weights)


# --- noise ------------------------------------------------------------------------------------------


def combine_draws(belief: NoiseBelief, people: People, is_constant: Bools, *, repeated: bool) -> NoiseBelief:
    """Return beliefs in which several independent draws of noise on one true value of a person are combined.

    Likelihoods are multiplied and the prior counts once; all rows of such a person get the same belief. ``belief``
    itself is returned where there is nothing to combine.

    Parameters
    ----------
    belief
        The beliefs from each row separately.
    people
        The person of each row.
    is_constant
        bool, shape (people,): people whose true value is constant, so that their rows are combined.
    repeated
        Whether a person's rows repeat one draw, so that a value shown twice counts once.
    """
    chosen = np.flatnonzero(is_constant & (people.sizes > 1))
    rank = np.full(people.count, -1, dtype=np.int64)
    rank[chosen] = np.arange(len(chosen))
    rows = np.flatnonzero(rank[people.of_row] >= 0)
    mine, released_index = rank[people.of_row[rows]], belief.row_index[rows]
    pairs, times = np.unique(mine * len(belief.rows) + released_index, return_counts=True)
    whose, pair_index = np.divmod(pairs, len(belief.rows))
    several = np.bincount(whose, minlength=len(chosen)) > 1 if repeated else np.ones(len(chosen), dtype=np.bool_)
    if not several.any():
        return belief
    rank = np.cumsum(several) - 1
    prior = np.log(np.maximum(belief.prior, _TINY))
    total = np.tile(prior, (int(several.sum()), 1))
    there = several[whose]
    often = np.ones(len(pairs)) if repeated else times.astype(np.float64)
    for begin in range(0, len(pairs), _ROWS_AT_ONCE):
        part = np.flatnonzero(there[begin : begin + _ROWS_AT_ONCE]) + begin
        gain = np.log(np.maximum(belief.rows[pair_index[part]], _TINY)) - prior
        np.add.at(total, rank[whose[part]], gain * often[part, None])
    chances = np.exp(total - total.max(axis=1, keepdims=True)) * (belief.prior > 0)
    chances /= chances.sum(axis=1, keepdims=True)
    row_index = belief.row_index.copy()
    kept = several[mine]
    row_index[rows[kept]] = len(belief.rows) + rank[mine[kept]]
    return replace(belief, rows=np.concatenate([belief.rows, chances]), row_index=row_index)


def noise_uncertainty_in_classes(
    belief: NoiseBelief, truth: Floats, ids: Ints, count: int, k_min: int, people: People
) -> Uncertainty:
    """Return what uncertainty remains about each row to an intruder who knows only its class of equal rows.

    That is, for each row, the uncertainty (1 - belief) of the best guess over that without the person's rows, whether
    the guess is right, and whether it is the only one possible; shape (rows,) each. A person's rows in a class count
    together as one member, with their mean belief. Where all rows of a class are one person's, each row is judged by
    itself.

    Parameters
    ----------
    belief
        Beliefs row by row.
    truth, ids, count
        True value and class of each row, shape (rows,), and how many classes there are.
    k_min
        Weight of the prior in the control (the belief without the person's own row), as a number of people.
    people
        The person of each row.
    """
    if not people.with_several:
        return belief.uncertainty_in_classes(truth, ids, count, k_min)
    units = Units.of(ids, people)
    size = np.bincount(units.class_of).astype(np.float64)
    order = np.argsort(units.of_row, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(units.of_row))])
    ratio, right, confirmed = np.ones(len(truth)), np.zeros(len(truth), np.bool_), np.zeros(len(truth), np.bool_)
    control = belief.sum_within_half_width(belief.prior[None])[0]
    ends = np.concatenate([[0], np.cumsum(np.bincount(units.class_of))])
    edges = starts[ends]
    done = 0
    while done < len(size):
        progress.check()
        # Whole classes at once, as many as have few rows together.
        last = int(np.searchsorted(edges, edges[done] + _ROWS_AT_ONCE, side="right")) - 1
        last = min(max(last, done + 1), len(size))
        parts = list(_split_into_blocks(starts, int(ends[done]), int(ends[last])))
        sums = np.zeros((last - done, len(belief.grid)))
        for low, high in parts:
            progress.check()
            group = units.class_of[low:high] - done
            first = np.flatnonzero(np.diff(group, prepend=-1))
            of_units = _compute_unit_beliefs(belief, units, order, starts, low, high)
            sums[group[first]] += np.add.reduceat(of_units, first, axis=0)
        within = belief.sum_within_half_width(sums)
        for low, high in parts:
            progress.check()
            members = order[starts[low] : starts[high]]
            own_belief = belief.sum_within_half_width(_compute_unit_beliefs(belief, units, order, starts, low, high))[
                units.of_row[members] - low
            ]
            group = units.class_of[units.of_row[members]]
            others_belief = within[group - done] - own_belief
            people_there = size[group][:, None]
            single_belief = belief.sum_within_half_width(belief.rows[belief.row_index[members]])
            believed = np.clip(
                np.where(people_there > 1, (others_belief + own_belief) / people_there, single_belief), 0.0, 1.0
            )
            without = np.clip((others_belief + k_min * control[None]) / (people_there - 1 + k_min), 0.0, 1.0)
            ratios = uncertainty_ratio(believed, without)
            best, at = find_first_smallest(ratios), np.arange(len(members))
            ratio[members] = ratios[at, best]
            confirmed[members] = believed[at, best] >= CONFIRMED
            right[members] = np.abs(belief.grid[best] - truth[members]) <= belief.half[best] + belief.slack
        done = last
    return Uncertainty(ratio, right, confirmed)


def _split_into_blocks(starts: Ints, low: int, high: int) -> list[tuple[int, int]]:
    """Return consecutive ranges (first, end) that cover the units from ``low`` to ``high``, of limited size.

    A unit is the rows of one person in one class; ``high`` and ``end`` are exclusive. ``starts`` are the indices at
    which the units' rows start, and at last their number. A range has at most ``_ROWS_AT_ONCE`` rows, unless a single
    unit has more.
    """
    blocks = []
    while low < high:
        end = int(np.searchsorted(starts, starts[low] + _ROWS_AT_ONCE, side="right")) - 1
        end = min(max(end, low + 1), high)
        blocks.append((low, end))
        low = end
    return blocks


def _compute_unit_beliefs(belief: NoiseBelief, units: Units, order: Ints, starts: Ints, low: int, high: int) -> Floats:
    """Return the mean belief over the rows of each unit from ``low`` to ``high``, float64, shape (units, T).

    A unit is the rows of one person in one class; ``high`` is exclusive. ``order`` has the row indexes sorted by unit,
    and ``starts`` where each unit's rows begin in it, and at last their number.
    """
    members = order[starts[low] : starts[high]]
    rows = belief.rows[belief.row_index[members]] * units.weights[members][:, None]
    return np.asarray(np.add.reduceat(rows, starts[low:high] - starts[low], axis=0))


# --- from rows to people ----------------------------------------------------------------------------


def choose_least_uncertainty(uncertainty: Uncertainty, people: People) -> Uncertainty:
    """Return for each person the entry of the row that exposes them most, shape (people,).

    Rows whose guess is right and the only one possible come first, then rows guessed right with an uncertainty ratio
    below 1, then all others; among equals the lowest ratio decides, then the order of rows.
    """
    shaken = uncertainty.right & (uncertainty.ratio < 1.0 - GRID)
    rows = people.first_by(~(uncertainty.confirmed & uncertainty.right), ~shaken, on_grid(uncertainty.ratio))
    return Uncertainty(uncertainty.ratio[rows], uncertainty.right[rows], uncertainty.confirmed[rows])


def find_least_uncertain_rows(uncertainty: Uncertainty, people: People) -> Ints:
    """Return each person's row with the lowest uncertainty ratio, guessed right or not; int64, shape (people,).

    Of equal ones, the first.
    """
    return people.first_by(on_grid(uncertainty.ratio))


def is_constant_in_person(codes: np.ndarray, people: People) -> Bools:
    """Return for each person whether a value is the same in all their rows, bool, shape (people,).

    False for people with fewer than two values, and for everybody in a column that varies within at least half of the
    people with several values.

    Parameters
    ----------
    codes
        Code of each row's value, shape (rows,); -1 where missing, which is ignored.
    people
        The person of each row.
    """
    if not people.with_several:
        return np.zeros(people.count, dtype=np.bool_)
    present = codes >= 0
    several = np.bincount(people.of_row[present], minlength=people.count) > 1
    same = several & ~people.flag_with_different_codes(codes, present)
    if not several.any() or np.count_nonzero(same) <= MOSTLY * np.count_nonzero(several):
        return np.zeros(people.count, dtype=np.bool_)
    return np.asarray(same)


SMALLEST_CLASS = 20
"""Smaller classes say too little of their true shares."""
MOST_CATEGORIES = 100
"""Columns with more values are not looked at: hardly a class shows each of them often enough."""
BY_CHANCE = 1e-3
"""A class whose shares chance explains more often than this is taken to be like all others."""
LEAST_CONTRADICTION = 0.1
"""Total variation between a class's estimated shares and what its members' rows tell, up to which the rows suffice."""
_UPDATES = 200


def estimate_class_shares(
    observe: Callable[[Ints], Observations],
    values: Values,
    released_codes: Ints,
    divisions: Sequence[Ints],
    k_min: int,
    people: People,
    is_settled: Bools | None = None,
) -> Observations:
    """Return observations of an intruder who also estimates the true shares within the classes of known values.

    An observation is what a row reveals of its true value. The estimated true shares of a class of 20 people or more
    may contradict what the rows of its members reveal on average, by more than a tenth (half the sum of the
    differences) and more than chance explains. Its members then get the observation of the class; if a person is in
    several such classes, the one with the largest contradiction counts. All other observations are made without these
    people. The observations without classes are returned where no class contradicts them, where the column has fewer
    than two values or more than 100, where values are shown that nobody has, or where nobody has both a true and a
    shown value.

    Parameters
    ----------
    observe
        Returns the observations without classes, given the shown category of each person, -1 where it is left out.
    values, released_codes
        The true values, of which each is one category, and the shown category of each person, -1 where missing.
    divisions
        Several ways to divide people into classes, each int64, shape (people,): class of each person, -1 for none.
    k_min
        Weight of all people's shares in the belief without the person's own row.
    people
        The person of each entry. A person counts once in a class.
    is_settled
        bool, shape (people,): people whose observation is already that of a class; it is replaced only where less
        uncertainty remains.
    """
    from scipy.sparse import csr_array

    observations, prior = observe(released_codes), values.shares
    present = np.flatnonzero((values.codes >= 0) & (released_codes >= 0))
    # A shown value that nobody has comes from a step that did more than exchange.
    if not 1 < values.count <= MOST_CATEGORIES or not len(present) or released_codes.max() >= values.count:
        return observations
    codes, weights = released_codes[present], np.ones(len(released_codes)) if values.weights is None else values.weights
    chances = _estimate_transitions(values.codes[present], codes, prior, weights[present])
    shown_shares = np.bincount(codes, weights[present], values.count) / weights[present].sum()
    contradiction, of_class = np.full(len(present), LEAST_CONTRADICTION), np.full(len(present), -1)
    counts, shares, classes = np.zeros((0, values.count)), np.zeros((0, values.count)), 0
    for division in divisions:
        progress.check()
        in_class = row_weights(division[present] + 1, people.take(present))
        index, of_division = _count_in_large_classes(division[present], codes, values.count, in_class)
        shares_of_division = _estimate_true_shares(of_division, chances, prior)
        inside = np.flatnonzero(index >= 0)
        members = csr_array(
            (in_class[inside], (index[inside], observations.of[present[inside]])),
            shape=(len(of_division), observations.shares.shape[0]),
        )
        observed = (members @ observations.shares).toarray()[:, : values.count] / of_division.sum(axis=1, keepdims=True)
        apart = np.abs(shares_of_division - observed).sum(axis=1) / 2
        apart[_is_explained_by_chance(of_division, shown_shares)] = 0
        more = inside[apart[index[inside]] > contradiction[inside] + GRID]
        contradiction[more], of_class[more] = apart[index[more]], classes + index[more]
        counts, shares = np.concatenate([counts, of_division]), np.concatenate([shares, shares_of_division])
        classes = len(counts)
    better = np.flatnonzero(of_class >= 0)
    groups = _Groups(present[better], of_class[better], codes[better], counts, shares)
    if is_settled is not None and is_settled[groups.rows].any():
        beliefs, pair_of_row, _ = groups.beliefs(chances)
        ratios = _compute_least_ratio(csr_array(beliefs), prior)[pair_of_row]
        ratio_of_rows = _compute_least_ratio(observations.shares, np.append(prior, 0.0))[observations.of[groups.rows]]
        better = better[~is_settled[groups.rows] | (ratios < ratio_of_rows - GRID)]
        groups = _Groups(present[better], of_class[better], codes[better], counts, shares)
    if not len(better):
        return observations
    shown_of_rest = released_codes.copy()
    shown_of_rest[groups.rows] = -1
    rest = np.delete(present, better)
    prior_of_rest = np.bincount(values.codes[rest], weights[rest], values.count)
    return groups.joined(observe(shown_of_rest), chances, prior, prior_of_rest / max(prior_of_rest.sum(), GRID), k_min)


class _Groups(NamedTuple):
    """People about whom their class reveals more than their rows alone (members), and the counts of these classes.

    Attributes
    ----------
    rows, of, codes
        int64, shape (members,): index, class and shown category of each member.
    counts, shares
        People of each class who show each category, and their estimated true shares, shape (classes, categories).
    """

    rows: Ints
    of: Ints
    codes: Ints
    counts: Floats
    shares: Floats

    def beliefs(self, chances: Floats) -> tuple[Floats, Ints, Ints]:
        """Return the beliefs for each pair of class and shown category, each member's pair, and each pair's class.

        Beliefs in the true category have shape (pairs, categories), and rows sum to 1. ``chances`` has the probability
        that a true category (row) shows each category (column).
        """
        pairs, pair_of_row = np.unique(self.of * len(chances) + self.codes, return_inverse=True)
        group, code = np.divmod(pairs, len(chances))
        beliefs = self.shares[group] * chances[:, code].T
        return beliefs / beliefs.sum(axis=1, keepdims=True), pair_of_row.reshape(-1), group

    def joined(
        self, rest: Observations, chances: Floats, prior: Floats, prior_of_rest: Floats, k_min: int
    ) -> Observations:
        """Return everybody's observations: those of ``rest``, then one for each class and shown category of members.

        A member's belief follows from the estimated true shares of the class and the shown category. The result also
        states each observation's belief without the person's own row: for members the class without their own belief,
        together with ``k_min`` people like ``prior``; for all others ``prior_of_rest``, whatever ``rest`` states.

        Parameters
        ----------
        rest
            The observations made without the members.
        chances
            Chance that a true category (row) shows each category (column), shape (categories, categories).
        prior, prior_of_rest
            Share of each category among all people, and among those who are not members, shape (categories,).
        k_min
            Weight of the prior, in people.
        """
        from scipy.sparse import csr_array, vstack

        kept = rest.shares.shape[0]
        beliefs, pair_of_row, group = self.beliefs(chances)
        sizes = self.counts[group].sum(axis=1, keepdims=True)
        without = np.clip((sizes * self.shares[group] - beliefs + k_min * prior) / (sizes - 1 + k_min), 0, 1)
        of = rest.of.copy()
        of[self.rows] = kept + pair_of_row
        # The others have one belief without their own rows, each pair of class and shown category another.
        which = np.concatenate([np.zeros(kept, dtype=np.int64), 1 + np.arange(len(group))])
        indicator = csr_array((np.ones(len(which)), which, np.arange(len(which) + 1)))
        observed, observed_without = (
            csr_array(np.pad(part, ((0, 0), (0, 1)))) for part in (beliefs, np.vstack([prior_of_rest, without]))
        )
        return Observations(of, vstack([rest.shares, observed]).tocsr(), (indicator, observed_without))


def _count_in_large_classes(ids: Ints, codes: Ints, width: int, weights: Floats) -> tuple[Ints, Floats]:
    """Return each row's index among the large classes, -1 elsewhere, and how many people of a class show each category.

    A class is large if it has at least 20 people; large classes are numbered from 0 in the order of their ids. Each row
    counts with its weight (0.5 for each of two rows of a person). The counts have shape (large classes, width); ``ids``
    are -1 where a row has no class.
    """
    is_large = np.bincount(ids + 1, weights) >= SMALLEST_CLASS - GRID
    is_large[0] = False
    index = np.where(is_large, np.cumsum(is_large) - 1, -1)[ids + 1]
    inside = index >= 0
    counts = np.bincount(index[inside] * width + codes[inside], weights[inside], int(is_large.sum()) * width)
    return index, counts.reshape(-1, width).astype(np.float64)


def _estimate_transitions(truth: Ints, released_codes: Ints, prior: Floats, weights: Floats) -> Floats:
    """Return how often each true category (row) is released as each category (column), shape (categories, categories).

    Rows sum to 1. For each true category, as many artificial people as there are categories are added. Their values
    change as often as everybody's, to categories in the shares of all people, so that the result for a rare category
    does not reveal single people. ``weights`` is how much each row counts.
    """
    count = len(prior)
    pairs = np.bincount(truth * count + released_codes, weights, count * count).reshape(count, count)
    changed = float(weights[truth != released_codes].sum()) / float(weights.sum())
    drawn = min(changed / max(1.0 - float(prior @ prior), GRID), 1.0)
    added = (1 - drawn) * np.eye(count) + drawn * prior
    return np.asarray((pairs + count * added) / (pairs.sum(axis=1, keepdims=True) + count))


def _is_explained_by_chance(counts: Floats, shares: Floats) -> Bools:
    """Return for which classes chance explains that their shown values differ from everybody's, bool, shape (classes,).

    A likelihood-ratio test decides: True where its p value is above 0.001 (`BY_CHANCE`).

    Parameters
    ----------
    counts
        Number of people of each class who show each category, shape (classes, categories).
    shares
        Share of all people who show each category, shape (categories,).
    """
    from scipy.special import chdtrc, xlogy

    expected = counts.sum(axis=1, keepdims=True) * shares
    ratio = np.divide(counts, expected, out=np.ones_like(counts), where=expected > 0)
    deviance = 2 * xlogy(counts, ratio).sum(axis=1)
    return np.asarray(chdtrc(max(np.count_nonzero(shares) - 1, 1), deviance) > BY_CHANCE)


def _estimate_true_shares(counts: Floats, chances: Floats, prior: Floats) -> Floats:
    """Return the maximum-likelihood shares of true categories in each class, shape (classes, categories).

    ``counts`` has what is shown, shape (classes, shown categories), ``chances`` the probability that a true category
    shows each category. ``prior`` weighs as much as one member.
    """
    sizes = counts.sum(axis=1, keepdims=True)
    shares = np.tile(prior, (len(counts), 1))
    for _ in range(_UPDATES):
        progress.check()
        explained = np.divide(counts, shares @ chances, out=np.zeros_like(counts), where=counts > 0)
        updated = (shares * (explained @ chances.T) + prior) / (sizes + 1)
        moved = float(np.abs(updated - shares).max(initial=0.0))
        shares = updated
        if moved < 1e-4:
            break
    return shares


def _compute_least_ratio(observations: csr_array, prior: Floats) -> Floats:
    """Return each observation's least uncertainty ratio over the values it allows, at most 1; shape (observations,).

    ``prior`` is each value's share without the observation.
    """
    least = np.ones(observations.shape[0])
    rows = np.repeat(np.arange(len(least)), np.diff(observations.indptr))
    np.minimum.at(least, rows, uncertainty_ratio(observations.data, prior[observations.indices]))
    return least
