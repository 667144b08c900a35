"""The search for versions in the background: what was found is kept by the decisions that it rests on.

All searches of a file draw with one key. Where only an answer changed by which versions are judged, those that there
are are judged again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.effective import answers_of
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, with_answers
from ppdm_desktop.engine.release.planning.plan import judged_again, plan, settle, version_of
from ppdm_desktop.engine.release.planning.version import Planned, Refusal, Steps, Version
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.work.tasks import TaskFigures, TaskOutcome, TaskProgress, TaskRunner

JOB = "suggest"


@dataclass(eq=False)
class Found:
    """What a search found so far.

    Attributes
    ----------
    key
        The key of all its versions.
    versions
        In the order in which they were found; by their standing once the search has ended.
    planned
        What the whole search found; None as long as it has not come to its end.
    stopped
        Whether a person stopped it.
    failure
        Why it failed, in words.
    share, families
        How much of the work is done, and in how many families it has looked.
    wanted
        Steps that a person put together, of which there is a version, too.
    earlier
        What was found under other answers, to be judged again; None where versions are looked for.
    unsettled
        The versions that are still to be judged as their releases will be, once the whole search has ended.
    """

    key: Key
    versions: tuple[Version, ...] = ()
    planned: Planned | None = None
    stopped: bool = False
    failure: str = ""
    share: float = 0.0
    families: int = 0
    wanted: Steps = ()
    earlier: Found | None = None
    unsettled: tuple[Version, ...] = ()

    def add(self, version: Version) -> bool:
        """Take a version behind the others; return whether its steps are not there yet."""
        is_new = all(version.steps != existing.steps for existing in self.versions)
        if is_new:
            self.versions = (*self.versions, version)
        return is_new

    @property
    def is_over(self) -> bool:
        """Whether nothing more is looked for."""
        return self.planned is not None or self.stopped or bool(self.failure)

    @property
    def is_interrupted(self) -> bool:
        """Whether, once no work is done for it, something is left to do that nobody stopped."""
        return bool(self.unsettled) or not self.is_over

    @property
    def may_go_on(self) -> bool:
        """Whether a search would look further: it was stopped or failed, or versions were only judged again."""
        return self.stopped or bool(self.failure) or (self.earlier is not None and self.planned is not None)


@dataclass(frozen=True, eq=False)
class _Asked:
    """The decisions that versions are looked for with."""

    path: Path
    reading: Reading
    recipe: Recipe
    prepared: Prepared | None

    def plan(
        self,
        found: Found,
        on_found: Callable[[Version], None],
        on_planned: Callable[[Planned], None],
        on_settled: Callable[[Version], None],
    ) -> None:
        """Plan versions, then judge each as its release will be (the work of job ``suggest``)."""
        to_prepare, to_judge, to_plan = progress.parts(1.0, float(bool(found.wanted)), 10.0)
        prepared = self.prepared
        if prepared is None:
            bare = self.recipe.model_copy(update={"steps": ()})
            prepared = to_prepare.run(prepare_reading, self.path, self.reading, bare)
        else:
            prepared = _with_wishes(prepared, self.recipe)
        if found.earlier is not None:
            planned = to_plan.run(judged_again, prepared, found.earlier.versions, on_found)
            progress.check()
            on_planned(planned)
            return
        to_settle = found.unsettled
        if found.planned is None:
            refused: tuple[Refusal, ...] = ()
            if found.wanted:
                try:
                    on_found(to_judge.run(version_of, prepared, found.wanted, found.key))
                except (InputError, RecipeError) as error:
                    refused = (Refusal((), explain(error, window=True)),)
            planned = to_plan.run(plan, prepared, [found.wanted], on_found, found.key)
            progress.check()  # a search that was stopped has not come to its end
            on_planned(replace(planned, refusals=(*refused, *planned.refusals)))
            to_settle = planned.versions
        for version in to_settle:
            on_settled(progress.part(1.0, 1.0).run(settle, prepared, version))


def _with_wishes(prepared: Prepared, recipe: Recipe) -> Prepared:
    """Return a prepared input with the marks of columns and the answers as decided now."""

    def wished(earlier: Recipe) -> Recipe:
        columns = {
            name: section.model_copy(update={"detail": recipe.columns[name].detail})
            if name in recipe.columns
            else section
            for name, section in earlier.columns.items()
        }
        return earlier.model_copy(update={"columns": columns})

    marked = replace(prepared, recipe=wished(prepared.recipe), complete=wished(prepared.complete))
    return with_answers(marked, recipe)


class VersionSearch(QObject):
    """Looks for versions of the file as it is decided now.

    Parameters
    ----------
    keeps_order
        Says whether versions must stay in their order, as the user is about to press a button of one.

    Signals
    -------
    changed
        The work began or ended, or a version was found.
    progressed
        The work got further.
    """

    changed = Signal()
    progressed = Signal()
    _version_found = Signal(object, object)
    _all_found = Signal(object, object)
    _version_settled = Signal(object, object)

    def __init__(
        self, session: Session, runner: TaskRunner, parent: QObject, *, keeps_order: Callable[[], bool]
    ) -> None:
        super().__init__(parent)
        self._session, self._runner = session, runner
        self.keeps_order = keeps_order
        self._key: Key | None = None
        self._results: dict[tuple[object, tuple[bool, ...]], Found] = {}
        self._working: Found | None = None
        self._version_found.connect(self._on_version)
        self._all_found.connect(self._on_planned)
        self._version_settled.connect(self._on_settled)
        runner.progressed.connect(self._on_progressed)
        runner.reported.connect(self._on_reported)

    def _asked(self) -> tuple[object, tuple[bool, ...]]:
        """Return two keys of a search: what versions depend on (decisions, marks, wanted steps), and the answers."""
        decisions = self._session.decisions
        marks = tuple((name, section.detail) for name, section in decisions.recipe.columns.items() if section.detail)
        return (self._session.basis(), marks, repr(decisions.wanted)), answers_of(decisions.recipe)

    def _to_judge_again(self) -> Found | None:
        """Return what a search found for the decisions as they are under other answers; None without a version."""
        asked = self._asked()[0]
        results = (result for (basis, _), result in self._results.items() if basis == asked)
        return next((result for result in results if result.planned is not None and result.planned.versions), None)

    @property
    def found(self) -> Found | None:
        """What was found for the decisions as they are; None before it was looked for."""
        return self._results.get(self._asked())

    @property
    def is_working(self) -> bool:
        """Whether versions for the decisions as they are are looked for now."""
        return self._working is not None and self._working is self.found and not self._working.is_over

    def look(self, *, again: bool = False) -> None:
        """Begin where nothing was found yet for these decisions, or go on where other decisions interrupted the work.

        ``again`` goes on where the search was stopped or failed, or versions were only judged again; the same versions
        are found under the same key.
        """
        session, earlier = self._session, self.found
        if session.reading is None or session.decisions.path is None:
            return
        if earlier is not None and not self._can_go_on(earlier, again=again):
            return
        self._key = self._key or Key.fresh()
        search_state = Found(self._key, wanted=session.decisions.wanted)
        if earlier is None:
            search_state.earlier = self._to_judge_again()
        elif earlier.unsettled:
            search_state = earlier
        else:
            search_state.versions = earlier.versions
        self._results[self._asked()] = self._working = search_state
        assessment = session.assessment
        fits = assessment is not None and not session.is_stale(assessment.basis)
        asked = _Asked(
            session.decisions.path,
            session.reading,
            session.decisions.recipe,
            assessment.prepared if assessment is not None and fits else None,
        )
        work = partial(
            asked.plan,
            search_state,
            partial(self._version_found.emit, search_state),
            partial(self._all_found.emit, search_state),
            partial(self._version_settled.emit, search_state),
        )
        self._runner.start(JOB, work, self._on_end, in_background=True)
        self.changed.emit()

    def _can_go_on(self, earlier: Found, *, again: bool) -> bool:
        """Whether a search that began earlier is not under way now and was interrupted, or may go on when asked."""
        if earlier is self._working and not earlier.stopped:
            return False
        return earlier.is_interrupted or (again and earlier.may_go_on)

    def stop(self) -> None:
        """End the search and keep what was found."""
        if self._working is not None:
            self._working.stopped = True
            self._runner.cancel(JOB)
            self.changed.emit()

    def forget(self) -> None:
        """Drop everything that was found."""
        self._results.clear()
        self._key = self._working = None

    def _on_version(self, search_state: Found, version: Version) -> None:
        if search_state.add(version):
            self.changed.emit()

    def _on_progressed(self, progress: TaskProgress) -> None:
        if progress.job == JOB and self._working is not None:
            self._working.share = progress.fraction
            self.progressed.emit()

    def _on_reported(self, figures: TaskFigures) -> None:
        """Take how many families were looked at; searches of single methods report figures, too."""
        looked = [figure["families"] for figure in figures.reported if "families" in figure]
        if figures.job == JOB and self.is_working and self._working is not None and looked:
            self._working.families = int(looked[-1])
            self.progressed.emit()

    def _on_planned(self, search_state: Found, planned: Planned) -> None:
        search_state.planned = planned
        search_state.unsettled = () if search_state.earlier is not None else planned.versions
        wished_versions = tuple(version for version in search_state.versions if version.steps == search_state.wanted)
        without = tuple(blocking.without for blocking in planned.blocking if blocking.without is not None)
        if not self.keeps_order():
            search_state.versions = wished_versions
        for version in planned.versions or without:
            search_state.add(version)
        self.changed.emit()

    def _on_settled(self, search_state: Found, settled: Version) -> None:
        """Replace a version by the same version with its final verdict."""
        search_state.versions = tuple(
            settled if version.steps == settled.steps else version for version in search_state.versions
        )
        search_state.unsettled = tuple(version for version in search_state.unsettled if version.steps != settled.steps)
        self.changed.emit()

    def _on_end(self, outcome: TaskOutcome) -> None:
        search_state, self._working = self._working, None
        if search_state is not None and not outcome.cancelled:
            search_state.unsettled = ()
        if search_state is not None and not search_state.is_over:
            search_state.stopped, search_state.failure = outcome.cancelled, "" if outcome.cancelled else outcome.words
            self.changed.emit()
