"""What screen readers say of widgets that Qt does not describe well enough.

Qt does not know what a card, a step of the rail or a chart is, and on Linux it names a combo box by its selected entry
rather than by its purpose. A widget with a method ``spoken`` describes itself.
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
class Spoken:
    """Description of a widget for screen readers.

    Attributes
    ----------
    role
        Kind of widget.
    name
        Name; the accessible name of the widget if empty.
    value
        Its content, in words.
    checked, selected
        Whether it is; None if it cannot be.
    disabled
        Whether it cannot be used now, although it takes the focus so that its reason can be heard.
    hidden
        Whether it is left out: an ornament, or a drawing of what is also there as text.
    press
        What Space and a click do, if it is no button of Qt's.
    """

    role: QAccessible.Role
    name: str = ""
    value: str = ""
    checked: bool | None = None
    selected: bool | None = None
    disabled: bool = False
    hidden: bool = False
    press: Callable[[], None] | None = None


def as_chart(_widget: QWidget) -> Spoken:
    """Return what a screen reader says of a chart; its accessible description is the sentence it shows."""
    return Spoken(Role.Chart)


def as_text(_widget: QWidget) -> Spoken:
    """Return what a screen reader says of drawn text, such as a legend: its accessible name."""
    return Spoken(Role.StaticText)


def as_group(_widget: QWidget) -> Spoken:
    """Return what a screen reader says of a group of widgets with one name."""
    return Spoken(Role.Grouping)


def as_list(_widget: QWidget) -> Spoken:
    """Return what a screen reader says of a list made of widgets."""
    return Spoken(Role.List)


def as_list_item(_widget: QWidget) -> Spoken:
    """Return what a screen reader says of an entry of a list."""
    return Spoken(Role.ListItem)


def as_ornament(_widget: QWidget) -> Spoken:
    """Return the description of an ornament, which screen readers leave out."""
    return Spoken(Role.Graphic, hidden=True)


class Voice(QAccessibleWidget):
    """Passes the ``Spoken`` of a widget on to screen readers."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, Role.Client)
        self._widget = widget

    def _read_description(self) -> Spoken | None:
        """Return what the widget says of itself; None while it is being built or destroyed, when a reader may ask."""
        try:
            said: Spoken = self._widget.spoken()  # type: ignore[attr-defined] # it has one, else it has no voice
        except (AttributeError, RuntimeError):
            return None
        return said

    def role(self) -> QAccessible.Role:
        """Return the kind of widget that it says of itself, else Qt's."""
        said = self._read_description()
        return said.role if said is not None else super().role()

    def text(self, kind: QAccessible.Text) -> str:
        """Return name, value or description of the widget, as it says them of itself, else as Qt does.

        A description that only repeats the name is "". Other kinds of text are those of Qt.
        """
        said = self._read_description()
        if said is not None and kind == QAccessible.Text.Name and said.name:
            return said.name
        if said is not None and kind == QAccessible.Text.Value:
            return said.value
        text = super().text(kind)
        if kind == QAccessible.Text.Description and text == self.text(QAccessible.Text.Name):
            return ""
        return text

    def state(self) -> QAccessible.State:
        """Return Qt's states of the widget, changed by those it says of itself: checked, selected, disabled, hidden.

        A state that is None or False in what it says stays as Qt has it, except that checked and selected may be False.
        """
        state, said = super().state(), self._read_description()
        if said is None:
            return state
        if said.checked is not None:
            state.checkable, state.checked = True, said.checked
        if said.selected is not None:
            state.selectable, state.selected = True, said.selected
        if said.disabled:
            state.disabled = True
        if said.hidden:
            state.invisible = True
        return state

    def actionNames(self) -> list[str]:
        """Return the names of the actions of the widget, "Press" first if it can be pressed."""
        said, names = self._read_description(), list(super().actionNames())
        return [_PRESS, *names] if said is not None and said.press is not None else names

    def doAction(self, actionName: str) -> None:  # noqa: N803 - Qt's own name
        """Carry out an action by its name: "Press" as the widget says, any other as Qt does."""
        said = self._read_description()
        if actionName == _PRESS and said is not None and said.press is not None:
            said.press()
        else:
            super().doAction(actionName)


class ChoiceVoice(Voice):
    """Description of a combo box; its only child is the list, in which readers find the selected entry."""

    _widget: QComboBox

    def childCount(self) -> int:
        """Return 1: the list."""
        return 1

    def child(self, index: int) -> QAccessibleInterface:
        """Return the accessible interface of the list that a combo box opens."""
        return QAccessible.queryAccessibleInterface(self._widget.view())

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return 0 for the list of the combo box, -1 for anything else."""
        return 0 if child.object() is self._widget.view() else -1


def _accessible_interface(_key: str, of: QObject | None) -> QAccessibleInterface | None:
    """Return the accessible interface of a widget that has a method ``spoken``, None for any other object."""
    if not isinstance(of, QWidget) or not hasattr(of, "spoken"):
        return None
    return ChoiceVoice(of) if isinstance(of, QComboBox) else Voice(of)


_installed = False


def let_widgets_speak() -> None:
    """Let Qt ask widgets for their method ``spoken``; further calls do nothing."""
    global _installed
    if not _installed:
        QAccessible.installFactory(_accessible_interface)
        _installed = True


def reorder_for_reading(layout: QLayout) -> None:
    """Put the widgets of a layout, and of layouts in it, into the order in which screen readers read them.

    They follow the stacking order, so each widget is raised in turn.
    """
    for index in range(layout.count()):
        item = layout.itemAt(index)
        inner = item.layout() if item is not None else None
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.raise_()
        elif inner is not None:
            reorder_for_reading(inner)


def join_label(words: str, subject: str) -> str:
    """Return an accessible name: what a control is or does, and of what, such as "Remove: Version 2"."""
    return _("{name}: {value}", name=Term(words), value=Term(subject))


def join_sentences(parts: Iterable[str]) -> str:
    """Return texts joined by blanks into one, each but the last ended by a full stop unless it ends a sentence.

    Empty texts are left out; "" for none.
    """
    *first, last = [part for part in parts if part] or [""]
    return " ".join([*(part if part.endswith((".", "?", "!", "…")) else f"{part}." for part in first), last])


def read_shown_value(widget: QWidget) -> str:
    """Return the text in a number field, else the value a screen reader says of a control or, without one, its name."""
    if isinstance(widget, QAbstractSpinBox):
        # Qt leaves out what stands before and after the number: of "× 1,5" and of "50 %" all that says what it is.
        return widget.text()
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Value) or interface.text(QAccessible.Text.Name)


def announce(widget: QWidget, text: str) -> None:
    """Make a screen reader say a text at once, without moving the focus; nothing without a reader or a text."""
    if text and QAccessible.isActive():
        _send_announcement(QAccessibleAnnouncementEvent(widget, text))


def _send_announcement(event: QAccessibleAnnouncementEvent) -> None:
    """Pass an announcement on to the screen reader; tests replace this function."""
    QAccessible.updateAccessibility(event)


def say_choice(box: QComboBox) -> None:
    """Make a screen reader say the entry chosen with the arrow keys in a closed list.

    Only on Linux, where Qt does not do so.
    """
    if sys.platform.startswith("linux") and box.hasFocus() and not box.view().isVisible():
        announce(box, box.currentText())
