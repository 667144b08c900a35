"""What the window does not need to appear is loaded while nothing else is to do, not in the middle of work."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from threading import RLock

from PySide6.QtCore import QObject, QTimer, Slot

from ppdm_desktop.engine import progress
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
"""What opens a file, in pieces: the window answers between two of them. Before any thread works, as libraries that two
threads import at once may be seen half done."""

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
"""What methods, attacks, analyses and charts import only where they need it; a test holds this against the engine.

Some are named although others bring them: between two names the loading can be stopped.
"""

IMPORTING = RLock()
"""The lock under which pages and libraries are imported once the window is there: one at a time, see ``FIRST``."""

_JOB = "libraries"
_AFTER_MS = 300
_BETWEEN_MS = 10


def load_libraries(pages: Sequence[Callable[[], object]] = ()) -> None:
    """Import all of them; one that is missing is left for the work that needs it to say so.

    Parameters
    ----------
    pages
        What imports the pages, in the order in which a person comes to need them; before the libraries.
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
    """Loads what opens a file, then the pages and the libraries, once the window stands and no work runs.

    An extension module holds Python's lock while it starts: the first candidate of a session would
    keep the window waiting for a tenth of a second now and then.

    Parameters
    ----------
    runner
        Does it, unseen.
    parent
        The window.
    pages
        What imports the pages.
    """

    def __init__(self, runner: TaskRunner, parent: QObject, pages: Sequence[Callable[[], object]] = ()) -> None:
        super().__init__(parent)
        self._runner = runner
        self._load = partial(load_libraries, pages=pages) if pages else load_libraries
        self._first = list(FIRST)
        self._begun = False
        self.loaded = False
        """Whether it is done, well or not."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._on_time)
        runner.ended.connect(self._on_ended)
        self._timer.start(0)

    @Slot()
    def _on_time(self) -> None:
        if self._first:
            importlib.import_module(self._first.pop(0))
            self._timer.start(_BETWEEN_MS if self._first else _AFTER_MS)
            return
        if not self._begun and not self._runner.is_running():
            self._begun = True
            self._runner.start(_JOB, self._load, self._on_loaded, unseen=True)

    @Slot(object)
    def _on_ended(self, outcome: TaskOutcome) -> None:
        if not self._begun and not self._timer.isActive():
            self._timer.start(_AFTER_MS)

    @Slot(object)
    def _on_loaded(self, outcome: TaskOutcome) -> None:
        self.loaded = True
