"""Pictures of widgets, and who looks at what is photographed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from PySide6.QtCore import QPoint
from PySide6.QtGui import QPixmap, QRegion
from PySide6.QtWidgets import QWidget

from ppdm_desktop.ui.look.theme import theme

Look = Callable[[QWidget], None]
_looking: ContextVar[Look | None] = ContextVar("looking", default=None)


@contextmanager
def watched(look: Look) -> Iterator[None]:
    """Have each widget looked at while it is photographed."""
    token = _looking.set(look)
    try:
        yield
    finally:
        _looking.reset(token)


def photograph(widget: QWidget) -> QPixmap:
    """Return a picture of a widget as it is seen."""
    _look_at(widget)
    return widget.grab()


def photograph_whole(inside: QWidget) -> QPixmap:
    """Return all of what scrolls, on the ground that the window has behind it."""
    _look_at(inside)
    picture = QPixmap(inside.size())
    picture.fill(theme().colour("window"))
    inside.render(picture, QPoint(), QRegion(), QWidget.RenderFlag.DrawChildren)
    return picture


def _look_at(widget: QWidget) -> None:
    look = _looking.get()
    if look is not None:
        look(widget)
