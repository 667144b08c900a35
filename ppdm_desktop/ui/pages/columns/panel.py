"""Cards beside the table: the current column with values and notes, and the letter keys that set roles."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.models import (
    ATTRIBUTE_ROLES,
    ROLES,
    DetailMark,
    InputSection,
    RepairSection,
    WithinPersonWay,
)
from ppdm_desktop.engine.table.person_ids import identify_people
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.column_decisions import (
    ColumnNote,
    column_notes,
    describe_column,
    has_common_value,
    mark_columns,
    read_below_zero,
)
from ppdm_desktop.ui.state.column_facts import count_values_not_shown
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.elided import Elided
from ppdm_desktop.ui.widgets.folding import FoldingButton, FoldingCheckBox
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, Panel, add_parts, align_left, hbox, vbox, widget_of
from ppdm_desktop.ui.widgets.roles import LETTERS, UNDECIDED, RolePill, role_meaning
from ppdm_desktop.ui.widgets.value_bars import ValueBars
from ppdm_desktop.ui.work.tasks import TaskOutcome


class ColumnPanel(Card):
    """Card of one column: name, role, reason for the role, most frequent values, notes.

    Signals
    -------
    confirmed
        The user accepts the suggested role.
    left_out
        The user leaves the column out.
    """

    confirmed = Signal()
    left_out = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(name="panel_column")
        self.session = context.session
        self._notes: list[ColumnNote] = []
        self.name = Elided("", semibold=True, factor=1.1, is_path=True)
        self.pill = RolePill("other")
        self.reason = Text("", tone="text2", name="label_column_reason")
        self.wish = Text("", tone="text2", name="label_column_wish")
        add_parts(self.body, self.name, align_left(self.pill), self.reason, self.wish)
        self.button_confirm = Button(_("Confirm"), name="button_confirm_column", icon="check", clicked=self.confirmed)
        self.button_leave = Button(_("Leave out"), name="button_leave_out_column", clicked=self.left_out)
        self._notes_holder = QWidget()
        self._notes_box = vbox(on=self._notes_holder, gap=6)
        self.about = Text("", factor=0.92, tone="text2")
        add_parts(self.body, hbox(self.button_confirm, self.button_leave, STRETCH), self._notes_holder, self.about)
        self._mark_boxes: dict[DetailMark, QCheckBox] = {
            "keep": check_box(_("★ Must stay detailed"), name="check_mark_keep", clicked=self._on_mark),
            "may-go": check_box(_("May go"), name="check_mark_may-go", clicked=self._on_mark),
        }
        self._marks = Flow(*self._mark_boxes.values())
        self.within = WithinPerson(context)
        self.below_zero = NotBelowZero(context)
        self.common = FoldingCheckBox(_("Even the most common value is sensitive"), objectName="check_common_is_secret")
        self.common.clicked.connect(self._on_common)
        self.bars = ValueBars(name="bars_column", label=_("Most frequent values"))
        self.rest = Text("", factor=0.85, tone="text3")
        add_parts(self.body, self._marks, self.within, self.below_zero, self.common, self.bars, self.rest)

    def show_column(self, name: str) -> None:
        """Show a column: its role with a reason, what the user has to do, figures, frequent values, marks and notes.

        The reason is that of the suggestion; once the role is confirmed, it is the meaning of the role instead.
        """
        facts, section = self.session.facts[name], self.session.decisions.recipe.columns.get(name)
        confirmed = name in self.session.decisions.confirmed
        self.name.setText(name)
        self.pill.set_role(section.role if section is not None else UNDECIDED)
        meaning = role_meaning(section.role) if section is not None and confirmed else facts.reason
        self.reason.setText(meaning[:1].upper() + meaning[1:])
        if section is None:
            text = _("Press a letter to give this role to the selected columns.")
        elif confirmed:
            text = _("You confirmed this role.")
        else:
            text = _("Confirm this role or choose another.")
        self.wish.setText(text)
        self.button_confirm.setVisible(section is not None and not confirmed)
        self.button_leave.setVisible(section is None or section.role != "left-out")
        self.about.setText(describe_column(self.session, name))
        self._marks.setVisible(section is not None and section.role in ATTRIBUTE_ROLES)
        for mark, box in self._mark_boxes.items():
            box.setChecked(section is not None and section.detail == mark)
        self.within.show_column(name)
        self.below_zero.show_column(name)
        self.common.setVisible(has_common_value(self.session, name))
        self.common.setChecked(section is not None and bool(section.common_is_secret))
        if self.bars.values != facts.top:
            self.bars.set_values(facts.top)
        other_values, cells = count_values_not_shown(facts)
        self.rest.setText(
            _("and {n} other {n:value|values} in {cells} {cells:row|rows}", n=other_values, cells=cells)
            if other_values
            else ""
        )
        self.rest.setVisible(bool(other_values))
        self._show_notes(column_notes(self.session, name))

    def _on_mark(self, marked: bool) -> None:
        """Mark the column as "must stay detailed" or "may go" after its box was clicked, or remove the mark."""
        mark = next(mark for mark, box in self._mark_boxes.items() if box is self.sender())
        mark_columns(self.session, [self.name.text()], mark if marked else None)

    def _on_common(self, secret: bool) -> None:
        """Decide whether a value that nearly everybody has counts as a secret in this column, without confirming it."""
        self.session.set_column([self.name.text()], confirm=False, common_is_secret=secret or None)

    def _show_notes(self, notes: list[ColumnNote]) -> None:
        """Show the notes on a column; the widgets are kept if the notes did not change."""
        if notes == self._notes:
            return
        self._notes = notes
        clear_layout(self._notes_box)
        for note in notes:
            self._notes_box.addWidget(Strip(note.severity, note.text))
        self._notes_holder.setVisible(bool(notes))


class LettersCard(Card):
    """Card that explains which letter key sets which role of the selected columns."""

    def __init__(self) -> None:
        super().__init__(_("What the letters mean"), _("Press a letter to give this role to the selected columns."))
        grid = QGridLayout()
        grid.setColumnStretch(1, 1)
        theme().gaps(grid, 10, 5)
        self._letters: dict[str, Text] = {}
        for row, role in enumerate(ROLES):
            letter = Text(LETTERS[role], semibold=True, wrap=False)
            self._letters[role] = letter
            grid.addWidget(letter, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(Text(role_meaning(role), tone="text2"), row, 1)
        self.body.addLayout(grid)
        theme().changed.connect(self._colour_letters)
        self._colour_letters()

    def _colour_letters(self) -> None:
        """Draw each role's letter in the colour that the role has in the present theme."""
        for role, label in self._letters.items():
            label.setStyleSheet(f"color: {theme().tokens.roles[role]};")


