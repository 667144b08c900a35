"""Making settings ("knobs") stricter until the checks that a version failed are passed.

Strictness is counted in degrees ("notches").
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import Family, KnobKind
from ppdm_desktop.engine.release.gate.base import all_checks, find_check
from ppdm_desktop.engine.release.gate.results import RED, CheckResult
from ppdm_desktop.engine.release.planning.chains import Chain, Chains
from ppdm_desktop.engine.release.planning.drafts import (
    OF_THE_VERSION,
    WHOLE_VERSION,
    Draft,
    Knobs,
    Turns,
    choose_turns,
)
from ppdm_desktop.engine.release.planning.judging import COSTLY_CELLS, LARGE_CELLS, Judge, select_open_results
from ppdm_desktop.engine.release.planning.knobs import ChainKnobs
from ppdm_desktop.engine.table.column import Table

MOST_ROUNDS, MOST_LARGER_ROUNDS, MOST_COSTLY_ROUNDS, MOST_FUTILE_ROUNDS = 12, 6, 2, 3
"""Rounds for a file that is settled at once, for a larger one, for a costly version; and rounds without progress."""
_MOST_OF_ARTIFICIAL = 4
"""Rounds for a costly version of artificial records, which are made and judged faster than noise: confidential values
mixed, then the three larger sizes of groups.
"""
_FEWEST_ROUNDS = 2
"""After this many rounds it is judged by the last one whether the checks can pass in those left."""
_NOTCHES_WITHOUT_EFFECT = 2
"""A setting whose last degree did not lower the check's figure is made stricter by this many more."""
_COSTLY = frozenset({Family.NOISE, Family.ARTIFICIAL})
_OF_CLASSES = OF_THE_VERSION - {KnobKind.NOISE, KnobKind.SOURCE_GROUP}
_MUCH_BETTER = 0.75
"""If a model is learned, a round that passes no check is futile unless their figures fall to this share."""
_OF_VALUES = frozenset({KnobKind.GAPS, KnobKind.ENDS, KnobKind.ROUNDING, KnobKind.FEWER_VALUES, KnobKind.LEAVE_OUT})


def quick_checks() -> tuple[str, ...]:
    """Return the ids of the checks that only settings on values can answer; they count values and take no time."""
    return tuple(id for id, check in all_checks().items() if check.answered_by and {*check.answered_by} <= _OF_VALUES)


def answerable_checks() -> tuple[str, ...]:
    """Return the ids of the checks that may pass once some setting is made stricter."""
    return tuple(id for id, check in all_checks().items() if check.answered_by)


def is_costly(family: Family, table: Table) -> bool:
    """Return whether making and judging a version takes long: from 2,000,000 cells on, or 50,000 if a model is learned.

    It depends only on the size of the table, not on the machine.
    """
    return table.rows * len(table.columns) >= (COSTLY_CELLS if family in _COSTLY else LARGE_CELLS)


def is_settled_at_once(table: Table) -> bool:
    """Return whether a file has fewer than 50,000 cells: planning then judges versions as their releases at once."""
    return table.rows * len(table.columns) < COSTLY_CELLS


def _choose_round_limits(family: Family, table: Table) -> tuple[int, int]:
    """Return the largest number of rounds, and the number of rounds without progress after which they end.

    They are 12 and 3 for fewer than 50,000 cells, 6 and 3 for more. If judging is costly, they are 2 and 1; if a model
    is learned from 2,000,000 cells or more 1 and 1. For synthetic records that are costly both are equal, 4 or 1.
    """
    if not is_costly(family, table):
        return MOST_ROUNDS if is_settled_at_once(table) else MOST_LARGER_ROUNDS, MOST_FUTILE_ROUNDS
    is_large = table.rows * len(table.columns) >= LARGE_CELLS
    if family is Family.ARTIFICIAL:
        # The first step to larger groups may be no step: levels ask for as many people.
        rounds = 1 if is_large else _MOST_OF_ARTIFICIAL
        return rounds, rounds
    return 1 if is_large and family in _COSTLY else MOST_COSTLY_ROUNDS, 1


