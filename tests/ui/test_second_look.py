"""A release waits, a second person approves it in the window; the start page says what is to be looked at again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from flow_support import write_reasons
from protect_support import at_step
from ui_support import FakeDialogs

from ppdm_desktop.engine.decision_log import read_log
from ppdm_desktop.engine.release.storage.ledger import keeps_list, read_ledger
from ppdm_desktop.ui.shell.settings_dialog import SettingsDialog
from ppdm_desktop.ui.state.project import read_project, write_project
from ppdm_desktop.ui.state.settings import Settings


def test_a_second_person_approves_and_the_release_is_looked_at_again(
    window: Any, dialogs: FakeDialogs, tmp_path: Path
) -> None:
    person = at_step(window, dialogs, tmp_path, "release")
    out, waiting = tmp_path / "out", tmp_path / "out (waiting)"
    person.type("edit_folder", str(out))
    person.click("check_four_eyes")
    person.click("fold_record")
    person.type("record_review_date", "next spring")
    assert person.session.decisions.recipe.operator.review_date is None
    assert person.see("record_review_date").placeholderText()[:2] == "20"
    person.type("record_review_date", "2026-01-01")
    write_reasons(person)
    person.click("button_write_release")
    assert person.see("label_operator_missing").text().endswith("nobody is named who makes it.")
    assert (person.see("edit_operator").hasFocus(), waiting.exists()) == (True, False)
    person.type("edit_operator", "Ann Ode")
    assert not person.sees("label_operator_missing")
    person.click("button_write_release")
    assert (waiting.is_dir(), out.exists(), person.sees("button_save_zip")) == (True, False, False)
    before = (waiting / "release/data.csv").read_bytes()
    person.click("button_approve_now")
    assert not person.see("button_second_yes").isEnabled()
    person.type("edit_second_name", "ann ode")
    person.click("button_second_yes")
    assert person.sees("strip_second_look_failure")
    person.click("button_second_close")
    person.window.show_page("welcome")  # from the start page as well as from here
    dialogs.will("folder", waiting)
    person.click("button_approve")
    person.type("edit_second_name", "Bo Bell")
    person.click("button_second_yes", settle=False)  # and closed while it works
    person.click("button_second_close")
    person.window.show_page("release")
    assert (waiting.exists(), (out / "release/data.csv").read_bytes()) == (False, before)
    assert (person.sees("button_approve_now"), person.sees("button_save_zip")) == (False, True)
    events = [line.event for line in read_log(out / "internal/decisions.jsonl")]
    assert (events[0], events[-3:]) == ("opened", ["prepared", "approved", "released"])
    assert {"roles", "version", "reason"} <= set(events)
    project = tmp_path / "one.ppdm"
    write_project(project, person.session, "release", person.window.context.ledger)
    assert [line.event for line in read_project(project).log] == events

    person.window.show_page("welcome")
    welcome = person.window._pages["welcome"]
    welcome._show_due_releases()
    assert person.see("strip_due").text.text().startswith("1 release is to be looked at again.")
    dialogs.will("folder", out)
    person.click("button_looked_at")
    person.type("edit_second_name", "Cy")
    person.type("edit_second_sentence", "Nothing new is known")
    person.click("button_second_yes")
    person.click("button_second_close")
    assert not person.sees("strip_due")
    (entry,) = read_ledger(person.window.context.ledger)
    assert entry.review > "2026-12"


def test_a_list_that_cannot_be_kept_is_told(window: Any, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    ledger.write_text("{")
    dialog = SettingsDialog(window, Settings(), lambda settings: None, ledger)
    dialog.check_list.click()
    assert (dialog.check_list.isChecked(), dialog.failure.isHidden()) == (False, False)
    ledger.unlink()
    dialog.check_list.click()
    assert (keeps_list(ledger), dialog.failure.isHidden()) == (True, True)
