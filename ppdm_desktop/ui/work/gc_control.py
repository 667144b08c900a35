"""When Python looks for objects that only hold each other: never in a worker, and not while a page is filled."""

from __future__ import annotations

import gc
import sys

from PySide6.QtCore import QObject, QTimer, Slot

_WORKING_MS = 1_000
_REST_MS = 500
_COLLECT_UP_TO = 10_000
_NEW_MODULES = 20
_RARELY = 1_000


class Collector(QObject):
    """Python's collector, led by whether work is under way in a thread.

    The automatic collector runs in whichever thread allocates; in a worker it would destroy widgets
    that belong to the UI thread. So it is off while work runs, and a timer collects what is young.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._spares = False
        self._modules = 0
        self._owes = False  # whether work has ended since everything was gone through
        self._young = QTimer(self)
        self._young.setInterval(_WORKING_MS)
        self._young.timeout.connect(self._collect_young)
        self._rest = QTimer(self)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._collect_all)

    def spare_window(self) -> None:
        """Keep the window from waiting for the collector; a program does so, tests of windows do not.

        To go through everything takes 20 to 80 ms, and Python would do it in the middle of filling a
        page. It is done in a turn of its own instead, once work has ended and the page stands.
        Libraries are kept out: they are some hundred thousand objects that never die.
        """
        self._spares = True
        gc.set_threshold(*gc.get_threshold()[:2], _RARELY)
        self._keep_modules()

    def work_changed(self, *, running: bool) -> None:
        """Have the automatic collector off exactly while a thread is alive, and until the window rests after it."""
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
        if len(sys.modules) >= self._modules + _NEW_MODULES:
            self._modules = len(sys.modules)
            gc.freeze()

    @Slot()
    def _collect_young(self) -> None:
        # Each row of a file that is being read or written is an object to look at: 30,000 take 70 ms,
        # and are gone without the collector when the work is through with them.
        if gc.get_count()[0] > _COLLECT_UP_TO:
            return
        # One job of a queue follows the other, and no rest comes between them.
        gc.collect(2 if self._owes else 1)
        self._owes = False

    @Slot()
    def _collect_all(self) -> None:
        self._rest.stop()
        self._keep_modules()
        gc.collect()
        self._owes = False
        gc.enable()
