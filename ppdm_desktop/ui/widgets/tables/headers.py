"""Headers of tables: elided names, and row numbers of a fixed width."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from ppdm_desktop.ui.look.theme import theme

_AROUND = 18  # px at 100 %: the style sheet's room at both sides of a name


class NamesHeader(QHeaderView):
    """Names above columns, elided correctly; Qt ignores the margins of the style sheet."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        # A header begins without dots, and long names often differ at their ends only.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._folded: dict[int, str] = {}

    def fold(self, names: dict[int, str]) -> None:
        """Write some names on two lines: texts with a line break, by column."""
        if names != self._folded:
            self._folded = names
            # Qt would measure two lines as one and cut them; the other names are cut here.
            self.setTextElideMode(Qt.TextElideMode.ElideNone if names else Qt.TextElideMode.ElideMiddle)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size, higher if a name is on two lines."""
        size = super().sizeHint()
        return size + QSize(0, QFontMetrics(theme().font(semibold=True)).lineSpacing() if self._folded else 0)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Set the elided name."""
        super().initStyleOptionForIndex(option, logicalIndex)
        if logicalIndex in self._folded:
            option.text = self._folded[logicalIndex]
            return
        metrics = QFontMetrics(theme().font(semibold=True))
        # One more, because the widths that tables give their names are rounded.
        room = self.sectionSize(logicalIndex) - theme().px(_AROUND) + 1
        option.text = metrics.elidedText(option.text, Qt.TextElideMode.ElideMiddle, max(room, 0))


class NumbersHeader(QHeaderView):
    """Row numbers of a fixed width, because the usual header measures two hundred rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Return the fixed width."""
        return QSize(self.minimumWidth(), 0)
