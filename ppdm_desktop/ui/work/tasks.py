"""Background jobs in Qt threads, with progress, cancellation and error messages."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QObject, QThread, Signal, Slot

from ppdm_desktop.engine.errors import Cancelled, PpdmError, lacks_memory
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.work.chunked_work import make_timer

Work = Callable[[], Any]
_STEP = 0.005
_REPORT_EVERY = 0.1
_FIGURES_EVERY = 0.05
_WAIT_MS = 10_000
_WAIT_FOR_LIBRARIES_MS = 120_000


@dataclass(frozen=True)
class TaskProgress:
    """Progress of a background job.

    Attributes
    ----------
    job
        The job's name.
    fraction
        Share of the job that is done, 0 to 1.
    doing
        Text id of what is being done.
    seconds, left
        Seconds since the start, and estimated seconds until the end (None if unknown).
    """

    job: str
    fraction: float
    doing: str
    seconds: float
    left: float | None


@dataclass(frozen=True)
class TaskFigures:
    """Figures that a background job reports while it runs.

    Attributes
    ----------
    job
        The job's name.
    doing
        Text id of what is being done.
    reported
        Reports (figures by name), oldest first; reports within 50 ms are bundled.
    """

    job: str
    doing: str
    reported: tuple[Mapping[str, float], ...]


@dataclass(frozen=True)
class TaskOutcome:
    """How a background job ended: with a result, with an error, or cancelled."""

    job: str
    number: int
    result: Any = None
    error: PpdmError | None = None
    cancelled: bool = False

    @property
    def ok(self) -> bool:
        """Whether the job ended without an error and was not cancelled; its result may be None."""
        return self.error is None and not self.cancelled

    @property
    def message(self) -> str:
        """The error message for the user; empty without an error."""
        return explain(self.error, window=True) if self.error is not None else ""


class _Worker(QObject):
    """Runs one function in a thread; it holds no widget and makes no other QObject."""

    progressed = Signal(int, object)
    reported = Signal(int, object)
    finished = Signal(object)

    def __init__(self, job: str, number: int, work: Work, giving_way: GivingWay) -> None:
        super().__init__()
        self._giving_way = giving_way
        self._job, self._number, self._work = job, number, work
        self._started = 0.0
        self._last = -1.0
        self._reported = -1.0
        self._doing = ""
        self._figures: list[Mapping[str, float]] = []
        self._figures_last = 0.0
        self._figures_doing = ""
        self.progress = Progress(self._report_progress, figures=self._collect_figures, give_way=self._give_window_turn)

    def _report_progress(self, fraction: float, doing: str) -> None:
        """Send progress with the estimated time left, at most ten times a second; the end (1) is always sent.

        Steps below 0.5 % are left out unless ``doing`` changes. The time left is estimated from the time used: 10 s for
        the first 25 % give 30 s. It is None in the first second and the first 3 %.
        """
        seconds = time.monotonic() - self._started
        if fraction < 1 and (
            seconds - self._reported < _REPORT_EVERY or (fraction - self._last < _STEP and doing == self._doing)
        ):
            # A quick step that reported each percent would keep the window busy with nothing else.
            return
        self._last, self._doing, self._reported = fraction, doing, seconds
        left = seconds * (1 - fraction) / fraction if fraction > 0.03 and seconds > 1 else None
        self.progressed.emit(self._number, TaskProgress(self._job, fraction, doing, seconds, left))

    def _collect_figures(self, doing: str, figures: Mapping[str, float]) -> None:
        """Collect reported figures, and send them in bundles at least 50 ms apart, so as not to flood the window.

        ``doing`` is the text id of what is being done.
        """
        self._figures.append(dict(figures))
        self._figures_doing = doing
        self._pass_figures_on()

    def _give_window_turn(self) -> None:
        """Send collected figures if the last bundle is old enough, and let the window handle its events."""
        self._pass_figures_on()
        self._giving_way.give_way()

    def _pass_figures_on(self, *, at_once: bool = False) -> None:
        """Send the collected figures, if any, if the last bundle was sent 50 ms ago or ``at_once`` is True."""
        now = time.monotonic()
        if self._figures and (at_once or now - self._figures_last >= _FIGURES_EVERY):
            self._figures_last = now
            bundle, self._figures = tuple(self._figures), []
            self.reported.emit(self._number, TaskFigures(self._job, self._figures_doing, bundle))

    @Slot()
    def run(self) -> None:
        """Run the job's function and send its outcome: a result, an error, or that it was cancelled.

        An exception that is no ``PpdmError`` becomes one that names only the exception's class, because its text could
        hold values of the data, or says that memory is short.
        """
        self._started = time.monotonic()
        outcome = TaskOutcome(self._job, self._number, cancelled=True)
        try:
            result = self.progress.run(self._work)
            self.progress.check()
            outcome = TaskOutcome(self._job, self._number, result=result)
        except Cancelled:
            pass
        except PpdmError as error:
            outcome = TaskOutcome(self._job, self._number, error=error)
        except BaseException as error:
            unexpected = PpdmError("error.work.unexpected", args={"kind": Term(type(error).__name__)})
            outcome = TaskOutcome(
                self._job, self._number, error=PpdmError("error.work.memory") if lacks_memory(error) else unexpected
            )
        finally:
            self._pass_figures_on(at_once=True)
            self.finished.emit(outcome)


class TaskRunner(QObject):
    """Starts background jobs by name; a new job of the same name replaces the old one, whose result is dropped.

    Results go only to bound methods of QObjects, which Qt then calls in the UI thread.

    Parameters
    ----------
    file_number
        Function that returns the number of the open file. The result of a job is dropped if another file was opened
        since its start.
    """

    started = Signal(str)
    progressed = Signal(object)
    reported = Signal(object)
    ended = Signal(object)

    def __init__(self, parent: QObject | None = None, *, file_number: Callable[[], int] | None = None) -> None:
        super().__init__(parent)
        self._file_number = file_number or int  # without a session, every job belongs to file 0
        self._numbers: dict[str, int] = {}
        self.collector = Collector(self)
        self._alive: dict[int, tuple[QThread, _Worker, str, Callable[[TaskOutcome], None]]] = {}
        self._files: dict[int, int] = {}
        self._unseen: set[str] = set()
        self.in_background: set[str] = set()
        """Jobs whose page shows how far they are: the frame says nothing of them."""
        self._count = 0

    def start(
        self,
        job: str,
        work: Work,
        done: Callable[[TaskOutcome], None],
        *,
        unseen: bool = False,
        in_background: bool = False,
    ) -> None:
        """Run ``work`` in a thread, and call ``done`` with its outcome.

        ``done`` is not called if another job of this name was started meanwhile or another file was opened. An earlier
        job of this name is cancelled. An ``unseen`` job prepares something the user did not ask for: it sends no signal
        when it starts, makes progress or ends, does not count as running and belongs to no file. A job
        ``in_background`` may be stopped without asking when the window closes. Raises TypeError if ``done`` is no bound
        method of a QObject; it is called in the thread of the window.
        """
        if not isinstance(getattr(done, "__self__", None), QObject):
            raise TypeError("results of background work go only to bound methods of QObjects")
        self.cancel(job)
        self._count += 1
        number = self._count
        self._numbers[job] = number
        if in_background:
            self.in_background.add(job)
        self._files[number] = self._file_number()
        thread = QThread()
        thread.setObjectName(f"job {job}")
        worker = _Worker(job, number, work, GivingWay())
        worker.moveToThread(thread)
        self._alive[number] = (thread, worker, job, done)
        thread.started.connect(worker.run)
        worker.progressed.connect(self._on_progressed)
        worker.reported.connect(self._on_reported)
        worker.finished.connect(self._on_finished)
        self.collector.work_changed(running=bool(self._alive))
        thread.start()
        if unseen:
            self._unseen.add(job)
        else:
            self.started.emit(job)

    def is_running(self, job: str | None = None) -> bool:
        """Return whether a job with this name (None: any job) is running and its result is still wanted.

        The result is not wanted if the job was replaced by a newer one or another file was opened. ``unseen`` jobs do
        not count for None.
        """
        if job is None:
            return bool(self.running())
        return any(name == job and self._is_wanted(number) for number, (_, _, name, _) in self._alive.items())

    def running(self) -> list[str]:
        """Return the names of the running jobs whose result is wanted: of the open file, and not replaced.

        Jobs started as ``unseen`` are left out; a cancelled job counts until it has stopped.
        """
        seen = [(number, name) for number, (_, _, name, _) in self._alive.items() if name not in self._unseen]
        return [name for number, name in seen if self._is_wanted(number)]

    def _is_wanted(self, number: int) -> bool:
        """Return whether the job with this number runs and its result is still to be delivered.

        False if a newer job of the same name was started, or if another file was opened; the latter does not matter for
        ``unseen`` jobs.
        """
        if number not in self._alive:
            return False
        job = self._alive[number][2]
        of_file = job in self._unseen or self._files[number] == self._file_number()
        return of_file and self._numbers.get(job) == number

    def cancel_all(self) -> None:
        """Ask every job to stop at its next cancellation point.

        Jobs that are ``unseen`` go on, because they belong to no file.
        """
        for _, worker, name, _ in self._alive.values():
            if name not in self._unseen:
                worker.progress.cancel()

    def cancel(self, job: str) -> None:
        """Ask all jobs of this name, ``unseen`` ones included, to stop at their next cancellation point.

        This does not wait; the outcome then says that the job was cancelled, unless it had finished just before.
        """
        for _, worker, name, _ in self._alive.values():
            if name == job:
                worker.progress.cancel()

    def finish_early(self, job: str) -> None:
        """Ask a search inside a job to end with its best result so far; the rest of the job continues.

        Nothing happens if the job is not running.
        """
        for number, (_, worker, name, _) in self._alive.items():
            if name == job and self._is_wanted(number):
                worker.progress.finish_early()

    def stop_all(self, wait_ms: int = _WAIT_MS) -> bool:
        """Cancel all jobs and wait at most ``wait_ms`` milliseconds in all; return whether every thread ended in time.

        That includes ``unseen`` jobs, which get two minutes each. A thread that did not end keeps its worker, because
        neither may be destroyed while the thread runs. No outcome of a thread that ended here is delivered.
        """
        for _, worker, _, _ in self._alive.values():
            worker.progress.cancel()
        ended, until = True, time.monotonic() + wait_ms / 1000
        for number, (thread, _, job, _) in list(self._alive.items()):
            thread.quit()
            # A library that is being loaded cannot be stopped, but comes to an end; Qt would not outlive its thread.
            left = max(0, round(1000 * (until - time.monotonic())))
            if thread.wait(_WAIT_FOR_LIBRARIES_MS if job in self._unseen else left):
                del self._alive[number], self._files[number]
            else:
                ended = False
        self.collector.work_changed(running=bool(self._alive))
        return ended

    @Slot(int, object)
    def _on_progressed(self, number: int, progress: TaskProgress) -> None:
        """Pass on the progress of a job, unless it was replaced, is of another file, or is ``unseen``."""
        if self._is_wanted(number) and progress.job not in self._unseen:
            self.progressed.emit(progress)

    @Slot(int, object)
    def _on_reported(self, number: int, figures: TaskFigures) -> None:
        """Pass on the figures of a job, unless it was replaced or is of another file."""
        if self._is_wanted(number):
            self.reported.emit(figures)

    @Slot(object)
    def _on_finished(self, outcome: TaskOutcome) -> None:
        """End a finished job's thread; then send ``ended`` and deliver the outcome, if it is still wanted.

        It is not if a newer job of this name was started or another file was opened; then neither is sent. An
        ``unseen`` job does not depend on the file, and never sends ``ended``. Nothing happens for a job that
        ``stop_all`` already ended.
        """
        entry = self._alive.get(outcome.number)
        if entry is None:
            return
        thread, _, job, done = entry
        thread.quit()
        thread.wait()
        wanted = self._is_wanted(outcome.number)
        del self._alive[outcome.number], self._files[outcome.number]
        self.collector.work_changed(running=bool(self._alive))
        if wanted:
            if job not in self._unseen:
                self.ended.emit(outcome)
            done(outcome)


_ASK_EVERY = 0.01
_LATE = 0.01
_WAIT_AT_MOST = 0.2


class GivingWay(QObject):
    """Lets a working thread wait until the window has handled its events; created in the window's thread."""

    _asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._answer = threading.Event()
        self._answer.set()
        self._at = 0.0
        self._waited = False
        self._asked.connect(self._on_asked)

    def give_way(self) -> None:
        """Let the window handle its events if it is late; the working thread calls this repeatedly.

        The window is asked at most every 10 ms. If it has not answered 10 ms later, the job waits for the answer, at
        most a fifth of a second and only once for each question, because the window may be waiting for this very job.
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
        """Let the working thread continue; called when the window handles its events."""
        self._answer.set()


_WORKING_MS = 1_000
_REST_MS = 500
_COLLECT_UP_TO = 10_000
_NEW_MODULES = 20
_RARELY = 1_000


class Collector(QObject):
    """Controls Python's garbage collector depending on whether background work runs.

    The automatic collector runs in whichever thread allocates memory; in a worker it would destroy widgets that belong
    to the window's thread. So it is off while jobs run, and a timer collects the young generation.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._spares = False
        self._modules = 0
        self._owes = False  # whether work has ended since everything was gone through
        self._young = make_timer(self, _WORKING_MS, self._collect_young, once=False)
        self._rest = make_timer(self, _REST_MS, self._collect_all)

    def spare_window(self) -> None:
        """Postpone full garbage collections until jobs have ended, so that the user need not wait for them.

        A full collection takes 20 to 80 ms, and Python would run it while a page is being filled. Objects of libraries
        are excluded from collections: they are some hundred thousand and live as long as the program. The program calls
        this; tests of windows do not.
        """
        self._spares = True
        gc.set_threshold(*gc.get_threshold()[:2], _RARELY)
        self._keep_modules()

    def work_changed(self, *, running: bool) -> None:
        """Switch the automatic collector off while background jobs run, and on again afterwards.

        While jobs run, a timer collects young objects instead. After ``spare_window`` the collector is switched on only
        after half a second without jobs, with a full collection.
        """
        self._rest.stop()
        if running:
            gc.disable()
            self._young.start()
            return
        self._young.stop()
        if self._spares:
            self._owes = True
            self._rest.start()
        else:
            gc.enable()

    def _keep_modules(self) -> None:
        """Exclude all present objects from collections if at least twenty modules were imported since the last time."""
        if len(sys.modules) >= self._modules + _NEW_MODULES:
            self._modules = len(sys.modules)
            gc.freeze()

    @Slot()
    def _collect_young(self) -> None:
        """Collect young objects while jobs run, or all objects if a full collection is due.

        Nothing happens if more than 10,000 objects are young: they are probably rows of a file and soon gone.
        """
        # Each row of a file that is being read or written is an object to look at: 30,000 take 70 ms,
        # and are gone without the collector when the work is through with them.
        if gc.get_count()[0] > _COLLECT_UP_TO:
            return
        # One job of a queue follows the other, and no rest comes between them.
        gc.collect(2 if self._owes else 1)
        self._owes = False

    @Slot()
    def _collect_all(self) -> None:
        """Run a full collection and switch the automatic collector on again."""
        self._keep_modules()
        gc.collect()
        self._owes = False
        gc.enable()
