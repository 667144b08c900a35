"""The privacy loss at each privacy level, computed before anything is drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import ColumnPlan, plan_columns
from ppdm_desktop.engine.methods.base.level_losses import LevelLoss
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.noise.information import channel_loss
from ppdm_desktop.engine.noise.kernels import NoiseKind, NoiseLaw
from ppdm_desktop.engine.table.column import Table

MOST_BINS = 64


def preview_losses(table: Table, settings: Settings) -> tuple[LevelLoss, ...]:
    """Return the privacy loss of every column and level, computed from counted values, so it is quick.

    Raises
    ------
    InputError
        As ``plan_columns``.
    """
    return plan_losses(plan_columns(table, settings), settings.values["noise"])


def plan_losses(plans: Sequence[ColumnPlan], kind: NoiseKind) -> tuple[LevelLoss, ...]:
    """Return the privacy loss of each column at each level of its plan, column by column, weakest level first."""
    level_losses = []
    for plan in plans:
        edges, shares = histogram(plan)
        losses: dict[tuple[float, int], tuple[float, float]] = {}
        for level in plan.levels:
            key = (level.sd, level.width)
            if key not in losses:
                measured = channel_loss(
                    edges,
                    shares,
                    NoiseLaw(kind, level.sd, plan.period),
                    cell_width=plan.width_of(level),
                    origin=plan.origin,
                    reflected=plan.reflected,
                )
                losses[key] = measured.loss, measured.conditional_pi
            level_losses.append(
                LevelLoss(plan.column.name, level.name, level.records, level.sd, plan.width_of(level), *losses[key])
            )
    return tuple(level_losses)


def histogram(plan: ColumnPlan) -> tuple[Floats, Floats]:
    """Return edges, shape (T + 1,), and counts, shape (T,), of a column's values in cells of equal width.

    At most ``MOST_BINS`` cells, single grid values where they are few; edges are in the column's unit.
    """
    values = plan.column.numbers[plan.known]
    lowest, highest = float(values.min()), float(values.max())
    steps = round((highest - lowest) / plan.step) + 1
    count = min(steps, MOST_BINS)
    width = plan.step * (-(-steps // count))
    # The cells are as wide as whole steps, so that each holds as many grid values as the next.
    count = max(1, -(-steps // round(width / plan.step)))
    low = lowest - plan.step / 2
    counts, edges = np.histogram(values, bins=count, range=(low, low + count * width))
    edges = np.asarray(edges, dtype=np.float64)
    edges[-1] = highest + plan.step / 2  # the last cell may be less than full
    return edges, np.asarray(counts, dtype=np.float64)
