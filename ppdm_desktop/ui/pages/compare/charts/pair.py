"""One pair of columns before and after: a table of shares, means in groups, or points."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from ppdm_desktop.engine.report.charts import Bar, bars_scene
from ppdm_desktop.engine.report.scene.bands import span_labels
from ppdm_desktop.engine.report.scene.shares import format_share_of
from ppdm_desktop.engine.utility.associations import Associations
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.numbers import FEW
from ppdm_desktop.engine.wording.values import Name, Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.density import MOST_POINTS, SHARES, Clouds, DensityChart, cloud_scenes, label_bands
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.legend import BandLegend
from ppdm_desktop.ui.charts.matrix_row import MatrixRow, cells_scene
from ppdm_desktop.ui.charts.numbers import change_header, format_change, format_strength, plain_number
from ppdm_desktop.ui.look.accessibility import join_sentences
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.charts.detail import Crossed, Means, PairDetail
from ppdm_desktop.ui.pages.compare.charts.pairs import name_measure, pair_sentence
from ppdm_desktop.ui.state.number_texts import format_rounded_count, percent
from ppdm_desktop.ui.widgets.basic import Card

ID = "pair"
_CELLS = (0.001, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)
_COUNTS = (1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0)
"""Edges of the colour bands: shares in per cent, or counts if there are fewer than 100 records."""


def pair_card(detail: PairDetail, associations: Associations, name: str) -> Card:
    """Return the card of a pair of columns, with the chart for their kinds.

    It has only a title for two numbers that no record has both of.

    Parameters
    ----------
    detail
        What is drawn.
    associations
        Associations of all pairs, for the title.
    name
        Name of the candidate.
    """
    places = {name: index for index, name in enumerate(associations.names)}
    first, second = places[detail.first], places[detail.second]
    title = pair_sentence(associations, first, second)
    numbers = _(
        "Original n = {before}, released n = {after}.", before=detail.records_before, after=detail.records_after
    )
    small = join_sentences([name_measure(associations.kinds[first][second]), numbers])
    card: Card
    if isinstance(detail.content, Crossed):
        card = CrossedCard(detail.content, detail, title, small, name)
    elif isinstance(detail.content, Means):
        card = MeansCard(detail.content, title, small, name)
    elif isinstance(detail.content, Clouds):
        ends = (associations.before[first, second], associations.after[first, second])
        card = CloudsCard(detail.content, detail, title, small, name, (float(ends[0]), float(ends[1])))
    else:
        card = Card(title)
    card.setObjectName("card_pair")
    card.setProperty("topic", "figure.relationships")
    return card


class CrossedCard(ChartCard):
    """Chart of two categorical columns: the share of all records in each combination, before and after.

    If both tables have fewer than 100 records, the cells have numbers of records instead.
    """

    def __init__(self, crossed: Crossed, detail: PairDetail, title: str, small: str, name: str) -> None:
        after = _("After, {name}", name=Term(name))
        records = (detail.records_before, detail.records_after)
        parts = [("before", _("Before")), ("after", after)]
        chart = MatrixRow(name="heat_pair", label=title, parts=parts, first="after")
        headers = [
            detail.first,
            detail.second,
            _("Before"),
            _("After"),
            change_header(*records),
        ]
        model = RowsModel(headers, right=(2, 3, 4))
        super().__init__(ID, chart, model, label=title)
        self.set_title(title)
        few = max(records) < FEW
        unit = _("Number of records") if few else _("Share of the records, in %")
        edges = _COUNTS if few else _CELLS
        bands = _count_labels(edges) if few else span_labels([round(100 * edge, 6) for edge in edges])
        self.legend.addWidget(BandLegend(unit, edges, "amount", bands))
        sides = crossed.rows, crossed.columns
        for (key, caption), shares, of in zip(parts, (crossed.before, crossed.after), records, strict=True):
            values = shares * of if few else shares
            texts = [
                [format_rounded_count(float(value)) if few else percent(float(value)) for value in line]
                for line in values
            ]
            scene = cells_scene(caption, sides, values, texts, edges, "amount", bands=bands, unit=unit, sentence=title)
            chart.charts[key].set_scene(scene)
        model.set_rows(_format_combinations(crossed, records))
        self.set_print(
            _(
                "Share of the records in each combination: {first} down, {second} across. {small}",
                first=Name(detail.first),
                second=Name(detail.second),
                small=Term(small),
            )
        )


def _format_combinations(crossed: Crossed, records: tuple[int, int]) -> list[tuple[str, ...]]:
    """Return a text row for each combination: both values, share before, share after, change; largest change first.

    Changes are ordered by size, up or down. Shares of fewer than 100 records are counts, "6 of 16", others percentages;
    changes are in the unit of ``change_header``. ``records`` are the numbers of records before and after.
    """
    cells = [
        (abs(crossed.after[i, j] - crossed.before[i, j]), i, j)
        for i in range(len(crossed.rows))
        for j in range(len(crossed.columns))
    ]
    cells.sort(key=lambda cell: (-cell[0], cell[1], cell[2]))
    return [
        (
            crossed.rows[i],
            crossed.columns[j],
            format_share_of(float(crossed.before[i, j]), records[0]),
            format_share_of(float(crossed.after[i, j]), records[1]),
            format_change(float(crossed.before[i, j]), float(crossed.after[i, j]), *records),
        )
        for _, i, j in cells
    ]


class MeansCard(ChartCard):
    """Chart of the means of a number column in the groups of another column, before and after."""

    def __init__(self, means: Means, title: str, small: str, name: str) -> None:
        chart = DrawnView(name="chart_pair_means", label=title)
        headers = [
            means.groups,
            _("Mean before"),
            _("Mean after"),
            _("Records before"),
            _("Records after"),
        ]
        model = RowsModel(headers, right=(1, 2, 3, 4))
        super().__init__(ID, chart, model, label=title)
        self.set_title(title)
        before, after = (
            [Bar(_replace_nan_by_none(float(mean))) for mean in side] for side in (means.before, means.after)
        )
        scene = bars_scene(
            title,
            small,
            means.labels,
            [("original", _("original"), before), ("released", name, after)],
            limits=[] if means.everybody is None else [(_("everyone, before:"), means.everybody)],
            format_number=plain_number,
            dotted=True,
        )
        chart.set_scene(scene)
        model.set_rows(
            [
                (
                    *row.cells,
                    format_rounded_count(int(means.records_before[index])),
                    format_rounded_count(int(means.records_after[index])),
                )
                for index, row in enumerate(scene.rows)
            ]
        )
        self.set_scale("" if scene.x.low == 0 else _("The scale does not start at 0."))
        self.set_print(
            _(
                "Mean of {number} in each group of {groups}. {small}",
                number=Name(means.number),
                groups=Name(means.groups),
                small=Term(small),
            )
        )


class CloudsCard(ChartCard):
    """Chart of two number columns before and after: points, or an image of densities above 20,000 records.

    Only records with both numbers count; if one side has more than 20,000, both are images. ``ends`` are Pearson's
    correlation before and after, for the text.
    """

    def __init__(
        self, clouds: Clouds, detail: PairDetail, title: str, small: str, name: str, ends: tuple[float, float]
    ) -> None:
        chart = DensityChart(name="chart_pair_cloud", label=title)
        headers = [detail.first, detail.second, _("Records before"), _("Records after")]
        model = RowsModel(headers, right=(2, 3))
        super().__init__(ID, chart, model, label=title)
        self.set_title(title)
        if clouds.as_points:
            sentence = lazy("Each point is one record. {small}")
        else:
            self.legend.addWidget(BandLegend(_("Share of the records, in %"), SHARES, "density", label_bands()))
            sentence = lazy("Above {n} records no single record is shown. {small}")
        figures = _(
            "Pearson’s correlation: {before} before, {after} after. Records with both numbers: {n} before, {m} after.",
            before=Term(format_strength(ends[0])),
            after=Term(format_strength(ends[1])),
            n=clouds.before.records,
            m=clouds.after.records,
        )
        description = join_sentences([sentence.format(n=MOST_POINTS, small=Term(small)), figures])
        captions = (_("Before"), _("After, {name}", name=Term(name)))
        scenes = cloud_scenes(clouds, (detail.first, detail.second), captions, description)
        chart.set_scenes(scenes, title, figures)
        model.set_rows([row.cells for row in scenes[1].rows])
        self.set_print(description)


def _replace_nan_by_none(value: float) -> float | None:
    """Return the number, or None if it is NaN."""
    return None if value != value else value


def _count_labels(edges: Sequence[float]) -> tuple[str, ...]:
    """Return the labels of bands of counts; ``edges`` are the lower ends above 0, ascending.

    Edges 1, 2, 3 and 5 give "0", "1", "2", "3–4" and "≥ 5".
    """
    inner = [
        format_rounded_count(low)
        if low + 1 == high
        else f"{format_rounded_count(low)}–{format_rounded_count(high - 1)}"
        for low, high in itertools.pairwise(edges)
    ]
    return (format_rounded_count(0), *inner, f"≥ {format_rounded_count(edges[-1])}")
