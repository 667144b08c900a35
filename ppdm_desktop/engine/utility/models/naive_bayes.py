"""Naive Bayes with the variance of known noise subtracted (Liu, Kantarcioglu & Thuraisingham 2008, section 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints, find_first_largest
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import LazyText

Target = Literal["original", "perturbed"]

FLOOR = 1e-3
"""Least corrected variance, as a share of the observed one."""
_SPIKE = 1e-9
_LAPLACE = 1.0


@dataclass(frozen=True, eq=False)
class Noise:
    """The known variance of the noise on each numeric column.

    Attributes
    ----------
    noise_variance
        Variance of the noise added first, float64, shape (numeric columns,); 0 where there is none.
    cell_term
        What drawing the value again inside its cell added to the variance seen: the sum over
        levels of their share times L^2/6, L the width of the level's cells. Half of it is the
        spread inside the cell, half what cutting into cells adds (Sheppard). On a grid of step
        s it is L^2/12 + (L^2 - s^2)/12.
    """

    noise_variance: Floats
    cell_term: Floats

    @property
    def total(self) -> Floats:
        """The variance to subtract from each column, float64, shape (numeric columns,)."""
        return np.asarray(self.noise_variance + self.cell_term, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class NaiveBayesModel:
    """A fitted naive Bayes classifier.

    Attributes
    ----------
    log_prior
        float64, shape (classes,); minus infinity for a class never seen.
    means, variances
        float64, shape (classes, numeric columns).
    log_shares
        For each nominal column, log P(name | class), shape (classes, names).
    floored
        How many of the ``corrected`` variances were raised to the floor, because too little or nothing was left.
    corrected
        Number of variances (one for each class and column) that the noise's variance was subtracted from.
    """

    log_prior: Floats
    means: Floats
    variances: Floats
    log_shares: tuple[Floats, ...]
    floored: int
    corrected: int

    def log_joint(self, records: Records) -> Floats:
        """Return log P(class) + log P(record | class), float64, shape (records, classes); missing values are ignored.

        P(record | class) is the product over columns, as if they were independent given the class. -inf for a class
        without training records.
        """
        joint = np.tile(self.log_prior, (len(records), 1))
        logs = np.log(2 * np.pi * self.variances)
        for column in range(records.numbers.shape[1]):
            values = records.numbers[:, column, None]
            part = -0.5 * (logs[:, column] + (values - self.means[:, column]) ** 2 / self.variances[:, column])
            joint += np.where(np.isnan(part), 0.0, part)
        for column, shares in enumerate(self.log_shares):
            codes = records.codes[:, column]
            filled_rows = codes >= 0
            joint[filled_rows] += shares[:, codes[filled_rows]].T
        return joint

    def predict(self, records: Records) -> Ints:
        """Return the likeliest class of each record, the lowest of equal ones; int64, shape (records,)."""
        logs = self.log_joint(records)
        return find_first_largest(logs, np.maximum(np.abs(logs.max(axis=1, keepdims=True)), 1.0))


@dataclass(frozen=True, eq=False)
class NaiveBayes:
    """Naive Bayes: a normal distribution for each number and class, counts plus one for each name.

    Attributes
    ----------
    noise
        Known noise of the training records; None where they carry none.
    target
        ``original``: the model is for records without noise, so the noise is taken off:
        max(S^2 - noise_variance - cell_term, 1e-3 S^2). ``perturbed``: it is for records that
        carry the same noise; S^2 stays as it is, for with the correction such a model fails
        (Adult, signal to noise 1: 0.43 of records predicted correctly instead of 0.77).
    """

    noise: Noise | None = None
    target: Target = "original"
    most_rows: int = 10_000
    fewest_rows: int = 2

    @property
    def id(self) -> str:
        """Name in the report: ``naive-bayes``, with ``-corrected`` where the noise is known."""
        return "naive-bayes" if self.noise is None else "naive-bayes-corrected"

    @property
    def method(self) -> LazyText:
        """Settings in a few words, for reports: the distributions, and how missing values count."""
        return untranslated(
            "a normal distribution for each number and class; counts plus one for names; missing values ignored"
        )

    def fit(self, records: Records, labels: Ints, classes: int) -> NaiveBayesModel:
        """Return a model with each class's share, its means and variances of numbers, and its shares of each name.

        With known ``noise`` and the ``target`` "original", the variance of the noise is subtracted from that of the
        numbers, but at least a thousandth of it is left (the floor). This is done apart for each class with a value in
        the column. The model counts the variances that were reduced, and those at the floor. Missing values do not
        count. Shares are given as logarithms, -inf for a class without a record; those of names with one record added
        to each.

        Parameters
        ----------
        records, labels
            Training records and their labels, 0 .. classes-1.
        classes
            Number of labels, seen or not.
        """
        counts = np.bincount(labels, minlength=classes).astype(np.float64)
        with np.errstate(divide="ignore"):
            log_prior = np.log(counts / max(len(labels), 1))
        means, variances, usable = _compute_moments(records.numbers, labels, classes)
        floored = corrected = 0
        if self.noise is not None and self.target == "original":
            off = np.where(usable, self.noise.total, 0.0)
            residual = variances - off
            low = (off > 0) & (residual < FLOOR * variances)
            floored, corrected = int(low.sum()), int((off > 0).sum())
            variances = np.where(low, FLOOR * variances, residual)
        shares = tuple(
            _compute_log_likelihoods(records.codes[:, column], labels, size, classes)
            for column, size in enumerate(records.sizes)
        )
        return NaiveBayesModel(log_prior, means, variances, shares, floored, corrected)


def _compute_moments(numbers: Floats, labels: Ints, classes: int) -> tuple[Floats, Floats, Bools]:
    """Return mean, variance and a flag of having a value for each class and column; shape (classes, columns) each.

    A class without a value in a column takes the whole column's mean and variance, so that the column says nothing for
    it or against it in particular. A variance (divided by n) is at least 1e-9 of the column's, and 1 in a constant
    column. A column without any value has mean 0 and variance 1.
    """
    columns = numbers.shape[1]
    means, variances = np.zeros((classes, columns)), np.ones((classes, columns))
    has_values = np.zeros((classes, columns), dtype=np.bool_)
    for column in range(columns):
        values = numbers[:, column]
        is_filled = ~np.isnan(values)
        if not is_filled.any():
            continue
        middle = float(values[is_filled].mean())
        x, y = values[is_filled] - middle, labels[is_filled]
        spread = float((x**2).mean())
        counts = np.bincount(y, minlength=classes)
        at_least_one = np.maximum(counts, 1)
        mean = np.bincount(y, x, minlength=classes) / at_least_one
        variance = np.bincount(y, (x - mean[y]) ** 2, minlength=classes) / at_least_one
        least = _SPIKE * spread if spread > 0 else 1.0
        has_values[:, column] = counts > 0
        means[:, column] = middle + np.where(counts > 0, mean, 0.0)
        variances[:, column] = np.maximum(np.where(counts > 0, variance, spread), least)
    return means, variances, has_values


def _compute_log_likelihoods(codes: Ints, labels: Ints, size: int, classes: int) -> Floats:
    """Return log P(name | class), with one record added to each name; shape (classes, names).

    ``codes`` are the names of one column from 0 to ``size`` - 1; records with -1 (missing) do not count. In a class
    without records all names are equally likely.
    """
    filled = codes >= 0
    counts = np.bincount(labels[filled] * size + codes[filled], minlength=classes * size)
    smoothed = counts.reshape(classes, size) + _LAPLACE
    return np.asarray(np.log(smoothed / smoothed.sum(axis=1, keepdims=True)))
