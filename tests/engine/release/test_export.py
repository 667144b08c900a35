"""The release folder: complete or absent, never the source, nothing left behind."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import itertools
import json
import os
import shutil
import stat
import tempfile
import threading
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from gate_cases import make_candidate
from support import reasons_for

from ppdm_desktop.engine.errors import GateBlocked, InputError, PpdmError
from ppdm_desktop.engine.files.exchange import exchange
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.attack_audit.base import audit
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.analyses import analyse
from ppdm_desktop.engine.release.storage.atomic_folder import bring_back, find_leftovers, recover
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.storage.ledger import unfinished_folders
from ppdm_desktop.engine.release.writing.export import Exported, evaluate, export
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Names

COLUMNS: dict[str, Any] = {"Q": ["a"] * 12 + ["b"] * 12, "C": ["x", "y"] * 12, "Id": [f"p{i}" for i in range(24)]}
ROLES: dict[str, Any] = {"Q": "q", "C": "c", "Id": "i"}
# Twenty-four rows are too few to tell how well anybody guesses.
SMALL: dict[str, Any] = {
    "accept": {
        "what-is-learnt": {
            "reason": "two dozen invented rows tell little of how well anybody guesses",
            "type": "research",
            "checks": {"inference": {"figure": 1, "limit": 0.1, "columns": ["C"]}},
        }
    }
}
CONFIRMED: dict[str, Any] = {"input": {"one_row_per_person": True}, **SMALL}
CREATED = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
EVERYTHING = {
    "release/data.csv",
    "release/data-dictionary.csv",
    "release/release-note.html",
    "internal/recipe.toml",
    "internal/release.key",
    "internal/annex.html",
    "internal/check_release.py",
    "internal/dossier.json",
    "internal/report.html",
    "internal/report.json",
    "internal/manifest.json",
    "internal/decisions.jsonl",
}


@pytest.fixture
def candidate(tmp_path: Path) -> Candidate:
    return make_candidate(tmp_path / "in", COLUMNS, ROLES, **CONFIRMED)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    (tmp_path / "place").mkdir()
    return tmp_path / "place" / "out"


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


def contents(folder: Path) -> dict[str, Any]:
    return {name: (folder / name).read_bytes() for name in files(folder)}


def refused(id: str, *given: Any, **more: Any) -> None:
    with pytest.raises(PpdmError) as raised:
        export(*given, **more)
    assert raised.value.id == id
    assert raised.value.exit_code == 2
    assert explain(raised.value)


# --- what is written ----------------------------------------------------------------------------


def test_everything_is_there_and_in_the_manifest(candidate: Candidate, out: Path) -> None:
    done = export(candidate, out, created=CREATED)
    assert files(out) == EVERYTHING
    manifest = json.loads((out / "internal/manifest.json").read_text())
    assert manifest["format"] == 1
    expected = EVERYTHING - {"internal/manifest.json", "internal/release.key", "internal/decisions.jsonl"}
    assert manifest["files"] == {
        name: hashlib.sha256((out / name).read_bytes()).hexdigest() for name in sorted(expected)
    }
    assert (out / "internal/release.key").read_text() == candidate.key.hex() + "\n"
    assert done.decision.released
    assert done.report == json.loads((out / "internal/report.json").read_text(encoding="utf-8"))
    assert [note.id for note in done.notes] == ["note.export.no-pdf"]


def test_a_document_that_cannot_be_written_is_said_and_holds_nothing_back(candidate: Candidate, out: Path) -> None:
    def broken(page: str) -> bytes:
        raise RuntimeError("no more ink")

    done = export_known(candidate, out, renderers={"certificate.pdf": broken, "report.pdf": str.encode})
    assert files(out) == EVERYTHING | {"internal/report.pdf"}
    assert [(note.id, note.arguments["files"]) for note in done.notes] == [
        ("note.export.pdf-failed", Names(("certificate.pdf",)))
    ]


def test_times_are_neutral_and_rights_the_owners(candidate: Candidate, out: Path) -> None:
    export(candidate, out, created=CREATED)
    for path in [out, *out.rglob("*")]:
        found = path.stat()
        assert found.st_mtime == 946_684_800
        if os.name != "nt":  # which knows no modes
            assert stat.S_IMODE(found.st_mode) == (0o700 if path.is_dir() else 0o600)


def test_the_same_candidate_gives_the_same_bytes(candidate: Candidate, out: Path) -> None:
    export(candidate, out, created=CREATED)
    export(candidate, out.with_name("again"), created=CREATED)
    assert contents(out) == contents(out.with_name("again"))


def test_analyses_and_attacks_known_beforehand_make_the_same_report(candidate: Candidate, out: Path) -> None:
    export(candidate, out, created=CREATED)
    export_known(candidate, out.with_name("again"), created=CREATED)
    assert contents(out) == contents(out.with_name("again"))
    report = json.loads((out / "internal/report.json").read_bytes())
    assert report["utility"]["models"]
    assert report["verdict"]["attacks"]


def test_rows_are_those_of_the_source_in_another_order(candidate: Candidate, out: Path) -> None:
    export(candidate, out)
    lines = (out / "release/data.csv").read_bytes().decode().split("\r\n")
    rows = [f"{q},{c}" for q, c in zip(COLUMNS["Q"], COLUMNS["C"], strict=True)]
    assert lines[0] == "Q,C"
    assert sorted(lines[1:-1]) == sorted(rows)
    assert lines[1:-1] != rows


def test_no_key_and_seed_are_stated(candidate: Candidate, out: Path, tmp_path: Path) -> None:
    done = export(candidate, out, keep_key=False)
    assert "internal/release.key" not in files(out)
    assert done.report["release"]["key"] == "destroyed"
    seeded = make_candidate(tmp_path / "in", COLUMNS, ROLES, key=Key.from_seed(3), **CONFIRMED)
    done = export(seeded, out.with_name("seeded"), accepts=reasons_for(["guessable-key"]))
    assert done.report["release"]["key"] == "kept"
    assert "internal/release.key" in files(out.with_name("seeded"))
    again = export(seeded, out.with_name("made"), accepts=reasons_for(["guessable-key"]), keep_key=False)
    assert again.report["release"]["key"] == "seed"
    assert "internal/release.key" not in files(out.with_name("made"))


def test_the_written_recipe_keeps_hash_and_reasons(tmp_path: Path, out: Path) -> None:
    candidate = make_candidate(tmp_path / "in", COLUMNS, ROLES, **SMALL)
    done = export(candidate, out, accepts=reasons_for(["people-counted"]))
    assert done.accepted == ("people-counted", "inference")
    recipe = read_recipe(out / "internal/recipe.toml")
    sha = candidate.prepared.account.sha256
    assert recipe.input.sha256 == sha
    assert recipe.accept["reading-and-roles"].input == sha
    assert candidate.key.hex() not in (out / "internal/recipe.toml").read_text()


def test_renderers_make_files_of_their_own(candidate: Candidate, out: Path) -> None:
    pages = {"report.pdf": lambda html: b"%PDF " + html[:15].encode(), "certificate.pdf": lambda html: b"%PDF"}
    done = export(candidate, out, renderers=pages)
    assert (out / "internal/report.pdf").read_bytes() == b"%PDF <!DOCTYPE html>"
    assert "internal/report.pdf" in json.loads((out / "internal/manifest.json").read_text())["files"]
    assert done.notes == ()


@pytest.mark.parametrize("format", ["csv", "xlsx", "sav", "dta"])
def test_data_file_name_and_form(tmp_path: Path, out: Path, format: str) -> None:
    release = {"format": format, "file_name": "survey 2026"}
    export(make_candidate(tmp_path / "in", COLUMNS, ROLES, release=release, **CONFIRMED), out)
    assert f"release/survey 2026.{format}" in files(out)


@pytest.mark.parametrize("name", ["../x", "a/b", "a\\b", "con", "data-dictionary", "", " x", "x" * 200, ".hidden"])
def test_data_file_names_that_cannot_be(tmp_path: Path, out: Path, name: str) -> None:
    candidate = make_candidate(tmp_path / "in", COLUMNS, ROLES, release={"file_name": name}, **CONFIRMED)
    refused("error.export.file-name", candidate, out)
    assert not out.exists()


# --- the gate --------------------------------------------------------------------------------------


def test_a_blocked_gate_writes_nothing_and_carries_the_report(tmp_path: Path, out: Path) -> None:
    candidate = make_candidate(tmp_path / "in", COLUMNS, ROLES, **SMALL)
    with pytest.raises(GateBlocked) as raised:
        export(candidate, out)
    assert raised.value.exit_code == 3
    document: Any = raised.value.report
    decision = document["verdict"]["decision"]
    assert [(each["cause"], each["checks"]) for each in decision.pop("reasons")] == [
        ("what-is-learnt", {"inference": 1})
    ]
    assert decision == {
        "status": "blocked",
        "released": False,
        "blocked_by": ["people-counted"],
        "accepted": ["inference"],
    }
    assert explain(raised.value)
    assert list(out.parent.iterdir()) == []


def test_red_blocks_whatever_was_accepted(tmp_path: Path, out: Path) -> None:
    candidate = make_candidate(tmp_path / "in", {**COLUMNS, "Z": ["z"] * 24}, ROLES, **CONFIRMED)
    with pytest.raises(GateBlocked) as raised:
        export(candidate, out, accepts=reasons_for(["roles-decided"]))
    assert raised.value.id == "error.gate.red"


def test_accept_errors_come_before_anything_is_written(candidate: Candidate, out: Path) -> None:
    refused("error.accept.unknown", candidate, out, accepts={"no-such": "a long enough reason"})
    refused("error.accept.letters", candidate, out, accepts={"who-is-found": "short"})
    assert list(out.parent.iterdir()) == []


def test_judging_in_memory_finds_what_the_export_finds(candidate: Candidate, out: Path) -> None:
    judged = evaluate(candidate, created=CREATED)
    done = export(candidate, out, created=CREATED)
    assert [(r.id, r.status, r.figure) for r in judged.checks] == [(r.id, r.status, r.figure) for r in done.checks]


# --- where OUT may be ---------------------------------------------------------------------------------


def test_targets_that_are_refused(candidate: Candidate, out: Path, tmp_path: Path) -> None:
    source = candidate.prepared.path
    before = source.read_bytes()
    refused("error.export.is-source", candidate, source)
    refused("error.export.is-source", candidate, source / "out")
    refused("error.export.contains-source", candidate, source.parent, replace=True)
    refused("error.export.contains-source", candidate, tmp_path, replace=True)
    refused("error.export.no-parent", candidate, tmp_path / "not" / "there")
    (tmp_path / "file").write_text("x")
    refused("error.export.is-file", candidate, tmp_path / "file")
    refused("error.export.below-file", candidate, tmp_path / "file" / "out")
    refused("error.export.below-file", candidate, tmp_path / "file" / "further" / "down" / "out")

    def make_folder(page: object) -> bytes:
        out.mkdir()
        return b""

    refused("error.export.exists", candidate, out, renderers={"report.pdf": make_folder})
    refused("error.export.exists", candidate, out)
    (out / "holiday.jpg").write_text("x")
    refused("error.export.not-a-release", candidate, out, replace=True)
    assert source.read_bytes() == before
    assert (out / "holiday.jpg").exists()


def test_the_source_under_another_name_is_refused(candidate: Candidate, out: Path, tmp_path: Path) -> None:
    source = candidate.prepared.path
    os.link(source, tmp_path / "hard")
    refused("error.export.is-source", candidate, tmp_path / "hard")
    if os.name != "nt":  # where few may make such links
        os.symlink(source, tmp_path / "soft")
        os.symlink(source.parent, tmp_path / "folder")
        refused("error.export.is-source", candidate, tmp_path / "soft")
        refused("error.export.contains-source", candidate, tmp_path / "folder", replace=True)
        os.symlink(out.parent, tmp_path / "elsewhere")
        refused("error.export.is-link", candidate, tmp_path / "elsewhere", replace=True)
    export(candidate, out)
    os.link(source, out / "release" / "copy.csv")
    refused("error.export.contains-source", candidate, out, replace=True)


@pytest.mark.skipif(os.name == "nt", reason="Windows renames no folder in which a program stands, and that is said")
def test_a_source_beside_the_folder_one_stands_in_is_not_in_it(
    candidate: Candidate, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export(candidate, out)
    monkeypatch.chdir(out)
    beside = Path(os.path.relpath(candidate.prepared.path, out))
    spelt = replace(candidate, prepared=replace(candidate.prepared, path=beside))
    export(spelt, out, replace=True)
    assert files(out) == EVERYTHING


def test_an_earlier_release_is_replaced_when_asked(candidate: Candidate, out: Path) -> None:
    export(candidate, out, keep_key=False)
    export(candidate, out, replace=True)
    assert files(out) == EVERYTHING
    assert [entry.name for entry in out.parent.iterdir()] == ["out"]


# --- what goes wrong -------------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ended here."""


