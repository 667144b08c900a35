"""The verdict's part on usefulness: one figure for the detail, one for relations, one for each learner."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.release.measures.utility import Measures
from ppdm_desktop.engine.report.model import Report, UsefulnessEntry
from ppdm_desktop.engine.utility.models.suite import ModelResult
from ppdm_desktop.engine.wording.catalogue import later, untranslated
from ppdm_desktop.engine.wording.values import Term

LEARNERS = ("decision-tree", "naive-bayes")
"""Learners whose figure stands for the others: one that makes rules, one that counts."""
_NO_ANALYSES = Figure.absent(later("report", "analyses were not tried out yet"), unit="share")
_NOTHING_LEARNT = later("report", "there was nothing to learn")


def usefulness_of(measures: Measures, rows_read: int, rows_left: int) -> UsefulnessEntry:
    """Return what a release keeps, before analyses were tried.

    Parameters
    ----------
    measures
        What was measured of columns and pairs.
    rows_read, rows_left
        Rows of the source and of the release.
    """
    return UsefulnessEntry(
        detail=_detail(measures, rows_read, rows_left),
        relations=_relations(measures),
        learners={},
        analyses=_NO_ANALYSES,
    )


def usefulness_of_original() -> UsefulnessEntry:
    """Return what the original keeps of itself."""
    whole = Figure(1.0, unit="share", method=untranslated("the original itself"))
    return UsefulnessEntry(detail=whole, relations=whole, learners={}, analyses=_NO_ANALYSES)


def with_learners(report: Report, analyses: Analyses) -> Report:
    """Return a report whose verdicts hold what the learners find, in the release and in the original."""
    verdict = report.verdict.model_copy(update={"usefulness": learned(report.verdict.usefulness, analyses)})
    original = report.original
    if original is not None:
        found = learned(original.usefulness, analyses, original=True)
        original = original.model_copy(update={"usefulness": found})
    return report.model_copy(update={"verdict": verdict, "original": original})


def learned(found: UsefulnessEntry, analyses: Analyses, *, original: bool = False) -> UsefulnessEntry:
    """Return usefulness with how often the learners are right, in the mean over the targets.

    Parameters
    ----------
    found
        The rest of it.
    analyses
        What was tried.
    original
        Take the figures of the original, not those of the release.
    """
    learners: dict[str, Figure] = {}
    shares: list[float] = []
    for learner in LEARNERS:
        results = [each for each in analyses.models if each.learner == learner]
        pairs = [pair for pair in map(_pair, results) if pair is not None]
        if not pairs:
            note = next((each.scores.released_true_labels.note for each in results), None)
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
    return found.model_copy(update={"learners": learners, "analyses": kept})


def _detail(measures: Measures, rows_read: int, rows_left: int) -> Figure:
    """Return the mean over released columns of what each keeps.

    A column to which steps gave broader values keeps its granularity (Iyengar 2002), which counts removed
    records as lost: ranges are other words than numbers, and total variation would call them all
    changed. Every other column keeps 1 - total variation of the records that are left.
    """
    kept_rows = min(rows_left / max(rows_read, 1), 1.0)
    fine = {} if measures.coarseness is None else measures.coarseness.generalisation.by_column
    found = [
        fine[each.name] if each.name in fine else (1.0 - float(each.total_variation.value)) * kept_rows
        for each in measures.columns
        if each.total_variation.value is not None
    ]
    if not found:
        return Figure.absent(later("report", "no released column can be compared"), unit="share")
    return Figure(
        float(np.mean(found)),
        n=len(found),
        unit="share",
        method=untranslated("mean over released columns of granularity, or of 1 - total variation"),
    )


def _relations(measures: Measures) -> Figure:
    change = measures.pairs.correlation_mean_change
    if change.value is None:
        return Figure.absent(change.reason, unit="share")
    return Figure(
        max(1.0 - abs(float(change.value)), 0.0),
        n=change.n,
        unit="share",
        method=untranslated("1 - mean change of the correlation of two columns"),
    )


def _pair(result: ModelResult) -> tuple[float, float] | None:
    before, after = result.scores.original.value, result.scores.released_true_labels.value
    return None if before is None or after is None else (float(before), float(after))
