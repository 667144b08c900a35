"""Work in the background waits for a window that is late, once for each question, and never for one that is not."""

from __future__ import annotations

import threading
import time
from typing import Any

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtWidgets import QWidget
from ui_support import let_work, wait_until

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.ui.widgets.work import WorkBar
from ppdm_desktop.ui.work.background_priority import GivingWay
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskRunner

LATE = 0.012


def in_thread(work: Any) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def ask_late(way: GivingWay) -> float:
    """Ask, and once more when the answer is late; return the seconds of the second call."""
    waited = []

    def work() -> None:
        way.give_way()
        time.sleep(LATE)
        begin = time.monotonic()
        way.give_way()
        waited.append(time.monotonic() - begin)

    in_thread(work)
    return waited[0]


def test_work_waits_for_a_window_that_is_late_but_not_for_ever(qapp: object) -> None:
    way = GivingWay()
    assert 0.15 < ask_late(way) < 5.0  # this thread stands here and cannot answer
    begin = time.monotonic()
    in_thread(way.give_way)
    assert time.monotonic() - begin < 0.15, "waited twice for one question"


def test_a_window_that_answered_keeps_nothing_waiting(qapp: object) -> None:
    way = GivingWay()
    in_thread(way.give_way)
    QCoreApplication.processEvents()
    time.sleep(LATE)
    begin = time.monotonic()
    in_thread(way.give_way)  # a new question: asked, not waited for
    assert time.monotonic() - begin < 0.15


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

    def _count(self, progress: Progress) -> None:
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


class Seen(WorkBar):
    """A bar that counts how often it is painted."""

    def __init__(self) -> None:
        super().__init__("Progress of the baking")
        self.painted = 0

    def paintEvent(self, event: Any) -> None:
        self.painted += 1
        super().paintEvent(event)


def test_a_bar_is_painted_with_what_the_window_paints_next(qtbot: Any) -> None:
    bar = Seen()
    qtbot.addWidget(bar)
    bar.resize(500, 20)
    bar.show()
    wait_until(lambda: bar.painted > 0, 10, "the first picture")
    let_work(20)
    before = bar.painted
    for step in range(1, 10):
        bar.show_share(step / 10)
    assert bar.painted == before, "painted within the call"
    wait_until(lambda: bar.painted > before, 10, "the new picture")
    assert bar.share == 0.9
