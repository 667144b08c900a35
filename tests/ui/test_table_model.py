"""A million rows by twenty columns: shown, sorted and filtered correctly, at the cost of what is visible."""

from __future__ import annotations

import numpy as np
import pytest
from processor_time import within_processor_seconds
from PySide6.QtCore import QItemSelectionModel, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester, QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from ui_support import find

from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.ui.models.table_model import ROW_ROLE, ColumnsModel, filter_rows_by_text
from ppdm_desktop.ui.widgets.tables.data_table import DataTable

ROWS = 1_000_000
DESCENDING = Qt.SortOrder.DescendingOrder


@pytest.fixture(scope="module")
def million() -> Table:
    """Twenty columns of a million rows: numbers out of order, words, and holes."""
    draw = np.random.default_rng(7)
    texts = tuple(str(number) for number in draw.permutation(5_000))
    columns = [
        Column(
            f"n{i}", f"n{i}", draw.integers(0, 5_000, ROWS, dtype=np.int32), texts, kind="numeric", style=NumberStyle()
        )
        for i in range(5)
    ]
    words = ("", *(f"word {letter}" for letter in "qwertyuiop"))
    columns += [Column(f"w{i}", f"w{i}", draw.integers(0, 11, ROWS, dtype=np.int32), words) for i in range(15)]
    return Table(tuple(columns), np.arange(1, ROWS + 1, dtype=np.int64))


@pytest.fixture
def small() -> Table:
    return Table(
        (
            Column.from_texts("Age", ["9", "10", "", "10.0", "-3"], kind="numeric", style=NumberStyle()),
            Column.from_texts("City", ["Bonn", "", "<b>Ghent</b>", "Delft", "bonn"]),
            Column.from_texts(
                "Grade", ["low", "high", "mid", "low", "high"], kind="ordinal", order=("low", "mid", "high")
            ),
        ),
        np.array([1, 2, 4, 5, 6], dtype=np.int64),
    )


def shown(model: ColumnsModel, column: int) -> list[str]:
    return [str(model.index(row, column).data()) for row in range(model.rowCount())]


def numbers(model: ColumnsModel) -> list[str]:
    return [str(model.headerData(row, Qt.Orientation.Vertical)) for row in range(model.rowCount())]


def test_it_keeps_to_the_rules_of_qt(small: Table, qapp: QApplication) -> None:
    model = ColumnsModel(small)
    QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    model.sort(0)
    model.set_rows(np.array([3, 1], dtype=np.int64))
    model.set_table(None)
    model.set_table(small)


def test_numbers_sort_by_value_words_by_text_missing_last(small: Table, qapp: QApplication) -> None:
    model = ColumnsModel(small)
    model.sort(0)
    assert shown(model, 0) == ["-3", "9", "10", "10.0", "∅ missing"]
    assert numbers(model) == ["6", "1", "2", "5", "4"]
    model.sort(0, DESCENDING)
    assert shown(model, 0) == ["10", "10.0", "9", "-3", "∅ missing"]
    model.sort(1)
    assert shown(model, 1)[-1] == "∅ missing"
    model.sort(2)
    assert shown(model, 2) == ["low", "low", "mid", "high", "high"]
    model.sort(-1)
    assert numbers(model) == ["1", "2", "4", "5", "6"]


def test_what_looks_like_html_is_shown_as_it_is(small: Table, qapp: QApplication) -> None:
    assert shown(ColumnsModel(small), 1)[2] == "<b>Ghent</b>"


def test_filtering_ignores_case_and_keeps_order(small: Table) -> None:
    every = np.arange(5)
    assert filter_rows_by_text(small.columns, "BONN", every).tolist() == [0, 4]
    assert filter_rows_by_text(small.columns, "no such", every).tolist() == []
    assert filter_rows_by_text(small.columns, "high", np.array([4, 1])).tolist() == [4, 1]


def test_the_current_cell_and_the_selection_move_with_their_rows(small: Table, qtbot: QtBot) -> None:
    model = ColumnsModel(small)
    table = DataTable(model, name="t", label="Table")
    qtbot.addWidget(table)
    table.show()
    table.setCurrentIndex(model.index(4, 1))
    table.selectionModel().select(model.index(0, 0), QItemSelectionModel.SelectionFlag.ClearAndSelect)
    model.sort(0)
    assert table.currentIndex().data(ROW_ROLE) == 4
    assert [index.data(ROW_ROLE) for index in table.selectedIndexes()] == [0]
    model.set_rows(np.array([0, 1, 2], dtype=np.int64))
    assert not table.currentIndex().isValid() or table.currentIndex().data(ROW_ROLE) in (0, 1, 2)
    assert [index.data(ROW_ROLE) for index in table.selectedIndexes()] == [0]
    model.set_rows(None)
    table.repaint()


def test_a_million_rows_show_at_once(million: Table, qtbot: QtBot) -> None:
    with within_processor_seconds(0.5):
        table = DataTable(ColumnsModel(million), name="t", label="Table")
        qtbot.addWidget(table)
        table.resize(1280, 720)
        table.show()
        QApplication.processEvents()
    assert table.model().rowCount() == ROWS
    bar = table.verticalScrollBar()
    for place in (bar.maximum(), 0, bar.maximum() // 2):
        with within_processor_seconds(0.1):
            bar.setValue(place)
            table.viewport().repaint()
    first = table.rowAt(1)
    assert table.model().index(first, 0).data() == million.columns[0].texts[million.columns[0].codes[first]]


def test_copying_needs_permission(small: Table, qtbot: QtBot) -> None:
    table = DataTable(ColumnsModel(small), name="t", label="Table")
    qtbot.addWidget(table)
    table.show()
    QGuiApplication.clipboard().setText("before")
    table.selectAll()
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "before"
    table.copy_allowed = True
    QTest.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines()[0] == "9\tBonn\tlow"


def test_f2_shows_the_whole_text(qtbot: QtBot) -> None:
    long = "x" * 5_000
    table = DataTable(
        ColumnsModel(Table((Column.from_texts("a", [long, "b"]),), np.array([1, 2]))), name="t", label="Table"
    )
    qtbot.addWidget(table)
    table.show()
    assert len(str(table.model().index(0, 0).data())) < 300
    QTest.keyClick(table, Qt.Key.Key_F2)
    popup = find(table, "popup_whole_text")
    assert popup.findChildren(QLabel)[0].text() == long
    popup.close()
