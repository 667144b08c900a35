"""Rows and columns whose gaps and margins follow the text size, and parts that wrap or stand side by side."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, SignalInstance
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QLayout,
    QLayoutItem,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)

from ppdm_desktop.ui.look.theme import theme

if TYPE_CHECKING:
    _OfAWidget = QWidget
else:
    _OfAWidget = object  # a widget has one class of Qt's only

ONE_COLUMN_BELOW = 860
_NO_LIMIT = 16_777_215


class FitsOnResize(_OfAWidget):
    """Base of widgets that rearrange their parts when their size changes, by their method ``_adapt_to_size``."""

    def _adapt_to_size(self) -> None:
        """Arrange the parts for the present size; subclasses define it (NotImplementedError here)."""
        raise NotImplementedError

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the parts for the new size."""
        super().resizeEvent(event)
        self._adapt_to_size()


class SideBySide(FitsOnResize, QWidget):
    """Widgets in a row that becomes a column below a certain width.

    Parameters
    ----------
    below
        Width, in pixels at 100 % text size, below which the parts form a column.
    gap
        Distance between parts in pixels at 100 % text size.
    """

    def __init__(self, *, below: int = ONE_COLUMN_BELOW, gap: tuple[int, int] = (12, 12)) -> None:
        super().__init__()
        self._below = below
        self._gap = gap
        self._widths: dict[QWidget, int] = {}
        self._box = hbox(on=self)
        self._set_direction(down=False)
        theme().changed.connect(self._adapt_to_size)

    def add(
        self,
        widget: QWidget,
        stretch: int = 1,
        *,
        top: bool = False,
        width: int | None = None,
    ) -> None:
        """Add a part at the end, with a share of the row's width or with a fixed width in the row.

        Parameters
        ----------
        stretch
            Share of the width, relative to the other parts.
        top
            Whether the part keeps its height and is aligned at the top.
        width
            Fixed width in pixels at 100 % text size, instead of a share; a part that needs more gets more.
        """
        alignment = Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag(0)
        self._box.addWidget(widget, stretch if width is None else 0, alignment)
        if width is not None:
            self._widths[widget] = width
            self._set_direction(down=self.one_column)

    @property
    def one_column(self) -> bool:
        """Whether the parts are below each other."""
        return self._box.direction() == QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:
        """Return the width of the widest part, because parts can form a column; the height is Qt's."""
        widest = max((self._find_least_column_width(item) for item in self._visible_items()), default=0)
        return QSize(widest, super().minimumSizeHint().height())

    def _visible_items(self) -> list[QLayoutItem]:
        """Return the layout items of the parts that are visible, in their order."""
        items = (self._box.itemAt(index) for index in range(self._box.count()))
        return [item for item in items if item is not None and not item.isEmpty()]

    def _find_least_column_width(self, item: QLayoutItem) -> int:
        """Return the minimum width in pixels that a part needs in a column, where its fixed width does not apply."""
        widget = item.widget()
        if widget is not None and widget in self._widths:
            # Not what it was given when parts last stood beside each other.
            return widget.minimumSizeHint().width()
        return item.minimumSize().width()

    def _find_least_row_width(self, item: QLayoutItem) -> int:
        """Return the minimum width in pixels of a part in a row: its fixed width, or more if it needs more."""
        widget = item.widget()
        width = self._widths.get(widget, 0) if widget is not None else 0
        return max(self._find_least_column_width(item), theme().px(width))

    def _adapt_to_size(self) -> None:
        """Arrange the parts in a column or a row, depending on the width.

        They form a column if the width is below the limit ``below`` or too small for all parts side by side.
        """
        least = [self._find_least_row_width(item) for item in self._visible_items()]
        needed = sum(least) + theme().px(self._gap[0]) * max(len(least) - 1, 0)
        self._set_direction(down=self.width() * 17 / max(theme().h, 1) < self._below or self.width() < needed)

    def _set_direction(self, *, down: bool) -> None:
        """Arrange the parts as a column (``down``) or a row; fixed widths apply only in a row."""
        self._box.setDirection(QBoxLayout.Direction.TopToBottom if down else QBoxLayout.Direction.LeftToRight)
        self._box.setSpacing(theme().px(self._gap[down]))
        for widget, width in self._widths.items():
            needed = max(widget.minimumSizeHint().width(), theme().px(width))
            widget.setMinimumWidth(0 if down else needed)
            widget.setMaximumWidth(_NO_LIMIT if down else needed)


