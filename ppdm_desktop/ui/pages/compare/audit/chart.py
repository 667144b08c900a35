"""An attack beside what to hold it against: three bars from zero with their intervals, and the limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.ticks import round_ticks
from ppdm_desktop.engine.wording.catalogue import language, numbers_of, say
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.look.spoken import as_chart
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows

_ROW, _SCALE, _LIMIT, _LEAST_PLOT = 36, 20, 18, 110


@dataclass(frozen=True)
class AttackBar:
    """One bar.

    Attributes
    ----------
    kind
        ``success`` (round, filled), ``control`` (square, outlined) or ``chance`` (outline only).
    label, words, interval
        What it is, and its figure and 95 % interval in words.
    value, low, high
        Its length and the ends of the interval, in the chart's unit.
    """

    kind: str
    label: str
    words: str
    interval: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Limit:
    """A dashed line, with the words below it, and its figure in words."""

    value: float
    words: str
    figure: str


class AttackBars(QWidget):
    """Bars from zero; figures at the right, a scale and the limit below."""

    spoken = as_chart

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._bars: list[AttackBar] = []
        self._limit: Limit | None = None
        self._scale = 1.0
        theme().changed.connect(self._on_theme_changed)

    def set_bars(self, bars: Sequence[AttackBar], limit: Limit | None, title: str, scale: float) -> None:
        """Show other bars; the scale's numbers are values times ``scale``."""
        self._bars, self._limit, self._scale = list(bars), limit, scale
        figures = "; ".join(f"{bar.label}: {bar.words}" for bar in bars)
        said = f"; {limit.words}" if limit is not None else ""
        self.setAccessibleDescription(f"{title} {figures}{said}")
        self._on_theme_changed()

    @property
    def bars(self) -> list[AttackBar]:
        """The bars shown."""
        return self._bars

    @property
    def limit(self) -> Limit | None:
        """The dashed line."""
        return self._limit

    def sizeHint(self) -> QSize:
        """Return the height of all bars and of the scale."""
        foot = _SCALE + (_LIMIT if self._limit is not None else 0)
        return QSize(theme().px(360), theme().px(max(len(self._bars), 1) * _ROW + foot))

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(200), self.sizeHint().height())

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    def _most(self) -> float:
        """Return the end of the scale: a little beyond every bar, interval and the limit."""
        ends = [each for bar in self._bars for each in (bar.value, bar.high) if each is not None]
        if self._limit is not None:
            ends.append(self._limit.value)
        return max(*ends, 1e-6, 0.0) * 1.08

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw labels, bars, figures, scale and limit."""
        if not self._bars:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = QFontMetrics(t.font())
        row = t.px(_ROW)
        figures = max(metrics.horizontalAdvance(bar.words) for bar in self._bars) + t.px(12)
        left = min(max(metrics.horizontalAdvance(bar.label) for bar in self._bars), round(self.width() * 0.34)) + t.px(
            12
        )
        beside = self.width() - left - figures >= t.px(_LEAST_PLOT)
        if not beside:
            # The figures go below their labels where there is no room behind the bars.
            figures = t.px(6)
        plot = QRectF(left, 0, max(self.width() - left - figures, t.px(30)), row * len(self._bars))
        most = self._most()

        def at(value: float) -> float:
            return plot.left() + value / most * plot.width()

        for place, bar in enumerate(self._bars):
            box = QRectF(0, place * row, self.width(), row)
            self._paint_words(painter, bar, QRectF(0, box.top(), left - t.px(8), row), below=not beside)
            self._paint_bar(painter, bar, box, plot.left(), at(bar.value))
            if bar.low is not None and bar.high is not None and bar.high > bar.low:
                middle, half = box.center().y(), t.px(4)
                lines = [QLineF(at(bar.low), middle, at(bar.high), middle)]
                lines += [QLineF(at(end), middle - half, at(end), middle + half) for end in (bar.low, bar.high)]
                _draw_lines(painter, lines, 1.2)
            painter.setPen(t.colour("text"))
            if beside:
                room = QRectF(plot.right() + t.px(8), box.top(), figures, row)
                painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, bar.words)
        self._paint_scale(painter, plot, most, at)
        painter.end()

    def _paint_words(self, painter: QPainter, bar: AttackBar, room: QRectF, *, below: bool) -> None:
        t = theme()
        painter.setFont(t.font())
        painter.setPen(t.colour("text"))
        if not below:
            painter.drawText(room, int(Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap), bar.label)
            return
        half = room.height() / 2
        for place, words in enumerate((bar.label, bar.words)):
            line = QRectF(room.left(), room.top() + place * half, room.width(), half)
            words = painter.fontMetrics().elidedText(words, Qt.TextElideMode.ElideRight, round(line.width()))
            painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, words)

    def _paint_bar(self, painter: QPainter, bar: AttackBar, box: QRectF, start: float, end: float) -> None:
        t = theme()
        thick = box.height() * 0.42
        shape = QRectF(start, box.center().y() - thick / 2, max(end - start, 2.0), thick)
        if bar.kind == "success":
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(t.colour("accent"))
            painter.drawRoundedRect(shape, min(thick, shape.width()) / 2, thick / 2)
            return
        painter.setPen(QPen(t.colour("original_line"), max(t.px(1), 1)))
        painter.setBrush(t.colour("original") if bar.kind == "control" else Qt.BrushStyle.NoBrush)
        painter.drawRect(shape)

    def _paint_scale(self, painter: QPainter, plot: QRectF, most: float, at: object) -> None:
        assert callable(at)
        t = theme()
        painter.setPen(QPen(t.colour("control"), 1))
        painter.drawLine(QLineF(plot.left(), 0, plot.left(), plot.bottom()))
        painter.setFont(t.font(0.85))
        metrics = QFontMetrics(t.font(0.85))
        painter.setPen(t.colour("text2"))
        room = max(int(plot.width() / max(metrics.horizontalAdvance("0000"), 1) / 2), 2)
        ticks = round_ticks(0.0, most * self._scale, min(room, 4))
        for tick, words in zip(ticks, numbers_of(language()).ticks(ticks), strict=True):
            wide = metrics.horizontalAdvance(words) + 2
            place = QRectF(at(tick / self._scale) - wide / 2, plot.bottom() + 1, wide, metrics.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
        if self._limit is None:
            return
        x = at(self._limit.value)
        _draw_lines(painter, [QLineF(x, 0, x, plot.bottom())], 1.4, Qt.PenStyle.DashLine)
        painter.setPen(t.colour("text"))
        wide = min(metrics.horizontalAdvance(self._limit.words) + 4, self.width())
        begin = min(max(x - wide / 2, 0.0), self.width() - wide)
        place = QRectF(begin, plot.bottom() + metrics.height() + 1, wide, metrics.height())
        words = metrics.elidedText(self._limit.words, Qt.TextElideMode.ElideRight, round(wide))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)


def _draw_lines(
    painter: QPainter, lines: Sequence[QLineF], wide: float, style: Qt.PenStyle = Qt.PenStyle.SolidLine
) -> None:
    """Draw lines that are seen on the ground and on a bar: on a band of the ground's colour."""
    t = theme()
    pen = QPen(t.colour("surface"), max(t.px(wide), 1) + 2 * max(t.px(1), 1))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.drawLines(lines)
    painter.setPen(QPen(t.colour("text"), max(t.px(wide), 1), style))
    painter.drawLines(lines)


class AttackCard(ChartCard):
    """The bars of one attack, and the same as a table."""

    def __init__(
        self, key: str, title: str, bars: Sequence[AttackBar], limit: Limit | None, small: str, scale: float
    ) -> None:
        chart = AttackBars(name=f"chart_attack_{key}", words=title)
        model = NamedRows([say("audit", "What"), say("audit", "Figure"), say("audit", "95% interval")], right=(1, 2))
        super().__init__(f"attack_{key}", chart, model, words=title)
        self.setObjectName(f"card_attack_{key}")
        self.set_title(title)
        chart.set_bars(bars, limit, title, scale)
        rows = [(bar.label, bar.words, bar.interval) for bar in bars]
        if limit is not None:
            rows.append((limit.words, limit.figure, ""))
        model.set_rows(rows)
        self.set_print(small)
