"""Charts of usefulness: columns, pairs of columns, analyses, and distributions rebuilt from noisy values.

Includes the general chart of a square matrix of coloured cells (such as correlations of all columns), and the general
chart of distributions as step curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_HALF_UP, Decimal

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Floats, on_grid
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.charts import Bar, Marginal, bar_of, bars_scene, paired_bars
from ppdm_desktop.engine.report.drawing import format_tick_texts
from ppdm_desktop.engine.report.model import ModelEntry
from ppdm_desktop.engine.report.scene.bands import span_labels
from ppdm_desktop.engine.report.scene.model import Axis, Matrix, Role, Row, Scene, Steps
from ppdm_desktop.engine.report.scene.shares import count_base_records, format_estimate, share_value
from ppdm_desktop.engine.utility.associations import Associations
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.numbers import ABSENT, FEW
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Number, Term

_SPARE = 1.04
Series = tuple[Role, str, Sequence[float]]
"""What a curve is, its name, and one share for each cell."""


def curves_scene(
    title: str, source: str, sentence: str, column: str, edges: Sequence[float], of: int, drawn: Sequence[Series]
) -> Scene:
    """Return a chart of distributions as step curves over the same cells, with the shares of each cell as text.

    Parameters
    ----------
    title, source, sentence
        Title, origin of the figures, and text alternative of the chart.
    column
        The column whose values the cells divide.
    edges
        Edges of the cells, rising, one more than cells.
    of
        Number of records that the shares refer to; if it is below 100, counts are written. 0 for percentages.
    drawn
        At most three curves, each with its role (which sets the colour), its name and the share of every cell.

    Raises
    ------
    ValueError
        When a curve has not one share for each cell.
    """
    cells = len(edges) - 1
    if any(len(shares) != cells for _, _, shares in drawn):
        raise ValueError("a curve has one share for each cell")
    most = max([share for _, _, shares in drawn for share in shares] or [0.0]) or 1.0
    rows = []
    for cell in range(cells):
        span = _("{low} to {high}", low=Number(float(edges[cell])), high=Number(float(edges[cell + 1])))
        figures = [format_estimate(float(shares[cell]), of) for _, _, shares in drawn]
        figures_text = ", ".join(f"{name} {figure}" for (_, name, _), figure in zip(drawn, figures, strict=True))
        middle, wide = (edges[cell] + edges[cell + 1]) / 2, edges[cell + 1] - edges[cell]
        rows.append(Row((span, *figures), f"{span}: {figures_text}", (float(middle), most / 2), (float(wide), most)))
    low, high = (float(edges[0]), float(edges[-1])) if cells > 0 else (0.0, 1.0)
    marks = tuple(
        Steps(role, name, tuple(map(float, edges)), tuple(map(float, shares))) for role, name, shares in drawn
    )
    few = of if 0 < of < FEW else 0
    unit = _("records, {n} in all", n=few) if few else _("share of the records")
    # The highest step is drawn whole.
    x, y = Axis(column, low, high), Axis(unit, 0.0, most * _SPARE, percent=True, of=few)
    return Scene(title, unit, source, x, y, marks, sentence, tuple(rows))


# --- matrices -----------------------------------------------------------------------------

DASH_NOTE = lazy("A dash means no figure: the column has only one value, or too few records.")
_HUNDREDTH = Decimal("0.01")


def matrix_scene(
    title: str, source: str, names: Sequence[str], values: Floats, edges: tuple[float, ...], *, signed: bool = False
) -> Scene:
    """Return a chart of a square matrix: coloured cells, each with its figure.

    All cells are drawn, but only those on and below the diagonal that have a figure are rows of the scene, with a
    sentence.

    Parameters
    ----------
    title, source
        Title of the chart, and the text below it, to which a note on dashes is added if a cell has no figure.
    names
        Names of the rows, and of the columns in the same order; columns show only the row's number.
    values
        Shape (names, names); NaN is a cell without a figure.
    edges
        Limits between the colours, which the legend prints.
    signed
        Whether figures are written with their sign and coloured by it; else they are coloured by their size.
    """
    texts = [
        [ABSENT if value != value else _format_coefficient(float(value), signed) for value in line] for line in values
    ]
    rows = []
    for row, name in enumerate(names):
        for column in range(row + 1):
            if values[row, column] == values[row, column]:
                sentence_text = _(
                    "{name} with {other}: {figure}",
                    name=Name(name),
                    other=Name(names[column]),
                    figure=Term(texts[row][column]),
                )
                at = (column + 0.5, len(names) - row - 0.5)
                rows.append(Row((name, names[column], texts[row][column]), sentence_text, at, (1.0, 1.0)))
    if np.isnan(values).any():
        source = f"{source} {DASH_NOTE}"
    cells = Matrix(
        values if signed else np.abs(values), edges, "diverging" if signed else "amount", span_labels(edges),
        tuple(map(tuple, texts)), numbered=True,
    )  # fmt: skip
    axis = Axis("", 0.0, float(len(names)), names=tuple(names))
    sentence = "; ".join(row.text for row in rows)
    return Scene(title, "", source, axis, axis, (cells,), sentence, tuple(rows), grid=True)


def _format_coefficient(value: float, signed: bool) -> str:
    """Return a coefficient with two decimals, halves rounded away from 0; with ``signed`` a positive one gets a plus.

    0.125 becomes "0.13", or "+0.13" with ``signed``; -0.125 becomes "-0.13" with a minus sign, also without
    ``signed``. A number that is rounded to 0 never has a sign: -0.004 becomes "0.00".
    """
    rounded_value = Decimal(repr(float(value))).quantize(_HUNDREDTH, ROUND_HALF_UP)
    text, _ = numbers_of(language()).ticks([rounded_value, _HUNDREDTH])
    return f"+{text}" if signed and rounded_value > 0 else text


# --- charts usefulness --------------------------------------------------------------------

MOST_COLUMNS = 24
"""In a drawn matrix; of more columns those that changed most are drawn."""
STRENGTHS = (0.05, 0.1, 0.2, 0.35, 0.5, 0.7, 0.9)
CHANGES = (-0.25, -0.1, -0.02, 0.02, 0.1, 0.25)
"""Edges of the colours."""


@dataclass(frozen=True, eq=False)
class Curve:
    """The distribution of one noisy column: original, as released, and as anybody can reconstruct it.

    Attributes
    ----------
    column
        Name of the column.
    edges
        Ascending edges of C cells of equal width, shape (C + 1,), in the column's unit. At most 40 cells cover the
        declared bounds; values reach the others only by noise.
    records
        Number of the released values; missing ones are left out.
    original, perturbed, reconstructed
        Share of the values in each cell, shape (C,); missing values are left out.
    beyond
        Share of the perturbed values outside all cells; with it ``perturbed`` sums to 1.
    iterations, settled
        Number of iterations of the reconstruction, and whether it converged.
    l1_perturbed, l1_reconstructed
        Sum of the absolute differences from the original, 0 (the same) to 2 (nothing in common).
    level_known
        Whether the privacy level of each record was used; a recipient does not have it.
    notes
        Notes about this curve.
    by
        The column whose classes were reconstructed separately and added up (Agrawal & Srikant's ByClass); None where
        all records were reconstructed together (Global).
    """

    column: str
    edges: Floats
    records: int
    original: Floats
    perturbed: Floats
    reconstructed: Floats
    beyond: float
    iterations: int
    settled: bool
    l1_perturbed: float
    l1_reconstructed: float
    level_known: bool
    notes: tuple[Note, ...] = ()
    by: str | None = None


def marginal_chart(marginal: Marginal) -> tuple[Scene, ...]:
    """Return a chart, as a tuple of one, of the share of records with each value or range, before and after."""
    return paired_bars(
        _("Values of {column} before and after", column=Name(marginal.name)),
        _("The chart shows the share of records with each value (marginal distribution)."),
        [str(label) for label in marginal.labels],
        marginal.before,
        marginal.after,
        [marginal.records] * len(marginal.labels),
    )


def association_charts(associations: Associations) -> tuple[Scene, ...]:
    """Return charts of the association of every pair of columns: before, after, change, and change of covariances.

    They are three charts without figures on the diagonal, and a fourth of numeric columns with the variances there,
    which is left out where no covariance is known. If there are more than 24 columns, those that changed most are
    drawn: in the first three by association, in the fourth by covariance.
    """
    kept, fewer = _choose_most_changed(associations.change)
    names = [associations.names[index] for index in kept]
    selection = np.ix_(kept, kept)
    numbered = _("Each column has the number of the row with the same name.")
    return (
        matrix_scene(
            _("Relationships between columns, before"),
            _join_sentences(
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
            _remove_diagonal(associations.before[selection]),
            STRENGTHS,
        ),
        matrix_scene(
            _("Relationships between columns, after"),
            _join_sentences(_("The chart shows the same for the release."), numbered, fewer),
            names,
            _remove_diagonal(associations.after[selection]),
            STRENGTHS,
        ),
        matrix_scene(
            _("Relationships between columns, difference"),
            _join_sentences(
                _(
                    "The chart shows the change of each pair: below 0 (blue) the association is weaker in the "
                    "release, above 0 (brown) it is stronger, near 0 nothing changed."
                ),
                numbered,
                fewer,
            ),
            names,
            _remove_diagonal(associations.change[selection]),
            CHANGES,
            signed=True,
        ),
        *_covariance_chart(associations),
    )


def _join_sentences(*sentences: str) -> str:
    """Return sentences joined by blanks, empty ones left out."""
    return " ".join(sentence for sentence in sentences if sentence)


def _covariance_chart(associations: Associations) -> tuple[Scene, ...]:
    """Return a chart, as a tuple of one, of the changes of covariances (on the diagonal, of variances).

    A change is divided by the product of both columns' standard deviations before. The tuple is empty where no change
    can be computed. If there are more than 24 columns, those that changed most are drawn.
    """
    spread = np.sqrt(np.diag(associations.covariance_before)) if len(associations.numeric) else np.zeros(0)
    spread = np.where(spread > 0, spread, np.nan)
    change = (associations.covariance_after - associations.covariance_before) / np.outer(spread, spread)
    kept, fewer = _choose_most_changed(change)
    if not np.isfinite(change).any():
        return ()
    return (
        matrix_scene(
            _("Change of variances and covariances"),
            _join_sentences(
                _(
                    "The chart shows the change of the covariance of each pair of numbers, divided by the product of "
                    "their standard deviations before. The diagonal shows the change of the variance: 0 is unchanged, "
                    "{double} is a variance twice as large.",
                    double=Term(_format_coefficient(1.0, signed=True)),
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


def _choose_most_changed(change: Floats) -> tuple[npt.NDArray[np.intp], str]:
    """Return the indices of the 24 columns with the largest change, rising, and a sentence on those left out.

    ``change`` has shape (columns, columns); the largest absolute change with any column counts for a column, and of
    equal ones the first are taken. With at most 24 columns all indices come back and the sentence is "".
    """
    most = np.nan_to_num(np.abs(change)).max(axis=0, initial=0.0)
    kept = np.sort(np.argsort(-on_grid(most), kind="stable")[:MOST_COLUMNS])
    if len(kept) == len(most):
        return kept, ""
    sentence_text = _("It shows the {n} of {of} columns that changed most.", n=len(kept), of=len(most))
    return kept, sentence_text


def _remove_diagonal(values: Floats) -> Floats:
    """Return a copy of the matrix with NaN on its diagonal, where a column is paired with itself."""
    return np.where(np.eye(len(values), dtype=np.bool_), np.nan, values)


def model_chart(entries: Sequence[ModelEntry], names: Sequence[str]) -> tuple[Scene, ...]:
    """Return a chart, as a tuple of one, of how well learners predict, trained on the original and on the release.

    All entries must be of one task (the predicted column); ``names`` are the names of their learners. A learner that
    lacks one of the two figures is left out; the tuple is empty if none is left. A line marks how often the most common
    value is right, if known.
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
        share = share_value(float(baseline), count_base_records(guessed))
        always = _("Always guessing the most common value is right for {share}.", share=share)
    return (
        bars_scene(
            _("How often {column} is predicted correctly", column=Name(entries[0].target)),
            _join_sentences(
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
            limits=[] if baseline is None else [(_("Most common value"), float(baseline))],
        ),
    )


def cluster_chart(entries: Sequence[ClusterAgreement]) -> tuple[Scene, ...]:
    """Return a chart, as a tuple of one, of how far clusters of release and original agree, by number of clusters.

    For each number it has three bars, where 100 % means no difference: how well the sizes of the clusters agree, the
    share of records that stay in their cluster, and the adjusted Rand index of pairs of records.
    """
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
                ("original", _("sizes"), [_build_index_bar(entry.by_sizes) for entry in entries]),
                ("third", _("records"), [bar_of(entry.matched) for entry in entries]),
                ("released", _("Pairs"), [_build_index_bar(entry.ari) for entry in entries]),
            ],
        ),
    )


