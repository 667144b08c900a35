"""Prepares a table for condensation: replaces rare categories and combinations, and finds the rules of its values.

A category or combination is rare if fewer people have it than the smallest group size that any of these people asks
for; else it is common. Rare ones are generalised or replaced before artificial records are made.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import JointColumn, can_compare, number_patterns
from ppdm_desktop.engine.methods.algorithms.digits.scaled import MOST_DIGITS, style_of
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table, to_decimal
from ppdm_desktop.engine.table.generalised_texts import OTHER, code_length, mask_code_endings, replace_category_texts
from ppdm_desktop.engine.table.rules import ValueRule, kept_rules
from ppdm_desktop.engine.table.rules.base import ComputedRule
from ppdm_desktop.engine.table.rules.conditional import FilledRule, list_bound_texts, list_pattern_pairs
from ppdm_desktop.engine.table.rules.numbers import ListRule, SpikeRule
from ppdm_desktop.engine.table.rules.pairs import OrderRule, PairRule


def rare_categories(column: Column, needs: Ints) -> Bools:
    """Return which categories have fewer people than each of these people asks for as group size.

    Parameters
    ----------
    column
        A column with one row for each person; the result is bool, shape (categories,).
    needs
        The group size that each person asks for, shape (rows,).
    """
    return _are_rare(column.categories, column, needs)


def find_common_texts(table: Table, names: Sequence[str], needs: Ints) -> dict[str, dict[str, str]]:
    """Return by column the text that replaces each category, so that no text is rare where this is possible.

    Rare means that fewer people have a text than the smallest group size these people ask for. In an ordered column a
    rare category becomes the nearest common one, if there is one; in a nominal one, the narrowest generalised value
    that is not rare, by the column's hierarchy or, for a code, by its first characters. Those that are still rare share
    one text or, if that is rare, become the most frequent common category.

    Common categories are mapped to themselves. Columns without a rare category are not in the result.

    Parameters
    ----------
    table, names
        The table, and the names of its columns; only nominal and ordered columns with rare categories are treated.
    needs
        The group size that each person asks for, shape (rows,).
    """
    columns = [column for column in map(table.column, names) if column.kind in ("nominal", "ordinal")]
    return {
        column.name: dict(zip(column.categories, _choose_common_texts(column, needs), strict=True))
        for column in columns
        if rare_categories(column, needs).any()
    }


def replace_categories(table: Table, replaced: Mapping[str, Mapping[str, str]]) -> Table:
    """Return the table with texts replaced; ``replaced`` has the new text by column name and old text.

    Texts that are not in ``replaced`` stay, and so do missing cells. The order of an ordinal column becomes that of the
    new texts in ``replaced``, followed by the texts that stay; any other column in ``replaced`` becomes nominal. These
    columns lose their hierarchy.
    """
    columns = []
    for name, texts in replaced.items():
        column = table.column(name)
        written = tuple(texts.get(text, text) for text in column.categories)
        # Of a category that is in no row any more the place in the order is known all the same.
        order = tuple(dict.fromkeys([*texts.values(), *written])) if column.kind == "ordinal" else None
        columns.append(replace_category_texts(column, written, order))
    return table.replacing(*columns)


def _are_rare(texts: Sequence[str], column: Column, needs: Ints) -> Bools:
    """Return which categories would be rare if category c were written as ``texts[c]``, bool, shape (categories,).

    A text is rare if fewer rows show it than the smallest group size that these rows ask for. A text that no row shows
    is not rare.
    """
    _, group = np.unique(np.array(texts, dtype=object).astype(str), return_inverse=True)
    group = group.reshape(-1)
    present = column.category_codes >= 0
    of_row = group[column.category_codes[present]]
    count = np.bincount(of_row, minlength=len(group))
    asked = np.full(len(group), np.iinfo(np.int64).max)
    np.minimum.at(asked, of_row, needs[present])
    return np.asarray(((count > 0) & (count < asked))[group])


def _choose_common_texts(column: Column, needs: Ints) -> list[str]:
    """Return the text that replaces each category, in the order of the categories; a common one is kept.

    A rare category of an ordered column gets the nearest common category if there is one, of two equally near the
    lower. Any other gets the narrowest broader text that is not rare, or else one text shared by all that are still
    rare or, if that is rare too, the most frequent common category.

    One text may remain rare where this cannot be avoided, such as where all categories together are too rare.
    """
    texts = list(column.categories)
    rare = _are_rare(texts, column, needs)
    for general_texts in _list_generalised_texts(column):
        for code in np.flatnonzero(rare).tolist():
            texts[code] = general_texts[code]
        rare = _are_rare(texts, column, needs)
    common = np.flatnonzero(~rare)
    if rare.any() and column.kind == "ordinal" and len(common):
        for code in np.flatnonzero(rare).tolist():
            texts[code] = texts[int(common[np.argmin(np.abs(common - code))])]
    elif rare.any():
        for code in np.flatnonzero(rare).tolist():
            texts[code] = OTHER
        if len(common) and _are_rare(texts, column, needs).any():
            frequent = texts[int(common[np.argmax(column.category_counts[common])])]
            texts = [frequent if text == OTHER else text for text in texts]
    return texts


def _list_generalised_texts(column: Column) -> list[tuple[str, ...]]:
    """Return the generalised texts of all categories, one tuple for each level of generalisation, narrowest first.

    Texts come from the column's hierarchy if it has all categories, else from the first characters of codes of equal
    length: "1234*" before "123**". Each tuple is in the order of the categories. The list is empty where neither
    exists, and for ordered categories.
    """
    if column.kind == "ordinal":
        return []
    tree, names = column.hierarchy, column.categories
    if tree is not None and all(name in tree.generalised for name in names):
        return [tuple(tree.at(name, level) for name in names) for level in range(1, tree.height + 1)]
    length = code_length(column)
    return [] if length is None else [mask_code_endings(column, kept) for kept in range(length - 1, 0, -1)]


_LEAST_ASSOCIATION = 0.3
"""Cramér's V from which on two nominal columns are exchanged together."""
_FAR = 5.0
"""Standard deviations below its expected count from which on a pair of values is avoided rather than rare."""
_LEAST_COMMON = {True: 0.5, False: 0.9}
"""Share of people whose combination must stay common to exchange columns together, by whether a rule binds them."""
_MOST_WITHOUT_BASE = 0.1
"""Share of people with a value, but none in the column before it, from which on it is drawn by itself."""
_SPARE_DIGITS = 1
"""Artificial numbers may be up to ten times as large as true ones."""


