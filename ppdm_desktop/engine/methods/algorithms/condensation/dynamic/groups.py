"""Groups that records join one by one: dynamic condensation (Aggarwal & Yu 2005, section 3).

Only statistics are kept of a group. A record joins the nearest group that is, with it, as large
as the record asks for; a group that has grown enough is split, as if its records lay uniformly
along its longest axis.

The paper splits when a group reaches twice the average of what its members ask (equation 3.2) and
argues that splitting statistics cannot break a promise. It can: a group of six whose strictest
member asks for five becomes two of three, and three artificial records are released where five were
asked for. By the safe rule a group is split when it holds twice what its strictest member asks,
and both parts keep that demand.

Tracks which records are counted in which group while groups split, merge and are founded.

After a split the statistics do not say which part a record is in. For the proof each record is counted in the part on
whose side it lies, as many as the part has; both parts are as large as any of their records demands, so any division
would do.

When a group that records join is split: the safe rule, and the paper's (Aggarwal & Yu 2005, equation 3.2).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.moments import (
    GroupMoments,
    insert_incomplete_record,
    insert_record,
    merge_moments,
    split_moments,
)

SplitRule = Literal["safe", "paper"]
SAFE: SplitRule = "safe"
PAPER_RULE: SplitRule = "paper"


def should_split_group(n: int, pmax: int, psum: float, rule: SplitRule) -> bool:
    """Return whether a group has to be split.

    Parameters
    ----------
    n, pmax, psum
        Its records, the largest group any member asks for, and the sum of what members ask.
    rule
        ``safe``: n is at least 2 pmax, so that both parts are as large as every member asks for.
        ``paper``: n is at least 2 psum / n, twice the average demand (equation 3.2), which leaves
        records in parts that are too small; for reproduction only.
    """
    return n >= 2 * pmax if rule == SAFE else n >= 2 and n * n >= 2 * psum


@dataclass(eq=False)
class GroupStream:
    """Groups known by their statistics, which records join one by one and which split when large enough.

    Attributes
    ----------
    n, pmax, psum
        Shape (capacity,); the first ``count`` are in use.
    mean
        Shape (capacity, D): centres over all coordinates that distances are measured in.
    covariance
        Shape (capacity, d, d), of the first d of them.
    counts
        int64, shape (capacity, C): how often each category occurs in the group.
    blocks
        Shape (columns,): where each block (the values of one column or set) begins in ``counts``.
    rule
        When groups are split.
    splits
        Splits made.
    changed
        bool, shape (capacity,): groups that a record joined, or that came out of a split, a merge or the records that
        waited.
    known
        int64, shape (capacity, d): values there are of each coordinate; n where nothing is missing.
    patterns
        bool, shape (patterns, d): which coordinates have a value in each pattern of gaps. Patterns are the first block
        of ``counts``; no patterns where gaps are not distinguished.
    ranked
        int64, shape (columns,): the coordinate whose known values a block counts, -1 where a block counts every record.
    """

    n: Ints
    pmax: Ints
    psum: Floats
    mean: Floats
    covariance: Floats
    counts: Ints
    blocks: Ints
    rule: SplitRule = SAFE
    count: int = 0
    splits: int = 0
    changed: Bools = field(default_factory=lambda: np.zeros(0, dtype=np.bool_))
    known: Ints = field(default_factory=lambda: np.zeros((0, 0), dtype=np.int64))
    patterns: Bools = field(default_factory=lambda: np.zeros((0, 0), dtype=np.bool_))
    ranked: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))

    @classmethod
    def of(
        cls,
        moments: GroupMoments,
        *,
        more_centres: Floats | None = None,
        counts: Ints | None = None,
        blocks: Ints | None = None,
        rule: SplitRule = SAFE,
        known: Ints | None = None,
        patterns: Bools | None = None,
        ranked: Ints | None = None,
    ) -> GroupStream:
        """Return a stream that starts with copies of existing groups; none is split or marked as changed.

        Parameters
        ----------
        moments
            Their statistics, d coordinates.
        more_centres
            Shape (groups, D - d): the centres' further coordinates (categories).
        counts
            Shape (groups, C): occurrences of each category.
        blocks
            Shape (columns,): where each column's categories begin.
        rule
            When groups are split: ``safe`` or ``paper``, as in `split_where_due`.
        known, patterns, ranked
            As the attributes; left out where nothing is missing. With gaps, a missing value stands at its group's mean
            in the covariances.
        """
        groups, width = moments.mean.shape
        further = np.zeros((groups, 0)) if more_centres is None else more_centres
        return cls(
            moments.n.copy(),
            moments.pmax.copy(),
            moments.psum.astype(np.float64),
            np.hstack([moments.mean, further]),
            moments.covariance.copy(),
            np.zeros((groups, 0), dtype=np.int64) if counts is None else counts.astype(np.int64),
            np.zeros(0, dtype=np.int64) if blocks is None else blocks,
            rule,
            groups,
            0,
            np.zeros(groups, dtype=np.bool_),
            np.repeat(moments.n[:, None], width, axis=1) if known is None else known.astype(np.int64),
            np.zeros((0, width), dtype=np.bool_) if patterns is None else patterns,
            np.full(0 if blocks is None else len(blocks), -1, dtype=np.int64) if ranked is None else ranked,
        )

    @property
    def width(self) -> int:
        """Number d of coordinates with a covariance."""
        return int(self.covariance.shape[1])

    def moments(self) -> GroupMoments:
        """Return copies of the statistics of the groups in use, in order.

        Means have the first ``width`` coordinates (those of the covariances) only.
        """
        used = slice(0, self.count)
        return GroupMoments(
            self.n[used].copy(),
            self.mean[used, : self.width].copy(),
            self.covariance[used].copy(),
            self.pmax[used].copy(),
            self.psum[used].copy(),
        )

    def nearest(self, point: Floats, need: int, waiting: Ints | None = None, allowed: Bools | None = None) -> int:
        """Return the index of the nearest group that is large enough with one more record, -1 where none is.

        Distances are Euclidean, to the groups' centres; of equally near groups the lowest index is returned.

        Parameters
        ----------
        point
            Shape (D,).
        need
            Number of members, the record included, that the group must have.
        waiting
            int64, shape (groups,): records that already wait to join each group, and count as members to be; none when
            left out.
        allowed
            bool, shape (groups,): groups that come into question; all when left out.
        """
        used = slice(0, self.count)
        size = self.n[used] if waiting is None else self.n[used] + waiting[used]
        viable = size + 1 >= need
        if allowed is not None:
            viable &= allowed
        if not viable.any():
            return -1
        apart = self.mean[used] - point
        distance = np.einsum("ij,ij->i", apart, apart)
        distance[~viable] = np.inf
        return int(np.argmin(distance))

    def join(
        self, group: int, point: Floats, need: int, categories: Ints | None = None, present: Bools | None = None
    ) -> list[tuple[int, int]]:
        """Let a record join a group, and split what has grown enough; return the splits like `split_where_due`.

        Parameters
        ----------
        group
            The group.
        point
            Shape (D,).
        need
            The group size that the record asks for.
        categories
            Places in ``counts`` of the record's categories.
        present
            Shape (d,): which of the first coordinates the record has; all when left out.
        """
        self.add(group, point, need, categories, present)
        return self.split_where_due(group)

    def add(
        self, group: int, point: Floats, need: int, categories: Ints | None = None, present: Bools | None = None
    ) -> None:
        """Let a record join a group without splitting it: its size, mean, covariance, demands and counts are updated.

        The group is marked as changed.

        ``point``, shape (D,), are the record's coordinates and ``need`` is the group size it asks for. ``categories``
        are the indexes in ``counts`` that rise by one; none if None. ``present``, shape (d,), says which of the first
        coordinates the record has; all if None.
        """
        width, size = self.width, int(self.n[group])
        before = self.mean[group, :width], self.covariance[group]
        if present is None or (present.all() and (self.known[group] == size).all()):
            _, middle, covariance = insert_record(size, *before, point[:width])
            self.known[group] += 1
        else:
            middle, covariance = insert_incomplete_record(size, self.known[group], *before, point[:width], present)
            self.known[group] += present
        self.mean[group, width:] += (point[width:] - self.mean[group, width:]) / (size + 1)
        self.mean[group, :width], self.covariance[group] = middle, covariance
        self.n[group] = size + 1
        self.pmax[group] = max(int(self.pmax[group]), need)
        self.psum[group] += need
        if categories is not None:
            self.counts[group, categories] += 1
        self.changed[group] = True

    def split_where_due(self, group: int, tell: Callable[[int, int], None] | None = None) -> list[tuple[int, int]]:
        """Split a group, and its parts, as long as the rule says so; return (group, new part) of each split.

        By the rule ``safe`` a group is split if it has at least twice as many records as its largest demand, by
        ``paper`` twice as many as its average demand. Empty without a split.

        Parameters
        ----------
        group
            The group.
        tell
            Called after each split with the group, which keeps the first part, and the index of the new part.
        """
        made = []
        due = [group]
        while due:
            split_group = due.pop()
            if should_split_group(
                int(self.n[split_group]), int(self.pmax[split_group]), float(self.psum[split_group]), self.rule
            ):
                new = self._split_group(split_group)
                made.append((split_group, new))
                if tell is not None:
                    tell(split_group, new)
                due += [split_group, new]
        return made

    def merge(self, first: int, second: int) -> int:
        """Merge the second group into the first; return the index of the merged group.

        The last group takes the index of the second, so a merged group that was the last comes back with that index.
        The merged group is marked as changed.
        """
        width = self.width
        sizes = int(self.n[first]), int(self.n[second])
        middle, self.covariance[first] = merge_moments(
            (sizes[0], self.known[first], self.mean[first, :width], self.covariance[first]),
            (sizes[1], self.known[second], self.mean[second, :width], self.covariance[second]),
        )
        further = self.mean[[first, second], width:]
        self.mean[first, width:] = (sizes[0] * further[0] + sizes[1] * further[1]) / sum(sizes)
        self.mean[first, :width] = middle
        for name in ("n", "psum", "counts", "known"):
            values = getattr(self, name)
            values[first] += values[second]
        self.pmax[first] = max(int(self.pmax[first]), int(self.pmax[second]))
        self.changed[first] = True
        last = self.count - 1
        for name in self._arrays:
            values = getattr(self, name)
            values[second] = values[last]
        self.count = last
        return second if first == last else first

    def add_groups(
        self, moments: GroupMoments, more_centres: Floats, counts: Ints, known_counts: Ints | None = None
    ) -> None:
        """Add new groups behind the existing ones, made of records that could not join any.

        They are marked as changed. ``more_centres`` and ``counts`` as in `of`, a row for each new group;
        ``known_counts``, shape (groups, d), are the values there are of each coordinate, as many as records where None.
        """
        groups = len(moments.n)
        self._enlarge_arrays(groups)
        new = slice(self.count, self.count + groups)
        self.n[new], self.pmax[new], self.psum[new] = moments.n, moments.pmax, moments.psum
        self.mean[new] = np.hstack([moments.mean, more_centres])
        self.covariance[new], self.counts[new], self.changed[new] = moments.covariance, counts, True
        self.known[new] = moments.n[:, None] if known_counts is None else known_counts
        self.count += groups

    def _split_group(self, group: int) -> int:
        """Split a group in two halves along its longest axis; return the index of the second part.

        The parts' statistics are estimated as if its records were spread evenly along the axis. The group keeps the
        first part, of n // 2 records; both keep the largest demand, and the centre's further coordinates (categories).
        Counts of values are divided in proportion. Both parts are marked as changed.
        """
        self._enlarge_arrays(1)
        new, size, width = self.count, int(self.n[group]), self.width
        first, second = split_moments(
            size, self.mean[group, :width], self.covariance[group], float(self.psum[group]), size // 2
        )
        self.mean[new] = self.mean[group]
        for index, part in ((group, first), (new, second)):
            self.n[index], self.psum[index] = part.n, part.psum
            self.mean[index, :width], self.covariance[index] = part.mean, part.covariance
            self.changed[index] = True
        self.pmax[new] = self.pmax[group]
        lower = count_first_part(
            self.counts[group], self.blocks, self.patterns, self.ranked, self.known[group], first.n, size
        )
        self.counts[new] = self.counts[group] - lower
        self.counts[group] = lower
        if len(self.patterns):
            of_first = lower[: len(self.patterns)] @ self.patterns
            self.known[new] = self.known[group] - of_first
            self.known[group] = of_first
        else:
            self.known[group], self.known[new] = first.n, size - first.n
        self.count += 1
        self.splits += 1
        return new

    _arrays = ("n", "pmax", "psum", "mean", "covariance", "counts", "changed", "known")

    def _enlarge_arrays(self, more: int) -> None:
        """Enlarge the arrays, where needed, so that ``more`` groups fit; they are at least doubled."""
        shortfall = self.count + more - len(self.n)
        if shortfall <= 0:
            return
        extra = max(shortfall, len(self.n))
        for name in self._arrays:
            old = getattr(self, name)
            setattr(self, name, np.concatenate([old, np.zeros((extra, *old.shape[1:]), dtype=old.dtype)]))


def count_first_part(
    counts: Ints, blocks: Ints, patterns: Bools, ranked: Ints, known_counts: Ints, first: int, size: int
) -> Ints:
    """Return how often each value occurs in the first part of a split group, int64, shape (C,).

    The values of every column are divided in proportion, rounded as by ``apportion_counts``. A pattern is a set of
    columns that have a value. With missing values, the known values of an ordinal column follow the share of the
    patterns of missing values, so that each part has as many values as its patterns say.

    Parameters
    ----------
    counts
        Shape (C,): the whole group's.
    blocks
        Shape (columns,): where each column's values begin.
    patterns
        Shape (patterns, d): which coordinates have a value in each pattern, the first values of ``counts``; no patterns
        where gaps are not distinguished.
    ranked
        Shape (columns,): the coordinate whose known values a block counts, else -1.
    known_counts
        Shape (d,): values the whole group has of each coordinate.
    first, size
        Records of the first part and of both.
    """
    if not len(patterns):
        return apportion_counts(counts, blocks, first, size)
    ends = [*blocks.tolist()[1:], len(counts)]
    lower: Ints = np.zeros(len(counts), dtype=np.int64)
    for start, end, column in zip(blocks.tolist(), ends, ranked.tolist(), strict=True):
        of_first, of_both = first, size
        if column >= 0:
            of_first, of_both = int(lower[: len(patterns)] @ patterns[:, column]), int(known_counts[column])
        if of_both:
            lower[start:end] = apportion_counts(counts[start:end], np.zeros(1, dtype=np.int64), of_first, of_both)
    return lower


def apportion_counts(counts: Ints, blocks: Ints, first: int, size: int) -> Ints:
    """Return the first part's count of each category: in proportion, by largest remainders, of ties the lower index.

    Of counts 3 and 2 a first part of 2 of the 5 records gets 1 and 1 (exactly 1.2 and 0.8).

    Parameters
    ----------
    counts
        Shape (C,); the counts of one column (a block) sum to ``size``.
    blocks
        Shape (columns,): where each column's categories begin.
    first
        Records of the first part.
    size
        Records of both.
    """
    exact = counts * (first / size)
    lower: Ints = np.floor(exact).astype(np.int64)
    for start, end in itertools.pairwise([*blocks, len(counts)]):
        shortfall = first - int(lower[start:end].sum())
        largest = np.argsort(lower[start:end] - exact[start:end], kind="stable")[:shortfall]
        lower[start + largest] += 1
    return lower


class Members:
    """The records that are counted in each group.

    Parameters
    ----------
    points
        Shape (records, at least d): where all records lie that may become members.
    group
        Each record's group at the beginning, -1 for those that come later.
    stream
        The groups; informed of every split and merge after it was made there.
    """

    def __init__(self, points: Floats, group: Ints, stream: GroupStream) -> None:
        """Start with the ``group`` of each record: the index of a group of the stream, or -1 for those that come later.

        Each group is a family of its own so far; groups of one family come out of one another by splits and merges.
        """
        self._points, self._stream = points, stream
        self.rows: list[list[int]] = [np.flatnonzero(group == index).tolist() for index in range(stream.count)]
        self.family = list(range(stream.count))
        self._families = stream.count

    def split(self, old: int, new: int) -> None:
        """Divide a group's records between its two parts, which the stream has split, by the side on which they lie.

        The sides are those along the line between the parts' means. ``old`` keeps as many records as the stream says;
        ``new`` is the index behind the last group, and gets the family of ``old``.
        """
        stream, rows = self._stream, np.array(self.rows[old], dtype=np.int64)
        along = (stream.mean[new] - stream.mean[old])[: stream.width]
        order = np.argsort(self._points[:, : stream.width][rows] @ along, kind="stable")
        first = int(stream.n[old])
        self.rows[old] = rows[order[:first]].tolist()
        self.rows.append(rows[order[first:]].tolist())
        self.family.append(self.family[old])

    def add_groups(self, rows: Ints, group: Ints) -> None:
        """Add new groups with their records, numbered after the existing ones; each is a family of its own.

        Groups of one family come out of one another by splits and merges. ``group`` holds, for each of ``rows``, the
        number of its new group from 0.
        """
        for index in range(int(group.max()) + 1):
            self.rows.append(rows[group == index].tolist())
            self.family.append(self._families)
            self._families += 1

    def merge(self, first: int, second: int) -> None:
        """Merge the second group's records into the first group; the last group takes the free index.

        The stream must have merged them before. The families of both become one: groups of one family came out of one
        another by splits and merges.
        """
        self.rows[first] += self.rows[second]
        joined = self.family[second]
        self.family = [self.family[first] if family == joined else family for family in self.family]
        self.rows[second], self.family[second] = self.rows[-1], self.family[-1]
        del self.rows[-1], self.family[-1]

    def labels(self, count: int) -> tuple[Ints, Ints]:
        """Return the group and the family of the first ``count`` records, int64, -1 for records in no group.

        Groups of one family came out of one another by splits and merges.
        """
        group, family = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
        for at, rows in enumerate(self.rows):
            group[rows], family[rows] = at, self.family[at]
        return group, family
