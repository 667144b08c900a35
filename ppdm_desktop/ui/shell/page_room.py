"""The area of page and help: the help is beside the page, or over it if the page needs the whole width."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QStackedWidget, QWidget

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.shell.help import HelpDrawer
from ppdm_desktop.ui.widgets.scrolling import Area

_SHARED_AFTER = {QEvent.Type.Resize, QEvent.Type.ShowToParent, QEvent.Type.HideToParent}


class PageRoom(QWidget):
    """Contains the page and the help, between head and action bar.

    A page beside the help never scrolls sideways: if it would have to, it keeps its width, and the help covers its
    right side until it is closed.
    """

    def __init__(self, stack: QStackedWidget, drawer: HelpDrawer) -> None:
        super().__init__()
        self._stack, self._drawer = stack, drawer
        for widget in (stack, drawer):
            widget.setParent(self)
        drawer.hide()
        drawer.installEventFilter(self)
        stack.currentChanged.connect(self.fit)
        theme().changed.connect(self.fit)

    def watch(self, area: Area) -> None:
        """Check the layout again whenever this area would have to scroll sideways."""
        area.horizontalScrollBar().rangeChanged.connect(self.fit)

    @property
    def is_over(self) -> bool:
        """Whether the help covers part of the page."""
        return not self._drawer.isHidden() and self._stack.width() == self.width()

    def covers(self, widget: QWidget) -> bool:
        """Return whether the help hides a widget completely."""
        if not self.is_over or self._drawer.isAncestorOf(widget):
            return False
        return widget.mapTo(self, QPoint(0, 0)).x() >= self._drawer.x()

    def sizeHint(self) -> QSize:
        """Return the preferred size of the pages."""
        return self._stack.sizeHint()

    def minimumSizeHint(self) -> QSize:
        """Return the least size of the pages."""
        return self._stack.minimumSizeHint()

    def fit(self) -> None:
        """Place the page and the help."""
        wide, high, help = self.width(), self.height(), self._drawer.width()
        side_by_side = not self._drawer.isHidden() and self._least() <= wide - help
        self._stack.setGeometry(0, 0, wide - help if side_by_side else wide, high)
        self._drawer.setGeometry(wide - help, 0, help, high)
        self._drawer.raise_()

    def _least(self) -> int:
        """Return the width in pixels below which the current page would scroll sideways."""
        area = self._stack.currentWidget()
        if not isinstance(area, QScrollArea) or (page := area.widget()) is None:
            return 0
        least = page.minimumWidth() or page.minimumSizeHint().width()
        return least + area.verticalScrollBar().sizeHint().width()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Place page and help again when the help is opened or closed."""
        if watched is self._drawer and event.type() in _SHARED_AFTER:
            self.fit()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        """Place page and help again when one of them needs another size."""
        if event.type() == QEvent.Type.LayoutRequest:
            self.fit()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place page and help for the new size."""
        super().resizeEvent(event)
        self.fit()
