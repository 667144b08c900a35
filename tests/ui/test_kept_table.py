"""Tables that scroll sideways keep the names of their rows in sight."""

from __future__ import annotations

from typing import Any

import pytest
from optional import existing
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyleOptionHeader

from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import Corner, KeptTable, NamedRows, NamesAtLeft

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


def names_of(table: KeptTable) -> list[str]:
    found = []
    for row in range(len(ROWS)):
        option = QStyleOptionHeader()
        table.verticalHeader().initStyleOptionForIndex(option, row)
        found.append(option.text)
    return found


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


def test_both_parts_of_a_name_are_cut_and_the_whole_is_told(table: KeptTable) -> None:
    table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.resize(360, 300)
    assert names_of(table)[1] == "capital-gain ·\nhours-per-week"
    rows = table.verticalHeader()
    line = QFontMetrics(theme().font(semibold=True)).height()
    assert line <= rows.sectionSize(1) - rows.sectionSize(0) <= line + 2
    assert table.minimumHeight() >= sum(rows.sectionSize(row) for row in range(rows.count()))
    begin = "capital_gain_of_the_year_before"
    model = table.model()
    assert isinstance(model, NamedRows)
    model.set_rows([model.rows[0], (begin, "hours_per_week_of_the_year_before", *model.rows[1][2:])])
    short = names_of(table)[1]
    first, second = short.split(" · ")
    assert "…" in first
    assert "…" in second
    whole = f"{begin} · hours_per_week_of_the_year_before"
    for role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
        assert table.model().headerData(1, Qt.Orientation.Vertical, role) == whole
    assert names_of(table)[0] != short


def test_long_names_leave_out_what_all_begin_with(table: KeptTable) -> None:
    begin = "Widely described property of the person who was asked (self-declared, rounded) "
    names = [(f"{begin}{one}", f"{begin}{other}") for one, other in (("education", "class"), ("occupation", "class"))]
    model = table.model()
    assert isinstance(model, NamedRows)
    model.set_rows([(*both, "0.1", "0.1", "0.00", "Cramér's V") for both in names])
    table.resize(560, 300)
    assert table.keeps
    assert names_of(table) == ["…education · …class", "…occupation · …class"]
    assert model.headerData(0, Qt.Orientation.Vertical) == " · ".join(names[0])


@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("width", [490, 1100])
def test_a_value_of_many_parts_is_whole_at_every_width(qtbot: Any, width: int, scale: float) -> None:
    theme().set_scale(scale)
    model = NamedRows(("occupation", "Original", "Version 6", "Change (percentage points)"), right=(1, 2, 3))
    value = "Armed-Forces or Farming-fishing or Handlers-cleaners or Machine-op-inspct or Other-service or Sales"
    table = KeptTable(model, name="table_values", words="Values")
    qtbot.addWidget(table)
    model.set_rows([("Adm-clerical", "11%", "9%", "−2.1"), (value, "34%", "34%", "−0.2")])
    table.resize(width, 300)
    table.show()
    if not table.keeps:
        cell = QFontMetrics(theme().font()).horizontalAdvance(value)
        assert cell < table.columnWidth(0)
        return
    names, metrics = table.verticalHeader(), QFontMetrics(theme().font(semibold=True))
    assert isinstance(names, NamesAtLeft)
    lines = names.lines(model, 1)
    assert " ".join(lines).replace("- ", "-") == value
    assert max(map(metrics.horizontalAdvance, lines)) < names.width()
    assert names.sectionSize(1) >= metrics.boundingRect(QRect(0, 0, 9_999, 9_999), 0, "\n".join(lines)).height()
    # Where all columns fit beside names on lines, none scrolls away.
    assert (table.horizontalScrollBar().maximum() == 0) == (width == 1100)


def test_names_follow_other_rows(table: KeptTable) -> None:
    table.resize(420, 300)
    model = table.model()
    assert isinstance(model, NamedRows)
    model.set_rows([("sex", "race", "0.1", "0.1", "0.00", "Cramér's V")])
    assert table.keeps
    assert names_of_first(table) == "sex · race"
    assert table.maximumHeight() < 200


def names_of_first(table: KeptTable) -> str:
    option = QStyleOptionHeader()
    table.verticalHeader().initStyleOptionForIndex(option, 0)
    return str(option.text)


@pytest.mark.parametrize(
    ("model", "kept"), [(NamedRows(("Group", "Mean")), True), (RowsModel(("Group", "Mean")), False)]
)
def test_a_chart_keeps_names_where_its_model_has_some(qtbot: Any, model: RowsModel, kept: bool) -> None:
    card = ChartCard("means", DrawnView(name="chart", words="Means"), model, words="Means")
    qtbot.addWidget(card)
    assert isinstance(card.table, FormTable)
    assert isinstance(card.table, KeptTable) == kept


def test_names_of_figures_go_on_two_lines_before_what_they_belong_to_is_cut(qtbot: Any) -> None:
    model = RowsModel(["Bekannte Angaben", "Gefundene Personen", "Mit weniger nicht gefunden", "Zahl"], right=(1, 2, 3))
    model.set_rows([("age, native-country, occupation", "182", "12", "3")])
    table = FormTable(model, name="t", words="w", folds=True)
    qtbot.addWidget(table)
    header = table.horizontalHeader()

    def shown(wide: int) -> list[str]:
        table.resize(wide, 200)
        table.show()
        names = []
        for column in range(4):
            option = QStyleOptionHeader()
            header.initStyleOptionForIndex(option, column)
            names.append(option.text)
        return names

    assert not any("\n" in name for name in shown(900))
    low, narrow = header.height(), table.columnWidth(2)
    assert shown(560) == ["Bekannte Angaben", "Gefundene\nPersonen", "Mit weniger\nnicht gefunden", "Zahl"]
    assert header.height() > low
    assert table.columnWidth(2) < narrow
    metrics = table.fontMetrics()
    assert table.columnWidth(0) > metrics.horizontalAdvance("age, native-country, occupation")
    assert not any("\n" in name for name in shown(900)), "one line again where there is room"
    assert (header.height(), table.columnWidth(2)) == (low, narrow)
