"""Dialog that attacks one record: choose a person, and see what an intruder who knows this person would find."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from ppdm_desktop.engine.release.attack_audit.attack_person import AttackedPerson, AttackedRecord, attack_person
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack, prepare_attack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.audit.record_texts import (
    MOST_PEOPLE,
    Block,
    People,
    best_row,
    build_record_blocks,
    describe_person,
    describe_record_attack,
    rows_block,
)
from ppdm_desktop.ui.pages.compare.tab_order import set_tab_order_after
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import WholeNumber, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, Panel, add_parts, hbox, stretch_part, vbox, widget_of
from ppdm_desktop.ui.widgets.scrolling import Area
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.headers import show_whole_text
from ppdm_desktop.ui.widgets.work import WorkBar
from ppdm_desktop.ui.work.chunked_work import make_timer
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

_AFTER_LAST_KEY_MS = 200
_MOST_ROWS = 6


class TrueValues(FormTable):
    """Table with true values, whose cells cannot be copied."""

    def __init__(self, model: RowsModel, *, name: str, label: str, most_rows: int) -> None:
        super().__init__(model, name=name, label=label, stretch=-1, most_rows=most_rows)
        self.horizontalHeader().setStretchLastSection(True)
        # Long names and values often differ at their ends only.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ignore the keys for copying, so that true values are not copied; F2 shows the full text of a cell."""
        if event.key() == Qt.Key.Key_F2 and self.currentIndex().isValid():
            show_whole_text(self, self.currentIndex(), str(self.currentIndex().data()))
        elif event.matches(QKeySequence.StandardKey.Copy):
            event.accept()
        else:
            super().keyPressEvent(event)


class PeoplePicker(QWidget):
    """A field for the row number, a search field, and the list of people, starting with unique people.

    Signals
    -------
    picked
        Row number of the person to attack.
    """

    picked = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._people: People | None = None
        self._numbers: list[int] = []
        self.search = line_edit(
            name="edit_find_record",
            label=_("People"),
            hint=_("Find by a detail or row number"),
        )
        self.number = WholeNumber(name="spin_attack_row", label=_("Row of the original"))
        theme().bound(self.number, least_wide=90)
        label = Text(_("Row"), tone="text2", wrap=False, buddy=self.number)
        self.button = Button(_("Attack"), name="button_attack_row", clicked=self._on_attack)
        self.model = RowsModel(("",), parent=self)
        text = _("People of the original")
        self.table = TrueValues(self.model, name="table_attack_people", label=text, most_rows=_MOST_ROWS)
        self.match_text = Text("", tone="text3", factor=0.85, name="label_attack_people")
        line = hbox(stretch_part(self.search), label, self.number, self.button, gap=10)
        vbox(line, self.table, self.match_text, on=self, gap=8)
        self._wait = make_timer(self, _AFTER_LAST_KEY_MS, self._fill_people_list)
        self.search.textChanged.connect(self._wait.start)
        self.number.valueChanged.connect(self._on_number)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self.table.activated.connect(self._on_activated)
        self.set_people(None)

    def set_people(self, people: People | None) -> None:
        """Offer people in the list and the row numbers of the original in the field, and enable the controls.

        The first person in the list is selected. None empties list and search field and disables all controls, because
        the people are still being prepared.
        """
        self._people = people
        for widget in (self.search, self.number, self.button, self.table):
            widget.setEnabled(people is not None)
        # An empty table says nothing while people are being made ready.
        self.table.setVisible(people is not None)
        if people is None:
            self.search.clear()
            self._wait.stop()
            self.model.set_rows([])
            self.match_text.setText("")
            return
        numbers = people.attack.numbers
        self.number.setRange(int(numbers[0]), int(numbers[-1]))
        right = (0, 1, 2) if people.persons.with_several else (0, 1)
        self.model = RowsModel(people.headers(), right=right, parent=self)
        self.table.show_model(self.model)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)
        self._fill_people_list()

    def _fill_people_list(self) -> None:
        """List the people who match the search (at most ``MOST_PEOPLE``), and put the first one's row into the field.

        A line below says how many people match; if nobody does, attacking is disabled. Nothing happens before people
        were offered.
        """
        people = self._people
        if people is None:
            return
        matching = people.matching(self.search.text())
        first = matching[:MOST_PEOPLE]
        self._numbers = people.attack.numbers[first].tolist()
        self.model.set_rows(people.rows(first))
        text = _("{n} of {all} {all:person|people}, unique people first.", n=len(first), all=len(matching))
        self.match_text.setText(text if len(matching) else _("Nobody has this value."))
        # Whom a search did not find is not attacked, unless their row is typed.
        self.button.setEnabled(bool(self._numbers))
        if self._numbers:
            self.table.select_row(0)
            self.number.setValue(self._numbers[0])

    def _on_number(self, _number: int) -> None:
        """Enable the attack button for another row number, if people are offered, even if a search found nobody."""
        self.button.setEnabled(self._people is not None)

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Copy the row number of the current person into the number field; nothing if no row is current."""
        if 0 <= current.row() < len(self._numbers):
            self.number.setValue(self._numbers[current.row()])

    def _on_activated(self, index: QModelIndex) -> None:
        """Attack the person whose row was double-clicked or opened with the keyboard; nothing for an invalid index."""
        if 0 <= index.row() < len(self._numbers):
            self.number.setValue(self._numbers[index.row()])
            self._on_attack()

    def _on_attack(self) -> None:
        """Send ``picked`` with the row number in the field; nothing while the attack button is disabled."""
        if self._people is not None:
            self.number.interpretText()
        if self.button.isEnabled():
            self.picked.emit(self.number.value())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Attack the person in the number field when Enter is pressed, unless the attack button is disabled.

        Qt handles all other keys.
        """
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._on_attack()
        else:
            super().keyPressEvent(event)


