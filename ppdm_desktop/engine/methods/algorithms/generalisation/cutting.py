"""Cutting records into classes along their columns, all classes of a round at once.

LeFevre, DeWitt & Ramakrishnan, "Mondrian Multidimensional K-Anonymity", ICDE 2006: a class is
cut in two at the middle of its widest column for as long as both parts stay large enough. Here a
class asks for the largest group that any of its members asks for; where the middle cannot be cut,
the nearest place in the column that can is taken; and a round cuts every class by array
operations, so that the time depends on the depth of the cuts and not on their number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.generalisation.scales import Scale
from ppdm_desktop.engine.progress import Progress

Refuses = Callable[[Ints, int], Bools]
"""(part of each record, -1 for none; number of parts) to which parts must not be."""

_DOING = "progress.mondrian.cutting"


@dataclass(frozen=True, eq=False)
class _Units:
    """What is never parted: records, or in strict cuts all records with the same values.

    Attributes
    ----------
    codes
        int64, shape (columns, units).
    weights, demands
        Records of each unit, and the largest group one of them asks for.
    of_record
        Unit of each record.
    """

    codes: Ints
    weights: Ints
    demands: Ints
    of_record: Ints


@dataclass(frozen=True, eq=False)
class _Round:
    """Classes that are being cut: units grouped by class, rising inside each."""

    members: Ints
    starts: Ints
    sizes: Ints
    widths: Floats
    levels: Ints

    @property
    def owner(self) -> Ints:
        """Class of each member."""
        return np.repeat(np.arange(len(self.starts)), np.diff(np.append(self.starts, len(self.members))))


def cut_classes(
    scales: Sequence[Scale], demands: Ints, *, strict: bool, refuses: Refuses | None, progress: Progress
) -> Ints:
    """Return the class of each record, 0 and up.

    Parameters
    ----------
    scales
        The columns.
    demands
        Group each record asks for; the whole table is large enough for every one.
    strict
        True: records with the same value of a column are never parted by a cut of it. False: they
        may be, by row number, where no other cut is left and the column has no hierarchy.
    refuses
        Says which parts must not be for other reasons than their size.
    progress
        Reports the share of records whose class is final.
    """
    rows = len(demands)
    if not rows:
        return np.zeros(0, dtype=np.int64)
    kept = _kept_together(scales, demands)
    whole = np.zeros(1, dtype=np.int64)
    half = progress if strict else progress.part(0.0, 0.5)
    found = _cut_all(np.arange(len(kept.weights)), whole, scales, kept, (True,), refuses, half)[kept.of_record]
    if strict:
        return found
    # What cannot be cut between different values is cut among equal ones; then the rest may be again.
    order = np.argsort(found, kind="stable")
    sizes = np.bincount(found)
    each = _one_by_one(scales, demands)
    return _cut_all(order, np.cumsum(sizes) - sizes, scales, each, (True, False), refuses, progress.part(0.5, 1.0))


def _cut_all(
    members: Ints,
    starts: Ints,
    scales: Sequence[Scale],
    units: _Units,
    manners: Sequence[bool],
    refuses: Refuses | None,
    progress: Progress,
) -> Ints:
    """Cut classes for as long as any can be cut; return the class of each unit.

    Parameters
    ----------
    members, starts
        Units grouped by class, rising inside each, and where each class begins.
    manners
        Ways of cutting that a class is tried with in turn: True only between different values.
    """
    rows = int(units.weights.sum())
    found = np.zeros(len(units.weights), dtype=np.int64)
    made = done = 0
    while True:
        progress.report(done / rows, _DOING)
        round_ = _measured(members, starts, scales, units)
        split = np.zeros(len(members), dtype=np.int8)
        solved = np.zeros(len(starts), dtype=np.bool_)
        for strict in manners:
            _cut(round_, scales, units, strict, refuses, split, solved, progress)
        owner = round_.owner
        final = ~solved
        number = np.cumsum(final) - 1 + made
        ends = final[owner]
        found[members[ends]] = number[owner[ends]]
        made += int(final.sum())
        done += int(units.weights[members[ends]].sum())
        if not solved.any():
            return found
        key = 2 * owner[~ends] + split[~ends]
        order = np.argsort(key, kind="stable")
        members, key = members[~ends][order], key[order]
        starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))


def _one_by_one(scales: Sequence[Scale], demands: Ints) -> _Units:
    rows = len(demands)
    codes = np.array([scale.codes for scale in scales]).reshape(len(scales), rows)
    return _Units(codes, np.ones(rows, dtype=np.int64), demands, np.arange(rows))


def _kept_together(scales: Sequence[Scale], demands: Ints) -> _Units:
    rows = len(demands)
    classes = classes_of_codes([scale.codes for scale in scales], rows)
    first = np.full(classes.count, rows, dtype=np.int64)
    np.minimum.at(first, classes.ids, np.arange(rows))
    asked = np.zeros(classes.count, dtype=np.int64)
    np.maximum.at(asked, classes.ids, demands)
    codes = np.array([scale.codes[first] for scale in scales]).reshape(len(scales), classes.count)
    return _Units(codes, classes.sizes, asked, classes.ids)


def _measured(members: Ints, starts: Ints, scales: Sequence[Scale], units: _Units) -> _Round:
    """Return the classes with their sizes and, column by column, how wide they are.

    A column with a hierarchy is as wide as the leaves under the lowest node that all share; the
    level below that node is where it can be cut.
    """
    sizes = np.add.reduceat(units.weights[members], starts)
    widths = np.zeros((len(starts), len(scales)))
    levels = np.zeros((len(starts), len(scales)), dtype=np.int64)
    for place, scale in enumerate(scales):
        codes = units.codes[place][members]
        low, high = np.minimum.reduceat(codes, starts), np.maximum.reduceat(codes, starts)
        if scale.ancestors is None:
            widths[:, place] = scale.places[high] - scale.places[low]
            continue
        shared = np.array([row[low] == row[high] for row in scale.ancestors])
        top = np.argmax(shared, axis=0)
        levels[:, place] = np.maximum(top - 1, 0)
        for level in range(1, len(scale.ancestors)):
            at = top == level
            leaves = np.bincount(scale.ancestors[level])
            widths[at, place] = (leaves[scale.ancestors[level][low[at]]] - 1) / max(len(scale.texts) - 1, 1)
    return _Round(members, starts, sizes, widths, levels)


def _cut(
    round_: _Round,
    scales: Sequence[Scale],
    units: _Units,
    strict: bool,
    refuses: Refuses | None,
    split: npt.NDArray[np.int8],
    solved: Bools,
    progress: Progress,
) -> None:
    """Cut each class along its widest column that can be cut; fill in which side each member is on."""
    wanted = units.demands[round_.members]
    least = np.minimum.reduceat(wanted, round_.starts) + np.maximum.reduceat(wanted, round_.starts)
    pending = np.flatnonzero((round_.sizes >= least) & ~solved)
    ranking = np.argsort(-round_.widths, axis=1, kind="stable")
    owner = round_.owner
    for turn in range(len(scales)):
        progress.check()
        pending = pending[round_.widths[pending, ranking[pending, turn]] > 0]
        if not len(pending):
            return
        local = np.full(len(round_.starts), -1, dtype=np.int64)
        local[pending] = np.arange(len(pending))
        part = local[owner]
        at = np.flatnonzero(part >= 0)
        part = part[at]
        units_at = round_.members[at]
        axis = ranking[pending, turn]
        values, firm = _values_along(scales, units, units_at, part, axis, round_.levels[pending, axis], strict)
        order = np.argsort(part * (int(values.max()) + 1) + values, kind="stable")
        at, units_at, values, firm = at[order], units_at[order], values[order], firm[part]
        last = _best_cut(part, values, firm, units.weights[units_at], units.demands[units_at], round_.sizes[pending])
        right = np.arange(len(at)) > last[part]
        good = last >= 0
        if refuses is not None and good.any():
            good &= _allowed(refuses, units, units_at, part, right, good)
        kept = good[part]
        split[at[kept]] = right[kept]
        solved[pending[good]] = True
        pending = pending[~good]


def _values_along(
    scales: Sequence[Scale], units: _Units, members: Ints, part: Ints, axis: Ints, level: Ints, strict: bool
) -> tuple[Ints, Bools]:
    """Return each member's value in its class's column, and for each class whether equal values stay together."""
    values = np.zeros(len(members), dtype=np.int64)
    firm = np.full(len(axis), strict, dtype=np.bool_)
    for place, scale in enumerate(scales):
        mine = axis == place
        if not mine.any():
            continue
        here = np.flatnonzero(mine[part])
        codes = units.codes[place][members[here]]
        if scale.ancestors is not None:
            codes = scale.ancestors[level[part[here]], codes]
            firm[mine] = True
        values[here] = codes
    return values, firm


def _best_cut(part: Ints, values: Ints, firm: Bools, weights: Ints, demands: Ints, sizes: Ints) -> Ints:
    """Return for each class the last member left of the cut nearest to its middle, -1 where none is allowed.

    Members are sorted by class and value. Ties go to the lower cut.
    """
    count = len(sizes)
    running = np.cumsum(weights)
    starts = np.flatnonzero(np.concatenate([[True], part[1:] != part[:-1]]))
    left = running - (running[starts] - weights[starts])[part]
    whole = sizes[part]
    most = int(demands.max()) + 1
    below = np.maximum.accumulate(part * most + demands) - part * most
    turned = (count - 1 - part[::-1]) * most
    above = (np.maximum.accumulate(turned + demands[::-1]) - turned)[::-1]
    ok = np.zeros(len(part), dtype=np.bool_)
    ok[:-1] = (part[1:] == part[:-1]) & ((values[1:] != values[:-1]) | ~firm[:-1])
    ok[:-1] &= (left[:-1] >= below[:-1]) & ((whole - left)[:-1] >= above[1:])
    found = np.full(count, -1, dtype=np.int64)
    places = np.flatnonzero(ok)
    if not len(places):
        return found
    owners = part[places]
    key = np.abs(2 * left - whole)[places] * len(part) + places
    first = np.flatnonzero(np.concatenate([[True], owners[1:] != owners[:-1]]))
    found[owners[first]] = np.minimum.reduceat(key, first) % len(part)
    return found


def _allowed(refuses: Refuses, units: _Units, members: Ints, part: Ints, right: Bools, good: Bools) -> Bools:
    """Say which of the cuts leave two parts that may be."""
    side = np.full(len(units.weights), -1, dtype=np.int64)
    mine = good[part]
    side[members[mine]] = 2 * part[mine] + right[mine]
    bad = refuses(side[units.of_record], 2 * len(good))
    return np.asarray(~(bad[0::2] | bad[1::2]))
