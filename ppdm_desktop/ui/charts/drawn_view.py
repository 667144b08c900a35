"""A scene of labelled rows or cells, drawn as in the report and read one by one, with the keys or the pointer."""

from __future__ import annotations

import math
import re

import numpy as np
from PySide6.QtCore import QByteArray, QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QSizePolicy

from ppdm_desktop.engine.report.scene.bands import ON_LIGHT
from ppdm_desktop.engine.report.scene.model import Matrix, Scene
from ppdm_desktop.engine.report.scene.svg import Drawing, draw
from ppdm_desktop.ui.charts.scene_view import MOVES, SceneView, neighbour
from ppdm_desktop.ui.look.spoken import in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.look.tokens import LIGHT, Tokens

_WIDE, _LEAST_WIDE = 300, 180
_LETTERS = 12
"""Height of the letters of a drawing, which are as large as the window's, 13 at 100 %."""
_MOST_NAMED = 3
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_COLOUR = re.compile(r'="(#[0-9a-f]{6})"')


def _colours(tokens: Tokens) -> list[str]:
    """Return the colours that drawings use, in one order for every appearance."""
    names = ("text", "text2", "control", "surface", "original", "plain_bar", "accent", "passed", "amber", "blocks")
    return [*(getattr(tokens, name) for name in names), tokens.risk[5], tokens.roles["privacy-level"]]


def on_screen(svg: str) -> str:
    """Return a drawing in the colours of the window; those of print are the window's on light ground."""
    on_paper = [colour.lower() for colour in _colours(LIGHT)]
    screen_colours = dict(zip(on_paper, _colours(theme().tokens), strict=True))
    return _COLOUR.sub(lambda match: f'="{screen_colours.get(match[1], match[1])}"', svg)


