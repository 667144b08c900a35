"""A short table whose cells may contain controls; it is as high as its rows, up to a limit."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QAbstractTableModel, QEvent, QItemSelectionModel, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHeaderView, QStyle, QTableView, QWidget

from ppdm_desktop.ui.look.accessibility import read_shown_value
from ppdm_desktop.ui.look.clipboard import copy_text
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.widgets.folding import split_in_two_lines
from ppdm_desktop.ui.widgets.layout import hbox
from ppdm_desktop.ui.widgets.tables.headers import NamesHeader, prepare_table

_SAMPLE = 100
_WIDEST = 300  # px at 100 % of a column beside the one that stretches, where the table has no room to spare
_AROUND = 12  # px at 100 %: around a control in its cell, and the line below
_CELL_MARGIN = 20  # px at 100 %: beside a list to choose from, with what Qt keeps free in each cell
_NO_LIMIT = 10_000  # rows: beyond Qt's largest heights nothing grows


class _Cell(QWidget):
    """A table cell's control with margins; sends a signal when the control needs another size."""

    asked = Signal()

    def __init__(self, inner: QWidget) -> None:
        super().__init__()
        self.inner = inner
        hbox(inner, on=self, margins=(3, 2, 3, 2))

    def event(self, event: QEvent) -> bool:
        """Send ``asked`` when the control needs another size; return whether the event was handled.

        A combo box knows its size only when it is visible.
        """
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.asked.emit()
        return done


def _list_width(control: QWidget | None) -> int:
    """Return the width in pixels that a cell needs for all labels of a combo box; 0 for other controls or None."""
    return control.sizeHint().width() + theme().px(_CELL_MARGIN) if isinstance(control, QComboBox) else 0


