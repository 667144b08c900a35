"""Columns as a person uses it: confirming, bulk editing by mouse and keys, kinds, groups, orders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from ui_support import find

from ppdm_desktop.ui.pages.columns.model import CHECK, ROLE, SPREAD, STATE
from ppdm_desktop.ui.state.column_decisions import moved, parse_numbers, waiting_words

LEFT = Qt.MouseButton.LeftButton
WAIT = 20_000
PLAIN = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    grades = ["low", "high", "mid"]
    rows = [f"{n},{20 + n % 40},{'mf'[n % 2]},{n % 2},{grades[n % 3]},00{n % 7}" for n in range(120)]
    path.write_text("id,age,sex,sexcode,grade,plz\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def page(qtbot: Any, window: Any, people: Path) -> Any:
    window.open_path(people)
    qtbot.waitUntil(lambda: window.current == "open", timeout=WAIT)
    qtbot.mouseClick(find(window, "button_next"), LEFT)
    assert window.current == "columns"
    return window._pages["columns"]


def click(qtbot: Any, page: Any, row: int, column: int, modifiers: Qt.KeyboardModifier = PLAIN) -> None:
    """Click into a cell of the table of columns."""
    table = page.table
    place: QPoint = table.visualRect(table.model().index(row, column)).center()
    qtbot.mouseClick(table.viewport(), LEFT, modifiers, place)


def role(page: Any, name: str) -> str:
    return str(page.session.decisions.recipe.columns[name].role)


def test_nothing_is_confirmed_by_itself(qtbot: Any, window: Any, page: Any) -> None:
    assert page.session.unconfirmed() == ["id", "age", "sex", "sexcode", "grade", "plz"]
    assert not find(window, "button_next").isEnabled()
    assert "wait for your decision" in find(window, "label_status").text()
    click(qtbot, page, 1, STATE)
    assert page.session.decisions.confirmed == {"age"}
    qtbot.mouseClick(find(page, "button_confirm_all"), LEFT)
    assert page.session.unconfirmed() == []
    assert find(window, "button_next").isEnabled()
    qtbot.mouseClick(find(window, "button_next"), LEFT)
    assert window.current == "levels"


def test_without_a_quasi_identifier_the_way_on_is_closed_with_the_reason(qtbot: Any, window: Any, page: Any) -> None:
    page.table.setFocus()
    page.table.selectAll()
    qtbot.keyClick(page.table, Qt.Key.Key_O)
    assert page.session.unconfirmed() == []
    assert not find(window, "button_next").isEnabled()
    assert "Nothing singles people out" in find(window, "label_status").text()


def test_letters_set_the_role_of_every_ticked_column_in_one_undoable_step(qtbot: Any, window: Any, page: Any) -> None:
    click(qtbot, page, 0, CHECK)
    click(qtbot, page, 3, CHECK)
    assert find(page, "label_selected").text() == "2 selected"
    qtbot.keyClick(page.table, Qt.Key.Key_X)
    assert (role(page, "id"), role(page, "sexcode")) == ("left-out", "left-out")
    assert page.session.decisions.confirmed == {"id", "sexcode"}
    assert find(page, "count_left-out").text() == "2"
    window.session.undo()
    assert role(page, "sexcode") != "left-out"
    assert page.session.decisions.confirmed == frozenset()
    window.session.redo()
    assert role(page, "sexcode") == "left-out"
    assert sorted(page.table.selected_rows()) == [0, 3]
    qtbot.keyClick(page.table, Qt.Key.Key_Escape)
    assert not page.table.selectionModel().hasSelection()


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        (Qt.Key.Key_I, "identifier"),
        (Qt.Key.Key_Q, "quasi-identifier"),
        (Qt.Key.Key_C, "confidential"),
        (Qt.Key.Key_L, "privacy-level"),
    ],
)
def test_each_letter_means_its_role(qtbot: Any, page: Any, key: Qt.Key, wanted: str) -> None:
    page.table.setCurrentIndex(page.model.index(4, 1))
    qtbot.keyClick(page.table, key)
    assert role(page, "grade") == wanted


def test_the_bar_edits_all_selected_columns(qtbot: Any, page: Any) -> None:
    click(qtbot, page, 1, 1)
    click(qtbot, page, 2, 1, Qt.KeyboardModifier.ControlModifier)
    combo = find(page, "combo_role")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert (role(page, "age"), role(page, "sex")) == ("confidential", "confidential")
    qtbot.mouseClick(find(page, "button_leave_out"), LEFT)
    assert (role(page, "age"), role(page, "sex")) == ("left-out", "left-out")
    qtbot.mouseClick(find(page, "button_clear_selection"), LEFT)
    assert find(page, "label_selected").text() == "None selected"


def test_the_menu_of_a_cell_sets_a_role(qtbot: Any, page: Any) -> None:
    click(qtbot, page, 4, ROLE)
    menu = find(page, "menu_role")
    action = next(each for each in menu.actions() if each.data() == "confidential")
    action.trigger()
    menu.close()
    assert role(page, "grade") == "confidential"
    assert "grade" in page.session.decisions.confirmed


def test_enter_confirms_the_selected_columns(qtbot: Any, page: Any) -> None:
    click(qtbot, page, 1, 1)
    qtbot.keyClick(page.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert page.session.decisions.confirmed == {"age", "sex"}


def test_the_panel_shows_values_and_names_the_column_that_repeats_another(qtbot: Any, page: Any) -> None:
    page.session.set_column("Role", ["sexcode", "sex"], role="other")
    click(qtbot, page, 3, 1)
    assert find(page, "label_column").text() == "sexcode"
    assert dict(find(page, "bars_column").values) == {"0": 60, "1": 60}
    notes = [each.words for each in page.panel._notes]
    assert any("sexcode" in words and "“sex”" in words for words in notes)
    qtbot.mouseClick(find(page, "button_leave_out_column"), LEFT)
    assert role(page, "sexcode") == "left-out"
    assert not page.panel._notes


def test_a_kind_the_values_do_not_bear_out_is_refused_and_nothing_changes(qtbot: Any, page: Any) -> None:
    click(qtbot, page, 4, 1)
    before = page.session.decisions
    page._on_kind_picked("numeric")
    strip = find(page, "strip_failure")
    qtbot.waitUntil(strip.isVisible, timeout=WAIT)
    assert "grade" in strip.text.text()
    assert page.session.decisions is before


def test_an_order_of_words_is_made_by_hand(qtbot: Any, page: Any) -> None:
    click(qtbot, page, 4, 1)
    combo = find(page, "combo_kind")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Up)
    session = page.session
    qtbot.waitUntil(lambda: session.decisions.recipe.columns["grade"].kind == "ordinal", timeout=WAIT)
    assert session.decisions.recipe.columns["grade"].order == ("high", "low", "mid")
    listed = find(page, "list_order")
    assert listed.isVisible()
    listed.setCurrentRow(0)
    qtbot.mouseClick(find(page, "button_order_down"), LEFT)
    qtbot.mouseClick(find(page, "button_order_down"), LEFT)
    assert session.decisions.recipe.columns["grade"].order == ("low", "mid", "high")
    assert listed.currentRow() == 2
    session.undo()
    assert session.decisions.recipe.columns["grade"].order == ("low", "high", "mid")


def choose_groups(qtbot: Any, page: Any, method: str) -> None:
    combo = find(page, "combo_groups_method")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    while combo.current != method:
        qtbot.keyClick(combo, Qt.Key.Key_Down)


def test_groups_are_previewed_by_the_engine_and_taken_with_a_click(qtbot: Any, page: Any) -> None:
    click(qtbot, page, 1, 1)
    choose_groups(qtbot, page, "cuts")
    cuts = find(page, "edit_cuts")
    qtbot.keyClicks(cuts, "30; 40")
    bars = find(page, "bars_groups")
    qtbot.waitUntil(lambda: len(bars.values) == 3, timeout=WAIT)
    assert bars.values == (("< 30", 30), ("[30, 40)", 30), ("≥ 40", 60))
    use = find(page, "button_use_groups")
    qtbot.waitUntil(use.isEnabled, timeout=WAIT)
    qtbot.mouseClick(use, LEFT)
    section = page.session.decisions.recipe.columns["age"]
    assert section.bins.at == (30.0, 40.0)
    assert "age" not in page.session.decisions.confirmed
    page.session.undo()
    assert page.session.decisions.recipe.columns["age"].bins is None
    assert find(page, "combo_groups_method").current == "none"


def test_bad_cut_points_are_said_in_words(qtbot: Any, page: Any) -> None:
    click(qtbot, page, 1, 1)
    choose_groups(qtbot, page, "cuts")
    qtbot.keyClicks(find(page, "edit_cuts"), "40; 30")
    label = find(page, "label_groups")
    qtbot.waitUntil(lambda: "rising" in label.text(), timeout=WAIT)
    assert not find(page, "button_use_groups").isEnabled()


def test_three_hundred_columns_stay_quick(qtbot: Any, window: Any, tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    names = ",".join(f"column {n} with a rather long name" for n in range(300))
    path.write_text(names + "\n" + "\n".join(",".join(str((r * n) % 7) for n in range(300)) for r in range(30)))
    window.open_path(path)
    qtbot.waitUntil(lambda: window.current == "open", timeout=WAIT)
    window.go_to("columns")
    page = window._pages["columns"]
    assert page.model.rowCount() == 300
    page.table.scrollToBottom()
    page.table.setCurrentIndex(page.model.index(299, SPREAD))
    qtbot.keyClick(page.table, Qt.Key.Key_Q)
    assert window.session.decisions.confirmed == {"column 299 with a rather long name"}


def test_words_and_numbers_of_the_page() -> None:
    assert waiting_words(["a"]) == "a waits for your decision"
    assert waiting_words(["a", "b", "c"]) == "a, b and c wait for your decision"
    assert waiting_words(list("abcde")) == "a, b and 3 more wait for your decision"
    assert parse_numbers("1,5; 2", ",") == [1.5, 2.0]
    assert parse_numbers("1, 2 3", ".") == [1.0, 2.0, 3.0]
    assert parse_numbers("1; x", ".") is None
    assert moved(("a", "b"), 0, -1) == ("a", "b")
    assert moved(("a", "b"), 0, 1) == ("b", "a")
