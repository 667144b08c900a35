"""Lists to choose from."""

from __future__ import annotations

from typing import Any

import pytest

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.inputs import Choice


@pytest.mark.parametrize("entries", [1, 2, 5, 11, 16])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_list_to_choose_from_shows_all_its_entries(qtbot: Any, scale: float, entries: int) -> None:
    theme().set_scale(scale)
    choice = Choice(name="choice", words="What to take")
    qtbot.addWidget(choice)
    choice.set_choices([(str(n), f"entry {n}") for n in range(entries)], "0")
    choice.show()
    choice.showPopup()
    qtbot.waitUntil(choice.view().isVisible)
    assert choice.view().verticalScrollBar().maximum() == 0
    choice.hidePopup()
    theme().set_scale(1.0)
