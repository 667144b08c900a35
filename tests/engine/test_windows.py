"""What is asked of Windows alone: by doubles of its libraries, so that every system tests it."""

from __future__ import annotations

import ctypes
import errno
import os
from collections.abc import Callable
from contextlib import nullcontext
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from table_workbooks import cell, data, packed, row, xlsx_parts

from ppdm_desktop.engine import windows
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files import saving
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.release.reporting import build
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL, make_staging_folder, to_input_error
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.release.writing.disk_and_memory import rights_note
from ppdm_desktop.engine.table.reading import child, source
from ppdm_desktop.engine.table.reading.base import read_with
from ppdm_desktop.engine.table.reading.registry import reader_of
from ppdm_desktop.engine.wording.texts import all_texts

MIB = 2**20
BOOK = packed(xlsx_parts({"Sheet": data(row(1, cell("A1", "Age")), row(2, cell("A2", 30)), row(3, cell("A3", 31)))}))


def refusal(number: int, kind: int = errno.EACCES) -> OSError:
    """Return a refusal as Windows makes it; elsewhere errors have no such number."""

    class Refusal(OSError):
        winerror = number

    return Refusal(kind, "said by the system")


# --- the child that reads ------------------------------------------------------------------------


class Kernel(SimpleNamespace):
    """Takes what a job object is asked for; ``fails`` names the call that the system refuses."""

    def __init__(self, fails: str = "", job: int = 7) -> None:
        self.calls: list[str] = []
        self.limits = windows.JobLimits()
        self.assigned: tuple[Any, Any] = (None, None)

        def said(name: str) -> bool:
            self.calls.append(name)
            return name != fails

        def memory(process: Any, counters: Any, size: int) -> bool:
            assert size == ctypes.sizeof(windows.MemoryCounters)
            counters._obj.committed = 300 * MIB
            return said("memory")

        def limit(to: Any, kind: int, limits: Any, size: Any) -> bool:
            assert (to.value, kind, size.value) == (job, 9, ctypes.sizeof(windows.JobLimits))
            ctypes.pointer(self.limits)[0] = limits._obj
            return said("limit")

        def assign(to: Any, process: Any) -> bool:
            self.assigned = (to.value, process.value)
            return said("assign")

        def create(attributes: Any, name: Any) -> int:
            return job if said("create") else 0

        super().__init__(
            CreateJobObjectW=create,
            K32GetProcessMemoryInfo=memory,
            SetInformationJobObject=limit,
            AssignProcessToJobObject=assign,
            CloseHandle=lambda handle: said("close"),
        )


def test_windows_lays_its_structures_out_like_this() -> None:
    if ctypes.sizeof(ctypes.c_void_p) != 8:
        pytest.skip("sizes of 64 bit")
    assert ctypes.sizeof(windows.JobLimits) == 144
    assert windows.JobLimits.process_memory.offset == 112
    assert ctypes.sizeof(windows.MemoryCounters) == 72


def test_a_process_is_held_within_limits_that_go_with_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel()
    monkeypatch.setattr(windows, "_load_system_library", lambda name: kernel)
    with windows.limit_process(55, 3 * 2**30, 2.5) as capped:
        assert capped
        assert kernel.calls == ["create", "memory", "limit", "assign"]
    assert kernel.calls[-1] == "close", "what still runs ends with it"
    basic = kernel.limits.basic
    assert basic.flags == 0x2 | 0x8 | 0x100 | 0x400 | 0x2000
    assert (basic.process_time, basic.processes) == (25_000_000, 1)
    assert kernel.limits.process_memory == 3 * 2**30 + 300 * MIB
    assert kernel.assigned == (7, 55)


