"""Welcome as a person uses it: drop, choose, sample, project, and what goes wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from planted_formats import plant
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent
from PySide6.QtWidgets import QAbstractButton
from ui_support import find

from ppdm_desktop.engine.samples import find_sample
from ppdm_desktop.ui.pages.release.where import WherePanel
from ppdm_desktop.ui.pages.welcome.page import larger_samples

LEFT = Qt.MouseButton.LeftButton


def drop(widget: Any, *paths: Path) -> None:
    """Drop files on a widget as the system does."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    event = QDropEvent(QPointF(20, 20), Qt.DropAction.CopyAction, data, LEFT, Qt.KeyboardModifier.NoModifier)
    widget.dropEvent(event)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    path = tmp_path / "people.csv"
    path.write_text("id,age,sex,illness\n1,30,f,flu\n2,31,m,cold\n3,30,f,flu\n4,44,m,none\n", encoding="utf-8")
    return path


def opened(qtbot: Any, window: Any, path: Path) -> None:
    window.open_path(path)
    qtbot.waitUntil(lambda: window.session.reading is not None and window.current == "open", timeout=10_000)


def test_a_dropped_file_is_read_and_every_role_is_a_suggestion(qtbot: Any, window: Any, people: Path) -> None:
    drop(find(window, "drop_zone"), people)
    qtbot.waitUntil(lambda: window.current == "open", timeout=10_000)
    session = window.session
    assert session.reading.table.rows == 4
    assert session.decisions.path == people
    assert session.unconfirmed() == ["id", "age", "sex", "illness"]
    assert session.decisions.recipe.columns["age"].role == "quasi-identifier"
    assert session.decisions.recipe.input.sha256 == session.reading.account.sha256
    assert set(session.facts) == {"id", "age", "sex", "illness"}


def test_two_files_are_refused_in_words_and_the_zone_turns_red(
    qtbot: Any, window: Any, people: Path, tmp_path: Path
) -> None:
    drop(find(window, "drop_zone"), people, people)
    zone = find(window, "drop_zone")
    assert zone.property("drop") == "refused"
    assert window.session.reading is None
    drop(zone, tmp_path)
    assert zone.property("drop") == "refused"
    assert "folder" in find(window, "label_drop_zone").text()
    drop(zone, people)
    qtbot.waitUntil(lambda: window.current == "open", timeout=10_000)
    assert zone.property("drop") == ""


def test_the_sample_opens_with_one_click(qtbot: Any, window: Any) -> None:
    qtbot.mouseClick(find(window, "button_open_sample"), LEFT)
    qtbot.waitUntil(lambda: window.current == "open", timeout=10_000)
    assert window.session.reading.table.rows == 16


def choose_sample(qtbot: Any, window: Any, name: str) -> None:
    """Click a sample in the menu."""
    qtbot.mouseClick(find(window, "button_larger_samples"), LEFT)
    menu = find(window, "menu_samples")
    text = dict(larger_samples())[name]
    assert f"{find_sample(name).default_rows:,}" in text
    action = next(action for action in menu.actions() if action.text() == text)
    action.trigger()
    menu.close()


