"""Page "Release": answer the checks, choose where to write, and write exactly the candidate that was previewed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.errors import GateBlocked, PpdmError
from ppdm_desktop.engine.recipe.load import write_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate, answers_of
from ppdm_desktop.engine.release.gate.base import find_cause
from ppdm_desktop.engine.release.gate.decision import bind_reason, select_needing_reason
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL
from ppdm_desktop.engine.release.writing.export import KEY, Evaluation, Exported, evaluate, export
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Reason, Term, Value
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.release.done import ConfirmCard, DonePanel
from ppdm_desktop.ui.pages.release.papers import PapersPart
from ppdm_desktop.ui.pages.release.where import WherePanel
from ppdm_desktop.ui.pdf.own_process import pdf_process
from ppdm_desktop.ui.pdf.renderers import pdf_renderers
from ppdm_desktop.ui.state.candidate_queue import with_release_wishes
from ppdm_desktop.ui.state.finished_candidates import (
    describe_outdated,
    find_valid_analyses,
    has_verdict,
    require_evaluation,
)
from ppdm_desktop.ui.state.gate_rows import (
    BLOCKS,
    OPEN,
    GateRow,
    attacks_of,
    explain_blocked_writing,
    list_required_checks,
    order_checks_and_reasons,
    recipe_to_save,
)
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.state.step_chain import describe_chain
from ppdm_desktop.ui.state.step_texts import step_titles
from ppdm_desktop.ui.widgets.basic import FailureStrip, Strip
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.gate_card import GateCard
from ppdm_desktop.ui.widgets.layout import STRETCH, SideBySide, add_parts, vbox, widget_of
from ppdm_desktop.ui.widgets.scrolling import bring_in, put_back, show_start
from ppdm_desktop.ui.widgets.work import Skeleton
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JUDGE, _EXPORT = "judge", "export"
# What of the release section changes the file, and so what the gate says of it.
_WISHES = ("format", "file_name", "formula_guard", "teaching_copy", "note_language", "analysis_kit")


class ReleasePage(Page):
    """Page with checks at the left and options of the release at the right; after writing, the next actions."""

    step = "release"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._judged: tuple[tuple[object, ...], Evaluation] | None = None
        self._judging: tuple[object, ...] | None = None
        self._done_for: int | None = None
        self._displayed_serial: int | None = None
        self._writing_for: CandidateEntry | None = None
        self._rows: list[GateRow] = []
        self._written = 0
        self.failure = FailureStrip(name="strip_release_failed")
        self.button_replace = Button(_("Replace the earlier release"), name="button_replace_release")
        self.button_replace.clicked.connect(self._on_replace)
        self.button_replace.hide()
        self.failure.add_button(self.button_replace)
        self.confirm_replace = ConfirmCard(
            "replace_release", _("Keep the earlier release"), _("Replace the earlier release")
        )
        self.confirm_replace.confirmed.connect(self._on_replace_confirmed)
        self.stale = Strip("amber", "")
        self._both = SideBySide()
        self.gate = GateCard(step_titles())
        self.gate.reasoned.connect(self._on_reasoned)
        self.gate.fixing.connect(self.go)
        self.judging = Skeleton("card_being_judged")
        self.done = DonePanel(context, self.failure)
        self.done.changed.connect(self.refresh)
        self.done.hide()
        self._both.add(widget_of(vbox(self.judging, self.gate, self.done, STRETCH)), 17)
        self.where = WherePanel(context)
        self.where.wants_type.connect(partial(self.go.emit, "levels"))
        self.where.button_recipe.clicked.connect(self._on_save_recipe)
        self.papers = PapersPart(context, self.where.fold_files)
        self._both.add(widget_of(vbox(self.where, STRETCH, gap=12)), 10)
        add_parts(self.outer, self.failure, self.confirm_replace, self.stale, self._both, STRETCH)

    def title(self) -> str:
        """Return the title of the page."""
        return _("Release", "verb")

    def purpose(self) -> str:
        """Return the sentence below the title that says what the page is for."""
        return _("Pass the checks, write the release folder, keep the evidence.")

    # --- what the button says -------------------------------------------------------------

    def primary(self) -> Primary:
        """Return the button that writes the release, disabled with a message on the first thing that is missing.

        In this order: a candidate is chosen, no release is being written, the candidate is up to date, its checks are
        made, and they are passed or answered by a written reason (for a teaching copy only those that are not about
        protection). After writing, the button leads to the next release instead, even if decisions changed since.
        """
        if self._is_done:
            text = _("Release another version")
            return Primary(
                text, True, _("The release is written and stays as it is."), "passed", name="button_new_release"
            )
        text, name = _("Write the release"), "button_write_release"
        if self._is_teaching:
            text = _("Write the teaching copy")
        entry = self.session.chosen
        if entry is None:
            return Primary(text, False, _("Choose a version on the Compare page"), "amber", name=name)
        if self.context.runner.is_running(_EXPORT):
            return Primary(text, False, _("Writing the release"), "note", name=name)
        if self.session.is_stale(entry.basis):
            return Primary(text, False, _("Out of date: decisions changed"), "amber", name=name)
        judged = self._find_current_evaluation()
        if judged is None:
            return Primary(text, False, _("Checking {name}", name=Term(entry.display_name)), "note", name=name)
        holding = self._holding_rows
        missing = explain_blocked_writing(holding)
        if missing:
            severity = "blocks" if any(row.state == BLOCKS for row in holding) else "amber"
            return Primary(text, False, missing, severity, name=name)
        if self._is_teaching:
            return Primary(text, True, _("Teaching copy, not for release"), "amber", name=name)
        return Primary(text, True, _("Every check is passed or explained"), "passed", name=name)

    def on_primary(self) -> None:
        """Write the release in the background or, if it is written already, go to Compare with no version chosen.

        Reasons that are being typed are stored first. Nothing is written if a check blocks it or still needs a written
        reason, or if it is not said who releases the file and a second person is to approve it.
        """
        if self._is_done:
            self._done_for = self.done.written = None
            self.session.decide(chosen=None)
            self.go.emit("compare")
            return
        self.gate.flush()
        if not any(row.state in (BLOCKS, OPEN) for row in self._holding_rows) and not self.where.ask_for_operator():
            self._write_release(replace=False)

    @property
    def _is_teaching(self) -> bool:
        """Whether a teaching copy is to be written instead of a release."""
        return bool(self.session.decisions.recipe.release.teaching_copy)

    @property
    def _holding_rows(self) -> list[GateRow]:
        """The checks that must be passed or answered by a reason before the release is written."""
        return list_required_checks(self._rows, teaching=self._is_teaching)

    @property
    def _is_done(self) -> bool:
        """Whether the chosen candidate was written and its release is displayed."""
        chosen = self.session.chosen
        return self.done.written is not None and chosen is not None and self._done_for == chosen.serial

    def file_opened(self) -> None:
        """Forget checks, the written release, messages and typed texts, because another file was opened."""
        self._judged = self._judging = None
        self._done_for = self._displayed_serial = self._writing_for = self.done.written = None
        self._rows = []
        self.gate.clear()
        self.done.clear()
        self.where.clear()
        self._clear_old_messages()

    def reading_changed(self) -> None:
        """Remove the messages on the former reading of the file, and scroll to the top."""
        self._clear_old_messages()
        put_back(self)

    def _clear_old_messages(self) -> None:
        """Remove the error, and hide the button and the question for replacing an earlier release."""
        self.failure.clear()
        self.button_replace.hide()
        self.confirm_replace.hide()

    # --- showing ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show checks, options and files of the chosen candidate, or its written release.

        A candidate is a version that was run; if none is chosen, the page only asks to choose one. Checks that were not
        made for the present options are started in the background. If another candidate is chosen than before, errors
        and reasons that are being typed are removed. The log of a release that waits for a second person is read again.
        """
        entry = self.session.chosen
        serial = entry.serial if entry is not None else None
        if serial != self._displayed_serial:
            self._displayed_serial = serial
            self._clear_old_messages()
            # A reason that was begun for the one before is none for this one.
            self.gate.clear()
        self.judging.show_text("")
        self._both.setVisible(entry is not None)
        if entry is None:
            self.stale.set("amber", _("Choose a version on the Compare page"))
            return
        self.stale.set("amber", "" if self._is_done else describe_outdated(self.session, entry))
        judged = self._find_current_evaluation()
        self.done.follow()
        # The gate of another candidate, or of another file, is never shown in place of this one's.
        self.gate.setVisible(judged is not None and not self._is_done)
        self.done.setVisible(self._is_done)
        self.papers.setVisible(not self._is_teaching)
        self.papers.show_forms(self.done.written.path if self.done.written is not None and self._is_done else None)
        self.where.show_wishes(not self._is_done)
        try:
            self.where.show_entry(entry, self._apply_wishes(entry))
        except PpdmError as error:
            self.failure.set_error(error)
        written = self.done.written
        if written is not None and self._is_done:
            self.done.show_export(written, (written.path / INTERNAL / KEY).is_file())
            return
        if judged is None:
            self._rows = []
            doing = _("Checking {name}", name=Term(entry.display_name))
            self.judging.show_text(doing, describe_chain(entry.recipe))
            self._start_judge(entry)
            return
        recipe = self.session.decisions.recipe
        candidate = _to_candidate(entry)
        prepared = candidate.prepared
        self._rows, reasons = order_checks_and_reasons(
            judged.checks, recipe.accept, prepared.account.sha256, prepared.type.id
        )
        earlier = self.session.last_reasons
        reasons = [replace(row, earlier=earlier.get(row.cause, "")) for row in reasons]
        self.gate.show_rows(self._rows, reasons, judged.report.verdict, judged.report.original)

    def _apply_wishes(self, entry: CandidateEntry) -> Candidate:
        """Return the candidate with the present wishes for format, languages, files and reasons."""
        return with_release_wishes(_to_candidate(entry), self.session.decisions.recipe)

    # --- judging ------------------------------------------------------------------------

    def _check_basis(self, entry: CandidateEntry, recipe: Recipe) -> tuple[object, ...]:
        """Return everything on which the checks of a candidate depend; the checks are made again when it changes.

        These are its serial number, the settings of the release, the user's answers, and the numbers of earlier draws
        and releases.
        """
        wishes = (getattr(recipe.release, key) for key in _WISHES)
        return (entry.serial, *wishes, *answers_of(recipe), *self._count_earlier_releases(entry))

    def _count_earlier_releases(self, entry: CandidateEntry) -> tuple[int, int]:
        """Return (similar random draws so far, releases written in this window); some checks depend on both numbers."""
        return self.session.draws_of(_to_candidate(entry)), self._written

    def _find_current_evaluation(self) -> Evaluation | None:
        """Return the checks of the chosen candidate under the present options, None if they have to be made.

        Checks made with the candidate's run are taken if options are the same, no release was written in this window,
        and no further random draws were tried. None as well if no candidate is chosen.
        """
        entry = self.session.chosen
        if entry is None:
            return None
        wish = self._check_basis(entry, self.session.decisions.recipe)
        if self._judged is not None and self._judged[0] == wish:
            return self._judged[1]
        if not has_verdict(entry):
            return None
        judged = require_evaluation(entry)
        draws, written = self._count_earlier_releases(entry)
        is_current = written == 0 and judged.report.verdict.draws.tried == draws
        return judged if is_current and wish == self._check_basis(entry, entry.recipe) else None

    def _start_judge(self, entry: CandidateEntry) -> None:
        """Start the checks of a candidate in the background, unless the same checks are running.

        Other running checks are cancelled.
        """
        wish = self._check_basis(entry, self.session.decisions.recipe)
        if self._judging == wish:
            return
        self._judging = wish
        work = partial(evaluate, self._apply_wishes(entry), **self._earlier_results(entry))
        self.context.runner.start(_JUDGE, work, self._on_judged)

    def _earlier_results(self, entry: CandidateEntry) -> dict[str, Any]:
        """Return what ``evaluate`` need not compute again, as its arguments by name.

        They are ``attacks`` (results for the candidate), ``ledger`` (file of releases, None on the guided tour),
        ``draws`` (random draws of this session) and ``original`` (verdict on the original, None if unknown).
        """
        return {
            "attacks": attacks_of(entry),
            "ledger": None if self.session.rehearses else self.context.ledger,
            "draws": self.session.draws,
            "original": require_evaluation(entry).report.original if has_verdict(entry) else None,
        }

    def _on_judged(self, outcome: TaskOutcome) -> None:
        """Store the checks with the options for which they were made and refresh the page, or show why they failed.

        After a failure or a cancellation they are started again when the page is next refreshed.
        """
        wish, self._judging = self._judging, None
        if outcome.ok and wish is not None:
            self._judged = (wish, outcome.result)
            self.refresh()
        else:
            self.failure.set_outcome(outcome)
        self.primary_changed.emit()

    # --- deciding -----------------------------------------------------------------------

    def _on_reasoned(self, cause: str, reason: str) -> None:
        """Store the user's reason for a cause of failed checks, bound to the present findings; "" removes the reason.

        Nothing happens without checks for the present options.
        """
        entry, judged = self.session.chosen, self._find_current_evaluation()
        if entry is None or judged is None:
            return
        accept = {id: section for id, section in self.session.decisions.recipe.accept.items() if id != cause}
        if reason:
            prepared = _to_candidate(entry).prepared
            answered = select_needing_reason(judged.checks, find_cause(cause))
            accept[cause] = bind_reason(reason, answered, prepared.type.id, prepared.account.sha256)
        self.session.decide_recipe(accept=accept)

    def _on_save_recipe(self) -> None:
        """Ask for a file name and save the recipe of the chosen candidate there, or show why that failed.

        It has the present options and reasons; reasons that are being typed are stored first. Nothing happens without
        a candidate, or if the user cancels.
        """
        entry, path = self.session.chosen, self.session.decisions.path
        if entry is None or path is None:
            return
        self.gate.flush()
        target = self.context.dialogs.save_file(self, _("Save recipe…"), path.with_suffix(".toml"), "*.toml")
        if target is None:
            return
        text = write_recipe(recipe_to_save(self._apply_wishes(entry), self.session.decisions.recipe))
        try:
            Path(target).write_text(text, encoding="utf-8")
        except OSError as error:
            arguments: dict[str, Value] = {"reason": Reason.of(error)}
            self.failure.set_error(PpdmError("error.export.not-writable", file=str(target), args=arguments))

    # --- writing ------------------------------------------------------------------------

    def _write_release(self, *, replace: bool) -> None:
        """Write the release of the chosen candidate in the background; nothing without a chosen candidate.

        ``replace`` allows to delete an earlier release in the same folder. Trial analyses of the candidate are made
        again if there are none, or if the recipe now learns from other values or asks for other regression models.
        """
        entry = self.session.chosen
        if entry is None:
            return
        self.failure.clear()
        self.button_replace.hide()
        self._writing_for = entry
        utility = self.session.decisions.recipe.utility
        analyses = find_valid_analyses(entry, utility.learn_from)
        if analyses is not None and analyses.models_asked != utility.models:
            analyses = None
        work = partial(
            export_with_pdf,
            tuple(pdf_renderers()),
            self._apply_wishes(entry),
            self.where.folder,
            keep_key=self.session.decisions.keep_key,
            replace=replace,
            analyses=analyses,
            log=self.session.log,
            **self._earlier_results(entry),
        )
        self.context.runner.start(_EXPORT, work, self._on_exported)
        self.primary_changed.emit()

    def _on_exported(self, outcome: TaskOutcome) -> None:
        """Show the written release and write the ticked forms, or show why the release was not written.

        Unless it is a teaching copy, the candidate then counts as released, and the entries of the release record that
        suit any file are remembered in the session. If the folder has an earlier release, nothing is written and a
        button offers to replace it. If a check failed during the writing, all checks are made again.
        """
        if outcome.ok:
            written = self._writing_for
            self.done.written, self._done_for = outcome.result, written.serial if written is not None else None
            self.session.log = outcome.result.log or self.session.log
            if not outcome.result.report["release"]["teaching_copy"]:
                self._written += 1
                self.session.released = self._done_for
                self.session.last_record = self.session.decisions.recipe.operator.of_any_file
            self.done.tell("passed", "")
            self.session.changed()
            self.papers.write()
            # What is said of it stands at the top, and the button may have been reached by scrolling.
            show_start(self)
            if self.isVisible():
                self.done.setFocus()
        else:
            self.failure.set_outcome(outcome)
            bring_in(self.failure)
            exists = outcome.error is not None and outcome.error.id == "error.export.exists"
            self.button_replace.setVisible(exists)
            if isinstance(outcome.error, GateBlocked):
                # The source or the disk is not what it was: ask the gate again.
                self._judged = self._judging = None
                if self._writing_for is not None:
                    self._start_judge(self._writing_for)
        self.primary_changed.emit()

    def _on_replace(self) -> None:
        """Ask for confirmation before an earlier release in the chosen folder is deleted and replaced.

        The user must type the folder's name.
        """
        name = self.where.folder.name
        self.confirm_replace.ask(
            _("Replace the release in {folder}?", folder=Name(name)),
            _("The earlier release, its key and its report will be deleted. Nobody can verify it any more."),
            name,
        )

    def _on_replace_confirmed(self) -> None:
        """Write the release in place of the earlier one, if the checks still allow it."""
        if self.primary().enabled:
            self._write_release(replace=True)


def _to_candidate(entry: CandidateEntry) -> Candidate:
    """Return the candidate of a finished run; an unfinished run raises AssertionError."""
    assert entry.candidate is not None
    return entry.candidate


def export_with_pdf(documents: Sequence[str], candidate: Candidate, out: Path, **options: Any) -> Exported:
    """Write a release into the folder ``out``, convert some of its documents to PDF, and return what was written.

    ``documents`` are the file names of these documents, ``options`` those of ``export``. The PDFs are made in a
    separate process.
    """
    with pdf_process(documents) as renderers:
        return export(candidate, out, renderers=renderers, **options)
