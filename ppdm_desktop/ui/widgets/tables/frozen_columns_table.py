"""Tables whose row names stay visible when they scroll sideways."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QObject, QRect, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QTableView, QWidget

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.state.number_words import shorten_common_prefix
from ppdm_desktop.ui.widgets.folding import wrap_to_width
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.headers import NumbersHeader

AROUND = 18
"""Space beside a name, in pixels at 100 % text size."""
_JOINT = " · "
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_LEAST, _SHARE = 150, 0.45
"""Least width of the names in pixels at 100 % text size, and their largest share of the table."""
_NO_LIMIT = 10_000
_MOST_LINES, _MOST_OF_SHORT = 4, 16
"""Most lines of a full name, and of one without the common beginning of all long names."""


class NamedRows(RowsModel):
    """Rows whose first texts form their name, shown at the left of the table.

    Parameters
    ----------
    names
        Number of columns, from the left, that form the name.
    """

    def __init__(
        self, headers: Sequence[str], right: Sequence[int] = (), parent: QObject | None = None, *, names: int = 1
    ) -> None:
        super().__init__(headers, right, parent)
        self.names = names
        self._short: tuple[list[tuple[str, ...]], dict[str, str]] = ([], {})

    def short_parts(self, row: int) -> tuple[str, ...]:
        """Return the parts of a row's name, in which an ellipsis replaces the words with which all long parts begin.

        Long is a part of more than 24 letters; those of all rows are compared (``shorten_common_prefix``).
        """
        if self._short[0] is not self.rows:
            parts = sorted({part for row in self.rows for part in row[: self.names]})
            self._short = (self.rows, dict(zip(parts, shorten_common_prefix(parts), strict=True)))
        return tuple(self._short[1][part] for part in self.name_parts(row))

    def name_parts(self, row: int) -> tuple[str, ...]:
        """Return the leading cells of a row, which together name it."""
        return self.rows[row][: self.names]

    def row_name(self, row: int) -> str:
        """Return the full name of a row, its parts joined by " · "."""
        return _JOINT.join(self.name_parts(row))

    def heading_parts(self) -> tuple[str, ...]:
        """Return the headings of the columns that form the name."""
        return tuple(self._headers[: self.names])

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return headings of columns; for rows the parts of their name joined, as text and as tooltip, aligned left."""
        if orientation == Qt.Orientation.Horizontal or not 0 <= section < len(self.rows):
            return super().headerData(section, orientation, role)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            name = _JOINT.join(self.name_parts(section))
            return plain_tip(name) if role == Qt.ItemDataRole.ToolTipRole else name
        return _LEFT if role == Qt.ItemDataRole.TextAlignmentRole else None


