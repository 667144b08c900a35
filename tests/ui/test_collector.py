"""When Python's collector runs: in the window's thread only, and not while work or a page is under way."""

from __future__ import annotations

import gc
import threading

from PySide6.QtCore import QObject, Slot
from pytestqt.qtbot import QtBot

from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskRunner


class Receiver(QObject):
    """Keeps what it was given."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: list[TaskOutcome] = []

    @Slot(object)
    def done(self, outcome: TaskOutcome) -> None:
        """Keep it."""
        self.outcomes.append(outcome)


def test_the_collector_never_runs_in_a_worker(qtbot: QtBot) -> None:
    threads: set[int] = set()

    def note(phase: str, info: object) -> None:
        threads.add(threading.get_ident())

    def make_garbage() -> None:
        for _ in range(200_000):
            cycle: list[object] = []
            cycle.append(cycle)

    own, receiver = TaskRunner(), Receiver()
    gc.callbacks.append(note)
    try:
        own.start("garbage", make_garbage, receiver.done)
        qtbot.waitUntil(lambda: bool(receiver.outcomes), timeout=20_000)
    finally:
        gc.callbacks.remove(note)
    assert gc.isenabled()
    assert threads <= {threading.get_ident()}
