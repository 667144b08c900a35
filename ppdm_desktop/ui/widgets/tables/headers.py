"""Headers of tables: names that are cut with dots, never by the edge, and row numbers in a width set once."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from ppdm_desktop.ui.look.theme import theme

_AROUND = 18  # px at 100 %: the style sheet's room at both sides of a name


class NamesHeader(QHeaderView):
    """Names above columns; Qt itself cuts them as if the style sheet gave them no room at their sides."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        # A header begins without dots, and long names often differ at their ends only.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Cut the name."""
        super().initStyleOptionForIndex(option, logicalIndex)
        metrics = QFontMetrics(theme().font(semibold=True))
        # One more, because the widths that tables give their names are rounded.
        room = self.sectionSize(logicalIndex) - theme().px(_AROUND) + 1
        option.text = metrics.elidedText(option.text, self.textElideMode(), max(room, 0))


class NumbersHeader(QHeaderView):
    """Row numbers in the width that was set: the usual header asks two hundred rows for theirs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Return the width that was set."""
        return QSize(self.minimumWidth(), 0)
