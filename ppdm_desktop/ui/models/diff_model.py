"""Table model for one side of the comparison of original and release; it knows what happened to each cell."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QBrush, QIcon, QPainter, QPen
from PySide6.QtWidgets import QAbstractItemView, QStyledItemDelegate, QStyleOptionViewItem

from ppdm_desktop.engine.arrays import Rows
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.table_model import ColumnsModel, Index
from ppdm_desktop.ui.state.diff import CHANGED, GENERALISED, HIDDEN, REMOVED, SAME, Diff

STATE_ROLE = Qt.ItemDataRole.UserRole + 2


class DiffModel(ColumnsModel):
    """Table model of the original or the released side of a comparison.

    Parameters
    ----------
    marks
        Whether changed cells are marked, as on the released side.
    """

    def __init__(
        self, *, marks: bool, hidden_text: str, removed_text: str = "▨", parent: QObject | None = None
    ) -> None:
        super().__init__(parent=parent)
        self._marks, self._hidden_text, self._removed_text = marks, hidden_text, removed_text
        self._diff: Diff | None = None
        self._whole: Diff | None = None
        self._level_marks: list[tuple[QIcon, str]] = []

    def set_level_marks(self, marks: Sequence[tuple[QIcon, str]]) -> None:
        """Show beside each row number the mark of its privacy level: (icon, label) of each level; none if empty."""
        self._level_marks = list(marks)
        if self.rows.size:
            self.headerDataChanged.emit(Qt.Orientation.Vertical, 0, self.rowCount() - 1)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return column names and row numbers, and for a row also its privacy level.

        The level is an icon; for tooltip and screen readers a text with number and level ("12, High"). These are None
        if levels are not shown.
        """
        wanted = (Qt.ItemDataRole.DecorationRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole)
        if orientation == Qt.Orientation.Vertical and role in wanted:
            level = self._find_level_mark(section)
            if level is None:
                return None
            number = super().headerData(section, orientation)
            if role == Qt.ItemDataRole.DecorationRole:
                return level[0]
            text = f"{number}, {level[1]}"
            return plain_tip(text) if role == Qt.ItemDataRole.ToolTipRole else text
        return super().headerData(section, orientation, role)

    def _find_level_mark(self, section: int) -> tuple[QIcon, str] | None:
        """Return (icon, label) of the privacy level of a displayed row; None if levels are not shown."""
        levels = self._whole.levels if self._whole is not None else None
        if levels is None or not self._level_marks or section >= len(self.rows):
            return None
        return self._level_marks[int(levels.codes[self.rows[section]])]

    def set_diff(self, diff: Diff | None, rows: Rows | None) -> None:
        """Show these rows (indices; None for all) of another comparison; None as comparison shows nothing.

        The model for the released side shows the released table, the other model the original.
        """
        self._diff, self._whole = (diff if self._marks else None), diff
        if diff is None:
            self.set_table(None)
        else:
            self.set_table(diff.released if self._marks else diff.original, rows)

    def cell_state(self, index: Index) -> int:
        """Return what the release did to a cell: ``SAME``, ``GENERALISED``, ``HIDDEN``, ``CHANGED`` or ``REMOVED``.

        The model of the original side, and that of rows that do not correspond, always give ``SAME``.
        """
        if self._diff is None or not self._diff.states:
            return SAME
        return int(self._diff.states[index.column()][self.rows[index.row()]])

    def first_texts(self, view_column: int, most: int) -> set[str]:
        """Return the distinct displayed texts of a column in the first ``most`` displayed rows, to estimate its width.

        On the released side they have the signs of what happened to the cells ("≠ 34"); hidden and removed cells give
        words instead.
        """
        if self._diff is None or not self._diff.states:
            return super().first_texts(view_column, most)
        column, rows = self.column_at(view_column), self.rows[:most]
        cells = set(zip(column.codes_at(rows).tolist(), self._diff.states[view_column][rows].tolist(), strict=True))
        return {self._mark_cell_text(self._format_code(column, code), state) for code, state in cells}

    def _mark_cell_text(self, text: str, state: int) -> str:
        """Return the text of a released cell with the sign of what happened to it: ≠ changed, ≈ generalised.

        For hidden and removed cells words replace the text; an unchanged cell has no sign.
        """
        if state == HIDDEN:
            return self._hidden_text
        if state == REMOVED:
            return self._removed_text
        return {CHANGED: f"≠ {text}", GENERALISED: f"≈ {text}"}.get(state, text)

    def is_group_start(self, index: Index) -> bool:
        """Return whether a cell's row is the first of a group of people and records; False without groups."""
        return self._whole is not None and self._whole.is_group_start(int(self.rows[index.row()]))

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text, on the released side with the sign of its change ("≠ 34"), or its ``STATE_ROLE``.

        Hidden and removed cells of the released side show words instead of a text; on the original side the state is
        always ``SAME``. Other roles are answered as by ``ColumnsModel``.
        """
        if role == Qt.ItemDataRole.DisplayRole and self._diff is not None:
            state = self.cell_state(index)
            return self._mark_cell_text("" if state in (HIDDEN, REMOVED) else super().data(index, role), state)
        if role == STATE_ROLE:
            return self.cell_state(index)
        return super().data(index, role)


class CellDelegate(QStyledItemDelegate):
    """Draws cells with an outline around the current cell and a line between groups."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw the cell, a line between a group of rows and the one above, and an outline around the current cell."""
        super().paint(painter, option, index)
        model = self._view.model()
        if isinstance(model, DiffModel) and index.row() and model.is_group_start(index):
            painter.fillRect(option.rect.left(), option.rect.top(), option.rect.width(), 1, theme().colour("control"))
        # Asked each time: sorting and filtering move the current cell without telling.
        current = self._view.currentIndex()
        if index.row() == current.row() and index.column() == current.column():
            painter.save()
            painter.setPen(QPen(theme().colour("accent"), 2))
            painter.drawRect(option.rect.adjusted(1, 1, -1, -1))
            painter.restore()


class DiffDelegate(CellDelegate):
    """Draws changed values semibold on a coloured background, and hidden or removed ones on a dimmed background."""

    def __init__(self, view: QAbstractItemView, model: DiffModel) -> None:
        super().__init__(view)
        self._model = model
        theme().changed.connect(self._on_theme)
        self._on_theme()

    def _on_theme(self) -> None:
        """Prepare colours and the bold font for the present theme, to be used for every painted cell."""
        self._tint, self._sunken = QBrush(theme().colour("changed_tint")), QBrush(theme().colour("sunken"))
        self._bold = theme().font(semibold=True)

    def initStyleOption(self, option: QStyleOptionViewItem, index: Index) -> None:
        """Set a cell's look: tinted and bold if it was changed, sunken if hidden or removed; others look as usual."""
        super().initStyleOption(option, index)
        state = self._model.cell_state(index)
        if state == CHANGED:
            option.backgroundBrush = self._tint
            option.font = self._bold
        elif state in (HIDDEN, REMOVED):
            option.backgroundBrush = self._sunken
