"""The card of the candidate being built: its steps, what is wrong with their order, and the way to the queue."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.protect.chain import ChainStrip
from ppdm_desktop.ui.pages.protect.order import order_problem
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import fill, stretched

_LEAST_NOTE = 270
"""Pixels at 100 % beside the button, with the card's own margins, under which the button goes below."""


class ChainCard(Card):
    """The steps in order, with the button that queues them.

    Signals
    -------
    move_wanted
        The step shall be moved to a place where it can stand.
    add_wanted
        The candidate shall be queued.
    """

    move_wanted = Signal()
    add_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(name="card_chain")
        self.strip = ChainStrip()
        self._order = Strip("blocks", "", name="strip_order")
        self._move = Button(_("Move it"), name="button_move_step", clicked=self.move_wanted)
        self._order.add_button(self._move)
        row = self._foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._note = Text("", tone="text2", factor=0.9)
        self._add = Button(_("Add to queue"), name="button_add_to_queue", icon="plus", primary=True)
        self._add.clicked.connect(self.add_wanted)
        fill(row, stretched(self._note), self._add)
        fill(self.body, self.strip, self._order, row)
        theme().changed.connect(self._fit)

    def show_steps(self, steps: tuple[StepSection, ...], place: int | None) -> None:
        """Show a chain, and which of its steps is looked at."""
        used = [step for step in steps if step.enabled]
        self.set_title(_title(len(used), len(steps) - len(used)))
        self.strip.show_steps(steps, place)
        problem = order_problem(steps)
        self._order.set("blocks", problem.sentence if problem is not None else "")
        self._move.setVisible(problem is not None and problem.by != 0)
        if problem is not None:
            note = _("First correct the order. Then you can add this version.")
        elif used:
            note = _("Each run uses its own secret key. Its result does not change later.")
        else:
            note = _("Without a step, only the settings of the columns apply.")
        self._note.setText(note)
        self._add.setEnabled(problem is None)
        # One accent at a time: first a step, then the queue.
        self._add.set_primary(bool(steps) and place is not None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Find the place of the button for the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Put the button below the note where it would leave it a narrow column."""
        left = self.width() - self._add.sizeHint().width()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._foot.setDirection(down if left < theme().px(_LEAST_NOTE) else across)


def _title(used: int, off: int) -> str:
    """Return the card's title by how many steps will run and how many are off."""
    if used and off:
        return _("New version: {n} {n:step|steps}, {off} more off", n=used, off=off)
    if used:
        return _("New version: {n} {n:step|steps in this order}", n=used)
    return _("New version: every step is off") if off else _("New version: no step yet")
