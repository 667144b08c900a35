"""Codes in place of identifiers, from page Protect to a verified release, by clicks and keys alone."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from flow_support import decide, open_file, same_as_the_command_line, write_release
from PySide6.QtWidgets import QLabel
from ui_support import FakeDialogs, Person

from tests.golden.people import visits, visits_csv


@pytest.fixture
def person(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> Person:
    """At Protect with stays of patients who keep all their rows."""
    person = Person(window, dialogs)
    source = tmp_path / "stays.csv"
    source.write_text(visits_csv(people=300), "utf-8")
    open_file(person, source)
    person.click("answer_person_1")
    person.click("button_next")
    roles = {
        "identifier": ("person_nbr",),
        "quasi-identifier": ("region", "sex"),
        "confidential": ("outcome",),
        "left-out": ("visit_id", "unit", "age", "days"),
    }
    decide(person, roles)
    person.click("button_next")
    person.click("type_internal")
    person.click("button_next")
    person.click("button_next")
    assert window.current == "protect"
    return person


def to_release(person: Person) -> None:
    person.click("button_add_to_queue")
    person.click("button_next")
    person.click("button_choose_candidate")
    person.click("button_next")
    assert person.window.current == "release"


def rows_of(out: Path) -> list[dict[str, str]]:
    with (out / "release/data.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.thorough
def test_codes_of_one_release(person: Person, tmp_path: Path) -> None:
    person.click("button_build_own")
    person.click("method_pseudonymise")
    person.click("button_use_method")
    to_release(person)
    labels = person.see("gate_identifiers-gone").findChildren(QLabel)
    assert any("still personal data" in label.text() for label in labels)
    out, recipe = tmp_path / "out", tmp_path / "saved.toml"
    write_release(person, out, recipe)
    person.click("button_verify")
    assert "identical" in person.see("strip_result").text.text().lower()
    codes = {row["person_nbr"] for row in rows_of(out)}
    assert len(codes) == 300
    assert not codes & {str(row[1]) for row in visits(people=300)}
    same_as_the_command_line(tmp_path / "stays.csv", recipe, out, tmp_path / "again")
