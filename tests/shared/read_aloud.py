"""What a screen reader finds in a window: its tree of objects, and what the eye sees beside it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from PySide6.QtGui import QAccessible, QAccessibleInterface, QAccessibleTableCellInterface, QPainter
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QWidget,
)

Role = QAccessible.Role
STATES = (
    "focusable",
    "focused",
    "disabled",
    "checkable",
    "checked",
    "selectable",
    "selected",
    "expandable",
    "expanded",
    "editable",
)
MOST_CELLS = 400
"""Of a table: a screen reader does not walk a million cells either."""
LEVELS = 3
"""How far from a text what is said of it may stand: a label in a check box, a drawing in its card."""


@dataclass(frozen=True)
class Heard:
    """One object of the tree.

    Attributes
    ----------
    role, name, value, description
        As a screen reader gets them.
    states
        Those of ``STATES`` that are set.
    widget
        The widget behind it; of cells, tabs and headings the one that shows them.
    is_part
        Whether it is such a part and no widget of its own.
    column, row
        Headings of a cell.
    inside
        What it stands in, from the outside.
    """

    role: QAccessible.Role
    name: str
    value: str
    description: str
    states: frozenset[str]
    widget: QWidget
    is_part: bool
    column: str
    row: str
    inside: tuple[Heard, ...]

    @property
    def said(self) -> str:
        """Everything that is said of it."""
        return " ".join((self.name, self.value, self.description, self.column, self.row))

    def __str__(self) -> str:
        """Return it in one line."""
        value = f" = {self.value}" if self.value else ""
        where = f"{type(self.widget).__name__} {self.widget.objectName()!r}"
        return f"{self.role.name} “{self.name}”{value} {sorted(self.states)} {where}"


def heard(window: QWidget) -> list[Heard]:
    """Walk the tree of a window as a screen reader does: what is invisible is left out with all below it."""
    return list(_walk(QAccessible.queryAccessibleInterface(window), window, ()))


def _walk(interface: QAccessibleInterface, around: QWidget, inside: tuple[Heard, ...]) -> Iterator[Heard]:
    state, said, of = interface.state(), interface.text, interface.object()
    if state.invisible:
        return
    kinds = QAccessible.Text
    cell = interface.tableCellInterface()
    is_cell = isinstance(cell, QAccessibleTableCellInterface)
    this = Heard(
        role=interface.role(),
        name=said(kinds.Name),
        value=said(kinds.Value),
        description=said(kinds.Description),
        states=frozenset(name for name in STATES if getattr(state, name)),
        widget=of if isinstance(of, QWidget) else around,
        is_part=not isinstance(of, QWidget),
        column=" ".join(each.text(kinds.Name) for each in cell.columnHeaderCells()) if is_cell else "",
        row=" ".join(each.text(kinds.Name) for each in cell.rowHeaderCells()) if is_cell else "",
        inside=inside,
    )
    yield this
    for place in range(min(interface.childCount(), MOST_CELLS)):
        child = interface.child(place)
        if child is not None:  # Qt has none where two headings meet
            yield from _walk(child, this.widget, (*inside, this))


def words_seen(window: QWidget) -> Iterator[tuple[QWidget, str]]:
    """Yield what can be seen as text, each with its widget."""
    for widget in window.findChildren(QWidget):
        if not widget.isVisible():
            continue
        for text in _texts(widget):
            if text.strip():
                yield widget, text


def _texts(widget: QWidget) -> Iterator[str]:
    if isinstance(widget, QLabel | QAbstractButton):
        yield re.sub(r"&(.)", r"\1", widget.text())
    if isinstance(widget, QLineEdit):
        yield widget.text() or widget.placeholderText()
    if isinstance(widget, QPlainTextEdit):
        yield widget.toPlainText() or widget.placeholderText()
    if isinstance(widget, QGroupBox):
        yield widget.title()
    if isinstance(widget, QComboBox):
        yield widget.currentText() or widget.placeholderText()
    if isinstance(widget, QAbstractSpinBox):
        yield widget.text()


@contextmanager
def painted() -> Iterator[list[tuple[QWidget, str]]]:
    """Note every text that the program itself draws, with the widget that it is drawn on."""
    found: list[tuple[QWidget, str]] = []
    original: Callable[..., Any] = QPainter.drawText

    def draw(self: QPainter, *arguments: Any) -> Any:
        texts = [each for each in arguments if isinstance(each, str)]
        device = self.device()
        if texts and isinstance(device, QWidget):
            found.append((device, texts[0]))
        return original(self, *arguments)

    QPainter.drawText = draw  # type: ignore[assignment, method-assign]
    try:
        yield found
    finally:
        QPainter.drawText = original  # type: ignore[method-assign]


def pieces(text: str) -> list[str]:
    """Return the letters and figures of a text, in parts where it was shortened or several things were joined."""
    parts = re.split(r"…|, |\n| → ", text)
    return [found for part in parts if re.search(r"[^\W\d_]{2}", part) and (found := _plain(part))]


def _plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


class Around:
    """What is said of a widget, of what stands in it, and of the few things it stands in."""

    def __init__(self, tree: list[Heard]) -> None:
        self._by_widget: dict[int, list[Heard]] = {}
        for each in tree:
            for widget in [each.widget, *(outer.widget for outer in each.inside[-LEVELS:])]:
                self._by_widget.setdefault(id(widget), []).append(each)

    def missing(self, widget: QWidget, text: str) -> list[str]:
        """Return the parts of a text that nothing said at this place holds."""
        outer: QWidget | None = widget
        said = ""
        for _ in range(LEVELS):
            if outer is None or outer.objectName().startswith(("page_", "area_", "rail")):
                break
            said += " ".join(each.said for each in self._by_widget.get(id(outer), ()))
            outer = outer.parentWidget()
        return [piece for piece in pieces(text) if piece not in _plain(said)]
