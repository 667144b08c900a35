"""The paper's grouping: Segment, Cannibalize and Attrition, level after level.

C. C. Aggarwal and P. S. Yu, On Variable Constraints in Privacy Preserving Data Mining,
SIAM SDM 2005, section 2, Figures 2 to 5. What the paper leaves open is settled so that
every record's group is at least as large as its level asks:

* A level with fewer records than it asks for forms no group; its records go on to the next
  level. What is left at the top becomes a group that is merged with its nearest.
* "Fewer than p-1 members" is asked of each group against its own level, not of all
  together, which would dissolve every lower level. As no group below its level is ever
  left behind, the question then never finds one.
* Cannibalize moves records only into full groups of the level, and only where the sum of
  squares falls, counted exactly: n/(n+1) d^2 for each record, the centre moving at once.
* Attrition lets only the excess over the level go, and only into groups that hold at least
  p(i) records with the newcomer.
* "Sample a data point" takes the lowest row left, so that a run can be repeated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.clusters import Clusters, nearest, squared_distances
from ppdm_desktop.engine.methods.algorithms.condensation.pool import Pool


@dataclass(frozen=True, eq=False)
class PaperGroups:
    """The groups of the paper's procedure, and how often it had to be repaired.

    Attributes
    ----------
    group
        Each record's group, 0 and up without gaps.
    carried
        Records that a level could not hold and passed on, counted once for each level passed.
    merges
        Groups merged at the end because they were smaller than a member asks for.
    dissolved
        Groups that Cannibalize gave to higher levels.
    moved
        Records that Attrition moved to lower levels.
    """

    group: Ints
    carried: int
    merges: int
    dissolved: int
    moved: int

    @property
    def repairs(self) -> int:
        """How often the printed procedure alone would have left a group too small."""
        return self.carried + self.merges


def paper_groups(points: Floats, needs: Ints) -> PaperGroups:
    """Return groups formed by the paper's ConstructGroups (Figure 2), made feasible.

    Time grows with the square of the number of records.

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
            upper, waiting = progress.part(0.0, 0.4).run(_segment, clusters, np.union1d(waiting, level_rows), level)
            carried += len(waiting)
            if len(upper):
                dissolved += progress.part(0.4, 0.9).run(_cannibalize, clusters, lower, upper)
                lower = lower[clusters.sizes[lower] > 0]
                moved += _attrition(clusters, lower, upper, level, needs)
            lower = np.concatenate([lower, upper])
    if len(waiting):
        clusters.form(waiting)
    group, merges = merge_to_size(points, needs, clusters.labels())
    return PaperGroups(group, carried, merges, dissolved, moved)


def _segment(clusters: Clusters, rows: Ints, level: int) -> tuple[Ints, Ints]:
    """Form the groups of one level (Figure 3); return their numbers and the records without a group."""
    pool = Pool(clusters.points, rows)
    made: list[int] = []
    for row in rows.tolist():
        if len(pool) < level:
            break
        if not pool.holds(row):
            continue
        if len(made) % 16 == 0:
            progress.report(1 - len(pool) / len(rows), "progress.grouping.search")
        made.append(clusters.form(pool.take_around(row, level)))
    upper = np.asarray(made, dtype=np.int64)
    if not made:
        return upper, pool.rows
    for row in pool.rows.tolist():
        which, _ = nearest(clusters.points[[row]], clusters.centres[upper])
        clusters.join(row, int(upper[which[0]]))
    return upper, np.empty(0, dtype=np.int64)


def _cannibalize(clusters: Clusters, lower: Ints, upper: Ints) -> int:
    """Dissolve lower groups into this level's where the sum of squares falls (Figure 4); return how many."""
    centres = clusters.centres[upper].copy()
    sizes = clusters.sizes[upper].astype(np.float64)
    dissolved = 0
    for step, number in enumerate(lower.tolist()):
        if step % 32 == 0:
            progress.report(step / len(lower), "progress.grouping.search")
        rows = clusters.members(number)
        members = clusters.points[rows]
        spread = float(((members - clusters.centres[number]) ** 2).sum())
        targets = _better_places(members, spread, centres, sizes)
        if targets is None:
            continue
        for row, target in zip(rows.tolist(), targets, strict=True):
            clusters.join(row, int(upper[target]))
            centres[target] = clusters.centres[upper[target]]
            sizes[target] += 1
        clusters.dissolve(number)
        dissolved += 1
    return dissolved


def _better_places(members: Floats, spread: float, centres: Floats, sizes: Floats) -> list[int] | None:
    """Return the nearest group of each member; None where moving there costs as much as staying.

    A member meets the groups as the members before it left them.
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


def _attrition(clusters: Clusters, lower: Ints, upper: Ints, level: int, needs: Ints) -> int:
    """Move the excess of this level's groups to nearer lower groups (Figure 5); return the number of moved records.

    All moves are decided before any is made: receivers only grow, so each stays viable.
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
        which, there = nearest(points, clusters.centres[viable])
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
    """Return groups merged until each is as large as every member demands, and the number of merges.

    While a group is too small, the smallest such group joins the group with which the sum
    of squares grows least: n1 n2 / (n1 + n2) |c1 - c2|^2 (Ward). Each merge leaves a
    group fewer, so it ends; it succeeds wherever there are as many records as the largest
    demand. Ties go to the lower number.

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
