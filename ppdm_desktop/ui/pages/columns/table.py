"""The table that lists the columns of the file: its rows, model and drawing, and its view with keys and clicks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QFont, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from ppdm_desktop.engine.recipe.models import DetailMark
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.column_facts import ColumnFacts
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.widgets.folding import wrap_to_width
from ppdm_desktop.ui.widgets.layout import FitsOnResize
from ppdm_desktop.ui.widgets.roles import (
    ROLE_OF_LETTER,
    UNDECIDED,
    describe_kind,
    describe_role,
    format_pill,
    paint_pill,
    pill_size,
)
from ppdm_desktop.ui.widgets.tables.headers import prepare_table

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
CHECK, NAME, ROLE, STATE, KIND, DISTINCT, MISSING, SPREAD, WHY = range(9)
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
# A page paints more than a hundred cells at once: what needs no new count is counted here.
_ONE_LINE = {align: align | Qt.TextFlag.TextSingleLine for align in (_LEFT, _RIGHT)}
_SIDE, _MOST_LINES = 6, 6  # px at 100 %: beside the words of a cell; of a reason, names in it may be long
_MARKS: dict[DetailMark | None, str] = {None: "", "keep": "★ ", "may-go": "◌ "}
_SELECTED, _FOCUSED = QStyle.StateFlag.State_Selected.value, QStyle.StateFlag.State_HasFocus.value


@dataclass(frozen=True)
class ColumnLine:
    """One row of the table of columns, which stands for one column of the file."""

    name: str
    role: str
    kind: str
    confirmed: bool
    distinct: int
    missing: int
    spread: tuple[float, ...]
    reason: str
    grouped: bool
    detail: DetailMark | None


def column_lines(session: Session) -> list[ColumnLine]:
    """Return one table row for each column of the file; an empty list if no file is open.

    Columns without a suggested role come first, then weak suggestions, then strong ones, each in the order of the file.
    What the user decided does not change this order.
    """
    if session.reading is None:
        return []
    lines = []
    sections, confirmed = session.decisions.recipe.columns, session.decisions.confirmed
    for column in sorted(
        session.reading.table.columns, key=lambda column: _compute_urgency(session.facts[column.name])
    ):
        section, facts = sections.get(column.name), session.facts[column.name]
        lines.append(
            ColumnLine(
                name=column.name,
                role=section.role if section is not None else UNDECIDED,
                kind=(section.kind if section is not None else None) or facts.kind,
                confirmed=column.name in confirmed,
                distinct=facts.distinct,
                missing=facts.missing,
                spread=facts.spread,
                reason=" · ".join(filter(None, (column.label, facts.reason))),
                grouped=section is not None and section.bins is not None,
                detail=section.detail if section is not None else None,
            )
        )
    return lines


def _compute_urgency(facts: ColumnFacts) -> int:
    """Return a column's sort key: 0 if no role is suggested, 1 for a weak suggestion, 2 for a strong one."""
    return 0 if facts.role is None else 2 if facts.strong else 1


def filter_column_lines(lines: Sequence[ColumnLine], wanted: str) -> list[ColumnLine]:
    """Return the rows whose column name, role or kind, as displayed, contains ``wanted``; all rows for "".

    Upper and lower case, and blanks around the text, do not matter.
    """
    wanted = wanted.strip().casefold()
    return [
        line
        for line in lines
        if any(wanted in text.casefold() for text in (line.name, describe_role(line.role), describe_kind(line.kind)))
    ]


class ColumnsTableModel(QAbstractTableModel):
    """Qt model of the table of columns; the view redraws only the rows that changed."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.lines: list[ColumnLine] = []

    def set_lines(self, lines: list[ColumnLine]) -> None:
        """Replace the rows; if they stand for the same columns in the same order, only changed rows are redrawn.

        In that case the selection is kept.
        """
        if [line.name for line in lines] != [line.name for line in self.lines]:
            self.beginResetModel()
            self.lines = lines
            self.endResetModel()
            return
        changed = [row for row, (old, new) in enumerate(zip(self.lines, lines, strict=True)) if old != new]
        self.lines = lines
        for row in changed:
            self.dataChanged.emit(self.index(row, 0), self.index(row, WHY))

    def rowCount(self, parent: Index = _NONE) -> int:
        """Return the number of rows, one for each column of the file that is shown; 0 for the children of a cell."""
        return 0 if parent.isValid() else len(self.lines)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Return the number of columns of the table, 9; 0 for the children of a cell."""
        return 0 if parent.isValid() else WHY + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text, screen reader text, screen reader description or alignment of a cell; None for other roles.

        Screen readers get the displayed text, for a role also the letter of its label ("I Names a person"). Check box
        and distribution are drawn by ``ColumnsDelegate``: their displayed text is "", but they have a text for screen
        readers. The description is the name of the column that the row stands for, "" in the cell of the name.
        """
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() in (CHECK, SPREAD):
            return _describe_drawn_cell(self.lines[index.row()], index.column())
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self.lines[index.row()].name if index.column() != NAME else ""
        if role == Qt.ItemDataRole.AccessibleTextRole and index.column() == ROLE:
            return format_pill(self.lines[index.row()].role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return _format_cell(self.lines[index.row()], index.column())
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if index.column() in (DISTINCT, MISSING) else _LEFT
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a column heading or its alignment; None for the headings of rows and for other roles.

        The column of check boxes displays no heading (""), but has "Selected" for screen readers.
        """
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _RIGHT if section in (DISTINCT, MISSING) else _LEFT
        if role == Qt.ItemDataRole.AccessibleTextRole and section == CHECK:
            return _("Selected")
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return None
        return {
            NAME: _("Column"),
            ROLE: _("Role"),
            STATE: _("Decision"),
            KIND: _("Kind"),
            DISTINCT: _("Values"),
            MISSING: _("Missing"),
            SPREAD: _("Distribution"),
            WHY: _("Why this is suggested"),
        }.get(section, "")


