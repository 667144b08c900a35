"""Placeholder for content that is being computed: a text and grey bars."""

from __future__ import annotations

from itertools import cycle

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.ui.look.spoken import Role, Spoken
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.layout import fill

_WIDTHS = (0.55, 0.9, 0.75, 0.35, 0.85, 0.6)
_HIGH, _GAP = 14, 12


class _Bars(QWidget):
    """Grey bars, ignored by screen readers."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        self._fit()
        theme().changed.connect(self._fit)

    def spoken(self) -> Spoken:
        """Return that screen readers leave it out."""
        return Spoken(Role.Graphic, hidden=True)

    def _fit(self) -> None:
        """Set the height of the grey bars for the text size."""
        self.setMinimumHeight(theme().px(len(_WIDTHS) * (_HIGH + _GAP)))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as many bars as fit."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("line"))
        high, step = theme().px(_HIGH), theme().px(_HIGH + _GAP)
        for top, share in zip(range(0, self.height() - high, step), cycle(_WIDTHS), strict=False):
            painter.drawRoundedRect(QRectF(0, top, self.width() * share, high), 4, 4)
        painter.end()


class Skeleton(Card):
    """Card that says what is being computed and what is known so far."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self._doing = Severity("note", "", wrap=True)
        self._known = Text("", tone="text2")
        fill(self.body, self._doing, self._known, _Bars())
        self.hide()

    @property
    def words(self) -> str:
        """The text on what is being computed."""
        return self._doing.word

    def show_words(self, doing: str, known_facts: str = "") -> None:
        """Show what is being computed and what is known; an empty text hides the card."""
        self._doing.set("note", doing)
        self._known.setText(known_facts)
        self._known.setVisible(bool(known_facts))
        self.setVisible(bool(doing))
