"""Two numbers before and after: every record a point, or, above 20,000, how many stand in each small cell.

Both sides share their axes and their colour bands, so that they can be held against each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QImage, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.scene.ticks import round_ticks
from ppdm_desktop.ui.charts.bands import band_colours
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme

MOST_POINTS = 20_000
_EDGE = 0.03
_SIZES = ((20, 9), (200, 6), (3_000, 3))
"""Up to how many records a point has which size in pixels at 100 %; 2 beyond."""
CELLS = (56, 40)
"""Cells across and up of a density image."""
SHARES = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03)
"""Edges of the bands: share of the records in one cell."""


@dataclass(frozen=True, eq=False)
class Cloud:
    """One side: its records as points, or counted in cells.

    Attributes
    ----------
    records
        Records with both numbers.
    points
        Shape (records, 2); None where cells are shown.
    cells
        Counts, shape (up, across); None where points are shown.
    """

    records: int
    points: Floats | None
    cells: Floats | None


@dataclass(frozen=True, eq=False)
class Clouds:
    """Both sides in the same frame."""

    low: tuple[float, float]
    high: tuple[float, float]
    before: Cloud
    after: Cloud

    @property
    def as_points(self) -> bool:
        """Whether every record is a point."""
        return self.before.points is not None


def clouds(before: tuple[Floats, Floats], after: tuple[Floats, Floats]) -> Clouds | None:
    """Put both sides into one frame; None where neither has a record with both numbers.

    Parameters
    ----------
    before, after
        The two numbers of each record, NaN where missing.
    """
    sides = []
    for first, second in (before, after):
        known = ~(np.isnan(first) | np.isnan(second))
        sides.append(np.column_stack([first[known], second[known]]))
    together = [side for side in sides if len(side)]
    if not together:
        return None
    low = np.min([side.min(axis=0) for side in together], axis=0)
    high = np.max([side.max(axis=0) for side in together], axis=0)
    flat = high <= low
    as_points = max(len(side) for side in sides) <= MOST_POINTS
    # Points at the ends are drawn whole; cells reach from end to end.
    spare = np.where(flat, np.maximum(np.abs(high) * 0.05, 0.5), (high - low) * (_EDGE if as_points else 0.0))
    low, high = low - spare, high + spare
    made = []
    for side in sides:
        cells = None
        if not as_points:
            places = [
                np.minimum(
                    ((side[:, axis] - low[axis]) / (high[axis] - low[axis]) * CELLS[axis]).astype(np.int64),
                    CELLS[axis] - 1,
                )
                for axis in (0, 1)
            ]
            counts = np.bincount(places[1] * CELLS[0] + places[0], minlength=CELLS[0] * CELLS[1])
            cells = counts.reshape(CELLS[1], CELLS[0]).astype(np.float64)
        made.append(Cloud(len(side), side if as_points else None, cells))
    return Clouds((float(low[0]), float(low[1])), (float(high[0]), float(high[1])), made[0], made[1])


class DensityChart(QWidget):
    """The original at the left, the released at the right (below each other where it is narrow)."""

    spoken = as_chart

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._clouds: Clouds | None = None
        self._names: tuple[str, str] = ("", "")
        self._captions: tuple[str, str] = ("", "")
        theme().changed.connect(self._on_theme_changed)

    def set_clouds(
        self, shown: Clouds, names: tuple[str, str], captions: tuple[str, str], title: str, figures: Sequence[str] = ()
    ) -> None:
        """Show other numbers; ``names`` are the axes', ``captions`` those of both sides."""
        self._clouds, self._names, self._captions = shown, names, captions
        self.setAccessibleDescription(in_sentences([title, *figures]))
        self._on_theme_changed()

    @property
    def shown(self) -> Clouds | None:
        """What is shown."""
        return self._clouds

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    # --- size ---------------------------------------------------------------------------

    def _beside(self, width: int) -> bool:
        return width >= theme().px(440)

    def hasHeightForWidth(self) -> bool:
        """Say that a narrow chart is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of one row of drawings or two."""
        return theme().px(260) * (1 if self._beside(width) else 2)

    def sizeHint(self) -> QSize:
        """Return a size at which shapes can be distinguished."""
        return QSize(theme().px(520), self.heightForWidth(max(self.width(), theme().px(200))))

    def minimumSizeHint(self) -> QSize:
        """Return the least size that still says something."""
        return QSize(theme().px(200), self.heightForWidth(max(self.width(), theme().px(200))))

    # --- drawing ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw both sides with their axes."""
        if self._clouds is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        gap = theme().px(14)
        if self._beside(self.width()):
            wide = (self.width() - gap) / 2
            boxes = [QRectF(0, 0, wide, self.height()), QRectF(wide + gap, 0, wide, self.height())]
        else:
            high = (self.height() - gap) / 2
            boxes = [QRectF(0, 0, self.width(), high), QRectF(0, high + gap, self.width(), high)]
        for place, (box, cloud) in enumerate(zip(boxes, (self._clouds.before, self._clouds.after), strict=True)):
            self._paint_side(painter, box, place, cloud)
        painter.end()

    def _paint_side(self, painter: QPainter, box: QRectF, place: int, cloud: Cloud) -> None:
        assert self._clouds is not None
        t, shown = theme(), self._clouds
        metrics = QFontMetrics(t.font(0.85))
        painter.setFont(t.font(0.9, semibold=True))
        painter.setPen(t.colour("text2"))
        line = metrics.height() + t.px(4)
        painter.drawText(
            QRectF(box.left(), box.top(), box.width(), line), Qt.AlignmentFlag.AlignLeft, self._captions[place]
        )
        painter.setFont(t.font(0.85))
        ticks = round_ticks(shown.low[1], shown.high[1], 4)
        side = max((metrics.horizontalAdvance(plain_number(tick)) for tick in ticks), default=0) + t.px(6)
        plot = box.adjusted(side, 2 * line, -t.px(4), -2 * line)
        # Long names often differ at their ends only.
        name = metrics.elidedText(self._names[1], Qt.TextElideMode.ElideMiddle, round(box.width()))
        painter.drawText(QRectF(box.left(), box.top() + line, box.width(), line), Qt.AlignmentFlag.AlignLeft, name)
        name = metrics.elidedText(self._names[0], Qt.TextElideMode.ElideMiddle, round(plot.width()))
        below = QRectF(plot.left(), plot.bottom() + line, plot.width(), line)
        painter.drawText(below, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, name)
        for tick in ticks:
            y = plot.bottom() - (tick - shown.low[1]) / (shown.high[1] - shown.low[1]) * plot.height()
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            painter.setPen(t.colour("text2"))
            label = QRectF(box.left(), y - line / 2, side - t.px(4), line)
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, plain_number(tick))
        for tick in _ticks_across(shown.low[0], shown.high[0], plot.width(), metrics):
            x = plot.left() + (tick - shown.low[0]) / (shown.high[0] - shown.low[0]) * plot.width()
            words = plain_number(tick)
            wide = metrics.horizontalAdvance(words) + 2
            begin = min(max(x - wide / 2, box.left()), box.right() - wide)
            painter.setPen(t.colour("text2"))
            painter.drawText(QRectF(begin, plot.bottom() + t.px(2), wide, line), Qt.AlignmentFlag.AlignCenter, words)
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(QLineF(plot.left(), plot.bottom(), plot.right(), plot.bottom()))
        painter.drawLine(QLineF(plot.left(), plot.top(), plot.left(), plot.bottom()))
        if cloud.points is not None:
            self._paint_points(painter, plot, place, cloud.points)
        elif cloud.cells is not None:
            _paint_cells(painter, plot, cloud)

    def _paint_points(self, painter: QPainter, plot: QRectF, place: int, points: Floats) -> None:
        assert self._clouds is not None
        if not len(points):
            return
        t, low, high = theme(), np.array(self._clouds.low), np.array(self._clouds.high)
        scaled = (points - low) / (high - low)
        xs = plot.left() + scaled[:, 0] * plot.width()
        ys = plot.bottom() - scaled[:, 1] * plot.height()
        size = t.px(next((size for most, size in _SIZES if len(points) <= most), 2))
        colour = t.colour("original_line" if place == 0 else "accent")
        colour.setAlphaF(1.0 if len(points) <= 200 else 0.55)
        pen = QPen(colour, max(size, 1))
        pen.setCapStyle(Qt.PenCapStyle.SquareCap if place == 0 else Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawPoints(QPolygonF([QPointF(x, y) for x, y in zip(xs.tolist(), ys.tolist(), strict=True)]))


def _ticks_across(low: float, high: float, room: float, metrics: QFontMetrics) -> list[float]:
    """Return up to five ticks whose labels stand beside each other."""
    ticks: list[float] = []
    for most in range(5, 0, -1):
        ticks = round_ticks(low, high, most)
        if sum(metrics.horizontalAdvance(f"{plain_number(tick)}  ") for tick in ticks) <= room:
            break
    return ticks


def _paint_cells(painter: QPainter, plot: QRectF, cloud: Cloud) -> None:
    """Draw the counts as one image of at most nine colours, row 0 at the bottom."""
    assert cloud.cells is not None
    tokens = theme().tokens
    shares = cloud.cells / max(cloud.records, 1)
    steps = np.digitize(shares, SHARES).astype(np.uint8) + 1
    steps[cloud.cells == 0] = 0
    high, wide = steps.shape
    data = steps[::-1].tobytes()  # kept here as long as the image reads it
    image = QImage(data, wide, high, wide, QImage.Format.Format_Indexed8)
    colours = (tokens.surface, *band_colours(tokens, "amount", len(SHARES) + 1))
    image.setColorTable([QColor(colour).rgb() for colour in colours])
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    painter.drawImage(plot, image.convertToFormat(QImage.Format.Format_RGB32))
    painter.restore()
