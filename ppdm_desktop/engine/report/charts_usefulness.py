"""Charts of what the release is worth: columns, pairs of columns, analyses, reconstructed curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.bars import Bar, bar_of, bars_scene
from ppdm_desktop.engine.report.charts import Marginal, paired_bars
from ppdm_desktop.engine.report.curves import curves_scene
from ppdm_desktop.engine.report.drawing import ticks
from ppdm_desktop.engine.report.matrices import matrix_scene, signed_figure
from ppdm_desktop.engine.report.model import ModelEntry
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.report.scene.shares import records_of, share_value
from ppdm_desktop.engine.tie_breaking import on_grid
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Number, Term

MOST_COLUMNS = 24
"""In a drawn matrix; of more columns those that changed most are drawn."""
STRENGTHS = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
CHANGES = (-0.25, -0.1, -0.02, 0.02, 0.1, 0.25)
"""Edges of the colours."""


class Associations(Protocol):
    """How strongly columns are related, before and after; NaN where it was not measured."""

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
    def records(self) -> int:
        """Number of the values whose shares these are."""

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


def marginal_chart(marginal: Marginal) -> tuple[Scene, ...]:
    """Return a chart of a column's values before and after."""
    return paired_bars(
        _("Values of {column} before and after", column=Name(marginal.name)),
        _("The chart shows the share of records with each value (marginal distribution)."),
        [str(label) for label in marginal.labels],
        marginal.before,
        marginal.after,
        [marginal.records] * len(marginal.labels),
    )


def association_charts(associations: Associations) -> tuple[Scene, ...]:
    """Return squares of every pair of columns: before, after, difference, and the change of covariances."""
    kept, fewer = _most_changed(associations.change)
    names = [associations.names[index] for index in kept]
    selection = np.ix_(kept, kept)
    numbered = _("Each column has the number of the row with the same name.")
    return (
        matrix_scene(
            _("Relationships between columns, before"),
            _sentences(
                _(
                    "Each cell shows how closely two columns are related in the original. 0 means not at all, 1 "
                    "means completely, and darker means closer. Between two numbers it is Pearson’s correlation: "
                    "below 0, one falls as the other rises. Between two columns of categories it is Cramér’s V, "
                    "between one and a number the correlation ratio."
                ),
                numbered,
                fewer,
            ),
            names,
            _cells(associations.before[selection]),
            STRENGTHS,
        ),
        matrix_scene(
            _("Relationships between columns, after"),
            _sentences(_("The chart shows the same for the release."), numbered, fewer),
            names,
            _cells(associations.after[selection]),
            STRENGTHS,
        ),
        matrix_scene(
            _("Relationships between columns, difference"),
            _sentences(
                _(
                    "The chart shows the change of each pair: below 0 (blue) the association is weaker in the "
                    "release, above 0 (brown) it is stronger, near 0 nothing changed."
                ),
                numbered,
                fewer,
            ),
            names,
            _cells(associations.change[selection]),
            CHANGES,
            signed=True,
        ),
        *_covariance_chart(associations),
    )


def _sentences(*said: str) -> str:
    """Set whole sentences one behind the other."""
    return " ".join(sentence for sentence in said if sentence)


def _covariance_chart(associations: Associations) -> tuple[Scene, ...]:
    spread = np.sqrt(np.diag(associations.covariance_before)) if len(associations.numeric) else np.zeros(0)
    spread = np.where(spread > 0, spread, np.nan)
    change = (associations.covariance_after - associations.covariance_before) / np.outer(spread, spread)
    kept, fewer = _most_changed(change)
    if not np.isfinite(change).any():
        return ()
    return (
        matrix_scene(
            _("Change of variances and covariances"),
            _sentences(
                _(
                    "The chart shows the change of the covariance of each pair of numbers, divided by the product of "
                    "their standard deviations before. The diagonal shows the change of the variance: 0 is unchanged, "
                    "{double} is a variance twice as large.",
                    double=Term(signed_figure(1.0)),
                ),
                _("Each column has the number of the row with the same name."),
                fewer,
            ),
            [associations.numeric[index] for index in kept],
            change[np.ix_(kept, kept)],
            CHANGES,
            signed=True,
        ),
    )