def _build_index_bar(figure: Figure) -> Bar:
    """Return the bar of an index of agreement, always written as percentage and never as a count of records."""
    return replace(bar_of(figure), of=0)


def reconstruction_chart(reconstruction: Curve) -> tuple[Scene, ...]:
    """Return a chart, as a tuple of one, with the distribution of a noisy column: original, released and reconstructed.

    The caption states how far the released and the reconstructed distribution differ from the original, and whether
    the reconstructed one is closer.
    """
    differ = _(
        "The released values differ from the original by {released}, the reconstruction by {reconstructed}. "
        "This is the sum of absolute differences of shares: 0 is no difference, 2 is nothing in common.",
        released=Number(reconstruction.l1_perturbed),
        reconstructed=Number(reconstruction.l1_reconstructed),
    )
    way = _("The distribution can be worked out, but no single value.")
    if reconstruction.l1_reconstructed >= reconstruction.l1_perturbed:
        way = _("The reconstruction came no closer to the distribution here, and gives no single value.")
    first, last = format_tick_texts([float(reconstruction.edges[0]), float(reconstruction.edges[-1])])
    cells = _(
        "From {first} to {last} in {n} {n:band|bands}.",
        first=Term(first),
        last=Term(last),
        n=len(reconstruction.original),
    )
    return (
        curves_scene(
            _("Original, released and reconstructed values of {column}", column=Name(reconstruction.column)),
            _join_sentences(_("The chart shows the share of records along the column."), way, differ),
            _join_sentences(cells, differ),
            reconstruction.column,
            reconstruction.edges.tolist(),
            reconstruction.records,
            [
                ("original", _("original"), reconstruction.original.tolist()),
                ("released", _("As released"), reconstruction.perturbed.tolist()),
                ("third", _("reconstructed"), reconstruction.reconstructed.tolist()),
            ],
        ),
    )
