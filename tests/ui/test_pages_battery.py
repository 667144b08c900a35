"""What every page has to pass, whatever it shows: size, names, order of the Tab key, looks, long words."""

from __future__ import annotations

import itertools
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from catalogue_support import outside_the_catalogue
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QLabel,
    QScrollArea,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)
from ui_support import FakeDialogs, Person, go_through, let_work, make_all_pages, stops

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.engine.wording.catalogue import languages
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.columns.model import WHY, reason_lines, row_height
from ppdm_desktop.ui.pages.columns.view import ColumnsView
from ppdm_desktop.ui.pages.registry import PAGES
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import KeptTable

ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}
# width, height and text size; the first is how the window starts, the others are changed to while it is open.
SIZES = ((1280, 720, 1.5), (1280, 800, 2.0), (1280, 800, 1.0))
# Proper names, the same in every language.
NAMES = {"PPDM Desktop", "UTF-8", "UTF-16", "CSV", "XLSX"}
LANGUAGE_NAMES = {each.name for each in languages().values()}
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
        else:
            found += squeezed(label)
    for button in seen(window, QAbstractButton):
        if button.text():
            found += squeezed(button)
    return found


def squeezed(widget: QWidget) -> list[str]:
    """Return whether a line of words is narrower or lower than it needs."""
    least, size = widget.minimumSizeHint(), widget.size()
    pairs = ((size.width(), least.width(), "wide"), (size.height(), least.height(), "high"))
    return [f"{given} of {needed} px {way}: {tell(widget)}" for given, needed, way in pairs if given + 2 < needed]


def cut_choices(window: Any) -> list[str]:
    """Return the lists to choose from that end in dots although they could be as wide as their words."""
    found = []
    for each in seen(window, Choice):
        option = QStyleOptionComboBox()
        each.initStyleOption(option)
        fits = each.sizeAdjustPolicy() == Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        if not fits and each._shortened(option) != each._words:
            found.append(f"{each._shortened(option)!r} of {each._words!r}: {tell(each)}")
    return found


def cut_title(window: Any) -> list[str]:
    """Return the title of the page where it ends in dots while the check beside it has words."""
    title, button = window.head._title, window.head.button_check_file
    return [f"{title.shown()!r} of {title.text()!r}"] if button.text() and title.shown() != title.text() else []


def tabs_out_of_reach(window: Any) -> list[str]:
    """Return the rows of tabs that are wider than their room and cannot be scrolled by the mouse."""
    found = []
    for bar in seen(window, QTabBar):
        arrows = [each for each in bar.findChildren(QToolButton) if each.isVisible()]
        if not arrows and bar.tabRect(bar.count() - 1).right() > bar.width():
            found.append(f"{bar.count()} tabs in {bar.width()} px: {tell(bar)}")
    return found


def cut_rows(window: Any) -> list[str]:
    """Return the rows of tables whose words go on more lines than the row is high, or end in dots at the left."""
    found = []
    for columns in seen(window, ColumnsView):
        reasons = [reason_lines(line.reason, columns.columnWidth(WHY)) for line in columns.model().lines]
        low = [row for row, lines in enumerate(reasons) if columns.rowHeight(row) < row_height(lines)]
        found += [f"row {row} of {tell(columns)}" for row in low]
    for table in seen(window, FormTable):
        model = table.model()
        if isinstance(table, KeptTable) and table.keeps:
            header: Any = table.verticalHeader()
            names = ["".join(header.lines(model, row)) for row in range(model.rowCount())]
            found += [f"{name!r} of {tell(table)}" for name in names if "…" in name]
        if table.wordWrap():
            needed = [table.words_height(row) for row in range(model.rowCount())]
            low = [row for row, high in enumerate(needed) if table.rowHeight(row) < high]
            found += [f"row {row} of {tell(table)}" for row in low]
    return found


def cut(window: Any) -> list[str]:
    """Return what of a page has too little room."""
    words = (*cut_words(window), *cut_choices(window), *cut_title(window), *cut_rows(window))
    return [*hidden_sideways(window), *words, *tabs_out_of_reach(window)]


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


@pytest.mark.parametrize("language", ["en", "de", "qps"])
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
    assert pages == [each.step for each in PAGES]
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


def test_every_look_is_drawn_without_a_warning(make_window: Make, walk: Walk) -> None:
    window = make_window()
    pages = list(walk(window))
    for appearance, scales in (("dark", (0.75, 2.0)), ("light", (1.0, 3.0))):
        theme().set_appearance(appearance)
        for scale in scales:
            theme().set_scale(scale)
            for page in pages:
                window.show_page(page)
                QApplication.processEvents()
                assert not window.grab().isNull()


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
    assert [page.step for page in PAGES] == ["welcome", *STEPS]
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
