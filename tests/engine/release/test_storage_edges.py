"""What the parts of storage seldom meet: disks without locks, files that go meanwhile, names that cannot be."""

from __future__ import annotations

import errno
import json
import os
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from gate_cases import make_candidate

from ppdm_desktop.engine import windows
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.storage import atomic_folder, file_lock, ledger
from ppdm_desktop.engine.release.storage.atomic_folder import (
    bring_back,
    check_apart,
    check_target,
    find_leftovers,
    make_staging_folder,
    recover,
    remove_leftover,
)
from ppdm_desktop.engine.release.storage.disk import NEUTRAL_TIME, Disk
from ppdm_desktop.engine.release.storage.file_lock import hold_lock
from ppdm_desktop.engine.release.storage.ledger import (
    DrawEntry,
    History,
    LedgerEntry,
    draw_of,
    drawing_steps,
    forget_unfinished,
    history_of,
    note_unfinished,
    read_draws,
    remember,
    remember_draws,
    remember_release,
    unfinished_folders,
)
from ppdm_desktop.engine.release.storage.unfinished import find_unfinished
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Term

DRAW = DrawEntry("a" * 64, (("random-swap", ("Pay",)),), "1" * 64, "2026-03-01", "research", {"linkage": "red"})

# --- the lock ------------------------------------------------------------------------------------


def test_a_disk_that_knows_no_locks_says_so_and_is_written_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "none here")

    monkeypatch.setattr("fcntl.flock", refuse)
    before = os.open(tmp_path / "other", os.O_RDWR | os.O_CREAT)
    os.close(before)
    with hold_lock(tmp_path / "lock", 0.0) as held:
        assert held is False
    after = os.open(tmp_path / "other", os.O_RDWR)
    os.close(after)
    assert after == before, "no file is left open"


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such rights")
def test_nobody_else_can_hold_up_a_release_by_its_lock(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        with hold_lock(tmp_path / "lock", 0.0):
            assert (tmp_path / "lock").stat().st_mode & 0o777 == 0o600
    finally:
        os.umask(before)


def test_a_lock_whose_file_the_last_holder_removed_is_taken_on_the_new_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, still = tmp_path / "lock", file_lock._is_same_file
    asked: list[bool] = []

    def removed_meanwhile(path: Path, file: int) -> bool:
        if not asked:
            path.unlink()
        asked.append(still(path, file))
        return asked[-1]

    monkeypatch.setattr(file_lock, "_is_same_file", removed_meanwhile)
    with hold_lock(path, 5.0) as held:
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
        with hold_lock(tmp_path / "lock", 5.0) as held:
            assert held
        assert len(refused) == 2
    else:
        with pytest.raises(PermissionError), hold_lock(tmp_path / "lock", 5.0):
            pass
        assert len(refused) == 1


def test_on_windows_too_the_wait_has_an_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: Any) -> int:
        raise PermissionError(errno.EACCES, "going")

    monkeypatch.setattr(windows, "IS_HERE", True)
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(PermissionError), hold_lock(tmp_path / "lock", 0.0):
        pass


def test_a_file_that_is_written_is_closed_also_where_it_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    disk = Disk()

    def next_number() -> int:
        number = os.open(tmp_path / "other", os.O_RDWR | os.O_CREAT)
        os.close(number)
        return number

    before = next_number()
    disk.write_file(tmp_path / "a", b"bytes")
    assert next_number() == before

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(disk, "sync", full)
    with pytest.raises(OSError, match="full"):
        disk.write_file(tmp_path / "b", b"bytes")
    assert next_number() == before


@pytest.mark.parametrize("when_closed", [True, False, None])
def test_a_lock_is_removed_while_it_is_held_but_on_windows_after_it_was_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when_closed: bool | None
) -> None:
    path, done = tmp_path / "lock", list[tuple[str, bool]]()
    close, remove = os.close, file_lock._remove_lock_file

    def closing(file: int) -> None:
        done.append(("close", path.exists()))
        close(file)

    def removing(path: Path) -> None:
        done.append(("remove", path.exists()))
        remove(path)

    if when_closed is None:
        when_closed = windows.IS_HERE
    else:
        monkeypatch.setattr(file_lock, "_REMOVED_WHEN_CLOSED", when_closed)
    monkeypatch.setattr(os, "close", closing)
    monkeypatch.setattr(file_lock, "_remove_lock_file", removing)
    with hold_lock(path, 0.0) as held:
        assert held is True
    monkeypatch.undo()
    assert done == ([("close", True), ("remove", True)] if when_closed else [("remove", True), ("close", False)])
    assert not path.exists()


