"""Ordinary files from opening to a verified release, nothing edited outside, by clicks and keys alone."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from flow_support import decide, open_file, same_as_the_command_line, to_the_queue, write_release
from PySide6.QtWidgets import QLabel
from ui_support import FakeDialogs, Person

from tests.golden.people import personnel


@pytest.fixture
def person(window: Any, dialogs: FakeDialogs) -> Person:
    return Person(window, dialogs)


def verified(person: Person, source: Path, folder: Path) -> Path:
    """Write the release with its reasons, verify it, and make it again on the command line."""
    out, recipe, before = folder / "out", folder / "saved.toml", source.read_bytes()
    write_release(person, out, recipe)
    person.click("button_verify")
    assert "identical" in person.see("strip_result").text.text().lower()
    assert source.read_bytes() == before
    same_as_the_command_line(source, recipe, out, folder / "again")
    return out / "release"


def with_method(person: Person, method: str) -> None:
    """Run one method as it is offered, take its candidate, and go on to Release."""
    assert person.window.current == "protect"
    to_the_queue(person, method)
    person.click("button_next")
    person.click("button_choose_candidate")
    person.click("button_next")
    assert person.window.current == "release"


@pytest.mark.thorough
def test_a_payroll_workbook_that_is_mended_on_the_way(person: Person, tmp_path: Path) -> None:
    source = tmp_path / "payroll.xlsx"
    personnel(source)
    open_file(person, source)
    assert not person.see("button_next").isEnabled(), "a sum has to be answered"
    for name in (
        "button_apply_repair_0",  # the sum
        "button_apply_clear_repairs",
        "button_apply_repair_0",  # the note below the table
        "button_apply_repair_0_0",  # day first
        "button_apply_repair_0",  # k.A. means missing
    ):
        person.click(name)
    assert person.session.reading.table.rows == 800
    person.tick("check_one_row_per_person")
    person.click("button_next")
    decide(person, {"privacy-level": ("Schutzwunsch",)})
    person.click("button_confirm_column")
    person.click("button_next")
    person.click("type_internal")
    meant = {"low": "normal", "": "normal", "normal": "cautious", "Normal": "cautious"}
    assert not person.see("button_next").isEnabled(), "no word is silently basic"
    model = person.see("table_level_texts").model()
    for row in range(model.rowCount()):
        word = str(model.index(row, 0).data())
        person.choose(f"level_text_{row}", meant.get("" if word == "Empty" else word, "extra-cautious"))
    person.click("button_next")
    person.click("button_next")
    with_method(person, "mondrian")
    released = verified(person, source, tmp_path)
    rows = rows_of(released)
    assert len(rows) == 800
    assert not {"Pers.-Nr.", "Name", "E-Mail", "Schutzwunsch"} & set(rows[0])
    assert round(sum(float(row["Gehalt (EUR)"]) for row in rows if row["Gehalt (EUR)"] != "k.A."), 2) == 3601649.17


def rows_of(released: Path) -> list[dict[str, str]]:
    """Read the data file without the program."""
    with (released / "data.csv").open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def said(page: Any) -> list[str]:
    """Return what the visible labels of a page say."""
    return [label.text() for label in page.findChildren(QLabel) if label.isVisible()]
