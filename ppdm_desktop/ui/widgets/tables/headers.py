"""Headers of tables: column names cut with "…", and row numbers of a fixed width."""

from __future__ import annotations

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView, QWidget

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.layout import vbox

_AROUND = 18  # px at 100 %: the style sheet's room at both sides of a name


class NamesHeader(QHeaderView):
    """Column names of a table, cut with "…" at the right width; Qt ignores the margins of the style sheet."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        # A header begins without dots, and long names often differ at their ends only.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._folded: dict[int, str] = {}

    def fold(self, names: dict[int, str]) -> None:
        """Write these names (texts with a line break, by column index) on two lines, and all others on one."""
        if names != self._folded:
            self._folded = names
            # Qt would measure two lines as one and cut them; the other names are cut here.
            self.setTextElideMode(Qt.TextElideMode.ElideNone if names else Qt.TextElideMode.ElideMiddle)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the header's size, one line higher if a name is on two lines."""
        size = super().sizeHint()
        return size + QSize(0, QFontMetrics(theme().font(semibold=True)).lineSpacing() if self._folded else 0)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Set the text with which Qt draws the name of a column.

        It is on two lines if it is folded, else cut in its middle if it is too long.
        """
        super().initStyleOptionForIndex(option, logicalIndex)
        if logicalIndex in self._folded:
            option.text = self._folded[logicalIndex]
            return
        metrics = QFontMetrics(theme().font(semibold=True))
        # One more, because the widths that tables give their names are rounded.
        available = self.sectionSize(logicalIndex) - theme().px(_AROUND) + 1
        option.text = metrics.elidedText(option.text, Qt.TextElideMode.ElideMiddle, max(available, 0))


class NumbersHeader(QHeaderView):
    """Row numbers of a fixed width, because Qt's header would measure two hundred rows."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Return the width that the table set for its row numbers, and 0 as height."""
        return QSize(self.minimumWidth(), 0)


def prepare_table(table: QTableView, model: QAbstractItemModel, *, name: str, label: str) -> None:
    """Set up a table: its model, object name and accessible name, single-line rows, and Tab leaves the table."""
    table.setObjectName(name)
    table.setAccessibleName(label)
    table.setModel(model)
    table.setShowGrid(False)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
    table.horizontalHeader().setHighlightSections(False)


def show_whole_text(table: QTableView, index: QModelIndex | QPersistentModelIndex, text: str) -> None:
    """Show a text in a pop-up below a cell of a table; the pop-up is deleted when it closes."""
    popup = QWidget(table, Qt.WindowType.Popup)
    popup.setObjectName("popup_whole_text")
    popup.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    label = Text(text)
    label.setMinimumWidth(theme().px(260))
    vbox(label, on=popup, margins=(9, 9, 9, 9))
    popup.move(table.viewport().mapToGlobal(table.visualRect(index).bottomLeft()))
    popup.show()
