"""Seconds from opening Adult to a frontier of at least twelve candidates with attacks, in the window, offscreen.

Run as ``python -m tests.benchmarks.frontier [--runs 12] [--data FOLDER]`` in the checkout. The window
is led as a person leads it: the file is opened, the roles are taken, suggestions are asked for and
queued, and the map is looked at. Printed are each candidate's time, and the longest pauses of the
window meanwhile with what was going on: the time between two beats of a timer of 5 ms. Beside it beats
a process that only sleeps: where that is late too, the processors were busy elsewhere. The libraries that
the window loads when it has just opened are there by then.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from optional import existing

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from ui_support import ADULT_ROLES, FakeDialogs, Person, go_through, let_work, wait_until

from ppdm_desktop.ui.app import answer_first, build_window
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.pages.compare.scorecards import Scorecards
from ppdm_desktop.ui.state.settings import Settings
from ppdm_desktop.ui.work.library_loading import Libraries
from tests.benchmarks.bystander import Bystander

REPOSITORY = Path(__file__).resolve().parents[2]
BEAT_MS, ALLOWED_MS, LISTED = 5, 100, 12


@dataclass(frozen=True)
class Pause:
    """A time in which the window did not answer: how long, the thread's own work in it, and what went on."""

    milliseconds: float
    own: float
    doing: str
    until: float = 0.0

    def meets(self, others: list[tuple[float, float]]) -> bool:
        """Say whether one of these times overlaps it."""
        begin = self.until - self.milliseconds / 1000
        return any(first < self.until and last > begin for first, last in others)


class Heartbeat(QObject):
    """Beats in the UI thread; keeps each pause with the step of the work at that moment.

    ``own`` is the CPU time the UI thread itself used: the rest of a pause is waiting for Python's
    lock or for the processor.
    """

    def __init__(self) -> None:
        super().__init__()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_beat)
        self._last = self._own = 0.0
        self.doing = "start"
        self.pauses: list[Pause] = []
        self.beats = 0

    def start(self) -> None:
        """Begin to listen."""
        self._last, self._own = time.perf_counter(), time.thread_time()
        self._timer.start(BEAT_MS)

    def stop(self) -> None:
        """Listen no more."""
        self._timer.stop()

    def _on_beat(self) -> None:
        now, own = time.perf_counter(), time.thread_time()
        pause = 1000 * (now - self._last)
        self.beats += 1
        if pause > ALLOWED_MS / 2:
            self.pauses.append(Pause(pause, 1000 * (own - self._own), self.doing, now))
        self._last, self._own = now, own


class Watch(QObject):
    """Tells the heartbeat what the work in the background does."""

    def __init__(self, heart: Heartbeat, runner: object) -> None:
        super().__init__()
        self._heart = heart
        runner.progressed.connect(self._on_progressed)  # type: ignore[attr-defined]

    def _on_progressed(self, progress: object) -> None:
        self._heart.doing = f"{progress.job}: {progress.doing}"  # type: ignore[attr-defined]


class Leader(Person):
    """Leads the window; what it does itself to see that all is quiet is no turn of the window."""

    def settle(self, seconds: float | None = None) -> None:
        """Wait until no work runs, and for a beat."""
        super().settle(seconds)
        let_work(2 * BEAT_MS)


def say(what: str, seconds: float, more: str = "") -> None:
    """Print one line."""
    sys.stdout.write(f"{what:<58} {seconds:>8.1f} s  {more}\n")
    sys.stdout.flush()


def data_folder(given: Path | None) -> Path:
    """Return where the public data sets lie."""
    return given or Path(os.environ.get("PPDM_DATA") or REPOSITORY.parent / "shared" / "data")


