"""The window draws figures of the papers: from their sweep recipes, point for point what the engine measures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from paper_window import draw_figure, open_figure
from ui_support import FakeDialogs, Person

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.sweep.curves import curves_of
from ppdm_desktop.engine.release.sweep.grid import Value, read_grid
from ppdm_desktop.engine.release.sweep.run import REFUSED


@pytest.mark.parametrize(
    ("name", "shown", "values", "measure"),
    [
        ("li-sarkar-example", "Tables 1 to 3", (0.25, 0.5), "pairs"),
        pytest.param("aggarwal-yu-ionosphere", "Fig. 8", (5, 20), "nearest", marks=pytest.mark.thorough),
        pytest.param("liu-fig-1", "Fig. 1", (3, 200), "distribution", marks=pytest.mark.thorough),
        pytest.param("vijayarani-employees", "Fig. 2", ("step", "none"), "columns", marks=pytest.mark.thorough),
        pytest.param("zhu-pima", "Section 4", (3, 5), "columns", marks=pytest.mark.thorough),
    ],
)
def test_a_figure_is_drawn_as_the_engine_measures_it(
    window: Any,
    dialogs: FakeDialogs,
    tmp_path: Path,
    name: str,
    shown: str,
    values: tuple[Value, ...],
    measure: str,
) -> None:
    person = Person(window, dialogs)
    declared = open_figure(person, name, tmp_path, rows=40)
    asked = declared.sweep
    assert asked is not None
    assert declared.recipe is not None
    grid = read_grid(declared.recipe, asked.over)
    # What the file says under [sweep] stands in the part, ready to be started.
    assert person.see("combo_range_setting").current == grid.parameter
    assert person.see("spin_range_keys").value() == asked.repeats
    assert person.see("check_range_attacks").isChecked() == asked.attacks
    assert person.see("check_range_models").isChecked() == asked.analyses
    assert person.sees("label_range_asked")
    draw_figure(person, values, keys=1)
    tried = person.session.tried
    assert tried.status == "done"
    assert [row.why for row in tried.rows if row.outcome == REFUSED] == []
    person.choose("combo_range_above", measure)
    person.choose("combo_range_below", "")
    chart = person.see("chart_range")
    (panel,) = chart.panels
    # The engine alone, with the same key; one value says it.
    alone = replace(tried.sweep, grid=replace(tried.sweep.grid, values=values[-1:]))
    (curve,) = [each for each in curves_of(list(alone.rows(silent()))) if each.measure == measure]
    drawn = [(values[each.place], each.mean, each.low, each.high) for each in panel.points]
    assert drawn[-1:] == [(each.value, each.mean, each.low, each.high) for each in curve.points]
    assert len(drawn) == len(values)
    assert tried.sweep.recipe.steps == declared.recipe.steps
