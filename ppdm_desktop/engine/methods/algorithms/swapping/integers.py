"""Whole-number matrices with given row sums and bounded column sums (a small maximum flow)."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints


def filled(rows: Ints, columns: Ints, most: Ints, wish: Floats) -> Ints:
    """Return whole numbers x <= most, column sums at most ``columns``, row sums as near to ``rows`` as can be.

    Starts from the wish rounded down and completes it along augmenting paths, so that the
    row sums are met exactly whenever they can be.

    Parameters
    ----------
    rows, columns
        Row sums and largest column sums, shapes (r,) and (c,), none negative.
    most
        Largest entries, shape (r, c).
    wish
        Entries wanted, shape (r, c).
    """
    x = np.minimum(np.floor(wish + 1e-9), most).astype(np.int64)
    x = _cut(x, columns, axis=0)
    x = _cut(x, rows, axis=1)
    missing = rows - x.sum(axis=1)
    room = columns - x.sum(axis=0)
    for row in np.flatnonzero(missing > 0):
        while missing[row] > 0:
            amount = _augment(x, most, room, int(row), int(missing[row]))
            if amount == 0:
                break
            missing[row] -= amount
    return x


def _cut(x: Ints, sums: Ints, axis: int) -> Ints:
    """Scale down the lines whose sum is too large."""
    found = x.sum(axis=axis)
    factor = np.divide(sums, found, out=np.ones(len(sums)), where=found > sums)
    scaled = np.floor(x * (factor[None, :] if axis == 0 else factor[:, None]))
    return np.asarray(scaled.astype(np.int64))


def _augment(x: Ints, most: Ints, room: Ints, start: int, wanted: int) -> int:
    """Push up to ``wanted`` units from a row to a column with room, shortest path first."""
    rows, columns = x.shape
    from_row = np.full(columns, -1)
    from_column = np.full(rows, -1)
    seen_row = np.zeros(rows, dtype=np.bool_)
    seen_row[start] = True
    queue = [start]
    for row in queue:
        fresh = np.flatnonzero((from_row < 0) & (x[row] < most[row]))
        from_row[fresh] = row
        open_ends = fresh[room[fresh] > 0]
        if len(open_ends):
            return _push(x, most, room, from_row, from_column, int(open_ends[0]), wanted)
        for column in fresh:
            for back in np.flatnonzero((x[:, column] > 0) & ~seen_row):
                seen_row[back] = True
                from_column[back] = column
                queue.append(int(back))
    return 0


def _push(x: Ints, most: Ints, room: Ints, from_row: Ints, from_column: Ints, end: int, wanted: int) -> int:
    path = []
    column = end
    while True:
        row = int(from_row[column])
        path.append((row, column))
        if from_column[row] < 0:
            break
        column = int(from_column[row])
    amount = min(wanted, int(room[end]))
    for step, (row, column) in enumerate(path):
        amount = min(amount, int(most[row, column] - x[row, column]))
        if step + 1 < len(path):
            # The next row of the path lets go of what it holds in this row's entry column.
            amount = min(amount, int(x[row, path[step + 1][1]]))
    for step, (row, column) in enumerate(path):
        x[row, column] += amount
        if step + 1 < len(path):
            x[row, path[step + 1][1]] -= amount
    room[end] -= amount
    return amount
