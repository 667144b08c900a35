"""What the Compare page writes and draws at its edges: cut names, points at the ends, figures that round to nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QToolTip
from ui_support import let_work

from ppdm_desktop.ui.charts.density import Clouds, DensityChart, cloud_scenes, clouds
from ppdm_desktop.ui.charts.numbers import points
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.side.tab import SideRow
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.tables.form_table import FormTable

LONG = "C1  Swap values, keeping relations (Bayes); Add random noise to numbers"


@pytest.mark.parametrize(
    ("share", "words"), [(0.0, "0.0"), (-0.0004, "0.0"), (0.0004, "0.0"), (-0.333, "−33.3"), (0.05, "+5.0")]
)
def test_changes_of_shares_have_a_real_minus_and_no_signed_nothing(share: float, words: str) -> None:
    assert points(share) == words


def test_a_name_that_is_cut_ends_in_an_ellipsis_and_is_told_whole(qtbot: Any, monkeypatch: Any) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda *given: told.append(given[1]))
    choice = Choice(name="combo", words="Candidate")
    qtbot.addWidget(choice)
    choice.set_choices([("C1", LONG), ("C2", "C2")], "C1")
    for width, shown in ((200, True), (1200, False)):
        choice.resize(width, choice.sizeHint().height())
        assert not choice.grab().isNull()
        told.clear()
        choice.event(QHelpEvent(QEvent.Type.ToolTip, QPoint(3, 3), QPoint(3, 3)))
        assert told == ([LONG] if shown else [])
    choice.setToolTip("of the page")
    choice.resize(200, 30)
    choice.event(QHelpEvent(QEvent.Type.ToolTip, QPoint(3, 3), QPoint(3, 3)))
    assert LONG not in told


def test_a_box_with_nothing_chosen_says_what_it_is_for(qtbot: Any) -> None:
    empty, told = Choice(name="empty", words="Role"), Choice(name="told", words="Role")
    told.setPlaceholderText("Set role")
    pictures = []
    for choice in (empty, told):
        qtbot.addWidget(choice)
        choice.set_choices([("C1", "C1")])
        choice.resize(200, 30)
        pictures.append(choice.grab().toImage())
    assert pictures[0] != pictures[1]
    # Once something is chosen, both say the same.
    for choice in (empty, told):
        choice.set_current("C1")
    assert empty.grab().toImage() == told.grab().toImage()


def test_points_at_the_ends_are_drawn_whole(qtbot: Any) -> None:
    ends = np.array([10.0, 30.0])
    shown = clouds((ends, ends), (ends, ends))
    assert isinstance(shown, Clouds)
    assert shown.low[0] < 10
    assert shown.high[1] > 30
    chart = DensityChart(name="d", words="w")
    qtbot.addWidget(chart)
    chart.set_scenes(cloud_scenes(shown, ("x", "y"), ("Before", "After"), ""), "Title", "")
    chart.resize(700, chart.heightForWidth(700))
    chart.show()
    image = chart.grab().toImage()
    accent = theme().colour("accent").name()
    right = [
        (x, y)
        for x in range(image.width() // 2, image.width())
        for y in range(image.height())
        if image.pixelColor(x, y).name() == accent
    ]
    # Two whole points of the released side, none cut by the drawing's edge.
    assert right
    assert max(x for x, _ in right) < image.width() - 3
    rows = sorted({y for _, y in right})
    heights = np.diff(np.flatnonzero(np.diff([-9, *rows, 9_999]) > 1))
    assert len(heights) == 2
    assert abs(int(heights[0]) - int(heights[1])) <= 1


def test_the_best_is_marked_only_where_it_reads_better() -> None:
    row = SideRow("Attack", ("withstood, 50", "withstood, 50", "does not apply"), (0.4996, 0.5002, float("nan")))
    assert row.differs
    assert row.best == frozenset()
    assert replace(row, cells=("withstood, 50", "withstood, 51", "withstood, 50")).best == {0}
    three = SideRow("Match", ("40 of 100", "40 of 100", "42 of 100"), (0.401, 0.402, 0.42))
    assert three.best == {0, 1}


def test_the_stretched_column_keeps_what_it_is_given(qtbot: Any) -> None:
    widths = []
    for least in (150, 215):
        model = RowsModel(["Figure", "C1", "C2"])
        table = FormTable(model, name="t", words="w", least=least)
        qtbot.addWidget(table)
        model.set_rows([("≠ Attack: Finding people by what is known of them", "gains a little, 19", "works, 50")])
        table.resize(300, 200)
        table.show()
        let_work(10)
        widths.append(table.columnWidth(0))
    assert widths == [theme().px(150), theme().px(215)]
