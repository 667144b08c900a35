"""Groups of a confidential column's values with one meaning: spellings, codes, categories, values of one class."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, on_grid
from ppdm_desktop.engine.attacks.uncertainty import MOST_ELSEWHERE, ONE_SECRET
from ppdm_desktop.engine.table.column import Column

CHANCE = 1e-6
"""If so many in one class are less probable than this, it is not explained by chance."""
GROUP_CHANCE = 1e-3
"""The same for values that are put together, after multiplication by the number of possible groups."""
FEW_ELSEWHERE, FEW_ELSEWHERE_ON_A_SHORT_SCALE = 1 / 4, 1 / 3
"""Largest share of people outside a class who may have one of the values that are grouped because of that class."""
SHORT_SCALE = 12
"""Most values of a short scale: the top three of ten marks are a third of evenly spread people."""
MOST_GROUPINGS = 4
CODES = 0.9
"""If at least this share of the values are letters followed by digits, a common beginning is a meaning."""
SHORTEST_PREFIX = 3
_CODE = re.compile(r"[^\W\d_]{1,4}\d[\w.\-/]*")
_NEGATIVE = re.compile(r"\u2212|[-\u2013](?=\s*(?:$|[)\],;]))")
_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W_]+|[<>=\u2264\u2265]")
_SAME_WORDS = {
    "positive": "pos positiv positif positivo positiva positief dodatni dodatnia pozitif 陽性 阳性",
    "negative": "neg negativ négatif negatif negativo negativa negatief ujemny ujemna 陰性 阴性",
    "yes": "y ja oui sí sì sim tak evet ano はい 是",
    "no": "n nein non não nee nie nej hayır ne いいえ 否",
}
"""Answers in the languages of the role lists."""
_SAME_TOKEN = {token: word for word, tokens in _SAME_WORDS.items() for token in tokens.split()}


@dataclass(frozen=True, eq=False)
class ValueGroups:
    """A partition of a column's values into groups.

    Attributes
    ----------
    codes
        int64, shape (values,): group of each value.
    names
        A text for each group.
    same_meaning
        Whether the texts of a group are synonyms, and do not only have something in common.
    """

    codes: Ints
    names: tuple[str, ...]
    same_meaning: bool = False

    @property
    def sizes(self) -> Ints:
        """Number of values in each group, shape (groups,)."""
        return np.bincount(self.codes, minlength=len(self.names)).astype(np.int64)

    @classmethod
    def by_key(cls, keys: Sequence[Any], names: Sequence[str], *, same_meaning: bool = False) -> ValueGroups | None:
        """Return groups of values with equal keys; None if no values are joined, or all of them.

        ``keys`` has one entry for each name. Groups are in the order in which their keys first occur. A group is named
        by its key if that is a text, else by its first name: the keys 1, 1 and 2 of the names "a", "b" and "c" give the
        groups "a" (of a and b) and "c".
        """
        numbers: dict[Any, int] = {}
        first: list[str] = []
        codes = np.zeros(len(names), dtype=np.int64)
        for index, (key, name) in enumerate(zip(keys, names, strict=True)):
            codes[index] = numbers.setdefault(key, len(numbers))
            if len(numbers) > len(first):
                first.append(key if isinstance(key, str) else name)
        return cls(codes, tuple(first), same_meaning) if 1 < len(numbers) < len(names) else None


def list_value_groups(column: Column, names: Sequence[str]) -> list[ValueGroups]:
    """Return the groupings of a column's values by hierarchy, by meaning of the texts, and by common beginning.

    They are in this order, by hierarchy one for each level below the last; those that join no values, or all, are left
    out. An ordered column is grouped by its hierarchy only. Empty for numbers, dates and columns in bins.

    Parameters
    ----------
    column
        The true values, with their kind and hierarchy.
    names
        The texts of the values to be grouped.
    """
    if column.kind not in ("nominal", "ordinal", "text") or column.labels_ordered:
        return []
    ways = (
        [_group_by_level(column, names, level) for level in range(1, column.hierarchy.height)]
        if column.hierarchy
        else []
    )
    if column.kind != "ordinal":
        meanings = [meaning_of(text) for text in names]
        ways += [ValueGroups.by_key(meanings, names, same_meaning=True), _group_by_prefix(names)]
    return [groups for groups in ways if groups is not None]


def meaning_of(text: str) -> frozenset[str] | str:
    """Return the set of a text's words, without case and punctuation; the text itself if it has no words.

    "Yes", "no", "positive" and "negative" in many languages are put into English: "Neg." and "negativ" give
    the same set. "+" is read as positive, a minus sign, or a hyphen at the end or before a closing bracket, comma or
    semicolon, as negative. Numbers and the signs <, >, =, ≤ and ≥ count as words.
    """
    spelt = _NEGATIVE.sub(" negative ", text.replace("+", " positive "))
    tokens = frozenset(_SAME_TOKEN.get(token, token) for token in _TOKEN.findall(spelt.casefold()))
    return tokens or text


def _group_by_level(column: Column, names: Sequence[str], level: int) -> ValueGroups | None:
    """Return the groups of values at a level of the column's hierarchy (1 is the first above the values).

    A group has the level's text as its name. None without a hierarchy, if it does not cover all values, or if nothing
    or everything is joined.
    """
    tree = column.hierarchy
    if tree is None or any(name not in tree.generalised for name in names):
        return None
    return ValueGroups.by_key([tree.at(name, level) for name in names], names)


def _group_by_prefix(names: Sequence[str]) -> ValueGroups | None:
    """Return groups of codes by their common beginning, the shortest that gives more than one group; None without one.

    The beginning has at least three characters: "I21.4", "I21.9" and "I30.0" give the groups "I21" and "I30". Also None
    if fewer than 90 % of the texts are codes (one to four letters before digits), or if no two share a beginning. Texts
    that are no codes are grouped by their beginning, too.
    """
    are_codes = [_CODE.fullmatch(text) is not None for text in names]
    if not names or sum(are_codes) < CODES * len(names):
        return None
    for length in range(SHORTEST_PREFIX, max(map(len, names))):
        if (groups := ValueGroups.by_key([text[:length] for text in names], names)) is not None:
            return groups
    return None


def _choose_share_limits(width: int, *, is_ordered: bool) -> tuple[float, float]:
    """Return the largest shares of the people outside a class, and of all people, who may have a group's values.

    They are 1/4 and 1 for values without an order; on a scale of up to 12 values (``width``) 1/3 and 1, on a longer one
    1/4 and 1/4.
    """
    if not is_ordered:
        return FEW_ELSEWHERE, 1.0
    # On a long scale, the values of more people are no guess at anybody's.
    return (FEW_ELSEWHERE_ON_A_SHORT_SCALE, 1.0) if width <= SHORT_SCALE else (FEW_ELSEWHERE, FEW_ELSEWHERE)


def groups_of_classes(
    codes: Ints,
    names: Sequence[Any] | Floats,
    ids: Ints,
    classes: int,
    k_min: int,
    *,
    is_ordered: bool = False,
    is_exclusive: bool = False,
) -> list[ValueGroups]:
    """Return groupings of the values that at least 90 % of a class have and few others: at most 4, or none.

    Each grouping divides all values, so that a value in no such group is a group of its own. A group has at least two
    values. Each class gives at most one group, the one that fewest others have; the groups least explained by chance
    come first.

    - Without an order, any values may form a group, unless most classes have values of their own (as towns have
      streets).
    - In an ordered column only neighbouring values do, on a scale of more than 12 those of at most a quarter of all
      people.
    - At most a quarter of the others may have them (a third on a scale of up to 12 values).
    - Chance must not explain a group: its binomial probability, times the number of classes and of possible groups, is
      below 0.001.

    Parameters
    ----------
    codes, names
        Value of each row, -1 where missing, and the values, rising if they are ordered.
    ids, classes
        Class of each row, and the number of classes.
    k_min
        Smaller classes form no group, and neither does a class of more than half of the rows.
    is_ordered
        Whether the values are a scale.
    is_exclusive
        Whether nine in ten of those who have the values of a long scale must be in the class: a range in which a
        quarter of all people lie tells little about a person.
    """
    width, sizes = len(names), np.bincount(ids, minlength=classes).astype(np.float64)
    is_eligible = (sizes >= k_min) & (2 * sizes <= len(codes))
    rows = np.flatnonzero((codes >= 0) & is_eligible[ids])
    pairs, counts = np.unique(ids[rows] * width + codes[rows], return_counts=True)
    total = np.bincount(codes[codes >= 0], minlength=width)
    whose, value = np.divmod(pairs, width)
    if not is_ordered:
        order = np.lexsort((value, -on_grid(counts / total[value]), whose))
        value, counts = value[order], counts[order]
    # A group begins at one cell of its class, or at the class's first, and ends where enough people hold its values.
    first = np.arange(len(pairs)) if is_ordered else np.flatnonzero(np.diff(whose, prepend=-1))
    before = np.concatenate([[0], counts.cumsum()])
    last = np.searchsorted(before[1:], before[first] + ONE_SECRET * sizes[whose[first]] - GRID)
    is_whole = last < np.searchsorted(whose, whose[first], side="right")
    first, last = first[is_whole], last[is_whole]
    class_ids, inside = whose[first], before[last + 1] - before[first]
    up_to = np.concatenate([[0], (total if is_ordered else total[value]).cumsum()])
    start, end = (value[first], value[last]) if is_ordered else (first, last)
    holders, value_count = up_to[end + 1] - up_to[start], end - start + 1
    log_ways = math.log(width * (width + 1) / 2) if is_ordered else _compute_log_binomial(width, value_count)
    people_outside = len(codes) - sizes[class_ids]
    most_elsewhere, most_holders = _choose_share_limits(width, is_ordered=is_ordered)
    is_group = (value_count > 1) & (holders - inside <= most_elsewhere * people_outside + GRID)
    is_group &= holders <= most_holders * len(codes) + GRID
    if is_exclusive and is_ordered and width > SHORT_SCALE:
        is_group &= inside >= ONE_SECRET * holders - GRID
    log_chance = _log_binomial_tail(inside, sizes[class_ids], holders / len(codes)) + log_ways + math.log(classes)
    is_group &= log_chance < math.log(GROUP_CHANCE)
    groups = np.flatnonzero(is_group)
    groups = groups[np.lexsort((log_chance[groups], (holders - inside)[groups], class_ids[groups]))]
    groups = groups[np.diff(class_ids[groups], prepend=-1) > 0]  # of each class the one that fewest others hold
    if not is_ordered and 2 * len(groups) > np.count_nonzero(is_eligible):
        return []
    groups = groups[np.argsort(log_chance[groups], kind="stable")]
    spans = list(zip(first[groups].tolist(), last[groups].tolist(), strict=True))
    members = [np.arange(value[low], value[high] + 1) if is_ordered else value[low : high + 1] for low, high in spans]
    return _put_together(members, [str(name) for name in names] if members else [], is_ordered=is_ordered)


def rows_in_groups(codes: Ints, width: int, ids: Ints, classes: int, k_min: int, *, is_ordered: bool = False) -> Bools:
    """Return which rows are in a class of which at least 90 % have values of one group of `groups_of_classes`.

    Groups of one value do not count, and classes of fewer than ``k_min`` rows are False. Shape (rows,).

    Parameters
    ----------
    codes, width
        Value of each row, -1 where missing, and the number of values.
    ids, classes
        Class of each row, and the number of classes.
    k_min
        Smallest number of rows of a class.
    is_ordered
        Whether the values are a scale.
    """
    in_group, sizes = np.zeros(len(codes), dtype=np.bool_), np.bincount(ids, minlength=classes)
    for groups in groups_of_classes(codes, range(width), ids, classes, k_min, is_ordered=is_ordered):
        group = np.where(codes >= 0, groups.codes[codes], -1)
        for number in np.flatnonzero(groups.sizes > 1).tolist():
            inside = np.bincount(ids, group == number, classes)
            in_group |= ((sizes >= k_min) & (inside >= ONE_SECRET * sizes - GRID))[ids]
    return in_group


def _put_together(groups: Sequence[Ints], names: Sequence[str], *, is_ordered: bool) -> list[ValueGroups]:
    """Return divisions of all values into groups, at most 4, in which the given groups of value codes occur.

    Each group goes into the first division in which all its values are still alone, else into a new one; a group that
    fits into none of 4 is dropped. A value in no group is a group of its own, with its own name. Other groups are named
    by their first and last value if ordered ("a – c"), else by their first three ("a / b / c"). A division that joins
    no values, or all, is left out.
    """
    groupings: list[list[Any]] = []
    for members in groups:
        listed = [names[members[0]], names[members[-1]]] if is_ordered else [names[code] for code in members[:3]]
        text = (" \u2013 " if is_ordered else " / ").join(listed)
        free = [keys for keys in groupings if all(isinstance(keys[code], int) for code in members)]
        if not free and len(groupings) == MOST_GROUPINGS:
            continue
        if not free:
            groupings.append(list(range(len(names))))
        for code in members.tolist():
            (free or groupings[-1:])[0][code] = text
    by_grouping = [ValueGroups.by_key(keys, names) for keys in groupings]
    return [groups for groups in by_grouping if groups is not None]


def _compute_log_binomial(width: int, chosen: Ints) -> Floats:
    """Return the natural logarithm of the number of sets of ``chosen`` out of ``width`` values, elementwise."""
    from scipy.special import gammaln

    return np.asarray(gammaln(width + 1) - gammaln(chosen + 1) - gammaln(width - chosen + 1))


def _log_binomial_tail(holders: Ints, sizes: Floats, share: Floats) -> Floats:
    """Return the natural logarithm of the binomial probability that at least ``holders`` of ``sizes`` people have it.

    ``share`` is the probability of each, the share of all people who have it. One entry for each class; never below
    the logarithm of the smallest normal float.
    """
    from scipy.special import bdtrc

    return np.asarray(np.log(np.maximum(bdtrc(holders - 1, sizes.astype(np.int64), share), np.finfo(np.float64).tiny)))


def exceeds_chance(holders: Floats, sizes: Floats) -> Bools:
    """Return in which classes more people have something than chance explains, while at most half of all others do.

    Bool, shape (classes,). Chance explains it unless the binomial probability of so many people or more, times the
    number of classes, is below 1e-6. Each person's probability is the share of those outside the class who have it,
    counted as at least one of them.

    Parameters
    ----------
    holders, sizes
        People with it, and all people, of each class, shape (classes,).
    """
    from scipy.special import bdtrc

    rows_outside = max(float(sizes.sum()), 1.0) - sizes
    elsewhere = np.clip((holders.sum() - holders) / np.maximum(rows_outside, 1.0), 0.0, 1.0)
    likely = np.maximum(elsewhere, 1.0 / np.maximum(rows_outside, 2.0))
    chance = np.where(holders > 0, bdtrc(holders - 1, sizes.astype(np.int64), likely), 1.0)
    return np.asarray((elsewhere <= MOST_ELSEWHERE + GRID) & (chance * len(sizes) < CHANCE))
