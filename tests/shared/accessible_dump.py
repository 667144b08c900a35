"""The accessible tree of a widget as text: what a screen reader says, one line for each object, children indented."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAbstractItemView, QWidget

Role = QAccessible.Role
FIRST_ROWS = 5
"""So many rows of a table or list are dumped, then their number."""
_LEFT_OUT = (Role.ScrollBar, Role.Indicator, Role.Grip, Role.Separator, Role.Graphic)
_STATES = ("checked", "selected", "expanded")


def dump(widget: QWidget) -> str:
    """Return the visible accessible objects of a widget in their order, one a line."""
    return "\n".join(_lines(QAccessible.queryAccessibleInterface(widget), "", ""))


def _lines(interface: QAccessibleInterface, indent: str, parent: str) -> Iterator[str]:
    """Yield the lines of an object and its children; a text that repeats what its parent says is left out."""
    state, role = interface.state(), interface.role()
    if state.invisible or role in _LEFT_OUT:
        return
    line = _described(interface)
    if role in (Role.StaticText, Role.Heading) and f"“{_flat(interface.text(QAccessible.Text.Name))}”" in parent:
        return
    if line:
        yield indent + line
        indent, parent = indent + "  ", line
    view = interface.object()
    if isinstance(view, QAbstractItemView) and role is not Role.List:
        yield from _rows(view, indent)
        return
    count = interface.childCount()
    last = FIRST_ROWS if isinstance(view, QAbstractItemView) else count
    for index in range(min(count, last)):
        child = interface.child(index)
        if child is not None:
            yield from _lines(child, indent, parent)
    if count > last:
        yield f"{indent}… {count} items in all"


def _rows(view: QAbstractItemView, indent: str) -> Iterator[str]:
    """Yield the headings and the first rows of a table or tree, a line for each."""
    model = view.model()
    is_hidden = getattr(view, "isColumnHidden", lambda column: False)
    columns = [column for column in range(model.columnCount()) if not is_hidden(column)]
    headings = [_flat(str(model.headerData(column, Qt.Orientation.Horizontal) or "")) for column in columns]
    if any(headings):
        yield f"{indent}head: {' | '.join(headings)}"
    for row in range(min(FIRST_ROWS, model.rowCount())):
        yield f"{indent}row {row + 1}: {' | '.join(_cell(model.index(row, column)) for column in columns)}"
    if model.rowCount() > FIRST_ROWS:
        yield f"{indent}… {model.rowCount()} rows in all"


def _described(interface: QAccessibleInterface) -> str:
    """Return role, name, value, description and states in one line; empty for a container that says nothing."""
    name, value, description = (
        _flat(interface.text(kind))
        for kind in (QAccessible.Text.Name, QAccessible.Text.Value, QAccessible.Text.Description)
    )
    state, role = interface.state(), interface.role()
    if not (name or value or description) and not state.focusable:
        return ""
    parts = [role.name, f"“{name}”"]
    if value and value != name:
        parts.append(f"= {value}")
    if description and description != name:
        parts.append(f"({description})")
    states = [word for word in _STATES if getattr(state, word)]
    if state.checkable and not state.checked:
        states.append("unchecked")
    if state.disabled:
        states.append("disabled")
    if states:
        parts.append(f"[{', '.join(states)}]")
    return " ".join(parts)


def _cell(index: QModelIndex | QPersistentModelIndex) -> str:
    text = _flat(str(index.data(Qt.ItemDataRole.AccessibleTextRole) or index.data() or ""))
    checked = index.data(Qt.ItemDataRole.CheckStateRole)
    if checked is None:
        return text
    mark = "x" if Qt.CheckState(checked) is Qt.CheckState.Checked else " "
    return f"[{mark}] {text}".rstrip()


def _flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()
