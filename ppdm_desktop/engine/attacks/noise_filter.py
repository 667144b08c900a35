"""Filters noise out again: the best linear guess at the values before noise was added.

From one released column alone the best linear guess shrinks each value towards the mean (UDR, the baseline). An
intruder who uses all released columns does better when these are correlated: what columns share stays, and the noise
is averaged out. With the noisy columns only this is the Bayes-estimate reconstruction (BE-DR) of Z. Huang, W. Du and
B. Chen, Deriving Private Information from Randomized Data, SIGMOD 2005; here unchanged columns are used as well. The
intruder fits means and covariances to the released file and subtracts the known covariance of the noise; nothing but
the release and the method's parameters is used. Where noise is reflected at zero, the expected true value behind each
released one (`reflected_noise`) is used instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.attacks.comparison import NO_RECORD
from ppdm_desktop.engine.attacks.reflected_noise import ReflectedColumn, shared_noise
from ppdm_desktop.engine.figure import Z_95, Figure
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Spoken

_RATIO = lazy("root mean squared error with all released columns, divided by the error with the column alone")
_NO_ERROR = lazy("the estimate from the column alone leaves no error")
_TINY = 1e-10


@dataclass(frozen=True, eq=False)
class Moments:
    """Mean and covariance of the complete released records.

    Attributes
    ----------
    mean
        Shape (noisy columns + clean columns,).
    covariance
        Shape (all, all), noisy columns first.
    noise
        Covariance of the noise, shape (noisy columns, noisy columns).
    """

    mean: Floats
    covariance: Floats
    noise: Floats

    @classmethod
    def of(cls, noisy: Floats, clean: Floats, noise: Floats) -> Moments:
        """Fit the released columns; at least two records, none missing."""
        both = np.hstack([noisy, clean])
        return cls(both.mean(axis=0), np.atleast_2d(np.cov(both, rowvar=False, bias=False)), np.asarray(noise))


@dataclass(frozen=True, eq=False)
class Filter:
    """A filter fitted to the released file, which turns released values into guesses of the true ones.

    Attributes
    ----------
    mean, kept
        Of each noisy column: its mean, and how far a value alone is moved away from it (0 to 1).
    centre, scale, used, weights
        Of all released columns, noisy ones first: means and scales, the clean columns that vary,
        and the weights of the linear posterior mean, shape (noisy columns, used columns).
    laws
        By noisy column the law of reflected noise, None where noise is added; empty where it is everywhere.
    """

    mean: Floats
    kept: Floats
    centre: Floats
    scale: Floats
    used: Bools
    weights: Floats
    laws: Sequence[ReflectedColumn | None] = ()

    def alone(self, noisy: Floats) -> Floats:
        """Return the guess of each value from its own column alone (UDR); shape (records, noisy columns)."""
        return _shrink_to_mean(_expected_instead(noisy, self.laws), self.mean, self.kept)

    def together(self, noisy: Floats, clean: Floats) -> Floats:
        """Return the guesses from all released columns, the linear posterior mean; shape (records, noisy columns)."""
        size = len(self.mean)
        noisy = _expected_instead(noisy, self.laws)
        both = np.hstack([noisy / self.scale[:size], (clean / self.scale[size:])[:, self.used]]) - self.centre
        return np.asarray((self.centre[:size] + both @ self.weights.T) * self.scale[:size])


def _shrinkage(noisy: Floats, noise: Floats) -> tuple[Floats, Floats]:
    """Return the means of noisy columns, and which share of each variance is not noise, from 0 to 1."""
    mean, seen = noisy.mean(axis=0), noisy.var(axis=0, ddof=1)
    return mean, np.maximum(seen - np.diag(noise), 0.0) / np.where(seen > 0, seen, 1.0)


def _shrink_to_mean(noisy: Floats, mean: Floats, kept: Floats) -> Floats:
    """Return noisy values moved towards their mean; a column keeps the share ``kept`` of its deviations."""
    return np.asarray(mean + kept * (noisy - mean))


def _expected_instead(noisy: Floats, laws: Sequence[ReflectedColumn | None]) -> Floats:
    """Return released values, in columns with reflected noise replaced by the expected true values."""
    if not any(laws):
        return noisy
    expected = [noisy[:, index] if law is None else law.means(noisy[:, index]) for index, law in enumerate(laws)]
    return np.column_stack(expected)


def fitted(noisy: Floats, clean: Floats, noise: Floats, laws: Sequence[ReflectedColumn | None] = ()) -> Filter:
    """Return a filter fitted to released records.

    Parameters
    ----------
    noisy
        Released values of the columns with noise, shape (records, columns), none missing.
    clean
        The other released columns as numbers (names as indicators), none missing.
    noise
        Covariance of the noise.
    laws
        As in `Filter`.
    """
    if any(laws):
        return _fitted_by_law(noisy, clean, noise, laws)
    size = noisy.shape[1]
    scale = np.concatenate([noisy.std(axis=0), clean.std(axis=0)])
    keep = scale > _TINY * np.maximum(np.abs(np.concatenate([noisy.mean(axis=0), clean.mean(axis=0)])), 1e-300)
    scale = np.where(scale > 0, scale, 1.0)
    used = keep[size:]
    moments = Moments.of(
        noisy / scale[:size], (clean / scale[size:])[:, used], noise / np.outer(scale[:size], scale[:size])
    )
    hidden = moments.covariance.copy()
    hidden[:size, :size] -= moments.noise
    # A covariance has no negative directions; those seen are left over from sampling.
    values, vectors = np.linalg.eigh(hidden)
    hidden = (vectors * np.maximum(values, 0.0)) @ vectors.T
    seen = hidden.copy()
    seen[:size, :size] += moments.noise
    weights = hidden[:size] @ np.linalg.pinv(seen, rcond=_TINY, hermitian=True)
    return Filter(*_shrinkage(noisy, noise), moments.mean, scale, used, weights)


def _fitted_by_law(noisy: Floats, clean: Floats, noise: Floats, laws: Sequence[ReflectedColumn | None]) -> Filter:
    """Return a filter where some columns have reflected noise.

    With z the expected true value given a column alone and g a stand-in whose mean is the true value: Cov(X, z) is
    Var(z), and Cov(X, c) is Cov(g, c) for every c without this column's own noise. The common part of the matched
    noise of two columns is subtracted, as `shared_noise` computes it.
    """
    size = noisy.shape[1]
    seen = np.hstack([_expected_instead(noisy, laws), clean])
    stands = np.column_stack(
        [noisy[:, index] if law is None else law.stand_ins(noisy[:, index]) for index, law in enumerate(laws)]
    )
    scale = seen.std(axis=0)
    keep = scale > _TINY * np.maximum(np.abs(seen.mean(axis=0)), 1e-300)
    scale = np.where(scale > 0, scale, 1.0)
    used = keep[size:]
    kept = np.concatenate([np.ones(size, dtype=np.bool_), used])
    seen = (seen / scale)[:, kept]
    centre, covariance = seen.mean(axis=0), np.atleast_2d(np.cov(seen, rowvar=False))
    stands = stands / scale[:size]
    across = (stands - stands.mean(axis=0)).T @ (seen - centre) / max(len(seen) - 1, 1)
    hidden = np.atleast_2d(np.cov(stands, rowvar=False))
    sides = [float(sd) if law is None else law for sd, law in zip(np.sqrt(np.diag(noise)), laws, strict=True)]
    for index, law in enumerate(laws):
        for other_index in range(size):
            if other_index == index and law is not None:
                continue
            shared = shared_noise(sides[index], sides[other_index], float(noise[index, other_index]))
            across[index, other_index] -= shared[0] / (scale[index] * scale[other_index])
            hidden[index, other_index] -= shared[1] / (scale[index] * scale[other_index])
        if law is not None:
            across[index, index] = covariance[index, index]
            hidden[index, index] = law.variance / scale[index] ** 2
    joint = np.block([[hidden, across], [across.T, covariance]])
    values, vectors = np.linalg.eigh(joint)
    joint = (vectors * np.maximum(values, 0.0)) @ vectors.T
    weights = joint[:size, size:] @ np.linalg.pinv(joint[size:, size:], rcond=_TINY, hermitian=True)
    mean, alone = _shrinkage(_expected_instead(noisy, laws), noise)
    alone = np.array([factor if law is None else 1.0 for factor, law in zip(alone, laws, strict=True)])
    return Filter(mean, alone, centre, scale, used, weights, laws)


def error(truth: Floats, guess: Floats) -> Floats:
    """Return the root mean squared error of each column."""
    return np.asarray(np.sqrt(((truth - guess) ** 2).mean(axis=0)))


def error_figure(truth: Floats, guess: Floats, unit_size: float, method: Spoken) -> Figure:
    """Return the root mean squared error of one column in units of ``unit_size`` with its 95 % interval."""
    squares = ((truth - guess) / unit_size) ** 2
    count, mean = len(squares), float(squares.mean()) if len(squares) else 0.0
    if not count:
        return Figure.absent(NO_RECORD, unit="noise sd", method=method)
    half = Z_95 * float(squares.std()) / math.sqrt(count)
    low, high = math.sqrt(max(mean - half, 0.0)), math.sqrt(mean + half)
    return Figure(math.sqrt(mean), low=low, high=high, n=count, unit="noise sd", method=method)


def ratio_figure(truth: Floats, guess: Floats, base: Floats) -> Figure:
    """Return the error of a guess divided by the error of the baseline, with its 95 % interval.

    The interval is that of the logarithm of the ratio of both mean squares on the same records
    (delta method).

    Parameters
    ----------
    truth, guess, base
        One column: true values, the guess by all columns, the guess by the column alone.
    """
    method = _RATIO
    squared_error, base_error = (truth - guess) ** 2, (truth - base) ** 2
    if not len(truth) or not base_error.mean() > 0:
        return Figure.absent(_NO_ERROR, unit="ratio", method=method)
    ratio = float(squared_error.mean() / base_error.mean())
    if ratio == 0:
        return Figure(0.0, low=0.0, high=0.0, n=len(truth), unit="ratio", method=method)
    spread = float((squared_error / squared_error.mean() - base_error / base_error.mean()).std()) / math.sqrt(
        len(truth)
    )
    half = Z_95 * spread / 2
    middle = math.sqrt(ratio)
    return Figure(
        middle, low=middle * math.exp(-half), high=middle * math.exp(half), n=len(truth), unit="ratio", method=method
    )
