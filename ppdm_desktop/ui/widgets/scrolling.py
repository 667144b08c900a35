"""A scrolling area whose content is as wide as it is, scrolling to what has just appeared, and back to the start."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollArea, QTableView, QWidget

_DEEP_ENOUGH = 4


class Area(QScrollArea):
    """Scrolls what it holds downwards, without a frame of its own.

    Heights that follow from widths can contradict each other: laid out at one height the content asks
    for another, and there for the first again. Qt would change from one to the other within itself
    until the stack is full; here that comes to an end.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._deep = 0
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def to_start(self) -> None:
        """Show the beginning."""
        _to_start(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fit the scroll bars to a new size of the content, but not again and again within each other."""
        if event.type() != QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._deep >= _DEEP_ENOUGH:
            return False
        self._deep += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._deep -= 1


def bring_in(widget: QWidget) -> None:
    """Scroll every area around a widget so that it can be seen; its layout is settled first."""
    parent = widget.parentWidget()
    while parent is not None:
        if (layout := parent.layout()) is not None:
            layout.activate()
        parent = parent.parentWidget()
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            inside = parent.widget()
            if inside is not None:
                inside.resize(inside.width(), max(inside.minimumSizeHint().height(), inside.height()))
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()


def show_start(widget: QWidget) -> None:
    """Show the beginning of what a widget scrolls in."""
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, Area):
            parent.to_start()
        parent = parent.parentWidget()


def put_back(root: QWidget) -> None:
    """Scroll everything in a widget back to its start, with nothing selected in its tables and no row current."""
    for table in root.findChildren(QTableView):
        table.clearSelection()
        table.setCurrentIndex(QModelIndex())
    for area in root.findChildren(QAbstractScrollArea):
        _to_start(area)


def _to_start(area: QAbstractScrollArea) -> None:
    for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
        bar.setValue(bar.minimum())
