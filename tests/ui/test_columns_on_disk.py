"""A file whose versions may not fit in memory: its columns lie on the disk, and the window shows and makes the same."""

from __future__ import annotations

import gc
from pathlib import Path
from types import SimpleNamespace

import pytest
from protect_support import small_csv

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.writing import disk_and_memory
from ppdm_desktop.engine.table.stored.code_store import StoredColumn, lies_on_disk
from ppdm_desktop.ui.state.reading import read_file

pytestmark = pytest.mark.usefixtures("temporary")


def columns_in(place: Path) -> list[Path]:
    gc.collect()
    return sorted(place.glob("ppdm-columns-*"))


def test_little_memory_puts_the_columns_of_an_opened_file_on_the_disk(
    tmp_path: Path, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = small_csv(tmp_path)
    here = read_file(source)
    assert not lies_on_disk(here.reading.table)
    needed = disk_and_memory.BYTES_ALWAYS + disk_and_memory.JUDGED_TIMES * source.stat().st_size
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: 2 * needed)
    assert not lies_on_disk(read_file(source).reading.table)
    # One version may take half of what is free.
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: 2 * needed - 2)
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
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: 0)
    monkeypatch.setattr(
        "shutil.disk_usage", lambda path: SimpleNamespace(total=0, used=0, free=disk_and_memory.STORED_ALWAYS)
    )
    with pytest.raises(InputError) as caught:
        read_file(source)
    assert caught.value.id == "error.stored.no-room"
    assert columns_in(temporary) == []
