from __future__ import annotations

import tomllib
from importlib import metadata
from pathlib import Path

import ppdm_desktop


def test_one_version_everywhere(repository: Path) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))["project"]
    assert ppdm_desktop.__version__ == project["version"]
    assert metadata.version("ppdm-desktop") == ppdm_desktop.__version__
