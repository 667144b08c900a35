"""Each file is on the disk before it takes its place, and its name after; only its owner may read what is private."""

from __future__ import annotations

import ctypes
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from operations import Recorder

from ppdm_desktop.engine import windows
from ppdm_desktop.engine.files import saving
from ppdm_desktop.engine.files.exchange import exchange
from ppdm_desktop.engine.release.storage.atomic_folder import make_staging_folder
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.storage.ledger import LedgerEntry, remember_release
from ppdm_desktop.engine.release.writing.zip import pack_release
from ppdm_desktop.engine.secret_files import create_recipient_secret
from ppdm_desktop.ui.state.settings import Settings, write_settings


def _ledger(folder: Path) -> None:
    remember_release(folder / "own" / "ledger.json", LedgerEntry("a", "b", "2026-01-02", ("x",), "c", (), None))


def _release(folder: Path) -> None:
    for name in ("one", "two"):  # the second replaces the first
        with make_staging_folder(folder / "out", Disk()) as made:
            for place in ("release", "internal"):
                made.add_folder(place)
                made.add(f"{place}/data.csv", name.encode())
            made.commit(replace=True)


def _release_by_the_journal(folder: Path) -> None:
    class Old(Disk):
        def exchange(self, one: Path, other: Path) -> bool:
            return False

    for name in ("one", "two"):
        with make_staging_folder(folder / "out", Old()) as made:
            made.add_folder("release")
            made.add("release/data.csv", name.encode())
            made.commit(replace=True)


def _zip(folder: Path) -> None:
    (folder / "out" / "release").mkdir(parents=True)
    (folder / "out" / "release" / "data.csv").write_bytes(b"x")
    pack_release(folder / "out", folder / "out.zip")


SAVINGS: dict[str, Callable[[Path], object]] = {
    "settings": lambda folder: write_settings(folder, Settings()),
    "ledger": _ledger,
    "release": _release,
    "release by the journal": _release_by_the_journal,
    "zip": _zip,
    "any file": lambda folder: saving.save_whole(folder / "x", b"x"),
}


@pytest.mark.parametrize("name", SAVINGS)
def test_everything_is_flushed_before_it_takes_its_place(tmp_path: Path, name: str) -> None:
    recorder = Recorder()
    with recorder.watching():
        SAVINGS[name](tmp_path)
    assert {"write", "sync"} <= {what for what, _, _ in recorder.events}
    assert [each for each in recorder.events if each[0] in ("rename", "swap")]
    assert recorder.unsafe() == []


@pytest.mark.parametrize("name", SAVINGS)
def test_a_file_that_is_not_flushed_would_be_seen(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    with recorder.watching():
        monkeypatch.setattr(os, "fsync", lambda number: None)
        SAVINGS[name](tmp_path)
    assert recorder.unsafe()


def test_a_new_secret_is_on_the_disk_with_its_name(tmp_path: Path) -> None:
    recorder = Recorder()
    with recorder.watching():
        create_recipient_secret(tmp_path / "s.key")
    synced = [path for what, path, _ in recorder.events if what == "sync"]
    assert synced == [str(tmp_path / "s.key"), str(tmp_path)][: 1 if windows.IS_HERE else 2]


@pytest.mark.skipif(os.name == "nt", reason="Windows knows no modes")
def test_what_is_private_is_its_owners_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        _ledger(tmp_path)
        write_settings(tmp_path / "own", Settings())
        saving.save_whole(tmp_path / "open", b"x", private=False)
        loose = tmp_path / "loose"
        loose.mkdir(mode=0o755)
        saving.make_private_folder(loose)
    finally:
        os.umask(before)
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in tmp_path.rglob("*")}
    assert modes == {
        "own": 0o700,
        "ledger.json": 0o600,
        "settings.json": 0o600,
        "open": 0o666,
        "loose": 0o700,
    }


@pytest.mark.skipif(os.name == "nt", reason="Windows inherits who may enter from the folder above")
def test_a_folder_of_ones_own_lets_nobody_else_in(tmp_path: Path) -> None:
    for name, make in (("private", Disk().make_folder), ("own", Disk().make_own_folder)):
        make(tmp_path / name)
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o700


def test_the_time_of_a_released_file_tells_nothing(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"x")
    Disk().set_time(tmp_path / "x")
    assert (tmp_path / "x").stat().st_mtime == 946_684_800, "the first second of the year 2000"


def test_a_save_that_fails_leaves_the_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    saving.save_whole(path, b"old")

    def full(*given: object) -> int:
        raise OSError(28, "No space left on device")

    for name in ("write", "fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, full)
            with pytest.raises(OSError, match="No space"):
                saving.save_whole(path, b"new")
        assert [each.name for each in tmp_path.iterdir()] == ["x"]
        assert path.read_bytes() == b"old"


def test_a_file_that_windows_holds_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried, waits, replace = list[int](), list[float](), os.replace

    def held(old: Path, new: Path) -> None:
        tried.append(1)
        if len(tried) < 4:
            raise PermissionError(13, "held by a scanner")
        replace(old, new)

    monkeypatch.setattr(os, "replace", held)
    monkeypatch.setattr(time, "sleep", waits.append)
    monkeypatch.setattr(windows, "IS_HERE", False)
    (tmp_path / "new").write_bytes(b"x")
    with pytest.raises(PermissionError):
        saving.replace_file(tmp_path / "new", tmp_path / "x")
    assert len(tried) == 1, "elsewhere a refusal is one"
    monkeypatch.setattr(windows, "IS_HERE", True)
    tried.clear()
    saving.replace_file(tmp_path / "new", tmp_path / "x")
    assert waits == [0.25] * 3
    tried.append(-100)
    monkeypatch.setattr(os, "replace", lambda old, new: (_ for _ in ()).throw(PermissionError(13, "held")))
    with pytest.raises(PermissionError):
        saving.replace_file(tmp_path / "x", tmp_path / "y")
    assert sum(waits) == pytest.approx(3 * 0.25 + 9 * 0.25)


def opened_alone(path: Path) -> Callable[[], object]:
    """Open a file as a program does that shares it with nobody, and return what closes it again."""
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)  # type: ignore[attr-defined,unused-ignore]
    kernel.CreateFileW.restype = ctypes.c_void_p
    read, open_existing = 0x80000000, 3
    handle = kernel.CreateFileW(str(path), read, 0, None, open_existing, 0, None)
    assert handle != ctypes.c_void_p(-1).value, "not opened"
    return lambda: kernel.CloseHandle(ctypes.c_void_p(handle))


@pytest.mark.skipif(not windows.IS_HERE, reason="elsewhere no program keeps others from a file it has open")
def test_a_file_that_is_really_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, waits = tmp_path / "x", list[float]()
    path.write_bytes(b"old")
    close = opened_alone(path)
    monkeypatch.setattr(time, "sleep", waits.append)
    with pytest.raises(PermissionError):
        saving.save_whole(path, b"new")
    assert len(waits) == 9
    close()
    assert path.read_bytes() == b"old"
    assert [each.name for each in tmp_path.iterdir()] == ["x"]
    close = opened_alone(path)
    monkeypatch.setattr(time, "sleep", lambda seconds: close())
    saving.save_whole(path, b"new")
    assert path.read_bytes() == b"new"


def test_an_exchange_says_where_it_cannot_be_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "one").mkdir()
    if not windows.IS_HERE:
        with pytest.raises(FileNotFoundError):
            exchange(tmp_path / "one", tmp_path / "none")
    monkeypatch.setattr("sys.platform", "win32")
    assert not exchange(tmp_path / "one", tmp_path / "none")
