"""Everything that a window says, to eyes and to a screen reader."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QTableView, QTabWidget, QWidget
from ui_support import Person, find

from ppdm_desktop.ui.state.session import STEPS

ROLES_SHOWN = (
    Qt.ItemDataRole.DisplayRole,
    Qt.ItemDataRole.ToolTipRole,
    Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.CheckStateRole,
)


def seen_in(root: QWidget) -> list[str]:
    """Return everything that is said in the visible parts of a widget, to eyes and to a screen reader."""
    said: list[str] = []
    for widget in (root, *root.findChildren(QWidget)):
        if not widget.isVisible():
            continue
        for ask in ("text", "title", "currentText", "placeholderText", "accessibleName", "accessibleDescription"):
            if callable(told := getattr(widget, ask, None)):
                said.append(f"{widget.objectName()}.{ask}: {told()}")
        said.append(f"{widget.objectName()}.tip: {widget.toolTip()}")
        if isinstance(widget, QComboBox):
            said += [f"{widget.objectName()}: {widget.itemText(place)}" for place in range(widget.count())]
        if isinstance(widget, QTabWidget):
            said += [f"{widget.tabText(place)} {widget.tabToolTip(place)}" for place in range(widget.count())]
        if isinstance(widget, QAbstractItemView):
            said += cells_of(widget)
    return [line for line in said if not line.endswith(": ")]


def cells_of(view: QAbstractItemView) -> list[str]:
    """Return every cell and every head of a table, with what is selected and current."""
    model, name = view.model(), view.objectName()
    said = [f"{name} selected: {sorted((each.row(), each.column()) for each in view.selectedIndexes())}"]
    said.append(f"{name} current: {view.currentIndex().row()}, at {view.verticalScrollBar().value()}")
    columns = model.columnCount() if isinstance(view, QTableView) else 1
    for row in range(model.rowCount()):
        for column in range(columns):
            said += [f"{name} {row} {column}: {model.index(row, column).data(role)}" for role in ROLES_SHOWN]
        said.append(f"{name} row {row}: {model.headerData(row, Qt.Orientation.Vertical)}")
    said += [f"{name} column: {model.headerData(each, Qt.Orientation.Horizontal)}" for each in range(columns)]
    return said


def look_round(person: Person) -> dict[str, list[str]]:
    """Return what every page and the frame around it say, every tab of it included."""
    found = {}
    window = person.window
    for step in ("welcome", *STEPS):
        window.show_page(step)
        person.settle()
        page = find(window, f"page_{step}")
        for tab in page.tab_names or ("",):
            if tab:
                page.show_tab(tab)
                person.settle()
            found[f"{step} {tab}".strip()] = seen_in(window)
        if page.tab_names:
            page.show_tab(page.tab_names[0])
    return found
