"""Texts over a plot: axis names, labels of limits and marks, rings, and the line above the drawing.

pyqtgraph draws marks and ticks; this module places the texts so that they hide nothing important.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.scene.model import Label, Points, Row, Rule, Scene, Steps
from ppdm_desktop.ui.charts.legend import rule_pen
from ppdm_desktop.ui.charts.scene_view import SceneView
from ppdm_desktop.ui.look.spoken import as_ornament
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.folding import in_lines

MARK = 11
"""Size of a single mark in pixels at 100 % text size."""
_NAMED = 3
_TITLE_LINES = 3
"""Most lines of an axis name; a longer one is elided."""


class Drawing(Protocol):
    """The positions of a scene's parts, in pixels of its widget."""

    @property
    def is_drawn(self) -> bool:
        """Whether the plot was created."""

    def plot_rect(self) -> QRectF:
        """Return the rectangle within the axes."""

    def place(self, x: float, y: float) -> QPointF:
        """Return the pixel for a pair of values."""

    def mark_rect(self, row: Row) -> QRectF:
        """Return the rectangle of a row."""

    def current_place(self) -> int | None:
        """Return the index of the row that is selected elsewhere, None without one."""

    def standing_names(self) -> tuple[int, tuple[tuple[float, str], ...]]:
        """Return the height of the upright labels in pixels, 0 without any, and (position, label) of each."""


