"""The changes between two releases of the same groups: who joined, who left, and the earlier rows."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.table.column import Column


@dataclass(frozen=True, eq=False)
class Change:
    """People who joined or left between two releases, and the rows of the earlier release.

    Attributes
    ----------
    before
        Released columns of the earlier release, texts as read back, in the order of its file.
    before_group
        int64, shape (earlier rows,): the group that each earlier row was made from.
    family
        int64, shape (earlier groups,): the family of each group, a set of groups of which nobody knows which one a
        person was in.
    origin
        int64, shape (groups now,): the earlier group that each group came from, -1 where new people formed it.
    from_rows
        bool, shape (earlier groups,): whether a group's statistics were computed again from its released rows, so that
        no row released now was drawn from statistics of its people.
    after_group
        int64, shape (rows now,): the group of each released row, in the order of the run (not of the file).
    joined, joined_needs
        int64, equally long: for each person who joined, their present group and the group size they ask for.
    left, left_needs
        int64, equally long: for each person who left, the family they were counted in and the group size they asked
        for.
    """

    before: tuple[Column, ...]
    before_group: Ints
    family: Ints
    origin: Ints
    from_rows: Bools
    after_group: Ints
    joined: Ints
    joined_needs: Ints
    left: Ints
    left_needs: Ints


@dataclass(frozen=True, eq=False)
class Renewed:
    """What a step that continues an earlier release keeps in memory.

    Attributes
    ----------
    change
        The changes since the earlier release.
    """

    change: Change
