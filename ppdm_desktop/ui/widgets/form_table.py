"""A short table whose cells may hold controls; it is as high as its rows, up to a limit."""

from __future__ import annotations

from PySide6.QtCore import QAbstractTableModel, QItemSelectionModel, QSize, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QHBoxLayout, QHeaderView, QTableView, QWidget

from ppdm_desktop.ui.theme import theme

_SAMPLE = 100


class _Cell(QWidget):
    """A control with a little room around it."""

    def __init__(self, inner: QWidget) -> None:
        super().__init__()
        self.inner = inner
        box = QHBoxLayout(self)
        box.setContentsMargins(theme().px(3), theme().px(2), theme().px(3), theme().px(2))
        box.addWidget(inner)


class FormTable(QTableView):
    """A QTableView for tens of rows: whole rows selected, one column takes the spare width.

    Parameters
    ----------
    model
        Any table model.
    name, words
        Object name and accessible name.
    stretch
        The column that takes what width is left; -1 when none does and the table scrolls sideways.
    most_rows
        Rows shown before it scrolls.
    controls
        Whether rows hold controls and need their height.
    """

    def __init__(
        self,
        model: QAbstractTableModel,
        *,
        name: str,
        words: str,
        stretch: int = 0,
        most_rows: int = 8,
        controls: bool = False,
    ) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self._stretch, self._most_rows, self._controls = stretch, most_rows, controls
        self._widths: dict[int, int] = {}
        self.setModel(model)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setMinimumSectionSize(theme().px(24))
        model.modelReset.connect(self.fit)
        model.dataChanged.connect(self.fit)
        theme().changed.connect(self.fit)
        self.fit()

    def show_model(self, model: QAbstractTableModel) -> None:
        """Show another model."""
        self.setModel(model)
        model.modelReset.connect(self.fit)
        model.dataChanged.connect(self.fit)
        self.fit()

    def set_width(self, column: int, at_100: int) -> None:
        """Give a column that holds controls its width in pixels at 100 %."""
        self._widths[column] = at_100
        self.fit()

    def current_row(self) -> int:
        """Return the selected row, -1 without one."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def select_row(self, row: int) -> None:
        """Select a row; it becomes the current one."""
        index = self.model().index(row, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)

    def put(self, row: int, column: int, widget: QWidget) -> None:
        """Put a control into a cell, with a little room around it."""
        self.setIndexWidget(self.model().index(row, column), _Cell(widget))

    def at(self, row: int, column: int) -> QWidget | None:
        """Return the control in a cell."""
        frame: QWidget | None = self.indexWidget(self.model().index(row, column))
        return frame.inner if isinstance(frame, _Cell) else None

    def fit(self) -> None:
        """Set row height, column widths and own height from a sample."""
        model = self.model()
        metrics, bold = QFontMetrics(theme().font()), QFontMetrics(theme().font(semibold=True))
        high = round(metrics.height() * (2.2 if self._controls else 1.6))
        self.verticalHeader().setDefaultSectionSize(high)
        self.setIconSize(QSize(theme().px(18), theme().px(13)))
        rows = model.rowCount()
        header = self.horizontalHeader()
        for column in range(model.columnCount()):
            resize = QHeaderView.ResizeMode.Stretch if column == self._stretch else QHeaderView.ResizeMode.Fixed
            header.setSectionResizeMode(column, resize)
            name = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
            widest = bold.horizontalAdvance(name) + theme().px(24)
            if column in self._widths:
                widest = max(widest, theme().px(self._widths[column]))
            for row in range(min(rows, _SAMPLE)):
                text = str(model.index(row, column).data() or "")
                widest = max(widest, metrics.horizontalAdvance(text[:60]) + theme().px(20))
            if column != self._stretch:
                self.setColumnWidth(column, min(widest, theme().px(300)))
        shown = max(min(rows, self._most_rows), 1)
        self.setFixedHeight(header.sizeHint().height() + high * shown + 2 * self.frameWidth() + 2)
        if rows and not self.currentIndex().isValid():
            self.selectionModel().setCurrentIndex(model.index(0, 0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the whole table as text."""
        if event.matches(QKeySequence.StandardKey.Copy):
            model = self.model()
            lines = [
                "\t".join(str(model.index(row, column).data() or "") for column in range(model.columnCount()))
                for row in range(model.rowCount())
            ]
            QGuiApplication.clipboard().setText("\n".join(lines))
        else:
            super().keyPressEvent(event)
