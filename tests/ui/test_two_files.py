"""A second file finds a clean desk: nothing of the first is on any page, however the second is opened."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from protect_support import ROLES, small_csv
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QLineEdit
from seen import look_round, seen_in
from ui_support import FakeDialogs, Person, find, go_through, let_work

from ppdm_desktop.engine.release.writing.export import Evaluation, evaluate
from ppdm_desktop.ui.pages.registry import page_modules
from ppdm_desktop.ui.pages.release import page as release_page
from ppdm_desktop.ui.state.session import STEPS

CONTROL = Qt.KeyboardModifier.ControlModifier
A_CITIES, A_ILLS = ("Alphaville", "Almere", "Arvika"), ("anthrax", "asthma")
B_CITIES, B_ILLS = ("Betlehem", "Bonn", "Breda"), ("bruise", "burn")
A_ROWS, B_ROWS = 137, 90
MARKERS = re.compile(rf"alpha|almere|arvika|anthrax|asthma|\b{A_ROWS}\b", re.IGNORECASE)


@pytest.fixture
def first(tmp_path: Path) -> Path:
    return small_csv(tmp_path, A_ROWS, "alpha.csv", A_CITIES, A_ILLS)


@pytest.fixture
def second(tmp_path: Path) -> Path:
    return small_csv(tmp_path, B_ROWS, "beta.csv", B_CITIES, B_ILLS, 40)


def of_the_first(seen: dict[str, list[str]]) -> list[str]:
    return [f"{page}: {line}" for page, lines in seen.items() for line in lines if MARKERS.search(line)]


def new_in(seen: dict[str, list[str]], fresh: dict[str, list[str]]) -> list[str]:
    """Return where a desk differs from the one in a window that had no file before."""
    return [
        f"{page}: {sign} {line}"
        for page in fresh
        for sign, one, other in (("+", seen[page], fresh[page]), ("-", fresh[page], seen[page]))
        for line in one
        if line not in other
    ]


# --- the first file, to its end ---------------------------------------------------------


def fields(person: Person) -> list[str]:
    names = [each.objectName() for each in find(person.window, "list_gate").findChildren(QLineEdit) if each.isVisible()]
    return [name for name in names if name.startswith("reason_")]


def to_protect(person: Person, path: Path) -> None:
    """Take the first file to Protect, and leave something behind on every page on the way."""
    window = person.window
    go_through(person, path, ROLES, until="columns")
    person.click_row("table_columns", 1, 1)
    window._pages["columns"]._on_kind_picked("numeric")
    person.settle()
    assert person.sees("strip_failure")
    for row in range(3):
        person.click_row("table_columns", row, 0)
    person.type("edit_filter_columns", "i", enter=False)
    window.go_to("levels")
    person.settle()
    person.click("button_advanced_levels")
    window.go_to("risk")
    person.settle()
    person.click("button_as_table_heat")
    person.click("button_limit_source")
    window.go_to("protect")
    person.settle()
    person.click("button_build_own")
    person.click("method_bayes-swap")
    person.click("button_use_method")
    person.type("edit_find_method", "swap", enter=False)


def to_release(person: Person, path: Path, *, tabs: Sequence[str] | None = None) -> None:
    """Take the first file to Release with two runs, the first of them chosen.

    Parameters
    ----------
    tabs
        Which tabs of Compare are looked at on the way, all without it; analyses are tried out where theirs is.
    """
    to_protect(person, path)
    window = person.window
    person.click("button_add_to_queue")
    person.click("button_add_to_queue")
    window.go_to("compare")
    person.settle()
    person.click("button_rename_candidate")
    person.type("edit_title", "Alphatitle")
    person.click("button_choose_candidate")
    page = find(window, "page_compare")
    for tab in reversed(page.tab_names if tabs is None else tabs):
        page.show_tab(tab)
        person.settle()
    window.go_to("release")
    person.settle()


# --- the second --------------------------------------------------------------------------


def by_drop(person: Person, path: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    person.dialogs.will("ask", "open")
    nothing = Qt.KeyboardModifier.NoModifier
    actions, button = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    person.window.dropEvent(QDropEvent(QPointF(9, 9), actions, data, button, nothing))
    person.settle()


def in_a_fresh_window(window: Any, path: Path) -> Person:
    """Open the second file where nothing was open before."""
    person = Person(window, window.context.dialogs)
    person.open(path)
    return person


def states(person: Person) -> dict[str, str]:
    return {step: person.session.state(step).value for step in STEPS}


def test_nothing_of_the_first_file_is_left(
    make_window: Callable[..., Any], dialogs: FakeDialogs, first: Path, second: Path
) -> None:
    fresh = in_a_fresh_window(make_window(), second)
    wanted, as_new = states(fresh), look_round(fresh)
    person = Person(make_window(), dialogs)
    to_protect(person, first)
    assert of_the_first(look_round(person)), "the first file left no trace to look for"
    person.window.go_to("protect")
    by_drop(person, second)
    assert person.session.decisions.path == second
    assert states(person) == wanted
    seen = look_round(person)
    assert not of_the_first(seen), "\n".join(of_the_first(seen)[:20])
    assert not new_in(seen, as_new), "\n".join(new_in(seen, as_new)[:20])
    assert not person.session.can_undo


@pytest.mark.parametrize("place", ["kept.ppdm", None])
def test_the_first_can_be_saved_before_the_second_is_opened(
    make_window: Callable[..., Any], dialogs: FakeDialogs, first: Path, second: Path, place: str | None
) -> None:
    person = Person(make_window(), dialogs)
    go_through(person, first, ROLES, until="risk")
    dialogs.will("open_file", second)
    dialogs.will("ask", "save")
    dialogs.will("save_file", first.with_name(place) if place else None)
    person.press(Qt.Key.Key_O, CONTROL)
    person.settle()
    assert person.session.decisions.path == (second if place else first), "who does not say where keeps the open file"
    if place:
        person.open(first.with_name(place))
        assert person.session.decisions.path == first
        assert person.window.current == "risk", "the step that was last in front, not Welcome"


def held_back(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Let judging wait, deaf to being cancelled, until the event is set."""
    go_on = threading.Event()

    def waiting(*given: Any, **options: Any) -> Evaluation:
        go_on.wait(60)
        return evaluate(*given, **options)

    monkeypatch.setattr(release_page, "evaluate", waiting)
    return go_on


