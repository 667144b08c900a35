"""Switch between a drawing and the table of its figures, by a button or the key T."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget


def is_turning(event: QKeyEvent) -> bool:
    """Return whether a key event is T without modifiers, which switches between drawing and table."""
    return event.key() == Qt.Key.Key_T and event.modifiers() == Qt.KeyboardModifier.NoModifier


class Turning(QObject):
    """Shows either a chart or its table, and moves the keyboard focus along.

    Parameters
    ----------
    button
        The button that switches.
    drawing, table
        The two widgets; T is intercepted in the table, which would otherwise search for the letter.
    """

    def __init__(self, button: QAbstractButton, drawing: QWidget, table: QWidget) -> None:
        super().__init__(button)
        self._button, self._drawing, self._table = button, drawing, table
        self._left: QWidget | None = None
        for widget in (drawing, table):
            widget.installEventFilter(self)

    def turn(self, drawing: QWidget | None = None, *, as_table: bool) -> None:
        """Show the table or the chart and hide the other; if the hidden one had the focus, the focus moves along.

        The focus goes to the control that had it when the shown view was last left, else to its first control, or to
        the button that switches if it has none.

        Parameters
        ----------
        drawing
            The chart, if another one replaced the first.
        as_table
            Whether to show the table.
        """
        self._drawing = drawing or self._drawing
        hidden, seen = (self._drawing, self._table) if as_table else (self._table, self._drawing)
        focus = QApplication.focusWidget()
        was_in = focus is not None and (focus is hidden or hidden.isAncestorOf(focus))
        seen.show()
        if was_in:
            # A drawing may have parts: who comes back is in the one that was left.
            inside = [widget for widget in (seen, *seen.findChildren(QWidget)) if widget.isVisible()]
            reached = [widget for widget in inside if widget.focusPolicy() & Qt.FocusPolicy.TabFocus]
            left = [widget for widget in reached if widget is self._left]
            (left or reached or [self._button])[0].setFocus(Qt.FocusReason.OtherFocusReason)
            self._left = focus
        hidden.hide()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Switch between chart and table if T is pressed in either; return whether Qt should drop the event.

        Because of that, T never begins a search in the table.
        """
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and is_turning(event):
            self._button.click()
            return True
        return super().eventFilter(watched, event)
