"""Records and cells of a plot drawn by pyqtgraph within the axes. The only module that uses pyqtgraph.

An SVG of 20,000 points takes half a second to paint; pyqtgraph paints copies of one picture of a point. It only draws:
axes, keys, pointer and zoom are those of the SVG drawing below it. It is imported for the first such plot, which takes
a third of a second.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.report.scene.bands import spread_colours
from ppdm_desktop.engine.report.scene.model import Axis, Image, Mark, Matrix, Points, Scene
from ppdm_desktop.engine.report.scene.svg import choose_point_size
from ppdm_desktop.ui.look.accessibility import as_ornament
from ppdm_desktop.ui.look.theme import theme

_AROUND = 4
"""How many pixels frames reach beyond the axes."""
_OPAQUE_UP_TO, _ALPHA = 200, 0.55
"""Beyond how many records in sight a point is translucent, and how much it covers then."""


def is_dense(mark: Mark) -> bool:
    """Return whether pyqtgraph draws a shape of a chart, not the SVG: points of records, or an image of many cells.

    A matrix, which has few cells, is drawn by the SVG.
    """
    return (isinstance(mark, Points) and mark.records > 0) or (isinstance(mark, Image) and not isinstance(mark, Matrix))


class _Frames(QWidget):
    """The frames around chosen rows of a chart, painted above the cells that would cover them."""

    accessible_info = as_ornament

    def __init__(self, drawing: QWidget, paint_frames: Callable[[QPainter], None]) -> None:
        super().__init__(drawing)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._paint_frames = paint_frames

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the frames around chosen rows at the same place as in the drawing below this layer."""
        painter = QPainter(self)
        painter.translate(-self.pos())
        self._paint_frames(painter)
        painter.end()


class DenseLayer:
    """Widget with the points and cells within the axes of a chart; it takes neither keys nor pointer.

    Parameters
    ----------
    drawing
        The widget that draws the axes.
    paint_frames
        Function that paints the frames around chosen rows, in the pixels of ``drawing``.
    """

    def __init__(self, drawing: QWidget, paint_frames: Callable[[QPainter], None]) -> None:
        import pyqtgraph  # takes a third of a second

        self._library: Any = pyqtgraph
        self._view = self._library.GraphicsView(drawing, background=None)
        self._frames = _Frames(drawing, paint_frames)
        for widget in (self._view, self._view.viewport()):
            widget.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            widget.setFocusPolicy(Qt.FocusPolicy.NoFocus)
            widget.accessible_info = as_ornament.__get__(widget)
        # Grid lines lie below: neither the widget nor a kept background may cover them.
        self._view.viewport().setAutoFillBackground(False)
        self._view.setCacheMode(self._view.CacheModeFlag.CacheNone)
        self._box = self._library.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0)
        self._view.setCentralItem(self._box)
        self.items: list[Any] = []
        self._painted: tuple[object, ...] = ()

    def hide(self) -> None:
        """Hide the layer, for a chart without such points and cells."""
        self._view.hide()
        self._frames.hide()

    def show(self, scene: Scene, axes: tuple[Axis, Axis], inside: QRectF, unit: float) -> None:
        """Draw the records and cells of a chart within its axes.

        Points are half transparent if more than 200 records are visible, as estimated from the visible share of the
        area. The same content as before is only moved and zoomed.

        Parameters
        ----------
        scene
            Description of the whole chart.
        axes
            The visible part of the axes: horizontal, vertical.
        inside
            The rectangle within the axes, in pixels.
        unit
            Pixels for one unit of the drawing.
        """
        x, y = axes
        share = (x.high - x.low) * (y.high - y.low) / ((scene.x.high - scene.x.low) * (scene.y.high - scene.y.low))
        in_sight = share * max((mark.records for mark in scene.marks if isinstance(mark, Points)), default=0)
        size, is_opaque = choose_point_size(in_sight) * unit, in_sight <= _OPAQUE_UP_TO
        to_paint = (scene, theme().tokens, size, is_opaque)
        if to_paint != self._painted:  # moving and most steps of zooming change only what part is seen
            self._painted = to_paint
            self._box.clear()
            self.items = [_cells_item(self._library, mark, scene) for mark in scene.marks if isinstance(mark, Image)]
            for points in scene.marks:
                if isinstance(points, Points) and points.records:
                    self.items.append(_points_item(self._library, points, size, 1.0 if is_opaque else _ALPHA))
            for item in self.items:
                self._box.addItem(item, ignoreBounds=True)
        self._view.setGeometry(inside.toAlignedRect())
        self._box.setRange(xRange=(x.low, x.high), yRange=(y.low, y.high), padding=0)
        self._frames.setGeometry(inside.toAlignedRect().adjusted(-_AROUND, -_AROUND, _AROUND, _AROUND))
        self._view.show()
        self._frames.show()


def _points_item(library: Any, points: Points, size: float, alpha: float) -> Any:
    """Return pyqtgraph's item that draws records: squares for the original, discs for the release.

    ``library`` is pyqtgraph, ``size`` the size of a point in pixels, ``alpha`` the opacity from 0 to 1.
    """
    colour = theme().colour("original_line" if points.role == "original" else "accent")
    colour.setAlphaF(alpha)
    symbol = "s" if points.role == "original" else "o"
    return library.ScatterPlotItem(points.x, points.y, symbol=symbol, size=size, pen=None, brush=colour, antialias=True)


def _cells_item(library: Any, image: Image, scene: Scene) -> Any:
    """Return pyqtgraph's item that draws an image of cells in the colours of their bands, as large as the axes.

    Cells without a value (NaN) are transparent.
    """
    palette = getattr(theme().tokens, image.palette)
    colours = spread_colours(palette, len(image.edges) + 1, diverging=image.palette == "diverging")
    table = np.array([(0, 0, 0, 0), *(QColor(colour).getRgb() for colour in colours)], dtype=np.uint8)
    bands = np.where(np.isnan(image.values), 0, np.digitize(np.nan_to_num(image.values), image.edges) + 1)
    item = library.ImageItem(table[bands], axisOrder="row-major")
    item.setRect(QRectF(scene.x.low, scene.y.low, scene.x.high - scene.x.low, scene.y.high - scene.y.low))
    return item
