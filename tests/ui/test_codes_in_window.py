"""Codes in place of identifiers, from the step on Protect to a written release, and the same on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flow_support import write_reasons
from ui_support import FakeDialogs, Person, decide_roles

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.secret_files import create_recipient_secret, read_recipient_secret
from tests.golden.people import visits_csv

ROLES = {
    "quasi-identifier": ("region", "sex", "age"),
    "confidential": ("days",),
    "identifier": ("person_nbr",),
    "left-out": ("visit_id", "unit", "outcome"),
}
RECIPIENT = "Study Rosenheim"


def on_protect(window: Any, dialogs: FakeDialogs, folder: Path) -> Person:
    """Take the visits to Protect: people are told apart by their number."""
    source = folder / "visits.csv"
    source.write_text(visits_csv(), encoding="utf-8")
    person = Person(window, dialogs)
    person.open(source)
    person.choose("combo_person", "person_nbr")
    session = person.session
    decide_roles(session, ROLES)
    release = session.decisions.recipe.release.model_copy(update={"type": "internal"})
    session.decide_recipe(release=release)
    for step in ("risk", "protect"):
        window.go_to(step)
        person.settle()
        assert window.current == step, session.why_not(step)
    return person


def steps(person: Person) -> tuple[StepSection, ...]:
    return tuple(person.session.decisions.recipe.steps)


@pytest.mark.thorough
def test_from_a_new_recipient_to_a_release(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> None:
    person = on_protect(window, dialogs, tmp_path)
    source, kept = tmp_path / "visits.csv", tmp_path / "rosenheim.secret"
    person.click("button_build_own")
    person.click("method_pseudonymise")
    person.click("button_use_method")
    person.type("param_recipient", RECIPIENT)
    dialogs.will("save_file", kept)
    person.click("button_new_recipient")
    secret = read_recipient_secret(kept)
    assert kept.stat().st_mode & 0o777 == 0o600
    assert steps(person)[0].parameters == {"recipient": RECIPIENT, "recipient_sha256": secret.fingerprint}
    person.session.add_step(StepSection(method="two-phase-noise", columns=("days",)))
    person.settle()
    person.click("button_add_to_queue")
    (entry,) = person.session.candidates
    assert entry.status == "done", entry.error
    assert entry.candidate.links_rows
    person.click("button_next")
    person.click("button_choose_candidate")
    person.click("button_next")
    person.type("edit_folder", str(tmp_path / "out"))
    write_reasons(person)
    dialogs.will("save_file", tmp_path / "saved.toml")
    person.click("fold_files")
    person.click("button_save_recipe")
    person.click("button_write_release")
    assert person.sees("panel_done")
    person.click("button_verify")
    assert person.sees("strip_result")
    assert "kept elsewhere" not in person.see("strip_result").text.text()

    key = tmp_path / "out/internal/release.key"
    again = ["release", str(source), "--recipe", str(tmp_path / "saved.toml"), "--key-file", str(key)]
    assert run([*again, "--recipient-secret", str(kept), "--out", str(tmp_path / "again")]) == 0
    for name in ("data.csv", "data-dictionary.csv", "release-note.html"):
        written = (tmp_path / "out/release" / name).read_bytes()
        assert (tmp_path / "again/release" / name).read_bytes() == written, name
        assert RECIPIENT.encode() not in written
    for path in (each for each in (tmp_path / "out").rglob("*") if each.is_file()):
        assert secret.hex().encode() not in path.read_bytes().lower()
        assert secret.bytes_ not in path.read_bytes()
    person.click("button_destroy_key")


@pytest.mark.thorough
def test_a_secret_that_is_not_open_is_asked_for(window: Any, dialogs: FakeDialogs, tmp_path: Path) -> None:
    person = on_protect(window, dialogs, tmp_path)
    kept, wrong = tmp_path / "rosenheim.secret", tmp_path / "wrong.secret"
    secret = create_recipient_secret(kept)
    wrong.write_text("0123456789abcdef" * 4 + "\n", encoding="ascii")
    written: dict[str, object] = {"recipient": RECIPIENT, "recipient_sha256": secret.fingerprint}
    person.session.add_step(StepSection(method="pseudonymise", parameters=written))
    person.settle()
    person.click("method_pseudonymise")
    person.click("button_add_to_queue")
    (entry,) = person.session.candidates
    assert entry.status == "failed"
    assert f"“{RECIPIENT}”" in entry.error
    assert "Open the secret on the Protect page" in entry.error
    dialogs.will("open_file", wrong)
    person.click("button_open_secret")
    assert not person.session.secrets, "a word written down is no secret"
    dialogs.will("open_file", kept)
    person.click("button_open_secret")
    assert steps(person)[0].parameters == written
    person.click("button_add_to_queue")
    assert person.session.candidates[1].status == "done", person.session.candidates[1].error
    assert secret.hex() not in repr(person.session.secrets)
    dialogs.will("ask", "open")
    person.open(tmp_path / "visits.csv")
    assert not person.session.secrets, "another file begins with a clean desk"
