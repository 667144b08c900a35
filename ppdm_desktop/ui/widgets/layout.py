"""Layouts in one expression: rows and columns whose gaps and margins follow the text size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from PySide6.QtCore import Qt, SignalInstance
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLayout, QVBoxLayout, QWidget

from ppdm_desktop.ui.look.theme import theme

Slot = Callable[..., object] | SignalInstance
"""What a signal can be connected to: a function or another signal."""
Margins = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels at 13 px text."""
_NONE: Margins = (0, 0, 0, 0)
_FILL = Qt.AlignmentFlag(0)
_Box = TypeVar("_Box", bound=QBoxLayout)


@dataclass(frozen=True)
class Placed:
    """A part of a row or column with its share of the free space and its alignment; None as part is free space."""

    part: QWidget | QLayout | None = None
    stretch: int = 0
    align: Qt.AlignmentFlag = _FILL


STRETCH = Placed(stretch=1)
"""Free space in a row or column."""
Part = QWidget | QLayout | Placed


def stretched(part: QWidget | QLayout, stretch: int = 1) -> Placed:
    """Return a part that takes a share of the free space."""
    return Placed(part, stretch)


def at_top(part: QWidget, stretch: int = 0) -> Placed:
    """Return a part that keeps its height and is aligned at the top of its row."""
    return Placed(part, stretch, Qt.AlignmentFlag.AlignTop)


def at_left(part: QWidget, stretch: int = 0) -> Placed:
    """Return a part that keeps its width and is aligned at the left of its column."""
    return Placed(part, stretch, Qt.AlignmentFlag.AlignLeft)


def fill(box: _Box, *parts: Part) -> _Box:
    """Add parts to the end of a row or column, and return it."""
    for part in parts:
        placed = part if isinstance(part, Placed) else Placed(part)
        if isinstance(placed.part, QWidget):
            box.addWidget(placed.part, placed.stretch, placed.align)
        elif placed.part is not None:
            box.addLayout(placed.part, placed.stretch)
        else:
            box.addStretch(placed.stretch)
    return box


def hbox(*parts: Part, on: QWidget | None = None, margins: Margins = _NONE, gap: float | None = None) -> QHBoxLayout:
    """Return a row of parts from left to right; the default gap is that of the style.

    Parameters
    ----------
    on
        Widget that gets the row as its layout.
    margins, gap
        Space around the row and between its parts, in pixels at 13 px text.
    """
    return fill(_spaced(QHBoxLayout(), on, margins, gap), *parts)


def vbox(*parts: Part, on: QWidget | None = None, margins: Margins = _NONE, gap: float | None = None) -> QVBoxLayout:
    """Return a column of parts from top to bottom; its keywords are those of ``hbox``."""
    return fill(_spaced(QVBoxLayout(), on, margins, gap), *parts)


def _spaced(box: _Box, on: QWidget | None, margins: Margins, gap: float | None) -> _Box:
    """Set gaps and margins of a row or column, make it the layout of ``on`` if given, and return it."""
    if on is not None:
        on.setLayout(box)
    theme().space(box, *margins, gap)
    return box


def widget_of(layout: QLayout, *, name: str = "") -> QWidget:
    """Return a widget that contains a layout, so that its parts can be hidden together."""
    widget = QWidget()
    widget.setObjectName(name)
    widget.setLayout(layout)
    return widget


class Panel(QWidget):
    """Part of a page with object name, accessible name and help topic."""

    def __init__(self, *, name: str = "", label: str = "", topic: str | None = None) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setProperty("topic", topic)
