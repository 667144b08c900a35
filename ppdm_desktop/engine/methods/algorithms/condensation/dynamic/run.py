"""Dynamic condensation of a set of records: the first ones grouped, the others joining one by one.

C. C. Aggarwal and P. S. Yu, SIAM SDM 2005, section 3. The order of joining is given by the caller.
Records that find no group large enough wait. When all have come, those for whom a group has
grown large enough meanwhile join it, the others form groups of their own where enough of them
wait, and the rest joins the nearest group, which is merged with its nearest groups first until
it is large enough. So nobody is left out, and by the safe rule nobody is in a group smaller than
asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import fill_missing_values
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream, Members, SplitRule
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import form_groups
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments, group_moments
from ppdm_desktop.engine.methods.algorithms.condensation.values import ValueBlocks

_CHECK_EVERY = 64


@dataclass(frozen=True, eq=False)
class Arrivals:
    """Records in the order in which they arrive.

    Attributes
    ----------
    points
        Shape (records, D): the d regenerated coordinates, then the further ones.
    known
        Shape (records, d).
    places
        Shape (records, blocks): each record's place in every block of counts, -1 for none.
    needs
        The group each asks for.
    """

    points: Floats
    known: Bools
    places: Ints
    needs: Ints

    def __len__(self) -> int:
        """Return the number of records."""
        return len(self.needs)

    def take(self, rows: Ints) -> Arrivals:
        """Return the records at these indexes."""
        return Arrivals(self.points[rows], self.known[rows], self.places[rows], self.needs[rows])

    def categories(self, row: int) -> Ints:
        """Return the indexes of the values that a record has among all counted values, without missing ones."""
        places = self.places[row]
        return np.asarray(places[places >= 0])


@dataclass(frozen=True, eq=False)
class FirstGroups:
    """Statistics of groups whose records are known."""

    moments: GroupMoments
    known: Ints
    counts: Ints
    more_centres: Floats


def first_groups(records: Arrivals, group: Ints, blocks: ValueBlocks, embedding: Floats) -> FirstGroups:
    """Return each group's moments, known numbers, value counts and further coordinates of its centre.

    Missing numbers count as the group's mean. Further coordinates are the mean over the members of the sum of their
    values' rows in ``embedding``, the coordinates that each counted value adds. ``group`` is each record's group, 0 and
    up without gaps.
    """
    filled = fill_missing_values(records.points[:, : records.known.shape[1]], records.known, group)
    moments = group_moments(filled.points, group, records.needs)
    counts = blocks.counts(records.places, group, len(moments.n))
    return FirstGroups(moments, filled.known, counts, counts @ embedding / moments.n[:, None])


def find_largest_group(needs: Ints) -> Ints:
    """Return the indexes of the largest set of records that can form one group, those with the smallest demands first.

    A set can if it is as large as each member demands: of demands 2, 2 and 5 the first two are returned. Of equal
    demands the lower index comes first. The result is empty if no set can, as with demands 2, 3 and 4.
    """
    order = np.argsort(needs, kind="stable").astype(np.int64)
    fits = np.flatnonzero(needs[order] <= np.arange(1, len(needs) + 1))
    return order[: int(fits[-1]) + 1] if len(fits) else order[:0]


@dataclass(frozen=True, eq=False)
class Streamed:
    """The result of condensing a stream of records.

    Attributes
    ----------
    stream
        The groups.
    group
        Each record's group.
    family
        Each record's family: groups that came out of one another. The counts of a family's
        groups together are those of its records.
    first
        Records that were grouped before the others came.
    waited, founded, merges
        Records that found no group when they came, how many of them formed groups of their own,
        and how many groups were merged for the rest.
    """

    stream: GroupStream
    group: Ints
    family: Ints
    first: int
    waited: int
    founded: int
    merges: int


def count_first_records(needs: Ints, wanted: int) -> int:
    """Return how many records are grouped first: at least 1, ``wanted`` and the largest demand among these.

    ``wanted`` above the number of records counts as that number. With the demands 2, 5, 2, 2, 3, 2 and ``wanted`` 2 it
    is 5, because the second record asks for a group of 5.
    """
    count = max(1, min(wanted, len(needs)))
    while (strictest := int(needs[:count].max())) > count:
        count = strictest
    return count


def condense_stream(
    records: Arrivals, blocks: ValueBlocks, embedding: Floats, *, first: int, algorithm: str, rule: SplitRule
) -> Streamed:
    """Group the first records and let the others join one by one; return the groups and each record's group.

    Groups are split whenever they are twice as large as their largest demand or, with the rule ``paper``, their average
    one. Records that no group is large enough for wait and try again after the others, as long as one of them joins. Of
    those still waiting, as many as are enough for each other form new groups. Each of the rest joins the nearest group,
    after groups were merged until one is large enough; a single group left takes all of them. The result also has each
    record's family (groups split from or merged with one another share one), and the numbers of first and of waiting
    records, of records in new groups, and of merges.

    Parameters
    ----------
    records
        In the order in which they come; at least as many as the strictest asks for.
    blocks, embedding
        The values that are counted, and what each counts in distances.
    first
        The paper's InitNumber: how many records are grouped first; more if one of them asks for a larger group.
    algorithm
        How they are grouped.
    rule
        When groups are split.
    """
    count = count_first_records(records.needs, first)
    start = records.take(np.arange(count))
    grouping = progress.part(0.0, 0.3).run(form_groups, start.points, start.needs, algorithm)
    begun = first_groups(start, grouping.group, blocks, embedding)
    gaps = not records.known.all()
    stream = GroupStream.of(
        begun.moments,
        more_centres=begun.more_centres,
        counts=begun.counts,
        blocks=blocks.starts,
        rule=rule,
        known=begun.known,
        patterns=blocks.known if gaps else None,
        ranked=blocks.ranked,
    )
    run = _Run(records, stream, Members(records.points, grouping.group, stream))
    for group in range(stream.count):
        run.split(group)
    waiting = progress.part(0.3, 0.95).run(run.join_all, range(count, len(records)))
    waited = len(waiting)
    left = waiting
    while left and len(still := run.join_all(left)) < len(left):
        left = still
    together = find_largest_group(records.needs[left]) if left else np.zeros(0, dtype=np.int64)
    if len(together):
        run.add_groups(np.array(left, dtype=np.int64)[together], blocks, embedding, algorithm)
    rest = [left[at] for at in np.setdiff1d(np.arange(len(left)), together).tolist()]
    merges = run.merge_to_fit(sorted(rest, key=lambda row: (-int(records.needs[row]), row)))
    return Streamed(stream, *run.members.labels(len(records)), count, waited, len(together), merges)


@dataclass(eq=False)
class _Run:
    """The groups while records join and leave, with the records of each group."""

    records: Arrivals
    stream: GroupStream
    members: Members

    def split(self, group: int) -> None:
        """Split a group in the statistics and in the list of members, as long as the rule for splits says so."""
        self.stream.split_where_due(group, self.members.split)

    def join(self, group: int, row: int, *, split: bool = True) -> None:
        """Let a record join a group, and by default split the group as long as the rule for splits says so.

        ``group`` and ``row`` are indexes; the record's group afterwards may be a new part.
        """
        records = self.records
        need = int(records.needs[row])
        self.stream.add(group, records.points[row], need, records.categories(row), records.known[row])
        self.members.rows[group].append(row)
        if split:
            self.split(group)

    def join_all(self, rows: range | list[int]) -> list[int]:
        """Let records join their nearest groups in order, splitting these where due; return those that found no group.

        Records are given and returned by row index. A group is considered only if it has as many members as the
        newcomer asks for, the newcomer counted.
        """
        waiting = []
        for done, row in enumerate(rows):
            if done % _CHECK_EVERY == 0:
                progress.report(done / len(rows), "progress.method.groups")
            group = self.stream.nearest(self.records.points[row], int(self.records.needs[row]))
            if group < 0:
                waiting.append(row)
            else:
                self.join(group, row)
        return waiting

    def add_groups(self, rows: Ints, blocks: ValueBlocks, embedding: Floats, algorithm: str) -> None:
        """Form new groups of the records with the indexes ``rows`` and add them to the stream.

        Those that are large enough by the rule for splits (twice as large as their largest demand, or average one) are
        split at once.
        """
        records = self.records.take(rows)
        grouping = progress.part(0.95, 1.0).run(form_groups, records.points, records.needs, algorithm)
        made = first_groups(records, grouping.group, blocks, embedding)
        before = self.stream.count
        self.stream.add_groups(made.moments, made.more_centres, made.counts, made.known)
        self.members.add_groups(rows, grouping.group)
        for group in range(before, self.stream.count):
            self.split(group)

    def merge_to_fit(self, rows: list[int]) -> int:
        """Let each record join the nearest group that is large enough with it; return the number of merges.

        Where there is none, the group nearest to the record is merged with the group that raises the sum of squares
        least, until one is. A group that a record joined is split where due. ``rows`` are taken in order. If a single
        group is left and still too small, all remaining records join it, and it is split only after that.
        """
        merges = 0
        stream = self.stream
        while rows:
            progress.check()
            row, need = rows[0], int(self.records.needs[rows[0]])
            group = stream.nearest(self.records.points[row], need)
            if group >= 0:
                self.join(group, row)
                rows = rows[1:]
            elif stream.count > 1:
                self._merge_nearest(self.records.points[row])
                merges += 1
            else:
                # One group is left, and it is large enough once all the rest have joined.
                for kept_row in rows:
                    self.join(0, kept_row, split=False)
                self.split(0)
                rows = []
        return merges

    def _merge_nearest(self, point: Floats) -> None:
        """Merge the group nearest to a point with the group that raises the sum of squares least (Ward).

        The point is a record's coordinates, shape (D,). Statistics and lists of members are changed. There must be at
        least two groups; ties go to the lower index.
        """
        stream = self.stream
        nearest = stream.nearest(point, 0)
        sizes, centres = stream.n[: stream.count], stream.mean[: stream.count]
        cost = ((centres - centres[nearest]) ** 2).sum(axis=1) * sizes * sizes[nearest] / (sizes + sizes[nearest])
        cost[nearest] = np.inf
        neighbour = int(np.argmin(cost))
        stream.merge(nearest, neighbour)
        self.members.merge(nearest, neighbour)
