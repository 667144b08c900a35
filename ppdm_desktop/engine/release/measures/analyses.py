"""How well statistical analyses work on a candidate: models, clusters, covariance, loss, separability.

Regressions are compared with the original as well: those of the recipe, or else proposed ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.recipe.models import LEARN_FROM, RegressionSection
from ppdm_desktop.engine.release.candidate.model import Candidate, is_drawn, list_treated_columns, match_source_columns
from ppdm_desktop.engine.release.measures.condensed_models import (
    add_condensed_results,
    condensing_of,
)
from ppdm_desktop.engine.release.measures.noise_reconstruction import (
    levels_of_noise,
    noise_systems,
    reconstruction_curves,
)
from ppdm_desktop.engine.report.charts_usefulness import Curve
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.utility.clusters import ClusterAgreement, cluster_agreement
from ppdm_desktop.engine.utility.conclusions import Conclusions, compare_regressions
from ppdm_desktop.engine.utility.models.suite import KnownNoise, ModelResult, Reconstructable, measure_models
from ppdm_desktop.engine.utility.whole_table import Compared, TableFigures, measure_table, numbers_of_columns
from ppdm_desktop.engine.wording.catalogue import lazy

MOST_MODELS, _MOST_X, _MOST_CATEGORIES = 5, 4, 20


def proposed_models(table: Table) -> tuple[RegressionSection, ...]:
    """Return a regression of each confidential column that can be a target, on up to four quasi-identifiers.

    There are at most five, in the order of their targets in the table. Targets are numeric, or have two values and are
    neither dates nor free text. All have the same predictors: the first four quasi-identifiers that can be one
    (numbers, dates, or 2 to 20 categories). Empty if none can.

    Parameters
    ----------
    table
        The columns with their roles, before any step.
    """
    x = [column.name for column in table.with_role("quasi-identifier") if _may_explain(column)][:_MOST_X]
    answers = [column.name for column in table.with_role("confidential") if may_be_explained(column)]
    return tuple(RegressionSection(y=name, x=tuple(x)) for name in answers[:MOST_MODELS] if x)


def may_be_explained(column: Column) -> bool:
    """Return whether a regression can have the column as its target: numbers, or two values, not dates or free text."""
    return column.kind == "numeric" or (column.kind not in ("text", "date") and len(column.categories) == 2)


def _may_explain(column: Column) -> bool:
    """Return whether a regression can have the column as a predictor: numbers, dates, or 2 to 20 categories.

    Free text cannot be one.
    """
    return column.kind in ("numeric", "date") or (
        column.kind != "text" and 2 <= len(column.categories) <= _MOST_CATEGORIES
    )


def compare_conclusions(
    candidate: Candidate, sides: Compared, models: tuple[RegressionSection, ...] | None
) -> tuple[Conclusions, ...]:
    """Return the results of each regression on the original and on the release, in the order of the models.

    Models with a column that is not released are left out. Numbers of the original are those of the source, without
    bins.

    Parameters
    ----------
    candidate, sides
        The candidate, and its columns before and as released.
    models
        The regressions; None for those of `proposed_models` for the table before the steps.

    Raises
    ------
    RecipeError
        If a model names a column that the source does not have.
    """
    prepared = candidate.prepared
    models = proposed_models(prepared.table) if models is None else models
    released = {column.name: column for column in sides.after}
    before = {column.name: column for column in sides.before}
    results = []
    for model in models:
        progress.check()
        for name in (model.y, *model.x):
            prepared.table.column(name)
        if all(name in released for name in (model.y, *model.x)):
            pairs = [(_to_source_numbers(candidate, before[name]), released[name]) for name in (model.y, *model.x)]
            results.append(compare_regressions(pairs[0], pairs[1:]))
    return tuple(results)


def _to_source_numbers(candidate: Candidate, column: Column) -> Column:
    """Return a numeric column as it is in the source, so without bins.

    ``column`` itself if its numbers are drawn inside bins, or if it has no numbers.
    """
    source = candidate.prepared.original.column(column.name)
    return source if source.kind == "numeric" and not is_drawn(candidate, column.name) else column


CLUSTERS = (2, 3, 4, 5, 6)
_CHOSEN = lazy(
    "the released records were chosen because they predict this column of the same people, so the figure would be "
    "too good"
)


@dataclass(frozen=True)
class Analyses:
    """How far usual analyses of the release find what they find in the source.

    Attributes
    ----------
    models
        Results of every learner on every target, in the order of targets.
    clusters
        Agreement of cluster analyses of the released numbers; empty without numbers.
    table
        Figures of the table as a whole.
    conclusions
        What regressions say on the release, beside what they say on the original.
    models_asked
        The regressions of the recipe; None for the proposed ones.
    reconstructions
        Distributions of the noisy columns: true, released and reconstructed (for the window only).
    learn_from
        The data from which learners learned noisy columns, beside the released values.
    """

    models: tuple[ModelResult, ...]
    clusters: tuple[ClusterAgreement, ...]
    table: TableFigures
    reconstructions: tuple[Curve, ...]
    learn_from: LEARN_FROM = "released"
    conclusions: tuple[Conclusions, ...] = ()
    models_asked: tuple[RegressionSection, ...] | None = None


def analyse(candidate: Candidate, *, learn_from: LEARN_FROM | None = None, level_known: bool = False) -> Analyses:
    """Return how well usual analyses work on the release, compared with the source.

    They are predictions of target columns, cluster analyses, figures of the whole table, regressions, and distributions
    reconstructed from noise. The same candidate gives the same figures: samples, folds and starts are fixed, and
    libraries run on one thread. If condensing is the only step, learners from its group statistics are added. Figures
    on released records are absent for a target by which a step chose its records, as they would be too good.

    Parameters
    ----------
    candidate
        The candidate; nothing is drawn again.
    learn_from
        How learners use reconstructed distributions, in addition to the released values; None for the recipe's choice.
    level_known
        Whether learners reconstruct with each record's privacy level, which a recipient does not have. The
        reconstructed distributions in the result never use it, nor do learners if a step made groups or synthetic rows.

    Raises
    ------
    RecipeError
        When the recipe names a regression with a column that the source does not have.
    Cancelled
        When the work was stopped.
    """
    chosen = learn_from or candidate.prepared.recipe.utility.learn_from
    with one_thread():
        sides = match_source_columns(candidate)
        noise = known_noise(candidate)
        models = progress.part(0.0, 0.65).run(
            measure_models,
            sides.before,
            sides.after,
            _list_target_columns(candidate),
            sides.twins,
            noise=noise,
            reconstruction=_build_noise_systems(candidate, noise, chosen, level_known),
        )
        models = tuple(_remove_training_figures(model, list_training_targets(candidate)) for model in models)
        condensing = condensing_of(candidate)
        if condensing is not None:
            models = progress.part(0.65, 0.75).run(add_condensed_results, models, condensing, sides.before, sides.after)
        clusters = progress.part(0.75, 0.9).run(_compare_clusters, sides)
        table = progress.part(0.9, 0.94).run(measure_table, sides)
        compared_conclusions = progress.part(0.94, 0.95).run(
            compare_conclusions, candidate, sides, candidate.prepared.recipe.utility.models
        )
        curves = progress.part(0.95, 1.0).run(reconstruction_curves, candidate)
        return Analyses(
            models,
            clusters,
            table,
            curves,
            chosen,
            compared_conclusions,
            candidate.prepared.recipe.utility.models,
        )


def _build_noise_systems(
    candidate: Candidate, noise: Mapping[str, KnownNoise], learn_from: LEARN_FROM, level_known: bool
) -> Reconstructable | None:
    """Return the noise of columns in the form from which learners reconstruct distributions.

    None if learners use released values only, or if no column has known noise. Records' privacy levels are used if
    ``level_known`` is True, unless a step made groups or synthetic rows.
    """
    if learn_from == "released" or not noise:
        return None
    levels = levels_of_noise(candidate) if level_known else None
    systems = noise_systems(candidate, noise, level_known=levels is not None)
    return Reconstructable(learn_from, systems, levels)


def _list_target_columns(candidate: Candidate) -> tuple[str, ...]:
    """Return the names of the recipe's target columns, or if it names none, of the source's confidential columns.

    Columns that are not released are among them.
    """
    prepared = candidate.prepared
    confidential = tuple(column.name for column in prepared.table.with_role("confidential"))
    return prepared.recipe.utility.targets or confidential


def list_training_targets(candidate: Candidate) -> frozenset[str]:
    """Return the names of the columns for which a step chose records by how well they train learners."""
    keys = ((step.method.chosen_for, step.result.detail) for step in candidate.steps)
    return frozenset(str(detail[key]) for key, detail in keys if key is not None and key in detail)


def _remove_training_figures(result: ModelResult, chosen: frozenset[str]) -> ModelResult:
    """Return a result without the figures on released records if its target is one of ``chosen``; else unchanged.

    A step chose the records by these figures, so they would be too good; they are replaced by a note that says so.
    """
    if result.target not in chosen:
        return result
    absent = Figure.absent(_CHOSEN)
    return replace(result, scores=replace(result.scores, released_true_labels=absent, released_labels=absent))


def known_noise(candidate: Candidate) -> Mapping[str, KnownNoise]:
    """Return the noise of known variance of each released column that only one step treated, by column.

    The step has to add noise of known variance; empty if there is no such column. The result for a column holds two
    variances in its unit squared, and whether noise is reflected at a bound. For privacy levels l with share pi_l,
    standard deviation s_l and cells of width L_l on a grid of step s, the variance of the noise is the sum of pi_l
    s_l^2, and that of drawing again inside cells the sum of pi_l (L_l^2/12 + (L_l^2 - s^2)/12).
    """
    noise_by_column: dict[str, KnownNoise] = {}
    treated: list[str] = [name for step in candidate.steps for name in list_treated_columns(candidate, step.index)]
    for step in candidate.steps:
        if not step.method.adds_known_noise:
            continue
        for name, column in step.result.detail["columns"].items():
            if treated.count(name) == 1 and name in candidate.released_names:
                reflected = "reflected_at" in column
                noise_by_column[name] = _average_noise(column["levels"], float(column["step"]), reflected=reflected)
    return noise_by_column


def _average_noise(levels: Sequence[Mapping[str, float]], step: float, *, reflected: bool) -> KnownNoise:
    """Return the variances of noise and of drawing again inside cells, averaged over privacy levels by their records.

    Parameters
    ----------
    levels
        For each level its number of ``records``, the standard deviation ``sd``, and the ``width`` of a cell.
    step
        Step of the column's grid.
    reflected
        Whether the noise is reflected at a bound; stored in the result.
    """
    records = np.array([level["records"] for level in levels], dtype=np.float64)
    shares = records / max(records.sum(), 1.0)
    spread = np.array([level["sd"] for level in levels], dtype=np.float64)
    width = np.array([level["width"] for level in levels], dtype=np.float64)
    cells = width**2 / 12 + (width**2 - step**2) / 12
    return KnownNoise(float(shares @ spread**2), float(shares @ cells), reflected)


def _compare_clusters(sides: Compared) -> tuple[ClusterAgreement, ...]:
    """Return the agreement of cluster analyses of source and release, one entry each for 2, 3, 4, 5 and 6 clusters.

    Empty without columns that are numeric in both. The source rows that were removed do not take part. If released rows
    are no source rows, all rows of both take part, not paired.
    """
    kept = sides.match_rows()
    before, after = numbers_of_columns(*kept) if kept is not None else numbers_of_columns(sides.before, sides.after)
    if not before.shape[1]:
        return ()
    cluster_agreements = []
    for done, k in enumerate(CLUSTERS):
        progress.report(done / len(CLUSTERS), "doing.utility")
        with progress.part(done / len(CLUSTERS), (done + 1) / len(CLUSTERS)):
            cluster_agreements.append(cluster_agreement(before, after, k, paired=kept is not None))
    return tuple(cluster_agreements)