def test_a_lock_that_others_hold_is_not_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lock"
    for when_closed in (True, False):
        monkeypatch.setattr(file_lock, "_REMOVED_WHEN_CLOSED", when_closed)
        with hold_lock(path, 0.0):
            with pytest.raises(TimeoutError), hold_lock(path, 0.0):
                pytest.fail("it was given twice")
            assert path.exists()


# --- the folder ----------------------------------------------------------------------------------


def refusal(out: Path, source: Path, *, replace: bool = False) -> str:
    with pytest.raises(InputError) as refused:
        check_target(out, source, replace=replace)
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
    made = {kind: parent / f".ppdm-{'ab' * 8}.{kind}" for kind in ("lock", "new", "old")}
    made["lock"].write_text(json.dumps(out) if not isinstance(out, str) else out)
    made["new"].mkdir()
    if old:
        made["old"].mkdir()
        (made["old"] / "mark").write_text("earlier")
    return made


def test_an_old_release_comes_back_and_is_never_put_over_another(tmp_path: Path) -> None:
    made = left_behind(tmp_path, {"out": "release-1"}, old=True)
    assert bring_back(tmp_path, Disk()) == (tmp_path / "release-1",)
    assert (tmp_path / "release-1" / "mark").read_text() == "earlier"
    assert made["new"].exists(), "nothing is removed"
    made["old"].mkdir()
    (tmp_path / "release-1" / "mark").unlink()  # a system puts a folder over an empty one without a word
    assert bring_back(tmp_path, Disk()) == (), "there is one already"
    (tmp_path / "release-1" / "mark").write_text("later")
    (found,) = find_leftovers(tmp_path)
    remove_leftover(found, Disk())
    assert sorted(path.name for path in tmp_path.iterdir()) == ["release-1"]


def test_without_its_journal_only_what_is_new_is_removed(tmp_path: Path) -> None:
    made = left_behind(tmp_path, {"out": "x"}, old=True)
    made["lock"].unlink()
    assert bring_back(tmp_path, Disk()) == ()
    (found,) = find_leftovers(tmp_path)
    remove_leftover(found, Disk())
    assert [path.name for path in tmp_path.iterdir()] == [made["old"].name]


def test_folders_and_journals_that_cannot_be_opened_are_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert find_leftovers(tmp_path / "gone") == ()
    left_behind(tmp_path, {"out": "x"})

    def refused(lock: Path) -> AbstractContextManager[int | None]:
        raise PermissionError(errno.EACCES, "not yours")

    monkeypatch.setattr(atomic_folder, "_hold_lock", refused)
    assert find_leftovers(tmp_path) == (), "who cannot look does not call it abandoned"


def test_an_old_release_is_put_back_before_the_rest_goes(tmp_path: Path) -> None:
    made, done = left_behind(tmp_path, {"out": "release-1"}, old=True), list[tuple[str, Path]]()

    class Noting(Disk):
        def rename(self, old: Path, new: Path) -> None:
            done.append(("rename", new))
            super().rename(old, new)

        def sync_folder(self, path: Path) -> None:
            done.append(("sync", path))
            super().sync_folder(path)

        def remove_file(self, path: Path) -> None:
            done.append(("remove", path))
            super().remove_file(path)

    (found,) = find_leftovers(tmp_path)
    remove_leftover(found, Noting())
    assert [path.name for path in tmp_path.iterdir()] == ["release-1"]
    assert (tmp_path / "release-1" / "mark").read_text() == "earlier"
    # The journal is what a power cut would need, so that it goes when the name is on the disk.
    assert done == [("rename", tmp_path / "release-1"), ("sync", tmp_path), ("remove", made["lock"])]


