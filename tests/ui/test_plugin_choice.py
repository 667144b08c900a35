"""Methods of others in the window: ticked in the settings, there from the next start on, named by the recipe."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from outside_plugin import MODULE, PUBLISHER, SOURCE, VERSION, install
from PySide6.QtWidgets import QCheckBox, QLabel
from ui_support import Person

from ppdm_desktop import plugins
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.ui.shell.settings_dialog import SettingsDialog, switch_on
from ppdm_desktop.ui.state.settings import Settings

PLUGIN = "outside-shuffle"


@pytest.fixture
def outside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Path]]:
    def put(**options: Any) -> Path:
        module = install(tmp_path / "site", **options)
        monkeypatch.syspath_prepend(str(tmp_path / "site"))
        importlib.invalidate_caches()
        return module

    yield put
    plugins.switch_off(PLUGIN)
    switch_on(())
    sys.modules.pop(MODULE, None)


def words(dialog: SettingsDialog) -> str:
    return "\n".join(label.text() for label in dialog.findChildren(QLabel) if not label.isHidden())


def test_they_are_ticked_in_the_settings_and_there_from_the_next_start_on(
    outside: Callable[..., Path], make_window: Any, dialogs: Any
) -> None:
    outside()
    window = make_window()
    told: list[Settings] = []
    dialog = SettingsDialog(window, Settings(), told.append)
    assert f"“{PLUGIN}” {VERSION} by {PUBLISHER}, not part of PPDM Desktop." in words(dialog)
    box = dialog.findChild(QCheckBox, f"check_plugin_{PLUGIN}")
    assert isinstance(box, QCheckBox)
    assert not box.isChecked()
    assert box.property("topic") == "setting.plugins"
    assert MODULE not in sys.modules, "looking runs nothing"
    box.click()
    assert told[-1].plugins == (PLUGIN,)
    assert not dialog.button_restart.isHidden()
    assert MODULE not in sys.modules, "nor does ticking"
    dialog.deleteLater()
    again = make_window(plugins=told[-1].plugins)
    listed = Person(again, dialogs)
    listed.session.add_step(StepSection(method="outside-shuffle"))
    assert listed.session.decisions.recipe.plugins.use == (PLUGIN,)
    listed.session.add_step(StepSection(method="suppress"))
    assert listed.session.decisions.recipe.plugins.use == (PLUGIN,)


def test_one_that_is_refused_says_why(outside: Callable[..., Path], make_window: Any) -> None:
    outside(text=SOURCE.read_text("utf-8").replace('id = "outside-shuffle"', 'id = "suppress"'))
    window = make_window(plugins=(PLUGIN,))
    dialog = SettingsDialog(window, Settings(plugins=(PLUGIN,)), lambda settings: None)
    assert "Not offered: there is already something called “suppress”." in words(dialog)
    assert dialog.button_restart.isHidden(), "nothing will be otherwise at the next start"
    dialog.deleteLater()
