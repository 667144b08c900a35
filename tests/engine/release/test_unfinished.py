"""What runs that were cut short leave is found by its place, named, brought back, and swept when asked."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.private import PrivateFolder, abandoned_folders
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.storage.ledger import note_unfinished, unfinished_folders
from ppdm_desktop.engine.release.storage.unfinished import (
    Unfinished,
    find_unfinished,
    move_back_releases,
    remove_unfinished,
)
from ppdm_desktop.engine.release.writing import disk_and_memory
from ppdm_desktop.engine.release.writing.disk_and_memory import bytes_needed, check_folder, free_memory, memory_note
from ppdm_desktop.engine.wording.texts import explain, render

TOKEN = "0123456789abcdef"

pytestmark = pytest.mark.usefixtures("temporary")


def interrupted(parent: Path, *kinds: str, out: str = "out") -> None:
    """Leave what a release leaves that is ended at once."""
    parent.mkdir(exist_ok=True)
    for kind in kinds:
        folder = parent / f".ppdm-{TOKEN}.{kind}"
        (folder / "internal").mkdir(parents=True)
        (folder / "internal" / "release.key").write_text(kind, "utf-8")
    (parent / f".ppdm-{TOKEN}.lock").write_text(json.dumps({"out": out}), "utf-8")


def cut_short(ledger: Path, parent: Path) -> None:
    """Have the ledger know a folder in which a release was being made when the process ended."""
    with note_unfinished(ledger, parent):
        kept = ledger.read_bytes()
    ledger.write_bytes(kept)


def test_the_ledger_leads_to_a_release_that_was_being_replaced(tmp_path: Path) -> None:
    ledger, parent = tmp_path / "own" / "ledger.json", tmp_path / "far"
    interrupted(parent, "new", "old")
    cut_short(ledger, parent)
    assert unfinished_folders(ledger) == (parent,)
    assert move_back_releases(ledger) == (parent / "out",)
    assert (parent / "out" / "internal" / "release.key").read_text("utf-8") == "old"
    assert move_back_releases(ledger) == ()
    found = find_unfinished(ledger)
    assert {path.name for path in found.paths} == {f".ppdm-{TOKEN}.new", f".ppdm-{TOKEN}.lock"}
    assert unfinished_folders(ledger) == (parent,), "it is looked at again as long as something lies there"
    assert remove_unfinished(found, ledger) == ()
    assert [path.name for path in parent.iterdir()] == ["out"]
    assert unfinished_folders(ledger) == ()


NAMES = ('"../x"', '""', '".."', r'"\u0000"', "1")


@pytest.mark.parametrize("journal", ["", "{", "[" * 9999, "{}", '["out"]', *(f'{{"out": {name}}}' for name in NAMES)])
def test_a_journal_that_says_nothing_moves_nothing(tmp_path: Path, journal: str) -> None:
    parent = tmp_path / "p"
    interrupted(parent, "old")
    (parent / f".ppdm-{TOKEN}.lock").write_text(journal, "utf-8")
    assert move_back_releases(None, [parent]) == ()
    left = remove_unfinished(find_unfinished(None, [parent]), None)
    assert parent / f".ppdm-{TOKEN}.old" in left, "a release whose place nobody knows is kept, and named"
    assert (parent / f".ppdm-{TOKEN}.old" / "internal" / "release.key").read_text("utf-8") == "old"
    assert (parent / f".ppdm-{TOKEN}.lock").exists(), "it is asked about again at the next start"


def test_what_a_living_process_works_on_is_none_of_it() -> None:
    private = PrivateFolder("desktop")
    assert abandoned_folders() == ()
    private.remove()
    assert not private.path.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="what is open goes with its process there")
def test_a_private_folder_of_a_dead_run_is_found(temporary: Path, tmp_path: Path) -> None:
    private = PrivateFolder("self-test")
    (private.path / "original.csv").write_text("x", "utf-8")
    os.close(private._lock)  # as the system does when the process ends
    private._lock = -1
    (temporary / "ppdm-desktop-link").symlink_to(tmp_path)
    (temporary / "ppdm-desktop-other").mkdir()
    (temporary / "other-folder").mkdir()
    found = find_unfinished(None)
    assert found.folders == (private.path,)
    assert remove_unfinished(found, None) == ()
    assert {path.name for path in temporary.iterdir()} == {"ppdm-desktop-link", "ppdm-desktop-other", "other-folder"}
    assert tmp_path.is_dir()


def test_a_place_where_nothing_is_left_is_looked_at_once(tmp_path: Path) -> None:
    ledger, parent = tmp_path / "own" / "ledger.json", tmp_path / "far"
    parent.mkdir()
    cut_short(ledger, parent)
    assert find_unfinished(ledger).releases == ()
    assert unfinished_folders(ledger) == ()


def test_a_folder_that_somebody_else_removed_keeps_none_of_the_others(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    assert remove_unfinished(Unfinished((), (tmp_path / "gone", there)), None) == ()
    assert not there.exists()


def test_a_drive_that_is_gone_is_asked_again(tmp_path: Path) -> None:
    ledger, parent = tmp_path / "ledger.json", tmp_path / "stick"
    interrupted(parent, "old")
    cut_short(ledger, parent)
    shutil.move(parent, tmp_path / "away")
    assert move_back_releases(ledger) == ()
    assert find_unfinished(ledger).paths == ()
    shutil.move(tmp_path / "away", parent)
    assert move_back_releases(ledger) == (parent / "out",)


def test_a_ledger_that_cannot_be_read_holds_nothing_up(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    ledger.write_text("{", "utf-8")
    assert move_back_releases(ledger) == ()


# --- before the work ---------------------------------------------------------------------------


def test_a_place_that_cannot_be_written_is_refused_before_the_work(tmp_path: Path) -> None:
    class Closed(Disk):
        def create(self, path: Path) -> int:
            raise PermissionError(13, "Permission denied")

    source = tmp_path / "people.csv"
    source.write_bytes(b"x" * 1000)
    with pytest.raises(InputError, match="not-writable"):
        check_folder(tmp_path / "out", source, Closed())
    check_folder(tmp_path / "out", source)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["people.csv"]


def test_too_little_room_is_said_with_both_figures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "people.csv"
    source.write_bytes(b"x" * 2**20)
    needed = bytes_needed(source)
    assert needed == 1.5 * (disk_and_memory.BYTES_OF_DOCUMENTS + 2 * 2**20)
    free = [needed]
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=free[0]))
    check_folder(tmp_path / "out", source)
    free[0] -= 1
    with pytest.raises(InputError) as refused:
        check_folder(tmp_path / "out", source)
    assert "12 MB" in explain(refused.value)
    assert "11 MB" in explain(refused.value)


def test_memory_is_held_against_what_is_free(monkeypatch: pytest.MonkeyPatch) -> None:
    free = free_memory()
    assert free is None or free > 0
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: 2**30)
    assert memory_note(1000, 10, 1) is None
    note = memory_note(10**6, 10, 2)
    assert note is not None
    assert "1024 MB" in render(note.id, note.arguments).sentence.replace(",", "")
    monkeypatch.setattr(disk_and_memory, "free_memory", lambda: None)
    assert memory_note(10**9, 10, 2) is None
