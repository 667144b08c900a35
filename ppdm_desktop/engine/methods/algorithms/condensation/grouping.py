"""Forms groups for condensation: by the paper's procedure, by faster and closer ones, or by the best of them.

Aggarwal and Yu 2005, section 2: the size of a record's group is at least the group size that the record asks for (its
privacy level), and the information lost is the sum of squared distances to the group means (SSQ).

The paper's grouping has three parts, Segment, Cannibalize and Attrition, repeated for one level after the other.

C. C. Aggarwal and P. S. Yu, On Variable Constraints in Privacy Preserving Data Mining, SIAM SDM 2005, section 2,
Figures 2 to 5. The paper leaves some questions open; they are settled so that every record's group is at least as
large as its level asks:

- A level with fewer records than it asks for forms no group; its records go on to the next level. Records left at the
  highest level become a group that is merged with its nearest.
- The condition "fewer than p-1 members" is tested for each group against its own level, not for all groups together,
  which would dissolve every lower level. As no group is ever left smaller than its level, the condition is never met.
- Cannibalize moves records only into full groups of the level, and only where the sum of squares falls, counted
  exactly: n/(n+1) d^2 for each record, with the centre moving at once.
- Attrition moves only records beyond the level's size, and only into groups that have at least p(i) records including
  the newcomer.
- "Sample a data point" takes the lowest row left, so that a run can be repeated.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints, find_first_largest, on_grid
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.grouping.kd_batches import kd_batch_groups
from ppdm_desktop.engine.methods.algorithms.grouping.near_points import NearPoints
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import pca_tree_groups
from ppdm_desktop.engine.methods.algorithms.grouping.refinement import (
    ROUNDS,
    check_sizes,
    refine,
    renumber_groups,
    within_ssq,
)
from ppdm_desktop.engine.wording.texts import level_title
from ppdm_desktop.engine.wording.values import Name, Value

_CELLS = 4_000_000
"""Distances computed at once, about 32 MB."""


def squared_distances(points: Floats, centres: Floats) -> Floats:
    """Return the squared Euclidean distance of each point to each centre, float64, shape (points, centres)."""
    from scipy.spatial.distance import cdist

    return np.asarray(cdist(points, centres, "sqeuclidean"))


def find_nearest_centres(points: Floats, centres: Floats) -> tuple[Ints, Floats]:
    """Return the index of each point's nearest centre (the lowest of ties), and the squared distance to it.

    Both have shape (points,).
    """
    which = np.empty(len(points), dtype=np.int64)
    least = np.empty(len(points))
    block = max(1, _CELLS // max(1, len(centres)))
    for start in range(0, len(points), block):
        part = slice(start, start + block)
        distances = squared_distances(points[part], centres)
        which[part] = distances.argmin(axis=1)
        least[part] = np.take_along_axis(distances, which[part][:, None], axis=1)[:, 0]
    return which, least


class Clusters:
    """Groups under construction, with members and centres; a dissolved group keeps its number, without members.

    Parameters
    ----------
    points
        Standardised values of all records, (records, columns).

    Attributes
    ----------
    sizes
        Number of members of each group.
    centres
        Mean of each group's members, (groups, columns).
    """

    def __init__(self, points: Floats) -> None:
        """Start without groups; at most as many groups as points can be added."""
        self.points = points
        self._members: list[list[int]] = []
        self._sizes = np.zeros(len(points), dtype=np.int64)
        self._centres = np.zeros_like(points)

    @property
    def sizes(self) -> Ints:
        """Number of members of each group, int64, shape (groups,)."""
        return self._sizes[: len(self._members)]

    @property
    def centres(self) -> Floats:
        """Mean of each group's members, float64, shape (groups, columns); of a dissolved group its last mean."""
        return self._centres[: len(self._members)]

    def members(self, number: int) -> Ints:
        """Return the row indexes of a group's records, in the order in which they joined."""
        return np.asarray(self._members[number], dtype=np.int64)

    def form(self, rows: Ints) -> int:
        """Make a new group of the records with these row indexes and return its number, counted from 0."""
        number = len(self._members)
        self._members.append(rows.tolist())
        self._recompute_cluster(number)
        return number

    def join(self, row: int, number: int) -> None:
        """Add the record ``row`` to the group ``number``, and move the group's centre to the new mean.

        If the record is in a different group, it stays there too until that group is dissolved.
        """
        self._members[number].append(row)
        self._sizes[number] += 1
        self._centres[number] += (self.points[row] - self._centres[number]) / self._sizes[number]

    def move(self, rows: Ints, sources: Ints, targets: Ints) -> None:
        """Move record ``rows[i]`` from group ``sources[i]`` to group ``targets[i]``, for all i at once.

        Sizes and centres are updated. No group may lose all its members.
        """
        for row, source, target in zip(rows.tolist(), sources.tolist(), targets.tolist(), strict=True):
            self._members[source].remove(row)
            self._members[target].append(row)
        for number in np.unique(np.concatenate([sources, targets])).tolist():
            self._recompute_cluster(number)

    def dissolve(self, number: int) -> None:
        """Remove all members from a group; they must have joined other groups before."""
        self._members[number] = []
        self._sizes[number] = 0

    def labels(self) -> Ints:
        """Return each record's group, from 0 without gaps in order of formation; -1 for a record without a group."""
        labels = np.full(len(self.points), -1, dtype=np.int64)
        filled = [members for members in self._members if members]
        for number, members in enumerate(filled):
            labels[members] = number
        return labels

    def _recompute_cluster(self, number: int) -> None:
        """Recompute size and centre from the members, so that rounding errors do not accumulate."""
        members = self._members[number]
        self._sizes[number] = len(members)
        self._centres[number] = self.points[members].mean(axis=0)


