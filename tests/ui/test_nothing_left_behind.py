"""Leaving: work that will not stop, dialogs that would remember, a filled clipboard; and the next start."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flow_support import release_with_reasons
from optional import existing
from protect_support import at_step
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtWidgets import QApplication, QFileDialog
from ui_support import FakeDialogs

from ppdm_desktop.engine.randomness import KEY_BYTES
from ppdm_desktop.engine.release.storage.ledger import FORMAT
from ppdm_desktop.engine.wording.catalogue import language
from ppdm_desktop.ui import app
from ppdm_desktop.ui.look.clipboard import clear_copied, copy_image, copy_text
from ppdm_desktop.ui.shell.system_dialogs import SystemDialogs, redirect_dialog_state
from ppdm_desktop.ui.shell.unfinished import StartQuestions
from ppdm_desktop.ui.state.settings import Settings

TOKEN = "fedcba9876543210"


@pytest.mark.parametrize("how", ["window closed", "loop left"])
def test_closing_ends_although_work_is_deaf(
    how: str, qapp: QApplication, dialogs: FakeDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the last step of the process is looked at, which is not ended here."""
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))
    monkeypatch.setattr("ppdm_desktop.ui.shell.window._CLOSING_MS", 20)
    monkeypatch.setattr(app, "build_application", lambda: qapp)
    monkeypatch.setattr(app, "prefer_window", lambda window: None)
    made, free, left = list[Any](), threading.Event(), list[int]()
    build = app.build_window

    def built(_dialogs: Any, asked_language: str | None) -> Any:
        settings = Settings(language="de")
        made.append(build(dialogs, settings, tmp_path / "own", asked_language))
        QTimer.singleShot(0, begin)
        return made[-1]

    def begin() -> None:
        made[-1].runner.start("deaf", lambda: free.wait(60), made[-1]._on_job_ended)
        if how == "window closed":
            dialogs.will("ask", "stop")
            QTimer.singleShot(0, made[-1].close)
        else:
            QTimer.singleShot(0, lambda: qapp.exit(0))

    def leave(code: int) -> None:
        left.append(code)
        assert not free.is_set(), "it did not wait for the work"

    hook = sys.excepthook
    monkeypatch.setattr(app, "build_window", built)
    monkeypatch.setattr(app, "leave_at_once", leave)
    try:
        app.run_window([], "en")
        assert language() == "en", "the language asked for counts more than that of the settings"
        assert left == [0]
        assert made[0].still_working
        assert list((tmp_path / "t").iterdir()) == [], "the private folder is removed all the same"
        assert not list((tmp_path / "own").glob("session-*")), "it counts as no crash"
    finally:
        sys.excepthook = hook
        free.set()
        assert made[0].runner.stop_all()
        made[0].close()
        made[0].deleteLater()


# --- a whole job -------------------------------------------------------------------------------


def _everything(*folders: Path) -> set[str]:
    return {str(path) for folder in folders for path in folder.rglob("*")}


