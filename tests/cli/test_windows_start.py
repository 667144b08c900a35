"""What Windows' programs say at their start, and where they keep their files; by doubles, on every system."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ppdm_desktop.cli import main, streams
from ppdm_desktop.cli.app_folder import APPLICATION, config_folder


def unheard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Take the stream for errors away, as from a program with a window; return what is shown in boxes."""
    shown: list[tuple[str, str]] = []

    def box(title: str, text: str) -> bool:
        shown.append((title, text))
        return True

    monkeypatch.setattr(streams, "message_box", box)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "stderr", None)
    return shown


def test_a_refusal_at_the_start_is_shown_in_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = unheard(monkeypatch)
    assert main.run(["no-such-file.csv"]) == 2
    ((title, text),) = boxes
    assert title == "PPDM Desktop"
    assert "no-such-file.csv" in text


def test_what_ends_well_shows_no_box(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = unheard(monkeypatch)
    assert main.run(["--version"]) == 0
    assert boxes == []


def test_a_box_is_not_filled_without_end(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = unheard(monkeypatch)
    streams.prepare_streams()
    for _ in range(1000):
        sys.stderr.write("a line that a library writes again and again\n")
    assert streams.show_unheard("x")
    assert len(boxes[0][1]) <= 2_000


def test_where_there_is_a_stream_there_is_no_box(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(streams, "message_box", lambda title, text: pytest.fail("a box"))
    assert main.run(["no-such-file.csv"]) == 2
    assert "no-such-file.csv" in capsys.readouterr().err


def test_the_box_is_one_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[Any] = []

    def message(owner: Any, text: Any, title: Any, kind: Any) -> int:
        given.extend((owner, text.value, title.value, kind.value))
        return 1

    monkeypatch.setattr(ctypes, "WinDLL", lambda name, **how: SimpleNamespace(MessageBoxW=message), raising=False)
    assert streams.message_box("Title", "Text")
    assert given == [None, "Text", "Title", 0x10 | 0x10000]
    monkeypatch.delattr(ctypes, "WinDLL", raising=False)
    assert not streams.message_box("Title", "Text")


def test_a_home_is_asked_for_only_where_it_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", homeless)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path))
    assert config_folder() == tmp_path / APPLICATION
    if os.name != "nt":  # whose paths do not begin as XDG asks
        monkeypatch.setattr(sys, "platform", "linux")
        monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
        assert config_folder() == tmp_path / APPLICATION


def test_no_program_is_asked_how_many_processors_there_are() -> None:
    ask = "import ppdm_desktop.__main__, os; print(os.environ['LOKY_MAX_CPU_COUNT'])"
    without = {name: value for name, value in os.environ.items() if name != "LOKY_MAX_CPU_COUNT"}
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, env=without)
    assert done.stdout.strip() == "1"