_KEPT_DEAD = 0.25
"""Share of taken records above which the arrays are compacted; doing it each time costs more than it saves."""


class Pool:
    """Records that are in no group yet, with the search for those nearest to a record.

    Parameters
    ----------
    points
        Standardised values of all records, (records, columns).
    rows
        Row indexes of the records in the pool, ascending.
    """

    def __init__(self, points: Floats, rows: Ints) -> None:
        """Put the records ``rows`` of all ``points`` into the pool."""
        self._left = len(rows)
        self._store_records(points[rows], rows)

    def _store_records(self, points: Floats, rows: Ints) -> None:
        """Replace the stored records by these, all of them untaken, and prepare the search for near records.

        ``rows`` are the record indices of the ``points``.
        """
        self._rows, self._near = rows, NearPoints(points)
        self._gone = np.zeros(len(rows), dtype=np.bool_)

    def __len__(self) -> int:
        """Return the number of records not yet taken."""
        return self._left

    @property
    def rows(self) -> Ints:
        """Row indexes of the records still in the pool, ascending."""
        return np.asarray(self._rows[~self._gone])

    def holds(self, row: int) -> bool:
        """Return whether a record is still in the pool."""
        index = int(np.searchsorted(self._rows, row))
        return index < len(self._rows) and self._rows[index] == row and not self._gone[index]

    def take_around(self, row: int, size: int) -> Ints:
        """Remove a record and its nearest ones, ``size`` in all, from the pool and return their row indexes.

        The pool holds the records that are not in a group yet. The indexes are ascending; of equally near records the
        lower row is taken. ``row`` must be in the pool, and ``size`` at most the number of records there.
        """
        seed = int(np.searchsorted(self._rows, row))
        near = self._near.likely(np.array([seed]), size)[1]
        distances = self._near.apart(np.full(len(near), seed), near)
        distances[near == seed] = -1.0  # before its own duplicates
        edge = np.partition(distances, size - 1)[size - 1]
        among = distances < edge
        shortfall = size - int(np.count_nonzero(among))
        among[np.flatnonzero(distances == edge)[:shortfall]] = True
        chosen = near[among]
        taken = self._rows[chosen]
        self._gone[chosen] = True
        self._near.leave_out(chosen)
        self._left -= size
        if self._left < (1 - _KEPT_DEAD) * len(self._rows):
            self._store_records(self._near.points[~self._gone], self._rows[~self._gone])
        return np.asarray(taken)


# --- paper --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class PaperGroups:
    """The groups of the paper's procedure, and how often it had to be repaired.

    Attributes
    ----------
    group
        Each record's group, 0 and up without gaps.
    carried
        Records that a privacy level could not group and passed on, counted once for each level passed.
    merges
        Number of groups merged at the end because they were smaller than a member asks for.
    dissolved
        Number of groups that Cannibalize dissolved into groups of higher levels.
    moved
        Number of records that Attrition moved to groups of lower levels.
    """

    group: Ints
    carried: int
    merges: int
    dissolved: int
    moved: int

    @property
    def repairs(self) -> int:
        """Number of carried records plus merges: how often the printed procedure would have left a group too small."""
        return self.carried + self.merges


