"""Before and after: cards of different heights fill two columns without holes, and one column at large text."""

from __future__ import annotations

from typing import Any

import pytest
from optional import existing
from PySide6.QtWidgets import QVBoxLayout, QWidget
from ui_support import make_all_pages

from ppdm_desktop.ui.look.theme import theme


def heights(column: QVBoxLayout) -> list[int]:
    found = [existing(column.itemAt(place)).widget() for place in range(column.count())]
    return [widget.minimumHeight() for widget in found if widget is not None]


def cards(tab: Any, high: list[int]) -> list[QWidget]:
    made = []
    for each in high:
        card = QWidget()
        card.setMinimumSize(100, each)
        made.append(card)
    tab._cards, tab._across = made, 0
    return made


@pytest.mark.thorough
def test_the_next_card_goes_where_there_is_most_room(window: Any) -> None:
    make_all_pages(window)
    tab = window.findChild(object, "tab_charts")
    tab.resize(theme().px(1000), 900)
    made = cards(tab, [400, 100, 120, 500, 50])
    tab._place()
    assert [heights(column) for column in tab._columns] == [[400, 50], [100, 120, 500]]
    tab._beside.activate()
    assert abs(made[0].width() - made[1].width()) <= 1, "both columns are as wide"
    # They come again in their order where there is room for one column only.
    tab.resize(theme().px(700), 900)
    tab._place()
    assert [heights(column) for column in tab._columns] == [[400, 100, 120, 500, 50], []]
    tab._beside.activate()
    assert {card.width() for card in made} == {theme().px(700)}
    tab.resize(theme().px(1000), 900)
    tab._place()
    assert [heights(column) for column in tab._columns] == [[400, 50], [100, 120, 500]]
