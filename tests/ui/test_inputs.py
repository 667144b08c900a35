"""Lists to choose from."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.inputs import Choice, RoomyChoice


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


@pytest.mark.parametrize("policy", list(QComboBox.SizeAdjustPolicy))
def test_a_list_needs_no_more_room_than_its_font_asks_for(qtbot: Any, policy: QComboBox.SizeAdjustPolicy) -> None:
    box = Choice(name="box", words="Box")
    qtbot.addWidget(box)
    box.set_choices([("a", "Smallest group")], "a")
    box.setSizeAdjustPolicy(policy)
    box.setMinimumContentsLength(16)
    font = box.font()
    small = box.minimumSizeHint()
    for size in (2 * font.pointSizeF(), font.pointSizeF()):
        font.setPointSizeF(size)
        box.setFont(font)
        assert box.minimumSizeHint() == box.sizeHint()
    assert box.minimumSizeHint() == small


@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_roomy_choice_shows_its_longest_words_and_takes_less_where_it_has_to(qtbot: Any, scale: float) -> None:
    theme().set_scale(scale)
    box = RoomyChoice(name="box", words="Rounding")
    qtbot.addWidget(box)
    box.set_choices([("step", "step of the column"), ("none", "not rounded")], "step")
    for width, whole in ((box.sizeHint().width(), True), (box.minimumSizeHint().width(), False)):
        box.resize(width, box.sizeHint().height())
        option = QStyleOptionComboBox()
        box.initStyleOption(option)
        assert (box._shortened(option) == "step of the column") is whole
    theme().set_scale(1.0)
