"""Progress and cancellation: one small object passed down to all long work."""

from __future__ import annotations

import threading
from collections.abc import Callable

from ppdm_desktop.engine.errors import Cancelled

Listener = Callable[[float, str], None]


class Progress:
    """Reports a fraction done and says when to stop.

    Parameters
    ----------
    listener
        Called with (fraction in 0..1, text id of what is being done). ``None`` is silent.
    cancel
        Set by another thread to stop the work at the next check.
    """

    def __init__(
        self,
        listener: Listener | None = None,
        cancel: threading.Event | None = None,
        *,
        low: float = 0.0,
        high: float = 1.0,
    ) -> None:
        self._listener = listener
        self._cancel = cancel or threading.Event()
        self._low = low
        self._high = high

    def cancel(self) -> None:
        """Ask the work to stop."""
        self._cancel.set()

    def check(self) -> None:
        """Raise ``Cancelled`` when the work was asked to stop. Call at least every 200 ms."""
        if self._cancel.is_set():
            raise Cancelled

    def report(self, fraction: float, doing: str = "") -> None:
        """Report a fraction of this object's own span, after checking for cancellation."""
        self.check()
        if self._listener is not None:
            share = min(max(fraction, 0.0), 1.0)
            self._listener(self._low + share * (self._high - self._low), doing)

    def part(self, low: float, high: float) -> Progress:
        """Return a Progress for a part of the work, ``low`` to ``high`` of this one's span."""
        span = self._high - self._low
        return Progress(self._listener, self._cancel, low=self._low + low * span, high=self._low + high * span)


def silent() -> Progress:
    """Return a Progress that nobody listens to."""
    return Progress()
