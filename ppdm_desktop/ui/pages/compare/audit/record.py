"""Dialog that attacks one record: choose a person, and see what an intruder who knows this person would find."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from ppdm_desktop.engine.release.attack_audit.attack_person import attack_person
from ppdm_desktop.engine.release.attack_audit.prepared_attack import prepare_attack
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
from ppdm_desktop.ui.widgets.layout import STRETCH, fill, hbox, stretched, vbox, widget_of
from ppdm_desktop.ui.widgets.scrolling import Area
from ppdm_desktop.ui.widgets.work import WorkBar
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

READY, ATTACK = "attack-ready", "attack-record"


def make_ready(candidate: Candidate) -> People:
    """Return the people of a candidate with the attack prepared, which includes training on the other people."""
    return People.of(prepare_attack(candidate))


class RecordDialog(QDialog):
    """Dialog with the choice of a person above and the result below; nothing is kept when it closes."""

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
        self._bar = WorkBar(_("Progress of the attack"))
        self._work = widget_of(hbox(text, stretched(self._bar)))
        self.found = FoundView()
        parts = (self._intro, self.failed, self.picker, self._work, self.found, STRETCH)
        area = Area(widget_of(vbox(*parts, margins=(4, 4, 4, 4), gap=12)))
        area.setObjectName("area_attack_record")
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button_close = Button(_("Close"), name="button_close_attack", clicked=self.close)
        fill(QVBoxLayout(self), stretched(area), hbox(STRETCH, self.button_close))
        context.runner.progressed.connect(self._on_progressed)

    def attack(self, name: str, candidate: Candidate) -> None:
        """Open the dialog for a candidate with no person selected; ``name`` is the candidate's name."""
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
        self._context.runner.start(READY, partial(make_ready, candidate), self._on_ready)
        self._show()

    def hideEvent(self, event: QHideEvent) -> None:
        """Cancel background work and clear the person."""
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
        """Show the progress of the preparation."""
        if progress.job == READY:
            self._bar.show_share(progress.fraction)

    def _on_ready(self, outcome: TaskOutcome) -> None:
        """Offer the people who can be attacked, or show why the preparation failed."""
        if outcome.ok and self._candidate is outcome.result.attack.candidate:
            self._people = outcome.result
            self.picker.set_people(self._people)
            self.picker.search.setFocus()
        elif not outcome.ok and not outcome.cancelled:
            self.failed.set("blocks", outcome.words)
        self._show()

    def _on_picked(self, number: int) -> None:
        """Attack one person in the background."""
        if self._people is not None:
            self.failed.set("blocks", "")
            self._context.runner.start(ATTACK, partial(attack_person, self._people.attack, number), self._on_attacked)

    def _on_attacked(self, outcome: TaskOutcome) -> None:
        """Show the result of the attack on one person, or why it failed."""
        if outcome.ok and self._people is not None:
            self.found.show_person(self._people.attack, outcome.result)
            reach_after(self.picker.table, self.found, self.button_close)
        elif not outcome.ok and not outcome.cancelled:
            self.failed.set("blocks", outcome.words)

    def _show(self) -> None:
        """Show the progress bar while the preparation runs."""
        self._work.setVisible(self._context.runner.is_running(READY))
