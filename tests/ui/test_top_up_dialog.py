"""Adding records to an earlier release in the window: chosen, tried, answered, written, refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from support import reason_for
from top_up_support import condensed_release, table
from ui_support import find

from ppdm_desktop.engine.release.verify import verify

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A condensed release whose original is gone."""
    made = condensed_release(tmp_path, "one")
    (tmp_path / "old.csv").unlink()
    return made


def begun(qtbot: Any, window: Any, dialogs: Any, earlier: Path, new: Path) -> Any:
    """Open the dialog, choose folder and file, and press the button."""
    qtbot.mouseClick(find(window, "button_top_up"), LEFT)
    dialog = find(window, "dialog_top_up")
    qtbot.waitUntil(dialog.isVisible)
    assert not dialog.button_try.isEnabled()
    dialogs.will("folder", earlier)
    qtbot.mouseClick(find(dialog, "button_top_up_folder"), LEFT)
    dialogs.will("open_file", new)
    qtbot.mouseClick(find(dialog, "button_top_up_file"), LEFT)
    assert dialog.button_try.isEnabled()
    qtbot.mouseClick(dialog.button_try, LEFT)
    qtbot.waitUntil(lambda: not window.runner.is_running("top-up"), timeout=60_000)
    return dialog


def test_records_are_added_the_checks_answered_and_the_folder_written(
    qtbot: Any, window: Any, dialogs: Any, earlier: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.csv"
    new.write_text(table(60, 30), encoding="utf-8")
    dialog = begun(qtbot, window, dialogs, earlier, new)
    assert dialog.gate.isVisible()
    for line in [line for line in dialog.gate.reasons.values() if line.reason.isVisibleTo(dialog)]:
        line.reason.setText(reason_for(line.cause))
        line.flush()
    assert dialog.button_write.isEnabled()
    dialogs.will("folder", tmp_path)
    qtbot.mouseClick(dialog.button_write, LEFT)
    qtbot.waitUntil(lambda: not window.runner.is_running("top-up-export"), timeout=60_000)
    out = tmp_path / "new-release"
    assert str(out) in dialog.result_strip.text.text()
    assert verify(out, new).result == "identical"
    assert not dialog.gate.isVisible()
    dialog.close()


def test_what_does_not_fit_is_said_and_nothing_is_written(
    qtbot: Any, window: Any, dialogs: Any, earlier: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.csv"
    new.write_text("Age,Pay\n30,much\n", encoding="utf-8")
    dialog = begun(qtbot, window, dialogs, earlier, new)
    assert dialog.failure.isVisible()
    assert not dialog.gate.isVisible()
    assert not dialog.button_write.isVisible()
    dialog.close()
    assert {path.name for path in tmp_path.iterdir()} == {"one", "new.csv", "recipe.toml"}
