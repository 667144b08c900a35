"""What screen readers say of widgets that Qt does not describe well enough.

Qt does not know what a card, a page in the list of pages or a chart is, and on Linux it names a combo box by its
selected entry rather than by its purpose. A widget with a method ``accessible_info`` describes itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractSpinBox, QAccessibleWidget, QComboBox, QLayout, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term

Role = QAccessible.Role
_PRESS = "Press"  # Qt's own name, which no language changes


@dataclass(frozen=True)
class AccessibleInfo:
    """Description of a widget for screen readers.

    Attributes
    ----------
    role
        Kind of widget.
    name
        Name of the widget; if empty, its accessible name is used.
    value
        Content of the widget, in words.
    checked, selected
        Whether the widget is checked or selected; None if it cannot be.
    disabled
        Whether the widget cannot be used now; it still takes the focus, so that the reason can be heard.
    hidden
        Whether screen readers skip the widget: an ornament, or a drawing of what also stands there as text.
    press
        Function that Space and a click call, if the widget is no button of Qt's.
    """

    role: QAccessible.Role
    name: str = ""
    value: str = ""
    checked: bool | None = None
    selected: bool | None = None
    disabled: bool = False
    hidden: bool = False
    press: Callable[[], None] | None = None


def as_chart(_widget: QWidget) -> AccessibleInfo:
    """Return the description of a chart for screen readers; the widget's accessible description is its sentence."""
    return AccessibleInfo(Role.Chart)


def as_text(_widget: QWidget) -> AccessibleInfo:
    """Return the description of drawn text, such as a legend, for screen readers."""
    return AccessibleInfo(Role.StaticText)


def as_group(_widget: QWidget) -> AccessibleInfo:
    """Return the description of a named group of widgets for screen readers."""
    return AccessibleInfo(Role.Grouping)


def as_list(_widget: QWidget) -> AccessibleInfo:
    """Return the description of a list made of widgets for screen readers."""
    return AccessibleInfo(Role.List)


def as_list_item(_widget: QWidget) -> AccessibleInfo:
    """Return the description of an entry of a list for screen readers."""
    return AccessibleInfo(Role.ListItem)


def as_ornament(_widget: QWidget) -> AccessibleInfo:
    """Return the description of an ornament, which screen readers skip."""
    return AccessibleInfo(Role.Graphic, hidden=True)


class AccessibleWidget(QAccessibleWidget):
    """Passes a widget's own description (``AccessibleInfo``) on to screen readers."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, Role.Client)
        self._widget = widget

    def _read_description(self) -> AccessibleInfo | None:
        """Return the widget's own description (``accessible_info``); None while it is built or destroyed."""
        try:
            info: AccessibleInfo = self._widget.accessible_info()  # type: ignore[attr-defined] # it has one, else it has no voice
        except (AttributeError, RuntimeError):
            return None
        return info

    def role(self) -> QAccessible.Role:
        """Return the kind of widget by its own description, else by Qt's."""
        info = self._read_description()
        return info.role if info is not None else super().role()

    def text(self, kind: QAccessible.Text) -> str:
        """Return a text of the widget: name and value by its own description (``AccessibleInfo``), all others by Qt.

        Without an own description, or with an empty name in it, these are Qt's too. A description that only repeats the
        name is "".
        """
        info = self._read_description()
        if info is not None and kind == QAccessible.Text.Name and info.name:
            return info.name
        if info is not None and kind == QAccessible.Text.Value:
            return info.value
        text = super().text(kind)
        if kind == QAccessible.Text.Description and text == self.text(QAccessible.Text.Name):
            return ""
        return text

    def state(self) -> QAccessible.State:
        """Return Qt's states of the widget, changed by its own description: checked, selected, disabled, hidden.

        A state is changed if it is True in the description; checked and selected also if they are False.
        """
        state, info = super().state(), self._read_description()
        if info is None:
            return state
        if info.checked is not None:
            state.checkable, state.checked = True, info.checked
        if info.selected is not None:
            state.selectable, state.selected = True, info.selected
        if info.disabled:
            state.disabled = True
        if info.hidden:
            state.invisible = True
        return state

    def actionNames(self) -> list[str]:
        """Return the names of the widget's actions; "Press" comes first if the widget can be pressed."""
        info, names = self._read_description(), list(super().actionNames())
        return [_PRESS, *names] if info is not None and info.press is not None else names

    def doAction(self, actionName: str) -> None:  # noqa: N803 - Qt's own name
        """Carry out an action by its name: "Press" by the widget's own function, any other as Qt does."""
        info = self._read_description()
        if actionName == _PRESS and info is not None and info.press is not None:
            info.press()
        else:
            super().doAction(actionName)