def _format_cell(line: ColumnLine, column: int) -> str:
    """Return the text of a cell in ``column`` (NAME, ROLE, ...); "" for the drawn check box and distribution.

    A column without missing values has "–". A name starts with its mark "must stay detailed" or "may go", if any,
    and a kind ends with a remark if its numbers are grouped.
    """
    if column == NAME:
        return f"{_MARKS[line.detail]}{line.name}"
    if column == ROLE:
        return describe_role(line.role)
    if column == STATE:
        if line.role == UNDECIDED:
            return _("Decide")
        return _("confirmed") if line.confirmed else _("Confirm")
    if column == KIND:
        kind = describe_kind(line.kind)
        return _("{kind}, grouped", kind=Term(kind)) if line.grouped else kind
    if column == DISTINCT:
        return format_rounded_count(line.distinct)
    if column == MISSING:
        return format_rounded_count(line.missing) if line.missing else "–"
    if column == WHY:
        return line.reason
    return ""


def _describe_drawn_cell(line: ColumnLine, column: int) -> str:
    """Return the screen reader text of a drawn cell: the label of its check box, or the distribution of values.

    The distribution is the number of bars and which one is highest; "" for a column without values.
    """
    if column == CHECK:
        return join_label(_("Selected"), line.name)
    if not line.spread:
        return ""
    highest = max(range(len(line.spread)), key=line.spread.__getitem__) + 1
    return _("{n} {n:bar|bars}, the highest is bar {highest}", n=len(line.spread), highest=highest)


