"""Scoring a guess at the values before a step, whichever way it was made.

An intruder who undoes a method (digits shifted back, two constants taken off) ends with a number
for every record. It counts as recovered when it is within a tolerance of the true one. The
control has no use for the person's own record: it guesses the one value about which the release
has most others. The blind guess takes a released value by chance.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.identifiability.ranks import looked_up

_ALIKE = 1e-9
"""Differences are compared with this much room, as a share of the tolerance or the value."""


@dataclass(frozen=True, eq=False)
class Recovered:
    """What is gained on each value, 0 or 1 (a chance for ``blind``), shape (known values,).

    Attributes
    ----------
    success
        Whether the guess is within the tolerance.
    control
        Whether the release's commonest value is.
    blind
        Chance that a released value taken blindly is.
    """

    success: Floats
    control: Floats
    blind: Floats


def recovered(truth: Floats, guess: Floats, released: Floats, tolerance: float) -> Recovered:
    """Score a guess at every value.

    Parameters
    ----------
    truth, guess
        Values before the step and the intruder's guess, shape (records,); NaN where missing. A
        guess that is missing is no success.
    released
        All released values, NaN where missing.
    tolerance
        How far off still counts, in the column's unit; 0 asks for the very value.
    """
    present = ~np.isnan(truth)
    true, made = truth[present], guess[present]
    released_numbers = np.sort(released[~np.isnan(released)])
    room = tolerance * (1 + _ALIKE) + _ALIKE * np.maximum(np.abs(true), 1e-300)
    with np.errstate(invalid="ignore"):
        success = np.abs(made - true) <= room
    if not len(released_numbers):
        nothing = np.zeros(len(true))
        return Recovered(success.astype(np.float64), nothing, nothing)
    near = looked_up(released_numbers, true + room, "right") - looked_up(released_numbers, true - room)
    blind = near / len(released_numbers)
    progress.check()
    control = np.abs(commonest(released_numbers, tolerance) - true) <= room
    return Recovered(success.astype(np.float64), control.astype(np.float64), blind)


def commonest(values: Floats, tolerance: float) -> float:
    """Return the value with most released values within the tolerance; the lowest of equal ones.

    Parameters
    ----------
    values
        Released values in rising order, at least one.
    tolerance
        Half the width of the window.
    """
    # A best window can be moved up until its lower edge meets a value.
    room = 2 * tolerance + _ALIKE * np.abs(values)
    counts = np.searchsorted(values, values + room, "right") - np.arange(len(values))
    return float(values[int(counts.argmax())] + tolerance)
