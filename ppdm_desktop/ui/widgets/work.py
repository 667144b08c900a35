"""Work in progress on screen: bar, cancel button, progress in words, and a placeholder for results."""

from __future__ import annotations

from itertools import cycle

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import all_texts, render
from ppdm_desktop.ui.look.accessibility import as_ornament
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.number_texts import percent, time_left
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import add_parts, hbox, stretch_part
from ppdm_desktop.ui.work.tasks import TaskProgress

_WIDTHS = (0.55, 0.9, 0.75, 0.35, 0.85, 0.6)
_HIGH, _GAP = 14, 12


class _Bars(QWidget):
    """Grey bars as a placeholder for results; screen readers ignore them."""

    accessible_info = as_ornament

    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        theme().bound(self, least_high=len(_WIDTHS) * (_HIGH + _GAP))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw as many grey bars of different lengths, one below the other, as fit into the height."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("line"))
        high, step = theme().px(_HIGH), theme().px(_HIGH + _GAP)
        for top, share in zip(range(0, self.height() - high, step), cycle(_WIDTHS), strict=False):
            painter.drawRoundedRect(QRectF(0, top, self.width() * share, high), 4, 4)
        painter.end()


class Skeleton(Card):
    """Placeholder card for results that are being computed; it says what is computed and what is known so far."""

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self._doing = Severity("note", "", wrap=True)
        self._facts = Text("", tone="text2")
        add_parts(self.body, self._doing, self._facts, _Bars())
        self.hide()

    @property
    def text(self) -> str:
        """The text on what is being computed; empty if none was set."""
        return self._doing.word

    def show_text(self, doing: str, facts: str = "") -> None:
        """Show what is being computed (``doing``) and what is known so far; an empty ``doing`` hides the card."""
        self._doing.set("note", doing)
        self._facts.show_text(facts)
        self.setVisible(bool(doing))


_STEPS = 1000


class WorkBar(QProgressBar):
    """A progress bar without text, for a share from 0 to 1.

    Parameters
    ----------
    text
        What the bar shows, for a screen reader; "Progress" if left out.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextVisible(False)
        self.setRange(0, _STEPS)
        self.setAccessibleName(text or _("Progress"))

    @property
    def share(self) -> float:
        """The share of the work that is done, 0 to 1."""
        return self.value() / _STEPS

    def show_share(self, share: float) -> None:
        """Set the share of the work that is done, 0 to 1; the bar is painted with the next update of the window.

        Qt's bar repaints immediately, with everything else that waits to be painted, ten times a second; so updates are
        off during the call.
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

    Signals
    -------
    cancelled
        The user cancelled the work.
    """

    cancelled = Signal()

    def __init__(self, *, job: str) -> None:
        super().__init__()
        self._bar = WorkBar()
        self.button = Button(_("Cancel"), name=f"button_cancel_{job}", icon="close", clicked=self._on_cancel)
        hbox(stretch_part(self._bar), self.button, on=self, gap=8)

    @property
    def is_stopping(self) -> bool:
        """Whether the user pressed the cancel button since ``begin``."""
        return not self.button.isEnabled()

    @property
    def share(self) -> float:
        """The share of the work that is done, 0 to 1."""
        return self._bar.share

    def begin(self) -> None:
        """Reset the bar to 0 and enable the cancel button."""
        self._bar.show_share(0)
        self.button.setEnabled(True)

    def show_share(self, share: float) -> None:
        """Set the share of the work that is done, 0 to 1."""
        self._bar.show_share(share)

    def _on_cancel(self) -> None:
        """Disable the button and send ``cancelled``."""
        self.button.setEnabled(False)
        self.cancelled.emit()


def describe_work(doing: str, otherwise: str) -> str:
    """Return a sentence on what is being done, by its text id; ``otherwise`` for an unknown id."""
    return render(doing).sentence if doing in all_texts() else otherwise


def describe_progress(progress: TaskProgress, otherwise: str) -> str:
    """Return a text such as "Reading the file · 40% · Time left: about 20 seconds", in whole per cent.

    The time is left out while it cannot be estimated. ``otherwise`` stands first if the work does not say what it does.
    """
    parts = [describe_work(progress.doing, otherwise), percent(round(progress.fraction, 2))]
    if progress.left is not None:
        parts.append(time_left(progress.left))
    return " · ".join(parts)