class BlockCard(Card):
    """Card with a headline, a text and a table; the table is left out if it has no rows."""

    def __init__(self, block: Block, *, tone: str = "text3", factor: float = 0.85, small: str = "") -> None:
        super().__init__(block.title, block.caption, name=f"card_{block.name}")
        model = RowsModel(block.headers, right=block.right, parent=self)
        self.table = TrueValues(model, name=f"table_{block.name}", label=block.title, most_rows=10)
        model.set_rows(block.rows)
        if block.rows:
            self.body.addWidget(self.table)
        if block.small:
            self.body.addWidget(Text(block.small, tone=tone, factor=factor, name=small))


class AttackedPersonView(Panel):
    """Cards on one attacked person, with a choice of the row if the person has several; empty at first."""

    def __init__(self) -> None:
        super().__init__(name="view_attacked")
        self._person, self._column = vbox(gap=12), vbox(gap=12)
        self._record = widget_of(self._column)
        vbox(self._person, self._record, on=self, gap=12)
        self._attack: RecordAttack | None = None
        self._attacked_person: AttackedPerson | None = None
        self._rows: QWidget | None = None

    def clear(self) -> None:
        """Remove the cards of the attacked person."""
        self._attack = self._attacked_person = self._rows = None
        clear_layout(self._person)
        clear_layout(self._column)

    def show_person(self, attack: RecordAttack, attacked_person: AttackedPerson) -> None:
        """Show what an intruder finds about a person by the row of theirs that is easiest to identify.

        If the person has several rows, a list of them is shown above, in which another row can be selected.
        """
        self.clear()
        best = best_row(attacked_person)
        if len(attacked_person.records) > 1:
            self._attack, self._attacked_person = attack, attacked_person
            block = rows_block(attack, attacked_person)
            card = BlockCard(block, tone="text2", factor=0.95, small="label_person_secrets")
            card.table.select_row(best)
            card.table.selectionModel().currentRowChanged.connect(self._on_row)
            self._rows = card.table
            add_parts(
                self._person, Strip(*describe_person(attack, attacked_person), name="strip_attacked_person"), card
            )
        self._show_record(attack, attacked_person.records[best])

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Show what an intruder finds by the row that became current; nothing for an invalid index."""
        if self._attack is None or self._attacked_person is None or self._rows is None:
            return
        if 0 <= current.row() < len(self._attacked_person.records):
            self._show_record(self._attack, self._attacked_person.records[current.row()])
            set_tab_order_after(self._rows, self._record)

    def _show_record(self, attack: RecordAttack, attacked_record: AttackedRecord) -> None:
        """Show what the attack learned from one row: headline, tables beside the true values, and a warning.

        The warning says that the true values are stored nowhere.
        """
        clear_layout(self._column)
        kind, headline, explained = describe_record_attack(attack, attacked_record)
        text = _(
            "The true values are shown on this screen only. They are not saved, copied, or written to a "
            "release or a report."
        )
        add_parts(
            self._column,
            Strip(kind, f"{headline} {explained}", name="strip_attacked"),
            *map(BlockCard, build_record_blocks(attack, attacked_record)),
            Text(text, tone="text3", factor=0.85),
        )


READY, ATTACK = "attack-ready", "attack-record"


def make_ready(candidate: Candidate) -> People:
    """Return the people of a candidate who can be attacked, with the attack prepared.

    The preparation includes training models on the other people.
    """
    return People.of(prepare_attack(candidate))


class RecordDialog(QDialog):
    """Dialog with the choice of a person above and the result of the attack below; nothing is kept when it closes."""

    def __init__(self, parent: QWidget, context: Context) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_attack_record")
        self._context = context
        self._candidate: Candidate | None = None
        self._people: People | None = None
        self._intro = Text("", tone="text2")
        self.failed = Strip("blocks", "", name="strip_attack_failed")
        self.picker = PeoplePicker()
        self.picker.picked.connect(self._on_picked)
        text = Text(_("Preparing the attack from the released records"), tone="text2", wrap=False)
        self._bar = WorkBar()
        self._work = widget_of(hbox(text, stretch_part(self._bar)))
        self.view = AttackedPersonView()
        parts = (self._intro, self.failed, self.picker, self._work, self.view, STRETCH)
        area = Area(widget_of(vbox(*parts, margins=(4, 4, 4, 4), gap=12)))
        area.setObjectName("area_attack_record")
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button_close = Button(_("Close"), name="button_close_attack", clicked=self.close)
        add_parts(QVBoxLayout(self), stretch_part(area), hbox(STRETCH, self.button_close))
        context.runner.progressed.connect(self._on_progressed)

    def attack(self, name: str, candidate: Candidate) -> None:
        """Open the dialog for a candidate called ``name``, and prepare the attack in the background.

        Nobody can be chosen before that is done; then the first person in the list is selected, but nobody is attacked
        until the user asks for it. If it fails, the dialog says why; closing the dialog stops it.
        """
        self._candidate, self._people = candidate, None
        self.setWindowTitle(_("Attack one record…").removesuffix("…"))
        self._intro.setText(
            _(
                "Choose a person of the original. You see what an intruder would find in {name}. The intruder knows "
                "this person’s details, the method and the released file, but does not have the key.",
                name=Term(name),
            )
        )
        self.failed.set("blocks", "")
        self.view.clear()
        self.picker.set_people(None)
        self._bar.show_share(0)
        parent = self.parentWidget()
        most = parent.size() if parent is not None else self.size()
        self.resize(min(theme().px(1160), most.width() - theme().px(40)), min(theme().px(760), most.height()))
        self.open()
        self._context.runner.start(READY, partial(make_ready, candidate), self._on_ready)
        self._show_progress()

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel background work and forget the person when the dialog is closed; minimising it changes nothing."""
        super().hideEvent(event)
        if event.spontaneous():
            # The window was only made small.
            return
        for job in (READY, ATTACK):
            self._context.runner.cancel(job)
        self._candidate, self._people = None, None
        self.view.clear()
        self.picker.set_people(None)

    # --- results ------------------------------------------------------------------------

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Show the progress of the preparation; progress of other background jobs is ignored."""
        if progress.job == READY:
            self._bar.show_share(progress.fraction)

    def _on_ready(self, outcome: TaskOutcome) -> None:
        """Offer the people who can be attacked, or show why the preparation failed.

        The result is dropped if the dialog shows another candidate by now.
        """
        if outcome.ok and self._candidate is outcome.result.attack.candidate:
            self._people = outcome.result
            self.picker.set_people(self._people)
            self.picker.search.setFocus()
        elif not outcome.ok and not outcome.cancelled:
            self.failed.set("blocks", outcome.message)
        self._show_progress()

    def _on_picked(self, number: int) -> None:
        """Attack the person in row ``number`` of the original in the background; nothing before that is prepared."""
        if self._people is not None:
            self.failed.set("blocks", "")
            self._context.runner.start(ATTACK, partial(attack_person, self._people.attack, number), self._on_attacked)

    def _on_attacked(self, outcome: TaskOutcome) -> None:
        """Show the result of the attack on one person, or why it failed; nothing if it was cancelled."""
        if outcome.ok and self._people is not None:
            self.view.show_person(self._people.attack, outcome.result)
            set_tab_order_after(self.picker.table, self.view, self.button_close)
        elif not outcome.ok and not outcome.cancelled:
            self.failed.set("blocks", outcome.message)

    def _show_progress(self) -> None:
        """Show the progress bar while the attack is prepared, else hide it."""
        self._work.setVisible(self._context.runner.is_running(READY))
