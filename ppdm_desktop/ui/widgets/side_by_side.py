"""Parts beside each other while there is room, below each other when there is not."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QWidget

from ppdm_desktop.ui.theme import theme

ONE_COLUMN_BELOW = 860


class SideBySide(QWidget):
    """A row that becomes a column under a width counted in text size, not pixels.

    Parameters
    ----------
    below
        Width at 100 % under which the parts stand below each other.
    """

    def __init__(self, *, below: int = ONE_COLUMN_BELOW, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._below = below
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(theme().px(12))
        theme().changed.connect(self._fit)

    def add(self, widget: QWidget, stretch: int = 1, *, top: bool = False) -> None:
        """Add a part with its share of the width."""
        alignment = Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag(0)
        self._box.addWidget(widget, stretch, alignment)

    @property
    def one_column(self) -> bool:
        """Whether the parts stand below each other."""
        return self._box.direction() == QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the widest part only: the others can go below it."""
        widest = max(self._least_widths(), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def _least_widths(self) -> list[int]:
        items = (self._box.itemAt(place) for place in range(self._box.count()))
        return [item.minimumSize().width() for item in items if item is not None and not item.isEmpty()]

    def _fit(self) -> None:
        least = self._least_widths()
        needed = sum(least) + self._box.spacing() * max(len(least) - 1, 0)
        narrow = self.width() * 17 / max(theme().h, 1) < self._below or self.width() < needed
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose row or column for the new width."""
        super().resizeEvent(event)
        self._fit()
