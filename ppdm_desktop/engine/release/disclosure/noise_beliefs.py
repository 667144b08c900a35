"""What an intruder concludes about each person's true number from a released number with added noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints, every_row, on_grid
from ppdm_desktop.engine.attacks.noise_belief import NoiseBelief, beliefs_behind_noise, beliefs_beyond_prediction
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, NoisyColumn, compute_guess_error, compute_linear_error
from ppdm_desktop.engine.attacks.people_belief import (
    combine_draws,
    has_repeated_draws,
    is_constant_in_person,
    noise_uncertainty_in_classes,
    row_weights,
)
from ppdm_desktop.engine.attacks.uncertainty import Uncertainty, WorstCaseGroup
from ppdm_desktop.engine.identifiability.classes import Classes, count_class_people
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.release.candidate.model import StepRecord
from ppdm_desktop.engine.release.disclosure.column_belief import (
    ColumnBelief,
    Reached,
    add_rare_by_all,
    combine_flags,
    find_worst_group,
    measure_worst_case_by_person,
    renumber_classes,
)
from ppdm_desktop.engine.release.disclosure.dependencies import Dependency
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.side_information import predict_from_others
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People


def belief_behind_noise(
    released: Released,
    name: str,
    truth: Column,
    released_column: Column,
    noise: tuple[dict[str, Any], tuple[LevelNoise, ...]],
    levels: Ints,
    dependencies: Sequence[Dependency],
) -> ColumnBelief:
    """Return what intruders conclude about a column of noisy numbers, the worst over several priors of the intruder.

    The result has one entry for each row with both numbers. Priors are the distribution rebuilt from the release, the
    true one, and what other columns predict. Nothing is known if fewer than two rows have both numbers.

    Parameters
    ----------
    released, name
        The table as written, and the name of the column.
    truth, released_column
        The true and the noisy numbers; rows as in the release.
    noise
        The public parameters of the noise, and its distribution at each privacy level.
    levels
        Index of each row's privacy level.
    dependencies
        Functional dependencies by which other columns reveal this one.
    """
    true, seen = truth.numbers, released_column.numbers
    of = np.flatnonzero(~np.isnan(true) & ~np.isnan(seen))
    of = every_row(len(of)) if len(of) == released.table.rows else of
    if len(of) < 2:
        nothing = Uncertainty.unchanged(len(of))
        return ColumnBelief(name, "noise", of, len(of), nothing, nothing, WorstCaseGroup(0, 0, 0))
    column = _noisy_column(true[of], seen[of], levels[of], *noise)
    whose = released.people.take(of)
    beliefs, representatives = _combine_repeated_draws(column, whose)
    of_representatives = _select_rows(column, representatives)
    linear = compute_linear_error(of_representatives)
    column_beliefs = [
        _compute_belief_with_prior(released, name, column, belief, prior, of, representatives, linear)
        for prior, belief in beliefs.items()
    ]
    # For planning the true values are learned from, once for all versions that show the same others.
    learned = column.truth if released.draft else column.released
    predicted = predict_from_others(released, name, learned, of)
    predictions = [("side-information", predicted)]
    if predicted is None or not released.draft:
        predictions += [
            ("dependency", dependency.guesses[of])
            for dependency in dependencies
            if dependency.manner == "learned" and dependency.guesses is not None
        ]
    control = beliefs["informed"].control_right(column.truth)
    # The prediction is read from the other columns of a row, so the intruder has to know whose row it is.
    unique = (count_class_people(released.reachable, released.people) == 1)[released.reachable.ids[of]]
    for prior, predicted in predictions:
        if predicted is None:
            continue
        with_prediction = beliefs_beyond_prediction(column, predicted, beliefs["informed"])
        residual_error = compute_guess_error(of_representatives, with_prediction.means[representatives])
        uncertainty = with_prediction.uncertainty
        reached = Uncertainty(
            np.where(unique, uncertainty.ratio, 1.0), uncertainty.right & unique, uncertainty.confirmed & unique
        )
        column_beliefs.append(
            replace(
                column_beliefs[1],
                all=uncertainty,
                worst_case=measure_worst_case_by_person(released.people, reached, control, of),
                rare=(),
                rare_by_all=(),
                residual_error=residual_error,
                ratio=residual_error / linear if linear > 0 else 0.0,
                prior=prior,
            )
        )
    return _combine_worst_figures(column_beliefs, whose)


def _compute_belief_with_prior(
    released: Released,
    name: str,
    column: NoisyColumn,
    belief: NoiseBelief,
    prior: str,
    of: Ints,
    representatives: Ints,
    linear: float,
) -> ColumnBelief:
    """Return what intruders with one prior conclude about a noisy column.

    One intruder knows the quasi-identifiers, the other all but the confidential columns. Where more than 1 / k_min of
    the rows are certain from the noisy number alone, worst case and rare values are judged by this number, else by
    class. Rare values of the second intruder are added as in `add_rare_by_all`.

    Parameters
    ----------
    released, name
        The table as written, and the name of the column.
    column, of
        The noisy numbers, and their rows in the release.
    belief, prior
        The posterior of each number, and the name of the prior.
    representatives
        Entries of the noisy numbers over which the error is averaged.
    linear
        Error of the linear guess.
    """
    whose = released.people.take(of)
    own_uncertainty = belief.uncertainty(column.truth)
    hides_little = bool(own_uncertainty.certain.mean() > 1.0 / released.k_min)

    def knowing(classes: Classes, worst_case: WorstCaseGroup | None = None) -> tuple[Uncertainty, Reached]:
        """Return the uncertainty left to an intruder who knows each person's class, and two figures on what is guessed.

        The uncertainty (`Uncertainty`) has one entry for each row of the column. The figures are how often guesses
        about the people with the least uncertainty are right (``worst_case`` itself if given), and how well the holders
        of rare values are named.
        """
        ids, count = renumber_classes(classes, of)
        truth, k_min = column.truth, released.k_min
        uncertainty = noise_uncertainty_in_classes(belief, truth, ids, count, k_min, whose)
        weights = row_weights(ids, whose)
        rare = belief.rare(truth, whose, (ids, weights))
        if hides_little:
            # Noise within which nearly the true value stands protects nobody: the value shown is a way to the row.
            worst_case = worst_case or measure_worst_case_by_person(
                released.people, own_uncertainty, belief.control_right(truth), of
            )
            rare = belief.rare(truth, whose)
        elif worst_case is None:
            worst_case = measure_worst_case_by_person(
                released.people, *belief.uncertainty_unplaced(truth, ids, k_min, weights), of
            )
        return uncertainty, (worst_case, tuple(rare))

    by_others = knowing(released.by_others)
    # Only in public does it count who is most at risk from those who know everything else.
    worst_case = None if released.candidate.prepared.type.is_public else by_others[1][0]
    everything = by_others if released.same_classes else knowing(released.by_all, worst_case)
    residual_error = compute_guess_error(_select_rows(column, representatives), belief.means()[representatives])
    class_ids, count = renumber_classes(released.by_others, of)
    one_secret = np.zeros(released.table.rows, dtype=np.bool_)
    one_secret[of] = belief.one_secret(class_ids, count, row_weights(class_ids, whose))[class_ids]
    column_belief = ColumnBelief(
        name,
        "noise",
        of,
        len(of),
        by_others[0],
        everything[0],
        *by_others[1],
        residual_error,
        residual_error / linear if linear > 0 else 0.0,
        prior,
        one_secret,
    )
    return add_rare_by_all(released, column_belief, everything[1])


def _combine_worst_figures(column_beliefs: list[ColumnBelief], whose: People) -> ColumnBelief:
    """Return one belief with the worst of each figure over several priors, and the rare values of all priors.

    The worst error is that of the prior with the smallest ``ratio``, whose name is the result's ``prior``; the worst
    uncertainty (left to an intruder) is that with the most certain people; rows are flagged if they are for any prior.
    """

    def certain(uncertainty: Uncertainty) -> int:
        """Return the number of people who are certain by this uncertainty."""
        return whose.among(uncertainty.certain)

    by_ratio = min(column_beliefs, key=lambda belief: on_grid(1.0 if belief.ratio is None else belief.ratio))
    return replace(
        by_ratio,
        others=max((belief.others for belief in column_beliefs), key=certain),
        all=max((belief.all for belief in column_beliefs), key=certain),
        worst_case=find_worst_group([belief.worst_case for belief in column_beliefs]),
        rare=tuple(secret for belief in column_beliefs for secret in belief.rare),
        rare_by_all=tuple(secret for belief in column_beliefs for secret in belief.rare_by_all),
        one_secret=combine_flags([column_belief.one_secret for column_belief in column_beliefs]),
    )


def _combine_repeated_draws(column: NoisyColumn, whose: People) -> tuple[dict[str, NoiseBelief], Ints]:
    """Return beliefs behind noise in which draws on a value that is constant within a person are combined.

    Where equal released values of a person repeat one draw, they count as one draw. If no person has a constant value,
    the beliefs are those from each row by itself, and all rows count.

    Returns
    -------
    dict, Ints
        The belief for each prior, and the rows over which the error is averaged: one of each person whose value is
        constant, and all rows of the others.
    """
    truth, released_codes = (
        np.unique(values, return_inverse=True)[1].reshape(-1) for values in (column.truth, column.released)
    )
    is_constant, rows = is_constant_in_person(truth, whose), np.arange(len(truth), dtype=np.int64)
    if not is_constant.any():
        return beliefs_behind_noise(column), rows
    same = np.abs(column.released - column.truth) <= column.step * 1e-6
    repeated = has_repeated_draws(released_codes, same, whose, is_constant)
    first, entry = rows, rows
    if repeated:
        count = int(released_codes.max()) + 1
        keys = np.where(is_constant[whose.of_row], whose.of_row * count + released_codes, whose.count * count + rows)
        _, first, entry = np.unique(keys, return_index=True, return_inverse=True)
        order = np.argsort(first)
        new_position = np.empty(len(order), dtype=np.int64)
        new_position[order] = np.arange(len(order))
        first, entry = first[order], new_position[entry.reshape(-1)]
    beliefs_of_draws = beliefs_behind_noise(_select_rows(column, first))
    beliefs = {
        name: combine_draws(replace(belief, row_index=belief.row_index[entry]), whose, is_constant, repeated=repeated)
        for name, belief in beliefs_of_draws.items()
    }
    is_representative = np.ones(len(rows), dtype=np.bool_)
    is_representative[is_constant[whose.of_row]] = False
    is_representative[whose.first_rows] = True
    return beliefs, np.flatnonzero(is_representative)


def _select_rows(column: NoisyColumn, rows: Ints) -> NoisyColumn:
    """Return the noisy column at these row indices, in their order."""
    return replace(column, truth=column.truth[rows], released=column.released[rows], level=column.level[rows])


def _noisy_column(
    true: Floats, seen: Floats, levels: Ints, parameters: dict[str, Any], laws: tuple[LevelNoise, ...]
) -> NoisyColumn:
    """Return these true and noisy numbers as one object, with public bounds widened to hold all true values.

    Parameters
    ----------
    true, seen
        True and released numbers, shape (rows,).
    levels, laws
        Index of each row's privacy level, and the noise of each level.
    parameters
        The step's public parameters: bounds, step of rounding, and where noise is reflected.
    """
    low, high = (float(bound) for bound in parameters["bounds"])
    return NoisyColumn(
        true,
        seen,
        levels if len(laws) > 1 else np.zeros(len(true), dtype=np.int64),
        laws,
        float(parameters["step"]),
        min(low, float(true.min())),
        max(high, float(true.max())),
        parameters.get("reflected_at"),
    )


def noise_levels(step: StepRecord, name: str) -> tuple[dict[str, Any], tuple[LevelNoise, ...]] | None:
    """Return public parameters and distributions of the noise that a step's result states for a column.

    There is one distribution for each privacy level, weakest protection first. None if the result states no noise for
    the column.
    """
    columns = step.result.detail.get("columns")
    parameters = columns.get(name) if isinstance(columns, dict) else None
    if not isinstance(parameters, dict) or not {"law", "levels", "step", "bounds"} <= parameters.keys():
        return None
    laws = tuple(
        LevelNoise(
            NoiseLaw(parameters["law"], float(level["sd"]), parameters.get("period")),
            max(float(level["width"]), float(parameters["step"])),
        )
        for level in parameters["levels"]
    )
    return parameters, laws
