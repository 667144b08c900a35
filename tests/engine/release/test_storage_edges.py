"""What the parts of storage seldom meet: disks without locks, files that go meanwhile, names that cannot be."""

from __future__ import annotations

import errno
import os
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ppdm_desktop.engine import windows
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.storage import atomic_folder, file_lock, ledger
from ppdm_desktop.engine.release.storage.atomic_folder import bring_back, check_apart, check_target, leftovers, sweep
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.storage.file_lock import locked
from ppdm_desktop.engine.release.storage.ledger import (
    DrawEntry,
    LedgerEntry,
    forget_unfinished,
    read_draws,
    remember_draws,
    remember_release,
    unfinished_folders,
    unfinished_in,
)

DRAW = DrawEntry("a" * 64, (("random-swap", ("Pay",)),), "1" * 64, "2026-03-01", "research", {"linkage": "red"})

# --- the lock ------------------------------------------------------------------------------------


def test_a_disk_that_knows_no_locks_says_so_and_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "none here")

    monkeypatch.setattr("fcntl.flock", refuse)
    with locked(tmp_path / "lock", 0.0) as held:
        assert held is False
    closed = os.open(tmp_path / "other", os.O_RDWR | os.O_CREAT)
    os.close(closed)
    assert os.open(tmp_path / "other", os.O_RDWR) == closed, "no file is left open"
    os.close(closed)


def test_a_lock_whose_file_the_last_holder_removed_is_taken_on_the_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, still = tmp_path / "lock", file_lock._is_still
    asked: list[bool] = []

    def removed_meanwhile(path: Path, file: int) -> bool:
        if not asked:
            path.unlink()
        asked.append(still(path, file))
        return asked[-1]

    monkeypatch.setattr(file_lock, "_is_still", removed_meanwhile)
    with locked(path, 5.0) as held:
        assert held is True
        assert path.exists()
    assert asked == [False, True]
    assert not path.exists()


@pytest.mark.parametrize("is_windows", [True, False])
def test_a_file_that_its_last_holder_is_removing_is_waited_for_on_windows_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_windows: bool
) -> None:
    real, refused = os.open, list[object]()

    def denied_at_first(path: Any, *more: Any) -> int:
        if len(refused) < 2:
            refused.append(path)
            raise PermissionError(errno.EACCES, "going")
        return real(path, *more)

    monkeypatch.setattr(windows, "IS_HERE", is_windows)
    monkeypatch.setattr(os, "open", denied_at_first)
    if is_windows:
        with locked(tmp_path / "lock", 5.0) as held:
            assert held
        assert len(refused) == 2
    else:
        with pytest.raises(PermissionError), locked(tmp_path / "lock", 5.0):
            pass
        assert len(refused) == 1


def test_on_windows_too_the_wait_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any) -> int:
        raise PermissionError(errno.EACCES, "going")

    monkeypatch.setattr(windows, "IS_HERE", True)
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(PermissionError), locked(tmp_path / "lock", 0.0):
        pass


# --- the folder ----------------------------------------------------------------------------------


def refusal(out: Path, source: Path, *, replace: bool = False) -> str:
    with pytest.raises(InputError) as refused:
        check_target(out, source, replace=replace)
    assert refused.value.is_folder == (refused.value.id != "error.export.is-source")
    return refused.value.id


