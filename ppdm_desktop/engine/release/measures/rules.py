"""Rows that break a rule which holds in the source (such as "total = sum of parts"), in release and source."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from weakref import WeakKeyDictionary

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import RuleEntry, RulesEntry
from ppdm_desktop.engine.report.public.columns import SEPARATOR, mask_small_count
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.rules import BrokenRule, count_breaking_rows, find_rule_violations, find_rules
from ppdm_desktop.engine.table.rules.base import ComputedRule, Released, Survey, ValueRule
from ppdm_desktop.engine.table.rules.numbers import GridRule, ListRule, RangeRule
from ppdm_desktop.engine.table.rules.pairs import OrderRule
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Term

_COUNTED: WeakKeyDictionary[Candidate, RulesEntry | None] = WeakKeyDictionary()
"""The counts of each candidate, because verdict, note, gate and report ask for the same."""


def count_broken_rules(candidate: Candidate) -> RulesEntry | None:
    """Return how many rows break a rule of the source whose columns are released, in release and source.

    Rows count once, whatever the number of rules they break; the result also has the rows that break each rule, and
    those that break one if rounded numbers are taken as printed. None without such a rule. It is counted once for each
    candidate.
    """
    if candidate not in _COUNTED:
        _COUNTED[candidate] = _count_breaking_rows(candidate)
    return _COUNTED[candidate]


def _count_breaking_rows(candidate: Candidate) -> RulesEntry | None:
    """Return the counts of rows that break the rules found in the source, in release and source.

    None without a rule. Only rules whose columns are all released count; the result lists each of them with the number
    of released rows that break it. A second count takes rounded numbers as printed.
    """
    source, released = candidate.prepared.original, candidate.released
    broken = find_rule_violations(source, released, find_rules(source))
    if not broken:
        return None
    before = find_rule_violations(source, source, [broken_rule.rule for broken_rule in broken])
    return RulesEntry(
        rows=released.rows,
        broken=count_breaking_rows(broken),
        broken_as_printed=_count_rows_broken_as_printed(source, released, broken),
        rows_of_source=source.rows,
        broken_in_source=count_breaking_rows(before),
        rules=[
            RuleEntry(
                kind=now.rule.id,
                columns=list(now.rule.columns),
                holds_in=now.rule.holds_in,
                of=now.rule.of,
                broken=now.count,
            )
            for now in broken
        ],
    )


def _count_rows_broken_as_printed(source: Table, released: Table, broken: Sequence[BrokenRule]) -> int:
    """Return how many rows break a rule, where rules between columns are applied to numbers as they are printed.

    A limit of 1,000 and a balance of 1,100 then break "balance ≤ limit", although both may be rounded. The range, step
    or list of one column is that of its true values, which rounded numbers need not keep.
    """
    between_columns = [entry.rule for entry in broken if len(entry.rule.columns) > 1]
    return count_breaking_rows((*broken, *find_rule_violations(source, released, between_columns, as_printed=True)))


def state_rules(candidate: Candidate) -> dict[str, str]:
    """Return by column what holds in every released row and (nearly) always in the source, as recipients may know it.

    Texts are in the current language; a column without such a rule is missing.

    - Only rules of numeric and date columns are stated, and only if they hold in the released values: a rounded number
      may be above one that its true value was below.
    - A rule of several columns is stated for its first one, a sum or product for its result. Several rules of a column
      are one text, separated by " | ".
    - Ends and steps are those of the released values. An end that fewer than k_min people have is rounded outwards, and
      a list with such a value is not stated.
    """
    counted, released = count_broken_rules(candidate), candidate.released
    unbroken = {(entry.kind, tuple(entry.columns)) for entry in (counted.rules if counted else ()) if not entry.broken}
    as_released = Released(released, released)
    stated: dict[str, list[str]] = {}
    for rule in _find_public_rules(candidate):
        is_unbroken = (rule.id, rule.columns) in unbroken
        is_measured = is_unbroken and all(released.column(name).kind in ("numeric", "date") for name in rule.columns)
        if is_measured and (isinstance(rule, ListRule) or not rule.broken(as_released).any()):
            name = rule.columns[-1 if isinstance(rule, ComputedRule) else 0]
            stated.setdefault(name, []).append(str(rule.title))
    return {name: SEPARATOR.join(texts) for name, texts in stated.items()}


def _find_public_rules(candidate: Candidate) -> Iterator[ValueRule]:
    """Yield the sums, products and orders of the source, and the ranges, steps and lists of the released values.

    Lists are left out where fewer than k_min records have one of the values.
    """
    for rule in find_rules(candidate.prepared.original):
        if isinstance(rule, ComputedRule | OrderRule):
            yield rule
    released, k_min = candidate.released, candidate.prepared.type.k_min
    survey = replace(Survey.of(released), least=k_min)
    yield from RangeRule.find(survey)
    yield from GridRule.find(survey)
    for listed in ListRule.find(survey):
        if released.column(listed.columns[0]).counted_numbers()[1].min() >= k_min:
            yield listed


def state_broken_rules(candidate: Candidate) -> str | None:
    """Return a text in the current language on how many rows break rules of the source, in release and source.

    It is one sentence, or three where rounded numbers taken as printed break a rule in another number of rows. None
    without a rule. Counts from 1 to below k_min are not stated exactly.
    """
    counted, k_min = count_broken_rules(candidate), candidate.prepared.type.k_min
    if counted is None:
        return None
    printed = counted.broken_as_printed
    stated = lazy(
        "Rows that break what (nearly) always holds in the source, such as a start before an end: {broken} of {rows}; "
        "in the source: {before}.",
        broken=Term(mask_small_count(counted.broken, k_min)),
        rows=counted.rows,
        before=Term(mask_small_count(counted.broken_in_source, k_min)),
    )
    if printed == counted.broken:
        return str(stated)
    return str(
        lazy(
            "{stated} A rounded number or a limit counts as breaking it only if no value that it stands for keeps it. "
            "If the numbers are taken as printed, {printed} rows break it.",
            stated=stated,
            printed=Term(mask_small_count(printed, k_min)),
        )
    )
