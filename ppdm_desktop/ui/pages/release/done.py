"""Panel on a written release: open, pack or verify it, destroy its key, and which files must not be sent."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout

from ppdm_desktop.engine.decision_log import PREPARED, read_log, state_of
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.methods.base.recipients import list_needed_fingerprints
from ppdm_desktop.engine.release.evaluate.release_files import TEACHING_PREFIX
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, RELEASE, TEACHING
from ppdm_desktop.engine.release.verify import IDENTICAL, NOT_POSSIBLE, Verification, destroy_key, verify
from ppdm_desktop.engine.release.writing.export import LOG, REPORT_PAGE, WAITING, Exported
from ppdm_desktop.engine.release.writing.zip import pack_release
from ppdm_desktop.engine.report.documents import CERTIFICATE_PDF
from ppdm_desktop.engine.report.report_texts import describe_decision, describe_readiness
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Size, Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.candidate_queue import secret_for
from ppdm_desktop.ui.widgets.basic import Card, FailureStrip, IconLabel, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.figure_lines import FigureLines
from ppdm_desktop.ui.widgets.folding import FoldingButton
from ppdm_desktop.ui.widgets.inputs import line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, Panel, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.scrolling import bring_in
from ppdm_desktop.ui.widgets.second_look import SecondLookDialog
from ppdm_desktop.ui.work.tasks import TaskOutcome

_VERIFY = "verify"


class FilesCard(Card):
    """List of the files in a folder, each with its description."""

    def __init__(self, name: str, title: str, icon: str, token: str, caption: str) -> None:
        super().__init__(name=name)
        self.setAccessibleName(title)
        self.body.addLayout(hbox(IconLabel(icon, token, 18), stretch_part(Text(title, semibold=True, tone=token))))
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        add_parts(self.body, Text(caption, tone="text2", factor=0.95), self._grid)
        theme().gaps(self._grid, 12, 4)
        self.files: list[tuple[str, str]] = []

    def show_files(self, files: list[tuple[str, str]]) -> None:
        """Replace the list of files, given as (name, description); nothing happens if it did not change."""
        if files == self.files:
            return
        self.files = files
        clear_layout(self._grid)
        for row, (file, what) in enumerate(files):
            self._grid.addWidget(Text(file, wrap=False), row, 0)
            self._grid.addWidget(Text(what, tone="text2", factor=0.9), row, 1)
        self.setAccessibleDescription("; ".join(f"{file}: {what}" for file, what in files))


class ConfirmCard(Card):
    """Confirmation of an action that cannot be undone: the user types a word; the safe button is the default.

    Signals
    -------
    confirmed
        The user confirmed.
    """

    confirmed = Signal()

    def __init__(self, name: str, safe: str, confirm: str) -> None:
        super().__init__(name=f"panel_{name}")
        self._word = ""
        self._text = Text("")
        self._ask = Text("", tone="text2")
        self.edit = line_edit(name=f"edit_{name}", changed=self._on_typed)
        self._ask.setBuddy(self.edit)
        self.button_safe = FoldingButton(safe, name=f"button_{name}_safe", primary=True, clicked=self.hide)
        self.button_new_release = FoldingButton(
            confirm, name=f"button_{name}_confirm", icon="warning", clicked=self._on_confirmed
        )
        add_parts(self.body, self._text, self._ask, self.edit, hbox(self.button_safe, STRETCH, self.button_new_release))
        self.hide()

    def ask(self, question: str, text: str, word: str) -> None:
        """Show a question with its explanation; the confirming button is enabled once the user has typed ``word``.

        Case matters, blanks before and after the word do not. The safe button has the focus, and earlier input is
        removed.
        """
        self._word = word
        self.set_title(question)
        self._text.setText(text)
        self._ask.setText(_("To confirm, type: {word}", word=Term(word)))
        self.edit.clear()
        self.edit.setAccessibleName(self._ask.text())
        self.button_new_release.setEnabled(False)
        self.show()
        bring_in(self)
        self.button_safe.setFocus()

    def _on_typed(self, text: str) -> None:
        """Enable the confirming button if the typed text is the required word, else disable it."""
        self.button_new_release.setEnabled(bool(self._word) and text.strip() == self._word)

    def _on_confirmed(self) -> None:
        """Hide the question and send ``confirmed``."""
        self.hide()
        self.confirmed.emit()


class _Line(QFrame):
    """One possible next action: a sentence with a button."""

    def __init__(self, icon: str, title: str, text: str, button: Button) -> None:
        super().__init__()
        self.button = button
        self.title = Text(title, semibold=True)
        self.note = Text(text, tone="text2", factor=0.95)
        texts = vbox(self.title, self.note, gap=0)
        hbox(IconLabel(icon, "accent", 18), stretch_part(texts), button, on=self, margins=(0, 6, 0, 6), gap=10)


class DonePanel(Panel):
    """Panel on the written release, with buttons for the next actions, which it carries out.

    Failures are shown in the message ``failure``.

    Signals
    -------
    changed
        The release changed: its key was destroyed, or a second person decided on it.
    """

    changed = Signal()

    def __init__(self, context: Context, failure: FailureStrip) -> None:
        super().__init__(name="panel_done")
        self.written: Exported | None = None
        self._context, self._failure = context, failure
        self._strip = Strip("passed", "")
        self._strip.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setFocusProxy(self._strip)
        self.never = Strip("amber", "", name="strip_internal")
        self._figures = Card(_("Before and after"))
        self.figures = FigureLines()
        assumed = _(
            "Assumptions: an intruder knows the details marked as known to others, the method, its settings and the "
            "released file. The intruder has neither the key nor the original. This is a measured risk, not a legal "
            "opinion. No method used here gives differential privacy."
        )
        add_parts(self._figures.body, self.figures, Text(assumed, tone="text3", factor=0.85))
        card = Card(_("What to do next"))
        self.result = Strip("passed", "", name="strip_result")
        self.result.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.button_open = Button(
            _("Open folder"), name="button_open_folder", icon="folder", clicked=self._on_open_folder
        )
        self.button_pack = Button(_("Save as ZIP…"), name="button_save_zip", icon="file", clicked=self._on_pack)
        self.button_report = Button("", name="button_open_certificate", icon="file", clicked=self._on_open_report)
        self.button_approve = Button(_("Approve…"), name="button_approve_now", icon="check", clicked=self._on_approve)
        self.button_verify = Button(
            _("Verify the release"), name="button_verify", icon="check", clicked=self._on_verify
        )
        self.button_destroy = Button(
            _("Destroy the key"), name="button_destroy_key", icon="trash", clicked=self._on_destroy
        )
        self._open = _Line("folder", self.button_open.text(), "", self.button_open)
        pack = _("Only the release folder, without real dates and times.")
        self._pack = _Line("file", self.button_pack.text(), pack, self.button_pack)
        self._read = _Line("file", "", "", self.button_report)
        verify = _Line(
            "check", _("Verify the release"), _("Repeats the run and compares every byte."), self.button_verify
        )
        key = _("The key is needed to repeat this release. Destroying it is final and is recorded.")
        second = _("A second person looks at page 1 and approves or refuses it.")
        self._approve = _Line("check", _("It waits for a second person."), second, self.button_approve)
        destroy = _Line("lock", self.button_destroy.text(), key, self.button_destroy)
        # Last: an answer never moves the button that was pressed, nor the one that destroys the key.
        add_parts(card.body, self._approve, self._open, self._pack, self._read, verify, destroy, self.result)
        self.confirm = ConfirmCard("destroy_key", _("Keep the key"), _("Destroy the key"))
        self.confirm.confirmed.connect(self._on_destroy_confirmed)
        vbox(self._strip, self.never, self._figures, card, self.confirm, on=self, gap=12)
        theme().changed.connect(self._fit_buttons)

    def _fit_buttons(self) -> None:
        """Make the buttons of all lines as wide as the widest button."""
        buttons = [line.button for line in self.findChildren(_Line)]
        for button in buttons:
            button.setMinimumWidth(max(button.sizeHint().width() for button in buttons))

    def clear(self) -> None:
        """Hide the panel and remove its messages, because there is no written release."""
        self.tell("passed", "")
        self.confirm.hide()
        self.hide()

    def show_export(self, done: Exported, has_key: bool) -> None:
        """Show a written release: its folder, its figures before and after, and the next actions.

        A release that waits for a second person can be approved, but neither opened nor packed; one that was refused
        cannot be approved any more. A teaching copy is not packed.

        Parameters
        ----------
        done
            The written release.
        has_key
            Whether its key, which can repeat the release, still exists; only then can the key be destroyed.
        """
        verdict = done.verdict
        teaching = bool(done.report["release"]["teaching_copy"])
        folder = TEACHING if teaching else RELEASE
        decided = render("decision.teaching-copy").sentence if teaching else describe_decision(verdict)
        can_approve = state_of(done.log) == PREPARED
        if done.waits:
            outcome = _("It waits for a second person.") if can_approve else _("Refused. Do not pass this folder on.")
            decided = f"{describe_readiness(verdict)} {outcome}"
        text = _(
            "It was written, read back, and matches the preview.\n{folder}\n{size:size}  ·  original unchanged",
            folder=Term(str(done.path)),
            size=Size(sum(file["bytes"] for file in done.report["files"] if file["path"].startswith(f"{folder}/"))),
        )
        self._strip.set("amber" if teaching else "passed", f"{decided}\n{text}")
        self._show_folder_to_send(teaching=teaching)
        self.figures.setAccessibleName(self._figures.title.text())
        self.figures.show_verdicts(verdict, done.original)
        self._show_document(document_to_open(done.path))
        self._fit_buttons()
        self._open.setVisible(not done.waits)
        self._pack.setVisible(not done.waits and not teaching)
        self._approve.setVisible(can_approve)
        self.button_destroy.setEnabled(has_key)

    def _show_folder_to_send(self, *, teaching: bool) -> None:
        """Show the warning to share only the folder "release", and the note at "Open folder".

        For a teaching copy the warning is not to pass its folder on, and the note is emptied.
        """
        never = _("Share only the folder “release”. Never send “internal”: with it, the protection can be undone.")
        text = _("You may share this folder. It contains neither the key nor the report.")
        if teaching:
            never, text = _("For teaching inside your organisation only. Do not pass this folder on."), ""
        self.never.set("amber", never)
        self._open.note.setText(text)

    def _show_document(self, file: Path) -> None:
        """Label the button for the document that it opens: the certificate, or the report if there is no certificate.

        ``file`` is the path of that document.
        """
        title, note = _("Open report"), _("report: risk, usefulness, checks, reasons")
        if file.name.endswith(CERTIFICATE_PDF):
            title, note = _("Open release record"), _("Limit, risk before and after, reasons, names. Keep it.")
        for label in (self._read.title, self.button_report):
            label.setText(title)
        self._read.note.setText(note)

    def tell(self, kind: str, text: str) -> None:
        """Show the result of an action on the release, such as verifying, and scroll to it; "" removes it.

        ``kind`` is the look of the message: "note", "amber", "blocks" or "passed".
        """
        self.result.set(kind, text)
        if text:
            bring_in(self.result)

    # --- actions ------------------------------------------------------------------------

    def _on_open_folder(self) -> None:
        """Open the folder to pass on (of a teaching copy: the teaching folder) in the file manager.

        The panel then shows the folder's path, in case no window appears. Nothing happens without a release.
        """
        if self.written is not None:
            folder = self.written.path / (TEACHING if self.written.report["release"]["teaching_copy"] else RELEASE)
            self._tell_where(self._context.dialogs.open_folder(folder), folder)

    def _on_open_report(self) -> None:
        """Open the certificate or, if there is none, the report of the release; nothing without a release.

        The panel then shows the file's path, in case no window appears.
        """
        if self.written is not None:
            document = document_to_open(self.written.path)
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
        self.tell("note" if visible else "amber", text)

    def _on_pack(self) -> None:
        """Ask for a file name and pack the folder to pass on into a ZIP archive there, or show why that failed.

        The panel then shows the archive's path and size. Nothing happens without a release or if the user cancels.
        """
        if self.written is None:
            return
        suggestion = self.written.path.with_name(f"{self.written.path.name}.zip")
        target = self._context.dialogs.save_file(self, _("Save as ZIP…"), suggestion, "*.zip")
        if target is None:
            return
        try:
            size = pack_release(self.written.path, Path(target))
        except PpdmError as error:
            self._failure.set_error(error)
            return
        text = _(
            "{file} is saved ({size:size}). It contains only the release folder.",
            file=Term(str(target)),
            size=Size(size),
        )
        self.tell("passed", text)

    def _on_approve(self) -> None:
        """Open the dialog in which a second person approves or refuses the release; nothing without a release.

        Once the person has decided, ``changed`` is sent.
        """
        if self.written is not None:
            dialog = SecondLookDialog(self, self._context, self.written.path, approving=True)
            dialog.decided.connect(self.changed)
            dialog.open()

    def follow(self) -> None:
        """Read the log again of a release that waits for a second person, who may have decided in another program.

        The log in ``written`` and in the session is replaced. If the release was approved, its folder in ``written`` is
        from now on the renamed one, without the ending for waiting. ``changed`` is not sent. Releases that do not wait
        are skipped; a log that is missing or cannot be read changes nothing.
        """
        if self.written is not None and self.written.waits:
            approved = self.written.path.with_name(self.written.path.name.removesuffix(WAITING))
            folder = self.written.path if self.written.path.is_dir() else approved
            with suppress(InputError):  # a broken log is told by verifying
                if log := read_log(folder / LOG):
                    self.written = replace(self.written, path=folder, log=log)
                    self._context.session.log = log

    def _on_verify(self) -> None:
        """Make the release a second time in the background, and compare it with the written one.

        Nothing happens without a release or an open file, or while this is running.
        """
        session = self._context.session
        path = session.decisions.path
        if self.written is not None and path is not None and not self._context.runner.is_running(_VERIFY):
            recipient = secret_for(session.chosen.recipe, session.secrets) if session.chosen is not None else None
            self._context.runner.start(
                _VERIFY, partial(verify, self.written.path, path, recipient=recipient), self._on_verified
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
        self.tell(kind, f"{text.sentence} {text.window} {teaching}".strip())
        self.result.setFocus()

    def _on_destroy(self) -> None:
        """Ask for confirmation before the key of the release is destroyed; nothing without a release.

        The user must type the name of the release's folder. The question warns if the chosen candidate's recipe makes
        codes with a recipient's secret, because these can still be traced to people.
        """
        if self.written is not None:
            text = _(
                "Without the key nobody can reproduce or verify this release, not even you. This cannot be undone."
            )
            chosen = self._context.session.chosen
            if chosen is not None and any(True for _ in list_needed_fingerprints(chosen.recipe)):
                kept = _("The secret kept for the recipient stays: with it, codes can still be traced to people.")
                text = f"{text} {kept}"
            self.confirm.ask(_("Destroy the key of this release?"), text, self.written.path.name)

    def _on_destroy_confirmed(self) -> None:
        """Destroy the key of the release and send ``changed``, or show why that failed; nothing without a release.

        The operator's name, if the recipe has it, is recorded with it.
        """
        if self.written is None:
            return
        try:
            destroy_key(self.written.path, self._context.session.decisions.recipe.operator.name)
        except PpdmError as error:
            self._failure.set_error(error)
            return
        self.tell("note", _("The key is destroyed. The folder “internal” records when, and by whom."))
        self.changed.emit()


def document_to_open(out: Path) -> Path:
    """Return the path of the certificate (PDF) in a release's folder ``out``, or of the report if there is none.

    Both are in the internal folder, and have a prefix in a teaching copy. Whether the report exists is not checked.
    """
    prefix = TEACHING_PREFIX if (out / TEACHING).is_dir() else ""
    certificate = out / INTERNAL / f"{prefix}{CERTIFICATE_PDF}"
    return certificate if certificate.is_file() else out / INTERNAL / f"{prefix}{REPORT_PAGE}"
