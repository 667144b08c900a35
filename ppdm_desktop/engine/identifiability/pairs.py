"""How many people each pair of quasi-identifiers singles out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes, people_in
from ppdm_desktop.engine.identifiability.matching import wildcard_matches
from ppdm_desktop.engine.identifiability.risk import OWN_VALUE, Distinct, missing_matches
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People

_DOING = "doing.pairs"


@dataclass(frozen=True, eq=False)
class Pairs:
    """How many people are unique by each pair of columns.

    Attributes
    ----------
    scope
        The quasi-identifiers.
    alone
        int64, shape (n, n), symmetric: people who are the only one with their values in these
        two columns; on the diagonal those alone by the one column.
    """

    scope: tuple[str, ...]
    alone: Ints

    def strongest(self) -> tuple[int, int] | None:
        """Return the indexes of the two columns that single out most people, the higher first; None without any."""
        low = np.tril_indices(len(self.scope), -1)
        if not len(low[0]):
            return None
        best = int(np.argmax(self.alone[low]))
        return int(low[0][best]), int(low[1][best])


def alone_by_pairs(
    quasi: Sequence[Column], rows: int, missing_rule: str = OWN_VALUE, people: People | None = None
) -> Pairs:
    """Return for each pair of quasi-identifiers how many people are unique by this pair alone.

    Parameters
    ----------
    quasi
        The columns an intruder is taken to know.
    rows
        Number of records.
    missing_rule
        Whether a missing value is a value of its own or matches anything.
    people
        Whose record each is; None where each is another person's.
    """
    wild = missing_matches(quasi, missing_rule)
    distinct = None if wild else Distinct.of(quasi, rows, people)
    unique_people = np.zeros((len(quasi), len(quasi)), dtype=np.int64)
    done, all_of_them = 0, max(len(quasi) * (len(quasi) + 1) // 2, 1)
    for first in range(len(quasi)):
        for second in range(first + 1):
            progress.report(done / all_of_them, _DOING)
            places = [first] if first == second else [first, second]
            if distinct is not None:
                alone = distinct.count_alone(places)
            else:
                lonely = alone_by([quasi[index] for index in places], rows, missing_rule, people)
                alone = len(lonely if people is None else np.unique(people.of_row[lonely]))
            unique_people[first, second] = unique_people[second, first] = alone
            done += 1
    progress.report(1.0, _DOING)
    return Pairs(tuple(column.name for column in quasi), unique_people)


def alone_by(columns: Sequence[Column], rows: int, missing_rule: str = OWN_VALUE, people: People | None = None) -> Ints:
    """Return the rows, in table order, that match nobody else in the given columns; a person may have several."""
    codes = [column.category_codes for column in columns]
    if missing_matches(columns, missing_rule):
        matches = wildcard_matches(codes, [], rows, people).people
    else:
        classes = classes_of_codes(codes, rows)
        matches = people_in(classes, people)[classes.ids]
    return np.flatnonzero(matches == 1).astype(np.int64)
