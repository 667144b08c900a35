"""Seconds until the window is there, pages and looks change, a million rows are repainted, the heatmap is drawn.

Run as ``python -m tests.benchmarks.window [rows]`` in the checkout; without a screen it draws offscreen. Also
printed is the longest time in which the window could not answer while work ran in the background.
"""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from optional import existing

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

import numpy as np
from PySide6.QtCore import QElapsedTimer, QObject, QTimer
from PySide6.QtWidgets import QApplication, QTableView
from ui_support import FakeDialogs, Person, decide_roles

from ppdm_desktop.ui.app import build_window
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.settings import Settings

REPOSITORY = Path(__file__).resolve().parents[2]
QUASI = {"age": 74, "education": 16, "marital": 7, "occupation": 15, "race": 5, "sex": 2, "country": 42}
OTHERS = {f"other{n}": width for n, width in enumerate((9, 30, 100, 3, 12, 1000, 50, 8, 2, 20, 5), 1)}


class Heartbeat(QObject):
    """Beats every few milliseconds in the UI thread and keeps the longest pause."""

    def __init__(self) -> None:
        super().__init__()
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_beat)
        self.longest = 0

    def start(self) -> None:
        """Begin to listen."""
        self.longest = 0
        self._clock.start()
        self._timer.start(5)

    def stop(self) -> int:
        """Return the longest pause in milliseconds."""
        self._timer.stop()
        return self.longest

    def _on_beat(self) -> None:
        self.longest = max(self.longest, self._clock.restart())


def write_csv(path: Path, rows: int) -> None:
    """Write 20 columns: seven quasi-identifiers, a confidential one, a weight and others."""
    draw = np.random.default_rng(20_260_101)
    widths = {**QUASI, "class": 2, **OTHERS}
    columns = [[f"v{n}" for n in range(width)] for width in widths.values()]
    picks = [(draw.random(rows) ** 2 * width).astype(int).tolist() for width in widths.values()]
    weight = draw.integers(1, 10**6, rows).tolist()
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join([*widths, "weight"]) + "\n")
        for row in range(rows):
            cells = [texts[codes[row]] for texts, codes in zip(columns, picks, strict=True)]
            file.write(",".join(cells) + f",{weight[row]}\n")


def say(what: str, seconds: float, more: str = "") -> None:
    """Print one line."""
    sys.stdout.write(f"{what:<52} {seconds * 1000:>9,.0f} ms  {more}\n")
    sys.stdout.flush()


def first_window() -> None:
    """Start the program a few times until its window has painted."""
    programs = {"first window": [sys.executable, "-m", "ppdm_desktop"]}
    bundle = REPOSITORY / "dist" / "ppdm-desktop" / "ppdm-desktop"
    if bundle.exists():
        programs["first window of the bundle"] = [str(bundle)]
    for name, command in programs.items():
        seconds, used = [], []
        for _ in range(5):
            environment = {**os.environ, "PPDM_DESKTOP_SMOKE": "1"}
            done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
            found = re.search(r"first window after ([\d.]+) s, ([\d.]+) of", done.stdout)
            assert found is not None
            seconds.append(float(found[1]))
            used.append(float(found[2]))
        processor = f"{statistics.median(used):.2f} s of the processor"
        say(name, statistics.median(seconds), f"(median of 5; first {seconds[0]:.2f} s; {processor})")


def repaint(view: QTableView) -> float:
    """Return the seconds one repaint takes while scrolling through the whole table."""
    bar = view.verticalScrollBar()
    seconds = []
    for place in np.linspace(0, bar.maximum(), 40).astype(int).tolist():
        bar.setValue(place)
        started = time.perf_counter()
        view.viewport().repaint()
        seconds.append(time.perf_counter() - started)
    return statistics.median(seconds)


def main() -> int:
    """Print everything."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    first_window()
    app = QApplication.instance() or QApplication(["benchmark"])
    assert isinstance(app, QApplication)
    set_window_font(app, 10)
    app.setStyle("Fusion")
    heart = Heartbeat()
    with tempfile.TemporaryDirectory(prefix="ppdm-benchmark-") as name:
        place = Path(name)
        source = place / "large.csv"
        write_csv(source, rows)
        dialogs = FakeDialogs()
        window = build_window(dialogs=dialogs, settings=Settings(appearance="light"), folder=place / "settings")
        person = Person(window, dialogs)
        window.resize(1280, 800)
        window.show()
        app.processEvents()

        def timed(what: str, do: object, seconds: float = 600) -> None:
            heart.start()
            started = time.perf_counter()
            do()  # type: ignore[operator]
            person.settle(seconds)
            took = time.perf_counter() - started
            say(what, took, f"(longest pause of the window {heart.stop()} ms)")

        timed(f"reading {rows:,} x 20", lambda: window.open_path(source))
        say("repaint of the table, while scrolling", repaint(existing(window.findChild(QTableView, "table_preview"))))
        decide_roles(person.session, {"quasi-identifier": tuple(QUASI), "confidential": ("class",)})
        release = person.session.decisions.recipe.release.model_copy(update={"type": "internal"})
        person.session.decide_recipe("who", release=release)
        person.settle()
        timed("risk and heatmap, until drawn", lambda: window.go_to("risk"))
        heat = existing(window.findChild(QTableView, "heat_records"))
        say("repaint of the heatmap, while scrolling", repaint(heat))
        for step in ("open", "columns", "levels", "risk", "protect", "open"):
            started = time.perf_counter()
            window.show_page(step)
            app.processEvents()
            say(f"to page {step}, until painted", time.perf_counter() - started)
            person.settle()
        changes: dict[str, Callable[[], None]] = {
            "to the dark appearance": lambda: theme().set_appearance("dark"),
            "to text of 150 %": lambda: theme().set_scale(1.5),
        }
        for what, change in changes.items():
            spent = time.process_time()
            change()
            app.processEvents()
            say(f"{what}, processor time", time.process_time() - spent, f"({len(app.allWidgets())} widgets)")
        window.runner.stop_all()
        window.session.saved = window.session.decisions
        window.close()
        shutil.rmtree(window.context.private_folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
