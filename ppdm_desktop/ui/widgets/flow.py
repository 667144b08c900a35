"""A layout that puts its parts in lines, like words of a text."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget

from ppdm_desktop.ui.look.theme import theme


class FlowLayout(QLayout):
    """Left to right, and on to the next line when there is no room."""

    def __init__(self, parent: QWidget | None = None, *, gap: int = 8) -> None:
        super().__init__(parent)
        self._gap = gap
        self._items: list[QLayoutItem] = []
        self._heights: dict[int, int] = {}
        self.setContentsMargins(0, 0, 0, 0)

    def addItem(self, item: QLayoutItem) -> None:
        """Take a part."""
        self._items.append(item)

    def count(self) -> int:
        """Return the number of parts."""
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        """Return a part."""
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        """Give a part away."""
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        """Ask for no more room than needed."""
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        """Say that the height hangs on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all lines."""
        # Asked for dozens of times while a page is laid out, for two or three widths.
        if width not in self._heights:
            margins = self.contentsMargins()
            inner = width - margins.left() - margins.right()
            high = self._place(QRect(0, 0, inner, 0), really=False)
            self._heights[width] = high + margins.top() + margins.bottom()
        return self._heights[width]

    def invalidate(self) -> None:
        """Forget what was measured: a part has changed."""
        self._heights.clear()
        super().invalidate()

    def setGeometry(self, rect: QRect) -> None:
        """Place every part."""
        super().setGeometry(rect)
        self._place(self.contentsRect(), really=True)

    def sizeHint(self) -> QSize:
        """Return the size of one line."""
        gap = theme().px(self._gap)
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + gap * max(len(sizes) - 1, 0)
        return self._grown(QSize(wide, max((size.height() for size in sizes), default=0)))

    def minimumSize(self) -> QSize:
        """Return the size of the widest part."""
        size = QSize()
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return self._grown(size)

    def _grown(self, size: QSize) -> QSize:
        margins = self.contentsMargins()
        return size.grownBy(margins)

    def _place(self, rect: QRect, *, really: bool) -> int:
        gap = theme().px(self._gap)
        x, y = rect.x(), rect.y()
        line: list[tuple[QLayoutItem, QRect]] = []
        high = 0

        def finish() -> None:
            for item, place in line:
                if really:
                    item.setGeometry(place.translated(0, (high - place.height()) // 2))

        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            wide = min(size.width(), max(rect.width(), 1))
            if line and x + wide > rect.right() + 1:
                finish()
                x, y = rect.x(), y + high + gap
                line, high = [], 0
            line.append((item, QRect(QPoint(x, y), QSize(wide, size.height()))))
            x += wide + gap
            high = max(high, size.height())
        finish()
        return y + high - rect.y()