@pytest.fixture
def planted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader, a writer and a sample more than there are."""
    plant(monkeypatch)


def test_what_is_declared_is_offered(planted: None, qtbot: Any, window: Any, dialogs: Any) -> None:
    dialogs.will("open_file", None)
    qtbot.mouseClick(find(window, "button_choose_file"), LEFT)
    patterns = (
        "*.csv *.tsv *.txt *.xlsx *.xlsm *.xlsb *.xls *.ods *.sav *.zsav *.dta *.sas7bdat *.xpt *.pairs *.parquet"
    )
    assert dialogs.asked[-1].text == f"Tables and projects ({patterns} *.ppdm);;All files (*)"
    qtbot.mouseClick(find(window, "button_larger_samples"), LEFT)
    menu = find(window, "menu_samples")
    assert menu.actions()[0].text() == "12 pets"
    menu.close()
    where = WherePanel(window.context)
    qtbot.addWidget(where)
    formats = [each.objectName().removeprefix("seg_format_") for each in where.seg_format.findChildren(QAbstractButton)]
    assert formats == ["csv", "xlsx", "sav", "dta", "bars"]


def test_a_sample_does_not_take_the_place_of_unsaved_decisions(
    qtbot: Any, window: Any, dialogs: Any, people: Path
) -> None:
    opened(qtbot, window, people)
    window.session.set_column(["age"], role="other")
    before = window.session.decisions
    window.go_to("welcome")
    dialogs.will("ask", "stay")
    choose_sample(qtbot, window, "employees")
    assert not window.runner.is_running()
    assert window.session.decisions is before


def test_a_bad_file_is_said_in_a_strip_and_nothing_is_lost(qtbot: Any, window: Any, dialogs: Any, people: Path) -> None:
    opened(qtbot, window, people)
    before = window.session.decisions
    bad = people.with_name("bad.xlsx")
    bad.write_bytes(b"PK\x03\x04 this is no workbook")
    window.open_path(bad)
    strip = find(window._pages["welcome"], "strip_failure")
    qtbot.waitUntil(strip.isVisible, timeout=30_000)
    said = strip.text.text()
    assert "bad.xlsx" in said
    assert window.session.decisions is before
    assert window.session.reading.table.rows == 4


def test_unsaved_decisions_are_asked_about_before_another_file_takes_their_place(
    qtbot: Any, window: Any, dialogs: Any, people: Path
) -> None:
    opened(qtbot, window, people)
    window.session.set_column(["age"], role="other")
    before = window.session.decisions
    other = people.with_name("other.csv")
    other.write_text("a,b\n1,x\n2,y\n", encoding="utf-8")
    dialogs.will("ask", "stay")
    window.open_path(other)
    assert not window.runner.is_running()
    assert window.session.decisions is before
    assert dialogs.asked[-1].default == "stay"


def save_project(window: Any, dialogs: Any, path: Path) -> None:
    dialogs.will("save_file", path)
    window._save_project()


def test_a_project_comes_back_with_its_decisions(
    qtbot: Any, window: Any, make_window: Any, dialogs: Any, people: Path, tmp_path: Path
) -> None:
    opened(qtbot, window, people)
    window.session.set_column(["illness"], role="confidential")
    project = tmp_path / "people.ppdm"
    save_project(window, dialogs, project)
    second = make_window()
    second.open_path(project)
    qtbot.waitUntil(lambda: second.session.reading is not None, timeout=10_000)
    assert second.session.decisions.recipe.columns["illness"].role == "confidential"
    assert second.session.decisions.confirmed == {"illness"}
    assert second.session.project == project


@pytest.mark.thorough
def test_a_project_opens_where_it_was_left_or_as_far_as_one_can_go(
    qtbot: Any, window: Any, make_window: Any, dialogs: Any, people: Path, tmp_path: Path
) -> None:
    opened(qtbot, window, people)
    window.go_to("columns")
    project = tmp_path / "people.ppdm"
    save_project(window, dialogs, project)
    second = make_window()
    second.open_path(project)
    qtbot.waitUntil(lambda: second.current == "columns", timeout=10_000)
    saved = json.loads(project.read_text("utf-8"))
    for page, reached in (("release", "columns"), ("open", "open"), ("nowhere", "open")):
        project.write_text(json.dumps({**saved, "page": page}), "utf-8")
        another = make_window()
        another.open_path(project)
        qtbot.waitUntil(lambda: another.session.reading is not None, timeout=10_000)  # noqa: B023
        qtbot.waitUntil(lambda: another.current == reached, timeout=10_000)  # noqa: B023


def test_a_moved_or_changed_original_is_asked_for_with_both_hashes(
    qtbot: Any, window: Any, make_window: Any, dialogs: Any, people: Path, tmp_path: Path
) -> None:
    opened(qtbot, window, people)
    project, kept = tmp_path / "people.ppdm", tmp_path / "kept.csv"
    save_project(window, dialogs, project)
    kept.write_bytes(people.read_bytes())
    people.write_text("id,age\n1,2\n", encoding="utf-8")
    second = make_window()
    second.open_path(project)
    panel = find(second, "panel_original")
    qtbot.waitUntil(panel.isVisible, timeout=10_000)
    wanted = json.loads(project.read_text(encoding="utf-8"))["input"]["sha256"]
    assert wanted in find(second, "label_hash_wanted").text().replace(" ", "")
    found = find(second, "label_hash_found").text().replace(" ", "")
    assert wanted not in found
    assert len(found.split(":")[1]) == 64
    people.unlink()
    dialogs.will("open_file", people)
    qtbot.mouseClick(find(second, "button_choose_original"), LEFT)
    qtbot.waitUntil(lambda: find(second, "label_hash_found").text() == "", timeout=10_000)
    dialogs.will("open_file", kept)
    qtbot.mouseClick(find(second, "button_choose_original"), LEFT)
    qtbot.waitUntil(lambda: second.session.reading is not None, timeout=10_000)
    assert second.session.decisions.path == kept
    assert not panel.isVisible()


def test_a_damaged_project_is_said_in_words(qtbot: Any, window: Any, tmp_path: Path) -> None:
    project = tmp_path / "broken.ppdm"
    project.write_text("{", encoding="utf-8")
    window.open_path(project)
    strip = find(window._pages["welcome"], "strip_failure")
    qtbot.waitUntil(strip.isVisible, timeout=10_000)


def test_a_file_that_fits_no_guess_is_read_as_a_person_says(qtbot: Any, window: Any, tmp_path: Path) -> None:
    page = window._pages["welcome"]
    path = tmp_path / "export.csv"
    path.write_text("a;b;c;d;e\nName;Age\nAnn;30\nBob;31\n", encoding="utf-8")
    window.open_path(path)
    qtbot.waitUntil(page.failure.isVisible, timeout=10_000)
    card = find(page, "card_read_otherwise")
    assert card.isVisible()
    assert (page.otherwise.encoding.current, page.otherwise.delimiter.current) == ("guess", "guess")
    page.otherwise.delimiter.set_current("|")
    page.otherwise.header.setValue(9)
    qtbot.mouseClick(find(page, "button_read_otherwise"), LEFT)
    qtbot.waitUntil(lambda: page.failure.isVisible() and not window.runner.is_running(), timeout=10_000)
    assert (page.otherwise.delimiter.current, page.otherwise.header.value()) == ("|", 9), "what was tried stays"
    page.otherwise.delimiter.set_current(";")
    page.otherwise.header.setValue(2)
    qtbot.mouseClick(find(page, "button_read_otherwise"), LEFT)
    qtbot.waitUntil(lambda: window.current == "open", timeout=10_000)
    assert window.session.reading.table.names == ("Name", "Age")
    assert window.session.decisions.recipe.input.header_row == 2
    assert not card.isVisibleTo(page)
    assert path.read_text("utf-8").startswith("a;b;c;d;e"), "the file is only read"
