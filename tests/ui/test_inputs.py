"""Lists to choose from."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtWidgets import QComboBox, QStyleOptionComboBox, QWidget

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.inputs import Choice, RoomyChoice


@pytest.mark.parametrize("entries", [1, 2, 5, 11, 16])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_a_list_to_choose_from_shows_all_its_entries(qtbot: Any, scale: float, entries: int) -> None:
    choice = Choice(name="choice", words="What to take")
    choice.set_choices([(str(n), f"entry {n} of many words") for n in range(entries)], "0")
    # Only what is in a window wears the style sheet, and only with it the last entry was once cut.
    window = theme().make_window(QWidget)
    qtbot.addWidget(window)
    theme().set_scale(scale)
    choice.setParent(window)
    window.show()
    choice.setFocus()
    choice.resize(60, choice.sizeHint().height())
    qtbot.wait(50)
    choice.showPopup()
    view = choice.view()
    qtbot.waitUntil(view.isVisible)
    qtbot.wait(50)  # the list is laid out after it is shown
    last = view.visualRect(choice.model().index(entries - 1, 0))
    room = view.viewport()
    assert last.bottom() < room.height()
    assert view.sizeHintForColumn(0) <= room.width()
    assert (view.verticalScrollBar().maximum(), view.horizontalScrollBar().maximum()) == (0, 0)
    choice.hidePopup()


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
