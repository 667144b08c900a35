"""Parts in lines, like the words of a text."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget, QWidgetItem

from ppdm_desktop.ui.look.theme import theme

_SAID = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
"""Set where someone showed or hid a widget, and its parent did not."""


class Flow(QWidget):
    """Left to right, and on to the next line when there is no room.

    A widget that places its children, and no layout: items of a layout written in Python are forgotten by the
    bindings while Qt still holds them, and the next look at them ends the program.

    Parameters
    ----------
    gap
        Pixels between parts at 100 %.
    at_top
        Parts of a line begin at one height; else their middles are level.
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
        """Take a part; one that was hidden stays hidden."""
        hidden = widget.isHidden() and widget.testAttribute(_SAID)
        widget.setParent(self)
        widget.setHidden(hidden)
        self._items.append(QWidgetItem(widget))
        self._lay_out()

    @property
    def parts(self) -> list[QWidget]:
        """The parts in their order."""
        return [widget for item in self._items if (widget := item.widget()) is not None]

    def clear(self) -> None:
        """Delete every part."""
        parts = self.parts
        self._items.clear()
        for widget in parts:
            widget.hide()
            widget.deleteLater()
        self._lay_out()

    def hasHeightForWidth(self) -> bool:
        """Say that the height hangs on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines."""
        if not self.isVisible():
            # Nobody tells of a part that changes while it cannot be seen.
            self._heights.clear()
        # Asked for dozens of times while a page is laid out, for two or three widths.
        if width not in self._heights:
            self._heights[width] = self._place(width, really=False)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """Return the size of one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + theme().px(self._gap) * max(len(sizes) - 1, 0)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """Return the size of the widest part."""
        size = QSize(0, 0)
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def event(self, event: QEvent) -> bool:
        """Lay out again when a part has changed."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._lay_out()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Place every part again: what a part asks for may have changed while nobody could see it."""
        super().showEvent(event)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place every part."""
        super().resizeEvent(event)
        self._place(self.width(), really=True)

    def _lay_out(self) -> None:
        self._heights.clear()
        self.updateGeometry()
        self._place(self.width(), really=True)

    def _place(self, width: int, *, really: bool) -> int:
        """Return the height of all lines, and place the parts if it is meant."""
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
