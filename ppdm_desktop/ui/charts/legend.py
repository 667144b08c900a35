"""Legends: symbols or lines with their names, and colour bands with their labels, on as many lines as needed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QLineF, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QPolygonF, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.bands import span_labels, spread
from ppdm_desktop.engine.report.scene.model import Palette, Role, Scene
from ppdm_desktop.ui.look.spoken import as_text
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import Tokens


def curve_pen(role: Role) -> QPen:
    """Return the pen of a curve by its role: solid, dotted or dashed."""
    t = theme()
    colour = {"original": t.colour("text2"), "released": QColor(t.tokens.kinds[1])}.get(role, t.colour("accent"))
    styles = {"original": Qt.PenStyle.SolidLine, "released": Qt.PenStyle.DotLine}
    pen = QPen(colour, max(t.px(1.4 if role == "original" else 2), 1))
    pen.setStyle(styles.get(role, Qt.PenStyle.SolidLine if role == "frontier" else Qt.PenStyle.DashLine))
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    pen.setCosmetic(True)
    return pen


def rule_pen(role: Role, *, level: bool = False) -> QPen:
    """Return the pen of a straight line across a drawing: dashed, dotted if ``level``, green for a proposal."""
    colour = theme().colour("passed" if role == "allowed" else "text")
    return QPen(colour, max(theme().px(1.3), 1), Qt.PenStyle.DotLine if level else Qt.PenStyle.DashLine)


def point_look(role: Role) -> tuple[str, QPen, QColor, float]:
    """Return the symbol of a point by its role: name, outline, fill colour, and size relative to other points."""
    t, ground = theme(), theme().colour("surface")
    symbol, pen, brush, factor = {
        "allowed": ("o", QPen(ground, 1), t.colour("passed"), 1.0),
        "reasons": ("d", QPen(ground, 1), t.colour("amber"), 1.3),
        "stopped": ("t1", QPen(t.colour("blocks"), max(t.px(1.8), 1)), ground, 1.0),
        "alarming": ("t1", QPen(ground, 1), t.colour("blocks"), 1.1),
        "released": ("o", QPen(ground, 1), t.colour("accent"), 1.0),
        "third": ("o", QPen(t.colour("accent"), max(t.px(1.8), 1)), ground, 1.0),
    }.get(role, ("s", QPen(t.colour("text2"), max(t.px(2), 1)), ground, 1.1))
    pen.setCosmetic(True)  # else as wide as the mark it is drawn round
    return symbol, pen, brush, factor


Piece = Callable[[QPainter, QPointF], None]
"""Draws the symbol before a name of the legend; the point is its left end."""
_LINE, _GAP = 19, 16
_WIDE = 26
MAP_PIECE = 20
"""Width of a symbol in the map's legend, in pixels at 100 % text size."""
_CORNERS = {
    "s": ((-1, -1), (1, -1), (1, 1), (-1, 1)),
    "d": ((0, -1), (0.8, 0), (0, 1), (-0.8, 0)),
    "t1": ((0, -1), (1, 1), (-1, 1)),
}
"""Corners of the symbols of a plot, centred at 0 with size 2."""


def band_colours(tokens: Tokens, palette: Palette, bands: int) -> tuple[str, ...]:
    """Return one colour for each band, spread over the palette including its ends.

    Parameters
    ----------
    bands
        Number of bands, at most the number of steps of the palette (8, density and diverging 7).

    Raises
    ------
    ValueError
        When there are more bands than steps.
    """
    steps: tuple[str, ...] = getattr(tokens, palette)
    if not 1 <= bands <= len(steps):
        raise ValueError(f"{palette} has {len(steps)} steps, not {bands}")
    return spread(steps, bands, diverging=palette == "diverging")


def checked_edges(edges: Sequence[float], palette: Palette, tokens: Tokens) -> tuple[float, ...]:
    """Return the edges between colour bands after checking them.

    Raises
    ------
    ValueError
        When they do not rise, are no numbers, or are too many for the palette.
    """
    rising = tuple(float(edge) for edge in edges)
    if not all(math.isfinite(edge) for edge in rising) or any(b <= a for a, b in itertools.pairwise(rising)):
        raise ValueError(f"edges must rise: {rising}")
    band_colours(tokens, palette, len(rising) + 1)
    return rising


