"""The project file: decisions come back, no data and no key are in it, what is no project is refused in words."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from ppdm_desktop.engine.errors import InputError, PpdmError
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
from ppdm_desktop.ui.state.project import project_document, read_project, write_project
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
    made.queue(recipe, Key.fresh(), "2026-01-01T10:00:00")
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


def test_nothing_to_save_before_a_file_is_open() -> None:
    with pytest.raises(ValueError, match="nothing to save"):
        project_document(Session(), "open")


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


def _edit(path: Path, **changes: object) -> bytes:
    document = json.loads(path.read_text("utf-8"))
    for key, value in changes.items():
        if value is None:
            document.pop(key)
        else:
            document[key] = value
    return json.dumps(document).encode()


NO_PROJECTS: dict[str, Callable[[Path], bytes]] = {
    "empty": lambda good: b"",
    "binary": lambda good: b"\xff\xfe\x00PK",
    "list": lambda good: b"[]",
    "number": lambda good: b"1",
    "old": lambda good: _edit(good, format=0),
    "new": lambda good: _edit(good, format=2),
    "no format": lambda good: _edit(good, format=None),
    "no input": lambda good: _edit(good, input=None),
    "input text": lambda good: _edit(good, input="people.csv"),
    "recipe": lambda good: _edit(good, recipe={"recipe": 1, "colunms": {}}),
    "candidates": lambda good: _edit(good, candidates=[1]),
    "sweep": lambda good: _edit(good, sweep={"repeats": 3}),
    "sweep key": lambda good: _edit(good, sweep={"over": "share=0.2", "repeat": 3}),
}


@pytest.mark.parametrize("case", NO_PROJECTS)
def test_what_is_no_project_is_refused_in_words(session: Session, tmp_path: Path, case: str) -> None:
    good = tmp_path / "good.ppdm"
    write_project(good, session, "levels")
    path = tmp_path / "bad.ppdm"
    path.write_bytes(NO_PROJECTS[case](good))
    with pytest.raises(PpdmError) as failed:
        read_project(path)
    said = explain(failed.value)
    assert "bad.ppdm" in said
    assert len(said) > 30


def test_a_missing_or_huge_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_project(tmp_path / "nope.ppdm")
    huge = tmp_path / "huge.ppdm"
    with huge.open("wb") as file:
        file.truncate(2**30)
    with pytest.raises(InputError):
        read_project(huge)
    with pytest.raises(InputError):
        read_project(tmp_path)


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
