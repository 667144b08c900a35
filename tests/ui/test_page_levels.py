"""Privacy levels as a person uses them: who gets it, rules, a column, picked rows, the map."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from optional import existing
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QAccessible, QHelpEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QRadioButton, QStyleOptionComboBox, QToolTip, QWidget
from ui_support import Person, decide_roles, find

from ppdm_desktop.engine.recipe.models import Condition, LevelSection, PrivacySection, RowsRule, Rule
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.level_choice import LevelChoice
from ppdm_desktop.ui.widgets.release_type_card import TypeCard

ROWS = """id,age,town,wish,income
1,31,Oslo,normal,low
2,31,Oslo,hoch,low
3,44,Bergen,cautious,high
4,79,Oslo,hoch,high
5,80,Bergen,,low
6,44,Bergen,9,low
"""
ROLES = {"identifier": ("id",), "quasi-identifier": ("age", "town"), "confidential": ("income",)}


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    path = tmp_path / "people.csv"
    path.write_text(ROWS, encoding="utf-8")
    person = Person(window, dialogs)
    window.open_path(path)
    person.settle()
    decide_roles(person.session, ROLES)
    window.go_to("levels")
    person.settle()
    assert window.current == "levels"
    return person


@pytest.mark.thorough
def test_who_receives_the_file_is_on_two_lines_only_where_one_is_too_long(person: Person) -> None:
    theme().set_scale(2.0)
    try:
        card = TypeCard(person.session)
        card.show()
        lines = []
        for wide in (1100, 480, 1100):
            card.resize(wide, 1200)
            person.settle()
            buttons = card.findChildren(QRadioButton)
            assert all(each.width() >= each.minimumSizeHint().width() for each in buttons), "words are cut"
            lines.append([each.text().count("\n") for each in buttons])
        assert [any(each) for each in lines] == [False, True, False]
        card.deleteLater()
    finally:
        theme().set_scale(1.0)


def privacy(person: Person) -> PrivacySection:
    return person.session.decisions.recipe.privacy  # type: ignore[no-any-return]


def engine_levels(person: Person) -> dict[str, int]:
    """Count people at each level as the command line would."""
    session = person.session
    table = prepare_reading(session.decisions.path, session.reading, session.decisions.recipe).table
    return {
        level.name: int(count)
        for level, count in zip(existing(table.levels).levels, existing(table.levels).counts, strict=True)
    }


def shown_levels(person: Person) -> dict[str, str]:
    return {row[0]: row[2] for row in find(person.window, "table_levels_figures").model().rows}


def add_rule(person: Person, column: str, test: str, value: str, level: str) -> None:
    person.click("button_add_rule")
    number = max(
        int(each.objectName().rsplit("_", 1)[1])
        for each in person.window.findChildren(QWidget)
        if each.objectName().startswith("rule_column_") and each.isVisible()
    )
    person.choose(f"rule_column_{number}", column)
    person.choose(f"rule_test_{number}", test)
    if person.sees(f"rule_choice_{number}"):
        person.choose(f"rule_choice_{number}", value)
    else:
        person.type(f"rule_value_{number}", value, enter=False)
    person.choose("rule_level", level)
    person.settle()
    person.click("button_save_rule")


# --- who will get it --------------------------------------------------------------------


def test_what_recipients_sign_is_asked_with_the_type(person: Person) -> None:
    for id, kind in RELEASE_TYPES.items():
        person.click(f"type_{id}")
        assert person.sees("check_agreement") == kind.relies_on_agreement, id
    person.click("type_research")
    for signed in (True, False):
        person.tick("check_agreement", signed)
        assert person.session.decisions.recipe.release.agreement == signed


def test_the_type_comes_first_and_sets_the_limit(person: Person) -> None:
    assert not person.see("button_next").isEnabled()
    person.click("type_public")
    assert person.session.decisions.recipe.release.type == "public"
    assert "11" in person.words("label_type_source")
    assert "11" in person.words("label_level_lift")
    assert person.see("button_next").isEnabled()
    person.click("button_undo")
    assert person.session.decisions.recipe.release.type is None
    assert not find(person.window, "type_public").isChecked()


@pytest.mark.thorough
def test_see_the_risk_goes_on(person: Person) -> None:
    person.click("type_research")
    assert person.words("label_status") == "Everyone has a protection level"
    person.click("button_next")
    assert person.window.current == "risk"


# --- rules ------------------------------------------------------------------------------


@pytest.mark.thorough
def test_a_rule_finds_whom_the_engine_finds_and_can_be_undone(person: Person) -> None:
    person.click("tabs_level_source_rules")
    before = privacy(person)
    add_rule(person, "age", "at_least", "75", "extra-cautious")
    assert privacy(person).rules == (Rule(where=(Condition(column="age", at_least=75),), level="extra-cautious"),)
    rows = find(person.window, "table_rules").model().rows
    assert rows[1][:2] == ("“age” is at least 75", "2")
    assert engine_levels(person) == {"normal": 4, "extra-cautious": 2}
    assert shown_levels(person) == {"Basic": "4", "High": "2"}
    assert person.session.can_undo == "Add the rule: “age” is at least 75"
    person.click("button_undo")
    assert privacy(person) == before
    assert shown_levels(person) == {"Basic": "6"}
    person.click("button_redo")
    assert shown_levels(person) == {"Basic": "4", "High": "2"}


def test_the_level_of_a_rule_is_shown_whole(person: Person) -> None:
    person.click("tabs_level_source_rules")
    name = "Supervisory board and staff"
    section = LevelSection(group=15, intervals=80, noise=1.7, swap=0.65, selection_noise=1.0)
    rules = (Rule(where=(Condition(column="age", at_least=75),), level=name),)
    decided = privacy(person).model_copy(update={"levels": {name: section}, "rules": rules})
    person.session.decide_recipe("levels", privacy=decided)
    person.settle()
    choice, option = find(person.window, "table_rules").at(1, 2), QStyleOptionComboBox()
    choice.initStyleOption(option)
    assert choice._shortened(option) == name


@pytest.mark.thorough
def test_the_draft_says_whom_it_would_find(person: Person) -> None:
    person.click("tabs_level_source_rules")
    person.click("button_add_rule")
    person.choose("rule_column_1", "age")
    assert person.words("label_rule_finds") == "Type a value."
    assert not person.see("button_save_rule").isEnabled()
    person.type("rule_value_1", "abc", enter=False)
    assert "not a number" in person.words("label_rule_finds")
    person.type("rule_value_1", "44", enter=False)
    assert person.words("label_rule_finds") == "Finds 4 of 6 people."
    person.type("rule_value_1", "200", enter=False)
    assert person.words("label_rule_finds") == "Finds nobody among 6 people."
    person.click("button_cancel_rule")
    assert privacy(person).rules == ()


@pytest.mark.thorough
def test_conditions_of_every_kind(person: Person) -> None:
    person.click("tabs_level_source_rules")
    add_rule(person, "town", "equals", "Oslo", "cautious")
    person.click("button_add_rule")
    person.choose("rule_column_2", "town")
    person.choose("rule_test_2", "in")
    ticks = person.see("rule_values_2")
    ticks.setFocus()
    QTest.keyClick(ticks, Qt.Key.Key_Home)
    QTest.keyClick(ticks, Qt.Key.Key_Space)
    person.settle()
    assert person.words("label_rule_finds") == "Finds 3 of 6 people."
    person.click("button_add_condition")
    person.choose("rule_column_3", "age")
    person.choose("rule_test_3", "between")
    person.type("rule_value_3", "50", enter=False)
    person.type("rule_high_3", "40", enter=False)
    assert "lowest value first" in person.words("label_rule_finds")
    person.type("rule_high_3", "90", enter=False)
    assert person.words("label_rule_finds") == "Finds 1 of 6 people."
    person.choose("rule_level", "paranoid")
    person.click("button_save_rule")
    rows = find(person.window, "table_rules").model().rows
    assert [row[0] for row in rows[1:]] == [
        "“town” is “Oslo”",
        "“town” is “Bergen” and “age” is between 50 and 90",
    ]
    assert engine_levels(person) == {"normal": 2, "cautious": 3, "paranoid": 1}


@pytest.mark.thorough
def test_a_rule_on_how_identifiable_people_are(person: Person) -> None:
    person.click("tabs_level_source_rules")
    person.click("button_add_rule")
    box = person.see("rule_column_1")
    box.setFocus()
    QTest.keyClick(box, Qt.Key.Key_End)
    person.settle()
    person.click("button_save_rule")
    assert privacy(person).rules[0].where == (Condition(status="unique"),)
    # Two of the same town and age share their income, two do not: 79 and 80 are alone.
    assert find(person.window, "table_rules").model().rows[1][1] == "2"


@pytest.mark.thorough
def test_finds_nobody_is_amber_and_whom_a_rule_finds_is_listed(person: Person) -> None:
    person.click("tabs_level_source_rules")
    add_rule(person, "age", "at_least", "200", "cautious")
    add_rule(person, "town", "equals", "Bergen", "paranoid")
    model = find(person.window, "table_rules").model()
    assert model.rows[1][1] == "Finds nobody"
    assert model.data(model.index(1, 1), Qt.ItemDataRole.ForegroundRole) is not None
    person.click_row("table_rules", 1)
    assert not person.sees("table_rule_people")
    person.click_row("table_rules", 2)
    people = person.see("table_rule_people").model()
    assert [people.headerData(row, Qt.Orientation.Vertical) for row in range(people.rowCount())] == ["4", "6", "7"]
    assert [people.index(row, 0).data() for row in range(3)] == ["Bergen"] * 3
    assert people.index(0, 1).data() == "Very high"


@pytest.mark.thorough
def test_change_level_and_remove_a_rule(person: Person) -> None:
    person.click("tabs_level_source_rules")
    add_rule(person, "town", "equals", "Bergen", "cautious")
    person.choose("rule_level_1", "paranoid")
    assert privacy(person).rules[0].level == "paranoid"
    person.choose("rule_level_0", "cautious")
    assert privacy(person).default == "cautious"
    person.click_row("table_rules", 1)
    person.click("button_change_rule")
    number = 2
    assert person.see(f"rule_choice_{number}").currentText() == "Bergen"
    person.choose(f"rule_choice_{number}", "Oslo")
    person.click("button_save_rule")
    assert privacy(person).rules == (Rule(where=(Condition(column="town", equals="Oslo"),), level="paranoid"),)
    person.click("button_remove_rule_1")
    assert privacy(person).rules == ()
    assert person.session.can_undo == "Remove the rule: “town” is “Oslo”"


@pytest.mark.thorough
def test_rules_are_put_in_the_order_they_are_read_in(person: Person) -> None:
    person.click("tabs_level_source_rules")
    add_rule(person, "town", "equals", "Bergen", "cautious")
    add_rule(person, "age", "at_least", "75", "paranoid")
    before = engine_levels(person)
    person.click_row("table_rules", 0)
    assert not person.see("button_rule_up").isEnabled()
    assert not person.see("button_rule_down").isEnabled()
    person.click_row("table_rules", 2)
    person.click("button_rule_up")
    table = find(person.window, "table_rules")
    assert [row[0] for row in table.model().rows[1:]] == ["“age” is at least 75", "“town” is “Bergen”"]
    assert [rule.level for rule in privacy(person).rules] == ["paranoid", "cautious"]
    assert table.current_row() == 1
    assert not person.see("button_rule_up").isEnabled()
    assert engine_levels(person) == before
    person.click("button_rule_down")
    assert [rule.level for rule in privacy(person).rules] == ["cautious", "paranoid"]
    assert table.current_row() == 2
    person.click("button_undo")
    assert [rule.level for rule in privacy(person).rules] == ["paranoid", "cautious"]


@pytest.mark.thorough
def test_one_level_for_all_drops_the_rest_when_asked(person: Person) -> None:
    person.click("tabs_level_source_rules")
    add_rule(person, "town", "equals", "Bergen", "cautious")
    person.click("tabs_level_source_all")
    person.choose("combo_default_level", "extra-cautious")
    person.click("button_one_level")
    assert (privacy(person).default, privacy(person).rules) == ("extra-cautious", ())
    assert engine_levels(person) == {"extra-cautious": 6}


# --- a column ---------------------------------------------------------------------------


def say_all(person: Person, **meant: str) -> None:
    """Say what each word of the level column means; ``empty`` is the empty cell."""
    rows = [row[0] for row in find(person.window, "table_level_texts").model().rows]
    for word, level in meant.items():
        person.choose(f"level_text_{rows.index('Empty' if word == 'empty' else word)}", level)


def test_a_column_with_unknown_words_is_explained_and_mapped(person: Person) -> None:
    person.click("type_research")
    person.click("tabs_level_source_column")
    person.choose("combo_level_column", "wish")
    assert privacy(person).column is None
    person.click("button_use_level_column")
    assert person.session.decisions.recipe.columns["wish"].role == "privacy-level"
    # "hoch" is the file's own word, so that none of the others means a level because it is called like one.
    assert "4 words have no meaning yet (5 rows)" in find(person.window, "strip_unknown_levels").text.text()
    rows = find(person.window, "table_level_texts").model().rows
    assert [row[:2] for row in rows] == [("hoch", "2"), ("cautious", "1"), ("normal", "1"), ("9", "1"), ("Empty", "1")]
    assert not person.see("button_next").isEnabled()
    assert not person.sees("strip_levels")
    person.click("tabs_level_source_rules")
    told = find(person.window, "strip_levels").text.text()
    assert "“hoch” is not a protection level" in told
    assert "2 people" in told
    person.click("tabs_level_source_column")
    say_all(person, hoch="paranoid", normal="normal", cautious="cautious")
    assert not person.see("button_next").isEnabled()
    say_all(person, empty="normal")
    assert not person.sees("strip_levels")
    assert person.see("button_next").isEnabled()
    # The weakest demand of the type lifts the group of nine; the number keeps its own level.
    assert engine_levels(person) == {"normal": 2, "group 9": 1, "cautious": 1, "paranoid": 2}
    assert person.session.can_undo == "An empty cell means Basic"
    while "hoch" in privacy(person).words:
        person.click("button_undo")
    assert not person.see("button_next").isEnabled()


@pytest.mark.thorough
def test_a_word_follows_the_level_it_means(person: Person) -> None:
    person.click("tabs_level_source_column")
    person.choose("combo_level_column", "wish")
    assert privacy(person).column is None
    person.click("button_use_level_column")
    say_all(person, hoch="cautious", normal="normal", cautious="cautious", empty="normal")
    person.type("level_cautious_group", "15")
    assert set(privacy(person).levels) == {"cautious"}
    assert privacy(person).words["hoch"] == "cautious"
    session = person.session
    levels = prepare_reading(session.decisions.path, session.reading, session.decisions.recipe).table.levels
    groups = [existing(levels).levels[code].demand.group for code in existing(levels).codes]
    assert groups == [5, 15, 15, 15, 5, 9]


@pytest.mark.thorough
def test_no_column_leaves_the_column_out(person: Person) -> None:
    person.click("tabs_level_source_column")
    person.choose("combo_level_column", "wish")
    assert privacy(person).column is None
    person.click("button_use_level_column")
    person.choose("combo_level_column", "")
    person.click("button_use_level_column")
    assert privacy(person).column is None
    assert person.session.decisions.recipe.columns["wish"].role == "left-out"


# --- picked rows ------------------------------------------------------------------------


def test_rows_are_picked_for_this_file_only(person: Person) -> None:
    person.click("tabs_level_source_rows")
    assert not person.see("button_give_level").isEnabled()
    person.click_row("table_pick_rows", 1)
    person.click_row("table_pick_rows", 3, modifier=Qt.KeyboardModifier.ShiftModifier)
    person.click_row("table_pick_rows", 5, modifier=Qt.KeyboardModifier.ControlModifier)
    person.choose("combo_pick_level", "paranoid")
    person.click("button_give_level")
    assert privacy(person).rows == (RowsRule(rows=("3-5", 7), level="paranoid"),)
    assert person.session.decisions.recipe.input.sha256 == person.session.reading.account.sha256
    assert find(person.window, "table_picked_rows").model().rows[0][:2] == ("rows 3–5 and 7", "4")
    assert engine_levels(person) == {"normal": 2, "paranoid": 4}
    person.click("button_remove_picked_0")
    assert privacy(person).rows == ()


def test_find_narrows_the_rows(person: Person) -> None:
    person.click("tabs_level_source_rows")
    person.type("edit_find_rows", "berg", enter=False)
    table = person.see("table_pick_rows")
    assert table.model().rowCount() == 3
    table.setFocus()
    table.selectAll()
    person.settle()
    person.click("button_give_level")
    assert privacy(person).rows[0].rows == (4, "6-7")


def test_picked_rows_without_their_file_are_asked_about(person: Person) -> None:
    picked = PrivacySection(rows=(RowsRule(rows=(1,), level="cautious"),))
    given = person.session.decisions.recipe.input.model_copy(update={"sha256": None})
    person.session.decide_recipe("as after reading anew", privacy=picked, input=given)
    person.settle()
    person.click("button_keep_rows")
    assert person.session.decisions.recipe.input.sha256 == person.session.reading.account.sha256
    assert not person.sees("strip_levels")


# --- the map ----------------------------------------------------------------------------


def test_a_map_that_does_not_rise_is_explained_and_not_taken(person: Person) -> None:
    before = person.session.decisions
    person.type("level_cautious_group", "30")
    assert person.session.decisions is before
    words = find(person.window, "strip_level_map").text.text()
    assert "High would protect less than Raised" in words
    assert "20 instead of 30" in words
    person.click("button_map_back")
    assert person.see("level_cautious_group").value() == 10
    assert not person.sees("strip_level_map")
    person.type("level_cautious_group", "30")
    person.click("button_move_levels")
    levels = privacy(person).levels
    assert (levels["cautious"].group, levels["extra-cautious"].group) == (30, 30)
    person.click("button_undo")
    assert privacy(person).levels == {}
    assert person.see("level_cautious_group").value() == 10


@pytest.mark.thorough
def test_every_demand_can_be_changed_and_put_back(person: Person) -> None:
    person.click("button_advanced_levels")
    person.type("level_paranoid_noise", "4.5")
    person.type("level_cautious_swap", "65")
    person.type("level_paranoid_intervals", "20")
    person.choose("level_extra-cautious_selection_noise", "4.0")
    levels = privacy(person).levels
    assert levels["paranoid"].noise == 4.5
    assert levels["cautious"].swap == 0.65
    assert levels["paranoid"].intervals == 20
    assert levels["extra-cautious"].selection_noise == 4.0
    person.click("button_reset_levels")
    assert privacy(person).levels == {}


def test_a_level_is_cut_with_an_ellipsis_where_its_bars_leave_no_room(qtbot: Any, monkeypatch: Any) -> None:
    told: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda *given: told.append(given[1]))
    choice = LevelChoice(name="combo", words="Level")
    qtbot.addWidget(choice)
    choice.set_levels([("extra-cautious", "High", 3)], "extra-cautious")
    needed = choice.fontMetrics().horizontalAdvance("High")
    beside = choice.iconSize().width() + theme().px(8 + 26 + 4)
    for width, cut in ((needed + beside - 4, True), (needed + beside + 40, False)):
        choice.resize(width, choice.sizeHint().height())
        told.clear()
        choice.event(QHelpEvent(QEvent.Type.ToolTip, QPoint(3, 3), QPoint(3, 3)))
        assert told == (["High"] if cut else [])


@pytest.mark.thorough
def test_a_level_of_ones_own_is_added_used_and_removed(person: Person) -> None:
    person.click("button_add_level")
    assert not person.see("button_save_level").isEnabled()
    person.type("edit_level_name", "high", enter=False)
    assert "already a level with this name" in person.words("label_level_name")
    person.type("edit_level_name", "12", enter=False)
    assert "A number alone" in person.words("label_level_name")
    person.type("edit_level_name", "Staff", enter=False)
    person.choose("combo_level_like", "cautious")
    person.click("button_save_level")
    assert [row[0] for row in find(person.window, "table_level_map").model().rows] == [
        "Basic",
        "Raised",
        "Staff",
        "High",
        "Very high",
    ]
    # The way to remove it is in sight.
    assert find(person.window, "table_level_map").horizontalScrollBar().maximum() == 0
    person.type("level_Staff_group", "15")
    assert (privacy(person).levels["Staff"].group, privacy(person).levels["Staff"].swap) == (15, 0.6)
    person.click("tabs_level_source_rules")
    add_rule(person, "town", "equals", "Bergen", "Staff")
    assert engine_levels(person) == {"normal": 3, "Staff": 3}
    person.click("button_remove_level_Staff")
    assert "“Staff” is still used by 1 rule." in find(person.window, "strip_level_map").text.text()
    assert "Staff" in privacy(person).levels
    person.choose("rule_level_1", "cautious")
    person.click("button_remove_level_Staff")
    assert privacy(person).levels == {}
    assert not person.sees("strip_level_map")
    person.click("button_undo")
    assert privacy(person).levels["Staff"].group == 15


@pytest.mark.thorough
def test_the_defaults_come_back_and_a_level_of_ones_own_stays(person: Person) -> None:
    person.click("button_add_level")
    person.type("edit_level_name", "Staff", enter=False)
    person.click("button_save_level")
    person.type("level_Staff_group", "25")
    person.type("level_paranoid_group", "60")
    person.click("button_reset_levels")
    assert set(privacy(person).levels) == {"Staff"}
    assert person.see("level_paranoid_group").value() == 50
    assert person.see("level_Staff_group").value() == 25


# --- who gets what ----------------------------------------------------------------------


def listed(person: Person) -> list[tuple[str, ...]]:
    """Return the people listed: row number, then the first three columns."""
    model = person.see("table_rule_people").model()
    return [
        (str(model.headerData(row, Qt.Orientation.Vertical)), *(str(model.index(row, n).data()) for n in range(3)))
        for row in range(model.rowCount())
    ]


def click_bar(person: Person, place: int) -> None:
    chart = person.see("chart_levels")
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.row_rect(place).center().toPoint())
    person.settle()


@pytest.mark.thorough
def test_a_bar_shows_who_has_the_level_and_why(person: Person) -> None:
    person.click("tabs_level_source_column")
    person.choose("combo_level_column", "wish")
    person.click("button_use_level_column")
    say_all(person, hoch="paranoid", normal="normal", cautious="cautious", empty="normal")
    person.click("tabs_level_source_rules")
    add_rule(person, "age", "at_least", "75", "cautious")
    add_rule(person, "town", "equals", "Bergen", "cautious")
    person.click("tabs_level_source_rows")
    person.click_row("table_pick_rows", 0)
    person.choose("combo_pick_level", "extra-cautious")
    person.click("button_give_level")
    bars = list(find(person.window, "chart_levels").scene.y.names)
    click_bar(person, bars.index("Raised (cautious)"))
    assert listed(person) == [
        ("4", "Raised (cautious)", "“wish” is “cautious”", "44"),
        ("6", "Raised (cautious)", "“age” is at least 75", "80"),
        ("7", "Raised (cautious)", "“town” is “Bergen”", "44"),
    ]
    assert find(person.window, "card_level_people").title.text() == "Who has the level Raised (cautious), and why"
    click_bar(person, bars.index("High"))
    assert listed(person) == [("2", "High", "row 2", "31")]
    # The list follows the decisions: nobody has the level any more once the pick is undone.
    person.click("button_undo")
    assert not person.sees("card_level_people")
    click_bar(person, 0)
    person.click("button_close_level_people")
    assert not person.sees("card_level_people")


# --- what it looks like -----------------------------------------------------------------


def test_the_chart_can_be_read_as_a_table(person: Person) -> None:
    chart = find(person.window, "chart_levels")
    assert "6" in chart.accessibleDescription()
    person.click("button_as_table_levels")
    assert person.see("table_levels_figures").model().rows == [("Basic", "2", "6")]
    assert not person.sees("chart_levels")


@pytest.mark.thorough
@pytest.mark.parametrize("tab", ["all", "column", "rules", "rows"])
def test_everything_that_takes_the_focus_has_a_name(person: Person, tab: str) -> None:
    person.click(f"tabs_level_source_{tab}")
    if tab == "rules":
        person.click("button_add_rule")
    page = find(person.window, "page_levels")
    nameless = [
        each.objectName() or type(each).__name__
        for each in page.findChildren(QWidget)
        if each.isVisible()
        and each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not QAccessible.queryAccessibleInterface(each).text(QAccessible.Text.Name)
    ]
    assert nameless == []


def test_fits_the_smallest_window(make_window: Callable[..., Any], dialogs: Any, tmp_path: Path) -> None:
    path = tmp_path / "people.csv"
    path.write_text(ROWS, encoding="utf-8")
    window = make_window(1280, 720, scale=1.5)
    person = Person(window, dialogs)
    window.open_path(path)
    person.settle()
    decide_roles(person.session, ROLES)
    window.go_to("levels")
    for tab in ("all", "column", "rules", "rows"):
        person.click(f"tabs_level_source_{tab}")
        QApplication.processEvents()
        area = find(window, "area_levels")
        assert area.horizontalScrollBar().maximum() == 0, tab


@pytest.mark.thorough
def test_counts_of_a_rule_are_the_engines_on_the_census(window: Any, dialogs: Any, data_folder: Path) -> None:
    from ui_support import ADULT_ROLES, go_through

    person = Person(window, dialogs)
    go_through(person, data_folder / "adult_train.csv", ADULT_ROLES, until="levels", kind="research")
    person.click("tabs_level_source_rules")
    add_rule(person, "capital-gain", "at_least", "99999", "paranoid")
    assert find(person.window, "table_rules").model().rows[1][1] == "159"
    column = person.session.reading.table.column("capital-gain")
    assert int(np.sum(column.numbers >= 99999)) == 159
    assert engine_levels(person)["paranoid"] == 159
