"""The widget that draws a chart (scene) as in the report; keys and pointer read its rows, and plots can be zoomed."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QByteArray, QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QSizePolicy, QToolTip

from ppdm_desktop.engine.report.scene.bands import ON_LIGHT
from ppdm_desktop.engine.report.scene.model import Axis, Image, Mark, Matrix, Points, Row, Scene, Steps
from ppdm_desktop.engine.report.scene.svg import Drawing, draw
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.dense_layer import DenseLayer, is_dense
from ppdm_desktop.ui.look.accessibility import as_chart, join_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.look.tokens import LIGHT, Tokens
from ppdm_desktop.ui.widgets.layout import Panel

_WIDE, _LEAST_WIDE = 300, 180
_LETTERS = 12
"""Letter size of a drawing in its own units; drawn letters are as large as the window's (13 pixels at 100 %)."""
_MOST_NAMED = 3
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
_MOVES = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Down: (0, -1), Qt.Key.Key_Up: (0, 1)}
"""Steps (right, up) of the arrow keys."""
_ZOOM = {Qt.Key.Key_Plus: 1.5, Qt.Key.Key_Equal: 1.5, Qt.Key.Key_Minus: 1 / 1.5, Qt.Key.Key_Underscore: 1 / 1.5}
_CLOSEST = 2_000.0
"""The largest magnification."""
_FEWEST_CELLS = 10
"""Of an image with names, the fewest rows and columns that are seen."""
_SPARE = 1.04
_NOTHING = Scene("", "", "", Axis("", 0.0, 1.0), Axis("", 0.0, 1.0), (), "", ())
"""What is drawn before a chart is set."""
_COLOUR = re.compile(r'="(#[0-9a-f]{6})"')


def _list_drawing_colours(tokens: Tokens) -> list[str]:
    """Return the colours used in drawings as ``#RRGGBB``, at the same positions for every theme (``tokens``)."""
    names = ("text", "text2", "control", "surface", "original", "plain_bar", "accent", "passed", "amber", "blocks")
    return [*(getattr(tokens, name) for name in names), tokens.risk[5], tokens.roles["privacy-level"]]


def on_screen(svg: str) -> str:
    """Return an SVG drawing with the light colours for print replaced by those of the window's theme."""
    on_paper = [colour.lower() for colour in _list_drawing_colours(LIGHT)]
    screen_colours = dict(zip(on_paper, _list_drawing_colours(theme().tokens), strict=True))
    return _COLOUR.sub(lambda match: f'="{screen_colours.get(match[1], match[1])}"', svg)


