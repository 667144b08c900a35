"""Closed, broken or narrow output, an interrupted start, and the log: the answer stays true."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from support import Command, Job, accepting

from ppdm_desktop.cli.commands import release as release_command

ODD = "Ärzte\u200b😀"


def start(*arguments: object, closing: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program, in a shell where one has to close or redirect streams first."""
    command = [sys.executable, "-m", "ppdm_desktop", *map(str, arguments)]
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {closing}', "sh", *command] if closing else command,
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=60,
        check=False,
    )


def release_arguments(job: Job) -> list[object]:
    return ["release", job.source, "--recipe", job.recipe, "--out", job.out, *accepting()]


@pytest.fixture
def odd(tmp_path: Path) -> Path:
    path = tmp_path / "odd.csv"
    path.write_text(f"Age,{ODD}\n30,x\n31,y\n", encoding="utf-8")
    return path


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="a POSIX shell")
def test_closed_streams_change_no_answer(job: Job) -> None:
    closing = "<&- >&- 2>&-"
    found = start(*release_arguments(job), closing=closing)
    assert found.returncode == 0, found.stderr
    assert {path.name for path in job.out.iterdir()} == {"release", "internal"}
    assert start("verify", job.out, "--input", job.source, closing=closing).returncode == 0
    assert start("inspect", job.folder / "none.csv", closing=closing).returncode == 2


@pytest.mark.thorough
@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_narrow_terminal_gets_escapes(odd: Path, encoding: str) -> None:
    found = start("inspect", odd, PYTHONIOENCODING=encoding)
    assert found.returncode == 0, found.stderr
    assert "\\U0001f600" in found.stdout
    found = start("inspect", odd, "--json", PYTHONIOENCODING=encoding)
    assert found.returncode == 0
    assert json.loads(found.stdout)["columns"][1]["name"] == ODD


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32" or not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_failure_after_the_release_does_not_deny_it(job: Job) -> None:
    found = start(*release_arguments(job), "--json", closing=">/dev/full")
    assert found.returncode == 1
    assert "No release was written" not in found.stderr
    assert str(job.out) in found.stderr
    assert "was complete" in found.stderr
    assert start("verify", job.out, "--input", job.source).returncode == 0


def test_stopping_after_the_release_does_not_deny_it(
    job: Job, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(release_command, "tell_gate", stopped)
    found = command(*release_arguments(job))
    assert found.code == 1
    assert "was complete" in found.err
    assert "othing was written" not in found.err
    assert job.out.exists()


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_interrupted_while_it_starts(job: Job) -> None:
    # The interrupt comes while the parts are loaded: at the first import of the engine's errors.
    code = (
        # A shell lets what it starts in the background ignore the signal.
        "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "class Stop:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'ppdm_desktop.engine.errors':\n"
        f"            import os; os.kill(os.getpid(), {int(signal.SIGINT)})\n"
        "sys.meta_path.insert(0, Stop())\n"
        "from ppdm_desktop.__main__ import main\n"
        "sys.exit(main())\n"
    )
    arguments = [sys.executable, "-c", code, *map(str, release_arguments(job))]
    found = subprocess.run(arguments, capture_output=True, text=True, check=False, timeout=60)
    assert found.returncode == 1
    assert found.stdout == ""
    assert "Traceback" not in found.stderr
    assert found.stderr.startswith("error: Stopped")
    assert not job.out.exists()


def test_a_log_that_cannot_be_written_is_refused_before_the_work(job: Job, command: Command) -> None:
    found = command(*release_arguments(job), "--log", job.folder / "no" / "log")
    assert (found.code, found.out) == (2, "")
    assert str(job.folder / "no" / "log") in found.err
    assert not job.out.exists()


@pytest.mark.parametrize("which", ["source", "recipe"])
def test_the_log_is_never_one_of_the_other_files(job: Job, command: Command, which: str) -> None:
    victim = getattr(job, which)
    before = victim.read_bytes()
    link = job.folder / "link"
    os.link(victim, link)
    for name in (victim, link):
        found = command(*release_arguments(job), "--log", name)
        assert (found.code, found.out) == (2, "")
        assert victim.read_bytes() == before
    assert not job.out.exists()


HOSTILE = "B\\nb\\u001b[31m\\u202ex\\u200b"


def test_names_from_the_file_cannot_steer_the_terminal(
    tmp_path: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A note on what another program's interrupted run left would be one line more.
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    source, recipe = tmp_path / "source.csv", tmp_path / "recipe.toml"
    name = HOSTILE.encode("ascii").decode("unicode_escape")
    source.write_text(f'A,"{name}",C\n1,x,y\n2,x,z\n2,w,\u06a9\u200c\u06a9\n', encoding="utf-8")
    recipe.write_text(
        f'recipe = 1\n[columns."*"]\nrole = "quasi-identifier"\n[columns."{HOSTILE}"]\nrole = "confidential"\n'
        '[release]\ntype = "research"\n',
        encoding="utf-8",
    )
    shown = [command("inspect", source), command("assess", source, "--recipe", recipe)]
    shown.append(command("release", source, "--recipe", recipe, "--out", tmp_path / "out"))
    recipe.write_text(recipe.read_text(encoding="utf-8").replace('"*"', '"Z\\n\\u001b"'), encoding="utf-8")
    shown += [command("assess", source, "--recipe", recipe), command("verify", f"no\n{name}", "--input", source)]
    shown += [command(f"no\n{name}"), command("release", "--seed", f"no\n{name}")]
    assert [each.code for each in shown] == [0, 0, 3, 2, 2, 2, 2]
    for each in shown:
        told = each.out + each.err
        assert not {"\x1b", "\u202e", "\u200b"} & set(told)
        assert "\nb" not in told
        assert "\\nb" in told or "\\n\\x1b" in told
    for each in shown[3:5]:
        assert len(each.err.splitlines()) == 1
    assert json.loads(command("inspect", source, "--json").out)["columns"][1]["name"] == name
