"""Groups for condensation: the paper's procedure, faster and closer ones, or the best of them.

Aggarwal and Yu 2005, section 2: the size of a record's group is at least its privacy
level, and the information lost is the sum of squared distances to the group means (SSQ).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.condensing.paper import paper_groups
from ppdm_desktop.engine.methods.condensing.top_down import top_down_groups
from ppdm_desktop.engine.methods.grouping.kd_batches import kd_batch_groups
from ppdm_desktop.engine.methods.grouping.pca_tree import pca_tree_groups
from ppdm_desktop.engine.methods.grouping.quality import check_sizes, packed, within_ssq
from ppdm_desktop.engine.methods.grouping.refinement import refine
from ppdm_desktop.engine.progress import Progress

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

PAPER, TREE, TOP_DOWN, BEST = "segment-cannibalize-attrition", "tree", "top-down", "best-of"
ALGORITHMS = (PAPER, TREE, TOP_DOWN, BEST)

QUADRATIC_LIMIT = 20_000
"""Records up to which searches run whose time grows with the square of their number."""
_PASSES = 3


@dataclass(frozen=True, eq=False)
class Grouping:
    """Groups with every record's demand met.

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
        The SSQ of each algorithm that ran, as it would have been returned; the paper's own
        groups, unrefined, stand under ``segment-cannibalize-attrition`` and, refined, under
        ``segment-cannibalize-attrition-refined``.
    """

    group: Ints
    algorithm: str
    ssq: float
    ssq_share: float
    repairs: int
    tried: dict[str, float] = field(default_factory=dict)


def form_groups(
    points: Floats,
    needs: Ints,
    algorithm: str,
    progress: Progress,
    *,
    level_names: Mapping[int, str] | None = None,
) -> Grouping:
    """Put every record into a group at least as large as it asks for.

    Nothing is drawn: the same points and demands give the same groups; ties go to the lower
    row. Above `QUADRATIC_LIMIT` records, ``top-down`` gathers in batches and ``best-of``
    leaves the paper's procedure out. Every algorithm but the paper's alone is followed by
    moves of single records that lower the SSQ, so that ``best-of`` is never above the paper's.

    Parameters
    ----------
    points
        Standardised values without missing ones, (records, columns).
    needs
        How large a group each record asks for, 1 or more.
    algorithm
        One of `ALGORITHMS`.
    progress
        Reports and stops.
    level_names
        What a demand is called, for the error; by default its number.

    Raises
    ------
    InputError
        ``error.condensation.too-few`` when a record asks for more records than there are.
    RuntimeError
        When a group came out too small: a fault of the program; nothing is returned then.
    """
    check_enough(needs, level_names)
    if algorithm not in ALGORITHMS:
        raise ValueError(f"unknown algorithm {algorithm!r}")
    if not len(needs):
        return Grouping(np.empty(0, dtype=np.int64), algorithm, 0.0, 0.0, 0)
    search = _Search(np.ascontiguousarray(points, dtype=np.float64), np.asarray(needs, dtype=np.int64))
    search.run(algorithm, progress)
    return search.best()


def check_enough(needs: Ints, level_names: Mapping[int, str] | None = None) -> None:
    """Refuse records that can find no group: fewer of them than one asks for.

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
    arguments = {"level": level, "need": need, "records": records, "lacking": need - records, "asking": asking}
    raise InputError("error.condensation.too-few", args=arguments)


class _Search:
    """The groupings tried on one set of records."""

    def __init__(self, points: Floats, needs: Ints) -> None:
        self._points = points
        self._needs = needs
        self._tried: dict[str, float] = {}
        self._kept: tuple[float, str, Ints, int] | None = None

    def run(self, algorithm: str, progress: Progress) -> None:
        """Try an algorithm, or those that ``best-of`` stands for."""
        if algorithm != BEST:
            self._try(algorithm, progress, refined=algorithm != PAPER)
            return
        chosen = [TREE, TOP_DOWN] if len(self._points) > QUADRATIC_LIMIT else [PAPER, TREE, TOP_DOWN]
        for index, each in enumerate(chosen):
            self._try(each, progress.part(index / len(chosen), (index + 1) / len(chosen)), refined=True)

    def best(self) -> Grouping:
        """Return the grouping of least SSQ; of equals the first tried."""
        if self._kept is None or not check_sizes(self._kept[2], self._needs):
            raise RuntimeError("a group is smaller than one of its records asks for")
        ssq, algorithm, group, repairs = self._kept
        total = within_ssq(self._points, np.zeros(len(group), dtype=np.int64))
        return Grouping(packed(group), algorithm, ssq, ssq / total if total > 0 else 0.0, repairs, self._tried)

    def _try(self, algorithm: str, progress: Progress, *, refined: bool) -> None:
        points, needs, searching = self._points, self._needs, progress.part(0.0, 0.7 if refined else 1.0)
        repairs = 0
        if algorithm == PAPER:
            found = paper_groups(points, needs, searching)
            group, repairs = found.group, found.repairs
            self._keep(PAPER, PAPER, group, repairs)
        elif algorithm == TREE:
            group = pca_tree_groups(points, needs, searching)
        elif len(points) > QUADRATIC_LIMIT:
            group = kd_batch_groups(points, needs, searching)
        else:
            group = top_down_groups(points, needs, searching)
        if refined:
            group = refine(points, needs, group, _PASSES, progress.part(0.7, 1.0))
            self._keep(algorithm, f"{PAPER}-refined" if algorithm == PAPER else algorithm, group, repairs)

    def _keep(self, algorithm: str, name: str, group: Ints, repairs: int) -> None:
        ssq = within_ssq(self._points, group)
        self._tried[name] = ssq
        if self._kept is None or ssq < self._kept[0]:
            self._kept = (ssq, algorithm, group, repairs)
