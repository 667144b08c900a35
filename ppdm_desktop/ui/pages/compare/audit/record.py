"""Attack one record: choose a person, and see what someone who knows them would find in the release."""

from __future__ import annotations

from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.attack_audit.attack_person import attack_person
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack, prepare_attack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.audit.found_people import FoundView
from ppdm_desktop.ui.pages.compare.audit.people import PeoplePicker
from ppdm_desktop.ui.pages.compare.audit.record_words import People
from ppdm_desktop.ui.pages.compare.tab_order import reach_after
from ppdm_desktop.ui.widgets.basic import Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.work import WorkBar
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress, Work

READY, ATTACK = "attack-ready", "attack-record"


def make_ready(candidate: Candidate) -> Work:
    """Return the work of learning from the other people's records."""

    def work(progress: Progress) -> People:
        return People.of(prepare_attack(candidate, progress))

    return work


def attack_row(attack: RecordAttack, number: int) -> Work:
    """Return the work of attacking one person."""

    def work(progress: Progress) -> object:
        return attack_person(attack, number, progress)

    return work


class RecordDialog(QDialog):
    """Whom at the top, what is found below. Nothing of it is kept when it closes."""

    def __init__(self, parent: QWidget, context: Context) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_attack_record")
        self._context = context
        self._candidate: Candidate | None = None
        self._people: People | None = None
        inside = QWidget()
        column = QVBoxLayout(inside)
        theme().space(column, 4, 4, 4, 4, 12)
        self._intro = Text("", tone="text2")
        column.addWidget(self._intro)
        self.failed = Strip("blocks", "")
        self.failed.setObjectName("strip_attack_failed")
        self.failed.hide()
        column.addWidget(self.failed)
        self.picker = PeoplePicker()
        self.picker.picked.connect(self._on_picked)
        column.addWidget(self.picker)
        self._work = QWidget()
        line = QHBoxLayout(self._work)
        line.setContentsMargins(0, 0, 0, 0)
        self._said = Text(_("Preparing the attack from the released records"), tone="text2", wrap=False)
        self._bar = WorkBar(_("Progress of the attack"))
        line.addWidget(self._said)
        line.addWidget(self._bar, 1)
        column.addWidget(self._work)
        self.found = FoundView()
        column.addWidget(self.found)
        column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("area_attack_record")
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.addWidget(area, 1)
        row = QHBoxLayout()
        row.addStretch(1)
        self.button_close = Button(_("Close"), name="button_close_attack")
        self.button_close.clicked.connect(self.close)
        row.addWidget(self.button_close)
        outer.addLayout(row)
        context.runner.progressed.connect(self._on_progressed)

    def attack(self, name: str, candidate: Candidate) -> None:
        """Open on a candidate, with nobody chosen."""
        self._candidate, self._people = candidate, None
        self.setWindowTitle(_("Attack one record of {name}", name=Term(name)))
        self._intro.setText(
            _(
                "Choose a person of the original. You see what an intruder would find in {name}. The intruder knows "
                "this person’s details, the method and the released file, but does not have the key.",
                name=Term(name),
            )
        )
        self.failed.set("blocks", "")
        self.found.clear()
        self.picker.set_people(None)
        self._bar.show_share(0)
        parent = self.parentWidget()
        room = parent.size() if parent is not None else self.size()
        self.resize(min(theme().px(1160), room.width() - theme().px(40)), min(theme().px(760), room.height()))
        self.open()
        self._context.runner.start(READY, make_ready(candidate), self._on_ready)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        """Stop what runs and forget the person."""
        super().hideEvent(event)
        if event.spontaneous():
            # The window was only made small.
            return
        for job in (READY, ATTACK):
            self._context.runner.cancel(job)
        self._candidate, self._people = None, None
        self.found.clear()
        self.picker.set_people(None)

    # --- results ------------------------------------------------------------------------

    def _on_progressed(self, progress: TaskProgress) -> None:
        if progress.job == READY:
            self._bar.show_share(progress.fraction)

    def _on_ready(self, outcome: TaskOutcome) -> None:
        if outcome.ok and self._candidate is outcome.result.attack.candidate:
            self._people = outcome.result
            self.picker.set_people(self._people)
            self.picker.search.setFocus()
        elif not outcome.ok and not outcome.cancelled:
            self.failed.set("blocks", outcome.words)
        self._show()

    def _on_picked(self, number: int) -> None:
        if self._people is not None:
            self.failed.set("blocks", "")
            self._context.runner.start(ATTACK, attack_row(self._people.attack, number), self._on_attacked)

    def _on_attacked(self, outcome: TaskOutcome) -> None:
        if outcome.ok and self._people is not None:
            self.found.show_person(self._people.attack, outcome.result)
            reach_after(self.picker.table, self.found, self.button_close)
        elif not outcome.ok and not outcome.cancelled:
            self.failed.set("blocks", outcome.words)

    def _show(self) -> None:
        self._work.setVisible(self._context.runner.is_running(READY))
