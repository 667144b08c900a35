"""The queue of candidates (protected tables made for comparison): one is made at a time in the background."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.recipients import list_needed_fingerprints
from ppdm_desktop.engine.randomness import Key, RecipientSecret
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.attack_audit.base import audit
from ppdm_desktop.engine.release.candidate.model import Candidate, answers_of, copy_answers
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, run_candidate, with_answers
from ppdm_desktop.engine.release.evaluate.evaluate import original_key
from ppdm_desktop.engine.release.gate import Evidence
from ppdm_desktop.engine.release.planning.version import Version
from ppdm_desktop.engine.release.storage.ledger import DrawEntry, history_of
from ppdm_desktop.engine.release.writing.disk_and_memory import refuse_beyond_memory
from ppdm_desktop.engine.release.writing.export import Evaluation, evaluate
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.stored.code_store import lies_on_disk
from ppdm_desktop.ui.state.gate_rows import Attacks, attacks_of
from ppdm_desktop.ui.state.session import CandidateEntry, Session
from ppdm_desktop.ui.work.tasks import TaskFigures, TaskOutcome, TaskProgress, TaskRunner

JOB = "candidate"
WAITING, RUNNING, DONE, FAILED, CANCELLED, AGAIN = "waiting", "running", "done", "failed", "cancelled", "again"


@dataclass(frozen=True, eq=False)
class Made:
    """What making a candidate gives: the protected table, and its evaluation by attacks and checks."""

    candidate: Candidate
    judged: Evaluation


def make_candidate(
    path: Path,
    reading: Reading,
    recipe: Recipe,
    key: Key,
    *,
    draws: Sequence[DrawEntry] = (),
    ledger: Path | None = None,
    originals: Mapping[str, Verdict] | None = None,
    recipient: RecipientSecret | None = None,
    planned: Evidence | None = None,
) -> Made:
    """Return a table protected by a recipe, and its evaluation by attacks and checks; runs in the background.

    Parameters
    ----------
    path, reading, recipe
        The source file, how it was read, and how it is protected.
    key
        The secret from which all random draws are derived.
    draws
        Entries for tables already made in this session from the same file.
    ledger
        File that lists earlier releases and draws, in which the random draw of this table is entered, released or not.
        None: none are considered or entered.
    originals
        Results of the attacks on unprotected sources, by what they depend on, so that none is computed twice.
    recipient
        The secret from which a recipient's pseudonyms are made; None if the recipe makes none.
    planned
        A candidate already made with the same key, and its attacks; it is used instead of a new run if its recipe is
        the same.

    Raises
    ------
    InputError, RecipeError
        When the source or a method does not fit; also when it would not fit in memory, before anything is drawn.
    """
    progress.report(0.0, "doing.candidate")
    prepared = progress.part(0.0, 0.05).run(prepare_reading, path, reading, recipe)
    attacks = None
    if planned is not None and planned.candidate.prepared.recipe_sha256 == prepared.recipe_sha256:
        candidate = with_release_wishes(planned.candidate, recipe)
        earlier = 0 if ledger is None else len(history_of(candidate, ledger).others)
        attacks = progress.part(0.05, 0.5).run(audit, candidate, earlier=earlier, made=planned.attacks)
    else:
        if lies_on_disk(prepared.table):
            methods = [find_method(step.method) for step in recipe.steps if step.enabled]
            refuse_beyond_memory(methods, prepared.table.rows, len(prepared.table.columns))
        candidate = progress.part(0.05, 0.5).run(run_candidate, prepared, key, recipient=recipient)
    original = (originals or {}).get(original_key(prepared))
    to_judge = progress.part(0.5, 1.0)
    return Made(
        candidate, to_judge.run(evaluate, candidate, attacks=attacks, ledger=ledger, draws=draws, original=original)
    )


_RELEASE_WISHES = (
    "format", "file_name", "formula_guard", "teaching_copy", "note_language", "report_language", "analysis_kit",
    "four_eyes",
)  # fmt: skip


def with_release_wishes(candidate: Candidate, recipe: Recipe) -> Candidate:
    """Return a copy of a candidate with the recipe's present settings that do not change the protected table.

    These are file format and documents, written reasons, the person who releases, the models of the trial analyses and
    the values they learn from, and the answers that only the checks read. The candidate given is not changed.
    """
    prepared = with_answers(candidate.prepared, recipe)
    wishes = {
        "accept": recipe.accept,
        "operator": recipe.operator,
        "utility": prepared.recipe.utility.model_copy(
            update={"learn_from": recipe.utility.learn_from, "models": recipe.utility.models}
        ),
        "release": prepared.recipe.release.model_copy(
            update={key: getattr(recipe.release, key) for key in _RELEASE_WISHES}
        ),
    }
    return replace(
        candidate,
        prepared=replace(
            prepared,
            recipe=prepared.recipe.model_copy(update=wishes),
            complete=prepared.complete.model_copy(update=wishes),
        ),
    )


@dataclass
class Search:
    """State of a genetic search in progress.

    Attributes
    ----------
    generations
        Number of generations asked for.
    reached
        Number of generations done.
    curve
        (generation, best fitness on the training records) of the generations reported so far.
    going
        Whether generations are still computed; False once the same job goes on with later work.
    """

    generations: int
    reached: int = 0
    curve: list[tuple[float, float]] = field(default_factory=list)
    going: bool = True


class CandidateQueue(QObject):
    """Makes the waiting candidates of the session one after another.

    Signals
    -------
    progressed
        Emitted when the running candidate made progress or reported figures. (The session is notified only when a run
        begins or ends.)
    judged
        Emitted with the steps, the key and the verdict of a candidate whose run is done.
    """

    progressed = Signal(object)
    judged = Signal(object, object, object)

    def __init__(
        self, session: Session, runner: TaskRunner, parent: QObject | None = None, *, ledger: Path | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._runner, self._ledger = session, runner, ledger
        self.running: CandidateEntry | None = None
        self.is_stopping = False
        self.is_finishing = False
        self._originals: dict[str, Verdict] = {}
        self.search: Search | None = None
        self._searching = ""
        self._answered = session.decisions.recipe
        runner.progressed.connect(self._on_progressed)
        runner.reported.connect(self._on_reported)
        session.listen(self._on_answered)

    def add(self, recipe: Recipe) -> CandidateEntry:
        """Queue a new candidate of a recipe with a fresh random key, and return its entry in the session's list.

        A candidate is a protected version of the file that is made to be compared. It is started if nothing else runs;
        the entry's status says whether it waits, runs or is finished.
        """
        entry = self._session.add_candidate(recipe, Key.fresh(), _format_current_time())
        self._start_next_run()
        return entry

    def add_version(self, version: Version) -> CandidateEntry:
        """Queue a candidate made by a version that the search found, and return its entry.

        It gets the version's random key and, if the search kept it, the table that the search made with that key. It is
        started if nothing else runs.
        """
        recipe = self._session.decisions.recipe.model_copy(update={"steps": version.steps})
        entry = self._session.add_candidate(recipe, version.key, _format_current_time(), str(version.name))
        entry.planned = version.made
        self._start_next_run()
        return entry

    def cancel_all(self) -> None:
        """Cancel the present run and all waiting candidates, which stay in the list with the status "cancelled".

        The candidate being made gets that status once it has stopped.
        """
        for entry in self._session.candidates:
            if entry.status == WAITING:
                entry.status = CANCELLED
        if self.running is not None:
            self.cancel(self.running)
        else:
            self._session.changed()

    @property
    def unfinished(self) -> int:
        """Number of candidates that are being made or wait for it, without one that is only evaluated again."""
        return sum(entry.status in (WAITING, RUNNING) for entry in self._session.candidates)

    def forget(self) -> None:
        """Forget the running candidate and the attack results on the original, because another file was opened.

        The list of candidates and the background job are left alone.
        """
        self.running, self.search, self._searching = None, None, ""
        self.is_stopping = self.is_finishing = False
        self._originals.clear()

    def may_run_again(self, entry: CandidateEntry) -> bool:
        """Return whether making a candidate again is offered.

        True if it failed, was cancelled or waits to be repeated, or if decisions changed since it was made; False while
        it waits or runs, and for an up-to-date result.
        """
        return entry.status in (FAILED, CANCELLED, AGAIN) or (
            entry.status == DONE and self._session.is_stale(entry.basis)
        )

    def again(self, entry: CandidateEntry) -> None:
        """Queue a candidate to be made again with its name and steps, a fresh key and all other present decisions.

        Steps are the methods with their settings.
        """
        self._requeue_run(entry)
        self._start_next_run()

    def all_again(self) -> None:
        """Queue again every candidate for which that is offered (``may_run_again``), in the order of the list."""
        for entry in filter(self.may_run_again, self._session.candidates):
            self._requeue_run(entry)
        self._start_next_run()

    def _requeue_run(self, entry: CandidateEntry) -> None:
        """Set a candidate back to waiting, with its steps, all other present decisions, and a fresh key."""
        entry.rerun()
        entry.recipe = self._session.decisions.recipe.model_copy(update={"steps": entry.recipe.steps})
        entry.key, entry.status, entry.error = Key.fresh(), WAITING, ""
        entry.fraction, entry.seconds = 0.0, 0.0
        entry.basis = self._session.basis(entry.recipe)

    def cancel(self, entry: CandidateEntry) -> None:
        """Cancel the candidate that is being made, or mark a waiting one as cancelled.

        Others stay as they are. A finished one that is being evaluated again keeps its earlier evaluation and is out of
        date.
        """
        if entry is self.running:
            self.is_stopping = True
            self._runner.cancel(JOB)
        elif entry.status == WAITING:
            entry.status = CANCELLED
        self._session.changed()

    def finish_early(self, entry: CandidateEntry) -> None:
        """End the genetic search of the running candidate after its current generation, and use the best result so far.

        Nothing happens if ``entry`` is not the running candidate, or if no search is in progress.
        """
        if entry is self.running and self.search is not None and self.search.going and not self.is_stopping:
            self.is_finishing = True
            self._runner.finish_early(JOB)
            self._session.changed()

    def remove(self, entry: CandidateEntry) -> None:
        """Delete a candidate from the session; nothing if it is running or was deleted already."""
        if entry is self.running or entry not in self._session.candidates:
            return
        self._session.candidates.remove(entry)
        self._session.changed()

    def _start_next_run(self) -> None:
        """Start the next run if nothing runs; if none was started, notify the session of the change."""
        if not self.start_next():
            self._session.changed()

    def start_next(self) -> bool:
        """Start the first waiting run if nothing runs; return whether something was started.

        If none waits, the first finished candidate is evaluated again that is up to date but for the user's answers
        that only the checks read. Nothing is started without an open file.
        """
        session = self._session
        if self.running is not None or session.reading is None or session.decisions.path is None:
            return False
        entry = next((candidate for candidate in session.candidates if candidate.status == WAITING), None)
        entry = entry or next(filter(self._is_answered_differently, session.candidates), None)
        if entry is None:
            return False
        self.running, self.is_stopping, self.is_finishing, self.search = entry, False, False, None
        self._answered = copy_answers(entry.recipe, session.decisions.recipe)
        if entry.status == WAITING:
            entry.recipe = self._answered
            entry.status, entry.fraction, entry.seconds = RUNNING, 0.0, 0.0
        entry.doing = ""
        ledger = None if session.rehearses else self._ledger
        self._runner.start(
            JOB,
            partial(_judge_again, entry, self._answered, attacks_of(entry), ledger, session.draws)
            if entry.status == DONE
            else partial(
                make_candidate,
                session.decisions.path,
                session.reading,
                entry.recipe,
                entry.key,
                draws=session.draws,
                ledger=ledger,
                originals=dict(self._originals),
                recipient=secret_for(entry.recipe, session.secrets),
                planned=entry.planned,
            ),
            self._on_done,
        )
        session.changed()
        return True

    def _on_answered(self) -> None:
        """Evaluate finished candidates again if the user's answers that only the checks read have changed.

        One is evaluated after the other, and nothing is started while another candidate is being made.
        """
        if any(map(self._is_answered_differently, self._session.candidates)):
            self.start_next()

    def _is_answered_differently(self, entry: CandidateEntry) -> bool:
        """Return whether a finished candidate only has to be evaluated again, not made again.

        That is so if nothing but answers that only the checks read differ from the present decisions.
        """
        session = self._session
        return (
            entry.status == DONE
            and entry.candidate is not None
            and answers_of(entry.recipe) != answers_of(session.decisions.recipe)
            and not session.is_stale(entry.basis)
        )

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Store the progress of the running candidate and send ``progressed``; progress of other jobs is ignored."""
        if progress.job != JOB or self.running is None:
            return
        self.running.fraction, self.running.doing = progress.fraction, progress.doing
        self.running.seconds = progress.seconds
        if self.search is not None:
            self.search.going = progress.doing == self._searching
        self.progressed.emit(progress)

    def _on_reported(self, figures: TaskFigures) -> None:
        """Add the reported generations of a genetic search to the running candidate's curve and send ``progressed``.

        Figures of other jobs, and figures that are no generations of a search, are ignored.
        """
        if figures.job != JOB or self.running is None or not figures.reported:
            return
        last = figures.reported[-1]
        if not {"generation", "generations", "best"} <= set(last):
            return
        if self.search is None:
            self.search = Search(int(last["generations"]))
        self._searching = figures.doing
        self.search.reached = int(last["generation"])
        self.search.curve += [(report["generation"], report["best"]) for report in figures.reported]
        self.progressed.emit(figures)

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Store a run's outcome (result, cancellation or error message) in its candidate, and start the next run.

        A result is also counted among the session's random draws and sent by ``judged``. A candidate whose new
        evaluation was cancelled keeps the earlier one and is out of date; one whose new evaluation failed has failed.
        The outcome of a candidate that was forgotten, because another file was opened, is dropped.
        """
        entry, self.running, self.is_stopping = self.running, None, False
        self.is_finishing, self.search = False, None
        if entry is not None:
            entry.planned = None
            if outcome.cancelled and entry.status == DONE:
                entry.basis = b""  # it keeps the verdict under earlier answers, which is out of date
            elif outcome.cancelled:
                entry.status = CANCELLED
            elif outcome.ok:
                entry.candidate, entry.judged = outcome.result.candidate, outcome.result.judged
                self._session.count_draw(entry.candidate, entry.judged)
                self.judged.emit(entry.recipe.steps, entry.key, entry.judged.report.verdict)
                if entry.status == RUNNING:
                    self._keep_new(entry, outcome.result)
                elif entry.status == DONE:
                    entry.recipe = self._answered
            else:
                entry.status, entry.error = FAILED, outcome.message
        self._start_next_run()

    def _keep_new(self, entry: CandidateEntry, made: Made) -> None:
        """Mark a run as done, and store its steps and the attack results on the unprotected source.

        The steps may differ from those queued, because settings that the run determined are written into them. Later
        runs reuse the results on the source. Analyses and reconstructed distributions of an earlier run are dropped.
        """
        entry.analyses, entry.curves = None, None
        # A search that was ended early wrote the generation it reached into the recipe.
        entry.recipe = entry.recipe.model_copy(update={"steps": made.candidate.prepared.recipe.steps})
        entry.status, entry.fraction = DONE, 1.0
        original = made.judged.report.original
        if original is not None and original.attacks:
            self._originals[original_key(made.candidate.prepared)] = original


def secret_for(recipe: Recipe, opened: Mapping[str, RecipientSecret]) -> RecipientSecret | None:
    """Return the opened secret from which a recipe makes pseudonyms for a recipient; None if none is needed or open.

    ``opened`` are the secrets opened so far, by the marks that recipes name them with.
    """
    return next((opened[mark] for mark in list_needed_fingerprints(recipe) if mark in opened), None)


def _format_current_time() -> str:
    """Return the local date and time as text, such as "2026-01-31 09:05"."""
    return datetime.now().strftime("%Y-%m-%d %H:%M")


def _judge_again(
    entry: CandidateEntry, answered: Recipe, attacks: Attacks, ledger: Path | None, draws: Sequence[DrawEntry]
) -> Made:
    """Return a finished candidate with the answers in the recipe ``answered`` and its new evaluation, as a job's work.

    Answers are settings that only the checks read. The protected table is not made again, and the attacks are not run
    again: ``attacks`` are their results. ``ledger`` is the file of earlier releases, ``draws`` are the tables already
    made in this session.
    """
    assert entry.candidate is not None
    again = replace(entry.candidate, prepared=with_answers(entry.candidate.prepared, answered))
    original = entry.judged.report.original
    return Made(again, evaluate(again, attacks=attacks, ledger=ledger, draws=draws, original=original))
