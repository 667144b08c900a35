"""The search, in the background, for recipes ("versions") that may be released.

Results are kept for the decisions they depend on. All searches of a file use one key. If only an answer changed that
affects the checks, existing versions are evaluated again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import Family
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Prepared, answers_of, copy_marks
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, with_answers
from ppdm_desktop.engine.release.planning.plan import plan, rejudge_versions, settle, version_of
from ppdm_desktop.engine.release.planning.version import (
    Planned,
    Refusal,
    Steps,
    Version,
    best_versions_first,
    decision_of,
)
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.work.tasks import TaskFigures, TaskOutcome, TaskProgress, TaskRunner

JOB = "suggest"


@dataclass(eq=False)
class SearchState:
    """State and results of a search for versions (recipes with their evaluation).

    Attributes
    ----------
    key
        The key from which all versions of the search draw.
    versions
        The versions found, in the order in which they were found; once the search is complete, from best to worst.
    planned
        Result of the complete search; None before its end.
    stopped
        Whether the user stopped the search.
    failure
        Why the search failed, in words.
    share, doing, families, family
        Share of the work done, text id of what is being done, number of families of methods searched, and the one that
        is being searched (None before the first and after the last).
    wanted
        Steps chosen by the user, from which a version is made as well.
    earlier
        Results for other answers of the user, whose versions are evaluated again; None if versions are searched.
    signed
        Whether recipients sign an agreement, by the user's answer.
    unsettled
        Versions that the complete search found but whose full evaluation as a release is still missing.
    is_sorting_due
        Whether versions of the complete search wait to be put in order.
    """

    key: Key
    versions: tuple[Version, ...] = ()
    planned: Planned | None = None
    stopped: bool = False
    failure: str = ""
    share: float = 0.0
    doing: str = ""
    families: int = 0
    family: Family | None = None
    wanted: Steps = ()
    earlier: SearchState | None = None
    signed: bool = False
    unsettled: tuple[Version, ...] = ()
    is_sorting_due: bool = False

    def put_in_order(self, kept: Sequence[Version]) -> None:
        """Put the versions of a complete search in order: that with the user's steps first, then best to worst.

        Versions that the complete search did not return are removed, except the user's; those of ``kept`` are added or
        stay. If none may be released, those that come nearest to the limits are shown. Nothing happens before the end
        of the search.
        """
        if self.planned is None:
            return
        without = [blocking.without for blocking in self.planned.blocking if blocking.without is not None]
        present = {repr(version.steps): version for version in self.versions}
        offered = {repr(version.steps): version for version in (*(self.planned.versions or without), *kept)}
        wanted, self.is_sorting_due = repr(self.wanted), False
        shown = best_versions_first([present.get(steps, version) for steps, version in offered.items()])
        if wanted in present and wanted not in offered:
            shown.append(present[wanted])
        self.versions = tuple(sorted(shown, key=lambda version: repr(version.steps) != wanted))

    def drop_evidence(self) -> None:
        """Free memory: drop the tables and attack results that versions keep for a later run or evaluation."""
        self.versions = tuple(replace(version, made=None) for version in self.versions)

    @property
    def is_over(self) -> bool:
        """Whether the search has ended: complete (its versions may still be evaluated), stopped or failed."""
        return self.planned is not None or self.stopped or bool(self.failure)

    @property
    def is_interrupted(self) -> bool:
        """Whether the search has not ended, or versions of a complete one still lack their full evaluation.

        To be read only while no job works on it.
        """
        return bool(self.unsettled) or not self.is_over

    @property
    def may_go_on(self) -> bool:
        """Whether searching again could find more: the search was stopped, failed, or only evaluated versions again."""
        return self.stopped or bool(self.failure) or (self.earlier is not None and self.planned is not None)


@dataclass(frozen=True, eq=False)
class _Asked:
    """The file and decisions for which versions are searched."""

    path: Path
    reading: Reading
    recipe: Recipe
    prepared: Prepared | None
    ledger: Path | None

    def plan(
        self,
        search_state: SearchState,
        on_version: Callable[[Version], None],
        on_planned: Callable[[Planned], None],
        on_settled: Callable[[Version], None],
    ) -> None:
        """Search versions, then evaluate each one as its release will be; runs in the background.

        The three functions are called with each version found, with the complete result, and with each version after
        its full evaluation. If ``search_state`` has results for other answers, these are evaluated again first, and
        versions are searched only if that earlier search had not ended, or an agreement may now allow others.
        An interrupted search is continued.
        """
        earlier, prepared, reused = search_state.earlier, self.prepared, tuple[Version, ...]()
        is_rejudged_only = earlier is not None and earlier.is_over and not (search_state.signed and not earlier.signed)
        is_planned = search_state.planned is None and not is_rejudged_only
        # The window shows how much is done: what is left out has no part in it.
        to_prepare, to_rejudge, to_judge, to_plan = progress.parts(
            prepared is None, 5.0 * (earlier is not None), is_planned and bool(search_state.wanted), 10.0 * is_planned
        )
        if prepared is None:
            bare = self.recipe.model_copy(update={"steps": ()})
            prepared = to_prepare.run(prepare_reading, self.path, self.reading, bare)
        else:
            prepared = _apply_marks_and_answers(prepared, self.recipe)
        if earlier is not None:
            judged = to_rejudge.run(rejudge_versions, prepared, earlier.versions, on_settled, self.ledger)
            progress.check()
            if is_rejudged_only:
                on_planned(judged)
                return
            reused, search_state.earlier = judged.versions, None
        to_settle = search_state.unsettled
        if is_planned:
            refused: tuple[Refusal, ...] = ()
            if search_state.wanted:
                try:
                    on_version(to_judge.run(version_of, prepared, search_state.wanted, search_state.key, self.ledger))
                except (InputError, RecipeError) as error:
                    refused = (Refusal((), explain(error, window=True)),)
            planned = to_plan.run(plan, prepared, [search_state.wanted], on_version, search_state.key, self.ledger)
            progress.check()  # a search that was stopped has not come to its end
            reused_steps = [version.steps for version in reused]
            versions = (*reused, *(version for version in planned.versions if version.steps not in reused_steps))
            on_planned(replace(planned, versions=versions, refusals=(*refused, *planned.refusals)))
            to_settle = versions
        for version in to_settle:
            on_settled(progress.part(1.0, 1.0).run(settle, prepared, version, self.ledger))


def _apply_marks_and_answers(prepared: Prepared, recipe: Recipe) -> Prepared:
    """Return a prepared input with a recipe's answers and marks of columns (must stay detailed, may lose detail).

    Columns that ``recipe`` lacks keep their marks.
    """
    marked = replace(
        prepared, recipe=copy_marks(prepared.recipe, recipe), complete=copy_marks(prepared.complete, recipe)
    )
    return with_answers(marked, recipe)


class VersionSearch(QObject):
    """Searches, in the background, for versions of the open file under the present decisions.

    Parameters
    ----------
    ledger
        File of earlier releases; a version may need a written reason because of them.

    Signals
    -------
    changed
        Emitted when the work began or ended, or a version was found.
    progressed
        Emitted when the work made progress.
    """

    changed = Signal()
    progressed = Signal()
    _version_ready = Signal(object, object)
    _search_finished = Signal(object, object)
    _version_settled = Signal(object, object)

    def __init__(
        self,
        session: Session,
        runner: TaskRunner,
        parent: QObject,
        *,
        ledger: Path | None = None,
    ) -> None:
        super().__init__(parent)
        self._session, self._runner, self._ledger = session, runner, ledger
        self._key: Key | None = None
        self._results: dict[tuple[object, tuple[object, ...]], SearchState] = {}
        self._working: SearchState | None = None
        self._version_ready.connect(self._on_version)
        self._search_finished.connect(self._on_planned)
        self._version_settled.connect(self._on_settled)
        runner.progressed.connect(self._on_progressed)
        runner.reported.connect(self._on_reported)

    def _make_search_keys(self) -> tuple[object, tuple[object, ...]]:
        """Return two keys of the present search: what determines the versions, and what determines their evaluation.

        The first has the decisions, marks of columns and the user's steps; the second has the answers that only the
        checks read, and which run was released last.
        """
        decisions = self._session.decisions
        recipe = decisions.recipe
        marks = tuple((name, section.detail) for name, section in recipe.columns.items() if section.detail)
        wishes = (self._session.basis(), marks, repr(decisions.wanted))
        return wishes, (*answers_of(recipe), self._session.released)

    def _find_results_to_rejudge(self) -> SearchState | None:
        """Return the results of an earlier search for the same decisions under other answers; None without any.

        Answers are decisions that only the checks read. Complete results are preferred. A complete search without a
        version that may be released is not returned: other answers may allow one.
        """
        asked = self._make_search_keys()[0]
        results = [
            result
            for (basis, _), result in self._results.items()
            if basis == asked and result.versions and (result.planned is None or result.planned.versions)
        ]
        return max(results, key=lambda result: result.planned is not None, default=None)

    @property
    def state(self) -> SearchState | None:
        """Results of the search for the present decisions; None before it was started."""
        return self._results.get(self._make_search_keys())

    @property
    def is_working(self) -> bool:
        """Whether a search for the present decisions is running; not while it only evaluates the versions found."""
        return self._working is not None and self._working is self.state and not self._working.is_over

    def look(self, *, again: bool = False) -> None:
        """Start a search if there is none for the present decisions, or continue an interrupted one.

        If only answers changed that the checks read, the versions already found are evaluated again; new ones are
        searched too if the earlier search had not ended, or if recipients sign an agreement only now. With ``again`` a
        search that was stopped, failed, or only evaluated versions again is continued as well; the same key finds the
        same versions. Nothing happens without an open file.
        """
        session, earlier = self._session, self.state
        if session.reading is None or session.decisions.path is None:
            return
        if earlier is not None and not self._can_go_on(earlier, again=again):
            return
        self._key = self._key or Key.fresh()
        recipe = session.decisions.recipe
        search_state = SearchState(self._key, wanted=session.decisions.wanted, signed=recipe.release.agreement)
        if earlier is None:
            search_state.earlier = self._find_results_to_rejudge()
            search_state.versions = search_state.earlier.versions if search_state.earlier is not None else ()
        elif earlier.unsettled:
            search_state = earlier
        else:
            search_state.versions = earlier.versions
        for result in self._results.values():
            if result not in (search_state, search_state.earlier):
                result.drop_evidence()
        self._results[self._make_search_keys()] = self._working = search_state
        assessment = session.assessment
        asked = _Asked(
            session.decisions.path,
            session.reading,
            recipe,
            None if assessment is None or session.is_stale(assessment.basis) else assessment.prepared,
            None if session.rehearses else self._ledger,
        )
        signals = (self._version_ready, self._search_finished, self._version_settled)
        work = partial(asked.plan, search_state, *(partial(signal.emit, search_state) for signal in signals))
        self._runner.start(JOB, work, self._on_end, in_background=True)
        self.changed.emit()

    def _can_go_on(self, earlier: SearchState, *, again: bool) -> bool:
        """Return whether a search is not running and was interrupted or, with ``again``, may find more."""
        if earlier is self._working and not earlier.stopped:
            return False
        return earlier.is_interrupted or (again and earlier.may_go_on)

    def stop(self) -> None:
        """Stop the search, or the evaluation of the versions found, and keep the results; do nothing if none runs."""
        if self._working is not None:
            self._working.stopped = True
            self._runner.cancel(JOB)
            self.changed.emit()

    def forget(self) -> None:
        """Discard all results and the key of the searches; a running job is not cancelled here."""
        self._results.clear()
        self._key = self._working = None

    def _on_version(self, search_state: SearchState, version: Version) -> None:
        """Add a version at the end when it is found, unless one has the same steps, and send ``changed``."""
        if all(version.steps != existing.steps for existing in search_state.versions):
            search_state.versions += (version,)
            self.changed.emit()

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Store the progress of the search and send ``progressed``; progress of other jobs is ignored."""
        if progress.job == JOB and self._working is not None:
            self._working.share, self._working.doing = progress.fraction, progress.doing
            self.progressed.emit()

    def _on_reported(self, figures: TaskFigures) -> None:
        """Store which family of methods is being searched, and how many were before; ignore figures of other work."""
        looked = [figure for figure in figures.reported if "families" in figure]
        if figures.job == JOB and self.is_working and self._working is not None and looked:
            index = looked[-1].get("family")
            self._working.family = None if index is None else list(Family)[int(index)]
            self._working.families = int(looked[-1]["families"])
            self.progressed.emit()

    def _on_planned(self, search_state: SearchState, planned: Planned) -> None:
        """Store the result of the complete search; its versions are then to be put in order."""
        search_state.planned, search_state.is_sorting_due = planned, True
        search_state.unsettled = () if search_state.earlier is not None else planned.versions
        self.changed.emit()

    def _on_settled(self, search_state: SearchState, settled: Version) -> None:
        """Replace a version by the one with the same steps and its full evaluation.

        If that changed whether it may be released, or how many reasons it needs, the versions are to be put in order
        again.
        """
        search_state.versions = tuple(
            settled if version.steps == settled.steps else version for version in search_state.versions
        )
        search_state.is_sorting_due |= settled.changed
        search_state.unsettled = tuple(version for version in search_state.unsettled if version.steps != settled.steps)
        self.changed.emit()

    def take_verdict(self, steps: Steps, key: Key, verdict: Verdict) -> None:
        """Give a version that still waits for its full evaluation the verdict of a finished run.

        The run must have the same steps and the same random key. Nothing happens if no version fits.
        """
        if (search_state := self.state) is None:
            return
        for version in search_state.unsettled:
            if version.steps == steps and version.key == key:
                is_changed = decision_of(verdict) != decision_of(version.verdict)
                self._on_settled(search_state, replace(version, verdict=verdict, changed=is_changed, settled=True))

    def _on_end(self, outcome: TaskOutcome) -> None:
        """Store how the search ended: complete, stopped, or failed with a reason.

        Unless it was stopped, no version waits for its full evaluation any more; each keeps the evaluation it has.
        """
        search_state, self._working = self._working, None
        if search_state is not None and not outcome.cancelled:
            search_state.unsettled = ()
        if search_state is not None and not search_state.is_over:
            search_state.stopped, search_state.failure = outcome.cancelled, "" if outcome.cancelled else outcome.message
            self.changed.emit()
