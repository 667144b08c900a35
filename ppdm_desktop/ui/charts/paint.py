"""The writer of scenes whose rows have labels: bars, parts of bars and marks, drawn with the words they stand for."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFontMetrics, QPainter, QPen, QPolygonF

from ppdm_desktop.engine.report.scene.model import Bars, Role, Row, Rule, Scene
from ppdm_desktop.engine.wording.catalogue import language, numbers_of
from ppdm_desktop.ui.look.icons import paint_icon
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import SEVERITY_ICONS, SEVERITY_TOKENS
from ppdm_desktop.ui.widgets.level_mark import paint_level

_ROWS = (23, 28, 42)
"""Height of a row of one series, of two, of more, in pixels at 100 %."""
_ROW_OF_INTERVALS = 36
_GAP, _AROUND, _LEVEL, _ICON, _LINE, _EDGE = 2, 12, 26, 22, 18, 4
_LABELS, _LEAST_PLOT, _GOOD_PLOT = 0.38, 110, 170
_MOST_TICKS = 5
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


def look_of(role: Role) -> tuple[QPen, QBrush]:
    """Return outline and ground of what belongs to a series."""
    t, none = theme(), QPen(Qt.PenStyle.NoPen)
    if role == "original":
        return QPen(t.colour("original_line"), max(t.px(1), 1)), QBrush(t.colour("original"))
    if role == "guess":
        return QPen(t.colour("original_line"), max(t.px(1), 1)), QBrush()
    grounds = {"alarming": t.tokens.risk[5], "plain": t.colour("plain_bar"), "third": t.tokens.kinds[1]}
    return none, QBrush(QColor(grounds.get(role, t.colour("accent"))))


def paint_mark(painter: QPainter, role: Role, at: QPointF) -> None:
    """Draw a series' mark: the original a square, the released a disc, a third one a triangle."""
    half = theme().px(9) / 2
    pen, brush = look_of(role)
    painter.setPen(pen)
    painter.setBrush(brush)
    if role == "released":
        painter.drawEllipse(at, half * 1.1, half * 1.1)
    elif role == "third":
        far = half * 1.2
        painter.drawPolygon(QPolygonF([at + QPointF(0, -far), at + QPointF(far, half), at + QPointF(-far, half)]))
    else:
        painter.drawRect(QRectF(at.x() - half, at.y() - half, 2 * half, 2 * half))


def row_height(scene: Scene) -> int:
    """Return the least height of a row, in pixels."""
    series = scene.bars
    stacked = any(mark.stacked for mark in series)
    lines = 1 if stacked else min(len(series), len(_ROWS))
    if lines == 1 and any(any(mark.spans) for mark in series):
        return theme().px(_ROW_OF_INTERVALS)
    return theme().px(_ROWS[max(lines, 1) - 1])


def around_rows(scene: Scene) -> int:
    """Return the height of what does not grow with the rows: the words of lines, and the scale."""
    level = sum(rule.level for rule in scene.rules) * theme().px(_LINE)
    return level + round(_below(scene))


def _has_scale(scene: Scene) -> bool:
    return any(mark.dotted or any(mark.spans) for mark in scene.bars)


def _below(scene: Scene) -> float:
    lines = _has_scale(scene) + any(rule.words and not rule.level for rule in scene.rules)
    return lines * QFontMetrics(theme().font(0.85)).height() + theme().px(4) * bool(lines)


