"""The words of a level column in the window: each is asked, none is silently basic, no level is called by its id."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from report_cases import pages_of
from seen import look_round
from support import reason_for
from ui_support import FakeDialogs, Person, decide_roles, find, wait_until

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.ui.state.session import State
from tests.golden.people import employee

ROLES = {"quasi-identifier": ("Ort", "Abteilung"), "confidential": ("Krankheitstage",), "left-out": ("Pers.-Nr.",)}
KEPT = (0, 5, 6, 9, 11)
HEAD = ("Pers.-Nr.", "Ort", "Abteilung", "Krankheitstage", "Schutzwunsch")
MEANT = {"low": "normal", "": "normal", "normal": "cautious", "Normal": "cautious", "high": "extra-cautious",
         "hoch": "extra-cautious"}  # fmt: skip
COUNTS = "Basic 204 · Raised 435 · High 161\n596 of 800 people have more than the level Basic."
# How a level is called by its id. "normal" alone is a word like others, and so is looked for where levels stand.
IDS = re.compile(r"extra-cautious|\bcautious\b|\bparanoid\b|(?<!smallest )\bgroup \d+\b|Paranoid|Cautious")
NORMAL = re.compile(r"\bnormal\b")


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


def own_words(i: int) -> str:
    return ("wenig", "mittel", "stark", "12")[i % 4]


@pytest.mark.thorough
def test_no_page_and_no_document_calls_a_level_by_its_id(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> None:
    """The file's words are no ids, and one is a number: whatever looks like an id is one."""
    person = at_levels(window, write_payroll(tmp_path, own_words, rows=240))
    for word, level in {"wenig": "normal", "mittel": "extra-cautious", "stark": "paranoid"}.items():
        give(person, word, level)
    for step in ("risk", "protect"):
        window.go_to(step)
        person.settle()
    for method in ("bayes-swap", "microaggregation"):
        columns = ("Krankheitstage",) if method == "microaggregation" else None
        person.session.decide_recipe("step", steps=(StepSection(method=method, columns=columns),))
        person.click("button_add_to_queue")
    window.go_to("compare")
    person.settle()
    person.click("button_choose_candidate")
    seen = look_round(person)
    wrong = [f"{page}: {line}" for page, lines in seen.items() for line in lines if is_id(line)]
    assert not wrong, "\n".join(wrong[:30])
    everything = "\n".join(line for lines in seen.values() for line in lines)
    for title in ("Basic (wenig)", "High (mittel)", "Very high (stark)", "groups of 12"):
        assert title in everything, title
    window.go_to("release")
    person.settle()
    person.type("edit_folder", str(tmp_path / "out"))
    for field in find(window, "list_gate").findChildren(object):
        name = field.objectName()
        if name.startswith("reason_") and "problem" not in name and field.isVisible():
            person.type(name, reason_for(name.removeprefix("reason_")))
    if not person.see("button_write_release").isEnabled():
        pytest.fail(person.words("label_status"))
    person.click("button_write_release")
    wait_until(lambda: person.sees("panel_done"), what="the release")
    inside = tmp_path / "out" / "internal"
    for name in ("certificate.pdf", "report.pdf"):
        text = " ".join("".join(pages_of((inside / name).read_bytes())).split())
        found = IDS.search(text)
        assert found is None, text[max(found.start() - 80, 0) : found.end() + 80]
        assert "stark" in text


def is_id(line: str) -> bool:
    """Say whether something that is said holds a level's id; the name of the widget that says it does not count."""
    words = line.partition(": ")[2]
    return IDS.search(words) is not None or NORMAL.fullmatch(words.rpartition(": ")[2].strip()) is not None