def paper_groups(points: Floats, needs: Ints) -> PaperGroups:
    """Return groups formed by the paper's ConstructGroups (Figure 2), corrected so that every demand is met.

    A record's demand is the group size it asks for. Starting with the smallest demand, records of equal demand form
    groups of that size, earlier groups are dissolved into these where the sum of squares falls, and records beyond the
    size move to nearer earlier groups. Records too few for a group go on to the next demand, and in the end groups
    that are too small are merged. The result counts these events. Time grows with the square of the number of records.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest demand.
    needs
        How large a group each record asks for, 1 or more.
    """
    clusters = Clusters(points)
    lower = np.empty(0, dtype=np.int64)
    waiting = np.empty(0, dtype=np.int64)
    carried = dissolved = moved = done = 0
    for level in np.unique(needs).tolist():
        level_rows = np.flatnonzero(needs == level)
        with progress.part(done / len(points), (done + len(level_rows)) / len(points)):
            done += len(level_rows)
            upper, waiting = progress.part(0.0, 0.4).run(
                _form_level_groups, clusters, np.union1d(waiting, level_rows), level
            )
            carried += len(waiting)
            if len(upper):
                dissolved += progress.part(0.4, 0.9).run(_dissolve_lower_groups, clusters, lower, upper)
                lower = lower[clusters.sizes[lower] > 0]
                moved += _move_excess_records(clusters, lower, upper, level, needs)
            lower = np.concatenate([lower, upper])
    if len(waiting):
        clusters.form(waiting)
    group, merges = merge_to_size(points, needs, clusters.labels())
    return PaperGroups(group, carried, merges, dissolved, moved)


def _form_level_groups(clusters: Clusters, rows: Ints, level: int) -> tuple[Ints, Ints]:
    """Form groups of ``level`` records from ``rows`` (Figure 3); return their numbers and the records without a group.

    ``level`` is a group size that a privacy level demands. In the order of rows, each free record forms a group with
    its ``level`` - 1 nearest free records; fewer than ``level`` left over join the nearest new group. Records remain
    without a group only where none could be formed. ``clusters`` is changed in place.
    """
    pool = Pool(clusters.points, rows)
    made: list[int] = []
    for row in rows.tolist():
        if len(pool) < level:
            break
        if not pool.holds(row):
            continue
        if len(made) % 16 == 0:
            progress.report(1 - len(pool) / len(rows), "progress.method.groups")
        made.append(clusters.form(pool.take_around(row, level)))
    upper = np.asarray(made, dtype=np.int64)
    if not made:
        return upper, pool.rows
    for row in pool.rows.tolist():
        which, _ = find_nearest_centres(clusters.points[[row]], clusters.centres[upper])
        clusters.join(row, int(upper[which[0]]))
    return upper, np.empty(0, dtype=np.int64)


def _dissolve_lower_groups(clusters: Clusters, lower: Ints, upper: Ints) -> int:
    """Dissolve lower levels' groups into this level's where the sum of squares falls (Figure 4); return how many.

    A level is a group size that records demand. Each member of a dissolved group joins the nearest group of this level.
    ``lower`` and ``upper`` are the numbers of the groups of lower levels and of this one; ``clusters`` is changed in
    place.
    """
    centres = clusters.centres[upper].copy()
    sizes = clusters.sizes[upper].astype(np.float64)
    dissolved = 0
    for step, number in enumerate(lower.tolist()):
        if step % 32 == 0:
            progress.report(step / len(lower), "progress.method.groups")
        rows = clusters.members(number)
        members = clusters.points[rows]
        spread = float(((members - clusters.centres[number]) ** 2).sum())
        targets = _find_better_groups(members, spread, centres, sizes)
        if targets is None:
            continue
        for row, target in zip(rows.tolist(), targets, strict=True):
            clusters.join(row, int(upper[target]))
            centres[target] = clusters.centres[upper[target]]
            sizes[target] += 1
        clusters.dissolve(number)
        dissolved += 1
    return dissolved


