"""Scores how well an intruder's guesses recover the values from before a step of the method.

An intruder who undoes a method (digits shifted back, two constants subtracted) ends with a number for every record. A
value counts as recovered when the guess is within a tolerance of the true one. The control does not use the person's
own record: it guesses the value that has most released values within the tolerance. The blind guess is a released
value taken at random.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.identifiability.ranks import find_sorted_positions

_RELATIVE_TOLERANCE = 1e-9
"""Relative rounding error allowed in comparisons, as a share of the tolerance or the value."""


@dataclass(frozen=True, eq=False)
class Recovered:
    """Success of the attack and of two controls on each known value, shape (known values,) each.

    Attributes
    ----------
    success
        1 where the guess is within the tolerance of the true value, else 0.
    control
        1 where the release's commonest value is within the tolerance of the true value, else 0.
    blind
        Share of the released values that are within the tolerance of the true value.
    """

    success: Floats
    control: Floats
    blind: Floats


def compare_with_controls(truth: Floats, guess: Floats, released: Floats, tolerance: float) -> Recovered:
    """Return whether each guess recovers its true value, and how two controls do, for all records with a true value.

    The controls guess the commonest released number (within the tolerance), and a released number drawn blindly, whose
    result is the chance of being right; both are 0 where nothing is released.

    Parameters
    ----------
    truth, guess
        Values before the step, and the intruder's guesses, shape (records,); NaN where missing. A missing guess is no
        success.
    released
        All released values, NaN where missing.
    tolerance
        Largest error of a successful guess, in the column's unit; 0 asks for the exact value.
    """
    present = ~np.isnan(truth)
    true, made = truth[present], guess[present]
    released_numbers = np.sort(released[~np.isnan(released)])
    margin = tolerance * (1 + _RELATIVE_TOLERANCE) + _RELATIVE_TOLERANCE * np.maximum(np.abs(true), 1e-300)
    with np.errstate(invalid="ignore"):
        success = np.abs(made - true) <= margin
    if not len(released_numbers):
        nothing = np.zeros(len(true))
        return Recovered(success.astype(np.float64), nothing, nothing)
    near = find_sorted_positions(released_numbers, true + margin, "right") - find_sorted_positions(
        released_numbers, true - margin
    )
    blind = near / len(released_numbers)
    progress.check()
    control = np.abs(find_commonest_number(released_numbers, tolerance) - true) <= margin
    return Recovered(success.astype(np.float64), control.astype(np.float64), blind)


def find_commonest_number(values: Floats, tolerance: float) -> float:
    """Return the middle of the window of width 2 x ``tolerance`` that holds most values; the lowest of several such.

    The window starts at a released value: for 1, 2, 9 and a tolerance of 1 the result is 2.

    Parameters
    ----------
    values
        Released values in rising order, at least one.
    tolerance
        Half the width of the window.
    """
    # A best window can be moved up until its lower edge meets a value.
    window = 2 * tolerance + _RELATIVE_TOLERANCE * np.abs(values)
    counts = np.searchsorted(values, values + window, "right") - np.arange(len(values))
    return float(values[int(counts.argmax())] + tolerance)
