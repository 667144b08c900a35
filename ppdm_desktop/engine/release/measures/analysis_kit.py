"""What an analysis kit may state about a candidate's noise: the parameters that attacks assume known, rounded.

The kit is a folder of scripts with which a recipient corrects analyses for the noise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord, list_treated_columns
from ppdm_desktop.engine.release.measures.analyses import known_noise
from ppdm_desktop.engine.report.public.analysis_kit import ChangedCategories, NoiseGroup, NoiseLaw
from ppdm_desktop.engine.table.people import count_holders
from ppdm_desktop.engine.table.writing.base import decimal_of
from ppdm_desktop.engine.table.writing.registry import find_writer

_SHARE_DECIMALS, _DECIMALS, _DIGITS = 2, 3, 4


def asks_for_kit(candidate: Candidate) -> bool:
    """Return whether the recipe wants an analysis kit and one is possible.

    None is possible for a teaching copy, for a file format that the kit cannot read, or if no released column was
    changed only by known noise or by exchanging categories with known probabilities.
    """
    release = candidate.prepared.recipe.release
    wanted = release.analysis_kit and not release.teaching_copy
    return wanted and find_writer(release.format).read_by_kit and fits_kit(candidate)


def fits_kit(candidate: Candidate) -> bool:
    """Return whether some released column was changed only by known noise or by exchange with known probabilities.

    A column in which all values were drawn again does not count.
    """
    return bool(known_noise(candidate)) or bool(_changed_categories(candidate))


def check_kit(candidate: Candidate) -> None:
    """Raise RecipeError if the recipe wants an analysis kit that cannot be made.

    Raises
    ------
    RecipeError
        If the kit cannot read the data file, if no released column was changed only by known noise or by exchanging
        categories with known probabilities, or for a teaching copy, which has no recipient.
    """
    release = candidate.prepared.recipe.release
    if release.analysis_kit and release.teaching_copy:
        raise RecipeError("error.export.kit-teaching")
    if release.analysis_kit and not find_writer(release.format).read_by_kit:
        raise RecipeError("error.export.kit-format")
    if release.analysis_kit and not fits_kit(candidate):
        raise RecipeError("error.export.kit-no-noise")


def noise_law(candidate: Candidate, data_name: str) -> NoiseLaw:
    """Return what may be stated about the noise of every released column that got noise and nothing else.

    - Stated are the parameters that attacks assume to be known: shape, strength and cell widths for each share of the
      people, correlations between columns, and categories that were changed at random.
    - Privacy levels have no names; one of fewer people than may be stated is joined to the next.
    - Bounds taken from the data, and cells made from them, are not stated; the strength includes them. Reflection at
      zero is stated, since it follows from the column's meaning.
    - Also stated are ``data_name``, the name of the data file, its decimal sign and delimiter, and whether each row is
      another person.
    """
    noise_by_column = known_noise(candidate)
    groups = []
    for step in candidate.steps:
        names = [name for name in step.settings.columns if name in noise_by_column and step.method.adds_known_noise]
        if names:
            groups.append(_describe_noise_group(candidate, step, names))
    return NoiseLaw(
        data_file=data_name,
        decimal=decimal_of(candidate.released),
        delimiter=candidate.released.delimiter,
        rows_are_people=not candidate.released.persons.with_several,
        noise=groups,
        categories=_changed_categories(candidate),
    )


def _find_frequent_values(candidate: Candidate, name: str) -> set[str]:
    """Return the released values of a column that at least ``k_min`` people have, so that they may be stated."""
    column = candidate.released.column(name)
    people = count_holders(column.category_codes, len(column.categories), candidate.released.persons).tolist()
    return {
        text for text, count in zip(column.categories, people, strict=True) if count >= candidate.prepared.type.k_min
    }


def _changed_categories(candidate: Candidate) -> list[ChangedCategories]:
    """Return what is stated about each released column whose categories one step changed at random, and no other step.

    That is the probability that a value is drawn again, and the probability of each category in such a draw, for
    categories that at least k_min people have in the release; both rounded to three decimals. A column in which all
    values were drawn again is left out, because no share of a part of the rows can be corrected.
    """
    treated = [name for step in candidate.steps for name in list_treated_columns(candidate, step.index)]
    categories = []
    for step in candidate.steps:
        method = step.method
        for name, of_column in method.category_chances(step.before, step.settings).items():
            redrawn = round(of_column.redrawn, _DECIMALS)
            if treated.count(name) > 1 or name not in candidate.released_names or redrawn >= 1:
                continue
            before, often = step.before.column(name).categories, _find_frequent_values(candidate, name)
            shares = {
                text: round(float(share), _DECIMALS)
                for text, share in zip(before, of_column.shares, strict=True)
                if text in often
            }
            categories.append(ChangedCategories(column=name, redrawn=redrawn, shares=shares))
    return categories


def _describe_noise_group(candidate: Candidate, step: StepRecord, names: list[str]) -> NoiseGroup:
    """Return what is stated about the noise that one step added to the columns ``names``.

    It has the noise's shape, correlations, bounds and reflection, and for each privacy level its share of the people,
    standard deviation and width of cells, shapes (columns, levels). Levels of too few people are joined. Standard
    deviations are scaled so that the total variance stays the same, and then rounded to four significant digits. For a
    column whose bounds were not declared, drawing again inside cells is included in the standard deviation, and the
    widths of cells and the grid are 0.
    """
    detail = step.result.detail
    columns: list[dict[str, Any]] = [detail["columns"][name] for name in names]
    records = np.array([level["records"] for level in columns[0]["levels"]], dtype=np.float64)
    sd, band = _build_level_matrix(columns, "sd"), _build_level_matrix(columns, "width")
    steps = np.array([column["step"] for column in columns])
    folded = np.array([column["bounds_source"] != "declared" for column in columns])
    total = np.sqrt(sd**2 + np.where(folded[:, None], (2 * band**2 - steps[:, None] ** 2) / 12, 0.0))
    weights = records / records.sum()
    correlation = _compute_correlation(detail["covariance"], names)
    goes_together = correlation * ((sd * weights) @ sd.T) / ((total * weights) @ total.T)
    np.fill_diagonal(goes_together, 1.0)
    parts = _join_small_levels(records, candidate.prepared.type.k_min)
    exact = (total**2) @ weights
    shares = _round_shares([float(records[part].sum()) for part in parts])
    joined = np.column_stack([_compute_root_mean_square(total, records, part) for part in parts])
    # Shares are rounded; the variance that all corrections take off is not to suffer from it.
    joined *= np.sqrt(exact / ((joined**2) @ shares))[:, None]
    bands = np.column_stack(
        [_compute_root_mean_square(np.where(folded[:, None], 0.0, band), records, part) for part in parts]
    )
    grid = np.where(folded, 0.0, steps)
    return NoiseGroup(
        columns=names,
        law=str(columns[0]["law"]),
        shares=shares.tolist(),
        sd=_round_matrix(joined),
        band=_round_matrix(bands),
        step=grid.tolist(),
        bounds=[_find_bounds(candidate, name, column) for name, column in zip(names, columns, strict=True)],
        correlation=np.round(goes_together, _DECIMALS).tolist(),
        reflected_at=[column.get("reflected_at") for column in columns],
        reflected_above=[
            column["reflected_at"] + column["period"] / 2 if "period" in column else None for column in columns
        ],
    )


def _build_level_matrix(columns: Sequence[Mapping[str, Any]], key: str) -> Floats:
    """Return a public parameter (such as ``sd``) of each column's noise at each level, shape (columns, levels)."""
    return np.array([[level[key] for level in column["levels"]] for column in columns])


