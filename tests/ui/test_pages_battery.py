"""What every page has to pass, whatever it shows: size, names, order of the Tab key, looks, long words."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from catalogue_support import outside_the_catalogue
from fit_support import cut, page_of, seen, tell
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QWidget,
)
from ui_support import FakeDialogs, Person, go_through, let_work, make_all_pages, stops

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.engine.wording.catalogue import list_languages
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.registry import page_modules
from ppdm_desktop.ui.state.session import STEPS

ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}
# width, height and text size; the first is how the window starts, the others are changed to while it is open.
SIZES = ((1280, 720, 1.5), (1280, 800, 2.0), (1280, 800, 1.0))
# Proper names, the same in every language.
NAMES = {"PPDM Desktop", "UTF-8", "UTF-16", "CSV", "XLSX", "SPSS", "Stata"}
LANGUAGE_NAMES = {each.name for each in list_languages().values()}
MOST_BESIDE_HELP = 2.0
_ROWS_OF_THE_GATE = 150  # ms: they take several turns to find their height
_AT_REST = 800  # ms more, where something is still on its way: on a machine that is busy elsewhere turns are slow
Make = Callable[..., Any]
Walk = Callable[[Any], Iterator[str]]


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "life-insurance.csv"
    path.write_bytes(sample_files("life-insurance")[0])
    return path


@pytest.fixture
def show(make_window: Make, dialogs: FakeDialogs, sample: Path) -> Callable[..., Any]:
    """Show a page filled with the sample, in a size and a look."""

    def ready(step: str, width: int = 1280, height: int = 800, **looks: Any) -> Any:
        window = make_window(width, height, **looks)
        person = Person(window, dialogs)
        if step != "welcome":
            go_through(person, sample, ROLES, until=step)
        person.settle()
        let_work(20)
        return window

    return ready


@pytest.fixture
def walk(dialogs: FakeDialogs, sample: Path) -> Callable[[Any], Iterator[str]]:
    """Take the sample through a window's pages, to be looked at as soon as each is filled."""

    def stopping(window: Any) -> Iterator[str]:
        person = Person(window, dialogs)
        person.settle()
        let_work(20)
        yield "welcome"
        for step in stops(person, sample, ROLES):
            let_work(20)
            yield step

    return stopping


def cut_at_rest(window: Any) -> list[str]:
    """Return what has too little room and goes on having too little."""
    if cut(window):
        let_work(_AT_REST)
    return cut(window)


def cut_beside_help(window: Any) -> list[str]:
    """Return what of a page, the bars round it and the help is cut while the help is open."""
    window.toggle_help()
    let_work(50)
    found = cut_at_rest(window)
    window.toggle_help()
    return found


@pytest.mark.parametrize(
    "language", [*(pytest.param(each, marks=pytest.mark.thorough) for each in ("en", "de")), "qps"]
)
def test_every_page_fits(make_window: Make, walk: Walk, sample: Path, language: str) -> None:
    """Each as soon as it is filled, and all of them again, with a run and a release to make, in the other sizes.

    In the pseudo-language each message stands in brackets; what does not is the owner's data, or was forgotten.
    """
    width, height, scale = SIZES[0]
    window = make_window(width, height, scale=scale, language=language)
    found = []
    pages = []
    for page in walk(window):
        pages.append(page)
        let_work(_ROWS_OF_THE_GATE)
        assert (window.width(), window.height()) == (width, height), f"{page}: the window had to grow"
        found += [f"{page}, {scale:.0%}: {each}" for each in cut_at_rest(window)]
        if language == "qps":
            found += [
                f"{page}: not in the catalogue: {each}"
                for each in outside_the_catalogue(window, data_in(window, sample))
            ]
    assert pages == ["welcome", *STEPS]
    for width, height, scale in SIZES[1:]:
        theme().set_scale(scale)
        window.resize(width, height)
        for page in pages:
            window.show_page(page)
            let_work(_ROWS_OF_THE_GATE)
            assert (window.width(), window.height()) == (width, height), f"{page}: the window had to grow"
            found += [f"{page}, {scale:.0%}: {each}" for each in cut_at_rest(window)]
            if scale == MOST_BESIDE_HELP:
                found += [f"{page}, {scale:.0%}, beside the help: {each}" for each in cut_beside_help(window)]
    assert not found, "\n".join(found)


def focusable(window: Any) -> list[QWidget]:
    return [
        each
        for each in seen(window, QWidget)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(each.parentWidget(), type(None))
    ]


