"""Planning versions of a file, one family after another, each judged on all rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.errors import Cancelled, InputError, PpdmError, RecipeError, SeveralRowsError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.families import Family, KnobKind
from ppdm_desktop.engine.methods.base.registry import methods_of
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate import CheckResult, all_checks
from ppdm_desktop.engine.release.gate.results import RED
from ppdm_desktop.engine.release.measures.losses import lost_words
from ppdm_desktop.engine.release.planning.chains import Chain, Chains
from ppdm_desktop.engine.release.planning.cures import one_row_cures
from ppdm_desktop.engine.release.planning.drafts import WHOLE_VERSION, Draft
from ppdm_desktop.engine.release.planning.judging import Judge, Judged, still_open
from ppdm_desktop.engine.release.planning.turning import Turning, is_costly
from ppdm_desktop.engine.release.planning.version import Blocking, Planned, Refusal, Steps, Version
from ppdm_desktop.engine.release.planning.words import kept_words
from ppdm_desktop.engine.wording.texts import explain, render

MOST_VERSIONS = 6
_DOING = "doing.suggesting"
_UNITS = {
    Family.TRUE_VALUES: 4.0,
    Family.GROUPS: 2.0,
    Family.AVERAGES: 2.0,
    Family.EXCHANGED: 2.0,
    Family.NOISE: 3.0,
    Family.ARTIFICIAL: 4.0,
}
"""Work of each family, in units of one verdict."""

_BY_CLASSES = Draft({(KnobKind.VALUES_IN_GROUP, WHOLE_VERSION): 1})
_SECOND_DRAFTS = {
    Family.TRUE_VALUES: Draft({(KnobKind.CLOSENESS, WHOLE_VERSION): 1}),
    Family.GROUPS: Draft({(KnobKind.GROUP_COLUMNS, WHOLE_VERSION): 1}),
    Family.AVERAGES: _BY_CLASSES,
    Family.EXCHANGED: _BY_CLASSES,
    Family.NOISE: _BY_CLASSES,
}
"""What is tried where the first draft needs reasons.

