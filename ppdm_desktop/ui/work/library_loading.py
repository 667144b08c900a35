"""Import libraries that the first window does not need, while the program is idle."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import RLock

from PySide6.QtCore import QObject, Slot

from ppdm_desktop.engine import progress
from ppdm_desktop.ui.work.chunked_work import make_timer
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskRunner

FIRST = (
    "numpy",
    "pydantic_core.core_schema",
    "pydantic.main",
    "pydantic.types",
    "ppdm_desktop.engine.recipe.models",
    "ppdm_desktop.engine.table.column",
    "ppdm_desktop.engine.table.reading.import_log",
    "charset_normalizer",
    "ppdm_desktop.engine.table.reading.read",
    "ppdm_desktop.engine.table.patterns",
    "ppdm_desktop.ui.state.reading",
)
"""Modules needed to open a file, in small steps so that the window answers in between. They are imported before any
thread works, because a library imported by two threads at once may be seen half initialised."""

LIBRARIES = (
    "threadpoolctl",
    "scipy.special",
    "scipy.sparse",
    "scipy.spatial.distance",
    "scipy.optimize",
    "scipy.stats",
    "joblib",
    "sklearn.base",
    "sklearn.tree",
    "sklearn.cluster",
    "sklearn.ensemble",
    "sklearn.neural_network",
    "pyqtgraph",
)
"""Modules that methods, attacks and charts import on demand; a test compares this list with the engine.

Some are listed although others import them, because loading can be stopped between two entries.
"""

IMPORTING = RLock()
"""Lock under which pages and libraries are imported one at a time, see ``FIRST``."""

_JOB = "libraries"
_AFTER_MS = 300
_BETWEEN_MS = 10


def load_libraries(pages: Sequence[Callable[[], object]] = ()) -> None:
    """Import the pages, then all libraries, so that later imports are quick; a missing library is skipped.

    Raises Cancelled between two imports if the job was cancelled, and whatever importing a page raises.

    Parameters
    ----------
    pages
        Functions that import the pages, in the order in which pages are used.
    """
    for load in pages:
        progress.check()
        with IMPORTING:
            load()
    for name in LIBRARIES:
        progress.check()
        with IMPORTING, suppress(ImportError):
            importlib.import_module(name)


class Libraries(QObject):
    """Imports modules for opening a file, then pages and libraries, once the window is visible and no job runs.

    An extension module holds the interpreter lock while it initialises: without early imports, making the first
    protected table would stop the window for a tenth of a second now and then.

    Parameters
    ----------
    runner
        Task runner that runs the imports in the background.
    parent
        The window.
    pages
        Functions that import the pages.
    """

    def __init__(self, runner: TaskRunner, parent: QObject, pages: Sequence[Callable[[], object]] = ()) -> None:
        super().__init__(parent)
        self._runner = runner
        self._load = partial(load_libraries, pages=pages) if pages else load_libraries
        self._first = list(FIRST)
        self._begun = False
        self.loaded = False
        """Whether it is done, well or not."""
        self._timer = make_timer(self, 0, self._on_time)
        runner.ended.connect(self._on_ended)
        self._timer.start(0)

    @Slot()
    def _on_time(self) -> None:
        """Import the next module for opening a file; after the last one, start loading the rest in the background.

        The rest is loaded once, and only if no job runs; otherwise after that job has ended.
        """
        if self._first:
            importlib.import_module(self._first.pop(0))
            self._timer.start(_BETWEEN_MS if self._first else _AFTER_MS)
            return
        if not self._begun and not self._runner.is_running():
            self._begun = True
            self._runner.start(_JOB, self._load, self._on_loaded, unseen=True)

    @Slot(object)
    def _on_ended(self, outcome: TaskOutcome) -> None:
        """Start the timer again after another job has ended, unless loading has begun."""
        if not self._begun and not self._timer.isActive():
            self._timer.start(_AFTER_MS)

    @Slot(object)
    def _on_loaded(self, outcome: TaskOutcome) -> None:
        """Record that loading has ended, whether it succeeded or not."""
        self.loaded = True
