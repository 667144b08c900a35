"""Phase I in whole numbers: how little the totals of the categories can change (Li & Sarkar 2004, problem 1).

With m_g changes due among the unique records of level g, N_gk of them in category k, and v_k records that groups force
out of k, let M be the sum of all. A category that loses L records can take back at most M - L, so the totals are kept
exactly if no category loses more than half of M.
"""

from __future__ import annotations

import itertools

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints

# Up to this many levels, or categories, all 2**g sets of them are looked at; beyond, a flow decides.
_MOST_SETS = 8


def _list_subsets(members: int) -> Ints:
    """Return all subsets of ``members`` items as rows of 0 and 1, shape (2 ** members, members)."""
    return np.array(list(itertools.product((0, 1), repeat=members)), dtype=np.int64).reshape(-1, members)


def least_largest_outflow(available: Ints, changes: Ints, forced: Ints) -> int:
    """Return L, the smallest possible value of the largest number of records that any category loses.

    For 4 changes among 5 and 5 records of two categories it is 2. Forced losses count as well, so L is at least the
    largest of them. It is the least such L for which each set S of levels can place its changes: sum of m over S <= sum
    over k of min(L - v_k, records of S in k).

    Parameters
    ----------
    available
        N, shape (levels, categories): number of records that may change.
    changes
        m, shape (levels,): number of records of each level that change, at most the level's records.
    forced
        v, shape (categories,): number of group members that leave each category in any case.
    """
    low = int(forced.max(initial=0))
    high = low + int(available.sum(axis=0).max(initial=0))
    while low < high:
        middle = (low + high) // 2
        if can_place_changes(available, changes[None], (middle - forced)[None])[0]:
            high = middle
        else:
            low = middle + 1
    return low


def can_place_changes(available: Ints, changes: Ints, capacity: Ints) -> Bools:
    """Return for each case whether the levels can make all their changes without too many losses; bool, shape (cases,).

    Too many are more than the ``capacity`` of a category, or more than the level's records in it. A case with a
    negative capacity is False. This is a flow from levels to categories, which is large enough if no cut is smaller
    (Ford and Fulkerson). With at most eight levels, all sets of levels are compared, otherwise all sets of at most
    eight categories; with more of both, the flow itself is computed.

    Parameters
    ----------
    available
        N, shape (levels, categories): number of records that may change.
    changes, capacity
        Number of changes of each level, shape (cases, levels), and most losses of each category, shape (cases,
        categories).
    """
    levels, categories = available.shape
    good: Bools = np.asarray((capacity >= 0).all(axis=1))
    if levels <= _MOST_SETS:
        for chosen in _list_subsets(levels):
            good &= changes @ chosen <= np.minimum(capacity, chosen @ available).sum(axis=1)
    elif categories <= _MOST_SETS:
        for chosen in _list_subsets(categories):
            elsewhere = available @ (1 - chosen)
            good &= np.maximum(changes - elsewhere, 0).sum(axis=1) <= capacity @ chosen
    else:
        for case in np.flatnonzero(good).tolist():
            placed = fill_matrix(changes[case], capacity[case], available, np.zeros(available.shape))
            good[case] = int(placed.sum()) == int(changes[case].sum())
    return good


def least_departure(available: Ints, changes: Ints, forced: Ints) -> int:
    """Return the smallest possible sum over categories of |records after - records before|.

    The optimum of the paper's phase I in whole numbers, with groups: 2 max(0, 2L - M).

    Parameters
    ----------
    available, changes, forced
        Records that may change, changes of each level and forced changes, as for ``least_largest_outflow``.
    """
    moved = int(changes.sum() + forced.sum())
    return 2 * max(0, 2 * least_largest_outflow(available, changes, forced) - moved)


def forced_loser(available: Ints, changes: Ints, forced: Ints) -> int | None:
    """Return a category that loses at least half of all changed records in every choice; None if there is none.

    All records that leave other categories must then come to it, so that the totals change as little as possible. If 8
    of 1, 1 and 20 records change, it is the third category, which loses at least 6. Of several categories, the one that
    must lose most is returned, ties by index; so it is 0 if no record changes.

    Parameters
    ----------
    available, changes, forced
        Records that may change, changes of each level and forced changes, as for ``least_largest_outflow``.
    """
    moved = int(changes.sum() + forced.sum())
    elsewhere = np.minimum(changes[:, None], available.sum(axis=1, keepdims=True) - available)
    least = forced + (changes[:, None] - elsewhere).sum(axis=0)
    loser = int(least.argmax())
    return loser if 2 * int(least[loser]) >= moved else None