def _find_better_groups(members: Floats, spread: float, centres: Floats, sizes: Floats) -> list[int] | None:
    """Return the group that each member would move to if their group is dissolved; None where this is no gain.

    Groups are given as rows of ``centres``. It is no gain where the sum of squares would not fall. Each member goes to
    the nearest group, whose centre and size include the members that moved before; nothing is changed. ``spread`` is
    the members' sum of squares in their present group; ``centres`` and ``sizes`` are those of the groups.
    """
    distances = squared_distances(members, centres)
    moved: dict[int, tuple[Floats, float]] = {}
    targets: list[int] = []
    cost = 0.0
    for index, member in enumerate(members):
        for target, (centre, _) in moved.items():
            distances[index, target] = ((member - centre) ** 2).sum()
        target = int(distances[index].argmin())
        centre, size = moved.get(target, (centres[target], sizes[target]))
        cost += size / (size + 1) * float(distances[index, target])
        if cost >= spread:
            return None
        moved[target] = (centre + (member - centre) / (size + 1), size + 1)
        targets.append(target)
    return targets


def _move_excess_records(clusters: Clusters, lower: Ints, upper: Ints, level: int, needs: Ints) -> int:
    """Move surplus records of this level's groups to nearer lower groups (Figure 5); return how many moved.

    The level is the group size that this level's records demand. All moves are decided before any is made. A record
    moves only to a group that is large enough for it. Receiving groups only grow, so they stay large enough.

    A group with more than ``level`` records has a surplus; the records that gain most move, and only where the new
    centre is nearer.
    """
    full = upper[clusters.sizes[upper] > level]
    if not len(full) or not len(lower):
        return 0
    rows = np.concatenate([clusters.members(number) for number in full.tolist()])
    home = np.repeat(full, clusters.sizes[full])
    target = np.full(len(rows), -1, dtype=np.int64)
    improve = np.full(len(rows), -np.inf)
    for need in np.unique(needs[rows]).tolist():
        viable = lower[clusters.sizes[lower] + 1 >= need]
        if not len(viable):
            continue
        asking = np.flatnonzero(needs[rows] == need)
        points = clusters.points[rows[asking]]
        which, there = find_nearest_centres(points, clusters.centres[viable])
        here = ((points - clusters.centres[home[asking]]) ** 2).sum(axis=1)
        target[asking] = viable[which]
        improve[asking] = np.sqrt(here) - np.sqrt(there)
    order = np.lexsort((rows, -improve, home))
    _, first = np.unique(home[order], return_index=True)
    starts = np.repeat(first, np.diff(np.append(first, len(order))))
    rank = np.arange(len(order)) - starts
    leaving = order[(rank < clusters.sizes[home[order]] - level) & (improve[order] > 0)]
    clusters.move(rows[leaving], home[leaving], target[leaving])
    return len(leaving)


def merge_to_size(points: Floats, needs: Ints, group: Ints) -> tuple[Ints, int]:
    """Return each record's group, from 0, after merging groups smaller than a member demands, and the number of merges.

    While a group is too small, the smallest such group joins the group with which the sum of squares grows least: n1
    n2 / (n1 + n2) |c1 - c2|^2 (Ward). Each merge leaves a group fewer, so it ends; it succeeds wherever there are as
    many records as the largest demand. Ties go to the lower number.

    Parameters
    ----------
    points
        Standardised values, (records, columns).
    needs
        How large a group each record asks for; none above the number of records.
    group
        Each record's group, 0 and up without gaps.
    """
    sizes = np.bincount(group)
    centres = np.zeros((len(sizes), points.shape[1]))
    np.add.at(centres, group, points)
    centres /= sizes[:, None]
    most = np.zeros(len(sizes), dtype=np.int64)
    np.maximum.at(most, group, needs)
    into = np.arange(len(sizes))
    merges = 0
    while True:
        progress.check()
        short = np.flatnonzero((sizes > 0) & (sizes < most))
        if not len(short):
            break
        smallest = int(short[sizes[short].argmin()])
        candidates = np.flatnonzero(sizes > 0)
        candidates = candidates[candidates != smallest]
        apart = ((centres[candidates] - centres[smallest]) ** 2).sum(axis=1)
        growth = sizes[candidates] * sizes[smallest] / (sizes[candidates] + sizes[smallest]) * apart
        partner = int(candidates[growth.argmin()])
        total = sizes[smallest] + sizes[partner]
        centres[partner] += (centres[smallest] - centres[partner]) * (sizes[smallest] / total)
        sizes[partner], sizes[smallest] = total, 0
        most[partner] = max(most[smallest], most[partner])
        into[into == smallest] = partner
        merges += 1
    return np.asarray(np.unique(into[group], return_inverse=True)[1].reshape(-1)), merges


