"""Draws the noise of the columns, with the right covariance, and the released values; computes the privacy loss before.

Independent noise on correlated columns can be filtered out again: what the columns have in common stays, and the noise
does not share it (Kargupta et al.; Huang et al.). Noise whose covariance is proportional to that of the data cannot be
filtered out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Codes, Floats
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import MOST_DIGITS, replace_values, step_units
from ppdm_desktop.engine.methods.algorithms.noise_addition.plan import ColumnPlan, plan_columns
from ppdm_desktop.engine.methods.algorithms.noise_addition.recount import Cells
from ppdm_desktop.engine.methods.base.level_losses import LevelLoss
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.noise.integration import channel_loss
from ppdm_desktop.engine.noise.kernels import NoiseKind, NoiseLaw, reflect_values
from ppdm_desktop.engine.noise.lattice import nearest_on_grid
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Value

# --- preview ------------------------------------------------------------------------------

MOST_BINS = 64


def preview_losses(table: Table, settings: Settings) -> tuple[LevelLoss, ...]:
    """Return the privacy loss, from 0 to 1, by column and, within a column, by privacy level, weakest first.

    Nothing is drawn; it is quick, because values are counted in cells.

    Raises
    ------
    InputError
        When a column cannot get noise, as in ``plan_columns``.
    """
    return plan_losses(plan_columns(table, settings), settings.values["noise"])


def plan_losses(plans: Sequence[ColumnPlan], kind: NoiseKind) -> tuple[LevelLoss, ...]:
    """Return the privacy loss, from 0 to 1, by column and, within a column, by privacy level, with the noise used.

    ``kind`` is the shape of the noise. A loss is the share by which an analyst narrows a value down on average. The
    result also has the number of people at the level, and the privacy left (the width of an interval in which a
    uniform value would be equally uncertain, in the column's unit). Levels come weakest first.
    """
    level_losses = []
    for plan in plans:
        edges, shares = histogram(plan)
        losses: dict[tuple[float, int], tuple[float, float]] = {}
        for level in plan.levels:
            key = (level.sd, level.width)
            if key not in losses:
                measured = channel_loss(
                    edges,
                    shares,
                    NoiseLaw(kind, level.sd, plan.period),
                    cell_width=plan.width_of(level),
                    origin=plan.origin,
                    reflected=plan.reflected,
                )
                losses[key] = measured.loss, measured.conditional_pi
            level_losses.append(
                LevelLoss(plan.column.name, level.name, level.records, level.sd, plan.width_of(level), *losses[key])
            )
    return tuple(level_losses)


def histogram(plan: ColumnPlan) -> tuple[Floats, Floats]:
    """Return edges, shape (T + 1,), and counts, shape (T,), of a column's known values in T cells of equal width.

    There are at most 64 cells; if the column's grid has no more steps from the lowest to the highest value, each step
    is a cell. Edges are in the column's unit, the first half a step below the lowest value, the last half a step above
    the highest. The last cell may be narrower than the others. The column must have a value.
    """
    values = plan.column.numbers[plan.known]
    lowest, highest = float(values.min()), float(values.max())
    steps = round((highest - lowest) / plan.step) + 1
    count = min(steps, MOST_BINS)
    width = plan.step * (-(-steps // count))
    # The cells are as wide as whole steps, so that each holds as many grid values as the next.
    count = max(1, -(-steps // round(width / plan.step)))
    low = lowest - plan.step / 2
    counts, edges = np.histogram(values, bins=count, range=(low, low + count * width))
    edges = np.asarray(edges, dtype=np.float64)
    edges[-1] = highest + plan.step / 2  # the last cell may be less than full
    return edges, np.asarray(counts, dtype=np.float64)


# --- covariance ---------------------------------------------------------------------------

# --- perturbing ---------------------------------------------------------------------------

_BLOCK = 1 << 15
"""Number of records processed at a time, few enough for the processor's cache."""


def released_column(plan: ColumnPlan, codes: Codes, noise: Floats, streams: StepStream) -> tuple[Column, Cells]:
    """Return the column with noise added, and the cell from which each of its values was drawn.

    A cell is a range of neighbouring values around the noisy value, in which the released one is drawn. Missing values
    stay missing, and their cells mean nothing. If the plan says so, noisy values beyond an end are reflected there.

    Parameters
    ----------
    plan
        The column's noise and cells.
    codes
        Each record's privacy level, an index into the plan's levels.
    noise
        Noise with standard deviation 1, one number for each record.
    streams
        The step's random streams; the draws inside cells come from ``cell <name>``.

    Raises
    ------
    InputError
        When a value would have more digits than can be read back, or would be read as a missing value.
    RuntimeError
        When a value is outside its cell, which is a fault of the program.
    """
    column, lattice, count = plan.column, plan.lattice, len(plan.column)
    step = step_units(plan.style)
    spreads = np.array([level.sd for level in plan.levels], dtype=np.float64)
    widths = np.array([level.width for level in plan.levels], dtype=np.int64)
    # The cells nest, so one draw below the widest serves every level.
    units = plan.drawn_for
    draws = units.of_rows(streams.stream(f"cell {column.name}").integers(int(widths.max()), units.count))
    numbers, released = column.numbers, np.empty(count, dtype=np.int64)
    cells = Cells(np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64))
    for start in range(0, count, _BLOCK):
        progress.check()
        block = slice(start, start + _BLOCK)
        level, present = codes[block], plan.known[block]
        perturbed = (numbers[block] + spreads[level] * noise[block]) / plan.step
        if plan.reflected:
            # Half a step below the lower end lies an edge of the lattice, and one at the upper end: whole cells turn.
            lower_end = lattice.first - 0.5
            period = None if plan.span is None else 2.0 * plan.span
            perturbed = reflect_values(perturbed - lower_end, period) + lower_end
        perturbed[~present] = 0.0
        if float(np.abs(perturbed).max()) + float(widths.max()) >= 10**MOST_DIGITS / step:
            raise InputError("error.numeric.too-many-digits", column=column.name, args={"most": MOST_DIGITS})
        width = widths[level]
        cells.width[block] = width
        cells.start[block] = lattice.start_of(nearest_on_grid(perturbed), width)
        resampled = lattice.resample(cells.start[block], width, draws[block])
        if not lattice.holds(resampled, perturbed, width).all():
            raise RuntimeError("a released value is outside the cell of its record")
        released[block] = np.where(present, resampled, 0)
    # ``5`` beside ``5.0`` would tell which values the noise left where they were.
    return replace_values(column, released * step if step != 1 else released, plan.style, uniform=True), cells


