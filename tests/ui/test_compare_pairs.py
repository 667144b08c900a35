"""Before and after: ties of pairs as matrices, one pair looked into, covariances, and coarser columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import candidate_of
from optional import existing
from PySide6.QtCore import Qt
from PySide6.QtTest import QSignalSpy, QTest

from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.release.measures.utility import Measures, measure
from ppdm_desktop.engine.report.scene.svg import draw
from ppdm_desktop.ui.charts.density import BLOCKS, CELLS, MOST_POINTS, build_clouds, cloud_scenes
from ppdm_desktop.ui.pages.compare.charts.detail import Crossed, Means, pair_detail
from ppdm_desktop.ui.pages.compare.charts.pairs import PairsCard

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
    return candidate, measure(candidate)


def test_matrices_are_triangles_of_the_figures_and_a_cell_names_its_pair(
    qtbot: Any, swapped: tuple[Candidate, Measures]
) -> None:
    found = existing(swapped[1].associations)
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


def test_two_columns_of_categories_are_counted_as_in_the_tables(swapped: tuple[Candidate, Measures]) -> None:
    candidate, _ = swapped
    sides = match_source_columns(candidate)
    detail = pair_detail(candidate, sides, "town", "ill")
    assert isinstance(detail.content, Crossed)
    for columns, shares in ((sides.before, detail.content.before), (sides.after, detail.content.after)):
        by_name = {column.name: column.values() for column in columns}
        pairs = list(zip(by_name["town"], by_name["ill"], strict=True))
        for i, town in enumerate(detail.content.rows):
            for j, ill in enumerate(detail.content.columns):
                assert shares[i, j] == pytest.approx(pairs.count((town, ill)) / len(pairs))


def test_a_number_in_groups_shows_their_means(swapped: tuple[Candidate, Measures]) -> None:
    candidate, _ = swapped
    sides = match_source_columns(candidate)
    detail = pair_detail(candidate, sides, "ill", "age")
    assert isinstance(detail.content, Means)
    ill, age = (next(c for c in sides.after if c.name == name) for name in ("ill", "age"))
    for place, label in enumerate(detail.content.labels):
        inside = [float(a) for a, i in zip(age.values(), ill.values(), strict=True) if i == label]
        assert detail.content.after[place] == pytest.approx(np.mean(inside))
        assert detail.content.records_after[place] == len(inside)
    assert detail.content.everybody == pytest.approx(np.mean(age.numbers))


@pytest.mark.parametrize("records", [500, MOST_POINTS + 500])
def test_two_numbers_are_drawn_and_counted_in_blocks(records: int) -> None:
    rng = np.random.default_rng(4)
    x, y = rng.normal(40, 12, records), rng.normal(400, 90, records)
    shown = existing(build_clouds((x, y), (x + 1, y[::-1])))
    scenes = cloud_scenes(shown, ("x", "y"), ("Before", "After"), "")
    for place, (scene, side) in enumerate(zip(scenes, (shown.before, shown.after), strict=True)):
        drawn = "".join(map(str, draw(scene, 600.0).parts))
        if records > MOST_POINTS:
            assert side.cells is not None
            cells = np.array(np.nonzero(side.cells)) // [[CELLS[1] // BLOCKS[1]], [CELLS[0] // BLOCKS[0]]]
            assert {*zip(*cells.tolist(), strict=True)} == {*zip(*np.nonzero(side.blocks), strict=True)}
            counts = side.cells.sum()
            assert "h.1" not in drawn, "no single record"
        else:
            counts = drawn.count("h.1")
        assert sum(int(row.cells[2 + place].replace(",", "")) for row in scene.rows) == counts == records


def test_many_words_are_put_together_and_missing_ones_named(tmp_path: Path) -> None:
    rows = [{"town": f"t{n % 14}" if n % 7 else "", "ill": "x" if n % 2 else "y"} for n in range(140)]
    step = {"method": "random-swap", "columns": ["ill"]}
    candidate = candidate_of(tmp_path, rows, {"town": "q", "ill": "c", "row": "x"}, [step])
    shown = pair_detail(candidate, match_source_columns(candidate), "town", "ill").content
    assert isinstance(shown, Crossed)
    assert shown.rows[-2:] == ("(all others)", "(missing)")
    assert shown.before.sum() == pytest.approx(1)
    assert shown.before[-1].sum() == pytest.approx(1 / 7)
