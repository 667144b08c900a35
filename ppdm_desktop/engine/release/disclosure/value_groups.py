"""Groups of a confidential column's values that mean the same: spellings, codes, broader words, values of one class."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.attacks.doubt import MOST_ELSEWHERE, ONE_SECRET
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.tie_breaking import GRID

CHANCE = 1e-6
"""Probability below which so many in one class are no chance."""
CODES = 0.9
"""Share of the values that are letters followed by digits, from which on a common beginning is a meaning."""
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
    """Values put into groups.

    Attributes
    ----------
    codes
        int64, shape (values,): group of each value.
    names
        A text for each group.
    say_the_same
        Whether the texts of a group say the same in other words, and not only something in common.
    """

    codes: Ints
    names: tuple[str, ...]
    say_the_same: bool = False

    @property
    def sizes(self) -> Ints:
        """How many values each group has, shape (groups,)."""
        return np.bincount(self.codes, minlength=len(self.names)).astype(np.int64)

    @classmethod
    def by_key(cls, keys: Sequence[Any], names: Sequence[str], *, say_the_same: bool = False) -> ValueGroups | None:
        """Return groups of values with equal keys; None where nothing is put together, or everything."""
        numbers: dict[Any, int] = {}
        first: list[str] = []
        codes = np.zeros(len(names), dtype=np.int64)
        for place, (key, name) in enumerate(zip(keys, names, strict=True)):
            codes[place] = numbers.setdefault(key, len(numbers))
            if len(numbers) > len(first):
                first.append(key if isinstance(key, str) else name)
        return cls(codes, tuple(first), say_the_same) if 1 < len(numbers) < len(names) else None


def groups_of_words(column: Column, names: Sequence[str]) -> list[ValueGroups]:
    """Return the groups that the texts of a column's values make, and those of its declared hierarchy.

    Parameters
    ----------
    column
        The true values, with their kind and hierarchy.
    names
        The texts of the values to be grouped.
    """
    if column.kind not in ("nominal", "ordinal", "text") or column.labels_ordered:
        return []
    found = [_by_level(column, names, level) for level in range(1, column.hierarchy.height)] if column.hierarchy else []
    if column.kind != "ordinal":
        meanings = [meaning_of(text) for text in names]
        found += [ValueGroups.by_key(meanings, names, say_the_same=True), _by_prefix(names)]
    return [groups for groups in found if groups is not None]


def meaning_of(text: str) -> frozenset[str] | str:
    """Return a text's different words without case and punctuation, answers in English; the text without any."""
    spelt = _NEGATIVE.sub(" negative ", text.replace("+", " positive "))
    tokens = frozenset(_SAME_TOKEN.get(token, token) for token in _TOKEN.findall(spelt.casefold()))
    return tokens or text


def _by_level(column: Column, names: Sequence[str], level: int) -> ValueGroups | None:
    tree = column.hierarchy
    if tree is None or any(name not in tree.generalised for name in names):
        return None
    return ValueGroups.by_key([tree.at(name, level) for name in names], names)


def _by_prefix(names: Sequence[str]) -> ValueGroups | None:
    """Return codes by their common beginning, the shortest that tells some of them apart."""
    are_codes = [_CODE.fullmatch(text) is not None for text in names]
    if not names or sum(are_codes) < CODES * len(names):
        return None
    for length in range(SHORTEST_PREFIX, max(map(len, names))):
        if (groups := ValueGroups.by_key([text[:length] for text in names], names)) is not None:
            return groups
    return None


def groups_of_classes(codes: Ints, names: Sequence[str], ids: Ints, classes: int, k_min: int) -> ValueGroups | None:
    """Return as one group the values of a class of which nearly all holders are in it, where chance does not do that.

    Parameters
    ----------
    codes, names
        Value of each row, -1 where missing, and the values' texts.
    ids, classes
        Class of each row, and how many there are.
    k_min
        Smaller classes have no group.
    """
    rows = np.flatnonzero(codes >= 0)
    width = len(names)
    pairs, counts = np.unique(ids[rows] * width + codes[rows], return_counts=True)
    whose, value = np.divmod(pairs, width)
    inside = counts >= ONE_SECRET * np.bincount(codes[rows], minlength=width)[value] - GRID
    held = np.bincount(whose, counts * inside, classes).astype(np.float64)
    sizes = np.bincount(ids, minlength=classes).astype(np.float64)
    several = np.bincount(whose, inside, classes) > 1
    chosen = several & (sizes >= k_min) & (held >= ONE_SECRET * sizes - GRID) & (2 * sizes <= len(codes))
    chosen &= stands_out(held, sizes)
    put_together = chosen[whose] & inside
    if not put_together.any():
        return None
    group = np.arange(width, dtype=np.int64)
    for number in np.flatnonzero(chosen).tolist():
        members = value[put_together & (whose == number)]
        group[members] = members[0]
    return ValueGroups.by_key(group.tolist(), names)


def stands_out(held: Floats, sizes: Floats) -> Bools:
    """Say in which classes more people hold something than chance explains, and at most half of all others do.

    Parameters
    ----------
    held, sizes
        Holders and people of each class, shape (classes,).
    """
    from scipy.special import bdtrc

    others = max(float(sizes.sum()), 1.0) - sizes
    elsewhere = np.clip((held.sum() - held) / np.maximum(others, 1.0), 0.0, 1.0)
    likely = np.maximum(elsewhere, 1.0 / np.maximum(others, 2.0))
    chance = np.where(held > 0, bdtrc(held - 1, sizes.astype(np.int64), likely), 1.0)
    return np.asarray((elsewhere <= MOST_ELSEWHERE + GRID) & (chance * len(sizes) < CHANCE))
