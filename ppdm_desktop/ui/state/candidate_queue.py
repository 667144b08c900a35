"""The queue of candidates: one run at a time in the background, each with its own key."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.randomness import Key, RecipientSecret
from ppdm_desktop.engine.recipe.models import Recipe, StepSection
from ppdm_desktop.engine.release.candidate.effective import answered_like, answers_of
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, run_candidate, with_answers
from ppdm_desktop.engine.release.evaluate.original import original_key
from ppdm_desktop.engine.release.storage.ledger import DrawEntry
from ppdm_desktop.engine.release.writing.export import Evaluation, evaluate
from ppdm_desktop.engine.release.writing.room import refuse_beyond_memory
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.stored.stored_column import lies_on_disk
from ppdm_desktop.ui.state.gate_rows import attacks_of
from ppdm_desktop.ui.state.recipient_secrets import secret_for
from ppdm_desktop.ui.state.session import CandidateEntry, Session
from ppdm_desktop.ui.work.tasks import TaskFigures, TaskOutcome, TaskProgress, TaskRunner

JOB = "candidate"
_LEAST_FINISHED = 2
WAITING, RUNNING, DONE, FAILED, CANCELLED, AGAIN = "waiting", "running", "done", "failed", "cancelled", "again"


@dataclass(frozen=True, eq=False)
class Made:
    """What a run gives: the candidate and its judgement."""

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
) -> Made:
    """Protect a table as a recipe says, attack and judge the result (the work of job ``candidate``).

    Parameters
    ----------
    path, reading, recipe, key
        The source, and how it is protected.
    draws
        What the session knows of candidates drawn before.
    ledger
        File that remembers releases and draws.
    originals
        Verdicts on sources as they are, by what they depend on: none is reached twice.
    recipient
        The secret that codes for a recipient are made with.

    Raises
    ------
    InputError, RecipeError
        When the source or a method does not fit; also where it would not fit in memory, before anything is drawn.
    """
    progress.report(0.0, "doing.candidate")
    prepared = progress.part(0.0, 0.05).run(prepare_reading, path, reading, recipe)
    if lies_on_disk(prepared.table):
        methods = [find_method(step.method) for step in recipe.steps if step.enabled]
        refuse_beyond_memory(methods, prepared.table.rows, len(prepared.table.columns))
    candidate = progress.part(0.05, 0.5).run(run_candidate, prepared, key, recipient=recipient)
    original = (originals or {}).get(original_key(prepared))
    return Made(
        candidate,
        progress.part(0.5, 1.0).run(evaluate, candidate, ledger=ledger, draws=draws, original=original),
    )


def with_release_wishes(candidate: Candidate, recipe: Recipe) -> Candidate:
    """Return the same candidate with the file's form, what lies beside it, and the owner's words and answers of now.

    None of them enters a random stream, so nothing is drawn again.
    """
    prepared = with_answers(candidate.prepared, recipe)
    wishes = {
        "accept": recipe.accept,
        "operator": recipe.operator,
        "utility": prepared.recipe.utility.model_copy(update={"learn_from": recipe.utility.learn_from}),
        "release": prepared.recipe.release.model_copy(
            update={
                "format": recipe.release.format,
                "file_name": recipe.release.file_name,
                "formula_guard": recipe.release.formula_guard,
                "teaching_copy": recipe.release.teaching_copy,
                "note_language": recipe.release.note_language,
                "report_language": recipe.release.report_language,
                "analysis_kit": recipe.release.analysis_kit,
            }
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
    """A genetic search under way.

    Attributes
    ----------
    generations
        How many were asked for.
    reached, curve
        Generations behind it, and the best fitness on the training records after some of them,
        each with its generation: (generation, best).
    going
        Whether it still searches (else the run is at what follows).
    """

    generations: int
    reached: int = 0
    curve: list[tuple[float, float]] = field(default_factory=list)
    going: bool = True


class CandidateQueue(QObject):
    """Starts the waiting entries of the session one after another.

    Signals
    -------
    progressed
        The running entry got further, or reported figures (the session hears only when a run begins or ends).
    """

    progressed = Signal(object)

    def __init__(
        self, session: Session, runner: TaskRunner, parent: QObject | None = None, *, ledger: Path | None = None
    ) -> None:
        super().__init__(parent)
        self._session, self._runner, self._ledger = session, runner, ledger
        self._running: CandidateEntry | None = None
        self._stopping = False
        self._finishing = False
        self._originals: dict[str, Verdict] = {}
        self.search: Search | None = None
        self._searching = ""
        self._began = 0.0
        runner.progressed.connect(self._on_progressed)
        runner.reported.connect(self._on_reported)
        session.listen(self._on_answered)

    @property
    def running(self) -> CandidateEntry | None:
        """The entry under way."""
        return self._running

    @property
    def is_stopping(self) -> bool:
        """Whether the run under way was asked to stop and has not answered yet."""
        return self._stopping

    @property
    def is_finishing(self) -> bool:
        """Whether the search under way was asked to end with the best found so far."""
        return self._finishing

    def add(self, recipe: Recipe) -> CandidateEntry:
        """Queue a run with a fresh key and begin when nothing else runs."""
        entry = self._session.line_up(recipe, Key.fresh(), _now())
        self._go_on()
        return entry

    def add_all(
        self, chains: Sequence[tuple[str, tuple[StepSection, ...]]], key: Key | None = None
    ) -> list[CandidateEntry]:
        """Queue several runs of the decisions as they are, each with a title and its own steps.

        With a key they are drawn as they were planned with it; without one each gets a fresh key.
        """
        recipe, now = self._session.decisions.recipe, _now()
        made = [
            self._session.line_up(recipe.model_copy(update={"steps": steps}), key or Key.fresh(), now, title)
            for title, steps in chains
        ]
        self._go_on()
        return made

    def cancel_all(self) -> None:
        """Stop the run under way and take every waiting one out of the order."""
        for entry in self._session.candidates:
            if entry.status == WAITING:
                entry.status = CANCELLED
        if self._running is not None:
            self.cancel(self._running)
        else:
            self._session.changed()

    @property
    def unfinished(self) -> int:
        """How many runs are under way or wait."""
        return sum(entry.status in (WAITING, RUNNING) for entry in self._session.candidates)

    @property
    def seconds_left(self) -> float | None:
        """How long the queue will take, going by the runs finished so far; None before two of them are."""
        took = [entry.took for entry in self._session.finished() if entry.took > 0]
        if len(took) < _LEAST_FINISHED:
            return None
        mean = sum(took) / len(took)
        waiting = sum(entry.status == WAITING for entry in self._session.candidates)
        running = max(mean - self._running.seconds, 0.0) if self._running is not None else 0.0
        return waiting * mean + running

    def forget(self) -> None:
        """Forget the run under way, which is of a file that is no longer open, and verdicts on its original."""
        self._running, self.search, self._searching = None, None, ""
        self._stopping = self._finishing = False
        self._originals.clear()

    def may_run_again(self, entry: CandidateEntry) -> bool:
        """Say whether a new run would tell more than the entry does: it has no result, or one that is out of date."""
        return entry.status in (FAILED, CANCELLED, AGAIN) or (
            entry.status == DONE and self._session.is_stale(entry.basis)
        )

    def again(self, entry: CandidateEntry) -> None:
        """Run an entry's steps again under its own name, on the decisions as they are now, with a fresh key."""
        self._line_up_again(entry)
        self._go_on()

    def all_again(self) -> None:
        """Do the same for every entry that may be run again, in the order of the list."""
        for entry in filter(self.may_run_again, self._session.candidates):
            self._line_up_again(entry)
        self._go_on()

    def _line_up_again(self, entry: CandidateEntry) -> None:
        entry.rerun()
        entry.recipe = self._session.decisions.recipe.model_copy(update={"steps": entry.recipe.steps})
        entry.key, entry.status, entry.error = Key.fresh(), WAITING, ""
        entry.fraction, entry.seconds, entry.took = 0.0, 0.0, 0.0
        entry.basis = self._session.basis(entry.recipe)

    def cancel(self, entry: CandidateEntry) -> None:
        """Stop a run, or take a waiting one out of the order."""
        if entry is self._running:
            self._stopping = True
            self._runner.cancel(JOB)
        elif entry.status == WAITING:
            entry.status = CANCELLED
        self._session.changed()

    def finish_early(self, entry: CandidateEntry) -> None:
        """End the search of the run under way after its generation, and keep the best found."""
        if entry is self._running and self.search is not None and self.search.going and not self._stopping:
            self._finishing = True
            self._runner.finish_early(JOB)
            self._session.changed()

    def remove(self, entry: CandidateEntry) -> None:
        """Remove an entry that is not running."""
        if entry is self._running or entry not in self._session.candidates:
            return
        self._session.candidates.remove(entry)
        self._session.changed()

    def _go_on(self) -> None:
        """Begin the next run, and tell of what changed once."""
        if not self.start_next():
            self._session.changed()

    def start_next(self) -> bool:
        """Begin the first waiting entry when nothing is under way; say whether one was begun.

        Where none waits, a finished one is judged again that was judged by other answers.
        """
        session = self._session
        if self._running is not None or session.reading is None or session.decisions.path is None:
            return False
        entry = next((candidate for candidate in session.candidates if candidate.status == WAITING), None)
        entry = entry or next(filter(self._is_answered_differently, session.candidates), None)
        if entry is None:
            return False
        self._running, self._stopping, self._finishing, self.search = entry, False, False, None
        entry.recipe = answered_like(entry.recipe, session.decisions.recipe)
        if entry.status == WAITING:
            entry.status, entry.fraction, entry.seconds = RUNNING, 0.0, 0.0
        entry.doing, self._began = "", time.monotonic()
        ledger = None if session.rehearses else self._ledger
        prior = _Known(session.draws, ledger, dict(self._originals), secret_for(entry.recipe, session.secrets))
        work = _work(session.decisions.path, session.reading, entry, prior)
        self._runner.start(JOB, work, self._on_done)
        session.changed()
        return True

    def _on_answered(self) -> None:
        """Judge finished runs again whose verdict was based on other answers."""
        if any(map(self._is_answered_differently, self._session.candidates)):
            self.start_next()

    def _is_answered_differently(self, entry: CandidateEntry) -> bool:
        """Return whether a finished run that is not out of date was judged by other answers than there are now."""
        session = self._session
        return (
            entry.status == DONE
            and entry.candidate is not None
            and answers_of(entry.recipe) != answers_of(session.decisions.recipe)
            and not session.is_stale(entry.basis)
        )

    def _on_progressed(self, progress: TaskProgress) -> None:
        if progress.job != JOB or self._running is None:
            return
        self._running.fraction, self._running.doing = progress.fraction, progress.doing
        self._running.seconds = progress.seconds
        if self.search is not None:
            self.search.going = progress.doing == self._searching
        self.progressed.emit(progress)

    def _on_reported(self, figures: TaskFigures) -> None:
        if figures.job != JOB or self._running is None or not figures.reported:
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
        entry, self._running, self._stopping = self._running, None, False
        self._finishing, self.search = False, None
        if entry is not None:
            if outcome.cancelled:
                entry.status = CANCELLED
            elif outcome.ok:
                entry.candidate, entry.judged = outcome.result.candidate, outcome.result.judged
                self._session.count_draw(entry.candidate, entry.judged)
                if entry.status == RUNNING:
                    self._keep_new(entry, outcome.result)
            else:
                entry.status, entry.error = FAILED, outcome.words
        self._go_on()

    def _keep_new(self, entry: CandidateEntry, made: Made) -> None:
        """Finish an entry that ran, and keep the verdict on the original for later entries."""
        entry.analyses, entry.curves = None, None
        # A search that was ended early wrote the generation it reached into the recipe.
        entry.recipe = entry.recipe.model_copy(update={"steps": made.candidate.prepared.recipe.steps})
        entry.status, entry.fraction = DONE, 1.0
        entry.took = time.monotonic() - self._began
        original = made.judged.report.original
        if original is not None and original.attacks:
            self._originals[original_key(made.candidate.prepared)] = original


def _now() -> str:
    return datetime.now().strftime("%Y-%m-%d %H:%M")


@dataclass(frozen=True)
class _Known:
    """What a run is given of those before it."""

    draws: Sequence[DrawEntry]
    ledger: Path | None
    originals: Mapping[str, Verdict]
    recipient: RecipientSecret | None


def _work(path: Path, reading: Reading, entry: CandidateEntry, prior: _Known) -> Callable[[], Made]:
    """Return the work of making an entry, or of judging it again where it is finished."""
    is_finished, attacks = entry.status == DONE, attacks_of(entry)

    def judge() -> Made:
        assert entry.candidate is not None
        again = replace(entry.candidate, prepared=with_answers(entry.candidate.prepared, entry.recipe))
        original = entry.judged.report.original
        judged = evaluate(again, attacks=attacks, ledger=prior.ledger, draws=prior.draws, original=original)
        return Made(again, judged)

    def work() -> Made:
        return make_candidate(
            path,
            reading,
            entry.recipe,
            entry.key,
            draws=prior.draws,
            ledger=prior.ledger,
            originals=prior.originals,
            recipient=prior.recipient,
        )

    return judge if is_finished else work