def balanced_outflow(available: Ints, changes: Ints, forced: Ints, wish: Floats | None = None) -> Ints:
    """Return how many unique records leave each category, int64, shape (levels, categories).

    No category loses more records, group members included, than ``least_largest_outflow`` says, so that the totals can
    stay as near to the present ones as these changes allow (``least_departure``): if 8 of 10, 10 and 20 records change,
    3, 2 and 3 leave, because no category needs to lose more than 3. Members of groups (``forced``) are not counted in
    the result.

    Parameters
    ----------
    available, changes, forced
        Records that may change, changes of each level and forced changes, as for ``least_largest_outflow``.
    wish
        Wanted shares if there is a choice, shape (levels, categories); by default, in proportion to each level's
        records.
    """
    limit = least_largest_outflow(available, changes, forced)
    weight = available.astype(np.float64) if wish is None else wish * (available > 0)
    total = weight.sum(axis=1, keepdims=True)
    wanted = changes[:, None] * np.divide(weight, total, out=np.zeros_like(weight), where=total > 0)
    return fill_matrix(changes, limit - forced, available, wanted)


def balanced_inflow(outflow: Ints, marginal: Ints) -> Ints:
    """Return how many changed records each category receives, given how many each one loses.

    It receives as many as it loses if that is possible. If one category loses more than half of all, it receives what
    the others lose. Each of the others then receives as many as it loses and, in addition, a share of the rest in
    proportion to its size (equal shares if all are empty). Fractions go by largest remainder, ties to the lower
    category. Losses of 4, 1 and 1, where the second and third category have 30 and 10 records, give 2, 3 and 1.

    Parameters
    ----------
    outflow
        Number of changed records that leave each category, forced ones included.
    marginal
        Number of records of each category.
    """
    moved = int(outflow.sum())
    surplus = 2 * int(outflow.max(initial=0)) - moved
    if surplus <= 0:
        return outflow.copy()
    loser = int(outflow.argmax())
    weights = marginal.astype(np.float64)
    weights[loser] = 0.0
    if not weights.any():
        weights[:] = 1.0
        weights[loser] = 0.0
    shares = surplus * weights / weights.sum()
    extra = np.floor(shares).astype(np.int64)
    order = np.argsort(-(shares - extra), kind="stable")
    order = order[order != loser]
    extra[order[: surplus - int(extra.sum())]] += 1
    inflow = np.asarray(outflow + extra)
    inflow[loser] = moved - int(outflow[loser])
    return inflow


def flow_matrix(outflow: Ints, inflow: Ints, wish: Floats | None = None) -> Ints:
    """Return the numbers n[k, h] of records that move from category k to h, diagonal 0 (the paper's n_kh).

    int64, shape (categories, categories). No sum is above ``outflow`` or ``inflow``; all are equal to these if
    possible. If 3, 2 and 1 records leave the categories and as many come, the rows are (0, 2, 1), (2, 0, 0) and (1, 0,
    0).

    Parameters
    ----------
    outflow, inflow
        Wanted row and column sums, with equal totals; possible if outflow + inflow of no category exceeds the total.
    wish
        Relative weights, to which the entries come near, shape (categories, categories); all equal if left out.
    """
    categories = len(outflow)
    cells = np.ones((categories, categories)) if wish is None else wish.copy()
    np.fill_diagonal(cells, 0.0)
    for _ in range(60):
        for axis, sums in ((1, outflow), (0, inflow)):
            totals = cells.sum(axis=axis, keepdims=True)
            target = sums[:, None] if axis == 1 else sums[None, :]
            cells = cells * np.divide(target, totals, out=np.zeros_like(totals), where=totals > 0)
    most = np.full((categories, categories), int(outflow.sum()), dtype=np.int64)
    np.fill_diagonal(most, 0)
    return fill_matrix(outflow, inflow, most, np.asarray(cells))


