"""The header at the left of a large table: row numbers in a width that is set once."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QHeaderView, QWidget


class NumbersHeader(QHeaderView):
    """Row numbers in the width that was set: the usual header asks two hundred rows for theirs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Return the width that was set."""
        return QSize(self.minimumWidth(), 0)