class DrawnView(Panel):
    """Drawing of a chart; arrow keys step through its rows, Enter or a click opens a row, + - 0 zoom a plot.

    The wheel zooms a plot that has the focus; dragging moves the part that is seen.

    Parameters
    ----------
    name, label
        Object name, and the accessible name while no row is described.
    opens
        Sentence on what opening a row does; empty if it stands elsewhere or rows cannot be opened.
    high
        Height of a plot within its axes, in units of the drawing.

    Signals
    -------
    opened
        Emitted with the key of the row that was opened.
    zoomed
        Emitted with the visible part of both axes: horizontal, vertical.
    """

    accessible_info = as_chart

    opened = Signal(str)
    zoomed = Signal(object, object)

    def __init__(self, *, name: str, label: str, opens: str = "", high: float = 180.0) -> None:
        super().__init__(name=name, label=label)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.scene = _NOTHING
        self.current: int | None = None
        self.selected = ""
        self._axes: tuple[Axis, Axis] | None = None
        self._label, self._opens, self._high = label, opens, high
        self._drawing: Drawing | None = None
        self._heights: dict[int, int] = {}
        self._renderer = QSvgRenderer(self)
        self._layer: DenseLayer | None = None
        self._pressed: tuple[QPointF, tuple[Axis, Axis]] | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        if opens:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(plain_tip(opens))
        theme().changed.connect(self._draw_scene)

    def set_scene(self, scene: Scene, selected: str = "") -> None:
        """Draw another chart (scene), and describe it for screen readers.

        ``selected`` is the key of the row that is selected in another widget, empty for none. The visible part stays if
        the axes are the same. So does the current row, by its index, if the new chart has a row with that index.
        """
        if (self.scene.x, self.scene.y) != (scene.x, scene.y):
            self._axes = None
        self.scene, self.selected = scene, selected
        if self.current is not None and self.current >= len(scene.rows):
            self.current = None
        sentences = [scene.rows[index].text for index in _find_notable_rows(scene)]
        sentences += [rule.text for rule in scene.rules if rule.text]
        title = scene.sentence if scene.grid else scene.title
        self.setAccessibleDescription(join_sentences([title, "; ".join(sentences)]))
        self._update_accessible_name()
        self._draw_scene()

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The description of the chart, as a tuple of one; empty without a chart."""
        return () if self.scene is _NOTHING else (self.scene,)

    @property
    def pointed(self) -> Row | None:
        """The current row, to which keys or pointer point; None without one."""
        return None if self.current is None else self.scene.rows[self.current]

    # --- size ---------------------------------------------------------------------------

    def _compute_pixels_per_unit(self) -> float:
        """Return the number of pixels for one unit of the drawing, at the present text size."""
        return theme().px(100 * 13 / _LETTERS) / 100

    def _build_drawing(self, width: int) -> Drawing | None:
        """Return the drawing of the visible part of the chart for a width in pixels; None without a chart or its rows.

        Points and image cells are left out; another layer draws them.
        """
        if not self.scene.rows:
            return None
        unit, metrics = self._compute_pixels_per_unit(), QFontMetricsF(theme().font())
        palettes = {palette: getattr(theme().tokens, palette) for palette in ON_LIGHT}
        scene = replace(self.scene, marks=tuple(map(_strip_dense_content, self.scene.marks)))
        scene = scene if self._axes is None else crop_scene(scene, *self._axes)
        return draw(
            scene,
            width / unit,
            lambda text: metrics.horizontalAdvance(text) / unit,
            palettes,
            height=self._high,
            is_part=self._axes is not None,
        )

    def _draw_scene(self) -> None:
        """Draw the chart at the present width, and ask for the needed space and a repaint.

        Heights computed before are dropped. Without a chart or its rows nothing is drawn.
        """
        self._heights = {}
        self._drawing = self._build_drawing(self.width())
        if self._drawing is not None:
            self._renderer.load(QByteArray(on_screen(self._drawing.svg(theme().font().family())).encode()))
        self._draw_dense_marks()
        self.updateGeometry()
        self.update()

    def _draw_dense_marks(self) -> None:
        """Draw records and image cells by the layer for many points, or hide that layer if there are none."""
        is_needed = self._drawing is not None and any(map(is_dense, self.scene.marks))
        if is_needed and self._layer is None:
            self._layer = DenseLayer(self, self._paint_frames)
        if is_needed and self._layer is not None:
            x, y = map(snap_to_cells, self.axes)
            self._layer.show(self.scene, (x, y), self._find_plot_area(), self._compute_pixels_per_unit())
        elif self._layer is not None:
            self._layer.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Draw the chart again if the width changed."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._draw_scene()

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow drawing is higher, because it has figures below its bars."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels that the drawing needs at this width.

        It is 0 without a chart or without rows.
        """
        if width not in self._heights:
            drawing = self._drawing if width == self.width() else self._build_drawing(width)
            self._heights[width] = (
                math.ceil(drawing.height * self._compute_pixels_per_unit()) if drawing is not None else 0
            )
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """Return the usual width and the height of the drawing at the present width."""
        return QSize(theme().px(_WIDE), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Return the minimum width at which the drawing can be read, with the height of ``sizeHint``."""
        return QSize(theme().px(_LEAST_WIDE), self.sizeHint().height())

    def good_width(self) -> int:
        """Return the width in pixels at which the figures of a matrix fit into its cells; 0 without a drawing."""
        return math.ceil(self._drawing.good_width * self._compute_pixels_per_unit()) if self._drawing is not None else 0

    def row_rect(self, index: int) -> QRectF:
        """Return the rectangle of the row with this index in pixels; an empty one without a drawing."""
        if self._drawing is None:
            return QRectF()
        return QRectF(*(length * self._compute_pixels_per_unit() for length in self._drawing.boxes[index]))

    def _find_plot_area(self) -> QRectF:
        """Return the rectangle within the axes of a plot in pixels; the whole widget for charts without axes."""
        if self._drawing is None or self._drawing.inside is None:
            return QRectF(self.rect())
        return QRectF(*(length * self._compute_pixels_per_unit() for length in self._drawing.inside))

    def _find_rows_at(self, at: QPointF) -> list[int]:
        """Return the indices of the rows whose rectangle contains a pixel, those with the nearest centre first.

        A row is a bar, point or cell of the chart. Empty more than 4 pixels outside the axes, and without a drawing.
        """
        if self._drawing is None or not self._find_plot_area().adjusted(-4, -4, 4, 4).contains(at):
            return []
        hits = [index for index in range(len(self.scene.rows)) if self.row_rect(index).contains(at)]
        return sorted(hits, key=lambda index: QLineF(self.row_rect(index).center(), at).length())

    # --- drawing ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chart, a ring around the shape selected elsewhere, and a frame around the current row.

        Where a separate layer draws many points, that layer paints ring and frame instead. Nothing is drawn without a
        chart.
        """
        if self._drawing is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        unit = self._compute_pixels_per_unit()
        self._renderer.render(painter, QRectF(0, 0, self._drawing.width * unit, self._drawing.height * unit))
        if not any(map(is_dense, self.scene.marks)):
            self._paint_frames(painter)
        painter.end()

    def _paint_frames(self, painter: QPainter) -> None:
        """Paint a ring around the row selected elsewhere, if it is visible, and a frame around the current row.

        The frame is painted while the drawing has the focus (around the first row if none is current) or, in a grid of
        cells, whenever a cell is the current one.
        """
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme().colour("accent"), 2))
        selected = self._selected_index()
        if selected is not None and self._find_plot_area().contains(self.row_rect(selected).center()):
            more = theme().px(3)
            painter.drawEllipse(self.row_rect(selected).adjusted(-more, -more, more, more))
        if self.hasFocus() or (self.current is not None and self.scene.grid):
            # The light edge is seen on dark cells.
            for colour, width in (("surface", 4), ("accent" if self.hasFocus() else "control", 2)):
                painter.setPen(QPen(theme().colour(colour), width))
                painter.drawRoundedRect(self.row_rect(self.current or 0).adjusted(1, 1, -1, -1), 4, 4)

    def point_at(self, key: str) -> None:
        """Make the row or cell with this key the current one; nothing changes if there is none."""
        self.set_current_row(next((index for index, row in enumerate(self.scene.rows) if row.key == key), self.current))

    def _selected_index(self) -> int | None:
        """Return the index of the row that is selected in another widget; None if this chart has no such row."""
        keys = [row.key for row in self.scene.rows] if self.selected else []
        return keys.index(self.selected) if self.selected in keys else None

    def set_current_row(self, index: int | None) -> None:
        """Make the row with this index current (None: no row), describe it, and move a zoomed plot to show it.

        ``opened`` is not sent.
        """
        self.current = index
        row = self.pointed
        if row is not None and row.at is not None and self._axes is not None:
            whole = self.scene.x, self.scene.y
            self.see(*(_scroll_axis_to(*parts) for parts in zip(self._axes, row.at, whole, strict=True)))
        self._update_accessible_name()
        self.update()

    def _update_accessible_name(self) -> None:
        """Set the accessible name: the description of the current row, if there is one, then the title."""
        row = self.pointed
        # The row first, so that it is heard at once.
        self.setAccessibleName(join_sentences([row.text if row is not None else "", self._label]))

    # --- zoom ---------------------------------------------------------------------------

    @property
    def axes(self) -> tuple[Axis, Axis]:
        """The visible part of the axes: horizontal, vertical; raise AssertionError without a chart."""
        return self._axes or (self.scene.x, self.scene.y)

    @property
    def _can_zoom(self) -> bool:
        """Whether the chart is a plot with axes or an image of many cells."""
        return self._drawing is not None and self._drawing.inside is not None

    @property
    def _zoom_hint(self) -> str:
        """Sentence on how to zoom and move; empty if the chart cannot be zoomed."""
        if not self._can_zoom:
            return ""
        return _("Zoom with + and −, or the wheel after a click. Drag to move. 0 shows all")

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Show a part of the plot that is ``factor`` times narrower; do nothing if the chart cannot be zoomed.

        The point that keeps its position is the pixel ``at``, else the centre of the current or selected row, else the
        middle. A factor below 1 shows more again.
        """
        scene = self.scene
        if not self._can_zoom:
            return
        inside, row = self._find_plot_area(), self.current if self.current is not None else self._selected_index()
        at = at or (inside.center() if row is None else self.row_rect(row).center())
        shares = (at.x() - inside.left()) / inside.width(), (inside.bottom() - at.y()) / inside.height()
        whole = scene.x, scene.y
        axes = (_zoom_axis(*parts, factor) for parts in zip(self.axes, whole, shares, strict=True))
        self.see(*axes)

    def see(self, x: Axis, y: Axis) -> None:
        """Show the part of a plot within these axes, and send ``zoomed`` if it differs from the part shown before."""
        axes = None if (x, y) == (self.scene.x, self.scene.y) else (x, y)
        if axes != self._axes:
            self._axes = axes
            self._draw_scene()
            self.zoomed.emit(x, y)

    # --- keys and pointer ---------------------------------------------------------------

    def _emit_row_key(self, index: int) -> None:
        """Send ``opened`` with the key of the row with this index; do nothing if the row has no key."""
        if self.scene.rows[index].key:
            self.opened.emit(self.scene.rows[index].key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where the left button was pressed, to tell a click from dragging the plot."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position(), self.axes

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Make the row that was clicked with the left button current, and send the signal that opens it.

        Of several rows at one position it is the one after the selected row, so that further clicks go through them.
        Nothing is opened if the row has no key, or if the plot was dragged since the button was pressed.
        """
        pressed, self._pressed = self._pressed, None
        near = self._find_rows_at(event.position())
        if near and pressed is not None and pressed[1] == self.axes and event.button() == Qt.MouseButton.LeftButton:
            keys = [self.scene.rows[index].key for index in near]
            following = (keys.index(self.selected) + 1) % len(near) if self.selected in keys else 0
            self.set_current_row(near[following])
            self._emit_row_key(near[following])

    def _move_visible_part(self, at: QPointF) -> None:
        """Move the visible part of a zoomed plot with the dragged pointer.

        Nothing happens if no part is zoomed, or before the pointer was dragged far enough.
        """
        if self._pressed is None or self._axes is None:
            return
        start, axes = self._pressed
        way, inside, moved = at - start, self._find_plot_area(), []
        if way.manhattanLength() < QApplication.startDragDistance():
            return
        shares = -way.x() / inside.width(), way.y() / inside.height()
        for axis, whole, share in zip(axes, (self.scene.x, self.scene.y), shares, strict=True):
            length = axis.high - axis.low
            moved.append(_place_axis_within(axis, axis.low + share * length, length, whole))
        self.see(*moved)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Set the tooltip: the text of the row under the pointer, or without a row how to zoom, and what a click opens.

        While the left button is pressed, a zoomed plot is moved instead.
        """
        if event.buttons() & Qt.MouseButton.LeftButton:
            self._move_visible_part(event.position())
            return
        near = self._find_rows_at(event.position())
        hint = self.scene.rows[near[0]].text if near else self._zoom_hint
        self.setToolTip(plain_tip(join_sentences([hint, self._opens])))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer if the plot has the focus; otherwise the page scrolls."""
        if not self.hasFocus() or not self._can_zoom:
            event.ignore()
            return
        self.zoom(1.5 ** (event.angleDelta().y() / 240), event.position())
        event.accept()

    def _find_next_row(self, key: Qt.Key) -> int | None:
        """Return the index of the row to which a key moves; None for a key that does not move, and without rows.

        In a grid arrow keys move to the next cell in that direction, or stay if there is none. Shapes at free positions
        are gone through from left to right with the right key, and from below with the up key, backwards with left and
        down; after the last comes the first. Bars are gone through up and down, and stop at the ends. Home and End move
        to the first and last bar or cell, or to the leftmost and rightmost shape.
        """
        rows, now = self.scene.rows, self.current
        if not rows:
            return None
        if self.scene.grid and key in _MOVES:
            return find_neighbour_row(rows, now or 0, *_MOVES[key])
        order, first, last = list(range(len(rows))), 0, len(rows) - 1
        if not self.scene.bars and not self.scene.grid:  # marks at free positions, in the order of one of the axes
            across, up = _MOVES.get(key, (1, 0))
            order.sort(key=lambda index: (rows[index].at or (0.0, 0.0))[:: 1 if across else -1])
            now = now if now is not None else self._selected_index()
            if key in _MOVES:
                return order[first if now is None else (order.index(now) + across + up) % len(order)]
        places = {
            Qt.Key.Key_Up: first if now is None else max(now - 1, first),
            Qt.Key.Key_Down: first if now is None else min(now + 1, last),
            Qt.Key.Key_Home: order[first],
            Qt.Key.Key_End: order[last],
        }
        return places.get(key)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move from row to row with the arrow keys, open a row with Enter or Space, and zoom with + and -; 0 shows all.

        Without a current row, Enter opens the first one; rows without a key are not opened. Except for bars, the new
        current row is described in a tooltip. Other keys go to Qt.
        """
        key, row = Qt.Key(event.key()), self._find_next_row(Qt.Key(event.key()))
        if row is not None:
            self.set_current_row(row)
            if not self.scene.bars:  # what no figure in the drawing says
                at = self.mapToGlobal(self.row_rect(row).topRight().toPoint())
                QToolTip.showText(at, plain_tip(self.scene.rows[row].text), self)
        elif self.scene.rows and key in _ENTER and self.scene.rows[self.current or 0].key:
            self._emit_row_key(self.current or 0)
        elif key in _ZOOM:
            self.zoom(_ZOOM[key])
        elif key == Qt.Key.Key_0:
            self.see(self.scene.x, self.scene.y)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Describe the current row again or, without one, the row that is selected in another widget."""
        super().focusInEvent(event)
        self.set_current_row(self.current if self.current is not None else self._selected_index())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Leave the current row, except in a grid, whose current cell stays."""
        super().focusOutEvent(event)
        self.set_current_row(self.current if self.scene.grid else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Set a tooltip that only says how to zoom and what a click does."""
        self.setToolTip(plain_tip(join_sentences([self._zoom_hint, self._opens])))