class PlotOverlay(QWidget):
    """Transparent widget that draws texts and rings over a plot; pointer and keys go to the plot.

    Parameters
    ----------
    view
        The plot: its scene, size, and the row pointed at.
    drawing
        The positions in the plot.
    """

    spoken = as_ornament

    def __init__(self, view: SceneView, drawing: Drawing) -> None:
        super().__init__(view)
        self._view, self._drawing = view, drawing
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def line_height(self) -> int:
        """Return the height of a line of text with its spacing, in pixels."""
        return QFontMetrics(theme().font(0.85)).height() + theme().px(3)

    def title_lines(self, name: str) -> list[str]:
        """Return the name of an axis, wrapped.

        It is wrapped at the widget's width, because the width of the drawing depends on the ticks and so on this
        result.
        """
        if not name:
            return []
        metrics, room = QFontMetrics(theme().font(0.85)), self._view.width() - theme().px(12)
        lines = in_lines(name, metrics, room)
        lines = [*lines[: _TITLE_LINES - 1], " ".join(lines[_TITLE_LINES - 1 :])]
        middle = Qt.TextElideMode.ElideMiddle  # long names often differ at their ends only
        return [metrics.elidedText(line, middle, room) for line in lines if line]

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw axis names, labels, rings and the line above the drawing."""
        scene = self._view.scene
        if scene is None or not self._drawing.is_drawn:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        t, box, line = theme(), self._drawing.plot_rect(), self.line_height()
        painter.setFont(t.font(0.85))
        top = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.setPen(t.colour("text2"))
        for up, title_line in enumerate(reversed(self.title_lines(scene.y.name)), start=1):
            painter.drawText(
                QRectF(t.px(5), box.top() - up * line - t.px(3), self._view.width(), line), top, title_line
            )
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for up, title_line in enumerate(reversed(self.title_lines(scene.x.name)), start=1):
            painter.drawText(QRectF(0, self._view.height() - up * line - t.px(3), box.right(), line), right, title_line)
        self._paint_standing(painter, box)
        painter.save()
        painter.setClipRect(box.adjusted(-t.px(6), -1, t.px(8), 1))
        blocks, lines = self._paint_rules(painter, scene, box)
        self._paint_names(painter, scene, box)
        self._paint_labels(painter, scene, box, blocks, lines)
        self._paint_rings(painter, scene)
        painter.restore()
        if self._view.pointed is not None:
            self._paint_pointed(painter)
        if self._view.hasFocus():
            painter.setPen(QPen(t.colour("accent"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self._view.rect()).adjusted(1, 1, -1, -1), t.px(4), t.px(4))
        painter.end()

    def _paint_standing(self, painter: QPainter, box: QRectF) -> None:
        """Draw the upright labels of cells below the drawing, elided in their middle if too long."""
        t, metrics = theme(), QFontMetrics(theme().font(0.85))
        high, names = self._drawing.standing_names()
        right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        for at, name in names:
            painter.save()
            painter.translate(self._drawing.place(at, 0.0).x(), box.bottom() + t.px(4))
            painter.rotate(-90)
            text = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, high)
            painter.drawText(QRectF(-high, -metrics.height() / 2, high, metrics.height()), right, text)
            painter.restore()

    def pointed_lines(self) -> list[str]:
        """Return the description of the row pointed at, wrapped."""
        if self._view.pointed is None:
            return []
        return in_lines(self._view.pointed.words, QFontMetrics(theme().font(0.85)), self._view.width() - theme().px(12))

    def _paint_pointed(self, painter: QPainter) -> None:
        """Draw the description of the row pointed at above the plot; a second line covers part of the plot."""
        t, line, lines = theme(), self.line_height(), self.pointed_lines()
        painter.setPen(t.colour("text"))
        painter.setFont(t.font(0.85))
        if len(lines) > 1:
            painter.fillRect(QRectF(0, 0, self._view.width(), len(lines) * line + t.px(8)), t.colour("surface"))
        left = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        for down, text in enumerate(lines):
            painter.drawText(QRectF(t.px(6), t.px(4) + down * line, self._view.width(), line), left, text)

    def _paint_rules(self, painter: QPainter, scene: Scene, box: QRectF) -> tuple[list[QRectF], list[QLineF]]:
        """Draw limits and their captions; return the rectangles no label may cover and the lines it should avoid."""
        t, blocks, lines = theme(), [], []
        metrics = QFontMetrics(t.font(0.85))
        marks = [self._drawing.mark_rect(row) for row in scene.rows if row.at is not None] if scene.has_marks else []
        for rule in scene.rules:
            if rule.level:
                blocks += self._paint_level(painter, rule, box, marks)
                continue
            x = self._drawing.place(rule.at, 0.0).x()
            if not box.left() <= x <= box.right():
                continue
            lines.append(QLineF(x, box.top(), x, box.bottom()))
            painter.setPen(rule_pen(rule.role))
            painter.drawLine(lines[-1])
            if not rule.words:
                continue
            wide, high = metrics.horizontalAdvance(rule.words) + 2, metrics.height()
            caption = QRectF(x + t.px(6), box.bottom() - high - t.px(4), wide, high)
            if caption.right() > box.right():
                caption.moveRight(x - t.px(6))
            if caption.left() >= box.left():
                # On a ground of its own: no line of the grid runs through.
                painter.fillRect(caption, t.colour("surface"))
                painter.setPen(t.colour("text"))
                painter.drawText(caption, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, rule.words)
                blocks.append(caption)
        return blocks, lines

    def _paint_level(self, painter: QPainter, rule: Rule, box: QRectF, marks: list[QRectF]) -> list[QRectF]:
        """Draw a horizontal limit and return the rectangle of its caption, which avoids marks where there is room."""
        t, y = theme(), self._drawing.place(0.0, rule.at).y()
        if not box.top() <= y <= box.bottom():
            return []
        painter.setPen(rule_pen(rule.role, level=True))
        painter.drawLine(QLineF(box.left(), y, box.right(), y))
        label = self.level_place(rule.words, box, y, marks)
        painter.fillRect(label, t.colour("surface"))
        painter.setPen(t.colour("text"))
        painter.drawText(label, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, rule.words)
        return [label]

    def level_place(self, text: str, box: QRectF, y: float, marks: list[QRectF]) -> QRectF:
        """Return the rectangle of the caption of a horizontal limit.

        Parameters
        ----------
        box
            Rectangle of the drawing.
        y
            Height of the limit in pixels.
        marks
            Rectangles that the caption should avoid.
        """
        metrics, off = QFontMetrics(theme().font(0.85)), max(theme().px(2), 1)
        wide, high = metrics.horizontalAdvance(text) + 2, metrics.height()
        ends = [box.right(), *sorted((mark.left() - 1 for mark in marks), reverse=True)]
        tops = [top for top in (y - high - off, y + off) if box.top() <= top and top + high <= box.bottom()]
        tops = tops or [y - high - off if y - high - off >= box.top() else y + off]
        places = [QRectF(end - wide, top, wide, high) for end in ends for top in tops if end - wide >= box.left()]
        first = QRectF(box.right() - wide, tops[0], wide, high)
        return next((rect for rect in places if not any(rect.intersects(mark) for mark in marks)), first)

    def _paint_names(self, painter: QPainter, scene: Scene, box: QRectF) -> None:
        """Draw the name of each curve near its line if there is room; the legend names all of them."""
        steps = [mark for mark in scene.marks if isinstance(mark, Steps)]
        if not steps:
            return
        t, metrics = theme(), QFontMetrics(theme().font(0.85))
        sizes = [QSizeF(metrics.horizontalAdvance(step.name) + t.px(6), metrics.height()) for step in steps]
        across = np.array([self._drawing.place(edge, 0.0).x() for edge in steps[0].edges])
        heights = np.array([[self._drawing.place(0.0, height).y() for height in step.heights] for step in steps])
        for mark, label in zip(steps, name_places(across, heights, sizes, box, t.px(3)), strict=True):
            if label is not None:
                ground = t.colour("surface")
                ground.setAlphaF(0.75)
                painter.fillRect(label, ground)
                painter.setPen(t.colour("text"))  # the lines' colours are for lines: some are too light for words
                painter.drawText(label, Qt.AlignmentFlag.AlignCenter, mark.name)

    def label_places(self, box: QRectF, blocks: list[QRectF], lines: list[QLineF]) -> list[tuple[str, QRectF | None]]:
        """Return (label, rectangle or None) of each mark; important labels first, close marks share one."""
        scene, t = self._view.scene, theme()
        assert scene is not None
        labels = [mark for mark in scene.marks if isinstance(mark, Label)]
        labels = [
            label for label in labels if box.adjusted(-1, -1, 1, 1).contains(self._drawing.place(label.x, label.y))
        ]
        places = [self._drawing.place(label.x, label.y) for label in labels]
        groups = group_points(places, t.px(MARK / 2))
        groups.sort(key=lambda group: -max(labels[index].weight for index in group))
        metrics = QFontMetrics(t.font(0.85, semibold=True))
        texts, wanted = [], []
        for group in groups:
            ordered = sorted(group, key=lambda index: -(labels[index].weight // 2))
            text = ", ".join(labels[index].text for index in ordered[:_NAMED])
            text += f" +{len(ordered) - _NAMED}" if len(ordered) > _NAMED else ""
            size = QSizeF(metrics.horizontalAdvance(text) + t.px(2), metrics.height())
            more = 6 if labels[ordered[0]].weight > 1 else 1
            texts.append(text)
            wanted.append(Wanted(places[group[0]], size, t.px(MARK / 2 + more)))
        rects = place_labels(wanted, blocks, lines, box.adjusted(1, 1, t.px(8), -1), t.px(3))
        return list(zip(texts, rects, strict=True))

    def _paint_labels(
        self, painter: QPainter, scene: Scene, box: QRectF, blocks: list[QRectF], lines: list[QLineF]
    ) -> None:
        """Paint the labels of marks where they cover neither marks nor lines, if there is such a position."""
        if not any(isinstance(mark, Label) for mark in scene.marks):
            return
        t, current = theme(), self._drawing.current_place()
        more = t.px(6)
        for index, row in enumerate(scene.rows):
            if row.at is not None:
                rect = self._drawing.mark_rect(row)
                blocks.append(rect.adjusted(-more, -more, more, more) if index == current else rect)
        for mark in scene.marks:
            if isinstance(mark, Points) and mark.joined:
                corners = [self._drawing.place(x, y) for x, y in zip(mark.x.tolist(), mark.y.tolist(), strict=True)]
                lines += [QLineF(start, end) for start, end in itertools.pairwise(corners)]
        painter.setFont(t.font(0.85, semibold=True))
        painter.setPen(t.colour("text"))
        for text, label_rect in self.label_places(box, blocks, lines):
            if label_rect is not None:
                # Where no place is left but on a line, the line gives way.
                painter.fillRect(label_rect, t.colour("surface"))
                painter.drawText(label_rect, Qt.AlignmentFlag.AlignCenter, text)

    def _paint_rings(self, painter: QPainter, scene: Scene) -> None:
        """Paint rings, or frames with a crosshair, around the focused row and the current one."""
        t = theme()
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for position, style, more in (
            (self._drawing.current_place(), Qt.PenStyle.SolidLine, 5),
            (self._view.current, Qt.PenStyle.DotLine, 8),
        ):
            row = scene.rows[position] if position is not None else None
            if row is None or row.at is None:
                continue
            rect = self._drawing.mark_rect(row)
            if any(row.size):
                painter.setPen(QPen(t.colour("text"), max(t.px(1.5), 1)))
                if scene.x.names:  # a crosshair, to the names at both sides
                    box, at = self._drawing.plot_rect(), rect.center()
                    painter.drawLine(QLineF(box.left(), at.y(), rect.left(), at.y()))
                    painter.drawLine(QLineF(at.x(), rect.bottom(), at.x(), box.bottom()))
                painter.drawRect(rect)
            else:
                painter.setPen(QPen(t.colour("accent"), max(t.px(2), 1), style))
                painter.drawEllipse(rect.adjusted(-t.px(more), -t.px(more), t.px(more), t.px(more)))


# Right, left, above, below, then the corners: in this order they are easiest to read.
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))
_FAR = (1.0, 2.2)


@dataclass(frozen=True)
class Wanted:
    """A label to be placed.

    Attributes
    ----------
    at
        Centre of its mark.
    size
        Size of the text.
    half
        Half the width of its mark.
    """

    at: QPointF
    size: QSizeF
    half: float


def group_points(points: Sequence[QPointF], apart: float) -> list[list[int]]:
    """Return groups of indices of marks that lie so close together that they share one label."""
    groups: list[list[int]] = []
    for index, point in enumerate(points):
        for group in groups:
            first = points[group[0]]
            if abs(first.x() - point.x()) <= apart and abs(first.y() - point.y()) <= apart:
                group.append(index)
                break
        else:
            groups.append([index])
    return groups


def place_labels(
    wanted: Sequence[Wanted], blocks: Sequence[QRectF], lines: Sequence[QLineF], box: QRectF, gap: float
) -> list[QRectF | None]:
    """Return the rectangle of each label, None for a label without room; earlier labels choose first.

    Parameters
    ----------
    wanted
        Labels, the most important first.
    blocks
        Rectangles that no label may cover: marks, and other texts.
    lines
        Lines to avoid; a label covers one only if all other free places are nearer to another mark.
    box
        Rectangle that no label may leave.
    gap
        Distance between a mark and its label.
    """
    taken: list[QRectF] = []
    rects: list[QRectF | None] = []
    for label in wanted:
        other_marks = [neighbour.at for neighbour in wanted if neighbour is not label]
        rect = _best_rect(label, other_marks, (*blocks, *taken), lines, box, gap)
        rects.append(rect)
        if rect is not None:
            taken.append(rect)
    return rects


def _best_rect(
    label: Wanted,
    other_marks: Sequence[QPointF],
    obstacles: Sequence[QRectF],
    lines: Sequence[QLineF],
    box: QRectF,
    gap: float,
) -> QRectF | None:
    """Return the free place nearest to the label's mark that crosses fewest lines; None if no place is free."""
    best: tuple[tuple[int, int], QRectF] | None = None
    for far in _FAR:
        for side in _SIDES:
            rect = _beside(label, side, label.half + far * gap)
            if not box.contains(rect) or any(rect.intersects(obstacle) for obstacle in obstacles):
                continue
            distance = _away(rect, label.at)
            cost = sum(_away(rect, at) < distance for at in other_marks), sum(_crosses(line, rect) for line in lines)
            if best is None or cost < best[0]:
                best = (cost, rect)
        if best is not None and best[0] == (0, 0):
            break
    return best[1] if best is not None else None


