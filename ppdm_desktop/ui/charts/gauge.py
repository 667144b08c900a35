"""A gauge: a large figure, a bar with the limit, a verdict, and a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.look.accessibility import as_ornament, join_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts


@dataclass(frozen=True)
class GaugeFace:
    """What a gauge shows.

    Attributes
    ----------
    figure
        The large number as text.
    sentence
        Sentence that continues the number.
    share
        Length of the bar, 0 to 1; None if the figure was not measured.
    limit, limit_text
        Position of the limit on the bar, 0 to 1 (None without one), and its label.
    severity, word
        Verdict on the figure, and the word for it.
    small
        Small print: counts and the exact term.
    """

    figure: str
    sentence: str
    share: float | None
    limit: float | None
    limit_text: str
    severity: str
    word: str
    small: str


class _Meter(QWidget):
    """The gauge's bar from 0 to 100 % with a mark at the limit."""

    accessible_info = as_ornament

    def __init__(self) -> None:
        super().__init__()
        self._face: GaugeFace | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def set_face(self, face: GaugeFace) -> None:
        """Set the figure and limit to be painted, and repaint."""
        self._face = face
        self.update()

    def sizeHint(self) -> QSize:
        """Return the preferred size of the bar with the label of the limit."""
        return QSize(theme().px(110), theme().px(30))

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size of the bar with the label of the limit."""
        return QSize(theme().px(90), theme().px(30))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a bar filled by the share, and a mark with label at the limit if there is one.

        The bar is red if the figure blocks the release or has to be looked at. If nothing was measured, it is only a
        dashed outline.
        """
        t, face = theme(), self._face
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high, top = t.px(9), t.px(2)
        if face is None or face.share is None:
            # Nothing was measured: an empty outline, so that gauges beside each other keep their lines.
            painter.setPen(QPen(t.colour("control"), 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(0.5, top + 0.5, self.width() - 1, high - 1), 3, 3)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.colour("line" if t.is_dark else "sunken"))
        painter.drawRoundedRect(QRectF(0, top, self.width(), high), 3, 3)
        if face.share:
            is_alarming = face.severity in ("blocks", "amber")
            painter.setBrush(QColor(t.tokens.risk[5]) if is_alarming else t.colour("plain_bar"))
            painter.drawRoundedRect(QRectF(0, top, max(self.width() * face.share, 2.0), high), 3, 3)
        if face.limit is not None:
            x = min(max(self.width() * face.limit, 1.0), self.width() - 1.0)
            painter.setPen(QPen(t.colour("text"), 2))
            painter.drawLine(round(x), 0, round(x), top + high + t.px(2))
            wide = QFontMetrics(t.font(0.85)).horizontalAdvance(face.limit_text)
            painter.setFont(t.font(0.85))
            painter.setPen(t.colour("text2"))
            start = min(max(x - wide / 2, 0.0), max(self.width() - wide, 0.0))
            below = top + high + t.px(3)  # clear of the mark
            at = QRectF(start, below, wide + 2, self.height() - below)
            painter.drawText(at, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, face.limit_text)


class Gauge(Card):
    """A card with one large figure, its limit and the verdict."""

    def __init__(self, *, name: str) -> None:
        super().__init__(name=name)
        theme().space(self.body, 14, 14, 14, 14, 6)
        self._figure = Text("", factor=1.85, semibold=True, wrap=False, name=f"{name}_figure")
        self._meter = _Meter()
        self._severity = Severity("note", "")
        self._sentence = Text("", name=f"{name}_sentence")
        self._small = Text("", tone="text3", factor=0.85, name=f"{name}_small")
        add_parts(self.body, self._figure, self._meter, self._severity, self._sentence, self._small, STRETCH)

    def show_face(self, face: GaugeFace) -> None:
        """Show another figure with its sentence, bar, severity and small print, and describe it for screen readers."""
        self._figure.setText(face.figure)
        self._meter.set_face(face)
        self._severity.set(face.severity, face.word)
        self._sentence.setText(face.sentence)
        self._small.setText(face.small)
        texts = (f"{face.figure} {face.sentence}", face.word, face.limit_text, face.small)
        self.setAccessibleName(join_sentences(texts))
