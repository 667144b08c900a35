"""One column with noise: perturbed values, their cells, and the released values."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Codes, Floats
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import MOST_DIGITS, step_units, with_scaled
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import ColumnPlan
from ppdm_desktop.engine.methods.algorithms.noise_addition.recount import Cells
from ppdm_desktop.engine.noise.kernels import turned_back
from ppdm_desktop.engine.noise.lattice import nearest_on_grid
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column

_BLOCK = 1 << 15
"""Records processed at a time, few enough for the processor's cache."""


def released_column(plan: ColumnPlan, codes: Codes, noise: Floats, streams: StepStream) -> tuple[Column, Cells]:
    """Return the released column, and the cell from which each of its values was drawn.

    Parameters
    ----------
    plan
        The column's noise and cells.
    codes
        Each record's level, an index into the plan's levels.
    noise
        Drawn with standard deviation 1, one number a record.
    streams
        The step's draws; those of phase 2 come from ``cell <name>``.

    Raises
    ------
    InputError
        When a value would have more digits than can be read back.
    """
    column, lattice, count = plan.column, plan.lattice, len(plan.column)
    step = step_units(plan.style)
    spreads = np.array([level.sd for level in plan.levels], dtype=np.float64)
    widths = np.array([level.width for level in plan.levels], dtype=np.int64)
    # The cells nest, so one draw below the widest serves every level.
    draws = plan.of_rows(streams.stream(f"cell {column.name}").integers(int(widths.max()), plan.draws))
    numbers, released = column.numbers, np.empty(count, dtype=np.int64)
    cells = Cells(np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64))
    for start in range(0, count, _BLOCK):
        progress.check()
        block = slice(start, start + _BLOCK)
        level, present = codes[block], plan.known[block]
        perturbed = (numbers[block] + spreads[level] * noise[block]) / plan.step
        if plan.reflected:
            # Half a step below the lower end lies an edge of the lattice, and one at the upper end: whole cells turn.
            lower_end = lattice.first - 0.5
            period = None if plan.span is None else 2.0 * plan.span
            perturbed = turned_back(perturbed - lower_end, period) + lower_end
        perturbed[~present] = 0.0
        if float(np.abs(perturbed).max()) + float(widths.max()) >= 10**MOST_DIGITS / step:
            raise InputError("error.numeric.too-many-digits", column=column.name, args={"most": MOST_DIGITS})
        width = widths[level]
        cells.width[block] = width
        cells.start[block] = lattice.start_of(nearest_on_grid(perturbed), width)
        resampled = lattice.resample(cells.start[block], width, draws[block])
        if not lattice.holds(resampled, perturbed, width).all():
            raise RuntimeError("a released value is outside the cell of its record")
        released[block] = np.where(present, resampled, 0)
    # ``5`` beside ``5.0`` would tell which values the noise left where they were.
    return with_scaled(column, released * step if step != 1 else released, plan.style, uniform=True), cells
