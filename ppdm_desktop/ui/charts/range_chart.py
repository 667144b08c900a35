"""Figures over the values of one setting: mean and band over keys, one panel below another on the same axis."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFontMetrics,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.ticks import percent_ticks, round_ticks
from ppdm_desktop.ui.charts.legend import Legend
from ppdm_desktop.ui.charts.numbers import ticks
from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme

_PANEL, _LEAST_WIDTH, _WIDTH = 190, 240, 420
_LINES, _LEAST_SPAN = 4, 0.02
_DOT, _RING = 3.5, 7.0
_PIECE = 26
LINE, BAND, MARK, LIMIT = range(4)
"""Pieces of the legend."""


@dataclass(frozen=True)
class RangePoint:
    """A figure at one value over the keys.

    Attributes
    ----------
    place
        Place of the value on the axis, from 0.
    mean, low, high
        Mean, lowest and highest.
    words
        The same in words.
    """

    place: int
    mean: float
    low: float
    high: float
    words: str


@dataclass(frozen=True)
class RangePanel:
    """One figure over all values.

    Attributes
    ----------
    title
        What it is.
    points
        By value; a value without any was not measured.
    is_share
        Whether it is a share, written in per cent.
    limit, limit_words
        The limit of a check, where it has one.
    """

    title: str
    points: tuple[RangePoint, ...]
    is_share: bool
    limit: float | None = None
    limit_words: str = ""


@dataclass(frozen=True)
class RangeAxis:
    """The values.

    Attributes
    ----------
    title
        The setting.
    labels
        Each value in words.
    at
        Where each stands: its number, or its place where values are words.
    """

    title: str
    labels: tuple[str, ...]
    at: tuple[float, ...]


class RangeChart(QWidget):
    """Panels over one axis of values. A click or the arrow keys pick a value; all panels mark it.

    Signals
    -------
    picked
        Place of the value that a person picked, from 0.
    """

    spoken = as_chart

    picked = Signal(int)

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._words = words
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._axis = RangeAxis("", (), ())
        self._panels: tuple[RangePanel, ...] = ()
        self._marked: int | None = None
        self._at: int | None = None
        self._title = ""
        theme().changed.connect(self._on_theme_changed)

    def set_range(self, axis: RangeAxis, panels: Sequence[RangePanel], marked: int | None, title: str) -> None:
        """Show other figures.

        Parameters
        ----------
        axis
            The values.
        panels
            What is drawn, from above.
        marked
            Place of the value that is proposed.
        title
            The sentence above, for a screen reader.
        """
        self._axis, self._panels, self._marked, self._title = axis, tuple(panels), marked, title
        if self._at is not None and self._at >= len(axis.labels):
            self._at = None
        self._describe()
        self._on_theme_changed()

    @property
    def panels(self) -> tuple[RangePanel, ...]:
        """The panels shown."""
        return self._panels

    @property
    def starts_at_zero(self) -> tuple[bool, ...]:
        """Whether the scale begins at 0, by panel."""
        return tuple(_span(panel)[0] == 0.0 for panel in self._panels)

    @property
    def axis(self) -> RangeAxis:
        """The values shown."""
        return self._axis

    @property
    def marked(self) -> int | None:
        """Place of the value that is proposed."""
        return self._marked

    @property
    def current(self) -> int | None:
        """Place of the value that a person picked."""
        return self._at

    def pick(self, place: int | None) -> None:
        """Pick a value without telling anybody."""
        self._at = place if place is not None and place < len(self._axis.labels) else None
        self._describe()
        self.update()

    def words_at(self, place: int) -> str:
        """Return what was measured at a value, in words."""
        found = [
            f"{panel.title} {point.words}" for panel in self._panels for point in panel.points if point.place == place
        ]
        return f"{self._axis.labels[place]}: {'; '.join(found)}" if found else self._axis.labels[place]

    def _describe(self) -> None:
        at = self._at
        self.setAccessibleName(self._words if at is None else f"{self._words}: {self.words_at(at)}")
        places = sorted({point.place for panel in self._panels for point in panel.points})
        self.setAccessibleDescription(in_sentences([self._title, *(self.words_at(place) for place in places)]))

    def sizeHint(self) -> QSize:
        """Return a height at which each panel can be read."""
        return QSize(theme().px(_WIDTH), self._high())

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(_LEAST_WIDTH), self._high())

    def _high(self) -> int:
        line = QFontMetrics(theme().font(0.85)).height()
        return round(theme().px(_PANEL) * max(len(self._panels), 1) + 2 * line + theme().px(14))

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    # --- geometry -----------------------------------------------------------------------

    def _boxes(self) -> list[QRectF]:
        """Return the drawing of each panel, its title above it."""
        t = theme()
        metrics = QFontMetrics(t.font(0.85))
        left = max(
            (metrics.horizontalAdvance(each) for panel in self._panels for each in _tick_words(panel)), default=0
        )
        left += t.px(10)
        below = 2 * metrics.height() + t.px(14)
        each = (self.height() - below) / max(len(self._panels), 1)
        head = 1.5 * metrics.height() + t.px(6)
        return [
            QRectF(left, place * each + head, max(self.width() - left - t.px(14), 10), max(each - head - t.px(8), 10))
            for place in range(len(self._panels))
        ]

    def _x(self, place: int, box: QRectF) -> float:
        """Return where a value stands; at both sides there is room for its mark."""
        low, high = min(self._axis.at), max(self._axis.at)
        spare = theme().px(12)
        share = 0.5 if high <= low else (self._axis.at[place] - low) / (high - low)
        return box.left() + spare + share * (box.width() - 2 * spare)

    def title_place(self, box: QRectF) -> QRectF:
        """Return where a panel's title stands, clear of the words of a tick at the upper end of its drawing."""
        high = QFontMetrics(theme().font(0.85, semibold=True)).height()
        return QRectF(0, box.top() - 1.5 * high - theme().px(3), box.right(), high)

    def place_near(self, x: float) -> int | None:
        """Return the value nearest to a place across."""
        boxes = self._boxes()
        if not boxes or not self._axis.labels:
            return None
        return min(range(len(self._axis.labels)), key=lambda place: abs(self._x(place, boxes[0]) - x))

    # --- picking ------------------------------------------------------------------------

    def _pick_and_tell(self, place: int | None) -> None:
        if place is not None:
            self.pick(place)
            self.picked.emit(place)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the value under the pointer."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pick_and_tell(self.place_near(event.position().x()))
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from value to value."""
        order = sorted(range(len(self._axis.labels)), key=lambda place: (self._axis.at[place], place))
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if not order:
            super().keyPressEvent(event)
        elif event.key() in steps:
            now = self._at if self._at is not None else self._marked
            to = 0 if now is None else order.index(now) + steps[Qt.Key(event.key())]
            self._pick_and_tell(order[min(max(to, 0), len(order) - 1)])
        elif event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._pick_and_tell(order[0 if event.key() == Qt.Key.Key_Home else -1])
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the focus."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Show it no longer."""
        super().focusOutEvent(event)
        self.update()

    # --- drawing ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the panels, the values below them, and the marks through all of them."""
        if not self._axis.labels or not self._panels:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font(0.85))
        boxes = self._boxes()
        if self._marked is not None:
            painter.setPen(mark_pen())
            for box in boxes:
                x = self._x(self._marked, box)
                painter.drawLine(QLineF(x, box.top(), x, box.bottom()))
        for panel, box in zip(self._panels, boxes, strict=True):
            self._paint_panel(painter, panel, box)
        self._paint_values(painter, boxes[-1])
        if self.hasFocus():
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), t.px(4), t.px(4))
        painter.end()

    def _paint_panel(self, painter: QPainter, panel: RangePanel, box: QRectF) -> None:
        t = theme()
        metrics = QFontMetrics(t.font(0.85))
        low, high = _span(panel)

        def at(place: int, value: float) -> QPointF:
            return QPointF(self._x(place, box), box.bottom() - (value - low) / (high - low) * box.height())

        for tick, words in zip(_ticks(panel), _tick_words(panel), strict=True):
            y = at(0, tick).y()
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawLine(QLineF(box.left(), y, box.right(), y))
            painter.setPen(t.colour("text2"))
            label = QRectF(0, y - metrics.height() / 2, box.left() - t.px(5), metrics.height())
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, words)
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(QLineF(box.left(), box.bottom(), box.right(), box.bottom()))
        points = sorted(panel.points, key=lambda point: (self._axis.at[point.place], point.place))
        for run in self.runs(points):
            self._paint_band(painter, [at(each.place, each.high) for each in run],
                             [at(each.place, each.low) for each in run])  # fmt: skip
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(line_pen())
            painter.drawPolyline(QPolygonF([at(each.place, each.mean) for each in run]))
        middle = [at(each.place, each.mean) for each in points]
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.colour("accent"))
        for point in middle:
            painter.drawEllipse(point, t.px(_DOT), t.px(_DOT))
        if panel.limit is not None:
            self._paint_limit(painter, panel, box, at(0, panel.limit).y(), middle)
        self._paint_current(painter, points, middle)
        self._paint_title(painter, panel, box)

    def runs(self, points: Sequence[RangePoint]) -> list[list[RangePoint]]:
        """Return the points in pieces that a line may join: it leads over no value that has none."""
        order = sorted(range(len(self._axis.at)), key=lambda place: (self._axis.at[place], place))
        known = {each.place: each for each in points}
        found: list[list[RangePoint]] = [[]]
        for place in order:
            if place in known:
                found[-1].append(known[place])
            elif found[-1]:
                found.append([])
        return [run for run in found if run]

    def _paint_band(self, painter: QPainter, above: Sequence[QPointF], below: Sequence[QPointF]) -> None:
        t = theme()
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(band_colour())
        painter.drawPolygon(QPolygonF([*above, *reversed(below)]))
        # One value alone has no width; what it spans is a stroke, as at every other value.
        painter.setPen(QPen(t.colour("accent"), max(t.px(1), 1)))
        for top, foot in zip(above, below, strict=True):
            painter.drawLine(QLineF(top, foot))

    def _paint_limit(
        self, painter: QPainter, panel: RangePanel, box: QRectF, y: float, dots: Sequence[QPointF]
    ) -> None:
        t = theme()
        painter.setPen(limit_pen())
        painter.drawLine(QLineF(box.left(), y, box.right(), y))
        label = self.limit_place(panel, box, y, dots)
        painter.fillRect(label, t.colour("surface"))
        painter.setPen(t.colour("text"))
        painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, panel.limit_words)

    def limit_place(self, panel: RangePanel, box: QRectF, y: float, dots: Sequence[QPointF]) -> QRectF:
        """Return where the words of a limit stand: beside its line, from the right, over no dot where there is room.

        Parameters
        ----------
        panel, box
            The panel and its drawing.
        y
            Where the line is.
        dots
            Where the means are.
        """
        metrics, size = QFontMetrics(theme().font(0.85)), theme().px(_DOT)
        wide, high = metrics.horizontalAdvance(panel.limit_words) + 2, metrics.height()
        marks = [QRectF(each.x() - size, each.y() - size, 2 * size, 2 * size) for each in dots]
        ends = [box.right(), *sorted((each.left() - 1 for each in marks), reverse=True)]
        # Clear of the line of the means, which may lie on the limit.
        off = max(theme().px(2), 1)
        tops = [top for top in (y - high - off, y + off) if box.top() <= top and top + high <= box.bottom()]
        tops = tops or [y - high - off if y - high - off >= box.top() else y + off]
        places = [QRectF(end - wide, top, wide, high) for end in ends for top in tops if end - wide >= box.left()]
        first = QRectF(box.right() - wide, tops[0], wide, high)
        return next((each for each in places if not any(each.intersects(mark) for mark in marks)), first)

    def _paint_current(self, painter: QPainter, points: Sequence[RangePoint], middle: Sequence[QPointF]) -> None:
        t = theme()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(t.colour("text"), max(t.px(1.5), 1)))
        for point, at in zip(points, middle, strict=True):
            if point.place == self._at:
                painter.drawEllipse(at, t.px(_RING), t.px(_RING))

    def _paint_title(self, painter: QPainter, panel: RangePanel, box: QRectF) -> None:
        """Write what is drawn, and the figure at the value that was picked."""
        t = theme()
        font = t.font(0.85, semibold=True)
        metrics = QFontMetrics(font)
        found = next((point.words for point in panel.points if point.place == self._at), "")
        words = f"{panel.title}: {found}" if found else panel.title
        place = self.title_place(box)
        painter.setFont(font)
        painter.setPen(t.colour("text"))
        words = metrics.elidedText(words, Qt.TextElideMode.ElideRight, round(place.width()))
        painter.drawText(place, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.setFont(t.font(0.85))

    def _paint_values(self, painter: QPainter, box: QRectF) -> None:
        """Write the values below: the one picked first, then the proposed one, then from both ends what finds room."""
        t = theme()
        metrics = QFontMetrics(t.font(0.85))
        labels = self._axis.labels
        first = [place for place in (self._at, self._marked, 0, len(labels) - 1) if place is not None]
        taken: list[QRectF] = []
        painter.setPen(t.colour("text2"))
        for place in dict.fromkeys([*first, *range(len(labels))]):
            x = self._x(place, box)
            painter.drawLine(QLineF(x, box.bottom(), x, box.bottom() + t.px(3)))
            words = metrics.elidedText(labels[place], Qt.TextElideMode.ElideRight, round(box.width() / 2))
            wide = metrics.horizontalAdvance(words) + t.px(8)
            begin = min(max(x - wide / 2, 0.0), self.width() - wide)
            label = QRectF(begin, box.bottom() + t.px(4), wide, metrics.height())
            if not any(label.intersects(each) for each in taken):
                taken.append(label)
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, words)
        foot = QRectF(box.left(), box.bottom() + metrics.height() + t.px(5), box.width(), metrics.height())
        words = metrics.elidedText(self._axis.title, Qt.TextElideMode.ElideRight, round(box.width()))
        painter.drawText(foot, Qt.AlignmentFlag.AlignCenter, words)


