"""Legend of colour bands with their labels, on as many lines as needed."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.bands import span_labels, spread_colours
from ppdm_desktop.engine.report.scene.model import Palette
from ppdm_desktop.ui.look.accessibility import as_text
from ppdm_desktop.ui.look.theme import theme


class BandLegend(QWidget):
    """A legend of colour bands from left to right with labels below, wrapped into several lines if needed.

    Parameters
    ----------
    label
        Meaning of the colours with the unit ("People unique by these two columns").
    edges, palette
        Rising values between the bands, and their colours; there is one band more than edges.
    bands
        Label of each band; by default the range between its edges.
    spread
        Whether the colours are spread over the whole palette; if not, they are its first colours.
    has_visible_label
        Whether the label is shown above the bands; if not, only screen readers read it.
    """

    accessible_info = as_text

    def __init__(
        self,
        label: str,
        edges: Sequence[float],
        palette: Palette,
        bands: Sequence[str] | None = None,
        *,
        spread: bool = True,
        has_visible_label: bool = True,
    ) -> None:
        super().__init__()
        self._label, self._has_visible_label = label, has_visible_label
        self._palette, self._spread = palette, spread
        self.labels = span_labels(edges) if bands is None else tuple(bands)
        self.setAccessibleName(f"{label}: {' · '.join(self.labels)}")
        self._wide: int | None = None
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._on_theme_changed)

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
        colours = steps
        if self._spread:
            colours = spread_colours(steps, len(self.labels), diverging=self._palette == "diverging")
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
