from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).resolve().parent


def load_script(name: str) -> ModuleType:
    """Load packaging/<name>.py, which is a script and no package."""
    path = HERE.parent.parent / "packaging" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(f"script_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def dev() -> ModuleType:
    return load_script("dev")


@pytest.fixture(scope="session")
def lock() -> ModuleType:
    return load_script("lock")


@pytest.fixture(scope="session")
def licences() -> ModuleType:
    return load_script("licences")


@pytest.fixture(scope="session")
def bundle() -> ModuleType:
    return load_script("bundle")
