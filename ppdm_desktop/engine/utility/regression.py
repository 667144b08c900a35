"""Linear and logistic regression with standard errors, as analysts use them on a release."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats

_DEPENDENT = 1e-7
"""Share of a column's length below which what earlier columns leave of it is rounding."""
_MOST_STEPS, _CONVERGED = 30, 1e-10


@dataclass(frozen=True, eq=False)
class Fit:
    """A fitted regression; coefficients, errors and significance have shape (columns of the design,).

    Attributes
    ----------
    values, errors
        Coefficients and their standard errors.
    significant
        Whether each coefficient differs from zero at a significance level of 5 %.
    fitted
        Fitted value of each record: the mean, or the probability of 1 in a logistic regression.
    """

    values: Floats
    errors: Floats
    significant: Bools
    fitted: Floats


def independent_columns(design: Floats) -> Bools:
    """Return which columns are no linear combination of the columns before them, bool, shape (columns,).

    ``design`` has shape (rows, columns). A column of zeros counts as dependent, and so does one of which less than 1e-7
    of its length is left when the columns before it are taken off.
    """
    from scipy.linalg import qr

    lengths = np.sqrt((design**2).sum(axis=0))
    kept = np.flatnonzero(lengths > 0)
    while len(kept):
        (triangle,) = qr(design[:, kept] / lengths[kept], mode="r", check_finite=False)
        left = np.zeros(len(kept))
        left[: min(triangle.shape)] = np.abs(np.diag(triangle))
        if (left > _DEPENDENT).all():
            break
        # Only the first is known to depend on those before it.
        kept = np.delete(kept, np.argmax(left <= _DEPENDENT))
    is_independent = np.zeros(design.shape[1], dtype=np.bool_)
    is_independent[kept] = True
    return is_independent


def fit_linear(design: Floats, y: Floats) -> Fit:
    """Return the least-squares fit of ``y``, shape (rows,), on ``design``, shape (rows, terms).

    It has the coefficients, their standard errors, which of them are significant by a t-test at 5 %, and the fitted
    value of each row. The columns must be independent and fewer than the rows; a constant is fitted only if it is one
    of them.
    """
    from scipy.stats import t

    values, spread = _fit_weighted_least_squares(design, y, np.ones(len(y)))
    fitted = design @ values
    freedom = len(y) - design.shape[1]
    errors = spread * (((y - fitted) ** 2).sum() / freedom) ** 0.5
    return Fit(values, errors, np.abs(values) > errors * t.ppf(0.975, freedom), fitted)


def fit_logistic(design: Floats, y: Floats) -> Fit:
    """Return the maximum-likelihood fit of zeros and ones, by iteratively reweighted least squares.

    It has the coefficients, their standard errors, which of them are significant at 5 % by the normal distribution, and
    the fitted probability of each row. The normal equations are solved until the fit has converged, at most 29 times,
    and a last step by orthogonal decomposition gives exact digits. If ones and zeros are perfectly separated,
    coefficients grow until the last step.

    ``design`` has shape (rows, terms), with independent columns, and ``y`` holds 0 or 1, shape (rows,).
    """
    from scipy.special import expit, xlogy
    from scipy.stats import norm

    def deviance_of(chances: Floats) -> float:
        """Return the deviance, -2 log-likelihood, of fitted probabilities."""
        return float(-2 * (xlogy(y, chances) + xlogy(1 - y, 1 - chances)).sum())

    def working_response(linear: Floats) -> tuple[Floats, Floats]:
        """Return response and weights of the next least-squares step, given the last linear predictors."""
        chances = np.clip(expit(linear), 1e-12, 1 - 1e-12)
        weights = chances * (1 - chances)
        return linear + (y - chances) / weights, weights

    linear, deviance = np.where(y > 0, 1.0, -1.0), np.inf
    for _ in range(_MOST_STEPS - 1):
        progress.check()
        linear = design @ _solve_normal_equations(design, *working_response(linear))
        before, deviance = deviance, deviance_of(expit(linear))
        if abs(before - deviance) <= _CONVERGED * (abs(deviance) + 0.1):
            break
    values, spread = _fit_weighted_least_squares(design, *working_response(linear))
    return Fit(values, spread, np.abs(values) > norm.ppf(0.975) * spread, expit(design @ values))


def _solve_normal_equations(design: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the coefficients of weighted least squares, shape (terms,), from the normal equations.

    Where these equations are singular, the coefficients come from an orthogonal decomposition.
    """
    lengths = np.sqrt((design**2 * weights[:, None]).sum(axis=0))
    lengths[lengths == 0] = 1.0
    scaled = design / lengths
    weighted = scaled * weights[:, None]
    try:
        return np.asarray(np.linalg.solve(weighted.T @ scaled, weighted.T @ y) / lengths)
    except np.linalg.LinAlgError:
        return _fit_weighted_least_squares(design, y, weights)[0]


def _fit_weighted_least_squares(design: Floats, y: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Return the coefficients of weighted least squares, and their standard errors for a residual variance of one.

    Both have shape (terms,); ``weights``, shape (rows,), are 0 or more and the columns of ``design`` independent.
    """
    from scipy.linalg import qr, solve_triangular

    roots = np.sqrt(weights)
    rows = design * roots[:, None]
    lengths = np.sqrt((rows**2).sum(axis=0))
    lengths[lengths == 0] = 1.0
    orthogonal, triangle = qr(rows / lengths, mode="economic", check_finite=False)
    values = solve_triangular(triangle, orthogonal.T @ (y * roots), check_finite=False)
    inverse = solve_triangular(triangle, np.eye(len(triangle)), check_finite=False)
    return values / lengths, np.sqrt((inverse**2).sum(axis=1)) / lengths
