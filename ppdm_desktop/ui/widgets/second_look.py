"""Dialog for a second person: page 1 of a release, to approve or refuse the release, or to record a later review."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.release.approval import Decided, approve, look_at_again, read_report
from ppdm_desktop.engine.report.html import format_iso_day, name_recipients
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.report_texts import describe_decision, describe_readiness
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import join_label, join_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pdf.own_process import pdf_process
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.deadlines import propose_review_day
from ppdm_desktop.ui.widgets.basic import FailureStrip, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.figure_lines import FigureLines
from ppdm_desktop.ui.widgets.form.row import FormRow
from ppdm_desktop.ui.widgets.inputs import line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.scrolling import Area
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "second-look"


def _approve(folder: Path, by: str, **options: Any) -> Decided:
    """Approve or refuse the release in a folder and return the decision; documents get PDFs if these can be made.

    ``by`` is the person's name; the options are those of the engine's function ``approve``.
    """
    with pdf_process(tuple(pdf_renderers())) as renderers:
        return approve(folder, by, renderer=next(iter(renderers.values()), None), **options)


class SecondLookDialog(QDialog):
    """Dialog with page 1 of a release and fields for name and sentence of the person who approves or reviews it.

    Signals
    -------
    decided
        Emitted with the folder of the release, which may have been renamed.
    """

    decided = Signal(Path)

    def __init__(self, parent: QWidget, context: Context, folder: Path, *, approving: bool) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_second_look")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = _("Approve a release that waits…").removesuffix("…")
        self.setWindowTitle(title if approving else _("Look at a release again"))
        self._context, self._folder, self._approving = context, folder, approving
        self._report: Report | None = None
        yes, no = (partial(self._approve_or_refuse, refuse=refuse) for refuse in (False, True))
        self.button_yes = Button(_("Approve", "verb") if approving else _("Looked at"), name="button_second_yes")
        self.button_yes.clicked.connect(yes)
        self.button_no = Button(_("Refuse", "verb"), name="button_second_no", clicked=no)
        self.button_no.setVisible(approving)
        self.failure = FailureStrip(name="strip_second_look_failure")
        self.strip_decided = Strip("passed", "", name="strip_second_look")
        fields = {"name": _("Your name"), "sentence": _("A sentence for the log")}
        if not approving:
            fields["day"] = _("Next day (YYYY-MM-DD)")
        self._edits = {
            key: line_edit(name=f"edit_second_{key}", label=label, changed=self._enable_buttons)
            for key, label in fields.items()
        }
        inside = QWidget()
        column = vbox(on=inside, margins=(20, 16, 20, 8), gap=10)
        add_parts(column, self.failure, Text(str(folder), tone="text2", factor=0.9))
        try:
            self._report = read_report(folder)
            self._add_page(column, self._report)
        except PpdmError as error:
            self.failure.set_error(error)
        names = _("The program compares names; it does not know people. What you enter is kept in “internal”.")
        rows = (FormRow(label, "", self._edits[key]) for key, label in fields.items())
        add_parts(column, *rows, Text(names, tone="text3", factor=0.85), self.strip_decided, STRETCH)
        close = Button(_("Close"), name="button_second_close", clicked=self.close)
        last = hbox(STRETCH, self.button_yes, self.button_no, close, margins=(20, 0, 20, 16))
        add_parts(vbox(on=self, gap=0), stretch_part(Area(inside)), last)
        self._enable_buttons()
        self.resize(theme().px(720), theme().px(660))

    def _add_page(self, column: QVBoxLayout, report: Report) -> None:
        """Add the decision on the release, who wrote it for whom, and its key figures to the dialog.

        If the dialog has a field for the day of the next review, a proposal is filled in.
        """
        who = _(
            "Written on {day} for {who}",
            day=Term(format_iso_day(report.created[:10])),
            who=Term(name_recipients(report.release.type)),
        )
        who = join_sentences([who, join_label(_("Released by"), report.operator.name or "?")])
        figures = FigureLines()
        figures.show_verdicts(report.verdict, report.original)
        decided = Strip("note", (describe_readiness if self._approving else describe_decision)(report.verdict))
        add_parts(column, decided, Text(who), figures)
        if "day" in self._edits:
            self._edits["day"].setText(propose_review_day(report.release.type, date.today()))

    def _enable_buttons(self, *_ignored: object) -> None:
        """Enable the buttons if the report was read and all required fields are filled in, else disable them.

        For an approval the sentence may be empty; for a review every field is required.
        """
        empty = {key for key, edit in self._edits.items() if not edit.text().strip()}
        is_filled = empty <= ({"sentence"} if self._approving else set())
        for button in (self.button_yes, self.button_no):
            button.setEnabled(is_filled and self._report is not None)

    def _approve_or_refuse(self, *, refuse: bool) -> None:
        """Approve the release in the background, or refuse it (``refuse``); if the dialog is for a review, record that.

        For an approval the recipe is run again if the release's source is the open file. The buttons are disabled
        meanwhile.
        """
        self._refuses = refuse
        self.failure.clear()
        self.button_yes.setEnabled(False)
        self.button_no.setEnabled(False)
        name, sentence, *day = (edit.text().strip() for edit in self._edits.values())
        session, ledger = self._context.session, self._context.ledger
        work: Callable[[], Decided | None]
        if self._approving and self._report is not None:
            is_open = session.reading is not None and session.reading.account.sha256 == self._report.input.sha256
            options = {"source": session.path if is_open else None, "note": sentence, "ledger": ledger}
            forms = Path(session.forms_folder) if session.forms_folder else None
            work = partial(_approve, self._folder, name, refuse=refuse, forms=forms, **options)
        else:
            work = partial(look_at_again, self._folder, sentence, *day, by=name, ledger=ledger)
        # Closed while it works, the dialog still has to tell where the release is then.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self._context.runner.start(_JOB, work, self._on_decided)

    def _on_decided(self, outcome: TaskOutcome) -> None:
        """Show what was decided and send ``decided``, or show why it failed and enable the buttons again.

        A dialog that was closed meanwhile is deleted after that.
        """
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not self.isVisible():
            self.deleteLater()
        if not outcome.ok:
            self.failure.set_outcome(outcome)
            self._enable_buttons()
            return
        decided: Decided = outcome.result or Decided(self._folder, ())
        self._folder, decision = decided.folder, _("Looked at")
        if self._approving:
            approved = _("The release is in {folder}.", folder=Term(str(self._folder)))
            decision = _("Refused. Do not pass this folder on.") if self._refuses else approved
        self.strip_decided.set("amber" if self._refuses else "passed", " ".join((decision, *map(str, decided.remarks))))
        self.decided.emit(self._folder)
