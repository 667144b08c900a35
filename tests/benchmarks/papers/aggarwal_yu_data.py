"""Aggarwal & Yu (2005), section 4: their data sets, and condensing nine tenths of one."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import SplitRule
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import Arrivals, Streamed, condense_stream
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import PAPER, form_groups
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments, group_moments
from ppdm_desktop.engine.methods.algorithms.condensation.run import (
    Stratum,
    draw_new_records,
    make_class_strata,
    make_single_stratum,
)
from ppdm_desktop.engine.methods.algorithms.condensation.values import ABSENT, ValueBlocks
from ppdm_desktop.engine.release.measures.condensed_models import GroupLearner, GroupStatistics
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.accuracy import covariance_compatibility
from ppdm_desktop.engine.utility.models.crossval import stratified_folds
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.models.nearest import Compared, NearestNeighbours, find_nearest_records
from tests.benchmarks.papers.cells import Asked, NotAtHand

ALPHAS = (5, 10, 20, 30, 50)
BETA = 4
FOLDS = 10
FIRST_SHARE = 0.1
"""Share of the records that the static phase gets before the stream begins (the paper's InitNumber)."""


@dataclass(frozen=True, eq=False)
class DataSet:
    """Numbers and what is to be told from them.

    Attributes
    ----------
    name
        What the paper calls it.
    x
        Shape (records, attributes), none constant.
    target
        Class 0 and up of each record, or the number to tell.
    is_number
        Whether the target is a number, which is then condensed as one more dimension.
    """

    name: str
    x: Floats
    target: Ints
    is_number: bool = False

    def folds(self, seed: int) -> Iterator[tuple[Ints, Ints]]:
        """Return training and test rows of each of ten folds."""
        order = np.random.default_rng(seed).permutation(len(self.x))
        labels = np.zeros(len(self.x), dtype=np.int64) if self.is_number else self.target
        fold = stratified_folds(labels[order], FOLDS)
        for number in range(FOLDS):
            yield np.sort(order[fold != number]), np.sort(order[fold == number])

    @property
    def classes(self) -> int:
        """Number of classes."""
        return int(self.target.max()) + 1


def uci(asked: Asked, name: str) -> Path:
    """Return a file as UCI keeps it.

    Raises
    ------
    NotAtHand
        When it was not given and does not lie in the folder.
    """
    places = (asked.files.get(name), *(asked.data / f"{name}.{end}" for end in ("csv", "data")))
    path = next((each for each in places if each is not None and each.exists()), None)
    if path is None:
        raise NotAtHand(f"there is no {name}.csv or {name}.data in the folder of the data; --{name} names one")
    return path


def read(path: Path, name: str) -> DataSet:
    """Read a data set as UCI keeps them: commas or blanks, class last; a heading and names are passed over.

    Raises
    ------
    ValueError
        When no numbers stand there.
    """
    lines = [
        re.split(r"[,\s]+", line.strip()) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()
    ]
    if len(lines) > 1 and not any(_is_number(text) for text in lines[0]):
        lines = lines[1:]
    numeric = [at for at in range(len(lines[0]) - 1) if all(_is_number(line[at]) for line in lines)]
    x = np.array([[float(line[at]) for at in numeric] for line in lines])
    if not x.size:
        raise ValueError(f"no numbers in {path.name}")
    x = x[:, x.std(axis=0) > 0]
    last = [line[-1] for line in lines]
    if name == "Abalone":
        return DataSet(name, x, np.array([int(text) for text in last], dtype=np.int64), is_number=True)
    return DataSet(name, x, np.unique(last, return_inverse=True)[1].reshape(-1).astype(np.int64))


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class Outcome:
    """One way of condensing in one fold.

    Attributes
    ----------
    accuracy
        Share of the test records told rightly by the nearest new record.
    mu, mu_raw
        Covariance compatibility, columns standardised and in their own units.
    ssq
        Squares within groups over all squares; of a stream from its statistics.
    below, short
        Groups smaller than their strictest member asks for, and the records in them.
    waiting
        Records that found no group large enough when they came; at the end they form groups or join merged ones.
    """

    accuracy: float
    mu: float
    mu_raw: float
    ssq: float
    below: int = 0
    short: int = 0
    waiting: int = 0


class Fold:
    """Nine tenths of a data set, standardised, with a level for each record, and the tenth to test on."""

    def __init__(self, data: DataSet, train: Ints, test: Ints, alpha: int, seed: int) -> None:
        self._data = data
        self._rng = np.random.default_rng([seed, alpha])
        self._train, self._test = data.x[train], data.x[test]
        self._target, self._truth = data.target[train], data.target[test]
        self._needs = self._rng.integers(alpha - BETA, alpha + 1, len(train))
        raw = np.column_stack([self._train, self._target]) if data.is_number else self._train
        self._centre, self._spread = raw.mean(axis=0), raw.std(axis=0)
        constant = self._spread == 0  # in these nine tenths
        self._raw, self._points = raw, (raw - self._centre) / np.where(constant, 1.0, self._spread)
        if data.is_number:
            self._strata: tuple[Stratum, ...] = make_single_stratum(len(raw))
        else:
            names = [str(label) for label in self._target]
            self._strata = make_class_strata(Column.from_texts("class", names), self._needs)

    def original(self) -> float:
        """Return how well the original tells the test records: the paper's baseline."""
        return self._told(self._train, self._target)

    def static(self, algorithm: str) -> Outcome:
        """Condense all records at once."""
        released, labels, within = [], [], 0.0
        for stratum in self._strata:
            points, needs = self._points[stratum.rows], self._needs[stratum.rows]
            found = form_groups(points, needs, algorithm)
            within += found.ssq
            released.append(self._again(group_moments(points, found.group, needs)))
            labels.append(self._labels(stratum, len(points)))
        return self._outcome(np.vstack(released), np.concatenate(labels), within)

    def direct(self, learner: GroupLearner) -> float:
        """Return how well a learner tells the test records from the statistics of the paper's groups alone."""
        found = []
        for stratum in self._strata:
            points, needs = self._points[stratum.rows], self._needs[stratum.rows]
            group = form_groups(points, needs, PAPER).group
            moments = group_moments(points, group, needs)
            labels = np.zeros((len(moments.n), self._data.classes))
            np.add.at(labels, (group, self._target[stratum.rows]), 1.0)
            found.append(GroupStatistics(moments.n, moments.mean, moments.covariance, (), labels))
        every = GroupStatistics(
            np.concatenate([each.n for each in found]),
            np.concatenate([each.mean for each in found]),
            np.concatenate([each.covariance for each in found]),
            (),
            np.concatenate([each.labels for each in found]),
        )
        test = (self._test - self._centre) / np.where(self._spread == 0, 1.0, self._spread)
        return float((learner.predict(every, test, []) == self._truth).mean())

    def dynamic(self, rule: SplitRule) -> Outcome:
        """Condense a first share at once, let the other records join one by one."""
        released, labels, within = [], [], 0.0
        below = short = waiting = 0
        for stratum in self._strata:
            rows = self._rng.permutation(stratum.rows)
            streamed = self._streamed(rows, rule)
            moments = streamed.stream.moments()
            made = self._again(moments)
            small = moments.n < moments.pmax
            below, short = below + int(small.sum()), short + int(moments.n[small].sum())
            waiting += streamed.waited
            within += float((moments.n * np.trace(moments.covariance, axis1=1, axis2=2)).sum())
            released.append(made)
            labels.append(self._labels(stratum, len(made)))
        return self._outcome(np.vstack(released), np.concatenate(labels), within, below, short, waiting)

    def _streamed(self, rows: Ints, rule: SplitRule) -> Streamed:
        """Let the product condense the records in this order, the first share at once."""
        points, needs = self._points[rows], self._needs[rows]
        width = points.shape[1]
        names = tuple(f"x{at}" for at in range(width))
        records = Arrivals(
            points, np.ones(points.shape, dtype=np.bool_), np.zeros((len(rows), 1), dtype=np.int64), needs
        )
        return condense_stream(
            records,
            ValueBlocks((names,), (((None,) * width,),), np.array([ABSENT])),
            np.zeros((1, 0)),
            first=round(FIRST_SHARE * len(rows)),
            algorithm=PAPER,
            rule=rule,
        )

    def _again(self, moments: GroupMoments) -> Floats:
        """Return as many new records as each group has, standardised."""
        group = np.repeat(np.arange(len(moments.n)), moments.n)
        drawn = np.sqrt(12.0) * (self._rng.random((len(group), moments.mean.shape[1])) - 0.5)
        return draw_new_records(moments.mean, moments.covariance, group, drawn)

    def _labels(self, stratum: Stratum, rows: int) -> Ints:
        """Return the class of the new records; in a pool the labels of its records by chance."""
        own = self._target[stratum.rows]
        return self._rng.permutation(own)[:rows] if stratum.is_pool else np.resize(own, rows)

    def _outcome(
        self, points: Floats, labels: Ints, within: float, below: int = 0, short: int = 0, waiting: int = 0
    ) -> Outcome:
        raw = points * self._spread + self._centre
        found = covariance_compatibility(self._raw, raw)
        x, target = (raw[:, :-1], raw[:, -1]) if self._data.is_number else (raw, labels)
        mu, mu_raw = float(found.standardised.value or 0.0), float(found.raw.value or 0.0)
        total = float((self._points**2).sum())
        return Outcome(self._told(x, target), mu, mu_raw, within / total, below, short, waiting)

    def _told(self, x: Floats, target: npt.NDArray[np.number]) -> float:
        """Return the share of test records that the nearest record tells; a number within one, rounded."""
        if not self._data.is_number:
            labels = np.asarray(target, dtype=np.int64)
            model = NearestNeighbours(1).fit(Records.of_numbers(x), labels, self._data.classes)
            return float((model.predict(Records.of_numbers(self._test)) == self._truth).mean())
        centre, spread = x.mean(axis=0), x.std(axis=0)
        sides = ((side - centre) / spread for side in (x, self._test))
        known, asked = (Compared(side, np.zeros((0, len(side)), dtype=np.uint8)) for side in sides)
        told = target[find_nearest_records(known, asked, 1)].mean(axis=1)
        return float((np.abs(np.floor(told + 0.5) - self._truth) <= 1).mean())