def find_neighbour_row(rows: Sequence[Row], now: int, across: int, up: int) -> int:
    """Return the index of the nearest row in a direction on the same line; ``now`` if there is none.

    ``across`` (1 right, -1 left) and ``up`` (1 up, -1 down) give the direction; one of them is 0.
    """
    x, y = rows[now].at or (0.0, 0.0)
    best, least = now, float("inf")
    for index, row in enumerate(rows):
        row_x, row_y = row.at or (0.0, 0.0)
        same, ahead = (y == row_y, (row_x - x) * across) if across else (x == row_x, (row_y - y) * up)
        if same and 0 < ahead < least:
            best, least = index, ahead
    return best


def crop_scene(scene: Scene, x: Axis, y: Axis) -> Scene:
    """Return the description (scene) of the part of a plot within two axes.

    Shapes beyond the axes stay, and are cut off when drawn. With step curves the vertical axis ends above the highest
    visible step. An image with named cells is cut to whole cells.
    """
    if scene.x.names:
        return _crop_image(scene, snap_to_cells(x), snap_to_cells(y))
    heights = []
    for mark in scene.marks:
        if isinstance(mark, Steps):
            cells = zip(mark.heights, mark.edges, mark.edges[1:], strict=False)
            heights += [height for height, low, high in cells if high > x.low and low < x.high]
    if heights:
        y = replace(scene.y, high=max(max(heights) * _SPARE, scene.y.high / _CLOSEST))
    return replace(scene, x=x, y=y)