@dataclass(eq=False)
class Turning:
    """Rounds in which each failed check makes its setting one degree stricter, and is judged again.

    Attributes
    ----------
    chain
        The chain that was judged as a whole.
    open_checks
        The checks that it failed.
    chains, judge
        Make chains from drafts, and judge them.
    asked
        Ids of the checks that must pass in the end.
    in_vain
        Ids of the checks that no setting helped in earlier rounds.
    is_draft
        Whether machine learning may use fewer rows than for a release.
    turns
        The degree of each setting that each check changed, by the check's id.
    figures
        The figure of each failed check in the last round.
    falls
        How much the figure of each failed check fell in the last round.
    stuck
        Settings that are made no stricter, by kind and column: a method refused, or a check failed that had passed.
    tied
        Ids of the checks that are judged again each round.
    left
        Ids of the checks that no setting helped, once settings were changed.
    """

    chain: Chain
    open_checks: Sequence[CheckResult]
    chains: Chains
    judge: Judge
    asked: Collection[str]
    in_vain: Collection[str] = ()
    is_draft: bool = True
    turns: Turns = field(default_factory=dict, init=False)
    figures: dict[str, float] = field(default_factory=dict, init=False)
    falls: dict[str, float] = field(default_factory=dict, init=False)
    stuck: set[tuple[KnobKind, str]] = field(default_factory=set, init=False)
    tied: set[str] = field(default_factory=set, init=False)
    left: set[str] = field(default_factory=set, init=False)

    def draft(self) -> Draft:
        """Return the draft with the stricter settings of all checks that improved by them; the same draft if none did.

        The same draft also if a red check stays red, because nothing can be released then. Improved means: the check
        passes now, or is no longer red. Ids of checks that settings can answer and that are still open at the end are
        noted in ``left``, even if the draft stays the same. Nothing is tried or noted if no setting can answer some red
        check.
        """
        current, can_help = self.chain, {*answerable_checks()}.difference(self.in_vain)
        still = tuple(result for result in self.open_checks if result.id in can_help)
        if any(result.status == RED and result not in still for result in self.open_checks):
            return current.draft
        self.tied, best = {result.id for result in still}, still
        rounds, most_futile = _choose_round_limits(self.chain.family, self.judge.prepared.table)
        futile_rounds = 0
        for done, part in enumerate(progress.parts(*[1.0] * rounds)):
            part.report(0.0, "doing.suggesting")
            knobs = ChainKnobs(current, self.chains, frozenset(self.stuck), self.judge.released)
            turns = self._next_turns(still, knobs)
            if (
                not turns
                or futile_rounds == most_futile
                or (done >= _FEWEST_ROUNDS and self._is_hopeless(still, rounds - done))
            ):
                break
            stuck = len(self.stuck)
            following = part.run(self._turn_knobs, current, turns)
            if following is None:
                if len(self.stuck) == stuck:
                    break
                continue
            current, still = following
            best, futile_rounds = (still, 0) if self._is_better(still, best) else (best, futile_rounds + 1)
        self.left = {result.id for result in still}
        return self._keep_helpful_notches(still)

    def _next_turns(self, still: Sequence[CheckResult], knobs: Knobs) -> Turns:
        """Return the settings to make stricter in the next round, by the id of the check that asks for them.

        Settings changed before go as many degrees as the check's figure needs. Empty if none is left, or if a red check
        would stay red anyway: no setting that answers it can be made stricter, and no setting of classes answers it or
        is made stricter for another check (for noise and synthetic records settings of classes do not count).
        """
        turns = choose_turns(still, knobs)
        turned = {kind for of_check in turns.values() for kind, _ in of_check}
        for result in still:
            may_help = self.chain.family not in _COSTLY and _OF_CLASSES & {*find_check(result.id).answered_by, *turned}
            if result.status == RED and not may_help and not choose_turns([result], knobs):
                return {}
        return self.as_far_as_needed(turns, still, knobs)

    def as_far_as_needed(self, turns: Turns, still: Sequence[CheckResult], knobs: Knobs) -> Turns:
        """Return the settings to make stricter, those changed before by as many degrees as the check's figure needs.

        Example: the last degree lowered a gain from 0.13 to 0.11 and 0.05 are allowed, so three more are needed. The
        number is rounded down, at least one, because the next round asks again, and ends at the strictest degree. If
        the last degree lowered nothing, two more are taken. A check whose limit is no number keeps its entry. The
        figures (the number of people, where the check counts them) are stored in ``figures`` for the next round, and
        how far each fell in ``falls``.

        Parameters
        ----------
        turns
            For each check's id the degree to which each setting is to be made stricter.
        still
            The results that still fail.
        knobs
            The settings, with present and strictest degree.
        """
        farther = dict(turns)
        for result in still:
            figure, before = _read_figure(result), self.figures.get(result.id)
            self.figures[result.id] = figure
            if before is not None:
                self.falls[result.id] = before - figure
            repeated = turns.get(result.id, {}).keys() & self.turns.get(result.id, {}).keys()
            if before is None or not repeated or not isinstance(result.limit, float | int):
                continue
            fall, too_much = before - figure, figure - result.limit
            notches = max(int(too_much / fall + GRID), 1) if fall > 0 else _NOTCHES_WITHOUT_EFFECT
            farther[result.id] = turns[result.id] | {
                key: min(knobs.notch(*key) + notches, knobs.get_strictest_degree(*key)) for key in repeated
            }
        return farther

    def _is_hopeless(self, still: Sequence[CheckResult], rounds: int) -> bool:
        """Return whether the rounds left can hardly save a written reason, because some check would stay open.

        That is a check with a figure that would stay above its limit if it fell in each round as in the last one, and
        that names more than twice as many columns as there are rounds: only one column can be left out in a round.
        False while a check is red, and for files of fewer than 50,000 cells, whose rounds take no time.
        """
        if is_settled_at_once(self.judge.prepared.table) or any(result.status == RED for result in still):
            return False
        return any(
            result.id in self.falls
            and len(result.columns) > 2 * rounds
            and isinstance(result.limit, float | int)
            and result.figure is not None
            and self.falls[result.id] * rounds
            < _read_figure(result) * (1 - result.limit / (result.figure.value or 1.0))
            for result in still
        )

    def _turn_knobs(self, current: Chain, turns: Turns) -> tuple[Chain, tuple[CheckResult, ...]] | None:
        """Return the chain with some settings made stricter, and the checks that it fails; None if that does not work.

        None if a method refused them, no steps are possible with them, or a check failed that had passed or became red.
        The settings that may be the cause are then noted in ``stuck`` and not tried again (after a newly failed check
        all settings of the whole version, too); those of a chain that comes back are noted in ``turns``. A newly failed
        check is no reason for None in groups, and in public releases unless a model is learned (noise, synthetic
        records).
        """
        try:
            tried = self._try_turns(current, turns)
        except (InputError, RecipeError) as error:
            self.stuck |= {key for notches in turns.values() for key in notches if key[1] == error.column}
            return None
        is_public = self.judge.prepared.type.is_public and current.family not in _COSTLY
        needs_more = is_public or current.family is Family.GROUPS
        if tried is None or (self._has_new(tried[1]) and not needs_more):
            self.stuck |= _find_suspect_knobs(turns)
            # What one column's knob opens is opened by a stricter whole version as well.
            self.stuck |= set() if tried is None else {(kind, WHOLE_VERSION) for kind in OF_THE_VERSION}
            return None
        for id, notches in turns.items():
            self.turns[id] = self.turns.get(id, {}) | notches
        return tried

    def _try_turns(self, current: Chain, turns: Turns) -> tuple[Chain, tuple[CheckResult, ...]] | None:
        """Return the chain with some settings made stricter and the checks it still fails; None if it is impossible.

        It is impossible if the settings allow no steps. Only checks that failed in the round before (``tied``) are
        judged again. If all of them pass now, all others that must pass in the end (``asked``) are judged as well, and
        those that fail come back. The checks that come back replace ``tied``, unless there are none.
        """
        to_search, to_check, to_check_others = progress.parts(1.0, 1.0, 1.0)
        draft = current.draft.with_notches({key: notch for notches in turns.values() for key, notch in notches.items()})
        following = to_search.run(self.chains.turned, current, draft)
        if following is None:
            return None
        still = select_open_results(
            to_check.run(self.judge.judge_again, following.steps, self.tied, draft=self.is_draft)
        )
        if not still:
            others = [id for id in self.asked if id not in self.tied]
            still = select_open_results(
                to_check_others.run(self.judge.judge_again, following.steps, others, draft=self.is_draft)
            )
        self.tied = {result.id for result in still} or self.tied
        return following, still

    def _has_new(self, results: Sequence[CheckResult]) -> bool:
        """Return whether a check fails that passed before any setting was changed, or is red that was not before."""
        before = {result.id: result.status for result in self.open_checks}
        return any(before.get(result.id) not in (RED, result.status) for result in results)

    def _is_better(self, after: Sequence[CheckResult], before: Sequence[CheckResult]) -> bool:
        """Return whether the checks that still fail are a better result than those that failed before.

        All that failed before pass (others may fail), or fewer are red, or as many are red and fewer fail, or both are
        equal and the sum of their figures is lower (below three quarters of that before for noise and synthetic
        records, whose rounds are costly). Figures are numbers of people where a check counts them.
        """
        if not {result.id for result in after} & {result.id for result in before}:
            return True
        (*counts, figures), (*counts_before, figures_before) = _compute_sort_key(after), _compute_sort_key(before)
        share = _MUCH_BETTER if self.chain.family in _COSTLY else 1.0
        return counts < counts_before or (counts == counts_before and figures < share * figures_before)

    def _keep_helpful_notches(self, still: Sequence[CheckResult]) -> Draft:
        """Return the first draft with those stricter settings added that belong to checks which improved.

        A check improved if it passes now, or was red and only needs a reason now; one that passed at first and failed
        later counts as if it had been red. The first draft comes back unchanged if none improved, or if a check that
        was red still is.
        """
        before = {result.id: result.status for result in self.open_checks}
        after = {result.id: result.status for result in still}
        if any(status == RED == after.get(id) for id, status in before.items()):
            return self.chain.draft
        helped = [id for id in self.turns if after.get(id) not in (RED, before.get(id, RED))]
        notches = {key: notch for id in helped for key, notch in self.turns[id].items()}
        return self.chain.draft.with_notches(notches) if notches else self.chain.draft


def _find_suspect_knobs(turns: Turns) -> set[tuple[KnobKind, str]]:
    """Return the settings made stricter that may have done harm: those that round, if any, else all.

    A number that is rounded alone is revealed by others.
    """
    turned = {key for notches in turns.values() for key in notches}
    return {key for key in turned if key[0] is KnobKind.ROUNDING} or turned


def _compute_sort_key(results: Sequence[CheckResult]) -> tuple[float, ...]:
    """Return a sort key of results: the number of red ones, the number of all, and the sum of their figures.

    A smaller key is a better result: (1, 3, 0.4) is better than (2, 2, 0.1). Where a check counts people, their number
    is its figure; without a figure it adds 0.
    """
    return (
        sum(result.status == RED for result in results),
        len(results),
        sum(_read_figure(result) for result in results),
    )


def _read_figure(result: CheckResult) -> float:
    """Return the number of people that a result counts, or else its figure; 0 without one."""
    value = result.hits if result.hits is not None or result.figure is None else result.figure.value
    return float(value or 0)
