"""The homogeneity attack: a class with one confidential value reveals it, whatever its size.

A. Machanavajjhala et al., l-diversity, ICDE 2006, section 2. An intruder who knows a person's class guesses the
class's commonest value: certain where there is no other, a majority guess elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.comparison import success_figure
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.wording.catalogue import lazy

_ONE_VALUE = lazy("classes of equal released details with one value")
_OF_CLASS = lazy("most common value of the person’s class")
_OF_ALL = lazy("the most common released value")


@dataclass(frozen=True)
class Homogeneity:
    """For how many people the class of rows with equal quasi-identifiers reveals a confidential value.

    Attributes
    ----------
    one_valued
        Share of the people whose class shows one single value of the column, none missing.
    majority
        Share of the people for whom the most common value of their class, in the release, is true. Among equally
        common values one is drawn.
    baseline
        Share of the people for whom the most common value of the whole release is true.
    """

    one_valued: Figure
    majority: Figure
    baseline: Figure


def measure_homogeneity(ids: Ints, released_codes: Ints, true: Ints | None = None) -> Homogeneity:
    """Return how often the classes of a release reveal people's values of one column, as three shares.

    The first share is that of people in a class whose records all show the same value (none missing), whether it is
    the true one or not. The other two are the chances that the commonest shown value of the class, and of the whole
    release, is the true one; among equally common values one is drawn. Each record counts as a person, and each share
    has its 95 % interval. All three are absent where no record has a true value.

    Parameters
    ----------
    ids
        Class of each record, 0 and up.
    released_codes
        int64: released value of each record, -1 where missing.
    true
        True value of each record, in the same codes; the released value when left out. Records without a true value
        are not counted.
    """
    true = released_codes if true is None else true
    classes = int(ids.max(initial=-1)) + 1
    low = np.full(classes, np.iinfo(np.int64).max)
    high = np.full(classes, -2, dtype=np.int64)
    np.minimum.at(low, ids, released_codes)
    np.maximum.at(high, ids, released_codes)
    targets = np.flatnonzero(true >= 0)
    one_valued = ((low == high) & (low >= 0))[ids[targets]].astype(np.float64)
    return Homogeneity(
        success_figure(one_valued, 1.0, _ONE_VALUE),
        success_figure(_compute_guess_chances(ids, released_codes, true)[targets], 1.0, _OF_CLASS),
        success_figure(_compute_guess_chances(np.zeros_like(ids), released_codes, true)[targets], 1.0, _OF_ALL),
    )


def _compute_guess_chances(ids: Ints, released_codes: Ints, true: Ints) -> Floats:
    """Return each record's chance that its true value is guessed as the commonest value of its class, shape (records,).

    Among equally common values one is drawn: the chance is 0.5 where two are and one of them is true. 0 where the true
    value is missing or the class shows no value.
    """
    present = released_codes >= 0
    width = int(max(released_codes.max(initial=-1), true.max(initial=-1))) + 1
    if not present.any():
        return np.zeros(len(ids))
    pairs, count = np.unique(ids[present] * width + released_codes[present], return_counts=True)
    owner = pairs // width
    most = np.zeros(int(ids.max()) + 1, dtype=np.int64)
    np.maximum.at(most, owner, count)
    best = count == most[owner]
    ties = np.bincount(owner[best], minlength=len(most))
    wanted = ids * width + np.maximum(true, 0)
    index = np.minimum(np.searchsorted(pairs, wanted), len(pairs) - 1)
    right = (pairs[index] == wanted) & best[index] & (true >= 0)
    return np.asarray(right / np.maximum(ties[ids], 1), dtype=np.float64)