class FormTable(QTableView):
    """A table view for some tens of rows: whole rows are selected, one column takes the spare width.

    Parameters
    ----------
    model
        Any table model.
    name, label
        Object name and accessible name.
    stretch
        The column that takes the spare width; -1 if none does and the table scrolls sideways.
    most_rows
        Maximum number of visible rows before the table scrolls.
    grows
        Whether the table shows more rows if there is room.
    controls
        Whether cells contain controls, so that rows must be higher.
    least
        Minimum width of the stretched column in pixels at 100 % text size, if its texts need it.
    folds
        Whether headings of other columns are written on two lines before the stretched column is cut.
    """

    def __init__(
        self,
        model: QAbstractTableModel,
        *,
        name: str,
        label: str,
        stretch: int = 0,
        most_rows: int = 8,
        controls: bool = False,
        least: int = 150,
        grows: bool = False,
        folds: bool = False,
    ) -> None:
        super().__init__()
        self._grows, self._folds = grows, folds
        self._full: dict[int, int] = {}
        self._folded: dict[int, tuple[int, str]] = {}
        self._named: dict[int, int] = {}
        self._stretch, self._most_rows, self._controls = stretch, most_rows, controls
        self._widths: dict[int, int] = {}
        self._fitting = False
        self._least, self._least_at_100 = 0, least
        self._header = NamesHeader(self)
        self.setHorizontalHeader(self._header)
        prepare_table(self, model, name=name, label=label)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setMinimumSectionSize(theme().px(24))
        theme().changed.connect(self.fit)
        self.horizontalScrollBar().rangeChanged.connect(self._fit_height)
        self.show_model(model)

    def show_model(self, model: QAbstractTableModel) -> None:
        """Show another model, and fit the table's sizes to it now and whenever it is reset or its data change.

        The former model is not deleted; the caller does that.
        """
        self.setModel(model)
        model.modelReset.connect(self.fit)
        model.dataChanged.connect(self.fit)
        self.fit()

    def set_width(self, column: int, at_100: int) -> None:
        """Set the minimum width of a column with controls, in pixels at 100 % text size."""
        self._widths[column] = at_100
        self.fit()

    def current_row(self) -> int:
        """Return the index of the selected row; -1 if none is selected."""
        rows = self.selectionModel().selectedRows()
        return rows[0].row() if rows else -1

    def select_row(self, row: int) -> None:
        """Select only the row with this index, and make it the current row."""
        index = self.model().index(row, 0)
        flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
        self.selectionModel().setCurrentIndex(index, flags)

    def put(self, row: int, column: int, widget: QWidget) -> None:
        """Put a control with margins into a cell; the Tab key reaches it after the control before it.

        A control that was there is deleted. The column becomes wider if a combo box needs it, and screen readers read
        the control's value as that of the cell.
        """
        before = self._find_control_before(row, column)
        cell = _Cell(widget)
        self.setIndexWidget(self.model().index(row, column), cell)
        cell.asked.connect(partial(self._widen_column, column, widget))
        model = self.model()
        if isinstance(model, RowsModel):
            model.set_control(row, column, partial(read_shown_value, widget))
        # The Tab key goes on in the table, row by row, before it leaves for what comes below.
        self.setTabOrder(before, widget)
        self._widen_column(column, widget)

    def _widen_column(self, column: int, control: QWidget) -> None:
        """Make a column wide enough for a combo box whose labels became longer.

        It never becomes narrower; other controls, and columns that ``fit`` has not measured yet, change nothing.
        """
        wide = _list_width(control)
        if wide > self._full.get(column, wide):
            self._full[column] = wide
            self.setColumnWidth(column, wide)
            self._adapt_column_widths()

    def _find_control_before(self, row: int, column: int) -> QWidget:
        """Return the last control before a cell, row by row from left to right; the table itself without one."""
        columns = self.model().columnCount()
        for cell in range(row * columns + column - 1, -1, -1):
            control = self.at(cell // columns, cell % columns)
            if control is not None:
                return control
        return self

    def at(self, row: int, column: int) -> QWidget | None:
        """Return the control that was put into a cell; None if there is none."""
        frame: QWidget | None = self.indexWidget(self.model().index(row, column))
        return frame.inner if isinstance(frame, _Cell) else None

    def fit(self) -> None:
        """Set row height, column widths and the height of the table to suit the names and the first 100 rows.

        A column other than the stretched one is at most 300 px wide at 100 % text size. The first cell becomes the
        current one if none is, without being selected.
        """
        model = self.model()
        metrics, bold = QFontMetrics(theme().font()), QFontMetrics(theme().font(semibold=True))
        high = round(metrics.height() * (2.2 if self._controls else 1.6))
        self.verticalHeader().setDefaultSectionSize(high)
        self.setIconSize(QSize(theme().px(18), theme().px(13)))
        rows = model.rowCount()
        header = self.horizontalHeader()
        self._full, self._folded, self._named = {}, {}, {}
        for column in range(model.columnCount()):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            name = str(model.headerData(column, Qt.Orientation.Horizontal) or "")
            named, cells = bold.horizontalAdvance(name) + theme().px(18), self._cells_width(column, metrics)
            widest = max(named, cells)
            if column == self._stretch:
                icon = theme().px(24) if rows and model.index(0, column).data(Qt.ItemDataRole.DecorationRole) else 0
                self._full[column] = widest + icon
                self._least = min(widest + icon, theme().px(self._least_at_100))
            else:
                self._full[column] = min(widest, theme().px(_WIDEST))
                if named > self._full[column]:
                    self._named[column] = named
                self.setColumnWidth(column, self._full[column])
                if self._folds and (halves := split_in_two_lines(name)) is not None:
                    half = max(bold.horizontalAdvance(part) for part in halves) + theme().px(18)
                    self._folded[column] = min(max(half, cells), theme().px(_WIDEST)), "\n".join(halves)
        self._adapt_column_widths()
        self._fit_height()
        if rows and not self.currentIndex().isValid():
            self.selectionModel().setCurrentIndex(model.index(0, 0), QItemSelectionModel.SelectionFlag.NoUpdate)

    def _cells_width(self, column: int, metrics: QFontMetrics) -> int:
        """Return the width in pixels that a column's texts and combo boxes need in the first 100 rows.

        Of a text only 60 letters count. It is at least the width set by ``set_width``; without that, controls are
        ignored.
        """
        width = theme().px(self._widths.get(column, 0))
        for row in range(min(self.model().rowCount(), _SAMPLE)):
            text = str(self.model().index(row, column).data() or "")
            width = max(width, metrics.horizontalAdvance(text[:60]) + theme().px(20))
            if column in self._widths:
                width = max(width, _list_width(self.at(row, column)))
        return width

    def _adapt_column_widths(self) -> None:
        """Give the stretched column the spare width, but at least the width that its texts need.

        If there is too little, headings of other columns go on two lines (if the table does so), else the table scrolls
        sideways. If there is spare width, other columns first get the width of names that were cut. Nothing happens
        without a stretched column.
        """
        model = self.model()
        if not 0 <= self._stretch < model.columnCount():
            return
        other_columns = [column for column in range(model.columnCount()) if column != self._stretch]
        if self._folded:
            folds = sum(self._full.values()) > self.viewport().width()
            self._header.fold({column: text for column, (_, text) in self._folded.items()} if folds else {})
            for column, (width, _) in self._folded.items():
                self.setColumnWidth(column, width if folds else self._full[column])
            if self._header.sizeHint().height() != self._header.height():
                self.updateGeometries()
            self._fit_height()
        # A long name is cut only where the table has no room to spare.
        spare = self.viewport().width() - sum(self._full.values())
        for column, named in {} if self._folded else self._named.items():
            more = max(min(named - self._full[column], spare), 0)
            self.setColumnWidth(column, self._full[column] + more)
            spare -= more
        taken = sum(self.columnWidth(column) for column in other_columns if not self.isColumnHidden(column))
        self.setColumnWidth(self._stretch, max(self.viewport().width() - taken, self._least))
        if self.wordWrap():
            self._fit_rows()

    def text_height(self, row: int) -> int:
        """Return the height in pixels of a row's text in the stretched column, wrapped at the column's width."""
        index = self.model().index(row, self._stretch)
        wide = self.columnWidth(self._stretch) - theme().px(_AROUND)
        if index.data(Qt.ItemDataRole.CheckStateRole) is not None:
            wide -= self.style().pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth) + theme().px(_AROUND)
        text, flags = str(index.data() or ""), int(Qt.TextFlag.TextWordWrap)
        return QFontMetrics(theme().font()).boundingRect(0, 0, max(wide, 1), _NO_LIMIT, flags, text).height()

    def _fit_rows(self) -> None:
        """Make each row as high as its wrapped text, but not lower than usual, and adapt the table's height."""
        model, rows = self.model(), self.verticalHeader()
        for row in range(model.rowCount()):
            high = max(rows.defaultSectionSize(), self.text_height(row) + theme().px(4))
            if rows.sectionSize(row) != high:
                rows.resizeSection(row, high)
        self._fit_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt column widths and the table's height to the new size."""
        super().resizeEvent(event)
        self._adapt_column_widths()
        self._fit_height()

    def _fit_height(self) -> None:
        """Make the table as high as its rows, at most ``most_rows``, plus its horizontal scroll bar if there is one.

        A table that ``grows`` may be given the height of all its rows; then ``most_rows`` bounds its least height only.
        """
        if self._fitting:
            return
        # A new height may move the bar, which would set an older height in the midst of it.
        self._fitting = True
        self._set_height()
        self._fitting = False
        if self.minimumHeight() != self._wanted_height():
            self._set_height()

    def _set_height(self) -> None:
        """Set the table's minimum height for its rows, up to ``most_rows``, and its maximum height.

        The maximum is the same or, for a table that may show more rows, the height of all rows.
        """
        self.setMinimumHeight(self._wanted_height())
        self.setMaximumHeight(self._wanted_height(_NO_LIMIT if self._grows else self._most_rows))

    def _wanted_height(self, most_rows: int | None = None) -> int:
        """Return the height in pixels for all rows, at least one and at most ``most_rows``, with header and scroll bar.

        Without ``most_rows``, the limit is that of the table.
        """
        visible_rows = max(min(self.model().rowCount(), most_rows or self._most_rows), 1)
        bar = self.horizontalScrollBar()
        sideways = bar.sizeHint().height() if bar.maximum() > 0 else 0
        sizes = self.verticalHeader()
        measured = min(visible_rows, sizes.count())
        rows = sum(sizes.sectionSize(row) for row in range(measured)) + sizes.defaultSectionSize() * (
            visible_rows - measured
        )
        return self.horizontalHeader().sizeHint().height() + rows + sideways + 2 * self.frameWidth() + 2

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy the whole table without headings on the keys for copying: a line for each row, cells separated by tabs.

        Qt handles all other keys.
        """
        if event.matches(QKeySequence.StandardKey.Copy):
            model = self.model()
            lines = [
                "\t".join(str(model.index(row, column).data() or "") for column in range(model.columnCount()))
                for row in range(model.rowCount())
            ]
            copy_text("\n".join(lines))
        else:
            super().keyPressEvent(event)


def make_table(
    headers: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    *,
    right: Sequence[int],
    name: str,
    label: str,
    stretch: int = 0,
    most_rows: int = 8,
) -> FormTable:
    """Return a table of these rows; ``right`` are the indices of columns aligned right.

    Object name, accessible name and the other parameters are those of ``FormTable``.
    """
    model = RowsModel(headers, right=right)
    table = FormTable(model, name=name, label=label, stretch=stretch, most_rows=most_rows)
    model.setParent(table)
    model.set_rows(rows)
    return table
