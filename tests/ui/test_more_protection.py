"""More protection from the Risk page: the people shown get a level, which Privacy levels shows and undo takes back."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from optional import existing
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import Person, find, on_risk, wait_until

from ppdm_desktop.engine.recipe.models import Condition, LevelSection, PrivacySection, Recipe, RowsRule, Rule
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.ui.state.give_level import Whom, give_level, stricter_levels

# Rows 3 and 5 are alone with a value; row 6 is alone without one; 1 and 2 share theirs; 4, 7 and 8 do not.
ROWS = """age,town,income
31,Oslo,low
31,Oslo,low
31,Bergen,high
44,Bergen,high
60,Bergen,low
79,Oslo,
44,Bergen,low
44,Bergen,low
"""
ROLES = {"quasi-identifier": ("age", "town"), "confidential": ("income",)}


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    return on_risk(window, dialogs, tmp_path, ROWS, ROLES)


def privacy(person: Person) -> PrivacySection:
    return person.session.decisions.recipe.privacy  # type: ignore[no-any-return]


def engine_levels(person: Person) -> list[str]:
    """Return each row's level as the command line would give it."""
    session = person.session
    levels = prepare_reading(session.decisions.path, session.reading, session.decisions.recipe).table.levels
    return [existing(levels).levels[code].name for code in existing(levels).codes]


def give(person: Person, button: str, level: str) -> None:
    """Click the button, and the level in the menu that opens."""
    person.click(button, settle=False)
    menu = find(person.see(button), "menu_levels")
    wait_until(menu.isVisible)
    action = next(each for each in menu.actions() if each.data() == level)
    QTest.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())
    person.settle()


def test_everybody_who_is_alone_gets_a_level_in_one_action(person: Person) -> None:
    give(person, "button_more_headline", "cautious")
    assert privacy(person).rules == (Rule(where=(Condition(status="unique"),), level="cautious"),)
    assert engine_levels(person) == ["normal", "normal", "cautious", "normal", "cautious", *["normal"] * 3]
    # The map is measured again, so that it shows the new levels and nothing is out of date.
    assert not person.sees("strip_stale")
    person.choose("filter_heat_records", "all")
    view = person.see("heat_records").model()
    marks = {
        str(view.headerData(row, Qt.Orientation.Vertical)): str(view.index(row, 0).data(Qt.ItemDataRole.ToolTipRole))
        for row in range(view.rowCount())
    }
    assert marks["4"] == marks["6"] == "Raised"
    assert marks["2"] == "Basic"
    person.click("button_undo")
    assert privacy(person).rules == ()
    assert not person.sees("strip_given")


def test_nothing_is_lowered_and_a_rule_is_not_doubled(person: Person) -> None:
    give(person, "button_more_headline", "paranoid")
    give(person, "button_more_headline", "cautious")
    assert [rule.level for rule in privacy(person).rules] == ["paranoid"]
    give(person, "button_more_headline", "paranoid")
    assert len(privacy(person).rules) == 1


def test_everybody_is_the_level_for_all(person: Person) -> None:
    person.choose("filter_heat_records", "all")
    give(person, "button_more_heat", "paranoid")
    assert (privacy(person).default, privacy(person).rules, privacy(person).rows) == ("paranoid", (), ())
    assert not person.see("button_more_heat").isEnabled()
    person.session.decide_recipe(privacy=PrivacySection(levels={"paranoid": LevelSection(group=2)}))
    assert not person.sees("button_more_heat"), "levels that contradict each other cannot be given"


# --- without a window -------------------------------------------------------------------


def test_only_stricter_levels_are_offered() -> None:
    levels = LevelMap()
    assert stricter_levels(PrivacySection(), levels) == ["cautious", "extra-cautious", "paranoid"]
    assert stricter_levels(PrivacySection(default="extra-cautious"), levels) == ["paranoid"]
    assert stricter_levels(PrivacySection(default=15), levels) == ["extra-cautious", "paranoid"]


def test_rows_given_twice_keep_the_stricter_level() -> None:
    whom = Whom.picked(np.array([4, 2, 3], dtype=np.int64))
    once = give_level(Recipe(recipe=1), "0" * 64, whom, "paranoid")
    twice = give_level(once, "0" * 64, whom, "cautious")
    assert twice.privacy.rows == (RowsRule(rows=("2-4",), level="paranoid"),)
    assert twice == once