class AccessibleComboBox(AccessibleWidget):
    """Description of a combo box for screen readers; they find the selected entry in its only child, the list."""

    _widget: QComboBox

    def childCount(self) -> int:
        """Return 1: the only child is the list."""
        return 1

    def child(self, index: int) -> QAccessibleInterface:
        """Return the accessible interface of the list that a combo box opens."""
        return QAccessible.queryAccessibleInterface(self._widget.view())

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return 0 for the list of the combo box, -1 for anything else."""
        return 0 if child.object() is self._widget.view() else -1


def _accessible_interface(_key: str, of: QObject | None) -> QAccessibleInterface | None:
    """Return the interface for screen readers of a widget that has ``accessible_info``; None for other objects."""
    if not isinstance(of, QWidget) or not hasattr(of, "accessible_info"):
        return None
    return AccessibleComboBox(of) if isinstance(of, QComboBox) else AccessibleWidget(of)


_installed = False


def install_accessibility() -> None:
    """Make Qt use the method ``accessible_info`` of widgets for screen readers; further calls do nothing."""
    global _installed
    if not _installed:
        QAccessible.installFactory(_accessible_interface)
        _installed = True


def reorder_for_reading(layout: QLayout) -> None:
    """Make screen readers read the widgets of a layout, inner layouts included, in the order that the layout has.

    Screen readers follow the stacking order, so each widget is raised in turn.
    """
    for index in range(layout.count()):
        item = layout.itemAt(index)
        inner = item.layout() if item is not None else None
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.raise_()
        elif inner is not None:
            reorder_for_reading(inner)


def join_label(label: str, subject: str) -> str:
    """Return an accessible name: what a control is or does, and of what, such as "Remove: Version 2"."""
    return _("{name}: {value}", name=Term(label), value=Term(subject))


def join_sentences(parts: Iterable[str]) -> str:
    """Return texts joined into one, with a full stop after each but the last where the end of a sentence is missing.

    Empty texts are left out; without any text it is "".
    """
    *first, last = [part for part in parts if part] or [""]
    return " ".join([*(part if part.endswith((".", "?", "!", "…")) else f"{part}." for part in first), last])


def read_shown_value(widget: QWidget) -> str:
    """Return the text of a number field, or any other control's value or else name, both as screen readers get them.

    The text of a number field includes what stands before and after the number: "50 %".
    """
    if isinstance(widget, QAbstractSpinBox):
        # Qt leaves out what stands before and after the number: of "× 1,5" and of "50 %" all that says what it is.
        return widget.text()
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Value) or interface.text(QAccessible.Text.Name)


def announce(widget: QWidget, text: str) -> None:
    """Make a screen reader say a text at once, without moving the focus; do nothing without a reader or text."""
    if text and QAccessible.isActive():
        _send_announcement(QAccessibleAnnouncementEvent(widget, text))


def _send_announcement(event: QAccessibleAnnouncementEvent) -> None:
    """Pass an announcement on to the screen reader; tests replace this function."""
    QAccessible.updateAccessibility(event)


def announce_choice(box: QComboBox) -> None:
    """Make a screen reader say the current entry of a closed list that has the focus; on Linux only.

    On other systems Qt does so itself.
    """
    if sys.platform.startswith("linux") and box.hasFocus() and not box.view().isVisible():
        announce(box, box.currentText())
