"""The risk-utility map: candidates by what an intruder can do and what a recipient keeps, with the frontier."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, QSizeF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.charts.candidate_map.axes import Span, limit_at, limit_label, paint_axes, paint_limit
from ppdm_desktop.ui.charts.candidate_map.marks import HALF, ORIGINAL, frontier_pen, paint_mark, paint_ring
from ppdm_desktop.ui.charts.candidate_map.points import MapAxes, MapPoint
from ppdm_desktop.ui.charts.label_layout import Wanted, group_points, place_labels
from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme

_MOST_SPOKEN = 8  # points; the others are reached with the arrow keys
_HEIGHT, _LEAST_HEIGHT, _LEAST_WIDTH = 420, 260, 260
_NEAR = 14
_NAMED = 3
_WHOLE, _ABOVE = 100.0, 0.15
"""The most there is, and the room above it as a share of what is below."""


class ScatterMap(QWidget):
    """Risk from left to right, usefulness from below.

    A click or Enter opens a candidate; the arrow keys go from mark to mark. Marks at the same place
    share a label, and each further click opens the next of them.

    Signals
    -------
    opened
        Name of a candidate.
    """

    spoken = as_chart

    opened = Signal(str)

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._words = words
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._points: list[MapPoint] = []
        self._axes = MapAxes("", "")
        self._title = ""
        self._current = ""
        self._at: int | None = None
        theme().changed.connect(self._on_theme_changed)

    def set_points(self, points: Sequence[MapPoint], axes: MapAxes, title: str, current: str) -> None:
        """Show other marks; ``current`` is the candidate looked at."""
        self._points, self._axes, self._title, self._current = list(points), axes, title, current
        if self._at is not None and self._at >= len(self._points):
            self._at = None
        self._describe()
        self.update()

    @property
    def points(self) -> list[MapPoint]:
        """The marks shown."""
        return self._points

    @property
    def axes(self) -> MapAxes:
        """What the axes say."""
        return self._axes

    @property
    def starts_at_zero(self) -> bool:
        """Whether the scale of the usefulness begins at 0."""
        return self._span()[1] == 0.0

    @property
    def pointed(self) -> MapPoint | None:
        """The mark the keys or the pointer are at."""
        return self._points[self._at] if self._at is not None else None

    def _describe(self) -> None:
        pointed = self.pointed
        axes = (self._axes.risk, self._axes.use, self._axes.limit_words)
        points = sorted(self._points, key=lambda point: not point.frontier)[:_MOST_SPOKEN]
        parts = [self._title, *axes, *(point.words for point in points)]
        self.setAccessibleDescription(in_sentences(parts))
        self.setAccessibleName(f"{self._words}: {pointed.words}" if pointed is not None else self._words)

    def sizeHint(self) -> QSize:
        """Return a size at which marks can be distinguished."""
        return QSize(theme().px(440), theme().px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Return the least size that still says something."""
        return QSize(theme().px(_LEAST_WIDTH), theme().px(_LEAST_HEIGHT))

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    # --- geometry -----------------------------------------------------------------------

    def _span(self) -> Span:
        """Return the right end of the risk, and both ends of the usefulness."""
        risks = [point.risk for point in self._points] + ([self._axes.limit] if self._axes.limit is not None else [])
        uses = [point.use for point in self._points]
        right = max(max(risks, default=1.0) * 1.1, 1.0)
        low, high = min(uses, default=0.0), max(uses, default=100.0)
        spare = max((high - low) * 0.1, 2.0)
        # All is of 100: above it there is room for a label and nothing else.
        low, high = max(low - spare, 0.0), high + spare
        return right, low, max(min(high, _WHOLE + (_WHOLE - low) * _ABOVE), low + spare)

    def _box(self) -> QRectF:
        """Return the drawing within the axes."""
        t = theme()
        small = QFontMetrics(t.font(0.85)).height()
        left = small + t.px(9) + QFontMetrics(t.font(0.85)).horizontalAdvance("000.0 %") + t.px(6)
        top, below = small + t.px(8), 2 * small + t.px(12)
        return QRectF(left, top, max(self.width() - left - t.px(10), 10), max(self.height() - top - below, 10))

    def _place(self, point: MapPoint, box: QRectF) -> QPointF:
        right, low, high = self._span()
        return QPointF(
            box.left() + point.risk / right * box.width(),
            box.bottom() - (point.use - low) / max(high - low, 1e-9) * box.height(),
        )

    # --- opening ------------------------------------------------------------------------

    def _near(self, at: QPointF) -> list[int]:
        """Return the marks at a place, nearest first."""
        box, reach = self._box(), theme().px(_NEAR)
        found = [
            (QLineF(self._place(point, box), at).length(), place)
            for place, point in enumerate(self._points)
            if QLineF(self._place(point, box), at).length() <= reach
        ]
        return [place for _, place in sorted(found)]

    def _point_to(self, place: int | None) -> None:
        if place != self._at:
            self._at = place
            self._describe()
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what the mark under the pointer is."""
        near = self._near(event.position())
        self._point_to(near[0] if near else None)

    def leaveEvent(self, event: QEvent) -> None:
        """Say nothing any more."""
        if not self.hasFocus():
            self._point_to(None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open the candidate; of several at one place the next one."""
        near = [place for place in self._near(event.position()) if self._points[place].key]
        if event.button() != Qt.MouseButton.LeftButton or not near:
            super().mousePressEvent(event)
            return
        keys = [self._points[place].key for place in near]
        chosen = (keys.index(self._current) + 1) % len(near) if self._current in keys else 0
        self._point_to(near[chosen])
        self.opened.emit(keys[chosen])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from mark to mark; Enter or Space opens."""
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self.pointed is not None:
            if self.pointed.key:
                self.opened.emit(self.pointed.key)
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down) and self._points:
            by_risk = key in (Qt.Key.Key_Left, Qt.Key.Key_Right)
            order = sorted(
                range(len(self._points)),
                key=lambda place: (
                    (self._points[place].risk, self._points[place].use)
                    if by_risk
                    else (self._points[place].use, self._points[place].risk),
                    place,
                ),
            )
            step = 1 if key in (Qt.Key.Key_Right, Qt.Key.Key_Up) else -1
            now = self._at if self._at is not None else self._place_of_current()
            self._point_to(order[0 if now is None else (order.index(now) + step) % len(order)])
        else:
            super().keyPressEvent(event)

    def _place_of_current(self) -> int | None:
        return next((place for place, point in enumerate(self._points) if point.key == self._current), None)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Begin at the candidate looked at."""
        super().focusInEvent(event)
        if self._at is None:
            self._point_to(self._place_of_current())
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say nothing any more."""
        super().focusOutEvent(event)
        self._point_to(None)
        self.update()

    # --- drawing ------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw limit, axes, frontier, marks and labels."""
        if not self._points:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font(0.85))
        box = self._box()
        paint_limit(painter, self._axes, self._span(), box)
        paint_axes(painter, self._axes, self._span(), box)
        places = [self._place(point, box) for point in self._points]
        line = self._frontier(places)
        painter.setPen(frontier_pen())
        painter.drawPolyline(QPolygonF(line))
        current = self._place_of_current()
        # The one looked at lies on top of what is at the same place.
        for place in sorted(
            range(len(places)), key=lambda place: (self._points[place].kind != ORIGINAL, place == current)
        ):
            paint_mark(painter, self._points[place].kind, places[place])
        if current is not None:
            paint_ring(painter, places[current])
        self._paint_labels(painter, box, places, line, current)
        if self._at is not None:
            paint_ring(painter, places[self._at], dashed=True)
            self._paint_pointed(painter, box)
        if self.hasFocus():
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), t.px(4), t.px(4))
        painter.end()

    def _frontier(self, places: Sequence[QPointF]) -> list[QPointF]:
        on_it = [place for place, point in enumerate(self._points) if point.frontier]
        on_it.sort(key=lambda place: (self._points[place].risk, self._points[place].use))
        return [places[place] for place in on_it]

    def _paint_labels(
        self, painter: QPainter, box: QRectF, places: Sequence[QPointF], line: Sequence[QPointF], current: int | None
    ) -> None:
        """Write the labels that find room; the one looked at and the frontier choose first."""
        t = theme()
        font = t.font(0.85, semibold=True)
        metrics = QFontMetrics(font)
        groups = group_points(places, t.px(HALF))
        groups.sort(
            key=lambda group: (
                current not in group,
                not any(self._points[place].frontier for place in group),
                group[0],
            )
        )
        texts = [self._label(group, current) for group in groups]
        wanted = [
            Wanted(
                places[group[0]],
                QSizeF(metrics.horizontalAdvance(text) + t.px(2), metrics.height()),
                t.px(HALF + 6 if current in group else HALF + 1),
            )
            for group, text in zip(groups, texts, strict=True)
        ]
        lines = [QLineF(one, other) for one, other in itertools.pairwise(line)]
        limit = limit_at(self._axes, self._span(), box)
        if limit is not None:
            lines.append(QLineF(limit, box.top(), limit, box.bottom()))
        words = limit_label(self._axes, self._span(), box)
        blocks = [] if words is None else [words]
        for place, at in enumerate(places):
            half = t.px(HALF + 6 if place == current else HALF + 1)
            blocks.append(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
        found = place_labels(wanted, blocks, lines, box.adjusted(1, 1, t.px(8), -1), t.px(3))
        painter.setFont(font)
        painter.setPen(t.colour("text"))
        for text, rect in zip(texts, found, strict=True):
            if rect is not None:
                # Where no place is left but on a line, the line gives way.
                painter.fillRect(rect, t.colour("surface"))
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, text)

    def _label(self, group: Sequence[int], current: int | None) -> str:
        """Return the label of the marks at one place, the one looked at first."""
        ordered = sorted(group, key=lambda place: place != current)
        named = ", ".join(self._points[place].label for place in ordered[:_NAMED])
        return f"{named} +{len(ordered) - _NAMED}" if len(ordered) > _NAMED else named

    def _paint_pointed(self, painter: QPainter, box: QRectF) -> None:
        """Write what the mark pointed at is, above the drawing."""
        t = theme()
        assert self.pointed is not None
        metrics = QFontMetrics(t.font(0.85))
        painter.setFont(t.font(0.85))
        painter.setPen(t.colour("text"))
        room = QRectF(box.left(), 2, box.width(), metrics.height() + 2)
        words = metrics.elidedText(self.pointed.words, Qt.TextElideMode.ElideRight, round(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
