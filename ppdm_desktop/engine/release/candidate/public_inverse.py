"""Methods that anyone can undo without a key."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.table.column import Column


@runtime_checkable
class PubliclyReversible(Protocol):
    """A method that anyone can undo without a key declares how."""

    def undo(self, column: Column, settings: Settings) -> Column | None:
        """Return the column as it was before the method, or None where these settings cannot be undone."""