def _away(rect: QRectF, at: QPointF) -> float:
    """Return the distance of a mark from a label: readers take a label as the name of the nearest mark."""
    across = max(rect.left() - at.x(), at.x() - rect.right(), 0.0)
    return math.hypot(across, max(rect.top() - at.y(), at.y() - rect.bottom(), 0.0))


def _beside(wanted: Wanted, side: tuple[int, int], off: float) -> QRectF:
    """Return the rectangle of a label at a distance of ``off`` pixels from its mark, on the side (-1, 0 or 1 each)."""
    wide, high = wanted.size.width(), wanted.size.height()
    across, down = side
    x = wanted.at.x() + across * off - (wide / 2 if across == 0 else wide if across < 0 else 0)
    y = wanted.at.y() + down * off - (high / 2 if down == 0 else high if down < 0 else 0)
    return QRectF(x, y, wide, high)


def _crosses(line: QLineF, rect: QRectF) -> bool:
    """Return whether a line goes through a rectangle (Liang and Barsky's clipping)."""
    first, last = 0.0, 1.0
    ends = (
        (line.x1(), line.dx(), rect.left(), rect.right()),
        (line.y1(), line.dy(), rect.top(), rect.bottom()),
    )
    for start, along, low, high in ends:
        if along == 0.0:
            if not low <= start <= high:
                return False
            continue
        entry, exit_ = (low - start) / along, (high - start) / along
        first, last = max(first, min(entry, exit_)), min(last, max(entry, exit_))
    return first <= last


