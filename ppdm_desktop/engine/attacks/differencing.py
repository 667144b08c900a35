"""The differencing attack: comparing a release before and after a person joined or left the groups.

Own rule. The intruder has both files and, at worst, knows which rows belong to one group and the exact statistics
that the rows of each group were drawn from. Rows that are in both files say nothing new. For a group that was
generated again the intruder subtracts the earlier statistics from the later ones: the difference is the sum of all
who joined or left it in between, and a single person's values where there was one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints


@dataclass(frozen=True, eq=False)
class Seen:
    """How well people who joined or left are hidden from an intruder who compares an earlier and a later release.

    Attributes
    ----------
    joined, left
        int64: for each person who joined, or left, the number of people among whom they cannot be distinguished.
    """

    joined: Ints
    left: Ints


def compute_anonymity_sets(
    before: Sequence[tuple[str, ...]],
    before_group: Ints,
    after: Sequence[tuple[str, ...]],
    after_group: Ints,
    *,
    family: Ints,
    origin: Ints,
    from_rows: Bools,
    joined: Ints,
    left: Ints,
) -> Seen:
    """Return for each person who joined or left among how many people they stay hidden.

    The rows counted are those of the earlier file that are gone, and those of the later file that are new. A person who
    joined is hidden among those who joined groups of the same origin, or among the new rows there if these are fewer:
    among 2 if 3 people joined and 2 rows are new, and among 0 if no row is. A group without an earlier one counts by
    itself. A person who left is hidden among all earlier rows of the family's groups, those that lost no row included,
    because the removed rows were drawn at random. If a group of the family got new rows drawn from people's statistics,
    or none of its groups lost a row, they are hidden only among those who left the family together.

    Parameters
    ----------
    before, before_group
        The rows of the earlier file, and the group of each.
    after, after_group
        The rows of the later file, and the group of each.
    family
        int64, shape (earlier groups,): the family of each group. A family is a set of groups of which an intruder does
        not know which one a person was in.
    origin
        int64, shape (later groups,): the earlier group from which each was made, -1 for none.
    from_rows
        bool, shape (earlier groups,): whether later rows come from the group's released rows alone.
    joined
        int64: the later group of each person who joined.
    left
        int64: the family of each person who left.
    """
    old, new = _match_rows(before, before_group.tolist(), after, origin[after_group].tolist())
    gone_of = np.bincount(before_group[~old], minlength=len(family))
    size_of = np.bincount(before_group, minlength=len(family))
    # Groups that people founded count each for itself, behind those that were there.
    unit = np.where(origin >= 0, origin, len(family) + np.arange(len(origin)))
    units = len(family) + len(origin)
    new_of = np.bincount(unit[after_group[~new]], minlength=units)
    joined_of = np.bincount(unit[joined], minlength=units)
    together = np.minimum(joined_of, new_of)[unit[joined]]
    drawn = new_of[: len(family)] > 0
    set_sizes = np.empty(len(left), dtype=np.int64)
    for index, person in enumerate(left.tolist()):
        members = np.flatnonzero(family == person)
        lost = members[gone_of[members] > 0]
        is_visible = bool((drawn[members] & ~from_rows[members]).any())
        set_sizes[index] = np.count_nonzero(left == person) if is_visible or not len(lost) else size_of[members].sum()
    return Seen(together, set_sizes)


def _match_rows(
    before: Sequence[tuple[str, ...]], before_unit: list[int], after: Sequence[tuple[str, ...]], after_unit: list[int]
) -> tuple[Bools, Bools]:
    """Return flags of the earlier rows that are in the later file, and of the later rows in the earlier file.

    Two rows match if they are equal and were made from the same group (``before_unit`` and ``after_unit``), and each
    row matches at most one row of the other file: of two equal earlier rows and a single later one, one earlier row
    stays unmatched. Units are numbers of groups in the earlier file, -1 for a later row from none, which matches no
    row.
    """
    places: dict[tuple[int, tuple[str, ...]], list[int]] = {}
    for index, row in enumerate(before):
        places.setdefault((before_unit[index], row), []).append(index)
    old, new = np.zeros(len(before), dtype=np.bool_), np.zeros(len(after), dtype=np.bool_)
    for index, row in enumerate(after):
        if same := places.get((after_unit[index], row)):
            old[same.pop()] = new[index] = True
    return old, new
