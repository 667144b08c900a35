"""Forms groups for condensation: the paper's procedure, faster and closer ones, or the best of them.

Aggarwal and Yu 2005, section 2: the size of a record's group is at least its privacy level, and the information lost
is the sum of squared distances to the group means (SSQ).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.condensation.clusters import Clusters, nearest
from ppdm_desktop.engine.methods.algorithms.condensation.paper import paper_groups
from ppdm_desktop.engine.methods.algorithms.condensation.pool import Pool
from ppdm_desktop.engine.methods.algorithms.grouping.kd_batches import kd_batch_groups
from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import pca_tree_groups
from ppdm_desktop.engine.methods.algorithms.grouping.quality import check_sizes, packed, within_ssq
from ppdm_desktop.engine.methods.algorithms.grouping.refinement import ROUNDS, refine
from ppdm_desktop.engine.tie_breaking import first_greatest, on_grid
from ppdm_desktop.engine.wording.level_titles import level_title
from ppdm_desktop.engine.wording.values import Name, Value

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
        Which found it; for ``best-of`` the one that won.
    ssq
        Sum of squared distances of the records to their group's mean.
    ssq_share
        The same as a share of that to the mean of all records; 0 where all are alike.
    repairs
        How often the paper's procedure had to be helped (records carried to a higher level,
        groups merged); 0 where another algorithm found the groups.
    tried
        The SSQ of each algorithm that ran, by its name, and after refinement by its name with
        ``-refined`` behind it. The paper's own groups are those without.
    """

    group: Ints
    algorithm: str
    ssq: float
    ssq_share: float
    repairs: int
    tried: dict[str, float] = field(default_factory=dict)


def form_groups(points: Floats, needs: Ints, algorithm: str) -> Grouping:
    """Return groups in which each record has a group at least as large as it demands.

    Nothing is drawn: the same points and demands give the same groups; ties go to the lower
    row. Every algorithm but the paper's alone is followed by moves of single records that
    lower the SSQ. ``best-of`` tries the paper's procedure, the tree and top-down, refines each
    and keeps the best, so that it is never above the paper's. Above `QUADRATIC_LIMIT`
    records ``top-down`` gathers in batches, and ``best-of`` tries tree, batches and, where
    demands differ, the paper's procedure in blocks, and refines only the best of them; above
    `LARGE_LIMIT` it takes the tree, and above that or `LARGE_SPACE` one short pass of refinement.

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
    """Refuse records if there are fewer of them than one of them demands.

    Raises
    ------
    InputError
        ``error.condensation.too-few`` with the strictest level, what it asks for and how many are missing.
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
    """The groupings tried on one set of records, of which the best is kept."""

    def __init__(self, points: Floats, needs: Ints) -> None:
        self._points = points
        self._needs = needs
        self._tried: dict[str, float] = {}
        self._kept: _Candidate | None = None

    def run(self, algorithm: str) -> None:
        """Try one algorithm, or all those of ``best-of``."""
        if algorithm != BEST:
            chosen: tuple[str, ...] = (algorithm,)
        elif len(self._points) <= QUADRATIC_LIMIT:
            chosen = (PAPER, TREE, TOP_DOWN)
        else:
            self._run_large()
            return
        for index, name in enumerate(chosen):
            with progress.part(index / len(chosen), (index + 1) / len(chosen)):
                candidate = progress.part(0.0, 0.5).run(self._find, name)
                if algorithm != PAPER:
                    progress.part(0.5, 1.0).run(self._refine, candidate)

    def best(self) -> Grouping:
        """Return the grouping of least SSQ; of equal ones the first tried."""
        kept = self._kept
        if kept is None or not check_sizes(kept.group, self._needs):
            raise RuntimeError("a group is smaller than one of its records asks for")
        total = within_ssq(self._points, np.zeros(len(kept.group), dtype=np.int64))
        share = kept.ssq / total if total > 0 else 0.0
        return Grouping(packed(kept.group), kept.algorithm, kept.ssq, share, kept.repairs, self._tried)

    def _run_large(self) -> None:
        """Try the fast algorithms and refine the best result: after refinement they differ less."""
        mixed = int(self._needs.min()) < int(self._needs.max())
        chosen: tuple[str, ...] = (TREE, TOP_DOWN, BLOCKS) if mixed else (TREE, TOP_DOWN)
        if len(self._points) > LARGE_LIMIT:
            chosen = (TREE,)
        best = min(
            (progress.part(at / 6, (at + 1) / 6).run(self._find, name) for at, name in enumerate(chosen)),
            key=lambda candidate: candidate.ssq,
        )
        progress.part(0.5, 1.0).run(self._refine, best)

    def _find(self, algorithm: str) -> _Candidate:
        """Return the groups that an algorithm finds, noted as tried."""
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
        return self._note(algorithm, algorithm, group, repairs)

    def _refine(self, candidate: _Candidate) -> None:
        """Improve a candidate by moves of single records, and note the result as tried."""
        large = len(self._points) > LARGE_LIMIT or self._points.size > LARGE_SPACE
        passes, rounds = (1, _FEW_ROUNDS) if large else (_PASSES, ROUNDS)
        group = refine(self._points, self._needs, candidate.group, passes, rounds=rounds)
        self._note(f"{candidate.algorithm}{REFINED}", candidate.algorithm, group, candidate.repairs)

    def _note(self, name: str, algorithm: str, group: Ints, repairs: int) -> _Candidate:
        """Return groups as a candidate after noting their SSQ; keep the best candidate."""
        candidate = _Candidate(algorithm, group, within_ssq(self._points, group), repairs)
        self._tried[name] = candidate.ssq
        if self._kept is None or candidate.ssq < self._kept.ssq:
            self._kept = candidate
        return candidate