def name_places(
    across: Floats, heights: Floats, sizes: Sequence[QSizeF], box: QRectF, gap: float
) -> list[QRectF | None]:
    """Return the rectangle of each curve's name, None without room.

    A name goes above a cell in which its curve is the highest, or beside it.

    Parameters
    ----------
    across
        Pixels of the cells' edges, shape (cells + 1,).
    heights
        Pixels of each curve in each cell, shape (curves, cells); smaller is higher.
    sizes
        Sizes of the names.
    box
        Rectangle of the drawing.
    gap
        Distance between a name and its line.
    """
    taken: list[QRectF] = []
    rects: list[QRectF | None] = []
    middles = (across[:-1] + across[1:]) / 2

    def hides_a_line(label: QRectF) -> bool:
        first = int(np.searchsorted(across[1:], label.left()))
        beneath = heights[:, first : int(np.searchsorted(across[:-1], label.right(), "right"))]
        if not beneath.size:
            return False
        return bool(((beneath.min(axis=1) < label.bottom()) & (beneath.max(axis=1) > label.top())).any())

    for curve, size in enumerate(sizes):
        other_heights = np.delete(heights, curve, axis=0)
        ahead = other_heights.min(axis=0, initial=box.bottom()) - heights[curve]
        # A name of what is out of sight would stand at the edge, beside a line of another.
        seen = (middles >= box.left()) & (middles <= box.right()) & (heights[curve] >= box.top())
        ahead_at = np.argsort(-ahead, kind="stable").tolist()
        cells = [cell for cell in ahead_at if seen[cell] and (ahead[cell] > 0 or not len(other_heights))]
        labels = (
            label
            for cell in cells
            for label in _beside_cell(across[cell : cell + 2], heights[curve, cell], size, box, gap)
            if not any(label.intersects(rect) for rect in taken) and not hides_a_line(label)
        )
        label = next(labels, None)
        rects.append(label)
        taken += [label] if label is not None else []
    return rects


def _beside_cell(ends: Floats, height: float, size: QSizeF, box: QRectF, gap: float) -> list[QRectF]:
    """Return possible rectangles for a name at a cell: above its middle, then at its right and left end."""
    (left, right), wide, high = ends.tolist(), size.width(), size.height()
    corners = (
        ((left + right - wide) / 2, height - high - gap / 3),
        (right + gap, height - high / 2),
        (left - wide - gap, height - high / 2),
    )
    return [
        QRectF(min(max(x, box.left() + 2), box.right() - wide), min(max(y, box.top()), box.bottom() - high), wide, high)
        for x, y in corners
        if wide < box.width() and high < box.height()
    ]