@dataclass(frozen=True, eq=False)
class Condensable:
    """A table that is ready to be grouped.

    Attributes
    ----------
    table
        The step's input, with rare values replaced and numbers rounded to the digits that can be written.
    sets
        Names of nominal columns whose values are permuted together as whole combinations; other nominal columns are
        permuted alone.
    spikes
        For numeric columns, the frequent values that are treated as categories (spikes).
    rules
        The rules that artificial values must keep; None where values are drawn exactly as in the paper, without rules.
    replaced
        For each column with rare categories, the text that replaces each category.
    rounded
        Columns whose numbers were rounded, and how many decimals they keep.
    decided
        Numeric or ordered columns that a nominal column determines, and their original kind; they are permuted with
        that column, as nominal ones.
    bases
        For columns drawn as another column plus a difference, the name of that other column.
    """

    table: Table
    sets: tuple[tuple[str, ...], ...]
    spikes: Mapping[str, tuple[float, ...]]
    rules: tuple[ValueRule, ...] | None
    replaced: Mapping[str, Mapping[str, str]]
    rounded: Mapping[str, int]
    decided: Mapping[str, str] = field(default_factory=dict)
    bases: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, table: Table, columns: Sequence[str], needs: Ints, *, by: str | None, together: bool, believable: bool
    ) -> Condensable:
        """Return a table prepared for grouping, with what was replaced and which rules its artificial values must keep.

        Without ``believable`` nothing is replaced, there are no rules, and nominal columns are permuted within groups
        one by one, or as one with ``together``. In any case numbers with more digits than can be written are rounded.

        Parameters
        ----------
        table, columns
            The step's input, and the names of its columns.
        needs
            The group size that each person asks for, shape (rows,).
        by
            The column whose classes are condensed separately, so that its values stay with their groups; None for none.
            Its rare categories are replaced, too, but it is in no set, and rules with it are left out.
        together
            Whether all nominal columns are permuted as one combination.
        believable
            Whether rare categories are replaced and rules are kept. Without ``together``, nominal columns that depend
            on each other are then permuted together, and their rare combinations replaced; a column whose value a
            nominal one determines can become nominal for this.
        """
        names = [name for name in columns if name != by]
        table, rounded = _round_to_writable(table, names)
        nominal = tuple(name for name in names if table.column(name).kind == "nominal")
        single_sets: tuple[tuple[str, ...], ...] = tuple((name,) for name in nominal)
        sets = ((nominal,) if nominal else ()) if together else single_sets
        if not believable:
            return cls(table, sets, {}, None, {}, rounded)
        least = int(needs.max(initial=1))
        rules = tuple(
            _drop_rare_values(rule, table, least) for rule in kept_rules(table) if set(rule.columns) <= set(names)
        )
        spikes: dict[str, tuple[float, ...]] = {}
        for rule in rules:
            if isinstance(rule, SpikeRule):
                spikes[rule.columns[0]] = (*spikes.get(rule.columns[0], ()), rule.value)
        replaced = find_common_texts(table, columns, needs)
        table = replace_categories(table, replaced)
        decided: dict[str, str] = {}
        if not together:
            table, sets, decided = _make_determined_nominal(table, nominal, rules, needs)
            table = _replace_rare_combinations(table, sets, needs, _find_bound_patterns(table, sets, spikes, rules))
        bases = _choose_bases(table, rules, spikes)
        return cls(table, sets, spikes, rules, replaced, rounded, decided, bases)


