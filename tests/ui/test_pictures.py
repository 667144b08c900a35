"""Pictures of the window: no path of this machine in the guide's, and on which of them a sentence stands."""

from __future__ import annotations

import os
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget
from ui_support import let_work
from words_tool import words

from ppdm_desktop.engine.wording.catalogue import later, say, speaking
from ppdm_desktop.ui.state.tour import FOLDER
from ppdm_desktop.ui.widgets.elided import Elided
from tests.ui.photographs import photograph, watched
from tests.ui.screenshots_tour import neutral_paths
from tests.ui.screenshots_words import Marks, drawn_texts, marked, picture_name

SETTINGS = "Settings"
KEY = ("settings", SETTINGS)


def test_a_picture_for_all_shows_no_path_of_this_machine(qtbot: Any, tmp_path: Path) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    private = tmp_path / "ppdm-desktop-x1y2"
    release = private / f"{FOLDER}-a_b1" / "release-of-sample"
    field, written, own = QLineEdit(str(release)), QLabel(f"Written to {release}."), QLineEdit("/data/of/the/owner")
    column = QVBoxLayout(root)
    for each in (field, written, own):
        column.addWidget(each)
    told: list[str] = []
    field.textChanged.connect(told.append)
    before = field.text(), written.text()
    with neutral_paths(root, private):
        assert field.text() == os.sep.join(("Documents/releases", "release-of-sample"))
        assert written.text() == f"Written to {field.text()}."
        assert own.text() == "/data/of/the/owner"
    assert (field.text(), written.text()) == before
    assert not told, "the page took it for a decision"


def test_every_message_has_a_mark_of_its_own() -> None:
    marks = Marks()
    keys = [("window", f"Sentence {n}.") for n in range(300)]
    text = "".join(f"{key[1]}{marks.of(key)} " for key in keys)
    assert len({marks.of(key) for key in keys}) == len(keys)
    assert marks.found(text) == set(keys)
    assert marks.found("Sentence 1. \u2061\u2062") == set(), "half a mark"


def test_what_is_drawn_is_found_and_what_is_hidden_is_not(qtbot: Any) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    column = QVBoxLayout(root)
    marks = Marks()
    with marked(marks):
        shown, inside = QLabel(say("settings", "Settings")), later("settings", "Text size")
        long = QLabel(say("settings", "The program remembers these settings, but not which files you opened."))
        long.setWordWrap(True)
        long.setFixedWidth(120)
        hidden = QLabel(say("settings", "Close"))
        boxed = QLineEdit(str(inside))
        with speaking("de"):
            document = say("settings", "Light")
        for each in (shown, long, hidden, boxed):
            column.addWidget(each)
        hidden.hide()
        root.show()
        let_work(20)
        drawn = marks.found(drawn_texts(root))
    assert document == "Hell", "documents are as they are written"
    assert {english for _, english in drawn} == {
        "Settings",
        "Text size",
        "The program remembers these settings, but not which files you opened.",
    }
    assert say("settings", "Settings") == SETTINGS, "the marks are gone"


def test_a_mark_is_not_seen(qtbot: Any) -> None:
    marks = Marks()
    plain, other = QLabel(SETTINGS), QLabel(SETTINGS + marks.of(KEY))
    for each in (plain, other):
        qtbot.addWidget(each)
        each.show()
    assert other.sizeHint() == plain.sizeHint()
    assert other.grab().toImage() == plain.grab().toImage()
    looked_at: list[QWidget] = []
    with watched(looked_at.append):
        photograph(plain)
    photograph(other)
    assert looked_at == [plain]
    cut = Elided(SETTINGS)
    qtbot.addWidget(cut)
    assert not marks.found(drawn_texts(cut))


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("risk-light-100", "04-risk.png"),
        ("welcome-whole-light-100", "00-welcome-whole.png"),
        ("settings-light-100", "settings.png"),
        ("help-risk-light-100", "help-risk.png"),
    ],
)
def test_pages_have_their_numbers(name: str, file: str) -> None:
    assert picture_name(name, "light-100") == file


@pytest.fixture
def locale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A catalogue of the test's own."""
    folder = tmp_path / "locale"
    shutil.copytree(words.LOCALE, folder)
    wanted = words.templates()
    monkeypatch.setattr(words, "templates", lambda: wanted)  # gathered once
    monkeypatch.setattr(words, "LOCALE", folder)
    return folder


def test_one_page_is_photographed_and_its_sentences_name_it(qapp: Any, locale: Path, tmp_path: Path) -> None:
    out = tmp_path / "pictures"
    pictures, noted = words.take_pictures("de", out, "welcome")
    assert {each.name for each in out.iterdir()} >= {"00-welcome.png"}
    assert pictures == len(list(out.iterdir()))
    file = words.file_of("de", "messages")
    blocks = file.read_text("utf-8").split("\n\n")
    named = [block for block in blocks if "#. seen on " in block]
    assert noted == len(named) > 30
    (chosen,) = [block for block in named if re.search('^msgid "Choose a file…"$', block, re.M)]
    assert "#. seen on 00-welcome.png" in chosen
    assert 'msgctxt "welcome"' in chosen
    assert not any('msgctxt "compare"' in block for block in named)
    # Kept by what writes the whole catalogue, and the translation is as it was.
    kept = file.read_bytes()
    words._keep("de", words.templates(), words.load("de"))
    assert file.read_bytes() == kept
    assert words.compiled("de", "messages") == (locale / "de" / "LC_MESSAGES" / "messages.mo").read_bytes()
    # A page that was not looked at again keeps its names; a whole walk without it takes them away.
    assert words.note_pictures("de", {}, all_looked_at=False) == noted
    assert words.note_pictures("de", {}) == 0
