"""The order of the Tab key where a page comes later than the bar below it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def reach_inside(holder: QWidget, page: QWidget) -> None:
    """Have Tab reach a page's controls, in their order, behind what comes before its holder and before what follows.

    Qt puts what is made last behind everything. It moves a widget with all that it holds only where the focus of the
    widget goes to one of these, and only next to one that takes the focus; so both are so for this moment.

    Parameters
    ----------
    holder
        What the page stands in; it takes no focus.
    page
        Has just been put into it.
    """
    last, widget = None, page.nextInFocusChain()
    while widget is not None and page.isAncestorOf(widget):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            last = widget
        widget = widget.nextInFocusChain()
    if last is None:
        return
    for each in (holder, page):
        each.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    before = last.focusPolicy()
    page.setFocusProxy(last)
    QWidget.setTabOrder(holder, page)
    page.setFocusProxy(None)  # type: ignore[arg-type]
    last.setFocusPolicy(before)
    for each in (holder, page):
        each.setFocusPolicy(Qt.FocusPolicy.NoFocus)
