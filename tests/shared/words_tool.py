"""The tool that keeps the catalogue, which is no part of the program: loaded from packaging/."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def _load() -> ModuleType:
    path = Path(__file__).resolve().parents[2] / "packaging" / "words.py"
    spec = importlib.util.spec_from_file_location("words_of_packaging", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


words = _load()
