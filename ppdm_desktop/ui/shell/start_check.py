"""Self-test of the start: show the window, read a file, print how long it took, and quit.

For the bundle's check and the benchmark: with ``PPDM_DESKTOP_SMOKE`` set, the program prints the
seconds from its start to the first painted window (and, given a file, until it was read) and quits.
With the value ``chart`` it first draws a plot, to test the library that is imported on demand.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from ppdm_desktop.ui.shell.window import MainWindow
from ppdm_desktop.ui.work.chunked_work import make_timer

VARIABLE = "PPDM_DESKTOP_SMOKE"
_IMPORTED = time.monotonic()
_PATIENCE_MS = 120_000
_CHART = "chart"
_HIGH, _WIDE = 300, 500


def measure_uptime() -> float:
    """Return the seconds since this process started; where the system does not tell, since this module was imported."""
    try:
        fields = Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()
        begun = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - begun
    except (OSError, ValueError, AttributeError, IndexError):
        return time.monotonic() - _IMPORTED


class StartCheck(QObject):
    """Watches a window, and quits the program once it was painted and the given file was read."""

    def __init__(self, window: MainWindow, *, reads: bool) -> None:
        super().__init__(window)
        self._window, self._reads = window, reads
        self._painted = False
        self._left = False
        window.installEventFilter(self)
        window.session.listen(self._end_when_ready)
        self._late = make_timer(self, _PATIENCE_MS, self._on_late)
        self._late.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Print the time of the window's first paint, then see whether the self-test can end.

        Always returns False, so that Qt handles every event as usual.
        """
        if event.type() == QEvent.Type.Paint and not self._painted:
            self._painted = True
            sys.stdout.write(
                f"first window after {measure_uptime():.2f} s, {time.process_time():.2f} of the processor\n"
            )
            QTimer.singleShot(0, self._end_when_ready)
        return False

    def _end_when_ready(self) -> None:
        """End the program if the window is painted and the file, if one was given, is read.

        Before, print the number of rows and the time. In the mode for charts the exit code is 1 if the points of a
        chart are not drawn.
        """
        reading = self._window.session.reading
        if self._left or not self._painted or (self._reads and reading is None):
            return
        self._left = True
        if reading is not None:
            sys.stdout.write(f"{reading.table.rows} rows read after {measure_uptime():.2f} s\n")
        if os.environ.get(VARIABLE) == _CHART and not self._can_draw_points():
            sys.stderr.write("error: the points of a chart are not seen\n")
            self._exit_program(1)
            return
        QTimer.singleShot(200, self._exit_program)

    def _can_draw_points(self) -> bool:
        """Draw a chart with and without points, print the time, and return whether the two pictures differ."""
        # Imported here: without a chart, a start that is measured is that of every day.
        import numpy as np

        from ppdm_desktop.engine.report.scene.model import Axis, Points, Row, Scene
        from ppdm_desktop.ui.charts.drawn_view import DrawnView

        plot = DrawnView(name="plot_of_start_check", label=_CHART, high=_HIGH)
        plot.setParent(self._window)
        plot.resize(_WIDE, 2 * _HIGH)
        axis, places = Axis("", 0.0, 10.0), np.arange(1.0, 10.0)
        seen = []
        for points in (places[:0], places):
            marks = (Points("released", "", points, points, records=len(places)),)
            plot.set_scene(Scene(_CHART, "", "", axis, axis, marks, _CHART, (Row((), _CHART),)))
            plot.show()
            seen.append(plot.grab().toImage())
        sys.stdout.write(f"chart of {len(places)} points drawn after {measure_uptime():.2f} s\n")
        return seen[0] != seen[1]

    def _exit_program(self, code: int = 0) -> None:
        """Close the window without asking about unsaved decisions, and end the program with an exit code."""
        self._window.session.saved = self._window.session.decisions
        self._window.close()
        QApplication.exit(code)

    def _on_late(self) -> None:
        """End the program with exit code 1, because the window was not ready in time."""
        sys.stderr.write("error: the window did not get there in time\n")
        self._exit_program(1)
