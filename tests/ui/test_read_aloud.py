"""What a screen reader says of every page is what the eye sees of it, in both languages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QComboBox, QWidget
from read_aloud import Around, Heard, heard, painted, words_seen
from ui_support import FakeDialogs, Person, find, go_through, let_work

from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.engine.wording.catalogue import list_languages
from ppdm_desktop.ui.look import accessibility
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.widgets.basic import Strip

Role = QAccessible.Role

ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}

Open = Callable[..., Person]

LANGUAGES = pytest.mark.parametrize(
    "language", [pytest.param(each, marks=[pytest.mark.thorough] * (each != "de")) for each in sorted(list_languages())]
)


@pytest.fixture
def on_page(make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path) -> Open:
    """Open a window in a language and take the sample to a step."""
    path = tmp_path / "life-insurance.csv"
    path.write_bytes(sample_files("life-insurance")[0])

    def ready(step: str, language: str = "en") -> Person:
        person = Person(make_window(language=language), dialogs)
        if step != "welcome":
            go_through(person, path, ROLES, until=step)
        person.settle()
        let_work(20)
        return person

    return ready


def tabs_of(person: Person, step: str) -> Iterator[str]:
    """Show each tab of a page in turn; a page without tabs once."""
    page = find(person.window, f"page_{step}")
    for tab in page.tab_names or ("",):
        if tab:
            page.show_tab(tab)
            person.settle()
        yield tab


def faults(window: QWidget) -> list[str]:
    """Return where what is said is not what is seen."""
    with painted() as drawn:
        window.grab()
    tree = heard(window)
    return sorted({*nameless(tree), *unheard(window, tree, drawn), *without_place(tree)})


def nameless(tree: list[Heard]) -> Iterator[str]:
    """Yield what takes the focus without a name, and what has a name but says not what it is."""
    for each in tree:
        if "focusable" in each.states and not each.name.strip():
            yield f"has no name: {each}"
        if each.role in (Role.Client, Role.Border, Role.NoRole) and each.name.strip():
            yield f"is called something and is nothing: {each}"
        if isinstance(each.widget, QComboBox) and not each.is_part:
            if each.value != (each.widget.currentText() or each.widget.placeholderText()):
                yield f"says another value than it shows: {each}"
            if each.name == each.value:
                yield f"is called by its value: {each}"
        if "checkable" in each.states and each.role not in (Role.CheckBox, Role.RadioButton, Role.Cell, Role.ListItem):
            yield f"can be checked and is no box: {each}"
        if each.description and each.description == each.name:
            yield f"says all twice: {each}"


def unheard(window: QWidget, tree: list[Heard], drawn: list[tuple[QWidget, str]]) -> Iterator[str]:
    """Yield the texts that are seen, or drawn by the program, and said nowhere near."""
    around = Around(tree)
    for widget, text in (*words_seen(window), *drawn):
        if missing := around.missing(widget, text):
            where = [outer.objectName() for outer in (widget, widget.parentWidget()) if outer is not None]
            yield f"is not said: {text!r} of {type(widget).__name__} {where} ({missing})"


def without_place(tree: list[Heard]) -> Iterator[str]:
    """Yield the cells that say neither in which column nor in which row they are."""
    for each in tree:
        if each.role is not Role.Cell or "focusable" not in each.states:
            continue
        if not each.column.strip():
            yield f"is in no column: {each}"
        first = "" if each.row or each.description else first_of_row(each, tree)
        if not (each.row or each.description) and first != each.name:
            yield f"is in no row: {each}"


def first_of_row(cell: Heard, tree: list[Heard]) -> str:
    """Return the name of the cell if it stands in the column that names the rows: the first with such cells."""
    cells = [each for each in tree if each.role is Role.Cell and each.widget is cell.widget]
    named = next(each.column for each in cells if not each.row and not each.description)
    return cell.name if cell.column == named else ""


@pytest.mark.thorough
@LANGUAGES
@pytest.mark.parametrize("step", ["welcome", *STEPS])
def test_a_page_says_what_the_eye_sees(on_page: Open, step: str, language: str) -> None:
    person = on_page(step, language)
    found = []
    for tab in tabs_of(person, step):
        found += [f"{tab}: {each}" for each in faults(person.window)]
    assert not found, "\n".join(found)


@LANGUAGES
def test_the_help_says_what_the_eye_sees(on_page: Open, language: str) -> None:
    person = on_page("risk", language)
    person.window.toggle_help()
    person.settle()
    found = faults(person.window)
    assert not found, "\n".join(found)


@pytest.fixture
def news(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """What is said at once while a reader is there."""
    said: list[str] = []

    def send(event: QAccessibleAnnouncementEvent) -> None:
        said.append(event.message())

    monkeypatch.setattr(accessibility, "_send_announcement", send)
    QAccessible.setActive(True)
    yield said
    QAccessible.setActive(False)


def test_what_appears_is_said_at_once(on_page: Open, news: list[str]) -> None:
    person = on_page("welcome")
    bar, strip = person.window.bar, Strip("note", "")
    strip.setParent(person.window)
    news.clear()
    bar.show_message("Saved.", "passed")
    bar.show_message("Saved.", "passed")
    bar.show_message("37% · about 2 seconds", "note", aloud=False)
    assert news == ["Saved."]
    icon = next(each for each in heard(bar) if each.role is Role.Graphic)
    assert icon.name == "Note"
    strip.set("blocks", "The file cannot be read.")
    strip.set("blocks", "The folder cannot be written.")
    assert news == ["Saved.", "The file cannot be read.", "The folder cannot be written."]
    assert heard(strip)[0].role is Role.Notification
    assert [each.name for each in heard(strip) if each.role is Role.Graphic] == ["Problem"]


def test_a_choice_made_in_a_closed_box_is_said_at_once(on_page: Open, news: list[str]) -> None:
    person = on_page("open")
    box = person.see("combo_decimal")
    before = box.currentText()
    news.clear()
    box.set_current(box.itemData(0))
    assert news == []
    person.choose("combo_decimal", ",")
    assert box.currentText() != before
    assert news[0] == box.currentText()


class Half(QWidget):
    """A widget that is not built to its end yet."""

    def accessible_info(self) -> accessibility.AccessibleInfo:
        return accessibility.AccessibleInfo(Role.Chart, name=self.words)  # type: ignore[attr-defined]


def test_a_widget_that_is_being_built_is_asked_again_later(qtbot: Any, on_page: Open) -> None:
    """A reader may ask at any moment; what it heard then is not what it hears for good."""
    widget = Half()
    qtbot.addWidget(widget)
    voice = QAccessible.queryAccessibleInterface(widget)
    assert voice.role() is Role.Client
    widget.words = "People"  # type: ignore[attr-defined]
    assert voice.role() is Role.Chart
    assert voice.text(QAccessible.Text.Name) == "People"