@pytest.mark.parametrize("fails", ["create", "memory", "limit", "assign"])
def test_a_limit_that_is_refused_is_said(fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = Kernel(fails)
    monkeypatch.setattr(windows, "_load_system_library", lambda name: kernel)
    with windows.limit_process(55, MIB, 1) as capped:
        assert not capped
    assert ("close" in kernel.calls) == (fails != "create")


@pytest.mark.parametrize(
    ("outside", "inside", "said"), [(False, False, True), (True, False, False), (False, True, False)]
)
def test_a_child_without_a_cap_is_said(outside: bool, inside: bool, said: bool) -> None:
    raw = read_with(reader_of(BOOK), BOOK, InputSection())
    ours, theirs = Pipe()
    child._send_cells(theirs, raw, capped=inside)
    found = child._request_cells(ours, {}, b"", float("inf"), capped=outside)
    assert (child.NO_CAP in [note.id for note in found.warnings]) == said
    assert child.NO_CAP in all_texts()


def test_the_child_is_capped_from_outside_where_that_is_the_way(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, float]] = []

    def capped(process: int, memory: int, seconds: float) -> Any:
        asked.append((memory, seconds))
        return nullcontext(True)

    monkeypatch.setattr(windows, "IS_HERE", True)
    monkeypatch.setattr(windows, "limit_process", capped)
    found = child.read_in_child(reader_of(BOOK), BOOK, InputSection(), memory=2**31, seconds=60)
    assert asked == [(2**31, 60)]
    assert found.headers == ("Age",)


@pytest.mark.parametrize(
    ("code", "why"), [(0xC0000005, "damaged"), (0xC00000FD, "damaged"), (0x718, "too-slow"), (0xC0000409, "memory")]
)
def test_how_windows_ends_a_child_is_said(code: int, why: str) -> None:
    ended = SimpleNamespace(join=lambda seconds: None, exitcode=code)
    assert child._find_exit_cause(ended) == f"error.read.{why}"  # type: ignore[arg-type]


# --- refusals ------------------------------------------------------------------------------------


def test_a_path_that_is_too_long_is_no_missing_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / ("x" * 120) / ("y" * 120) / "out"
    assert to_input_error(refusal(3, errno.ENOENT), out).id == "error.export.name-too-long"
    assert to_input_error(refusal(2, errno.ENOENT), tmp_path / ("n" * 300)).id == "error.export.name-too-long"
    monkeypatch.setattr(windows, "IS_HERE", True)
    assert to_input_error(OSError(errno.ENOENT, "not found"), out).id == "error.export.name-too-long"
    assert to_input_error(OSError(errno.ENOENT, "not found"), tmp_path / "no" / "out").id == "error.export.no-parent"


def test_a_source_that_another_program_holds_is_called_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def held(path: Path) -> int:
        raise PermissionError(errno.EACCES, "Permission denied")  # all that Python says of it

    asked: list[int] = []
    kernel = SimpleNamespace(CreateFileW=lambda *given: ctypes.c_void_p(-1).value, CloseHandle=asked.append)
    monkeypatch.setattr(source, "open_regular", held)
    monkeypatch.setattr(windows, "_load_system_library", lambda name: kernel)
    for here, number, id in ((True, 32, "held"), (True, 5, "unreadable"), (False, 32, "unreadable")):
        monkeypatch.setattr(windows, "IS_HERE", here)
        monkeypatch.setattr(ctypes, "get_last_error", lambda number=number: number, raising=False)
        with pytest.raises(InputError) as raised:
            source.load(tmp_path / "people.csv")
        assert raised.value.id == f"error.read.{id}"
    assert asked == [], "what was not opened is not closed"


# --- rights --------------------------------------------------------------------------------------


def libraries(makes: Callable[[str], bool]) -> tuple[Callable[[str], Any], list[str]]:
    """Return doubles of the libraries that make a folder with rights, and the rights they are given."""
    given: list[str] = []

    def convert(text: Any, revision: Any, descriptor: Any, size: Any) -> bool:
        given.append(text.value)
        descriptor._obj.value = 99
        return True

    def create(path: Any, attributes: Any) -> bool:
        assert attributes._obj.descriptor == 99
        return makes(path.value)

    freed = SimpleNamespace(CreateDirectoryW=create, LocalFree=lambda each: given.append(f"freed {each.value}"))
    rights = SimpleNamespace(ConvertStringSecurityDescriptorToSecurityDescriptorW=convert)
    return lambda name: {"kernel32": freed, "advapi32": rights}[name], given


