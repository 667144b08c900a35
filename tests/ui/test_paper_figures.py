"""The window draws figures of the papers: from their sweep recipes, point for point what the engine measures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from paper_window import draw_figure, open_figure
from ui_support import FakeDialogs, Person

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.sweep.curves import curves_of
from ppdm_desktop.engine.release.sweep.grid import Value
from ppdm_desktop.engine.release.sweep.run import REFUSED


@pytest.mark.parametrize(
    ("name", "shown", "parameter", "values", "measure"),
    [
        ("aggarwal-yu-ionosphere", "Fig. 8", "group", (5, 20), "nearest"),
        ("liu-fig-1", "Fig. 1", "intervals", (3, 20, 200), "distribution"),
    ],
)
def test_a_figure_is_drawn_as_the_engine_measures_it(
    window: Any,
    dialogs: FakeDialogs,
    tmp_path: Path,
    name: str,
    shown: str,
    parameter: str,
    values: tuple[Value, ...],
    measure: str,
) -> None:
    person = Person(window, dialogs)
    declared = open_figure(person, name, tmp_path, rows=40)
    figure = next(each for each in declared.paper.shown if each.id == shown)
    assert measure in {item.measure for item in figure.items}
    draw_figure(person, declared, parameter, values, keys=1)
    tried = person.session.tried
    assert tried.status == "done"
    assert [row.why for row in tried.rows if row.outcome == REFUSED] == []
    person.choose("combo_range_above", measure)
    person.choose("combo_range_below", "")
    chart = person.see("chart_range")
    (panel,) = chart.panels
    # The engine alone, with the same key.
    rows = list(tried.sweep.rows(silent()))
    (curve,) = [each for each in curves_of(rows) if each.measure == measure]
    drawn = [(values[each.place], each.mean, each.low, each.high) for each in panel.points]
    assert drawn == [(each.value, each.mean, each.low, each.high) for each in curve.points]
    assert len(drawn) == len(values)
    assert chart.axis.at == tuple(map(float, values))
    assert tried.sweep.recipe.steps == declared.recipe.steps  # type: ignore[union-attr]
