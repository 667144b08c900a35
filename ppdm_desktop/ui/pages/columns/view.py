"""The view of the table of columns, with its keys and clicks."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QItemSelectionModel, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.columns.model import (
    CHECK,
    DISTINCT,
    KIND,
    MISSING,
    NAME,
    ROLE,
    SPREAD,
    STATE,
    WHY,
    ColumnsDelegate,
    ColumnsTableModel,
    Index,
    count_reason_lines,
    row_height,
)
from ppdm_desktop.ui.widgets.layout import FitsOnResize
from ppdm_desktop.ui.widgets.roles import ROLE_OF_LETTER, UNDECIDED, describe_kind, pill_size
from ppdm_desktop.ui.widgets.tables.headers import prepare_table

_REASON = 200
"""Width in pixels at 100 % text size that the reason of a suggestion needs."""
_SHOWN_IN_PANEL = (SPREAD, MISSING, DISTINCT)
"""Columns that the panel shows as well, in the order in which they are hidden to make room for the reason."""


class ColumnsView(FitsOnResize, QTableView):
    """View of the table of columns, which sets roles by keys and opens menus by clicks.

    Signals
    -------
    role_typed
        The letter key of a role was pressed: the role.
    confirm_wanted
        Enter was pressed (-1), or the decision in a row was clicked (index of the row).
    menu_wanted
        A role or kind was clicked: (row, column) of the cell.
    """

    role_typed = Signal(str)
    confirm_wanted = Signal(int)
    menu_wanted = Signal(int, int)

    def __init__(self, model: ColumnsTableModel, text: str) -> None:
        super().__init__()
        self._widths: dict[int, int] = {}
        prepare_table(self, model, name="table_columns", label=text)
        self.setItemDelegate(ColumnsDelegate(self))
        self.setMouseTracking(True)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        model.modelReset.connect(self.fit)
        theme().changed.connect(self.fit)
        self.fit()

    def selected_rows(self) -> list[int]:
        """Return the ascending indices of the selected rows; without a selection the current row, or [] if none is."""
        rows = sorted({index.row() for index in self.selectionModel().selectedRows()})
        if not rows and self.currentIndex().isValid():
            return [self.currentIndex().row()]
        return rows

    def fit(self) -> None:
        """Set row height and column widths to suit names and headings, and make the first row current if no row is.

        The column of names suits the names of the first 300 rows, at most 60 letters of each, and is at most 200 px
        wide at 100 % text size. The other columns suit their headings and the widest role or kind; the reasons get what
        remains.
        """
        model = self.model()
        assert isinstance(model, ColumnsTableModel)
        t = theme()
        self.verticalHeader().setDefaultSectionSize(row_height())
        header, bold = self.horizontalHeader(), QFontMetrics(t.font(semibold=True))
        header.setMinimumSectionSize(t.px(24))
        names = [bold.horizontalAdvance(line.name[:60]) for line in model.lines[:300]]
        widths = {
            CHECK: t.px(28),
            NAME: min(max([*names, bold.horizontalAdvance(_("Column"))]) + t.px(16), t.px(200)),
            ROLE: max(pill_size(role).width() for role in (*ROLE_OF_LETTER.values(), UNDECIDED)) + t.px(27),
            STATE: bold.horizontalAdvance(_("Decision")) + t.px(36),
            KIND: bold.horizontalAdvance(describe_kind("ordinal")) + t.px(32),
            DISTINCT: bold.horizontalAdvance(_("Values")) + t.px(17),
            MISSING: bold.horizontalAdvance(_("Missing")) + t.px(17),
            SPREAD: max(bold.horizontalAdvance(_("Distribution")) + t.px(17), t.px(76)),
        }
        for column in widths:
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Interactive)
        self._widths = widths
        self._adapt_to_size()
        if model.rowCount() and not self.currentIndex().isValid():
            self.selectionModel().setCurrentIndex(model.index(0, NAME), QItemSelectionModel.SelectionFlag.NoUpdate)

    def _adapt_to_size(self) -> None:
        """Give the column of reasons the remaining width; if that is too little, hide columns until it is enough.

        Only figures that the panel shows as well are hidden, one column after another. If hiding all of them does not
        help either, all columns are shown and the table scrolls sideways. If the current cell is hidden, the cell with
        the name in its row becomes current. Row heights are then set to suit the reasons.
        """
        least, available = theme().px(_REASON), self.viewport().width() - sum(self._widths.values())
        hidden_columns: set[int] = set()
        for column in _SHOWN_IN_PANEL:
            if available < least:
                hidden_columns.add(column)
                available += self._widths[column]
        if available < least:
            hidden_columns, available = set(), 0
        current = self.currentIndex()
        if current.column() in hidden_columns:
            kept = current.siblingAtColumn(NAME)
            self.selectionModel().setCurrentIndex(kept, QItemSelectionModel.SelectionFlag.NoUpdate)
        for column, width in self._widths.items():
            self.setColumnHidden(column, column in hidden_columns)
            if column not in hidden_columns:
                self.setColumnWidth(column, width)
        self.setColumnWidth(WHY, max(available, least))
        self._fit_rows()

    def _fit_rows(self) -> None:
        """Make each row as high as its wrapped reason (at most 6 lines) in the present column width."""
        model, rows = self.model(), self.verticalHeader()
        assert isinstance(model, ColumnsTableModel)
        width = self.columnWidth(WHY)
        high: dict[str, int] = {}  # of thousands of columns, few have a reason of their own
        for row, line in enumerate(model.lines):
            if line.reason not in high:
                high[line.reason] = row_height(count_reason_lines(line.reason, width))
            if rows.sectionSize(row) != high[line.reason]:
                rows.resizeSection(row, high[line.reason])

    def selectionCommand(self, index: Index, event: QEvent | None = None) -> QItemSelectionModel.SelectionFlag:
        """Return how a click or key changes the selection; ``event`` is None for a change by the program.

        - A click on a check box, without Shift, selects or deselects its row.
        - A click on role, kind or decision of a selected row, without a modifier key, changes nothing, because its menu
          applies to all selected rows.
        - All other clicks and keys do what Qt does.
        """
        flags = QItemSelectionModel.SelectionFlag
        if isinstance(event, QMouseEvent) and index.isValid():
            if index.column() == CHECK and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                return super().selectionCommand(index, event)
            if index.column() == CHECK and event.type() == QEvent.Type.MouseButtonPress:
                return flags.Toggle | flags.Rows
            if index.column() == CHECK:
                return flags.NoUpdate
            rows = self.selectionModel().isSelected(index)
            if index.column() in (ROLE, KIND, STATE) and rows and not event.modifiers():
                return flags.NoUpdate  # a menu on one of several selected columns is meant for all
        return super().selectionCommand(index, event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Send ``menu_wanted`` for a click on a role or kind, and ``confirm_wanted`` for a click on a decision.

        Nothing is sent for other mouse buttons, or while a modifier key such as Shift is down.
        """
        super().mouseReleaseEvent(event)
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or event.button() != Qt.MouseButton.LeftButton or event.modifiers():
            return
        if index.column() in (ROLE, KIND):
            self.menu_wanted.emit(index.row(), index.column())
        elif index.column() == STATE:
            self.confirm_wanted.emit(index.row())

    def event(self, event: QEvent) -> bool:
        """Keep the Escape key for the table while rows are selected, so that ``keyPressEvent`` can deselect them.

        Without a selection Escape is left to the window. Returns whether the event was used.
        """
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Escape
            and self.selectionModel().hasSelection()
        ):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle the keys: letters for roles, Enter confirms, Space selects, F4 or Menu opens a menu, Escape deselects.

        Roles, confirmations and menus are only requested by signals. The menu is that of kinds in a cell with a kind,
        else that of roles. Qt handles all other keys.
        """
        plain = not event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier)
        letter = event.text().upper()
        if plain and letter in ROLE_OF_LETTER:
            self.role_typed.emit(ROLE_OF_LETTER[letter])
        elif plain and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.confirm_wanted.emit(-1)
        elif event.key() == Qt.Key.Key_Space and self.currentIndex().isValid():
            flags = QItemSelectionModel.SelectionFlag
            self.selectionModel().select(self.currentIndex(), flags.Toggle | flags.Rows)
        elif event.key() in (Qt.Key.Key_F4, Qt.Key.Key_Menu) and self.currentIndex().isValid():
            column = KIND if self.currentIndex().column() == KIND else ROLE
            self.menu_wanted.emit(self.currentIndex().row(), column)
        elif event.key() == Qt.Key.Key_Escape:
            self.clearSelection()
        else:
            super().keyPressEvent(event)
