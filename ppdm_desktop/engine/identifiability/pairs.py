"""Which two columns together single people out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.identifiability.distinct import Distinct, missing_matches
from ppdm_desktop.engine.identifiability.matching import wildcard_matches
from ppdm_desktop.engine.identifiability.risk import OWN_VALUE
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.table.column import Column

_DOING = "doing.pairs"


@dataclass(frozen=True, eq=False)
class Pairs:
    """People alone by two columns.

    Attributes
    ----------
    scope
        The quasi-identifiers.
    alone
        int64, shape (n, n), symmetric: records that are the only one with their values in these
        two columns; on the diagonal those alone by the one column.
    """

    scope: tuple[str, ...]
    alone: Ints

    def strongest(self) -> tuple[int, int] | None:
        """Return the two columns (the later one first) that single out most people; None without two columns."""
        low = np.tril_indices(len(self.scope), -1)
        if not len(low[0]):
            return None
        best = int(np.argmax(self.alone[low]))
        return int(low[0][best]), int(low[1][best])


def alone_by_pairs(
    quasi: Sequence[Column], rows: int, missing_rule: str = OWN_VALUE, progress: Progress | None = None
) -> Pairs:
    """Count for every two quasi-identifiers the people who are alone by just these two.

    Parameters
    ----------
    quasi
        The columns an intruder is taken to know.
    rows
        Number of records.
    missing_rule
        Whether a missing value is a value of its own or matches anything.
    progress
        Reports pairs done; checked for cancellation.
    """
    watch = progress or silent()
    for column in quasi:
        column.categorised(watch)
    wild = missing_matches(quasi, missing_rule)
    distinct = None if wild else Distinct.of(quasi, rows)
    found = np.zeros((len(quasi), len(quasi)), dtype=np.int64)
    done, all_of_them = 0, max(len(quasi) * (len(quasi) + 1) // 2, 1)
    for one in range(len(quasi)):
        for other in range(one + 1):
            watch.report(done / all_of_them, _DOING)
            places = [one] if one == other else [one, other]
            if distinct is not None:
                alone = distinct.count_alone(places)
            else:
                alone = len(alone_by([quasi[place] for place in places], rows, missing_rule))
            found[one, other] = found[other, one] = alone
            done += 1
    watch.report(1.0, _DOING)
    return Pairs(tuple(column.name for column in quasi), found)


def alone_by(columns: Sequence[Column], rows: int, missing_rule: str = OWN_VALUE) -> Ints:
    """Return the records, in table order, that match nobody else in some columns."""
    codes = [column.category_codes for column in columns]
    if missing_matches(columns, missing_rule):
        matches = wildcard_matches(codes, [], rows).counts
    else:
        matches = classes_of_codes(codes, rows).size_of_record
    return np.flatnonzero(matches == 1).astype(np.int64)
