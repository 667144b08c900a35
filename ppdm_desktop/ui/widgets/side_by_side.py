"""Widgets side by side if there is room, else below each other."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayoutItem, QWidget

from ppdm_desktop.ui.look.theme import theme

ONE_COLUMN_BELOW = 860
_NO_LIMIT = 16_777_215


class SideBySide(QWidget):
    """A row that becomes a column below a width measured in text size.

    Parameters
    ----------
    below
        Width in pixels at 100 % text size below which the parts are below each other.
    gap
        Distance between parts in pixels at 100 % text size.
    """

    def __init__(self, *, below: int = ONE_COLUMN_BELOW, gap: tuple[int, int] = (12, 12)) -> None:
        super().__init__()
        self._below = below
        self._gap = gap
        self._widths: dict[QWidget, int] = {}
        self._narrowest: dict[QWidget, Callable[[], int]] = {}
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._turn(down=False)
        theme().changed.connect(self._fit)

    def add(
        self,
        widget: QWidget,
        stretch: int = 1,
        *,
        top: bool = False,
        width: int | None = None,
        narrowest: Callable[[], int] | None = None,
    ) -> None:
        """Add a part with a share of the width, or with a fixed width for the row.

        Parameters
        ----------
        stretch
            Share of the width.
        top
            Whether the part keeps its height and is aligned at the top.
        width
            Pixels at 100 % text size, instead of a share; a part that needs more gets more.
        narrowest
            Returns the least width of the part in a column, if that is less than its least width in a row.
        """
        if narrowest is not None:
            self._narrowest[widget] = narrowest
        alignment = Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag(0)
        self._box.addWidget(widget, stretch if width is None else 0, alignment)
        if width is not None:
            self._widths[widget] = width
            self._turn(down=self.one_column)

    @property
    def one_column(self) -> bool:
        """Whether the parts are below each other."""
        return self._box.direction() == QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest part, because parts can go below each other."""
        widest = max((self._least_below(item) for item in self._visible_items()), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def _visible_items(self) -> list[QLayoutItem]:
        """Return the layout items that are visible."""
        items = (self._box.itemAt(index) for index in range(self._box.count()))
        return [item for item in items if item is not None and not item.isEmpty()]

    def _least(self, item: QLayoutItem) -> int:
        """Return the least width of a part in a column."""
        widget = item.widget()
        if widget is not None and widget in self._widths:
            # Not what it was given when parts last stood beside each other.
            return widget.minimumSizeHint().width()
        return item.minimumSize().width()

    def _least_below(self, item: QLayoutItem) -> int:
        """Return the least width of a part in a column, in pixels."""
        widget = item.widget()
        if widget is not None and widget in self._narrowest:
            return self._narrowest[widget]()
        return self._least(item)

    def _least_beside(self, item: QLayoutItem) -> int:
        """Return the least width of a part in a row, in pixels."""
        widget = item.widget()
        width = self._widths.get(widget, 0) if widget is not None else 0
        return max(self._least(item), theme().px(width))

    def _fit(self) -> None:
        """Choose row or column for the present width."""
        least = [self._least_beside(item) for item in self._visible_items()]
        needed = sum(least) + theme().px(self._gap[0]) * max(len(least) - 1, 0)
        self._turn(down=self.width() * 17 / max(theme().h, 1) < self._below or self.width() < needed)

    def _turn(self, *, down: bool) -> None:
        """Arrange the parts as a column (``down``) or a row."""
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if down else QBoxLayout.Direction.LeftToRight)
        self._box.setSpacing(theme().px(self._gap[down]))
        for widget, width in self._widths.items():
            needed = max(widget.minimumSizeHint().width(), theme().px(width))
            widget.setMinimumWidth(0 if down else needed)
            widget.setMaximumWidth(_NO_LIMIT if down else needed)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Choose row or column for the new width."""
        super().resizeEvent(event)
        self._fit()
