"""A file whose versions may not fit in memory: its columns lie on the disk, and the window shows and makes the same."""

from __future__ import annotations

import gc
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from protect_support import ROLES, small_csv
from ui_support import FakeDialogs, Person, go_through

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.writing import room
from ppdm_desktop.engine.table.stored.code_store import StoredColumn, lies_on_disk
from ppdm_desktop.ui.state.reading import read_file


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    return place


def columns_in(place: Path) -> list[Path]:
    gc.collect()
    return sorted(place.glob("ppdm-columns-*"))


def test_little_memory_puts_the_columns_of_an_opened_file_on_the_disk(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = small_csv(tmp_path)
    here = read_file(source)
    assert not lies_on_disk(here.reading.table)
    needed = room.BYTES_ALWAYS + room.JUDGED_TIMES * source.stat().st_size
    monkeypatch.setattr(room, "free_memory", lambda: 2 * needed)
    assert not lies_on_disk(read_file(source).reading.table)
    # One version may take half of what is free.
    monkeypatch.setattr(room, "free_memory", lambda: 2 * needed - 2)
    there = read_file(source)
    assert all(isinstance(column, StoredColumn) for column in there.reading.table.columns)
    assert [each.values() for each in there.reading.table.columns] == [
        each.values() for each in here.reading.table.columns
    ]
    assert there.facts == here.facts
    assert len(columns_in(temporary)) == 1
    del there
    assert columns_in(temporary) == []


def test_no_room_on_the_disk_is_said(tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = small_csv(tmp_path)
    monkeypatch.setattr(room, "free_memory", lambda: 0)
    monkeypatch.setattr("shutil.disk_usage", lambda path: SimpleNamespace(total=0, used=0, free=room.STORED_ALWAYS))
    with pytest.raises(InputError) as caught:
        read_file(source)
    assert caught.value.id == "error.stored.no-room"
    assert columns_in(temporary) == []


@pytest.mark.thorough
def test_a_version_that_would_not_fit_is_refused_before_anything_is_drawn(
    window: Any, dialogs: FakeDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = Person(window, dialogs)
    source = small_csv(tmp_path)
    monkeypatch.setattr(room, "free_memory", lambda: room.STORED_JUDGED_ALWAYS)
    go_through(person, source, ROLES, until="protect")
    assert lies_on_disk(person.session.reading.table)
    person.click("button_build_own")
    person.click("method_random-swap")
    person.click("button_use_method")
    person.click("button_add_to_queue")
    (entry,) = person.session.candidates
    assert entry.status == "failed"
    assert "memory" in entry.error
    assert not person.session.draws
    monkeypatch.setattr(room, "free_memory", lambda: 2 * room.STORED_JUDGED_ALWAYS)
    person.click(f"button_again_{entry.name}")
    assert entry.status == "done"
    assert all(isinstance(column, StoredColumn) for column in entry.candidate.released.columns)
