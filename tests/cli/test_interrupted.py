"""What a killed run leaves is finished by the next command, whichever it is; a starved machine is reported in words."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support import Command, Job

from ppdm_desktop.cli import crash_file
from ppdm_desktop.cli.app_folder import ledger_file
from ppdm_desktop.cli.commands import methods
from ppdm_desktop.cli.crash_file import LAST, CrashFile, collect_crash_file
from ppdm_desktop.engine.release.storage.ledger import FORMAT

TOKEN = "00112233445566ff"


def interrupted(parent: Path) -> None:
    """Leave what a release leaves that is killed between its two renames, and one that was only begun."""
    for token, kind in ((TOKEN, "old"), (TOKEN, "new"), (TOKEN[::-1], "new")):
        (parent / f".ppdm-{token}.{kind}" / "internal").mkdir(parents=True)
        (parent / f".ppdm-{token}.lock").write_text(json.dumps({"out": "out"}), "utf-8")


def behind(said: Exception, cause: Exception) -> Exception:
    """Return a fault with the one that led to it."""
    said.__cause__ = cause
    return said


def test_any_command_brings_a_release_back(command: Command, tmp_path: Path) -> None:
    interrupted(tmp_path)
    ledger = ledger_file()
    ledger.parent.mkdir(parents=True)
    document = {"format": FORMAT, "since": None, "releases": [], "draws": [], "unfinished": [str(tmp_path)]}
    ledger.write_text(json.dumps(document), "utf-8")
    said = command("methods")
    assert said.code == 0
    assert f"back in {tmp_path / 'out'}," in said.err
    assert (tmp_path / "out" / "internal").is_dir()
    assert "back in" not in command("methods").err


def test_verify_names_what_lies_about_and_removes_it_when_asked(command: Command, job: Job) -> None:
    interrupted(job.folder)
    first = command("verify", job.out, "--input", job.source)
    assert first.code == 2, "what came back is no release of this program"
    assert f"back in {job.out}" in first.err
    assert f".ppdm-{TOKEN}.new" in first.err
    assert f".ppdm-{TOKEN[::-1]}.new" in first.err
    assert "--clear-leftovers" in first.err
    assert (job.folder / f".ppdm-{TOKEN}.new").exists(), "nothing goes unasked"
    second = command("verify", job.out, "--input", job.source, "--clear-leftovers")
    assert "Removed" in second.err
    assert job.listing() == {"people.csv", "people.recipe.toml", "out", "out/internal"}
    assert ".ppdm-" not in command("verify", job.out, "--input", job.source).err


@pytest.mark.parametrize(
    "fault",
    [
        MemoryError(),
        ImportError("libopenblas.so: failed to map segment from shared object"),
        ImportError("x.so: cannot allocate memory in static TLS block"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
        RuntimeError("can't start new thread"),
        behind(ImportError("This library cannot be imported."), ImportError("x.so: failed to map segment")),
    ],
)
def test_a_starved_machine_is_told_in_words(
    command: Command, monkeypatch: pytest.MonkeyPatch, fault: Exception
) -> None:
    def starved(given: object, console: object) -> int:
        raise fault

    monkeypatch.setattr(methods, "run", starved)
    said = command("methods")
    assert said.code == 1
    assert "not enough memory" in said.err
    assert "No release was written" in said.err
    assert "A fault in the program" not in said.err


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is one of Linux")
@pytest.mark.parametrize("megabytes", [80, 100, 120])
def test_no_library_has_the_last_word_where_nothing_can_begin(megabytes: int) -> None:
    limit = f"import resource as r; r.setrlimit(r.RLIMIT_AS, ({megabytes << 20},) * 2); "
    done = subprocess.run(
        [sys.executable, "-c", limit + "import sys; from ppdm_desktop.__main__ import main; sys.exit(main())"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("error: There is not enough memory to start.")
    assert len(done.stderr.splitlines()) == 1


def test_another_fault_is_none_of_memory(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(given: object, console: object) -> int:
        raise ImportError("no such part")

    monkeypatch.setattr(methods, "run", broken)
    said = command("methods")
    assert said.code == 1
    assert "A fault in the program" in said.err


# --- a crash -----------------------------------------------------------------------------------

_CRASH = """
import faulthandler, os, resource, sys
from pathlib import Path
from ppdm_desktop.cli.crash_file import CrashFile, prevent_core_dumps
prevent_core_dumps()
assert resource.getrlimit(resource.RLIMIT_CORE) == (0, 0)
secret = "planted-marker-value"
CrashFile(Path(sys.argv[1])).begin()
def dies(value):
    faulthandler._sigsegv() if sys.argv[2] == "crash" else os.kill(os.getpid(), 9)
dies(secret)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of Unix")
@pytest.mark.parametrize("how", ["crash", "kill"])
def test_a_run_that_dies_leaves_lines_and_no_values(tmp_path: Path, how: str) -> None:
    done = subprocess.run([sys.executable, "-c", _CRASH, str(tmp_path), how], capture_output=True, check=False)
    assert done.returncode < 0, done.stderr
    assert collect_crash_file(tmp_path) == tmp_path / LAST
    said = (tmp_path / LAST).read_text("utf-8")
    assert "planted-marker-value" not in said
    assert ("in dies" in said) == (how == "crash")
    assert collect_crash_file(tmp_path) is None, "it is said once"
    assert [path.name for path in tmp_path.iterdir()] == [LAST]
    assert (tmp_path / LAST).stat().st_mode & 0o077 == 0


def test_a_crash_file_that_another_start_takes_is_left_to_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "session-1.txt").write_text("", "utf-8")
    monkeypatch.setattr(crash_file, "_is_dead", lambda path: path.unlink() is None)
    assert collect_crash_file(tmp_path) is None


def test_a_run_that_ends_well_leaves_nothing(tmp_path: Path) -> None:
    import faulthandler

    was = faulthandler.is_enabled()
    try:
        run = CrashFile(tmp_path / "own")
        run.begin()
        assert [path.name for path in (tmp_path / "own").iterdir()] == [f"session-{os.getpid()}.txt"]
        assert collect_crash_file(tmp_path / "own") is None, "it still lives"
        run.end()
        assert list((tmp_path / "own").iterdir()) == []
        (tmp_path / "own").rmdir()
        (tmp_path / "own").write_text("no folder", "utf-8")
        CrashFile(tmp_path / "own").begin()  # goes on without
    finally:
        if was:
            faulthandler.enable()
