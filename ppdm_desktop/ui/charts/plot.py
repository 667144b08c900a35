"""A scene as a plot that can be zoomed, moved and read point by point. The only module that uses pyqtgraph.

pyqtgraph only draws marks and ticks. Keys, pointer and labels are this widget's, so that there are no menus, buttons
or wheel actions unlike those of the rest of the window. It is imported for the first plot, which takes a third of a
second.
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
    QShowEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QGraphicsPolygonItem, QSizePolicy

from ppdm_desktop.engine.report.scene.bands import spread
from ppdm_desktop.engine.report.scene.model import Axis, Band, Image, Points, Row, Scene, Steps
from ppdm_desktop.engine.report.scene.ticks import TICKS_ACROSS, TICKS_UP, without_overlap
from ppdm_desktop.ui.charts.legend import curve_pen, point_look
from ppdm_desktop.ui.charts.plot_overlay import MARK, PlotOverlay
from ppdm_desktop.ui.charts.scene_view import MOVES, SceneView, neighbour
from ppdm_desktop.ui.look.spoken import as_ornament, in_sentences
from ppdm_desktop.ui.look.theme import theme

_SPOKEN_ROWS = 3
_STEP, _CLOSEST = 1.5, 2_000.0
"""Factor of one zoom step, and the largest magnification."""
_NEAR, _UNDER = 14, 7
_BEYOND = 200
"""How many pixels labels may reach beyond the ends of an axis."""
_MOST_STANDING = 0.4
"""Largest share of the height for names turned upright below the drawing."""
_SIZES = ((20, 9), (200, 6), (3_000, 3))
"""(most visible points, size of a point in pixels at 100 % text size); points are 2 pixels large beyond."""
_ENDS = (Qt.Key.Key_Home, Qt.Key.Key_End)
_IN, _OUT = (Qt.Key.Key_Plus, Qt.Key.Key_Equal), (Qt.Key.Key_Minus, Qt.Key.Key_Underscore)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


def _library() -> Any:
    """Return the module pyqtgraph, imported at the first call."""
    import pyqtgraph

    pyqtgraph.setConfigOptions(imageAxisOrder="row-major", antialias=True)
    return pyqtgraph


@cache
def _axis_with_ends(library: Any) -> Any:
    """Return pyqtgraph's axis class, changed to label the very ends of an axis with a grid."""

    class AxisWithEnds(library.AxisItem):  # type: ignore[misc]
        def boundingRect(self) -> QRectF:
            rect: QRectF = super().boundingRect()
            return rect.adjusted(0, -_BEYOND, 0, _BEYOND) if self.orientation == "left" else rect

    return AxisWithEnds


