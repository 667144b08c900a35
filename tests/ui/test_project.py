"""The project file: decisions come back, no data and no key are in it, what is no project is refused in words."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import (
    ColumnSection,
    Condition,
    InputSection,
    PrivacySection,
    Recipe,
    ReleaseSection,
    Rule,
    StepSection,
)
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.ui.state.project import read_project, write_project
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.state.settings import Settings, read_settings, write_settings

CELL = "Zwolle-marker"


@pytest.fixture
def session(tmp_path: Path) -> Session:
    source = tmp_path / "people.csv"
    source.write_text(f"Name,Age,City\nAnn Marker,31,{CELL}\nBob Marker,32,{CELL}\n", "utf-8")
    made = Session()
    reading = read_source(source, InputSection())
    recipe = Recipe(
        recipe=1,
        input=reading.options,
        columns={
            "Name": ColumnSection(role="left-out"),
            "Age": ColumnSection(role="quasi-identifier", kind="numeric"),
            "City": ColumnSection(role="confidential"),
        },
        privacy=PrivacySection(rules=(Rule(where=(Condition(column="Age", at_least=18),), level="strict"),)),
        steps=(StepSection(method="bayes-swap"),),
        release=ReleaseSection(type="internal"),
    )
    made.opened(source, reading, recipe, frozenset({"Age", "City"}))
    made.add_candidate(recipe, Key.fresh(), "2026-01-01T10:00:00")
    return made


def test_decisions_come_back(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.ppdm"
    write_project(path, session, "levels")
    found = read_project(path)
    assert found.recipe == session.decisions.recipe
    assert found.confirmed == session.decisions.confirmed
    assert found.path == session.decisions.path
    assert session.reading is not None
    assert found.sha256 == session.reading.account.sha256
    assert found.page == "levels"
    assert [(name, recipe) for name, recipe, _ in found.candidates] == [("C1", session.candidates[0].recipe)]


def test_no_data_and_no_key_are_in_it(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "p.ppdm"
    write_project(path, session, "levels")
    text = path.read_text("utf-8")
    assert "arker" not in text
    assert CELL not in text
    assert session.candidates[0].key.hex() not in text
    assert sorted(json.loads(text)) == [
        "candidates",
        "confirmed",
        "format",
        "input",
        "log",
        "page",
        "profiles",
        "recipe",
    ]


def test_a_save_replaces_the_file_whole(session: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "p.ppdm"
    write_project(path, session, "levels")
    before = path.read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(InputError) as failed:
        write_project(path, session, "risk")
    assert "No space left" in explain(failed.value)
    assert path.read_bytes() == before
    assert {each.name for each in tmp_path.iterdir()} == {"people.csv", "p.ppdm"}


def test_settings_survive_and_a_damaged_file_means_defaults(tmp_path: Path) -> None:
    settings = Settings(scale=1.5, appearance="dark", copy_original=True, size=(900, 700), record={"dpo": "N. N."})
    write_settings(tmp_path / "new folder", settings)
    assert read_settings(tmp_path / "new folder") == settings
    assert read_settings(tmp_path) == Settings()
    for damaged in (
        "",
        "[]",
        "{",
        '{"scale": "big", "unknown": 1, "plugins": 5}',
        '{"size": [1], "record": {"x": 1, "dpo": 2}}',
        '{"scale": true}',
    ):
        (tmp_path / "settings.json").write_text(damaged, "utf-8")
        found = read_settings(tmp_path)
        assert found.scale in (1.0, True)
        assert (found.plugins, found.size, found.record) == ((), (), {})