def elide_name_parts(parts: Sequence[str], metrics: QFontMetrics, room: int, mode: Qt.TextElideMode) -> str:
    """Return the parts of a name joined by " · ", elided to ``room`` pixels.

    Shorter parts stay whole as long as they fit an equal share of the room; longer ones get what is left.
    """
    whole = _JOINT.join(parts)
    if metrics.horizontalAdvance(whole) <= room:
        return whole
    left = room - metrics.horizontalAdvance(_JOINT) * (len(parts) - 1)
    short = {}
    widths = [metrics.horizontalAdvance(part) for part in parts]
    for rest, index in enumerate(sorted(range(len(parts)), key=widths.__getitem__)):
        short[index] = metrics.elidedText(parts[index], mode, max(left // (len(parts) - rest), 0))
        left -= metrics.horizontalAdvance(short[index])
    return _JOINT.join(short[index] for index in range(len(parts)))


class NamesAtLeft(NumbersHeader):
    """Header with the names of ``NamedRows``, wrapped up to a number of lines, then elided."""

    def __init__(self, parent: QTableView) -> None:
        super().__init__(parent)
        self._table = parent
        self.setSectionsClickable(False)
        self.setHighlightSections(False)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Set the text with which Qt draws the name of a row: wrapped or elided."""
        super().initStyleOptionForIndex(option, logicalIndex)
        model = self.model()
        if isinstance(model, NamedRows) and logicalIndex < len(model.rows):
            option.text = "\n".join(self.lines(model, logicalIndex))

    def lines(self, model: NamedRows, row: int) -> list[str]:
        """Return the lines of a row's name: wrapped on at most four lines, else its short form on at most sixteen.

        If neither fits the width of the header, return the short form elided on one line.
        """
        metrics = QFontMetrics(theme().font(semibold=True))
        room = max(self.width() - theme().px(AROUND) + 1, 0)
        short = model.short_parts(row)
        for name, most in ((model.row_name(row), _MOST_LINES), (_JOINT.join(short), _MOST_OF_SHORT)):
            lines = wrap_to_width(name, metrics, room)
            if len(lines) <= most and all(metrics.horizontalAdvance(line) <= room for line in lines):
                return lines
        return [elide_name_parts(short, metrics, room, self._table.textElideMode())]

    def wanted_width(self) -> int:
        """Return the width in pixels of the longest full name, or the heading, on one line; 0 for another model."""
        model = self.model()
        if not isinstance(model, NamedRows):
            return 0
        metrics = QFontMetrics(theme().font(semibold=True))
        names = [_JOINT.join(model.name_parts(row)) for row in range(len(model.rows))]
        names.append(_JOINT.join(model.heading_parts()))
        return max(map(metrics.horizontalAdvance, names)) + theme().px(AROUND)

    def widest_of(self, width: int) -> int:
        """Return the largest width of the names in pixels: 45 % of the table's, at least 150 (at 100 % text size)."""
        return max(round(width * _SHARE), theme().px(_LEAST))


class Corner(QWidget):
    """The heading above the names."""

    def __init__(self, parent: QTableView) -> None:
        super().__init__(parent)
        self._table = parent
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def place(self) -> None:
        """Move the heading above the names, or hide it while the names are hidden."""
        names, head = self._table.verticalHeader(), self._table.horizontalHeader()
        visible = not names.isHidden()
        self.setVisible(visible)
        if visible:
            self.setGeometry(QRect(names.x(), head.y(), names.width(), head.height()))
            self.raise_()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the headings of the name's columns, elided, in the style of the other headings."""
        model, t = self._table.model(), theme()
        if not isinstance(model, NamedRows):
            return
        painter = QPainter(self)
        painter.fillRect(self.rect(), t.colour("window"))
        painter.fillRect(0, self.height() - 1, self.width(), 1, t.colour("line"))
        font = t.font(semibold=True)
        painter.setFont(font)
        painter.setPen(t.colour("text2"))
        room = self.rect().adjusted(t.px(AROUND // 2), 0, -t.px(AROUND // 2) + 1, -1)
        text = elide_name_parts(model.heading_parts(), QFontMetrics(font), room.width(), self._table.textElideMode())
        painter.drawText(room, _LEFT, text)
        painter.end()


def _compute_text_height(metrics: QFontMetrics, text: str) -> int:
    """Return the height in pixels of a text of several lines as Qt draws it, a little more than its lines' sum."""
    return metrics.boundingRect(QRect(0, 0, _NO_LIMIT, _NO_LIMIT), 0, text).height()


class KeptTable(FormTable):
    """A form table whose first columns become row names at the left if not all columns fit.

    The names wrap, also as columns if they would otherwise be cut.

    Parameters
    ----------
    model
        The rows; it says how many columns form the name.
    name, label, stretch, most_rows, least
        As for ``FormTable``.
    """

    _names: NamesAtLeft | None = None
    _corner: Corner | None = None
    _turning = False

    def __init__(
        self,
        model: NamedRows,
        *,
        name: str,
        label: str,
        stretch: int = 0,
        most_rows: int = 8,
        least: int = 150,
    ) -> None:
        self._needed: dict[int, int] = {}
        super().__init__(model, name=name, label=label, stretch=stretch, most_rows=most_rows, least=least)
        names = NamesAtLeft(self)
        self.setVerticalHeader(names)
        names.hide()
        self._corner = Corner(self)
        self._corner.hide()
        self._names = names
        self.fit()

    @property
    def keeps(self) -> bool:
        """Whether the names are at the left, because not all columns fit."""
        return self._names is not None and not self._names.isHidden()

    def fit(self) -> None:
        """Set heights and widths, starting with the names as columns; they go to the left if not all columns fit."""
        self._needed = {}
        self._set_names_frozen(keep=False)
        super().fit()

    def _set_names_frozen(self, *, keep: bool) -> None:
        """Show the names at the left instead of as columns (``keep``), or the other way round.

        Nothing happens for a table without names.
        """
        model, names = self.model(), self._names
        if names is None or not isinstance(model, NamedRows):
            return
        self._turning = True
        for column in range(model.names):
            self.setColumnHidden(column, keep)
        names.setVisible(keep)
        self._turning = False
        current = self.currentIndex()
        if keep and current.isValid() and current.column() < model.names:
            flag = self.selectionModel().SelectionFlag.NoUpdate
            self.selectionModel().setCurrentIndex(model.index(current.row(), model.names), flag)

    def _adapt_column_widths(self) -> None:
        """Show names and all columns if they fit without a cut name, else freeze the names at the left of the others.

        Nothing happens for a table without names.
        """
        model, names = self.model(), self._names
        if names is None or self._turning or not isinstance(model, NamedRows):
            return
        columns = range(model.columnCount())
        if not self._needed:
            self._needed = {
                column: self._least if column == self._stretch else self.columnWidth(column) for column in columns
            }
        bar = self.verticalScrollBar().sizeHint().width() if model.rowCount() > self._most_rows else 0
        room = self.width() - 2 * self.frameWidth() - bar
        fits = sum(self._needed.values()) <= room
        if fits == self.keeps:
            self._set_names_frozen(keep=not fits)
        if fits:
            super()._adapt_column_widths()
            if not self._has_cut_name(model):
                self._fit_names()
                return
            self._set_names_frozen(keep=True)
        # What the other columns leave is the names', so that none is cut without need, and none scrolls away without.
        least = 0 if fits else names.widest_of(self.width())
        self._set_widths(names, {column: self._needed[column] for column in columns[model.names :]}, room, least)

    def _set_widths(self, names: NamesAtLeft, other_widths: dict[int, int], room: int, least: int) -> None:
        """Give the names the room that other columns leave, at least ``least``; spare width goes to the last column.

        Names never get more than the longest one needs, be it less than ``least``. All widths are in pixels,
        ``other_widths`` by column index. Those columns get these widths.
        """
        wide = min(names.wanted_width(), max(least, room - sum(other_widths.values())))
        if wide != names.width():
            self._turning = True
            names.setFixedWidth(wide)
            self._turning = False
        self.updateGeometries()
        for column, width in other_widths.items():
            self.setColumnWidth(column, width)
        spare = room - wide - sum(other_widths.values())
        if spare > 0 and other_widths:
            last = max(other_widths)
            self.setColumnWidth(last, other_widths[last] + spare)
        self._fit_names()

    def _has_cut_name(self, model: NamedRows) -> bool:
        """Return whether a part of any row's name is wider than its column."""
        metrics, room = QFontMetrics(theme().font()), theme().px(AROUND // 2)
        widths = [self.columnWidth(column) - room for column in range(model.names)]
        return any(
            metrics.horizontalAdvance(part) > width
            for row in range(len(model.rows))
            for part, width in zip(model.name_parts(row), widths, strict=True)
        )

    def _fit_names(self) -> None:
        """Make each row as high as its wrapped name, or of the usual height while the names are columns."""
        model, names = self.model(), self._names
        if names is None or not isinstance(model, NamedRows):
            return
        metrics = QFontMetrics(theme().font(semibold=True))
        for row in range(len(model.rows)):
            more = (
                _compute_text_height(metrics, "\n".join(names.lines(model, row))) - metrics.height()
                if self.keeps
                else 0
            )
            if names.sectionSize(row) != names.defaultSectionSize() + more:
                names.resizeSection(row, names.defaultSectionSize() + more)
        self._fit_height()

    def updateGeometries(self) -> None:
        """Lay out the headers as Qt does, and keep the heading above the names."""
        super().updateGeometries()
        if self._corner is not None:
            self._corner.place()


def make_kept_table(
    headers: Sequence[str],
    rows: Sequence[tuple[str, ...]],
    *,
    right: Sequence[int],
    name: str,
    label: str,
    names: int = 1,
    stretch: int = 0,
    most_rows: int = 8,
    least: int = 150,
) -> KeptTable:
    """Return a table of these rows whose first ``names`` columns stay visible when it scrolls sideways.

    ``right`` are the indexes of columns that are aligned right; the rest is as for ``KeptTable``.
    """
    model = NamedRows(headers, right=right, names=names)
    table = KeptTable(model, name=name, label=label, stretch=stretch, most_rows=most_rows, least=least)
    model.setParent(table)
    model.set_rows(rows)
    return table
