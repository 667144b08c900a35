"""The report names the declared libraries that took part in a run, and no other."""

from __future__ import annotations

import ast
from pathlib import Path

from source_trees import nodes_of

from ppdm_desktop.engine.release.reporting.libraries import libraries_used, list_declared_libraries, modules_of
from ppdm_desktop.engine.table.reading.registry import all_readers
from ppdm_desktop.engine.table.writing.registry import all_writers

ENGINE = Path(__file__).resolve().parents[3] / "ppdm_desktop" / "engine"
LOADED = (
    "numpy",
    "sklearn.tree",
    "charset_normalizer",
    "xlsxwriter",
    "defusedxml.ElementTree",
    "PySide6.QtCore",
    "pyqtgraph",
    "pip",
)


def test_only_what_was_loaded_and_what_the_formats_of_this_run_need_is_named() -> None:
    assert list(libraries_used("delimited", "csv", LOADED)) == [
        "numpy",
        "scikit-learn",
        "defusedxml",
        "charset-normalizer",
    ]
    assert list(libraries_used("xls", "csv", ("numpy",))) == ["numpy", "python-calamine", "xlrd"]
    assert list(libraries_used("xlsx", "xlsx", LOADED)) == ["numpy", "scikit-learn", "defusedxml", "XlsxWriter"]
    assert libraries_used("delimited", "csv", ()).keys() == {"charset-normalizer"}


def test_each_declared_library_is_known_by_what_it_is_imported_as() -> None:
    assert {"scikit-learn", "python-stdnum", "PySide6-Essentials"} <= set(list_declared_libraries())
    assert "pytest" not in list_declared_libraries()
    assert all(map(modules_of, list_declared_libraries()))
    assert modules_of("python-stdnum") == {"stdnum"}
    assert "sklearn" in modules_of("scikit-learn")
    assert modules_of("no-such-library") == frozenset()


def test_a_format_names_each_library_that_nothing_but_formats_imports() -> None:
    ours = {module: name for name in list_declared_libraries() for module in modules_of(name)}
    within: set[str] = set()
    elsewhere: set[str] = set()
    for path in ENGINE.rglob("*.py"):
        parts = path.relative_to(ENGINE).parts
        found = within if parts[:2] in (("table", "reading"), ("table", "writing")) else elsewhere
        found |= _imported(path) & ours.keys()
    named = {module for each in all_readers().values() for module in each.libraries}
    named |= {module for each in all_writers().values() for module in each.libraries}
    assert named == within - elsewhere


def _imported(path: Path) -> set[str]:
    found = set()
    for node in nodes_of(path.read_text("utf-8")):
        if isinstance(node, ast.Import):
            found |= {each.name.partition(".")[0] for each in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            found.add((node.module or "").partition(".")[0])
    return found
