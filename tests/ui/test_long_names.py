"""Long names where there is little room: they can still be told apart, and nothing is cut by an edge."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QStyleOptionHeader

from ppdm_desktop.engine.identifiability.generalisation_options import LEFT_OUT, RARE, Change
from ppdm_desktop.engine.identifiability.what_if import Effect
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.risk.what_if.row import ChangeRow, two_lines
from ppdm_desktop.ui.state.number_words import shorten_common_prefix
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.batch_visibility import at_once
from ppdm_desktop.ui.widgets.tables.form_table import FormTable

LONG = "Fully described property of the person asked (rounded) "


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        ([LONG + "age", LONG + "sex"], ["…age", "…sex"]),
        ([LONG + "age", LONG + "sex", "town"], ["…age", "…sex", "town"]),
        # One name that all others begin with stays; so do names that share only half a word, and short ones.
        ([LONG.rstrip(), LONG + "sex"], None),
        (["overwhelmingly-a-long-name-1", "overstretched-and-another-2"], None),
        (["native-country", "native-language"], None),
        ([LONG + "age"], None),
        ([], None),
    ],
)
def test_long_names_leave_out_what_all_of_them_begin_with(names: list[str], shown: list[str] | None) -> None:
    found = shorten_common_prefix(names)
    assert len(set(found)) == len(names)
    if shown is not None:
        assert found == shown
    elif LONG.rstrip() not in names:
        assert found == names


@pytest.fixture
def metrics(qapp: Any) -> QFontMetrics:
    return QFontMetrics(theme().font())


def test_a_sentence_takes_a_second_line_before_it_is_cut(metrics: QFontMetrics) -> None:
    sentence = "Occupation: rare values as one, 12 left"
    whole = metrics.horizontalAdvance(sentence)
    assert two_lines(sentence, metrics, whole) == sentence
    broken = two_lines(sentence, metrics, round(whole * 0.7))
    assert broken.replace("\n", " ") == sentence
    assert broken.count("\n") == 1
    for room in (round(whole * 0.3), round(whole * 0.15)):
        lines = two_lines(sentence, metrics, room).split("\n")
        assert len(lines) <= 2
        assert "…" in lines[-1]
        assert all(metrics.horizontalAdvance(line) <= room for line in lines)


def test_rows_stand_in_columns_and_say_the_whole_name(qtbot: Any) -> None:
    def effect(alone: int) -> Effect:
        return Effect(200, alone, None, None, None, 150, 1, 0.5, 1.0)

    before, after = effect(1000), effect(999)
    rows = []
    for place, name in enumerate((LONG + "age", LONG + "sex")):
        changes = [(Change(name, LEFT_OUT), before if place else after)]
        changes += [(Change(name, RARE, 0.1, ("a", "b")), before)]
        rows.append(ChangeRow(place, changes, before, alone=True, name=f"…{name[-3:]}"))
        qtbot.addWidget(rows[-1])
    for row in rows:
        row.line_up(["1,000"], [text for each in rows for text in each.percents])
        row.resize(500, 40)
        row.show()
    assert rows[0].percents != rows[1].percents
    assert rows[0].percent.minimumWidth() == rows[1].percent.minimumWidth()
    assert rows[0].box.text() == "…age: leave out"
    assert rows[0].box.accessibleName() == rows[0].box.toolTip() == f"{LONG}age: leave out"


def test_names_above_a_table_end_in_dots(qtbot: Any) -> None:
    table = FormTable(RowsModel([LONG, "n"]), name="table", words="words", stretch=-1)
    qtbot.addWidget(table)
    table.horizontalHeader().setTextElideMode(Qt.TextElideMode.ElideMiddle)
    table.setColumnWidth(0, 120)
    option = QStyleOptionHeader()
    table.horizontalHeader().initStyleOptionForIndex(option, 0)
    shown = option.text
    assert "…" in shown
    assert QFontMetrics(theme().font(semibold=True)).horizontalAdvance(shown) <= 120 - theme().px(16)
    table.setColumnWidth(0, 900)
    table.horizontalHeader().initStyleOptionForIndex(option, 0)
    assert option.text == LONG


def test_a_long_name_above_a_table_is_cut_only_where_there_is_no_room_to_spare(qtbot: Any) -> None:
    table = FormTable(RowsModel(["n", LONG]), name="table", words="words", stretch=0)
    qtbot.addWidget(table)
    needed = QFontMetrics(theme().font(semibold=True)).horizontalAdvance(LONG) + theme().px(18)
    assert needed > theme().px(300)
    table.show()
    for wide, least in ((needed + 400, needed), (theme().px(320), theme().px(300)), (needed + 400, needed)):
        table.resize(wide, 200)
        assert table.columnWidth(1) == least
        assert table.columnWidth(0) + table.columnWidth(1) <= max(table.viewport().width(), least + table._least)


def test_parts_that_come_and_go_at_once_are_laid_out_once(qtbot: Any) -> None:
    card = Card("title")
    parts = [Text(f"line {place}") for place in range(4)]
    for part in parts:
        card.body.addWidget(part)
        part.hide()
    qtbot.addWidget(card)
    card.resize(300, 300)
    card.show()
    with at_once(card), at_once(card):
        for part in parts:
            part.show()
        assert not card.body.isEnabled()
    assert card.body.isEnabled()
    qtbot.waitUntil(lambda: all(part.height() > 0 for part in parts) and parts[3].y() > parts[2].y() > parts[1].y())
    with pytest.raises(ValueError, match="meant"), at_once(card):
        raise ValueError("meant")
    assert card.body.isEnabled()