def _crop_image(scene: Scene, x: Axis, y: Axis) -> Scene:
    """Return the description of the part of an image with named cells that two axes show.

    The axes have to begin and end at cells. Rows keep their cells; rows outside stay, with positions beyond the axes.
    """
    (left, right), (low, high) = ((int(axis.low), int(axis.high)) for axis in (x, y))
    marks = tuple(
        replace(mark, values=mark.values[low:high, left:right]) if isinstance(mark, Image) else mark
        for mark in scene.marks
    )
    rows = tuple(row if row.at is None else replace(row, at=(row.at[0] - left, row.at[1] - low)) for row in scene.rows)
    x = replace(x, names=x.names[left:right], low=0.0, high=float(right - left))
    y = replace(y, names=y.names[low:high], low=0.0, high=float(high - low))
    return replace(scene, x=x, y=y, marks=marks, rows=rows)


def snap_to_cells(axis: Axis) -> Axis:
    """Return an axis of named cells that begins and ends at the nearest cells; any other axis is unchanged.

    Its length is rounded to whole cells, and it does not reach beyond the last name.
    """
    if not axis.names:
        return axis
    count = round(axis.high - axis.low)
    low = min(round(axis.low), len(axis.names) - count)
    return replace(axis, low=float(low), high=float(low + count))