_EXPLICIT_SHOW_HIDE = Qt.WidgetAttribute.WA_WState_ExplicitShowHide
"""Attribute of widgets that were shown or hidden explicitly, not by their parent."""


class Flow(QWidget):
    """Arranges widgets from left to right, and begins a new line when there is no room.

    It places its children itself rather than by a layout: the bindings delete items of a layout written in Python while
    Qt still uses them, which ends the program.

    Parameters
    ----------
    gap
        Distance between widgets in pixels at 100 % text size.
    at_top
        Whether widgets of a line are aligned at the top; else in the middle.
    """

    def __init__(self, *parts: QWidget, gap: int = 8, at_top: bool = False) -> None:
        super().__init__()
        self._gap, self._at_top = gap, at_top
        # Ours alone: they only measure and place.
        self._items: list[QWidgetItem] = []
        self._heights: dict[int, int] = {}
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        theme().changed.connect(self._lay_out)
        for part in parts:
            self.add(part)

    def add(self, widget: QWidget) -> None:
        """Add a widget at the end; a widget that was hidden stays hidden, any other becomes visible."""
        hidden = widget.isHidden() and widget.testAttribute(_EXPLICIT_SHOW_HIDE)
        widget.setParent(self)
        widget.setHidden(hidden)
        self._items.append(QWidgetItem(widget))
        self._lay_out()

    @property
    def parts(self) -> list[QWidget]:
        """The widgets in the order in which they were added, hidden ones included."""
        return [widget for item in self._items if (widget := item.widget()) is not None]

    def clear(self) -> None:
        """Hide and delete all widgets."""
        parts = self.parts
        self._items.clear()
        for widget in parts:
            widget.hide()
            widget.deleteLater()
        self._lay_out()

    def hasHeightForWidth(self) -> bool:
        """Return True: the height depends on the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels of all lines at a width; it is remembered while the widget is visible."""
        if not self.isVisible():
            # Nobody tells of a part that changes while it cannot be seen.
            self._heights.clear()
        # Asked for dozens of times while a page is laid out, for two or three widths.
        if width not in self._heights:
            self._heights[width] = self._place_widgets(width, really=False)
        return self._heights[width]

    def sizeHint(self) -> QSize:
        """Return the size with all visible widgets on one line."""
        sizes = [item.sizeHint() for item in self._items if not item.isEmpty()]
        wide = sum(size.width() for size in sizes) + theme().px(self._gap) * max(len(sizes) - 1, 0)
        return QSize(wide, max((size.height() for size in sizes), default=0))

    def minimumSizeHint(self) -> QSize:
        """Return the largest minimum width and the largest minimum height of the visible widgets."""
        size = QSize(0, 0)
        for item in self._items:
            if not item.isEmpty():
                size = size.expandedTo(item.minimumSize())
        return size

    def event(self, event: QEvent) -> bool:
        """Arrange the widgets again when one asks for another size; return whether the event was handled."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._lay_out()
        return super().event(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Arrange the widgets again, because they may have changed while hidden."""
        super().showEvent(event)
        self._lay_out()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the widgets for the new width."""
        super().resizeEvent(event)
        self._place_widgets(self.width(), really=True)

    def _lay_out(self) -> None:
        """Arrange the widgets for the present width, and tell the layout around that the size may have changed."""
        self._heights.clear()
        self.updateGeometry()
        self._place_widgets(self.width(), really=True)

    def _place_widgets(self, width: int, *, really: bool) -> int:
        """Return the height in pixels of all lines of widgets at a width; the widgets are moved only if ``really``.

        A widget that does not fit beside the others begins a new line; one wider than the line is made as wide as the
        line. Hidden widgets take no space.
        """
        gap = theme().px(self._gap)
        x = y = high = 0
        line: list[tuple[QWidgetItem, QRect]] = []

        def finish() -> None:
            """Move the widgets of the complete line, each to the top or the middle of the line's height.

            Nothing happens unless ``really``.
            """
            for item, rect in line:
                if really:
                    item.setGeometry(rect.translated(0, 0 if self._at_top else (high - rect.height()) // 2))

        for item in self._items:
            if item.isEmpty():
                continue
            size = item.sizeHint()
            wide = min(size.width(), max(width, 1))
            if line and x + wide > width:
                finish()
                x, y = 0, y + high + gap
                line, high = [], 0
            # A flow inside this one takes more lines where it has to be narrower than it asks for.
            inner = item.widget()
            tall = inner.heightForWidth(wide) if isinstance(inner, Flow) else size.height()
            line.append((item, QRect(QPoint(x, y), QSize(wide, tall))))
            x += wide + gap
            high = max(high, tall)
        finish()
        return y + high


Slot = Callable[..., object] | SignalInstance
"""What a signal can be connected to: a function or another signal."""
Margins = tuple[float, float, float, float]
"""Left, top, right and bottom, in pixels at 13 px text."""
_NONE: Margins = (0, 0, 0, 0)
_FILL = Qt.AlignmentFlag(0)
_Box = TypeVar("_Box", bound=QBoxLayout)


def connect(signal: SignalInstance, slot: Slot | None) -> None:
    """Connect a signal to a slot, unless there is none."""
    if slot is not None:
        signal.connect(slot)


@dataclass(frozen=True)
class Placed:
    """A part of a row or column with its share of the free space and its alignment.

    If ``part`` is None, it is just free space.
    """

    part: QWidget | QLayout | None = None
    stretch: int = 0
    align: Qt.AlignmentFlag = _FILL


STRETCH = Placed(stretch=1)
"""Free space in a row or column."""
Part = QWidget | QLayout | Placed


def stretch_part(part: QWidget | QLayout) -> Placed:
    """Return a part for ``hbox`` or ``vbox`` that takes one share of the free space."""
    return Placed(part, 1)


def align_top(part: QWidget) -> Placed:
    """Return a part for ``hbox`` that keeps its height and is aligned at the top."""
    return Placed(part, align=Qt.AlignmentFlag.AlignTop)


def align_left(part: QWidget) -> Placed:
    """Return a part for ``vbox`` that keeps its width and is aligned at the left."""
    return Placed(part, align=Qt.AlignmentFlag.AlignLeft)


def add_parts(box: _Box, *parts: Part) -> _Box:
    """Add widgets, layouts and free space to the end of a row or column, and return the row or column.

    Widgets and layouts take only the space they need; a ``Placed`` part says which share of the free space it takes.
    """
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
    """Return a new row of parts from left to right.

    Parameters
    ----------
    on
        Widget whose layout the row becomes.
    margins, gap
        Space around the row (left, top, right, bottom) and between its parts, in pixels at 100 % text size; it
        follows later changes of the text size. Without ``gap`` the style's own.
    """
    return add_parts(_set_spacing(QHBoxLayout(), on, margins, gap), *parts)


def vbox(*parts: Part, on: QWidget | None = None, margins: Margins = _NONE, gap: float | None = None) -> QVBoxLayout:
    """Return a new column of parts from top to bottom.

    Parameters
    ----------
    on
        Widget whose layout the column becomes.
    margins, gap
        Space around the column (left, top, right, bottom) and between its parts, in pixels at 100 % text size; it
        follows later changes of the text size. Without ``gap`` the style's own.
    """
    return add_parts(_set_spacing(QVBoxLayout(), on, margins, gap), *parts)


def _set_spacing(box: _Box, on: QWidget | None, margins: Margins, gap: float | None) -> _Box:
    """Set margins and gap of a row or column, make it the layout of ``on`` if given, and return the row or column."""
    if on is not None:
        on.setLayout(box)
    theme().space(box, *margins, gap)
    return box


def widget_of(layout: QLayout) -> QWidget:
    """Return a new widget that contains a layout, so that its parts can be hidden together."""
    widget = QWidget()
    widget.setLayout(layout)
    return widget


def retain_space(widget: QWidget) -> None:
    """Let a widget keep its space in the layout while it is hidden."""
    policy = widget.sizePolicy()
    policy.setRetainSizeWhenHidden(True)
    widget.setSizePolicy(policy)


class Panel(QWidget):
    """Part of a page with object name, accessible name and help topic."""

    def __init__(self, *, name: str = "", label: str = "", topic: str | None = None) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(label)
        self.setProperty("topic", topic)
