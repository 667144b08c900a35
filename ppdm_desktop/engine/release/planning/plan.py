"""Planning versions of a file, one family (kind of values shown) after another, each judged on all rows."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import product
from pathlib import Path

from ppdm_desktop.engine import plugins, progress
from ppdm_desktop.engine.errors import Cancelled, InputError, PpdmError, RecipeError, SeveralRowsError
from ppdm_desktop.engine.methods.base.declaration import Family, KnobKind, Method, methods_of
from ppdm_desktop.engine.methods.leave_out import LeaveOut
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import with_answers
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate.base import all_checks, find_check
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import NEED_REASON, RED, CheckResult
from ppdm_desktop.engine.release.measures.losses import describe_kept_columns, describe_losses, list_lost_marked_columns
from ppdm_desktop.engine.release.planning.chains import Chain, Chains
from ppdm_desktop.engine.release.planning.cures import one_row_cures
from ppdm_desktop.engine.release.planning.drafts import WHOLE_VERSION, Draft
from ppdm_desktop.engine.release.planning.judging import LARGE_CELLS, Judge, Judged, select_open_results
from ppdm_desktop.engine.release.planning.knobs import ChainKnobs
from ppdm_desktop.engine.release.planning.texts import describe_costliest_secret
from ppdm_desktop.engine.release.planning.turning import (
    Turning,
    answerable_checks,
    is_costly,
    is_settled_at_once,
    quick_checks,
)
from ppdm_desktop.engine.release.planning.version import (
    Blocking,
    Planned,
    Refusal,
    Signature,
    Steps,
    Version,
    best_versions_first,
    decision_of,
    list_checks_to_answer,
    signature,
)
from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of
from ppdm_desktop.engine.wording.texts import Note, explain, render

MOST_VERSIONS = 6
_DOING = "doing.suggesting"
_UNITS = {
    Family.TRUE_VALUES: 3.0,
    Family.GROUPS: 4.0,
    Family.AVERAGES: 3.0,
    Family.EXCHANGED: 4.0,
    Family.ARTIFICIAL: 6.0,
    Family.NOISE: 4.0,
}
_MORE_UNITS = 4.0
"""Work of what comes after the families, in the unit of ``_UNITS``; measured on three files of 1,000 to 30,000 rows."""

_LEAST_OF_USEFULNESS = 0.5
"""A version is not offered if its usefulness is a smaller share of another's that needs no more reasons."""
_OF_CHANGED_NUMBERS = (Family.AVERAGES, Family.NOISE)
_OF_VALUES = frozenset({KnobKind.ALL_ROWS, KnobKind.GAPS, KnobKind.ENDS, KnobKind.ROUNDING})
_BY_CLASSES = Draft({(KnobKind.VALUES_IN_GROUP, WHOLE_VERSION): 1})
_SECOND_DRAFTS = {
    Family.TRUE_VALUES: Draft({(KnobKind.ALL_ROWS, WHOLE_VERSION): 1}),
    Family.GROUPS: Draft({(KnobKind.GROUP_COLUMNS, WHOLE_VERSION): 1}),
    Family.AVERAGES: _BY_CLASSES,
    Family.EXCHANGED: _BY_CLASSES,
    Family.NOISE: _BY_CLASSES,
}
"""Settings tried if the first ones need written reasons: generalise more instead of leaving records out, groups by all
columns, classes that also hide what a method treats.
"""


def plan(
    prepared: Prepared,
    queued: Sequence[Steps],
    on_version: Callable[[Version], None],
    key: Key | None = None,
    ledger: Path | None = None,
) -> Planned:
    """Return at most six versions of a file that may be released, the best first, and why there are no others.

    The reasons are refusals by methods, what earlier releases of the source ask for, and if there is no version at all,
    the checks that block. If the work is stopped, what was found by then is returned, marked as cancelled.

    Parameters
    ----------
    prepared
        The input with roles, kinds, bins and privacy levels; its recipe's steps do not matter.
    queued
        Steps of existing versions, which are not returned again.
    on_version
        Called with each version as it is found, also with one that a later version makes useless.
    key
        The secret key of all versions; None to draw one from the system.
    ledger
        File of earlier releases, which may ask for a reason; None if they do not matter.
    """
    drawn = {signature(steps) for steps in queued}
    planner = _Planner(Judge(prepared, key or Key.fresh(), ledger), Chains(prepared), on_version, drawn)
    try:
        planner.plan()
    except Cancelled:
        return replace(planner.planned(), cancelled=True)
    return planner.planned()


def version_of(prepared: Prepared, steps: Steps, key: Key, ledger: Path | None = None) -> Version:
    """Return the version that these steps make, judged on all rows, whether it passes or not.

    It is not settled: machine learning used fewer rows than for a release. Its family is always "true values", whatever
    the steps do. ``ledger`` is the file of earlier releases, None if they do not matter.

    Raises
    ------
    InputError, RecipeError
        When a method refuses the file.
    Cancelled
        When the work was stopped.
    """
    began = time.perf_counter()
    chain = Chain(Family.TRUE_VALUES, Draft(), steps)
    judged = Judge(prepared, key, ledger).judge(steps)
    return _to_version(chain, judged, key, time.perf_counter() - began)


def settle(prepared: Prepared, version: Version, ledger: Path | None = None) -> Version:
    """Return a version judged as its release will be, with machine learning on as many rows.

    A version that was settled already is returned unchanged. This takes longer than the verdict of planning, so
    versions are shown before. ``changed`` of the result says whether the decision or the number of reasons differs from
    before.

    Raises
    ------
    InputError, RecipeError
        When a method refuses the file.
    Cancelled
        When the work was stopped.
    """
    if version.settled:
        return version
    judge = Judge(prepared, version.key, ledger)
    judge.take_over(version.steps, version.made)
    judged = judge.judge(version.steps, draft=False)
    changed = decision_of(judged.verdict) != decision_of(version.verdict)
    return replace(version, verdict=judged.verdict, changed=changed, settled=True, made=_keep_evidence(judged))


