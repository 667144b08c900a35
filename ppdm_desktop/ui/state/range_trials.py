"""Try a range of values of one setting in the background: start, stop, continue, notice when results are outdated."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.sweep.run import Grid, Sweep, Value
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.state.step_chain import replace_step, with_parameter
from ppdm_desktop.ui.state.tried_range import DONE, FAILED, RUNNING, STOPPED, TriedRange
from ppdm_desktop.ui.work.tasks import TaskFigures, TaskOutcome, TaskProgress, TaskRunner

JOB = "range"


# --- how it stands ----------------------------------------------------------------------


def remove_step_setting(steps: Sequence[StepSection], index: int, name: str) -> tuple[StepSection, ...]:
    """Return a recipe's steps without the setting ``name`` of the one at ``index``; unchanged if there is no such step.

    A step is a method with its settings.
    """
    chain = tuple(steps)
    return replace_step(chain, index, with_parameter(chain[index], name, None)) if index < len(chain) else chain


def is_out_of_date(session: Session, tried: TriedRange) -> bool:
    """Return whether a decision on which the results depend has changed since the range was tried.

    These are the decisions on columns, people, levels and recipient, and the steps without the tried setting's value.
    """
    if session.is_stale(tried.basis):
        return True
    return (
        remove_step_setting(session.decisions.recipe.steps, tried.step_index, tried.sweep.grid.parameter)
        != tried.others
    )


def step_is_there(session: Session, tried: TriedRange) -> bool:
    """Return whether the step whose setting was tried is still at its index, with the same method."""
    steps = session.decisions.recipe.steps
    return tried.step_index < len(steps) and steps[tried.step_index].method == tried.method.id


def use_value(session: Session, tried: TriedRange, value: Value) -> None:
    """Set the setting of which a range was tried to ``value`` in its step, as a decision that can be undone."""
    steps, name = session.decisions.recipe.steps, tried.sweep.grid.parameter
    session.decide_recipe(
        steps=replace_step(steps, tried.step_index, with_parameter(steps[tried.step_index], name, value))
    )


# --- running it -------------------------------------------------------------------------


class RangeTrials(QObject):
    """Starts, stops and continues trying a range of values; results are kept in the session for all pages.

    Signals
    -------
    changed
        Emitted when there are new results or progress. (The session is notified only when the work begins or ends.)
    """

    changed = Signal()

    def __init__(self, session: Session, runner: TaskRunner, parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._runner = session, runner
        runner.progressed.connect(self._on_progressed)
        runner.reported.connect(self._on_reported)

    @property
    def tried(self) -> TriedRange | None:
        """The range that was tried on the open file with its results; None without one."""
        return self._session.tried

    @property
    def is_running(self) -> bool:
        """Whether runs with values of the range are in progress."""
        return self.tried is not None and self.tried.status == RUNNING

    def start(self, grid: Grid, repeats: int, *, attacked: bool = True, analysed: bool = False) -> None:
        """Start trying a range with the present decisions; results of an earlier range are discarded.

        Nothing happens without a file. All keys are derived from a fresh key, and nothing is ever released with them.

        Parameters
        ----------
        grid
            The setting and its values.
        repeats
            Number of runs with each value, each with another key.
        attacked
            Whether attacks are run on each result.
        analysed
            Whether analyses are run on each result.
        """
        session = self._session
        path, reading, recipe = session.decisions.path, session.reading, session.decisions.recipe
        if path is None or reading is None:
            return
        key = Key.fresh().replicate(0)
        sweep = Sweep(path, reading, recipe, grid, repeats, key, attacked, analysed=analysed)
        step_sections = remove_step_setting(recipe.steps, grid.step - 1, grid.parameter)
        session.tried = TriedRange(sweep, session.basis(), step_sections)
        self._start_missing_runs(session.tried)

    def stop(self) -> None:
        """Stop trying the range, and keep all results so far; nothing happens if it is not running."""
        if self.tried is not None and self.is_running:
            self.tried.stopping = True
            self._runner.cancel(JOB)
            self.changed.emit()

    @property
    def can_go_on(self) -> bool:
        """Whether a range that was stopped or failed can be continued: decisions and data are unchanged."""
        tried = self.tried
        return tried is not None and tried.status in (STOPPED, FAILED) and not is_out_of_date(self._session, tried)

    def go_on(self) -> None:
        """Make the missing runs of a range that can be continued, else do nothing; existing results are kept."""
        if self.tried is not None and self.can_go_on:
            self._start_missing_runs(self.tried)

    def _start_missing_runs(self, tried: TriedRange) -> None:
        """Start, in the background, the runs of a range that have no result yet."""
        tried.status, tried.error, tried.stopping, tried.fraction = RUNNING, "", False, 0.0
        self._runner.start(JOB, partial(_run_missing, tried), self._on_done)
        self._session.changed()

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Store the progress of the runs and send ``changed``; progress of other jobs is ignored."""
        if progress.job == JOB and self.tried is not None:
            self.tried.fraction = progress.fraction
            self.changed.emit()

    def _on_reported(self, figures: TaskFigures) -> None:
        """Send ``changed``, because another run of the range has finished; other jobs are ignored."""
        if figures.job == JOB:
            self.changed.emit()

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Store whether all runs of the range were made, or it was stopped, or failed and why.

        Nothing happens if the range was discarded meanwhile.
        """
        tried = self.tried
        if tried is None:
            return
        tried.stopping = False
        tried.status = STOPPED if outcome.cancelled else DONE if outcome.ok else FAILED
        tried.error = "" if outcome.ok or outcome.cancelled else outcome.message
        self._session.changed()


def _run_missing(tried: TriedRange) -> None:
    """Run the recipe with each value and key of the range that has no result yet, and append each result to it."""
    sweep, rows = tried.sweep, tuple(tried.rows)
    for row in sweep.rows(rows):
        tried.rows.append(row)
        progress.tell("doing.sweep", rows=len(tried.rows))