def _strip_dense_content(mark: Mark) -> Mark:
    """Return a shape without its points or cell values if another layer draws them; any other shape unchanged."""
    if isinstance(mark, Points) and is_dense(mark):
        return replace(mark, x=mark.x[:0], y=mark.y[:0])
    if isinstance(mark, Image) and is_dense(mark):
        return replace(mark, values=np.full_like(mark.values, np.nan))
    return mark


def _place_axis_within(axis: Axis, low: float, length: float, whole: Axis) -> Axis:
    """Return an axis of a given length that starts at ``low``, or as near to it as fits within the whole axis.

    Of a whole axis from 0 to 100, ``low`` 90 and ``length`` 20 give 80 to 100. If ``length`` is not shorter than the
    whole axis, that one is returned.
    """
    if length >= whole.high - whole.low:
        return whole
    low = min(max(low, whole.low), whole.high - length)
    return replace(axis, low=low, high=low + length)


def _zoom_axis(axis: Axis, whole: Axis, share: float, factor: float) -> Axis:
    """Return an axis ``factor`` times shorter that lies within the whole axis.

    The value at ``share`` (0 to 1) of its length keeps its position. The axis stays at least ten names long, or 1/2000
    of the whole axis.
    """
    length = axis.high - axis.low
    least = _FEWEST_CELLS if axis.names else (whole.high - whole.low) / _CLOSEST
    shorter = max(length / factor, least)
    return _place_axis_within(axis, axis.low + share * (length - shorter), shorter, whole)


def _scroll_axis_to(axis: Axis, value: float, whole: Axis) -> Axis:
    """Return the axis if it shows a value, else an axis of the same length around the value, within the whole one."""
    if axis.low <= value <= axis.high:
        return axis
    length = axis.high - axis.low
    return _place_axis_within(axis, value - length / 2, length, whole)


def _find_notable_rows(scene: Scene) -> list[int]:
    """Return the indices of the rows that a screen reader names: at most three, the largest changes first.

    Without figures before, or for stacked bars, it is the largest values; in a matrix the cells with the largest
    absolute values. If any row has a verdict, all rows are returned in their order.
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
        """Return the size of a row's change; the sum of its values without figures before, or for stacked bars."""
        values = [mark.values[index] or 0.0 for mark in series]
        return abs(values[1] - values[0]) if apart else sum(values)

    return sorted(range(len(scene.rows)), key=lambda index: -weight(index))[:_MOST_NAMED]
