"""Charts of what the release is worth: columns, pairs of columns, analyses, reconstructed curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import numpy.typing as npt
from markupsafe import Markup

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.report.bars import Series, grouped_bars
from ppdm_desktop.engine.report.charts import Marginal, bar_of, paired_bars
from ppdm_desktop.engine.report.curves import Curve, curves
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.matrices import Bands, matrix
from ppdm_desktop.engine.report.model import ClusterEntry, ModelEntry

MOST_COLUMNS = 24
"""In a drawn matrix; of more columns those that changed most are drawn."""
AMOUNT = Bands(
    (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9),
    ("#f3f7fa", "#d9e7f1", "#b4d0e4", "#86b3d2", "#5592bc", "#2e72a3", "#155181", "#0a3156"),
    frozenset({5, 6, 7}),
)
DIFFERENCE = Bands(
    (-0.25, -0.1, -0.02, 0.02, 0.1, 0.25),
    ("#0a4c80", "#4a8abb", "#a3c7e0", "#f3f3f1", "#f3be85", "#c8712a", "#7e3512"),
    frozenset({0, 6}),
)


class Associations(Protocol):
    """How far columns tell each other, before and after; NaN where it was not measured."""

    @property
    def names(self) -> Sequence[str]:
        """Of the columns, in order."""

    @property
    def before(self) -> Floats:
        """Shape (columns, columns), -1 or 0 (nothing) to 1 (everything)."""

    @property
    def after(self) -> Floats:
        """As before."""

    @property
    def change(self) -> Floats:
        """How much stronger (above 0) or weaker each has become."""

    @property
    def numeric(self) -> Sequence[str]:
        """The columns that are numbers."""

    @property
    def covariance_before(self) -> Floats:
        """Shape (numeric, numeric)."""

    @property
    def covariance_after(self) -> Floats:
        """As before."""


class Reconstruction(Protocol):
    """A noisy column before, as released, and as anybody can reconstruct it."""

    @property
    def column(self) -> str:
        """Its name."""

    @property
    def edges(self) -> Floats:
        """Rising edges of C cells of equal width, shape (C + 1,)."""

    @property
    def original(self) -> Floats:
        """Share of each cell, shape (C,)."""

    @property
    def perturbed(self) -> Floats:
        """As released."""

    @property
    def reconstructed(self) -> Floats:
        """As anybody can work it out."""

    @property
    def l1_perturbed(self) -> float:
        """Sum of absolute differences from the original, 0 to 2."""

    @property
    def l1_reconstructed(self) -> float:
        """The same after the reconstruction."""


def marginal_chart(marginal: Marginal) -> Markup:
    """Return a chart of a column's values before and after."""
    return paired_bars(
        f"Values of {marginal.name} before and after",
        f"{marginal.name}: share of records with each value (marginal distribution).",
        marginal.labels,
        marginal.before,
        marginal.after,
    )


def association_charts(found: Associations) -> Markup:
    """Return squares of every pair of columns: before, after, difference, and the change of covariances."""
    kept, fewer = _most_changed(found.change)
    names = [found.names[place] for place in kept]
    place = np.ix_(kept, kept)
    numbered = f"Columns have the numbers of the rows.{fewer}"
    return Markup("").join(
        [
            matrix(
                "How far columns tell each other, before",
                "Association of each pair of columns in the original: 0 nothing, 1 everything (two numbers: Pearson's "
                "correlation, below 0 where one falls as the other rises; two columns of categories: Cramér's V; one "
                f"of each: correlation ratio). The darker, the stronger. {numbered}",
                names,
                _cells(found.before[place]),
                AMOUNT,
            ),
            matrix(
                "How far columns tell each other, after",
                f"The same in the release. {numbered}",
                names,
                _cells(found.after[place]),
                AMOUNT,
            ),
            matrix(
                "How far columns tell each other, difference",
                "What became of each pair: below 0 (blue) the release tells less, above 0 (brown) more, around 0 "
                f"nothing changed. {numbered}",
                names,
                _cells(found.change[place]),
                DIFFERENCE,
                signed=True,
            ),
            _covariance_chart(found),
        ]
    )