def _round_to_writable(table: Table, names: Sequence[str]) -> tuple[Table, dict[str, int]]:
    """Return the table with numbers rounded so that they can be written, and the decimals kept by column name.

    Only columns whose numbers would have too many digits after condensation are rounded and named.
    """
    columns, kept = [], {}
    for column in map(table.column, names):
        if column.kind != "numeric" or not style_of(column).decimals or not len(column.categories):
            continue
        style, value_texts = style_of(column), [text for text in column.texts if text not in column.missing_texts]
        whole = len(str(int(np.nanmax(np.abs(column.numbers)))))
        decimals = max(MOST_DIGITS - _SPARE_DIGITS - whole, 0)
        if style.decimals > decimals:
            rounded = NumberStyle.written(decimals, style.decimal)
            texts = {text: rounded.text(to_decimal(text, style.decimal)) for text in value_texts}
            written = list(dict.fromkeys(texts.get(text, text) for text in column.texts))
            code_of = {text: code for code, text in enumerate(written)}
            codes = np.array([code_of[texts.get(text, text)] for text in column.texts], dtype=np.int32)[column.codes]
            columns.append(replace(column, codes=codes, texts=tuple(written), style=rounded))
            kept[column.name] = decimals
    return table.replacing(*columns), kept


def _drop_rare_values(rule: ValueRule, table: Table, least: int) -> ValueRule:
    """Return a rule that lists allowed values without those that fewer than ``least`` rows have.

    The rule is returned unchanged if no value would be left, and if it is a different kind of rule.
    """
    if not isinstance(rule, ListRule):
        return rule
    values, counts = table.column(rule.columns[0]).counted_numbers()
    common = set(values[counts >= least].tolist()).intersection(rule.values)
    return replace(rule, values=tuple(sorted(common))) if common else rule


def _choose_bases(table: Table, rules: Sequence[ValueRule], spikes: Mapping[str, Sequence[float]]) -> dict[str, str]:
    """Return the columns to be drawn as another column plus a difference, each with that column's name.

    The other column is one that a rule of order puts before it; of several, the one whose difference varies least. Left
    out are columns that would depend on themselves, columns that are worked out from others, first columns with spikes
    (frequent values treated as categories), pairs of days with months or years, and orders in which the first column
    lacks a value in more than a tenth of the rows where the second has one.
    """
    barred = {rule.columns[-1] for rule in rules if isinstance(rule, ComputedRule)}
    differences = []
    for rule in rules:
        if isinstance(rule, OrderRule) and barred.isdisjoint(rule.columns) and rule.columns[0] not in spikes:
            base, column = map(table.column, rule.columns)
            missing = np.count_nonzero(base.missing & ~column.missing)
            if can_compare(base, column) and missing <= _MOST_WITHOUT_BASE * np.count_nonzero(~column.missing):
                spread = JointColumn.of(column, spikes.get(column.name, ()), base).scale
                differences.append((spread, base.name, column.name))
    bases: dict[str, str] = {}
    for _, base_name, name in sorted(differences):
        before = base_name
        while before in bases and before != name:
            before = bases[before]
        if before != name:
            bases.setdefault(name, base_name)
    return bases


