"""Suggested candidates: what the methods propose for this table, alone and in the chains that make sense.

There is no list of methods here. Each method declares its own suggestions; a chain begins with a
step that hides who it is and keeps the records, goes on with one that ends what is left to do,
and ends with one that protects the confidential values. Each is tried out and judged, on some of the
rows where there are many: what fails, what is blocked and what leaves everybody alone is not offered.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.errors import Cancelled, PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.registry import all_methods, find_method
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.methods.base.suggestion import Suggestion, strictest_group
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.step_order import misplaced_step
from ppdm_desktop.engine.release.evaluate.original import untouched
from ppdm_desktop.engine.release.evaluate.quick_verdict import quick_verdict, some_rows
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import Sentence, later
from ppdm_desktop.engine.wording.values import Term

MANY_ROWS = 200_000
"""From so many records on, what is slow comes after everything else, and only first steps are tried out."""
TRIED_ROWS, TRIED_AGAIN_ROWS = 1_000, 10_000
"""Rows on which a suggestion is judged, and on how many once more where that leaves too few suggestions."""
ENOUGH = 6
"""Suggestions from which on none is judged a second time, and the most that are."""
_ALL_ALONE = 0.95
"""Share of people who stand alone by what others know that counts as everybody: nothing was done for them."""
_DOING = "doing.suggesting"
Steps = tuple[StepSection, ...]


@dataclass(frozen=True)
class Suggested:
    """A candidate worth a try.

    Attributes
    ----------
    name
        What it does, in a few plain words.
    steps
        The chain, ready for a recipe.
    slow
        Whether it holds a step that takes far longer than others do.
    verdict, before
        What its trial was found to give away and to keep, and the same of the rows as they are; of some of the
        rows where there are many.
    seconds
        What the trial took of the processor: what else the machine does at the time says nothing of a run.
    """

    name: Sentence
    steps: Steps
    slow: bool
    verdict: Verdict
    before: Verdict
    seconds: float


@dataclass(frozen=True)
class Looked:
    """What was found.

    Attributes
    ----------
    suggested
        What is offered, in order.
    blocking
        Ids of the checks that stopped every other one, commonest first: where nothing is offered, they say why.
    """

    suggested: tuple[Suggested, ...]
    blocking: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Part:
    """One suggestion of one method, that fits the table it was checked on."""

    method: Method
    suggestion: Suggestion
    settings: Settings
    rank: int

    @property
    def section(self) -> StepSection:
        return self.method.new_step.model_copy(update={"parameters": dict(self.suggestion.parameters)})


@dataclass(frozen=True)
class _Chain:
    parts: tuple[_Part, ...]

    @property
    def rank(self) -> int:
        return max(part.rank for part in self.parts)

    @property
    def slow(self) -> bool:
        return any(part.suggestion.slow for part in self.parts)

    @property
    def steps(self) -> Steps:
        return tuple(part.section for part in self.parts)

    @property
    def name(self) -> Sentence:
        found = self.parts[0].suggestion.words
        for part in self.parts[1:]:
            after = part.suggestion.after
            assert after is not None  # nothing else is put into a chain
            found = later("method", "{first}, then {next}", first=Term(found), next=Term(after))
        return found


def suggest(prepared: Prepared, queued: Sequence[Steps], most: int, progress: Progress) -> Looked:
    """Return candidates worth a try on a prepared input.

    Parameters
    ----------
    prepared
        The input with roles, kinds, bins and levels; its recipe's steps do not matter.
    queued
        Chains that there are already; none of them is returned again.
    most
        How many at most.
    progress
        Reports methods and chains looked at, and trials.

    Returns
    -------
    Looked
        The usual way to use each method and the usual chains come first, other strengths later, so
        that the first few are the most different; no two have one name. Nothing where the table is too
        small for the groups that its levels ask for.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    table = prepared.table
    if table.rows < 2 * strictest_group(table):
        return Looked(())
    known = {_signature(steps, table) for steps in queued}
    found: list[_Chain] = []
    for chain in _chains(prepared, progress.part(0.0, 0.1)):
        mark = _signature(chain.steps, table)
        if mark not in known and misplaced_step(chain.steps) is None:
            known.add(mark)
            found.append(chain)
    later = 1 if table.rows >= MANY_ROWS else 0
    # Stable sorts: methods come in the order of their ids, chains after what they begin with.
    found.sort(key=lambda chain: chain.rank + later * chain.slow)
    return _judged(prepared, found, most, progress.part(0.1, 1.0))


def _judged(prepared: Prepared, chains: Sequence[_Chain], most: int, progress: Progress) -> Looked:
    """Try chains out one after another until there are enough, and leave out what must not or need not be run."""
    offered: dict[int, Suggested] = {}
    stopped: list[int] = []
    names: set[Sentence] = set()
    blocking: Counter[str] = Counter()
    first, last = (_Trials(some_rows(prepared, rows)) for rows in (TRIED_ROWS, TRIED_AGAIN_ROWS))
    for place, chain in enumerate(chains):
        if len(offered) >= most:
            break
        if chain.name in names:
            continue
        tried = first.of(chain, progress.part(place / len(chains), (place + 1) / len(chains)))
        if tried is None:
            continue
        if _is_worth_it(tried.verdict):
            offered[place] = tried
            names.add(chain.name)
        else:
            stopped.append(place)
            blocking.update(check.id for check in tried.verdict.blocking)
    if first.prepared is not last.prepared:
        for place in stopped[:ENOUGH]:
            if len(offered) >= min(ENOUGH, most) or chains[place].name in names:
                continue
            tried = last.of(chains[place], progress.part(1.0, 1.0))
            if tried is not None and _is_worth_it(tried.verdict):
                offered[place] = tried
                names.add(tried.name)
    progress.report(1.0, _DOING)
    return Looked(tuple(offered[place] for place in sorted(offered)), tuple(id for id, _ in blocking.most_common()))


