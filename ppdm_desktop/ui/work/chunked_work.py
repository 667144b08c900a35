"""What a page has to do, piece by piece, so that no turn of the event loop takes long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer, SignalInstance

_TURN = 0.015


def timer(parent: QObject, interval: int, slot: Callable[..., object] | SignalInstance, *, once: bool = True) -> QTimer:
    """Return a timer that calls a function so many milliseconds after its start, or again and again."""
    made = QTimer(parent)
    made.setSingleShot(once)
    made.setInterval(interval)
    made.timeout.connect(slot)
    return made


class ChunkedWork(QObject):
    """Does the pieces in their order: the first at once, and the rest as turns of the event loop allow.

    Pieces that are started by a piece of something else begin with the next turn.

    Parameters
    ----------
    parent
        Whose work it is; with it the pieces that are left come to an end.
    """

    _someone_works = False

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: list[Callable[[], object]] = []
        self._timer = timer(self, 0, self._on_turn)

    def start(self, pieces: Iterable[Callable[[], object]], *, at_once: bool = True) -> None:
        """Do these; what was left of earlier ones is dropped.

        With ``at_once`` False they begin with the next turn: where this one has enough to do.
        """
        self._left = list(pieces)
        if ChunkedWork._someone_works or not at_once:
            self._timer.start()
        else:
            self._on_turn()

    def first(self, pieces: Iterable[Callable[[], object]]) -> None:
        """Do these before what is left; for a piece that comes apart into smaller ones."""
        self._left = [*pieces, *self._left]

    def stop(self) -> None:
        """Drop what is left."""
        self._left = []
        self._timer.stop()

    @property
    def at_work(self) -> bool:
        """Whether pieces are left."""
        return bool(self._left)

    def _on_turn(self) -> None:
        # The thread's own time: on a busy machine the clock would say that every piece takes long.
        began = time.thread_time()
        ChunkedWork._someone_works = True
        try:
            while self._left:
                self._left.pop(0)()
                if time.thread_time() - began >= _TURN:
                    break
        finally:
            ChunkedWork._someone_works = False
        if self._left:
            self._timer.start()
