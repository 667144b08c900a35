"""Tables that scroll sideways keep the names of their rows in sight."""

from __future__ import annotations

from typing import Any

import pytest
from optional import existing

from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import Corner, KeptTable, NamedRows

HEADERS = ("Column", "with", "Before", "After", "Difference", "Measure")
ROWS = [
    ("age", "marital-status", "0.85", "0.86", "+0.01", "Correlation ratio"),
    ("capital-gain", "hours-per-week", "0.79", "0.70", "−0.09", "Pearson"),
]


@pytest.fixture
def table(qtbot: Any) -> KeptTable:
    model = NamedRows(HEADERS, right=(2, 3, 4), names=2)
    model.set_rows(ROWS)
    table = KeptTable(model, name="table_pairs", words="Pairs", stretch=1)
    qtbot.addWidget(table)
    table.resize(1200, 300)
    table.show()
    return table


def test_all_columns_stand_as_columns_where_they_fit(table: KeptTable) -> None:
    assert not table.keeps
    assert not any(table.isColumnHidden(column) for column in range(6))
    assert table.horizontalScrollBar().maximum() == 0
    # Both names stand together: the spare width comes after the second.
    assert table.columnWidth(0) < table.columnWidth(1)
    assert not existing(table.findChild(Corner)).isVisible()


def test_names_move_to_the_left_where_columns_do_not_fit(table: KeptTable) -> None:
    table.setCurrentIndex(table.model().index(1, 0))
    table.resize(420, 300)
    assert (table.keeps, table.isColumnHidden(0), table.isColumnHidden(1)) == (True, True, True)
    bar, names = table.horizontalScrollBar(), table.verticalHeader()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    assert names.isVisible()
    assert names.x() <= 4
    assert table.viewport().x() >= names.x() + names.width()
    # The cell looked at is one that can be seen.
    assert (table.currentIndex().row(), table.currentIndex().column()) == (1, 2)
    corner = table.findChild(Corner)
    assert existing(corner).isVisible()
    assert existing(corner).width() == names.width()
    assert existing(corner).height() == table.horizontalHeader().height()
    table.resize(1200, 300)
    assert not table.keeps
    assert not table.isColumnHidden(0)
    assert not names.isVisible()


@pytest.mark.parametrize(
    ("model", "kept"), [(NamedRows(("Group", "Mean")), True), (RowsModel(("Group", "Mean")), False)]
)
def test_a_chart_keeps_names_where_its_model_has_some(qtbot: Any, model: RowsModel, kept: bool) -> None:
    card = ChartCard("means", DrawnView(name="chart", words="Means"), model, words="Means")
    qtbot.addWidget(card)
    assert isinstance(card.table, FormTable)
    assert isinstance(card.table, KeptTable) == kept
