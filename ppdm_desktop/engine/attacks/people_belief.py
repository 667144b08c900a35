"""An intruder's beliefs where a person may have several rows: all rows of a person in a class count as one.

An intruder who looks for a person in a class believes the mean over the people in it, whatever number of rows each
has: the observations from several rows of one person are averaged. Anyone alone in a class is revealed whole.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, first_least, on_grid
from ppdm_desktop.engine.attacks.class_belief import ClassBelief, Tellings, Values
from ppdm_desktop.engine.attacks.doubt import (
    PROVED,
    Doubts,
    doubt_ratio,
)
from ppdm_desktop.engine.attacks.noise_belief import NoiseBelief
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
    """One unit for each person in each class, made of all rows of the person there.

    Attributes
    ----------
    of_row
        int64, shape (rows,): each row's unit; units of one class are neighbours.
    class_of
        int64, shape (units,): class of each.
    """

    of_row: Ints
    class_of: Ints

    @classmethod
    def of(cls, ids: Ints, people: People) -> Units:
        """Return the units of rows in classes, ``ids`` of shape (rows,)."""
        keys, of_row = np.unique(ids * people.count + people.of_row, return_inverse=True)
        return cls(of_row.reshape(-1).astype(np.int64), keys // people.count)

    @cached_property
    def weights(self) -> Floats:
        """Weight of each row: 1 / number of rows of its person in its class, float64, shape (rows,)."""
        return np.asarray(1.0 / np.bincount(self.of_row)[self.of_row])


def row_weights(ids: Ints, people: People) -> Floats:
    """Return which part each row is of its person's rows in the class ``ids``, float64, shape (rows,)."""
    return Units.of(ids, people).weights if people.with_several else np.ones(len(ids))