def fill_matrix(rows: Ints, columns: Ints, most: Ints, wish: Floats) -> Ints:
    """Return whole numbers, shape (r, c), with the largest total that the limits of rows, columns and entries allow.

    No row sum exceeds ``rows``, no column sum ``columns``, and no entry ``most``; the row sums are equal to ``rows``
    whenever they can be. It starts from the wish, rounded down (and scaled down where a sum is too large), and
    completes it along augmenting paths.

    Parameters
    ----------
    rows, columns
        Wanted row sums and largest column sums, shapes (r,) and (c,), none negative.
    most
        Largest entries, shape (r, c).
    wish
        Wanted entries, not negative, shape (r, c).
    """
    x = np.minimum(np.floor(wish + 1e-9), most).astype(np.int64)
    x = _scale_down_lines(x, columns, axis=0)
    x = _scale_down_lines(x, rows, axis=1)
    missing = rows - x.sum(axis=1)
    capacity = columns - x.sum(axis=0)
    for row in np.flatnonzero(missing > 0):
        while missing[row] > 0:
            amount = _move_units(x, most, capacity, int(row), int(missing[row]))
            if amount == 0:
                break
            missing[row] -= amount
    return x


def _scale_down_lines(x: Ints, sums: Ints, axis: int) -> Ints:
    """Return the entries, scaled and rounded down in lines whose sum is above ``sums``.

    Lines are columns for ``axis`` 0 and rows for 1; ``x`` itself is not changed.
    """
    totals = x.sum(axis=axis)
    factor = np.divide(sums, totals, out=np.ones(len(sums)), where=totals > sums)
    scaled = np.floor(x * (factor[None, :] if axis == 0 else factor[:, None]))
    return np.asarray(scaled.astype(np.int64))


def _move_units(x: Ints, most: Ints, capacity: Ints, start: int, wanted: int) -> int:
    """Add units to a row of a matrix along the shortest augmenting path; return how many were added.

    At most ``wanted`` units are added; fewer if the path has less capacity, and a further call may then find another
    path. Other rows may move units between columns, so that their sums stay. 0 if no path leads to a column with
    capacity left.

    Parameters
    ----------
    x
        The matrix, changed in place.
    most
        Largest value of each entry.
    capacity
        How many units each column can still take; changed in place.
    start
        Index of the row.
    """
    rows, columns = x.shape
    from_row = np.full(columns, -1)
    from_column = np.full(rows, -1)
    seen_row = np.zeros(rows, dtype=np.bool_)
    seen_row[start] = True
    queue = [start]
    for row in queue:
        fresh = np.flatnonzero((from_row < 0) & (x[row] < most[row]))
        from_row[fresh] = row
        open_ends = fresh[capacity[fresh] > 0]
        if len(open_ends):
            return _move_along_path(x, most, capacity, from_row, from_column, int(open_ends[0]), wanted)
        for column in fresh:
            for back in np.flatnonzero((x[:, column] > 0) & ~seen_row):
                seen_row[back] = True
                from_column[back] = column
                queue.append(int(back))
    return 0


def _move_along_path(
    x: Ints, most: Ints, capacity: Ints, from_row: Ints, from_column: Ints, end: int, wanted: int
) -> int:
    """Add units along the augmenting path that ends at the column ``end``; return how many were added.

    It adds as many as the path can take, at most ``wanted``. ``x`` (the matrix) and ``capacity`` (what each column can
    still take) are changed in place, and ``most`` are the largest entries. ``from_row`` is the row from which each
    column was reached, ``from_column`` the column from which each row was reached, -1 for the first row.
    """
    path = []
    column = end
    while True:
        row = int(from_row[column])
        path.append((row, column))
        if from_column[row] < 0:
            break
        column = int(from_column[row])
    amount = min(wanted, int(capacity[end]))
    for step, (row, column) in enumerate(path):
        amount = min(amount, int(most[row, column] - x[row, column]))
        if step + 1 < len(path):
            # The next row of the path lets go of what it holds in this row's entry column.
            amount = min(amount, int(x[row, path[step + 1][1]]))
    for step, (row, column) in enumerate(path):
        x[row, column] += amount
        if step + 1 < len(path):
            x[row, path[step + 1][1]] -= amount
    capacity[end] -= amount
    return amount