class ByTheJournal(Disk):
    """A system that cannot let two folders change places, and refuses a rename that is asked for."""

    def __init__(self, refuse: str = "", error: OSError | None = None) -> None:
        self.refuse, self.error = refuse, error

    def exchange(self, one: Path, other: Path) -> bool:
        return False

    def rename(self, old: Path, new: Path) -> None:
        if self.error is not None and self.refuse == old.suffix:
            raise self.error
        super().rename(old, new)


def denied(winerror: int | None = None) -> OSError:
    error = OSError(errno.EACCES, "refused")
    if winerror is not None:
        error.winerror = winerror  # type: ignore[attr-defined,unused-ignore]
    return error


def release_of(out: Path, mark: str, disk: Disk) -> None:
    with make_staging_folder(out, disk) as made:
        made.add_folder("release")
        made.add("release/mark", mark.encode())
        made.commit(replace=True)


def test_every_file_and_folder_of_a_release_has_the_same_time(tmp_path: Path) -> None:
    release_of(tmp_path / "out", "first", Disk())
    found = {path.name: path.stat().st_mtime for path in [tmp_path / "out", *(tmp_path / "out").rglob("*")]}
    assert found == dict.fromkeys(("out", "release", "mark"), NEUTRAL_TIME)


@pytest.mark.parametrize("renamed", ["", ".new"])
@pytest.mark.parametrize(
    ("winerror", "id"), [(None, "error.export.not-writable"), (5, "error.export.held"), (32, "error.export.held")]
)
def test_a_refused_rename_leaves_the_release_that_was_there(
    tmp_path: Path, renamed: str, winerror: int | None, id: str
) -> None:
    out = tmp_path / "out"
    release_of(out, "earlier", ByTheJournal())
    with pytest.raises(InputError) as said:
        release_of(out, "later", ByTheJournal(renamed, denied(winerror)))
    assert (said.value.id, said.value.file) == (id, str(out))
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (out / "release" / "mark").read_text() == "earlier"
    release_of(out, "later", ByTheJournal())
    assert (out / "release" / "mark").read_text() == "later"


def test_a_flush_that_fails_between_two_renames_brings_the_old_one_back(tmp_path: Path) -> None:
    class Failing(ByTheJournal):
        def sync_folder(self, path: Path) -> None:
            if any(inside.suffix == ".old" for inside in path.iterdir()):
                raise OSError(errno.EIO, os.strerror(errno.EIO))

    out = tmp_path / "out"
    release_of(out, "earlier", ByTheJournal())
    with pytest.raises(InputError):
        release_of(out, "later", Failing())
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    assert (out / "release" / "mark").read_text() == "earlier"


@pytest.mark.parametrize(("winerror", "id"), [(None, "error.export.not-writable"), (5, "error.export.held")])
def test_a_refused_first_rename_leaves_nothing(tmp_path: Path, winerror: int | None, id: str) -> None:
    with pytest.raises(InputError) as said:
        release_of(tmp_path / "out", "first", ByTheJournal(".new", denied(winerror)))
    assert said.value.id == id
    assert list(tmp_path.iterdir()) == []


def test_a_journal_that_another_process_swept_is_written_anew(tmp_path: Path) -> None:
    made, closed = list[Path](), list[int]()

    class Swept(Disk):
        def create(self, path: Path) -> int:
            made.append(path)
            closed.append(super().create(path))
            return closed[-1]

        def sync(self, descriptor: int) -> None:
            super().sync(descriptor)
            if len(made) < 3:
                made[-1].unlink()

    with make_staging_folder(tmp_path / "out", Swept()) as folder:
        *gone, kept = made
        assert len(gone) == 2
        assert kept.exists()
        assert kept.with_suffix(".new") == folder.path
        assert json.loads(kept.read_text()) == {"out": "out"}
        assert find_leftovers(tmp_path) == (), "it is held"
        for descriptor in closed[:-1]:
            assert descriptor == closed[-1] or not is_open(descriptor)
    assert not is_open(closed[-1])
    assert list(tmp_path.iterdir()) == []


def is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


