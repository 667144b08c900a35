"""A command loads what it needs and no more; nothing but the window needs Qt."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

BLOCKED = """
import importlib, pkgutil, sys

class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"PySide6", "shiboken6", "pyqtgraph"}:
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Block())
import ppdm_desktop.cli, ppdm_desktop.engine
found = ["ppdm_desktop.__main__", "ppdm_desktop.api"]
for package in (ppdm_desktop.engine, ppdm_desktop.cli):
    found += [each.name for each in pkgutil.walk_packages(package.__path__, package.__name__ + ".")]
for name in found:
    importlib.import_module(name)
print(len(found))
"""

LOADED = """
import contextlib, io, json, sys
from ppdm_desktop.cli.main import run
with contextlib.redirect_stdout(io.StringIO()):
    code = run(sys.argv[1:])
print(json.dumps([code, sorted({name.split(".")[0] for name in sys.modules})]))
"""


def python(code: str, *arguments: str) -> str:
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_every_module_of_engine_and_command_line_loads_without_qt() -> None:
    assert int(python(BLOCKED)) > 100


@pytest.mark.parametrize(
    ("arguments", "heavy"),
    [
        (["--version"], {"numpy", "pydantic"}),
        (["--help"], {"numpy", "pydantic"}),
        (["-h"], {"numpy", "pydantic"}),
        (["--version", "--foo"], {"numpy", "pydantic"}),
        (["methods"], set()),
        (["release", "--help"], set()),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_libraries_are_loaded_when_they_are_needed(arguments: list[str], heavy: set[str]) -> None:
    code, loaded = json.loads(python(LOADED, *arguments))
    assert code == 0
    assert not {"scipy", "pandas", "sklearn", "PySide6", *heavy} & set(loaded)


LIBRARY = """
import json, sys
import ppdm_desktop.api
print(json.dumps([0, sorted({name.split(".")[0] for name in sys.modules})]))
"""


def test_the_library_loads_neither_qt_nor_pandas() -> None:
    _, loaded = json.loads(python(LIBRARY))
    assert "numpy" in loaded
    assert not {"PySide6", "shiboken6", "pyqtgraph", "pandas", "sklearn", "pyarrow", "pyreadstat"} & set(loaded)


def test_help_names_the_command_itself() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "ppdm_desktop", "release", "--help"], capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("usage: ppdm-desktop release [-h]")
