"""The order of the Tab key where parts come later: what is made last would be reached last of all."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def reach_after(before: QWidget, *parts: QWidget) -> QWidget:
    """Have Tab go from a control to those inside other widgets, in their order; return the last of them.

    Parameters
    ----------
    before
        The control that comes first; it may be hidden.
    parts
        Controls, or widgets that hold some.
    """
    for part in parts:
        for control in (part, *part.findChildren(QWidget)):
            if control.focusPolicy() & Qt.FocusPolicy.TabFocus:
                QWidget.setTabOrder(before, control)
                before = control
    return before
