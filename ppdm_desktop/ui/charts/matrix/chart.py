"""The heatmap of a small matrix: names at two sides, a number and a colour band in each cell.

Every cell is an item of a model, so that keys and screen readers move in it as in any table.
"""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QSizePolicy,
    QTableView,
)

from ppdm_desktop.engine.report.scene.bands import band_of
from ppdm_desktop.engine.report.scene.model import Matrix, Scene
from ppdm_desktop.engine.wording.catalogue import language, numbers_of
from ppdm_desktop.ui.charts.bands import band_colours, checked_edges
from ppdm_desktop.ui.charts.matrix.delegate import NAME_FONT, CellDelegate, NamesHeader
from ppdm_desktop.ui.charts.matrix.model import MatrixModel
from ppdm_desktop.ui.look.spoken import in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import text_on
from ppdm_desktop.ui.state.number_words import shorten_common_prefix

_SHOWN_FROM = 18  # px at 100 %: a smaller cell shows its colour only
_CELL_FONT = 0.9
_LEAST_FONT = 0.64  # times the text size: figures are written smaller before they are left out
_LEAST_POINTS = 8.0  # no font of the theme is smaller
_MOST_CUT = 1.3  # times a column's width: of names that are cut either way, more is read of those that stand
_HIGHEST, _WIDEST = 150, 140  # px at 100 %: names that stand are no higher, and no column is wider for its name
_WITH_FIGURES = 14  # names: more of them are looked at by colour
_MOST_SAID = 3


