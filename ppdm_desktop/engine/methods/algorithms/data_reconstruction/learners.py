"""Classifiers that are trained on chosen records and tested on all records, for many choices at once.

Training and prediction count, index and add arrays; their time grows in proportion to the records. A chosen record
counts ``k`` times, as in the release. The share of correct predictions is too high by some points, because the tested
records include the training records; it is never an accuracy.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints

_NOTHING = 1e-9
_LEAST_VARIANCE = 1e-3
MOST_CELLS = 2_000_000
"""Largest number of entries of a counting table; larger populations are processed in parts."""


@dataclass(frozen=True, eq=False)
class Lessons:
    """Training data: columns as codes, and the class.

    Attributes
    ----------
    codes
        int64, shape (records, columns), each from 0 to the column's size - 1; missing is a value of its own.
    sizes
        Number of different codes of each column.
    classes
        int64, shape (records,), from 0 to width - 1.
    width
        Number of classes.
    """

    codes: Ints
    sizes: tuple[int, ...]
    classes: Ints
    width: int


class Learner(Protocol):
    """A classifier that can be trained on many choices of records at once."""

    def correct(self, members: Bools) -> Floats:
        """Return, for each choice, the share of records whose class is predicted correctly, float64, shape (choices,).

        Parameters
        ----------
        members
            bool, shape (choices, records): the records on which each choice is trained.
        """

    @property
    def entries(self) -> int:
        """Number of entries of the largest array that is needed to evaluate one choice of training records."""


class NaiveBayes:
    """A naive Bayes classifier: normal distributions for numbers; for codes, counts to which one is added."""

    def __init__(self, lessons: Lessons, numbers: Floats, weight: int) -> None:
        """Prepare the training data; numbers are standardised over all records.

        Parameters
        ----------
        lessons
            Columns of codes, and the class.
        numbers
            float64, shape (records, numeric columns), NaN where missing.
        weight
            How many copies of a chosen record the release will have; the counts of classes and codes are multiplied by
            it.
        """
        self._lessons, self._weight = lessons, weight
        starts = np.r_[0, np.cumsum(lessons.sizes)].astype(np.int64)
        self._places = lessons.codes + starts[:-1]
        self._values = int(starts[-1])
        self._sizes = np.repeat(np.array(lessons.sizes, dtype=np.float64), lessons.sizes)
        # One array a column: rows of it are read in order.
        self._has_number = np.ascontiguousarray(~np.isnan(numbers).T)
        counts = np.maximum(self._has_number.sum(axis=1), 1)
        filled = np.where(self._has_number, numbers.T, 0.0)
        centred = np.where(self._has_number, filled - (filled.sum(axis=1) / counts)[:, None], 0.0)
        spread = np.sqrt((centred**2).sum(axis=1) / counts)
        self._numbers = np.ascontiguousarray(centred / np.where(spread > 0, spread, 1.0)[:, None])
        self._squares = self._numbers**2

    @property
    def entries(self) -> int:
        """Number of entries of the largest array that is needed to evaluate one choice of training records."""
        return int(max(self._values * self._lessons.width, self._lessons.codes.size, self._numbers.size))

    def correct(self, members: Bools) -> Floats:
        """Return, for each choice, the share of records whose class is predicted correctly, float64, shape (choices,).

        ``members``, bool, shape (choices, records), marks the records on which each choice is trained. All records are
        tested, including these. If classes are equally likely, the one with the lower code is predicted.
        """
        lessons, width = self._lessons, self._lessons.width
        choices, rows = len(members), len(lessons.classes)
        choice, record = np.nonzero(members)
        cell = choice * width + lessons.classes[record]
        totals = np.bincount(cell, minlength=choices * width).reshape(choices, width)
        logs = self._compute_log_likelihoods(choice, record, totals)
        curves = [self._fit_log_density(column, cell, record, choices) for column in range(len(self._numbers))]
        prior = np.log(totals * self._weight + 1.0)
        best = np.zeros((choices, rows))
        answer = np.zeros((choices, rows), dtype=np.int64)
        for rival in range(1, width):
            score = np.repeat(prior[:, rival : rival + 1] - prior[:, :1], rows, axis=1)
            ahead = np.ascontiguousarray(logs[:, :, rival] - logs[:, :, 0])
            for column in range(self._places.shape[1]):
                score += ahead.take(self._places[:, column], axis=1)
            for column, curve in enumerate(curves):
                bend, slope, level = (part[:, rival : rival + 1] - part[:, :1] for part in curve)
                score += bend * self._squares[column]
                score += slope * self._numbers[column]
                score += level * self._has_number[column]
            better = score > best
            answer[better] = rival
            best = np.where(better, score, best)
        return np.asarray((answer == lessons.classes).mean(axis=1), dtype=np.float64)

    def _compute_log_likelihoods(self, choice: Ints, record: Ints, totals: Ints) -> Floats:
        """Return log P(value | class) for each choice, shape (choices, values of all columns, classes).

        The columns are those of codes, not the numeric ones, one after the other. Counts are multiplied by the copies
        of a chosen record, and 1 is added to each, so that no probability is 0.

        ``choice`` and ``record`` list the chosen records of all choices, one entry each; ``totals`` are their numbers
        by class, shape (choices, classes).
        """
        choices, width = totals.shape
        keys = ((choice * self._values)[:, None] + self._places[record]) * width
        keys += self._lessons.classes[record, None]
        counts = np.bincount(keys.ravel(), minlength=choices * self._values * width)
        counts = counts.reshape(choices, self._values, width) * self._weight
        return np.asarray(np.log((counts + 1.0) / (totals[:, None, :] * self._weight + self._sizes[:, None])))

    def _fit_log_density(self, column: int, cell: Ints, record: Ints, choices: int) -> tuple[Floats, Floats, Floats]:
        """Return a, b and c of a x^2 + b x + c, the log density of a numeric column in each class up to a constant.

        The constant is the same for all classes. Each has shape (choices, classes). x is the number standardised over
        all records, and the density is normal with a variance of at least 0.001; for a class without a number it has
        this variance and the mean 0.

        Parameters
        ----------
        column
            Index of the numeric column.
        cell
            For each chosen record, the index of the choice times the number of classes plus the class.
        record
            The chosen records of all choices.
        choices
            Number of choices.
        """
        cells = choices * self._lessons.width
        values = self._numbers[column, record]
        n = np.maximum(np.bincount(cell, self._has_number[column, record], cells), 1.0)
        mean = np.bincount(cell, values, cells) / n
        variance = np.maximum(np.bincount(cell, values**2, cells) / n - mean**2, _LEAST_VARIANCE)
        bend = -0.5 / variance
        parts = bend, -2 * bend * mean, bend * mean**2 - 0.5 * np.log(variance)
        first, second, third = (part.reshape(choices, -1) for part in parts)
        return first, second, third


class Tree:
    """A decision tree on ordered codes, grown level by level with splits that reduce entropy most.

    Attributes
    ----------
    depth
        Largest number of splits from the root to a leaf.
    smallest_leaf
        Fewest chosen records in a leaf.
    """

    depth = 6
    smallest_leaf = 2

    def __init__(self, lessons: Lessons) -> None:
        """Store the training data and prepare arrays for its columns; no tree is grown yet."""
        self._lessons = lessons
        self._most = max(lessons.sizes)
        columns = len(lessons.sizes)
        # A question "at most this value?" exists below each column's largest value.
        self._asked = np.arange(self._most) < np.array(lessons.sizes)[:, None] - 1
        self._offsets = np.arange(columns) * self._most
        n = np.arange(len(lessons.classes) + 1, dtype=np.float64)
        self._times_log = n * np.log(np.maximum(n, 1.0))

    @property
    def entries(self) -> int:
        """Number of entries of the largest array for one choice of training records, at most; not a number of bytes.

        It is the array of counts by node, column, code and class in the last level of splits, or that of all records'
        codes if it is larger.
        """
        tables = 2 ** (self.depth - 1) * len(self._lessons.sizes) * self._most * self._lessons.width
        return int(max(tables, self._lessons.codes.size))

    def correct(self, members: Bools) -> Floats:
        """Return, for each choice, the share of records whose class is predicted correctly, float64, shape (choices,).

        ``members``, bool, shape (choices, records), marks the records on which each choice is trained. All records are
        tested, including these. If classes are equally frequent in a leaf, the one with the lower code is predicted.
        """
        lessons, width = self._lessons, self._lessons.width
        choices, rows = len(members), len(lessons.classes)
        choice, record = np.nonzero(members)
        codes, classes = lessons.codes[record], lessons.classes[record]
        taught = np.zeros(len(choice), dtype=np.int64)
        asked = np.zeros((choices, rows), dtype=np.int64)
        base = np.arange(choices)[:, None]
        everyone = np.arange(rows)
        for level in range(self.depth):
            nodes = 2**level
            column, value, splits = self._choose_splits(choice, taught, codes, classes, choices, nodes)
            if not splits.any():
                nodes = 0
            at = choice * 2**level + taught
            goes = splits[at] & (codes[np.arange(len(at)), column[at]] > value[at])
            taught = 2 * taught + goes
            node = base * 2**level + asked
            goes_too = splits[node] & (lessons.codes[everyone, column[node]] > value[node])
            asked = 2 * asked + goes_too
            if not nodes:
                break
        leaves = 2 ** (level + 1)
        counts = np.bincount((choice * leaves + taught) * width + classes, minlength=choices * leaves * width)
        answer = counts.reshape(choices * leaves, width).argmax(axis=1)
        return np.asarray((answer[base * leaves + asked] == lessons.classes).mean(axis=1), dtype=np.float64)

    def _choose_splits(
        self, choice: Ints, node: Ints, codes: Ints, classes: Ints, choices: int, nodes: int
    ) -> tuple[Ints, Ints, Bools]:
        """Return, for each node of each choice's tree, the column and value of its best split, and whether it is split.

        The best split lowers the entropy of the classes most and leaves each child two chosen records or more. A node
        without one is not split, and its column and value mean nothing. Of equal splits, the first column's is taken,
        then the one at the lowest value. Each has shape (choices · nodes,), with the nodes of the first choice's tree
        first. A record whose code is above the value goes to the second child.

        Parameters
        ----------
        choice, node
            Choice and node of each chosen record.
        codes, classes
            Codes, shape (chosen records, columns), and class of each chosen record.
        choices, nodes
            Number of choices, and of nodes of each choice's tree at this depth.
        """
        width, cells = self._lessons.width, codes.shape[1] * self._most
        at = choice * nodes + node
        class_counts = np.bincount(at * width + classes, minlength=choices * nodes * width).reshape(-1, width)
        # Only nodes that have several classes and enough records can ask: tables are made for these.
        open_ = ((class_counts > 0).sum(axis=1) >= 2) & (class_counts.sum(axis=1) >= 2 * self.smallest_leaf)
        index = np.cumsum(open_) - 1
        count = int(open_.sum())
        column, value = np.zeros(len(class_counts), dtype=np.int64), np.zeros(len(class_counts), dtype=np.int64)
        splits = np.zeros(len(class_counts), dtype=np.bool_)
        if not count:
            return column, value, splits
        inside = open_[at]
        keys = (index[at[inside]] * cells)[:, None] + self._offsets + codes[inside]
        counts = np.bincount((keys * width + classes[inside, None]).ravel(), minlength=count * cells * width)
        below = counts.reshape(count, -1, self._most, width).cumsum(axis=2)
        whole = class_counts[open_][:, None, None, :]
        left, all_ = below.sum(axis=3), whole.sum(axis=3)
        fits = self._asked & (left >= self.smallest_leaf) & (all_ - left >= self.smallest_leaf)
        disorder = self._compute_total_entropy(below, left) + self._compute_total_entropy(whole - below, all_ - left)
        gain = np.where(fits, self._compute_total_entropy(whole, all_) - disorder, -1.0).reshape(count, cells)
        # Equal gains differ in their last bits by the order of a sum: the first of them is taken.
        best = gain.round(9).argmax(axis=1)
        column[open_], value[open_] = best // self._most, best % self._most
        splits[open_] = gain[np.arange(count), best] > _NOTHING
        return column, value, splits

    def _compute_total_entropy(self, counts: Ints, total: Ints) -> Floats:
        """Return the entropy (in nats) of the class counts in the last axis, times ``total``, their sum.

        The result has the shape of ``total``.
        """
        within = self._times_log[counts[..., 0]]
        for rival in range(1, counts.shape[-1]):
            within = within + self._times_log[counts[..., rival]]
        return np.asarray(self._times_log[total] - within)


@dataclass(frozen=True)
class Mean:
    """A classifier whose share of correct predictions is the mean over several classifiers."""

    learners: tuple[Learner, ...]

    @property
    def entries(self) -> int:
        """Number of entries of the largest array that any of the learners needs for one choice of training records."""
        return max(learner.entries for learner in self.learners)

    def correct(self, members: Bools) -> Floats:
        """Return, for each choice, the mean share of correct predictions of the classifiers, float64, shape (choices,).

        ``members``, bool, shape (choices, records), marks the records on which each choice is trained.
        """
        return np.asarray(np.mean([learner.correct(members) for learner in self.learners], axis=0))
