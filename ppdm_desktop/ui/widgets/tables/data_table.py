"""The table view for data, with rows of fixed height; long texts are cut, and F2 shows the full text of a cell."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QTableView

from ppdm_desktop.ui.look.clipboard import copy_text
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.table_model import ColumnsModel
from ppdm_desktop.ui.widgets.tables.headers import NamesHeader, NumbersHeader, prepare_table, show_whole_text

_SAMPLE = 200


class DataTable(QTableView):
    """A table view for large data sets.

    Parameters
    ----------
    model
        The model with the columns to show.
    name
        Object name.
    label
        Accessible name.
    copy
        Whether cells may be copied (released data may; the original only if settings allow).
    """

    def __init__(self, model: ColumnsModel, *, name: str, label: str, copy: bool = False) -> None:
        super().__init__()
        self.copy_allowed = copy
        self.setVerticalHeader(NumbersHeader(self))
        self.setHorizontalHeader(NamesHeader(self))
        prepare_table(self, model, name=name, label=label)
        # Long names often differ at their ends only.
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.verticalHeader().setHighlightSections(False)
        model.modelReset.connect(self.fit)
        theme().changed.connect(self.fit)
        self.fit()

    def columns_model(self) -> ColumnsModel:
        """Return the table's model, a ``ColumnsModel``."""
        model = self.model()
        assert isinstance(model, ColumnsModel)
        return model

    def fit(self) -> None:
        """Set row height and column widths to suit the names and the first 200 rows.

        A column is at most 280 px wide at 100 % text size, and of a text only 60 letters count. The first cell becomes
        the current one if none is.
        """
        model = self.columns_model()
        metrics = QFontMetrics(theme().font())
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.6))
        bold = QFontMetrics(theme().font(semibold=True))
        self.verticalHeader().setFixedWidth(bold.horizontalAdvance(str(model.highest_number())) + theme().px(18))
        around_name, around_text, most = theme().px(30), theme().px(20), theme().px(280)
        for column in range(model.columnCount()):
            name = str(model.headerData(column, Qt.Orientation.Horizontal))
            texts = {text[:60] for text in model.first_texts(column, _SAMPLE)}
            widest = max((metrics.horizontalAdvance(text) for text in texts), default=0) + around_text
            self.setColumnWidth(column, min(max(widest, bold.horizontalAdvance(name) + around_name), most))
        if model.rowCount() and not self.currentIndex().isValid():
            self.setCurrentIndex(model.index(0, 0))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Show the full text of the current cell with F2, and copy the selection with the keys for copying.

        Where copying is not allowed, the keys for copying do nothing. Qt handles all other keys.
        """
        if event.key() == Qt.Key.Key_F2 and self.currentIndex().isValid():
            self.show_whole(self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Copy):
            if self.copy_allowed:
                self._copy_selection()
        else:
            super().keyPressEvent(event)

    def show_whole(self, index: QModelIndex | QPersistentModelIndex) -> None:
        """Show the full text of a cell of this table in a pop-up below it."""
        model = self.columns_model()
        show_whole_text(self, index, model.column_at(index.column()).text_at(model.row_at(index.row())))

    def _copy_selection(self) -> None:
        """Copy the selected cells to the clipboard as text: a line for each row, cells separated by tabs.

        The texts are as displayed: with marks and the words for missing values, and cut after 200 characters. Cells
        that are not selected are left out, so rows may have different numbers of cells.
        """
        indexes = sorted(self.selectedIndexes(), key=lambda index: (index.row(), index.column()))
        lines: dict[int, list[str]] = {}
        for index in indexes:
            lines.setdefault(index.row(), []).append(str(index.data()))
        copy_text("\n".join("\t".join(line) for line in lines.values()))
