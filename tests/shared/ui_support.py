"""Helpers of the window's tests: scripted dialogs, finding widgets, and sessions filled from data."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QCoreApplication, QEventLoop, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QWidget
from shiboken6 import isValid

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.ui.state.session import STEPS


def make_all_pages(window: Any) -> None:
    """Have every page made, for what looks at the whole window: else each is made at its first visit."""
    for step in window._pages:
        assert window._pages[step] in window._pages.made


@dataclass(frozen=True)
class Asked:
    """One thing the program asked."""

    kind: str
    title: str
    text: str = ""
    buttons: tuple[str, ...] = ()
    default: str = ""


class FakeDialogs:
    """Answers from a script, in order; keeps what was asked.

    >>> dialogs.will("open_file", path)   # the next file dialog returns path (None = cancelled)
    >>> dialogs.will("ask", "stop")       # the next question is answered with the button "stop"
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.shown: list[Path] = []
        self.can_show = True
        self._answers: list[tuple[str, Any]] = []

    def will(self, kind: str, answer: Any) -> None:
        """Script the next answer: ``open_file``, ``save_file``, ``folder`` or ``ask``."""
        self._answers.append((kind, answer))

    def left(self) -> list[tuple[str, Any]]:
        """Return the answers that nobody asked for yet."""
        return list(self._answers)

    def _answer(self, asked: Asked) -> Any:
        self.asked.append(asked)
        if not self._answers:
            raise AssertionError(f"nobody scripted an answer to: {asked}")
        kind, answer = self._answers.pop(0)
        if kind != asked.kind:
            raise AssertionError(f"scripted {kind}, but the program asked: {asked}")
        return answer

    # --- what the program calls ---------------------------------------------------------

    def open_file(self, parent: QWidget, title: str, patterns: str) -> Path | None:
        return self._answer(Asked("open_file", title, patterns))  # type: ignore[no-any-return]

    def save_file(self, parent: QWidget, title: str, suggestion: Path, patterns: str) -> Path | None:
        return self._answer(Asked("save_file", title, str(suggestion)))  # type: ignore[no-any-return]

    def folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        return self._answer(Asked("folder", title, str(start)))  # type: ignore[no-any-return]

    def ask(self, parent: QWidget, question: str, text: str, buttons: Sequence[tuple[str, str]], default: str) -> str:
        keys = tuple(key for key, _ in buttons)
        answer = self._answer(Asked("ask", question, text, keys, default))
        assert answer in keys, f"{answer} is none of {keys}"
        return str(answer)

    def open_folder(self, path: Path) -> bool:
        self.shown.append(path)
        return self.can_show

    def open_document(self, path: Path) -> bool:
        self.shown.append(path)
        return self.can_show


def find(parent: QObject, name: str) -> Any:
    """Return the one widget of an object name."""
    found = parent.findChildren(QWidget, name)
    assert found, f"no widget is named {name}"
    assert len(found) == 1, f"{len(found)} widgets are named {name}"
    return found[0]


# --- a person at the window -------------------------------------------------------------

ADULT_ROLES = {
    "quasi-identifier": (
        "age",
        "education",
        "marital-status",
        "occupation",
        "race",
        "sex",
        "native-country",
    ),
    "confidential": ("class",),
    "left-out": ("fnlwgt", "relationship", "education-num"),
}

_LAYOUT_TURNS = 3


def let_work(milliseconds: int) -> None:
    """Let the window and the work in the background go on for a while.

    An event loop of its own, as the program's: QTest's own wait would keep Python's lock while it sleeps,
    and the work would stand still most of that time.
    """
    loop = QEventLoop()
    QTimer.singleShot(milliseconds, loop.quit)
    loop.exec()
    for _ in range(_LAYOUT_TURNS):
        # One slow turn may use up the time; what it posted, such as new layouts, is done nevertheless.
        QCoreApplication.processEvents()


def wait_until(ready: Callable[[], bool], seconds: float = 60.0, what: str = "") -> None:
    """Let the window work until something is so."""
    end = time.monotonic() + seconds
    while not ready():
        if time.monotonic() > end:
            raise TimeoutError(f"waited {seconds:.0f} s for {what or 'it'}")
        let_work(5)