def _keep_evidence(judged: Judged) -> Evidence | None:
    """Return the evidence on a judged version, so that its steps need not run again; None for a large file.

    From 2,000,000 cells on its tables would fill the memory.
    """
    table = judged.candidate.prepared.table
    return judged.made if table.rows * len(table.columns) < LARGE_CELLS else None


def rejudge_versions(
    prepared: Prepared, versions: Sequence[Version], on_version: Callable[[Version], None], ledger: Path | None = None
) -> Planned:
    """Return the same versions judged under the answers of ``prepared``'s recipe, best first.

    The answers say who the rows are, what the population is, and whether recipients sign an agreement. Each version is
    judged as its release will be; steps are not searched again. Versions that are blocked now stay among them, and the
    result has no refusals and no blocking checks. ``changed`` is False in all. ``on_version`` is called with each
    version as soon as it is judged.

    Raises
    ------
    InputError, RecipeError
        When a method refuses the file.
    Cancelled
        When the work was stopped.
    """
    again: list[Version] = []
    for version, part in zip(versions, progress.parts(*[1.0] * len(versions)), strict=True):
        again.append(replace(part.run(settle, prepared, replace(version, settled=False), ledger), changed=False))
        on_version(again[-1])
    return Planned(tuple(best_versions_first(again)))


def _to_version(chain: Chain, judged: Judged, key: Key, seconds: float, *, settled: bool = False) -> Version:
    """Return a judged chain of steps as a version with sentences on what is kept and lost.

    ``settled`` says whether it was judged as its release will be; the evidence of a large settled version is not kept.
    """
    return Version(
        family=chain.family,
        kept=describe_kept_columns(judged.candidate),
        lost=describe_losses(judged.candidate),
        lost_marked=list_lost_marked_columns(judged.candidate),
        steps=chain.steps,
        verdict=judged.verdict,
        seconds=seconds,
        key=key,
        settled=settled,
        made=_keep_evidence(judged) if settled else judged.made,
    )


