"""Card with the summary of one candidate and buttons to choose, rename or delete it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.scorecards import summarise_candidate
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.state.step_chain import describe_chain, list_treatments
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.fold import Fold
from ppdm_desktop.ui.widgets.layout import Flow, add_parts, hbox, stretch_part, widget_of

_LONGEST = 80


class _Title(QLineEdit):
    """Field for the title of a candidate; Escape cancels.

    Signals
    -------
    cancelled
        The user cancelled, so the old title stays.
    """

    cancelled = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send ``cancelled`` when Escape is pressed; Qt handles all other keys."""
        if event.key() == Qt.Key.Key_Escape:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)


class VerdictCard(Card):
    """Summary of what a candidate protects and loses.

    Signals
    -------
    choose_wanted, delete_wanted
        The user wants to choose or delete the displayed candidate.
    renamed
        New title; empty restores the first title.
    """

    choose_wanted = Signal()
    delete_wanted = Signal()
    renamed = Signal(str)

    def __init__(self) -> None:
        super().__init__(name="card_verdict", topic="figure.decision")
        self._entry: CandidateEntry | None = None
        self.severity = Severity("note", "")
        self.attacks = Severity("note", "", wrap=True)
        self.attacks.setObjectName("label_attacks_work")
        self._what = Fold("fold_what_it_does")
        self._settings = Text("", tone="text2", factor=0.95)
        self._what.body.addWidget(self._settings)
        self.summary = Text("", name="label_verdict")
        self._title = _Title()
        self._title.setObjectName("edit_title")
        self._title.setAccessibleName(_("Title of the version"))
        self._title.setMaxLength(_LONGEST)
        self._title.returnPressed.connect(self._on_renamed)
        self._title.cancelled.connect(self._close_title)
        save = Button(_("Rename"), name="button_save_title", clicked=self._on_renamed)
        self._line = widget_of(hbox(stretch_part(self._title), save))
        self._line.hide()
        add_parts(self.body, self.severity, self.attacks, self._what, self.summary, self._line)
        self.button_choose = Button(
            "", name="button_choose_candidate", primary=True, icon="check", clicked=self.choose_wanted
        )
        self.button_rename = Button(_("Rename…"), name="button_rename_candidate", clicked=self._on_rename)
        self.button_delete = Button(_("Delete…"), name="button_delete_candidate", link=True, clicked=self.delete_wanted)
        self.body.addWidget(Flow(self.button_choose, self.button_rename, self.button_delete))
        theme().changed.connect(self.updateGeometry)

    def show_entry(self, entry: CandidateEntry | None, *, is_chosen: bool, is_best: bool, shortfall: str) -> None:
        """Show a finished candidate, or hide the card for None.

        If it is another candidate than before, the field for the title is closed without renaming.

        Parameters
        ----------
        entry
            The candidate.
        is_chosen
            Whether it is chosen for the release; then the button that chooses it is disabled.
        is_best
            Whether the button that chooses it is prominent.
        shortfall
            A sentence on what prevents its release, "" if nothing does.
        """
        if entry is not self._entry:
            self._line.hide()
        self._entry = entry
        self.setVisible(entry is not None)
        if entry is None:
            return
        release_verdict = summarise_candidate(entry)
        self.set_title(_("{name} in short", name=Term(entry.display_name)))
        self.severity.set(release_verdict.severity, release_verdict.word)
        self.attacks.setVisible(bool(release_verdict.attacks))
        self.attacks.set("amber" if release_verdict.working else "passed", release_verdict.attacks)
        self._what.set_label(entry.title or _("Steps"), list_treatments(entry.recipe))
        self._settings.setText(describe_chain(entry.recipe))
        self.summary.setText(f"{release_verdict.text} {shortfall}".strip())
        self.button_choose.setText(
            _("{name} is chosen", name=Term(entry.display_name))
            if is_chosen
            else _("Choose {name}", name=Term(entry.display_name))
        )
        self.button_choose.setEnabled(not is_chosen)
        self.button_choose.set_primary(is_best)

    # --- renaming -----------------------------------------------------------------------

    def _on_rename(self) -> None:
        """Open the field for the candidate's title, with the present title selected; nothing without a candidate."""
        if self._entry is None:
            return
        self._title.setText(self._entry.title)
        self._title.setPlaceholderText(describe_chain(self._entry.recipe))
        self._line.show()
        self._title.setFocus()
        self._title.selectAll()

    def _on_renamed(self) -> None:
        """Close the field and send ``renamed`` with the typed title (may be empty), without superfluous blanks."""
        self._close_title()
        self.renamed.emit(" ".join(self._title.text().split()))

    def _close_title(self) -> None:
        """Close the field without renaming, and put the focus on the button that opens it."""
        self._line.hide()
        self.button_rename.setFocus()
