"""Adds records to groups of which only statistics are left (Aggarwal & Yu 2005, section 3).

Each new record is assigned to the nearest group that is, with those assigned to it, as large as the record demands. A
group changes only when as many new records join as its strictest record, old or new, demands: comparing the earlier
with the later release shows the difference that all of them made together, and nobody's own. The others wait. Waiting
records form groups of their own where there are enough of them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream, Members
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import Arrivals, find_largest_group, first_groups
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import form_groups
from ppdm_desktop.engine.methods.algorithms.condensation.values import ValueBlocks

NO_GROUP, TOO_FEW = "no-group", "too-few"
WAITS = -1
_CHECK_EVERY = 64


@dataclass(frozen=True, eq=False)
class Added:
    """The result of adding records to groups.

    Attributes
    ----------
    group
        int64, shape (new records,): the group each is counted in, -1 where it waits.
    old_group
        int64, shape (earlier rows,): the group each row of the earlier release is counted in now;
        after a split that is the part on whose side it lies, as many as the part has.
    why
        For each record that waits: ``no-group`` (no group is large enough for it) or ``too-few``
        (not enough others join the group it is nearest to).
    stratum
        int64, shape (groups,): the set each group belongs to.
    splits, founded
        Splits made, and records that formed groups of their own.
    origin
        int64, shape (groups,): the earlier group each came out of, -1 where new records formed it.
    """

    group: Ints
    old_group: Ints
    why: dict[int, str]
    stratum: Ints
    splits: int
    founded: int
    origin: Ints


def add_records(
    stream: GroupStream,
    records: Arrivals,
    stratum: Ints,
    of_group: Ints,
    blocks: ValueBlocks,
    embedding: Floats,
    algorithm: str,
    earlier: tuple[Floats, Ints],
) -> Added:
    """Return the group of each new and of each earlier row after new ones joined; ``stream`` is changed in place.

    A new record may join the nearest group that is large enough for it. Records nearest to the same group join it only
    if as many of them join at once as the group's strictest member and each of them demand: a group in which somebody
    asks for 5 takes none while only 4 come. A group that is then large enough is split. Those that join none form new
    ones with others of their stratum, where enough wait; new groups are not split. Those left over have the group -1,
    and the result names the reason of each by its index: ``no-group`` if no group was large enough, ``too-few`` if too
    few came with it. Added groups keep the stratum of their members. The result also has the stratum of each group, the
    earlier group that it came from (-1 if new records formed it), and the numbers of splits and of records in groups so
    formed.

    Parameters
    ----------
    stream
        The groups; changed in place, each keeps its index and new ones come behind.
    records
        In the order in which they come.
    stratum
        Shape (records,): index of the part of the table (all records, or a class) within which each may be grouped.
    of_group
        Shape (groups,): index of the part that each group belongs to.
    blocks, embedding
        The values that are counted, and what each counts in distances.
    algorithm
        How records that wait are grouped.
    earlier
        Where the rows of the earlier release lie, shape (earlier rows, d), and the group of each; after a split each is
        counted in the part on whose side it lies.
    """
    old = len(earlier[1])
    points = np.vstack([earlier[0], records.points[:, : stream.width]])
    of_each = np.concatenate([earlier[1], np.full(len(records), WAITS, dtype=np.int64)])
    members = Members(points, of_each, stream)
    nearest = progress.part(0.0, 0.6).run(_assign_to_groups, stream, records, stratum, of_group)
    group_of = np.full(len(records), WAITS, dtype=np.int64)
    set_of = of_group.tolist()
    for group in np.unique(nearest[nearest >= 0]).tolist():
        progress.check()
        joining = np.flatnonzero(nearest == group)
        asked = np.maximum(records.needs[joining], stream.pmax[group])
        entering = joining[np.sort(find_largest_group(asked))]
        for row in entering.tolist():
            need = int(records.needs[row])
            stream.add(group, records.points[row], need, records.categories(row), records.known[row])
        group_of[entering] = group
        members.rows[group] += (old + entering).tolist()
        if len(entering):
            set_of += [set_of[group]] * len(stream.split_where_due(group, members.split))
    splits = stream.splits
    first_new = len(of_group)
    founded = 0
    for stratum_index in np.unique(stratum).tolist():
        waiting = np.flatnonzero((stratum == stratum_index) & (group_of == WAITS))
        rows = np.sort(waiting[find_largest_group(records.needs[waiting])])
        if not len(rows):
            continue
        chosen = records.take(rows)
        grouping = progress.part(0.6, 1.0).run(form_groups, chosen.points, chosen.needs, algorithm)
        made_of = first_groups(chosen, grouping.group, blocks, embedding)
        group_of[rows] = stream.count + grouping.group
        members.add_groups(old + rows, grouping.group)
        stream.add_groups(made_of.moments, made_of.more_centres, made_of.counts, made_of.known)
        set_of += [stratum_index] * len(made_of.moments.n)
        founded += len(rows)
    why = {row: NO_GROUP if nearest[row] < 0 else TOO_FEW for row in np.flatnonzero(group_of == WAITS).tolist()}
    group, _ = members.labels(len(of_each))
    family = np.array(members.family, dtype=np.int64)
    origin = np.where(family < first_new, family, WAITS)
    return Added(group[old:], group[:old], why, np.array(set_of, dtype=np.int64), splits, founded, origin)


def _assign_to_groups(stream: GroupStream, records: Arrivals, stratum: Ints, of_group: Ints) -> Ints:
    """Return for each record the index of the nearest group that will be large enough for it, -1 where there is none.

    A group is large enough if its members, the records of this call assigned to it before, and the record itself are as
    many as the record demands; so the order of the records matters. Nothing is changed. Only groups of the record's
    ``stratum`` (part of the table grouped by itself) come into question.
    """
    group_of = np.full(len(records), WAITS, dtype=np.int64)
    coming = np.zeros(stream.count, dtype=np.int64)
    allowed = {stratum_index: of_group == stratum_index for stratum_index in np.unique(stratum).tolist()}
    for row in range(len(records)):
        if row % _CHECK_EVERY == 0:
            progress.report(row / len(records), "progress.method.groups")
        group = stream.nearest(records.points[row], int(records.needs[row]), coming, allowed[int(stratum[row])])
        group_of[row] = group
        if group >= 0:
            coming[group] += 1
    return group_of
