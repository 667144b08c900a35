"""Rules that values obey: found in the source, kept by methods, and checked in the released table.

Each kind of rule is one class; `KINDS` lists them all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.rules.base import Released, Survey
from ppdm_desktop.engine.table.rules.base import ValueRule as ValueRule
from ppdm_desktop.engine.table.rules.conditional import FilledRule, LimitsRule
from ppdm_desktop.engine.table.rules.numbers import GridRule, ListRule, RangeRule, SpikeRule
from ppdm_desktop.engine.table.rules.pairs import AGE_AND_DATE, OrderRule, PairRule, SumRule, YearsRule
from ppdm_desktop.engine.table.rules.products import ProductRule

KINDS: tuple[type[ValueRule], ...] = (
    PairRule,
    LimitsRule,
    FilledRule,
    OrderRule,
    YearsRule,
    SumRule,
    ProductRule,
    RangeRule,
    GridRule,
    ListRule,
    SpikeRule,
)


_FOUND: WeakKeyDictionary[Table, dict[tuple[type[ValueRule], ...], tuple[ValueRule, ...]]] = WeakKeyDictionary()
"""The rules of each table by kinds, found once: a step, its proof and the verdict of each version ask for them."""


@dataclass(frozen=True, eq=False)
class BrokenRule:
    """A rule, and which released rows break it, bool, shape (released rows,)."""

    rule: ValueRule
    rows: Bools

    @property
    def count(self) -> int:
        """The number of rows that break the rule."""
        return int(np.count_nonzero(self.rows))


def find_rules(table: Table, kinds: tuple[type[ValueRule], ...] = KINDS) -> tuple[ValueRule, ...]:
    """Return the rules between values (ranges, steps, sums, orders ...) that hold in a table or are declared.

    Only rules of the given kinds are returned, and none about identifiers, left-out columns or privacy levels. Each
    says whether the recipe keeps it, that is, whether released values must obey it. They are found once for each table
    object and kinds.
    """
    of_table = _FOUND.setdefault(table, {})
    if kinds not in of_table:
        of_table[kinds] = _find_rules(table, kinds)
    return of_table[kinds]


def _find_rules(table: Table, kinds: tuple[type[ValueRule], ...]) -> tuple[ValueRule, ...]:
    """Return the rules of a table, each with the number of rows in which it holds and whether it is to be kept.

    Of spikes people are counted instead of rows. Rules found in the table come first, by kind, then further ones that
    the recipe declares. A rule is kept unless the recipe says otherwise. Where the recipe declares a rule that is also
    found, its numbers, such as the ends of a range, are those of the recipe.
    """
    survey = Survey.of(table)
    ids = {kind.id for kind in kinds}
    written = {identity_of(section): section for section in table.rules if section.kind in ids}
    rules = []
    for rule in (rule for kind in kinds for rule in kind.find(survey)):
        section = written.pop(identity_of(rule.section(kept=True)), None)
        exact = None if section is None else type(rule).written(section, survey)
        rules.append(replace(exact or rule, kept=section is None or section.kept))
    rules += read_declared_rules(tuple(written.values()), survey)
    return tuple(rule.counted(survey) for rule in rules)


def read_declared_rules(sections: Sequence[ValueRuleSection], survey: Survey) -> list[ValueRule]:
    """Return the rules that sections of a recipe declare, in order, each with whether the recipe keeps it.

    Left out are rules whose columns are not in the table, or do not fit the kind of rule. Their rows are not counted
    yet.
    """
    of_kind = {kind.id: kind for kind in KINDS}
    fitting = [section for section in sections if all(name in survey.table for name in section.columns)]
    written = [(of_kind[section.kind].written(section, survey), section.kept) for section in fitting]
    return [replace(rule, kept=kept) for rule, kept in written if rule is not None]


def kept_rules(table: Table, kinds: tuple[type[ValueRule], ...] = KINDS) -> tuple[ValueRule, ...]:
    """Return the rules of some kinds that released data must obey, which are those that the recipe does not drop."""
    return tuple(rule for rule in find_rules(table, kinds) if rule.kept)


def find_spikes(table: Table) -> dict[str, list[float]]:
    """Return by column name the spikes: numbers that far more people have than any other (0 as an income, for example).

    They are found in the table or declared in the recipe. Spikes that the recipe drops are left out; a column without
    one is not in the result.
    """
    spikes: dict[str, list[float]] = {}
    for rule in kept_rules(table, (SpikeRule,)):
        if isinstance(rule, SpikeRule):
            spikes.setdefault(rule.columns[0], []).append(rule.value)
    return spikes


def find_orders(table: Table) -> list[tuple[str, ...]]:
    """Return the pairs of columns of which the first has at most the value of the second, if the recipe keeps this.

    Pairs of a number and a date are left out.
    """
    orders = [rule for rule in kept_rules(table, (OrderRule,)) if isinstance(rule, OrderRule)]
    return [rule.columns for rule in orders if rule.kinds != AGE_AND_DATE]


def identity_of(section: ValueRuleSection) -> tuple[object, ...]:
    """Return a key that two sections share if they are about the same rule.

    It is the kind and the columns, and for spikes also the value, since a column may have several.
    """
    return section.kind, section.columns, section.value if section.kind == SpikeRule.id else None


def find_rule_violations(
    original: Table, released: Table, rules: Sequence[ValueRule], *, as_printed: bool = False
) -> tuple[BrokenRule, ...]:
    """Return for each kept rule which released rows break it, in the order of ``rules``, even if none does.

    A range, a rounded number or a generalised text breaks a rule only if none of the values that it may stand for obeys
    it. With ``as_printed`` a number stands for itself only. A rule about a column that is not released is left out.
    """
    view = Released(original, released, as_printed)
    there = [rule for rule in rules if rule.kept and all(name in released for name in rule.columns)]
    return tuple(BrokenRule(rule, rule.broken(view)) for rule in there)


def count_breaking_rows(broken: Sequence[BrokenRule]) -> int:
    """Return how many rows break at least one rule; 0 without rules."""
    return int(np.count_nonzero(np.any([rule.rows for rule in broken], axis=0))) if broken else 0