def _find_bounds(candidate: Candidate, name: str, detail: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the declared lower and upper bound of a noisy column; None without any.

    If noise is reflected at the lower end only, the lower bound is at least 0. ``detail`` has the noise's parameters.
    """
    bounds = candidate.prepared.column_section(name).bounds
    if bounds is None:
        return None
    lowest = 0.0 if "reflected_at" in detail and "period" not in detail else -np.inf
    return max(float(bounds[0]), lowest), float(bounds[1])


def _compute_correlation(covariance: dict[str, Any], names: list[str]) -> Floats:
    """Return the correlation matrix of the noise of some columns, in the order of ``names``, from its covariance.

    ``covariance`` has the names of all noisy columns under ``columns`` and their covariance matrix under ``matrix``.
    """
    places = [covariance["columns"].index(name) for name in names]
    matrix = np.array(covariance["matrix"], dtype=np.float64)[np.ix_(places, places)]
    scale = np.sqrt(np.diag(matrix))
    return np.asarray(matrix / scale[:, None] / scale[None, :])


def _join_small_levels(records: Floats, least: int) -> list[list[int]]:
    """Return groups of privacy level indices, so that each has enough people to be stated and at least 1 % of them all.

    A small level joins the next one, the last level the one before: with 3, 20, 30 and 2 people and ``least`` 5, the
    groups are [0, 1] and [2, 3]. Levels without people are in no group; a single group may still be too small.
    ``records`` holds the number of people at each level, ``least`` the fewest that may be stated.
    """
    parts = [[index] for index, count in enumerate(records) if count > 0]
    enough = max(float(least), records.sum() / 10**_SHARE_DECIMALS)
    while len(parts) > 1:
        few = next((index for index, part in enumerate(parts) if records[part].sum() < enough), None)
        if few is None:
            break
        neighbour = few + 1 if few + 1 < len(parts) else few - 1
        parts[neighbour] = sorted(parts[few] + parts[neighbour])
        del parts[few]
    return parts


def _round_shares(counts: list[float]) -> Floats:
    """Return shares of a total, rounded to two decimals, that sum to 1; the largest takes the rounding error.

    Counts of 1, 1 and 1 give 0.34, 0.33 and 0.33: of equal counts the first takes it.
    """
    shares = np.round(np.array(counts) / sum(counts), _SHARE_DECIMALS)
    largest = int(shares.argmax())
    shares[largest] = round(1.0 - float(np.delete(shares, largest).sum()), _SHARE_DECIMALS)
    return np.asarray(shares)


def _compute_root_mean_square(values: Floats, records: Floats, part: list[int]) -> Floats:
    """Return for each column the root mean square of the values of some privacy levels, weighted by records.

    ``values`` has shape (columns, levels), the result (columns,); ``part`` holds the indices of the levels.
    """
    weights = records[part] / records[part].sum()
    return np.asarray(np.sqrt((values[:, part] ** 2) @ weights))


def _round_matrix(values: Floats) -> list[list[float]]:
    """Return a matrix as lists of numbers rounded to four significant digits."""
    return [[float(f"{value:.{_DIGITS}g}") for value in row] for row in values.tolist()]
