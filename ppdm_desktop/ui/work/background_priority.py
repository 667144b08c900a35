"""Work in the background gives way to the window: it waits where the window does not answer at once.

Python lets one thread go on at a time. A window that paints, and asks for Python's lock at each small
step of it, gets the lock late each time that work in the background holds it: a turn of 50 ms becomes
300. So the work asks the window from time to time whether it keeps up, and stands still while it does not.
"""

from __future__ import annotations

import threading
import time

from PySide6.QtCore import QObject, Signal, Slot

_ASK_EVERY = 0.01
_LATE = 0.01
_WAIT_AT_MOST = 0.2


class GivingWay(QObject):
    """A question of the working thread that the window answers between two events; made in the window's thread."""

    _asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._answer = threading.Event()
        self._answer.set()
        self._at = 0.0
        self._waited = False
        self._asked.connect(self._on_asked)

    def give_way(self) -> None:
        """Wait until the window answers, where it is late; at most once for each question. The working thread calls it.

        A window that cannot answer, because it waits for this very work or for a dialog of the
        system, so holds the work up once, for a fifth of a second.
        """
        now = time.monotonic()
        if self._answer.is_set():
            if now - self._at >= _ASK_EVERY:
                self._answer.clear()
                self._at, self._waited = now, False
                self._asked.emit()
        elif now - self._at >= _LATE and not self._waited:
            self._waited = True
            self._answer.wait(_WAIT_AT_MOST)

    @Slot()
    def _on_asked(self) -> None:
        self._answer.set()
