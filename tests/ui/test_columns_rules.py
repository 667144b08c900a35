"""Columns: marks of detail, numbers or codes, and what always holds in the file, as a person decides them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ui_support import Person, decide_roles, find

from ppdm_desktop.ui.state.column_decisions import is_kept

ROLES = {
    "quasi-identifier": ("age", "city"),
    "confidential": ("pay", "disabled"),
    "other": ("grade", "country", "visits", "team"),
}


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    draw, rows = np.random.default_rng(5), 400
    city = draw.choice(["Delft", "Leiden", "Ghent", "Bruges"], rows)
    country = ["Netherlands" if name in ("Delft", "Leiden") else "Belgium" for name in city]
    columns: list[Any] = [draw.integers(18, 60, rows), city, country]
    columns += [draw.integers(1, 5, rows), draw.integers(0, 4, rows)]
    disabled = ["yes" if number == 0 else "no" for number in range(rows)]
    columns += [1000 * (20 + columns[0]), disabled, columns[3][::-1]]
    lines = ["age,city,country,grade,visits,pay,disabled,team"]
    lines += [",".join(map(str, row)) for row in zip(*columns, strict=True)]
    path = tmp_path / "staff.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    person = Person(window, dialogs)
    person.open(path)
    window.go_to("columns")
    decide_roles(person.session, ROLES)
    person.settle()
    return person


def test_a_mark_is_given_taken_away_and_seen_in_the_table(person: Person) -> None:
    table, columns = find(person.window, "table_columns").model(), person.session.decisions.recipe.columns
    (row,) = (row for row in range(table.rowCount()) if table.lines[row].name == "city")
    person.click_row("table_columns", row, 1)
    for box, mark, shown in (
        ("check_mark_keep", "keep", "★ city"),
        ("check_mark_may-go", "may-go", "◌ city"),
        ("check_mark_may-go", None, "city"),
    ):
        person.click(box)
        assert person.session.decisions.recipe.columns["city"].detail == mark
        assert table.index(row, 1).data() == shown
    person.click("button_undo")
    assert person.session.decisions.recipe.columns["city"].detail == "may-go"
    assert {name for name, section in columns.items() if section.detail} == set()


def test_a_value_of_nearly_everybody_can_be_called_sensitive(person: Person) -> None:
    table, box = find(person.window, "table_columns").model(), "check_common_is_secret"
    row_of = {table.lines[row].name: row for row in range(table.rowCount())}
    person.click_row("table_columns", row_of["pay"], 1)
    assert not person.sees(box), "no value is common"
    person.click_row("table_columns", row_of["disabled"], 1)
    for secret in (True, None):
        person.click(box)
        assert person.session.decisions.recipe.columns["disabled"].common_is_secret is secret
    person.click("button_undo")
    assert find(person.window, box).isChecked()


def test_few_whole_numbers_are_asked_about_one_set_of_values_after_another(person: Person) -> None:
    question = find(person.window, "question_codes")
    assert not person.see("button_next").isEnabled()
    person.click("button_codes")
    kinds = {name: section.kind for name, section in person.session.decisions.recipe.columns.items()}
    assert (kinds["grade"], kinds["team"], kinds["visits"]) == ("nominal", "nominal", "numeric")
    person.click("button_numbers")
    assert person.session.decisions.recipe.columns["visits"].kind == "numeric"
    (rule,) = (rule for rule in find(person.window, "card_rules").rules if rule.columns == ("visits",))
    assert (rule.id, is_kept(person.session.decisions.recipe, rule)) == ("list", True)
    assert not question.isVisible()
    assert person.see("button_next").isEnabled()
    for _ in range(2):
        person.click("button_undo")
    person.click("button_codes_suggested")
    kinds = {name: section.kind for name, section in person.session.decisions.recipe.columns.items()}
    assert (kinds["grade"], kinds["visits"]) == ("nominal", "numeric")
    assert not question.isVisible()
    person.click("button_undo")
    assert question.isVisible()


def test_a_rule_that_need_not_hold_is_unticked_and_kept_in_the_recipe(person: Person) -> None:
    card = find(person.window, "card_rules")
    (row,) = (row for row, rule in enumerate(card.rules) if rule.columns == ("city", "country"))
    assert card.model.rows[row][2] == "400 of 400"
    person.tick(f"check_rule_{row}", on=False)
    (section,) = person.session.decisions.recipe.rules
    assert (section.kind, section.columns, section.kept) == ("pair", ("city", "country"), False)
    person.tick(f"check_rule_{row}")
    assert [section.kept for section in person.session.decisions.recipe.rules] == [True]
    person.click("button_undo")
    person.click("button_undo")
    assert person.session.decisions.recipe.rules == ()
    assert find(person.window, f"check_rule_{row}").isChecked()