@pytest.mark.parametrize(
    ("number", "winerror", "id"),
    [
        (errno.EACCES, 32, "error.export.held"),
        (errno.EACCES, 33, "error.export.held"),
        (errno.EACCES, 1224, "error.export.held"),
        (errno.ENOSPC, 112, "error.export.disk-full"),
        (errno.EINVAL, 39, "error.export.disk-full"),
        (errno.EINVAL, 206, "error.export.name-too-long"),
        (errno.EDQUOT, None, "error.export.disk-full"),
        (errno.EFBIG, None, "error.export.disk-full"),
        (errno.EACCES, 5, "error.export.not-writable"),
        (errno.EPERM, None, "error.export.not-writable"),
        (errno.EROFS, None, "error.export.not-writable"),
        (errno.EIO, None, "error.export.failed"),
        (errno.ENOENT, None, "error.export.no-parent"),
        (errno.ENOENT, 3, "error.export.no-parent"),
    ],
)
def test_what_each_number_of_the_system_means(tmp_path: Path, number: int, winerror: int | None, id: str) -> None:
    error, out = denied(winerror), tmp_path / "gone" / "out"
    error.errno = number
    said = atomic_folder.to_input_error(error, out)
    assert (said.id, said.file) == (id, str(out))


def test_a_folder_that_goes_while_the_release_is_made_is_named(tmp_path: Path) -> None:
    parent, moved = tmp_path / "stick", tmp_path / "taken-out"
    parent.mkdir()

    class TakenOut(Disk):
        def make_folder(self, path: Path) -> None:
            if path.name == "release":
                parent.rename(moved)
            super().make_folder(path)

    with pytest.raises(InputError) as said:
        release_of(parent / "out", "first", TakenOut())
    assert said.value.id == "error.export.no-parent"
    parent.write_text("a file of that name")
    with pytest.raises(InputError) as said, make_staging_folder(parent / "out", Disk()):
        pytest.fail("there is no folder to work in")
    assert said.value.id == "error.export.below-file"
    assert said.value.arguments["part"] == Term(str(parent))


def test_a_link_a_file_and_a_place_without_a_name_are_refused(tmp_path: Path) -> None:
    source, target = tmp_path / "people.csv", tmp_path / "target"
    source.write_text("a\n1\n")
    target.mkdir()
    (tmp_path / "link").symlink_to(target, target_is_directory=True)
    (tmp_path / "broken").symlink_to(tmp_path / "nowhere")
    (tmp_path / "notes.txt").write_text("mine")
    for replace_it in (False, True):
        assert refusal(tmp_path / "link", source, replace=replace_it) == "error.export.is-link"
        assert refusal(tmp_path / "broken", source, replace=replace_it) == "error.export.is-link"
        assert refusal(tmp_path / "notes.txt", source, replace=replace_it) == "error.export.is-file"
    check_target(tmp_path / "new", source, replace=False)
    check_target(target, source, replace=True)
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_all_that_was_cut_short_in_a_folder_is_cleared_and_what_fails_stays_for_the_next_time(tmp_path: Path) -> None:
    made = left_behind(tmp_path, {"out": "release-1"}, old=True)
    other = tmp_path / f".ppdm-{'0c' * 8}.new"
    other.mkdir()
    (tmp_path / ".ppdm-notours.new").mkdir()

    class Stuck(Disk):
        def remove_folder(self, path: Path) -> None:
            if path == other:
                raise OSError(errno.EBUSY, "in use")
            super().remove_folder(path)

    recover(tmp_path, Stuck())
    assert {path.name for path in tmp_path.iterdir()} == {"release-1", other.name, ".ppdm-notours.new"}
    recover(tmp_path, Disk())
    assert {path.name for path in tmp_path.iterdir()} == {"release-1", ".ppdm-notours.new"}
    assert not made["lock"].exists()


def test_the_work_of_others_is_neither_named_nor_touched(tmp_path: Path) -> None:
    with make_staging_folder(tmp_path / "out", Disk()) as made:
        made.add_folder("release")
        found = atomic_folder.Leftover(tmp_path, made.path.name.removeprefix(".ppdm-").removesuffix(".new"))
        remove_leftover(found, Disk())
        recover(tmp_path, Disk())
        assert bring_back(tmp_path, Disk()) == ()
        assert find_leftovers(tmp_path) == ()
        assert (made.path / "release").is_dir()
        assert found.paths == (made.path.with_suffix(".lock"), made.path)