# --- grouping -----------------------------------------------------------------------------

PAPER, TREE, TOP_DOWN, BEST = "segment-cannibalize-attrition", "tree", "top-down", "best-of"
ALGORITHMS = (PAPER, TREE, TOP_DOWN, BEST)
BLOCKS = f"{PAPER}-in-blocks"
"""Cannot be chosen: ``best-of`` tries it on large tables with several demands."""
REFINED = "-refined"

QUADRATIC_LIMIT = 20_000
"""Most records for searches whose time grows with the square of their number."""
_PASSES = 3
LARGE_LIMIT = 200_000
"""With more records only one search and one short pass of exchanges run."""
LARGE_SPACE = 4_000_000
"""Above so many coordinates one short pass of exchanges has to do, too."""
_FEW_ROUNDS = 15


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups in which every record's demand is met.

    Attributes
    ----------
    group
        Each record's group, 0 to the number of groups less one.
    algorithm
        The algorithm that found the groups; for ``best-of`` the one with the best result.
    ssq
        Sum of squared distances of the records to their group's mean.
    ssq_share
        ``ssq`` divided by the sum of squared distances to the mean of all records; 0 where all records are equal.
    repairs
        How often the paper's procedure had to be corrected (records carried to a higher level, groups merged); 0 where
        a different algorithm found the groups.
    tried
        The SSQ of each algorithm that ran, by its name; after refinement, by its name followed by ``-refined``.
    """

    group: Ints
    algorithm: str
    ssq: float
    ssq_share: float
    repairs: int
    tried: dict[str, float] = field(default_factory=dict)


def form_groups(points: Floats, needs: Ints, algorithm: str) -> Grouping:
    """Return each record's group, at least as large as it demands, and how good the groups are.

    Nothing is drawn: the same points and demands give the same groups; ties go to the lower row. Every algorithm,
    except the paper's when it is asked for alone, is followed by exchanges of records that lower the sum of squares
    about the group means (SSQ). ``best-of`` tries the paper's procedure, the tree and top-down, refines each and keeps
    the best, so that it is never above the paper's. Above 20,000 records ``top-down`` gathers in batches, and
    ``best-of`` tries tree, batches and, where demands differ, the paper's procedure in blocks, and refines only the
    best of them. Above 200,000 records it takes the tree alone. Above that, or 4,000,000 coordinates, refinement is
    one short pass. If there are no records, the result has no groups.

    Parameters
    ----------
    points
        Standardised values without missing ones, (records, columns).
    needs
        How large a group each record asks for, 1 or more.
    algorithm
        One of `ALGORITHMS`.

    Raises
    ------
    InputError
        ``error.condensation.too-few`` when a record asks for more records than there are.
    RuntimeError
        When a group came out too small: a fault of the program; nothing is returned then.
    ValueError
        For another name of an algorithm.
    """
    check_enough(needs)
    if algorithm not in ALGORITHMS:
        raise ValueError(f"unknown algorithm {algorithm!r}")
    if not len(needs):
        return Grouping(np.empty(0, dtype=np.int64), algorithm, 0.0, 0.0, 0)
    search = _Search(np.ascontiguousarray(points, dtype=np.float64), np.asarray(needs, dtype=np.int64))
    search.run(algorithm)
    return search.best()


def check_enough(needs: Ints, level_names: Mapping[int, str] | None = None) -> None:
    """Raise InputError if a record asks for a larger group than there are records.

    ``needs`` is the group size that each record asks for; ``level_names`` has the name of each privacy level by its
    group size, for the message.

    Raises
    ------
    InputError
        ``error.condensation.too-few`` with the strictest level, the group size it asks for and how many records are
        missing.
    """
    records, need = len(needs), int(needs.max(initial=0))
    if need <= records:
        return
    asking = int(np.count_nonzero(needs == need))
    level = (level_names or {}).get(need, str(need))
    arguments: dict[str, Value] = {
        "level": Name(level_title(level)),
        "need": need,
        "records": records,
        "lacking": need - records,
        "asking": asking,
    }
    raise InputError("error.condensation.too-few", args=arguments)


class _Search:
    """A search for the best groups of one set of records, which tries several algorithms."""

    def __init__(self, points: Floats, needs: Ints) -> None:
        """Start a search for groups of the points in which each record's demand is met.

        ``points`` are standardised values, and ``needs`` the group size that each record asks for.
        """
        self._points = points
        self._needs = needs
        self._tried: dict[str, float] = {}
        self._best: _Candidate | None = None

    def run(self, algorithm: str) -> None:
        """Try one algorithm, or several for ``best-of``, and keep the best result.

        Above 20,000 records ``best-of`` tries the algorithms for large tables. The best result is available from the
        method ``best``. A result is best if its sum of squares about the group means (SSQ) is lowest. Each result is
        also refined by exchanges of records, except the paper's if it alone is asked for; of several in a large table,
        only the best one is.
        """
        if algorithm != BEST:
            chosen: tuple[str, ...] = (algorithm,)
        elif len(self._points) <= QUADRATIC_LIMIT:
            chosen = (PAPER, TREE, TOP_DOWN)
        else:
            self._run_large()
            return
        for index, name in enumerate(chosen):
            with progress.part(index / len(chosen), (index + 1) / len(chosen)):
                candidate = progress.part(0.0, 0.5).run(self._find_groups, name)
                if algorithm != PAPER:
                    progress.part(0.5, 1.0).run(self._refine_candidate, candidate)

    def best(self) -> Grouping:
        """Return the grouping with the least sum of squares about the group means; of equal ones the first tried.

        RuntimeError is raised where a group is too small, or nothing was tried.
        """
        kept = self._best
        if kept is None or not check_sizes(kept.group, self._needs):
            raise RuntimeError("a group is smaller than one of its records asks for")
        total = within_ssq(self._points, np.zeros(len(kept.group), dtype=np.int64))
        share = kept.ssq / total if total > 0 else 0.0
        return Grouping(renumber_groups(kept.group), kept.algorithm, kept.ssq, share, kept.repairs, self._tried)

    def _run_large(self) -> None:
        """Try the algorithms for large tables and refine only the best result, which is kept for the method ``best``.

        These are the tree, top-down and, where demands differ, the paper's procedure in blocks; above 200,000 records
        the tree alone.
        """
        mixed = int(self._needs.min()) < int(self._needs.max())
        chosen: tuple[str, ...] = (TREE, TOP_DOWN, BLOCKS) if mixed else (TREE, TOP_DOWN)
        if len(self._points) > LARGE_LIMIT:
            chosen = (TREE,)
        best = min(
            (progress.part(at / 6, (at + 1) / 6).run(self._find_groups, name) for at, name in enumerate(chosen)),
            key=lambda candidate: candidate.ssq,
        )
        progress.part(0.5, 1.0).run(self._refine_candidate, best)

    def _find_groups(self, algorithm: str) -> _Candidate:
        """Return the groups that an algorithm finds, after recording their sum of squares.

        The tried algorithms with their sums are kept for the report. These groups become the best result if no earlier
        one is as good.
        """
        points, needs = self._points, self._needs
        repairs = 0
        if algorithm == PAPER:
            grouping = paper_groups(points, needs)
            group, repairs = grouping.group, grouping.repairs
        elif algorithm == BLOCKS:
            group, repairs = paper_groups_in_blocks(points, needs)
        elif algorithm == TREE:
            group = pca_tree_groups(points, needs)
        elif len(points) > QUADRATIC_LIMIT:
            group = kd_batch_groups(points, needs)
        else:
            group = top_down_groups(points, needs)
        return self._note_candidate(algorithm, algorithm, group, repairs)

    def _refine_candidate(self, candidate: _Candidate) -> None:
        """Exchange records between groups of a copy of the candidate so that its SSQ falls, and record the result.

        The SSQ is recorded under the algorithm's name followed by ``-refined``, and the result is the best if its SSQ
        is lower than all before. Above 200,000 records or 4,000,000 coordinates this is one pass of at most 15 rounds,
        otherwise up to three passes.
        """
        large = len(self._points) > LARGE_LIMIT or self._points.size > LARGE_SPACE
        passes, rounds = (1, _FEW_ROUNDS) if large else (_PASSES, ROUNDS)
        group = refine(self._points, self._needs, candidate.group, passes, rounds=rounds)
        self._note_candidate(f"{candidate.algorithm}{REFINED}", candidate.algorithm, group, candidate.repairs)

    def _note_candidate(self, name: str, algorithm: str, group: Ints, repairs: int) -> _Candidate:
        """Return the groups as a candidate, after recording their sum of squares under ``name``.

        The candidate becomes the best result if its sum is lower than all before. ``repairs`` is how often the paper's
        procedure had to be corrected.
        """
        candidate = _Candidate(algorithm, group, within_ssq(self._points, group), repairs)
        self._tried[name] = candidate.ssq
        if self._best is None or candidate.ssq < self._best.ssq:
            self._best = candidate
        return candidate


@dataclass(frozen=True, eq=False)
class _Candidate:
    """One algorithm's groups, their sum of squared distances, and how often the paper's procedure was corrected."""

    algorithm: str
    group: Ints
    ssq: float
    repairs: int


BLOCK = 2_000
"""Most records of a block; more where a record demands more than a quarter of that."""


def paper_groups_in_blocks(points: Floats, needs: Ints) -> tuple[Ints, int]:
    """Return each record's group by the paper's procedure on blocks of records, and how many repairs it needed.

    Groups are numbered from 0. Repairs are records carried to a higher level and groups merged. Blocks have up to 2000
    records, or four times the largest demand if that is more.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest demand.
    needs
        How large a group each record asks for, 1 or more.
    """
    group_of = np.empty(len(points), dtype=np.int64)
    made = repairs = done = 0
    for rows in _split_into_blocks(points, max(BLOCK, 4 * int(needs.max()))):
        with progress.part(done / len(points), (done + len(rows)) / len(points)):
            block = paper_groups(points[rows], needs[rows])
            group_of[rows] = block.group + made
            made += int(block.group.max()) + 1
            repairs += block.repairs
            done += len(rows)
    return group_of, repairs


def _split_into_blocks(points: Floats, limit: int) -> Iterator[Ints]:
    """Yield the row indexes of blocks of at most ``limit`` records, which contain records near each other.

    The table is halved along the direction of largest variance until no block exceeds the limit. Row indexes rise
    inside a block. A table larger than the limit gives blocks of at least about half of it.
    """
    waiting = [np.arange(len(points))]
    while waiting:
        progress.check()
        rows = waiting.pop()
        if len(rows) <= limit:
            yield rows
            continue
        centred = points[rows] - points[rows].mean(axis=0)
        axis = np.linalg.eigh(centred.T @ centred)[1][:, -1]
        axis = axis if axis[find_first_largest(np.abs(axis), axis=0)] > 0 else -axis
        longest = max(float(np.square(centred).sum(axis=1).max()) ** 0.5, 1.0)
        order = np.argsort(on_grid(centred @ axis, longest), kind="stable")
        middle = len(rows) // 2
        waiting += [np.sort(rows[order[middle:]]), np.sort(rows[order[:middle]])]


def top_down_groups(points: Floats, needs: Ints) -> Ints:
    """Return each record's group from 0, each group as large as every member demands.

    In order of falling demand, and then of falling distance from the mean of all, each free record forms a group with
    its nearest free records. A record for which too few free ones are left joins the nearest group that is large enough
    with it. Time grows with the square of the number of records.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest demand.
    needs
        How large a group each record asks for, 1 or more.
    """
    clusters = Clusters(points)
    pool = Pool(points, np.arange(len(points)))
    from_middle = ((points - points.mean(axis=0)) ** 2).sum(axis=1)
    order = np.lexsort((np.arange(len(points)), -from_middle, -needs))
    for done, seed in enumerate(order.tolist()):
        if done % 64 == 0:
            progress.report(1 - len(pool) / len(points), "progress.method.groups")
        if not pool.holds(seed):
            continue
        need = int(needs[seed])
        if len(pool) >= need:
            clusters.form(pool.take_around(seed, need))
        else:
            # All groups so far were made for demands as large as this one or larger,
            # or are the rest of such a demand; only those large enough may take it.
            wide = np.flatnonzero(clusters.sizes >= need - 1)
            pool.take_around(seed, 1)
            which, _ = find_nearest_centres(points[[seed]], clusters.centres[wide])
            clusters.join(seed, int(wide[which[0]]))
    return clusters.labels()
