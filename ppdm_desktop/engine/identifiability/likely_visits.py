"""Finding signs that rows are repeated visits of few people although no column says whose row each is.

Without repeated visits, group sizes of equal quasi-identifiers differ by chance. Where each person has twelve rows,
every group has a multiple of twelve rows, and they agree in further columns.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.classes import Classes, quasi_identifier_classes
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.likeness import (
    FEWEST_AGREEING,
    HIGH_LIKENESS,
    LEAST_PAIRS,
    Coded,
    Compared,
    find_person_columns,
    may_be_people,
    measure_agreement,
    select_comparable_columns,
)

FEWEST_CLASSES = 20
REGULAR = 0.95
"""Share of the groups from which on their sizes count as multiples of one number."""
SURE = 1e-6
_LEAST_EXPECTED = 5.0


@dataclass(frozen=True)
class LikelyVisits:
    """Evidence that rows are repeated visits of few people; evidence that is absent is 0, False or empty.

    Attributes
    ----------
    classes
        Number of groups of rows with equal quasi-identifiers.
    size
        The largest number above 1 that divides the number of rows of at least 95 % of the groups.
    regular
        How many groups it divides.
    even
        Whether the sizes of the groups differ less than those of people drawn at random.
    agreeing
        Columns in which the rows of a group agree, although no single quasi-identifier determines them.
    """

    classes: int
    size: int
    regular: int
    even: bool
    agreeing: tuple[str, ...]


def likely_visits(table: Table) -> LikelyVisits | None:
    """Return the evidence that rows are repeated visits of few people; None where there is none.

    Evidence is that the sizes of groups (rows with equal quasi-identifiers) have a common divisor, that they differ
    less than chance allows, or that the rows of a group agree in further columns. None too where there are fewer than
    20 different combinations of quasi-identifiers.

    Parameters
    ----------
    table
        The source as read, with roles.
    """
    quasi = [Coded.of(column) for column in table.with_role("quasi-identifier")]
    classes = quasi_identifier_classes(table)
    if classes.count < FEWEST_CLASSES:
        return None
    size, regular = _find_common_divisor(classes.sizes)
    agreeing = _find_agreeing_columns(table, quasi, classes)
    visits = LikelyVisits(classes.count, size, regular, _is_even(quasi, classes), agreeing)
    return visits if visits.size or visits.even or visits.agreeing else None


def _find_common_divisor(sizes: Ints) -> tuple[int, int]:
    """Return the largest number above 1 that divides at least 95 % of the sizes, and how many it divides; else (0, 0).

    Sizes 4, 8 and 12 give (4, 3).
    """
    counts = np.bincount(sizes)
    for size in range(len(counts) - 1, 1, -1):
        regular = int(counts[size::size].sum())
        if regular >= REGULAR * len(sizes):
            return size, regular
    return 0, 0


def _is_even(quasi: Sequence[Coded], classes: Classes) -> bool:
    """Return whether group sizes differ less than chance allows, by the left tail of a chi-squared test.

    Two expectations are tried: equal sizes, and the product of each column's shares. One must have a probability below
    1e-6. False where groups have fewer than 5 rows on average, or the tests fewer than 19 degrees of freedom.
    """
    from scipy.special import chdtr  # late: SciPy takes longer to load than most commands to run

    rows = len(classes.ids)
    equal = np.full(classes.count, rows / classes.count)
    if equal[0] < _LEAST_EXPECTED:
        return False
    by_column, freedom = np.full(classes.count, float(rows)), classes.count - 1
    for column in quasi:
        shares = np.append(column.counts, rows - column.filled) / rows
        by_column *= shares[column.codes[classes.first]]
        freedom -= int(np.count_nonzero(shares)) - 1
    freedom -= int(np.count_nonzero(by_column < _LEAST_EXPECTED))
    for expected, degrees in ((equal, classes.count - 1), (by_column, freedom)):
        statistic = ((classes.sizes - expected) ** 2 / expected).sum() + max(rows - expected.sum(), 0.0)
        if degrees >= FEWEST_CLASSES - 1 and chdtr(degrees, statistic) < SURE:
            return True
    return False


def _find_agreeing_columns(table: Table, quasi: Sequence[Coded], classes: Classes) -> tuple[str, ...]:
    """Return the columns in which rows with equal quasi-identifiers agree as rows of one person do, in table order.

    They agree if their likeness (see `Agreement`) is at least 0.9; quasi-identifiers themselves are not among them.
    Columns that a single quasi-identifier determines (as a town its county) are left out. Empty where fewer than two
    are left, or the groups are too few or too large to be people.
    """
    together = Coded("", classes.ids, classes.sizes)
    if not may_be_people(together):
        return ()
    names = {column.name for column in quasi}
    compared = select_comparable_columns([Coded.of(column) for column in table.columns if column.name not in names])
    # So many pairs have to differ by chance: agreement in a column of one common value says nothing.
    kept = [
        (column, chance)
        for column, chance in zip(compared.columns, compared.chances, strict=True)
        if together.pairs * (1 - chance) >= LEAST_PAIRS
    ]
    compared = Compared([column for column, _ in kept], [chance for _, chance in kept])
    agreeing = {agreement.column for agreement in find_person_columns(measure_agreement(together, compared))}
    if agreeing:
        # A town determines its county. One row of each group, so that no person is compared with themselves.
        people = table.take(classes.first)
        compared = select_comparable_columns([Coded.of(people.column(name)) for name in agreeing])
        for name in names:
            agreements = measure_agreement(Coded.of(people.column(name)), compared)
            agreeing -= {agreement.column for agreement in agreements if agreement.likeness >= HIGH_LIKENESS}
    return tuple(name for name in table.names if name in agreeing) if len(agreeing) >= FEWEST_AGREEING else ()
