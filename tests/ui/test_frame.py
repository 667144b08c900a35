"""The bars around a page, the help beside it and the settings: nothing is cut where there is little room."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import QPushButton, QWidget
from ui_support import let_work


def test_what_the_tab_key_reaches_is_not_left_under_the_help(window: Any) -> None:
    page, page_area = window._pages["welcome"], window.page_area
    far = QPushButton("far", page)
    far.setGeometry(page_area.width() - 80, 10, 60, 30)
    far.show()
    page.setMinimumWidth(page_area.width() - 30)
    window.toggle_help()
    let_work(30)
    assert page_area.is_over
    assert page_area.covers(far)
    before = far.previousInFocusChain()
    assert isinstance(before, QWidget)
    far.setFocus()
    window.focusNextPrevChild(False)
    assert not window.drawer.isHidden(), "what was reached stands beside it"
    window.focusNextPrevChild(True)
    assert far.hasFocus() or window.focusWidget() is far
    assert window.drawer.isHidden()
