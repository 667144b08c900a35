"""The switch of languages on Welcome: one setting with the dialog's, used from the next start, saving first."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale
from ui_support import FakeDialogs, Person

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.ui import app
from ppdm_desktop.ui.app import restart_command
from ppdm_desktop.ui.shell.language import SYSTEM, describe_language, language_choices, needs_restart
from ppdm_desktop.ui.state.settings import read_settings

Make = Callable[..., Any]


@pytest.fixture
def person(make_window: Make, dialogs: FakeDialogs) -> Person:
    return Person(make_window(language="en"), dialogs)


def test_restart_asks_to_save_first(person: Person, tmp_path: Path) -> None:
    file = tmp_path / "people.csv"
    file.write_bytes(sample_files("life-insurance")[0])
    person.open(file)
    person.tick("check_one_row_per_person")
    person.window.show_page("welcome")
    person.choose("choice_language_welcome", "de")
    person.dialogs.will("ask", "stay")
    person.click("button_restart_welcome")
    assert not person.window.restarts
    assert person.window.isVisible()
    person.dialogs.will("ask", "save")
    person.dialogs.will("save_file", tmp_path / "kept.ppdm")
    person.click("button_restart_welcome", settle=False)
    assert person.window.restarts
    assert not person.window.isVisible()
    assert "one_row_per_person" in (tmp_path / "kept.ppdm").read_text("utf-8")
    assert restart_command(person.session.project)[1][-1] == str(tmp_path / "kept.ppdm")
    assert read_settings(tmp_path / "settings").size == (person.window.width(), person.window.height())


def test_the_system_s_language_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    german = QLocale(QLocale.Language.German)
    monkeypatch.setattr(QLocale, "system", lambda: german)
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert needs_restart(SYSTEM)
    monkeypatch.setenv("LC_MESSAGES", "en_GB.UTF-8")
    assert not needs_restart(SYSTEM), "the environment counts first, as for commands"
    assert not needs_restart("en")
    assert describe_language("en") == ""
    assert language_choices()[0][0] == SYSTEM


def test_the_language_option_reaches_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app, "run_window", lambda _arguments, language: 7 if language == "de" else 0)
    assert run(["--language", "de"]) == 7
