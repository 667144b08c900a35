"""The covariance of the noise of several columns, and drawing the noise.

Independent noise on correlated columns can be filtered out again: what the columns have in common stays, and the
noise does not share it (Kargupta et al.; Huang et al.). Noise whose covariance is proportional to that of the data
cannot be filtered out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import ColumnPlan
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Value

LEAST_RECORDS = 10
"""Fewest complete records from which a correlation is estimated."""


@dataclass(frozen=True, eq=False)
class NoiseCovariance:
    """The correlation of the noise of several columns.

    Attributes
    ----------
    kind
        ``independent`` (the paper) or ``matched`` to the data.
    correlation
        Of the noise, shape (columns, columns).
    notes
        What a person must know of the choice.
    """

    kind: Literal["independent", "matched"]
    correlation: Floats
    notes: tuple[Note, ...] = ()

    def matrix(self, sds: Sequence[float]) -> Floats:
        """Return the covariance matrix of the noise for these standard deviations."""
        scale = np.array(sds, dtype=np.float64)
        return np.asarray(self.correlation * scale[:, None] * scale[None, :])


def noise_covariance(plans: Sequence[ColumnPlan], settings: Settings) -> NoiseCovariance:
    """Return the covariance: as asked, by default matched where several columns get normal noise.

    Raises
    ------
    RecipeError
        When matched uniform noise is asked for: sums of uniform numbers are not uniform.
    InputError
        When matched noise is asked for and there are no correlations to match.
    """
    asked, kind = settings.values["covariance"], settings.values["noise"]
    independent = np.eye(len(plans))
    if len(plans) == 1:
        return NoiseCovariance("matched" if asked == "matched" else "independent", independent)
    if kind == "uniform" and asked == "matched":
        raise RecipeError("error.noise.matched-uniform")
    if kind == "uniform" or asked == "independent":
        return NoiseCovariance(
            "independent", independent, (Note("note.noise.filtered", {"columns": Names.of(settings.columns)}),)
        )
    values = correlations(plans)
    if values is None:
        if asked == "matched":
            raise InputError(
                "error.noise.no-correlation", args={"columns": Names.of(settings.columns), "least": LEAST_RECORDS}
            )
        arguments: dict[str, Value] = {"columns": Names.of(settings.columns), "least": LEAST_RECORDS}
        return NoiseCovariance("independent", independent, (Note("note.noise.nothing-to-match", arguments),))
    return NoiseCovariance("matched", values)


def correlations(plans: Sequence[ColumnPlan]) -> Floats | None:
    """Return the correlation matrix of the complete records; None where it cannot be computed."""
    complete = np.logical_and.reduce([plan.known for plan in plans])
    if int(np.count_nonzero(complete)) < LEAST_RECORDS:
        return None
    standardised = []
    for plan in plans:
        values = plan.column.numbers[complete]
        if values.min() == values.max():
            return None
        centred = values - values.mean()
        standardised.append(centred / np.sqrt((centred**2).sum()))
    size = len(plans)
    matrix = np.eye(size)
    for row in range(size):
        for column in range(row):
            # Sums in one fixed order: products of matrices may be split between threads.
            matrix[row, column] = matrix[column, row] = float((standardised[row] * standardised[column]).sum())
    return np.clip(matrix, -1.0, 1.0)


def factor(correlation: Floats) -> Floats:
    """Return the symmetric square root of a correlation matrix; negative eigenvalues (rounding) count as 0.

    It does not depend on the signs of the eigenvectors, nor on the basis chosen for equal eigenvalues.
    """
    values, vectors = np.linalg.eigh(correlation)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def mixing(correlation: Floats, shared: Bools) -> Floats:
    """Return weights that give independent draws the wanted correlation, shape (columns, columns).

    Parameters
    ----------
    correlation
        Wanted.
    shared
        Columns whose draws all rows of a person share. Their noise is made of such draws alone, so that it is the
        same in all of these rows; that of the others follows it, and has its own draws for the rest.
    """
    if shared.all() or not shared.any():
        return factor(correlation)
    first, then = np.flatnonzero(shared), np.flatnonzero(~shared)
    values = factor(correlation[np.ix_(first, first)])
    following = correlation[np.ix_(then, first)] @ np.linalg.pinv(correlation[np.ix_(first, first)], hermitian=True)
    rest = correlation[np.ix_(then, then)] - following @ correlation[np.ix_(first, then)]
    mixing_matrix = np.zeros_like(correlation)
    mixing_matrix[np.ix_(first, first)] = values
    mixing_matrix[np.ix_(then, first)] = following @ values
    mixing_matrix[np.ix_(then, then)] = factor((rest + rest.T) / 2)
    return mixing_matrix


def draw_noise(
    plans: Sequence[ColumnPlan], covariance: NoiseCovariance, kind: str, streams: StepStream
) -> list[Floats]:
    """Return each column's noise with standard deviation 1, one number for each record.

    The draws of a record do not depend on which of its values are missing. A column that is the same in all rows of
    each person gets the same noise in all of them, also where the noise of several columns goes together.
    """
    drawn = []
    for index, plan in enumerate(plans):
        progress.report(index / (2 * len(plans)), "progress.noise.draw")
        stream = streams.stream(f"noise {plan.column.name}")
        count = plan.draws
        noise = (2 * stream.uniform(count) - 1) * 3.0**0.5 if kind == "uniform" else stream.normal(count)
        drawn.append(plan.of_rows(noise))
    if covariance.kind == "independent" or len(plans) == 1:
        return drawn
    root = mixing(covariance.correlation, np.array([plan.people is not None for plan in plans]))
    mixed = []
    for index, weights in enumerate(root):
        progress.report(0.5 + index / (2 * len(plans)), "progress.noise.draw")
        total = weights[0] * drawn[0]
        for weight, column_noise in zip(weights[1:], drawn[1:], strict=True):
            total += weight * column_noise
        mixed.append(np.asarray(total))
    return mixed