class Failing(Disk):
    """Makes the n-th operation fail; ``kill`` means that nothing works from there on."""

    def __init__(self, at: Any, failure: Any, *, swaps: bool = True) -> None:
        self.count, self.at, self.failure, self.swaps = 0, at, failure, swaps

    def _tick(self) -> None:
        self.count += 1
        if self.count == self.at or (self.failure is Killed and self.count > self.at > 0):
            raise Killed if self.failure is Killed else OSError(self.failure, os.strerror(self.failure))


def _ticking(name: str) -> Callable[..., Any]:
    def method(self: Failing, *given: Any) -> Any:
        try:
            self._tick()
        except BaseException:
            if name == "close":  # a file is closed even where that fails or a process ends, and Windows asks for it
                Disk.close(self, *given)
            raise
        if name == "exchange" and not self.swaps:
            return False
        return getattr(Disk, name)(self, *given)

    return method


OPERATIONS = [
    "make_folder",
    "make_own_folder",
    "create",
    "write",
    "sync",
    "close",
    "set_time",
    "read",
    "sync_folder",
    "rename",
    "exchange",
    "remove_file",
    "remove_folder",
]
for _name in OPERATIONS:
    setattr(Failing, _name, _ticking(_name))


@cache
def analyses_of(candidate: Any) -> Any:
    return analyse(candidate)


