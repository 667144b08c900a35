"""Pictures of the guided tour, stop by stop, and of the pages that it leaves filled: for the printable guide, too."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QLabel, QLineEdit, QWidget
from ui_support import Person, let_work, wait_until

from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.state.tour import FOLDER, STOPS

_NEUTRAL = "Documents/releases"
_FILLED = 300  # ms that rows of tables take to find their height


def tour_stops(person: Person) -> Iterator[tuple[str, str]]:
    """Walk the tour; yield the id of each stop and what it says, with the stop in front before anything is done.

    The last stop comes after its deed: what it says last is the end of the tour.
    """
    window = person.window
    window.show_page("welcome")
    person.click("button_tour")
    for stop in STOPS:
        wait_until(lambda: STOPS[window.tour.tour.number - 1].is_there(person.session), 60, stop.id)
        let_work(_FILLED)
        last = stop is STOPS[-1]
        if not last:
            yield stop.id, person.words("label_tour")
        if person.sees("button_tour_deed"):
            person.click("button_tour_deed")
        wait_until(person.see("button_tour_next").isEnabled, 60, f"{stop.id} to be done")
        if last:
            let_work(_FILLED)
            yield stop.id, person.words("label_tour")
        person.click("button_tour_next")


@contextmanager
def neutral_paths(root: QWidget, private: Path) -> Iterator[None]:
    """Show a folder as everybody has it where a path of this machine stands: a guide is printed for all.

    Parameters
    ----------
    root
        What is photographed.
    private
        The session's private folder, in which the tour has a folder of its own for the release.
    """
    of_tour = rf"({re.escape(os.sep)}{re.escape(FOLDER)}-[^{re.escape(os.sep)}]+)?"
    path = re.compile(re.escape(str(private)) + of_tour)
    changed: list[tuple[QLineEdit | QLabel, str]] = []
    shown: list[QLineEdit | QLabel] = [*root.findChildren(QLineEdit), *root.findChildren(QLabel)]
    for each in shown:
        if path.search(each.text()):
            changed.append((each, each.text()))
            _write(each, path.sub(_NEUTRAL, each.text()))
    QCoreApplication.processEvents()
    try:
        yield
    finally:
        for each, text in changed:
            _write(each, text)


def _write(widget: QLineEdit | QLabel, text: str) -> None:
    """Change what is shown, and tell nobody."""
    was_silent = widget.blockSignals(True)
    widget.setText(text)
    widget.blockSignals(was_silent)


def guide_pictures(person: Person) -> tuple[dict[str, str], dict[str, QImage]]:
    """Return what each stop said and the guide's pictures of the window, by the names the guide has for them."""
    window = person.window
    said: dict[str, str] = {}
    pictures: dict[str, QImage] = {}

    def take(name: str) -> None:
        let_work(_FILLED)
        with neutral_paths(window, window.context.private_folder):
            pictures[name] = window.grab().toImage()

    for stop, words in tour_stops(person):
        said[stop] = words
        take(f"stop.{stop}")
        if stop == "gate":
            take("gate")
    take("record")
    for page in ("welcome", *STEPS):
        window.show_page(page)
        person.settle()
        take(f"page.{page}")
    window.show_page("compare")
    window.show_tab("audit")
    person.settle()
    take("attacks")
    window.show_page("risk")
    window.drawer.show_topic("figure.found", "page.risk")
    window.drawer.show()
    person.settle()
    take("help")
    window.drawer.hide()
    return said, pictures