@dataclass(eq=False)
class _Planner:
    """Plans one family of versions after another and stores the versions found."""

    judge: Judge
    chains: Chains
    on_version: Callable[[Version], None]
    drawn: set[Signature]
    versions: list[Version] = field(default_factory=list)
    refusals: dict[str, tuple[list[Family], PpdmError]] = field(default_factory=dict)
    history: dict[str, tuple[Note, list[Family]]] = field(default_factory=dict)
    stopped: list[tuple[Chain, Judged]] = field(default_factory=list)
    passed: list[tuple[Chain, Judged]] = field(default_factory=list)
    blocking: list[Blocking] = field(default_factory=list)
    last_open: list[str] = field(default_factory=list)
    last_chain: Chain | None = None
    last_useful: float = 0.0
    last_marked_lost: int = 0
    red_anyway: set[str] = field(default_factory=set)
    of_values: Draft = field(default_factory=Draft)
    without_secret: Draft = field(default_factory=Draft)

    def plan(self) -> None:
        """Search a version of each family (kind of values shown), and add those found to ``versions``.

        True values mostly come first; after them comes the version for a signed agreement, if recipients may sign one.
        A family is passed over if it could only add versions that need a reason to one that needs none. Then further
        versions are searched; or if none was found, it is noted which checks block. Reports progress.
        """
        families = sorted(_UNITS, key=self._compute_planning_order)
        *parts, to_rest = progress.parts(*map(_UNITS.__getitem__, families), _MORE_UNITS)
        for tried, family in enumerate(families):
            with parts[tried]:
                progress.report(0.0, _DOING)
                progress.tell(_DOING, families=tried, family=list(Family).index(family))
                if self._is_in_vain(family):
                    continue
                plans_for_signed = family is Family.TRUE_VALUES and self._may_be_signed
                to_plan, to_sign = progress.parts(1.0, float(plans_for_signed))
                to_plan.run(self._plan_family, family)
                if plans_for_signed:
                    to_sign.run(self._plan_for_signed)
        to_rest.report(0.0, _DOING)
        to_rest.tell(_DOING, families=len(_UNITS))
        to_rest.run(self._plan_more if self.versions else self._plan_without)
        progress.report(1.0, _DOING)

    def _compute_planning_order(self, family: Family) -> tuple[bool, bool]:
        """Return a sort key of a family of versions; families with smaller keys are planned first.

        Families with equal keys stay in their order. For releases that are not public all keys are equal. For public
        ones true values and synthetic records come first. But if versions with each person's own numbers need a reason
        anyway, synthetic records come first, then families that hide people among numbers, then all others.
        """
        if not self.judge.prepared.type.is_public:
            return False, False
        if self._needs_reason_anyway:
            return not _hides_among_numbers(family), family is not Family.ARTIFICIAL
        return family not in (Family.TRUE_VALUES, Family.ARTIFICIAL), False

    def _is_in_vain(self, family: Family) -> bool:
        """Return whether a family would only add versions that need a reason to one that needs none."""
        is_free_version = not all(map(_count_reasons, self.versions))
        return is_free_version and not _hides_among_numbers(family) and self._needs_reason_anyway

    @cached_property
    def _needs_reason_anyway(self) -> bool:
        """Whether versions that show each person's own numbers fail a check on all numbers even at their coarsest.

        False without trying for releases that are not public and for fewer than 50,000 cells, and where no such version
        can be made or a method refuses. If True, these versions are planned only as long as no version is found that
        needs no reason.
        """
        prepared = self.judge.prepared
        if not prepared.type.is_public or is_settled_at_once(prepared.table):
            return False
        chain = self.chains.chain(Family.TRUE_VALUES, None, _SECOND_DRAFTS[Family.TRUE_VALUES])
        coarsest = (
            None if chain is None else self.chains.turned(chain, ChainKnobs(chain, self.chains).make_coarsest_draft())
        )
        checks = tuple(id for id, check in all_checks().items() if check.fails_at_coarsest)
        try:
            results = () if coarsest is None else self.judge.judge_again(coarsest.steps, checks)
        except (InputError, RecipeError):
            return False
        return bool(select_open_results(results))

    @property
    def _may_be_signed(self) -> bool:
        """Whether recipients of this release type may sign an agreement and the recipe does not say that they do."""
        prepared = self.judge.prepared
        return prepared.type.relies_on_agreement and not prepared.recipe.release.agreement

    def _plan_for_signed(self) -> None:
        """Add the version with true values that would be the best if the recipients signed an agreement.

        It is searched as if they had signed, but judged without the agreement, where it needs reasons; it also says how
        many it would need with it. Only the best one found is looked at. It is left out if it is in the list already,
        blocked without the agreement, or made useless by another version. Mostly it keeps far more than versions that
        need no reasons.
        """
        prepared = self.judge.prepared
        release = prepared.recipe.release.model_copy(update={"agreement": True})
        signed = with_answers(prepared, prepared.recipe.model_copy(update={"release": release}))
        planner = _Planner(
            Judge(signed, self.judge.key, self.judge.ledger), Chains(signed), lambda version: None, set()
        )
        planner._plan_family(Family.TRUE_VALUES)
        for version in best_versions_first(planner.versions)[:1]:
            if any(listed.steps == version.steps for listed in self.versions):
                continue
            judged = self.judge.judge(version.steps)
            if not judged.verdict.blocking:
                unsettled = replace(version, verdict=judged.verdict, settled=False, made=judged.made)
                self._add_version(replace(unsettled, reasons_if_signed=_count_reasons(version)))

    def planned(self) -> Planned:
        """Return what was found: versions, best first, refusals and blocking checks.

        At most six versions. The best and the one for a signed agreement stay. A family's second version is left out
        before the only one of another, then those with most reasons, then the least useful; the only true values go
        last. Versions that another one makes useless are left out.
        """
        versions = best_versions_first([version for version in self.versions if not self._is_beaten(version)])
        families = [version.family for version in versions]
        worst_first = [index for index, version in enumerate(versions) if index and version.reasons_if_signed is None]
        worst_first.sort(
            key=lambda index: (
                families[index] not in families[:index],
                families[index] is Family.TRUE_VALUES,
                -_count_reasons(versions[index]),
                _compute_usefulness(versions[index]),
            )
        )
        gone = worst_first[: max(len(versions) - MOST_VERSIONS, 0)]
        versions = [version for index, version in enumerate(versions) if index not in gone]
        refusals = [self._build_refusal(families, error) for families, error in self.refusals.values()]
        refusals += [_build_history_refusal(note, families) for note, families in self.history.values()]
        return Planned(tuple(versions), tuple(refusals), tuple(self.blocking))

    def _build_refusal(self, families: Sequence[Family], error: PpdmError) -> Refusal:
        """Return a refusal with an error's sentence and advice, and the changes of the recipe that would cure it.

        Only people with several rows have such cures. ``families`` are those that have no version for this reason; the
        error's ``file`` is set to None.
        """
        cures = one_row_cures(self.judge.prepared) if isinstance(error, SeveralRowsError) else ()
        remedy = render(error.id, error.arguments).remedy or None
        families = tuple(dict.fromkeys(families))
        error.file = None  # it is the one that is open
        return Refusal(families, explain(error), remedy, cures, explain(error, window=True))

    def _plan_family(self, family: Family) -> None:
        """Add the best version of a family that may be released, and for true values further ones around it.

        - A family's methods are tried in turn until one needs no reasons; if judging is costly, only until one could be
          judged.
        - If no version may be released, a column that every red check names is left out, unless judging is costly. If
          synthetic records need a reason, the columns that reveal what it is about are left out.
        - For true values a version that keeps all rows is tried as well. If the best needs reasons, a version without
          the columns that cause them is added first, if it needs none; last, one without the costliest confidential
          column.
        """
        stopped = len(self.stopped)
        is_costly_family = family is not Family.TRUE_VALUES and is_costly(family, self.judge.prepared.table)
        to_try, to_leave_out = progress.parts(4.0, 1.0)
        instead: list[Version] = []
        versions = to_try.run(self._try_versions, family)
        if not versions and not is_costly_family and len(self.stopped) > stopped:
            versions = instead = to_leave_out.run(self._try_without_worst_column, *self.stopped[stopped])
        best = best_versions_first(versions + (self._try_around(*self.passed[-1]) if versions else []))[:1]
        others = [version for version in instead if version not in best and not _count_reasons(version)]
        if family is Family.TRUE_VALUES:
            self._keep_value_knobs(best, self.stopped[stopped:])
            if any(map(_count_reasons, best)):
                self._plan_without_reasons()
            best = [self._name_costliest_secret(version) for version in best]
        for version in (*best, *others):
            self._add_version(version)
        if family is Family.TRUE_VALUES:
            self._try_without_costliest_secret(best)

    def _try_around(self, chain: Chain, judged: Judged) -> list[Version]:
        """Return true values that keep all rows, or synthetic records without revealing columns, made from a chain."""
        if chain.family is Family.TRUE_VALUES:
            return self._try_keeping_all_rows(chain)
        return self._try_without_revealing(chain, judged) if chain.family is Family.ARTIFICIAL else []

    def _name_costliest_secret(self, version: Version) -> Version:
        """Return a version that says which confidential column costs the others most detail, if there is one.

        It is named only if the others can keep that much more without it: no check that a setting answers may fail
        then. Large files are not looked at, because judging them takes long.
        """
        if is_costly(version.family, self.judge.prepared.table):
            return version
        for chain in (chain for chain, _ in self.passed if chain.steps == version.steps):
            costliest = self.chains.find_costliest_secret(chain)
            if costliest is not None and chain.plan is not None:
                name, _, plan = costliest
                draft = chain.draft.with_notches({(KnobKind.LEAVE_OUT, name): 1})
                without = self.chains.turned(chain, draft)
                checks = answerable_checks()
                if without is not None and not select_open_results(self.judge.judge_again(without.steps, checks)):
                    return replace(version, costliest=describe_costliest_secret(name, chain.plan, plan))
        return version

    def _try_without_costliest_secret(self, best: Sequence[Version]) -> None:
        """Add true values without the confidential column that costs the others most detail, if that is more useful.

        They are added anyway if the owner marked that the column may go. ``best`` holds the best version with true
        values, or nothing; the new one must need no more written reasons than that. If it is the better of the two,
        families that show changed numbers (averages, noise) leave the column out as well, which is noted in
        ``without_secret``.
        """
        chains = [chain for chain, _ in self.passed if any(chain.steps == version.steps for version in best)]
        for chain, before in zip(chains, best, strict=False):
            draft = self.chains.without_costliest_secret(chain)
            version = None if draft is None else self._find_version(chain.family, None, draft)
            if draft is None or version is None or _count_reasons(version) > _count_reasons(before):
                continue
            if self.chains.may_go(draft) or _compute_usefulness(version) > _compute_usefulness(before):
                self._add_version(version)
            if best_versions_first([before, version])[0] is version:
                gone = {(KnobKind.LEAVE_OUT, name): 1 for name in draft.columns(KnobKind.LEAVE_OUT)}
                self.without_secret = Draft(gone)

    def _try_keeping_all_rows(self, chain: Chain) -> list[Version]:
        """Return a list with one version that keeps all rows in place of a chain's demands on classes.

        Empty if that would not lose less detail, or if the version is blocked, refused, or was judged before. It is not
        added to ``versions``.
        """
        draft = self.chains.with_all_rows(chain)
        version = None if draft is None else self._find_version(chain.family, chain.method, draft)
        return [] if version is None else [version]

    def _keep_value_knobs(self, best: Sequence[Version], stopped: Sequence[tuple[Chain, Judged]]) -> None:
        """Store in ``of_values`` how strictly the best version with true values treats rows and single values.

        These settings are: keeping all rows, leaving out rare patterns of empty cells, limiting ends and rounding.
        Later families begin with them. If ``best`` is empty they are those of the first chain in ``stopped``; if both
        are empty, nothing changes.
        """
        passed = [chain for chain, _ in self.passed if any(chain.steps == version.steps for version in best)]
        for chain in [*passed, *(chain for chain, _ in stopped)][:1]:
            kept = {key: notch for key, notch in chain.draft.notches.items() if key[0] in _OF_VALUES}
            self.of_values = Draft(kept)

    def _try_versions(self, family: Family) -> list[Version]:
        """Return the versions of a family that may be released, up to the first that needs no written reason.

        Each method is tried with each draft of settings, except drafts that promise nothing new; if judging is costly,
        further methods only as long as nothing could be judged. For groups tries go on after such a version in a public
        release, and where a column had to be left out. Empty if no version may be released. They are not added to
        ``versions``.
        """
        methods = self._list_methods(family)
        drafts, versions, stopped = self._list_drafts(family), list[Version](), len(self.stopped)
        tries = list(product(methods, drafts))
        is_costly_family = is_costly(family, self.judge.prepared.table)
        leaves_out = False
        for (method, draft), part in zip(tries, progress.parts(*[1.0] * len(tries)), strict=True):
            is_later = bool(versions) or len(self.stopped) > stopped
            if is_later and is_costly_family and method is not methods[0]:
                break
            if is_later and not self._is_worth_trying(draft, drafts, leaves_out=leaves_out):
                continue
            if is_later and family is Family.NOISE and self._is_outdone(self.last_useful, self.last_marked_lost):
                break
            if (version := part.run(self._find_version, family, method, draft)) is None:
                continue
            versions.append(version)
            leaves_out = family is Family.GROUPS and self._has_left_column_out()
            if not (leaves_out or self._should_try_others(version)):
                break
        return versions

    def _is_worth_trying(self, draft: Draft, drafts: Sequence[Draft], *, leaves_out: bool) -> bool:
        """Return whether a later try of a family may be better than the tries before.

        True for the family's first draft, and for another one that promises more than the version judged last
        (`_may_help`). If the version that passed last had to leave a column out (``leaves_out``), True only for the
        last of ``drafts``.
        """
        if leaves_out:
            return draft is drafts[-1]
        return draft is drafts[0] or self._may_help(draft)

    def _has_left_column_out(self) -> bool:
        """Return whether the version that passed last leaves a column out.

        Groups with averages may keep that column.
        """
        return any(step.method == LeaveOut.id for step in self.passed[-1][0].steps)

    def _should_try_others(self, version: Version) -> bool:
        """Return whether other versions of a family are tried although this one may be released.

        They are if it needs reasons, for fewer than 50,000 cells also if another version makes it useless, and for
        groups in a public release: exact numbers are mostly left out there, and averages may keep more.
        """
        prepared = self.judge.prepared
        is_public_groups = version.family is Family.GROUPS and prepared.type.is_public
        is_useless = is_settled_at_once(prepared.table) and self._is_beaten(version)
        return bool(_count_reasons(version)) or is_public_groups or is_useless

    def _try_without_worst_column(self, chain: Chain, judged: Judged) -> list[Version]:
        """Return versions without a column that every red check names, best first; empty if none may be released.

        - If a setting answers one of these checks, only the first such column is left out, if possible one that need
          not stay detailed; otherwise all of them.
        - Before a column that must stay detailed, and before any in synthetic records, the columns that reveal it are
          tried: without the ward, the diagnosis may stay.
        - For true values there may be others that lack a confidential column in its place.
        - Empty also if earlier releases of the source block it: the steps and the key of one of them keep all columns.
        - Empty also if a red check is in ``red_anyway``: checks that stayed red for true values without the columns
          they name. For true values these checks are noted there.
        """
        red = _list_blocking_checks(judged)
        if any(result.id in self.red_anyway or find_check(result.id).of_history for result in red):
            return []
        named = set.intersection(*(set(result.columns) for result in red))
        columns = [column.name for column in self.chains.released if column.name in named]
        columns.sort(key=self.chains.must_stay.__contains__)
        if not columns:
            return []
        if any(find_check(result.id).answered_by for result in red):
            columns = columns[:1]
        if (version := self._find_without_revealing(chain, columns[0])) is not None:
            return [version]
        version = self._find_without_columns(chain, columns, red)
        rivals = self._try_without_giving_secrets(chain, red, columns)
        return best_versions_first([*([] if version is None else [version]), *rivals])

    def _find_without_columns(self, chain: Chain, columns: Sequence[str], red: Sequence[CheckResult]) -> Version | None:
        """Return the version of a chain without some columns; for true values note in ``red_anyway`` what stays red."""
        draft = chain.draft.with_notches({(KnobKind.LEAVE_OUT, column): 1 for column in columns})
        stopped = len(self.stopped)
        version = self._find_version(chain.family, chain.method, draft)
        if chain.family is Family.TRUE_VALUES and len(self.stopped) > stopped:
            still = {result.id for result in _list_blocking_checks(self.stopped[-1][1])}
            self.red_anyway = still & {result.id for result in red}
        return version

    def _try_without_giving_secrets(
        self, chain: Chain, red: Sequence[CheckResult], columns: Sequence[str]
    ) -> list[Version]:
        """Return the versions of true values that keep ``columns`` and lack a confidential one that red checks name.

        Example: where the fee gives the plan away, the plan may stay without the fee. One version for each such column
        at most. Columns that must stay detailed are kept, and at least one confidential column.
        """
        beside = {name for result in red for name in result.columns} - {*columns} - self.chains.must_stay
        secrets = [column.name for column in self.chains.confidential if column.name not in columns]
        if chain.family is not Family.TRUE_VALUES or len(secrets) < 2:
            return []
        drafts = [chain.draft.with_notches({(KnobKind.LEAVE_OUT, name): 1}) for name in secrets if name in beside]
        versions = [self._find_version(chain.family, chain.method, draft) for draft in drafts]
        return [version for version in versions if version is not None]

    def _try_without_revealing(self, chain: Chain, judged: Judged) -> list[Version]:
        """Return the versions without a column that reveals one for which a judged chain needs a reason.

        One for each such column at most: without the number of cigarettes, who smokes is no longer guessed too well.
        """
        named = dict.fromkeys(name for result in judged.open for name in result.columns)
        versions = [self._find_without_revealing(chain, name) for name in named]
        return [version for version in versions if version is not None]

    def _find_without_revealing(self, chain: Chain, name: str) -> Version | None:
        """Return the first version without a column that reveals the one called ``name``; None without such a version.

        None also for other families than synthetic records, unless the column must stay detailed.
        """
        if name not in self.chains.must_stay and chain.family is not Family.ARTIFICIAL:
            return None
        drafts = (
            chain.draft.with_notches({(KnobKind.LEAVE_OUT, column): 1}) for column in self.chains.list_revealing([name])
        )
        versions = (self._find_version(chain.family, chain.method, draft) for draft in drafts)
        return next((version for version in versions if version is not None), None)

    def _list_methods(self, family: Family) -> list[Method | None]:
        """Return the methods of a family, plug-ins only if the recipe names them; [None] for true values."""
        if family is Family.TRUE_VALUES:
            return [None]
        named = self.judge.prepared.recipe.plugins.use
        owners = ((method, plugins.of_method(method.id)) for method in methods_of(family))
        return [method for method, owner in owners if owner is None or owner.name in named]

    def _add_version(self, version: Version) -> None:
        """Add a version and report it to the caller, unless one that was found before makes it useless.

        Versions that it makes useless in turn stay in the list; `planned` leaves them out.
        """
        if not self._is_beaten(version):
            self.versions.append(version)
            self.on_version(version)

    def _is_beaten(self, version: Version) -> bool:
        """Return whether another version in the list makes this one useless.

        - The other needs no more written reasons and is more than twice as useful.
        - Or it needs fewer reasons and is more useful; this does not count for true values with a signed agreement.
        - Or it needs no more reasons, and all of its steps are among this one's, which changes values besides.
        - In all cases it must lose no more of the columns marked to stay detailed.
        - Synthetic records make only synthetic records useless.
        """
        for rival in self.versions:
            if rival.family is Family.ARTIFICIAL and version.family is not Family.ARTIFICIAL:
                continue
            if len(rival.lost_marked) > len(version.lost_marked):
                continue
            needs_more = _count_reasons(rival) < _count_reasons(version) and version.reasons_if_signed is None
            least = 1.0 if needs_more else _LEAST_OF_USEFULNESS
            does_more = len(version.steps) > len(rival.steps) and all(step in version.steps for step in rival.steps)
            is_poorer = _compute_usefulness(version) < least * _compute_usefulness(rival)
            if _count_reasons(rival) <= _count_reasons(version) and (is_poorer or does_more):
                return True
        return False

    def _is_futile_to_judge(self, chain: Chain) -> bool:
        """Return whether noise keeps so little that its version would be useless even if it needed no written reason.

        Noise takes longer to judge than all other families. False for other families, and if the chain's table was not
        made yet.
        """
        made = self.judge.made(chain.steps)
        if chain.family is not Family.NOISE or made is None:
            return False
        useful = usefulness_of(made.candidate).useful.value or 0.0
        return self._is_outdone(useful, len(list_lost_marked_columns(made.candidate)))

    def _is_outdone(self, useful: float, marked_lost: int) -> bool:
        """Return whether a version of real people that needs no reason is more than twice as useful.

        It must lose no more of the columns marked to stay detailed than ``marked_lost``.
        """
        return any(
            not _count_reasons(rival)
            and rival.family is not Family.ARTIFICIAL
            and len(rival.lost_marked) <= marked_lost
            and useful < _LEAST_OF_USEFULNESS * _compute_usefulness(rival)
            for rival in self.versions
        )

    def _find_version(self, family: Family, method: Method | None, draft: Draft, rank: int = 0) -> Version | None:
        """Return a version of a family that may be released, after making settings stricter for the checks it failed.

        None if no steps are possible, the method refuses the file, the steps were judged before, or the version is
        blocked. The refusal is noted, or the judged steps in ``stopped`` or ``passed``; nothing is added to
        ``versions``. The version may still need written reasons. ``rank`` is the index of the result of the search for
        true values, 0 for the best.
        """
        began = time.perf_counter()
        to_search, to_look, to_turn_early, to_judge, to_turn, to_settle = progress.parts(1.0, 0.5, 0.5, 1.0, 2.0, 2.0)
        try:
            chain = to_search.run(self.chains.chain, family, method, draft, rank)
            if chain is not None and family is Family.EXCHANGED:
                chain = to_look.run(self._add_value_exchange, chain)
            chain, in_vain = (None, ()) if chain is None else to_turn_early.run(self._turn_knobs_early, chain)
            if chain is None or self._is_futile_to_judge(chain) or not self._is_new(chain.steps):
                return None
            judged, settled = to_judge.run(self._judge_chain, chain, is_open=bool(in_vain))
        except (InputError, RecipeError) as error:
            self.refusals.setdefault(error.id, ([], error))[0].append(family)
            return None
        if not settled:
            chain, judged = to_turn.run(self._turn_knobs, chain, judged, in_vain)
            settled = _is_free(judged) and is_settled_at_once(self.judge.prepared.table)
            chain, judged = to_settle.run(self._judge_for_release, chain, judged) if settled else (chain, judged)
        self._note_history(family, judged)
        self.last_chain, self.last_open = chain, [result.id for result in judged.open]
        usefulness = judged.verdict.usefulness
        self.last_useful, self.last_marked_lost = usefulness.useful.value or 0.0, usefulness.marked_lost
        if judged.verdict.blocking:
            self.stopped.append((chain, judged))
            return None
        self.passed.append((chain, judged))
        seconds = time.perf_counter() - began
        return _to_version(chain, judged, self.judge.key, seconds, settled=settled)

    def _note_history(self, family: Family, judged: Judged) -> None:
        """Note in ``history`` what earlier releases of the source ask for, and the family if they block its version."""
        for result in judged.results:
            if find_check(result.id).of_history and result.status in (RED, *NEED_REASON):
                families = self.history.setdefault(result.sentence.id, (result.sentence, []))[1]
                families += [family] if result.status == RED else []

    def _judge_chain(self, chain: Chain, *, is_open: bool) -> tuple[Judged, bool]:
        """Return a chain's verdict, and True if it is final: judged as for its release, and no reason needed.

        A chain is judged as its release at once if the file has fewer than 50,000 cells, the release is not public, and
        no check is known to stay open (``is_open``). In all other cases it is judged as a draft (machine learning on
        fewer rows), and False comes back. So too for noise that needs a reason: it is then judged once more as a draft.
        """
        prepared = self.judge.prepared
        if is_open or prepared.type.is_public or not is_settled_at_once(prepared.table):
            return self.judge.judge(chain.steps), False
        judged = self.judge.judge(chain.steps, draft=False)
        if _is_free(judged) or chain.family is not Family.NOISE:
            return judged, _is_free(judged)
        # Knobs are turned only for what the draft shows: a round of noise costs as much as all other families do.
        self.judge.take_over(chain.steps, judged.made)
        return self.judge.judge(chain.steps), False

    def _judge_for_release(self, chain: Chain, judged: Judged) -> tuple[Chain, Judged]:
        """Return a chain and its verdict as for a release, with machine learning on all its rows.

        If the decision is worse than in ``judged``, and the family is not noise, settings are made stricter for the
        checks that fail now; then the better of both chains comes back.
        """
        to_judge, to_turn = progress.parts(1.0, 2.0)
        self.judge.take_over(chain.steps, judged.made)
        whole = to_judge.run(self.judge.judge, chain.steps, draft=False)
        # Of noise a round costs as much as all other families do, and more of it is filtered out as well.
        if chain.family is Family.NOISE or decision_of(whole.verdict) <= decision_of(judged.verdict):
            return chain, whole
        return to_turn.run(self._turn_knobs, chain, whole, (), draft=False)

    def _list_drafts(self, family: Family) -> list[Draft]:
        """Return the drafts (settings and their strictness) to try for a family, in the order they are tried.

        - The first has the ends, rounding and rows of the version with true values; averages and noise also leave out
          the column that this left out.
        - The second adds stricter demands, if the family has any.
        - For groups a further one shows averages.
        """
        first, second = self.of_values, _SECOND_DRAFTS.get(family)
        if family in _OF_CHANGED_NUMBERS:
            first = first.with_notches(self.without_secret.notches)
        drafts = [first, *([] if second is None else [first.with_notches(second.notches)])]
        if family is Family.GROUPS:
            drafts.append(first.with_notches({(KnobKind.AVERAGED, WHOLE_VERSION): 1}))
        return drafts

    def _may_help(self, draft: Draft) -> bool:
        """Return whether a draft of settings promises more than the version judged last.

        Settings that all drafts begin with do not count. True for a draft that shows averages; for one that keeps all
        rows, if the last version left rows out or it is not known; for any other, if the last version failed a check
        that one of the draft's settings answers.
        """
        kinds = {
            kind
            for kind, _ in draft.notches.keys() - self.of_values.notches.keys() - self.without_secret.notches.keys()
        }
        if KnobKind.ALL_ROWS in kinds:
            plan = self.last_chain.plan if self.last_chain is not None else None
            return plan is None or plan.rows_left_out > 0
        return KnobKind.AVERAGED in kinds or any(kinds & {*find_check(id).answered_by} for id in self.last_open)

    def _turn_knobs_early(self, chain: Chain) -> tuple[Chain | None, Collection[str]]:
        """Return a chain with settings made stricter before the whole verdict, and the ids of checks still open.

        They are made stricter for the checks that take no time and, unless the release is public, for those that
        versions of its family fail most; only these can be among the ids. So the whole verdict, which takes long,
        mostly has to be made only once. The chain is None if the new settings make no chain possible; the given one
        comes back if nothing helps.
        """
        rounds = [quick_checks()]
        if not self.judge.prepared.type.is_public:
            rounds.append(self._list_often_failed_checks(chain.family))
        turned: Chain | None = chain
        left = set[str]()
        for checks, part in zip(rounds, progress.parts(*[1.0] * len(rounds)), strict=True):
            if turned is not None and checks:
                turned, open_checks = part.run(self._turn_knobs_for_checks, turned, checks)
                left |= open_checks
        return turned, left

    def _list_often_failed_checks(self, family: Family) -> tuple[str, ...]:
        """Return the ids of the checks that versions of a family fail most, in the order of all checks.

        Empty if judging them early would cost too much: for noise in tables of fewer than 50,000 cells, for synthetic
        records from 50,000 cells on, for others from 2,000,000 on.
        """
        table = self.judge.prepared.table
        # Noise on a small file is judged by the release's own learners at once.
        is_late = is_settled_at_once(table) if family is Family.NOISE else is_costly(family, table)
        return () if is_late else tuple(id for id, check in all_checks().items() if family in check.often_failed_by)

    def _turn_knobs_for_checks(self, chain: Chain, checks: Collection[str]) -> tuple[Chain | None, set[str]]:
        """Return a chain with settings made stricter for these checks alone, and the ids of those left open.

        The chain is None if the new settings make none possible; the given one comes back if nothing helps. The ids are
        empty if a red check that no setting can answer ended the search before it began.
        """
        to_check, to_turn, to_make = progress.parts(1.0, 3.0, 0.5)
        open_checks = select_open_results(to_check.run(self.judge.judge_again, chain.steps, checks))
        turning, made = Turning(chain, open_checks, self.chains, self.judge, checks), self.judge.made(chain.steps)
        draft = to_turn.run(turning.draft)
        turned = chain if draft is chain.draft else to_make.run(self.chains.turned, chain, draft)
        if turned is chain:
            self.judge.take_over(chain.steps, made)
        return turned, turning.left

    def _turn_knobs(
        self, chain: Chain, judged: Judged, in_vain: Collection[str], *, draft: bool = True
    ) -> tuple[Chain, Judged]:
        """Return the better of a chain and the same with settings stricter for its failed checks, with its verdict.

        The chain itself comes back where no stricter setting helps, where the new steps were judged before or are
        refused, and for exchanged values where a check in ``red_anyway`` is red.

        Parameters
        ----------
        chain, judged
            The chain and its verdict.
        in_vain
            Ids of checks that settings are known not to help.
        draft
            Whether machine learning may use fewer rows than for a release.
        """
        stays_red = any(result.id in self.red_anyway for result in _list_blocking_checks(judged))
        if stays_red and chain.family is Family.EXCHANGED:
            return chain, judged
        to_turn, to_judge = progress.parts(3.0, 1.0)
        turning = Turning(chain, judged.open, self.chains, self.judge, answerable_checks(), in_vain, is_draft=draft)
        following = to_turn.run(turning.draft)
        if following is chain.draft:
            return chain, judged
        turned = to_judge.part(0.0, 0.2).run(self.chains.turned, chain, following)
        if turned is None or not self._is_new(turned.steps):
            return chain, judged
        try:
            again = to_judge.part(0.2, 1.0).run(self.judge.judge, turned.steps, draft=draft)
        except (InputError, RecipeError):
            return chain, judged
        better = Scorecard(again.verdict).sort_key < Scorecard(judged.verdict).sort_key
        return (turned, again) if better else (chain, judged)

    def _add_value_exchange(self, chain: Chain) -> Chain | None:
        """Return a chain that also exchanges values in the columns in which values can be guessed too well.

        These are the columns that open checks name which exchanging answers. None if they name no column that the
        chain's method can treat, or if no steps are possible.
        """
        to_judge, to_make = progress.parts(3.0, 1.0)
        checks = [id for id, check in all_checks().items() if KnobKind.EXCHANGE in check.answered_by]
        named = {
            name
            for result in select_open_results(to_judge.run(self.judge.judge_again, chain.steps, checks))
            for name in result.columns
        }
        notches = {
            (KnobKind.EXCHANGE, name): 1 for name in self.chains.fitting(chain.method, chain.draft) if name in named
        }
        if not notches:
            return None
        return to_make.run(self.chains.chain, chain.family, chain.method, chain.draft.with_notches(notches))

    def _is_new(self, steps: Steps) -> bool:
        """Return whether these steps were not judged as a whole before, and note them as judged.

        A second call with the same steps returns False. Steps of versions that the caller had before count as judged.
        """
        mark = signature(steps)
        is_new = mark not in self.drawn
        self.drawn.add(mark)
        return is_new

    def _plan_more(self) -> None:
        """Add further versions that need no written reason: true values in other forms, or without some columns.

        - Other forms generalise other columns than the best version does. They are not tried if a check stayed red
          without the column it names, or if versions with each person's numbers need a reason anyway.
        - Versions without some columns are tried only if every version with true values needs reasons, or there is
          none.
        - Nothing is tried if some but not all versions with true values need no reason.
        """
        free = [version for version in self._list_true_versions() if not _count_reasons(version)]
        if 0 < len(free) < len(self._list_true_versions()):
            return
        drafts = [self.of_values]
        if not free:
            drafts.append(self.of_values.with_notches(_SECOND_DRAFTS[Family.TRUE_VALUES].notches))
        ranks = [(draft, rank) for draft in drafts for rank in range(1, self.chains.count_plans(draft))]
        ranks = [] if self.red_anyway or self._needs_reason_anyway else ranks
        ranks = ranks[: max(MOST_VERSIONS - len(self.versions), 0)]
        *parts, to_leave_out = progress.parts(*[1.0] * len(ranks), 3.0)
        for (draft, rank), part in zip(ranks, parts, strict=True):
            version = part.run(self._find_version, Family.TRUE_VALUES, None, draft, rank)
            if version is None or _count_reasons(version):
                continue
            if str(version.kept) not in {str(listed.kept) for listed in self.versions}:  # other steps may keep the same
                self._add_version(version)
        if all(_count_reasons(version) for version in self._list_true_versions()):
            to_leave_out.run(self._plan_without_reasons)

    def _list_true_versions(self) -> list[Version]:
        """Return the versions with true values that were added."""
        return [version for version in self.versions if version.family is Family.TRUE_VALUES]

    def _plan_without_reasons(self) -> None:
        """Add at most one version without the columns for which another one needs a reason, if it needs none itself.

        It has to be at least half as useful as the other. Versions that passed are tried in turn, those with true
        values first, until one is found. If the list has a version that needs no reason already, only the best with
        true values is tried.
        """
        tries = sorted(
            self.passed, key=lambda passed: (passed[0].method is not None, Scorecard(passed[1].verdict).sort_key)
        )
        if any(not _count_reasons(version) for version in self.versions):
            tries = [(chain, judged) for chain, judged in tries[:1] if chain.method is None]
        for (chain, judged), part in zip(tries, progress.parts(*[1.0] * len(tries)), strict=True):
            named = self._list_named_columns(chain, judged)
            if not named:
                continue
            draft = chain.draft.with_notches({(KnobKind.LEAVE_OUT, name): 1 for name in sorted(named)})
            version = part.run(self._find_version, chain.family, chain.method, draft, chain.rank)
            if version is None or _count_reasons(version):
                continue
            if _compute_usefulness(version) >= _LEAST_OF_USEFULNESS * (judged.verdict.usefulness.useful.value or 0.0):
                self._add_version(version)
                return

    def _list_named_columns(self, chain: Chain, judged: Judged) -> set[str]:
        """Return the released columns that a chain's open checks name; empty if they cannot all be left out.

        They cannot if one of them must stay detailed, or if no confidential column would be left. Open checks are those
        that block or need a reason.
        """
        left = {column.name for column in self.chains.released} - {*chain.draft.columns(KnobKind.LEAVE_OUT)}
        named = left & {name for result in judged.open for name in result.columns}
        is_secret_left = any(column.name in left - named for column in self.chains.confidential)
        return named if is_secret_left and not named & self.chains.must_stay else set()

    def _plan_without(self) -> None:
        """Note each check that blocks the first stopped version, with its columns and the version without them.

        They are added to ``blocking``. The version without these columns is None if it is blocked as well or not
        possible, or if the check names no column. Nothing is noted without a stopped version.
        """
        for chain, judged in self.stopped[:1]:
            for result, part in zip(
                _list_blocking_checks(judged), progress.parts(*[1.0] * len(_list_blocking_checks(judged))), strict=True
            ):
                columns = {(KnobKind.LEAVE_OUT, name): 1 for name in result.columns}
                without = None
                if columns:
                    draft = chain.draft.with_notches(columns)
                    without = part.run(self._find_version, chain.family, chain.method, draft)
                self.blocking.append(Blocking(result.id, result.columns, without))


