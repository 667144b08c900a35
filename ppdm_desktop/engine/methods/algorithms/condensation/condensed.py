"""The statistics of every group of a table, in standard units, corrected for missing values."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage, completed
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments, group_moments


@dataclass(frozen=True, eq=False)
class Condensed:
    """The statistics of all groups.

    Attributes
    ----------
    moments
        Of the joint columns in standard deviations of the whole table. Means and variances
        are those of the known values.
    known
        int64, shape (groups, d): values there are of each joint column.
    flat
        bool, shape (groups,): whether some artificial number or date without spikes has no more known
        values in the group than there are such columns (n <= d), so that its points lie in the plane
        of the members' own. A column with spikes borrows its variance from the whole table.
    """

    moments: GroupMoments
    known: Ints
    flat: Bools


def condense(coverage: Coverage, group: Ints, needs: Ints) -> Condensed:
    """Return the statistics of every group.

    Parameters
    ----------
    coverage
        The columns.
    group
        Each record's group, 0 and up without gaps.
    needs
        The group each record asks for.
    """
    standard, present = coverage.standard()
    if not coverage.joint:
        standard, present = np.zeros((len(group), 0)), np.zeros((len(group), 0), dtype=np.bool_)
    filled = completed(standard, present, group)
    return widened(group_moments(filled.points, group, needs), filled.known, coverage)


def widened(moments: GroupMoments, known_counts: Ints, coverage: Coverage) -> Condensed:
    """Return the statistics with variances of the known values.

    Where a group has few or no values besides spikes in a column, its mean and variance are mixed with those of the
    whole table, as if as many people as the group needs had a value.

    Parameters
    ----------
    moments
        Statistics in which missing values stand at their group's mean.
    known_counts
        Values there are, shape (groups, d).
    coverage
        The columns; those of numbers and dates come first.
    """
    made = coverage.regenerated
    scale = np.where(known_counts > 0, np.sqrt(moments.n[:, None] / np.maximum(known_counts, 1)), 1.0)
    wider = scale[:, :, None] * scale[:, None, :]
    spiked = np.array([bool(column.spikes) for column in coverage.joint], dtype=np.bool_)
    values = known_counts[:, :made][:, ~spiked[:made]]
    flat = np.asarray(((values > 0) & (values <= made)).any(axis=1))
    draw = np.where(spiked, np.minimum(known_counts / np.maximum(moments.pmax, 1)[:, None], 1.0), 1.0)
    covariance = moments.covariance * wider * draw[:, :, None] * draw[:, None, :]
    diagonal = np.einsum("gii->gi", covariance)
    variance = np.divide(diagonal, draw, out=np.zeros_like(diagonal), where=draw > 0)
    diagonal += np.where(draw < 1, variance - diagonal + (1 - draw) + draw * (1 - draw) * moments.mean**2, 0.0)
    return Condensed(replace(moments, mean=moments.mean * draw, covariance=covariance), known_counts, flat)
