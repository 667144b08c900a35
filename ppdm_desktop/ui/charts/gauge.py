"""A gauge: a large figure, its sentence, a bar with the limit, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from ppdm_desktop.engine.report.scene.model import Axis, Bars, Role, Row, Rule, Scene
from ppdm_desktop.ui.look.spoken import as_ornament, in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.layout import STRETCH, at_top, fill, hbox, stretched

_BESIDE = 268  # width at 100 % from which the word stands beside the bar
_GAP_BESIDE = 12  # between the bar and the word beside it
_HIGHEST = 10_000  # px: no sentence needs more


@dataclass(frozen=True)
class GaugeFace:
    """Content of a gauge.

    Attributes
    ----------
    figure
        The large number as text.
    sentence
        Sentence that continues the number.
    share
        Length of the bar, 0 to 1; None when not measured.
    limit, limit_words
        Position of the limit, 0 to 1, and its label.
    severity, word
        Verdict on the figure.
    small
        Counts and the exact term.
    help
        What the figure means, in a sentence or two.
    """

    figure: str
    sentence: str
    share: float | None
    limit: float | None
    limit_words: str
    severity: str
    word: str
    small: str
    help: str = ""


def gauge_scene(face: GaugeFace) -> Scene:
    """Return a gauge as a scene for a picture: the bar, the line of the limit, and the texts."""
    role: Role = "alarming" if face.severity in ("blocks", "amber") else "plain"
    limits = () if face.limit is None or face.share is None else (Rule("limit", face.limit, face.limit_words),)
    cells = (face.sentence, face.figure, face.limit_words, face.word)
    said = in_sentences((f"{face.figure} {face.sentence}", face.word, face.limit_words, face.small))
    row = Row(cells, said, None if face.share is None else (face.share / 2, 0.5), status=face.severity)
    axes = Axis("", 0.0, 1.0, percent=True), Axis("", 0.0, 1.0, names=("",))
    return Scene(face.sentence, "", face.small, *axes, (Bars(role, "", (face.share,), (None,)), *limits), said, (row,))


class _Meter(QWidget):
    """The bar from 0 to 100 % with a mark at the limit."""

    spoken = as_ornament

    def __init__(self) -> None:
        super().__init__()
        self._scene: Scene | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self.updateGeometry)

    def set_scene(self, scene: Scene) -> None:
        """Set the scene to paint."""
        self._scene = scene
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of bar and label."""
        return QSize(theme().px(110), theme().px(30))

    def minimumSizeHint(self) -> QSize:
        """Return the size of bar and label."""
        return QSize(theme().px(90), theme().px(30))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the bar and the mark of the limit."""
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        high, top = t.px(9), t.px(2)
        bars = self._scene.bars if self._scene is not None else ()
        share = bars[0].values[0] if bars else None
        if self._scene is None or share is None:
            # Nothing was measured: an empty outline, so that gauges beside each other keep their lines.
            painter.setPen(QPen(t.colour("control"), 1, Qt.PenStyle.DashLine))
            painter.drawRoundedRect(QRectF(0.5, top + 0.5, self.width() - 1, high - 1), 3, 3)
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.colour("line" if t.is_dark else "sunken"))
        painter.drawRoundedRect(QRectF(0, top, self.width(), high), 3, 3)
        if share:
            painter.setBrush(t.colour("plain_bar") if bars[0].role == "plain" else QColor(t.tokens.risk[5]))
            painter.drawRoundedRect(QRectF(0, top, max(self.width() * share, 2.0), high), 3, 3)
        for rule in self._scene.rules:
            x = min(max(self.width() * rule.at, 1.0), self.width() - 1.0)
            painter.setPen(QPen(t.colour("text"), 2))
            painter.drawLine(round(x), 0, round(x), top + high + t.px(2))
            wide = QFontMetrics(t.font(0.85)).horizontalAdvance(rule.words)
            painter.setFont(t.font(0.85))
            painter.setPen(t.colour("text2"))
            start = min(max(x - wide / 2, 0.0), max(self.width() - wide, 0.0))
            below = top + high + t.px(3)  # clear of the mark
            at = QRectF(start, below, wide + 2, self.height() - below)
            painter.drawText(at, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, rule.words)


class Gauge(Card):
    """A card with one figure and its limit."""

    def __init__(self, *, name: str) -> None:
        super().__init__(name=name)
        theme().space(self.body, 14, 14, 14, 14, 6)
        self._figure = Text("", factor=1.85, semibold=True, wrap=False, name=f"{name}_figure")
        self._sentence = Text("", name=f"{name}_sentence")
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        head = self._head = hbox(at_top(self._figure), stretched(self._sentence), gap=10)
        self._meter = _Meter()
        self._severity = Severity("note", "")
        self._middle = QBoxLayout(QBoxLayout.Direction.TopToBottom)
        fill(self._middle, stretched(self._meter), at_top(self._severity))
        self._small = Text("", tone="text3", factor=0.85, name=f"{name}_small")
        fill(self.body, head, self._middle, self._small, STRETCH)
        self._sentence.installEventFilter(self)
        self._figure.installEventFilter(self)
        self.face: GaugeFace | None = None

    def show_face(self, face: GaugeFace) -> None:
        """Show another figure with its sentence, meter and severity."""
        self.face = face
        self._sentence.setMinimumHeight(0)  # what it was lined up to is no longer so
        self._figure.setText(face.figure)
        self._sentence.setText(face.sentence)
        scene = gauge_scene(face)
        self._meter.set_scene(scene)
        self._severity.set(face.severity, face.word)
        self._small.setText(face.small)
        self.setToolTip(plain_tip(face.help))
        self.setAccessibleDescription(face.help)
        self.setAccessibleName(scene.sentence)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Reset the height when the font changes, until gauges are aligned again."""
        if event.type() == QEvent.Type.FontChange:
            self._sentence.setMinimumHeight(0)
        return super().eventFilter(watched, event)

    def head_height(self, width: int) -> int:
        """Return the height in pixels that figure and sentence need in a gauge of this width."""
        taken = self._figure.sizeHint().width() + self._head.spacing()
        # The label itself would answer with no less than what it was lined up to.
        room = QRect(0, 0, max(self._inside(width) - taken, 1), _HIGHEST)
        text = self._sentence.text()
        said = self._sentence.fontMetrics().boundingRect(room, Qt.TextFlag.TextWordWrap, text).height()
        said += self._sentence.contentsMargins().top()
        return max(said, self._figure.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the width needed with the verdict below the bar."""
        head = self._figure.sizeHint().width() + self._head.spacing() + self._sentence.minimumSizeHint().width()
        parts = (self._meter, self._severity, self._small)
        least = max(head, *(part.minimumSizeHint().width() for part in parts))
        return QSize(least + self.width() - self._inside(self.width()), super().minimumSizeHint().height())

    def has_room_beside(self, width: int) -> bool:
        """Return whether the verdict fits beside the bar in a gauge of this width in pixels."""
        # The gap that it would have there: the one of now would turn the answer round again and again.
        needed = self._meter.sizeHint().width() + theme().px(_GAP_BESIDE) + self._severity.sizeHint().width()
        return width >= theme().px(_BESIDE) and self._inside(width) >= needed

    def _inside(self, width: int) -> int:
        """Return the width inside the margins of a gauge of this width, in pixels."""
        around, frame = self.body.contentsMargins(), self.contentsMargins()
        return width - around.left() - around.right() - frame.left() - frame.right()

    def line_up(self, head: int, *, word_beside_bar: bool) -> None:
        """Align this gauge with the others of its line.

        Parameters
        ----------
        head
            Least height of figure and sentence in pixels, so that bars are at the same height.
        word_beside_bar
            Whether the verdict is beside the bar, not below it.
        """
        self._sentence.setMinimumHeight(head)
        down = QBoxLayout.Direction.TopToBottom
        direction = QBoxLayout.Direction.LeftToRight if word_beside_bar else down
        self._middle.setSpacing(theme().px(_GAP_BESIDE if word_beside_bar else 6))
        if direction != self._middle.direction():
            self._middle.setDirection(direction)
            # The layouts around it would keep the height that they have worked out before.
            self.body.invalidate()
            self.updateGeometry()