@cache
def attacks_on(candidate: Any) -> Any:
    return audit(candidate)


def export_known(candidate: Candidate, *given: Path, **more: Any) -> Exported:
    """Export a candidate whose analyses and attacks are known already: here hundreds of times."""
    return export(candidate, *given, analyses=analyses_of(candidate), attacks=attacks_on(candidate), **more)


def operations(candidate: Candidate, out: Path, *, swaps: bool = True, **more: bool) -> int:
    disk = Failing(0, None, swaps=swaps)
    export_known(candidate, out, disk=disk, created=CREATED, **more)
    return disk.count


@pytest.mark.thorough
@pytest.mark.parametrize("replace", [False, True])
def test_any_operation_may_fail(candidate: Candidate, out: Path, replace: bool) -> None:
    # What failed decides the words only, so that each operation need not fail in every manner.
    failures = itertools.cycle([errno.ENOSPC, errno.EACCES, errno.EIO])
    trial = out.with_name("trial")
    if replace:
        export_known(candidate, trial, keep_key=False, created=CREATED)
    total = operations(candidate, trial, replace=replace)
    new = contents(trial)
    old = {}
    if replace:
        export_known(candidate, out, keep_key=False, created=CREATED)
        old = contents(out)
    assert total > 30
    for at in range(1, total + 1):
        with contextlib.suppress(InputError):
            export_known(candidate, out, disk=Failing(at, next(failures)), created=CREATED, replace=replace)
        found = contents(out) if out.exists() else {}
        assert found in (old, new), at
        leftovers = [entry.name for entry in out.parent.iterdir() if entry.name.startswith(".ppdm-")]
        recover(out.parent, Disk())
        assert not [entry.name for entry in out.parent.iterdir() if entry.name.startswith(".ppdm-")], leftovers
        found = contents(out) if out.exists() else {}
        assert found in (old, new), at
        if found == new:
            if replace:
                export_known(candidate, out, keep_key=False, created=CREATED, replace=True)
            else:
                Disk().remove_tree(out)