class MatrixChart(QTableView):
    """A small matrix in colour bands; arrows move in it, Enter, Space or a click chooses a cell.

    Parameters
    ----------
    name
        Object name.
    words
        Accessible name.
    """

    chosen = Signal(int, int)

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.matrix = MatrixModel(self)
        self.upright = False
        self.names_left: list[str] = []
        self.names_above: list[str] = []
        self._scene: Scene | None = None
        self._shown: Matrix | None = None
        self._edges: tuple[float, ...] = ()
        self._figures: list[tuple[str, ...]] = []
        self._side = self._figure = 0  # widths of the longest name at the left, and of the longest text
        self.setModel(self.matrix)
        self.setItemDelegate(CellDelegate(self, self))
        self.setVerticalHeader(NamesHeader(Qt.Orientation.Vertical, self, self))
        self.setHorizontalHeader(NamesHeader(Qt.Orientation.Horizontal, self, self))
        self.setCornerButtonEnabled(False)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.clicked.connect(self._on_clicked)
        self.selectionModel().currentChanged.connect(self._on_current)
        theme().changed.connect(self.fit)
        self.fit()

    # --- content ------------------------------------------------------------------------

    def set_scene(self, scene: Scene) -> None:
        """Show the matrix of a scene.

        Raises
        ------
        ValueError
            When its edges do not rise or are too many (eight bands at most, seven ``diverging``).
        """
        shown = next(mark for mark in scene.marks if isinstance(mark, Matrix))
        self._edges = checked_edges(shown.edges, shown.palette, theme().tokens)
        self._scene, self._shown = scene, shown
        self.matrix.set_scene(scene, shown)
        names, rows = shorten_common_prefix([*scene.y.names, *scene.x.names]), len(scene.y.names)
        self.names_left, self.names_above = names[:rows], names[rows:]
        # One figure that takes many words would take the room of all cells: signs stand for them.
        self._figures = [tuple(map(numbers_of(language()).in_signs, row)) for row in shown.words]
        known = list(zip(*np.nonzero(~np.isnan(shown.values)), strict=True))
        largest = sorted(known, key=lambda cell: -abs(shown.values[cell]))[:_MOST_SAID]
        figures = "; ".join(self.matrix.words(*cell) for cell in largest)
        self.setAccessibleDescription(in_sentences([scene.sentence, figures]))
        self.fit()
        if known:
            self.set_current(*known[0])

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """What a picture of it holds."""
        return () if self._scene is None else (self._scene,)

    def set_current(self, row: int, column: int) -> None:
        """Put the ring on a cell without choosing it; an empty cell is left alone."""
        if not self.matrix.is_empty(row, column):
            self.setCurrentIndex(self.matrix.index(int(row), int(column)))

    @property
    def edges(self) -> tuple[float, ...]:
        """Rising values between the bands."""
        return self._edges

    def band(self, row: int, column: int) -> int | None:
        """Return the band of a cell, None where it is empty."""
        value = self.matrix.values[row, column]
        return None if np.isnan(value) else band_of(float(value), self._edges)

    # --- choosing -----------------------------------------------------------------------

    def _on_clicked(self, index: QModelIndex) -> None:
        if not self.matrix.is_empty(index.row(), index.column()):
            self.chosen.emit(index.row(), index.column())

    def _on_current(self, _current: QModelIndex, _previous: QModelIndex) -> None:
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Choose the current cell with Enter or Space; arrows move."""
        current = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and current.isValid():
            self.chosen.emit(current.row(), current.column())
        elif event.text() and event.modifiers() == Qt.KeyboardModifier.NoModifier and event.text().isprintable():
            event.ignore()  # letters are the page's, such as T for the table; the view would search with them
        else:
            super().keyPressEvent(event)

    # --- size ---------------------------------------------------------------------------

    def row_height(self) -> int:
        """Return the height of a row: less where there are many, never less than a name needs."""
        least = QFontMetrics(theme().font(NAME_FONT)).height()
        return max(min(theme().px(360) // max(len(self.matrix.rows), 1), theme().px(26)), least)

    def fit(self) -> None:
        """Measure the names and share the width."""
        t, metrics = theme(), QFontMetrics(theme().font(NAME_FONT))
        # The ground is the card's, and the ring shows the focus.
        ground = t.tokens.surface
        sheet = (
            f"QTableView, QTableView:focus {{ border: 0; background: {ground}; }}"
            f"QHeaderView, QTableCornerButton::section {{ border: 0; background: {ground}; }}"
        )
        if sheet != self.styleSheet():  # to set one is dear, the same one too
            self.setStyleSheet(sheet)
        self.verticalHeader().setDefaultSectionSize(self.row_height())
        names = max((metrics.horizontalAdvance(name) for name in self.names_left), default=0) + t.px(14)
        self._side = min(names, t.px(170))
        cell = QFontMetrics(t.font(_CELL_FONT))
        self._figure = max((cell.horizontalAdvance(text) for row in self._figures for text in row), default=0) + t.px(5)
        self._share()

    def names_width(self, width: int) -> int:
        """Return the width of the names at the left where the whole has a width."""
        return min(self._side, max(round(width * 0.36), theme().px(40)))

    def column_width(self, room: int) -> int:
        """Return the width of a column where all of them have so much room."""
        metrics = QFontMetrics(theme().font(NAME_FONT))
        least = metrics.height()
        names = max((metrics.horizontalAdvance(name) for name in self.names_above), default=0) + theme().px(7)
        # Where there is room, as wide as the longest figure: without it all of them would be left out. And as a name.
        most = max(theme().px(92), self._figure, min(names, theme().px(_WIDEST)))
        return max(min(room // max(len(self.matrix.columns), 1), most), least)

    def names_height(self, width: int) -> tuple[bool, int]:
        """Return whether the names above columns of a width stand upright, and how high they are."""
        t, metrics = theme(), QFontMetrics(theme().font(NAME_FONT))
        widest = max((metrics.horizontalAdvance(name) for name in self.names_above), default=0)
        # Names stand where they would be cut; where they would be cut standing as well, if more of them can be read.
        whole, high = widest + t.px(10), t.px(_HIGHEST)
        upright = widest + t.px(6) > width and (whole <= high or high > _MOST_CUT * width)
        high = min(whole, high)
        return upright, high if upright else metrics.height() + t.px(8)

    def _share(self) -> None:
        """Give every column the same width; the names at the left take a third at most."""
        side = self.names_width(self.width())
        if self.verticalHeader().width() != side or self.verticalHeader().maximumWidth() != side:
            self.verticalHeader().setFixedWidth(side)
            self.updateGeometries()  # else the cells stay where the old names ended
        room = self.width() - side - 2 * self.frameWidth() - 2
        wide = self.column_width(room)
        self.horizontalHeader().setDefaultSectionSize(wide)
        self.upright, head = self.names_height(wide)
        self.horizontalHeader().setFixedHeight(head)
        slides = wide * len(self.matrix.columns) > room + 2
        if not slides:
            self.horizontalScrollBar().setValue(0)
        bar = self.horizontalScrollBar().sizeHint().height() if slides else 0
        high = head + max(len(self.matrix.rows), 1) * self.row_height() + bar + 2 * self.frameWidth() + 2
        if (self.minimumHeight(), self.maximumHeight()) != (high, high):
            self.setFixedHeight(high)
        self.updateGeometry()
        self.viewport().update()

    def good_width(self) -> int:
        """Return the width at which every cell has room for its text, or for its colour where there are many."""
        least = theme().px(_SHOWN_FROM)
        cell = max(self._figure, least) if len(self.matrix.columns) <= _WITH_FIGURES else theme().px(16)
        return self._side + cell * len(self.matrix.columns) + theme().px(6)

    def sizeHint(self) -> QSize:
        """Return the height of all rows."""
        return QSize(theme().px(340), self.minimumHeight())

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(160), self.minimumHeight())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self._share()

    # --- drawing ------------------------------------------------------------------------

    def paint_cell(self, painter: QPainter, box: QRect, row: int, column: int) -> None:
        """Draw a cell's ground, and its text where all texts have room."""
        t = theme()
        place = self.band(row, column)
        if place is None or self._shown is None:
            return
        ground = band_colours(t.tokens, self._shown.palette, len(self._edges) + 1)[place]
        gap = 1 if min(box.width(), box.height()) > 6 else 0
        painter.fillRect(box.adjusted(0, 0, -gap, -gap), QColor(ground))
        font = int(100 * _CELL_FONT * min(1.0, box.width() / max(self._figure, 1))) / 100
        least = max(_LEAST_FONT, _LEAST_POINTS / t.font().pointSizeF())
        if min(box.width(), box.height()) < t.px(_SHOWN_FROM) or font < min(least, _CELL_FONT):
            return
        painter.setFont(t.font(font))
        painter.setPen(QColor(text_on(ground)))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, self._figures[row][column])