@pytest.mark.parametrize("failure", [OSError(errno.ENOSPC, "full"), KeyboardInterrupt()])
@pytest.mark.parametrize("operation", ["write", "sync"])
def test_a_journal_that_cannot_be_written_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, operation: str, failure: BaseException
) -> None:
    disk, opened, create = Disk(), list[int](), Disk.create

    def noted(path: Path) -> int:
        opened.append(create(disk, path))
        return opened[-1]

    def fail(*_: object) -> None:
        raise failure

    monkeypatch.setattr(disk, "create", noted)
    monkeypatch.setattr(disk, operation, fail)
    wanted = InputError if isinstance(failure, OSError) else KeyboardInterrupt
    with pytest.raises(wanted), make_staging_folder(tmp_path / "out", disk):
        pytest.fail("there is no journal")
    assert not is_open(opened[0])
    assert list(tmp_path.iterdir()) == []


def test_what_cannot_be_removed_keeps_its_journal(tmp_path: Path) -> None:
    class Stuck(Disk):
        def remove_folder(self, path: Path) -> None:
            raise OSError(errno.EBUSY, "in use")

    with make_staging_folder(tmp_path / "out", Stuck()) as made:
        made.add_folder("release")
    (found,) = find_leftovers(tmp_path)
    assert [path.suffix for path in found.paths] == [".lock", ".new"]
    remove_leftover(found, Disk())
    assert list(tmp_path.iterdir()) == []


# --- the ledger ----------------------------------------------------------------------------------


