"""The privacy loss of a number at each protection level, which a method states before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Table


@dataclass(frozen=True)
class LevelLoss:
    """The privacy that the noise of one level leaves to one column.

    Attributes
    ----------
    column, level
        Names.
    records
        Records at the level.
    sd
        The noise's standard deviation, in the column's unit.
    width
        Width of the cells of phase 2, in the column's unit; the column's step where there is none.
    loss
        Privacy loss, 1 - 2^(-I) with I in bits: by what share of its width an analyst narrows
        a value down, on average (0.29 means 29 % better informed).
    pi
        Privacy left, Π(X | released), in the column's unit: the width of the interval that a
        uniform value of the same uncertainty would have.
    """

    column: str
    level: str
    records: int
    sd: float
    width: float
    loss: float
    pi: float


@runtime_checkable
class PreviewsLosses(Protocol):
    """A method that states the privacy loss at each level before the run; the page of levels shows it."""

    def level_losses(self, table: Table, settings: Settings) -> tuple[LevelLoss, ...]:
        """Return the privacy loss of every column at every protection level, column by column, weakest level first."""

    def change_by_cells(self, table: Table, settings: Settings) -> float | None:
        """Return the largest change of any privacy loss (a number from 0 to 1) by the method's second phase.

        None where these settings have no second phase.
        """
