"""What a moved date reveals of the true one: each shift that keeps a person's dates possible is equally likely."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks.class_belief import Observations, Values
from ppdm_desktop.engine.release.candidate.date_intervals import units_of_dates
from ppdm_desktop.engine.release.candidate.model import StepRecord
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.table.day_numbers import NO_DAY, days_of


def observe_moved_dates(
    released: Released, step: StepRecord, name: str, values: Values, days: Floats, levels: Ints
) -> Observations:
    """Return what an intruder concludes about true dates from dates that a step moved by random shifts.

    For each row it is a probability for each true date: proportional to the number of people with that date, 0 if no
    possible shift explains it. If 10 March is shown, shifts are up to 2 days, and 3, 0, 1, 0, 4 people have 8 to 12
    March, the probabilities are 3/8, 0, 1/8, 0, 4/8. "No value" has probability 1 if the row shows no date, or no true
    date explains it.

    A shift is possible if it is a multiple of the step's number of days (such as 7), at most the largest of the row's
    privacy level, and leaves all moved dates that share it within the first and last day of their columns. These are
    the dates of the row, or of all rows of the person if recipients can link them.

    Parameters
    ----------
    released, step, name
        The table as written, the step that moved its dates, and the column.
    values, days
        The true dates with their shares, rising, and the day number of each.
    levels
        Index of each released row's privacy level, shape (rows,).
    """
    figures: Mapping[str, Any] = step.result.detail["columns"]
    every = int(figures[name]["every"])
    most = np.array(figures[name]["shifts"], dtype=np.int64)[levels]
    unit = units_of_dates(released.candidate)
    low, high = np.full(int(unit.max()) + 1, -(10**9)), np.full(int(unit.max()) + 1, 10**9)
    for column in (
        released.table.column(moved_name) for moved_name in step.settings.columns if moved_name in released.table
    ):
        first, last = (date.fromisoformat(day).toordinal() for day in figures[column.name]["bounds"])
        released_days = days_of(column)
        rows = np.flatnonzero(released_days != NO_DAY)
        np.maximum.at(low, unit[rows], released_days[rows] - last)
        np.minimum.at(high, unit[rows], released_days[rows] - first)
    released_days = days_of(released.table.column(name))
    ends = np.column_stack([released_days, np.maximum(low[unit], -most), np.minimum(high[unit], most)])
    ends[released_days == NO_DAY] = NO_DAY
    observations, of = np.unique(ends, axis=0, return_inverse=True)
    return Observations(of.reshape(-1), _compute_date_beliefs(observations, days, values, every))


def _compute_date_beliefs(observations: Ints, days: Floats, values: Values, every: int) -> Any:
    """Return the probability of each true date given an observation, as sparse rows, shape (observations, dates + 1).

    Parameters
    ----------
    observations
        Released day, smallest and largest shift of each observation, shape (observations, 3). A missing day, or a day
        that no true date explains, has probability 1 in the last entry, which stands for no value.
    days, values
        The day number of each true date, rising, and the dates with their shares.
    every
        Shifts are multiples of this number of days.
    """
    from scipy.sparse import csr_array

    indices, beliefs, starts = [], [], [0]
    for day, low, high in observations.tolist():
        chosen = np.zeros(0, dtype=np.int64)
        if day != NO_DAY:
            chosen = np.arange(*np.searchsorted(days, [day - high, day - low + 1]))
            chosen = chosen[(days[chosen] - day) % every == 0]
        weights = values.shares[chosen]
        whole = float(weights.sum())
        indices.append(chosen if whole > 0 else np.array([values.count]))
        beliefs.append(weights / whole if whole > 0 else np.ones(1))
        starts.append(starts[-1] + len(indices[-1]))
    shape = (len(observations), values.count + 1)
    return csr_array((np.concatenate(beliefs), np.concatenate(indices), np.array(starts)), shape=shape)