def line_piece(pen: Callable[[], QPen], wide: int = _WIDE) -> Piece:
    """Return the symbol of a line; its pen is made when it is drawn, from the theme of then."""

    def paint(painter: QPainter, at: QPointF) -> None:
        painter.setPen(pen())
        painter.drawLine(QLineF(at.x(), at.y(), at.x() + theme().px(wide), at.y()))

    return paint


def paint_point(painter: QPainter, role: Role, at: QPointF, half: float) -> None:
    """Draw a point as a plot does; ``half`` is half its size in pixels."""
    symbol, pen, brush, factor = point_look(role)
    painter.setPen(pen)
    painter.setBrush(brush)
    far = half * factor
    if symbol == "o":
        painter.drawEllipse(at, far, far)
    else:
        painter.drawPolygon(QPolygonF([at + QPointF(far * x, far * y) for x, y in _CORNERS[symbol]]))


def map_pieces(scene: Scene) -> list[tuple[str, Piece]]:
    """Return the legend of the map: (label, symbol) of versions by verdict, the original, and the frontier."""

    def mark(role: Role) -> Piece:
        return lambda painter, at: paint_point(painter, role, at + QPointF(theme().px(10), 0), theme().px(4.7))

    frontier = line_piece(lambda: curve_pen("frontier"), MAP_PIECE)
    order: list[Role] = ["allowed", "reasons", "stopped", "original", "frontier"]
    ordered = sorted(scene.series, key=lambda series: order.index(series.role))
    return [(series.name, frontier if series.role == "frontier" else mark(series.role)) for series in ordered]


def scene_legend(scene: Scene) -> Legend:
    """Return the legend with the named series of a plot, each with a piece of its line."""
    return Legend([(mark.name, line_piece(partial(curve_pen, mark.role))) for mark in scene.series], _WIDE)


class _OnLines(QWidget):
    """Base of legends: wraps into as many lines as its width needs, and redraws when the text size changes."""

    spoken = as_text

    def __init__(self) -> None:
        super().__init__()
        theme().changed.connect(self._on_theme_changed)

    def _on_theme_changed(self) -> None:
        """Request space for the new text size and repaint."""
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap for the new width."""
        super().resizeEvent(event)
        self.updateGeometry()


class Legend(_OnLines):
    """A legend of names with symbols.

    Parameters
    ----------
    pieces
        (name, symbol) of each entry.
    wide
        Width of a symbol in pixels at 100 % text size.
    """

    def __init__(self, pieces: Sequence[tuple[str, Piece]], wide: int) -> None:
        super().__init__()
        self._wide = wide
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_pieces(pieces)

    def set_pieces(self, pieces: Sequence[tuple[str, Piece]]) -> None:
        """Replace the entries of the legend."""
        self._pieces = tuple(pieces)
        self.setAccessibleName(", ".join(name for name, _ in pieces))
        self._on_theme_changed()

    def _places(self, width: float) -> list[tuple[float, int, int]]:
        """Return for each name its x in pixels, its first line and the number of lines it takes.

        Names that do not fit start a new line, and names longer than a line wrap.
        """
        metrics, before = QFontMetrics(theme().font(0.9)), theme().px(self._wide + 6)
        x, line = 0.0, 0
        positions: list[tuple[float, int, int]] = []
        for name, _ in self._pieces:
            # Letters are a little wider than the whole pixels that are measured.
            wide, lines = before + metrics.horizontalAdvance(name) + 2, 1
            if x and x + wide > width:
                x, line = 0.0, positions[-1][1] + positions[-1][2]
            if wide > width:
                room = QRect(0, 0, max(round(width - before), 1), 10_000)
                high = metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, name).height()
                lines = max(1, round(high / metrics.lineSpacing()))
            positions.append((x, line, lines))
            x += wide + theme().px(_GAP)
        return positions

    def sizeHint(self) -> QSize:
        """Return the size with as many lines as needed at the present width."""
        places = self._places(max(self.width(), theme().px(160)))
        lines = max((line + more for _, line, more in places), default=1)
        return QSize(theme().px(160), lines * theme().px(_LINE))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the symbols and the names."""
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high = t.px(_LINE)
        for (name, piece), (x, line, lines) in zip(self._pieces, self._places(self.width()), strict=True):
            piece(painter, QPointF(x, line * high + high / 2))
            painter.setFont(t.font(0.9))
            painter.setPen(t.colour("text2"))
            begin = x + t.px(self._wide + 6)
            room = QRectF(begin, line * high, max(self.width() - begin, 0.0), lines * high)
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextWordWrap, name)
        painter.end()


