"""Work under way: a bar that says how much is done, Cancel beside it, and the same in words."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import all_texts, render
from ppdm_desktop.ui.state.number_words import percent, time_left
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import hbox, stretched
from ppdm_desktop.ui.work.tasks import TaskProgress

_STEPS = 1000


class WorkBar(QProgressBar):
    """How much is done, 0 to 1, without words of its own.

    Parameters
    ----------
    text
        What the bar shows, for a screen reader.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setRange(0, _STEPS)
        self.setAccessibleName(text)

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


class WorkLine(QWidget):
    """A bar and a button that can be used once each time.

    Parameters
    ----------
    job
        The job's name in the name of the button, as in ``button_cancel_<job>``.
    label
        What the bar shows, for a screen reader.

    Signals
    -------
    cancelled
        Someone wants the work stopped.
    """

    cancelled = Signal()

    def __init__(self, *, job: str, label: str) -> None:
        super().__init__()
        self._bar = WorkBar(label)
        self.button = Button(_("Cancel"), name=f"button_cancel_{job}", icon="close", clicked=self._on_cancel)
        hbox(stretched(self._bar), self.button, on=self, gap=8)

    @property
    def is_stopping(self) -> bool:
        """Whether it was cancelled and has not begun again."""
        return not self.button.isEnabled()

    @property
    def share(self) -> float:
        """The share shown as done, 0 to 1."""
        return self._bar.share

    def begin(self) -> None:
        """Nothing is done yet, and it can be cancelled."""
        self._bar.show_share(0)
        self.button.setEnabled(True)

    def show_share(self, share: float) -> None:
        """Show how much is done, 0 to 1."""
        self._bar.show_share(share)

    def _on_cancel(self) -> None:
        self.button.setEnabled(False)
        self.cancelled.emit()


def progress_words(progress: TaskProgress, otherwise: str) -> str:
    """Return "what is being done · per cent · time left"; `otherwise` where the work does not say what it does."""
    doing = render(progress.doing).sentence if progress.doing in all_texts() else otherwise
    parts = [doing, percent(round(progress.fraction, 2))]
    if progress.left is not None:
        parts.append(time_left(progress.left))
    return " · ".join(parts)