class RowsDrawing:
    """A scene at a width and a height of its rows: where everything stands, and the drawing of it.

    Parameters
    ----------
    scene
        With names at its vertical axis and a row for each.
    width, row
        Pixels.
    """

    def __init__(self, scene: Scene, width: float, row: float) -> None:
        self._scene, self._wide, self._row = scene, float(width), float(row)
        t = theme()
        plain, self._bold = QFontMetrics(t.font()), QFontMetrics(t.font(semibold=True))
        self._plain = plain
        rows = scene.rows
        self._edge = t.px(_EDGE)
        self._mark = self._edge + (t.px(_LEVEL) if any(each.level is not None for each in rows) else 0)
        around, icon = t.px(_AROUND), t.px(_ICON)
        names = max((plain.horizontalAdvance(each.cells[0]) for each in rows), default=0) + 2
        held = min(names, round(width * _LABELS))
        self._left: float = self._mark + held + around
        self._columns = [
            max(self._bold.horizontalAdvance(texts[n]) for texts in map(self._figures, rows) if n < len(texts)) + around
            for n in range(max((len(self._figures(each)) for each in rows), default=0))
        ]
        judged = [self._bold.horizontalAdvance(each.cells[-1]) for each in rows if each.status]
        self._status = max(judged) + icon + around if judged else 0
        self._figures_below = self._words_left_out = False
        if judged and self._room() < t.px(_GOOD_PLOT):
            # Without room for both beside the marks, the figures go below the word.
            self._figures_below = True
            self._status = max(self._status, sum(self._columns) + icon)
            self._columns = []
            if self._room() < t.px(_LEAST_PLOT):
                self._figures_below, self._words_left_out = False, True
                self._status = icon
                figures = [self._bold.horizontalAdvance(each) for row in rows for each in self._figures(row)]
                self._columns = [max(figures) + around]
        # What a plot does not need as much as a name does that would be cut; where names are whole then, it needs less.
        more, room = names - held, self._room() - t.px(_LEAST_PLOT)
        self._left += more if 0 < more <= room else max(min(more, room - t.px(_LEAST_PLOT)), 0)
        self.plot = QRectF(self._left, 0.0, max(self._room(), t.px(24)), self._top(len(rows)))

    def _room(self) -> float:
        return self._right - self._left - sum(self._columns) - self._status

    @property
    def _right(self) -> float:
        """Where the words at the right end, clear of the ring."""
        return self._wide - self._edge

    def _figures(self, row: Row) -> tuple[str, ...]:
        """Return what stands behind the marks: parts have columns, figures before and after are one text.

        One figure that takes many words would take the room of all bars: signs stand for them.
        """
        parts = any(mark.stacked for mark in self._scene.bars)
        said = row.cells[1:] if parts else (self._scene.said_of(row),)
        return tuple(map(numbers_of(language()).in_signs, said))

    # --- places -------------------------------------------------------------------------

    @cached_property
    def _lines(self) -> list[Rule]:
        return [rule for rule in self._scene.rules if rule.level]

    def _top(self, place: int) -> float:
        above = sum(rule.at <= place for rule in self._lines)
        return place * self._row + above * theme().px(_LINE)

    def row_rect(self, place: int) -> QRectF:
        """Return where a row is."""
        return QRectF(0.0, self._top(place), self._wide, self._row)

    def row_at(self, y: float) -> int | None:
        """Return the row at a height, None where there is none."""
        places = range(len(self._scene.rows))
        return next((place for place in places if self._top(place) <= y < self._top(place) + self._row), None)

    def x(self, value: float) -> float:
        """Return where a value stands."""
        low, high = self._scene.x.low, self._scene.x.high
        return self.plot.left() + (value - low) / ((high - low) or 1.0) * self.plot.width()

    # --- drawing ------------------------------------------------------------------------

    def paint(self, painter: QPainter, current: int | None = None) -> None:
        """Draw all of it, with a ring round the row that keys are at."""
        t, scene = theme(), self._scene
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        dotted = any(mark.dotted for mark in scene.bars)
        for place, row in enumerate(scene.rows):
            box = self.row_rect(place)
            self._paint_label(painter, row, box)
            middle = box.center().y()
            if dotted:
                painter.setPen(QPen(t.colour("line"), 1))
                painter.drawLine(QLineF(self.plot.left(), middle, self.plot.right(), middle))
                self._paint_rules(painter, place, box)
                self._paint_marks(painter, place, box)
            else:
                self._paint_bars(painter, place, box)
            self._paint_figures(painter, row, box)
            if place == current:
                painter.setPen(QPen(t.colour("accent"), 2))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(box.adjusted(1, 1, -1, -1), 4, 4)
        if not dotted:
            painter.setPen(QPen(t.colour("control"), 1))
            painter.drawLine(QLineF(self.plot.left(), 0, self.plot.left(), self.plot.bottom()))
            for place in range(len(scene.rows)):
                self._paint_rules(painter, place, self.row_rect(place))
        for line in self._lines:
            self._paint_line(painter, line)
        self._paint_foot(painter)

    def _paint_label(self, painter: QPainter, row: Row, box: QRectF) -> None:
        t = theme()
        if row.level is not None:
            high = t.px(12)
            paint_level(painter, QRectF(self._edge, box.center().y() - high / 2, t.px(18), high), row.level)
        painter.setFont(t.font())
        painter.setPen(t.colour("text"))
        at = QRectF(self._mark, box.top(), self._left - self._mark - t.px(8), box.height())
        label, flags = row.cells[0], int(_LEFT | Qt.TextFlag.TextWordWrap)
        needed = self._plain.boundingRect(at.toRect(), flags, label)
        if needed.height() > box.height() or needed.width() > at.width():
            label, flags = self._plain.elidedText(label, Qt.TextElideMode.ElideRight, round(at.width())), int(_LEFT)
        painter.drawText(at, flags, label)

    def _paint_bars(self, painter: QPainter, place: int, box: QRectF) -> None:
        series = self._scene.bars
        stacked = any(mark.stacked for mark in series)
        lines = 1 if stacked else len(series)
        intervals = stacked and any(any(mark.spans) for mark in series)
        thick = box.height() * (0.42 if intervals else 0.62 if lines == 1 else 0.68 / lines)
        start, top = 0.0, box.center().y() - thick * lines / 2 - (lines - 1)
        for n, mark in enumerate(series):
            value = mark.values[place]
            if value is None or (value <= 0 and not intervals):
                continue
            left = self.x(start) + (_GAP if start else 0)
            wide = max(self.x(start + value) - left, 2.0)
            bar = QRectF(left, top if stacked else top + n * (thick + 2), wide, thick)
            pen, brush = look_of(mark.role)
            painter.setPen(pen)
            painter.setBrush(brush)
            if mark.role in ("original", "guess"):
                painter.drawRect(bar)
            else:
                round_ = 2.0 if mark.role in ("alarming", "plain") else min(thick, wide) / 2
                painter.drawRoundedRect(bar, round_, round_)
            self._paint_interval(painter, mark, place, bar.center().y(), theme().colour("text"), on_bar=True)
            start += value if stacked else 0.0

    def _paint_marks(self, painter: QPainter, place: int, box: QRectF) -> None:
        t, series, middle = theme(), self._scene.bars, box.center().y()
        values = [mark.values[place] for mark in series]
        spread = any(any(mark.spans) for mark in series)
        if not spread and None not in values:
            painter.setPen(QPen(t.colour("control"), max(t.px(1.4), 1)))
            ends = [self.x(value) for value in values if value is not None]
            painter.drawLine(QLineF(min(ends), middle, max(ends), middle))
        for n, (mark, value) in enumerate(zip(series, values, strict=True)):
            if value is None:
                continue
            y = middle + (n - (len(series) - 1) / 2) * box.height() * 0.26 if spread else middle
            pen, brush = look_of(mark.role)
            colour = pen.color() if mark.role == "original" else brush.color()
            self._paint_interval(painter, mark, place, y, colour, on_bar=False)
            paint_mark(painter, mark.role, QPointF(self.x(value), y))

    def _paint_interval(
        self, painter: QPainter, mark: Bars, place: int, y: float, colour: QColor, *, on_bar: bool
    ) -> None:
        """Draw an interval with its ends; on a bar it lies on a band of the ground's colour."""
        span, t = mark.spans[place], theme()
        if span is None or (on_bar and span[1] <= span[0]):
            return
        low, high, half = self.x(max(span[0], self._scene.x.low)), self.x(span[1]), t.px(4 if on_bar else 2.5)
        lines = [QLineF(low, y, high, y), *(QLineF(x, y - half, x, y + half) for x in (low, high))]
        _draw_lines(painter, lines, QPen(colour, max(t.px(1.2), 1)), ground=on_bar)

    def _paint_rules(self, painter: QPainter, place: int, box: QRectF) -> None:
        t = theme()
        for rule in self._scene.rules:
            if not rule.level and place in (rule.cells or (place,)):
                x, off = self.x(rule.at), 2 if rule.cells else 0
                pen = QPen(t.colour("text2" if rule.cells else "text"), max(t.px(1.3), 1), Qt.PenStyle.DashLine)
                _draw_lines(painter, [QLineF(x, box.top() + off, x, box.bottom() - off)], pen, ground=not rule.cells)

    def _paint_figures(self, painter: QPainter, row: Row, box: QRectF) -> None:
        t, icon = theme(), theme().px(_ICON)
        texts, x = self._figures(row), self._right - self._status - sum(self._columns)
        for n, wide in enumerate(self._columns[: len(texts)]):
            last = n == len(texts) - 1 and any(mark.stacked for mark in self._scene.bars)
            painter.setFont(t.font(semibold=last))
            painter.setPen(t.colour("text" if last or len(texts) == 1 else "text2"))
            painter.drawText(QRectF(x, box.top(), wide, box.height()), _RIGHT, texts[n])
            x += wide
        if not row.status:
            return
        end = QRectF(self._right - self._status + t.px(8), box.top(), self._status - t.px(8), box.height())
        if self._figures_below:
            half = box.height() / 2
            painter.setFont(t.font())
            painter.setPen(t.colour("text"))
            painter.drawText(end.adjusted(icon, half, 0, 0), Qt.AlignmentFlag.AlignLeft, texts[0])
            end.adjust(0, 0, 0, -half)
        if self._words_left_out:
            end = QRectF(self._right - t.px(16), box.top(), icon, box.height())
        kind, side = SEVERITY_ICONS[row.status], t.px(16)
        colour = t.colour(SEVERITY_TOKENS[kind])
        paint_icon(painter, kind, colour.name(), QRectF(end.left(), end.center().y() - side / 2, side, side))
        if not self._words_left_out:
            painter.setFont(t.font(semibold=True))
            painter.setPen(colour)
            painter.drawText(end.adjusted(icon, 0, 0, 0), _LEFT, row.cells[-1])

    def _paint_line(self, painter: QPainter, rule: Rule) -> None:
        """Draw a line between two rows, after its words."""
        t, high = theme(), theme().px(_LINE)
        y = self._top(int(rule.at)) - high / 2
        painter.setFont(t.font(0.85))
        painter.setPen(t.colour("text2"))
        painter.drawText(QRectF(0, y - high / 2, self._wide, high), _LEFT, rule.words)
        painter.setPen(QPen(t.colour("text2"), 1, Qt.PenStyle.DashLine))
        wide = QFontMetrics(t.font(0.85)).horizontalAdvance(rule.words)
        painter.drawLine(QLineF(wide + t.px(8), y, self._wide, y))

    def _paint_foot(self, painter: QPainter) -> None:
        """Write the scale, and what the lines through the rows are."""
        t, y = theme(), float(self.plot.bottom() + theme().px(2))
        metrics = QFontMetrics(t.font(0.85))
        painter.setFont(t.font(0.85))
        if _has_scale(self._scene):
            painter.setPen(t.colour("text2"))
            for at, words in self.ticks(metrics.horizontalAdvance):
                wide = metrics.horizontalAdvance(words) + 2
                box = QRectF(self.x(at) - wide / 2, y, wide, metrics.height())
                painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)
            y += metrics.height()
        said = [rule for rule in self._scene.rules if rule.words and not rule.level]
        painter.setPen(t.colour("text"))
        for rule in said:
            room = min(metrics.horizontalAdvance(rule.words) + 4.0, self._wide)
            box = QRectF(min(max(self.x(rule.at) - room / 2, 0.0), self._wide - room), y, room, metrics.height())
            words = metrics.elidedText(rule.words, Qt.TextElideMode.ElideRight, round(room))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, words)

    def ticks(self, wide: Callable[[str], int]) -> tuple[tuple[float, str], ...]:
        """Return as many ticks as have room beside one another; ``wide`` measures a text."""
        for most in range(_MOST_TICKS, 1, -1):
            found = self._scene.x.ticks(most)
            if sum(wide(f"{words}  ") for _, words in found) <= self.plot.width():
                return found
        return self._scene.x.ticks(2)[:1]

    def held_words(self) -> list[str]:
        """Return everything that is written in the drawing."""
        rows, metrics = self._scene.rows, QFontMetrics(theme().font(0.85))
        ticks = self.ticks(metrics.horizontalAdvance) if _has_scale(self._scene) else ()
        said = [text for row in rows for text in (row.cells[0], *self._figures(row), *row.cells[-1:])]
        return [*said, *(rule.words for rule in self._scene.rules), *(words for _, words in ticks)]


def _draw_lines(painter: QPainter, lines: list[QLineF], pen: QPen, *, ground: bool) -> None:
    """Draw lines; those that cross bars lie on a band of the ground's colour."""
    if ground:
        under = QPen(theme().colour("surface"), pen.widthF() + 2 * max(theme().px(1), 1))
        under.setCapStyle(Qt.PenCapStyle.FlatCap)
        painter.setPen(under)
        painter.drawLines(lines)
    painter.setPen(pen)
    painter.drawLines(lines)
