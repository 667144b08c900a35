"""Dialog for the second person: page 1 of a release, to approve or refuse it, or to record that it was looked at."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.release.approval import Decided, approve, look_at_again, read_report
from ppdm_desktop.engine.report.figures_and_limits import NO_LIMIT
from ppdm_desktop.engine.report.html import audience, shown_day
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.report.report_words import decision_words, figure_lines, ready_words
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pdf.own_process import pdf_process
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.deadlines import review_day
from ppdm_desktop.ui.widgets.basic import FailureStrip, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, fill, hbox, stretched, vbox
from ppdm_desktop.ui.widgets.scrolling import Area
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "second-look"


class SecondLookDialog(QDialog):
    """Page 1 of a release with fields for name and sentence.

    Signals
    -------
    decided
        Folder of the release as it is called now.
    """

    decided = Signal(Path)

    def __init__(self, parent: QWidget, context: Context, folder: Path, *, approving: bool) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_second_look")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(_("Approve a release") if approving else _("Look at a release again"))
        self._context, self._folder, self._approving = context, folder, approving
        self._report: Report | None = None
        self._refuses = False
        self.button_yes = Button(_("Approve", "verb") if approving else _("Looked at"), name="button_second_yes")
        self.button_yes.clicked.connect(partial(self._decide, refuse=False))
        self.button_no = Button(
            _("Refuse", "verb"), name="button_second_no", clicked=partial(self._decide, refuse=True)
        )
        self.button_no.setVisible(approving)
        self.failure = FailureStrip(name="strip_second_look_failure", disk=_("The release was not changed."))
        inside = QWidget()
        column = vbox(on=inside, margins=(20, 16, 20, 8), gap=10)
        fill(column, self.failure, Text(str(folder), tone="text2", factor=0.9))
        self.strip_decided = Strip("passed", "", name="strip_second_look")
        self._fields = QGridLayout()
        self._fields.setColumnStretch(1, 1)
        self.edit_name = self._field("edit_second_name", _("Your name"))
        self.edit_sentence = self._field("edit_second_sentence", _("A sentence for the log"))
        self.edit_day = None if approving else self._field("edit_second_day", _("Next day (YYYY-MM-DD)"))
        theme().gaps(self._fields, 10, 8)
        try:
            self._report = read_report(folder)
            self._add_page(column, self._report)
        except PpdmError as error:
            self.failure.set_error(error)
        names = _("The program compares names; it does not know people. What you enter is kept in “internal”.")
        fill(column, self._fields, Text(names, tone="text3", factor=0.85), self.strip_decided, STRETCH)
        close = Button(_("Close"), name="button_second_close", clicked=self.close)
        last = hbox(STRETCH, self.button_yes, self.button_no, close, margins=(20, 0, 20, 16))
        fill(vbox(on=self, gap=0), stretched(Area(inside)), last)
        self._show_fields()
        self.resize(theme().px(720), theme().px(660))

    def _field(self, name: str, label: str) -> QLineEdit:
        """Add a field with its label, and return it."""
        edit = line_edit(name=name, label=label, changed=self._show_fields)
        row = self._fields.rowCount()
        self._fields.addWidget(Text(label, buddy=edit), row, 0)
        self._fields.addWidget(edit, row, 1)
        return edit

    def _add_page(self, column: QVBoxLayout, report: Report) -> None:
        """Show what page 1 of the record says."""
        decided = Strip("note", (ready_words if self._approving else decision_words)(report.verdict))
        who = _(
            "Written on {day} for {who}, by {name}.",
            day=Term(shown_day(report.created[:10])),
            who=Term(audience(report.release.type)),
            name=Term(report.operator.name or "?"),
        )
        figures = QGridLayout()
        theme().gaps(figures, 12, 4)
        for row, line in enumerate(figure_lines(report.verdict, report.original)):
            texts = (line.title, f"{line.before} → {line.after}" if line.before else line.after)
            limit = "" if line.limit == NO_LIMIT else line.limit
            for index, text in enumerate((*texts, limit)):
                figures.addWidget(Text(text, semibold=index == 1), row, index)
        fill(column, decided, Text(who), figures)
        if self.edit_day is not None:
            self.edit_day.setText(review_day(report.release.type, date.today()))

    def _show_fields(self, *_ignored: object) -> None:
        """Enable what can be decided with what is filled in."""
        filled = bool(self.edit_name.text().strip()) and (self._approving or bool(self.edit_sentence.text().strip()))
        for button in (self.button_yes, self.button_no):
            button.setEnabled(filled and self._report is not None)

    def _decide(self, *, refuse: bool) -> None:
        """Approve or refuse the release in the background, or record that it was looked at."""
        self._refuses = refuse
        self.failure.clear()
        self.button_yes.setEnabled(False)
        self.button_no.setEnabled(False)
        # Closed while it works, the dialog still has to tell where the release is then.
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
        self._context.runner.start(_JOB, self._work(refuse), self._on_decided)

    def _work(self, refuse: bool) -> Callable[[], Decided]:
        """Return the work behind a button: approve or refuse or, in a dialog with a day, record the look.

        The recipe is run again where the source is the open file.
        """
        name, sentence = self.edit_name.text(), self.edit_sentence.text()
        day = None if self.edit_day is None else self.edit_day.text().strip()
        folder, ledger, reading = self._folder, self._context.ledger, self._context.session.reading
        opened = None if reading is None else reading.account.sha256
        is_open = self._report is not None and self._report.input.sha256 == opened
        source = self._context.session.path if is_open else None
        forms = self._context.session.forms_folder

        def work() -> Decided:
            if day is None:
                with pdf_process(tuple(pdf_renderers())) as renderers:
                    pdf = next(iter(renderers.values()), None)
                    more: dict[str, Any] = {"note": sentence, "source": source, "ledger": ledger, "renderer": pdf}
                    more["forms"] = Path(forms) if forms else None
                    return approve(folder, name, refuse=refuse, **more)
            look_at_again(folder, sentence, day, by=name, ledger=ledger)
            return Decided(folder, ())

        return work

    def _on_decided(self, outcome: TaskOutcome) -> None:
        """Say what was decided, or why nothing was; a dialog that was closed meanwhile goes away."""
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if not self.isVisible():
            self.deleteLater()
        if not outcome.ok:
            self.failure.set_outcome(outcome)
            self._show_fields()
            return
        decided: Decided = outcome.result
        self._folder, remarks = decided.folder, " ".join(map(str, decided.remarks))
        if self._refuses:
            self.strip_decided.set("amber", f"{_('Refused. Do not pass this folder on.')} {remarks}")
        elif self._approving:
            approved = _("Approved. The release is in {folder}.", folder=Term(str(self._folder)))
            self.strip_decided.set("passed", f"{approved} {remarks}")
        else:
            self.strip_decided.set("passed", _("Recorded."))
        self.decided.emit(self._folder)