def _most_changed(change: Floats) -> tuple[npt.NDArray[np.intp], str]:
    """Return the columns to draw, in order, and in words which were left out."""
    most = np.nan_to_num(np.abs(change)).max(axis=0, initial=0.0)
    kept = np.sort(np.argsort(-on_grid(most), kind="stable")[:MOST_COLUMNS])
    if len(kept) == len(most):
        return kept, ""
    said = _("It shows the {n} of {of} columns that changed most.", n=len(kept), of=len(most))
    return kept, said


def _cells(values: Floats) -> Floats:
    """Leave out the diagonal: every column has everything to do with itself."""
    return np.where(np.eye(len(values), dtype=np.bool_), np.nan, values)


def model_chart(entries: Sequence[ModelEntry], names: Sequence[str]) -> tuple[Scene, ...]:
    """Return a chart of how often learners are right, learnt from the original and from the release.

    Parameters
    ----------
    entries
        The learners of one task.
    names
        What each is called.
    """
    measured = [
        (name, entry)
        for name, entry in zip(names, entries, strict=True)
        if entry.original.value is not None and entry.released_true_labels.value is not None
    ]
    if not measured:
        return ()
    guessed = entries[0].baseline
    baseline = guessed.value
    always = ""
    if baseline is not None:
        share = share_value(float(baseline), records_of(guessed))
        always = _("Always guessing the most common value is right for {share}.", share=share)
    return (
        bars_scene(
            _("How often {column} is predicted correctly", column=Name(entries[0].target)),
            _sentences(
                _(
                    "The chart shows the share of correct predictions ({task}): learnt from the original and from "
                    "released records, and tested on the truth about other records. "
                    "The thin lines show the 95% interval.",
                    task=entries[0].task,
                ),
                always,
            ),
            [name for name, _ in measured],
            [
                ("original", _("original"), [bar_of(entry.original) for _, entry in measured]),
                ("released", _("released"), [bar_of(entry.released_true_labels) for _, entry in measured]),
            ],
            limits=[] if baseline is None else [(_("most common value"), float(baseline))],
        ),
    )


def cluster_chart(entries: Sequence[ClusterAgreement]) -> tuple[Scene, ...]:
    """Return a chart of how far clusters of the release are those of the original."""
    return (
        bars_scene(
            _("Whether the same clusters are found"),
            _(
                "The chart shows how well a cluster analysis agrees before and after: sizes of the clusters, records "
                "that stay in their cluster, and pairs of records (adjusted Rand index, 0 as by a blind guess). "
                "100% means no difference."
            ),
            [_("{k} {k:cluster|clusters}", k=entry.k) for entry in entries],
            [
                ("original", _("sizes"), [_index(entry.by_sizes) for entry in entries]),
                ("third", _("records"), [bar_of(entry.matched) for entry in entries]),
                ("released", _("pairs"), [_index(entry.ari) for entry in entries]),
            ],
        ),
    )


def _index(figure: Figure) -> Bar:
    """Return the bar of an index of agreement: it runs from 0 to 1 like a share, and is none of the records."""
    return replace(bar_of(figure), of=0)


def reconstruction_chart(reconstruction: Reconstruction) -> tuple[Scene, ...]:
    """Return the curves of a noisy column: original, as released, and as anybody can reconstruct it."""
    differ = _(
        "The released values differ from the original by {released}, the reconstruction by {reconstructed}. "
        "This is the sum of absolute differences of shares: 0 is no difference, 2 is nothing in common.",
        released=Number(reconstruction.l1_perturbed),
        reconstructed=Number(reconstruction.l1_reconstructed),
    )
    way = _("The distribution can be worked out, but no single value.")
    if reconstruction.l1_reconstructed >= reconstruction.l1_perturbed:
        way = _("The reconstruction came no closer to the distribution here, and gives no single value.")
    first, last = ticks([float(reconstruction.edges[0]), float(reconstruction.edges[-1])])
    cells = _(
        "From {first} to {last} in {n} {n:band|bands}.",
        first=Term(first),
        last=Term(last),
        n=len(reconstruction.original),
    )
    return (
        curves_scene(
            _("Original, released and reconstructed values of {column}", column=Name(reconstruction.column)),
            _sentences(_("The chart shows the share of records along the column."), way, differ),
            _sentences(cells, differ),
            reconstruction.column,
            reconstruction.edges.tolist(),
            reconstruction.records,
            [
                ("original", _("original"), reconstruction.original.tolist()),
                ("released", _("as released"), reconstruction.perturbed.tolist()),
                ("third", _("reconstructed"), reconstruction.reconstructed.tolist()),
            ],
        ),
    )
