"""Work in progress: a bar, a cancel button, and the progress in words."""

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
    """A progress bar without text, for a share from 0 to 1.

    Parameters
    ----------
    text
        What is in progress, for a screen reader.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setRange(0, _STEPS)
        self.setAccessibleName(text)

    @property
    def share(self) -> float:
        """The share done, 0 to 1."""
        return self.value() / _STEPS

    def show_share(self, share: float) -> None:
        """Set the share done, 0 to 1; it is painted with the next update of the window.

        Qt's bar repaints immediately, with everything else that waits to be painted, ten times a second; so updates are
        off
        during the call.
        """
        if (value := round(_STEPS * share)) != self.value():
            self.setUpdatesEnabled(False)
            self.setValue(value)
            self.setUpdatesEnabled(True)


class WorkLine(QWidget):
    """A progress bar with a cancel button.

    Parameters
    ----------
    job
        Name of the job in the button's object name, ``button_cancel_<job>``.
    label
        What is in progress, for a screen reader.

    Signals
    -------
    cancelled
        The user cancelled the work.
    """

    cancelled = Signal()

    def __init__(self, *, job: str, label: str) -> None:
        super().__init__()
        self._bar = WorkBar(label)
        self.button = Button(_("Cancel"), name=f"button_cancel_{job}", icon="close", clicked=self._on_cancel)
        hbox(stretched(self._bar), self.button, on=self, gap=8)

    @property
    def is_stopping(self) -> bool:
        """Whether the user cancelled since the last start."""
        return not self.button.isEnabled()

    @property
    def share(self) -> float:
        """The share done, 0 to 1."""
        return self._bar.share

    def begin(self) -> None:
        """Reset the bar and enable the cancel button."""
        self._bar.show_share(0)
        self.button.setEnabled(True)

    def show_share(self, share: float) -> None:
        """Set the share done, 0 to 1."""
        self._bar.show_share(share)

    def _on_cancel(self) -> None:
        """Disable the button and report that the work is to be stopped."""
        self.button.setEnabled(False)
        self.cancelled.emit()


def progress_words(progress: TaskProgress, otherwise: str) -> str:
    """Return "what is being done · per cent · time left"; ``otherwise`` if the work does not say what it does."""
    doing = render(progress.doing).sentence if progress.doing in all_texts() else otherwise
    parts = [doing, percent(round(progress.fraction, 2))]
    if progress.left is not None:
        parts.append(time_left(progress.left))
    return " · ".join(parts)