True values in broader classes, of which none is mixed by emptied cells; groups by all columns; classes that hide what a
method treats, too.
"""


def plan(
    prepared: Prepared,
    queued: Sequence[Steps],
    progress: Progress,
    on_found: Callable[[Version], None],
    key: Key | None = None,
) -> Planned:
    """Return versions of a file that may be released, the best first.

    Parameters
    ----------
    prepared
        The input with roles, kinds, bins and levels; its recipe's steps do not matter.
    queued
        Chains that there are already; none of them is returned again.
    progress
        Reports work units done. Cancelling ends the work; what was found by then is returned.
    on_found
        Called with each version as it is found.
    key
        The key of all versions; drawn from the system when left out.
    """
    planner = _Planner(Judge(prepared, key or Key.fresh()), Chains(prepared), on_found, list(queued))
    try:
        planner.plan(progress)
    except Cancelled:
        return replace(planner.planned(), cancelled=True)
    return planner.planned()


def version_of(prepared: Prepared, steps: Steps, key: Key, progress: Progress) -> Version:
    """Return the version that steps with true values make, judged on all rows, whatever the checks find.

    Raises
    ------
    InputError, RecipeError, Cancelled
        As ``Judge.judge``.
    """
    began = time.thread_time()
    chain = Chain(Family.TRUE_VALUES, Draft(), steps)
    judged = Judge(prepared, key).judge(steps, progress)
    return _as_version(chain, Chains(prepared), judged, key, time.thread_time() - began)


def _as_version(chain: Chain, chains: Chains, judged: Judged, key: Key, seconds: float) -> Version:
    """Return a chain that was judged with what is said of it."""
    return Version(
        family=chain.family,
        kept=kept_words(chain, chains, judged.candidate),
        lost=lost_words(judged.candidate),
        steps=chain.steps,
        verdict=judged.verdict,
        seconds=seconds,
        key=key,
    )


@dataclass(eq=False)
class _Planner:
    """Plans one family after another and keeps what was found."""

    judge: Judge
    chains: Chains
    on_found: Callable[[Version], None]
    known: list[Steps]
    versions: list[Version] = field(default_factory=list)
    refusals: dict[str, tuple[list[Family], PpdmError]] = field(default_factory=dict)
    stopped: list[tuple[Chain, Judged]] = field(default_factory=list)
    blocking: list[Blocking] = field(default_factory=list)

    def plan(self, progress: Progress) -> None:
        """Look for a version of each family, true values first."""
        *parts, to_rest = progress.parts(*_UNITS.values(), 3.0)
        for tried, (family, part) in enumerate(zip(_UNITS, parts, strict=True)):
            part.report(0.0, _DOING)
            part.tell(_DOING, families=tried)
            self._plan_family(family, part)
        to_rest.tell(_DOING, families=len(_UNITS))
        (self._plan_more if self.versions else self._plan_without)(to_rest)
        progress.report(1.0, _DOING)

    def planned(self) -> Planned:
        """Return what was found."""
        versions = sorted(self.versions, key=lambda version: version.standing)
        refusals = tuple(self._refusal(families, error) for families, error in self.refusals.values())
        return Planned(tuple(versions), refusals, tuple(self.blocking))

    def _refusal(self, families: Sequence[Family], error: PpdmError) -> Refusal:
        cures = one_row_cures(self.judge.prepared) if isinstance(error, SeveralRowsError) else ()
        remedy = render(error.id, error.arguments).remedy or None
        return Refusal(tuple(dict.fromkeys(families)), explain(error), remedy, cures)

    def _plan_family(self, family: Family, progress: Progress) -> None:
        """Find a version of a family; another method is tried where the one before needs reasons or is refused.

        Where judging is costly, another one is tried only where those before could not be judged.
        """
        methods = [None] if family is Family.TRUE_VALUES else self._methods(family)
        found: list[Version] = []
        stopped, once = len(self.stopped), is_costly(family, self.judge.prepared.table)
        drafts = [Draft(), *([_SECOND_DRAFTS[family]] if family in _SECOND_DRAFTS else [])]
        tries = [(method, draft) for method in methods for draft in drafts]
        for (method, draft), part in zip(tries, progress.parts(*[1.0] * len(tries)), strict=True):
            was_judged = bool(found) or len(self.stopped) > stopped
            if once and was_judged and method is not methods[0]:
                break
            if (version := self._version(family, method, draft, part)) is not None:
                found.append(version)
                if not Scorecard(version.verdict).reasons:
                    break
        if found:
            self._add(min(found, key=lambda version: version.standing))

    def _methods(self, family: Family) -> list[Method | None]:
        named = self.judge.prepared.recipe.plugins.use
        owners = ((method, plugins.of_method(method.id)) for method in methods_of(family))
        return [method for method, owner in owners if owner is None or owner.name in named]

    def _add(self, version: Version) -> None:
        self.versions.append(version)
        self.known.append(version.steps)
        self.on_found(version)

    def _version(
        self, family: Family, method: Method | None, draft: Draft, progress: Progress, rank: int = 0
    ) -> Version | None:
        """Return a version that may be released; None where the file is refused or the version stopped."""
        began = time.thread_time()
        to_search, to_look, to_judge, to_turn = progress.parts(1.0, 0.5, 1.0, 2.0)
        try:
            chain = self.chains.chain(family, method, draft, to_search, rank)
            if chain is not None and family is Family.EXCHANGED:
                chain = self._exchanging(chain, to_look)
            if chain is None or not self._is_new(chain.steps):
                return None
            judged = self.judge.judge(chain.steps, to_judge)
        except (InputError, RecipeError) as error:
            self.refusals.setdefault(error.id, ([], error))[0].append(family)
            return None
        chain, judged = self._turned(chain, judged, to_turn)
        if judged.verdict.blocking:
            self.stopped.append((chain, judged))
            return None
        return _as_version(chain, self.chains, judged, self.judge.key, time.thread_time() - began)

    def _turned(self, chain: Chain, judged: Judged, progress: Progress) -> tuple[Chain, Judged]:
        """Turn knobs for the checks that are not passed, and judge once more; return whichever stands better.

        Between the two whole verdicts only checks that knobs answer are judged again.
        """
        to_turn, to_judge = progress.parts(3.0, 1.0)
        draft = Turning(chain, judged.open, self.chains, self.judge).draft(to_turn)
        if draft is chain.draft:
            return chain, judged
        turned = self.chains.chain(chain.family, chain.method, draft, to_judge.part(0.0, 0.2))
        if turned is None or not self._is_new(turned.steps):
            return chain, judged
        try:
            again = self.judge.judge(turned.steps, to_judge.part(0.2, 1.0))
        except (InputError, RecipeError):
            return chain, judged
        better = Scorecard(again.verdict).standing < Scorecard(judged.verdict).standing
        return (turned, again) if better else (chain, judged)

    def _exchanging(self, chain: Chain, progress: Progress) -> Chain | None:
        """Return a chain that exchanges what can be guessed without; None where nothing can be."""
        to_judge, to_make = progress.parts(3.0, 1.0)
        checks = [id for id, check in all_checks().items() if KnobKind.EXCHANGE in check.answered_by]
        named = {
            name
            for result in still_open(self.judge.judge_again(chain.steps, checks, to_judge))
            for name in result.columns
        }
        notches = {
            (KnobKind.EXCHANGE, name): 1 for name in self.chains.fitting(chain.method, chain.draft) if name in named
        }
        if not notches:
            return None
        return self.chains.chain(chain.family, chain.method, chain.draft.with_notches(notches), to_make)

    def _is_new(self, steps: Steps) -> bool:
        return signature(steps) not in {signature(known) for known in self.known}

    def _plan_more(self, progress: Progress) -> None:
        """Add versions with true values in which other columns pay, as far as they need no reason."""
        count = min(self.chains.plans(Draft()), 1 + MOST_VERSIONS - len(self.versions))
        for rank, part in zip(range(1, count), progress.parts(*[1.0] * (count - 1)), strict=True):
            version = self._version(Family.TRUE_VALUES, None, Draft(), part, rank)
            if version is not None and not Scorecard(version.verdict).reasons:
                self._add(version)

    def _plan_without(self, progress: Progress) -> None:
        """Find what leaving out the columns that stand in the way would give."""
        for chain, judged in self.stopped[:1]:
            for result, part in zip(_red(judged), progress.parts(*[1.0] * len(_red(judged))), strict=True):
                columns = {(KnobKind.LEAVE_OUT, name): 1 for name in result.columns}
                without = None
                if columns:
                    draft = chain.draft.with_notches(columns)
                    without = self._version(chain.family, chain.method, draft, part)
                self.blocking.append(Blocking(result.id, result.columns, without))


def signature(steps: Steps) -> tuple[object, ...]:
    """Return what tells the steps of two chains apart."""
    used = (step for step in steps if step.enabled)
    return tuple((step.method, step.columns, step.profile, repr(sorted(step.parameters.items()))) for step in used)


def _red(judged: Judged) -> list[CheckResult]:
    return [result for result in judged.results if result.status == RED]
