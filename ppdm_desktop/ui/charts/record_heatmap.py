"""The record heatmap: a table of records whose colours say how many people would match if one value were unknown.

Every cell is an item of a table model, so that keys and screen readers work as in any table.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np
from PySide6.QtCore import (
    QAbstractTableModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QRect,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionHeader,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from ppdm_desktop.engine.arrays import Codes, Ints, Rows
from ppdm_desktop.engine.identifiability.contributions import Contributions
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.values import Name, Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.look.tokens import choose_text_colour
from ppdm_desktop.ui.models.table_model import MOST_ROWS, NO_PARENT, Index
from ppdm_desktop.ui.state.number_texts import shorten_common_prefix
from ppdm_desktop.ui.widgets.folding import wrap_to_width
from ppdm_desktop.ui.widgets.level_choice import paint_level
from ppdm_desktop.ui.widgets.tables.headers import NumbersHeader, prepare_table

# Fixed edges, printed in the legend: 1 · 2-4 · 5-9 · 10-19 · 20-39 · 40-79 · 80 and more.
EDGES = (2, 5, 10, 20, 40, 80)
COUNT_ROLE = Qt.ItemDataRole.UserRole + 2
LEVEL_ROLE = Qt.ItemDataRole.UserRole + 3
_TEXT_ROLES = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.ToolTipRole)
_SIDES = 4  # px at 100 %, beside the names in the headers
_SAMPLE = 100
_LONG_NAME = 24
_UPRIGHT = 30  # px at 100 %, the least width below a name that stands
_LEAST, _TIGHT = 64, 52  # px at 100 %: no column is narrower; the second where that spares scrolling sideways
_SLIDING = 80  # px at 100 %: no column is narrower where one scrolls sideways anyway, so that its values can be read
_SMALL_FONT, _SHORT = 0.8, 6  # of values on two lines; letters that find room in any column
FEW_ROWS = 12
_NO_LIMIT = (1 << 24) - 1  # Qt's own largest size


def find_count_band(count: int) -> int:
    """Return the index (0 to 6) of the colour band for a number of people; bands begin at 0, 2, 5, 10, 20, 40, 80."""
    return bisect_right(EDGES, count)


def band_labels() -> list[str]:
    """Return the labels of the colour bands for numbers of people, such as "1", "2–4" and "80+", from the lowest."""
    ends = (1, *EDGES)
    labels = [f"{low}" if low + 1 == high else f"{low}–{high - 1}" for low, high in zip(ends, EDGES, strict=False)]
    return [*labels, f"{EDGES[-1]}+"]


def name_beyond_column(*, short: bool = False) -> str:
    """Return the heading of the column on how much unique people stand out beyond the file.

    The ``short`` heading fits above a narrow column.
    """
    return _("Rare outside") if short else _("Stands out beyond this file")


def label_tenth(tenth: int) -> str:
    """Return "tenth 3" for a record in the third tenth of the unique people; a dash for 0 (in none)."""
    return _("tenth {n}", n=tenth) if tenth else numbers_of(language()).none(cell=True)


class HeatModel(QAbstractTableModel):
    """Table model of the heatmap: records in rows, the privacy level and the quasi-identifiers in columns."""

    def __init__(self, level_label: str) -> None:
        super().__init__()
        self._level_label = level_label
        self._columns: tuple[Column, ...] = ()
        self._rows: Rows = np.empty(0, dtype=np.int64)
        self._numbers: Rows = np.empty(0, dtype=np.int64)
        self._contributions: Contributions | None = None
        self._levels: Codes | None = None
        self._marks: list[tuple[int, str]] = []
        self._headers: list[str] = []
        self._tenths: Ints | None = None

    def set_headers(self, headers: list[str]) -> None:
        """Show these shortened names of the quasi-identifiers as column headings, in their order.

        The same names again change nothing.
        """
        if headers != self._headers:
            self._headers = headers
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 1, len(headers))

    def set_tenths(self, tenths: Ints | None) -> None:
        """Show a last column that puts unique people into ten classes by how much they stand out beyond the file.

        ``tenths`` has the class, 1 to 10, of each record of the table, 0 for records in none; None removes the column.
        """
        self.beginResetModel()
        self._tenths = tenths
        self.endResetModel()

    def set_table(self, table: Table, contributions: Contributions, rows: Rows, marks: list[tuple[int, str]]) -> None:
        """Show records of another table, without the last column of ``set_tenths``.

        Parameters
        ----------
        table
            The table with the quasi-identifiers, the details that others may know.
        contributions
            For each record and quasi-identifier, how many people would share the record's other values.
        rows
            Indices of the records to show, in order, shape (records,).
        marks
            (filled bars of the mark, label) of each privacy level of the table.
        """
        self.beginResetModel()
        by_name = {column.name: column for column in table.columns}
        self._columns = tuple(by_name[name] for name in contributions.scope)
        self._numbers, self._contributions, self._rows = table.row_numbers, contributions, rows
        self._levels = table.levels.codes if table.levels is not None else None
        self._marks, self._tenths = marks, None
        self._headers = list(contributions.scope)
        self.endResetModel()

    def set_rows(self, rows: Rows) -> None:
        """Show the records with these indices of the same table, in this order."""
        self.beginResetModel()
        self._rows = rows
        self.endResetModel()

    def clear(self) -> None:
        """Remove all records and columns."""
        self.beginResetModel()
        self._contributions, self._columns, self._rows = None, (), np.empty(0, dtype=np.int64)
        self.endResetModel()

    def sample(self, column: int, most: int) -> set[str]:
        """Return the distinct texts of a displayed column in the first ``most`` records, to estimate its width.

        The first column of values is 1; 0 shows the privacy level and must not be asked for. For the last column of
        ``set_tenths`` it is only the longest possible text.
        """
        if column > len(self._columns):
            return {label_tenth(10)}
        codes = np.unique(self._columns[column - 1].codes_at(self._rows[:most]))
        return {self._format_code(column - 1, int(code)) for code in codes}

    def _format_code(self, index: int, code: int) -> str:
        """Return the text of a code in the quasi-identifier with this index, cut after 200 letters; "∅" if missing."""
        column = self._columns[index]
        text = column.texts[code]
        return "∅" if text in column.missing_texts else text[:200]

    def record_at(self, row: int) -> int:
        """Return the index in the table of the record in a displayed row."""
        return int(self._rows[row])

    def number_at(self, row: int) -> int:
        """Return the row number in the original file of the record in a displayed row."""
        return int(self._numbers[self._rows[row]])

    def name_at(self, column: int) -> str | None:
        """Return the name of the quasi-identifier in a displayed column; None for privacy level and tenths."""
        return self._columns[column - 1].name if 0 < column <= len(self._columns) else None

    def rowCount(self, parent: Index = NO_PARENT) -> int:
        """Return the number of displayed records, at most ``MOST_ROWS``; 0 if a parent cell is given, as Qt expects."""
        return 0 if parent.isValid() else min(len(self._rows), MOST_ROWS)

    def columnCount(self, parent: Index = NO_PARENT) -> int:
        """Return the number of columns: privacy level, quasi-identifiers, and the tenths if they are shown.

        0 before a table is shown, and if a parent cell is given, as Qt expects.
        """
        return 0 if parent.isValid() or not self._columns else len(self._columns) + 1 + (self._tenths is not None)

    def _find_level_mark(self, row: int) -> tuple[int, str]:
        """Return the mark of a displayed record's privacy level: (filled bars, label); (1, "") without levels."""
        if self._levels is None or not self._marks:
            return 1, ""
        return self._marks[int(self._levels[self._rows[row]])]

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's value, its number of people (``COUNT_ROLE``), or both in words for tooltip and screen reader.

        The number is how many people have the record's other values: who it could be if this column were not known. The
        first column displays no text (None); it gives the privacy level's number of filled bars (``LEVEL_ROLE``), and
        its label as tooltip. That of tenths gives its text for both. Other roles give None.
        """
        column, record = index.column() - 1, int(self._rows[index.row()])
        if column < 0:
            filled, label = self._find_level_mark(index.row())
            if role in _TEXT_ROLES:
                return label
            return filled if role == LEVEL_ROLE else None
        if column == len(self._columns):
            tenth = 0 if self._tenths is None else int(self._tenths[record])
            return label_tenth(tenth) if role in (Qt.ItemDataRole.DisplayRole, *_TEXT_ROLES) else None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._format_code(column, int(self._columns[column].codes_at(np.array([record]))[0]))
        if role in (COUNT_ROLE, *_TEXT_ROLES) and self._contributions is not None:
            count = int(self._contributions.without[self._contributions.classes.ids[record], column])
            if role == COUNT_ROLE:
                return count
            text = self.data(index)
            label = _(
                "{name} {value}: without it, {n} {n:person has|people have} the same details.",
                name=Name(self._columns[column].name),
                value=Term(text),
                n=count,
            )
            return plain_tip(label) if role == Qt.ItemDataRole.ToolTipRole else label
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return column names (short for display, full as tooltip and for screen readers) and row numbers.

        Row numbers are those of the original file, as text. None for other roles, and for a row that is not displayed.
        The first column's heading is that of the privacy levels, and the last of ``set_tenths`` has its own.
        """
        if role in _TEXT_ROLES and orientation == Qt.Orientation.Horizontal and section:
            name = self.name_at(section) or name_beyond_column()
            return plain_tip(name) if role == Qt.ItemDataRole.ToolTipRole else name
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        if orientation == Qt.Orientation.Vertical:
            return numbers_of(language()).place(self.number_at(section)) if section < len(self._rows) else None
        if section > len(self._headers):
            return name_beyond_column(short=True)
        return self._level_label if section == 0 else self._headers[section - 1]


