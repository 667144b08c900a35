"""The set-up script: what it re-makes when, and what it says when it cannot."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def place(dev: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """An empty checkout with nothing but the files the set-up reads."""
    (tmp_path / "packaging").mkdir()
    for name in ("pyproject.toml", "setup.py", "packaging/requirements.txt"):
        (tmp_path / name).write_text(name, "utf-8")
    monkeypatch.setattr(dev, "ROOT", tmp_path)
    monkeypatch.setattr(dev, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(dev, "STAMP", tmp_path / ".venv" / "ppdm-stamp.json")
    monkeypatch.setattr(dev, "PINS", tmp_path / "packaging" / "requirements.txt")
    return tmp_path


@pytest.fixture
def done(dev: ModuleType, monkeypatch: pytest.MonkeyPatch, place: Path) -> list[str]:
    """What the set-up did, without doing it."""
    did: list[str] = []

    def make(python: str) -> None:
        did.append("venv")
        (place / ".venv").mkdir(exist_ok=True)

    monkeypatch.setattr(dev, "make_venv", make)
    monkeypatch.setattr(dev, "install_pins", lambda folder, window: did.append("pins" if window else "pins without Qt"))
    monkeypatch.setattr(dev, "install_project", lambda: did.append("project"))
    monkeypatch.setattr(dev, "compile_translations", lambda: None)
    monkeypatch.setattr(dev, "venv_python", lambda: Path(sys.executable))
    return did


def test_set_up_does_only_what_changed(dev: ModuleType, place: Path, done: list[str]) -> None:
    dev.set_up(None)
    assert done == ["venv", "pins", "project"]
    done.clear()
    dev.set_up(None)
    assert done == []
    (place / "pyproject.toml").write_text("changed", "utf-8")
    dev.set_up(None)
    assert done == ["project"]
    done.clear()
    (place / "packaging" / "requirements.txt").write_text("changed", "utf-8")
    dev.set_up(None)
    assert done == ["venv", "pins", "project"]
    done.clear()
    stamp = place / ".venv" / "ppdm-stamp.json"
    stamp.write_text(json.dumps({**json.loads(stamp.read_text("utf-8")), "python": "3.10"}), "utf-8")
    dev.set_up(None)
    assert done == ["venv", "pins", "project"], "another Python"


def test_the_command_line_alone_is_set_up_without_qt_and_completed_when_the_window_is_wanted(
    dev: ModuleType, place: Path, done: list[str]
) -> None:
    dev.set_up(None, window=False)
    assert done == ["venv", "pins without Qt", "project"]
    done.clear()
    dev.set_up(None, window=False)
    assert done == []
    dev.set_up(None)
    assert done == ["pins", "project"]
    done.clear()
    # What has Qt serves the command line as it is.
    dev.set_up(None, window=False)
    dev.set_up(None)
    assert done == []


# --- what is said and asked on the way ------------------------------------------------------


def test_progress_is_said_while_the_work_goes_on(
    dev: ModuleType, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = (
        "import sys, pathlib\n"
        "print('Collecting a==1', flush=True)\n"
        "print('Installing collected packages: a, b', flush=True)\n"
        "for name in 'ab':\n"
        "    pathlib.Path('.venv/lib/python3.11/site-packages', name + '.dist-info').mkdir(parents=True)\n"
        "sys.exit(3)"
    )
    ended, said = dev.watched([sys.executable, "-c", code], every=0.05)
    assert ended == 3
    assert "Collecting a==1" in said
    assert capsys.readouterr().out.splitlines()[-1] == "dev: installed 2 of 2 packages"


@pytest.mark.parametrize(("answer", "yes"), [("y", True), ("Yes", True), ("", False), ("n", False)])
def test_packages_of_the_system_need_a_yes(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, answer: str, yes: bool
) -> None:
    asked: list[str] = []

    def answered(question: str) -> str:
        asked.append(question)
        return answer

    monkeypatch.setattr(dev, "_agreed", False)
    monkeypatch.setattr(dev.sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", answered)
    assert dev.agreed(("libegl1",)) is yes
    assert "libegl1" in asked[0]


@pytest.mark.parametrize("content", ["", "[]", "{", '{"python": "3.11"}'])
def test_an_unfinished_set_up_is_done_again(dev: ModuleType, place: Path, done: list[str], content: str) -> None:
    (place / ".venv").mkdir()
    (place / ".venv" / "ppdm-stamp.json").write_text(content, "utf-8")
    dev.set_up(None)
    assert done == ["venv", "pins", "project"]


def test_a_folder_that_is_no_venv_is_left_alone(dev: ModuleType, place: Path) -> None:
    (place / ".venv").mkdir()
    (place / ".venv" / "precious.txt").write_text("mine", "utf-8")
    with pytest.raises(dev.Stop, match="no virtual environment"):
        dev.make_venv(sys.executable)
    assert (place / ".venv" / "precious.txt").exists()


def test_no_network_says_what_helps(
    dev: ModuleType, place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # A requirement that no folder holds, looked for in an empty folder only.
    (place / "packaging" / "requirements.txt").write_text(f"no-such-package==1 --hash=sha256:{'0' * 64}\n", "utf-8")
    empty = place / "empty"
    empty.mkdir()
    monkeypatch.setattr(dev, "venv_python", lambda: Path(sys.executable))
    with pytest.raises(dev.Stop, match="--find-links DIR"):
        dev.install_pins(empty)


def test_a_failed_check_counts_and_tests_run_all_the_same(
    dev: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran: list[list[str]] = []

    def run_nothing(command: list[str], **_: object) -> subprocess.CompletedProcess[str]:
        ran.append(command)
        wrong = "mypy" in command
        return subprocess.CompletedProcess(command, int(wrong), "a.py:1: error: is wrong\n" if wrong else "")

    monkeypatch.setattr(dev.subprocess, "run", run_nothing)
    monkeypatch.setattr(dev, "set_up", lambda *_, **__: None)
    monkeypatch.setattr(dev, "prepare_screen", lambda real: None)
    assert dev.main(["check"]) == 1
    assert "pytest" in ran[-1]
    assert len(ran) == len(dev.CHECKS) + 2
    output = capsys.readouterr().out.splitlines()
    assert output[-2:] == ["dev: checks failed: mypy", "dev: pytest"]
    assert output[output.index("dev: mypy") + 1] == "a.py:1: error: is wrong"
    ran.clear()
    assert dev.main(["test", "tests/cli", "-k", "gate"]) == 0
    assert [command[1:] for command in ran] == [["-m", "pytest", "tests/cli", "-k", "gate"]], "tests and no checks"
