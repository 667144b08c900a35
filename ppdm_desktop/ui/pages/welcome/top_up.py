"""Dialog that adds records to an earlier release or removes people from it, and writes the result as a new release."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.decision import bind_reason, select_needing_reason
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.release.top_up.run import check_folder, read_and_top_up
from ppdm_desktop.engine.release.writing.export import Evaluation, Exported, evaluate, export
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pdf.own_process import pdf_process
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.gate_rows import OPEN, explain_blocked_writing, free_folder, order_checks_and_reasons
from ppdm_desktop.ui.state.table_files import name_patterns
from ppdm_desktop.ui.widgets.basic import FailureStrip, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.elided import Elided
from ppdm_desktop.ui.widgets.gate_card import GateCard
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, stretch_part, vbox, widget_of
from ppdm_desktop.ui.widgets.scrolling import Area
from ppdm_desktop.ui.widgets.work import WorkBar
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

TRY, WRITE = "top-up", "top-up-export"
EARLIER, NEW, LEAVING = "earlier", "new", "leaving"
"""What the user chooses: the earlier release, new records, and people to take out."""


@dataclass(frozen=True, eq=False)
class Tried:
    """An extended or reduced release in memory with its checks; nothing is written yet."""

    earlier: Path
    candidate: Candidate
    judged: Evaluation


def try_top_up(earlier: Path, new: Path | None, leaving: Path | None, key: Key, ledger: Path | None = None) -> Tried:
    """Add records to a release and remove people from it, and return the result with its checks.

    Parameters
    ----------
    earlier
        Folder of the release.
    new
        File with records to add, or None.
    leaving
        File with people to remove, or None.
    key
        Key that determines the random draws.
    ledger
        Log of earlier releases, in which the random draw is entered, or None.

    Raises
    ------
    InputError, RecipeError
        If both files are None, the release cannot be used, or a file does not fit it.
    """
    candidate = progress.part(0.0, 0.6).run(read_and_top_up, earlier, new, leaving, key)
    return Tried(earlier, candidate, progress.part(0.6, 1.0).run(evaluate, candidate, ledger=ledger))


def write_top_up(tried: Tried, out: Path, reasons: dict[str, str], ledger: Path | None = None) -> Exported:
    """Write the new release with its PDFs into the folder ``out`` and return what was written.

    If a second person has to approve it, " (waiting)" is added to the folder's name.

    Parameters
    ----------
    tried
        The new release in memory.
    out
        The folder; InputError if it is the folder of the earlier release or inside it, GateBlocked if a check stops the
        release.
    reasons
        The user's written reasons by cause.
    ledger
        Log of earlier releases, or None.
    """
    check_folder(tried.earlier, out)
    attacks = tuple(tried.judged.report.verdict.attacks or ())
    with pdf_process(tuple(pdf_renderers())) as renderers:
        return export(tried.candidate, out, accepts=reasons, attacks=attacks, ledger=ledger, renderers=renderers)


class TopUpDialog(QDialog):
    """Dialog in four steps: choose files, look at the result, answer the checks, write."""

    def __init__(self, parent: QWidget, context: Context) -> None:
        super().__init__(parent)
        self.setObjectName("dialog_top_up")
        self.setWindowTitle(_("Add people to an earlier release, or take them out"))
        self._context = context
        self._paths: dict[str, Path] = {}
        self._path_labels: dict[str, Elided] = {}
        self._tried: Tried | None = None
        self._reasons: dict[str, str] = {}
        about = Text(
            _(
                "For releases made by condensation. You need the release folder and the new records, "
                "but not the old original."
            ),
            tone="text2",
        )
        self.failure = FailureStrip(name="strip_top_up_failure")
        path_rows = (
            self._build_path_row(EARLIER, _("Folder of the earlier release"), "button_top_up_folder"),
            self._build_path_row(NEW, _("File with the new records"), "button_top_up_file"),
            self._build_path_row(LEAVING, _("File with the people to take out"), "button_top_up_leaving"),
        )
        self.result_strip = Strip("note", "", name="strip_top_up_result")
        self.gate = GateCard({})
        self.gate.reasoned.connect(self._on_reason)
        self.gate.hide()
        parts = (about, self.failure, *path_rows, self.result_strip, self.gate, STRETCH)
        inside = widget_of(vbox(*parts, margins=(0, 0, 10, 0), gap=12))
        self.bar = WorkBar()
        self.bar.hide()
        add_parts(QVBoxLayout(self), stretch_part(Area(inside)), self.bar, self._build_button_row())
        self.resize(theme().px(760), theme().px(620))
        context.runner.progressed.connect(self._on_progress)
        self._show_state()

    # --- building -----------------------------------------------------------------------

    def _build_path_row(self, part: str, text: str, name: str) -> QHBoxLayout:
        """Return a row with the button that asks for the path of a part, and the label of the chosen path.

        Parameters
        ----------
        part
            ``EARLIER``, ``NEW`` or ``LEAVING``.
        text, name
            Text of the button, and its object name.
        """
        label = self._path_labels[part] = Elided("", tone="text2", is_path=True)
        label.setObjectName(f"{name}_words")
        choose = partial(self._choose_path, part, text)
        return hbox(Button(text, name=name, icon="folder", clicked=choose), stretch_part(label))

    def _build_button_row(self) -> QHBoxLayout:
        """Return the bottom row: a text on what is missing, and buttons to stop, try, write and close."""
        self._missing = Text("", tone="text2", name="label_top_up_missing")
        self.button_cancel = Button(_("Stop"), name="button_top_up_stop", clicked=self._on_stop)
        self.button_try = Button(_("Try the changes"), name="button_top_up_try", primary=True, clicked=self._on_try)
        self.button_write = Button(
            _("Write the new release…"), name="button_top_up_write", primary=True, clicked=self._on_write
        )
        close = Button(_("Close"), name="button_top_up_close", clicked=self.close)
        return hbox(stretch_part(self._missing), self.button_cancel, self.button_try, self.button_write, close)

    # --- choosing and running -----------------------------------------------------------

    def _choose_path(self, part: str, title: str) -> None:
        """Ask for the folder or the file of a part (``EARLIER``, ``NEW`` or ``LEAVING``); nothing if the user cancels.

        The last trial is discarded, because it was for other files. ``title`` is that of the system's dialog.
        """
        if part == EARLIER:
            start = self._paths[EARLIER].parent if EARLIER in self._paths else Path.home()
            path = self._context.dialogs.folder(self, title, start)
        else:
            path = self._context.dialogs.open_file(self, title, name_patterns())
        if path is not None:
            self._paths[part] = path
            self._drop_trial()

    @property
    def _file(self) -> Path | None:
        """The file that gives the new release its name: the new records, or else the people to remove.

        None if neither is chosen.
        """
        return self._paths.get(NEW) or self._paths.get(LEAVING)

    def _drop_trial(self) -> None:
        """Stop running work and discard the last trial with its reasons and messages, then show the state."""
        self._cancel_work()
        self._tried, self._reasons = None, {}
        self.failure.clear()
        self.result_strip.hide()
        self._show_state()

    def _on_try(self) -> None:
        """Start making the new release with a fresh key and checking it, in the background; no release file is written.

        The last trial is discarded with its reasons. The random draw is entered in the ledger, if there is one, once
        the check is done. Nothing happens before the earlier release and a file (new records, or people to remove) are
        chosen.
        """
        earlier, new, leaving = (self._paths.get(part) for part in (EARLIER, NEW, LEAVING))
        if earlier is None or self._file is None:
            return
        self._drop_trial()
        work = partial(try_top_up, earlier, new, leaving, Key.fresh(), self._context.ledger)
        self._context.runner.start(TRY, work, self._on_tried)
        self._show_state()

    def _on_write(self) -> None:
        """Ask for a folder, and write the new release into a new folder inside it, in the background.

        Nothing happens without a trial or if the user cancels.
        """
        file = self._file
        if self._tried is None or file is None:
            return
        parent = self._context.dialogs.folder(self, _("Folder for the new release"), file.parent)
        if parent is None:
            return
        out = free_folder(parent / file.name)
        self.failure.clear()
        work = partial(write_top_up, self._tried, out, dict(self._reasons), self._context.ledger)
        self._context.runner.start(WRITE, work, self._on_written)
        self._show_state()

    def _on_stop(self) -> None:
        """Cancel running work and show the state."""
        self._cancel_work()
        self._show_state()

    def _cancel_work(self) -> None:
        """Cancel the background jobs of trying and writing."""
        for job in (TRY, WRITE):
            self._context.runner.cancel(job)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Cancel background work, and forget the chosen files and the last trial, because the dialog is closed."""
        self._paths.clear()
        self._drop_trial()
        super().closeEvent(event)

    # --- results ------------------------------------------------------------------------

    @Slot(object)
    def _on_progress(self, progress: TaskProgress) -> None:
        """Show the progress of trying or writing; progress of other background jobs is ignored."""
        if progress.job in (TRY, WRITE):
            self.bar.show_share(progress.fraction)

    def _on_tried(self, outcome: TaskOutcome) -> None:
        """Store the trial and show the notes of its first step, or show why the trial failed."""
        if outcome.ok:
            self._tried = outcome.result
            notes = [render(note.id, note.arguments) for note in self._tried.candidate.steps[0].result.notes]
            self.result_strip.set("note", " ".join(note.sentence for note in notes))
            self.result_strip.show()
        else:
            self.failure.set_outcome(outcome)
        self._show_state()

    def _on_reason(self, id: str, reason: str) -> None:
        """Store the user's reason for a cause of failed checks (``id``), or remove it if empty, and show the state."""
        if reason:
            self._reasons[id] = reason
        else:
            self._reasons.pop(id, None)
        self._show_state()

    def _on_written(self, outcome: TaskOutcome) -> None:
        """Discard the trial and show where the new release is, or show why it was not written and keep the trial.

        The message says which folder may be shared, or that the release waits for a second person.
        """
        if outcome.ok:
            done: Exported = outcome.result
            self._tried = None
            text = _("The release is in {folder}.", folder=Term(str(done.path)))
            never = _("Share only the folder “release”. Never send “internal”: with it, the protection can be undone.")
            self.result_strip.set("passed", f"{text} {_('It waits for a second person.') if done.waits else never}")
            self.result_strip.show()
        else:
            self.failure.set_outcome(outcome)
        self._show_state()

    def _show_state(self) -> None:
        """Show paths, buttons, progress, what is missing before trying or writing, and after a trial also its checks.

        The button to try is visible without a trial, the button to write with one, the button to stop while work runs.
        Trying is possible once the folder and at least one file are chosen, writing if every check is passed or
        answered by a reason; neither while work runs.
        """
        for part, label in self._path_labels.items():
            label.setText(str(self._paths.get(part, _("Nothing chosen yet"))))
        runs = any(self._context.runner.is_running(job) for job in (TRY, WRITE))
        self.bar.setVisible(runs)
        self.button_cancel.setVisible(runs)
        chosen = EARLIER in self._paths and self._file is not None
        self.button_try.setVisible(self._tried is None)
        self.button_try.setEnabled(chosen and not runs)
        self.button_write.setVisible(self._tried is not None)
        self.gate.setVisible(self._tried is not None)
        self._missing.setText("" if chosen else _("Choose the folder and at least one file."))
        if self._tried is None:
            return
        prepared, checks = self._tried.candidate.prepared, self._tried.judged.checks
        sha256, type = prepared.account.sha256, prepared.type.id
        accept = {
            cause: bind_reason(reason, select_needing_reason(checks, CAUSES[cause]), type, sha256)
            for cause, reason in self._reasons.items()
        }
        rows, reasons = order_checks_and_reasons(checks, accept, sha256, type)
        # No page can fix an earlier release: what stops the release is fixed in the new file.
        rows = [replace(row, fixed_on="") for row in rows]
        self.gate.show_rows(rows, reasons, self._tried.judged.report.verdict)
        missing = explain_blocked_writing(rows)
        self._missing.setText(missing)
        self.button_write.setEnabled(not missing and not runs and not any(row.state == OPEN for row in rows))
