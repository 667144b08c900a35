"""Singling out: people whom the release shows as one of a kind.

An intruder who knows a person's true values looks for released records that show just these. A
person is singled out where exactly one record does and it is theirs (or was made from their
group of one). A cell that hides its value may be anybody's: it stands in nobody's way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.progress import Progress, silent

HIDDEN = -2
"""Code of a released cell that hides its value: it shows every value."""
_MOST_PATTERNS = 256


@dataclass(frozen=True, eq=False)
class SingledOut:
    """What is found for each person, shape (people,) each.

    Attributes
    ----------
    alone
        1 where exactly one released record shows the person's values and it is their own.
    fooled
        1 where exactly one shows them and it is another person's: the intruder would be wrong.
    """

    alone: Floats
    fooled: Floats


def singled_out(true: Sequence[Ints], shown: Sequence[Ints], own: Ints, progress: Progress | None = None) -> SingledOut:
    """Look for every person.

    Parameters
    ----------
    true
        Codes of the known columns, true values, shape (people,) each, -1 where missing.
    shown
        The same columns as released, shape (records,) each; equal codes are equal values, ``HIDDEN`` is every value.
    own
        int64, shape (people,): released record that is the person's own, -1 where there is none.
    progress
        Checked between the steps.
    """
    progress = progress or silent()
    people = len(own)
    found, mine = np.zeros(people, dtype=np.int64), np.zeros(people, dtype=np.bool_)
    for columns, records in _by_pattern(shown):
        progress.check()
        if not columns:
            found += len(records)
            mine |= np.isin(own, records)
            continue
        together = [np.concatenate([true[each], shown[each][records]]) for each in columns]
        ids = classes_of_codes(together, people + len(records), progress).ids
        progress.check()
        found += np.bincount(ids[people:], minlength=int(ids.max(initial=-1)) + 1)[ids[:people]]
        of_record = np.full(len(shown[0]), -1, dtype=np.int64)
        of_record[records] = ids[people:]
        there = np.flatnonzero(own >= 0)
        mine[there] |= of_record[own[there]] == ids[there]
    only = found == 1
    return SingledOut((only & mine).astype(np.float64), (only & ~mine).astype(np.float64))


def _by_pattern(shown: Sequence[Ints]) -> Iterator[tuple[list[int], Ints]]:
    """Yield for each pattern of hidden cells, the most frequent first, the columns not hidden, and the records with it.

    Records whose patterns are beyond ``_MOST_PATTERNS`` are looked for by nobody: there are so many only where cells
    are hidden one by one, and few records have any one of them.
    """
    if not shown:
        return
    hiding = [(place, each == HIDDEN) for place, each in enumerate(shown) if (each == HIDDEN).any()]
    if not hiding:
        yield list(range(len(shown))), np.arange(len(shown[0]), dtype=np.int64)
        return
    patterns = classes_of_codes([hidden.astype(np.int64) for _, hidden in hiding], len(shown[0])).ids
    for pattern in np.argsort(-np.bincount(patterns), kind="stable").tolist()[:_MOST_PATTERNS]:
        records = np.flatnonzero(patterns == pattern).astype(np.int64)
        gone = {place for place, hidden in hiding if hidden[records[0]]}
        yield [place for place in range(len(shown)) if place not in gone], records
