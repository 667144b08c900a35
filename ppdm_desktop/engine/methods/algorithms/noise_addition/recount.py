"""Recounts the promises of continuous noise: values on the grid, in their cells, noise by level."""

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
    """The cell of each record's perturbed value, in steps.

    Attributes
    ----------
    start
        Lowest grid value of the record's own cell.
    width
        Width of that cell.
    """

    start: Ints
    width: Ints

    def hold(self, released: Ints) -> Bools:
        """Return which released values, in grid steps, lie in the cell of their record; bool, shape (records,)."""
        return np.asarray((released >= self.start) & (released < self.start + self.width))


@dataclass(frozen=True, eq=False)
class NoiseResult(StepResult):
    """A step's result with the cells of its perturbed values, which are never written to a file.

    Attributes
    ----------
    cells
        By column; they would narrow the perturbed value down and are never written.
    """

    cells: Mapping[str, Cells] | None = None


def count_off_grid(before: Column, released: Column) -> int:
    """Return how many released values are no multiple of the release's step, plus cells that lost or gained a value.

    It is the number of all cells where the release is no column of numbers.
    """
    if released.kind != "numeric" or released.style is None:
        return len(before)
    lost = int(np.count_nonzero(before.missing != released.missing))
    present = ~released.missing
    return lost + int(np.count_nonzero(released.scaled[present] % step_units(style_of(released))))


def count_out_of_cell(released: Column, cells: Cells) -> int:
    """Return how many released values lie outside the cell of their record's perturbed value; missing ones do not.

    It is the number of all rows where the release is no column of numbers.
    """
    if released.kind != "numeric" or released.style is None:
        return len(released)
    step = step_units(style_of(released))
    return int(np.count_nonzero(~cells.hold(released.scaled // step) & ~released.missing))


def count_beyond_ends(plan: ColumnPlan, released: Column) -> int:
    """Return how many released values lie beyond the ends at which noise is reflected.

    0 where noise is not reflected, or the release is no column of numbers; without an upper end only the lower counts.
    """
    if not plan.reflected or released.kind != "numeric":
        return 0
    numbers = released.numbers[~released.missing]
    high = np.inf if plan.period is None else plan.origin + plan.period / 2
    return int(np.count_nonzero((numbers < plan.origin) | (numbers > high)))


def count_inconstant_people(plan: ColumnPlan, released: Column) -> int:
    """Return how many people show several values where their rows got one draw of noise.

    0 where each row was drawn by itself, and where the release is no column of numbers.
    """
    if released.kind != "numeric" or released.style is None:
        return 0
    return int(np.count_nonzero(plan.drawn_for.split_by(released.scaled, ~released.missing)))


def noise_proofs(
    table: Table, plan: ColumnPlan, reported: Sequence[Mapping[str, Any]], *, sound: bool
) -> list[LevelProof]:
    """Return for each level the standard deviation that it demands and the one that the run reports.

    A proof is met where the reported standard deviation and cell width are at least as large as demanded; a level that
    the run does not report is not met.

    Parameters
    ----------
    table
        The step's input.
    plan
        The column's plan, rebuilt from the input.
    reported
        ``detail.columns.<name>.levels`` of the run.
    sound
        Whether every released value is where it should be; without it no proof is met.
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
    """Return one level's proof: its demanded standard deviation and the reported one.

    ``covered`` is the number of its people with a value; ``reported`` None where the run says nothing of it.
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