# --- covariance ---------------------------------------------------------------------------

LEAST_RECORDS = 10
"""Fewest complete records from which correlations are estimated."""


@dataclass(frozen=True, eq=False)
class NoiseCovariance:
    """The correlation between the noise of several columns.

    Attributes
    ----------
    kind
        ``independent`` (as in the paper) or ``matched`` to the correlation of the data.
    correlation
        Correlation matrix of the noise, shape (columns, columns).
    notes
        What a person must know about this choice.
    """

    kind: Literal["independent", "matched"]
    correlation: Floats
    notes: tuple[Note, ...] = ()

    def matrix(self, sds: Sequence[float]) -> Floats:
        """Return the covariance matrix of the noise for these standard deviations, shape (columns, columns)."""
        scale = np.array(sds, dtype=np.float64)
        return np.asarray(self.correlation * scale[:, None] * scale[None, :])


def noise_covariance(plans: Sequence[ColumnPlan], settings: Settings) -> NoiseCovariance:
    """Return the correlation of the columns' noise, with notes: as the settings say, by default matched if possible.

    Matched noise has the correlation matrix of the data; it needs normal noise and correlations that can be estimated.
    Independent noise has the identity matrix. It has one note: that it can be filtered out or, if it is used only
    because no correlations can be estimated, that there is nothing to match. A single column has the identity matrix,
    no notes, and the kind ``matched`` only if the settings say so.

    Raises
    ------
    RecipeError
        When the settings want matched uniform noise for several columns: sums of uniform numbers are not uniform.
    InputError
        When the settings want matched noise for several columns and no correlations can be estimated.
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
    values = compute_correlations(plans)
    if values is None:
        arguments: dict[str, Value] = {"columns": Names.of(settings.columns), "least": LEAST_RECORDS}
        if asked == "matched":
            raise InputError("error.noise.no-correlation", args=arguments)
        return NoiseCovariance("independent", independent, (Note("note.noise.nothing-to-match", arguments),))
    return NoiseCovariance("matched", values)


def compute_correlations(plans: Sequence[ColumnPlan]) -> Floats | None:
    """Return the correlations between columns, over records with a value in every one; shape (columns, columns).

    None if there are fewer than ten such records, or if a column has the same value in all of them.
    """
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


def compute_symmetric_root(correlation: Floats) -> Floats:
    """Return the symmetric square root of a correlation matrix; eigenvalues that are negative by rounding count as 0.

    It does not depend on the signs of the eigenvectors, nor on the basis chosen for equal eigenvalues.
    """
    values, vectors = np.linalg.eigh(correlation)
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T)


def compute_mixing_weights(correlation: Floats, shared: Bools) -> Floats:
    """Return a matrix that gives independent draws the wanted correlation: noise is weights @ draws.

    Shape (columns, columns). If all columns are ``shared``, or none is, it is the symmetric square root of
    ``correlation``.

    Parameters
    ----------
    correlation
        The wanted correlation matrix.
    shared
        Which columns have one draw for all rows of a person. Their noise is made of such draws only, so that it is the
        same in all these rows. The noise of the other columns follows it as far as they correlate, and has its own
        draws for the rest.
    """
    if shared.all() or not shared.any():
        return compute_symmetric_root(correlation)
    first, then = np.flatnonzero(shared), np.flatnonzero(~shared)
    values = compute_symmetric_root(correlation[np.ix_(first, first)])
    following = correlation[np.ix_(then, first)] @ np.linalg.pinv(correlation[np.ix_(first, first)], hermitian=True)
    rest = correlation[np.ix_(then, then)] - following @ correlation[np.ix_(first, then)]
    mixing_matrix = np.zeros_like(correlation)
    mixing_matrix[np.ix_(first, first)] = values
    mixing_matrix[np.ix_(then, first)] = following @ values
    mixing_matrix[np.ix_(then, then)] = compute_symmetric_root((rest + rest.T) / 2)
    return mixing_matrix


def draw_noise(
    plans: Sequence[ColumnPlan], covariance: NoiseCovariance, kind: str, streams: StepStream
) -> list[Floats]:
    """Return each column's noise with standard deviation 1, one number for each record.

    The columns' noise is correlated as ``covariance`` says; it is uniform if ``kind`` is ``uniform``, otherwise normal.
    Records without a value get noise as well, so the draws do not depend on which values are missing. A column that is
    constant within people gets the same noise in all rows of a person, even if the noise of several columns is
    correlated.
    """
    drawn = []
    for index, plan in enumerate(plans):
        progress.report(index / (2 * len(plans)), "progress.method.write")
        stream = streams.stream(f"noise {plan.column.name}")
        count = plan.drawn_for.count
        noise = (2 * stream.uniform(count) - 1) * 3.0**0.5 if kind == "uniform" else stream.normal(count)
        drawn.append(plan.drawn_for.of_rows(noise))
    if covariance.kind == "independent" or len(plans) == 1:
        return drawn
    root = compute_mixing_weights(covariance.correlation, np.array([plan.drawn_for.with_several > 0 for plan in plans]))
    mixed = []
    for index, weights in enumerate(root):
        progress.report(0.5 + index / (2 * len(plans)), "progress.method.write")
        total = weights[0] * drawn[0]
        for weight, column_noise in zip(weights[1:], drawn[1:], strict=True):
            total += weight * column_noise
        mixed.append(np.asarray(total))
    return mixed
