"""A drawing and the table of its figures, of which one is seen: turned by a button, and by T from within either."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QWidget


def is_turning(event: QKeyEvent) -> bool:
    """Say whether a key turns a drawing into its table and back."""
    return event.key() == Qt.Key.Key_T and event.modifiers() == Qt.KeyboardModifier.NoModifier


class Turning(QObject):
    """Shows one of both, and lets the keys go on in what is seen then.

    Parameters
    ----------
    button
        What turns one into the other.
    drawing, table
        Both; a table would search for what begins with a T.
    """

    def __init__(self, button: QAbstractButton, drawing: QWidget, table: QWidget) -> None:
        super().__init__(button)
        self._button, self._drawing, self._table = button, drawing, table
        self._left: QWidget | None = None
        for widget in (drawing, table):
            widget.installEventFilter(self)

    def turn(self, drawing: QWidget | None = None, *, as_table: bool) -> None:
        """Show the table, or the drawing; who was in the one is in the other then.

        Parameters
        ----------
        drawing
            What is drawn now, where another drawing has taken the first one's place.
        as_table
            Whether the table is to be seen.
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
        """Turn by T before a table searches with it."""
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent) and is_turning(event):
            self._button.click()
            return True
        return super().eventFilter(watched, event)
