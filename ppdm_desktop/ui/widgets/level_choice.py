"""A combo box of privacy levels with their bars."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.level_mark import level_icon


class LevelChoice(Choice):
    """Chooses one level by its word; the bars repeat it."""

    def __init__(self, *, name: str = "", words: str = "") -> None:
        super().__init__(name=name, words=words)
        self._levels: list[tuple[str, str, int]] = []
        theme().changed.connect(self._redraw)

    def set_levels(self, levels: Sequence[tuple[str, str, int]], current: str | None) -> None:
        """Offer (key, words, filled bars) without telling anybody; keep what is open when nothing changed."""
        if list(levels) != self._levels:
            self._levels = list(levels)
            self.set_choices([(key, words) for key, words, _ in levels], current)
            self._redraw()
        self.set_current(current)

    def minimumSizeHint(self) -> QSize:
        """Return Qt's own, but never higher than the box: Qt keeps the height of an icon that became smaller."""
        least = super().minimumSizeHint()
        return QSize(least.width(), min(least.height(), self.sizeHint().height()))

    def _redraw(self) -> None:
        self.setIconSize(QSize(theme().px(18), theme().px(13)))
        for place, (_, _, filled) in enumerate(self._levels):
            self.setItemIcon(place, level_icon(filled))
