"""Pictures of the window: no path of this machine in the guide's."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from ppdm_desktop.ui.state.tour import FOLDER
from tests.ui.screenshots_tour import neutral_paths


def test_a_picture_for_all_shows_no_path_of_this_machine(qtbot: Any, tmp_path: Path) -> None:
    root = QWidget()
    qtbot.addWidget(root)
    private = tmp_path / "ppdm-desktop-x1y2"
    release = private / f"{FOLDER}-a_b1" / "release-of-sample"
    field, written, own = QLineEdit(str(release)), QLabel(f"Written to {release}."), QLineEdit("/data/of/the/owner")
    column = QVBoxLayout(root)
    for each in (field, written, own):
        column.addWidget(each)
    told: list[str] = []
    field.textChanged.connect(told.append)
    before = field.text(), written.text()
    with neutral_paths(root, private):
        assert field.text() == os.sep.join(("Documents/releases", "release-of-sample"))
        assert written.text() == f"Written to {field.text()}."
        assert own.text() == "/data/of/the/owner"
    assert (field.text(), written.text()) == before
    assert not told, "the page took it for a decision"
