"""Columns as a person uses it: confirming, bulk editing by mouse and keys, kinds, groups, orders."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from PySide6.QtCore import QPoint, Qt
from ui_support import find, open_columns

from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.inspect import looks_not_negative
from ppdm_desktop.engine.table.kinds import guess_kind
from ppdm_desktop.ui.pages.columns.table import (
    CHECK,
    NAME,
    ROLE,
    STATE,
)

LEFT = Qt.MouseButton.LeftButton
WAIT = 20_000


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    grades = ["low", "high", "mid"]
    rows = [f"{n},{20 + n % 40},{'mf'[n % 2]},{n // 60},{grades[n % 3]},00{n % 3}" for n in range(120)]
    path.write_text("id,age,sex,sexcode,grade,plz\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def page(qtbot: Any, window: Any, people: Path) -> Any:
    return open_columns(qtbot, window, people)


def row_of(page: Any, name: str) -> int:
    """Return where a column stands in the table: those to be decided stand first."""
    return [line.name for line in page.model.lines].index(name)


def click(qtbot: Any, page: Any, name: str, column: int) -> None:
    """Click into a cell of the table of columns."""
    table = page.table
    place: QPoint = table.visualRect(table.model().index(row_of(page, name), column)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=place)


def role(page: Any, name: str) -> str:
    return str(page.session.decisions.recipe.columns[name].role)


def test_nothing_is_confirmed_by_itself(qtbot: Any, window: Any, page: Any) -> None:
    assert page.session.unconfirmed() == ["id", "age", "sex", "sexcode", "grade", "plz"]
    assert not find(window, "button_next").isEnabled()
    click(qtbot, page, "age", STATE)
    assert page.session.decisions.confirmed == {"age"}
    button = find(page, "button_confirm_clear")
    qtbot.mouseClick(button, LEFT)
    assert page.session.unconfirmed() == ["sexcode"]
    assert "sexcode" not in page.session.decisions.recipe.columns
    assert page.current_column() == "sexcode"
    assert not button.isEnabled()
    assert not find(window, "button_next").isEnabled()
    qtbot.keyClick(page.table, Qt.Key.Key_Return)
    assert page.session.unconfirmed() == ["sexcode"], "nothing is suggested, so nothing is confirmed"
    qtbot.keyClick(page.table, Qt.Key.Key_X)
    assert page.session.unconfirmed() == []
    assert find(window, "button_next").isEnabled()
    qtbot.mouseClick(find(window, "button_next"), LEFT)
    assert window.current == "levels"


def test_what_nobody_knows_stands_first_and_does_not_move_when_it_is_decided(qtbot: Any, page: Any) -> None:
    order = [line.name for line in page.model.lines]
    assert order == ["sexcode", "id", "age", "sex", "grade", "plz"]
    assert page.model.data(page.model.index(0, ROLE)) == "Your decision"
    assert page.model.data(page.model.index(0, STATE)) == "Decide"
    click(qtbot, page, "sexcode", 1)
    assert "letter" in page.panel.wish.text()
    assert not find(page, "button_confirm_column").isVisible()
    assert not find(page, "combo_kind").isEnabled(), "a kind is kept beside a role"
    qtbot.keyClick(page.table, Qt.Key.Key_Q)
    assert [line.name for line in page.model.lines] == order
    assert find(page, "combo_kind").isEnabled()


def test_a_file_without_a_secret_asks(qtbot: Any, window: Any, page: Any) -> None:
    strip = find(page, "question_confidential")
    top = page.table.mapTo(page, page.table.pos()).y()
    page.session.set_column(["id", "age", "sex", "grade", "plz"], role="quasi-identifier")
    assert not strip.isVisible(), "not all is decided yet"
    page.session.set_column(["sexcode"], role="other")
    while find(page, "question_codes").isVisible():
        qtbot.mouseClick(find(page, "button_numbers"), LEFT)
    assert strip.isVisible()
    qtbot.waitUntil(lambda: strip.height() > strip.text.height())
    assert page.table.mapTo(page, page.table.pos()).y() == top, "no decision moves the table"
    assert not find(window, "button_next").isEnabled()
    assert find(page, "button_secret_0").text() == "grade", "what was suggested so comes first"
    qtbot.mouseClick(find(page, "button_nothing_confidential"), LEFT)
    assert not strip.isVisible()
    assert find(window, "button_next").isEnabled()
    page._nothing_to_hide = None
    page.session.changed()
    qtbot.mouseClick(find(page, "button_secret_0"), LEFT)
    assert role(page, "grade") == "confidential"
    assert not strip.isVisible()
    assert find(window, "button_next").isEnabled()


def test_letters_set_the_role_of_every_ticked_column_in_one_undoable_step(qtbot: Any, window: Any, page: Any) -> None:
    click(qtbot, page, "id", CHECK)
    click(qtbot, page, "sexcode", CHECK)
    assert find(page, "label_selected").text() == "2 selected"
    qtbot.keyClick(page.table, Qt.Key.Key_X)
    assert (role(page, "id"), role(page, "sexcode")) == ("left-out", "left-out")
    assert page.session.decisions.recipe.columns["sexcode"].kind == "nominal"
    assert page.session.decisions.confirmed == {"id", "sexcode"}
    assert find(page, "count_left-out").text() == "2"
    window.session.undo()
    assert "sexcode" not in page.session.decisions.recipe.columns
    assert page.session.decisions.confirmed == frozenset()
    window.session.redo()
    assert role(page, "sexcode") == "left-out"
    assert sorted(page.table.selected_rows()) == sorted(row_of(page, name) for name in ("id", "sexcode"))
    qtbot.keyClick(page.table, Qt.Key.Key_Escape)
    assert not page.table.selectionModel().hasSelection()


def test_an_order_of_words_is_made_by_hand(qtbot: Any, page: Any) -> None:
    click(qtbot, page, "grade", 1)
    combo = find(page, "combo_kind")
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Up)
    session = page.session
    session.set_column(["grade"], confirm=False, detail="keep")
    qtbot.waitUntil(lambda: session.decisions.recipe.columns["grade"].kind == "ordinal", timeout=WAIT)
    assert session.decisions.recipe.columns["grade"].detail == "keep", "what is decided during the check stays"
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
    click(qtbot, page, "age", 1)
    choose_groups(qtbot, page, "cuts")
    cuts = find(page, "edit_cuts")
    qtbot.keyClicks(cuts, "30; 40")
    bars = find(page, "bars_groups")
    qtbot.waitUntil(lambda: len(bars.values) == 3, timeout=WAIT)
    assert bars.values == (("< 30", 30), ("[30, 40)", 30), ("≥ 40", 60))
    for limits in ("30; 50", "50; 30"):
        cuts.setText(limits)
        page.groups._update_preview()
    qtbot.waitUntil(lambda: not page.context.runner.is_running("groups"), timeout=WAIT)
    assert bars.values == (), "a preview that ends after a mistake was typed is dropped"
    cuts.setText("30; 40")
    page.groups._update_preview()
    use = find(page, "button_use_groups")
    qtbot.waitUntil(use.isEnabled, timeout=WAIT)
    qtbot.mouseClick(use, LEFT)
    section = page.session.decisions.recipe.columns["age"]
    assert section.bins.at == (30.0, 40.0)
    assert "age" not in page.session.decisions.confirmed
    page.session.undo()
    assert page.session.decisions.recipe.columns["age"].bins is None
    assert find(page, "combo_groups_method").current == "none"


# --- values below zero --------------------------------------------------------------------


def test_a_column_like_an_age_is_proposed_as_never_below_zero_and_a_person_decides(qtbot: Any, page: Any) -> None:
    def mark() -> Any:
        return page.session.decisions.recipe.columns["age"].not_negative

    click(qtbot, page, "age", NAME)
    box, words = find(page, "check_not_negative"), find(page, "label_not_negative")
    assert box.isVisible()
    assert not box.isChecked(), "a proposal decides nothing"
    assert mark() is None
    qtbot.mouseClick(find(page, "button_not_negative_no"), LEFT)
    assert mark() is False
    assert not find(page, "button_not_negative_yes").isVisible()
    page.session.undo()
    qtbot.mouseClick(find(page, "button_not_negative_yes"), LEFT)
    assert mark() is True
    assert box.isChecked()
    box.click()
    assert mark() is False
    assert box.accessibleDescription() == words.text()


@pytest.mark.parametrize(("name", "values", "expected"), case_rows("page-columns-what-is-proposed"))
def test_what_is_proposed(name: str, values: str, expected: bool) -> None:
    texts = values.split()
    column = Column.from_texts(name, texts)
    guess = guess_kind(column, ".")
    column = replace(column, kind=guess.kind, style=guess.style)
    assert looks_not_negative(column) is expected
