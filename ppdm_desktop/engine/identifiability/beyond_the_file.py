"""Ranking people by how rare their values would be beyond the file, with a tree of the most dependent columns.

C. K. Chow, C. N. Liu, Approximating discrete probability distributions with dependence trees, IEEE Transactions on
Information Theory 14(3), 1968. The order of the scores is good; as probabilities they would be wrong, so only ranks are
to be shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes

TENTHS = 10


def compute_shared_information(first: Classes, second: Classes, both: Classes) -> float:
    """Return the mutual information of two columns in nats, less the amount expected by chance; it may be negative.

    The amount by chance is (classes by both - classes by first - classes by second + 1) / (2 rows) (Miller and Madow).

    Parameters
    ----------
    first, second
        The classes of rows with equal values in either column; at least one row.
    both
        The classes of rows with equal values in both columns.
    """
    rows = len(both.ids)

    def entropy(classes: Classes) -> float:
        """Return the entropy in nats of the shares of rows that the classes hold."""
        share = classes.sizes / rows
        return -float((share * np.log(share)).sum())

    by_chance = (both.count - first.count - second.count + 1) / (2 * rows)
    return entropy(first) + entropy(second) - entropy(both) - by_chance


def dependence_tree(columns: Sequence[Classes]) -> list[tuple[int, int | None]]:
    """Return each column with its parent in the dependence tree of Chow and Liu, parents first; the root has None.

    The result may be ``[(2, None), (0, 2), (1, 0)]``: columns are given by index. The tree has the largest total mutual
    information (`compute_shared_information`) of its pairs. The root is the column whose mutual information with each
    other column adds up to the most; of equal ones, the first. ``columns`` has, for each of at least one column, the
    classes of rows with equal values.
    """
    count, rows = len(columns), len(columns[0].ids)
    strength = np.zeros((count, count))
    for first, second in combinations(range(count), 2):
        progress.check()
        both = classes_of_codes([columns[first].ids, columns[second].ids], rows)
        strength[first, second] = strength[second, first] = compute_shared_information(
            columns[first], columns[second], both
        )
    root = int(strength.sum(axis=1).argmax())
    tree: list[tuple[int, int | None]] = [(root, None)]
    while len(tree) < count:
        inside = [column for column, _ in tree]
        outside = [column for column in range(count) if column not in inside]
        pairs = strength[np.ix_(inside, outside)]
        parent, child = divmod(int(pairs.argmax()), len(outside))
        tree.append((outside[child], inside[parent]))
    return tree


def compute_log_probability(codes: Sequence[AnyInts], rows: int) -> Floats:
    """Return for each row the log probability of its values, shape (rows,); the lower, the more it stands out.

    It is the sum over the columns of ln P(value | value of the parent) in the dependence tree. P is (a + k · s) /
    (b + k): of the other rows, b have the parent's value and a of these the value; s is the value's share of all rows,
    and k the number of different values that occur with the parent's value. So no probability is 0.

    Parameters
    ----------
    codes
        Codes of the quasi-identifiers, at least one, each of shape (rows,) and at least -1 (missing, a value of its
        own).
    rows
        Number of rows, at least one.
    """
    columns = [classes_of_codes([column], rows) for column in codes]
    everybody = Classes(np.zeros(rows, dtype=np.int64), 1)
    usual = np.zeros(rows)
    for column, parent in dependence_tree(columns):
        progress.check()
        child = columns[column]
        above = everybody if parent is None else columns[parent]
        both = classes_of_codes([child.ids, above.ids], rows)
        kinds = np.bincount(above.ids[both.first], minlength=above.count)[above.ids]
        # The row itself is left out of both counts, so that nobody is usual by being there.
        pair, parents = both.size_of_record - 1, above.size_of_record - 1
        usual += np.log((pair + kinds * child.size_of_record / rows) / (parents + kinds))
    return usual


def rank_in_tenths(usual: Floats, special: Ints, people: Ints) -> Ints:
    """Return the tenth to which each person belongs, 1 (stands out most) to 10 (least), in the order of ``people``.

    People are sorted by the lowest ``usual`` of the given row, then by its highest ``special``, then by its index;
    tenths are as equal as possible. Five people get the tenths 1, 3, 5, 7 and 9.

    Parameters
    ----------
    usual
        Result of ``compute_log_probability``, shape (rows,).
    special
        Score of each row by the smallest sets of columns that single it out, shape (rows,).
    people
        The index of one row of each person to be ranked.
    """
    order = np.lexsort((people, -special[people], usual[people]))
    tenth = np.empty(len(people), dtype=np.int64)
    tenth[order] = np.arange(len(people)) * TENTHS // max(len(people), 1) + 1
    return tenth
