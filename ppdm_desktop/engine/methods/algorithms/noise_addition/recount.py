"""Checks the promises of continuous noise: values on the grid, in their cells, and enough noise at each level."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.digits.scaled import step_units, style_of
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import ColumnPlan, LevelPlan
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import LevelProof, StepResult
from ppdm_desktop.engine.table.column import Column, Table

ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Cells:
    """The cell in which each record's noisy value lies, in steps of the column's grid.

    Attributes
    ----------
    start
        Lowest grid value of each record's cell.
    width
        Width of this cell.
    """

    start: Ints
    width: Ints

    def hold(self, released: Ints) -> Bools:
        """Return which released values, in grid steps, lie in the cell of their record; bool, shape (records,)."""
        return np.asarray((released >= self.start) & (released < self.start + self.width))


@dataclass(frozen=True, eq=False)
class NoiseResult(StepResult):
    """A step's result with the cells of its noisy values.

    Attributes
    ----------
    cells
        The cells by column. They narrow the noisy values down, so they are never written to a file.
    """

    cells: Mapping[str, Cells] | None = None


def count_off_grid(before: Column, released: Column) -> int:
    """Return how many released values are not multiples of their column's step, plus cells that lost or gained a value.

    If the released column is not numeric, all cells count. The step is that of the released column.
    """
    if released.kind != "numeric" or released.style is None:
        return len(before)
    lost = int(np.count_nonzero(before.missing != released.missing))
    present = ~released.missing
    return lost + int(np.count_nonzero(released.scaled[present] % step_units(style_of(released))))


def count_out_of_cell(released: Column, cells: Cells) -> int:
    """Return how many released values lie outside the cell of their record's noisy value; missing values do not count.

    If the released column is not numeric, all rows count.
    """
    if released.kind != "numeric" or released.style is None:
        return len(released)
    step = step_units(style_of(released))
    return int(np.count_nonzero(~cells.hold(released.scaled // step) & ~released.missing))


def count_beyond_ends(plan: ColumnPlan, released: Column) -> int:
    """Return how many released values lie beyond the ends at which noise is reflected.

    0 if noise is not reflected or the released column is not numeric; without an upper end, only the lower one counts.
    """
    if not plan.reflected or released.kind != "numeric":
        return 0
    numbers = released.numbers[~released.missing]
    high = np.inf if plan.period is None else plan.origin + plan.period / 2
    return int(np.count_nonzero((numbers < plan.origin) | (numbers > high)))


def count_inconstant_people(plan: ColumnPlan, released: Column) -> int:
    """Return how many people show several values although all of their rows got the same noise.

    0 if each row got its own noise, or the released column is not numeric.
    """
    if released.kind != "numeric" or released.style is None:
        return 0
    return int(np.count_nonzero(plan.drawn_for.flag_with_different_codes(released.scaled, ~released.missing)))


def noise_proofs(
    table: Table, plan: ColumnPlan, reported: Sequence[Mapping[str, Any]], *, sound: bool
) -> list[LevelProof]:
    """Return for each privacy level the standard deviation that it demands and the one that the run reported.

    These are the parts of a proof, with the numbers of people with and without a value and the reported privacy loss.
    Levels come weakest first, as in ``plan``. A proof is met if the reported standard deviation and cell width are at
    least as large as demanded; a level that the run did not report is not met.

    Parameters
    ----------
    table
        The step's input.
    plan
        The column's plan, made again from the input.
    reported
        ``detail.columns.<name>.levels`` of the run.
    sound
        Whether every released value is where it should be; if not, no proof is met.
    """
    by_name = {entry["name"]: entry for entry in reported}
    codes, persons = levels_of(table).codes, table.persons
    people = [
        int(persons.with_any(plan.known & (codes == level_index)).sum()) for level_index in range(len(plan.levels))
    ]
    return [
        _build_level_proof(plan, level, count, by_name.get(level.name), sound)
        for level, count in zip(plan.levels, people, strict=True)
    ]


def _build_level_proof(
    plan: ColumnPlan, level: LevelPlan, covered: int, reported: Mapping[str, Any] | None, sound: bool
) -> LevelProof:
    """Return the proof of one privacy level: the standard deviation that it demands, and the reported one.

    It is met if the reported standard deviation and cell width are at least as large as demanded (but for rounding). If
    nothing was reported, it is not met, and the reported standard deviation and privacy loss are None.

    Parameters
    ----------
    covered
        Number of the level's people who have a value.
    reported
        What the run reported about the level; None if nothing.
    sound
        Whether every released value is where it should be; if not, the proof is not met.
    """
    achieved = None if reported is None else float(reported["sd"])
    wide = reported is not None and float(reported["width"]) >= plan.width_of(level) * (1 - ROUNDING)
    enough = achieved is not None and achieved >= level.sd * (1 - ROUNDING)
    loss = None if reported is None else float(reported["privacy_loss"])
    return LevelProof(
        level.name,
        plan.column.name,
        level.records,
        covered,
        level.records - covered,
        level.sd,
        achieved,
        None,
        sound and wide and enough,
        privacy_loss=loss,
    )
