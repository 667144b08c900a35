"""Work of a page done in small pieces, so that no turn of the event loop takes long."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer, SignalInstance

_TURN = 0.015


def make_timer(
    parent: QObject, interval: int, slot: Callable[..., object] | SignalInstance, *, once: bool = True
) -> QTimer:
    """Return a timer that will call ``slot`` after ``interval`` milliseconds, once or repeatedly; not started yet.

    The timer belongs to ``parent``, and is deleted with it.
    """
    made = QTimer(parent)
    made.setSingleShot(once)
    made.setInterval(interval)
    made.timeout.connect(slot)
    return made


class ChunkedWork(QObject):
    """Runs pieces of work in order: the first at once, the others in later turns of the event loop.

    If ``start`` is called from within a piece of another ``ChunkedWork``, all pieces wait for the next turn.

    Parameters
    ----------
    parent
        The owner; remaining pieces are dropped when it is destroyed.
    """

    _someone_works = False

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left: list[Callable[[], object]] = []
        self._timer = make_timer(self, 0, self._on_turn)

    def start(self, pieces: Iterable[Callable[[], object]], *, at_once: bool = True) -> None:
        """Run these functions in order, in as many turns of the event loop as they need.

        Functions of an earlier call that have not run yet are dropped. The first ones run at once, but in the next turn
        if ``at_once`` is False, or if this is called within a piece of any ``ChunkedWork``.
        """
        self._left = list(pieces)
        if ChunkedWork._someone_works or not at_once:
            self._timer.start()
        else:
            self._on_turn()

    def first(self, pieces: Iterable[Callable[[], object]]) -> None:
        """Put these functions before the remaining ones without starting; for a piece that splits into smaller ones."""
        self._left = [*pieces, *self._left]

    def stop(self) -> None:
        """Drop the remaining pieces."""
        self._left = []
        self._timer.stop()

    @property
    def at_work(self) -> bool:
        """Whether pieces remain."""
        return bool(self._left)

    def _on_turn(self) -> None:
        """Run waiting pieces, at least one, until 15 ms of processor time are used.

        The remaining pieces wait for the next turn of the event loop.
        """
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
