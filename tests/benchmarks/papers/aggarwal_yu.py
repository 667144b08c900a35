"""Aggarwal & Yu (2005): Fig. 8 to 15, accuracy and covariance compatibility against the group size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

import numpy as np

from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import PAPER_RULE, SAFE
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import BEST, PAPER
from ppdm_desktop.engine.release.measures.condensed_models import LEARNERS
from tests.benchmarks.papers.aggarwal_yu_data import ALPHAS, FOLDS, DataSet, Fold, Outcome, read, uci
from tests.benchmarks.papers.cells import Asked, Cell, Measured
from tests.benchmarks.papers.verdicts import verdict

FIGURES: Mapping[str, tuple[str, str]] = {
    "ionosphere": ("Fig. 8", "Fig. 9"),
    "ecoli": ("Fig. 10", "Fig. 11"),
    "pima": ("Fig. 12", "Fig. 13"),
    "abalone": ("Fig. 14", "Fig. 15"),
}
"""Of each data set the figure of accuracy and that of covariance compatibility."""
STATIC, CLOSER, DYNAMIC, SAFER = "static", "static, best-of", "dynamic", "dynamic, safe rule"
WAYS: Mapping[str, Callable[[Fold], Outcome]] = {
    STATIC: lambda fold: fold.static(PAPER),
    CLOSER: lambda fold: fold.static(BEST),
    DYNAMIC: lambda fold: fold.dynamic(PAPER_RULE),
    SAFER: lambda fold: fold.dynamic(SAFE),
}
PAPERS = (STATIC, DYNAMIC)
QUICK_FOLDS, QUICK_ALPHAS = 2, (5, 50)
_TRAINED_TWICE = 1 / (FOLDS - 1)


def figures(name: str, asked: Asked) -> Iterator[Cell]:
    """Yield both figures of a data set, size by size, each over ten folds with the paper's levels.

    ``difference`` is the accuracy less that of the original in the same fold, ``upper end`` that of its 95 % interval
    (corrected resampled t): below 0 the release is worse. ``short`` counts the records in groups smaller than one of
    their members asks for; ``told by`` are learners that take the groups' statistics (section 1, second use).
    """
    yield from cells(read(uci(asked, name), name.capitalize()), FIGURES[name], asked)


def cells(data: DataSet, shown: tuple[str, str], asked: Asked) -> Iterator[Cell]:
    """Yield the cells of a data set that was read."""
    folds = [
        fold for number, fold in enumerate(data.folds(asked.seed)) if number < (QUICK_FOLDS if asked.quick else FOLDS)
    ]
    accuracy, covariance = shown
    original: list[float] = []
    found: dict[tuple[int, str], list[Outcome]] = {}
    alphas = QUICK_ALPHAS if asked.quick else ALPHAS
    for alpha in alphas:
        made = [
            Fold(data, train, test, alpha, asked.seed * FOLDS + number) for number, (train, test) in enumerate(folds)
        ]
        if not original:
            original = [fold.original() for fold in made]
            yield Cell(accuracy, "original", float(np.mean(original)))
        for way, condense in WAYS.items():
            outcomes = found[alpha, way] = [condense(fold) for fold in made]
            yield from _of_way(shown, alpha, way, outcomes, original)
        for learner in LEARNERS if not data.is_number else ():
            told = float(np.mean([fold.direct(learner) for fold in made]))
            yield Cell(accuracy, f"told by {learner.id} at {alpha}", told, f"told by {learner.id}", alpha)
    yield from _sentences(shown, found, alphas)


def _of_way(
    shown: tuple[str, str], alpha: int, way: str, outcomes: list[Outcome], original: list[float]
) -> Iterator[Cell]:
    accuracy, covariance = shown
    rates = np.array([each.accuracy for each in outcomes])
    apart = verdict(rates - np.array(original), overlap=_TRAINED_TWICE)
    yield Cell(accuracy, f"{way} at {alpha}", float(rates.mean()), way, alpha)
    yield Cell(accuracy, f"{way} at {alpha}, difference", apart.mean)
    yield Cell(accuracy, f"{way} at {alpha}, upper end", apart.mean + apart.half)
    yield Cell(covariance, f"{way} at {alpha}", float(np.mean([each.mu for each in outcomes])), way, alpha)
    yield Cell(covariance, f"{way} at {alpha}, raw units", float(np.mean([each.mu_raw for each in outcomes])))
    yield Cell(covariance, f"{way} at {alpha}, squares within groups", float(np.mean([each.ssq for each in outcomes])))
    yield Cell(accuracy, f"{way} at {alpha}, short", float(np.mean([each.short for each in outcomes])))


def _sentences(
    shown: tuple[str, str], found: Mapping[tuple[int, str], list[Outcome]], alphas: tuple[int, ...]
) -> Iterator[Cell]:
    """Yield what the paper's sentences come to."""

    def mean(alpha: int, way: str) -> float:
        return float(np.mean([each.accuracy for each in found[alpha, way]]))

    accuracy, covariance = shown
    for way in PAPERS:
        yield Cell(accuracy, f"{way}, largest size less smallest", mean(alphas[-1], way) - mean(alphas[0], way))
        least = min(float(np.mean([each.mu for each in found[alpha, way]])) for alpha in alphas)
        yield Cell(covariance, f"{way}, lowest", least)
    gaps = [mean(alpha, STATIC) - mean(alpha, DYNAMIC) for alpha in alphas]
    yield Cell(accuracy, "static less dynamic, mean of sizes", float(np.mean(gaps)))
    yield Cell(accuracy, "static less dynamic, largest size", gaps[-1])


MEASURED: Mapping[str, Measured] = {f"aggarwal-yu-{name}": partial(figures, name) for name in FIGURES}