def test_draws_are_entered_once_with_the_day_on_which_that_began(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    other = replace(DRAW, draw="2" * 64, day="2026-04-02")
    assert read_draws(path) == ()
    remember_draws(path, [DRAW, DRAW], "2026-03-01")
    before = path.read_bytes()
    remember_draws(path, [DRAW], "2026-05-05")
    assert path.read_bytes() == before, "nothing new, nothing written"
    remember_draws(path, [DRAW, other], "2026-04-02")
    assert read_draws(path) == (DRAW, other)
    assert ledger._read_ledger(path).since == "2026-03-01"


def test_a_ledger_keeps_draws_when_releases_come_and_the_other_way(tmp_path: Path) -> None:
    path = tmp_path / "ledger.json"
    entry = LedgerEntry("a" * 64, "b" * 64, "2026-03-01", ("Age",), "1" * 64, (), None)
    remember_draws(path, [DRAW], "2026-03-01")
    remember_release(path, entry)
    remember_draws(path, [replace(DRAW, draw="2" * 64)], "2026-03-02")
    assert ledger.read_ledger(path) == (entry,)
    assert [each.draw[0] for each in read_draws(path)] == ["1", "2"]


def test_folders_in_which_work_is_done_are_known_while_it_lasts(tmp_path: Path) -> None:
    path, folder = tmp_path / "ledger.json", tmp_path / "out"
    with note_unfinished(None, folder):
        assert not path.exists()
    folder.mkdir()
    with note_unfinished(path, folder), note_unfinished(path, tmp_path), make_staging_folder(folder / "a", Disk()):
        with note_unfinished(path, folder):
            assert unfinished_folders(path) == (folder, tmp_path), "each once"
        assert find_unfinished(path).releases == ()
        assert unfinished_folders(path) == (folder,), "an export still runs there"
    assert unfinished_folders(path) == ()
    path.write_text("no ledger")
    assert unfinished_folders(path) == ()
    with note_unfinished(path, folder):
        pass
    forget_unfinished(path, [folder])
    assert path.read_text() == "no ledger"


@pytest.fixture
def candidate(tmp_path: Path) -> Candidate:
    columns = {"Q": ["a", "b"] * 6, "C": ["x", "y", "z"] * 4}
    return make_candidate(tmp_path / "in", columns, {"Q": "q", "C": "c"})


def test_a_history_is_of_one_source_and_of_other_draws(candidate: Candidate, tmp_path: Path) -> None:
    path, source, own = tmp_path / "ledger.json", candidate.prepared.account.sha256, draw_of(candidate)
    assert history_of(candidate, path) == History(())
    assert len(bytes.fromhex(own)) == 32
    earlier = LedgerEntry(source, "b" * 64, "2026-01-01", ("Q",), "1" * 64, (), None)
    remember_release(path, earlier)
    remember_release(path, replace(earlier, input_sha256="f" * 64))
    remember(candidate, path, "2026-02-01")
    remember(candidate, path, "2026-02-02")
    recipe = candidate.prepared.recipe_sha256
    entered = LedgerEntry(source, recipe, "2026-02-01", ("Q", "C"), own, (), None, type="research")
    (found,) = (entry for entry in ledger.read_ledger(path) if entry.draw == own)
    assert replace(found, sketch=None) == entered, "the same draws once"
    assert found.sketch is not None
    assert found.sketch.rows == 12
    drawn = replace(DRAW, input_sha256=source)
    remember_draws(path, [DRAW, replace(drawn, draw=own), replace(drawn, draw="2" * 64)], "2026-03-01")
    both = replace(drawn, draw=own), replace(drawn, draw="2" * 64)
    assert history_of(candidate, path) == History((earlier,), True, both, "2026-01-01")
    path.write_text("no ledger")
    assert history_of(candidate, path) == History((), is_readable=False)


def test_a_release_that_cannot_be_entered_says_where(
    candidate: Candidate, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "ledger.json"

    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(ledger, "save_whole", full)
    with pytest.raises(InputError) as said:
        remember(candidate, path, "2026-02-01")
    assert (said.value.id, said.value.file) == ("error.ledger.not-writable", str(path))
    assert "No space left on device" in explain(said.value)
    assert list(tmp_path.glob("ledger*")) == [], "nothing half-written, and no lock"


@pytest.mark.parametrize("knows_locks", [True, False])
def test_what_a_killed_process_left_is_cleared_by_who_is_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, knows_locks: bool
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "none here")

    path, left, others = tmp_path / "ledger.json", tmp_path / "ledger.json.1.new", tmp_path / "notes.new"
    left.write_text("{")
    others.write_text("mine")
    if not knows_locks:
        monkeypatch.setattr("fcntl.flock", refuse)
    remember_draws(path, [DRAW], "2026-03-01")
    assert read_draws(path) == (DRAW,)
    assert left.exists() != knows_locks, "without a lock it may be another's that is being written"
    assert others.read_text() == "mine"


def test_what_another_process_cleared_meanwhile_is_no_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "glob", lambda folder, pattern: iter([folder / pattern.replace("*", "1")]))
    remember_draws(tmp_path / "ledger.json", [DRAW], "2026-03-01")
    assert read_draws(tmp_path / "ledger.json") == (DRAW,)


def test_a_ledger_that_is_held_is_waited_for_ten_seconds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, clock = tmp_path / "ledger.json", [100.0]

    def wait(seconds: float) -> None:
        clock[0] += seconds

    with hold_lock(tmp_path / "ledger.json.lock", 0.0):
        monkeypatch.setattr(file_lock, "time", SimpleNamespace(monotonic=lambda: clock[0], sleep=wait))
        with pytest.raises(InputError, match="not-writable"):
            remember_draws(path, [DRAW], "2026-03-01")
    assert clock[0] - 100.0 == pytest.approx(10.0, abs=0.02)
    assert not path.exists()


def test_the_methods_that_drew_are_named_in_one_order(candidate: Candidate) -> None:
    def step(id: str, *columns: str, drawn: bool = True) -> SimpleNamespace:
        settings = SimpleNamespace(columns=columns)
        return SimpleNamespace(method=SimpleNamespace(id=id), settings=settings, drawn=drawn)

    assert drawing_steps(candidate) == (), "nothing was drawn"
    steps = [step("swap", "b", "a"), step("generalize", "c", drawn=False), step("noise", "c"), step("swap", "a", "b")]
    found = drawing_steps(cast("Candidate", SimpleNamespace(steps=steps)))
    assert found == (("noise", ("c",)), ("swap", ("a", "b")))
