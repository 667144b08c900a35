"""What went before a release: draws counted by the session, releases remembered beside the settings."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from protect_support import at_step
from support import reason_for
from ui_support import Person

from ppdm_desktop.engine.release.evaluate import evaluate as judging
from ppdm_desktop.engine.release.gate.decision import bind_reason, select_needing_reason
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.release.storage.ledger import draw_of, read_ledger
from ppdm_desktop.ui.state.project import read_project, write_project
from ppdm_desktop.ui.state.reading import Opened, read_saved, start_session
from ppdm_desktop.ui.state.session import Session


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    """At Release with a swap chosen and the folder named."""
    person = at_step(window, dialogs, tmp_path, "release")
    person.type("edit_folder", str(tmp_path / "out"))
    return person


@pytest.mark.thorough
def test_draws_of_a_project_are_known_in_the_window_that_opens_it(person: Person, tmp_path: Path) -> None:
    session = person.session
    (draw,) = session.draws
    assert draw == session.chosen.judged.draws[-1]
    path = tmp_path / "one.ppdm"
    write_project(path, session, "release")
    assert read_project(path).draws == (draw,)
    (tmp_path / "settings" / "ledger.json").unlink()
    worse = replace(draw, draw="0" * 64, statuses={"certain-disclosure": "red"})
    document = json.loads(path.read_text("utf-8"))
    document["draws"] = [worse.document()]
    path.write_text(json.dumps(document), encoding="utf-8")
    again = Session()
    opened = read_saved(path)
    assert isinstance(opened, Opened)
    start_session(again, opened)
    assert again.draws == (worse,)
    # Opening counts nothing; the next draw is the second.
    assert not (tmp_path / "settings" / "ledger.json").exists()
    judged = judging.evaluate(session.chosen.candidate, draws=again.draws)
    assert (judged.report.verdict.draws.number, judged.report.verdict.draws.tried) == (2, 2)


@pytest.mark.thorough
def test_a_release_is_remembered_beside_the_settings(person: Person, tmp_path: Path) -> None:
    candidate = person.session.chosen.candidate
    sha256 = candidate.prepared.account.sha256
    checks = person.session.chosen.judged.checks
    reasons = {
        cause.id: bind_reason(reason_for(cause.id), answered, candidate.prepared.type.id, sha256)
        for cause in CAUSES.values()
        if (answered := select_needing_reason(checks, cause))
    }
    person.session.decide_recipe(accept=reasons)
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
    averaging = [each for each in judged.report.verdict.attacks if each.id == "averaging"]
    assert [each.sentence.arguments["releases"] for each in averaging] == [2]