class _HeatDelegate(QStyledItemDelegate):
    """Draws a cell of the heatmap in the colour of its band, with text of sufficient contrast."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        """Prepare fonts, colours and sizes for the present theme, to be used for every painted cell."""
        t = theme()
        self._grounds = [QColor(colour) for colour in t.tokens.risk]
        self._texts = [QColor(choose_text_colour(colour)) for colour in t.tokens.risk]
        self._font, self._small = t.font(0.95), t.font(_SMALL_FONT)
        self._metrics, self._small_metrics = QFontMetrics(self._font), QFontMetrics(self._small)
        self._ring = QPen(t.colour("accent"), 2)
        self._margin = t.px(4)
        self._mark = QRect(0, 0, t.px(18), t.px(12))

    def lines(self, text: str, width: int) -> tuple[list[str], QFont]:
        """Return a value as one or two lines of text for a width in pixels, with their font.

        A text of more than six letters that does not fit on one line gets a smaller font and up to two lines, which are
        cut with "…" if needed.
        """
        if len(text) <= _SHORT or self._metrics.horizontalAdvance(text) <= width:
            return [text], self._font
        first, *rest = wrap_to_width(text, self._small_metrics, width)
        # A line ends at a blank, which goes, or after a hyphen, which stays.
        second = text[len(first) :].strip() if rest else ""
        cut = Qt.TextElideMode.ElideRight
        return [self._small_metrics.elidedText(text, cut, width) for text in (first, second) if text], self._small

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw one cell: the mark of the privacy level in the first column, else the value on the colour of its count.

        A cell without a count (the column of tenths) has no colour. The selected cell has a ring.
        """
        box: QRect = option.rect
        model = index.model()
        if index.column() == 0:
            self._mark.moveCenter(box.center())
            paint_level(painter, self._mark.toRectF(), int(model.data(index, LEVEL_ROLE) or 1))
        else:
            count = model.data(index, COUNT_ROLE)
            if count is None:
                painter.setPen(theme().colour("text"))
            else:
                painter.fillRect(box.adjusted(0, 0, -1, -1), self._grounds[find_count_band(int(count))])
                painter.setPen(self._texts[find_count_band(int(count))])
            inner = box.adjusted(self._margin, 0, -self._margin, 0)
            lines, font = self.lines(str(model.data(index)), inner.width())
            painter.setFont(font)
            painter.drawText(inner, Qt.AlignmentFlag.AlignCenter, "\n".join(lines))
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(self._ring)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(box.adjusted(1, 1, -2, -2))