def exchange_works() -> bool:
    """Say whether the disk of the tests lets two folders change places in one call."""
    with tempfile.TemporaryDirectory() as folder:
        one, other = Path(folder, "one"), Path(folder, "other")
        one.mkdir()
        other.write_bytes(b"")
        return exchange(one, other) and one.is_file() and other.is_dir()


SWAPS = exchange_works()


@pytest.mark.parametrize(
    ("replace", "swaps"),
    [
        pytest.param(False, True, id="new", marks=pytest.mark.thorough),
        pytest.param(True, False, id="by the journal"),
        pytest.param(
            True,
            True,
            id="by an exchange",
            marks=[pytest.mark.thorough, pytest.mark.skipif(not SWAPS, reason="this disk has no such call")],
        ),
    ],
)
def test_killed_at_any_operation(candidate: Candidate, out: Path, replace: bool, swaps: bool) -> None:
    trial = out.with_name("trial")
    if replace:
        export_known(candidate, trial, keep_key=False, created=CREATED)
    total = operations(candidate, trial, replace=replace, swaps=swaps)
    new = contents(trial)
    old = {}
    if replace:
        export_known(candidate, out, keep_key=False, created=CREATED)
        old = contents(out)
    restored = 0
    for at in range(1, total + 1):
        disk = Failing(at, Killed, swaps=swaps)
        with pytest.raises(Killed):
            export_known(candidate, out, disk=disk, created=CREATED, replace=replace)
        present = out.exists()
        assert present or not (replace and swaps), f"absent after operation {at}"
        assert not present or contents(out) in (old, new), at
        if replace and not present:
            # What every command does at its start: OUT comes back, and nothing is removed unasked.
            before = {each.token for each in find_leftovers(out.parent)}
            assert bring_back(out.parent, Disk()) == (out,)
            assert contents(out) == old
            assert {each.token for each in find_leftovers(out.parent)} == before
            restored += 1
        recover(out.parent, Disk())
        assert not replace or contents(out) in (old, new), at
        assert {entry.name for entry in out.parent.iterdir()} <= {"out", "trial"}, at
        if out.exists() and contents(out) == new:
            if replace:
                export_known(candidate, out, keep_key=False, created=CREATED, replace=True)
            else:
                Disk().remove_tree(out)
    assert (restored > 0) == (replace and not swaps)  # the moment between the two renames was met


