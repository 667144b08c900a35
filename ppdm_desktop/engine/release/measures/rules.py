"""Rows that break a rule which always holds in the source, counted in release and source."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model.usefulness import RuleEntry, RulesEntry
from ppdm_desktop.engine.report.public.columns import mask_small_count
from ppdm_desktop.engine.table.rules import count_breaking_rows, find_rule_violations, find_rules
from ppdm_desktop.engine.wording.catalogue import lazy
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
