"""Searches of a swap as points: what each loses of the relationships, against what undoing it would gain."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.ticks import round_ticks
from ppdm_desktop.engine.wording.catalogue import say
from ppdm_desktop.ui.charts.label_layout import Wanted, place_labels
from ppdm_desktop.ui.charts.numbers import ticks
from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.search_frontier import SearchPoint

_HIGH, _WIDE, _LEAST_WIDE = 230, 420, 230
_DOT, _RING = 5.5, 9.0
_LEAST_GAIN = 0.01
_TICKS = 4


class SearchFrontier(QWidget):
    """Points on two axes with the edge of what chance explains; the arrow keys go from point to point."""

    spoken = as_chart

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._words = words
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._points: tuple[SearchPoint, ...] = ()
        self._title = ""
        self._at: int | None = None
        theme().changed.connect(self._on_theme_changed)

    def set_points(self, points: Sequence[SearchPoint], title: str) -> None:
        """Show other points; ``title`` is the sentence above, for a screen reader."""
        self._points, self._title, self._at = tuple(points), title, None
        self._describe()
        self._on_theme_changed()

    @property
    def points(self) -> tuple[SearchPoint, ...]:
        """The points shown."""
        return self._points

    @property
    def current(self) -> int | None:
        """Place of the point that a person picked."""
        return self._at

    def _describe(self) -> None:
        picked = None if self._at is None else self._points[self._at]
        self.setAccessibleName(self._words if picked is None else f"{self._words}: {picked.name}, {picked.words}")
        every = [f"{each.name}: {each.words}" for each in self._points]
        self.setAccessibleDescription(in_sentences([self._title, *every]))
        self.setToolTip("" if picked is None else f"{picked.name}: {picked.words}")

    def sizeHint(self) -> QSize:
        """Return a size at which names find room beside their marks."""
        return QSize(theme().px(_WIDE), theme().px(_HIGH))

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(_LEAST_WIDE), theme().px(_HIGH))

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    # --- geometry -----------------------------------------------------------------------

    def _metrics(self) -> QFontMetrics:
        return QFontMetrics(theme().font(0.85))

    def _foot_lines(self) -> int:
        return 1 if self._metrics().horizontalAdvance(_foot()) < self.width() else 2

    @property
    def _across(self) -> tuple[float, float]:
        gains = [each.gained for each in self._points]
        low, high = min([-_LEAST_GAIN, *gains]), max([_LEAST_GAIN, *gains])
        spare = 0.04 * (high - low)
        return low - spare, high + spare

    @property
    def _most(self) -> float:
        return 1.08 * max([1e-9, *(each.lost for each in self._points)])

    def _up_ticks(self) -> tuple[list[float], tuple[str, ...]]:
        found = round_ticks(0.0, self._most, _TICKS)
        return found, ticks(found)

    def _plot(self) -> QRectF:
        t, metrics = theme(), self._metrics()
        left = max((metrics.horizontalAdvance(each) for each in self._up_ticks()[1]), default=0) + t.px(8)
        top, below = metrics.height() + t.px(8), (1 + self._foot_lines()) * metrics.height() + t.px(12)
        return QRectF(left, top, max(self.width() - left - t.px(8), 10), max(self.height() - top - below, 10))

    def place_of(self, point: SearchPoint) -> QPointF:
        """Return where a point stands."""
        plot, (low, high) = self._plot(), self._across
        return QPointF(
            plot.left() + (point.gained - low) / (high - low) * plot.width(),
            plot.bottom() - point.lost / self._most * plot.height(),
        )

    @property
    def edge(self) -> float:
        """Where the dashed line stands, the edge of what chance explains."""
        plot, (low, high) = self._plot(), self._across
        return plot.left() - low / (high - low) * plot.width()

    # --- picking ------------------------------------------------------------------------

    def pick(self, place: int | None) -> None:
        """Mark a point, and say its figures."""
        self._at = place
        self._describe()
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick the point nearest to the pointer."""
        if event.button() == Qt.MouseButton.LeftButton and self._points:
            where = event.position()
            far = [QLineF(self.place_of(each), where).length() for each in self._points]
            self.pick(far.index(min(far)))
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from point to point, from the left."""
        order = sorted(range(len(self._points)), key=lambda place: (self._points[place].gained, place))
        steps = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
        if order and event.key() in steps:
            to = 0 if self._at is None else order.index(self._at) + steps[Qt.Key(event.key())]
            self.pick(order[min(max(to, 0), len(order) - 1)])
        elif order and event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self.pick(order[0 if event.key() == Qt.Key.Key_Home else -1])
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
        """Draw axes, the edge of what chance explains, and each search with its name."""
        if not self._points:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(theme().font(0.85))
        plot = self._plot()
        self._paint_axes(painter, plot)
        self._paint_points(painter, plot)
        if self.hasFocus():
            painter.setPen(QPen(theme().colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            edge = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            painter.drawRoundedRect(edge, theme().px(4), theme().px(4))
        painter.end()

    def _paint_axes(self, painter: QPainter, plot: QRectF) -> None:
        t, metrics = theme(), self._metrics()
        (low, high), line = self._across, metrics.height()
        up, words = self._up_ticks()
        for value, text in zip(up, words, strict=True):
            y = plot.bottom() - value / self._most * plot.height()
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawLine(QLineF(plot.left(), y, plot.right(), y))
            painter.setPen(t.colour("text2"))
            label = QRectF(0, y - line / 2, plot.left() - t.px(5), line)
            painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
        across = round_ticks(100 * low, 100 * high, _TICKS)
        for value, text in zip(across, ticks(across), strict=True):
            x = plot.left() + (value / 100 - low) / (high - low) * plot.width()
            wide = metrics.horizontalAdvance(text) + 2
            begin = min(max(x - wide / 2, 0.0), self.width() - wide)
            painter.drawText(QRectF(begin, plot.bottom() + t.px(3), wide, line), Qt.AlignmentFlag.AlignCenter, text)
        edge = self.edge
        painter.setPen(QPen(t.colour("text"), max(t.px(1.3), 1), Qt.PenStyle.DashLine))
        painter.drawLine(QLineF(edge, plot.top(), edge, plot.bottom()))
        painter.setPen(t.colour("text2"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        title = metrics.elidedText(say("protect", "Relationships lost (divergence, nats)"), *_elided(self.width()))
        painter.drawText(QRectF(0, 0, self.width(), line), left, title)
        under = QRectF(0, plot.bottom() + line + t.px(7), self.width(), self._foot_lines() * line)
        painter.drawText(under, int(Qt.TextFlag.TextWordWrap), _foot())

    def _paint_points(self, painter: QPainter, plot: QRectF) -> None:
        t = theme()
        for place, point in enumerate(self._points):
            at, size = self.place_of(point), t.px(_DOT)
            beyond = point.gained > 0
            colour = t.colour("blocks" if beyond else "accent")
            painter.setPen(QPen(colour, max(t.px(1.8), 1)))
            painter.setBrush(colour if point.own else t.colour("surface"))
            if beyond:
                painter.drawRect(QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size))
            else:
                painter.drawEllipse(at, size, size)
            if place == self._at:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(t.colour("text"), max(t.px(1.5), 1)))
                painter.drawEllipse(at, t.px(_RING), t.px(_RING))
        painter.setPen(t.colour("text"))
        for place, box in self.labels():
            point = self._points[place]
            painter.setFont(t.font(0.85, semibold=point.own))
            # Where no place is left but on the line, the line gives way.
            painter.fillRect(box, t.colour("surface"))
            painter.drawText(box, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, point.name)
        painter.setFont(t.font(0.85))

    def labels(self) -> list[tuple[int, QRectF]]:
        """Return where each point's name stands: beside its mark, over no other, and off the dashed line if it can."""
        t, plot, size = theme(), self._plot(), theme().px(_DOT)
        marks = [self.place_of(each) for each in self._points]
        blocks = [QRectF(at.x() - size, at.y() - size, 2 * size, 2 * size) for at in marks]
        # The step's own first: its name stands best.
        order = sorted(range(len(marks)), key=lambda each: not self._points[each].own)
        wanted = []
        for place in order:
            metrics = QFontMetrics(t.font(0.85, semibold=self._points[place].own))
            wide = metrics.horizontalAdvance(self._points[place].name) + 2.0
            wanted.append(Wanted(marks[place], QSizeF(wide, metrics.height()), size))
        line = QLineF(self.edge, plot.top(), self.edge, plot.bottom())
        inside = QRectF(0, 0, self.width(), plot.bottom() + size)
        found = place_labels(wanted, blocks, [line], inside, t.px(_RING + 2) - size)
        beside = [QRectF(each.at + QPointF(t.px(_RING + 2), -each.size.height() / 2), each.size) for each in wanted]
        return [(place, box or other) for place, box, other in zip(order, found, beside, strict=True)]


def _foot() -> str:
    return say("protect", "Found by undoing it, beyond what chance explains (percentage points)")


def _elided(width: int) -> tuple[Qt.TextElideMode, int]:
    return Qt.TextElideMode.ElideRight, width
