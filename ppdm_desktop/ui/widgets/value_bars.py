"""Values with their counts as bars: the most frequent values of a column, or groups of numbers."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.accessibility import as_chart
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.layout import Panel

_LINE = 1.5


class ValueBars(Panel):
    """A bar chart of values with their counts; each line has the value, its bar and its count."""

    accessible_info = as_chart

    def __init__(self, *, name: str, label: str) -> None:
        super().__init__(name=name)
        self._label = label
        self.values: tuple[tuple[str, int], ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_values(())
        theme().changed.connect(self._request_repaint)

    def set_values(self, values: Sequence[tuple[str, int]]) -> None:
        """Show these (value, count) pairs in their order; screen readers say the three with the largest counts."""
        self.values = tuple(values)
        self.setAccessibleName(self._label)
        largest = sorted(self.values, key=lambda pair: -pair[1])[:3]
        description = ", ".join(f"{text}: {format_rounded_count(number)}" for text, number in largest)
        self.setAccessibleDescription(description)
        self._request_repaint()

    def _request_repaint(self) -> None:
        """Ask the layout for the needed space, and repaint."""
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size with a line for each value."""
        return QSize(theme().px(200), round(theme().h * _LINE) * len(self.values))

    def minimumSizeHint(self) -> QSize:
        """Return a smaller width than ``sizeHint``, with the same height."""
        return QSize(theme().px(120), self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a line for each value: its text, a bar relative to the largest count, and the count.

        A long text is cut with "…"; an empty one is drawn as "∅ empty".
        """
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(t.font(0.92))
        metrics = QFontMetrics(t.font(0.92))
        most = max((number for _, number in self.values), default=1) or 1
        line = round(t.h * _LINE)
        figures = max(
            (metrics.horizontalAdvance(format_rounded_count(number)) for _, number in self.values), default=0
        ) + t.px(4)
        left = min(
            max((metrics.horizontalAdvance(text) for text, _ in self.values), default=0) + t.px(4),
            round(self.width() * 0.5),
        )
        gap = t.px(8)
        most_width = max(self.width() - left - figures - 2 * gap, t.px(10))
        middle = Qt.AlignmentFlag.AlignVCenter
        for index, (text, number) in enumerate(self.values):
            top = index * line
            painter.setPen(t.colour("text"))
            elided = metrics.elidedText(text or _("∅ empty"), Qt.TextElideMode.ElideRight, left)
            painter.drawText(QRectF(0, top, left, line), middle | Qt.AlignmentFlag.AlignLeft, elided)
            bar = QRectF(left + gap, top + line * 0.3, most_width, line * 0.4)
            painter.fillRect(bar, t.colour("sunken"))
            if number:
                bar.setWidth(max(most_width * number / most, 1.5))
                painter.fillRect(bar, t.colour("accent"))
            painter.drawText(
                QRectF(self.width() - figures, top, figures, line),
                middle | Qt.AlignmentFlag.AlignRight,
                format_rounded_count(number),
            )
