"""Protections and proofs of a method that treats all privacy levels alike, and so protects no record."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import LevelProof, Protection
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import RecordLevels


def make_empty_protection(table: Table, column: str) -> Protection:
    """Return a protection of a column in which no record counts as protected."""
    # The same for every row, so it takes no memory.
    no_rows, no_group = np.broadcast_to(np.bool_(False), table.rows), np.broadcast_to(np.int64(-1), table.rows)
    return Protection(column, "noise", no_rows, no_group)


def make_uncovered_proofs(table: Table, column: str) -> tuple[LevelProof, ...]:
    """Return for each privacy level, weakest first, a proof that none of its people are protected in a column.

    A proof is the numbers of the level's people who are protected and who are not. As nothing is promised, each counts
    as met.
    """
    levels: RecordLevels = levels_of(table)
    return tuple(
        LevelProof(level.name, column, int(count), 0, int(count), 0.0, None, None, True)
        for level, count in zip(levels.levels, levels.people_at(table.persons), strict=True)
    )