class Person:
    """Does to a window what a person does: clicks, keys and looking, by object names."""

    patience = 120.0

    def __init__(self, window: Any, dialogs: FakeDialogs) -> None:
        self.window, self.dialogs = window, dialogs

    @property
    def session(self) -> Any:
        """The session, to look at; a flow changes nothing through it."""
        return self.window.session

    def open(self, path: Path) -> None:
        """Open a file, and wait until it is read."""
        self.window.open_path(path)
        self.settle()

    def settle(self, seconds: float | None = None) -> None:
        """Wait until no work runs and none is about to begin; ``patience`` seconds where nothing is said."""
        seconds = self.patience if seconds is None else seconds

        waiting: list[QTimer] = []

        def quiet() -> bool:
            if self.window.runner.is_running() or any(isValid(each) and each.isActive() for each in waiting):
                return False
            # To look through the whole window takes a while: it is done once what was found is over.
            timers = self.window.findChildren(QTimer)
            waiting[:] = [timer for timer in timers if timer.isSingleShot() and timer.isActive()]
            return not waiting

        wait_until(quiet, seconds, f"the end of {self.window.runner.running()}")
        # What was started by the end of the last job counts too.
        let_work(10)
        wait_until(quiet, seconds, f"the end of {self.window.runner.running()}")

    def see(self, name: str, seconds: float = 10.0) -> Any:
        """Return the one visible widget of a name, on this page or in the frame; wait for it."""

        def visible() -> list[QWidget]:
            return [each for each in self.window.findChildren(QWidget, name) if each.isVisible()]

        wait_until(lambda: bool(visible()), seconds, f"a visible {name} on page {self.window.current}")
        found = visible()
        assert len(found) == 1, f"{len(found)} visible widgets are named {name}"
        return found[0]

    def sees(self, name: str) -> bool:
        """Say whether a widget of a name is visible."""
        return any(each.isVisible() for each in self.window.findChildren(QWidget, name))

    def words(self, name: str) -> str:
        """Return the text of a visible label or button."""
        return str(self.see(name).text())

    def click(self, name: str, *, settle: bool = True) -> None:
        """Click a button as soon as it can be clicked."""
        button = self.see(name)
        wait_until(button.isEnabled, 60, f"{name} to be enabled: {self.window.label_status.text()}")
        self.bring_in(button)
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        if settle:
            self.settle()

    def tick(self, name: str, on: bool = True) -> None:
        """Tick or untick a box with the space bar."""
        box = self.see(name)
        if box.isChecked() != on:
            box.setFocus()
            QTest.keyClick(box, Qt.Key.Key_Space)
        assert box.isChecked() == on
        self.settle()

    def type(self, name: str, text: str, *, enter: bool = True) -> None:
        """Type into a field, replacing what was there."""
        field = self.see(name)
        self.bring_in(field)
        field.setFocus()
        QTest.keyClick(field, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
        QTest.keyClicks(field, text)
        if enter:
            QTest.keyClick(field, Qt.Key.Key_Return)
        self.settle()

    def choose(self, name: str, key: str) -> None:
        """Choose from a list with the arrow keys."""
        box = self.see(name)
        wanted = box.findData(key)
        assert wanted >= 0, f"{name} has no {key}: {[box.itemData(i) for i in range(box.count())]}"
        box.setFocus()
        for _ in range(box.count()):
            if box.currentIndex() == wanted:
                break
            down = box.currentIndex() < wanted
            QTest.keyClick(box, Qt.Key.Key_Down if down else Qt.Key.Key_Up)
        assert box.currentData() == key
        self.settle()

    def press(self, key: Qt.Key, *modifiers: Qt.KeyboardModifier) -> None:
        """Press a key wherever the focus is."""
        together = Qt.KeyboardModifier.NoModifier
        for modifier in modifiers:
            together |= modifier
        QTest.keyClick(self.window.focusWidget() or self.window, key, together)
        self.settle()

    def click_row(self, name: str, row: int, column: int = 0, modifier: Any = Qt.KeyboardModifier.NoModifier) -> None:
        """Click a cell of a table."""
        view = self.see(name)
        index = view.model().index(row, column)
        view.scrollTo(index)
        place = view.visualRect(index).center()
        QTest.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, modifier, place)
        self.settle()

    def bring_in(self, widget: QWidget) -> None:
        """Scroll to a widget, as a person would."""
        parent = widget.parentWidget()
        while parent is not None:
            if isinstance(parent, QScrollArea):
                parent.ensureWidgetVisible(widget)
            parent = parent.parentWidget()


