"""How often learners are right: trained on the original, on the release, and always guessing the most common value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.ticks import percent_ticks, round_ticks
from ppdm_desktop.ui.charts.legend import Legend
from ppdm_desktop.ui.look.icons import paint_icon
from ppdm_desktop.ui.look.spoken import as_chart, in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.number_words import percent
from ppdm_desktop.ui.widgets.basic import SEVERITY_ICONS, SEVERITY_TOKENS

_LEAST_PLOT = 120


@dataclass(frozen=True)
class Mark:
    """A share with its 95 % interval; None where it was not measured."""

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class LearnerRow:
    """One learner.

    Attributes
    ----------
    name
        What it is called.
    original, truth, shown
        Learnt from the original; learnt from the release and held against the truth; and against
        what the release shows.
    baseline
        Share that is right by always guessing the commonest.
    severity, word
        What became of it.
    """

    name: str
    original: Mark
    truth: Mark
    shown: Mark
    baseline: float | None
    severity: str
    word: str

    @property
    def figures(self) -> str:
        """The two figures that count, in words."""
        return f"{percent(self.original.value)} → {percent(self.truth.value)}"


def _to(shares: Sequence[float]) -> str:
    """Return a share, or the least and the largest where learners that take fewer records have one of their own."""
    ends = dict.fromkeys((percent(min(shares)), percent(max(shares))))
    return "–".join(ends)


class Learners(QWidget):
    """One line a learner: a square, a disc and a triangle on a common scale, each with its interval.

    The scale begins where the marks do; the dashed line is always guessing the commonest.
    """

    spoken = as_chart

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._rows: list[LearnerRow] = []
        self._baseline_words = ""
        theme().changed.connect(self._on_theme_changed)

    def set_rows(self, rows: Sequence[LearnerRow], title: str, baseline_words: str) -> None:
        """Show other learners; ``baseline_words`` names the dashed line."""
        self._rows, self._baseline_words = list(rows), baseline_words
        best_first = sorted(rows, key=lambda row: -(row.truth.value or 0.0))
        figures = "; ".join(f"{row.name}: {row.figures}, {row.word}" for row in best_first)
        bases = self._baselines()
        said = f"; {_to(bases)} {baseline_words}" if bases else ""
        self.setAccessibleDescription(in_sentences([title, f"{figures}{said}" if figures else ""]))
        self._on_theme_changed()

    @property
    def rows(self) -> list[LearnerRow]:
        """The learners shown."""
        return self._rows

    @property
    def starts_at_zero(self) -> bool:
        """Whether the scale begins at 0."""
        return self._range()[0] == 0.0

    def _row(self) -> int:
        return theme().px(42)

    def _foot(self) -> int:
        return theme().px(34)

    def sizeHint(self) -> QSize:
        """Return the height of all rows and of the scale."""
        return QSize(theme().px(420), max(len(self._rows), 1) * self._row() + self._foot())

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(230), self.sizeHint().height())

    def _on_theme_changed(self) -> None:
        self.updateGeometry()
        self.update()

    # --- drawing ------------------------------------------------------------------------

    def _range(self) -> tuple[float, float]:
        """Return the ends of the scale, a little beyond every mark, interval and baseline."""
        found = [
            each
            for row in self._rows
            for mark in (row.original, row.truth, row.shown)
            for each in (mark.value, mark.low, mark.high)
            if each is not None
        ] + self._baselines()
        low, high = min(found, default=0.0), max(found, default=1.0)
        spare = max((high - low) * 0.06, 0.01)
        return max(low - spare, 0.0), min(high + spare, 1.0)

    def _baselines(self) -> list[float]:
        return [row.baseline for row in self._rows if row.baseline is not None]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw names, scale, baseline, marks, figures and words."""
        if not self._rows:
            return
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        plain, bold = QFontMetrics(t.font()), QFontMetrics(t.font(semibold=True))
        icon = t.px(18)
        word = max(bold.horizontalAdvance(row.word) for row in self._rows) + icon + t.px(12)
        figures = max(plain.horizontalAdvance(row.figures) for row in self._rows) + t.px(26)
        names = max(plain.horizontalAdvance(row.name) for row in self._rows)
        left = min(names, round(self.width() * 0.3)) + t.px(14)
        below = self.width() - left - word - figures < t.px(_LEAST_PLOT)
        if below:
            # The figures go below the words where there is no room for both beside the marks.
            word = max(word, figures - t.px(26) + icon + t.px(12))
            figures = 0
        if self.width() - left - word < t.px(_LEAST_PLOT):
            word, below = icon + t.px(6), False
        plot = QRectF(left, 0, max(self.width() - left - word - figures, t.px(40)), len(self._rows) * self._row())
        low, high = self._range()

        def at(share: float) -> float:
            return plot.left() + (share - low) / max(high - low, 1e-9) * plot.width()

        for place, row in enumerate(self._rows):
            box = QRectF(0, place * self._row(), self.width(), self._row())
            middle = box.center().y()
            painter.setFont(t.font())
            painter.setPen(t.colour("text"))
            self._paint_name(painter, plain, QRectF(0, box.top(), left - t.px(10), box.height()), row.name)
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawLine(QLineF(plot.left(), middle, plot.right(), middle))
            if row.baseline is not None:
                painter.setPen(QPen(t.colour("text2"), max(t.px(1.3), 1), Qt.PenStyle.DashLine))
                painter.drawLine(QLineF(at(row.baseline), box.top() + 2, at(row.baseline), box.bottom() - 2))
            apart = self._row() * 0.26
            for kind, (mark, off) in enumerate(((row.original, -apart), (row.truth, 0.0), (row.shown, apart))):
                self._paint_mark(painter, kind, mark, middle + off, at)
            if figures:
                painter.setPen(t.colour("text"))
                begin = QRectF(plot.right() + t.px(10), box.top(), figures, box.height())
                painter.drawText(begin, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, row.figures)
            end = QRectF(self.width() - word, box.top(), word, box.height())
            if below:
                end, lower = (end.adjusted(0, 0, 0, -box.height() / 2), end.adjusted(0, box.height() / 2, 0, 0))
                painter.setPen(t.colour("text"))
                painter.drawText(lower.adjusted(icon + t.px(4), 0, 0, 0), Qt.AlignmentFlag.AlignLeft, row.figures)
            self._paint_word(painter, row, end, icon)
        self._paint_scale(painter, plot, low, high, at)
        painter.end()

    def _paint_name(self, painter: QPainter, metrics: QFontMetrics, box: QRectF, name: str) -> None:
        """Write a name in up to two lines."""
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
        if metrics.boundingRect(box.toRect(), int(flags), name).height() > box.height():
            name = metrics.elidedText(name, Qt.TextElideMode.ElideRight, round(box.width()))
        painter.drawText(box, int(flags), name)

    def _paint_mark(self, painter: QPainter, kind: int, mark: Mark, y: float, at: object) -> None:
        assert callable(at)
        if mark.value is None:
            return
        t = theme()
        colour = (t.colour("original_line"), t.colour("accent"), QColor(t.tokens.kinds[1]))[kind]
        if mark.low is not None and mark.high is not None:
            painter.setPen(QPen(colour, max(t.px(1.2), 1)))
            painter.drawLine(QLineF(at(mark.low), y, at(mark.high), y))
            for end in (mark.low, mark.high):
                painter.drawLine(QLineF(at(end), y - t.px(2.5), at(end), y + t.px(2.5)))
        paint_mark(painter, kind, QPointF(at(mark.value), y))

    def _paint_word(self, painter: QPainter, row: LearnerRow, box: QRectF, icon: int) -> None:
        t = theme()
        name = SEVERITY_ICONS[row.severity]
        side = t.px(16)
        at = QRectF(box.left(), box.center().y() - side / 2, side, side)
        paint_icon(painter, name, t.colour(SEVERITY_TOKENS[name]).name(), at)
        room = QRectF(box.left() + icon + t.px(4), box.top(), box.width() - icon - t.px(4), box.height())
        if room.width() > t.px(20):
            painter.setFont(t.font(semibold=True))
            painter.setPen(t.colour(SEVERITY_TOKENS[name]))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, row.word)

    def _paint_scale(self, painter: QPainter, plot: QRectF, low: float, high: float, at: object) -> None:
        assert callable(at)
        t = theme()
        painter.setFont(t.font(0.85))
        metrics = QFontMetrics(t.font(0.85))
        room = max(int(plot.width() / max(metrics.horizontalAdvance("000 %"), 1) / 2), 2)
        painter.setPen(t.colour("text2"))
        places = round_ticks(100 * low, 100 * high, min(room, 6))
        for tick, words in zip(places, percent_ticks(places), strict=True):
            wide = metrics.horizontalAdvance(words) + 2
            place = QRectF(at(tick / 100) - wide / 2, plot.bottom() + 1, wide, metrics.height())
            painter.drawText(place, Qt.AlignmentFlag.AlignCenter, words)
        bases = self._baselines()
        if bases:
            words = f"{_to(bases)} {self._baseline_words}"
            wide = min(metrics.horizontalAdvance(words) + 4, self.width())
            middle = (at(min(bases)) + at(max(bases))) / 2
            begin = min(max(middle - wide / 2, 0.0), self.width() - wide)
            place = QRectF(begin, plot.bottom() + metrics.height() + 1, wide, metrics.height())
            painter.setPen(t.colour("text"))
            painter.drawText(
                place, Qt.AlignmentFlag.AlignCenter, metrics.elidedText(words, Qt.TextElideMode.ElideRight, round(wide))
            )


def paint_mark(painter: QPainter, kind: int, at: QPointF) -> None:
    """Draw a mark: 0 the original (square), 1 the release against the truth (disc), 2 against itself (triangle)."""
    t = theme()
    half = t.px(9) / 2
    if kind == 0:
        painter.setPen(QPen(t.colour("original_line"), max(t.px(1.3), 1)))
        painter.setBrush(t.colour("original"))
        painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))
    elif kind == 1:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.colour("accent"))
        painter.drawEllipse(at, half * 1.1, half * 1.1)
    else:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(t.tokens.kinds[1]))
        painter.drawPolygon(
            QPolygonF(
                [
                    QPointF(at.x(), at.y() - half * 1.2),
                    QPointF(at.x() + half * 1.2, at.y() + half),
                    QPointF(at.x() - half * 1.2, at.y() + half),
                ]
            )
        )


def learner_legend(names: Sequence[str]) -> Legend:
    """Return the legend of the three marks."""
    return Legend(names, _paint_piece, 12)


def _paint_piece(painter: QPainter, place: int, at: QPointF) -> None:
    paint_mark(painter, place, QPointF(at.x() + theme().px(7), at.y()))
