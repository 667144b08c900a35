"""The import contracts are there, and they do fail when they are broken."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from cases import case_rows
from source_trees import nodes_of


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
    path = folder / "ppdm_desktop" / module
    path.parent.mkdir(exist_ok=True)
    package = path.parent / "__init__.py"
    if not package.exists():
        package.write_text('"""Planted."""\n', "utf-8")
    path.write_text(line + "\n", "utf-8")


def test_the_contracts_are_listed(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    contracts = {one["id"]: one for one in project["tool"]["importlinter"]["contracts"]}
    assert set(contracts) >= {
        "engine-without-window",
        "two-doors",
        "engine-layers",
        "release-layers",
        "methods-layers",
        "ui-layers",
        "pages-apart",
        "no-circles",
    }
    assert set(contracts["engine-without-window"]["forbidden_modules"]) >= {"PySide6", "PyQt6", "pyqtgraph"}
    assert not [name for name, contract in contracts.items() if "ignore_imports" in contract]


def test_the_contracts_hold(copy: Path) -> None:
    done = lint_imports(copy)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(("module", "line", "broken"), case_rows("import-contracts-a-planted-import-is-found"))
def test_a_planted_import_is_found(copy: Path, module: str, line: str, broken: str) -> None:
    plant(copy, module, line)
    done = lint_imports(copy)
    assert done.returncode == 1, done.stdout + done.stderr
    assert is_broken(done.stdout, broken), done.stdout
    assert "planted" in done.stdout


def is_broken(said: str, contract: str) -> bool:
    return any(line.startswith(contract) and line.endswith("BROKEN") for line in said.splitlines())


# --- what import-linter cannot see: parts of a package from outside -----------------------


def imported(source: str) -> set[str]:
    """Return what a module imports at any place of it: "from a import b" is both a and a.b."""
    found: set[str] = set()
    for node in nodes_of(source):
        if isinstance(node, ast.Import):
            found |= {each.name for each in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            found |= {node.module, *(f"{node.module}.{each.name}" for each in node.names)}
    return found


def who_imports(package: Path, folder: str, *unwanted: str) -> list[str]:
    """Return the modules below a folder of the package that import a module, or a part of it."""
    return sorted(
        path.relative_to(package).as_posix()
        for path in (package / folder).rglob("*.py")
        if any(
            name == each or name.startswith(f"{each}.")
            for name in imported(path.read_text("utf-8"))
            for each in unwanted
        )
    )


WIDGETS = ("PySide6.QtWidgets", "PySide6.QtGui")


def test_what_the_session_shows_knows_no_widget(repository: Path) -> None:
    assert not who_imports(repository / "ppdm_desktop", "ui/state", *WIDGETS)


def test_the_engine_hands_sentences_on_and_says_none(repository: Path) -> None:
    # A sentence that is passed on is said in the language of the reader; the engine writes only reports and papers.
    saying = who_imports(repository / "ppdm_desktop", "engine", "ppdm_desktop.engine.wording.catalogue._")
    writers = ("engine/dossier/", "engine/report/", "engine/wording/", "engine/release/two_releases.py")
    assert saying
    assert [module for module in saying if not module.startswith(writers)] == []


def test_plots_are_drawn_by_one_module(repository: Path) -> None:
    assert who_imports(repository / "ppdm_desktop", ".", "pyqtgraph") == ["ui/charts/dense_layer.py"]
