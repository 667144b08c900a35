"""A scroll area that fits its content's width, and functions that scroll to a widget or back to the start."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QScrollArea, QTableView, QWidget

_DEEP_ENOUGH = 4


class Area(QScrollArea):
    """A scroll area without a frame that scrolls vertically.

    Heights that depend on widths can contradict each other: at one height the content asks for another, and there for
    the first again. Qt would switch between both recursively until the stack is full; this class stops that.
    """

    def __init__(self, inside: QWidget) -> None:
        super().__init__()
        self._deep = 0
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inside)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the scroll bars to a new size of the content; return whether Qt should drop the event.

        A change of size that is caused within four others is ignored, so that contradicting sizes cannot call each
        other until the stack is full.
        """
        if event.type() != QEvent.Type.Resize:
            return super().eventFilter(watched, event)
        if self._deep >= _DEEP_ENOUGH:
            return False
        self._deep += 1
        try:
            return super().eventFilter(watched, event)
        finally:
            self._deep -= 1


def ancestors(widget: QWidget) -> Iterator[QWidget]:
    """Return the widgets that contain a widget, from the innermost to its window."""
    parent = widget.parentWidget()
    while parent is not None:
        yield parent
        parent = parent.parentWidget()


def bring_in(widget: QWidget) -> None:
    """Scroll all areas around a widget until the widget is visible; pending layouts are done before.

    Nothing happens if no scroll area contains the widget.
    """
    for parent in ancestors(widget):
        if (layout := parent.layout()) is not None:
            layout.activate()
    for parent in ancestors(widget):
        if isinstance(parent, QScrollArea):
            inside = parent.widget()
            if inside is not None:
                wanted = max(inside.minimumSizeHint().height(), inside.heightForWidth(inside.width()))
                inside.resize(inside.width(), max(wanted, inside.height()))
            parent.ensureWidgetVisible(widget)


def show_start(widget: QWidget) -> None:
    """Scroll every ``Area`` that contains a widget to its top left corner."""
    for parent in ancestors(widget):
        if isinstance(parent, Area):
            scroll_to_start(parent)


def put_back(root: QWidget) -> None:
    """Scroll all areas and tables inside a widget to their start, and clear selection and current cell of tables."""
    for table in root.findChildren(QTableView):
        table.clearSelection()
        table.setCurrentIndex(QModelIndex())
    for area in root.findChildren(QAbstractScrollArea):
        scroll_to_start(area)


def scroll_to_start(area: QAbstractScrollArea) -> None:
    """Scroll an area to its top left corner."""
    for bar in (area.verticalScrollBar(), area.horizontalScrollBar()):
        bar.setValue(bar.minimum())