def main() -> int:
    """Print everything; 1 when there are fewer than twelve candidates with attacks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=12, help="how many of the suggestions are run")
    parser.add_argument("--data", type=Path, help="folder of the public data sets")
    given = parser.parse_args()
    source = data_folder(given.data) / "adult_train.csv"
    if not source.is_file():
        sys.exit("the public data sets are not here: name their folder with --data")
    app = QApplication.instance() or QApplication(["benchmark"])
    assert isinstance(app, QApplication)
    set_window_font(app, 10)
    app.setStyle("Fusion")
    heart = Heartbeat()
    with tempfile.TemporaryDirectory(prefix="ppdm-benchmark-") as name:
        dialogs = FakeDialogs()
        window = build_window(dialogs=dialogs, settings=Settings(appearance="light"), folder=Path(name) / "settings")
        person = Leader(window, dialogs)
        window.resize(1280, 800)
        answer_first(window)
        window.show()
        # A person takes longer than this to choose a file.
        libraries = window.findChild(Libraries)
        wait_until(lambda: existing(libraries).loaded, 60, "the libraries")
        watch = Watch(heart, window.runner)
        bystander = Bystander(BEAT_MS, ALLOWED_MS / 2)
        heart.start()
        started = time.perf_counter()
        go_through(person, source, ADULT_ROLES, until="protect", kind="research")
        say("opened, roles taken, risk measured", time.perf_counter() - started)
        at = time.perf_counter()
        person.click("button_suggest")
        wanted = str(given.runs)
        if person.see("combo_suggest_count").findData(wanted) >= 0:
            person.choose("combo_suggest_count", wanted)
        say("suggestions found", time.perf_counter() - at)
        person.click("button_queue_suggested", settle=False)
        session = window.session
        wait_until(lambda: all(each.status not in ("waiting", "running") for each in session.candidates), 7200, "runs")
        heart.doing = "map"
        window.go_to("compare")
        person.settle()
        whole = time.perf_counter() - started
        heart.stop()
        beside = bystander.stop()
        del watch
        for entry in session.candidates:
            attacks = len(entry.judged.report.verdict.attacks or ()) if entry.judged is not None else 0
            more = f"{attacks} attacks" if entry.status == "done" else f"{entry.status}: {entry.error}"
            say(f"  {entry.name} {entry.title}"[:58], entry.took, more)
        placed = Scorecards().all(session)
        attacked = [each for each in placed if each.entry.judged.report.verdict.attacks]
        drawing: Any = window.findChild(QObject, "chart_map")
        on_it = [row.cells[0] for row in drawing.scene.rows if row.cells[3]]
        say(
            "from opening to the filled frontier",
            whole,
            f"{len(attacked)} candidates with attacks; on the frontier: {', '.join(on_it)}",
        )
        pauses = sorted(heart.pauses, key=lambda each: -each.milliseconds)
        longest = pauses[0] if pauses else Pause(0.0, 0.0, "")
        busiest = max(pauses, key=lambda each: each.own, default=longest)
        late = sum(each.milliseconds > ALLOWED_MS for each in pauses)
        load = os.getloadavg()[0]
        sys.stdout.write(
            f"longest pause of the window {longest.milliseconds:.0f} ms, {longest.own:.0f} ms of it the window's own "
            f"work; {late} of {heart.beats:,} beats later than {ALLOWED_MS} ms\n"
            f"a process that only sleeps was late by more than {ALLOWED_MS // 2} ms {len(beside)} times "
            f"(load of the machine {load:.1f} on {os.cpu_count()} processors)\n"
            f"most own work in one pause {busiest.own:.0f} ms (of {busiest.milliseconds:.0f}, {busiest.doing}); "
            f"{sum(each.own > ALLOWED_MS for each in pauses)} pauses with more than {ALLOWED_MS} ms of it\n"
        )
        for each in pauses[:LISTED]:
            whose = "  (the process beside was late too)" if each.meets(beside) else ""
            sys.stdout.write(
                f"  {each.milliseconds:>6.0f} ms, {each.own:>5.0f} of them own work  {each.doing}{whose}\n"
            )
        window.runner.stop_all()
        session.saved = session.decisions
        window.close()
        shutil.rmtree(window.context.private_folder, ignore_errors=True)
    return 0 if len(attacked) >= min(given.runs, LISTED) else 1


if __name__ == "__main__":
    sys.exit(main())
