"""Beside the table: the current column's values and notes, and what the letters mean."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QCheckBox, QGridLayout, QWidget

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, ROLES, DetailMark
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.columns.below_zero import NotBelowZero
from ppdm_desktop.ui.pages.columns.within import WithinPerson
from ppdm_desktop.ui.state.column_decisions import ColumnNote, column_notes, mark_columns, panel_words
from ppdm_desktop.ui.state.column_facts import top_and_rest
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.flow import Flow
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import STRETCH, at_left, fill, hbox, vbox
from ppdm_desktop.ui.widgets.roles import LETTERS, UNDECIDED, RolePill, role_meaning
from ppdm_desktop.ui.widgets.value_bars import ValueBars


class ColumnPanel(Card):
    """One column: name, role, reason, most frequent values, notes.

    Signals
    -------
    confirmed
        The suggestion is accepted.
    left_out
        The column is to be left out.
    """

    confirmed = Signal()
    left_out = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(name="panel_column")
        self.session = context.session
        self._notes: list[ColumnNote] = []
        self.name = Text("", semibold=True, factor=1.1, name="label_column")
        self.pill = RolePill("other")
        self.reason = Text("", tone="text2", name="label_column_reason")
        self.wish = Text("", tone="text2", name="label_column_wish")
        fill(self.body, self.name, at_left(self.pill), self.reason, self.wish)
        self.button_confirm = Button(_("Confirm"), name="button_confirm_column", icon="check", clicked=self.confirmed)
        self.button_leave = Button(_("Leave out"), name="button_leave_out_column", clicked=self.left_out)
        self._notes_holder = QWidget()
        self._notes_box = vbox(on=self._notes_holder, gap=6)
        self.about = Text("", factor=0.92, tone="text2")
        fill(self.body, hbox(self.button_confirm, self.button_leave, STRETCH), self._notes_holder, self.about)
        self._marks = Flow()
        self._mark_boxes: dict[DetailMark, QCheckBox] = {}
        marks: dict[DetailMark, str] = {
            "keep": _("★ Must stay detailed"),
            "may-go": _("May go"),
        }
        for mark, words in marks.items():
            box = check_box(words, name=f"check_mark_{mark}", clicked=self._on_mark)
            self._mark_boxes[mark] = box
            self._marks.add(box)
        self.within = WithinPerson(context)
        self.below_zero = NotBelowZero(context)
        self.bars = ValueBars(name="bars_column", words=_("Most frequent values"))
        self.rest = Text("", factor=0.85, tone="text3")
        fill(self.body, self._marks, self.within, self.below_zero, self.bars, self.rest)

    def show_column(self, name: str) -> None:
        """Show a column."""
        facts, section = self.session.facts.get(name), self.session.decisions.recipe.columns.get(name)
        if facts is None:
            return
        confirmed = name in self.session.decisions.confirmed
        self.name.setText(name)
        self.pill.set_role(section.role if section is not None else UNDECIDED)
        meaning = role_meaning(section.role) if section is not None and confirmed else facts.reason
        self.reason.setText(meaning[:1].upper() + meaning[1:])
        if section is None:
            text = _("Type the letter of a role to decide.")
        elif confirmed:
            text = _("You confirmed this role.")
        elif facts.strong:
            text = _("Confirm this role or choose another.")
        else:
            text = _("Not certain: look at this column, then confirm the role or choose another.")
        self.wish.setText(text)
        self.button_confirm.setVisible(section is not None and not confirmed)
        self.button_leave.setVisible(section is None or section.role != "left-out")
        self.about.setText(panel_words(self.session, name))
        self._marks.setVisible(section is not None and section.role in ATTRIBUTE_ROLES)
        for mark, box in self._mark_boxes.items():
            box.setChecked(section is not None and section.detail == mark)
        self.within.show_column(name)
        self.below_zero.show_column(name)
        if self.bars.values != facts.top:
            self.bars.set_values(facts.top)
        others, cells = top_and_rest(facts)
        self.rest.setText(
            _("and {n} other {n:value|values} in {cells} {cells:row|rows}", n=others, cells=cells) if others else ""
        )
        self.rest.setVisible(bool(others))
        self._show_notes(column_notes(self.session, name))

    def _on_mark(self, marked: bool) -> None:
        """Give the column one of the two marks, or take it away."""
        mark = next(mark for mark, box in self._mark_boxes.items() if box is self.sender())
        mark_columns(self.session, [self.name.text()], mark if marked else None)

    def _show_notes(self, notes: list[ColumnNote]) -> None:
        if notes == self._notes:
            return
        self._notes = notes
        clear_layout(self._notes_box)
        for note in notes:
            self._notes_box.addWidget(Strip(note.severity, note.words))
        self._notes_holder.setVisible(bool(notes))


class LettersCard(Card):
    """What the letters mean; the same letters set the role of the selected columns."""

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
        theme().changed.connect(self._recolour)
        self._recolour()

    def _recolour(self) -> None:
        for role, label in self._letters.items():
            palette = label.palette()
            palette.setColor(label.foregroundRole(), QColor(theme().tokens.roles[role]))
            label.setPalette(palette)
            label.setStyleSheet(f"color: {theme().tokens.roles[role]};")
