"""The probabilities with which categories change, which a method may publish."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Table


@dataclass(frozen=True, eq=False)
class CategoryChances:
    """The probabilities with which one column's categories change, averaged over all people.

    Attributes
    ----------
    redrawn
        Probability that a value is replaced by a random draw.
    shares
        Probability of each category in such a draw, float64, shape (categories,).
    """

    redrawn: float
    shares: Floats


@runtime_checkable
class StatesChances(Protocol):
    """A method that changes categories with probabilities that recipients may know."""

    def category_chances(self, table: Table, settings: Settings) -> dict[str, CategoryChances]:
        """Return, by column name, the probabilities with which categories change; unchanged columns are left out."""
