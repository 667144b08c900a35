"""Actions on a written release: open it, pack it, read it, verify it, write further papers, destroy its key."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from ppdm_desktop.engine.decision_log import read_log
from ppdm_desktop.engine.dossier.dossier import Paper
from ppdm_desktop.engine.dossier.forms import Form, all_forms
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.methods.base.recipients import list_needed_fingerprints
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, RELEASE, TEACHING
from ppdm_desktop.engine.release.verify import IDENTICAL, NOT_POSSIBLE, Verification, destroy_key, verify
from ppdm_desktop.engine.release.writing.export import LOG, WAITING, Exported
from ppdm_desktop.engine.release.writing.zip import pack_release
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Size, Term
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.release.done import DonePanel, document_to_open
from ppdm_desktop.ui.pages.release.work import write_papers_with_pdf
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.candidate_queue import secret_for
from ppdm_desktop.ui.widgets.basic import FailureStrip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.fold import Fold
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import Panel, add_parts, align_left, align_top, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.second_look import SecondLookDialog
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "papers"


class PapersPart(Panel):
    """A box for each form (document to fill in), and after a release the written forms with buttons to open them."""

    def __init__(self, context: Context, fold: Fold) -> None:
        super().__init__(name="part_papers")
        self._context, self._fold = context, fold
        fold.body.addWidget(self)
        self._release: Path | None = None
        self.failure = FailureStrip(name="strip_papers_failed", disk=_("The release is written and stays as it is."))
        self.failure.clear()
        self.button_write = Button(_("Write the papers"), name="button_write_papers", icon="file")
        self.button_write.clicked.connect(self.write)
        self._rows, self._written = vbox(gap=8), vbox(gap=4)
        explained = Text(_("Figures are filled in. You answer the rest in the papers."), tone="text2", factor=0.95)
        vbox(explained, self._rows, align_left(self.button_write), self.failure, self._written, on=self, gap=6)
        self.ticks: dict[str, QCheckBox] = {}
        self._forms: dict[str, Form] = {}
        self._folder: str | None = None

    def show_forms(self, release: Path | None) -> None:
        """Show the forms (documents to fill in), ticked as stored in the session, and the button that writes them.

        ``release`` is the folder of the release, None before it is written; then the button is hidden. It is disabled
        if no form is ticked. Forms written for another release are no longer listed. The forms are read again if the
        folder of the organisation's forms changed.
        """
        if release != self._release:
            self._release = release
            clear_layout(self._written)
        if self._folder != self._context.session.forms_folder:
            self._folder = self._context.session.forms_folder
            self._fill_rows(Path(self._folder) if self._folder else None)
        chosen = [id for id in self._context.session.forms if id in self._forms]
        for id, tick in self.ticks.items():
            tick.setChecked(id in chosen)
        self.button_write.setVisible(release is not None)
        self.button_write.setEnabled(bool(chosen))

    def _fill_rows(self, folder: Path | None) -> None:
        """Show a row for each form of the program and each of the organisation's in ``folder`` (None: without these).

        If one of the organisation's forms cannot be read, this is shown, and only the program's forms are listed.
        """
        self.failure.clear()
        try:
            self._forms = all_forms(folder)
        except PpdmError as error:
            self.failure.set_error(error)
            self._forms = all_forms()
        clear_layout(self._rows)
        self.ticks.clear()
        for id, form in self._forms.items():
            tick = self.ticks[id] = check_box(name=f"check_paper_{id}", clicked=self._on_tick)
            tick.setAccessibleName(form.name)
            tick.setAccessibleDescription(form.purpose)
            name = Text(form.name, buddy=tick)
            texts = vbox(name, Text(form.purpose, tone="text2", factor=0.9), gap=0)
            add_parts(self._rows, hbox(align_top(tick), stretch_part(texts)))

    def _on_tick(self) -> None:
        """Store in the session which forms are ticked, and notify it."""
        self._context.session.forms = tuple(id for id, tick in self.ticks.items() if tick.isChecked())
        self._context.session.changed()

    def write(self) -> None:
        """Write the ticked forms into the release in the background.

        Nothing happens without a release or ticked forms, or while forms are being written.
        """
        forms = [self._forms[id] for id in self._context.session.forms if id in self._forms]
        if self._release is not None and forms and not self._context.runner.is_running(_JOB):
            self._context.runner.start(
                _JOB, partial(write_papers_with_pdf, tuple(pdf_renderers()), self._release, forms), self._on_written
            )

    def _on_written(self, outcome: TaskOutcome) -> None:
        """List the written forms with a button that opens each, or show why they were not written.

        In both cases the part is unfolded. After a failure or a cancellation the list stays as it was.
        """
        self._fold.set_open(True)
        self.failure.set_outcome(outcome)
        if outcome.ok:
            clear_layout(self._written)
            for path, paper in outcome.result:
                self._add_written(path, paper)

    def _add_written(self, path: Path, paper: Paper) -> None:
        """Add a line on a written form with a button that opens it.

        The line has the file's path in the release folder and how many of the form's fields are left for people to
        fill, such as "papers/eu.docx: 4 of 20 fields are for you".
        """
        folder = path.parents[1]  # the release, which may have been moved by now, or what is internal in it
        file = path.relative_to(folder.parent if folder.name == INTERNAL else folder)
        left = _("{n} of {m} fields are for you", n=paper.for_people, m=len(paper.fields))
        button = Button(_("Open"), name=f"button_open_{'_'.join(file.with_suffix('').parts)}", link=True)
        button.setAccessibleName(f"{_('Open')}: {paper.form.name}")
        button.clicked.connect(partial(self._context.dialogs.open_document, path))
        texts = vbox(Text(paper.form.name, semibold=True), Text(f"{file}: {left}", tone="text2", factor=0.95), gap=0)
        add_parts(self._written, hbox(stretch_part(texts), button))


_VERIFY = "verify"


class AfterRelease(QObject):
    """Carries out the actions on a written release, and shows their results in the release's panel.

    Signals
    -------
    changed
        The release changed: its key was destroyed, or a second person decided on it.
    """

    changed = Signal()

    def __init__(self, context: Context, parent: QWidget, panel: DonePanel, failure: FailureStrip) -> None:
        super().__init__(parent)
        self.done: Exported | None = None
        self._context, self._parent, self._panel, self._failure = context, parent, panel, failure
        for signal, slot in (
            (panel.button_open.clicked, self._on_open_folder),
            (panel.button_pack.clicked, self._on_pack),
            (panel.button_report.clicked, self._on_open_report),
            (panel.button_approve.clicked, self._on_approve),
            (panel.button_verify.clicked, self._on_verify),
            (panel.button_destroy.clicked, self._on_destroy),
            (panel.confirm.confirmed, self._on_destroy_confirmed),
        ):
            signal.connect(slot)

    def _on_open_folder(self) -> None:
        """Open the folder to pass on (of a teaching copy: the teaching folder) in the file manager.

        The panel then shows the folder's path, in case no window appears. Nothing happens without a release.
        """
        if self.done is not None:
            folder = self.done.path / (TEACHING if self.done.report["release"]["teaching_copy"] else RELEASE)
            self._tell_where(self._context.dialogs.open_folder(folder), folder)

    def _on_open_report(self) -> None:
        """Open the certificate or, if there is none, the report of the release; nothing without a release.

        The panel then shows the file's path, in case no window appears.
        """
        if self.done is not None:
            document = document_to_open(self.done.path)
            self._tell_where(self._context.dialogs.open_document(document), document)

    def _tell_where(self, visible: bool, path: Path) -> None:
        """Show the path of what was opened, because some systems report success although no program opens.

        Parameters
        ----------
        visible
            Whether the system has a program that opens it.
        path
            The opened file or folder.
        """
        text = _("If no window appears, you find it here: {path}", path=Term(str(path)))
        self._panel.tell("note" if visible else "amber", text)

    def _on_pack(self) -> None:
        """Ask for a file name and pack the folder to pass on into a ZIP archive there, or show why that failed.

        The panel then shows the archive's path and size. Nothing happens without a release or if the user cancels.
        """
        if self.done is None:
            return
        suggestion = self.done.path.with_name(f"{self.done.path.name}.zip")
        target = self._context.dialogs.save_file(self._parent, _("Save as ZIP…"), suggestion, "*.zip")
        if target is None:
            return
        try:
            size = pack_release(self.done.path, Path(target))
        except PpdmError as error:
            self._failure.set_error(error)
            return
        text = _(
            "{file} is saved ({size:size}). It contains only the release folder.",
            file=Term(str(target)),
            size=Size(size),
        )
        self._panel.tell("passed", text)

    def _on_approve(self) -> None:
        """Open the dialog in which a second person approves or refuses the release; nothing without a release.

        Once the person has decided, ``changed`` is sent.
        """
        if self.done is not None:
            dialog = SecondLookDialog(self._parent, self._context, self.done.path, approving=True)
            dialog.decided.connect(self.changed)
            dialog.open()

    def follow(self) -> None:
        """Read the log again of a release that waits for a second person, who may have decided in another program.

        The log in ``done`` and in the session is replaced. If the release was approved, its folder in ``done`` is from
        now on the renamed one, without the ending for waiting. ``changed`` is not sent. Releases that do not wait are
        skipped; a log that is missing or cannot be read changes nothing.
        """
        if self.done is not None and self.done.waits:
            approved = self.done.path.with_name(self.done.path.name.removesuffix(WAITING))
            folder = self.done.path if self.done.path.is_dir() else approved
            with suppress(InputError):  # a broken log is told by verifying
                if log := read_log(folder / LOG):
                    self.done = replace(self.done, path=folder, log=log)
                    self._context.session.log = log

    def _on_verify(self) -> None:
        """Make the release a second time in the background, and compare it with the written one.

        Nothing happens without a release or an open file, or while this is running.
        """
        session = self._context.session
        path = session.decisions.path
        if self.done is not None and path is not None and not self._context.runner.is_running(_VERIFY):
            recipient = secret_for(session.chosen.recipe, session.secrets) if session.chosen is not None else None
            self._context.runner.start(
                _VERIFY, partial(verify, self.done.path, path, recipient=recipient), self._on_verified
            )

    def _on_verified(self, outcome: TaskOutcome) -> None:
        """Show whether the second release has the same bytes, differs or could not be made.

        The text, which gets the focus, also says if the release is a teaching copy. If the check itself failed, only
        the error is shown.
        """
        if not outcome.ok:
            self._failure.set_outcome(outcome)
            return
        verification: Verification = outcome.result
        text = render(verification.reason.id, verification.reason.arguments)
        kind = {IDENTICAL: "passed", NOT_POSSIBLE: "note"}.get(verification.result, "blocks")
        teaching = _("Teaching copy, not for release") if verification.teaching_copy else ""
        self._panel.tell(kind, f"{text.sentence} {text.window} {teaching}".strip())
        self._panel.result.setFocus()

    def _on_destroy(self) -> None:
        """Ask for confirmation before the key of the release is destroyed; nothing without a release.

        The user must type the name of the release's folder. The question warns if the chosen candidate's recipe makes
        codes with a recipient's secret, because these can still be traced to people.
        """
        if self.done is not None:
            text = _(
                "Without the key nobody can reproduce or verify this release, not even you. This cannot be undone."
            )
            chosen = self._context.session.chosen
            if chosen is not None and any(True for _ in list_needed_fingerprints(chosen.recipe)):
                kept = _("The secret kept for the recipient stays: with it, codes can still be traced to people.")
                text = f"{text} {kept}"
            self._panel.confirm.ask(_("Destroy the key of this release?"), text, self.done.path.name)

    def _on_destroy_confirmed(self) -> None:
        """Destroy the key of the release and send ``changed``, or show why that failed; nothing without a release.

        The operator's name, if the recipe has it, is recorded with it.
        """
        if self.done is None:
            return
        try:
            destroy_key(self.done.path, self._context.session.decisions.recipe.operator.name)
        except PpdmError as error:
            self._failure.set_error(error)
            return
        self._panel.tell("note", _("The key is destroyed. The folder “internal” records when, and by whom."))
        self.changed.emit()
