"""What every page has to pass, whatever it shows: size, names, order of the Tab key, looks, long words."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from catalogue_support import outside_the_catalogue
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget
from ui_support import FakeDialogs, Person, go_through, let_work

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.engine.wording.catalogue import languages
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.registry import PAGES
from ppdm_desktop.ui.state.session import STEPS

ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}
# width, height and text size; the first is how the window starts, the others are changed to while it is open.
SIZES = ((1280, 720, 1.5), (1280, 800, 2.0), (1280, 800, 1.0))
# Proper names, the same in every language.
NAMES = {"PPDM Desktop", "UTF-8", "UTF-16", "CSV", "XLSX"}
LANGUAGE_NAMES = {each.name for each in languages().values()}
PAGE = pytest.mark.parametrize("step", [page.step for page in PAGES])
Make = Callable[..., Any]


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


def page_of(window: Any) -> QWidget:
    page = window.findChild(QWidget, f"page_{window.current}")
    assert page is not None
    return page  # type: ignore[no-any-return]


def seen(parent: QWidget, kind: type[Any]) -> list[Any]:
    """Return the visible widgets of a kind that are ours (not the insides of Qt's own)."""
    return [
        each
        for each in parent.findChildren(kind)
        if each.isVisibleTo(parent) and not each.objectName().startswith("qt_")
    ]


def tell(widget: QWidget) -> str:
    """Name a widget so that it can be found."""
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
    names: list[str] = []
    parent = widget.parentWidget()
    while parent is not None and len(names) < 3:
        if parent.objectName():
            names.append(parent.objectName())
        parent = parent.parentWidget()
    return f"{type(widget).__name__} {widget.objectName()!r} {text[:40]!r} in {' < '.join(names)}"


def hidden_sideways(window: Any) -> list[str]:
    """Return the scroll areas that scroll to the side, each with its widest content."""
    found = []
    page = page_of(window)
    areas = [area for area in [window._areas[window.current], *page.findChildren(QScrollArea)] if area.isVisible()]
    for area in areas:
        inner = area.widget()
        room = area.viewport().width()
        if inner is not None and inner.width() > room + 1:
            wide = max(seen(inner, QWidget), key=lambda each: each.minimumSizeHint().width(), default=inner)
            found.append(f"{area.objectName()}: {inner.width()} px in {room}; widest: {tell(wide)}")
    return found


def cut_words(window: Any) -> list[str]:
    """Return the labels and buttons that are smaller than their words."""
    found = []
    for label in seen(window, QLabel):
        if not label.text() or label.width() <= 0:
            continue
        if label.wordWrap():
            needed = label.heightForWidth(label.width())
            if label.height() + 2 < needed:
                found.append(f"{label.height()} of {needed} px high: {tell(label)}")
        elif label.width() + 2 < label.minimumSizeHint().width():
            found.append(f"{label.width()} of {label.minimumSizeHint().width()} px wide: {tell(label)}")
    for button in seen(window, QAbstractButton):
        if button.text() and button.width() + 2 < button.minimumSizeHint().width():
            found.append(f"{button.width()} of {button.minimumSizeHint().width()} px wide: {tell(button)}")
    return found


@pytest.mark.parametrize("language", ["en", "de", "qps"])
@PAGE
def test_a_page_fits(show: Make, step: str, language: str) -> None:
    window = show(step, *SIZES[0][:2], scale=SIZES[0][2], language=language)
    found = []
    for width, height, scale in SIZES:
        theme().set_scale(scale)
        window.resize(width, height)
        let_work(150)  # rows of the gate take several turns to find their height
        assert (window.width(), window.height()) == (width, height), "the window had to grow"
        found += [f"{scale:.0%}: {each}" for each in (*hidden_sideways(window), *cut_words(window))]
    assert not found, "\n".join(found)


def focusable(window: Any) -> list[QWidget]:
    return [
        each
        for each in seen(window, QWidget)
        if each.focusPolicy() & Qt.FocusPolicy.TabFocus and not isinstance(each.parentWidget(), type(None))
    ]


@PAGE
def test_keyboard_and_screen_reader(show: Make, step: str) -> None:
    window = show(step)
    assert not nameless(window)
    assert not against_the_eye(window)


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
        for i, (first, second) in enumerate(zip(places[:-1], places[1:], strict=True))
        if not second.intersects(first) and goes_back(first, second)
    ]


def goes_back(first: QRect, second: QRect) -> bool:
    """Say whether the eye would meet the second before the first: above it, or left in the same line."""
    above = second.bottom() < first.top() and second.left() <= first.right()
    same_line = second.top() <= first.bottom() and first.top() <= second.bottom()
    return above or (same_line and second.right() < first.left() and second.top() <= first.top() + 4)


@PAGE
def test_every_look_is_drawn_without_a_warning(show: Make, step: str) -> None:
    window = show(step)
    for appearance in ("dark", "light"):
        theme().set_appearance(appearance)
        for scale in (0.75, 1.0, 2.0, 3.0):
            theme().set_scale(scale)
            QApplication.processEvents()
            assert not window.grab().isNull()


@PAGE
def test_all_that_is_said_comes_from_the_catalogue(show: Make, sample: Path, step: str) -> None:
    """In the pseudo-language each message stands in brackets; what does not is the owner's data, or was forgotten."""
    window = show(step, language="qps")
    table = window.session.reading.table if window.session.reading is not None else None
    data = {sample.name, *NAMES, *LANGUAGE_NAMES}
    if sha256 := window.session.decisions.recipe.input.sha256:
        data.add(sha256)
    # Ids of methods and the papers that they come from stay in every language, too.
    for id, method in all_methods().items():
        data |= {id, method.paper.strip(" .,:;·–")}
    for column in table.columns if table is not None else ():
        data |= {column.name, *column.texts}
    assert outside_the_catalogue(window, data) == []


@PAGE
def test_a_page_knows_what_it_is(window: Any, step: str) -> None:
    page = next(each for each in window._pages.values() if each.step == step)
    assert page.objectName() == f"page_{step}"
    assert page.title()
    assert page.purpose()
    if step != "welcome":
        assert page.primary() is not None


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


def test_no_part_of_a_page_flashes_up_as_a_window(qapp: QApplication, show: Make) -> None:
    """A widget made visible before it has a parent is a window of its own for a moment, and takes the focus."""
    watcher = Watcher()
    qapp.installEventFilter(watcher)
    try:
        show("release")
    finally:
        qapp.removeEventFilter(watcher)
    assert not watcher.shown, "\n".join(watcher.shown)


def test_the_pages_are_those_of_the_rail(window: Any) -> None:
    assert [page.step for page in PAGES] == ["welcome", *STEPS]
    names = [each.objectName() for each in window.findChildren(QObject) if each.objectName().startswith("page_")]
    assert set(names) == {f"page_{step}" for step in ("welcome", *STEPS)} | {"page_head"}


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
