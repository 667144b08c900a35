"""Order of the Tab key for widgets that are created later, which Qt would put last."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget


def set_tab_order_after(before: QWidget, *parts: QWidget) -> QWidget:
    """Let the Tab key go from a control to the controls inside other widgets; return the last of these controls.

    If the widgets have no control that the Tab key reaches, ``before`` is returned.

    Parameters
    ----------
    before
        The control that comes first; it may be hidden.
    parts
        Controls, or widgets that contain controls, in the wanted order.
    """
    for part in parts:
        for control in (part, *part.findChildren(QWidget)):
            # The list of a choice is a window of its own.
            if control.focusPolicy() & Qt.FocusPolicy.TabFocus and control.window() is part.window():
                QWidget.setTabOrder(before, control)
                before = control
    return before
