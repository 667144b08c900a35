"""Background work: results, failures in words, cancelling, superseding, closing while it runs."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread, Slot
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from ui_support import run_until_cancelled, wait_until

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.ui.widgets.work import WorkLine
from ppdm_desktop.ui.work import tasks
from ppdm_desktop.ui.work.chunked_work import ChunkedWork
from ppdm_desktop.ui.work.tasks import GivingWay, TaskFigures, TaskOutcome, TaskProgress, TaskRunner


class Receiver(QObject):
    """Keeps what it was given, and in which thread."""

    def __init__(self) -> None:
        super().__init__()
        self.outcomes: list[TaskOutcome] = []
        self.progress: list[TaskProgress] = []
        self.reported: list[TaskFigures] = []
        self.threads: list[QThread] = []

    @Slot(object)
    def _on_done(self, outcome: TaskOutcome) -> None:
        self.outcomes.append(outcome)
        self.threads.append(QThread.currentThread())

    @Slot(object)
    def _on_progressed(self, progress: TaskProgress) -> None:
        self.progress.append(progress)
        self.threads.append(QThread.currentThread())

    @Slot(object)
    def _on_reported(self, figures: TaskFigures) -> None:
        self.reported.append(figures)
        self.threads.append(QThread.currentThread())

    done = _on_done


@pytest.fixture
def runner(qapp: object) -> Iterator[TaskRunner]:
    made = TaskRunner()
    yield made
    assert made.stop_all()
    made.deleteLater()


@pytest.fixture
def receiver(qapp: object) -> Receiver:
    return Receiver()


def test_a_result_arrives_in_the_ui_thread(runner: TaskRunner, receiver: Receiver, qtbot: QtBot) -> None:
    def work() -> tuple[str, bool]:
        for step in range(10):
            progress.report(step / 10, "doing.work")
        return "result", QThread.currentThread() is QCoreApplication.instance().thread()  # type: ignore[union-attr]

    runner.progressed.connect(receiver._on_progressed)
    with qtbot.waitSignal(runner.started):
        runner.start("count", work, receiver.done)
    assert runner.is_running()
    assert runner.is_running("count")
    assert runner.running() == ["count"]
    qtbot.waitUntil(lambda: bool(receiver.outcomes))
    (outcome,) = receiver.outcomes
    assert outcome.ok
    assert outcome.result == ("result", False)
    assert {id(thread) for thread in receiver.threads} == {id(QCoreApplication.instance().thread())}  # type: ignore[union-attr]
    assert [each.fraction for each in receiver.progress] == sorted(each.fraction for each in receiver.progress)
    assert not runner.is_running()


def test_a_failure_the_program_knows_is_told_in_its_words(runner: TaskRunner, receiver: Receiver, qtbot: QtBot) -> None:
    def work() -> None:
        raise InputError("error.project.not-a-project", file="people.ppdm")

    runner.start("open", work, receiver.done)
    qtbot.waitUntil(lambda: bool(receiver.outcomes))
    assert not receiver.outcomes[0].ok
    assert "people.ppdm" in receiver.outcomes[0].message


@pytest.mark.parametrize("kind", [ValueError, MemoryError, KeyboardInterrupt, SystemExit, RecursionError])
def test_an_unexpected_failure_is_told_without_its_message(
    runner: TaskRunner, receiver: Receiver, qtbot: QtBot, kind: type[BaseException]
) -> None:
    def work() -> None:
        raise kind("Ann Smith, 12 March 1954")

    runner.start("open", work, receiver.done)
    qtbot.waitUntil(lambda: bool(receiver.outcomes))
    assert not receiver.outcomes[0].ok
    assert receiver.outcomes[0].message
    assert "Smith" not in receiver.outcomes[0].message
    assert not runner.is_running()


def test_work_that_ends_after_the_cancel_gives_nothing(runner: TaskRunner, receiver: Receiver, qtbot: QtBot) -> None:
    begun = threading.Event()
    go_on = threading.Event()

    def work() -> str:
        begun.set()
        go_on.wait(5)
        return "too late"

    runner.start("long", work, receiver.done)
    qtbot.waitUntil(begun.is_set)
    runner.cancel("long")
    go_on.set()
    qtbot.waitUntil(lambda: bool(receiver.outcomes))
    assert receiver.outcomes[0].cancelled
    assert receiver.outcomes[0].result is None


def test_a_new_job_of_the_same_name_drops_the_result_of_the_old(
    runner: TaskRunner, receiver: Receiver, qtbot: QtBot
) -> None:
    ended: list[TaskOutcome] = []
    runner.ended.connect(ended.append)
    for number in range(5):
        runner.start("measure", partial(_after_a_while, number), receiver.done)
    qtbot.waitUntil(lambda: not runner._alive)
    assert [outcome.result for outcome in receiver.outcomes] == [4]
    assert [outcome.result for outcome in ended] == [4]


def test_the_result_of_an_earlier_file_is_dropped_also_by_a_job_that_does_not_stop(
    qapp: object, receiver: Receiver, qtbot: QtBot
) -> None:
    file, go_on = [1], threading.Event()
    ended: list[TaskOutcome] = []
    runner = TaskRunner(file_number=lambda: file[0])
    runner.ended.connect(ended.append)

    def deaf() -> str:
        go_on.wait(5)
        return "of the first file"

    runner.start("judge", deaf, receiver.done)
    runner.start("libraries", partial(_after_a_while, 7), receiver.done, unseen=True)
    assert runner.running() == ["judge"]
    file[0] = 2
    assert runner.running() == []
    assert not runner.is_running("judge")
    runner.start("other", partial(_after_a_while, 2), receiver.done)
    go_on.set()
    qtbot.waitUntil(lambda: not runner._alive)
    assert sorted(outcome.result for outcome in receiver.outcomes) == [2, 7]
    assert [outcome.job for outcome in ended] == ["other"]
    runner.deleteLater()


def test_all_jobs_of_a_file_are_cancelled_at_once(runner: TaskRunner, receiver: Receiver, qtbot: QtBot) -> None:
    for job in ("one", "two"):
        runner.start(job, run_until_cancelled, receiver.done)
    runner.start("libraries", partial(_after_a_while, 7), receiver.done, unseen=True)
    runner.cancel_all()
    qtbot.waitUntil(lambda: len(receiver.outcomes) == 3)
    assert {outcome.job: outcome.cancelled for outcome in receiver.outcomes} == {
        "one": True, "two": True, "libraries": False,
    }  # fmt: skip


def _after_a_while(number: int) -> int:
    threading.Event().wait(0.02)
    return number


def test_results_go_only_to_bound_methods_of_qobjects(runner: TaskRunner, receiver: Receiver) -> None:
    class Plain:
        def done(self, outcome: TaskOutcome) -> None: ...

    wrong: list[Callable[[TaskOutcome], None]] = [
        lambda outcome: None,
        partial(receiver._on_done),
        Plain().done,
        print,
    ]
    for done in wrong:
        with pytest.raises(TypeError, match="bound methods"):
            runner.start("x", run_until_cancelled, done)
    assert not runner.is_running()


@pytest.mark.parametrize("repeat", range(50))
def test_close_while_running(qtbot: QtBot, receiver: Receiver, repeat: int) -> None:
    runner = TaskRunner()
    runner.start("one", run_until_cancelled, receiver.done)
    runner.start("two", partial(_after_a_while, 2), receiver.done)
    if repeat % 3 == 1:
        QCoreApplication.processEvents()
    if repeat % 3 == 2:
        runner.start("one", run_until_cancelled, receiver.done)
    assert runner.stop_all()  # what ends only when it is cancelled has ended
    assert not runner.is_running()
    runner.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    QCoreApplication.processEvents()


def test_the_collector_never_runs_in_a_worker(runner: TaskRunner, receiver: Receiver, qtbot: QtBot) -> None:
    threads: set[int] = set()

    def note(phase: str, info: object) -> None:
        threads.add(threading.get_ident())

    def make_garbage() -> None:
        for _ in range(200_000):
            cycle: list[object] = []
            cycle.append(cycle)

    gc.callbacks.append(note)
    try:
        runner.start("garbage", make_garbage, receiver.done)
        qtbot.waitUntil(lambda: bool(receiver.outcomes), timeout=20_000)
    finally:
        gc.callbacks.remove(note)
    assert gc.isenabled()
    assert threads <= {threading.get_ident()}


# --- what the source must not do --------------------------------------------------------


def _sources(repository: Path) -> list[Path]:
    return sorted((repository / "ppdm_desktop" / "ui").rglob("*.py"))


FORBIDDEN = {
    "QSortFilterProxyModel": "calls Python for each cell: 21 s for 50,000 rows",
    "ResizeToContents": "measures every row: 4 minutes at 100,000 rows",
    ".terminate(": "kills a thread wherever it is",
    "time.sleep": "freezes the window",
    "pickle": "runs what a file says",
    "eval(": "runs what a text says",
    ".RichText": "data must never be read as HTML",
}


@pytest.mark.parametrize("word", FORBIDDEN)
def test_what_the_window_never_uses(repository: Path, word: str) -> None:
    found = []
    for path in _sources(repository):
        lines = path.read_text("utf-8").splitlines()
        found += [f"{path.name}:{number}" for number, line in enumerate(lines, 1) if word in line]
    assert not found, f"{word} {FORBIDDEN[word]}"


def test_figures_come_in_bundles_and_a_search_ends_early_with_its_result(
    runner: TaskRunner, receiver: Receiver, qtbot: QtBot
) -> None:
    def search() -> int:
        rounds = 0
        while not progress.finishing():
            rounds += 1
            progress.part(0.2, 0.8).tell("doing.work", round=float(rounds))
            threading.Event().wait(0.001)
            progress.check()
        return rounds

    runner.reported.connect(receiver._on_reported)
    runner.start("search", search, receiver.done)
    qtbot.waitUntil(lambda: len(receiver.reported) >= 3)
    runner.finish_early("another")
    assert runner.is_running("search")
    with qtbot.waitSignal(runner.ended):
        runner.finish_early("search")
    (outcome,) = receiver.outcomes
    assert outcome.ok
    seen = [figures["round"] for bundle in receiver.reported for figures in bundle.reported]
    assert seen == [float(each) for each in range(1, len(seen) + 1)]
    assert len(receiver.reported) < len(seen) <= outcome.result
    assert all(thread is QThread.currentThread() for thread in receiver.threads)


# --- the line of work under way: how far, in words, and Cancel that is used once ------------------


def test_cancel_is_used_once_until_work_begins_anew(qtbot: Any) -> None:
    line = WorkLine(job="baking")
    qtbot.addWidget(line)
    told = []
    line.cancelled.connect(lambda: told.append(True))
    line.show()
    line.begin()
    line.show_share(0.4)
    assert line.share == 0.4
    assert line.button.objectName() == "button_cancel_baking"
    for _ in range(2):
        QTest.mouseClick(line.button, Qt.MouseButton.LeftButton)
    assert (told, line.is_stopping) == ([True], True)
    line.begin()
    assert not line.is_stopping
    assert line.share == 0


# --- pieces of a page: in order, never long in one turn, and dropped when others come -------------


class Work:
    """Pieces that take some time of the processor and write down their names."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def quick(self) -> None:
        self.done.append("quick")

    def long(self) -> None:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        self.done.append("long")


def test_a_long_piece_leaves_the_rest_to_the_next_turns(qapp: QApplication) -> None:
    work, pieces = Work(), ChunkedWork(QObject(qapp))
    pieces.start([work.quick, work.long, work.long, work.quick])
    assert work.done == ["quick", "long"]
    assert pieces.at_work
    wait_until(lambda: not pieces.at_work, 5, "the pieces")
    assert work.done == ["quick", "long", "long", "quick"]


def test_new_pieces_replace_what_was_left_and_stop_drops_it(qapp: QApplication) -> None:
    work, pieces = Work(), ChunkedWork(QObject(qapp))
    pieces.start([work.long, work.long, work.long])
    pieces.start([work.quick])
    assert work.done == ["long", "quick"]
    assert not pieces.at_work
    pieces.start([work.long, work.long])
    pieces.stop()
    assert not pieces.at_work
    assert work.done == ["long", "quick", "long"]


# --- work in the background waits for a window that is late, once for each question, and never for one that is not ---


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
