"""The script of the analysis kit, as a module."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

from ppdm_desktop.engine.report.public import analysis_kit


def kit_module(path: Path | None = None) -> ModuleType:
    """Return the kit's script as a module."""
    path = path or Path(analysis_kit.__file__).parents[4] / "resources" / analysis_kit.KIT / analysis_kit.SCRIPT
    spec = importlib.util.spec_from_file_location("noise_kit", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
