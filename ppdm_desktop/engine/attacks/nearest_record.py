"""The nearest-record attack on records made from groups (condensation, microaggregation).

An intruder knows a person's true values and looks for the released record most like them. If that record comes from
the person's own group, the group is found; which member the person is cannot be seen, so the person is re-identified
with chance 1/size. Among equally near released records one is taken at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.gower import Values, nearest_looks

MOST_TARGETS, FEWEST_TARGETS = 2_000, 300
MOST_COMPARISONS = 200_000_000


@dataclass(frozen=True, eq=False)
class Linked:
    """The gain of the attack on each target.

    Attributes
    ----------
    in_own_group
        Shape (targets,): chance that the record taken comes from the target's own group.
    gain
        The same times 1 / size of that group: chance that the person is named.
    most
        The largest gain there could be on each target, 1 / size.
    """

    in_own_group: Floats
    gain: Floats
    most: Floats


def most_targets(records: Values, released: Values) -> int:
    """Return how many people to attack.

    `MOST_TARGETS`; where every target has to be compared with every released row (names, gaps), as many as need no
    more than `MOST_COMPARISONS`, but at least `FEWEST_TARGETS`.
    """
    if not (records.needs_blocks or released.needs_blocks):
        return MOST_TARGETS
    return int(np.clip(MOST_COMPARISONS // max(len(released), 1), FEWEST_TARGETS, MOST_TARGETS))


def nearest_record(targets: Values, target_group: Ints, released: Values, released_group: Ints, sizes: Ints) -> Linked:
    """Return the gain of the nearest-record attack on each target.

    Parameters
    ----------
    targets
        True values of the people looked for.
    target_group, released_group
        Group of each target and of each released row, 0 and up.
    released
        The release, the same columns.
    sizes
        int64, shape (groups,): people in each group.
    """
    near = nearest_looks(targets, released)
    groups = len(sizes)
    # Rows of every look, and of every look from every group.
    rows = np.bincount(near.look)
    pairs, counts = np.unique(near.look * groups + released_group, return_counts=True)
    wanted = near.found * groups + target_group[near.target]
    index = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    draw = np.where(pairs[index] == wanted, counts[index], 0)
    total = np.bincount(near.target, rows[near.found], len(targets))
    hit = np.bincount(near.target, draw, len(targets)) / total
    most = 1.0 / sizes[target_group]
    return Linked(hit, hit * most, most)
