"""Identifiability and risk of a table: who sticks out, and how likely an intruder is right.

Identifiable records are Li & Sarkar's (2004, definitions 1 and 2); prosecutor and marketer
risk are counted from the sizes of equivalence classes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    classes_among,
    equivalence_classes,
    fewest_distinct,
    lowest_and_highest,
)
from ppdm_desktop.engine.identifiability.matching import wildcard_matches
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.table.column import Column, Table

OWN_VALUE, MATCHES_ANYTHING = "own-value", "matches-anything"


@dataclass(frozen=True)
class Counts:
    """How many records are identifiable.

    Attributes
    ----------
    uniquely
        Alone in their class, with a confidential value.
    collectively, groups
        In a class of two or more with one single value, none missing; and those classes.
    unidentifiable
        The rest.
    no_value
        Records whose confidential value is missing (they are among the rest).
    """

    uniquely: int
    collectively: int
    groups: int
    unidentifiable: int
    no_value: int

    @property
    def identifiable(self) -> int:
        """Records whose confidential value their class gives away."""
        return self.uniquely + self.collectively


@dataclass(frozen=True, eq=False)
class RiskFigures:
    """All figures of one table for one set of columns.

    Attributes
    ----------
    scope
        The columns an intruder is taken to know.
    missing_rule
        ``own-value`` or ``matches-anything``.
    classes
        Classes of equal values in the scope (missing a value of its own).
    matches
        int64, shape (records,): records each record cannot be told from. The size of its
        class, or more where a missing value matches anything.
    unique, collective
        bool, shape (records,): identifiable in at least one confidential column.
    overall
        Counts over all confidential columns; without any, ``uniquely`` counts records alone
        in their class and the rest is None.
    per_confidential
        Counts for each confidential column.
    distinct_l
        Fewest distinct confidential values in any class, for each confidential column.
    """

    scope: tuple[str, ...]
    missing_rule: str
    classes: Classes
    matches: Ints
    unique: Bools
    collective: Bools
    overall: Counts | None
    per_confidential: dict[str, Counts]
    distinct_l: dict[str, int]

    @property
    def records(self) -> int:
        """Number of records."""
        return len(self.matches)

    @property
    def k(self) -> int:
        """Fewest records that any record cannot be told from."""
        return int(self.matches.min()) if self.records else 0

    @property
    def alone(self) -> int:
        """Records that match no other."""
        return int((self.matches == 1).sum())

    @property
    def prosecutor_max(self) -> float:
        """Chance of finding the most exposed person by someone who knows they are in the file."""
        return 1.0 / self.k if self.k else 0.0

    @property
    def prosecutor_mean(self) -> float:
        """The same chance, averaged over the records."""
        return float((1.0 / self.matches).mean()) if self.records else 0.0

    @property
    def marketer(self) -> float:
        """Expected share re-identified by someone who links everybody (no population table)."""
        return self.prosecutor_mean

    def share_over(self, least_class: int) -> float:
        """Return the share of records in classes smaller than ``least_class``."""
        return float((self.matches < least_class).mean()) if self.records else 0.0

    def class_sizes(self) -> list[tuple[int, int, int]]:
        """Return (size, classes of that size, records in them), smallest size first."""
        sizes, classes = np.unique(self.classes.sizes, return_counts=True)
        return [(int(size), int(count), int(size * count)) for size, count in zip(sizes, classes, strict=True)]


def _ranges(classes: Classes, codes: AnyInts) -> tuple[Ints, Ints]:
    lowest, highest = lowest_and_highest(classes, codes)
    return lowest[classes.ids], highest[classes.ids]


def risk_figures(
    quasi: Sequence[Column],
    confidential: Sequence[Column],
    rows: int,
    missing_rule: str = OWN_VALUE,
    progress: Progress | None = None,
) -> RiskFigures:
    """Count identifiable records and risk.

    Parameters
    ----------
    quasi
        The columns an intruder is taken to know.
    confidential
        The columns they want to learn; may be empty.
    rows
        Number of records.
    missing_rule
        Whether a missing quasi-identifier is a value of its own or matches anything.
    progress
        Checked between the columns.
    """
    progress = progress or silent()
    for column in (*quasi, *confidential):
        _ = column.categorised(progress).category_codes
    classes = equivalence_classes(quasi, rows)
    codes = [column.category_codes for column in confidential]
    progress.check()
    if missing_rule == MATCHES_ANYTHING and any(column.missing.any() for column in quasi):
        found = wildcard_matches([column.category_codes for column in quasi], codes, rows)
        matches = found.counts
        ranges = list(zip(found.lowest, found.highest, strict=True))
    else:
        matches = classes.size_of_record
        ranges = []
        for each in codes:
            progress.check()
            ranges.append(_ranges(classes, each))
    alone = matches == 1
    unique_any = np.zeros(rows, dtype=np.bool_)
    collective_any = np.zeros(rows, dtype=np.bool_)
    per_confidential = {}
    for column, values, (lowest, highest) in zip(confidential, codes, ranges, strict=True):
        known = (lowest == highest) & (lowest >= 0)
        per_confidential[column.name] = _counts(classes, known & alone, known & ~alone, values < 0)
        unique_any |= known & alone
        collective_any |= known & ~alone
        progress.check()
    no_value = np.logical_and.reduce([values < 0 for values in codes]) if codes else np.zeros(rows, np.bool_)
    overall = _counts(classes, unique_any, collective_any, no_value) if codes else None
    distinct_l = {}
    for column, values in zip(confidential, codes, strict=True):
        progress.check()
        distinct_l[column.name] = fewest_distinct(classes, values)
    return RiskFigures(
        scope=tuple(column.name for column in quasi),
        missing_rule=missing_rule,
        classes=classes,
        matches=matches,
        unique=unique_any if codes else alone,
        collective=collective_any,
        overall=overall,
        per_confidential=per_confidential,
        distinct_l=distinct_l,
    )


def _counts(classes: Classes, unique: Bools, collective: Bools, no_value: Bools) -> Counts:
    uniquely, collectively = int(unique.sum()), int(collective.sum())
    return Counts(
        uniquely=uniquely,
        collectively=collectively,
        groups=classes_among(classes, collective),
        unidentifiable=len(unique) - uniquely - collectively,
        no_value=int(no_value.sum()),
    )


def table_risk(
    table: Table, missing_rule: str = OWN_VALUE, *, all_released: bool = False, progress: Progress | None = None
) -> RiskFigures:
    """Count the risk of a table by its roles.

    Parameters
    ----------
    table
        Columns with roles.
    missing_rule
        How a missing quasi-identifier is compared.
    all_released
        Take an intruder to know every released non-confidential column instead of only the
        quasi-identifiers.
    progress
        Checked between the columns.

    Raises
    ------
    RecipeError
        When no column is a quasi-identifier.
    """
    quasi = table.with_role("quasi-identifier", "other") if all_released else table.with_role("quasi-identifier")
    if not table.with_role("quasi-identifier"):
        raise RecipeError("error.risk.no-quasi-identifier")
    return risk_figures(quasi, table.with_role("confidential"), table.rows, missing_rule, progress)
