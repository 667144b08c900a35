"""States of the Compare page's tabs that a picture shows beside how they open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtWidgets import QWidget
from ui_support import Person

from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.state.diff import EVERYTHING

MAP, ROWS, CHARTS, ANALYSES = range(4)
GENERALISED = {"mondrian", "generalize"}
Part = tuple[str, Callable[[], None]]


def compare_states(person: Person, place: int, show: Callable[[], None]) -> list[Part]:
    """Return what is photographed of a tab: how it opens, its charts as tables, filters, and pairs looked into.

    Parameters
    ----------
    place
        The tab, from 0.
    show
        Brings the tab to the front.
    """
    page = person.window.findChild(object, "page_compare")
    name = f"-{place + 1}"
    looked_at = page.shown.name if page.shown is not None else ""

    def as_tables(on: bool, weights: tuple[int, int] = (5, 5)) -> None:
        page.map.opened.emit(looked_at)
        show()
        turn_charts(page.tabs.widget(place), on)
        if place == MAP:
            first, *_, last = page.map.weights.sliders.values()
            first.setValue(weights[0])
            last.setValue(weights[1])
        person.settle()

    def filtered(kind: str, candidate: str = looked_at) -> None:
        page.map.opened.emit(candidate)
        show()
        person.settle()
        # Rows that are nobody's do not stand beside their originals: there is nothing to filter.
        if person.sees(f"filter_changes_{kind}") and person.see(f"filter_changes_{kind}").isEnabled():
            person.click(f"filter_changes_{kind}")

    def look_into(pair: tuple[str, str]) -> None:
        as_tables(False)
        page.charts.pairs.look_into(*pair)

    if place in (MAP, ANALYSES):
        return [(name, lambda: as_tables(False)), (f"{name}-tables", lambda: as_tables(True, (9, 0)))]
    if place == ROWS:
        found = [(name, lambda: filtered(EVERYTHING)), (f"{name}-any", lambda: filtered("any"))]
        if generalised := only_generalised(person):
            found.append((f"{name}-coarser", lambda: filtered(EVERYTHING, generalised)))
        return found
    if place == CHARTS:
        found = [(name, lambda: as_tables(False)), (f"{name}-tables", lambda: as_tables(True))]
        for number, pair in enumerate(pairs_of_each_kind(page)):
            found.append((f"{name}-pair-{number + 1}", lambda pair=pair: look_into(pair)))  # type: ignore[misc]
        return found
    return [(name, show)]


def only_generalised(person: Person) -> str:
    """Return the name of a candidate whose values are coarser and nothing else, empty without one."""
    for entry in person.session.finished():
        methods = {step.method for step in entry.recipe.steps}
        if methods and methods <= GENERALISED:
            return str(entry.name)
    return ""


def pairs_of_each_kind(page: Any) -> Iterator[tuple[str, str]]:
    """Return a pair of two numbers and one of a number and categories, where the candidate has them."""
    entry = page.shown
    found = None if entry is None else entry.judged.measures.associations
    if found is None:
        return
    numbers, words = list(found.numeric), [name for name in found.names if name not in found.numeric]
    if len(numbers) > 1:
        yield numbers[0], numbers[1]
    if numbers and words:
        yield numbers[0], words[0]


def turn_charts(tab: QWidget, as_tables: bool) -> None:
    """Show every chart of a tab as a table, or as a chart."""
    for card in tab.findChildren(ChartCard):
        if card.isVisible() and card.button.isChecked() != as_tables:
            card.button.click()
