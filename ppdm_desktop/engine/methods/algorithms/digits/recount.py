"""The proof of a method that treats every level alike, and so covers none."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import LevelProof, Protection
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import RecordLevels


def make_empty_protection(table: Table, column: str) -> Protection:
    """Return a protection by noise of a column that covers no record."""
    # The same for every row, so it takes no memory.
    nobody, no_group = np.broadcast_to(np.bool_(False), table.rows), np.broadcast_to(np.int64(-1), table.rows)
    return Protection(column, "noise", nobody, no_group)


def make_uncovered_proofs(table: Table, column: str) -> tuple[LevelProof, ...]:
    """Return for each level a proof that none of its people are covered in this column, weakest level first.

    As nothing is promised, each counts as met.
    """
    levels: RecordLevels = levels_of(table)
    return tuple(
        LevelProof(level.name, column, int(count), 0, int(count), 0.0, None, None, True)
        for level, count in zip(levels.levels, levels.people_at(table.persons), strict=True)
    )
