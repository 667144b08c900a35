"""Papers on Release: ticked before the release, written with it, and opened from the card."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from flow_support import write_reasons
from protect_support import at_step
from ui_support import FakeDialogs, Person, find

from ppdm_desktop.ui.state.settings import read_settings


def test_papers_are_chosen_written_and_opened(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> None:
    person: Person = at_step(window, dialogs, tmp_path, "release")
    person.type("edit_folder", str(tmp_path / "out"))
    person.click("fold_files")
    person.click("check_paper_eu")
    person.click("check_paper_intruder")
    assert not person.sees("button_write_papers")
    assert read_settings(window.settings_folder).forms == ("eu", "intruder")
    write_reasons(person)
    person.click("button_write_release")
    person.settle()
    assert (tmp_path / "out" / "internal" / "papers" / "intruder.docx").is_file()
    assert {path.stem for path in (tmp_path / "out" / "papers").iterdir()} == {"eu", "intruder"}
    assert person.sees("button_write_papers")
    person.click("button_open_papers_eu")
    assert dialogs.shown[-1] == tmp_path / "out" / "papers" / "eu.docx"
    person.click("check_paper_eu")
    person.click("check_paper_intruder")
    assert not find(person.window, "button_write_papers").isEnabled()
    assert json.loads((window.settings_folder / "settings.json").read_text("utf-8"))["forms"] == []
    window.settings_folder = tmp_path / "out" / "papers" / "eu.docx"  # no folder: nothing can be saved
    person.click("check_paper_eu")
    assert window.settings.forms == ("eu",)


def test_a_form_of_ones_own_that_does_not_fit_is_named(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> None:
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms" / "board.toml").write_text("id = 1\n", encoding="utf-8")
    person: Person = at_step(window, dialogs, tmp_path, "release")
    window.session.forms_folder = str(tmp_path / "forms")
    window.session.changed()
    person.click("fold_files")
    assert person.sees("strip_papers_failed")
    assert person.sees("check_paper_eu")
