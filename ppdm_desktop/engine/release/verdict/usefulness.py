"""The verdict's part on usefulness: three figures, their mean, and one figure for each learner."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate, copy_marks
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.release.measures.generalised_columns import is_generalised
from ppdm_desktop.engine.release.measures.kept_shares import find_released_columns, find_true_rows, list_rough_columns
from ppdm_desktop.engine.release.measures.losses import (
    describe_all_losses,
    list_informative_columns,
    list_lost_marked_columns,
)
from ppdm_desktop.engine.release.measures.rules import count_broken_rules
from ppdm_desktop.engine.report.model import Report, UsefulnessEntry
from ppdm_desktop.engine.table.rules import find_rules
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.utility.usefulness import measure_usefulness
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.values import Term

LEARNERS = ("decision-tree", "naive-bayes")
"""Learners whose figure stands for the others: one that makes rules, one that counts."""
_NO_RULES = Figure.absent(lazy("no rule was found in the source"), unit="share")
_NO_ANALYSES = Figure.absent(lazy("analyses were not tried out yet"), unit="share")
_NOTHING_LEARNT = lazy("there was nothing to learn")


def usefulness_of(candidate: Candidate, *, placed: bool = True) -> UsefulnessEntry:
    """Return how useful a release is: what it keeps of columns and of their pairs, its believable rows, and the mean.

    Each figure is from 0 to 1, and ``useful`` is the geometric mean of those that are not absent. The columns are those
    of the source with the role quasi-identifier, confidential or other. The entry also says in a sentence what is lost,
    and counts the columns that were marked to stay detailed and did not, the confidential ones that are gone, and all
    that lost detail or truth. ``learners`` is empty and ``analyses`` absent: `add_learner_success` adds them.

    Parameters
    ----------
    candidate
        The candidate; a column that a step leaves out keeps nothing.
    placed
        Whether it is known which source row each released row is; otherwise columns are compared without matching rows.
    """
    source = candidate.prepared.original
    released = find_released_columns(candidate)
    figures = measure_usefulness(
        source.with_role(*ATTRIBUTE_ROLES),
        released,
        find_true_rows(candidate) if placed else {},
        _compute_believable_share(candidate),
        candidate.prepared.of_source,
    )
    lost = describe_all_losses(candidate, placed=placed)
    return UsefulnessEntry(
        **vars(figures),
        lost=lost,
        learners={},
        analyses=_NO_ANALYSES,
        lost_detail=len(_list_lost_columns(candidate)),
    ).model_copy(update=count_losses_by_marks(candidate, candidate.prepared.recipe))


def count_losses_by_marks(candidate: Candidate, recipe: Recipe) -> dict[str, int]:
    """Return the fields of a `UsefulnessEntry` that depend on a recipe's marks of columns, for a candidate.

    They are the number of columns marked to stay detailed that are gone or shown only roughly, and of confidential
    columns that are gone and not marked as those that may go.
    """
    prepared = candidate.prepared
    marked = replace(candidate, prepared=replace(prepared, recipe=copy_marks(prepared.recipe, recipe)))
    gone = {column.name for column in prepared.original.with_role("confidential")} - {*find_released_columns(candidate)}
    may_go = {name for name, section in marked.prepared.recipe.columns.items() if section.detail == "may-go"}
    return {"marked_lost": len(list_lost_marked_columns(marked)), "secrets_gone": len(gone - may_go)}


def _list_lost_columns(candidate: Candidate) -> list[str]:
    """Return the names of the columns about people that lost detail or truth, in the source's order.

    They have the role quasi-identifier, confidential or other. A column did if it is gone or became constant, if it
    shows its values only roughly, or if some released value is in no source cell of the column. Generalised values,
    such as "20 to 29", do not count as untrue, nor do emptied cells.
    """
    source, released = candidate.prepared.original, candidate.released
    informative, rough = list_informative_columns(candidate), list_rough_columns(candidate)
    return [
        column.name
        for column in source.with_role(*ATTRIBUTE_ROLES)
        if column.name not in informative
        or column.name in rough
        or not (
            is_generalised(candidate, column.name) or {*released.column(column.name).categories} <= {*column.categories}
        )
    ]


def _compute_believable_share(candidate: Candidate) -> Figure:
    """Return the share of released rows that break no rule (such as start before end) found in the source or declared.

    Rules that the recipe does not keep are ignored. A generalised value breaks a rule only if no value that it may
    stand for obeys it. Absent without a rule or a row; 1 where each rule has a column that is not released, so that
    versions can be compared.
    """
    counted, rows = count_broken_rules(candidate), candidate.released.rows
    if not rows or (counted is None and not any(rule.kept for rule in find_rules(candidate.prepared.original))):
        return _NO_RULES
    broken = 0 if counted is None else counted.broken
    method = untranslated("released rows that break no rule")
    return Figure(1.0 - broken / rows, n=rows, unit="share", method=method)


def usefulness_of_original() -> UsefulnessEntry:
    """Return the usefulness of the untouched original: 1 in every figure, ``lost`` None, no figures of learners."""
    whole = Figure(1.0, unit="share", method=untranslated("the original itself"))
    return UsefulnessEntry(
        columns=whole, pairs=whole, believable=whole, useful=whole, lost=None, learners={}, analyses=_NO_ANALYSES
    )


def with_learners(report: Report, analyses: Analyses) -> Report:
    """Return a copy of a report whose verdicts on release and original include how often learners predict correctly.

    Where the report has no verdict on the original, only the one on the release does.
    """
    verdict = report.verdict.model_copy(update={"usefulness": add_learner_success(report.verdict.usefulness, analyses)})
    original = report.original
    if original is not None:
        usefulness_entry = add_learner_success(original.usefulness, analyses, original=True)
        original = original.model_copy(update={"usefulness": usefulness_entry})
    return report.model_copy(update={"verdict": verdict, "original": original})


def add_learner_success(
    usefulness_entry: UsefulnessEntry, analyses: Analyses, *, original: bool = False
) -> UsefulnessEntry:
    """Return usefulness with how often a decision tree and naive Bayes predict correctly, averaged over target columns.

    They learn from the release (or the original) and predict the source's records, cross-validated. ``learners`` of the
    result has a figure for each of the two by its id, with the number of targets as ``n``; targets without an accuracy
    on release or original do not count. ``analyses`` is the accuracy as a share of the original's, at most 1 for each
    target, averaged over targets and both learners. Figures are absent where nothing was learned.

    Parameters
    ----------
    usefulness_entry
        The usefulness without learners.
    analyses
        The results of learners.
    original
        Whether to use the figures of the original instead of the release.
    """
    learners: dict[str, Figure] = {}
    shares: list[float] = []
    for learner in LEARNERS:
        results = [model for model in analyses.models if model.learner == learner]
        pairs = [pair for pair in map(_read_accuracy_pair, results) if pair is not None]
        if not pairs:
            note = next((result.scores.released_true_labels.note for result in results), None)
            learners[learner] = Figure.absent(note or _NOTHING_LEARNT, unit="share")
            continue
        before, after = np.array(pairs, dtype=np.float64).T
        right = before if original else after
        method = untranslated("cross-validated, {learner}", learner=Term(learner))
        learners[learner] = Figure(float(right.mean()), n=len(pairs), unit="share", method=method)
        shares += (np.minimum(right, before) / np.maximum(before, 1e-12)).tolist()
    kept = Figure.absent(_NOTHING_LEARNT, unit="share")
    if shares:
        method = untranslated("as a share of what the original gives")
        kept = Figure(float(np.mean(shares)), n=len(shares), unit="share", method=method)
    return usefulness_entry.model_copy(update={"learners": learners, "analyses": kept})


def _read_accuracy_pair(result: ModelResult) -> tuple[float, float] | None:
    """Return the accuracy of a learner trained on the original and on the release; None if either is missing."""
    before, after = result.scores.original.value, result.scores.released_true_labels.value
    return None if before is None or after is None else (float(before), float(after))
