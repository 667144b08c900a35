"""The figures of the whole table and of its groups, in words, from the report's own objects. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.utility.separability import SAYS_NOTHING
from ppdm_desktop.ui.charts.numbers import strength
from ppdm_desktop.ui.pages.compare.scorecards import hundred


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


@dataclass(frozen=True)
class FigureShown:
    """One figure of the whole table in plain words, with its exact term and how to read it."""

    words: str
    figure: str
    reading: str
    term: str


def figures_shown(analyses: Analyses) -> list[FigureShown]:
    """Return covariance compatibility, information loss and separability."""
    return [
        FigureShown(
            _tr("How pairs of numbers move together"),
            _plain(analyses.covariance_compatibility, 3),
            _tr("1 is as before; 0 means nothing in common."),
            _term(_tr("covariance compatibility μ"), analyses.covariance_compatibility),
        ),
        FigureShown(
            _tr("How much of the treated numbers' spread was changed"),
            _plain(analyses.sse_sst, 3),
            _tr("0 is nothing; 1 is as if everybody had the average."),
            _term(_tr("information loss SSE/SST"), analyses.sse_sst),
        ),
        FigureShown(
            _tr("How far a treated number moved, on average"),
            _plain(analyses.il1s, 3),
            _tr("0 is not at all; 1 is about one and a half times the usual distance from the average."),
            _term(_tr("IL1s, in standard deviations times √2"), analyses.il1s),
        ),
        FigureShown(
            _tr("Can a program tell the two tables apart?"),
            _plain(analyses.pmse, 4),
            _apart_reading(analyses.pmse),
            _term(_tr("propensity score pMSE"), analyses.pmse),
        ),
    ]


def _apart_reading(figure: Figure) -> str:
    if SAYS_NOTHING in (figure.note or ""):
        return _tr("There are too few rows to tell: any two tables this short could be told apart.")
    return _tr("0 is not at all; the more, the better it can.")


def _plain(figure: Figure, digits: int) -> str:
    return "–" if figure.value is None else f"{figure.value:.{digits}f}"


def _term(name: str, figure: Figure) -> str:
    return f"{name} · {figure.note}" if figure.note else name


def cluster_headers() -> tuple[str, ...]:
    """Return the headings of the clusters."""
    return (
        _tr("Groups asked for"),
        _tr("Sizes agree"),
        _tr("People who stay"),
        _tr("Pairs (ARI)"),
    )


def cluster_rows(analyses: Analyses) -> list[tuple[str, ...]]:
    """Return how far groups found by k-means are those of the original."""
    return [
        (str(each.k), _share(each.by_sizes), _share(each.matched), strength(each.ari.value))
        for each in analyses.clusters
    ]


def clusters_print(analyses: Analyses) -> str:
    """Return how to read the figures, and why some could not be measured, in small print."""
    words = _tr(
        "k-means on the numbers, before and after. Sizes agree: 100 % when the groups are as large as before. "
        "ARI: adjusted Rand index, 1 the same groups, 0 as by chance."
    )
    fewest = [each.k for each in analyses.clusters if each.by_sizes.value is None]
    if fewest:
        return f"{words} {_tr('There are too few people for {n} groups and more.').format(n=min(fewest))}"
    if any(each.matched.value is None for each in analyses.clusters):
        return (
            f"{words} {_tr('Released rows are not those of the original, so nobody can be seen to stay in a group.')}"
        )
    return words


def _share(figure: Figure) -> str:
    return "–" if figure.value is None else f"{hundred(float(figure.value))} %"


def clusters_title(analyses: Analyses) -> str:
    """Say how many people stay in their group."""
    found = [each.matched.value for each in analyses.clusters if each.matched.value is not None]
    sizes = [each.by_sizes.value for each in analyses.clusters if each.by_sizes.value is not None]
    if not found and sizes:
        # Rows that were made up are nobody's, so that nobody can stay in a group.
        low, high = f"{100 * min(sizes):.0f}", f"{100 * max(sizes):.0f}"
        if low == high:
            return _tr("Groups of similar people are as large as before to {n} %").format(n=low)
        return _tr("Groups of similar people are as large as before to between {low} and {high} %").format(
            low=low, high=high
        )
    if not found:
        return _tr("Groups of similar people could not be compared")
    low, high = hundred(float(min(found))), hundred(float(max(found)))
    if min(found) == 1:
        return _tr("Everybody stays in the same group of similar people")
    if round(100 * min(found)) == 100:
        return _tr("Nearly everybody stays in the same group of similar people")
    if low == high:
        return _tr("About {n} of 100 people stay in the same group of similar people").format(n=low)
    return _tr("Between {low} and {high} of 100 people stay in the same group of similar people").format(
        low=low, high=high
    )
