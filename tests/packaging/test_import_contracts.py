"""The import contracts are there, and they do fail when they are broken."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    code = "from importlinter.cli import lint_imports_command as run; run()"
    command = [sys.executable, "-c", code, "--no-logo", "--no-cache"]
    # Run inside the copy, which stands before the editable install on the path.
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, encoding="utf-8"
    )


@pytest.fixture
def copy(repository: Path, tmp_path: Path) -> Path:
    shutil.copytree(
        repository / "ppdm_desktop", tmp_path / "ppdm_desktop", ignore=shutil.ignore_patterns("__pycache__")
    )
    shutil.copy(repository / "pyproject.toml", tmp_path)
    return tmp_path


def plant(folder: Path, module: str, line: str) -> None:
    path = folder / "ppdm_desktop" / "engine" / module
    path.parent.mkdir(exist_ok=True)
    package = path.parent / "__init__.py"
    if not package.exists():
        package.write_text('"""Planted."""\n', "utf-8")
    path.write_text(line + "\n", "utf-8")


def test_the_contracts_are_listed(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    contracts = {one["id"]: one for one in project["tool"]["importlinter"]["contracts"]}
    assert set(contracts) >= {"engine-without-window", "two-doors", "engine-layers"}
    assert set(contracts["engine-without-window"]["forbidden_modules"]) >= {"PySide6", "PyQt6", "pyqtgraph"}


def test_the_contracts_hold(copy: Path) -> None:
    done = lint_imports(copy)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("module", "line", "broken"),
    [
        ("planted.py", "import PySide6.QtCore", "The engine knows no Qt"),
        ("table/planted.py", "def late():\n    import pyqtgraph", "The engine knows no Qt"),
        ("utility/planted.py", "import ppdm_desktop.engine.methods", "Inside the engine"),
        ("attacks/planted.py", "import ppdm_desktop.engine.methods", "Inside the engine"),
        ("methods/planted.py", "import ppdm_desktop.engine.release", "Inside the engine"),
        ("table/planted.py", "import ppdm_desktop.engine.identifiability", "Inside the engine"),
    ],
)
def test_a_planted_import_is_found(copy: Path, module: str, line: str, broken: str) -> None:
    plant(copy, module, line)
    done = lint_imports(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert f"{broken}" in done.stdout
    assert "BROKEN" in done.stdout
    assert "planted" in done.stdout


def test_the_engine_cannot_reach_the_command_line(copy: Path) -> None:
    cli = copy / "ppdm_desktop" / "cli.py"
    if not cli.exists() and not cli.with_suffix("").exists():
        cli.write_text('"""Planted."""\n', "utf-8")
    plant(copy, "planted.py", "import ppdm_desktop.cli")
    done = lint_imports(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "neither the window nor the command line BROKEN" in done.stdout