class NotBelowZero(Panel):
    """Card on whether a number column can have values below zero: a check box, or a question with two answers."""

    def __init__(self, context: Context) -> None:
        super().__init__(topic="figure.not-below-zero")
        self._session = context.session
        self._column = ""
        self.check = check_box(_("Never below zero"), name="check_not_negative", toggled=self._set_never_negative)
        self.note = Text("", factor=0.92, tone="text2", name="label_not_negative")
        self.button_yes = Button(
            _("Yes"),
            name="button_not_negative_yes",
            icon="check",
            clicked=partial(self._set_never_negative, True),
        )
        self.button_no = Button(
            _("No"), name="button_not_negative_no", clicked=partial(self._set_never_negative, False)
        )
        self._answers = widget_of(hbox(self.button_yes, self.button_no, STRETCH, gap=8))
        vbox(self.check, self.note, self._answers, on=self, gap=4)
        self.hide()

    def show_column(self, name: str) -> None:
        """Show whether a column can never be negative; two buttons answer it if that is only suggested.

        The card is hidden if the question does not apply to the column (see `read_below_zero`).
        """
        self._column = name
        count = read_below_zero(self._session, name)
        self.setVisible(count is not None)
        if count is None:
            return
        with QSignalBlocker(self.check):
            self.check.setChecked(bool(count.marked))
        self.note.setText(count.text)
        self.check.setAccessibleDescription(count.text)
        self._answers.setVisible(count.asks)
        asked = _("Is {column} never below zero?", column=Name(name))
        for button in (self.button_yes, self.button_no):
            button.setAccessibleDescription(asked)

    def _set_never_negative(self, never: bool) -> None:
        """Decide whether the column can never be negative; its role is not confirmed by that."""
        self._session.set_column([self._column], confirm=False, not_negative=never)