def _make_determined_nominal(
    table: Table, nominal: Sequence[str], rules: Sequence[ValueRule], needs: Ints
) -> tuple[Table, tuple[tuple[str, ...], ...], dict[str, str]]:
    """Return the table with columns determined by nominal ones made nominal, sets of columns, and the old kinds.

    A pair rule says which column determines which. Ordered columns that a number determines, or on which limits or gaps
    of another column depend, become nominal, too. The sets are names of columns to be permuted together, and hold all
    nominal columns. A column that a nominal one determines keeps its kind where its combinations with it are too rare.
    The old kinds, by name, are those of the columns that were changed.
    """
    deciding = {
        rule.columns[1]: rule.columns[0]
        for rule in rules
        if isinstance(rule, PairRule) and rule.decides and rule.columns[0] in nominal and rule.columns[1] not in nominal
    }
    # The number is drawn for the text, not the text by a rank.
    ordered = [name for name in list_bound_texts(rules) if table.column(name).kind == "ordinal"]
    changed = dict.fromkeys((*deciding, *ordered))
    nominal_table = table.replacing(*(replace(table.column(name), kind="nominal") for name in changed))
    sets = dependent_sets(nominal_table, (*nominal, *changed), rules, needs)
    joined = {name for names in sets for name in names if deciding.get(name) in names} | {*ordered}
    sets = tuple(left for names in sets if (left := tuple(name for name in names if name in joined.union(nominal))))
    kinds = {name: table.column(name).kind for name in table.names if name in joined}
    return table.replacing(*(nominal_table.column(name) for name in kinds)), sets, kinds


def dependent_sets(
    table: Table, names: Sequence[str], rules: Sequence[ValueRule], needs: Ints
) -> tuple[tuple[str, ...], ...]:
    """Return sets of nominal columns that depend on each other, in the order of the columns.

    Pairs bound by a rule are joined first, then those with the closest association. Two sets are joined if at least
    half of the records (90 % for a pair without a rule) have a common combination of all their columns: one that at
    least as many people share as the smallest group size that these people ask for (``needs``, at least one). Missing
    counts as a value. A column that depends on no other is a set of its own.
    """
    codes = {name: table.column(name).category_codes.astype(np.int64) + 1 for name in names}
    set_of: dict[str, tuple[str, ...]] = {name: (name,) for name in names}
    for is_rule, first, second in _sort_pairs_by_strength(names, rules, codes, int(needs.min())):
        merged = tuple(name for name in names if name in set_of[first] or name in set_of[second])
        if set_of[first] != set_of[second]:
            combination = _number_combinations([codes[name] for name in merged])
            if 1 - _find_rare_rows(combination, needs).mean() >= _LEAST_COMMON[is_rule]:
                set_of.update(dict.fromkeys(merged, merged))
    return tuple(dict.fromkeys(set_of.values()))


def _sort_pairs_by_strength(
    names: Sequence[str], rules: Sequence[ValueRule], codes: Mapping[str, Ints], least: int
) -> list[tuple[bool, str, str]]:
    """Return the pairs of columns that may belong together, strongest first, as (bound by a rule, first, second).

    Pairs bound by a rule come first, beginning with those in which one column determines the other. The others are
    sorted by Cramér's V. They are included if it is at least 0.3, or if two values occur together far less often than
    by chance, in fewer than ``least`` rows. ``codes`` holds each column's codes from 0.
    """
    bound = {frozenset(rule.columns): False for rule in rules if isinstance(rule, FilledRule)}
    bound |= {frozenset(rule.columns): rule.decides for rule in rules if isinstance(rule, PairRule)}
    pairs = []
    for first, second in combinations(names, 2):
        strength, avoid = _measure_association(codes[first], codes[second], least)
        pair = frozenset((first, second))
        if pair in bound or avoid or strength >= _LEAST_ASSOCIATION:
            pairs.append((pair in bound, bound.get(pair, False), strength, first, second))
    pairs.sort(key=lambda pair: (-pair[0], -pair[1], -pair[2]))
    return [(is_rule, first, second) for is_rule, _, _, first, second in pairs]


def _measure_association(first: Ints, second: Ints, least: int) -> tuple[float, bool]:
    """Return Cramér's V of two columns, corrected for chance, and whether two of their values avoid each other.

    Two values avoid each other if they occur together in fewer than ``least`` rows, although at least so many would by
    chance, and in at least five standard deviations fewer. Codes start at 0 and there is no missing value. The result
    is 0 and False where a column has a single value, or where there are more than four possible pairs of values for
    each row.
    """
    height, width = int(first.max(initial=0)) + 1, int(second.max(initial=0)) + 1
    rows = len(first)
    if height * width > max(rows, 1) * 4:  # nearly every pair would be seen once
        return 0.0, False
    counts = np.bincount(first * width + second, minlength=height * width).reshape(height, width)
    expected = np.outer(counts.sum(axis=1), counts.sum(axis=0)) / max(rows, 1)
    there = expected > 0
    chi2 = float((((counts - expected) ** 2)[there] / expected[there]).sum())
    free = (np.count_nonzero(counts.sum(axis=1)) - 1) * (np.count_nonzero(counts.sum(axis=0)) - 1)
    smaller = min(np.count_nonzero(counts.sum(axis=1)), np.count_nonzero(counts.sum(axis=0))) - 1
    avoid = (counts < least) & (expected >= least) & (expected - counts > _FAR * np.sqrt(expected))
    return float(np.sqrt(max(chi2 - free, 0.0) / (rows * smaller))) if smaller > 0 else 0.0, bool(avoid.any())


