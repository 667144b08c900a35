"""The figures read from each trial of a sweep, with the direction in which each is better."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from statistics import fmean

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.evaluate.scorecard import RISKS, Scorecard
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy

USE, LOSS, ATTACK, LEVELS, OWN = "use", "loss", "attack", "levels", "own"

TREE = "decision-tree"


@dataclass(frozen=True)
class Trial:
    """The result of one value with one key.

    Attributes
    ----------
    verdict
        The verdict, as for a release.
    analyses
        The analyses, where they were made.
    columns
        Usefulness of each released column.
    """

    verdict: Verdict
    analyses: Analyses | None
    columns: tuple[ColumnUtility, ...] = ()


@dataclass(frozen=True)
class SweepMeasure:
    """One figure of a trial.

    Attributes
    ----------
    id
        Id in the rows of a sweep.
    title
        Name for people.
    kind
        ``use``, ``loss``, ``attack``, ``levels``, or ``own`` for what a release says of itself.
    is_share
        Whether it is a share, to be written in per cent.
    read
        Function that returns the figure of a trial; None where it was not measured.
    """

    id: str
    title: Sentence
    kind: str
    is_share: bool
    read: Callable[[Trial], float | None]


def _usefulness(criterion: str) -> Callable[[Trial], float | None]:
    """Return a function that reads a figure of usefulness from a trial."""
    return lambda trial: _finite(Scorecard(trial.verdict).value(criterion))


def _risk(criterion: str) -> Callable[[Trial], float | None]:
    """Return the function that reads one kind of risk from a run of the sweep."""
    return lambda trial: _finite(Scorecard(trial.verdict).upper(criterion)) if criterion in RISKS else None


def _of_analyses(name: str) -> Callable[[Trial], float | None]:
    """Return a function that reads a figure of the analyses from a trial."""

    def read(trial: Trial) -> float | None:
        """Return the figure of a trial; None where it was not measured."""
        figure: Figure | None = None if trial.analyses is None else getattr(trial.analyses, name)
        return None if figure is None or figure.value is None else float(figure.value)

    return read


def _widest_gap(trial: Trial) -> float | None:
    """Return the largest difference of the cumulative distributions, averaged over ordered columns."""
    gaps = [float(column.ks.value) for column in trial.columns if column.ks.value is not None]
    return fmean(gaps) if gaps else None


def _own_labels(trial: Trial) -> float | None:
    """Return how often a tree trained on the release predicts released records right, averaged over targets."""
    models = () if trial.analyses is None else trial.analyses.models
    right = [float(model.scores.released_labels.value) for model in models
             if model.learner == TREE and model.scores.released_labels.value is not None]  # fmt: skip
    return fmean(right) if right else None


def _leaves(trial: Trial) -> float | None:
    """Return the number of leaves of trees trained on the release, averaged over targets."""
    models = () if trial.analyses is None else trial.analyses.models
    values = [float(model.leaves.released.value) for model in models
             if model.leaves is not None and model.leaves.released.value is not None]  # fmt: skip
    return fmean(values) if values else None


def _learner(id: str) -> Callable[[Trial], float | None]:
    """Return a function that reads how often a learner trained on the release predicts original records right."""

    def read(trial: Trial) -> float | None:
        """Return the figure of a trial, averaged over targets; None where it was not measured."""
        models = () if trial.analyses is None else trial.analyses.models
        right = [float(model.scores.released_true_labels.value) for model in models
                 if model.learner == id and model.scores.released_true_labels.value is not None]  # fmt: skip
        return fmean(right) if right else None

    return read


MEASURES = (
    SweepMeasure("columns", lazy("Columns kept"), USE, True, _usefulness("columns")),
    SweepMeasure("pairs", lazy("Pairs of columns kept"), USE, True, _usefulness("pairs")),
    SweepMeasure("tree", lazy("Predictions still correct (decision tree)"), USE, True, _learner(TREE)),
    SweepMeasure(
        "naive-bayes",
        lazy("Predictions still correct (naive Bayes)"),
        USE,
        True,
        _learner("naive-bayes"),
    ),
    SweepMeasure(
        "nearest",
        lazy("Predictions still correct (nearest neighbour)"),
        USE,
        True,
        _learner("nearest-1"),
    ),
    SweepMeasure(
        "covariance",
        lazy("Covariance compatibility"),
        USE,
        False,
        _of_analyses("covariance_compatibility"),
    ),
    SweepMeasure("sse-sst", lazy("Information loss (SSE/SST)"), LOSS, True, _of_analyses("sse_sst")),
    SweepMeasure("il1s", lazy("Information loss (IL1s)"), LOSS, False, _of_analyses("il1s")),
    SweepMeasure("distribution", lazy("Largest shift of a distribution"), LOSS, True, _widest_gap),
    SweepMeasure("tree-own", lazy("Released values predicted (decision tree)"), OWN, True, _own_labels),
    SweepMeasure("leaves", lazy("Leaves of the decision tree"), OWN, False, _leaves),
    SweepMeasure("match", lazy("People who can be found"), ATTACK, True, _risk("match")),
    SweepMeasure("guess", lazy("Confidential values guessed"), ATTACK, True, _risk("guess")),
    SweepMeasure("certain", lazy("Confidential values revealed for certain"), ATTACK, True, _risk("certain")),
    SweepMeasure("reversal", lazy("Protection undone"), ATTACK, True, _risk("reversal")),
    SweepMeasure(
        "levels-short",
        lazy("People below their protection level"),
        LEVELS,
        False,
        lambda trial: _finite(Scorecard(trial.verdict).levels_short),
    ),
)
"""Every figure of a trial, in the order in which they are shown."""


def _finite(value: float | None) -> float | None:
    """Return a number, None for NaN."""
    return None if value is None or math.isnan(value) else float(value)