class HeatView(QTableView):
    """The heatmap as a table; sends the selected cell as (displayed row, displayed column)."""

    cell_chosen = Signal(int, int)

    def __init__(self, model: HeatModel, *, name: str, label: str) -> None:
        super().__init__()
        self._heat_model = model
        self.setVerticalHeader(NumbersHeader(self))
        self._header = UprightHeader(self)
        self.setHorizontalHeader(self._header)
        prepare_table(self, model, name=name, label=label)
        self.setItemDelegate(_HeatDelegate(self))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setHighlightSections(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._natural: list[int] = []
        self._of_values: list[int] = []
        self._names: list[str] = []
        self.selectionModel().currentChanged.connect(self._on_current_changed)
        self.clicked.connect(self._on_clicked)
        model.modelReset.connect(self.fit)
        theme().changed.connect(self.fit)
        self.fit()

    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Send ``cell_chosen`` with row and column of the cell that became current, if the table has the focus."""
        if current.isValid() and self.hasFocus():
            self.cell_chosen.emit(current.row(), current.column())

    def _on_clicked(self, index: QModelIndex) -> None:
        """Send ``cell_chosen`` with the displayed row and column of the clicked cell."""
        self.cell_chosen.emit(index.row(), index.column())

    def fit(self) -> None:
        """Set row height and column widths to suit the texts of the first 100 records.

        The first value of the first record becomes the current cell if there is no current one; ``cell_chosen`` is not
        sent for that.
        """
        t, model = theme(), self.model()
        # Cells are narrow here: a name takes the room that the headers of tables leave at its sides.
        sheet = f"QHeaderView::section {{ padding: {t.px(5)}px {t.px(_SIDES)}px; }}"
        if sheet != self.styleSheet():  # to set one is dear, the same one too
            self.setStyleSheet(sheet)
        metrics, bold = QFontMetrics(t.font(0.95)), QFontMetrics(t.font(semibold=True))
        two_lines = 2 * QFontMetrics(t.font(_SMALL_FONT)).height() + t.px(2)
        self.verticalHeader().setDefaultSectionSize(max(round(t.h * 1.45), two_lines))
        rows = model.rowCount()
        numbers = [str(model.headerData(row, Qt.Orientation.Vertical)) for row in range(min(rows, _SAMPLE))]
        widest = max((bold.horizontalAdvance(number) for number in numbers), default=0)
        self.verticalHeader().setFixedWidth(widest + t.px(14))
        self._natural, self._of_values = [], []
        names = [
            self._heat_model.name_at(column) or name_beyond_column(short=True)
            for column in range(1, model.columnCount())
        ]
        # The dots of a beginning left out would take what little room there is; the tooltip has the whole name.
        self._names = [name.removeprefix("…") for name in shorten_common_prefix(names)]
        for column, name in enumerate(self._names, start=1):
            texts = self._heat_model.sample(column, _SAMPLE)
            values = max((metrics.horizontalAdvance(text[:40]) + t.px(14) for text in texts), default=0)
            wide = max(min(bold.horizontalAdvance(name), t.px(120)) + t.px(12), values)
            self._natural.append(min(wide, t.px(170)))
            self._of_values.append(min(max(values, t.px(_UPRIGHT)), t.px(170)))
        self._adapt_column_widths()
        if rows and model.columnCount() > 1 and not self.currentIndex().isValid():
            self.selectionModel().setCurrentIndex(model.index(0, 1), QItemSelectionModel.SelectionFlag.NoUpdate)

    def choose_strongest(self) -> None:
        """Select, as an example, the value of the first record that identifies it most, and send ``cell_chosen``.

        That is the value without which most people would have the same details; of equal ones the first. Nothing
        happens without records.
        """
        model = self.model()
        if not model.rowCount():
            return
        counts = [int(model.index(0, column).data(COUNT_ROLE) or 0) for column in range(1, model.columnCount())]
        column = counts.index(max(counts)) + 1
        self.setCurrentIndex(model.index(0, column))
        self.cell_chosen.emit(0, column)

    def _adapt_column_widths(self) -> None:
        """Set the column widths by ``squeeze_widths`` so that they fill the view, then the view's height.

        If a column name would be cut, all names are turned upright, and the values alone decide the widths. Nothing
        happens while the natural widths are unknown.
        """
        # A view is resized while its headers learn of other columns, before these are measured.
        if not self._natural or len(self._natural) != self.model().columnCount() - 1:
            return
        metrics = QFontMetrics(theme().font(semibold=True))
        text = str(self._heat_model.headerData(0, Qt.Orientation.Horizontal))
        first = max(theme().px(34), metrics.horizontalAdvance(text) + theme().px(2 * _SIDES + 2))
        self.setColumnWidth(0, first)
        available = self.viewport().width() - first
        widths = squeeze_widths(self._natural, available)
        lying = self._elide_column_names(metrics, widths)
        upright = {column: name for column, name in enumerate(self._names, start=1) if lying[column - 1] != name}
        if upright:
            # All of them: a row of names is read in one direction, and narrow columns leave more room for values.
            widths = squeeze_widths(self._of_values, available)
            upright = dict(enumerate(self._names, start=1))
        for column, wide in enumerate(widths, start=1):
            self.setColumnWidth(column, wide)
        self._header.set_upright(upright)
        self._heat_model.set_headers(self._names if upright else lying)
        self._limit_height(slides=sum(widths) > available)

    def _elide_column_names(self, metrics: QFontMetrics, widths: list[int]) -> list[str]:
        """Return the column names cut with "…" to ``widths`` in pixels.

        Names of more than 24 letters are cut in the middle, others at the end.
        """
        names = []
        for name, wide in zip(self._names, widths, strict=True):
            # Long names often differ at their ends only; of short ones the beginning says more.
            mode = Qt.TextElideMode.ElideMiddle if len(name) > _LONG_NAME else Qt.TextElideMode.ElideRight
            names.append(metrics.elidedText(name, mode, wide - theme().px(2 * _SIDES + 2)))
        return names

    def _limit_height(self, *, slides: bool) -> None:
        """Fix the view's height at its number of rows, at least 3 and at most 12; with more than 12 rows it may grow.

        ``slides`` says that there is a scroll bar below, which needs room too.
        """
        rows = self._heat_model.rowCount()
        around = self.horizontalHeader().sizeHint().height() + 2 * self.frameWidth() + 2
        bar = self.horizontalScrollBar().sizeHint().height() if slides else 0
        least = self.verticalHeader().defaultSectionSize() * min(max(rows, 3), FEW_ROWS) + around + bar
        most = least if rows <= FEW_ROWS else _NO_LIMIT
        if (self.minimumHeight(), self.maximumHeight()) != (least, most):
            self.setMinimumHeight(least)
            self.setMaximumHeight(most)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt the column widths to the new width."""
        super().resizeEvent(event)
        self._adapt_column_widths()


def squeeze_widths(natural: list[int], available: int) -> list[int]:
    """Return column widths in pixels that share ``available`` as by ``fit_shared_widths``.

    The widest columns are cut to 64 px (at 100 % text size) at the least, or to 52 px if only that avoids scrolling
    sideways. If neither does, they are cut to 80 px at the least, so that values can be read, and the view scrolls.
    """
    widths = fit_shared_widths(natural, available, theme().px(_LEAST))
    if sum(widths) > available:
        tight = fit_shared_widths(natural, available, theme().px(_TIGHT))
        widths = tight if sum(tight) <= available else fit_shared_widths(natural, available, theme().px(_SLIDING))
    return widths


def fit_shared_widths(natural: list[int], available: int, least: int) -> list[int]:
    """Return column widths in pixels that share ``available``; if there is too little, the widest columns give way.

    With more room columns are widened in proportion, at most to twice their natural width. With less, columns are cut
    to a common width, not below ``least``: 50, 100 and 200 in 250 pixels become 50, 100 and 100. If that is still too
    wide, the view scrolls sideways.
    """
    total = sum(natural)
    if not natural or total <= 0:
        return natural
    if total <= available:
        factor = min(available / total, 2.0)
        return [int(wide * factor) for wide in natural]
    # Narrow columns keep their width; what is left is shared evenly by the others.
    rest, cap = available, float(least)
    for rank, wide in enumerate(sorted(natural)):
        share = rest / (len(natural) - rank)
        if wide > share:
            cap = max(share, float(least))
            break
        rest -= wide
    return [int(min(wide, cap)) for wide in natural]


_HIGHEST, _ABOVE = 180, 12  # px at 100 %: the longest name that stands, and the room at both its ends


class UprightHeader(QHeaderView):
    """Header whose column names are turned upright above columns that are too narrow for them."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self.upright: dict[int, str] = {}

    def set_upright(self, names: dict[int, str]) -> None:
        """Turn these names (by column index) upright, cut with "…" beyond 180 px at 100 % text size.

        All other names are written horizontally.
        """
        metrics, most = QFontMetrics(theme().font(semibold=True)), theme().px(_HIGHEST)
        cut = {column: metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, most) for column, name in names.items()}
        if cut != self.upright:
            self.upright = cut
            self.updateGeometry()
            self.viewport().update()

    def sizeHint(self) -> QSize:
        """Return the size; it is high enough for the longest upright name, if there is any."""
        size, metrics = super().sizeHint(), QFontMetrics(theme().font(semibold=True))
        longest = max((metrics.horizontalAdvance(name) for name in self.upright.values()), default=0)
        return QSize(size.width(), max(size.height(), longest + theme().px(_ABOVE) if longest else 0))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Clear the text of an upright name, so that Qt draws only its background.

        `paintSection` draws the name. If any name is upright, the others go to the bottom, centred; without an upright
        name nothing changes.
        """
        super().initStyleOptionForIndex(option, logicalIndex)
        if logicalIndex in self.upright:
            option.text = ""
        elif self.upright:
            # All begin at the line below them.
            option.textAlignment = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Draw a section of the header, and its name turned upright if it is one of ``upright``.

        An upright name that is longer than the header is high is cut in its middle.
        """
        painter.save()
        super().paintSection(painter, rect, logicalIndex)
        painter.restore()
        name = self.upright.get(logicalIndex)
        if name is not None:
            t, metrics = theme(), QFontMetrics(theme().font(semibold=True))
            painter.save()
            painter.setFont(t.font(semibold=True))
            painter.setPen(t.colour("text2"))
            painter.translate(rect.center().x() + 0.5, rect.bottom() - t.px(4))
            painter.rotate(-90)
            available = rect.height() - t.px(6)
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, available)
            box = QRect(0, -metrics.height() // 2, available, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, text)
            painter.restore()
