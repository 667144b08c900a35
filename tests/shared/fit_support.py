"""What has too little room: words that are cut, lists that end in dots, what only scrolling sideways shows."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QAbstractButton,
    QLabel,
    QScrollArea,
    QStyleOptionComboBox,
    QTabBar,
    QToolButton,
    QWidget,
)

from ppdm_desktop.ui.pages.columns.table import WHY, ColumnsView, count_reason_lines, row_height
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.tables.form_table import FormTable


def page_of(window: Any) -> QWidget:
    page = window.findChild(QWidget, f"page_{window.current}")
    assert page is not None
    return page  # type: ignore[no-any-return]


def seen(parent: QWidget, kind: type[Any]) -> list[Any]:
    """Return the visible widgets of a kind that are ours (not the insides of Qt's own)."""
    return [
        each
        for each in parent.findChildren(kind)
        if each.isVisibleTo(parent) and not each.objectName().startswith("qt_")
    ]


def tell(widget: QWidget) -> str:
    """Name a widget so that it can be found."""
    text = widget.text() if isinstance(widget, QLabel | QAbstractButton) else ""
    names: list[str] = []
    parent = widget.parentWidget()
    while parent is not None and len(names) < 3:
        if parent.objectName():
            names.append(parent.objectName())
        parent = parent.parentWidget()
    return f"{type(widget).__name__} {widget.objectName()!r} {text[:40]!r} in {' < '.join(names)}"


def hidden_sideways(window: Any) -> list[str]:
    """Return the scroll areas that scroll to the side, each with its widest content."""
    found = []
    page = page_of(window)
    areas = [area for area in [window._areas[window.current], *page.findChildren(QScrollArea)] if area.isVisible()]
    for area in areas:
        inner = area.widget()
        room = area.viewport().width()
        if inner is not None and inner.width() > room + 1:
            wide = max(seen(inner, QWidget), key=lambda each: each.minimumSizeHint().width(), default=inner)
            found.append(f"{area.objectName()}: {inner.width()} px in {room}; widest: {tell(wide)}")
    return found


def cut_words(part: QWidget) -> list[str]:
    """Return the labels and buttons that are smaller than their words."""
    found = []
    for label in seen(part, QLabel):
        if not label.text() or label.width() <= 0:
            continue
        if label.wordWrap():
            needed = label.heightForWidth(label.width())
            if label.height() + 2 < needed:
                found.append(f"{label.height()} of {needed} px high: {tell(label)}")
        else:
            found += squeezed(label)
    for button in seen(part, QAbstractButton):
        if button.text():
            found += squeezed(button)
    return found


def squeezed(widget: QWidget) -> list[str]:
    """Return whether a line of words is narrower or lower than it needs."""
    least, size = widget.minimumSizeHint(), widget.size()
    pairs = ((size.width(), least.width(), "wide"), (size.height(), least.height(), "high"))
    return [f"{given} of {needed} px {way}: {tell(widget)}" for given, needed, way in pairs if given + 2 < needed]


def cut_choices(part: QWidget) -> list[str]:
    """Return the lists to choose from that end in dots although they could be as wide as their words."""
    found = []
    for each in seen(part, Choice):
        option = QStyleOptionComboBox()
        each.initStyleOption(option)
        fits = each.sizeAdjustPolicy() == Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        if not fits and each._elide_label(option) != each._current_label:
            found.append(f"{each._elide_label(option)!r} of {each._label!r}: {tell(each)}")
    return found


def cut_title(window: Any) -> list[str]:
    """Return the title of the page where it ends in dots while the check beside it has words."""
    title, button = window.head._title, window.head.button_check_file
    return (
        [f"{title.visible_text()!r} of {title.text()!r}"]
        if button.text() and title.visible_text() != title.text()
        else []
    )


def tabs_out_of_reach(part: QWidget) -> list[str]:
    """Return the rows of tabs that are wider than their room and cannot be scrolled by the mouse."""
    found = []
    for bar in seen(part, QTabBar):
        arrows = [each for each in bar.findChildren(QToolButton) if each.isVisible()]
        if not arrows and bar.tabRect(bar.count() - 1).right() > bar.width():
            found.append(f"{bar.count()} tabs in {bar.width()} px: {tell(bar)}")
    return found


def cut_rows(part: QWidget) -> list[str]:
    """Return the rows of tables whose words go on more lines than the row is high, or end in dots at the left."""
    found = []
    for columns in seen(part, ColumnsView):
        reasons = [count_reason_lines(line.reason, columns.columnWidth(WHY)) for line in columns.model().lines]
        low = [row for row, lines in enumerate(reasons) if columns.rowHeight(row) < row_height(lines)]
        found += [f"row {row} of {tell(columns)}" for row in low]
    for table in seen(part, FormTable):
        model = table.model()
        if table.wordWrap():
            needed = [table.text_height(row) for row in range(model.rowCount())]
            low = [row for row, high in enumerate(needed) if table.rowHeight(row) < high]
            found += [f"row {row} of {tell(table)}" for row in low]
    return found


def cut(window: Any) -> list[str]:
    """Return what of the window and the page in front has too little room."""
    return [*hidden_sideways(window), *cut_title(window), *cut_inside(window)]


def cut_inside(part: QWidget) -> list[str]:
    """Return what in a part of the window, or in a dialog, is smaller than its words."""
    return [*cut_words(part), *cut_choices(part), *cut_rows(part), *tabs_out_of_reach(part)]