def range_legend(names: Sequence[str]) -> Legend:
    """Return the legend: the mean, the band, the value that is proposed, the limit."""
    return Legend(names, _paint_piece, _PIECE)


def line_pen() -> QPen:
    """Return the line of the mean."""
    return QPen(theme().colour("accent"), max(theme().px(2), 1))


def band_colour() -> QColor:
    """Return the ground of the band."""
    return theme().colour("selection")


def mark_pen() -> QPen:
    """Return the line at the value that is proposed."""
    return QPen(theme().colour("passed"), max(theme().px(1.6), 1), Qt.PenStyle.DashLine)


def limit_pen() -> QPen:
    """Return the line of a limit."""
    return QPen(theme().colour("text"), max(theme().px(1.3), 1), Qt.PenStyle.DotLine)


def _paint_piece(painter: QPainter, place: int, at: QPointF) -> None:
    t = theme()
    end = QPointF(at.x() + t.px(_PIECE), at.y())
    if place == BAND:
        painter.fillRect(QRectF(at.x(), at.y() - t.px(5), t.px(_PIECE), t.px(10)), band_colour())
        return
    painter.setPen({LINE: line_pen, MARK: mark_pen, LIMIT: limit_pen}[place]())
    if place == MARK:
        middle = (at.x() + end.x()) / 2
        painter.drawLine(QLineF(middle, at.y() - t.px(7), middle, at.y() + t.px(7)))
    else:
        painter.drawLine(QLineF(at, end))


