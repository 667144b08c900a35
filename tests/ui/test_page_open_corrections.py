"""Open on a messy workbook: sheets, corrections, rows that are no people, files without names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton
from ui_support import find

from ppdm_desktop.ui.state.column_decisions import describe_column
from ppdm_desktop.ui.widgets.basic import Text
from tests.golden import people

LEFT = Qt.MouseButton.LeftButton
WAIT = 30_000


@pytest.fixture
def page(window: Any) -> Any:
    return window._pages["open"]


@pytest.fixture(scope="module")
def personnel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("personnel") / "personnel.xlsx"
    people.personnel(path)
    return path


def opened(qtbot: Any, window: Any, path: Path) -> None:
    window.open_path(path)
    qtbot.waitUntil(lambda: window.session.decisions.path == path and window.current == "open", timeout=WAIT)
    answer = find(window, "answer_person_1")
    if answer is not None and answer.isVisible():
        qtbot.mouseClick(answer, LEFT)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def settled(qtbot: Any, window: Any, page: Any) -> None:
    qtbot.waitUntil(lambda: page._wanted is None and not window.runner.is_running("read-again"), timeout=WAIT)
    # Parts of the page as it was are deleted a turn later.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def lines(page: Any) -> list[str]:
    """Return what the lines of the card say, proposals first."""
    box = find(page, "list_repairs").layout()
    return [box.itemAt(place).widget().findChild(Text).text() for place in range(box.count())]


def press(qtbot: Any, window: Any, page: Any, line: str, name: str) -> None:
    """Press the button of a name (without its number) in the line that begins so."""
    place = next(place for place, words in enumerate(lines(page)) if words.startswith(line))
    inside = find(page, "list_repairs").layout().itemAt(place).widget()
    button = next(each for each in inside.findChildren(QPushButton) if each.objectName().startswith(name))
    qtbot.mouseClick(button, LEFT)
    settled(qtbot, window, page)


def test_a_sum_that_is_a_person_is_one_undo(qtbot: Any, window: Any, page: Any, personnel: Path) -> None:
    opened(qtbot, window, personnel)
    press(qtbot, window, page, "Row 808 contains the sum", "button_decline_repair")
    assert window.session.decisions.recipe.input.people == (808,)
    assert page.primary().enabled
    qtbot.mouseClick(find(window, "button_undo"), LEFT)
    settled(qtbot, window, page)
    assert window.session.decisions.recipe.input.people == ()
    assert not page.primary().enabled


def test_a_file_without_names_and_one_that_may_have_some(qtbot: Any, window: Any, page: Any, tmp_path: Path) -> None:
    rows = [f"{place},{('red', 'blue')[place % 2]},{place * 7 % 5}" for place in range(40)]
    path = tmp_path / "none.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    opened(qtbot, window, path)
    assert find(page, "spin_header_row").value() == 0
    assert window.session.reading.table.rows == 40
    unsure = tmp_path / "unsure.csv"
    unsure.write_text(
        "\n".join(["colour,7,size", *(f"{('red', 'blue')[p % 2]},{p},{p % 5}" for p in range(40))]), "utf-8"
    )
    opened(qtbot, window, unsure)
    assert window.session.reading.account.header_row == 1
    window._check_file()
    assert window.current == "open"
    qtbot.mouseClick(find(page, "answer_0_1"), LEFT)
    settled(qtbot, window, page)
    assert window.session.reading.account.header_row == 0
    window._check_file()
    assert window.current == "columns"


def test_lines_of_names_and_dates_among_groups_are_answered(qtbot: Any, window: Any, page: Any, tmp_path: Path) -> None:
    path = tmp_path / "survey.csv"
    groups = ("2024-09-05", "15-19", "20-24")
    people = [f"{('f', 'm')[at % 2]},{20 + at},{groups[at % 3]}" for at in range(30)]
    path.write_text("\n".join(["Q1,Q2,Q3", "Your sex?,How old are you?,Your group?", *people]), encoding="utf-8")
    opened(qtbot, window, path)
    assert not page.primary().enabled, "a line of names would be one more person"
    press(qtbot, window, page, "Row 2 describes", "button_apply_repair")
    press(qtbot, window, page, "“Q3”: 10 cells are dates", "button_apply_repair_0_0")
    assert page.primary().enabled
    table = window.session.reading.table
    assert (table.rows, table.column("Q2").kind, table.column("Q2").label) == (30, "numeric", "How old are you?")
    assert set(table.column("Q3").values()) == {"5-9", "15-19", "20-24"}
    assert describe_column(window.session, "Q2").startswith("How old are you? · ")
    press(qtbot, window, page, "Row 2 is left out", "button_take_back")
    assert window.session.reading.table.rows == 31
    press(qtbot, window, page, "Row 2 describes", "button_decline_repair")
    assert page.primary().enabled


def test_after_an_answer_the_next_question_has_the_focus_and_never_a_list(
    qtbot: Any, window: Any, page: Any, tmp_path: Path
) -> None:
    path = tmp_path / "marked.csv"
    rows = [f"{n},{(99, 1 + n % 5)[n % 9 > 0]},{(-1, 20 + n % 40)[n % 11 > 0]}" for n in range(200)]
    path.write_text("\n".join(["id,score,age", *rows]), encoding="utf-8")
    opened(qtbot, window, path)
    asked = [each for each in window.findChildren(QPushButton) if each.objectName().startswith("button_apply_repair")]
    assert len(asked) > 1
    for left in range(len(asked) - 1, -1, -1):
        button = next(each for each in page.findChildren(QPushButton) if each.objectName() == "button_apply_repair_0")
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        settled(qtbot, window, page)
        qtbot.waitUntil(lambda: window.focusWidget().isVisible())
        expected = "button_apply_repair_0" if left else "table_preview"
        qtbot.waitUntil(lambda name=expected: window.focusWidget().objectName() == name, timeout=WAIT)
