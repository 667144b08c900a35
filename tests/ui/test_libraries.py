"""Large libraries are loaded while nothing else is to do, unseen, and all that the engine needs later."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from source_trees import nodes_of
from ui_support import wait_until

from ppdm_desktop.engine import progress
from ppdm_desktop.ui.work.library_loading import FIRST, LIBRARIES, Libraries


def late_imports(folder: Path) -> set[str]:
    """Return the SciPy and scikit-learn modules that functions of the engine import."""
    found = set()
    for file in folder.rglob("*.py"):
        for function in nodes_of(file.read_text(encoding="utf-8")):
            if isinstance(function, ast.FunctionDef):
                found |= {
                    each.module for each in ast.walk(function) if isinstance(each, ast.ImportFrom) and each.module
                }
    return {name for name in found if name.split(".")[0] in ("scipy", "sklearn", "threadpoolctl")}


def test_what_is_loaded_brings_all_that_the_engine_imports_late(repository: Path) -> None:
    for name in LIBRARIES:
        importlib.import_module(name)
    wanted = late_imports(repository / "ppdm_desktop" / "engine")
    assert {"scipy.spatial", "sklearn.tree"} <= wanted
    assert wanted <= set(sys.modules)


def test_the_window_paints_before_tables_recipes_and_numbers_are_loaded(repository: Path) -> None:
    program = """
import sys
from ppdm_desktop.ui.app import build_application, build_window
application, window = build_application(), build_window()
window.show()
application.processEvents()
late = ("numpy", "pydantic", "scipy", "sklearn", "pandas", "pyqtgraph", "jinja2", "charset_normalizer", "stdnum",
        "ppdm_desktop.engine.release.gate.base", "ppdm_desktop.engine.report.model", "ppdm_desktop.engine.attacks")
print([name for name in late if name in sys.modules])
from ppdm_desktop.ui.work.library_loading import FIRST
import importlib
for name in FIRST:
    importlib.import_module(name)
before = set(sys.modules)
from ppdm_desktop.ui.state.reading import read_file
print(len(set(sys.modules) - before))
window.close()
"""
    done = subprocess.run([sys.executable, "-c", program], cwd=repository, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "0"]


def test_they_are_loaded_once_unseen_and_after_the_work(make_window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    window = make_window(1280, 800)
    runner = window.runner
    told: list[str] = []
    runner.started.connect(told.append)
    loads: list[list[str]] = []
    monkeypatch.setattr("ppdm_desktop.ui.work.library_loading.load_libraries", lambda: loads.append(runner.running()))
    going = [True]

    def work() -> None:
        while going:
            progress.check()

    runner.start("work", work, window._on_job_ended)
    libraries = Libraries(runner, window)
    for _ in range(len(FIRST) + 1):
        libraries._on_time()
    assert not loads
    going.clear()
    wait_until(lambda: libraries.loaded, 20, "the libraries")
    runner.start("more", lambda: None, window._on_job_ended)
    wait_until(lambda: not runner.is_running(), 20)
    assert loads == [[]]
    assert told == ["work", "more"]
