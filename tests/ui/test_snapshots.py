"""What the window says, in scripted states that together show every page: its accessible tree as text.

The wording of the window is held here and nowhere else; ``tests/shared/snapshots.py`` tells how to write it again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from accessible_dump import dump
from flow_support import write_reasons
from protect_support import small_csv
from PySide6.QtWidgets import QAbstractButton
from snapshots import left_over, without_volatile
from ui_support import FakeDialogs, Person, decide_roles, find, let_work, wait_until

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Condition, LevelSection, RowsRule, Rule, StepSection
from ppdm_desktop.ui.shell.settings_dialog import SettingsDialog
from tests.golden.people import visits_csv

ROLES = {"quasi-identifier": ("age", "city"), "confidential": ("illness", "weight")}
STEPS = (
    StepSection(method="bayes-swap", columns=("illness",)),
    StepSection(method="two-phase-noise", columns=("weight",)),
)
VISIT_ROLES = {
    "identifier": ("person_nbr",),
    "quasi-identifier": ("region", "sex", "age"),
    "confidential": ("days", "outcome"),
    "left-out": ("visit_id", "unit"),
}
Shown = Iterator[tuple[str, Any]]
"""Heading and widget of what is dumped, each as soon as it is in sight."""


@dataclass(frozen=True)
class State:
    """A state of the window.

    Attributes
    ----------
    name
        Of its snapshot.
    bring_about
        Takes the person there from the state before, and yields what is to be dumped.
    """

    name: str
    bring_about: Callable[[Person, Path], Shown]


def page(person: Person, step: str) -> Any:
    """Return a page, which is in front."""
    person.settle()
    let_work(30)
    assert person.window.current == step
    return find(person.window, f"page_{step}")


def welcome(person: Person, folder: Path) -> Shown:
    """Nothing is open yet; the settings, then the help."""
    yield "window", person.window
    dialog = SettingsDialog(person.window, person.window.settings, lambda settings: None)
    dialog.show()
    let_work(30)
    yield "settings", dialog
    dialog.close()
    dialog.deleteLater()
    person.window.toggle_help()
    person.settle()
    yield "help", person.window.drawer
    person.window.toggle_help()


def open_file(person: Person, folder: Path) -> Shown:
    """A table of 60 people was opened."""
    person.open(small_csv(folder))
    yield "page", page(person, "open")


def columns(person: Person, folder: Path) -> Shown:
    """Roles are only suggested, then decided; a column of numbers is selected."""
    person.window.go_to("columns")
    yield "suggested", page(person, "columns")
    decide_roles(person.session, ROLES)
    person.click_row("table_columns", 3, 1)
    yield "decided", page(person, "columns")


def levels(person: Person, folder: Path) -> Shown:
    """Who gets more protection: nobody, then some by rules and by rows."""
    session = person.session
    release = session.decisions.recipe.release.model_copy(update={"type": "research"})
    session.decide_recipe(release=release)
    person.window.go_to("levels")
    yield "one level for all", page(person, "levels")
    privacy = session.decisions.recipe.privacy.model_copy(
        update={
            "rules": (
                Rule(where=(Condition(status="unique"),), level="cautious"),
                Rule(where=(Condition(column="age", at_least=40),), level="Staff"),
            ),
            "rows": (RowsRule(rows=(1, "3-5"), level="paranoid"),),
            "levels": {"Staff": LevelSection(group=15, intervals=80, noise=1.7, swap=0.65, selection_noise=1.0)},
        }
    )
    source = session.decisions.recipe.input.model_copy(update={"sha256": session.reading.account.sha256})
    session.decide_recipe(privacy=privacy, input=source)
    levels_page = page(person, "levels")
    yield "people at each level", levels_page.chart_card
    yield "table of levels", levels_page.map
    yield "what an analyst learns", levels_page.learn
    sources = find(person.window, "tabs_level_source").findChildren(QAbstractButton)
    for button, panel in zip(sources, levels_page._panels.values(), strict=True):
        button.click()
        person.settle()
        yield button.text(), panel


def risk(person: Person, folder: Path) -> Shown:
    """Counts, groups and pairs, then what leaving a column out would change."""
    person.window.go_to("risk")
    yield "as it is", page(person, "risk")
    changes = find(person.window, "page_risk").changes
    changes.rows[0].box.setChecked(True)
    person.settle()
    yield "head without the first column", find(person.window, "page_risk").head
    yield "changes", changes
    changes.untick()
    person.settle()


def protect(person: Person, folder: Path) -> Shown:
    """Two methods in the chain, one candidate done and one that failed, and suggestions."""
    person.window.go_to("protect")
    person.settle()
    yield "versions", page(person, "protect")
    for step in STEPS:
        person.session.add_step(step)
    person.click("button_add_to_queue")
    queue, recipe = find(person.window, "page_protect").queue, person.session.decisions.recipe
    queue.add(recipe.model_copy(update={"steps": (StepSection(method="bit-plus-plus", columns=("illness",)),)}))
    person.settle()
    person.click("button_compare_searches")
    wait_until(lambda: page(person, "protect").frontier_part.frontier is not None)
    yield "page", page(person, "protect")


def compare_map(person: Person, folder: Path) -> Shown:
    """The versions on a map."""
    person.window.go_to("compare")
    person.window.show_tab("map")
    yield "map", page(person, "compare")


def compare_tabs(person: Person, folder: Path) -> Shown:
    """Rows, columns, analyses, and the tab for ranges, of which none was tried."""
    compare, (version, *_) = page(person, "compare"), person.session.candidates
    for name in ("rows", "charts", "analyses", "ranges"):
        person.window.show_tab(name)
        person.settle()
        if name == "charts":
            # What is worked out in the background stands at another position when it comes late: show all at once.
            wait_until(lambda: version.curves is not None)
            compare.charts.forget()
            compare.charts.show_entry(version)
        yield name, compare.tabs.currentWidget()


def compare_audit(person: Person, folder: Path) -> Shown:
    """The attacks, with the details of each."""
    person.window.show_tab("audit")
    person.settle()
    for button in person.window.findChildren(QAbstractButton):
        if button.objectName().startswith("button_details_") and button.isVisible():
            button.click()
    yield "audit", page(person, "compare").tabs.currentWidget()
    person.click("button_attack_record")
    person.click("button_attack_row")
    dialog = find(person.window, "dialog_attack_record")
    yield "attack one record", dialog
    dialog.close()


def release(person: Person, folder: Path) -> Shown:
    """The checks, before anything is written."""
    person.window.show_tab("map")
    person.settle()
    person.click("button_choose_candidate")
    person.window.go_to("release")
    person.settle()
    person.type("edit_folder", str(folder / "out"))
    yield "page", page(person, "release")


def written(person: Person, folder: Path) -> Shown:
    """The release is written and verified: the whole window."""
    write_reasons(person)
    person.click("button_write_release")
    person.click("button_verify")
    yield "window", person.window


def several_rows(person: Person, folder: Path) -> Shown:
    """A table whose people have several rows, on the pages that tell of them."""
    path = folder / "visits.csv"
    path.write_text(visits_csv(people=40), encoding="utf-8")
    person.open(path)
    yield "open", page(person, "open")
    person.click("answer_person_1")
    decide_roles(person.session, VISIT_ROLES)
    chosen = person.session.decisions.recipe.release.model_copy(update={"type": "internal"})
    person.session.decide_recipe(release=chosen)
    for step in ("columns", "levels", "risk"):
        person.window.go_to(step)
        yield step, page(person, step)


WALKS: Mapping[str, tuple[State, ...]] = {
    "one row per person": (
        State("welcome", welcome),
        State("open", open_file),
        State("columns", columns),
        State("levels", levels),
        State("risk", risk),
        State("protect", protect),
        State("compare-map", compare_map),
        State("compare-tabs", compare_tabs),
        State("compare-audit", compare_audit),
        State("release", release),
        State("written", written),
    ),
    "several rows": (State("several-rows", several_rows),),
}
"""States of each walk, in their order: a state begins where the one before ended."""
STATES = [state.name for states in WALKS.values() for state in states]


@pytest.fixture(autouse=True)
def same_key(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw the same key for each version."""
    monkeypatch.setattr(Key, "fresh", classmethod(lambda cls: cls(bytes(range(32)), "system")))


def settled_dump(person: Person, widget: Any) -> str:
    """Return what a widget says once it says the same twice: a job that ends may begin another one."""
    before, now = "", dump(widget)
    while before != now:
        person.settle()
        let_work(150)
        before, now = now, dump(widget)
    return now


@pytest.mark.parametrize("walk", WALKS)
def test_what_the_window_says_is_as_kept(
    walk: str,
    window: Any,
    dialogs: FakeDialogs,
    tmp_path: Path,
    check_snapshots: Callable[[Mapping[str, str]], None],
) -> None:
    person, texts = Person(window, dialogs), dict[str, str]()
    for state in WALKS[walk]:
        shown = state.bring_about(person, tmp_path)
        dumps = [f"== {heading} ==\n{settled_dump(person, widget)}" for heading, widget in shown]
        texts[f"window/{state.name}"] = without_volatile("\n\n".join(dumps), {tmp_path: "FOLDER"})
    check_snapshots(texts)


def test_every_snapshot_has_its_state() -> None:
    assert len(STATES) == len(set(STATES)) == 12
    assert left_over("window", STATES) == []
