"""Actions on a written release: open it, pack it, read its report, verify it, destroy its key."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.decision_log import read_log
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.methods.base.recipients import marks_wanted
from ppdm_desktop.engine.release.storage.atomic_folder import RELEASE, TEACHING
from ppdm_desktop.engine.release.verify import IDENTICAL, NOT_POSSIBLE, Verification, destroy_key
from ppdm_desktop.engine.release.writing.export import WAITING, Exported
from ppdm_desktop.engine.release.writing.manifest import LOG
from ppdm_desktop.engine.release.writing.zip import pack_release
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Size, Term
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.release.done import DonePanel, document_to_open
from ppdm_desktop.ui.pages.release.work import verify_work
from ppdm_desktop.ui.state.recipient_secrets import secret_for
from ppdm_desktop.ui.widgets.failure import FailureStrip
from ppdm_desktop.ui.widgets.second_look import SecondLookDialog
from ppdm_desktop.ui.work.tasks import TaskOutcome

_VERIFY = "verify"


class AfterRelease(QObject):
    """Carries out the actions on a written release and shows the result in its panel.

    Signals
    -------
    changed
        The release changed: its key was destroyed.
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
        """Open the folder with the released files in the file manager."""
        if self.done is not None:
            folder = self.done.path / (TEACHING if self.done.report["release"]["teaching_copy"] else RELEASE)
            self._tell_where(self._context.dialogs.open_folder(folder), folder)

    def _on_open_report(self) -> None:
        """Open the report of the release in its program."""
        if self.done is not None:
            document = document_to_open(self.done.path)
            self._tell_where(self._context.dialogs.open_document(document), document)

    def _tell_where(self, visible: bool, path: Path) -> None:
        """Show the path of an opened file, because on some systems no program opens although none reports an error."""
        opened = lazy("It is being opened. If no window appears, you find it here: {path}")
        none = lazy("No program on this computer can open it. You find it here: {path}")
        self._panel.tell("note" if visible else "amber", (opened if visible else none).said(path=Term(str(path))))

    def _on_pack(self) -> None:
        """Ask for a file name and save the release folder there as a ZIP archive."""
        if self.done is None:
            return
        suggestion = self.done.path.with_name(f"{self.done.path.name}.zip")
        target = self._context.dialogs.save_file(
            self._parent, _("Save the release folder as a ZIP archive"), suggestion, _("ZIP archives (*.zip)")
        )
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
        if self.done is not None:
            dialog = SecondLookDialog(self._parent, self._context, self.done.path, approving=True)
            dialog.decided.connect(self.changed)
            dialog.open()

    def follow(self) -> None:
        """Take folder and log of the release as they are now, because a second person may have approved it anywhere."""
        if self.done is not None and self.done.waits:
            approved = self.done.path.with_name(self.done.path.name.removesuffix(WAITING))
            folder = self.done.path if self.done.path.is_dir() else approved
            with suppress(InputError):  # a broken log is told by verifying
                if log := read_log(folder / LOG):
                    self.done = replace(self.done, path=folder, log=log)
                    self._context.session.log = log

    def _on_verify(self) -> None:
        """Make the release again in the background and compare it with the written one."""
        session = self._context.session
        path = session.decisions.path
        if self.done is not None and path is not None and not self._context.runner.is_running(_VERIFY):
            recipient = secret_for(session.chosen.recipe, session.secrets) if session.chosen is not None else None
            self._context.runner.start(_VERIFY, verify_work(self.done.path, path, recipient), self._on_verified)

    def _on_verified(self, outcome: TaskOutcome) -> None:
        """Show whether the repeated release has the same bytes."""
        if not outcome.ok:
            self._failure.set_outcome(outcome)
            return
        verification: Verification = outcome.result
        text = render(verification.reason.id, verification.reason.arguments)
        kind, word = {
            IDENTICAL: ("passed", _("Identical.")),
            NOT_POSSIBLE: ("note", _("Not possible to verify.")),
        }.get(verification.result, ("blocks", _("Different.")))
        teaching = _("This is a teaching copy, not for release.") if verification.teaching_copy else ""
        self._panel.tell(kind, f"{word} {text.sentence} {text.window} {teaching}".strip())
        self._panel.result.setFocus()

    def _on_destroy(self) -> None:
        """Ask for confirmation before the key of the release is destroyed."""
        if self.done is not None:
            text = _(
                "Without the key nobody can reproduce or verify this release, not even you. This cannot be undone."
            )
            chosen = self._context.session.chosen
            if chosen is not None and any(True for _ in marks_wanted(chosen.recipe)):
                kept = _("The secret kept for the recipient stays: with it, codes can still be traced to people.")
                text = f"{text} {kept}"
            self._panel.confirm.ask(_("Destroy the key of this release?"), text, self.done.path.name)

    def _on_destroy_confirmed(self) -> None:
        """Destroy the key of the release."""
        if self.done is None:
            return
        try:
            destroy_key(self.done.path, self._context.session.decisions.recipe.operator.name)
        except PpdmError as error:
            self._failure.set_error(error)
            return
        self._panel.tell("note", _("The key is destroyed. The folder “internal” records when, and by whom."))
        self.changed.emit()
