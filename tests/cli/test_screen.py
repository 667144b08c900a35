"""Without a command the window opens; where it cannot, the program says why and names the commands."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from cases import case_rows
from support import Command

from ppdm_desktop.cli import display_check as screen


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a screen")
def test_no_screen(no_screen: None, command: Command) -> None:
    found = command()
    assert found.code == 2
    assert "no screen" in found.err
    assert "sample" in found.err
    assert found.out == ""


def test_no_qt(no_screen: None, monkeypatch: pytest.MonkeyPatch, command: Command) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    found = command()
    assert found.code == 2
    assert "PySide6-Essentials" in found.err


@pytest.mark.skipif(sys.platform != "linux", reason="Qt brings its libraries on other systems")
def test_missing_libraries_are_named_with_their_packages(
    monkeypatch: pytest.MonkeyPatch, command: Command, tmp_path: Path
) -> None:
    ldd = tmp_path / "ldd"
    ldd.write_text("#!/bin/sh\nprintf '\\tlibEGL.so.1 => not found\\n\\tlibQt6Core.so.6 => not found\\n'\n", "utf-8")
    ldd.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(ldd))
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    found = command()
    assert found.code == 2
    assert "libEGL.so.1" in found.err
    assert "apt-get install libegl1" in found.err
    assert "Qt6Core" not in found.err


@pytest.mark.parametrize(("environment", "system", "name"), case_rows("screen-which-screen"))
def test_which_screen(environment: dict[str, str], system: str, name: str | None) -> None:
    assert screen.choose_qt_platform(environment, system) == name


def test_the_set_up_script_gets_json() -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-m", "ppdm_desktop.cli.display_check"],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    assert set(json.loads(done.stdout)) == {"qt", "platform", "basic", "screen", "packages"}