class ColumnsDelegate(QStyledItemDelegate):
    """Draws the cells of the table: check box, role, decision, distribution and the reason of a suggestion."""

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell: check box, role as a coloured label, decision with icon, distribution as bars, or text.

        Selected rows have another background; the cell with the keyboard focus has a frame.
        """
        model = index.model()
        assert isinstance(model, ColumnsTableModel)
        line = model.lines[index.row()]
        t = theme()
        box = QRectF(option.rect)
        state = option.state.value
        selected = bool(state & _SELECTED)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(box, t.colour("selection" if selected else "surface"))
        painter.fillRect(QRectF(box.left(), box.bottom() - 1, box.width(), 1), t.colour("line"))
        inner = box.adjusted(t.px(_SIDE), 0, -t.px(_SIDE), 0)
        column = index.column()
        if column == CHECK:
            _paint_check(painter, box, selected)
        elif column == ROLE:
            paint_pill(painter, inner.adjusted(0, 0, -t.px(14), 0), line.role)
        elif column == STATE:
            _paint_state(painter, inner, line, str(index.data()))
        elif column == SPREAD:
            _paint_spread(painter, inner, line)
        else:
            font = _reason_font() if column == WHY else t.font(semibold=column == NAME)
            painter.setFont(font)
            painter.setPen(t.colour("text2" if column == WHY else "text"))
            available = inner.adjusted(0, 0, -t.px(16), 0) if column == KIND else inner
            align = _RIGHT if column in (DISTINCT, MISSING) else _LEFT
            # Long names often differ at their ends only.
            lines = {WHY: _MOST_LINES, KIND: 2}.get(column, 1)
            _draw_text(painter, available, str(index.data()), align, lines=lines, middle=column == NAME)
        if column == ROLE or (column == KIND and line.role != UNDECIDED):
            right = round(inner.right() - t.px(13))
            painter.drawPixmap(right, round(box.center().y() - t.px(6)), t.pixmap("down", "text2", 13))
        if state & _FOCUSED:
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -1, -2))
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        """Return the least size of a cell: 60 px wide at 100 % text size, and as high as two lines of small text."""
        return QSize(theme().px(60), row_height())


def row_height(lines: int = 2) -> int:
    """Return the height in pixels of a row with this many lines of small text; 1 line needs the height of 2."""
    more = lines - 2
    return round(theme().h * 2.1) + (more * QFontMetrics(_reason_font()).height() if more > 0 else 0)


def count_reason_lines(text: str, width: int) -> int:
    """Return how many lines (0 for "" to 6) the reason of a suggested role takes in a column ``width`` pixels wide."""
    available = max(width - 2 * theme().px(_SIDE), 1)
    return len(_wrap_text(text, QFontMetrics(_reason_font()), available, _MOST_LINES))


def _reason_font() -> QFont:
    """Return the font of the reasons for roles, a little smaller than usual."""
    return theme().font(0.9)


def _wrap_text(text: str, metrics: QFontMetrics, width: int, most: int) -> list[str]:
    """Return a text wrapped into at most ``most`` lines for a width in pixels; if that is too few, it ends with "…".

    [] for "".
    """
    lines = wrap_to_width(text, metrics, width)
    kept_lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    # Qt cuts a line that is a fraction of a pixel too long, which wrapping takes for one that fits.
    return [metrics.elidedText(line, Qt.TextElideMode.ElideRight, width + 1) for line in kept_lines if line]


def _draw_text(
    painter: QPainter, box: QRectF, text: str, align: Qt.AlignmentFlag, *, lines: int, middle: bool = False
) -> None:
    """Draw text on at most ``lines`` lines, vertically centred; text that does not fit is cut off with "…".

    Parameters
    ----------
    painter
        Painter with the font and pen to use.
    box
        Rectangle for the text, in pixels.
    text
        The text.
    align
        Horizontal alignment.
    lines
        Most lines.
    middle
        Whether a single line is cut in its middle instead of its end.
    """
    metrics = QFontMetrics(painter.font())
    width = max(round(box.width()), 1)
    if metrics.horizontalAdvance(text) <= width:
        painter.drawText(box, _ONE_LINE[align], text)
        return
    if lines == 1:
        elide = Qt.TextElideMode.ElideMiddle if middle else Qt.TextElideMode.ElideRight
        painter.drawText(box, _ONE_LINE[align], metrics.elidedText(text, elide, width))
        return
    high = float(metrics.height())
    drawn = _wrap_text(text, metrics, width, lines)
    top = box.center().y() - high * len(drawn) / 2
    for index, line in enumerate(drawn):
        painter.drawText(QRectF(box.left(), top + index * high, box.width(), high), _ONE_LINE[align], line)


def _paint_check(painter: QPainter, cell: QRectF, checked: bool) -> None:
    """Paint a check box of fixed size, ticked if ``checked``, in the middle of a table cell."""
    t = theme()
    side = t.px(14)
    square = QRectF(cell.center().x() - side / 2, cell.center().y() - side / 2, side, side)
    painter.setPen(QPen(t.colour("accent" if checked else "control"), 1.2))
    painter.setBrush(t.colour("accent" if checked else "surface"))
    painter.drawRoundedRect(square, t.px(3), t.px(3))
    if checked:
        painter.drawPixmap(square.toRect(), t.pixmap("check", "on_accent", 14))


def _paint_state(painter: QPainter, box: QRectF, line: ColumnLine, text: str) -> None:
    """Paint whether the role of a column is confirmed: the ``text`` of this, with an icon before it.

    The icon is that of a passed check for a confirmed role, else a warning. A text that is too long is cut with "…".
    """
    t = theme()
    side = t.px(15)
    icon, token = ("passed", "passed") if line.confirmed else ("warning", "amber")
    painter.drawPixmap(round(box.left()), round(box.center().y() - side / 2), t.pixmap(icon, token, 15))
    painter.setFont(t.font(0.92, semibold=not line.confirmed))
    painter.setPen(t.colour("text2" if line.confirmed else "link"))
    available = box.adjusted(side + t.px(5), 0, 0, 0)
    _draw_text(painter, available, text, _LEFT, lines=1)


def _paint_spread(painter: QPainter, box: QRectF, line: ColumnLine) -> None:
    """Paint the distribution of a column's values as small bars; nothing if the column has no values.

    Heights are in proportion to ``line.spread`` (1 is two thirds of the cell's height), and at least one pixel.
    """
    if not line.spread:
        return
    t = theme()
    high = box.height() * 0.66
    floor = box.center().y() + high / 2
    wide = box.width() / max(len(line.spread), 5)
    gap = 1.0 if wide > 3 else 0.0
    for index, height in enumerate(line.spread):
        bar = max(height * high, 1.0)
        painter.fillRect(QRectF(box.left() + index * wide, floor - bar, wide - gap, bar), t.colour("plain_bar"))


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
