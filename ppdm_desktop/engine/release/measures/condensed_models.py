"""Classifiers that learn from statistics of groups alone (nearest group, mixture of Gaussians), tested by the owner.

C. C. Aggarwal and P. S. Yu, SIAM SDM 2005, section 1: condensed statistics can be used directly, without new records.
The statistics are read from ``condensation.json`` and stay in ``internal/``.

Each group counts as one Gaussian weighted by its number of records; names and labels are known as counts. Covariances
of small groups are shrunk towards the covariance within all groups (J. H. Friedman, Regularized Discriminant Analysis,
JASA 84, 1989): a group of n records in d columns keeps n/(n + d) of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Floats, Ints, find_first_largest, find_first_smallest
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.figure import SHARE_RIGHT, Figure
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import JointColumn
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Statistics, ValueCounts
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.methods.condensation import Condensation
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.utility.models.crossval import Scores, describe_fixed_sample, sample_rows, stratified_folds
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.utility.models.tasks import Task, tasks_of
from ppdm_desktop.engine.wording.catalogue import Sentence, join_remarks, lazy, untranslated
from ppdm_desktop.engine.wording.values import LazyText

# --- group models -------------------------------------------------------------------------

RIDGE = 1e-3
"""Added to the variance along every axis, in variances of the whole table."""


@dataclass(frozen=True, eq=False)
class GroupStatistics:
    """The statistics of groups that a learner may use.

    Attributes
    ----------
    n
        int64, shape (groups,): records.
    mean, covariance
        Shapes (groups, d) and (groups, d, d), in standard deviations of the whole table.
    names
        For each nominal column how often each category occurs in each group, shape (groups, categories).
    labels
        Shape (groups, classes): how often each label occurs, or is expected to occur, in each group.
    """

    n: Ints
    mean: Floats
    covariance: Floats
    names: tuple[Floats, ...]
    labels: Floats


def predict_by_nearest_group(groups: GroupStatistics, points: Floats, codes: Sequence[Ints]) -> Ints:
    """Return for each record the nearest group's most frequent label, as the index of a column of ``labels``, int64.

    The result has shape (records,). A nominal column adds half the squared distance between the record's category (as
    an indicator) and the group's shares to the squared distance: 1 if the whole group has one other category. Of
    equally frequent labels the one more frequent in all groups counts, then the first; of equally near groups the
    first.

    Parameters
    ----------
    groups
        At least one.
    points
        Shape (records, d), in the units of the means; 0 where missing.
    codes
        For each nominal column the index of each record's category, -1 if no group has it.
    """
    progress.check()
    square, length = (groups.mean**2).sum(axis=1), (points**2).sum(axis=1)[:, None]
    apart = length + square[None, :] - 2.0 * points @ groups.mean.T
    for share, code in zip(_compute_name_shares(groups), codes, strict=True):
        progress.check()
        is_known = code >= 0
        draw = np.where(is_known[:, None], share[:, np.maximum(code, 0)].T, 0.0)
        # Half the squared distance between an indicator and the group's shares.
        apart += 0.5 * (1.0 + (share**2).sum(axis=1)[None, :] - 2.0 * draw)
    return np.asarray(
        _find_commonest_labels(groups)[find_first_smallest(apart, length + square.max() + len(codes) + 1)]
    )


def predict_by_mixture(groups: GroupStatistics, points: Floats, codes: Sequence[Ints]) -> Ints:
    """Return for each record the most probable label, as the index of a column of ``labels``, int64, shape (records,).

    The probability of a label is the sum over the groups of weight times normal density times its share in the group. A
    group's covariance is drawn towards the pooled one, the more the fewer records it has. Categories count as
    independent within a group, each with one record more than seen. A missing or unknown category is ignored. Of
    equally probable labels the first is returned.

    Parameters
    ----------
    groups
        At least one.
    points
        Shape (records, d), in the units of the means; 0 where missing.
    codes
        For each nominal column the index of each record's category, -1 if no group has it.
    """
    rows, width = points.shape
    log = np.tile(np.log(groups.n / groups.n.sum()), (rows, 1))
    pooled = np.einsum("g,gij->ij", groups.n / groups.n.sum(), groups.covariance)
    for group in range(len(groups.n)):
        progress.report(group / len(groups.n), "doing.utility")
        keeps = groups.n[group] / (groups.n[group] + width) if width else 1.0
        covariance = keeps * groups.covariance[group] + (1 - keeps) * pooled + RIDGE * np.eye(width)
        root = np.linalg.cholesky(covariance)
        white = np.linalg.solve(root, (points - groups.mean[group]).T)
        log[:, group] -= 0.5 * (white**2).sum(axis=0) + np.log(np.diag(root)).sum()
    for counts, code in zip(groups.names, codes, strict=True):
        share = (counts + 1.0) / (counts.sum(axis=1, keepdims=True) + counts.shape[1])
        log += np.where((code >= 0)[:, None], np.log(share[:, np.maximum(code, 0)].T), 0.0)
    weight = np.exp(log - log.max(axis=1, keepdims=True))
    labels = groups.labels / np.maximum(groups.labels.sum(axis=1, keepdims=True), 1e-12)
    return find_first_largest(weight @ labels, weight.sum(axis=1, keepdims=True))


def _compute_name_shares(groups: GroupStatistics) -> list[Floats]:
    """Return for each nominal column the share of each category in each group, shape (groups, categories)."""
    return [counts / np.maximum(counts.sum(axis=1, keepdims=True), 1.0) for counts in groups.names]


def _find_commonest_labels(groups: GroupStatistics) -> Ints:
    """Return the most frequent label of each group; of equal ones the most frequent in all groups, then the first.

    Shape (groups,); labels are given by their column in ``labels``.
    """
    size = np.maximum(groups.labels.sum(axis=1, keepdims=True), 1.0)
    is_commonest = groups.labels >= groups.labels.max(axis=1, keepdims=True) - GRID * size
    whole = groups.labels.sum(axis=0)
    return find_first_largest(np.where(is_commonest, whole, -1.0), max(float(whole.sum()), 1.0))


# --- condensed models ---------------------------------------------------------------------

MOST_ROWS, FOLDS = 2_000, 5
"""More records than these are not used: a fixed sample stands for them. It is condensed again for each fold."""
_OWNER = lazy("learned from the group statistics in the folder “internal”, so only you can do this, not the recipient")
_AGAIN = lazy("the other records were condensed again for each part tested")
_NOT_SHOWN = lazy("group statistics are never released")
_KEY = Key.from_seed(0)
"""What is drawn here measures, and reaches no release."""


@dataclass(frozen=True)
class GroupLearner:
    """A learner that is fitted to group statistics.

    Attributes
    ----------
    id
        Id in the report.
    text
        Text id of its name and description.
    predict
        Function that predicts labels from statistics, points and codes.
    method
        Short description for the report.
    """

    id: str
    text: str
    predict: Callable[[GroupStatistics, Floats, Sequence[Ints]], Ints]
    method: LazyText


LEARNERS = (
    GroupLearner(
        "nearest-group", "learner.nearest-group", predict_by_nearest_group, untranslated("label of the nearest group")
    ),
    GroupLearner(
        "gaussian-mixture", "learner.gaussian-mixture", predict_by_mixture, untranslated("one Gaussian for each group")
    ),
)


@dataclass(frozen=True, eq=False)
class Condensing:
    """The method and settings by which a table is condensed."""

    method: Condensation
    table: Table
    settings: Settings

    def statistics(self, rows: Ints) -> Statistics:
        """Return the statistics that condensing only these records, given by row index, would write to the file.

        Random draws are fixed: the same rows always give the same statistics.

        Raises
        ------
        InputError
            If there are fewer records than the group size that one of the records asks for.
        """
        table = self.table.take(rows)
        result = self.method.run(table, self.settings, StepStream(_KEY, "0" * 64, "0" * 64, 1))
        return Statistics.from_json(self.method.internal_files(table, self.settings, result)[FILE_NAME])


def condensing_of(candidate: Candidate) -> Condensing | None:
    """Return how a candidate's records were condensed; None unless condensing is its only step.

    None, too, where records were added to an earlier release.
    """
    if len(candidate.steps) != 1:
        return None
    (step,) = candidate.steps
    # Of a top-up the records of the earlier release are not at hand.
    if not isinstance(step.method, Condensation) or step.method.id != Condensation.id:
        return None
    return Condensing(step.method, candidate.prepared.table, step.settings)


def add_condensed_results(
    models: Sequence[ModelResult], condensing: Condensing, before: Sequence[Column], after: Sequence[Column]
) -> tuple[ModelResult, ...]:
    """Return results with those of learners from statistics added, after the other learners of each task.

    The records of each fold are predicted from statistics of the other records: statistics of all records would include
    the predicted record, and groups of one class would reveal it. The results added are marked as not for the
    recipient, and have no figure on released labels. A task gets none if its figure on original records is absent.
    Unchanged if the columns have another number of rows than the condensed table, or if no task has classes.

    Parameters
    ----------
    models
        The results so far; their targets and baselines are used.
    condensing
        How statistics are made.
    before, after
        The released columns, before the steps and as released.
    """
    by_name = {source.name: (source, released) for source, released in zip(before, after, strict=True)}
    if not before or condensing.table.rows != len(before[0]):
        return tuple(models)
    asked = {(model.target, model.task): model for model in reversed(models) if model.scores.original.value is not None}
    tasks = [
        task
        for target in dict.fromkeys(target for target, _ in asked)
        for task in tasks_of(*by_name[target])
        if task.classes and (target, task.question) in asked
    ]
    if not tasks:
        return tuple(models)
    predicted = _score_learners(tasks, condensing, before)
    model_results: list[ModelResult] = []
    for index, result in enumerate(models):
        model_results.append(result)
        key = result.target, result.task
        is_last = index + 1 == len(models) or (models[index + 1].target, models[index + 1].task) != key
        if is_last and key in predicted:
            full_scores = asked[key].scores
            for learner in LEARNERS:
                absent = Figure.absent(_NOT_SHOWN, unit=SHARE_RIGHT)
                scores = Scores(full_scores.original, predicted[key][learner.id], absent, full_scores.baseline, FOLDS)
                model_results.append(ModelResult(*key, learner.id, learner.text, scores, for_recipient=False))
    return tuple(model_results)


def _score_learners(
    tasks: Sequence[Task], condensing: Condensing, before: Sequence[Column]
) -> dict[tuple[str, Sentence], dict[str, Figure]]:
    """Return each learner's share of right predictions on each task, by (target, task) and learner id.

    The records of each fold are predicted from statistics of the others; more than 2,000 records are sampled. A fold is
    left out if the others cannot be condensed, such as when one of them asks for a larger group than there are records.
    A task is left out if that is so in every fold, or if the statistics do not hold its target, or hold nothing else.
    """
    columns = {column.name: column for column in before}
    rows = sample_rows(condensing.table.rows, MOST_ROWS)
    fold_of = stratified_folds(tasks[0].before[rows], FOLDS)
    right: dict[tuple[str, Sentence], dict[str, list[tuple[int, int]]]] = {}
    for fold in range(FOLDS):
        with progress.part(fold / FOLDS, (fold + 1) / FOLDS):
            try:
                statistics = condensing.statistics(rows[fold_of != fold])
            except InputError:
                continue  # too few are left for anyone among them
            for task in tasks:
                test = rows[(fold_of == fold) & task.known[rows]]
                made = _restrict_to_task(task, statistics, columns, test) if len(test) else None
                if made is None:
                    continue
                for learner in LEARNERS:
                    hits = task.hits(learner.predict(*made), task.before[test])
                    of_task = right.setdefault((task.target, task.question), {})
                    of_task.setdefault(learner.id, []).append((int(hits.sum()), len(hits)))
    sampled = describe_fixed_sample(MOST_ROWS) if condensing.table.rows > MOST_ROWS else None
    return {
        key: {
            learner.id: _compute_right_share(of_task[learner.id], learner.method, join_remarks(_OWNER, _AGAIN, sampled))
            for learner in LEARNERS
        }
        for key, of_task in right.items()
    }


def _compute_right_share(counted: Sequence[tuple[int, int]], method: LazyText, note: LazyText | None) -> Figure:
    """Return the share of right guesses over all folds, with a 95 % Student-t interval.

    ``counted`` has (right, tested) of each fold; the interval is computed from the spread of the folds' shares and cut
    at 0 and 1. There is none for a single fold. ``method`` and ``note`` are stored in the figure.
    """
    from scipy.special import stdtrit

    hits, tested = np.array(counted, dtype=np.float64).T
    share = float(hits.sum() / tested.sum())
    low = high = None
    if len(hits) > 1:
        reach = float(stdtrit(len(hits) - 1, 0.975)) * float((hits / tested).std(ddof=1)) / len(hits) ** 0.5
        low, high = max(0.0, share - reach), min(1.0, share + reach)
    return Figure(share, low, high, int(tested.sum()), SHARE_RIGHT, method, note)


def _restrict_to_task(
    task: Task, statistics: Statistics, columns: dict[str, Column], rows: Ints
) -> tuple[GroupStatistics, Floats, list[Ints]] | None:
    """Return what a learner is given for a task: statistics without the target, and the records' numbers and codes.

    Numbers are centred and scaled as the statistics state, 0 where missing; codes are those of columns that the
    statistics count by value. None if the statistics hold no label of the task, or nothing else than the target.

    Parameters
    ----------
    task, statistics
        The task, and the statistics of all columns.
    columns
        The source's columns by name.
    rows
        Indices of the records to predict.
    """
    names = [str(described["name"]) for described in statistics.columns]
    used = [at for at, name in enumerate(names) if name != task.target and name in columns]
    scale = np.array([float(described["scale"]) for described in statistics.columns])
    centre = np.array([float(column["centre"]) for column in statistics.columns])
    moments = statistics.moments
    mean = (moments.mean - centre) / scale if len(names) else moments.mean
    covariance = moments.covariance / np.outer(scale, scale) if len(names) else moments.covariance
    labels = _count_labels(task, statistics, columns)
    if labels is None:
        return None
    points = np.zeros((len(rows), len(used)))
    for column_index, at in enumerate(used):
        values, present = _to_statistics_units(statistics, at, columns, rows)
        points[:, column_index] = np.where(present, (values - centre[at]) / scale[at], 0.0)
    counted = columns.keys() - {*names, task.target}
    counts, codes = [], []
    for count in statistics.counts:
        for at, name in enumerate(count.columns):
            if name in counted:
                value_counts, released_codes = _count_texts_by_group(
                    count, at, len(moments.n), columns[name].take(rows)
                )
                counts.append(value_counts)
                codes.append(released_codes)
    if not used and not counts:
        return None
    groups = GroupStatistics(moments.n, mean[:, used], covariance[:, used][:, :, used], tuple(counts), labels)
    return groups, points, codes


def _to_statistics_units(
    statistics: Statistics, at: int, columns: Mapping[str, Column], rows: Ints
) -> tuple[Floats, np.ndarray]:
    """Return some rows of a column in the unit of the statistics, and which of them have a value, shape (rows,) each.

    ``at`` is the index of the column in the statistics. Ordered categories are given by their rank from 0, and those
    that the statistics do not know have no value. A column with a base column is given as differences from it.
    """
    described = statistics.columns[at]
    column, base = columns[str(described["name"])].take(rows), columns.get(str(described.get("base")))
    if described["sort"] == "rank":
        rank_of_text = {text: rank for rank, text in enumerate(described["order"])}
        ranks = np.array([rank_of_text.get(text, -1) for text in column.texts] or [0], dtype=np.float64)[column.codes]
        return ranks, ranks >= 0
    if described["sort"] == "number" and base is None:
        return np.nan_to_num(column.numbers), ~column.missing
    joint = JointColumn.of(column, base=None if base is None else base.take(rows))
    return joint.values, joint.known & ~np.isnan(joint.values)


def _count_texts_by_group(counted: ValueCounts, at: int, groups: int, column: Column) -> tuple[Floats, Ints]:
    """Return how often each text of a column occurs in each group, and the index of each record's text, -1 if unknown.

    ``at`` is the index of the column in ``counted``; counts have shape (groups, texts).
    """
    index: dict[str | None, int] = {}
    value_codes = np.array([index.setdefault(value[at], len(index)) for value in counted.values], dtype=np.int64)
    counts = np.zeros((groups, max(len(index), 1)))
    np.add.at(counts, (counted.group, value_codes[counted.value]), counted.count)
    code_of_text = np.array([index.get(text, -1) for text in column.texts] or [0], dtype=np.int64)
    return counts, code_of_text[column.codes]


def _count_labels(task: Task, statistics: Statistics, columns: dict[str, Column]) -> Floats | None:
    """Return the number of records of each group with each label of the task; None if the statistics hold none.

    Shape (groups, labels). Halves of a number (below and above the median) are estimated by a normal distribution in
    each group, so that their numbers need not be whole. Missing values do not count.
    """
    groups = len(statistics.moments.n)
    target = columns[task.target]
    for count in statistics.counts:
        if task.target in count.columns:
            counts, _ = _count_texts_by_group(count, count.columns.index(task.target), groups, target)
            texts = list(dict.fromkeys(value[count.columns.index(task.target)] for value in count.values))
            label = {text: int(task.before[row]) for text, row in _find_example_rows(target).items()}
            label_counts = np.zeros((groups, task.classes))
            for at, text in enumerate(texts):
                if text in label and text not in target.missing_texts:
                    label_counts[:, label[text]] += counts[:, at]
            return label_counts
    for at, described in enumerate(statistics.columns):
        if described["name"] == task.target and described["sort"] == "number" and task.classes == 2:
            from scipy.stats import norm

            middle = float(np.median(target.numbers[~target.missing]))
            spread = np.sqrt(np.maximum(statistics.moments.covariance[:, at, at], 1e-12))
            above = norm.sf((middle - statistics.moments.mean[:, at]) / spread)
            return np.column_stack([1 - above, above]) * statistics.moments.n[:, None]
    return None


def _find_example_rows(column: Column) -> dict[str, int]:
    """Return by text the first row that holds it, for each different text of a column."""
    codes, first = np.unique(column.codes, return_index=True)
    return {column.texts[code]: int(row) for code, row in zip(codes.tolist(), first.tolist(), strict=True)}