def own_values(values: Values, people: People) -> Values:
    """Return a column's values weighted by people: each of a person's values counts an equal part of the person."""
    if not people.with_several:
        return values
    present = values.codes >= 0
    rows = np.bincount(people.of_row[present], minlength=people.count)
    weights = np.where(present, 1.0 / np.maximum(rows, 1)[people.of_row], 0.0)
    pairs = np.unique(values.codes[present] * people.count + people.of_row[present])
    holders = np.bincount(pairs // people.count, minlength=values.count)
    held = holders / max(int(np.count_nonzero(rows)), 1)
    return replace(values, weights=weights, held=held)


def _stacked(upper: csr_array, lower: csr_array) -> csr_array:
    """Return one matrix with the rows of both, the column indices of each row sorted."""
    from scipy.sparse import vstack

    stacked = vstack([upper, lower]).tocsr()
    stacked.sort_indices()
    return stacked


def draws_repeated(released: np.ndarray, same: Bools, people: People, alike: Bools) -> bool:
    """Return whether a person's rows repeat one draw: most people with a changed value show one value in all rows.

    Parameters
    ----------
    released
        What each row shows, shape (rows,).
    same
        Whether that is the truth, shape (rows,).
    people, alike
        Whose row each is, and whose true value stays as it is in all their rows, shape (people,).
    """
    changed = alike & people.with_any(~same)
    return bool(np.count_nonzero(changed & people.constant(released)) >= MOSTLY * np.count_nonzero(changed))


def joined_tellings(
    tellings: Tellings, released_codes: Ints, people: People, alike: Bools, prior: Floats, *, repeated: bool
) -> Tellings:
    """Return observations in which the rows of people with a constant true value are combined.

    Observations from independent draws of one value multiply; a draw that several rows repeat counts once.

    Parameters
    ----------
    tellings, released_codes
        What each row tells, and the code that it shows, shape (rows,).
    people
        Whose row each is.
    alike
        bool, shape (people,): whose rows are to be taken together.
    prior
        Share of each value, shape (values,).
    repeated
        Whether rows of one person that show the same repeat one draw.
    """
    from scipy.sparse import coo_array

    chosen = alike & (~people.constant(released_codes) if repeated else people.sizes > 1)
    if not chosen.any():
        return tellings
    count, width = int(chosen.sum()), tellings.shares.shape[1]
    rank = np.where(chosen, np.cumsum(chosen) - 1, -1)
    rows = np.flatnonzero(chosen[people.of_row])
    draws = rows
    if repeated:
        keys = rank[people.of_row[rows]] * (int(released_codes.max()) + 2) + released_codes[rows] + 1
        draws = rows[np.unique(keys, return_index=True)[1]]
    pairs, often = np.unique(
        rank[people.of_row[draws]] * tellings.shares.shape[0] + tellings.of[draws], return_counts=True
    )
    whose, telling = np.divmod(pairs, tellings.shares.shape[0])
    given = tellings.shares[telling].tocoo()
    usable = given.col < len(prior)
    line, value_index, mass = given.row[usable], given.col[usable].astype(np.int64), given.data[usable]
    keys, back, times = np.unique(whose[line] * width + value_index, return_inverse=True, return_counts=True)
    weights = np.log(np.maximum(mass, _TINY)) - np.log(np.maximum(prior[value_index], _TINY))
    left = np.bincount(back.reshape(-1), weights * often[line], len(keys))
    left += np.log(np.maximum(prior[keys % width], _TINY))
    owner = keys // width
    # A value that one of the rows rules out is ruled out.
    kept = times == np.bincount(whose, minlength=count)[owner]
    keys, left, owner = keys[kept], left[kept], owner[kept]
    highest = np.full(count, -np.inf)
    np.maximum.at(highest, owner, left)
    chances = np.exp(left - highest[owner])
    total = np.bincount(owner, chances, count)
    joined = coo_array((chances / total[owner], (owner, keys % width)), shape=(count, width)).tocsr()
    # Rows that contradict each other tell nothing together: then each stands for itself.
    mine = rank[people.of_row[rows]]
    agree = total[mine] > 0
    of = tellings.of.copy()
    of[rows[agree]] = tellings.shares.shape[0] + mine[agree]
    return Tellings(of, _stacked(tellings.shares, joined))


def belief_in_classes(values: Values, tellings: Tellings, classes: Classes, k_min: int, people: People) -> ClassBelief:
    """Return beliefs of an intruder who knows a person's class of rows.

    A person alone in a class with several rows is revealed by all of them; for others the observations of their rows
    there are averaged.

    Parameters
    ----------
    values, tellings
        The column, counted by people, and what rows tell of it.
    classes
        Of rows.
    k_min
        Weight of the prior in the control.
    people
        Whose row each is.
    """
    from scipy.sparse import coo_array

    ids, count = classes.ids, classes.count
    if not people.with_several:
        return ClassBelief(values, tellings, ids, count, k_min, people, np.ones(len(ids)))
    units, width = Units.of(ids, people), tellings.shares.shape[0]
    first = np.empty(len(units.class_of), dtype=np.int64)
    first[units.of_row] = tellings.of
    different = np.zeros(len(units.class_of), dtype=np.bool_)
    different[units.of_row[tellings.of != first[units.of_row]]] = True
    alone = np.bincount(units.class_of, minlength=count)[ids] == 1
    mixed = different & (np.bincount(units.class_of, minlength=count)[units.class_of] > 1)
    if mixed.any():
        rows, rank = np.flatnonzero(mixed[units.of_row]), np.cumsum(mixed) - 1
        unit_rank = rank[units.of_row[rows]]
        shape = int(mixed.sum()), width
        means = coo_array((units.weights[rows], (unit_rank, tellings.of[rows])), shape=shape).tocsr() @ tellings.shares
        of = tellings.of.copy()
        of[rows] = width + unit_rank
        tellings = Tellings(of, _stacked(tellings.shares, means))
        width += len(rank[mixed])
    lone = np.flatnonzero(different[units.of_row] & alone)
    if len(lone):
        # A class for each of the things that the rows of a person alone in theirs tell.
        keys, back = np.unique(units.of_row[lone] * width + tellings.of[lone], return_inverse=True)
        ids, count = ids.copy(), count + len(keys)
        ids[lone] = count - len(keys) + back.reshape(-1)
        units = Units.of(ids, people)
    return ClassBelief(values, tellings, ids, count, k_min, people, units.weights)


# --- noise ------------------------------------------------------------------------------------------


def joined_draws(belief: NoiseBelief, people: People, alike: Bools, *, repeated: bool) -> NoiseBelief:
    """Return beliefs in which the draws on one value that is constant within a person are multiplied.

    Parameters
    ----------
    belief
        Row by row.
    people
        Whose row each is.
    alike
        bool, shape (people,): whose rows are to be taken together.
    repeated
        Whether a person's rows repeat one draw: then what is shown twice counts once.
    """
    chosen = np.flatnonzero(alike & (people.sizes > 1))
    rank = np.full(people.count, -1, dtype=np.int64)
    rank[chosen] = np.arange(len(chosen))
    rows = np.flatnonzero(rank[people.of_row] >= 0)
    mine, released_index = rank[people.of_row[rows]], belief.place[rows]
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
    row_index = belief.place.copy()
    kept = several[mine]
    row_index[rows[kept]] = len(belief.rows) + rank[mine[kept]]
    return replace(belief, rows=np.concatenate([belief.rows, chances]), place=row_index)


def noise_doubts_in_classes(
    belief: NoiseBelief, truth: Floats, ids: Ints, count: int, k_min: int, people: People
) -> Doubts:
    """Return the doubts about each row of an intruder who knows only its class of equal rows.

    Parameters
    ----------
    belief
        Beliefs row by row.
    truth, ids, count
        True value and class of each row, shape (rows,), and how many classes there are.
    k_min
        Weight of the prior in the control.
    people
        Whose row each is.
    """
    if not people.with_several:
        return belief.doubts_in_classes(truth, ids, count, k_min)
    units = Units.of(ids, people)
    size = np.bincount(units.class_of).astype(np.float64)
    order = np.argsort(units.of_row, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(units.of_row))])
    ratio, right, proved = np.ones(len(truth)), np.zeros(len(truth), np.bool_), np.zeros(len(truth), np.bool_)
    control = belief.windows(belief.prior[None])[0]
    ends = np.concatenate([[0], np.cumsum(np.bincount(units.class_of))])
    edges = starts[ends]
    done = 0
    while done < len(size):
        progress.check()
        # Whole classes at once, as many as have few rows together.
        last = int(np.searchsorted(edges, edges[done] + _ROWS_AT_ONCE, side="right")) - 1
        last = min(max(last, done + 1), len(size))
        parts = list(_blocks(starts, int(ends[done]), int(ends[last])))
        sums = np.zeros((last - done, len(belief.grid)))
        for low, high in parts:
            progress.check()
            group = units.class_of[low:high] - done
            first = np.flatnonzero(np.diff(group, prepend=-1))
            of_units = _unit_rows(belief, units, order, starts, low, high)
            sums[group[first]] += np.add.reduceat(of_units, first, axis=0)
        within = belief.windows(sums)
        for low, high in parts:
            progress.check()
            members = order[starts[low] : starts[high]]
            own_belief = belief.windows(_unit_rows(belief, units, order, starts, low, high))[
                units.of_row[members] - low
            ]
            group = units.class_of[units.of_row[members]]
            others_belief = within[group - done] - own_belief
            people_there = size[group][:, None]
            alone = belief.windows(belief.rows[belief.place[members]])
            believed = np.clip(np.where(people_there > 1, (others_belief + own_belief) / people_there, alone), 0.0, 1.0)
            without = np.clip((others_belief + k_min * control[None]) / (people_there - 1 + k_min), 0.0, 1.0)
            doubt = doubt_ratio(believed, without)
            best, at = first_least(doubt), np.arange(len(members))
            ratio[members] = doubt[at, best]
            proved[members] = believed[at, best] >= PROVED
            right[members] = np.abs(belief.grid[best] - truth[members]) <= belief.half[best] + belief.slack
        done = last
    return Doubts(ratio, right, proved)


