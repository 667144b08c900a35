"""A button that asks which level in a small menu below it."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.level_mark import level_icon


class LevelMenuButton(Button):
    """Opens a menu of levels; Space, Enter and a click do the same.

    Signals
    -------
    picked
        The key of the level chosen.
    """

    picked = Signal(str)

    def __init__(self, text: str, *, name: str, link: bool = False) -> None:
        super().__init__(text, name=name, link=link, icon="privacy-level" if not link else None)
        self._levels: list[tuple[str, str, int]] = []
        self.clicked.connect(self._on_clicked)

    def set_levels(self, levels: Sequence[tuple[str, str, int]]) -> None:
        """Offer (key, words, filled bars)."""
        self._levels = list(levels)

    def _on_clicked(self) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setObjectName("menu_levels")
        menu.setAccessibleName(self.text())
        for key, words, filled in self._levels:
            action = QAction(level_icon(filled), words, menu)
            action.setData(key)
            menu.addAction(action)
        menu.triggered.connect(self._on_chosen)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()) + QPoint(0, 2))

    def _on_chosen(self, action: QAction) -> None:
        self.picked.emit(str(action.data()))
