"""`proportion = "largest-balanced"`: the greatest share of changes that keeps the marginal."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.swapping.balance import least_departure
from ppdm_desktop.engine.methods.algorithms.swapping.demands import ROUNDED_FROM, DemandClass, ceiling
from ppdm_desktop.engine.progress import Progress

_CHUNK = 4_096
_COARSE = 257


@dataclass(frozen=True)
class Largest:
    """What was chosen.

    Attributes
    ----------
    proportion
        Share of the weakest level's unique records.
    group_share
        Share of the members of groups at the weakest level; 0 is one member.
    changes
        Changes due in each demand class.
    """

    proportion: Fraction
    group_share: Fraction
    changes: tuple[int, ...]


def largest_balanced(
    available: Ints,
    classes: Sequence[DemandClass],
    drawn: Floats,
    shares: Sequence[Fraction],
    forced_by: Callable[[Fraction], Ints],
    progress: Progress,
) -> Largest:
    """Choose by least departure, then greatest proportion, then greatest group share.

    The proportion is at most (C-1)/C and moves at least one record; classes of stricter
    levels change the larger of it and their own share.

    Parameters
    ----------
    available
        N[class, category].
    classes
        The demand classes; those that follow take the proportion chosen.
    drawn
        The key's uniform numbers of the count rule, one a class.
    shares
        Group shares to choose among, rising; one when it was written.
    forced_by
        Forced outflow of each category under a group share.
    """
    categories = available.shape[1]
    sizes = available.sum(axis=1)
    follows = np.array([each.follows for each in classes])
    base = int(sizes[follows].sum())
    most = max(1, int(ceiling(categories) * base)) if base else 0
    best: tuple[int, int, Fraction] | None = None
    for share in shares:
        forced = forced_by(share)
        # A later share must do better in departure, or as well with at least the same proportion.
        floor = 1 if best is None or best[0] > 0 else best[1]
        found = _greatest(available, classes, sizes, drawn, base, (min(floor, most), most), forced, progress)
        if found is None:
            continue
        if best is None or (found[0], -found[1]) <= (best[0], -best[1]):
            best = (*found, share)
    assert best is not None
    proportion = Fraction(best[1], base) if base else min(each.swap for each in classes)
    due = _changes(np.array([best[1]]), classes, sizes, drawn, base)[0]
    return Largest(proportion, best[2], tuple(int(n) for n in due))


def _changes(candidates: Ints, classes: Sequence[DemandClass], sizes: Ints, drawn: Floats, base: int) -> Ints:
    """Return the changes due in each class for each candidate count, shape (candidates, classes)."""
    due = np.empty((len(candidates), len(classes)), dtype=np.int64)
    for index, each in enumerate(classes):
        if each.follows:
            # All classes that follow share the candidate count as one (there is one weakest level).
            due[:, index] = candidates
            continue
        size = int(sizes[index])
        share = np.maximum(candidates / max(base, 1), float(each.swap))
        exact = share * size
        nearest = np.rint(exact)
        whole = np.where(np.abs(exact - nearest) < 1e-9, nearest, np.floor(exact))
        rest = np.maximum(exact - whole, 0.0)
        up = rest >= 0.5 if size >= ROUNDED_FROM else drawn[index] < rest
        due[:, index] = np.minimum(whole + up, size).astype(np.int64)
    return due


def _greatest(
    available: Ints,
    classes: Sequence[DemandClass],
    sizes: Ints,
    drawn: Floats,
    base: int,
    span: tuple[int, int],
    forced: Ints,
    progress: Progress,
) -> tuple[int, int] | None:
    """Return (least departure, greatest count that reaches it) among counts of a span."""
    low, high = span
    if low > high:
        return None
    for top in range(high, low - 1, -_CHUNK):
        progress.check()
        candidates = np.arange(top, max(top - _CHUNK, low - 1), -1)
        due = _changes(candidates, classes, sizes, drawn, base)
        kept = np.flatnonzero(_keeps_marginal(available, due, forced))
        if len(kept):
            return 0, int(candidates[kept[0]])

    def departure(count: int) -> int:
        return least_departure(available, _changes(np.array([count]), classes, sizes, drawn, base)[0], forced)

    # The departure is convex in the count up to the parity of whole numbers: look coarsely,
    # then at every count of the step around the best.
    while high - low > 2 * _COARSE:
        progress.check()
        grid = np.unique(np.linspace(low, high, _COARSE).astype(np.int64))
        values = np.array([departure(int(count)) for count in grid])
        near = np.flatnonzero(values <= values.min() + 4)
        low, high = int(grid[max(near[-1] - 1, 0)]), int(grid[min(near[-1] + 1, len(grid) - 1)])
    progress.check()
    least, negative = min((departure(count), -count) for count in range(low, high + 1))
    return least, -negative


def _keeps_marginal(available: Ints, due: Ints, forced: Ints) -> Bools:
    """Say for each row of changes whether no category need lose more than half of all."""
    half = (due.sum(axis=1) + int(forced.sum())) // 2
    good = half >= int(forced.max(initial=0))
    room = half[:, None] - forced
    for chosen in itertools.product((0, 1), repeat=len(available)):
        pick = np.array(chosen)
        good &= due @ pick <= np.minimum(room, pick @ available).sum(axis=1)
    return np.asarray(good)
