"""Singling out: people whom the release shows as one of a kind.

An intruder who knows a person's true values looks for released records that show just these. A
person is singled out where exactly one record does and it is theirs (or was made from their
group of one).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.progress import Progress, silent


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
        The same columns as released, shape (records,) each; equal codes are equal values.
    own
        int64, shape (people,): released record that is the person's own, -1 where there is none.
    progress
        Checked between the steps.
    """
    progress = progress or silent()
    people, records = len(own), len(shown[0]) if shown else 0
    together = []
    for one, other in zip(true, shown, strict=True):
        progress.check()
        together.append(np.concatenate([one, other]))
    ids = classes_of_codes(together, people + records, progress).ids
    progress.check()
    found = np.bincount(ids[people:], minlength=int(ids.max(initial=-1)) + 1)[ids[:people]]
    mine = np.zeros(people, dtype=np.bool_)
    there = np.flatnonzero(own >= 0)
    mine[there] = ids[people:][own[there]] == ids[there]
    only = found == 1
    return SingledOut((only & mine).astype(np.float64), (only & ~mine).astype(np.float64))