def _blocks(starts: Ints, low: int, high: int) -> list[tuple[int, int]]:
    """Return ranges (first, end) of consecutive units that have few rows together."""
    blocks = []
    while low < high:
        end = int(np.searchsorted(starts, starts[low] + _ROWS_AT_ONCE, side="right")) - 1
        end = min(max(end, low + 1), high)
        blocks.append((low, end))
        low = end
    return blocks


def _unit_rows(belief: NoiseBelief, units: Units, order: Ints, starts: Ints, low: int, high: int) -> Floats:
    """Return the mean belief of each unit from ``low`` to ``high``, float64, shape (units, T)."""
    members = order[starts[low] : starts[high]]
    rows = belief.rows[belief.place[members]] * units.weights[members][:, None]
    return np.asarray(np.add.reduceat(rows, starts[low:high] - starts[low], axis=0))


# --- from rows to people ----------------------------------------------------------------------------


def of_people(doubts: Doubts, people: People) -> Doubts:
    """Return each person's doubts at the row with least doubt, preferring rows guessed right; shape (people,)."""
    shaken = doubts.right & (doubts.ratio < 1.0 - GRID)
    rows = people.first_by(~(doubts.proved & doubts.right), ~shaken, on_grid(doubts.ratio))
    return Doubts(doubts.ratio[rows], doubts.right[rows], doubts.proved[rows])


def least_doubted(doubts: Doubts, people: People) -> Ints:
    """Return for each person the row with least doubt, whether guessed right or not; int64, shape (people,)."""
    return people.first_by(on_grid(doubts.ratio))


def stays(codes: np.ndarray, people: People) -> Bools:
    """Return for each person whether a value is the same in all their rows, bool, shape (people,).

    False for everybody in a column that varies within most people who have several rows.

    Parameters
    ----------
    codes
        Shape (rows,), -1 where missing, which says nothing.
    people
        Whose row each is.
    """
    if not people.with_several:
        return np.zeros(people.count, dtype=np.bool_)
    present = codes >= 0
    several = np.bincount(people.of_row[present], minlength=people.count) > 1
    same = several & ~people.split_by(codes, present)
    if not several.any() or np.count_nonzero(same) <= MOSTLY * np.count_nonzero(several):
        return np.zeros(people.count, dtype=np.bool_)
    return np.asarray(same)
