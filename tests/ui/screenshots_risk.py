"""Which states of Risk and Protect are photographed, and how a person gets there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ui_support import Person, let_work

from ppdm_desktop.engine.recipe.models import StepSection

UNDER_WAY = ("-running",)


def risk_parts(person: Person) -> list[tuple[str, Callable[[], None]]]:
    """Return the states of the Risk page: as it is, what if, each chart as a table, and the people behind a mark."""
    page: Any = person.window.findChild(object, "page_risk")
    charts = (page.heat._as_table, page.pairs.button, page.classes.button)

    def as_tables(on: bool) -> None:
        page.changes.untick()
        for button in charts:
            if button.isVisible() and button.isChecked() != on:
                button.click()

    def open_limits(on: bool) -> None:
        if page.head.source.isChecked() != on:
            page.head.source.click()

    def as_it_is() -> None:
        as_tables(False)
        open_limits(False)
        page.heat.show_filter("alone")

    def a_pair() -> None:
        as_tables(False)
        open_limits(True)
        page.heat.show_filter("below")
        if page.pairs.map.isVisible():
            page.pairs.map.point_at("0:0")
            page.pairs.map.opened.emit("0:0")
        else:
            # Of many columns the pairs are a plot.
            page.pairs.plot.opened.emit(page.pairs.plot.scene.rows[0].key)

    def what_if() -> None:
        as_tables(False)
        open_limits(False)
        look_at_what_if(person)

    found = [("", as_it_is), ("-tables", lambda: as_tables(True)), ("-pair", a_pair)]
    return [*found, ("-what-if", what_if)] if page.changes.rows else found


def protect_parts(person: Person) -> list[tuple[str, Callable[[], None]]]:
    """Return the states of the Protect page: versions, and the methods beside the queue, at work and stopped."""
    protect = person.window.findChild(object, "page_protect")
    return [
        ("", lambda: look_at(person, building=False)),
        ("-methods", lambda: methods(person)),
        ("-running", lambda: run_found(person)),
        ("-stopped", protect.queue.cancel_all),
    ]


def look_at(person: Person, *, building: bool) -> None:
    """Look at the versions that were found, or at the methods."""
    name = "button_build_own" if building else "button_to_versions"
    if person.sees(name):
        person.click(name)


def methods(person: Person) -> None:
    """Look at the methods, beside a run that is done and one that failed."""
    look_at(person, building=True)
    queue, session = person.window.findChild(object, "page_protect").queue, person.session
    for entry in session.candidates[2:]:
        queue.remove(entry)
    if not session.candidates:
        session.add_step(StepSection(method="bayes-swap"))
        person.click("button_add_to_queue")
    if len(session.candidates) == 1:
        of_words = last_detail(session)
        wrong = (StepSection(method="bit-plus-plus", columns=(of_words,)),)
        queue.add(session.decisions.recipe.model_copy(update={"steps": wrong}))
        person.settle()


def last_detail(session: Any) -> str:
    """Return the last column of details others may know, which holds words in all data that is photographed."""
    columns = session.decisions.recipe.columns
    names = [each.name for each in session.reading.table.columns]
    return str([name for name in names if name in columns and columns[name].role == "quasi-identifier"][-1])


def run_found(person: Person) -> None:
    """Have the versions run, and look while the first is under way."""
    person.window.findChild(object, "part_versions").run_all()
    let_work(1_500)


def look_at_what_if(person: Person) -> None:
    """Leave the first column out and write the second coarser, and look at both without deciding anything."""
    first, *others = person.window.findChild(object, "page_risk").changes.rows
    first.box.setChecked(True)
    if others:
        others[0].slider.setValue(0)
        others[0].box.setChecked(True)
    person.settle()
