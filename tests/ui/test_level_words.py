"""The words of a level column in the window: each is asked, none is silently basic, no level is called by its id."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from ui_support import Person, decide_roles, find

from ppdm_desktop.ui.state.session import State
from tests.golden.people import employee

ROLES = {"quasi-identifier": ("Ort", "Abteilung"), "confidential": ("Krankheitstage",), "left-out": ("Pers.-Nr.",)}
KEPT = (0, 5, 6, 9, 11)
HEAD = ("Pers.-Nr.", "Ort", "Abteilung", "Krankheitstage", "Schutzwunsch")
MEANT = {"low": "normal", "": "normal", "normal": "cautious", "Normal": "cautious", "high": "extra-cautious",
         "hoch": "extra-cautious"}  # fmt: skip
COUNTS = "Basic 204 · Raised 435 · High 161\n596 of 800 people have more than the level Basic."


# How a level is called by its id. "normal" alone is a word like others, and so is looked for where levels stand.
def write_payroll(folder: Path, words: Callable[[int], str | None], rows: int = 800) -> Path:
    """Write columns of the payroll, with the wished levels in words of one's own."""
    lines = [";".join(HEAD)]
    for i in range(rows):
        cells = [employee(i)[place] for place in KEPT]
        cells[-1] = words(i)
        lines.append(";".join("" if each is None else str(each) for each in cells))
    path = folder / "payroll.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def at_levels(window: Any, path: Path, kind: str = "internal") -> Person:
    person = Person(window, window.context.dialogs)
    window.open_path(path)
    person.settle()
    decide_roles(person.session, ROLES)
    release = person.session.decisions.recipe.release.model_copy(update={"type": kind})
    person.session.decide_recipe("who", release=release)
    window.go_to("levels")
    person.settle()
    person.click("tabs_level_source_column")
    person.choose("combo_level_column", "Schutzwunsch")
    person.click("button_use_level_column")
    return person


def words_shown(person: Person) -> dict[str, int]:
    """Return each word in the table with its row."""
    return {row[0]: place for place, row in enumerate(find(person.window, "table_level_texts").model().rows)}


def give(person: Person, word: str, level: str) -> None:
    person.choose(f"level_text_{words_shown(person)[word or 'Empty']}", level)


@pytest.fixture
def payroll(tmp_path: Path) -> Path:
    return write_payroll(tmp_path, lambda i: employee(i)[-1])


@pytest.mark.thorough
def test_each_word_of_the_payroll_is_asked_and_the_counts_follow(window: Any, payroll: Path) -> None:
    person = at_levels(window, payroll)
    table = find(window, "table_level_texts").model()
    assert [table.headerData(each, Qt.Orientation.Horizontal) for each in range(3)] == [
        "In the file",
        "People",
        "Means",
    ]
    assert {row[0]: row[1] for row in table.rows} == {
        "normal": "431", "low": "200", "high": "160", "Normal": "4", "Empty": "4", "hoch": "1",
    }  # fmt: skip
    for place in range(6):
        choice = person.see(f"level_text_{place}")
        assert choice.isEnabled()
        assert choice.current == ""
        assert choice.placeholderText() == "Say what it means"
    for place, (word, level) in enumerate(MEANT.items(), start=1):
        assert not person.see("button_next").isEnabled()
        assert person.session.state("risk") is State.NOT_YET
        assert person.session.state("levels") is State.READY
        give(person, word, level)
        left = len(MEANT) - place
        assert person.sees("strip_unknown_levels") == bool(left)
    assert person.words("label_level_counts") == COUNTS
    assert person.session.state("levels") is State.DONE
    assert not person.sees("strip_levels_turned")
    assert person.see("button_next").isEnabled()
    bars = list(find(window, "chart_levels").scene.y.names)
    assert bars == ["Basic (low)", "Raised (normal, Normal)", "High (high, hoch)"]
    while "hoch" in str(person.session.can_undo):
        person.click("button_undo")
    assert person.see(f"level_text_{words_shown(person)['hoch']}").current == ""
    assert not person.see("button_next").isEnabled()
