"""Work in the background waits for a window that is late, once for each question, and never for one that is not."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QWidget
from ui_support import wait_until

from ppdm_desktop.engine import progress
from ppdm_desktop.ui.work import tasks
from ppdm_desktop.ui.work.tasks import GivingWay, TaskOutcome, TaskRunner

LATE = 0.012


def in_thread(work: Any) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


class Answer(threading.Event):
    """The window's answer; writes down for how long it was waited for."""

    def __init__(self) -> None:
        super().__init__()
        self.set()
        self.waits: list[float | None] = []

    def wait(self, timeout: float | None = None) -> bool:
        self.waits.append(timeout)
        return super().wait(timeout)


@pytest.fixture
def answer(monkeypatch: pytest.MonkeyPatch) -> Answer:
    made = Answer()
    # Not the class alone: a thread has an event of its own, which it waits for when it starts.
    monkeypatch.setattr(tasks, "threading", SimpleNamespace(Event=lambda: made))
    return made


def test_work_waits_for_a_window_that_is_late_but_not_for_ever(qapp: object, answer: Answer) -> None:
    way = GivingWay()
    in_thread(way.give_way)
    assert answer.waits == []
    time.sleep(LATE)
    in_thread(way.give_way)  # this thread stands here and cannot answer
    assert answer.waits == [0.2]
    in_thread(way.give_way)
    assert answer.waits == [0.2], "waited twice for one question"


class Busy(QWidget):
    """A window that works for a while in one event, and notes how far work in the background came meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self.runner = TaskRunner(self)
        self.steps = 0
        self.meanwhile: list[int] = []
        self.ended = False

    def begin(self) -> None:
        self.runner.start("counting", self._count, self._on_done)

    def _count(self) -> None:
        while True:
            progress.check()
            self.steps += 1
            time.sleep(0.001)

    def _on_done(self, _outcome: TaskOutcome) -> None:
        self.ended = True

    def toil(self) -> None:
        time.sleep(0.05)  # the work asks, and the answer is late
        before = self.steps
        time.sleep(0.08)
        self.meanwhile.append(self.steps - before)


def test_the_work_stands_still_while_the_window_is_busy(qtbot: Any) -> None:
    window = Busy()
    qtbot.addWidget(window)
    window.begin()
    wait_until(lambda: window.steps > 20, 10, "the work to go on")
    QTimer.singleShot(0, window.toil)
    wait_until(lambda: bool(window.meanwhile), 10, "a busy moment of the window")
    assert window.meanwhile[0] <= 1
    reached = window.steps
    wait_until(lambda: window.steps > reached + 20, 10, "the work to go on again")
    window.runner.cancel("counting")
    wait_until(lambda: window.ended, 10, "the end of the work")