def _number_combinations(codes: Sequence[Ints]) -> Ints:
    """Return a number for each row, from 0, that is equal for equal combinations.

    ``codes`` has one array for each column, with the code of each row.
    """
    return classes_of_codes(codes, len(codes[0])).ids


def _find_rare_rows(combination: Ints, needs: Ints) -> Bools:
    """Return which rows have a rare combination, bool, shape (rows,).

    A combination is rare if fewer rows have it than the smallest group size that these rows ask for. ``combination``
    is the number of each row's combination, from 0.
    """
    count = np.bincount(combination)
    asked = np.full(len(count), np.iinfo(np.int64).max)
    np.minimum.at(asked, combination, needs)
    return np.asarray((count < asked)[combination])


def _find_bound_patterns(
    table: Table, sets: Sequence[Sequence[str]], spikes: Mapping[str, Sequence[float]], rules: Sequence[ValueRule]
) -> list[Ints]:
    """Return for each set of columns a number for each row, which is equal where gaps and spikes are equal.

    These are the gaps and spikes (frequent values treated as categories) of columns outside the set, as far as a rule
    binds a column of the set to them.
    """
    bound = list_pattern_pairs(rules)
    patterns = []
    for names in sets:
        others = {name for pair in bound if set(pair) & set(names) for name in pair if name not in names}
        columns = [table.column(name) for name in sorted(others)]
        drawn = [column for column in columns if column.kind != "nominal"]
        known = [
            ~np.isin(column.numbers, spikes[column.name]) if column.name in spikes else ~column.missing
            for column in drawn
        ]
        codes = [number_patterns(*pair) + 2 for pair in zip(drawn, known, strict=True)]
        patterns.append(classes_of_codes(codes, table.rows).ids)
    return patterns


def _replace_rare_combinations(
    table: Table, sets: Sequence[Sequence[str]], needs: Ints, patterns: Sequence[Ints]
) -> Table:
    """Return the table with each rare combination of a set of columns replaced by the most similar common one.

    A combination is rare if fewer people have it together with the same number in the set's ``patterns`` than the
    smallest group size that these people ask for. A set in which no combination or every combination is rare is
    unchanged. Of the common ones only those are taken that people with the same number have, if there are any.
    """
    columns: list[Column] = []
    for names, pattern in zip(sets, patterns, strict=True):
        codes = np.column_stack([table.column(name).category_codes for name in names])
        combination = _number_combinations([column.astype(np.int64) + 1 for column in codes.T])
        rare = _find_rare_rows(_number_combinations([combination, pattern]), needs)
        if not rare.any() or rare.all():
            continue
        source = np.arange(table.rows)
        for number in np.unique(pattern[rare]).tolist():
            replaced = rare & (pattern == number)
            usable = ~rare & (pattern == number)
            usable = usable if usable.any() else ~rare
            _, first_rows, counts = np.unique(combination[usable], return_index=True, return_counts=True)
            examples = np.flatnonzero(usable)[first_rows]
            _, rows, of_row = np.unique(combination[replaced], return_index=True, return_inverse=True)
            nearest = nearest_combinations(codes[replaced][rows], codes[examples], counts)
            source[replaced] = examples[nearest[of_row.reshape(-1)]]
        columns += [table.column(name).take(source) for name in names]
    return table.replacing(*columns)


def nearest_combinations(wanted: AnyInts, codes: AnyInts, counts: AnyInts) -> Ints:
    """Return for each wanted combination the index of the known combination that is most similar.

    Similarity is summed over the columns in which both have the same value; a value that 1 in 8 people has adds log 8,
    a value that everybody has adds 0. Of equally similar ones the most frequent is returned, and of equally frequent
    ones the first. There has to be a known combination.

    Parameters
    ----------
    wanted, codes
        Codes of the wanted and of the known combinations, each of shape (combinations, columns).
    counts
        Number of people who have each known combination.
    """
    order = np.argsort(-counts, kind="stable")
    worth = np.empty(codes.shape)
    for at, column in enumerate(codes.T):
        _, value = np.unique(column, return_inverse=True)
        worth[:, at] = np.log(counts.sum() / np.bincount(value, counts)[value])
    codes, worth = codes[order], worth[order]
    nearest = np.array([((codes == row) * worth).sum(axis=1).argmax() for row in wanted], dtype=np.int64)
    return order[nearest]
