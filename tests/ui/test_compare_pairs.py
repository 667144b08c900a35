"""Before and after: ties of pairs as matrices, one pair looked into, covariances, and coarser columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import candidate_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from scene_support import numbers, plot_words, svg_texts
from ui_support import let_work

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.candidate.column_pairing import compared
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.utility import Measures, measure
from ppdm_desktop.engine.report.bars import Bar, Series, bars_scene
from ppdm_desktop.engine.report.scene.model import Image
from ppdm_desktop.ui.charts.density import BLOCKS, CELLS, MOST_POINTS, Clouds, DensityChart, cloud_scenes, clouds
from ppdm_desktop.ui.charts.numbers import plain_number, signed, strength
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.detail import Crossed, Means, pair_detail
from ppdm_desktop.ui.pages.compare.charts.numbers import NumbersCard, numbers_rows
from ppdm_desktop.ui.pages.compare.charts.pair import CloudsCard, CrossedCard, MeansCard, pair_card
from ppdm_desktop.ui.pages.compare.charts.pairs import PairsCard, pair_rows, pairs_title

COLUMNS: dict[str, Any] = {
    "town": "q",
    "age": {"role": "q", "kind": "numeric"},
    "pay": {"role": "o", "kind": "numeric"},
    "ill": "c",
}


def people(rows: int = 400) -> list[dict[str, str]]:
    rng = np.random.default_rng(3)
    age = rng.integers(18, 80, rows)
    ill = np.where(rng.random(rows) < (age - 10) / 80, "worn", "flu")
    return [
        {"town": str(t), "age": str(a), "pay": str(p), "ill": str(i)}
        for t, a, p, i in zip(
            rng.choice(["a", "b", "c"], rows),
            age,
            (age * 30 + rng.normal(0, 200, rows)).round().astype(int),
            ill,
            strict=True,
        )
    ]


@pytest.fixture(scope="module")
def swapped(tmp_path_factory: pytest.TempPathFactory) -> tuple[Candidate, Measures]:
    step = {"method": "random-swap", "columns": ["ill"], "parameters": {"proportion": 0.5, "obey_groups": False}}
    candidate = candidate_of(tmp_path_factory.mktemp("swap"), people(), {**COLUMNS, "row": "x"}, [step])
    return candidate, measure(candidate, silent())


def test_the_title_and_the_table_say_what_changed_most(swapped: tuple[Candidate, Measures]) -> None:
    found = swapped[1].associations
    assert found is not None
    i, j = found.largest_change() or (0, 0)
    assert {found.names[i], found.names[j]} & {"ill"}
    title = pairs_title(found)
    assert f"“{found.names[i]}” and “{found.names[j]}”" in title
    assert strength(float(found.before[i, j])) in title
    rows = pair_rows(found)
    assert len(rows) == 6
    assert rows[0][:2] == (found.names[i], found.names[j])
    assert all(row[4] == "0.00" for row in rows if "ill" not in row[:2])
    assert {row[5] for row in rows} == {"Pearson", "Cramér’s V", "Correlation ratio"}


def test_matrices_are_triangles_of_the_figures_and_a_cell_names_its_pair(
    qtbot: Any, swapped: tuple[Candidate, Measures]
) -> None:
    found = swapped[1].associations
    assert found is not None
    card = PairsCard(found, "C1")
    qtbot.addWidget(card)
    card.resize(1000, 600)
    card.show()
    row = card.chart
    assert row.together  # type: ignore[attr-defined]
    for key, figures in (("before", found.before), ("after", found.after), ("change", found.change)):
        chart = row.charts[key]  # type: ignore[attr-defined]
        (mark,) = chart.scene.marks
        assert chart.scene.y.names == tuple(found.names[1:])
        assert chart.scene.x.names == tuple(found.names[:-1])
        for i in range(3):
            for j in range(3):
                value = mark.values[i, j]
                assert np.isnan(value) == (j > i)
                if j <= i:
                    wanted = figures[i + 1, j] if key == "change" else abs(figures[i + 1, j])
                    assert value == pytest.approx(wanted)
    spy = QSignalSpy(card.pair_chosen)
    chart = row.charts["after"]  # type: ignore[attr-defined]
    place = [row.key for row in chart.scene.rows].index("2:1")
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.row_rect(place).center().toPoint())
    assert spy.at(0) == [found.names[1], found.names[3]]
    assert row.charts["change"].pointed.key == "2:1"  # type: ignore[attr-defined]
    card.close()


def test_little_room_shows_one_matrix_with_a_switch(qtbot: Any, swapped: tuple[Candidate, Measures]) -> None:
    found = swapped[1].associations
    assert found is not None
    theme().set_scale(2.0)
    card = PairsCard(found, "C1")
    qtbot.addWidget(card)
    card.resize(420, 700)
    card.show()
    let_work(10)
    row: Any = card.chart
    assert not row.together
    assert row.charts["change"].isVisible()
    assert not row.charts["before"].isVisible()
    row.switch.findChild(object, "heat_pairs_change_shown_before").click()
    assert row.charts["before"].isVisible()
    assert not row.charts["change"].isVisible()
    labels = [legend.isHidden() for legend in card._legends]
    assert labels == [False, True]
    assert card.picture().image().height() > 0
    card.close()


def test_two_columns_of_categories_are_counted_as_in_the_tables(swapped: tuple[Candidate, Measures]) -> None:
    candidate, _ = swapped
    sides = compared(candidate)
    detail = pair_detail(candidate, sides, "town", "ill")
    assert isinstance(detail.shown, Crossed)
    for columns, shares in ((sides.before, detail.shown.before), (sides.after, detail.shown.after)):
        by_name = {column.name: column.values() for column in columns}
        pairs = list(zip(by_name["town"], by_name["ill"], strict=True))
        for i, town in enumerate(detail.shown.rows):
            for j, ill in enumerate(detail.shown.columns):
                assert shares[i, j] == pytest.approx(pairs.count((town, ill)) / len(pairs))


def test_a_number_in_groups_shows_their_means(swapped: tuple[Candidate, Measures]) -> None:
    candidate, _ = swapped
    sides = compared(candidate)
    detail = pair_detail(candidate, sides, "ill", "age")
    assert isinstance(detail.shown, Means)
    ill, age = (next(c for c in sides.after if c.name == name) for name in ("ill", "age"))
    for place, label in enumerate(detail.shown.labels):
        inside = [float(a) for a, i in zip(age.values(), ill.values(), strict=True) if i == label]
        assert detail.shown.after[place] == pytest.approx(np.mean(inside))
        assert detail.shown.records_after[place] == len(inside)
    assert detail.shown.everybody == pytest.approx(np.mean(age.numbers))


def test_the_mean_of_everybody_is_written_once(qtbot: Any, swapped: tuple[Candidate, Measures]) -> None:
    candidate, measures = swapped
    assert measures.associations is not None
    detail = pair_detail(candidate, compared(candidate), "ill", "age")
    assert isinstance(detail.shown, Means)
    card: Any = pair_card(detail, measures.associations, "C1")
    qtbot.addWidget(card)
    (rule,) = card.chart.scene.rules
    assert detail.shown.everybody is not None
    assert rule.words == f"everyone, before: {plain_number(detail.shown.everybody)}"


@pytest.mark.parametrize(
    ("pair", "kind"), [(("town", "ill"), CrossedCard), (("age", "ill"), MeansCard), (("age", "pay"), CloudsCard)]
)
def test_each_kind_of_pair_has_its_card(
    qtbot: Any, swapped: tuple[Candidate, Measures], pair: tuple[str, str], kind: type[Any]
) -> None:
    candidate, measures = swapped
    assert measures.associations is not None
    card = pair_card(pair_detail(candidate, compared(candidate), *pair), measures.associations, "C1")
    qtbot.addWidget(card)
    assert isinstance(card, kind)
    card.resize(800, 500)
    card.show()
    let_work(10)
    assert card.title.text().startswith(f"“{pair[0]}” and “{pair[1]}”: ")
    assert card.model.rowCount() > 0
    assert len(card.picture().svg()) > 1000
    card.close()


@pytest.mark.parametrize(
    ("values", "starts"), [((38.0, 41.0), False), ((0.0, 41.0), True), ((1.0, 41.0), True), ((-3.0, 41.0), False)]
)
def test_a_scale_of_means_leads_below_0_only_with_its_values(values: tuple[float, float], starts: bool) -> None:
    series: list[Series] = [("original", "o", [Bar(values[0])]), ("released", "r", [Bar(values[1])])]
    scene = bars_scene("Title", "", ["a"], series, shown=plain_number, dotted=True)
    assert (scene.x.low == 0) is starts
    assert (scene.x.low < 0) is (min(values) < 0)


def test_many_records_become_an_image_with_the_same_frame_on_both_sides(qtbot: Any) -> None:
    rng = np.random.default_rng(4)
    x = rng.normal(size=MOST_POINTS + 1)
    few = clouds((x[:100], x[:100]), (x[:90], x[:90]))
    assert few is not None
    assert few.as_points
    gone = x.copy()
    gone[:10] = np.nan
    many = clouds((x, 2 * x), (gone, x))
    assert isinstance(many, Clouds)
    assert not many.as_points
    assert many.before.cells is not None
    assert many.after.cells is not None
    assert many.before.cells.shape == (CELLS[1], CELLS[0])
    assert many.before.cells.sum() == len(x)
    assert many.after.cells.sum() == many.after.records == len(x) - 10
    assert many.low == (x.min(), 2 * x.min())
    chart = DensityChart(name="d", words="w")
    qtbot.addWidget(chart)
    scenes = cloud_scenes(many, ("x", "y"), ("Before", "After"), "")
    chart.set_scenes(scenes, "Title", "r: 1, 1")
    chart.resize(600, chart.heightForWidth(600))
    chart.show()
    image = chart.grab().toImage()
    found = {image.pixelColor(x, y).name().upper() for x in range(0, 600, 3) for y in range(0, image.height(), 3)}
    assert len(found & set(theme().tokens.density)) >= 4
    assert chart.accessibleDescription() == "Title. r: 1, 1"
    assert [plot.accessibleName() for plot in chart.plots] == ["Before", "After"]
    assert chart.heightForWidth(300) > chart.heightForWidth(600)


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_two_numbers_have_their_height_in_a_card_too(qtbot: Any, scale: float) -> None:
    theme().set_scale(scale)
    x = np.arange(50.0)
    shown = clouds((x, x), (x, x))
    assert shown is not None
    chart, host = DensityChart(name="d", words="w"), QWidget()
    qtbot.addWidget(host)
    column = QVBoxLayout(host)
    column.addWidget(chart)
    column.addStretch(1)
    chart.set_scenes(cloud_scenes(shown, ("x", "y"), ("Before", "After"), ""), "Title", "")
    host.show()
    for wide in (round(scale * 1_000), round(scale * 360), round(scale * 1_000)):
        host.resize(wide, round(scale * 1_200))
        let_work(1)
        assert chart.height() == chart.heightForWidth(chart.width())
        drawn = chart.plots[0].plot_rect().height()
        assert drawn > 0.55 * chart.height() / (1 if chart.width() >= theme().px(440) else 2)


@pytest.mark.parametrize("records", [500, MOST_POINTS + 500])
def test_every_writer_of_two_numbers_has_the_same_ones(qtbot: Any, records: int) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(40, 12, records), rng.normal(400, 90, records)
    shown = clouds((x, y), (x + 1, y[::-1]))
    assert shown is not None
    scenes = cloud_scenes(shown, ("x", "y"), ("Before", "After"), "")
    chart = DensityChart(name="d", words="w")
    qtbot.addWidget(chart)
    chart.set_scenes(scenes, "Title", "")
    chart.resize(1_300, 400)
    chart.show()
    for place, (scene, plot, side) in enumerate(zip(scenes, chart.plots, (shown.before, shown.after), strict=True)):
        bands = scene.marks[0].bands if isinstance(scene.marks[0], Image) else ()
        assert numbers(svg_texts(scene)) - numbers(bands) == numbers(plot_words(plot))
        (held,) = plot.held_arrays()
        if records > MOST_POINTS:
            (steps,) = held
            assert side.cells is not None
            assert (steps == 0).sum() == (side.cells == 0).sum()
            places = np.floor(np.divide(np.nonzero(steps), [[CELLS[1] / BLOCKS[1]], [CELLS[0] / BLOCKS[0]]])).astype(
                int
            )
            assert {*zip(*places.tolist(), strict=True)} == {*zip(*np.nonzero(side.blocks), strict=True)}
            counts = side.cells.sum()
        else:
            np.testing.assert_array_equal(held[0], x + place)
            counts = len(held[0])
        assert sum(int(row.cells[2 + place].replace(",", "")) for row in scene.rows) == counts == records


def test_what_is_seen_of_one_side_is_seen_of_the_other_and_keys_go_over_its_blocks(qtbot: Any) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.uniform(0, 80, 900), rng.uniform(0, 50, 900)
    shown = clouds((x, y), (x, y))
    assert shown is not None
    chart = DensityChart(name="d", words="w")
    qtbot.addWidget(chart)
    chart.set_scenes(cloud_scenes(shown, ("x", "y"), ("Before", "After"), ""), "Title", "")
    chart.resize(900, 400)
    chart.show()
    chart.activateWindow()
    first, second = chart.plots
    first.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down):
        QTest.keyClick(first, key)
    rows = first.scene.rows if first.scene is not None else ()
    assert len(rows) == BLOCKS[0] * BLOCKS[1]
    assert first.pointed is rows[BLOCKS[0] + 1], "one to the right of the first, and one down"
    QTest.keyClick(first, Qt.Key.Key_Plus)
    assert first.view_range != ((shown.low[0], shown.high[0]), (shown.low[1], shown.high[1]))
    assert np.allclose(first.view_range, second.view_range)


def test_records_grow_with_the_room_they_have_and_alike_on_both_sides(qtbot: Any) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.uniform(0, 80, 5_000), rng.uniform(0, 50, 5_000)
    shown = clouds((x, y), (x[:400], y[:400]))
    assert shown is not None
    chart = DensityChart(name="d", words="w")
    qtbot.addWidget(chart)
    chart.set_scenes(cloud_scenes(shown, ("x", "y"), ("Before", "After"), ""), "Title", "")
    chart.resize(900, 400)
    chart.show()
    first, second = chart.plots
    sizes = []
    for _ in range(6):
        sizes.append([plot._items[0].opts["size"] for plot in chart.plots])
        assert sizes[-1][0] == sizes[-1][1]
        second.zoom(3.0)
    assert [size for size, _ in sizes] == sorted(size for size, _ in sizes)
    assert (sizes[0][0], sizes[-1][0]) == (theme().px(2), theme().px(9))
    first.zoom_out()
    assert [plot._items[0].opts["size"] for plot in chart.plots] == sizes[0]


def test_keys_zoom_into_records_and_not_between_them(qtbot: Any) -> None:
    x = np.array([0.0] * 300 + [100.0] * 20)
    shown = clouds((x, x), (x, x))
    assert shown is not None
    chart = DensityChart(name="d", words="w")
    qtbot.addWidget(chart)
    chart.set_scenes(cloud_scenes(shown, ("x", "y"), ("Before", "After"), ""), "Title", "")
    chart.resize(900, 400)
    chart.show()
    chart.activateWindow()
    first, second = chart.plots
    first.setFocus()
    for _ in range(3):
        QTest.keyClick(first, Qt.Key.Key_Plus)
    (left, right), (low, high) = first.view_range
    assert right - left < 50
    assert any(left < at < right and low < at < high for at in (0.0, 100.0))
    assert second.view_range == first.view_range


def test_numbers_of_one_value_or_none_at_all_can_be_drawn(qtbot: Any) -> None:
    flat = np.full(5, 3.0)
    shown = clouds((flat, flat), (flat[:0], flat[:0]))
    assert shown is not None
    assert shown.low[0] < 3.0 < shown.high[0]
    assert clouds((flat * np.nan, flat), (flat, flat * np.nan)) is None
    chart = DensityChart(name="d", words="w")
    qtbot.addWidget(chart)
    chart.set_scenes(cloud_scenes(shown, ("x", "y"), ("Before", "After"), ""), "Title", "")
    chart.show()
    assert not chart.grab().isNull()


def test_covariances_stand_in_the_table(qtbot: Any, swapped: tuple[Candidate, Measures]) -> None:
    found = swapped[1].associations
    assert found is not None
    assert found.numeric == ("age", "pay")
    rows = numbers_rows(found)
    assert [row[:2] for row in rows] == [("age", "(variance)"), ("age", "pay"), ("pay", "(variance)")]
    assert rows[1][5] == plain_number(float(found.covariance_before[0, 1]))
    card = NumbersCard(found)
    qtbot.addWidget(card)
    assert card.title.text() == "Spread and covariance of the numbers are unchanged"


def test_words_of_strengths_and_numbers() -> None:
    assert [strength(each) for each in (0.237, -0.001, -0.5, None, float("nan"))] == ["0.24", "0.00", "−0.50", "–", "–"]
    assert [signed(each) for each in (0.237, -0.001, -0.5, float("nan"))] == ["+0.24", "0.00", "−0.50", "–"]
    assert [plain_number(each) for each in (38.581, 1077.6, -94086.2, 0.00234)] == [
        "38.6",
        "1,080",
        "−94,100",
        "0.00234",
    ]


def test_many_words_are_put_together_and_missing_ones_named(tmp_path: Path) -> None:
    rows = [{"town": f"t{n % 14}" if n % 7 else "", "ill": "x" if n % 2 else "y"} for n in range(140)]
    step = {"method": "random-swap", "columns": ["ill"]}
    candidate = candidate_of(tmp_path, rows, {"town": "q", "ill": "c", "row": "x"}, [step])
    shown = pair_detail(candidate, compared(candidate), "town", "ill").shown
    assert isinstance(shown, Crossed)
    assert shown.rows[-2:] == ("(all others)", "(missing)")
    assert shown.before.sum() == pytest.approx(1)
    assert shown.before[-1].sum() == pytest.approx(1 / 7)