def _span(panel: RangePanel) -> tuple[float, float]:
    """Return both ends of what is drawn: all of the band, the limit, and some room."""
    values = [each for point in panel.points for each in (point.low, point.high)]
    values += [panel.limit] if panel.limit is not None else []
    low, high = min(values, default=0.0), max(values, default=1.0)
    spare = max((high - low) * 0.1, (_LEAST_SPAN - (high - low)) / 2, abs(high) * 1e-6)
    down, up = low - spare, high + spare
    if panel.is_share:
        down, up = max(down, 0.0) if low >= 0 else down, min(up, 1.02) if high <= 1 else up
    elif low >= 0:
        down = max(down, 0.0)
    return (down, up) if math.isfinite(down) and math.isfinite(up) and up > down else (0.0, 1.0)


def _ticks(panel: RangePanel) -> list[float]:
    low, high = _span(panel)
    if not panel.is_share:
        return round_ticks(low, high, _LINES)
    return [
        tick / 100 for tick in round_ticks(100 * low, min(100 * high, 100.0) if high <= 1.02 else 100 * high, _LINES)
    ]


def _tick_words(panel: RangePanel) -> tuple[str, ...]:
    found = _ticks(panel)
    if panel.is_share:
        return percent_ticks([round(100 * tick, 6) for tick in found])
    return ticks([float(f"{tick:.6g}") for tick in found])
