"""Free text on page Columns: the list of all different texts, what is marked in it, and what having read it means."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from ui_support import decide_roles, find

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.ui.state.texts_read import describe_texts_read
from ppdm_desktop.ui.work.tasks import TaskOutcome

LEFT = Qt.MouseButton.LeftButton
WAIT = 20_000
SAID = [f"asked for room {n}, all is well" for n in range(29)]
CALL = "🙂 call Kim on 0171 592591 at once"
NAMED = "the file is that of Ottokar, and so on"


def file_of(folder: Path, notes: list[str]) -> Path:
    path = folder / "notes.csv"
    lines = [f'{name},{30 + row % 9},"{note}"' for row, (name, note) in enumerate(zip(names_of(notes), notes))]
    path.write_text("surname,age,remark\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def names_of(notes: list[str]) -> list[str]:
    return ["Ottokar" if note == NAMED else f"Person{'abcdefghij'[row % 10]}" for row, note in enumerate(notes)]


TWICE = "came with her brother"
NOTES = [*SAID, CALL, NAMED, TWICE, TWICE, *["no remark at all"] * 9, ""]
RARE = [*SAID, CALL, NAMED, TWICE]


@pytest.fixture
def page(qtbot: Any, window: Any, tmp_path: Path) -> Any:
    window.open_path(file_of(tmp_path, NOTES))
    qtbot.waitUntil(lambda: window.current == "open", timeout=WAIT)
    window.go_to("columns")
    page = window._pages["columns"]
    roles = {"identifier": ["surname"], "quasi-identifier": ["age"], "other": ["remark"]}
    decide_roles(page.session, roles)
    row = [line.name for line in page.model.lines].index("remark")
    page.table.setCurrentIndex(page.model.index(row, 1))
    return page


def opened(qtbot: Any, window: Any, page: Any) -> Any:
    qtbot.mouseClick(find(page, "button_read_texts"), LEFT)
    dialog = find(window, "dialog_texts")
    qtbot.waitUntil(lambda: dialog.button_read.isEnabled(), timeout=WAIT)
    return dialog


def column_of(dialog: Any, place: int) -> list[str]:
    return [str(dialog.model.index(row, place).data()) for row in range(dialog.model.rowCount())]


def test_rare_texts_stand_rarest_first_with_what_was_found(qtbot: Any, window: Any, page: Any) -> None:
    assert find(page, "card_texts").isVisible()
    dialog = opened(qtbot, window, page)
    texts = column_of(dialog, 2)
    assert texts == [*sorted([*SAID, CALL, NAMED]), TWICE], "nine share the last"
    assert column_of(dialog, 0) == ["1"] * 31 + ["2"]
    found = {text: kind for text, kind in zip(texts, column_of(dialog, 1), strict=True) if kind}
    assert found == {CALL: "phone numbers", NAMED: "identifiers from this file"}
    dialog.table.setCurrentIndex(dialog.model.index(texts.index(CALL), 2))
    whole = find(dialog, "text_whole")
    assert whole.toPlainText() == CALL
    assert [each.cursor.selectedText() for each in whole.extraSelections()] == ["0171 592591"]
    qtbot.keyClicks(find(dialog, "edit_find_texts"), "PHONE")
    assert column_of(dialog, 2) == [CALL]
    find(dialog, "edit_find_texts").setText("Room 2")
    assert column_of(dialog, 2) == sorted(text for text in SAID if "room 2" in text)
    dialog.show_texts("remark")
    dialog._on_listed(TaskOutcome("texts", 1, error=PpdmError("error.work.memory")))
    assert (dialog._intro.text(), dialog.failure.isVisible()) == ("", True)


def test_having_read_is_one_decision_that_can_be_undone(qtbot: Any, window: Any, page: Any) -> None:
    dialog = opened(qtbot, window, page)
    qtbot.mouseClick(find(dialog, "button_texts_read"), LEFT)
    assert not dialog.isVisible()
    assert dialog.model.rowCount() == 0, "nothing of it is kept"
    known = json.dumps(sorted(RARE), ensure_ascii=False, separators=(",", ":"))
    section = page.session.decisions.recipe.columns["remark"]
    assert section.texts_read == hashlib.sha256(known.encode()).hexdigest()
    page.session.undo()
    assert page.session.decisions.recipe.columns["remark"].texts_read is None


def test_too_many_texts_for_the_public(qtbot: Any, window: Any, tmp_path: Path) -> None:
    window.open_path(file_of(tmp_path, [f"asked for room {n}, all is well" for n in range(201)]))
    qtbot.waitUntil(lambda: window.current == "open", timeout=WAIT)
    session = window._pages["columns"].session
    decide_roles(session, {"identifier": ["surname"], "quasi-identifier": ["age"], "other": ["remark"]})
    release = session.decisions.recipe.release.model_copy(update={"type": "public"})
    session.decide_recipe(release=release)
    assert "A public release may hold at most 200." in describe_texts_read(session, "remark")[1]


def test_only_free_text_that_is_to_be_released_is_to_be_read(qtbot: Any, page: Any) -> None:
    page.session.set_column(["remark"], role="left-out")
    assert not find(page, "card_texts").isVisible()
    page.session.set_column(["remark"], role="confidential")
    assert find(page, "card_texts").isVisible()
    row = [line.name for line in page.model.lines].index("age")
    page.table.setCurrentIndex(page.model.index(row, 1))
    assert not find(page, "card_texts").isVisible()
