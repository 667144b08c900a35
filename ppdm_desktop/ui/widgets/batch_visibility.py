"""Showing and hiding several parts of a card at once."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QWidget


@contextmanager
def at_once(widget: QWidget) -> Iterator[None]:
    """Let a widget's parts come and go, and lay it out once afterwards.

    Else every part that is shown lays out the whole page that it stands on, at once.
    """
    layout = widget.layout()
    if layout is None or not layout.isEnabled():
        yield
        return
    layout.setEnabled(False)
    try:
        yield
    finally:
        layout.setEnabled(True)
        layout.invalidate()
        widget.updateGeometry()
