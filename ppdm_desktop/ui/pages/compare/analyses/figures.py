"""The figures of the whole table and of its groups, in words, from the report's own objects. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

from ppdm_desktop.engine.figure import measures_of
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.report.model import Utility
from ppdm_desktop.engine.report.written_figures import write_measure
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.separability import says_nothing
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Ratio
from ppdm_desktop.ui.state.number_words import count, percent


@dataclass(frozen=True)
class FigureShown:
    """One figure of the whole table in plain words, with its exact term and how to read it."""

    words: str
    figure: str
    reading: str
    term: str


def figures_shown(analyses: Analyses) -> list[FigureShown]:
    """Return the figures of the whole table that the report has, each as the window says it."""
    found = []
    for key, measure in measures_of(Utility).items():
        figure = getattr(analyses, key)
        reading = _("Too few rows for an answer: any two tables this short can be distinguished.")
        if not says_nothing(figure):
            reading = str(measure.help)
        term = " · ".join(str(part) for part in (measure.term, figure.note) if part)
        found.append(FigureShown(str(measure.heading), write_measure(figure, measure), reading, term))
    return found


def cluster_headers() -> tuple[str, ...]:
    """Return the headings of the clusters."""
    measures = measures_of(ClusterAgreement).values()
    return _("Number of groups"), *(str(measure.heading) for measure in measures)


def cluster_rows(analyses: Analyses) -> list[tuple[str, ...]]:
    """Return how far groups found by k-means are those of the original."""
    measures = measures_of(ClusterAgreement).items()
    return [
        (count(agreement.k), *(write_measure(getattr(agreement, key), measure) for key, measure in measures))
        for agreement in analyses.clusters
    ]


def clusters_print(analyses: Analyses) -> str:
    """Return how to read the figures, and why some could not be measured, in small print."""
    text = _(
        "k-means on the number columns, before and after. Sizes match: 100% if the groups are as large as before. "
        "ARI: adjusted Rand index; 1: the same groups, 0: as by a blind guess."
    )
    fewest = [each.k for each in analyses.clusters if each.by_sizes.value is None]
    if fewest:
        return f"{text} {_('There are too few records for {n} or more groups.', n=min(fewest))}"
    if any(cluster.matched.value is None for cluster in analyses.clusters):
        apart = _("Released rows do not correspond to original rows, so none can stay in its group.")
        return f"{text} {apart}"
    return text


def clusters_title(analyses: Analyses) -> str:
    """Say how many people stay in their group."""
    found = [each.matched.value for each in analyses.clusters if each.matched.value is not None]
    sizes = [cluster.by_sizes.value for cluster in analyses.clusters if cluster.by_sizes.value is not None]
    if not found and sizes:
        # Artificial rows are nobody's, so that nobody can stay in a group.
        low, high = float(min(sizes)), float(max(sizes))
        if percent(low) == percent(high):
            return _("The sizes of groups of similar records match by {share}", share=Ratio(low))
        return _("The sizes of groups of similar records match by {low} to {high}", low=Ratio(low), high=Ratio(high))
    if not found:
        return _("Groups of similar records could not be compared")
    low, high = float(min(found)), float(max(found))
    if low == 1:
        return _("All records stay in the same group of similar records")
    if percent(low) == percent(high):
        return _("{share} of the records stay in the same group of similar records", share=Ratio(low))
    return _(
        "{low} to {high} of the records stay in the same group of similar records", low=Ratio(low), high=Ratio(high)
    )
