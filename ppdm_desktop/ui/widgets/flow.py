"""Widgets arranged in lines like the words of a text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget, QWidgetItem

from ppdm_desktop.ui.look.theme import theme

_SAID = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
"""Attribute of widgets that were shown or hidden explicitly, not by their parent."""


class Flow(QWidget):
    """Arranges widgets from left to right, with a new line when there is no room.

    It places its children itself rather than by a layout: the bindings delete items of a layout written in Python while
    Qt
    still uses them, which ends the program.

    Parameters
    ----------
    gap
        Distance between widgets in pixels at 100 % text size.
    at_top
        Whether widgets of a line are aligned at the top; else in the middle.
    """

    def __init__(self, *parts: QWidget, gap: int = 8, at_top: bool = False) -> None:
        super().__init__()
        self._gap, self._at_top = gap, at_top
        # Ours alone: they only measure and place.
        self._items: list[QWidgetItem] = []
        self._heights: dict[int, int] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._lay_out)
        for part in parts:
            self.add(part)

    def add(self, widget: QWidget) -> None:
        """Add a widget; a hidden one stays hidden."""
        hidden = widget.isHidden() and widget.testAttribute(_SAID)
        widget.setParent(self)
        widget.setHidden(hidden)
        self._items.append(QWidgetItem(widget))
        self._lay_out()

    @property
    def parts(self) -> list[QWidget]:
        """The widgets in order."""
        return [widget for item in self._items if (widget := item.widget()) is not None]

    def clear(self) -> None:
        """Delete all widgets."""
        parts = self.parts
        self._items.clear()
        for widget in parts:
            widget.hide()
            widget.deleteLater()
        self._lay_out()

    def hasHeightForWidth(self) -> bool:
        """Return True: the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines at a width, in pixels."""
        if not self.isVisible():
            # Nobody tells of a part that changes while it cannot be seen.
            self._heights.clear()
        # Asked for dozens of times while a page is laid out, for two or three widths.
        if width not in self._heights:
            self._heights[width] = self._place(width, really=False)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """Return the size with all widgets on one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + theme().px(self._gap) * max(len(sizes) - 1, 0)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the widest widget."""
        size = QSize(0, 0)
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def event(self, event: QEvent) -> bool:
        """Arrange the widgets again when one changed its size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._lay_out()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange the widgets again, because they may have changed while hidden."""
        super().showEvent(event)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the widgets for the new width."""
        super().resizeEvent(event)
        self._place(self.width(), really=True)

    def _lay_out(self) -> None:
        """Arrange the widgets for the present width."""
        self._heights.clear()
        self.updateGeometry()
        self._place(self.width(), really=True)

    def _place(self, width: int, *, really: bool) -> int:
        """Return the height of all lines; move the widgets only if ``really``."""
        gap = theme().px(self._gap)
        x = y = high = 0
        line: list[tuple[QWidgetItem, QRect]] = []

        def finish() -> None:
            for item, rect in line:
                if really:
                    item.setGeometry(rect.translated(0, 0 if self._at_top else (high - rect.height()) // 2))

        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            wide = min(size.width(), max(width, 1))
            if line and x + wide > width:
                finish()
                x, y = 0, y + high + gap
                line, high = [], 0
            # A flow inside this one takes more lines where it has to be narrower than it asks for.
            inner = item.widget()
            tall = inner.heightForWidth(wide) if isinstance(inner, Flow) else size.height()
            line.append((item, QRect(QPoint(x, y), QSize(wide, tall))))
            x += wide + gap
            high = max(high, tall)
        finish()
        return y + high
