"""Legend of colour bands with their labels, on as many lines as needed."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.bands import span_labels, spread_colours
from ppdm_desktop.engine.report.scene.model import Palette
from ppdm_desktop.ui.look.accessibility import as_text
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import Tokens


def band_colours(tokens: Tokens, palette: Palette, bands: int) -> tuple[str, ...]:
    """Return one colour (``#RRGGBB``) for each band, spread over the palette so that both of its ends are used.

    A single band gets the first colour, or the middle one of a diverging palette.

    Parameters
    ----------
    tokens
        The colours of a theme (light or dark).
    palette
        Name of the palette in the theme.
    bands
        Number of bands, from 1 to the number of steps of the palette (8, density and diverging 7).

    Raises
    ------
    ValueError
        When there are more bands than steps, or none.
    """
    steps: tuple[str, ...] = getattr(tokens, palette)
    if not 1 <= bands <= len(steps):
        raise ValueError(f"{palette} has {len(steps)} steps, not {bands}")
    return spread_colours(steps, bands, diverging=palette == "diverging")


def check_band_edges(edges: Sequence[float], palette: Palette, tokens: Tokens) -> tuple[float, ...]:
    """Return the edges between colour bands as floats after checking them.

    Raises
    ------
    ValueError
        When the edges do not rise, are not finite, or are too many for the palette (there is one band more than edges).
    """
    rising = tuple(float(edge) for edge in edges)
    if not all(math.isfinite(edge) for edge in rising) or any(b <= a for a, b in itertools.pairwise(rising)):
        raise ValueError(f"edges must rise: {rising}")
    band_colours(tokens, palette, len(rising) + 1)
    return rising


class BandLegend(QWidget):
    """A legend of colour bands from left to right with labels below, wrapped into several lines if needed.

    Parameters
    ----------
    label
        Meaning of the colours with the unit ("People unique by these two columns").
    has_visible_label
        Whether the label is shown above the bands; if not, only screen readers read it.
    """

    accessible_info = as_text

    def __init__(self, label: str, *, has_visible_label: bool = True) -> None:
        super().__init__()
        self._label, self._has_visible_label = label, has_visible_label
        self._edges: tuple[float, ...] = ()
        self._palette: Palette = "amount"
        self._spread = True
        self.labels: tuple[str, ...] = ("",)
        self._wide: int | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._on_theme_changed)

    def set_bands(
        self, edges: Sequence[float], palette: Palette, labels: Sequence[str] | None = None, *, spread: bool = True
    ) -> None:
        """Set the colour bands and their labels, also as the legend's name for screen readers.

        Parameters
        ----------
        edges, palette
            Rising values between the bands, and their colours; there is one band more than edges.
        labels
            Label of each band; by default the range between its edges.
        spread
            Whether the colours are spread over the whole palette; if not, they are its first colours.

        Raises
        ------
        ValueError
            When the edges do not rise or are too many, or there is not one label for each band.
        """
        self._edges, self._palette, self._spread = check_band_edges(edges, palette, theme().tokens), palette, spread
        self.labels = span_labels(self._edges) if labels is None else tuple(labels)
        if len(self.labels) != len(self._edges) + 1:
            raise ValueError("a legend needs one label for each band")
        self.setAccessibleName(f"{self._label}: {' · '.join(self.labels)}")
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        """Adapt the legend to new colours and text size, and repaint."""
        self._wide = None
        self.updateGeometry()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the bands for the new width."""
        super().resizeEvent(event)
        self.updateGeometry()

    # --- size ---------------------------------------------------------------------------

    def _compute_band_width(self) -> int:
        """Return the width in pixels of one colour band: that of the widest label, at least 34 at 100 % text size."""
        # Asked for many times while a page is laid out.
        if self._wide is None:
            metrics = QFontMetrics(theme().font(0.85))
            widest = max(metrics.horizontalAdvance(label) for label in self.labels)
            self._wide = max(theme().px(34), widest + theme().px(8))
        return self._wide

    def _count_bands_per_line(self, width: int) -> int:
        """Return how many bands are drawn on each line of a legend of this width in pixels; at least 1.

        There are as few lines as possible, about equally long: 5 bands with room for 4 go on lines of 3 and 2.
        """
        most = max(min(width // self._compute_band_width(), len(self.labels)), 1)
        lines = -(-len(self.labels) // most)
        return -(-len(self.labels) // lines)

    def _compute_line_height(self) -> int:
        """Return the height of one line of bands with their labels, in pixels."""
        return theme().px(10) + QFontMetrics(theme().font(0.85)).height() + theme().px(4)

    def hasHeightForWidth(self) -> bool:
        """Return True: a narrow legend is higher, because its bands wrap."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels of all lines at this width."""
        return (
            self._compute_label_height(width)
            + -(-len(self.labels) // self._count_bands_per_line(width)) * self._compute_line_height()
        )

    def _compute_label_height(self, width: int) -> int:
        """Return the height in pixels of the label above the bands at this width; 0 if it is not visible."""
        if not self._has_visible_label:
            return 0
        bounds, metrics = QRect(0, 0, max(width, 1), 10_000), QFontMetrics(theme().font(0.85))
        return metrics.boundingRect(bounds, Qt.TextFlag.TextWordWrap, self._label).height() + theme().px(3)

    def sizeHint(self) -> QSize:
        """Return the width of all bands on one line, with the height that the legend needs at its present width."""
        return QSize(
            self._compute_band_width() * len(self.labels), self.heightForWidth(max(self.width(), theme().px(120)))
        )

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size: one band wide (at most 120 px at 100 % text size), one line of bands high."""
        least = min(theme().px(120), self._compute_band_width())
        return QSize(least, self._compute_label_height(max(self.width(), least)) + self._compute_line_height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the label, if it is visible, and below it the colour bands, each with its own label."""
        t = theme()
        painter = QPainter(self)
        painter.setFont(t.font(0.85))
        wide, high, across = self._compute_band_width(), t.px(10), self._count_bands_per_line(self.width())
        steps: Sequence[str] = getattr(t.tokens, self._palette)
        colours = band_colours(t.tokens, self._palette, len(self.labels)) if self._spread else steps
        head = self._compute_label_height(self.width())
        if head:
            painter.setPen(t.colour("text2"))
            painter.drawText(QRect(0, 0, self.width(), head), Qt.TextFlag.TextWordWrap, self._label)
        for index, label in enumerate(self.labels):
            left, top = index % across * wide, head + index // across * self._compute_line_height()
            box = QRect(left, top, wide - 1, high)
            painter.fillRect(box, QColor(colours[index]))
            painter.setPen(QPen(t.colour("line"), 1))
            painter.drawRect(box.adjusted(0, 0, -1, -1))
            painter.setPen(t.colour("text2"))
            under = QRect(left, top + high, wide, self._compute_line_height() - high)
            painter.drawText(under, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, label)
        painter.end()
