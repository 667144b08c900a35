"""The figures of the whole table and of its groups, in words, from the report's own objects. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.report.scene.shares import records_of, share_words
from ppdm_desktop.engine.utility.separability import says_nothing
from ppdm_desktop.engine.wording.catalogue import language, numbers_of, say
from ppdm_desktop.engine.wording.values import Ratio
from ppdm_desktop.ui.charts.numbers import decimals, strength
from ppdm_desktop.ui.state.number_words import count, percent


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
            say("charts", "Covariance of pairs of number columns"),
            _plain(analyses.covariance_compatibility, 3),
            say("charts", "1: unchanged. 0: nothing in common with the original."),
            _term(say("charts", "covariance compatibility μ"), analyses.covariance_compatibility),
        ),
        FigureShown(
            say("charts", "Part of the spread of the protected numbers that was lost"),
            _plain(analyses.sse_sst, 3),
            say("charts", "0: nothing. 1: as if everyone had the average value."),
            _term(say("charts", "information loss SSE/SST"), analyses.sse_sst),
        ),
        FigureShown(
            say("charts", "Average change of a protected number"),
            _plain(analyses.il1s, 3),
            say("charts", "0: no change. 1: about one and a half times the usual distance from the average."),
            _term(say("charts", "IL1s, in standard deviations times √2"), analyses.il1s),
        ),
        FigureShown(
            say("charts", "Can a program distinguish the two tables?"),
            _plain(analyses.pmse, 4),
            _apart_reading(analyses.pmse),
            _term(say("charts", "propensity score pMSE"), analyses.pmse),
        ),
    ]


def _apart_reading(figure: Figure) -> str:
    if says_nothing(figure):
        return say("charts", "Too few rows for an answer: any two tables this short can be distinguished.")
    return say("charts", "0: not at all. The higher, the better it can.")


def _plain(figure: Figure, digits: int) -> str:
    return numbers_of(language()).none(cell=True) if figure.value is None else decimals(float(figure.value), digits)


def _term(name: str, figure: Figure) -> str:
    return f"{name} · {figure.note}" if figure.note else name


def cluster_headers() -> tuple[str, ...]:
    """Return the headings of the clusters."""
    return (
        say("charts", "Number of groups"),
        say("charts", "Sizes match"),
        say("charts", "Records still in the same group"),
        say("charts", "Pairs (ARI)"),
    )


def cluster_rows(analyses: Analyses) -> list[tuple[str, ...]]:
    """Return how far groups found by k-means are those of the original."""
    return [
        (count(each.k), percent(each.by_sizes.value), _share(each.matched), strength(each.ari.value))
        for each in analyses.clusters
    ]


def clusters_print(analyses: Analyses) -> str:
    """Return how to read the figures, and why some could not be measured, in small print."""
    words = say(
        "charts",
        "k-means on the number columns, before and after. Sizes match: 100% if the groups are as large as before. "
        "ARI: adjusted Rand index; 1: the same groups, 0: as by a blind guess.",
    )
    fewest = [each.k for each in analyses.clusters if each.by_sizes.value is None]
    if fewest:
        return f"{words} {say('charts', 'There are too few records for {n} or more groups.', n=min(fewest))}"
    if any(each.matched.value is None for each in analyses.clusters):
        apart = say("charts", "Released rows do not correspond to original rows, so none can stay in its group.")
        return f"{words} {apart}"
    return words


def _share(figure: Figure) -> str:
    return percent(None) if figure.value is None else share_words(float(figure.value), records_of(figure))


def clusters_title(analyses: Analyses) -> str:
    """Say how many people stay in their group."""
    found = [each.matched.value for each in analyses.clusters if each.matched.value is not None]
    sizes = [each.by_sizes.value for each in analyses.clusters if each.by_sizes.value is not None]
    if not found and sizes:
        # Artificial rows are nobody's, so that nobody can stay in a group.
        low, high = float(min(sizes)), float(max(sizes))
        if percent(low) == percent(high):
            return say("charts", "The sizes of groups of similar records match by {share}", share=Ratio(low))
        return say(
            "charts",
            "The sizes of groups of similar records match by {low} to {high}",
            low=Ratio(low),
            high=Ratio(high),
        )
    if not found:
        return say("charts", "Groups of similar records could not be compared")
    low, high = float(min(found)), float(max(found))
    if low == 1:
        return say("charts", "All records stay in the same group of similar records")
    if percent(low) == percent(high):
        return say("charts", "{share} of the records stay in the same group of similar records", share=Ratio(low))
    return say(
        "charts",
        "{low} to {high} of the records stay in the same group of similar records",
        low=Ratio(low),
        high=Ratio(high),
    )
