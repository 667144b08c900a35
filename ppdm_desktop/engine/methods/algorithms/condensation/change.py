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
        int64, shape (earlier rows,): the group each of its rows was made from.
    family
        int64, shape (earlier groups,): groups of one family are distinguished for nobody.
    origin
        int64, shape (groups now,): the earlier group that each came out of, -1 where new people formed it.
    from_rows
        bool, shape (earlier groups,): whether what is kept of a group was worked out again from its released rows, so
        that nothing released now was drawn from what was kept of its people.
    after_group
        int64, shape (rows now,): the group of each released row, in the order of the run (not of the file).
    joined, joined_needs
        int64, equally long: for each person who joined the group now, and the group they ask for.
    left, left_needs
        int64, equally long: for each person who left the family they were counted in, and what they asked for.
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
    """What a step keeps in memory that continues an earlier release.

    Attributes
    ----------
    change
        What changed since.
    """

    change: Change
