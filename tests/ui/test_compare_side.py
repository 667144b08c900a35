"""The table of candidates side by side: names stay in view, the rest of the width is shared alike."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionHeader

from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare.side.tab import SideCard
from ppdm_desktop.ui.pages.compare.side.table import NamedTable
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows

NAMES = ("≠ Right match", "≠ Attack: Finding people by what is known of them", "People removed")


@pytest.fixture
def table(qtbot: Any) -> NamedTable:
    model = NamedRows(("Figure", "C1", "C2", "C3", ""))
    table = NamedTable(model, name="table_side", words="Side by side", most_rows=30)
    qtbot.addWidget(table)
    table.setColumnHidden(4, True)
    model.set_rows([(name, "10 of 100 ✓", "works on nearly all, 97", "does not apply", "") for name in NAMES])
    table.fit()
    table.show()
    return table


def test_names_stay_in_view_when_it_scrolls_sideways(table: NamedTable) -> None:
    table.resize(360, 300)
    bar, names = table.horizontalScrollBar(), table.verticalHeader()
    assert bar.maximum() > 0
    bar.setValue(bar.maximum())
    assert names.isVisible()
    assert names.x() <= 2
    assert 150 <= names.width() < 360 / 2
    assert table.viewport().x() >= names.x() + names.width()
    shown = [table.model().headerData(row, Qt.Orientation.Vertical) for row in range(3)]
    assert shown == list(NAMES)
    # A name that is cut can be read whole.
    tip = Qt.ItemDataRole.ToolTipRole
    assert table.model().headerData(1, Qt.Orientation.Vertical, tip) == NAMES[1]


def test_candidates_share_the_width_and_nothing_scrolls_where_there_is_room(table: NamedTable) -> None:
    table.resize(1000, 300)
    assert table.horizontalScrollBar().maximum() == 0
    narrow = [table.columnWidth(column) for column in (1, 2, 3)]
    table.resize(1120, 300)
    wider = [table.columnWidth(column) for column in (1, 2, 3)]
    assert [after - before for before, after in zip(narrow, wider, strict=True)] == [40, 40, 40]
    assert table.isColumnHidden(0)
    assert table.currentIndex().column() == 1


@pytest.mark.parametrize(
    ("finished", "words"), [(1, "on the Protect page"), (2, "Tick both"), (3, "Tick 2 to 3"), (9, "Tick 2 to 4")]
)
def test_what_is_said_can_be_done(qtbot: Any, finished: int, words: str) -> None:
    card = SideCard(4)
    qtbot.addWidget(card)
    card.show_placed([], finished)
    assert words in card.caption.text()
    assert not card.table.isVisibleTo(card)


def test_a_heading_that_is_cut_says_so_with_dots(qtbot: Any) -> None:
    model = RowsModel(("Self-declared property of the person, rounded: age", "Mean"), right=(1,))
    table = FormTable(model, name="table", words="Means")
    qtbot.addWidget(table)
    model.set_rows([("Private", "38.5")])
    table.resize(240, 200)
    table.show()
    option = QStyleOptionHeader()
    table.horizontalHeader().initStyleOptionForIndex(option, 0)
    assert "…" in option.text
    assert option.text.startswith("Self-")
    assert option.text.endswith("age")
