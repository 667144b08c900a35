"""The privacy loss of numbers at each privacy level, which a method can state before it runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Table


@dataclass(frozen=True)
class LevelLoss:
    """The privacy loss that the noise of one privacy level causes in one column.

    Attributes
    ----------
    column, level
        Names of the column and of the privacy level.
    records
        Number of people at the level.
    sd
        Standard deviation of the noise, in the column's unit.
    width
        Width of the cells in which phase 2 draws values, in the column's unit; without phase 2, the column's step.
    loss
        Privacy loss, 1 - 2^(-I) with I in bits: by what share of its width an analyst narrows a value down, on average
        (0.29 means 29 % better informed).
    pi
        Privacy left, Π(X | released), in the column's unit: the width of the interval in which a uniformly distributed
        value would be equally uncertain.
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
    """A method that can state the privacy loss at each privacy level before the run."""

    def level_losses(self, table: Table, settings: Settings) -> tuple[LevelLoss, ...]:
        """Return the privacy loss by column and, within a column, by privacy level, weakest level first."""

    def change_by_cells(self, table: Table, settings: Settings) -> float | None:
        """Return by how much the method's second phase changes the privacy loss of any column and level at most.

        It is a number from 0 to 1; None where these settings have no second phase.
        """