@pytest.mark.thorough
def test_a_judgement_that_comes_after_the_second_file_was_opened_is_dropped(
    make_window: Callable[..., Any],
    dialogs: FakeDialogs,
    first: Path,
    second: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fresh = in_a_fresh_window(make_window(), second)
    as_new = look_round(fresh)
    person = Person(make_window(), dialogs)
    window = person.window
    to_release(person, first, tabs=("map", "audit"))
    person.type(fields(person)[0], "Alphahalf", enter=False)
    go_on = held_back(monkeypatch)
    find(window, "page_release").where._on_wish("format", "xlsx")
    assert window.runner.running() == ["judge"]
    assert person.sees("card_being_judged")
    assert not fields(person)
    assert not person.see("button_write_release").isEnabled()
    dialogs.will("ask", "open")
    window.open_path(second)
    while person.session.decisions.path != second:
        let_work(20)
    assert not window.runner.is_running("judge"), "work of the first file counts as running"
    go_on.set()
    monkeypatch.undo()
    window.runner.stop_all()
    person.settle()
    seen = look_round(person)
    assert not of_the_first(seen), "\n".join(of_the_first(seen)[:20])
    assert not new_in(seen, as_new), "\n".join(new_in(seen, as_new)[:20])
    # The second file on its own way to Release, under the same candidate's name.
    go_through(person, second, ROLES, until="release")
    assert person.session.chosen.name == "C1"
    assert fields(person)
    assert all(not person.see(name).text() for name in fields(person))
    assert not of_the_first({"release": seen_in(window)})


def test_every_page_says_what_it_forgets() -> None:
    for page in (load() for load in page_modules()):
        assert {"file_opened", "reading_changed"} <= set(vars(page)), page.step
