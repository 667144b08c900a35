"""A bar that says how much of some work is done."""

from __future__ import annotations

from PySide6.QtWidgets import QProgressBar

_STEPS = 1000


class WorkBar(QProgressBar):
    """How much is done, 0 to 1, without words of its own.

    Parameters
    ----------
    words
        What the bar shows, for a screen reader.
    """

    def __init__(self, words: str) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setRange(0, _STEPS)
        self.setAccessibleName(words)

    @property
    def share(self) -> float:
        """The share shown as done, 0 to 1."""
        return self.value() / _STEPS

    def show_share(self, share: float) -> None:
        """Show how much is done, 0 to 1, with what the window paints next.

        Qt's bar paints itself, and all that waits to be painted, within the call, ten times a
        second; while updates are off it only takes note.
        """
        if (value := round(_STEPS * share)) != self.value():
            self.setUpdatesEnabled(False)
            self.setValue(value)
            self.setUpdatesEnabled(True)
