"""What Windows' programs say at their start, and where they keep their files; by doubles, on every system."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ppdm_desktop.cli import main, streams
from ppdm_desktop.cli.app_folder import APPLICATION, config_folder


def unheard(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Take the stream for errors away, as from a program with a window; return what is shown in boxes."""
    shown: list[tuple[str, str]] = []

    def box(title: str, text: str) -> bool:
        shown.append((title, text))
        return True

    monkeypatch.setattr(streams, "show_message_box", box)
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(sys, "stderr", None)
    return shown


def test_a_refusal_at_the_start_is_shown_in_a_box(monkeypatch: pytest.MonkeyPatch) -> None:
    boxes = unheard(monkeypatch)
    assert main.run(["no-such-file.csv"]) == 2
    ((title, text),) = boxes
    assert title == "PPDM Desktop"
    assert "no-such-file.csv" in text


def test_where_there_is_a_stream_there_is_no_box(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(streams, "show_message_box", lambda title, text: pytest.fail("a box"))
    assert main.run(["no-such-file.csv"]) == 2
    assert "no-such-file.csv" in capsys.readouterr().err


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