def _covariance_chart(found: Associations) -> Markup:
    spread = np.sqrt(np.diag(found.covariance_before)) if len(found.numeric) else np.zeros(0)
    spread = np.where(spread > 0, spread, np.nan)
    change = (found.covariance_after - found.covariance_before) / np.outer(spread, spread)
    kept, fewer = _most_changed(change)
    if not np.isfinite(change).any():
        return Markup("")
    return matrix(
        "What became of variances and covariances",
        "Change of the covariance of each pair of numbers, in units of their spreads before (after less before, by the "
        "product of the standard deviations); on the diagonal the change of the variance. 0 is unchanged, +1.00 "
        f"a variance twice as large. Columns have the numbers of the rows.{fewer}",
        [found.numeric[place] for place in kept],
        _cells(change[np.ix_(kept, kept)], diagonal=True),
        DIFFERENCE,
        signed=True,
    )


def _most_changed(change: Floats) -> tuple[npt.NDArray[np.intp], str]:
    """Return the columns to draw, in order, and in words which were left out."""
    most = np.nan_to_num(np.abs(change)).max(axis=0, initial=0.0)
    kept = np.sort(np.argsort(-most, kind="stable")[:MOST_COLUMNS])
    if len(kept) == len(most):
        return kept, ""
    return kept, f" Of {len(most)} columns the {len(kept)} that changed most."


def _cells(values: Floats, *, diagonal: bool = False) -> list[list[float | None]]:
    return [
        [
            float(value) if np.isfinite(value) and (diagonal or row != column) else None
            for column, value in enumerate(line)
        ]
        for row, line in enumerate(values)
    ]


def model_chart(entries: Sequence[ModelEntry], names: Sequence[str]) -> Markup:
    """Return a chart of how often learners are right, learnt from the original and from the release.

    Parameters
    ----------
    entries
        The learners of one task.
    names
        What each is called.
    """
    shown = [
        (name, entry)
        for name, entry in zip(names, entries, strict=True)
        if entry.original.value is not None and entry.released_true_labels.value is not None
    ]
    if not shown:
        return Markup("")
    baseline = entries[0].baseline.value
    words = f" Always saying the commonest is right for {percent(baseline)}." if baseline is not None else ""
    return grouped_bars(
        f"How often {entries[0].target} is told rightly",
        f"{entries[0].target}: share of records told rightly ({entries[0].task}), learnt from the original records "
        "and from released ones, tested on the truth about other records; the thin lines span the repetitions "
        f"(95 % interval).{words}",
        [name for name, _ in shown],
        [
            Series("original", "before", [bar_of(entry.original) for _, entry in shown]),
            Series("released", "after", [bar_of(entry.released_true_labels) for _, entry in shown]),
        ],
        marks=[] if baseline is None else [("commonest", float(baseline))],
    )


def cluster_chart(entries: Sequence[ClusterEntry]) -> Markup:
    """Return a chart of how far clusters of the release are those of the original."""
    return grouped_bars(
        "Whether the same clusters are found",
        "Agreement of a cluster analysis before and after: sizes of the clusters, records that stay with their "
        "cluster, and pairs of records (adjusted Rand index; 0 as by chance). 100 % is the same.",
        [f"{entry.k} clusters" for entry in entries],
        [
            Series("sizes", "before", [bar_of(entry.by_sizes) for entry in entries]),
            Series("records", "third", [bar_of(entry.matched) for entry in entries]),
            Series("pairs", "after", [bar_of(entry.ari) for entry in entries]),
        ],
    )


def reconstruction_chart(found: Reconstruction) -> Markup:
    """Return the curves of a noisy column: original, as released, and as anybody can reconstruct it."""
    drawn = [
        Curve("original", "filled", found.original.tolist()),
        Curve("as released", "dashed", found.perturbed.tolist()),
        Curve("reconstructed", "line", found.reconstructed.tolist()),
    ]
    told = (
        f"the released values differ from the original by {found.l1_perturbed:.3f}, the reconstruction by "
        f"{found.l1_reconstructed:.3f}"
    )
    way = "the distribution can be worked out"
    if found.l1_reconstructed >= found.l1_perturbed:
        way = "the distribution is to be worked out, which came no nearer to it here"
    return curves(
        f"{found.column}: original, released and reconstructed",
        f"{found.column}: share of records along the column. Nobody gets single values back, but "
        f"{way}: {told} (sum of absolute differences of shares, 0 the same, 2 nothing in common).",
        found.edges.tolist(),
        drawn,
        f"From {found.edges[0]:g} to {found.edges[-1]:g} in {len(found.original)} cells; {told}.",
    )