class PlotView(SceneView):
    """A scene that can be zoomed and read mark by mark.

    Arrow keys step through the marks and show the current one above the drawing, Home and End go to the first and the
    last, Enter opens one, ``+``, ``-`` and ``0`` zoom; the wheel zooms only while the plot has the focus, and dragging
    moves the visible part.

    Parameters
    ----------
    name
        Object name.
    label
        Accessible name until there is a scene.
    high, wide
        Wanted size in pixels at 100 % text size.

    Attributes
    ----------
    beside
        A plot with the same axes that is shown for comparison; points have the same size in both.

    Signals
    -------
    seen
        The visible part changed: (left, right, bottom, top).
    """

    seen = Signal(float, float, float, float)

    def __init__(self, *, name: str, label: str, high: float = 225, wide: float = 360) -> None:
        super().__init__(name=name, label=label)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._high, self._wide = high, wide
        self._current = ""
        self._cells: dict[tuple[int, int], int] = {}
        self._pressed: QPointF | None = None
        self._moved = False
        self._view: Any = None
        self._box: Any = None
        self._axes: dict[str, Any] = {}
        self._ticks: dict[str, tuple[tuple[float, str], ...]] = {"left": (), "bottom": ()}
        self._room, self._below, self._standing = (0, 0), 0, 0
        self._items: list[Any] = []
        self._clouds: list[tuple[Points, Any]] = []
        self.beside: PlotView | None = None
        self.overlay = PlotOverlay(self, self)
        theme().changed.connect(self._on_theme_changed)

    # --- content ------------------------------------------------------------------------

    def set_scene(self, scene: Scene, current: str = "") -> None:
        """Draw another scene; ``current`` is the key of the row that is selected elsewhere.

        If the axes are the same, the visible part is kept, so that a click on a mark does not zoom out.
        """
        before, self.scene, self._current = self.scene, scene, current
        if before is None or len(before.rows) != len(scene.rows):
            self.current = None
        self._cells = {}
        if scene.grid:
            self._cells = {
                self._cell(*row.at, row): index for index, row in enumerate(scene.rows) if row.at is not None
            }
        self._describe()
        self._draw()
        if before is None or (before.x, before.y) != (scene.x, scene.y):
            self.zoom_out()

    @property
    def view_range(self) -> tuple[tuple[float, float], tuple[float, float]]:
        """The visible range of the horizontal and the vertical axis."""
        if self._box is None:
            scene = self.scene
            return ((scene.x.low, scene.x.high), (scene.y.low, scene.y.high)) if scene is not None else ((0, 1), (0, 1))
        (left, right), (low, high) = self._box.viewRange()
        return (left, right), (low, high)

    def held_arrays(self) -> list[tuple[np.ndarray[Any, Any], ...]]:
        """Return the arrays drawn by pyqtgraph, in the order of the scene's marks: two for points, one for cells."""
        held = [item for item in self._items if not isinstance(item, QGraphicsPolygonItem)]
        return [(item.image,) if hasattr(item, "image") else tuple(item.getData()) for item in held]

    def _describe(self) -> None:
        """Set the accessible name (row pointed at, else the title) and description (the first rows)."""
        scene, pointed = self.scene, self.pointed
        if scene is None:
            return
        self.setAccessibleName(in_sentences([pointed.words if pointed is not None else "", scene.sentence]))
        self.setAccessibleDescription(in_sentences(row.words for row in scene.rows[:_SPOKEN_ROWS]))

    # --- size ---------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        """Return a size at which marks can be distinguished."""
        return QSize(theme().px(self._wide), theme().px(self._high))

    def minimumSizeHint(self) -> QSize:
        """Return the least size at which the plot can be read."""
        least = 200 if self.sizePolicy().verticalPolicy() == QSizePolicy.Policy.Fixed else 260
        return QSize(theme().px(least), min(theme().px(max(least, 210)), self.sizeHint().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Adapt drawing and labels to the new size."""
        super().resizeEvent(event)
        self.overlay.setGeometry(self.rect())
        if self._view is not None:
            self._view.setGeometry(self.rect())
            self._measure()

    def _on_theme_changed(self) -> None:
        """Request space for the new text size and draw again."""
        self.updateGeometry()
        self._draw()

    # --- the drawing --------------------------------------------------------------------

    def showEvent(self, event: QShowEvent) -> None:
        """Create the plot when it is first visible."""
        if self._view is None:
            self._build()
        super().showEvent(event)

    def _build(self) -> None:
        """Create the plotting library's widgets when the chart is first shown, with axes, box and overlay."""
        library = _library()
        view = library.GraphicsView(self)
        view.plot = self  # holding one holds the other: nothing is collected while it is painted
        for widget in (view, view.viewport()):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            widget.spoken = as_ornament.__get__(widget)
        layout = library.GraphicsLayout()
        layout.setSpacing(0)
        view.setCentralItem(layout)
        box = library.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        layout.addItem(box, row=0, col=1)
        for side, row, column in (("left", 0, 0), ("bottom", 1, 1)):
            axis = _axis_with_ends(library)(side, maxTickLength=0)
            axis.linkToView(box)
            axis.setZValue(-1_000)
            axis.setGrid(255 if side == "left" else False)
            # Which words stand at an axis is decided in _set_ticks, and nowhere else.
            axis.setStyle(autoExpandTextSpace=False, hideOverlappingLabels=_BEYOND, textFillLimits=[])
            layout.addItem(axis, row=row, col=column)
            self._axes[side] = axis
        self._view, self._layout, self._box = view, layout, box
        view.setGeometry(self.rect())
        view.show()
        self.overlay.setGeometry(self.rect())
        self.overlay.raise_()
        box.sigRangeChanged.connect(self._on_range)
        box.sigResized.connect(self._on_resized)
        self._draw()
        self.zoom_out()

    def _draw(self) -> None:
        """Pass the marks to pyqtgraph in the present colours."""
        scene, box = self.scene, self._box
        if scene is None or box is None:
            self.update()
            return
        library, t = _library(), theme()
        self._view.setBackground(t.colour("surface"))
        box.clear()
        drawn = [(mark, item) for mark in scene.marks if (item := self._item(library, mark)) is not None]
        self._items = [item for _, item in drawn]
        self._clouds = [(mark, item) for mark, item in drawn if isinstance(mark, Points) and mark.records]
        for item in self._items:
            box.addItem(item, ignoreBounds=True)
        for axis in self._axes.values():
            axis.setPen(QPen(t.colour("control"), 1))
            axis.setTickPen(QPen(t.colour("line"), 1))
            axis.setTextPen(t.colour("text2"))
            axis.setTickFont(t.font(0.85))
        wide, high = scene.x.high - scene.x.low, scene.y.high - scene.y.low
        box.setLimits(
            xMin=scene.x.low, xMax=scene.x.high, yMin=scene.y.low, yMax=scene.y.high,
            minXRange=wide / _CLOSEST, minYRange=high / _CLOSEST,
        )  # fmt: skip
        self._measure()

    def _item(self, library: Any, mark: object) -> Any:
        """Return the pyqtgraph item that draws a mark of the scene."""
        t = theme()
        if isinstance(mark, Steps):
            ground = t.colour("selection") if mark.role == "original" else None
            return library.PlotCurveItem(
                np.array(mark.edges), np.array(mark.heights), stepMode="center", pen=curve_pen(mark.role),
                fillLevel=0.0 if ground is not None else None, brush=ground,
            )  # fmt: skip
        if isinstance(mark, Points):
            if mark.joined:
                return library.PlotCurveItem(mark.x, mark.y, pen=curve_pen(mark.role))
            return library.ScatterPlotItem(mark.x, mark.y, pxMode=True, **self._point_look(mark))
        if isinstance(mark, Image):
            return self._image_item(library, mark)
        if isinstance(mark, Band):
            return _band_item(mark)
        return None

    def _in_sight(self) -> int:
        """Return how many points are visible here, or in the compared plot's same part if there are more."""
        (left, right), (low, high) = self.view_range
        scenes = [plot.scene for plot in (self, self.beside) if plot is not None]
        marks = [mark for scene in scenes if scene is not None for mark in scene.marks]
        clouds = [mark for mark in marks if isinstance(mark, Points) and mark.records]
        in_sight = ((left <= cloud.x) & (cloud.x <= right) & (low <= cloud.y) & (cloud.y <= high) for cloud in clouds)
        return max((int(np.count_nonzero(points)) for points in in_sight), default=0)

    def _point_look(self, points: Points) -> dict[str, Any]:
        """Return the arguments of pyqtgraph for the look of points."""
        t = theme()
        if not points.records:
            symbol, pen, brush, factor = point_look(points.role)
            return {"symbol": symbol, "pen": pen, "brush": brush, "size": t.px(MARK) * factor}
        count = self._in_sight()
        colour = t.colour("original_line" if points.role == "original" else "accent")
        colour.setAlphaF(1.0 if count <= 200 else 0.55)
        size = t.px(next((size for most, size in _SIZES if count <= most), 2))
        return {"symbol": "s" if points.role == "original" else "o", "pen": None, "brush": colour, "size": size}

    def _image_item(self, library: Any, image: Image) -> Any:
        """Return the pyqtgraph item for cells in colour bands; index 0 is the background of empty cells."""
        scene, tokens = self.scene, theme().tokens
        assert scene is not None
        is_known = ~np.isnan(image.values)
        band_numbers = np.digitize(np.where(is_known, image.values, 0.0), image.edges) + 1
        bands = np.where(is_known, band_numbers, 0).astype(np.float32)
        colours = spread(getattr(tokens, image.palette), len(image.edges) + 1, diverging=image.palette == "diverging")
        table = [QColor(colour).getRgb() for colour in (tokens.surface, *colours)]
        item = library.ImageItem(bands, levels=(0, len(table)), lut=np.array(table, dtype=np.uint8))
        item.setRect(QRectF(scene.x.low, scene.y.low, scene.x.high - scene.x.low, scene.y.high - scene.y.low))
        item.setZValue(-2_000)
        return item

    # --- ticks and room -----------------------------------------------------------------

    def _measure(self) -> None:
        """Divide the size among the line above, the axes with their names, and the plot."""
        scene = self.scene
        if scene is None or self._box is None:
            return
        t, line = theme(), self.overlay.line_height()
        above = line * (1 + len(self.overlay.title_lines(scene.y.name))) + t.px(2)
        below = line * len(self.overlay.title_lines(scene.x.name))
        # The number at the upper end reaches above the drawing by half a line, and stands clear of the axis's name.
        clear = max(t.px(6), line // 2 + t.px(2))
        right, foot = self._room_at_right(scene), below + t.px(4)
        self._layout.setContentsMargins(t.px(3), above + clear, right, foot)
        self._room = self.width() - t.px(3) - right, self.height() - above - clear - foot
        # A mark that lies on the axis reaches below it by half of its size, as does the lowest number at the left; the
        # numbers below stand clear of both.
        under = t.px(_UNDER)
        self._axes["bottom"].setStyle(tickTextOffset=under)
        self._below = line + under + t.px(1)
        self._axes["bottom"].setHeight(self._below)
        self._set_ticks()

    def _room_at_right(self, scene: Scene) -> int:
        """Return the pixels that the last label of the horizontal axis needs beyond the plot."""
        least, ticks = theme().px(8), scene.x.ticks(TICKS_ACROSS)
        if scene.x.names or scene.x.marked or not ticks:
            return least
        at, title = ticks[-1]
        half = QFontMetrics(theme().font(0.85)).horizontalAdvance(title) / 2 + 2
        inside = (scene.x.high - at) / ((scene.x.high - scene.x.low) or 1.0) * self.width() / 2
        return max(least, round(half - inside))

    def _on_resized(self, *_: object) -> None:
        """Choose the tick labels for the new size, and repaint the overlay."""
        self._set_ticks()
        self.overlay.update()

    def fit_points(self) -> None:
        """Set the size of points by how many are visible."""
        for points, item in self._clouds:
            look = self._point_look(points)
            if item.opts["size"] != look["size"]:
                item.setSize(look["size"])
                item.setBrush(look["brush"])

    def _on_range(self, *_: object) -> None:
        """Fit points and tick labels to the visible range after a zoom, and report the range."""
        self.fit_points()
        self._set_ticks()
        self.overlay.update()
        (left, right), (low, high) = self.view_range
        self.seen.emit(left, right, low, high)

    def _set_ticks(self) -> None:
        """Set the labels of both axes for the visible range."""
        scene = self.scene
        if scene is None:
            return
        metrics, box = QFontMetrics(theme().font(0.85)), self.plot_rect()
        (left, right), (low, high) = self.view_range
        if scene.x.names:
            self._set_names(scene, metrics)
            return
        most = int(box.height() / metrics.height())
        self._ticks["left"] = self._up_ticks(scene.y, most, low, high)
        wide = max((metrics.horizontalAdvance(text) for _, text in self._ticks["left"]), default=0)
        self._axes["left"].setWidth(wide + theme().px(8))
        for most in range(TICKS_ACROSS, 0, -1):
            self._ticks["bottom"] = self._of_axis(scene.x, most, left, right)
            needed = sum(metrics.horizontalAdvance(f"{text}  ") for _, text in self._ticks["bottom"])
            if needed <= box.width() or scene.x.marked:
                break
        ticks = self._ticks["bottom"]
        if scene.x.marked:
            cut = [(at, self._within(metrics, at, text)) for at, text in ticks]
            wide_of = metrics.horizontalAdvance
            ticks = without_overlap(cut, lambda at: self.place(at, 0.0).x(), lambda text: wide_of(f"{text} "))
        else:
            ticks = tuple(tick for tick in ticks if self._is_whole(metrics, *tick))
        self._ticks["bottom"] = ticks
        for side, ticks in self._ticks.items():
            self._axes[side].setTicks([list(ticks)])

    def _set_names(self, scene: Scene, metrics: QFontMetrics) -> None:
        """Label the visible cells if all labels fit; long labels below the plot are turned upright.

        The room is computed from the widget's size, not from the drawing's, which the labels themselves make smaller.
        """
        t, line = theme(), metrics.height()
        (left, right), (low, high) = self.view_range
        left_ticks = scene.y.ticks(len(scene.y.names), low, high)
        bottom_ticks = scene.x.ticks(len(scene.x.names), left, right)
        wide = max((metrics.horizontalAdvance(text) for _, text in left_ticks), default=0) + t.px(8)
        longest = max((metrics.horizontalAdvance(text) for _, text in bottom_ticks), default=0)
        across = (self._room[0] - wide) / max(len(bottom_ticks), 1)
        lying = longest + metrics.horizontalAdvance("  ") <= across
        self._standing = 0
        if not lying and line <= across:
            self._standing = min(longest + t.px(2), round(self._room[1] * _MOST_STANDING))
        under = self._below - line + self._standing if self._standing else self._below
        names_fit = line * len(left_ticks) <= self._room[1] - under
        self._ticks = {
            "left": left_ticks if names_fit else (),
            "bottom": bottom_ticks if lying or self._standing else (),
        }
        self._axes["left"].setWidth(wide if names_fit else t.px(8))
        self._axes["bottom"].setHeight(under)
        self._axes["left"].setTicks([list(self._ticks["left"])])
        self._axes["bottom"].setTicks([list(self._ticks["bottom"]) if lying else []])

    def standing_names(self) -> tuple[int, tuple[tuple[float, str], ...]]:
        """Return the height of the upright labels in pixels, 0 without any, and (position, label) of each."""
        return self._standing, self._ticks["bottom"] if self._standing else ()

    def _is_whole(self, metrics: QFontMetrics, at: float, text: str) -> bool:
        """Return whether a label below position ``at`` fits within the widget."""
        x, half = self.place(at, 0.0).x(), metrics.horizontalAdvance(text) / 2
        return half <= x + 1 and x + half <= self.width() + 1

    def _within(self, metrics: QFontMetrics, at: float, text: str) -> str:
        """Return the label of a tick, elided if it would reach beyond the plot."""
        x = self.place(at, 0.0).x()
        room = 2 * min(x, self.width() - x) - theme().px(4)
        return metrics.elidedText(text, Qt.TextElideMode.ElideMiddle, max(round(room), 0))

    def _up_ticks(self, axis: Axis, lines: int, low: float, high: float) -> tuple[tuple[float, str], ...]:
        """Return (value, label) of the vertical axis's ticks for this many lines of text; at least two."""
        if axis.names:
            return self._of_axis(axis, lines, low, high)
        most = max(min(int(lines / 2.2), TICKS_UP), 1)
        ticks = self._of_axis(axis, most, low, high)
        while len(ticks) < 2 and most < lines:
            most += 1
            more = self._of_axis(axis, most, low, high)
            ticks = more if len(more) * 1.5 <= lines else ticks
        return ticks

    def _of_axis(self, axis: Axis, most: int, low: float, high: float) -> tuple[tuple[float, str], ...]:
        """Return (value, label) of at most ``most`` ticks between two values of an axis."""
        return tuple(tick for tick in axis.ticks(most, low, high) if low - 1e-12 <= tick[0] <= high + 1e-12)

    # --- geometry -----------------------------------------------------------------------

    @property
    def is_drawn(self) -> bool:
        """Whether the plot was created, which happens when it is first visible."""
        return self._box is not None

    def plot_rect(self) -> QRectF:
        """Return the rectangle of the drawing within the axes, in pixels of this widget."""
        return QRectF(self._box.sceneBoundingRect()) if self._box is not None else QRectF(self.rect())

    def place(self, x: float, y: float) -> QPointF:
        """Return the pixel of this widget for a pair of values."""
        (left, right), (low, high) = self.view_range
        box = self.plot_rect()
        across, up = (x - left) / ((right - left) or 1.0), (y - low) / ((high - low) or 1.0)
        return QPointF(box.left() + across * box.width(), box.bottom() - up * box.height())

    def values_at(self, at: QPointF) -> tuple[float, float]:
        """Return the pair of values at a pixel of this widget."""
        (left, right), (low, high) = self.view_range
        box = self.plot_rect()
        across = (at.x() - box.left()) / max(box.width(), 1)
        return left + across * (right - left), low + (box.bottom() - at.y()) / max(box.height(), 1) * (high - low)

    def _cell(self, x: float, y: float, row: Row) -> tuple[int, int]:
        """Return (column, row) of the grid cell that contains a pair of values; ``row`` is any row of the grid."""
        assert self.scene is not None
        (wide, high), scene = row.size, self.scene
        return math.floor((x - scene.x.low) / wide), math.floor((y - scene.y.low) / high)

    def mark_rect(self, row: Row) -> QRectF:
        """Return the rectangle of a row in the drawing, in pixels; for a point that of its symbol."""
        assert row.at is not None
        (x, y), (wide, high) = row.at, row.size
        if not wide and not high:
            half, at = theme().px(MARK) / 2, self.place(x, y)
            return QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half)
        return QRectF(self.place(x - wide / 2, y + high / 2), self.place(x + wide / 2, y - high / 2))

    def near(self, at: QPointF) -> list[int]:
        """Return the indices of rows whose marks are at a pixel, the nearest first."""
        scene = self.scene
        if scene is None or not self.plot_rect().adjusted(-4, -4, 4, 4).contains(at):
            return []
        if self._cells:
            index = self._cells.get(self._cell(*self.values_at(at), scene.rows[0]))
            return [] if index is None else [index]
        hits = []
        for index, row in enumerate(scene.rows):
            if row.at is None:
                continue
            away = QLineF(self.place(*row.at), at).length()
            if self.mark_rect(row).contains(at) if any(row.size) else away <= theme().px(_NEAR):
                hits.append((away, index))
        return [index for _, index in sorted(hits)]

    # --- zoom ---------------------------------------------------------------------------

    def zoom(self, factor: float, at: QPointF | None = None) -> None:
        """Make the visible part ``factor`` times narrower around a pixel or the mark that is pointed at.

        Of single marks and blocks at least one stays visible: the selected one or the nearest. Histograms are zoomed
        horizontally only; their vertical axis goes from 0 to the highest visible value, so that tails can be examined.
        """
        if self.scene is None or self._box is None:
            return
        (left, right), (low, high) = self.view_range
        pointed = self.pointed
        middle = ((left + right) / 2, (low + high) / 2)
        if pointed is None and (self.scene.has_marks or self.scene.grid):
            pointed = self._nearest(middle)
        if at is not None:
            middle = self.values_at(at)
        elif pointed is not None and pointed.at is not None:
            middle = pointed.at
        wide, tall = (right - left) / factor, (high - low) / factor
        x = _zoomed_start(left, right, middle[0], factor)
        y = _zoomed_start(low, high, middle[1], factor)
        if at is None and pointed is not None and pointed.at is not None:
            # A block is seen whole as long as it fits: what it holds may stand at its edge.
            x, y = (
                min(max(start, position + size / 2 - length), position - size / 2) if size <= length else start
                for start, length, position, size in zip((x, y), (wide, tall), pointed.at, pointed.size, strict=True)
            )
        self._see((x, x + wide), (y, y + tall))

    def _nearest(self, middle: tuple[float, float]) -> Row | None:
        """Return the selected row, otherwise the row whose mark is nearest to a pair of values; None without rows."""
        assert self.scene is not None
        rows, current = self.scene.rows, self.current_place()
        if current is not None and rows[current].at is not None:
            return rows[current]
        there = self.place(*middle)
        near = [(QLineF(self.place(*row.at), there).length(), n) for n, row in enumerate(rows) if row.at is not None]
        return rows[min(near)[1]] if near else None

    def zoom_out(self) -> None:
        """Show the whole range of both axes."""
        if self.scene is not None and self._box is not None:
            x, y = self.scene.x, self.scene.y
            self._see((x.low, x.high), (y.low, y.high))

    def see(self, left: float, right: float, low: float, high: float) -> None:
        """Show the same range as another plot with the same axes."""
        if self._box is not None and self.view_range != ((left, right), (low, high)):
            self._see((left, right), (low, high))

    def _see(self, across: tuple[float, float], up: tuple[float, float]) -> None:
        """Show these ranges of the two axes, limited to the scene; histograms choose their own vertical range."""
        assert self.scene is not None
        x, y = self.scene.x, self.scene.y
        across = _within(across, x.low, x.high)
        steps = [mark for mark in self.scene.marks if isinstance(mark, Steps)]
        if steps:
            seen = [
                height
                for mark in steps
                for height, low, high in zip(mark.heights, mark.edges, mark.edges[1:])
                if high > across[0] and low < across[1]
            ]
            whole = across == (x.low, x.high)
            up = (0.0, y.high if whole else min(max(max(seen, default=0.0) * 1.05, y.high / _CLOSEST), y.high))
        # A mark at an end is drawn whole where all is seen.
        clips = self._box.GraphicsItemFlag.ItemClipsChildrenToShape
        self._box.setFlag(clips, across != (x.low, x.high) or _within(up, y.low, y.high) != (y.low, y.high))
        self._box.setRange(xRange=across, yRange=_within(up, y.low, y.high), padding=0)

    def _show(self, row: Row) -> None:
        """Scroll until the mark of a row is visible."""
        assert row.at is not None
        (left, right), (low, high) = self.view_range
        (x, y), (wide, tall) = row.at, (right - left, high - low)
        if not left <= x <= right:
            left = x - wide / 2
        if not low <= y <= high:
            low = y - tall / 2
        self._see((left, left + wide), (low, low + tall))

    # --- keys and pointer ---------------------------------------------------------------

    def point_to(self, index: int | None) -> None:
        """Point at the row with this index (None: no row), and describe it."""
        if index == self.current:
            return
        self.current = index
        pointed = self.pointed
        if pointed is not None and pointed.at is not None and self._box is not None:
            self._show(pointed)
        self._describe()
        self.overlay.update()

    def current_place(self) -> int | None:
        """Return the index of the row that is selected elsewhere, None without one."""
        rows = self.scene.rows if self.scene is not None and self._current else ()
        return next((index for index, row in enumerate(rows) if row.key == self._current), None)

    def _order(self, across: int) -> list[int]:
        """Return the indices of rows in the order of the arrow keys, along the horizontal axis or the vertical one."""
        assert self.scene is not None
        rows = self.scene.rows
        order = [index for index, row in enumerate(rows) if row.at is not None]
        if self.scene.has_marks:
            order.sort(key=lambda index: (_along(rows[index], across), index))
        return order

    def _go_to_end(self, *, first: bool) -> None:
        """Point at the first mark or at the last."""
        if order := self._order(1):
            self.point_to(order[0 if first else -1])

    def _step(self, across: int, up: int) -> None:
        """Point at the next mark in a direction; ``across`` and ``up`` are -1, 0 or 1."""
        assert self.scene is not None
        rows, order = self.scene.rows, self._order(across)
        now = self.current if self.current is not None else self.current_place()
        if not order:
            return
        if now is None:
            self.point_to(order[0])
        elif self.scene.grid:
            self.point_to(neighbour(rows, order, now, across, up))
        else:
            self.point_to(order[(order.index(now) + across + up) % len(order)])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step through the marks, open one, or zoom."""
        key, plain = (
            Qt.Key(event.key()),
            event.modifiers() & ~(Qt.KeyboardModifier.ShiftModifier | Qt.KeyboardModifier.KeypadModifier),
        )
        pointed = self.pointed
        if plain or self.scene is None:
            super().keyPressEvent(event)
        elif key in MOVES:
            self._step(*MOVES[key])
        elif key in _ENDS:
            self._go_to_end(first=key == Qt.Key.Key_Home)
        elif key in _ENTER and pointed is not None:
            if pointed.key:
                self.opened.emit(pointed.key)
        elif key in _IN:
            self.zoom(_STEP)
        elif key in _OUT:
            self.zoom(1 / _STEP)
        elif key == Qt.Key.Key_0:
            self.zoom_out()
        else:
            super().keyPressEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom if this plot has the focus; otherwise the page scrolls."""
        if not self.hasFocus():
            event.ignore()
            return
        self.zoom(_STEP ** (event.angleDelta().y() / 240), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Start dragging or a click."""
        if event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self._pressed, self._moved = event.position(), False

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the visible part while a button is held down, otherwise describe the row under the pointer."""
        if self._pressed is None or not event.buttons() & Qt.MouseButton.LeftButton:
            near = self.near(event.position())
            self.point_to(near[0] if near else None)
            return
        away = event.position() - self._pressed
        if not self._moved and away.manhattanLength() < theme().px(5):
            return
        self._moved, self._pressed = True, event.position()
        box = self.plot_rect()
        (left, right), (low, high) = self.view_range
        x = away.x() / max(box.width(), 1) * (right - left)
        y = away.y() / max(box.height(), 1) * (high - low)
        self._see((left - x, right - x), (low + y, high + y))

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open the mark that was clicked; of several at the same position, the next one."""
        moved, self._pressed = self._moved, None
        if self.scene is None or moved or event.button() != Qt.MouseButton.LeftButton:
            return
        rows = self.scene.rows
        near = [index for index in self.near(event.position()) if rows[index].key]
        keys = [rows[index].key for index in near]
        if near:
            chosen = (keys.index(self._current) + 1) % len(near) if self._current in keys else 0
            self.point_to(near[chosen])
            self.opened.emit(keys[chosen])

    def leaveEvent(self, event: QEvent) -> None:
        """Remove the description of a row."""
        if not self.hasFocus():
            self.point_to(None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Point at the row that is selected elsewhere."""
        super().focusInEvent(event)
        if self.current is None:
            self.point_to(self.current_place())
        self.overlay.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Remove the description of a row."""
        super().focusOutEvent(event)
        self.point_to(None)
        self.overlay.update()


def _band_item(band: Band) -> QGraphicsPolygonItem:
    """Return the filled area between two curves; a band at one position only is drawn as a line."""
    t = theme()
    upper = [QPointF(x, y) for x, y in zip(band.x.tolist(), band.high.tolist(), strict=True)]
    lower = [QPointF(x, y) for x, y in zip(band.x.tolist(), band.low.tolist(), strict=True)]
    item = QGraphicsPolygonItem(QPolygonF([*upper, *reversed(lower)]))
    item.setBrush(t.colour("selection"))
    pen = QPen(t.colour("accent"), max(t.px(1), 1))
    pen.setCosmetic(True)
    item.setPen(pen if len(upper) == 1 else QPen(Qt.PenStyle.NoPen))
    return item


def _within(span: tuple[float, float], low: float, high: float) -> tuple[float, float]:
    """Return a range shifted to lie between two ends, or the whole range if it is longer."""
    length = span[1] - span[0]
    if length >= high - low:
        return low, high
    start = min(max(span[0], low), high - length)
    return start, start + length


def _zoomed_start(low: float, high: float, centre: float, factor: float) -> float:
    """Return the start of a range after zooming by ``factor`` with ``centre`` kept in place."""
    return centre - (centre - low) / factor if low <= centre <= high else centre - (high - low) / factor / 2


def _along(row: Row, across: int) -> tuple[float, float]:
    """Return the sort key of a row for the arrow keys: from left to right (``across`` not 0) or from bottom to top."""
    x, y = row.at or (0.0, 0.0)
    return (x, y) if across else (y, x)
