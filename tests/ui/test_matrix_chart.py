"""The heatmap of a small matrix: bands, keys, words, sizes, and what it refuses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QFontMetrics
from PySide6.QtTest import QSignalSpy, QTest
from scene_support import svg_texts

from ppdm_desktop.engine.report.scene.bands import band_of, span_labels
from ppdm_desktop.engine.report.scene.model import Image
from ppdm_desktop.ui.charts.bands import band_colours
from ppdm_desktop.ui.charts.legend import BandLegend
from ppdm_desktop.ui.charts.matrix.chart import MatrixChart
from ppdm_desktop.ui.charts.matrix.delegate import NAME_FONT
from ppdm_desktop.ui.charts.matrix.scene import cells_scene
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import DARK, LIGHT, contrast, text_on

EDGES = {
    "risk": (1, 5, 20, 50, 100, 200, 400),
    "amount": (0.05, 0.1, 0.2, 0.3, 0.4, 0.6, 0.8),
    "diverging": (-0.3, -0.1, -0.02, 0.02, 0.1, 0.3),
}


def made(
    qtbot: Any, values: Any, palette: str = "amount", names: list[str] | None = None, width: int = 600
) -> MatrixChart:
    grid = np.asarray(values, dtype=float)
    names = names or [f"n{place}" for place in range(len(grid))]
    chart = MatrixChart(name="heat", words="Pairs")
    qtbot.addWidget(chart)
    texts = [["" if np.isnan(each) else f"{each:.2f}" for each in row] for row in grid]
    sides = names, names[: grid.shape[1]]
    chart.set_scene(cells_scene("What it shows", sides, grid, texts, EDGES[palette], palette))  # type: ignore[arg-type]
    chart.resize(width, chart.sizeHint().height())
    chart.show()
    chart.setFocus()
    return chart


def colours_in(chart: MatrixChart, row: int, column: int) -> set[str]:
    box = chart.visualRect(chart.matrix.index(row, column)).translated(chart.viewport().pos())
    image = chart.grab(box.adjusted(3, 3, -5, -5)).toImage()
    return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(image.height())}


@pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("palette", ["risk", "amount", "diverging"])
def test_bands_take_the_ends_of_the_palette_in_its_order(tokens: Any, palette: Any) -> None:
    steps = list(getattr(tokens, palette))
    for bands in range(2, len(steps) + 1):
        found = band_colours(tokens, palette, bands)
        places = [steps.index(colour) for colour in found]
        assert places == sorted(set(places))
        assert (places[0], places[-1]) == (0, len(steps) - 1)
        assert all(contrast(text_on(colour), colour) >= 4 for colour in found)
    with pytest.raises(ValueError, match="steps"):
        band_colours(tokens, palette, len(steps) + 1)
    assert band_colours(LIGHT, "diverging", 5)[2] == LIGHT.diverging[3]


def test_a_value_on_an_edge_belongs_to_the_band_above() -> None:
    assert [band_of(value, (0.0, 0.5)) for value in (-1, 0, 0.25, 0.5, 9)] == [0, 1, 1, 2, 2]
    assert span_labels((0.1, 0.5)) == ("< 0.1", "0.1–0.5", "≥ 0.5")
    assert span_labels((-0.1, 0.1)) == ("< −0.1", "−0.1 – 0.1", "≥ 0.1")


def test_cells_are_drawn_in_their_band_and_empty_ones_on_the_ground(qtbot: Any) -> None:
    values = [[np.nan, np.nan, np.nan], [0.9, np.nan, np.nan], [0.01, 0.25, np.nan]]
    chart = made(qtbot, values)
    for row, column, step in ((1, 0, 7), (2, 0, 0), (2, 1, 3)):
        assert chart.band(row, column) == step
        assert LIGHT.amount[step] in colours_in(chart, row, column)
    assert chart.band(0, 2) is None
    assert colours_in(chart, 0, 2) == {LIGHT.surface}
    theme().set_appearance("dark")
    assert DARK.amount[7] in colours_in(chart, 1, 0)
    assert colours_in(chart, 0, 2) == {DARK.surface}


def test_numbers_stand_in_cells_that_have_room_only(qtbot: Any) -> None:
    chart = made(qtbot, np.full((4, 4), 0.9))
    assert len(colours_in(chart, 1, 1)) > 1
    small = made(qtbot, np.full((30, 30), 0.9), width=420)
    assert colours_in(small, 3, 3) == {LIGHT.amount[7]}


def test_a_column_is_as_wide_as_the_longest_figure_where_there_is_room(qtbot: Any) -> None:
    """Else one long figure would leave all of them out."""
    chart = MatrixChart(name="heat", words="Pairs")
    qtbot.addWidget(chart)
    texts = [["as good as nothing, and more words"], ["54%"]]
    chart.set_scene(cells_scene("t", (["a", "b"], ["c"]), np.array([[0.001], [0.9]]), texts, (0.5,), "amount"))
    chart.resize(600, chart.sizeHint().height())
    chart.show()
    assert chart.columnWidth(0) > theme().px(92)
    assert len(colours_in(chart, 1, 0)) > 1
    chart.resize(120, chart.sizeHint().height())
    assert colours_in(chart, 1, 0) == {LIGHT.amount[7]}, "without room there are none"


def test_a_figure_said_in_words_stands_in_signs_and_takes_no_room_of_others(qtbot: Any) -> None:
    chart = MatrixChart(name="heat", words="Pairs")
    qtbot.addWidget(chart)
    texts = [["less than 0.1%"], ["54%"]]
    chart.set_scene(cells_scene("t", (["a", "b"], ["c"]), np.array([[0.0001], [0.9]]), texts, (0.5,), "amount"))
    assert "a with c: less than 0.1%" in chart.accessibleDescription(), "who hears it hears the words"
    chart.resize(160, chart.sizeHint().height())
    chart.show()
    assert chart.columnWidth(0) < QFontMetrics(theme().font(0.64)).horizontalAdvance("less than 0.1%") + theme().px(60)
    assert chart.good_width() < chart.names_width(160) + QFontMetrics(theme().font(0.9)).horizontalAdvance("less than")
    assert len(colours_in(chart, 1, 0)) > 1, "there is room for figures"


def test_keys_move_and_choose_and_empty_cells_cannot_be_chosen(qtbot: Any) -> None:
    chart = made(qtbot, [[np.nan, np.nan], [0.4, np.nan], [0.1, 0.2]], names=["a", "b", "c"])
    chosen = QSignalSpy(chart.chosen)
    assert (chart.currentIndex().row(), chart.currentIndex().column()) == (1, 0)
    QTest.keyClick(chart, Qt.Key.Key_Down)
    QTest.keyClick(chart, Qt.Key.Key_Right)
    assert chosen.count() == 0
    QTest.keyClick(chart, Qt.Key.Key_Return)
    QTest.keyClick(chart, Qt.Key.Key_Space)
    assert [chosen.at(n) for n in range(chosen.count())] == [[2, 1], [2, 1]]
    for row, column in ((0, 0), (1, 0)):
        at = chart.visualRect(chart.matrix.index(row, column)).center()
        QTest.mouseClick(chart.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert [chosen.at(n) for n in range(2, chosen.count())] == [[1, 0]]
    chart.set_current(0, 0)
    assert (chart.currentIndex().row(), chart.currentIndex().column()) == (1, 0)


def test_every_cell_and_the_whole_are_said_in_words(qtbot: Any) -> None:
    chart = made(qtbot, [[np.nan, 0.3], [0.75, 0.1]], names=["age", "income"])
    assert chart.accessibleDescription().startswith("What it shows. income with age: 0.75; age with income: 0.30")
    table = QAccessible.queryAccessibleInterface(chart)
    told = {table.child(place).text(QAccessible.Text.Name) for place in range(table.childCount())}
    assert {"income with age: 0.75", "age with income: 0.30", "age", "income"} <= told
    assert chart.matrix.index(1, 0).data(Qt.ItemDataRole.ToolTipRole) == "income with age: 0.75"
    assert chart.matrix.headerData(1, Qt.Orientation.Vertical, Qt.ItemDataRole.ToolTipRole) == "income"


@pytest.mark.thorough
@pytest.mark.parametrize("scale", [0.75, 1.0, 2.0, 3.0])
@pytest.mark.parametrize("size", [2, 7, 40])
def test_it_fits_at_every_text_size(qtbot: Any, scale: float, size: int) -> None:
    theme().set_scale(scale)
    names = [f"Umfassend beschriebene Eigenschaft {place}" for place in range(size)]
    chart = made(qtbot, np.random.default_rng(1).random((size, size)), names=names, width=900)
    chart.resize(900, chart.sizeHint().height())
    assert chart.verticalHeader().width() <= 0.4 * 900
    bar = chart.horizontalScrollBar().sizeHint().height() if chart.horizontalScrollBar().maximum() else 0
    inside = chart.viewport().height() - chart.rowHeight(0) * size
    assert 0 <= inside <= 4 + bar
    assert chart.viewport().x() == chart.verticalHeader().width()


def test_names_above_columns_stand_where_lying_ones_would_be_cut(qtbot: Any) -> None:
    """Most of "hours-per-week" can be read at this width; all of it where it stands."""
    names = ["age", "marital-status", "hours-per-week", "native-country", "race"]
    chart = made(qtbot, np.full((5, 5), 0.5), names=names, width=480)
    metrics = QFontMetrics(theme().font(NAME_FONT))
    longest = max(metrics.horizontalAdvance(name) for name in names)
    for width, stands in ((480, True), (900, False)):
        chart.resize(width, chart.height())
        assert chart.upright is stands
        assert (chart.columnWidth(0) > longest) is not stands
        assert chart.columnWidth(0) > 0.7 * longest
        assert (chart.horizontalHeader().height() - theme().px(6) >= longest) is stands


def test_every_writer_has_the_figures_of_the_cells(qtbot: Any) -> None:
    chart = made(qtbot, [[np.nan, 0.3], [0.75, 0.11], [0.1, np.nan]], names=["age", "income", "town"])
    (scene,) = chart.scenes
    shown = {chart.matrix.index(row, column).data() for row in range(3) for column in range(2)} - {""}
    assert {row.cells[2] for row in scene.rows} == shown == {"0.30", "0.11", "0.75", "0.10"}
    assert shown <= set(svg_texts(scene))
    assert {"age", "income", "town"} <= set(svg_texts(scene))
    places = [("income", "age"), ("age", "income"), ("income", "income"), ("age", "town")]
    assert [row.cells[:2] for row in scene.rows] == places
    by_key = {row.key: row for row in scene.rows}
    assert by_key["1:0"].words == chart.matrix.words(1, 0) == "income with age: 0.75"
    assert by_key["2:0"].at == (0.5, 0.5), "the lowest line at the left"


def test_too_many_cells_are_an_image_with_the_same_rows() -> None:
    values, texts = np.array([[0.1, np.nan], [0.3, 0.9]]), [["a", ""], ["b", "c"]]
    cells, image = (
        cells_scene("t", (["up", "low"], ["l", "r"]), values, texts, (0.5,), "amount", as_image=each)
        for each in (False, True)
    )
    assert cells.rows == image.rows
    (mark,) = image.marks
    assert isinstance(mark, Image)
    assert np.array_equal(mark.values, values[::-1], equal_nan=True)
    assert (cells.y.names, image.y.names) == (("up", "low"), ("low", "up"))


def test_the_legend_prints_every_edge_and_breaks_its_line(qtbot: Any) -> None:
    legend = BandLegend("Strength of a tie", said=False)
    qtbot.addWidget(legend)
    legend.set_bands(EDGES["amount"], "amount")
    assert legend.labels[1] == "0.05–0.1"
    assert legend.accessibleName().startswith("Strength of a tie: < 0.05 · 0.05–0.1")
    assert legend.heightForWidth(200) > legend.heightForWidth(1000)
    # Room for all bands but one: the last does not stand alone.
    most = legend.sizeHint().width() - 1
    assert (legend._across(most + 1), legend._across(most)) == (len(legend.labels), -(-len(legend.labels) // 2))
    assert legend.heightForWidth(most) == 2 * legend.heightForWidth(most + 1)
    legend.set_bands((1, 5), "risk", ["0", "1–4", "5+"])
    legend.resize(legend.sizeHint())
    image = legend.grab().toImage()
    assert image.pixelColor(image.width() - 10, 4).name().upper() == LIGHT.risk[-1]
    legend.set_bands((1, 5), "risk", ["0", "1–4", "5+"], spread=False)
    assert legend.grab().toImage().pixelColor(image.width() - 10, 4).name().upper() == LIGHT.risk[2]
    with pytest.raises(ValueError, match="label"):
        legend.set_bands((1, 5), "risk", ["0", "1–4"])


def test_the_legend_says_above_its_steps_what_they_measure(qtbot: Any) -> None:
    words = "Share of the records, in %"
    said, silent = BandLegend(words), BandLegend(words, said=False)
    for legend in (said, silent):
        qtbot.addWidget(legend)
        legend.set_bands((1, 5), "risk", ["0", "1–4", "5+"])
    line = QFontMetrics(theme().font(0.85)).height()
    assert said.accessibleName() == silent.accessibleName() == f"{words}: 0 · 1–4 · 5+"
    assert said.heightForWidth(400) - silent.heightForWidth(400) >= line
    assert said.heightForWidth(90) - silent.heightForWidth(90) >= 2 * line, "on as many lines as it needs"
    said.resize(400, said.heightForWidth(400))
    picture = said.grab().toImage()
    drawn = [y for y in range(picture.height()) if picture.pixelColor(4, y).name().upper() == LIGHT.risk[0]]
    assert min(drawn) >= line, "the steps begin below the words"
    silent.resize(400, silent.heightForWidth(400))
    assert silent.grab().toImage().pixelColor(4, 3).name().upper() == LIGHT.risk[0]


@pytest.mark.parametrize(
    ("shape", "edges"), [((2, 3), (0.5,)), ((2, 2), (0.5, 0.5)), ((2, 2), (0.5, np.inf)), ((2, 2), tuple(range(9)))]
)
def test_what_does_not_fit_is_refused(qtbot: Any, shape: tuple[int, int], edges: tuple[float, ...]) -> None:
    chart = MatrixChart(name="heat", words="Pairs")
    qtbot.addWidget(chart)
    sides = ["a", "b"], ["a", "b"]
    with pytest.raises(ValueError, match="matrix|edges|steps"):
        chart.set_scene(
            cells_scene("t", sides, np.zeros(shape), [["", ""], ["", ""]], edges, "amount", bands=["a", "b", "c"])
        )
