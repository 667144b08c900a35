"""Card with the steps: select, switch, move and remove a step, and whether the order of the steps is possible."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QBoxLayout, QCheckBox, QSizePolicy, QWidget

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import WITH_NO_ROWS, misplaced_step
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.step_chain import title_of, title_with_columns
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button, IconButton
from ppdm_desktop.ui.widgets.fold import CardButton
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import FitsOnResize, Panel, add_parts, hbox, stretch_part, vbox


@dataclass(frozen=True)
class OrderProblem:
    """Why the steps cannot run in their order.

    Attributes
    ----------
    sentence
        What is wrong and what to do.
    index
        Index of the step that has to move.
    by
        By how many positions it has to move; 0 if no move helps.
    """

    sentence: str
    index: int
    by: int


def order_problem(steps: tuple[StepSection, ...]) -> OrderProblem | None:
    """Return the first problem with the order of the steps, with how to solve it; None if the order is possible.

    Only steps that are switched on count, but the index in the result counts all. Problems are a step that must come
    before an earlier one (the third before the first: index 2, by -2), and two steps that cannot be combined (by 0). If
    the order cannot be checked at all, the sentence is that error, and both numbers are 0.
    """
    try:
        wrong = misplaced_step(steps)
    except PpdmError as error:
        return OrderProblem(explain(error, window=True), 0, 0)
    if wrong is None:
        return None
    sentence = lazy("“{method}” must come before “{earlier}”. Put it first, or switch one of the two off.")
    if wrong.reason == WITH_NO_ROWS:
        sentence = lazy(
            "These steps cannot be combined. “{method}” shows which rows belong to the same person, but “{earlier}” "
            "generates artificial rows. Switch one of the two off."
        )
    text = sentence.format(method=Term(wrong.method.title), earlier=Term(wrong.earlier.title))
    by = wrong.earlier_index - wrong.index if wrong.can_be_moved else 0
    return OrderProblem(text, wrong.index, by)


class StepChip(CardButton):
    """Button of one step with its number and title; a step that is switched off has no number."""

    def __init__(self, index: int, title: str) -> None:
        super().__init__(f"step_{index + 1}", title)
        self._title = title
        self._number = Text("", semibold=True, wrap=False)
        self._number.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
        self._title_label = Text(title)
        self._off = Text(_("off, skipped"), tone="text2", factor=0.9, wrap=False, name=f"label_step_off_{index + 1}")
        self._off.hide()
        self.body.addLayout(hbox(self._number, stretch_part(self._title_label), self._off, gap=8))
        self.seal()

    def show_step(self, number: int | None) -> None:
        """Show the number of the step, such as 2; None shows "–" and that the step is switched off."""
        off = number is None
        self._number.setText("–" if off else str(number))
        self._number.set_tone("text3" if off else "text")
        self._title_label.set_tone("text3" if off else "text")
        self._off.setVisible(off)
        text = join_label(self._title, self._off.text())
        if number is not None:
            text = _("Step {n:place}: {method}", n=number, method=Term(self._title))
        self.setAccessibleName(text)
        self.updateGeometry()


_LEAST_NOTE = 270
"""Least width of the note beside the button, in pixels at 100 %; the button goes below it where there is less."""


class ChainCard(FitsOnResize, Card):
    """Card with the steps in their order, one in a line, and the button that queues them as a candidate.

    A line has a switch, the title, and buttons that move or remove the step.

    Signals
    -------
    chosen, removed
        Index of a step, from 0.
    moved
        Index of a step, and by how many positions.
    switched
        Index of a step, and whether it is switched on.
    add_wanted
        The user wants to queue the candidate.
    """

    chosen = Signal(int)
    removed = Signal(int)
    moved = Signal(int, int)
    switched = Signal(int, bool)
    add_wanted = Signal()

    def __init__(self) -> None:
        super().__init__(name="card_chain")
        lines = Panel(name="strip_steps")
        self._column = vbox(on=lines, gap=6)
        self._titles: tuple[str, ...] | None = None
        self._chips: list[StepChip] = []
        self._switches: list[QCheckBox] = []
        self._problem: OrderProblem | None = None
        self._move = Button(_("Move it"), name="button_move_step", clicked=self._on_move)
        self._order = Strip("blocks", "", self._move, name="strip_order")
        row = self._foot = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._note = Text("", tone="text2", factor=0.9)
        self._add = Button(_("Add to queue"), name="button_add_to_queue", icon="plus", primary=True)
        self._add.clicked.connect(self.add_wanted)
        add_parts(row, stretch_part(self._note), self._add)
        add_parts(self.body, lines, self._order, row)
        theme().changed.connect(self._adapt_to_size)

    def show_steps(self, steps: tuple[StepSection, ...], current: int | None) -> None:
        """Show the steps, with the step at index ``current`` selected (None: no step); the title counts those in use.

        A problem with their order is shown, with a button that moves a step if that solves it, and disables the button
        that queues them as a new version. Otherwise a note says that a new run gives different random values, or, if no
        step is switched on, that no method was applied.
        """
        used = [step for step in steps if step.enabled]
        self.set_title(_("New version: {n} {n:step|steps}", n=len(used)))
        self._show_lines(steps, current)
        problem = self._problem = order_problem(steps)
        self._order.set("blocks", problem.sentence if problem is not None else "")
        self._move.setVisible(problem is not None and problem.by != 0)
        if problem is not None:
            note = ""
        elif used:
            note = _("A new run uses a new key and gives different random values.")
        else:
            note = _("No method was applied.")
        self._note.setText(note)
        self._add.setEnabled(problem is None)
        # One accent at a time: first a step, then the queue.
        self._add.set_primary(bool(steps) and current is not None)

    def _on_move(self) -> None:
        """Ask to move the step that must come before an earlier one directly before that step."""
        if self._problem is not None:
            self.moved.emit(self._problem.index, self._problem.by)

    def _adapt_to_size(self) -> None:
        """Put the button below the note if the note beside it would be narrower than 270 px at 100 % text size."""
        left = self.width() - self._add.sizeHint().width()
        across, down = QBoxLayout.Direction.LeftToRight, QBoxLayout.Direction.TopToBottom
        self._foot.setDirection(down if left < theme().px(_LEAST_NOTE) else across)

    def _show_lines(self, steps: Sequence[StepSection], current: int | None) -> None:
        """Show a line for each step, with the step at index ``current`` selected (None: no step).

        Only steps that are switched on have a number: with the second of three switched off they are 1, – and 2. Steps
        with the same method are distinguished by their columns. All lines are built again if a title or the order of
        titles changed; otherwise only numbers, selection and switches change.
        """
        methods = [step.method for step in steps]
        titles = tuple(
            title_with_columns(step, [step]) if methods.count(step.method) > 1 else title_of(step) for step in steps
        )
        if titles != self._titles:
            self._titles = titles
            self._rebuild_lines(titles)
        number = 0
        for index, step in enumerate(steps):
            number += step.enabled
            self._chips[index].show_step(number if step.enabled else None)
            self._chips[index].setChecked(index == current)
            box = self._switches[index]
            with QSignalBlocker(box):
                box.setChecked(step.enabled)

    def _rebuild_lines(self, titles: Sequence[str]) -> None:
        """Replace all lines by new ones, each with the switch, the title, and buttons to move and remove a step.

        ``titles`` has the title of each step. The first step cannot be moved up, nor the last down; a single step has
        no buttons to move it.
        """
        clear_layout(self._column)
        self._chips, self._switches = [], []
        for index, title in enumerate(titles):
            line = QWidget()
            box = check_box(_("Use"), name=f"check_step_{index + 1}", toggled=partial(self.switched.emit, index))
            box.setAccessibleName(join_label(_("Use"), title))
            self._switches.append(box)
            row = hbox(box, on=line, gap=2)
            chip = StepChip(index, title)
            chip.clicked.connect(partial(self.chosen.emit, index))
            self._chips.append(chip)
            row.addWidget(chip, 1)
            last = len(titles) - 1
            for icon, label, name, by, able in (
                ("up", _("Up"), "button_step_up", -1, index > 0),
                ("down", _("Down"), "button_step_down", 1, index < last),
            ):
                if last == 0:
                    continue
                button = IconButton(icon, join_label(label, title), name=f"{name}_{index + 1}")
                button.setEnabled(able)
                button.clicked.connect(partial(self.moved.emit, index, by))
                row.addWidget(button)
            remove = join_label(_("Remove"), title)
            away = partial(self.removed.emit, index)
            row.addWidget(IconButton("close", remove, name=f"button_step_remove_{index + 1}", clicked=away))
            self._column.addWidget(line)
