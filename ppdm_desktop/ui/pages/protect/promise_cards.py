"""The cards that say what a method promises and what it does not."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.protect.effect_preview import kept_together
from ppdm_desktop.ui.widgets.basic import Card, IconLabel, Text, clear_layout


class PointCard(Card):
    """A card of sentences: what a method promises, or what it does not."""

    def __init__(self, name: str, title: str, icon: str, token: str) -> None:
        super().__init__()
        self.setObjectName(name)
        head = QHBoxLayout()
        head.addWidget(IconLabel(icon, token, 18))
        head.addWidget(Text(title, semibold=True, tone=token), 1)
        self.body.addLayout(head)
        self._list = QVBoxLayout()
        theme().space(self._list, 0, 0, 0, 0, 4)
        self.body.addLayout(self._list)
        self.body.addStretch(1)
        self._shown: tuple[str, ...] = ()

    def show_points(self, sentences: tuple[str, ...]) -> None:
        """Show the sentences."""
        if sentences == self._shown:
            return
        self._shown = sentences
        clear_layout(self._list)
        for sentence in sentences:
            line = QWidget()
            point = QHBoxLayout(line)
            theme().space(point, 0, 0, 0, 0, 6)
            dot = Text("•", factor=0.95, wrap=False)
            dot.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            point.addWidget(dot, 0, Qt.AlignmentFlag.AlignTop)
            point.addWidget(Text(kept_together(sentence), factor=0.95), 1)
            self._list.addWidget(line)
