"""The chances by which categories change, which a method may make public."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Table


@dataclass(frozen=True, eq=False)
class CategoryChances:
    """The chances of one column, averaged over the people of all levels.

    Attributes
    ----------
    redrawn
        Chance that a value is drawn again.
    shares
        Shares in which values are drawn, float64, shape (categories,).
    """

    redrawn: float
    shares: Floats


@runtime_checkable
class StatesChances(Protocol):
    """A method that changes categories by chances that recipients may know."""

    def category_chances(self, table: Table, settings: Settings) -> dict[str, CategoryChances]:
        """Return, by column name, the chances with which categories change, for columns where some do."""