def test_names_that_no_folder_has(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source, elsewhere = tmp_path / "data" / "people.csv", tmp_path / "elsewhere" / "inside"
    elsewhere.mkdir(parents=True)
    source.parent.mkdir()
    source.write_text("a\n1\n")
    assert refusal(tmp_path / "nul\0here", source) == "error.export.no-name"
    assert refusal(elsewhere / "..", source) == "error.export.no-name"
    assert refusal(tmp_path / ("long" * 100), source) == "error.export.name-too-long"
    assert refusal(tmp_path / "not" / "there", source) == "error.export.no-parent"
    assert refusal(source / "below" / "it", source) == "error.export.is-source"
    monkeypatch.setattr(windows, "IS_HERE", True)
    monkeypatch.setattr(windows, "is_too_long", lambda path: True)
    assert refusal(tmp_path / "not" / "there", source) == "error.export.name-too-long"


def test_a_replaced_release_must_be_one_and_must_not_hold_the_source(tmp_path: Path) -> None:
    out, other = tmp_path / "out", tmp_path / "people.csv"
    (out / "internal").mkdir(parents=True)
    (out / "internal" / "manifest.json").write_text("{}")
    inside = out / "internal" / "people.csv"
    inside.write_text("a\n1\n")
    other.hardlink_to(inside)
    assert refusal(out, inside) == "error.export.contains-source"
    assert refusal(out, other, replace=True) == "error.export.contains-source", "the same file under another name"
    inside.unlink()
    check_target(out, other, replace=True)
    assert refusal(out, other) == "error.export.exists"
    (out / "notes.txt").write_text("mine")
    assert refusal(out, other, replace=True) == "error.export.not-a-release"


@pytest.mark.parametrize("place", ["out/release/secret.json", "out/secret.json", "out/internal/a/b.json"])
def test_no_secret_is_written_into_a_release(tmp_path: Path, place: str) -> None:
    (tmp_path / "out" / "internal").mkdir(parents=True)
    check_apart(tmp_path / place)
    (tmp_path / "out" / "internal" / "manifest.json").write_text("{}")
    with pytest.raises(InputError, match=r"error\.recipient\.in-release"):
        check_apart(tmp_path / place)
    check_apart(tmp_path / "secret.json")
    # The half that is kept, moved away from the other.
    (tmp_path / "out" / "internal").rename(tmp_path / "internal")
    with pytest.raises(InputError, match=r"error\.recipient\.in-release"):
        check_apart(tmp_path / "internal" / "deep" / "secret.json")
    (tmp_path / "internal").rename(tmp_path / "others")
    check_apart(tmp_path / "others" / "secret.json")


def left_behind(parent: Path, out: object, *, old: bool = False) -> dict[str, Path]:
    """What an export left: its journal, the folder being made, and an earlier release moved aside."""
    import json

    made = {kind: parent / f".ppdm-{'ab' * 8}.{kind}" for kind in ("lock", "new", "old")}
    made["lock"].write_text(json.dumps(out) if not isinstance(out, str) else out)
    made["new"].mkdir()
    if old:
        made["old"].mkdir()
        (made["old"] / "mark").write_text("earlier")
    return made


@pytest.mark.parametrize("journal", [{"out": "../away"}, {"out": 3}, {}, "no json", ["out"]])
def test_an_old_release_whose_journal_says_nothing_stays_where_it_is(tmp_path: Path, journal: object) -> None:
    made = left_behind(tmp_path, journal, old=True)
    assert bring_back(tmp_path, Disk()) == ()
    (found,) = leftovers(tmp_path)
    sweep(found, Disk())
    assert (made["old"] / "mark").read_text() == "earlier"
    assert made["lock"].exists(), "it is asked about again at the next start"


def test_an_old_release_comes_back_and_is_never_put_over_another(tmp_path: Path) -> None:
    made = left_behind(tmp_path, {"out": "release-1"}, old=True)
    assert bring_back(tmp_path, Disk()) == (tmp_path / "release-1",)
    assert (tmp_path / "release-1" / "mark").read_text() == "earlier"
    assert made["new"].exists(), "nothing is removed"
    made["old"].mkdir()
    assert bring_back(tmp_path, Disk()) == (), "there is one already"
    (found,) = leftovers(tmp_path)
    sweep(found, Disk())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["release-1"]


def test_without_its_journal_only_what_is_new_is_removed(tmp_path: Path) -> None:
    made = left_behind(tmp_path, {"out": "x"}, old=True)
    made["lock"].unlink()
    assert bring_back(tmp_path, Disk()) == ()
    (found,) = leftovers(tmp_path)
    sweep(found, Disk())
    assert [path.name for path in tmp_path.iterdir()] == [made["old"].name]


def test_folders_and_journals_that_cannot_be_opened_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert leftovers(tmp_path / "gone") == ()
    left_behind(tmp_path, {"out": "x"})

    def refused(lock: Path) -> AbstractContextManager[int | None]:
        raise PermissionError(errno.EACCES, "not yours")

    monkeypatch.setattr(atomic_folder, "_held", refused)
    assert leftovers(tmp_path) == (), "who cannot look does not call it abandoned"


# --- the ledger ----------------------------------------------------------------------------------


def test_draws_are_entered_once_with_the_day_on_which_that_began(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    other = replace(DRAW, draw="2" * 64, day="2026-04-02")
    assert read_draws(path) == ()
    remember_draws(path, [DRAW], "2026-03-01")
    before = path.read_bytes()
    remember_draws(path, [DRAW], "2026-05-05")
    assert path.read_bytes() == before, "nothing new, nothing written"
    remember_draws(path, [DRAW, other], "2026-04-02")
    assert read_draws(path) == (DRAW, other)
    assert ledger._read(path).since == "2026-03-01"


def test_a_ledger_keeps_draws_when_releases_come_and_the_other_way(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    entry = LedgerEntry("a" * 64, "b" * 64, "2026-03-01", ("Age",), "1" * 64)
    remember_draws(path, [DRAW], "2026-03-01")
    remember_release(path, entry)
    remember_draws(path, [replace(DRAW, draw="2" * 64)], "2026-03-02")
    assert ledger.read_ledger(path) == (entry,)
    assert [each.draw[0] for each in read_draws(path)] == ["1", "2"]


def test_folders_in_which_work_is_done_are_known_while_it_lasts(tmp_path: Path) -> None:
    path, folder = tmp_path / "ledger.json", tmp_path / "out"
    with unfinished_in(None, folder):
        assert not path.exists()
    with unfinished_in(path, folder), unfinished_in(path, tmp_path / "other"):
        assert unfinished_folders(path) == (folder, tmp_path / "other")
        with unfinished_in(path, folder):
            assert unfinished_folders(path) == (folder, tmp_path / "other"), "each once"
    assert unfinished_folders(path) == ()
    path.write_text("no ledger")
    assert unfinished_folders(path) == ()
    with unfinished_in(path, folder):
        pass
    forget_unfinished(path, [folder])
    assert path.read_text() == "no ledger"
