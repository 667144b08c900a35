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

from ppdm_desktop.ui.pages.release.where import WherePanel

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
    assert dialogs.asked[-1].text == f"{patterns} *.ppdm"
    qtbot.mouseClick(find(window, "button_larger_samples"), LEFT)
    menu = find(window, "menu_samples")
    assert menu.actions()[0].text() == "12 pets"
    menu.close()
    where = WherePanel(window.context)
    qtbot.addWidget(where)
    formats = [each.objectName().removeprefix("seg_format_") for each in where.seg_format.findChildren(QAbstractButton)]
    assert formats == ["csv", "xlsx", "sav", "dta", "bars"]


def save_project(window: Any, dialogs: Any, path: Path) -> None:
    dialogs.will("save_file", path)
    window._save_project()


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
