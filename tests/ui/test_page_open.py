"""Open as a person uses it: correcting guesses, workbooks, and readings that fail."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from ui_support import find

from ppdm_desktop.ui.state.column_decisions import order_of
from ppdm_desktop.ui.state.import_lines import _is_ambiguous_date

LEFT = Qt.MouseButton.LeftButton
WAIT = 20_000


@pytest.fixture
def page(window: Any) -> Any:
    return window._pages["open"]


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text(
        "id;age;city;born\n1;30;?;03/04/1990\n2;31;Köln;05/06/1991\n3;30;?;07/08/1990\n4;x;Bonn;01/02/1988;extra\n",
        encoding="utf-8",
    )
    return path


def opened(qtbot: Any, window: Any, path: Path) -> None:
    window.open_path(path)
    qtbot.waitUntil(lambda: window.session.decisions.path == path and window.current == "open", timeout=WAIT)


def pick(qtbot: Any, combo: Any, key: str) -> None:
    """Choose an entry by the keyboard."""
    combo.setFocus()
    qtbot.keyClick(combo, Qt.Key.Key_Home)
    for _ in range(combo.count()):
        if combo.current == key:
            return
        qtbot.keyClick(combo, Qt.Key.Key_Down)
    assert combo.current == key


def report(page: Any) -> str:
    listed = find(page, "list_read_report")
    return "\n".join(listed.item(row).text() for row in range(listed.count()))


def settled(qtbot: Any, window: Any, page: Any) -> None:
    qtbot.waitUntil(lambda: page._wanted is None and not window.runner.is_running("read-again"), timeout=WAIT)


def test_the_page_shows_table_guesses_and_what_was_not_read(qtbot: Any, window: Any, page: Any, people: Path) -> None:
    opened(qtbot, window, people)
    assert find(page, "table_preview").model().rowCount() == 3
    assert find(page, "combo_delimiter").current == ";"
    assert find(page, "spin_header_row").value() == 1
    assert "Row 5: 5 fields instead of 4" in report(page)
    assert "“?”" in report(page)
    assert not find(page, "combo_sheet").isVisible()
    assert not find(window, "button_next").isEnabled()
    undecided = window.session.decisions.recipe
    qtbot.mouseClick(find(page, "answer_person_1"), LEFT)
    assert window.session.decisions.recipe == undecided, "not known is what was assumed"
    qtbot.mouseClick(find(window, "button_next"), LEFT)
    assert window.current == "columns"


def test_a_suggested_mark_is_one_click_and_undo_reads_again(qtbot: Any, window: Any, page: Any, people: Path) -> None:
    opened(qtbot, window, people)
    qtbot.mouseClick(find(page, "button_take_mark_0"), LEFT)
    settled(qtbot, window, page)
    session = window.session
    assert session.reading.account.missing_marks == ("", "?")
    assert session.facts["city"].missing == 2
    assert find(page, "chip_mark_1").text() == "?  ×"
    qtbot.mouseClick(find(window, "button_undo"), LEFT)
    settled(qtbot, window, page)
    assert session.reading.account.missing_marks == ("",)
    assert session.can_redo is not None
    qtbot.mouseClick(find(window, "button_redo"), LEFT)
    settled(qtbot, window, page)
    assert session.reading.account.missing_marks == ("", "?")
    assert session.facts["city"].missing == 2


def test_a_setting_without_effect_is_named_as_on_the_page(qtbot: Any, window: Any, page: Any, people: Path) -> None:
    opened(qtbot, window, people)
    page._on_corrected("sheet", "People")
    settled(qtbot, window, page)
    assert "The setting “Sheet” (“People”) was ignored" in report(page)
    assert "[input]" not in report(page)
    qtbot.mouseClick(find(page, "button_reset_guesses"), LEFT)
    settled(qtbot, window, page)
    assert "ignored" not in report(page)


def test_a_sign_that_may_separate_columns_can_be_chosen(qtbot: Any, window: Any, page: Any, tmp_path: Path) -> None:
    path = tmp_path / "unusual.txt"
    path.write_text("name~age~city\nAnn~31~Köln\nBob~45~Bonn\nCid~52~Köln\nDee~28~Bonn\n", encoding="utf-8")
    opened(qtbot, window, path)
    assert "has “~” equally often" in report(page)
    pick(qtbot, find(page, "combo_delimiter"), "~")
    settled(qtbot, window, page)
    assert window.session.reading.table.names == ("name", "age", "city")
    assert find(page, "combo_delimiter").current == "~"


def test_a_file_that_changed_since_is_not_read_under_old_decisions(
    qtbot: Any, window: Any, page: Any, people: Path
) -> None:
    opened(qtbot, window, people)
    people.write_text("id;age;city;born\n9;9;?;x\n", encoding="utf-8")
    qtbot.mouseClick(find(page, "button_take_mark_0"), LEFT)
    strip = find(page, "strip_failure")
    qtbot.waitUntil(strip.isVisible, timeout=WAIT)
    settled(qtbot, window, page)
    assert window.session.reading.table.rows == 3


def test_undo_that_cannot_be_read_leaves_decisions_and_table_together(
    qtbot: Any, window: Any, page: Any, people: Path
) -> None:
    opened(qtbot, window, people)
    qtbot.mouseClick(find(page, "button_take_mark_0"), LEFT)
    settled(qtbot, window, page)
    people.unlink()
    qtbot.mouseClick(find(window, "button_undo"), LEFT)
    qtbot.waitUntil(find(page, "strip_failure").isVisible, timeout=WAIT)
    settled(qtbot, window, page)
    session = window.session
    assert session.decisions.recipe.input.missing == session.reading.options.missing == ("", "?")


def test_a_date_that_can_be_read_in_two_ways_is_settled_by_a_click(
    qtbot: Any, window: Any, page: Any, people: Path
) -> None:
    opened(qtbot, window, people)
    assert "03/04/1990" in find(page, "question_0").text.text()
    assert not _is_ambiguous_date("²/3/2020")
    qtbot.mouseClick(find(page, "answer_0_1"), LEFT)
    section = window.session.decisions.recipe.columns["born"]
    assert (section.kind, section.format) == ("date", "%m/%d/%Y")
    assert [each.key for each in page._asked] == ["person"]
    assert "born" not in window.session.decisions.confirmed
    qtbot.mouseClick(find(page, "button_take_mark_0"), LEFT)
    settled(qtbot, window, page)
    assert window.session.decisions.recipe.columns["born"].format == "%m/%d/%Y"


def test_a_data_dictionary_is_read_and_can_be_taken_back(
    qtbot: Any, window: Any, page: Any, dialogs: Any, tmp_path: Path
) -> None:
    source, dictionary = tmp_path / "export.csv", tmp_path / "dictionary.csv"
    rows = "".join(f"{row},{row % 2 + 1},{row % 4}\n" for row in range(1, 40))
    source.write_text("ref,answer,pain\n" + rows, encoding="utf-8")
    dictionary.write_text(
        "field_name,field_type,field_label,select_choices_or_calculations,identifier\n"
        'answer,radio,What did they say?,"1, Yes | 2, Refused",\nref,text,,,y\n'
        'pain,radio,Pain,"0, none | 1, 1 | 2, 2 | 3, worst",\n',
        encoding="utf-8",
    )
    opened(qtbot, window, source)
    dialogs.will("open_file", dictionary)
    qtbot.mouseClick(find(page, "button_dictionary"), LEFT)
    qtbot.waitUntil(lambda: window.session.reading.table.column("answer").label != "", timeout=WAIT)
    settled(qtbot, window, page)
    session = window.session
    assert session.facts["ref"].role == "identifier"
    assert session.reading.table.column("pain").kind == "ordinal"
    assert [proposal.column for proposal in session.proposals] == ["answer"]
    session.set_column(["pain"], role="confidential")
    assert order_of(session, "pain") == ("0", "1", "2", "3")
    qtbot.mouseClick(find(window, "button_undo"), LEFT)
    qtbot.mouseClick(find(window, "button_undo"), LEFT)
    settled(qtbot, window, page)
    assert session.reading.table.column("answer").label == ""
    dialogs.will("open_file", source)
    qtbot.mouseClick(find(page, "button_dictionary"), LEFT)
    qtbot.waitUntil(lambda: not page.failure.isHidden(), timeout=WAIT)
