"""What went before a release: draws counted by the session, releases remembered beside the settings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from ui_support import Person

from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.evaluate import evaluate as judging
from ppdm_desktop.engine.release.storage.ledger import draw_of, read_ledger


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    """At Release with a swap chosen and the folder named."""
    person = at_step(window, dialogs, tmp_path, "release")
    person.type("edit_folder", str(tmp_path / "out"))
    return person


def row(person: Person, check: str) -> Any:
    (found,) = [each for each in person.window._pages["release"]._rows if each.id == check]
    return found


def test_a_candidate_is_attacked_once_and_counted(person: Person) -> None:
    entry = person.session.chosen
    assert entry.judged.report.attacks
    assert entry.judged.report.release.draws_of_this_recipe == 1
    assert entry.judged.report.earlier_releases == []
    assert person.session.draws_of(entry.candidate) == 1
    assert row(person, "redrawn").state == "passed"


def test_drawing_again_is_seen_on_the_page_without_another_attack(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judging, "audit", None)  # whoever attacks again fails
    session = person.session
    for _ in range(5):
        session.count_draw(session.chosen.candidate)
    session.changed()
    person.settle()
    assert not person.sees("strip_release_failed")
    assert row(person, "redrawn").state == "open"
    assert "6" in row(person, "redrawn").sentence


def test_a_release_is_remembered_beside_the_settings(person: Person, tmp_path: Path) -> None:
    candidate = person.session.chosen.candidate
    sha256 = candidate.prepared.account.sha256
    reasons = {
        each.id: AcceptSection(reason=f"invented people, nothing to fear from {each.id}", input=sha256)
        for each in person.window._pages["release"]._rows
        if each.state == "open"
    }
    person.session.decide_recipe("Reasons", accept=reasons)
    person.click("button_write_release")
    assert person.sees("panel_done")
    (entry,) = read_ledger(tmp_path / "settings" / "ledger.json")
    assert entry.draw == draw_of(candidate)
    assert entry.input_sha256 == candidate.prepared.account.sha256
    # Written before, this very candidate is no other release; one drawn anew is.
    person.click("button_new_release")
    person.window._pages["protect"].queue.again(person.session.chosen)
    person.settle()
    judged = person.session.chosen.judged
    assert judged.report.release.draws_of_this_recipe == 2
    assert len(judged.report.earlier_releases) == 1
    (check,) = [each for each in judged.checks if each.id == "earlier-release"]
    assert check.status == "amber"
    averaging = [each for each in judged.report.attacks if each.id == "averaging"]
    assert [each.sentence.arguments["releases"] for each in averaging] == [2]
