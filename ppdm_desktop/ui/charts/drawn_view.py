"""A scene of labelled rows or cells, drawn as in the report and read row by row with keys or pointer."""

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
"""Letter size of a drawing in its own units; drawn letters are as large as the window's (13 pixels at 100 %)."""
_MOST_NAMED = 3
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_COLOUR = re.compile(r'="(#[0-9a-f]{6})"')


def _colours(tokens: Tokens) -> list[str]:
    """Return the colours of drawings, in the same order for light and dark appearance."""
    names = ("text", "text2", "control", "surface", "original", "plain_bar", "accent", "passed", "amber", "blocks")
    return [*(getattr(tokens, name) for name in names), tokens.risk[5], tokens.roles["privacy-level"]]


def on_screen(svg: str) -> str:
    """Return an SVG drawing with the light colours of print replaced by those of the window."""
    on_paper = [colour.lower() for colour in _colours(LIGHT)]
    screen_colours = dict(zip(on_paper, _colours(theme().tokens), strict=True))
    return _COLOUR.sub(lambda match: f'="{screen_colours.get(match[1], match[1])}"', svg)


class DrawnView(SceneView):
    """Drawing of rows of bars or marks, or cells of a matrix; arrow keys step through them, Enter or a click opens one.

    Parameters
    ----------
    name, label
        Object name, and the accessible name while no row is pointed at.
    opens
        What opening a row does, in words; empty if rows cannot be opened.
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
        """Draw another scene."""
        self.scene = scene
        if self.current is not None and self.current >= len(scene.rows):
            self.current = None
        said = [scene.rows[index].words for index in _telling(scene)]
        said += [rule.words for rule in scene.rules if rule.words]
        title = scene.sentence if scene.grid else scene.title
        self.setAccessibleDescription(in_sentences([title, "; ".join(said)]))
        self._describe()
        self._draw()

    # --- size ---------------------------------------------------------------------------

    def _unit(self) -> float:
        """Return the number of pixels for one unit of the drawing."""
        return theme().px(100 * 13 / _LETTERS) / 100

    def _drawn_at(self, width: int) -> Drawing | None:
        """Return the drawing for a width in pixels; None without a scene."""
        if self.scene is None or not self.scene.rows:
            return None
        unit, metrics = self._unit(), QFontMetricsF(theme().font())
        palettes = {palette: getattr(theme().tokens, palette) for palette in ON_LIGHT}
        return draw(self.scene, width / unit, lambda text: metrics.horizontalAdvance(text) / unit, palettes)

    def _draw(self) -> None:
        """Draw the scene at the present width, and request space for it and a repaint."""
        self._drawing = self._drawn_at(self.width())
        if self._drawing is not None:
            self._renderer.load(QByteArray(on_screen(self._drawing.svg(theme().font().family())).encode()))
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw again for the new width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._draw()

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow drawing has figures below its bars and is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels of the whole drawing with its lines above and below."""
        drawing = self._drawing if width == self.width() else self._drawn_at(width)
        return math.ceil(drawing.height * self._unit()) if drawing is not None else 0

    def sizeHint(self) -> QSize:
        """Return the size at the present width."""
        return QSize(theme().px(_WIDE), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the least width at which the drawing can be read."""
        return QSize(theme().px(_LEAST_WIDE), self.sizeHint().height())

    def good_width(self) -> int:
        """Return the width in pixels at which the figures of a matrix fit into its cells."""
        return math.ceil(self._drawing.good_width * self._unit()) if self._drawing is not None else 0

    def row_rect(self, index: int) -> QRectF:
        """Return the rectangle of a row in pixels."""
        if self._drawing is None:
            return QRectF()
        return QRectF(*(length * self._unit() for length in self._drawing.boxes[index]))

    def _row_at(self, event: QMouseEvent) -> int | None:
        """Return the number of the row under the mouse, None beside all rows."""
        boxes = self._drawing.boxes if self._drawing is not None else ()
        return next((index for index in range(len(boxes)) if self.row_rect(index).contains(event.position())), None)

    # --- drawing, keys and pointer ------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scene, with a frame around the current row while this widget has the focus."""
        if self._drawing is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = self._unit()
        self._renderer.render(painter, QRectF(0, 0, self._drawing.width * unit, self._drawing.height * unit))
        if self.hasFocus() or (self.current is not None and self._is_grid):
            painter.setPen(QPen(theme().colour("accent" if self.hasFocus() else "control"), 2))
            painter.drawRoundedRect(self.row_rect(self.current or 0).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()

    def point_at(self, key: str) -> None:
        """Point at the row or cell with this key, if there is one."""
        rows = self.scene.rows if self.scene is not None else ()
        self.point_to(next((index for index, row in enumerate(rows) if row.key == key), self.current))

    @property
    def _is_grid(self) -> bool:
        """Return whether the scene is a grid of cells, in which arrow keys move both ways."""
        return self.scene is not None and self.scene.grid

    def point_to(self, index: int | None) -> None:
        """Point at the row with this index (None: no row), and describe it."""
        self.current = index
        self._describe()
        self.update()

    def _describe(self) -> None:
        """Set the accessible name: the row pointed at, then the title."""
        row = self.pointed
        # The row first, so that it is heard at once.
        self.setAccessibleName(in_sentences([row.words if row is not None else "", self._words]))

    def _open(self, index: int) -> None:
        """Send the key of the row at this index, if it has one."""
        if self.scene is not None and self.scene.rows[index].key:
            self.opened.emit(self.scene.rows[index].key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the row under the pointer."""
        index = self._row_at(event)
        if index is not None and event.button() == Qt.MouseButton.LeftButton:
            self.point_to(index)
            self._open(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Describe the row under the pointer, and say what a click does."""
        index, scene = self._row_at(event), self.scene
        said = scene.rows[index].words if scene is not None and index is not None else ""
        self.setToolTip(plain_tip(in_sentences([said, self._opens])))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move from row to row with the arrow keys, and open a row with Enter."""
        rows, key = self.scene.rows if self.scene is not None else (), Qt.Key(event.key())
        last, now = len(rows) - 1, self.current
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
        """Show the frame around the current row."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the description of a row."""
        super().focusOutEvent(event)
        self.point_to(self.current if self._is_grid else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Show only what a click does."""
        self.setToolTip(plain_tip(self._opens))


def _telling(scene: Scene) -> list[int]:
    """Return the indices of the rows with the largest changes or, without figures before, the largest values.

    If rows have a verdict, all of them are returned.
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
