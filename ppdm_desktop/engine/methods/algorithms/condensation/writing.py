"""Artificial values written back as a column writes them: on its grid, never at the data's own ends."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import JointColumn
from ppdm_desktop.engine.methods.algorithms.condensation.dates import DateGrid
from ppdm_desktop.engine.methods.algorithms.digits.scaled import step_units, style_of, with_scaled
from ppdm_desktop.engine.methods.algorithms.swapping.shuffled import shuffled_by
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.table.column import Column


def permute_within_groups(group: Ints, stream: RandomStream) -> Ints:
    """Return for each row whose value it gets: a random exchange within each group."""
    source = shuffled_by(group, stream)
    rows = np.argsort(group, kind="stable")
    found = np.empty(len(group), dtype=np.int64)
    found[rows] = source
    return found


def written_column(joint: JointColumn, values: Floats, gaps_from: Ints, group: Ints, *, clip: bool) -> Column:
    """Return the column with artificial values.

    Parameters
    ----------
    joint
        The column before.
    values
        Each row's new value in the column's unit; of a rank in standard deviations.
    gaps_from
        For each row the record (of its group) whose pattern of missing values it gets.
    group
        Each row's group; ranks are exchanged inside.
    clip
        Whether numbers stop at the bounds that the recipe declares.
    """
    if joint.sort == "rank":
        return _ranked(joint, values, gaps_from, group)
    base = joint.column.take(gaps_from)
    return _dates(base, values) if joint.sort == "date" else _numbers(base, values, clip=clip)


def _numbers(base: Column, values: Floats, *, clip: bool) -> Column:
    style = style_of(base)
    step = float(style.step)
    places = np.rint(values / step)
    if clip and base.bounds is not None:
        low, high = (bound / step for bound in base.bounds)
        places = np.clip(places, math.ceil(low - 1e-9), math.floor(high + 1e-9))
    return with_scaled(base, places.astype(np.int64) * step_units(style), uniform=True)


def _dates(base: Column, values: Floats) -> Column:
    grid = DateGrid.of(base)
    places = np.clip(np.rint(values), *grid.ends).astype(np.int64)
    rows = np.flatnonzero(~base.missing)
    distinct, inverse = np.unique(places[rows], return_inverse=True)
    texts = [grid.text(place) for place in distinct.tolist()]
    released = base.with_values(rows, [texts[at] for at in inverse.tolist()])
    return replace(released, order=tuple(texts))


def _ranked(joint: JointColumn, standard: Floats, gaps_from: Ints, group: Ints) -> Column:
    """Deal a group's own values out in the order of the new ranks; gaps go where ``gaps_from`` says."""
    gaps = ~joint.known
    into = np.lexsort((standard, gaps[gaps_from], group))
    source = np.lexsort((joint.values, gaps, group))
    codes = joint.column.codes.copy()
    codes[into] = joint.column.codes[source]
    # A missing cell keeps the very text of the pattern it came with.
    missing = gaps[gaps_from]
    codes[missing] = joint.column.codes[gaps_from[missing]]
    return replace(joint.column, codes=codes)