def test_a_whole_job_leaves_nothing_behind(
    make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, temporary = tmp_path / "home", tmp_path / "t"
    for folder in (home, temporary):
        folder.mkdir()
    for variable in ("HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"):
        monkeypatch.setenv(variable, str(home))
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    copied = QGuiApplication.clipboard().text()
    window = make_window()
    person = at_step(window, dialogs, tmp_path, "release")
    source = existing(person.session.decisions.path)
    before = source.read_bytes()
    person.type("edit_folder", str(tmp_path / "out"))
    release_with_reasons(person)
    person.click("button_verify")
    person.session.saved = person.session.decisions
    assert window.close()
    window.context.private_removed()
    assert _everything(home, temporary) == set()
    assert QGuiApplication.clipboard().text() == copied
    assert source.read_bytes() == before
    assert {path.name for path in tmp_path.glob(".ppdm-*")} == set()
    kept = {path.name: path for path in (tmp_path / "settings").iterdir()}
    assert set(kept) == {"ledger.json", "ledger.key", "settings.json"}, "hashes, column names, days, key, window size"
    assert len(bytes.fromhex(kept["ledger.key"].read_text("utf-8"))) == KEY_BYTES
    text = kept["ledger.json"].read_text("utf-8")
    assert source.name not in text
    assert str(tmp_path) not in text


# --- the clipboard -----------------------------------------------------------------------------


@pytest.mark.usefixtures("qapp")
def test_what_the_program_put_on_the_clipboard_is_taken_back() -> None:
    clipboard = QGuiApplication.clipboard()
    copy_text("31\tDelft")
    assert clipboard.text() == "31\tDelft"
    clear_copied()
    assert clipboard.text() == ""
    image = QImage(2, 2, QImage.Format.Format_RGB32)
    image.fill(0)
    copy_image(image)
    assert not clipboard.image().isNull()
    clear_copied()
    assert clipboard.image().isNull()


def test_what_others_put_there_stays(qapp: QApplication) -> None:
    clipboard = QGuiApplication.clipboard()
    copy_text("of this program")
    clipboard.setText("of another program")
    clear_copied()
    assert clipboard.text() == "of another program"
    clipboard.clear()


@pytest.mark.usefixtures("qapp")
def test_windows_is_asked_to_keep_nothing_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    copy_text("x")
    formats = QGuiApplication.clipboard().mimeData().formats()
    monkeypatch.undo()
    for name in ("ExcludeClipboardContentFromMonitorProcessing", "CanIncludeInClipboardHistory"):
        assert any(name in each for each in formats)
    clear_copied()


def test_nothing_else_fills_the_clipboard(repository: Path) -> None:
    found = [
        path.name
        for path in (repository / "ppdm_desktop").rglob("*.py")
        if "clipboard()" in path.read_text("utf-8") and path.name != "clipboard.py"
    ]
    assert found == []


# --- dialogs -----------------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="there Qt's note is no file: it lies in the registry")
def test_a_file_dialog_remembers_nothing(window: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, private, source = tmp_path / "home", tmp_path / "private", tmp_path / "planted-folder"
    for folder in (home, private, source):
        folder.mkdir()
    (source / "people.csv").write_text("x", "utf-8")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    usual = Path(QSettings(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, "QtProject").fileName()).parent
    redirect_dialog_state(private)
    try:

        def choose() -> None:
            dialog = QApplication.activeModalWidget()
            assert isinstance(dialog, QFileDialog)
            dialog.setDirectory(str(source))
            dialog.selectFile(str(source / "people.csv"))
            dialog.accept()

        QTimer.singleShot(200, choose)
        found = existing(SystemDialogs().save_file(window, "Save", source / "new.csv", "*.csv"))
        assert found.parent == source
        kept = [path for path in private.rglob("*") if path.is_file()]
        assert any("planted-folder" in path.read_text("utf-8", "replace") for path in kept), "Qt's own note lies there"
        assert not [path for path in home.rglob("*") if path.is_file()]
    finally:
        redirect_dialog_state(usual)


# --- at the start ------------------------------------------------------------------------------


def _ledger(window: Any, parent: Path) -> Path:
    ledger: Path = window.context.ledger
    ledger.parent.mkdir(parents=True, exist_ok=True)
    document = {"format": FORMAT, "since": None, "releases": [], "draws": [], "unfinished": [str(parent)]}
    ledger.write_text(json.dumps(document), "utf-8")
    return ledger


def _interrupted(parent: Path, *kinds: str) -> None:
    for kind in kinds:
        (parent / f".ppdm-{TOKEN}.{kind}" / "internal").mkdir(parents=True)
    (parent / f".ppdm-{TOKEN}.lock").write_text(json.dumps({"out": "out"}), "utf-8")


@pytest.fixture
def no_other(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Private folders of other runs on this computer are none of the test's."""
    (tmp_path / "t").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "t"))


@pytest.mark.usefixtures("no_other")
def test_the_start_brings_back_names_and_removes_after_a_yes(
    make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path
) -> None:
    window, parent = make_window(), tmp_path / "far"
    parent.mkdir()
    _interrupted(parent, "old", "new")
    _ledger(window, parent)
    for answer in ("ok", "keep", "ok"):
        dialogs.will("ask", answer)
    StartQuestions(window, tmp_path / "last-crash.txt").ask()
    back, found, crash = dialogs.asked
    assert "back in its place" in str(back)
    assert str(parent / "out") in back.text
    assert f".ppdm-{TOKEN}.new" in str(found)
    assert "last-crash.txt" in str(crash)
    assert (parent / "out" / "internal").is_dir()
    assert (parent / f".ppdm-{TOKEN}.new").is_dir(), "nothing goes without a yes"
    StartQuestions(window, None, first_start=True).ask()
    assert len(dialogs.asked) == 3, "an account that never ran the program left nothing"
    dialogs.will("ask", "remove")
    StartQuestions(window, None).ask()
    assert [path.name for path in parent.iterdir()] == ["out"]
    StartQuestions(window, None).ask()
    assert len(dialogs.asked) == 4, "where all is well nothing is asked"
