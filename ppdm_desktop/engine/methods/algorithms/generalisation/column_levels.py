"""The levels of broader values of a column, as recodings and as losses of detail."""

from __future__ import annotations

import math
from collections import Counter
from decimal import Decimal
from itertools import pairwise

import numpy as np

from ppdm_desktop.engine.methods.algorithms.digits.scaled import style_of
from ppdm_desktop.engine.methods.algorithms.generalisation import recoding
from ppdm_desktop.engine.methods.algorithms.generalisation.best_levels import ColumnLevels
from ppdm_desktop.engine.methods.algorithms.generalisation.recoding import Recoding
from ppdm_desktop.engine.table.column import MISSING, Column, to_exact_decimal
from ppdm_desktop.engine.wording.catalogue import lazy

_PROPOSED_RANGES, _PROPOSED_MONTHS = (20, 10, 5, 2), (1, 3, 12, 120)


def recodings_of(column: Column) -> list[Recoding]:
    """Return the recoding for each level of broader values, from level 0 (the column unchanged) to the broadest.

    Levels come from the column's hierarchy, or else are inferred from its kind. Without a hierarchy, there is only
    level 0 if the column has no values or no level can be inferred, as for words.
    """
    as_it_is = Recoding(tuple(column.categories), None, lazy("left as it is"))
    if column.hierarchy is not None:
        return [as_it_is, *(recoding.recode_by_level(column, level + 1) for level in range(column.hierarchy.height))]
    return [as_it_is, *(recode() for recode in recoding.inferred_levels(column))] if column.categories else [as_it_is]


def levels_of_column(column: Column, recodings: list[Recoding]) -> ColumnLevels:
    """Return, for each level of a column, the code and the loss of each category's text, for the search of levels.

    The loss of a cell goes from 0 (exact value) to 1 (any value): it is the number of possible values that the shown
    text stands for, less 1, divided by that of all possible values, less 1. A range of 5 of 21 possible ages loses 0.2.
    The possible values are those of the hierarchy file; without one, the numbers within declared bounds, or else the
    values of the column. Both arrays have shape (levels, categories + 1); the last entry is for a missing value, which
    has the code -1 and loses nothing. Texts are numbered from 0 at each level, in the order of the categories.

    Parameters
    ----------
    column
        The column.
    recodings
        Its recodings by level, from `recodings_of`.
    """
    codes = np.full((len(recodings), len(column.categories) + 1), MISSING, dtype=np.int64)
    losses = np.zeros(codes.shape)
    for level, rule in enumerate(recodings):
        code_of = {text: code for code, text in enumerate(dict.fromkeys(rule.texts))}
        codes[level, :-1] = [code_of[text] for text in rule.texts]
        leaves, all_leaves = _count_leaves(column, rule, level)
        if all_leaves > 1:
            losses[level, :-1] = np.maximum((np.array(leaves) - 1) / (all_leaves - 1), 0.0)
    return ColumnLevels(codes, losses)


def proposed_levels(column: Column) -> list[tuple[str, ...]]:
    """Return proposals for a hierarchy: for each level, finest first, the text of each category. Empty for words.

    Empty, too, for ordered categories and for columns without values.

    - Numbers: about 20, 10, 5 and 2 ranges, each made of whole ranges of the level before.
    - Dates: months, quarters, years and 10 years.
    - Codes of one length: one character less at each level.

    A level is left out if it has a single text, or as many texts as the level before. Exact values are no level here,
    and a hierarchy that the column has already is ignored.
    """
    if not column.categories:
        return []
    if column.kind == "date":
        rules = [recoding.recode_by_months(column, months) for months in _PROPOSED_MONTHS]
    elif column.kind == "numeric":
        rules = [
            recoding.recode_by_cuts(
                column, recoding.width_cuts(column, width, None), recoding.describe_range_width(width)
            )
            for width in _propose_widths(column)
        ]
    else:
        rules = [recode() for recode in recoding.inferred_levels(column)[:-1]]
    texts = [tuple(column.categories), *(rule.texts for rule in rules)]
    return [coarser for finer, coarser in pairwise(texts) if 1 < len(set(coarser)) < len(set(finer))]


def _propose_widths(column: Column) -> list[Decimal]:
    """Return rising widths that give about 20, 10, 5 and 2 ranges, each width a multiple of the one before.

    A width is 1, 2 or 5 times a power of ten of the column's steps; where 5 would follow 2, it is 10. Widths with which
    all values are in one range are left out. Whole numbers from 18 to 90 give 5, 10 and 20, those from 0 to 40 give 2,
    10 and 20.
    """
    widths: list[Decimal] = []
    for count in _PROPOSED_RANGES:
        width = recoding.nice_width(column, count)
        if widths and width % widths[-1]:  # 5 is no multiple of 2: the next one is
            width *= 2
        if recoding.width_cuts(column, width, None) and width not in widths:
            widths.append(width)
    return widths


def _count_leaves(column: Column, rule: Recoding, level: int) -> tuple[list[int], int]:
    """Return how many possible values the text of each category stands for at a level, and how many there are in all.

    Possible are the values of the column's hierarchy; without one, the numbers within its bounds, or else the different
    values in it. The first part is a list in the order of the categories. ``rule`` is the recoding at this level.
    """
    tree = column.hierarchy
    if tree is not None:
        counts = Counter(tree.at(value, level) for value in tree.generalised)
        return [counts[text] for text in rule.texts], len(tree.generalised)
    if column.kind == "numeric" and column.bounds is not None and column.categories:
        return _count_possible_numbers(column, level)
    counts = Counter(rule.texts)
    return [counts[text] for text in rule.texts], len(rule.texts)


def _count_possible_numbers(column: Column, level: int) -> tuple[list[int], int]:
    """Return how many possible numbers share the range of each category, and how many possible numbers there are.

    Possible are the numbers on the column's grid within its bounds. At level 0 each number is alone; above the last
    width, all are in one range. The column must have bounds.
    """
    assert column.bounds is not None
    step, (low, high) = style_of(column).step, map(to_exact_decimal, column.bounds)
    all_numbers = int((high - low) // step) + 1
    widths = recoding.nested_widths(column)
    if level == 0 or level > len(widths):
        return [1 if level == 0 else all_numbers] * len(column.categories), all_numbers
    cuts = [cut for cut in recoding.width_cuts(column, widths[level - 1], None) if low < cut <= high]
    starts = [0, *(math.ceil((cut - low) / step) for cut in cuts), all_numbers]
    values, _ = column.counted_numbers()
    index = np.searchsorted(np.array([float(cut) for cut in cuts]), values, side="right")
    return np.diff(starts)[index].tolist(), all_numbers
