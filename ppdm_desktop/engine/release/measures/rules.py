"""Rows that break a rule which always holds in the source, counted in release and source."""

from __future__ import annotations

from dataclasses import replace
from weakref import WeakKeyDictionary

import numpy as np

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model.usefulness import RuleEntry, RulesEntry
from ppdm_desktop.engine.report.public.columns import SEPARATOR, mask_small_count
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.rules import count_breaking_rows, find_rule_violations, find_rules
from ppdm_desktop.engine.table.rules.base import ValueRule, coarsest_step, date_numbers
from ppdm_desktop.engine.table.rules.numbers import GridRule, ListRule, RangeRule
from ppdm_desktop.engine.table.rules.pairs import OrderRule, SumRule
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Term

_COUNTED: WeakKeyDictionary[Candidate, RulesEntry | None] = WeakKeyDictionary()
"""What was counted of each candidate: verdict, note, gate and report ask for the same."""


def count_broken_rules(candidate: Candidate) -> RulesEntry | None:
    """Return how many rows break a rule of the source whose columns are released, in release and source.

    None without such a rule. It is counted once for a candidate.
    """
    if candidate not in _COUNTED:
        _COUNTED[candidate] = _count_breaking_rows(candidate)
    return _COUNTED[candidate]


def _count_breaking_rows(candidate: Candidate) -> RulesEntry | None:
    """Return the counts of rows that break the rules found in the source, in release and source.

    None without a rule.
    """
    source, released = candidate.prepared.original, candidate.released
    broken = find_rule_violations(source, released, find_rules(source))
    if not broken:
        return None
    before = find_rule_violations(source, source, [broken_rule.rule for broken_rule in broken])
    return RulesEntry(
        rows=released.rows,
        broken=count_breaking_rows(broken),
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


def state_rules(candidate: Candidate) -> dict[str, str]:
    """Return what holds in every released row and in the source, by column, as recipients may know it.

    Of numbers and dates only, and nothing that the released values do not show themselves.
    """
    counted, released = count_broken_rules(candidate), candidate.released
    unbroken = {(entry.kind, tuple(entry.columns)) for entry in (counted.rules if counted else ()) if not entry.broken}
    stated: dict[str, list[str]] = {}
    for rule in find_rules(candidate.prepared.original):
        if (rule.id, rule.columns) not in unbroken:
            continue
        columns = [released.column(name) for name in rule.columns]
        if all(column.kind in ("numeric", "date") for column in columns):
            sentence = _state_rule(rule, columns[0])
            # Of a sum the last column is the total.
            name = rule.columns[-1 if isinstance(rule, SumRule) else 0]
            stated.setdefault(name, []).extend([] if sentence is None else [str(sentence)])
    return {name: SEPARATOR.join(texts) for name, texts in stated.items()}


def _state_rule(rule: ValueRule, column: Column) -> Sentence | None:
    """Return a rule in words, its ends and values being those of the released column; None where it says nothing."""
    if isinstance(rule, SumRule | OrderRule):
        return rule.title
    if isinstance(rule, RangeRule) and column.kind == "date":
        days = date_numbers(column, by_category=True)
        ends = np.argsort(days)[[0, -1]].tolist() if len(days) and np.isfinite(days).all() else []
        return replace(rule, texts=tuple(column.categories[end] for end in ends)).shown_as if ends else None
    numbers = column.counted_numbers()[0].tolist()
    if isinstance(rule, RangeRule) and numbers:
        return replace(rule, low=numbers[0], high=numbers[-1]).shown_as
    if isinstance(rule, GridRule) and numbers:
        return replace(rule, step=coarsest_step(np.array(numbers))).shown_as
    return replace(rule, values=tuple(numbers)).title if isinstance(rule, ListRule) else None


def state_broken_rules(candidate: Candidate) -> str | None:
    """Return one sentence for recipients on how many rows break rules of the source, in the release and in the source.

    None without a rule. Counts below k_min are not stated exactly.
    """
    counted, k_min = count_broken_rules(candidate), candidate.prepared.type.k_min
    if counted is None:
        return None
    stated = lazy(
        "{broken} of {rows} rows break a rule that holds in the source; in the source {before}.",
        broken=Term(mask_small_count(counted.broken, k_min)),
        rows=counted.rows,
        before=Term(mask_small_count(counted.broken_in_source, k_min)),
    )
    return str(stated)
