"""Privacy levels as a person uses them: who gets it, rules, a column, picked rows, the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from optional import existing
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from ui_support import Person, decide_roles, find

from ppdm_desktop.engine.recipe.models import PrivacySection, RowsRule
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading

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
    person.open(path)
    decide_roles(person.session, ROLES)
    window.go_to("levels")
    person.settle()
    assert window.current == "levels"
    return person


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
    rows = find(person.window, "table_level_texts").model().rows
    assert [row[:2] for row in rows] == [("hoch", "2"), ("cautious", "1"), ("normal", "1"), ("9", "1"), ("Empty", "1")]
    assert not person.see("button_next").isEnabled()
    assert not person.sees("strip_levels")
    person.click("tabs_level_source_rules")
    told = find(person.window, "strip_levels").text.text()
    assert "2 people" in told
    person.click("tabs_level_source_column")
    say_all(person, hoch="paranoid", normal="normal", cautious="cautious")
    assert not person.see("button_next").isEnabled()
    say_all(person, empty="normal")
    assert not person.sees("strip_levels")
    assert person.see("button_next").isEnabled()
    # The weakest demand of the type lifts the group of nine; the number keeps its own level.
    assert engine_levels(person) == {"normal": 2, "group 9": 1, "cautious": 1, "paranoid": 2}
    while "hoch" in privacy(person).words:
        person.click("button_undo")
    assert not person.see("button_next").isEnabled()


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


def test_picked_rows_without_their_file_are_asked_about(person: Person) -> None:
    picked = PrivacySection(rows=(RowsRule(rows=(1,), level="cautious"),))
    given = person.session.decisions.recipe.input.model_copy(update={"sha256": None})
    person.session.decide_recipe(privacy=picked, input=given)
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
def test_a_level_of_ones_own_is_added_used_and_removed(person: Person) -> None:
    person.click("button_add_level")
    assert not person.see("button_save_level").isEnabled()
    for taken in ("high", "12"):
        person.type("edit_level_name", taken, enter=False)
        assert not person.see("button_save_level").isEnabled()
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
    assert "Staff" in privacy(person).levels
    person.choose("rule_level_1", "cautious")
    person.click("button_remove_level_Staff")
    assert privacy(person).levels == {}
    assert not person.sees("strip_level_map")
    person.click("button_undo")
    assert privacy(person).levels["Staff"].group == 15