class DrawnView(SceneView):
    """Rows of bars or marks, or the cells of a matrix. Arrows go from one to the next; Enter or a click opens it.

    Parameters
    ----------
    name, label
        Object name, and accessible name until a row is pointed at.
    opens
        What choosing a row does, in words; empty where it does nothing.
    """

    def __init__(self, *, name: str, label: str, opens: str = "") -> None:
        super().__init__(name=name, label=label)
        self._words, self._opens = label, opens
        self._drawing: Drawing | None = None
        self._renderer = QSvgRenderer(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if opens:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(plain_tip(opens))
        theme().changed.connect(self._draw)

    def set_scene(self, scene: Scene) -> None:
        """Show another scene."""
        self._scene = scene
        if self._at is not None and self._at >= len(scene.rows):
            self._at = None
        said = [scene.rows[index].words for index in _telling(scene)]
        said += [rule.words for rule in scene.rules if rule.words]
        title = scene.sentence if scene.grid else scene.title
        self.setAccessibleDescription(in_sentences([title, "; ".join(said)]))
        self._describe()
        self._draw()

    # --- size ---------------------------------------------------------------------------

    def _unit(self) -> float:
        """Return the pixels of one unit of the drawing."""
        return theme().px(100 * 13 / _LETTERS) / 100

    def _drawn_at(self, width: int) -> Drawing | None:
        """Return the drawing at a width; None while there is nothing to draw."""
        if self._scene is None or not self._scene.rows:
            return None
        unit, metrics = self._unit(), QFontMetricsF(theme().font())
        palettes = {palette: getattr(theme().tokens, palette) for palette in ON_LIGHT}
        return draw(self._scene, width / unit, lambda text: metrics.horizontalAdvance(text) / unit, palettes)

    def _draw(self) -> None:
        self._drawing = self._drawn_at(self.width())
        if self._drawing is not None:
            self._renderer.load(QByteArray(on_screen(self._drawing.svg(theme().font().family())).encode()))
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw at the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._draw()

    def hasHeightForWidth(self) -> bool:
        """Say that figures stand below narrow bars."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all rows and of what stands above and below them."""
        drawing = self._drawing if width == self.width() else self._drawn_at(width)
        return math.ceil(drawing.height * self._unit()) if drawing is not None else 0

    def sizeHint(self) -> QSize:
        """Return the height at the present width."""
        return QSize(theme().px(_WIDE), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(_LEAST_WIDE), self.sizeHint().height())

    def good_width(self) -> int:
        """Return the width at which the figures of a matrix have room."""
        return math.ceil(self._drawing.good_width * self._unit()) if self._drawing is not None else 0

    def row_rect(self, index: int) -> QRectF:
        """Return where a row is."""
        if self._drawing is None:
            return QRectF()
        return QRectF(*(length * self._unit() for length in self._drawing.boxes[index]))

    def _row_at(self, event: QMouseEvent) -> int | None:
        boxes = self._drawing.boxes if self._drawing is not None else ()
        return next((index for index in range(len(boxes)) if self.row_rect(index).contains(event.position())), None)

    # --- drawing, keys and pointer ------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scene, and the row that keys are at while this has the focus."""
        if self._drawing is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = self._unit()
        self._renderer.render(painter, QRectF(0, 0, self._drawing.width * unit, self._drawing.height * unit))
        if self.hasFocus() or (self._at is not None and self._is_grid):
            painter.setPen(QPen(theme().colour("accent" if self.hasFocus() else "control"), 2))
            painter.drawRoundedRect(self.row_rect(self._at or 0).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()

    def point_at(self, key: str) -> None:
        """Go to the row or cell with a key, if there is one."""
        rows = self._scene.rows if self._scene is not None else ()
        self.point_to(next((index for index, row in enumerate(rows) if row.key == key), self._at))

    @property
    def _is_grid(self) -> bool:
        return self._scene is not None and self._scene.grid

    def point_to(self, index: int | None) -> None:
        """Go to a row, and say it."""
        self._at = index
        self._describe()
        self.update()

    def _describe(self) -> None:
        row = self.pointed
        # The row first, so that it is heard at once.
        self.setAccessibleName(in_sentences([row.words if row is not None else "", self._words]))

    def _open(self, index: int) -> None:
        if self._scene is not None and self._scene.rows[index].key:
            self.opened.emit(self._scene.rows[index].key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the row under the pointer."""
        index = self._row_at(event)
        if index is not None and event.button() == Qt.MouseButton.LeftButton:
            self.point_to(index)
            self._open(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer, and what a click does."""
        index, scene = self._row_at(event), self._scene
        said = scene.rows[index].words if scene is not None and index is not None else ""
        self.setToolTip(plain_tip(in_sentences([said, self._opens])))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from row to row, and open one."""
        rows, key = self._scene.rows if self._scene is not None else (), Qt.Key(event.key())
        last, now = len(rows) - 1, self._at
        if rows and self._is_grid and key in MOVES:
            self.point_to(neighbour(rows, range(len(rows)), now or 0, *MOVES[key]))
            return
        places = {
            Qt.Key.Key_Up: 0 if now is None else max(now - 1, 0),
            Qt.Key.Key_Down: 0 if now is None else min(now + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if rows and key in places:
            self.point_to(places[key])
        elif rows and key in _ENTER and rows[now or 0].key:
            self._open(now or 0)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the row that keys are at."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say nothing any more."""
        super().focusOutEvent(event)
        self.point_to(self._at if self._is_grid else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Say only what a click does."""
        self.setToolTip(plain_tip(self._opens))


def _telling(scene: Scene) -> list[int]:
    """Return the indices of the most important rows: the largest changes, or the largest values without a before.

    Where rows are judged, all of them.
    """
    matrix = next((mark for mark in scene.marks if isinstance(mark, Matrix)), None)
    if matrix is not None:
        values = matrix.values[~np.isnan(matrix.values)]
        return [int(index) for index in np.argsort(-np.abs(values), kind="stable")[:_MOST_NAMED]]
    if any(row.status for row in scene.rows):  # a judgement is never left out
        return list(range(len(scene.rows)))
    series = scene.bars
    apart = len(series) > 1 and not any(mark.stacked for mark in series)

    def weight(index: int) -> float:
        values = [mark.values[index] or 0.0 for mark in series]
        return abs(values[1] - values[0]) if apart else sum(values)

    return sorted(range(len(scene.rows)), key=lambda index: -weight(index))[:_MOST_NAMED]