@dataclass(frozen=True, eq=False)
class _Candidate:
    """One algorithm's grouping, its sum of squared distances, and how often it had to be helped."""

    algorithm: str
    group: Ints
    ssq: float
    repairs: int


BLOCK = 2_000
"""Most records of a block; more where a record demands more than a quarter of that."""


def paper_groups_in_blocks(points: Floats, needs: Ints) -> tuple[Ints, int]:
    """Return each record's group from 0, formed block by block, and how often the procedure had to be repaired.

    Parameters
    ----------
    points
        Standardised values, (records, columns); at least as many records as the largest demand.
    needs
        How large a group each record asks for, 1 or more.
    """
    group_of = np.empty(len(points), dtype=np.int64)
    made = repairs = done = 0
    for rows in _blocks(points, max(BLOCK, 4 * int(needs.max()))):
        with progress.part(done / len(points), (done + len(rows)) / len(points)):
            block = paper_groups(points[rows], needs[rows])
            group_of[rows] = block.group + made
            made += int(block.group.max()) + 1
            repairs += block.repairs
            done += len(rows)
    return group_of, repairs


def _blocks(points: Floats, limit: int) -> Iterator[Ints]:
    """Yield blocks of records, halved along the direction of largest variance until none exceeds the limit.

    Blocks hold at least half the limit, and so at least as many records as anybody demands.
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
        axis = axis if axis[first_greatest(np.abs(axis), axis=0)] > 0 else -axis
        longest = max(float(np.square(centred).sum(axis=1).max()) ** 0.5, 1.0)
        order = np.argsort(on_grid(centred @ axis, longest), kind="stable")
        middle = len(rows) // 2
        waiting += [np.sort(rows[order[middle:]]), np.sort(rows[order[:middle]])]


def top_down_groups(points: Floats, needs: Ints) -> Ints:
    """Return each record's group from 0, each group as large as every member demands.

    Time grows with the square of the number of records.

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
            progress.report(1 - len(pool) / len(points), "progress.grouping.search")
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
            which, _ = nearest(points[[seed]], clusters.centres[wide])
            clusters.join(seed, int(wide[which[0]]))
    return clusters.labels()
