"""What a swapped value reveals, counted among the people with indistinguishable released details.

No declared share is believed. Among the people whose details are unique and who show one value, the file and the
source show how many show it truly; this share, and where the others came from, is what an intruder who knows the
method can learn. A pool in which nobody was changed reveals the truth, and so does one in which everyone was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.attacks.class_belief import Tellings
from ppdm_desktop.engine.tie_breaking import on_grid

SPLIT_BY_SCORE = 200
"""Pools of at least this size are split into tenths by how well the shown value fits the person."""
SMALLEST_POOL = 20
"""Smaller pools of one shown value, or of one kind of group, are merged."""
_TENTHS = 10


@dataclass(frozen=True, eq=False)
class Swapped:
    """A swapped column and its true values, one entry for each person.

    Attributes
    ----------
    truth, shown
        int64, shape (people,): categories, -1 where missing.
    categories
        How many there are.
    ids, count
        int64, shape (people,): class of equal details of each person, and how many classes there are.
    score
        Returns how well the shown value fits each of some people, by what the release teaches without them.
    sizes
        People in each class, shape (classes,); None where each row is another person.
    """

    truth: Ints
    shown: Ints
    categories: int
    ids: Ints
    count: int
    score: Callable[[Ints], Floats]
    sizes: Ints | None = None


def swap_tellings(column: Swapped) -> Tellings:
    """Return the observation of the true category that each row gives.

    People who are unique, members of groups with a single true value, and everyone else form separate pools, as a
    swap treats them separately (Li and Sarkar 2004, section 3).
    """
    from scipy.sparse import csr_array, vstack

    people, width = len(column.truth), column.categories + 1
    sizes = np.bincount(column.ids, minlength=column.count) if column.sizes is None else column.sizes
    present = (column.truth >= 0) & (column.shown >= 0)
    unique = present & (sizes[column.ids] == 1)
    grouped = present & _one_valued(column) & ~unique
    mixed = present & ~unique & ~grouped
    counts = np.bincount(column.truth[column.truth >= 0], minlength=column.categories).astype(np.float64)
    prior = counts / max(counts.sum(), 1.0)
    of = np.zeros(people, dtype=np.int64)
    parts: list[Floats] = []
    rows = 0
    for chosen in (np.flatnonzero(unique), np.flatnonzero(mixed)):
        if not len(chosen):
            continue
        observation, shares = _by_shown_value(column, chosen, prior)
        of[chosen] = observation + rows
        parts.append(shares)
        rows += len(shares)
    if grouped.any():
        observation, shares = _by_group(column, np.flatnonzero(grouped), prior)
        of[grouped] = observation + rows
        parts.append(shares)
        rows += len(shares)
    # Who shows no value, or has none, tells that there is none; a hidden true value is foretold by its share.
    rest = np.flatnonzero(~present)
    if len(rest):
        nothing = np.zeros((2, width))
        nothing[0, -1] = 1.0
        nothing[1, :-1] = prior
        of[rest] = rows + np.where(column.truth[rest] < 0, 0, 1)
        parts.append(nothing)
    if not parts:
        return Tellings(of, csr_array((0, width)))
    return Tellings(of, vstack([csr_array(_padded(part, width)) for part in parts]).tocsr())


def _padded(shares: Floats, width: int) -> Floats:
    return shares if shares.shape[1] == width else np.pad(shares, ((0, 0), (0, width - shares.shape[1])))


def _one_valued(column: Swapped) -> Bools:
    """Return who is in a class whose members all have the same true value, bool, shape (people,)."""
    low = np.full(column.count, np.iinfo(np.int64).max)
    high = np.full(column.count, -2)
    np.minimum.at(low, column.ids, column.truth)
    np.maximum.at(high, column.ids, column.truth)
    return np.asarray(((low == high) & (low >= 0))[column.ids])


def _by_shown_value(column: Swapped, people: Ints, prior: Floats) -> tuple[Ints, Floats]:
    """Return the pool number of each person, and each pool's shares of true values, shape (pools, categories)."""
    released, truth = column.shown[people], column.truth[people]
    pool = released * _TENTHS
    sizes = np.bincount(released, minlength=column.categories)
    if (truth == released).all():
        # Nobody was changed: each shown value is the true one, and no score can tell more.
        names, index = np.unique(released, return_inverse=True)
        return index.reshape(-1).astype(np.int64), np.eye(column.categories)[names]
    for value in np.flatnonzero(sizes >= SPLIT_BY_SCORE).tolist():
        there = np.flatnonzero(released == value)
        score = on_grid(column.score(people[there]))
        order = there[np.lexsort((column.ids[people[there]], score))]
        pool[order] += np.arange(len(order)) * _TENTHS // len(order)
    names, index = np.unique(pool, return_inverse=True)
    index = index.reshape(-1).astype(np.int64)
    shares = np.zeros((len(names), column.categories))
    np.add.at(shares, (index, truth), 1.0)
    shares /= np.maximum(shares.sum(axis=1, keepdims=True), 1.0)
    small = np.flatnonzero(sizes[names // _TENTHS] < SMALLEST_POOL)
    if len(small):
        inside = np.isin(index, small)
        kept = float((truth[inside] == released[inside]).mean())
        for row in small.tolist():
            value = int(names[row]) // _TENTHS
            draw = np.where(np.arange(column.categories) == value, 0.0, prior)
            total = draw.sum()
            shares[row] = (1 - kept) * (draw / total if total > 0 else draw)
            shares[row, value] += kept if total > 0 else 1.0
    return index, shares


def _by_group(column: Swapped, people: Ints, prior: Floats) -> tuple[Ints, Floats]:
    """Return the group number of each member of one-valued groups, and each group's shares of true values."""
    groups, group_index = np.unique(column.ids[people], return_inverse=True)
    group_index = group_index.reshape(-1).astype(np.int64)
    count = len(groups)
    tally = np.zeros((count, column.categories))
    np.add.at(tally, (group_index, column.shown[people]), 1.0)
    truth = np.zeros(count, dtype=np.int64)
    truth[group_index] = column.truth[people]
    most = tally.max(axis=1)
    common = tally.argmax(axis=1)
    tied = (tally == most[:, None]).sum(axis=1) > 1
    if (column.shown[people] == column.truth[people]).all():
        return group_index, np.eye(column.categories)[truth]
    # Kinds of group that look the same: size, how many show the commonest value, and which one that is.
    kind = np.unique(
        np.column_stack([tally.sum(axis=1), most, np.where(tied, -1, common)]), axis=0, return_inverse=True
    )
    kinds = kind[1].reshape(-1)
    members = np.bincount(kinds)
    small = members[kinds] < SMALLEST_POOL
    kinds = np.where(small, np.where(tied, -1, -2), kinds)
    shares = np.zeros((count, column.categories))
    for sort in np.unique(kinds).tolist():
        rows = np.flatnonzero(kinds == sort)
        top = tally[rows] == most[rows, None]
        if not tied[rows].any():
            top = np.eye(column.categories, dtype=np.bool_)[common[rows]]
        elsewhere = (tally[rows] > 0) & ~top
        absent = tally[rows] == 0
        at = np.arange(len(rows))
        is_top, is_other = top[at, truth[rows]].mean(), elsewhere[at, truth[rows]].mean()
        parts = (
            (is_top, top.astype(np.float64)),
            (is_other, elsewhere * tally[rows]),
            (1 - is_top - is_other, absent * prior),
        )
        for share, weights in parts:
            total = weights.sum(axis=1, keepdims=True)
            shares[rows] += share * np.divide(weights, total, out=np.zeros_like(weights), where=total > 0)
        lacking = 1 - shares[rows].sum(axis=1, keepdims=True)
        shares[rows] += lacking * top / top.sum(axis=1, keepdims=True)
    return group_index, shares