class _Trials:
    """Trials on the same rows, which are judged once as they are."""

    def __init__(self, prepared: Prepared) -> None:
        self.prepared = prepared
        self._before: Verdict | None = None

    def of(self, chain: _Chain, progress: Progress) -> Suggested | None:
        """Return a chain with its quick verdict, None where it fails on this table."""
        if self._before is None:
            self._before = quick_verdict(untouched(self.prepared), (), progress.part(0.0, 0.3))
        began = time.thread_time()
        try:
            verdict = quick_verdict(self.prepared, chain.steps, progress)
        except Cancelled:
            raise
        except PpdmError:
            return None
        return Suggested(chain.name, chain.steps, chain.slow, verdict, self._before, time.thread_time() - began)


def _is_worth_it(verdict: Verdict) -> bool:
    """Say whether a trial may be released, at least with reasons, and does not leave everybody alone."""
    if verdict.blocking:
        return False
    singled = verdict.singled
    return singled is None or singled.people == 0 or singled.by_others < _ALL_ALONE * singled.people


def running_order(suggested: Sequence[Suggested]) -> tuple[Suggested, ...]:
    """Return suggestions in the order to run them: the slow ones last."""
    return tuple(sorted(suggested, key=lambda each: each.slow))


def _signature(steps: Steps, table: Table) -> tuple[object, ...]:
    """Return what tells one chain from another: methods, columns and what is set."""
    found = []
    for step in steps:
        if step.enabled:
            method = find_method(step.method)
            columns = step.columns if step.columns is not None else method.default_columns(table)
            found.append((step.method, columns, repr(sorted(method.written(step.profile, step.parameters).items()))))
    return tuple(found)


def _chains(prepared: Prepared, progress: Progress) -> Iterator[_Chain]:
    table = prepared.table
    methods = _usable(prepared)
    parts: list[_Part] = []
    for done, method in enumerate(methods):
        progress.report(0.5 * done / len(methods), _DOING)
        parts += _fitting(method, table)
    yield from (_Chain((part,)) for part in parts)
    begins = [part for part in parts if _begins_chains(part.method)]
    for done, part in enumerate(begins):
        progress.report(0.5 + 0.5 * done / len(begins), _DOING)
        yield from _longer(prepared, _Chain((part,)), table, progress)


def _usable(prepared: Prepared) -> list[Method]:
    """Return the methods that the recipe may use: its own plug-ins' and ours."""
    named = prepared.recipe.plugins.use
    owners = ((method, plugins.of_method(method.id)) for method in all_methods().values())
    return [method for method, owner in owners if owner is None or owner.name in named]


def _begins_chains(method: Method) -> bool:
    return method.protects == "identity" and method.correspondence == "record"


def _fitting(method: Method, table: Table, *, in_chain: bool = False) -> list[_Part]:
    """Return a method's suggestions that its own check lets pass on a table."""
    found = []
    for rank, each in enumerate(method.suggestions(table)):
        if in_chain and not each.after:
            continue
        try:
            settings = method.settings(table, None, method.written(method.new_step.profile, each.parameters))
            method.check(table, settings)
        except PpdmError:
            continue
        found.append(_Part(method, each, settings, rank))
    return found


def _longer(prepared: Prepared, chain: _Chain, before: Table, progress: Progress) -> Iterator[_Chain]:
    """Go on from a chain: with what hides those it left standing out, then with what protects the secret."""
    last = chain.parts[-1]
    made = _tried(prepared, last, len(chain.parts), before, progress)
    if made is None:
        return
    table, everybody = made
    if not everybody:
        for method in _usable(prepared):
            if _begins_chains(method) and method.id not in {part.method.id for part in chain.parts}:
                for part in _fitting(method, table, in_chain=True):
                    longer = _Chain((*chain.parts, part))
                    yield longer
                    yield from _longer(prepared, longer, table, progress)
        return
    if not table.rows:
        return
    for method in _usable(prepared):
        if method.protects == "attribute":
            for part in _fitting(method, table, in_chain=True):
                if prepared.table.rows >= MANY_ROWS or _serves_anyone(prepared, part, table, progress):
                    yield _Chain((*chain.parts, part))


def _tried(prepared: Prepared, part: _Part, place: int, before: Table, progress: Progress) -> tuple[Table, bool] | None:
    """Run a step that hides who it is; return its table and whether it serves every record, None where it fails."""
    try:
        result = part.method.run(before, part.settings, _streams(prepared, place), progress.part(0.0, 0.0))
    except Cancelled:
        raise
    except PpdmError:
        return None
    served = [each.served for each in result.protections if len(each.served) == result.table.rows]
    return result.table, bool(served) and bool(np.logical_and.reduce(served).all())


def _serves_anyone(prepared: Prepared, part: _Part, table: Table, progress: Progress) -> bool:
    try:
        result = part.method.run(table, part.settings, _streams(prepared, 2), progress.part(0.0, 0.0))
    except Cancelled:
        raise
    except PpdmError:
        return False
    return any(bool(each.served.any()) for each in result.protections)


def _streams(prepared: Prepared, place: int) -> StepStream:
    """Return streams for trying out; nothing drawn from them is ever released."""
    return StepStream(Key.from_seed(0), prepared.account.sha256, prepared.draws_sha256, 0).for_step(place)
