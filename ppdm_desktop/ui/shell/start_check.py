"""Opening the window for a moment: does it paint, does it read a file, how long did it take.

For the bundle's check and the benchmark: with ``PPDM_DESKTOP_SMOKE`` set, the program prints the
seconds from its start to the first painted window (and, given a file, until it was read) and leaves.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication

from ppdm_desktop.ui.shell.window import MainWindow

VARIABLE = "PPDM_DESKTOP_SMOKE"
_IMPORTED = time.monotonic()
_PATIENCE_MS = 120_000


def since_start() -> float:
    """Return the seconds since this process began (since this module was read, where that is not known)."""
    try:
        fields = Path("/proc/self/stat").read_text("ascii").rpartition(")")[2].split()
        begun = int(fields[19]) / os.sysconf("SC_CLK_TCK")
        return time.clock_gettime(time.CLOCK_BOOTTIME) - begun
    except (OSError, ValueError, AttributeError, IndexError):
        return time.monotonic() - _IMPORTED


class Smoke(QObject):
    """Watches a window and leaves once it has painted and read what it was given."""

    def __init__(self, window: MainWindow, *, reads: bool) -> None:
        super().__init__(window)
        self._window, self._reads = window, reads
        self._painted = False
        self._left = False
        window.installEventFilter(self)
        window.session.listen(self._look)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self._on_late)
        self._late.start(_PATIENCE_MS)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the first paint."""
        if event.type() == QEvent.Type.Paint and not self._painted:
            self._painted = True
            sys.stdout.write(f"first window after {since_start():.2f} s\n")
            QTimer.singleShot(0, self._look)
        return False

    def _look(self) -> None:
        reading = self._window.session.reading
        if self._left or not self._painted or (self._reads and reading is None):
            return
        self._left = True
        if reading is not None:
            sys.stdout.write(f"{reading.table.rows} rows read after {since_start():.2f} s\n")
        QTimer.singleShot(200, self._leave)

    def _leave(self) -> None:
        self._window.session.saved = self._window.session.decisions
        self._window.close()
        QApplication.exit(0)

    def _on_late(self) -> None:
        sys.stderr.write("error: the window did not get there in time\n")
        self._window.session.saved = self._window.session.decisions
        self._window.close()
        QApplication.exit(1)