def test_the_ledger_knows_where_a_release_is_being_made(candidate: Candidate, out: Path, tmp_path: Path) -> None:
    ledger, seen = tmp_path / "own" / "ledger.json", []

    class Looking(Disk):
        def exchange(self, one: Path, other: Path) -> bool:
            seen.append(unfinished_folders(ledger))
            return super().exchange(one, other)

    export_known(candidate, out, ledger=ledger, created=CREATED)
    export_known(candidate, out, ledger=ledger, created=CREATED, replace=True, disk=Looking())
    assert seen == [(out.parent,)]
    assert unfinished_folders(ledger) == (), "a finished one leaves no note of where it was made"
    with pytest.raises(InputError):
        export_known(candidate, out, ledger=ledger, created=CREATED, replace=True, disk=Failing(9, errno.ENOSPC))
    assert unfinished_folders(ledger) == (), "nor one that was refused"


@pytest.mark.parametrize("failure", [errno.ENOSPC, errno.EACCES, errno.ENAMETOOLONG, errno.EIO])
def test_what_the_system_refuses_is_said_in_words(candidate: Candidate, out: Path, failure: int) -> None:
    with pytest.raises(InputError) as raised:
        export(candidate, out, disk=Failing(5, failure))
    assert explain(raised.value)
    assert list(out.parent.iterdir()) == []


def test_a_disk_that_lies_is_found(candidate: Candidate, out: Path) -> None:
    class Lying(Disk):
        def read(self, path: Any) -> Any:
            return super().read(path).replace(b"x", b"z", 1)

    refused("error.export.not-as-written", candidate, out, disk=Lying())
    assert list(out.parent.iterdir()) == []


def test_cancelling_leaves_nothing(candidate: Candidate, out: Path) -> None:
    from ppdm_desktop.engine.errors import Cancelled
    from ppdm_desktop.engine.progress import Progress

    for stop in range(1, 40, 3):
        calls: list[Any] = []

        event = threading.Event()

        def listen(fraction: Any, doing: Any, calls: Any = calls, stop: Any = stop, event: Any = event) -> None:
            calls.append(fraction)
            if len(calls) == stop:
                event.set()

        try:
            Progress(listen, event).run(export, candidate, out)
        except Cancelled:
            assert list(out.parent.iterdir()) == []
        else:
            Disk().remove_tree(out)


def test_an_old_release_half_removed_is_never_brought_back(candidate: Candidate, out: Path) -> None:
    class StopsRemoving(Disk):
        def remove_folder(self, path: Any) -> None:
            raise KeyboardInterrupt

    export_known(candidate, out)
    with pytest.raises(KeyboardInterrupt):
        export_known(candidate, out, replace=True, disk=StopsRemoving())
    assert files(out) == EVERYTHING
    shutil.rmtree(out)
    recover(out.parent, Disk())
    assert not out.exists()
    assert not [path for path in out.parent.iterdir() if path.name.startswith(".ppdm-")]
