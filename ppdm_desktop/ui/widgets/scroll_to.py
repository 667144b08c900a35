"""Scrolling to what has just appeared."""

from __future__ import annotations

from PySide6.QtWidgets import QScrollArea, QWidget


def bring_in(widget: QWidget) -> None:
    """Scroll every area around a widget so that it can be seen; its layout is settled first."""
    parent = widget.parentWidget()
    while parent is not None:
        if (layout := parent.layout()) is not None:
            layout.activate()
        parent = parent.parentWidget()
    parent = widget.parentWidget()
    while parent is not None:
        if isinstance(parent, QScrollArea):
            inside = parent.widget()
            if inside is not None:
                inside.resize(inside.width(), max(inside.minimumSizeHint().height(), inside.height()))
            parent.ensureWidgetVisible(widget)
        parent = parent.parentWidget()
