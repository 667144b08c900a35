"""T turns a chart into its table and back, wherever the keys are, and they go on in what is seen then."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from optional import existing
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from ppdm_desktop.engine.report.bars import Bar, bars_scene
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows


@pytest.fixture(params=["plain", "named"])
def card(qtbot: Any, request: pytest.FixtureRequest) -> Iterator[ChartCard]:
    outer = QWidget()
    qtbot.addWidget(outer)
    model = RowsModel(("Group", "Share")) if request.param == "plain" else NamedRows(("Group", "Share"))
    chart = DrawnView(name="chart", label="Shares")
    made = ChartCard("shares", chart, model, label="Shares")
    # A row whose name begins with the letter: the table would go there in place of turning.
    chart.set_scene(bars_scene("Shares", "", ["One", "Two"], [("original", "original", [Bar(0.1), Bar(0.9)])]))
    model.set_rows([("One", "10%"), ("Two", "90%")])
    QVBoxLayout(outer).addWidget(made)
    outer.show()
    outer.activateWindow()
    QApplication.processEvents()
    chart.setFocus()
    yield made
    outer.hide()


def test_t_turns_there_and_back_and_the_keys_stay_within(card: ChartCard) -> None:
    assert card.chart.hasFocus()
    for _ in range(2):
        QTest.keyClick(existing(QApplication.focusWidget()), Qt.Key.Key_T)
        assert (card.table.isVisible(), card.chart.isVisible()) == (True, False)
        assert card.table.hasFocus()
        QTest.keyClick(existing(QApplication.focusWidget()), Qt.Key.Key_T)
        assert (card.table.isVisible(), card.chart.isVisible()) == (False, True)
        assert card.chart.hasFocus()
    assert card.table.currentIndex().row() <= 0, "the letter searched for nothing"
