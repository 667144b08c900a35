"""Suggested versions as a person meets them: planned, shown as they are found, queued, run with the planned key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from protect_support import EndlessMethod
from ui_support import Person, go_through, wait_until

from ppdm_desktop.engine.methods.base.families import Family
from ppdm_desktop.engine.methods.base.registry import METHODS

ROLES = {"quasi-identifier": ("age", "city"), "confidential": ("illness",)}


class Endless(EndlessMethod):
    """Is planned with, and never ends."""

    family = Family.GROUPS


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    draw, rows = np.random.default_rng(5), 300
    columns = draw.integers(18, 60, rows), draw.choice(["Delft", "Ghent"], rows), draw.choice(["flu", "cold"], rows)
    lines = ["age,city,illness", *(",".join(map(str, row)) for row in zip(*columns, strict=True))]
    path = tmp_path / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    person = Person(window, dialogs)
    go_through(person, path, ROLES, until="protect")
    return person


def shown(person: Person) -> list[str]:
    """Return the lines that name a version; below each stands what it keeps and loses."""
    return [line for line in person.words("label_suggested").splitlines() if line[:1].isdigit()]


def test_versions_are_queued_and_run_as_they_were_planned(person: Person) -> None:
    part = person.window.findChild(object, "part_suggest")
    person.click("button_suggest")
    planned = part.chosen
    assert len(shown(person)) == len(planned) >= 2
    assert Family.TRUE_VALUES in {version.family for version in planned}
    assert "Kept: age" in person.words("label_suggested")
    person.choose("combo_suggest_count", "1")
    person.click("button_queue_suggested")
    (entry,) = person.session.candidates
    assert entry.status == "done"
    assert entry.key == planned[0].key
    run = entry.judged.report.verdict
    assert run.data_sha256 == planned[0].verdict.data_sha256
    assert not {check.id for check in run.blocking}
    assert run.reasons_to_write == planned[0].verdict.reasons_to_write
    person.click("button_suggest")
    assert all(version.steps != planned[0].steps for version in part.chosen)


def test_cancel_keeps_what_was_found(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    methods = {id: method for id, method in METHODS.all().items() if method.family is not Family.GROUPS}
    monkeypatch.setattr(METHODS, "_found", methods | {Endless.id: Endless()})
    person.click("button_suggest", settle=False)
    wait_until(lambda: len(shown(person)) == 1)
    person.click("button_cancel_suggest")
    person.settle()
    assert len(shown(person)) == 1
    assert person.see("button_queue_suggested").isEnabled()