def test_a_folder_of_its_owner_takes_nothing_from_above(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[str] = []
    library, given = libraries(lambda path: not made.append(path))  # type: ignore[func-returns-value]
    monkeypatch.setattr(windows, "_load_system_library", library)
    windows.make_own_folder(tmp_path / "own")
    assert made == [str(tmp_path / "own")]
    rights, freed = given
    assert rights.startswith("D:P("), "protected: nothing is inherited"
    assert "WD" not in rights, "not everyone"
    assert freed == "freed 99"


def test_a_folder_that_cannot_be_made_is_a_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    library, given = libraries(lambda path: False)
    monkeypatch.setattr(windows, "_load_system_library", library)
    monkeypatch.setattr(ctypes, "get_last_error", lambda: 183, raising=False)
    monkeypatch.setattr(ctypes, "FormatError", lambda number: f"error {number}\r\n", raising=False)
    with pytest.raises(OSError, match="error 183"):
        windows.make_own_folder(tmp_path / "own")
    assert given[-1] == "freed 99"


def test_only_what_stays_with_the_owner_is_made_for_the_owner_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own: list[str] = []
    modes: dict[str, int] = {}
    mkdir = os.mkdir

    def make(path: Path, mode: int = 0o777) -> None:
        modes[Path(path).name] = mode
        mkdir(path, mode)

    def make_own(path: Path) -> None:
        own.append(path.name)
        mkdir(path)

    monkeypatch.setattr(windows, "IS_HERE", True)
    monkeypatch.setattr(windows, "make_own_folder", make_own)
    monkeypatch.setattr(os, "mkdir", make)
    with make_staging_folder(tmp_path / "out", Disk()) as made:
        made.add_folder("release")
        made.add_folder(INTERNAL, is_private=True)
        made.commit(replace=True)
    assert own == ["internal"]
    assert modes.pop("release") == 0o777, "under 0o700 newer versions of Python keep the recipient out"
    assert set(modes.values()) == {0o777}
    saving.make_private_folder(tmp_path / "settings")
    assert own == ["internal", "settings"]


@pytest.mark.parametrize(
    ("kind", "flags", "id"),
    [(4, 0x8, "note.export.remote"), (3, 0x8, None), (2, 0x0, "note.export.no-rights"), (3, None, None)],
)
def test_a_place_that_others_can_read_is_said(
    kind: int, flags: int | None, id: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def volume(root: Any, name: Any, size: Any, number: Any, longest: Any, found: Any, *more: Any) -> bool:
        found._obj.value = flags or 0
        return flags is not None

    kernel = SimpleNamespace(GetDriveTypeW=lambda root: kind, GetVolumeInformationW=volume)
    assert rights_note(tmp_path) is None, "elsewhere nothing is asked"
    monkeypatch.setattr(windows, "IS_HERE", True)
    monkeypatch.setattr(windows, "_load_system_library", lambda name: kernel)
    note = rights_note(tmp_path)
    assert (note.id if note is not None else None) == id


# --- nothing is started --------------------------------------------------------------------------


def test_the_kind_of_processor_is_read_and_not_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "uname", raising=False)
    monkeypatch.setenv("PROCESSOR_ARCHITECTURE", "AMD64")
    monkeypatch.delenv("PROCESSOR_ARCHITEW6432", raising=False)
    assert build._find_processor_kind() == "amd64"
    monkeypatch.setenv("PROCESSOR_ARCHITECTURE", "x86")
    monkeypatch.setenv("PROCESSOR_ARCHITEW6432", "AMD64")
    assert build._find_processor_kind() == "amd64"
