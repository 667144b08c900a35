"""Large libraries are loaded while nothing else is to do, not in the middle of a person's work."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, QTimer, Slot

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskRunner

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
)
"""What methods, attacks and analyses import only where they need it; a test holds this against the engine.

Some are named although others bring them: between two names the loading can be stopped.
"""

_JOB = "libraries"
_AFTER_MS = 300


def load_libraries(progress: Progress, first: Sequence[Callable[[], object]] = ()) -> None:
    """Import all of them; one that is missing is left for the work that needs it to say so.

    Parameters
    ----------
    first
        What imports parts of the program itself, in the order in which a person comes to need them.
    """
    for load in first:
        progress.check()
        load()
    for name in LIBRARIES:
        progress.check()
        try:
            importlib.import_module(name)
        except ImportError:
            continue


class Libraries(QObject):
    """Loads the libraries once the window stands and no work runs.

    An extension module holds Python's lock while it starts: the first candidate of a session would
    keep the window waiting for a tenth of a second now and then.

    Parameters
    ----------
    runner
        Does it, unseen.
    parent
        The window.
    first
        What imports parts of the program itself, before the libraries.
    """

    def __init__(self, runner: TaskRunner, parent: QObject, first: Sequence[Callable[[], object]] = ()) -> None:
        super().__init__(parent)
        self._runner = runner
        self._load = partial(load_libraries, first=first) if first else load_libraries
        self._begun = False
        self.loaded = False
        """Whether it is done, well or not."""
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_AFTER_MS)
        self._timer.timeout.connect(self._on_time)
        runner.ended.connect(self._on_ended)
        self._timer.start()

    @Slot()
    def _on_time(self) -> None:
        if not self._begun and not self._runner.is_running():
            self._begun = True
            self._runner.start(_JOB, self._load, self._on_loaded, unseen=True)

    @Slot(object)
    def _on_ended(self, outcome: TaskOutcome) -> None:
        if not self._begun:
            self._timer.start()

    @Slot(object)
    def _on_loaded(self, outcome: TaskOutcome) -> None:
        self.loaded = True