@pytest.mark.thorough
def test_keyboard_and_screen_reader(qapp: QApplication, make_window: Make, walk: Walk) -> None:
    """On every page; and no part of one flashes up as a window of its own on the way."""
    window = make_window()
    watcher = Watcher()
    found = []
    qapp.installEventFilter(watcher)
    try:
        for page in walk(window):
            found += [f"{page}: {each}" for each in (*nameless(window), *against_the_eye(window))]
    finally:
        qapp.removeEventFilter(watcher)
    assert not found, "\n".join(found)
    assert not watcher.shown, "\n".join(watcher.shown)


def nameless(window: Any) -> list[str]:
    """Return what a screen reader could only call by its kind."""
    found = []
    for widget in focusable(window):
        interface = QAccessible.queryAccessibleInterface(widget)
        assert interface is not None
        inside = type(widget).__name__ == "QLineEdit" and widget.objectName() == "qt_spinbox_lineedit"
        if not inside and not interface.text(QAccessible.Text.Name).strip():
            found.append(tell(widget))
    return found


def against_the_eye(window: Any) -> list[str]:
    """Return where the Tab key goes back to what the eye has passed."""
    page = page_of(window)
    chain, widget = [], page.nextInFocusChain()
    while widget is not None and widget is not page:
        if page.isAncestorOf(widget) and widget.isVisible() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
            chain.append(widget)
        widget = widget.nextInFocusChain()
    places = [QRect(each.mapTo(page, QPoint(0, 0)), each.size()) for each in chain]
    return [
        f"{tell(chain[i + 1])} comes after {tell(chain[i])}"
        for i, (first, second) in enumerate(itertools.pairwise(places))
        if not second.intersects(first) and goes_back(first, second)
    ]


def goes_back(first: QRect, second: QRect) -> bool:
    """Say whether the eye would meet the second before the first: above it, or left in the same line."""
    above = second.bottom() < first.top() and second.left() <= first.right()
    same_line = second.top() <= first.bottom() and first.top() <= second.bottom()
    return above or (same_line and second.right() < first.left() and second.top() <= first.top() + 4)


@pytest.mark.thorough
def test_from_right_to_left_nothing_is_cut(qapp: QApplication, make_window: Make, walk: Walk) -> None:
    window = make_window()
    before = qapp.layoutDirection()
    pages = list(walk(window))
    qapp.setLayoutDirection(Qt.LayoutDirection.RightToLeft)
    try:
        found = []
        for page in pages:
            window.show_page(page)
            let_work(_ROWS_OF_THE_GATE)
            assert page_of(window).isRightToLeft()
            found += [f"{page}: {each}" for each in cut_at_rest(window)]
    finally:
        qapp.setLayoutDirection(before)
    assert not found, "\n".join(found)


def data_in(window: Any, sample: Path) -> set[str]:
    """Return what is the owner's own on the pages, and what stays in every language."""
    table = window.session.reading.table if window.session.reading is not None else None
    data = {sample.name, *NAMES, *LANGUAGE_NAMES}
    if sha256 := window.session.decisions.recipe.input.sha256:
        data.add(sha256)
    # Ids of methods and the papers that they come from stay in every language, too.
    for id, method in all_methods().items():
        data |= {id, str(method.paper).strip(" .,:;·–")}
    for column in table.columns if table is not None else ():
        data |= {column.name, *column.texts}
    return data


class Watcher(QObject):
    """Notes every window that is shown, with what showed it."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[str] = []

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QWidget) and watched.isWindow():
            places = [place for place in traceback.extract_stack() if "ppdm_desktop" in place.filename]
            where = " < ".join(f"{Path(place.filename).name}:{place.lineno}" for place in reversed(places[-3:]))
            if watched.objectName() != "main_window":
                self.shown.append(f"{type(watched).__name__} {watched.objectName()!r} at {where}")
        return False


def test_the_pages_are_those_of_the_rail_and_know_what_they_are(window: Any) -> None:
    assert [load().step for load in page_modules()] == ["welcome", *STEPS]
    make_all_pages(window)
    names = [each.objectName() for each in window.findChildren(QObject) if each.objectName().startswith("page_")]
    assert set(names) == {f"page_{step}" for step in ("welcome", *STEPS)} | {"page_head"}
    for page in window._pages.values():
        assert page.objectName() == f"page_{page.step}"
        assert page.title()
        assert page.purpose()
        if page.step != "welcome":
            assert page.primary() is not None


def test_tab_brings_into_sight_what_it_reaches(show: Make) -> None:
    window = show("risk", *SIZES[0][:2], scale=2.0)
    area = window._areas["risk"]
    area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    window.head.button_help.setFocus()
    for _ in range(20):
        QTest.keyClick(window.focusWidget(), Qt.Key.Key_Tab)
        if area.isAncestorOf(window.focusWidget()):
            break
    reached = window.focusWidget()
    assert area.isAncestorOf(reached), "Tab never came into the page"
    assert not reached.visibleRegion().isEmpty(), tell(reached)
