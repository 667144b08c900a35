"""What the environment says of Qt's plug-ins is not followed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LOOK = """
import json, os, sys
from ppdm_desktop.ui.work.qt_environment import _VARIABLES
if sys.argv[1] == "window":
    from ppdm_desktop.ui.app import build_application
    app = build_application()
else:
    from ppdm_desktop.ui.pdf.renderers import pdf_renderers
    pdf_renderers()
    from PySide6.QtCore import QCoreApplication
    app = QCoreApplication.instance()
print(json.dumps([app.libraryPaths(), [name for name in _VARIABLES if name in os.environ], app.style().name()]))
"""


@pytest.mark.thorough
@pytest.mark.parametrize("door", ["window", "pdf"])
def test_plug_ins_from_elsewhere_are_not_looked_for(door: str, tmp_path: Path) -> None:
    planted = str(tmp_path / "planted")
    (tmp_path / "planted" / "platforms").mkdir(parents=True)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_STYLE_OVERRIDE": "windows"}
    environment |= {"QT_PLUGIN_PATH": planted, "QT_QPA_PLATFORM_PLUGIN_PATH": planted}
    words = [sys.executable, "-c", LOOK, door]
    found = subprocess.run(words, env=environment, capture_output=True, text=True, check=True)
    paths, left, style = json.loads(found.stdout)
    assert left == []
    assert planted not in paths
    if door == "window":
        assert style.casefold() == "fusion"
