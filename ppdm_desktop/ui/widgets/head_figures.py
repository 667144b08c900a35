"""Figures side by side at the head of a card, each with its comparison and what it counts below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout

from ppdm_desktop.ui.look.spoken import as_group, in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.release_figures import HeadFigure
from ppdm_desktop.ui.widgets.basic import Text, clear_layout
from ppdm_desktop.ui.widgets.layout import Panel


class HeadFigures(Panel):
    """The figures; none takes no room."""

    spoken = as_group

    def __init__(self) -> None:
        super().__init__(name="head_figures")
        self._grid = QGridLayout(self)
        theme().space(self._grid, 0, 4, 0, 4)
        theme().gaps(self._grid, 12, 0)
        self._shown: tuple[HeadFigure, ...] = ()
        self.hide()

    def show_figures(self, figures: tuple[HeadFigure, ...]) -> None:
        """Show other figures."""
        if figures == self._shown:
            return
        self._shown = figures
        clear_layout(self._grid)
        for column, figure in enumerate(figures):
            texts = (
                Text(figure.number, factor=1.45, semibold=True),
                Text(figure.beside, tone="text2", semibold=True, factor=0.95),
                Text(figure.caption, tone="text2", factor=0.9),
            )
            for row, text in enumerate(texts):
                self._grid.addWidget(text, row, column, Qt.AlignmentFlag.AlignTop)
            self._grid.setColumnStretch(column, 1)
        self.setAccessibleName(in_sentences(f"{each.number} {each.beside}: {each.caption}" for each in figures))
        self.setVisible(bool(figures))
