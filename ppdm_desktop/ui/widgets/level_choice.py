"""Privacy levels on screen: their mark of four bars, and a combo box to choose a level."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPen

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import Slot

_BARS = 4


def paint_level(painter: QPainter, box: QRectF, filled: int) -> None:
    """Draw the mark of a privacy level into a rectangle: four rising bars, the first ``filled`` of them filled."""
    colour = QColor(theme().tokens.roles["privacy-level"])
    gap = max(box.width() * 0.06, 1.0)
    width = (box.width() - gap * (_BARS - 1)) / _BARS
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for index in range(_BARS):
        height = box.height() * (0.4 + 0.2 * index)
        bar = QRectF(box.left() + index * (width + gap), box.bottom() - height, width, height)
        painter.setPen(QPen(colour, 1.0))
        painter.setBrush(colour if index < filled else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(bar.adjusted(0.5, 0.5, -0.5, -0.5), 1, 1)
    painter.restore()


def level_icon(filled: int) -> QIcon:
    """Return the mark of a privacy level as an icon: four bars, the first ``filled`` of them filled."""
    size = QSize(theme().px(18), theme().px(13))
    return QIcon(theme().draw_pixmap(size, lambda painter, box: paint_level(painter, box, filled)))


class LevelChoice(Choice):
    """A combo box of privacy levels, with the mark of each level before its name."""

    def __init__(self, *, name: str = "", label: str = "", picked: Slot | None = None) -> None:
        super().__init__(name=name, label=label, picked=picked)
        self._levels: list[tuple[str, str, int]] = []
        theme().changed.connect(self._redraw_marks)

    def set_levels(self, levels: Sequence[tuple[str, str, int]], current: str | None) -> None:
        """Offer privacy levels as (key, label, filled bars of four) and select ``current``, without sending a signal.

        None selects nothing. If the levels are the same as before, only the selection changes, so that an open list
        stays open.
        """
        if list(levels) != self._levels:
            self._levels = list(levels)
            self.set_choices([(key, text) for key, text, _ in levels], current)
            self._redraw_marks()
        self.set_current(current)

    def minimumSizeHint(self) -> QSize:
        """Return Qt's minimum size, but not higher than the box, because Qt keeps the height of a larger icon."""
        least = super().minimumSizeHint()
        return QSize(least.width(), min(least.height(), self.sizeHint().height()))

    def _redraw_marks(self) -> None:
        """Draw the marks of the levels in the colours and size of the theme."""
        self.setIconSize(QSize(theme().px(18), theme().px(13)))
        for index, (_, _, filled) in enumerate(self._levels):
            self.setItemIcon(index, level_icon(filled))
