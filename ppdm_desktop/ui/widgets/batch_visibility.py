"""Show and hide several parts of a card with one layout."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtWidgets import QWidget


@contextmanager
def at_once(widget: QWidget) -> Iterator[None]:
    """Postpone the layout of a widget's parts to the end of the block.

    Otherwise each part that is shown lays out the whole page.
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
