"""Adding records to an earlier release in the window: chosen, tried, answered, written, refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from support import REASON, not_analysed
from ui_support import find

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.export import export
from ppdm_desktop.engine.release.gate import CHECK_IDS
from ppdm_desktop.engine.release.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.verify import verify

LEFT = Qt.MouseButton.LeftButton
RECIPE = """recipe = 1
[input]
one_row_per_person = true
[columns.Age]
role = "quasi-identifier"
kind = "numeric"
[columns.Pay]
role = "confidential"
kind = "numeric"
[[steps]]
method = "condensation"
[release]
type = "internal"
"""


def table(first: int, rows: int) -> str:
    lines = [f"{20 + row * 7 % 50},{1500 + row * 37 % 900}" for row in range(first, first + rows)]
    return "\n".join(["Age,Pay", *lines]) + "\n"


@pytest.fixture
def earlier(tmp_path: Path) -> Path:
    """A condensed release whose original is gone."""
    source, recipe = tmp_path / "old.csv", tmp_path / "recipe.toml"
    source.write_text(table(0, 60), encoding="utf-8")
    recipe.write_text(RECIPE, encoding="utf-8")
    candidate = run_candidate(
        prepare(source, read_recipe(recipe), silent(), need_type=True), Key.from_seed(1), silent()
    )
    export(candidate, tmp_path / "one", accepts=dict.fromkeys(CHECK_IDS, REASON), analyses=not_analysed(), attacks=())
    source.unlink()
    return tmp_path / "one"


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
    assert "30 new records were added" in dialog.said.text.text()
    assert dialog.gate.isVisible()
    open_lines = [line for line in dialog.gate.lines.values() if line.reason.isVisibleTo(dialog)]
    for number, line in enumerate(open_lines):
        line.reason.setText(f"{REASON}, number {number}")
        line.flush()
    assert dialog.button_write.isEnabled()
    dialogs.will("folder", tmp_path)
    qtbot.mouseClick(dialog.button_write, LEFT)
    qtbot.waitUntil(lambda: not window.runner.is_running("top-up-export"), timeout=60_000)
    out = tmp_path / "new-release"
    assert str(out) in dialog.said.text.text()
    assert verify(out, new, silent()).result == "identical"
    assert not dialog.gate.isVisible()
    dialog.close()


def test_what_does_not_fit_is_said_and_nothing_is_written(
    qtbot: Any, window: Any, dialogs: Any, earlier: Path, tmp_path: Path
) -> None:
    new = tmp_path / "new.csv"
    new.write_text("Age,Pay\n30,much\n", encoding="utf-8")
    dialog = begun(qtbot, window, dialogs, earlier, new)
    assert dialog.failure.isVisible()
    assert "row 1" in dialog.failure.text.text()
    assert not dialog.gate.isVisible()
    assert not dialog.button_write.isVisible()
    dialog.close()
    assert {path.name for path in tmp_path.iterdir()} == {"one", "new.csv", "recipe.toml"}