class BandLegend(_OnLines):
    """A legend of colour bands from left to right with labels below, wrapped into several lines if needed.

    Parameters
    ----------
    label
        Meaning of the colours with the unit ("People alone by these two columns").
    said
        Whether the label is shown above the bands, or only read by screen readers because it is shown elsewhere.
    """

    def __init__(self, label: str, *, said: bool = True) -> None:
        super().__init__()
        self._words, self._said = label, said
        self._edges: tuple[float, ...] = ()
        self._palette: Palette = "amount"
        self._spread = True
        self.labels: tuple[str, ...] = ("",)
        self._wide: int | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_bands(
        self, edges: Sequence[float], palette: Palette, labels: Sequence[str] | None = None, *, spread: bool = True
    ) -> None:
        """Replace the colour bands.

        Parameters
        ----------
        edges, palette
            Rising values between the bands, and their colours.
        labels
            Label of each band; by default the range between its edges.
        spread
            Whether the colours are spread over the palette, or its first steps.

        Raises
        ------
        ValueError
            When the edges do not rise or are too many, or there is not one label for each band.
        """
        self._edges, self._palette, self._spread = checked_edges(edges, palette, theme().tokens), palette, spread
        self.labels = span_labels(self._edges) if labels is None else tuple(labels)
        if len(self.labels) != len(self._edges) + 1:
            raise ValueError("a legend needs one label for each band")
        self.setAccessibleName(f"{self._words}: {' · '.join(self.labels)}")
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        """Forget the measured width, which depends on the text size, then update."""
        self._wide = None
        super()._on_theme_changed()

    # --- size ---------------------------------------------------------------------------

    def _step(self) -> int:
        """Return the width of one colour band in pixels, which is that of the widest label."""
        # Asked for many times while a page is laid out.
        if self._wide is None:
            metrics = QFontMetrics(theme().font(0.85))
            widest = max(metrics.horizontalAdvance(label) for label in self.labels)
            self._wide = max(theme().px(34), widest + theme().px(8))
        return self._wide

    def _across(self, width: int) -> int:
        """Return how many bands go on one line, so that lines are few and about equally long."""
        most = max(min(width // self._step(), len(self.labels)), 1)
        lines = -(-len(self.labels) // most)
        return -(-len(self.labels) // lines)

    def _line(self) -> int:
        """Return the height of one line of bands with their labels, in pixels."""
        return theme().px(10) + QFontMetrics(theme().font(0.85)).height() + theme().px(4)

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow legend is higher."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels of all lines at this width."""
        return self._head(width) + -(-len(self.labels) // self._across(width)) * self._line()

    def _head(self, width: int) -> int:
        """Return the height in pixels of the label above the bands at this width."""
        if not self._said:
            return 0
        room, metrics = QRect(0, 0, max(width, 1), 10_000), QFontMetrics(theme().font(0.85))
        return metrics.boundingRect(room, Qt.TextFlag.TextWordWrap, self._words).height() + theme().px(3)

    def sizeHint(self) -> QSize:
        """Return the size with all bands on one line."""
        return QSize(self._step() * len(self.labels), self.heightForWidth(max(self.width(), theme().px(120))))

    def minimumSizeHint(self) -> QSize:
        """Return the least size, with the bands on several lines."""
        least = min(theme().px(120), self._step())
        return QSize(least, self._head(max(self.width(), least)) + self._line())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the colour bands and their labels."""
        t = theme()
        painter = QPainter(self)
        painter.setFont(t.font(0.85))
        wide, high, across = self._step(), t.px(10), self._across(self.width())
        steps: Sequence[str] = getattr(t.tokens, self._palette)
        colours = band_colours(t.tokens, self._palette, len(self.labels)) if self._spread else steps
        head = self._head(self.width())
        if head:
            painter.setPen(t.colour("text2"))
            painter.drawText(QRect(0, 0, self.width(), head), Qt.TextFlag.TextWordWrap, self._words)
        for index, label in enumerate(self.labels):
            left, top = index % across * wide, head + index // across * self._line()
            box = QRect(left, top, wide - 1, high)
            painter.fillRect(box, QColor(colours[index]))
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
            painter.setPen(t.colour("text2"))
            under = QRect(left, top + high, wide, self._line() - high)
            painter.drawText(under, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, label)
        painter.end()
