"""What a screen reader says of the widgets that Qt itself would call by too little.

Qt knows what a check box is, but not what a card, a step of the rail or a chart is, and on Linux it calls a
combo box by what is chosen and not by what it is for. A widget that has a method ``spoken`` says so itself.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QAccessibleInterface
from PySide6.QtWidgets import QAbstractSpinBox, QAccessibleWidget, QComboBox, QLayout, QWidget

Role = QAccessible.Role
_PRESS = "Press"  # Qt's own name, which no language changes


@dataclass(frozen=True)
class Spoken:
    """What a widget is, for someone who does not see it.

    Attributes
    ----------
    role
        What it is.
    name
        What it is called; the accessible name of the widget where this is empty.
    value
        What stands in it, in words.
    checked, selected
        Whether it is; None where it cannot be.
    disabled
        Whether it cannot be used now, although it takes the focus so that its reason can be heard.
    hidden
        Whether it says nothing: an ornament, or the drawing of what stands beside it in words.
    press
        What Space and a click do, where it is no button of Qt's.
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
    """Speak as a drawing of figures: its accessible description is the sentence that it shows."""
    return Spoken(Role.Chart)


def as_text(_widget: QWidget) -> Spoken:
    """Speak as text that is drawn and not written, such as a legend."""
    return Spoken(Role.StaticText)


def as_group(_widget: QWidget) -> Spoken:
    """Speak as what belongs together under one name."""
    return Spoken(Role.Grouping)


def as_list(_widget: QWidget) -> Spoken:
    """Speak as a list of what stands in it."""
    return Spoken(Role.List)


def as_list_item(_widget: QWidget) -> Spoken:
    """Speak as one of a list."""
    return Spoken(Role.ListItem)


def as_ornament(_widget: QWidget) -> Spoken:
    """Say nothing: what is drawn stands beside it in words."""
    return Spoken(Role.Graphic, hidden=True)


class Voice(QAccessibleWidget):
    """Passes on to a screen reader what a widget says of itself."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget, Role.Client)
        self._widget = widget

    def _said(self) -> Spoken | None:
        """Return what the widget says; None while it is being built or torn down: a reader may ask then, too."""
        try:
            said: Spoken = self._widget.spoken()  # type: ignore[attr-defined] # it has one, else it has no voice
        except (AttributeError, RuntimeError):
            return None
        return said

    def role(self) -> QAccessible.Role:
        """Return what the widget is."""
        said = self._said()
        return said.role if said is not None else super().role()

    def text(self, kind: QAccessible.Text) -> str:
        """Return name or value; a tooltip that only repeats the name is no description."""
        said = self._said()
        if said is not None and kind == QAccessible.Text.Name and said.name:
            return said.name
        if said is not None and kind == QAccessible.Text.Value:
            return said.value
        text = super().text(kind)
        if kind == QAccessible.Text.Description and text == self.text(QAccessible.Text.Name):
            return ""
        return text

    def state(self) -> QAccessible.State:
        """Return how it stands."""
        state, said = super().state(), self._said()
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
        """Return what can be done with it."""
        said, names = self._said(), list(super().actionNames())
        return [_PRESS, *names] if said is not None and said.press is not None else names

    def doAction(self, actionName: str) -> None:  # noqa: N803 - Qt's own name
        """Do it."""
        said = self._said()
        if actionName == _PRESS and said is not None and said.press is not None:
            said.press()
        else:
            super().doAction(actionName)


class ChoiceVoice(Voice):
    """A combo box: its list is its child, which is how readers find what is chosen."""

    _widget: QComboBox

    def childCount(self) -> int:
        """Return the list."""
        return 1

    def child(self, index: int) -> QAccessibleInterface:
        """Return the list."""
        return QAccessible.queryAccessibleInterface(self._widget.view())

    def indexOfChild(self, child: QAccessibleInterface) -> int:
        """Return the place of the list."""
        return 0 if child.object() is self._widget.view() else -1


def _voice(_key: str, of: QObject | None) -> QAccessibleInterface | None:
    if not isinstance(of, QWidget) or not hasattr(of, "spoken"):
        return None
    return ChoiceVoice(of) if isinstance(of, QComboBox) else Voice(of)


_installed = False


def let_widgets_speak() -> None:
    """Ask widgets for what they are before Qt decides; once for the whole program."""
    global _installed
    if not _installed:
        QAccessible.installFactory(_voice)
        _installed = True


def in_reading_order(layout: QLayout) -> None:
    """Have a reader go through the widgets of a layout as the eye does: it follows the order in which they stack."""
    for index in range(layout.count()):
        item = layout.itemAt(index)
        inner = item.layout() if item is not None else None
        widget = item.widget() if item is not None else None
        if widget is not None:
            widget.raise_()
        elif inner is not None:
            in_reading_order(inner)


def in_sentences(parts: Iterable[str]) -> str:
    """Return parts one after the other, with one stop between two of them and none for an empty one."""
    *first, last = [part for part in parts if part] or [""]
    return " ".join([*(part if part.endswith((".", "?", "!", "…")) else f"{part}." for part in first), last])


def words_of(widget: QWidget) -> str:
    """Return what a control holds in words: its value as it is shown, else its name."""
    if isinstance(widget, QAbstractSpinBox):
        # Qt leaves out what stands before and after the number: of "× 1,5" and of "50 %" all that says what it is.
        return widget.text()
    interface = QAccessible.queryAccessibleInterface(widget)
    return interface.text(QAccessible.Text.Value) or interface.text(QAccessible.Text.Name)


def announce(widget: QWidget, text: str) -> None:
    """Have a reader say at once what has just appeared, without moving the focus."""
    if text and QAccessible.isActive():
        _send(QAccessibleAnnouncementEvent(widget, text))


def _send(event: QAccessibleAnnouncementEvent) -> None:
    QAccessible.updateAccessibility(event)


def say_choice(box: QComboBox) -> None:
    """Say what was chosen with the arrow keys in a closed box: on Linux Qt does not pass it on."""
    if sys.platform.startswith("linux") and box.hasFocus() and not box.view().isVisible():
        announce(box, box.currentText())
