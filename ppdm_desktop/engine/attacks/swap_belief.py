"""What a swapped value reveals, measured among people whose released quasi-identifiers cannot be distinguished.

The share of swaps that the publisher declares is not trusted. Among the people whose quasi-identifiers are unique and
who show one value, the release and the source show how many show it truly; this share, and the true values of the
others, is what an intruder who knows the method can learn. A pool in which nobody was changed reveals the truth, and
so does one in which everyone was.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, on_grid
from ppdm_desktop.engine.attacks.class_belief import Observations
from ppdm_desktop.engine.attacks.uncertainty import MOST_ELSEWHERE, ONE_SECRET

SPLIT_BY_SCORE = 200
"""Pools of at least this size are split into tenths by how well the shown value fits the person."""
SMALLEST_POOL = 20
"""Smaller pools of one shown value, or of one kind of group, are merged."""
LARGE_CLASS = 2 * SMALLEST_POOL
"""So many people of whom nearly all have one value show, swapped or not, which one it is."""
_TENTHS = 10


@dataclass(frozen=True, eq=False)
class Swapped:
    """A swapped column and its true values, one entry for each person.

    Attributes
    ----------
    truth, released
        int64, shape (people,): true and released category of each person, -1 where missing.
    categories
        Number of categories.
    ids, count
        int64, shape (people,): each person's class of equal quasi-identifiers, and how many classes there are.
    score
        Function that returns how well the shown value fits each of the given people, learned from the other released
        rows.
    sizes
        People in each class, shape (classes,); None where each row is a different person.
    """

    truth: Ints
    released: Ints
    categories: int
    ids: Ints
    count: int
    score: Callable[[Ints], Floats]
    sizes: Ints | None = None


def observe_swapped_rows(column: Swapped) -> Observations:
    """Return what each swapped row reveals of its true category, as a probability of each category.

    People who are unique, members of groups with one true value (`is_revealed_by_class`), and everyone else form
    separate pools, as a swap treats them separately (Li and Sarkar 2004, section 3). A person without a true value is
    known to have none (the last column, after those of the categories); where only the shown value is missing the
    belief is each category's share.
    """
    from scipy.sparse import csr_array, vstack

    people, width = len(column.truth), column.categories + 1
    sizes = np.bincount(column.ids, minlength=column.count) if column.sizes is None else column.sizes
    present = (column.truth >= 0) & (column.released >= 0)
    unique = present & (sizes[column.ids] == 1)
    grouped = present & is_revealed_by_class(column) & ~unique
    mixed = present & ~unique & ~grouped
    counts = np.bincount(column.truth[column.truth >= 0], minlength=column.categories).astype(np.float64)
    prior = counts / max(counts.sum(), 1.0)
    of = np.zeros(people, dtype=np.int64)
    parts: list[Floats] = []
    rows = 0
    for chosen in (np.flatnonzero(unique), np.flatnonzero(mixed)):
        if not len(chosen):
            continue
        observation, shares = _pool_by_shown_value(column, chosen, prior)
        of[chosen] = observation + rows
        parts.append(shares)
        rows += len(shares)
    if grouped.any():
        observation, shares = _pool_by_group(column, np.flatnonzero(grouped), prior)
        of[grouped] = observation + rows
        parts.append(shares)
        rows += len(shares)
    rest = np.flatnonzero(~present)
    if len(rest):
        of[rest] = rows + np.where(column.truth[rest] < 0, 0, 1)
        parts.append(_compute_missing_belief(prior))
    if not parts:
        return Observations(of, csr_array((0, width)))
    return Observations(of, vstack([csr_array(_pad_columns(part, width)) for part in parts]).tocsr())


def _compute_missing_belief(prior: Floats) -> Floats:
    """Return what is believed where no value is shown: two rows of probabilities, shape (2, categories + 1).

    The last column is "no value". The first row is for people without a value (certainly "no value"), the second for
    those whose value is hidden (``prior``).
    """
    nothing = np.zeros((2, len(prior) + 1))
    nothing[0, -1] = 1.0
    nothing[1, :-1] = prior
    return nothing


def observe_neighbour_swaps(truth: Ints, true_values: Floats, released: Floats) -> Observations:
    """Return what each row reveals of its true number where people with similar numbers exchanged them.

    A number that at least ``SMALLEST_POOL`` people show is a pool; rarer numbers are joined with neighbouring ones to
    pools of at least as many people. A shown number is believed to be true as often as in its pool; otherwise the
    truth is one of the true numbers of the pool's changed people, or of all people where the only pool is smaller than
    that. A row without a shown number leaves the shares among all people; one without a true number says "no value"
    for certain.

    Parameters
    ----------
    truth
        int64, shape (people,): rank of the true number among the different ones, -1 where missing.
    true_values
        The different true numbers, rising.
    released
        The number that each person shows, NaN where missing, shape (people,).
    """
    from scipy.sparse import coo_array, csr_array, vstack

    count, present = len(true_values), np.flatnonzero((truth >= 0) & ~np.isnan(released))
    prior = np.bincount(truth[truth >= 0], minlength=count) / max(int(np.count_nonzero(truth >= 0)), 1)
    numbers, number_of = np.unique(released[present], return_inverse=True)
    rank = np.searchsorted(true_values, numbers)
    rank = np.where(np.append(true_values, np.nan)[rank] == numbers, rank, count)
    pool_of_number, pools = _find_neighbour_pools(np.bincount(number_of, minlength=len(numbers)))
    pool, is_true = pool_of_number[number_of], truth[present] == rank[number_of]
    sizes = np.bincount(pool, minlength=pools)
    kept = np.bincount(pool, is_true, pools) / np.maximum(sizes, 1)
    changed = np.flatnonzero(~is_true)
    pairs = (pool[changed], truth[present][changed])
    shares = coo_array((1.0 / sizes[pool[changed]], pairs), shape=(pools, count + 1)).tocsr()
    if pools == 1 and sizes[0] < SMALLEST_POOL and kept[0] < 1:
        shares = csr_array(np.append((1 - kept[0]) * prior, 0.0)[None, :])
    # Numbers of a pool in which nobody shows the truth tell the same.
    keys, observation_of = np.unique(
        np.where(kept[pool_of_number] > 0, pools + np.arange(len(numbers)), pool_of_number), return_inverse=True
    )
    kept_keys = np.flatnonzero(keys >= pools)
    pool_of_key = keys.copy()
    pool_of_key[kept_keys] = pool_of_number[keys[kept_keys] - pools]
    places = (kept_keys, rank[keys[kept_keys] - pools])
    own = coo_array((kept[pool_of_key[kept_keys]], places), shape=(len(keys), count + 1)).tocsr()
    observations = vstack([shares[pool_of_key] + own, csr_array(_compute_missing_belief(prior))]).tocsr()
    observations.sort_indices()
    of = np.where(truth < 0, len(keys), len(keys) + 1)
    of[present] = observation_of.reshape(-1)[number_of]
    return Observations(of, observations)


def _find_neighbour_pools(people: Ints) -> tuple[Ints, int]:
    """Return the pool index of each shown number, and the number of pools.

    Numbers that at least ``SMALLEST_POOL`` people show are pools by themselves, numbered first. Rarer numbers are
    joined in rising order until a pool has as many people; a rest that is too small joins the last of these pools. If
    there is none, the rare numbers are one pool of fewer people.

    Parameters
    ----------
    people
        Number of people who show each number, in rising order of the numbers, shape (numbers,).
    """
    pool = np.zeros(len(people), dtype=np.int64)
    rare = np.flatnonzero(people < SMALLEST_POOL)
    pool[people >= SMALLEST_POOL] = np.arange(len(people) - len(rare))
    count, start = len(people) - len(rare), 0
    sums = np.cumsum(people[rare])
    while start < len(rare):
        before = int(sums[start - 1]) if start else 0
        end = int(np.searchsorted(sums, before + SMALLEST_POOL)) + 1
        if end > len(rare) and start:  # too few are left: they join the last pool
            pool[rare[start:]] = count - 1
            break
        pool[rare[start:end]] = count
        count, start = count + 1, end
    return pool, count


def _pad_columns(shares: Floats, width: int) -> Floats:
    """Return the array with columns of zeros added at the right up to ``width``; itself if wide enough."""
    return shares if shares.shape[1] == width else np.pad(shares, ((0, 0), (0, width - shares.shape[1])))


def is_revealed_by_class(column: Swapped) -> Bools:
    """Return who is in a class whose members all have one true value, bool, shape (people,).

    Also True for whoever is alone in a class and has a value, and in a large class (at least 40 people) in which at
    least 90 % have one value that at most half of all other people have: what the members show reveals that value as
    well. Whoever has no true value counts as a member with another value, and is flagged with such a large class.
    """
    has_value = column.truth >= 0
    cells = column.ids[has_value] * column.categories + column.truth[has_value]
    pairs, holders = np.unique(cells, return_counts=True)
    class_of, value = np.divmod(pairs, column.categories)
    sizes = np.bincount(column.ids, minlength=column.count)[class_of]
    elsewhere = np.bincount(column.truth[has_value], minlength=column.categories)[value] - holders
    nearly = (sizes >= LARGE_CLASS) & (holders >= ONE_SECRET * sizes - GRID)
    nearly &= elsewhere <= MOST_ELSEWHERE * (len(column.ids) - sizes) + GRID
    is_one = np.zeros(column.count, dtype=np.bool_)
    is_one[class_of[(holders == sizes) | nearly]] = True
    return np.asarray(is_one[column.ids])


def _pool_by_shown_value(column: Swapped, people: Ints, prior: Floats) -> tuple[Ints, Floats]:
    """Return the pool number of each of ``people``, and each pool's shares of true values, shape (pools, categories).

    People who show the same value form a pool; if at least 200 people show it, the pool is split into tenths by how
    well the value fits each person. Values that fewer than 20 people show share one estimate of how often they are
    true; the rest follows ``prior``. Where every shown value is true, each value is a pool of its own.

    Parameters
    ----------
    people
        Indices of the people, all with a true and a shown value.
    prior
        Share of each category among everybody, shape (categories,).
    """
    released, truth = column.released[people], column.truth[people]
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


def _pool_by_group(column: Swapped, people: Ints, prior: Floats) -> tuple[Ints, Floats]:
    """Return the group number of each of ``people``, and each group's shares of true values.

    Shares have shape (groups, categories). In each group all or nearly all have one true value. Groups of equal size in
    which equally many show the same commonest value (or several values tie) share one estimate of how often that value
    is the true one; if there are fewer than 20 such groups, they are joined with other rare kinds. The share of members
    with another true value follows ``prior``. Where everybody shows the true value, the shares are those of the true
    values.

    Parameters
    ----------
    people
        Indices of the members, all with a true and a shown value.
    prior
        Share of each category among everybody, shape (categories,).
    """
    groups, group_index = np.unique(column.ids[people], return_inverse=True)
    group_index = group_index.reshape(-1).astype(np.int64)
    count = len(groups)
    tally = np.zeros((count, column.categories))
    np.add.at(tally, (group_index, column.released[people]), 1.0)
    true_tally = np.zeros((count, column.categories))
    np.add.at(true_tally, (group_index, column.truth[people]), 1.0)
    truth, purity = true_tally.argmax(axis=1), true_tally.max(axis=1, keepdims=True) / true_tally.sum(axis=1)[:, None]
    most = tally.max(axis=1)
    common = tally.argmax(axis=1)
    tied = (tally == most[:, None]).sum(axis=1) > 1
    if (column.released[people] == column.truth[people]).all():
        return group_index, true_tally / true_tally.sum(axis=1, keepdims=True)
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
        remainder = 1 - shares[rows].sum(axis=1, keepdims=True)
        shares[rows] += remainder * top / top.sum(axis=1, keepdims=True)
    return group_index, purity * shares + (1 - purity) * prior