def _build_history_refusal(note: Note, families: Sequence[Family]) -> Refusal:
    """Return as a refusal what a check says of earlier releases of the source; no families if it stops none."""
    text = render(note.id, note.arguments)
    reason, in_window = f"{text.sentence} {text.remedy}", f"{text.sentence} {text.window}"
    return Refusal(tuple(dict.fromkeys(families)), reason, text.remedy, in_window=in_window)


def _hides_among_numbers(family: Family) -> bool:
    """Return whether numbers single nobody out in a family's versions, as all of its methods declare."""
    methods = methods_of(family)
    return bool(methods) and all(method.hides_among_numbers for method in methods)


def _compute_usefulness(version: Version) -> float:
    """Return how useful a version is, from 0 to 1; 0 if that is not known."""
    return version.verdict.usefulness.useful.value or 0.0


def _count_reasons(version: Version) -> int:
    """Return the number of written reasons that a version needs besides those for earlier releases of the source."""
    return len({check.cause for check in list_checks_to_answer(version.verdict)})


def _is_free(judged: Judged) -> bool:
    """Return whether judged steps may be released without a written reason.

    Reasons for earlier releases of the source do not count, because every version needs them.
    """
    return not judged.open


def _list_blocking_checks(judged: Judged) -> list[CheckResult]:
    """Return the results of the checks that block a judged chain."""
    return [result for result in judged.results if result.status == RED]
