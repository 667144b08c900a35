"""The best single step between two groups: one record moves, or two change places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.tie_breaking import GRID, first_greatest

_CELLS = 1_000_000
"""Numbers in memory at once while pairs are compared."""


@dataclass(frozen=True, eq=False)
class Groups:
    """A grouping with the figures that are needed to compare its members.

    Attributes
    ----------
    needs
        Each record's need.
    order, starts, sizes
        Records by group, where each group starts in that order, and how many it has.
    centres
        Mean of each group.
    centred, squares
        Each record's values less its group's mean, and their sum of squares.
    left_need
        For each record, the largest need among the others of its group.
    group_need
        The largest need in each group.
    """

    needs: Ints
    order: Ints
    starts: Ints
    sizes: Ints
    centres: Floats
    centred: Floats
    squares: Floats
    left_need: Ints
    group_need: Ints

    @classmethod
    def of(
        cls, points: Floats, needs: Ints, group: Ints, before: Groups | None = None, changed: Bools | None = None
    ) -> Groups:
        """Return the figures of groups numbered from 0, none of them empty.

        Parameters
        ----------
        points, needs, group
            Values and need of each record, and its group.
        before, changed
            As many groups before some of them changed, which is used up, and which did.
        """
        order = np.argsort(group, kind="stable")
        sizes = np.bincount(group)
        starts = np.cumsum(sizes) - sizes
        if before is None or changed is None:
            changed = np.ones(len(sizes), dtype=np.bool_)
            centres, centred, squares = (
                np.empty((len(sizes), points.shape[1])),
                np.empty_like(points),
                np.empty(len(points)),
            )
        else:
            centres, centred, squares = before.centres, before.centred, before.squares
        rows, group_sizes = order[np.repeat(changed, sizes)], sizes[changed]
        values, part = points[rows], np.repeat(np.arange(len(group_sizes)), group_sizes)
        # Added one after another, and so the same on every processor.
        means = np.column_stack([np.bincount(part, column) for column in values.T]) / group_sizes[:, None]
        values -= means[part]
        centres[changed] = means
        centred[rows], squares[rows] = values, np.einsum("ij,ij->i", values, values)
        asked = needs[order]
        first = np.maximum.reduceat(asked, starts)
        highest = needs == first[group]
        alone = np.bincount(group[highest], minlength=len(sizes)) == 1
        below = np.where(highest & alone[group], 0, needs)
        second = np.maximum.reduceat(below[order], starts)
        left_need = np.where(highest & alone[group], second[group], first[group])
        return cls(needs, order, starts, sizes, centres, centred, squares, left_need, first)

    def members(self, groups: Ints, width: int) -> tuple[Ints, Bools]:
        """Return the records of some groups, (groups, width), and flags of the filled entries."""
        offset = np.arange(width)
        filled = offset < self.sizes[groups][:, None]
        at = np.where(filled, self.starts[groups][:, None] + offset, 0)
        return self.order[at], filled


def best_steps(groups: Groups, first: Ints, second: Ints) -> tuple[Floats, Ints, Ints]:
    """Return for each pair of groups the gain of the best step, the leaving and the entering record.

    Parameters
    ----------
    groups
        The grouping.
    first, second
        The pairs.
    """
    gain = np.zeros(len(first))
    leaves, enters = (np.full(len(first), -1, dtype=np.int64) for _ in range(2))
    for chunk, width in _chunks(np.maximum(groups.sizes[first], groups.sizes[second]), groups.centred.shape[1]):
        progress.check()
        gain[chunk], leaves[chunk], enters[chunk] = _compare(groups, first[chunk], second[chunk], width)
    return gain, leaves, enters


def _chunks(widths: Ints, columns: int) -> Iterator[tuple[Ints, int]]:
    """Yield (pair indexes, width) of portions of pairs with similar group sizes that fit into memory."""
    largest = int(widths.max(initial=1))
    low, high = 0, 4
    while low < largest:
        here = np.flatnonzero((widths > low) & (widths <= high))
        width = min(high, largest)
        chunk_size = max(1, _CELLS // (width * max(width, 2 * columns)))
        for first in range(0, len(here), chunk_size):
            yield here[first : first + chunk_size], width
        low, high = high, high + max(2, high // 2)


def _compare(groups: Groups, first: Ints, second: Ints, width: int) -> tuple[Floats, Ints, Ints]:
    """Return gain, leaving and entering record of the best step for some pairs of groups."""
    mine, in_mine = groups.members(first, width)
    theirs, in_theirs = groups.members(second, width)
    n_one, n_other = groups.sizes[first][:, None], groups.sizes[second][:, None]
    apart = groups.centres[second] - groups.centres[first]
    # Each about its own centre: differences of far-off values would lose their last digits.
    x, y = (groups.centred.take(rows, axis=0) for rows in (mine, theirs))
    x_squares, y_squares = groups.squares[mine], groups.squares[theirs]
    x_along, y_along = (np.matmul(rows, apart[:, :, None])[:, :, 0] for rows in (x, y))
    between = np.einsum("pi,pi->p", apart, apart)[:, None]
    x_far, y_far = x_squares - 2 * x_along + between, y_squares + 2 * y_along + between
    # A gain is a difference of squares: what is `GRID` of them may be rounding alone.
    scale = between + x_squares.max(axis=1, keepdims=True) + y_far.max(axis=1, keepdims=True)

    # A record leaves for the other group.
    out = _moving(groups, mine, in_mine, n_one, n_other, x_squares, x_far, groups.group_need[second])
    back = _moving(groups, theirs, in_theirs, n_other, n_one, y_squares, y_far, groups.group_need[first])

    # Two records change places: each must find its new group large enough.
    goes = np.where(in_mine & (groups.needs[mine] <= n_other), 0.0, -np.inf)
    comes = np.where(in_theirs & (groups.needs[theirs] <= n_one), 0.0, -np.inf)
    share = 1 / n_one + 1 / n_other
    swap = np.matmul(x, y.transpose(0, 2, 1))
    swap *= -2 * share[:, :, None]
    swap += (2 * (1 - share) * x_along + share * x_squares + goes)[:, :, None]
    swap += (-2 * (y_along + between) + share * y_far + comes)[:, None, :]
    flat = swap.reshape(len(first), -1)
    at = first_greatest(flat, scale)
    line = np.arange(len(first))

    gains = np.stack([flat[line, at], out.max(axis=1), back.max(axis=1)])
    kind = first_greatest(gains.T, scale)
    gain = gains[kind, line]
    gain[gain <= GRID * scale[:, 0]] = 0.0
    moves, returns = (first_greatest(gained, scale) for gained in (out, back))
    leaves = np.where(kind == 0, mine[line, at // width], np.where(kind == 1, mine[line, moves], -1))
    enters = np.where(kind == 0, theirs[line, at % width], np.where(kind == 2, theirs[line, returns], -1))
    return gain, leaves, enters


def _moving(
    groups: Groups, rows: Ints, filled: Bools, n_from: Ints, n_to: Ints, near: Floats, far: Floats, need: Ints
) -> Floats:
    """Return the gain of moving each record to the other group; minus infinity where it may not move."""
    asked = np.maximum(need[:, None], groups.needs[rows])
    allowed = filled & (n_from > 1) & (n_from - 1 >= groups.left_need[rows]) & (n_to + 1 >= asked)
    gain = n_from / np.maximum(n_from - 1, 1) * near - n_to / (n_to + 1) * far
    return np.where(allowed, gain, -np.inf)