def run_until_cancelled(*_asked: object, **_options: object) -> None:
    """Work of the window that ends only when it is cancelled."""
    while True:
        progress.check()
        time.sleep(0.002)


def decide_roles(session: Any, roles: Mapping[str, Sequence[str]]) -> None:
    """Give columns their roles at once (not as a person: where the roles are not what is tested)."""
    names = session.reading.table.names
    given = {name for each in roles.values() for name in each}
    assert given <= set(names), f"no such columns: {given - set(names)}"
    session.set_column([name for name in names if name not in given], role="other")
    for role, columns in roles.items():
        session.set_column(list(columns), role=role)


def on_risk(window: Any, dialogs: FakeDialogs, folder: Path, text: str, roles: Mapping[str, Sequence[str]]) -> Person:
    """Open a small table, give its columns their roles, and have its risk measured for researchers."""
    path = folder / "people.csv"
    path.write_text(text, encoding="utf-8")
    person = Person(window, dialogs)
    person.open(path)
    decide_roles(person.session, roles)
    release = person.session.decisions.recipe.release.model_copy(update={"type": "research"})
    is_row_a_person = person.session.decisions.recipe.input.model_copy(update={"one_row_per_person": True})
    person.session.decide_recipe(release=release, input=is_row_a_person)
    window.go_to("risk")
    person.settle()
    assert window.current == "risk"
    return person


def go_through(
    person: Person,
    path: Path,
    roles: Mapping[str, Sequence[str]],
    *,
    until: str,
    kind: str = "internal",
    steps: Sequence[StepSection] = (StepSection(method="bayes-swap"),),
    several_rows: bool = False,
) -> None:
    """Take a file through the steps by the shortest way, up to a step; only pages where something happens are opened.

    The same way for every file, for tests and pictures that look at a page and not at the way there. Where people
    have several rows, the column that is proposed tells whose a row is.
    """
    way = [step for step in STEPS[: STEPS.index(until) + 1] if step == until or step in ("risk", "protect", "compare")]
    # Nobody looks at the way: what is drawn there would be drawn for nothing.
    person.window.setUpdatesEnabled(False)
    try:
        for _ in stops(person, path, roles, kind=kind, steps=steps, several_rows=several_rows, way=way):
            pass
    finally:
        person.window.setUpdatesEnabled(True)


def stops(
    person: Person,
    path: Path,
    roles: Mapping[str, Sequence[str]],
    *,
    kind: str = "internal",
    steps: Sequence[StepSection] = (StepSection(method="bayes-swap"),),
    several_rows: bool = False,
    way: Sequence[str] = STEPS,
) -> Iterator[str]:
    """Take a file through steps by the shortest way; yield each as soon as its page is filled."""
    window, session = person.window, person.session
    person.open(path)
    assert session.reading is not None, f"{path.name} was not read"
    if any("?" in column.texts for column in session.reading.table.columns):
        window.show_page("open")
        person.type("edit_missing", "?")
    if several_rows:
        window.show_page("open")
        person.click("answer_person_1")
    decide_roles(session, roles)
    release = session.decisions.recipe.release.model_copy(update={"type": kind})
    session.decide_recipe(release=release)
    for step in way:
        window.go_to(step)
        assert window.current == step, f"{step}: {session.why_not(step)}"
        person.settle()
        yield step
        if step == way[-1]:
            return
        if step == "protect":
            for each in steps:
                session.add_step(each)
            if person.sees("button_build_own"):
                person.click("button_build_own")
            person.click("button_add_to_queue")
        if step == "compare":
            person.click("button_choose_candidate")


def open_columns(qtbot: Any, window: Any, source: Path) -> Any:
    """Open a file in which each row is a person, go to Columns, and return the page."""
    window.open_path(source)
    qtbot.waitUntil(lambda: window.current == "open", timeout=20_000)
    find(window, "answer_person_1").click()
    find(window, "button_next").click()
    assert window.current == "columns"
    return window._pages["columns"]
