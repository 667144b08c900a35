"""The chain being built: its steps in order, to choose, move and remove."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from ppdm_desktop.engine.methods.registry import all_methods
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.basic import Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import IconButton
from ppdm_desktop.ui.widgets.card_button import CardButton


class ChainStrip(QWidget):
    """The steps of the candidate, one line each.

    Signals
    -------
    chosen, removed
        Place of a step, from 0.
    moved
        Place of a step, and by how many places.
    """

    chosen = Signal(int)
    removed = Signal(int)
    moved = Signal(int, int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("strip_steps")
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(theme().px(6))
        self._shown: tuple[str, ...] | None = None
        self._chips: list[CardButton] = []

    def show_steps(self, steps: Sequence[StepSection], current: int | None) -> None:
        """Show the chain; lines are made anew only when it changed."""
        methods = tuple(step.method for step in steps)
        if methods != self._shown:
            self._shown = methods
            self._rebuild(steps)
        for place, chip in enumerate(self._chips):
            chip.setChecked(place == current)

    def _rebuild(self, steps: Sequence[StepSection]) -> None:
        clear_layout(self._column)
        self._chips = []
        for place, step in enumerate(steps):
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.setSpacing(theme().px(2))
            row.addWidget(self._chip(place, step), 1)
            last = len(steps) - 1
            for icon, words, name, by, able in (
                ("up", self.tr("Move step {n} earlier"), "button_step_up", -1, place > 0),
                ("down", self.tr("Move step {n} later"), "button_step_down", 1, place < last),
            ):
                if last == 0:
                    continue
                button = IconButton(icon, words.format(n=place + 1), name=f"{name}_{place + 1}")
                button.setProperty("place", place)
                button.setProperty("by", by)
                button.setEnabled(able)
                button.clicked.connect(self._on_moved)
                row.addWidget(button)
            away = IconButton(
                "close", self.tr("Remove step {n}").format(n=place + 1), name=f"button_step_remove_{place + 1}"
            )
            away.setProperty("place", place)
            away.clicked.connect(self._on_removed)
            row.addWidget(away)
            self._column.addWidget(line)

    def _chip(self, place: int, step: StepSection) -> CardButton:
        method = all_methods().get(step.method)
        title = method.title if method is not None else step.method
        chip = CardButton(f"step_{place + 1}", self.tr("Step {n}: {title}").format(n=place + 1, title=title))
        chip.setProperty("place", place)
        row = QHBoxLayout()
        row.setSpacing(theme().px(8))
        number = Text(str(place + 1), semibold=True, wrap=False)
        number.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        row.addWidget(number)
        row.addWidget(Text(title), 1)
        chip.body.addLayout(row)
        chip.seal()
        chip.clicked.connect(self._on_chosen)
        self._chips.append(chip)
        return chip

    def _place(self) -> int:
        return int(self.sender().property("place"))

    def _on_chosen(self) -> None:
        self.chosen.emit(self._place())

    def _on_removed(self) -> None:
        self.removed.emit(self._place())

    def _on_moved(self) -> None:
        self.moved.emit(self._place(), int(self.sender().property("by")))
