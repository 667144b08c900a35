"""Parts beside each other while there is room, with shares or widths of their own."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget
from ui_support import let_work

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.side_by_side import SideBySide


class Part(QWidget):
    """Asks for so many pixels."""

    def __init__(self, wide: int) -> None:
        super().__init__()
        self._wide = wide

    def minimumSizeHint(self) -> QSize:
        return QSize(self._wide, 10)


def test_a_part_keeps_its_width_beside_and_takes_all_below(qtbot: Any) -> None:
    row = SideBySide(below=400, gap=(20, 6))
    qtbot.addWidget(row)
    first, second = Part(10), Part(10)
    row.add(first, width=120)
    row.add(second)
    row.resize(theme().px(600), 100)
    row.show()
    let_work(20)
    assert (row.one_column, first.width()) == (False, theme().px(120))
    assert second.width() == row.width() - theme().px(120) - theme().px(20)
    row.resize(theme().px(390), 100)
    let_work(20)
    assert row.one_column
    assert first.width() == second.width() == row.width()
    # And back: what it was given before is not what it needs.
    row.resize(theme().px(600), 100)
    let_work(20)
    assert (row.one_column, first.width()) == (False, theme().px(120))


def test_a_part_that_needs_more_than_its_width_gets_it(qtbot: Any) -> None:
    # In a widget, as on a page: a window of its own would not get narrower than its layout.
    page = QWidget()
    qtbot.addWidget(page)
    row = SideBySide(below=100)
    row.setParent(page)
    wide, other = Part(300), Part(50)
    row.add(wide, width=120)
    row.add(other)
    row.resize(700, 100)
    page.show()
    let_work(20)
    assert wide.width() == 300
    row.resize(340, 100)
    let_work(20)
    assert row.one_column
