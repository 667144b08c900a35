"""Compares an attack with its control on the same people, and grades the difference as a severity.

Figures carry confidence intervals for the success of an attack.
"""

from __future__ import annotations

import math
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.figure import Z_95, Figure, wilson
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import LazyText

# --- intervals ----------------------------------------------------------------------------

NO_RECORD = lazy("no record to attack")


def success_figure(gains: Floats, most: float, method: LazyText) -> Figure:
    """Return the mean gain of an attack with its 95 % interval, or an absent figure where ``gains`` is empty.

    A gain lies between 0 and ``most``, so its variance is at most that of ``most`` times a coin that shows heads with
    chance mean/``most``: Wilson's interval for such a coin, times ``most``, is wide enough and never leaves 0 to
    ``most``. Records count as independent of one another.

    Parameters
    ----------
    gains
        What the attack gains on each attacked person, shape (people,); 1 for a person named without doubt.
    most
        The largest gain possible.
    method
        How the figure was computed, stored with the figure for display.
    """
    if not len(gains):
        return Figure.absent(NO_RECORD, unit="share", method=method)
    count, mean = len(gains), float(gains.mean())
    share = min(mean / most, 1.0) if most > 0 else 0.0
    low, high = (most * end for end in wilson(share, count))
    return Figure(mean, low=min(low, mean), high=max(high, mean), n=count, unit="share", method=method)


# --- comparison ---------------------------------------------------------------------------

Severity = Literal["none", "some", "serious", "total"]

NEARLY_ALL = 0.95
"""An attack that succeeds for this share of the people counts as total."""
REVERSAL_LIMIT, REVERSAL_SERIOUS = 0.05, 0.50
INFERENCE_LIMIT, INFERENCE_SERIOUS = 0.05, 0.20
FILTER_LIMIT, FILTER_SERIOUS = 0.90, 0.75
"""Limits of the gate for the error left with all columns, divided by the error left with one (contract, section 4)."""
PAIRED = lazy("right answers of the attack, minus those of the comparison")


def paired_advantage(
    success: Floats,
    control: Floats,
    method: LazyText = PAIRED,
    *,
    guess_groups: Ints | None = None,
) -> Figure:
    """Return the mean of ``success`` minus ``control`` over people with its 95 % interval; absent without people.

    The control is the gain of the same attack without the person's record. Agresti and Min (Statistics in Medicine 24,
    2005) add half an observation to each cell of the table of pairs, which keeps the interval honest where no pair
    differs; here for gains between 0 and 1 as well. People about whom the intruder knows the same get the same guess
    and are right or wrong together, so the spread is that of their groups where it is larger (Liang and Zeger,
    Biometrika 73, 1986): in a trial without any effect 11 of 100 intervals missed zero when persons counted as
    independent, and 6 of 100 with groups.

    Parameters
    ----------
    success, control
        Gains between 0 and 1, shape (people,).
    method
        How the figure was computed, stored with it for display.
    guess_groups
        int64, shape (people,): group of people who get the same guess, 0 and up; None if all persons are independent.
    """
    count = len(success)
    if not count:
        return Figure.absent(NO_RECORD, unit="share", method=method)
    apart = success - control
    total, squares, enough = float(apart.sum()), float((apart**2).sum()) + 1.0, count + 2.0
    middle = total / enough
    spread = max(squares - total**2 / enough, 0.0)
    if guess_groups is not None:
        together = np.bincount(guess_groups, apart - total / count)
        spread = max(spread, float((together**2).sum()) * len(together) / max(len(together) - 1, 1) + 1.0)
    half = Z_95 * math.sqrt(spread) / enough
    mean = total / count
    # In a table of a few rows the interval would reach beyond what a difference of shares can be.
    low, high = max(min(middle - half, mean), -1.0), min(max(middle + half, mean), 1.0)
    return Figure(mean, low=low, high=high, n=count, unit="share", method=method)


def severity_of_advantage(success: Figure, advantage: Figure, limit: float, serious: float) -> Severity:
    """Return how severe an attack is, judged by its gain over the same attack without the person's record.

    The result is ``total`` where ``success`` is at least 0.95 (`NEARLY_ALL`) and the gain exceeds ``serious``;
    ``serious`` where only the gain does; ``some`` where the gain exceeds ``limit``; otherwise ``none``. A missing
    figure counts as 0.

    Parameters
    ----------
    success, advantage
        Share of people whom the attack guesses right, and that share less the control's.
    limit, serious
        Gains above which the check of this attack is no longer green, and above which it is red.
    """
    value = advantage.value or 0.0
    if (success.value or 0.0) >= NEARLY_ALL and value > serious:
        return "total"
    if value > serious:
        return "serious"
    return "some" if value > limit else "none"


def severity_of_filter(ratio: float) -> Severity:
    """Return how severe it is that an intruder filters noise out with the help of other columns.

    ``ratio`` is the error of the estimate from all columns divided by the error of that from the one column. The
    result is ``total`` up to a ratio of 0.05, then ``serious`` below 0.75 (`FILTER_SERIOUS`), ``some`` below 0.9
    (`FILTER_LIMIT`), else ``none``.
    """
    if ratio <= 1 - NEARLY_ALL:
        return "total"
    if ratio < FILTER_SERIOUS:
        return "serious"
    return "some" if ratio < FILTER_LIMIT else "none"