_JOB = "within-person"


class WithinPerson(QWidget):
    """A sentence and a button on a column whose values differ between the rows of the same person."""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self._context = context
        self.note = Text("", factor=0.92, tone="text2", name="label_within_person")
        self.button = FoldingButton("", name="button_within_person", link=True, clicked=self._on_wanted)
        vbox(self.note, align_left(self.button), on=self, gap=4)
        self._column = ""
        self._of: tuple[Reading, tuple[str, ...]] | None = None
        self._varying: Mapping[str, int] = {}
        self.hide()

    def show_column(self, name: str) -> None:
        """Show how many people have different values of this column in their rows.

        The widget is hidden if no column identifies people, if this column identifies them, or if the rows of a person
        are combined. At the first call for a table, and again for other columns that identify people, they are counted
        for all columns in the background.
        """
        self._column = name
        reading, section = self._context.session.reading, self._context.session.decisions.recipe.input
        if reading is None or not section.person or section.reduce is not None or name in section.person:
            self.hide()
            return
        if self._of is None or self._of[0] is not reading or self._of[1] != section.person:
            self._of, self._varying = (reading, section.person), {}
            if all(name in reading.table for name in section.person):
                self._context.runner.start(_JOB, partial(count_varying, reading, section.person), self._on_counted)
        self._show_varying_people()

    def _on_counted(self, outcome: TaskOutcome) -> None:
        """Show the current column's sentence after people with different values were counted.

        If that failed, the widget stays hidden for this table; if it was cancelled, the next ``show_column`` counts.
        """
        if outcome.ok:
            self._varying = outcome.result
            self._show_varying_people()
        elif outcome.cancelled:
            self._of = None

    def _show_varying_people(self) -> None:
        """Show how many people have different values in their rows, and a button that makes their values equal.

        If they are made equal already, the button undoes this. The widget is hidden until the column is counted. If
        there are no such people, a sentence says so and the button is hidden.
        """
        varying = self._varying.get(self._column)
        self.setVisible(varying is not None)
        if varying is None:
            return
        section = self._context.session.decisions.recipe.input.repair.get(self._column)
        made = section is not None and section.within_person is not None
        text = _("Each person has the same value in all rows.")
        if varying and not made:
            text = _("{n} {n:person has|people have} different values in their rows.", n=varying)
        self.note.setText(text)
        self.button.set_label(_("Keep the original values") if made else _("Use each person’s first value"))
        self.button.setVisible(bool(varying))

    def _on_wanted(self) -> None:
        """Use each person's first value in all rows of that person, or the original ones if one is used already.

        Either is a decision in the recipe.
        """
        session, name = self._context.session, self._column
        options = session.decisions.recipe.input
        section = options.repair.get(name)
        made = section is not None and section.within_person is not None
        session.decide_recipe(input=set_within_person_way(options, name, None if made else "first"))


def count_varying(reading: Reading, person: tuple[str, ...]) -> Mapping[str, int]:
    """Return for each column name the number of people with at least two different values in their rows.

    A missing value counts as a value: "" and "a" are different.

    Parameters
    ----------
    reading
        The table as it was read.
    person
        Names of the columns that identify people.
    """
    table = reading.table
    people = identify_people(table, person)
    varying = {}
    for index, column in enumerate(table.columns):
        progress.report(index / len(table.columns), "doing.read")
        varying[column.name] = people.varying(column.category_codes)
    return varying


def set_within_person_way(options: InputSection, column: str, way: WithinPersonWay | None) -> InputSection:
    """Return reading options with another choice of whether all rows of a person get the same value of a column.

    Other repairs of the column are kept; without any its section is left out.

    Parameters
    ----------
    options
        Present reading options.
    column
        Name of the column.
    way
        How the value is chosen; None keeps the values as they are.
    """
    repairs = dict(options.repair)
    section = repairs.pop(column, RepairSection()).model_copy(update={"within_person": way})
    if way is not None or section.in_reading:
        repairs[column] = section
    return options.model_copy(update={"repair": repairs})
