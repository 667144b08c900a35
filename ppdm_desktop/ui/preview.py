"""One page alone on a bundled sample, to look at it while it is worked on.

python -m ppdm_desktop.ui.preview compare --tab audit --scale 1.5 --dark
python -m ppdm_desktop.ui.preview risk --sample employees --shot risk.png
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.samples import all_samples, ready_sample, sample_files
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.ui.app import build_application
from ppdm_desktop.ui.look.theme import LEAST_SCALE, MOST_SCALE, theme
from ppdm_desktop.ui.page import Context, Desk, Dialogs, Page
from ppdm_desktop.ui.pages.registry import PAGES
from ppdm_desktop.ui.pages.risk.logic import measure
from ppdm_desktop.ui.shell.system_dialogs import SystemDialogs
from ppdm_desktop.ui.state.candidate_queue import DONE, CandidateQueue
from ppdm_desktop.ui.state.reading import Opened, begin, read_file
from ppdm_desktop.ui.state.session import Assessment, Session
from ppdm_desktop.ui.widgets.basic import Strip
from ppdm_desktop.ui.widgets.scrolling import Area
from ppdm_desktop.ui.widgets.work import progress_words
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress, TaskRunner

_RUNS = 2  # so that there is something to compare
_WIDTH, _HEIGHT = 1000, 720
_LOOK_EVERY_MS = 50
_QUIET_LOOKS = 3


class SampleSteps(QObject):
    """Takes a session through a sample's bundled recipe, as far as a page asks for.

    Parameters
    ----------
    context
        Its session is filled; its runner does what takes long.
    sample
        Name of the sample.
    step
        The page.

    Signals
    -------
    ready
        The page can be shown.
    failed
        (words) It cannot.
    """

    ready = Signal()
    failed = Signal(str)

    def __init__(self, context: Context, sample: str, step: str, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._session = context, context.session
        self._sample, self._step = sample, step
        self._queue = CandidateQueue(self._session, context.runner, self)
        self._waits_for_runs = False
        self._session.listen(self._on_changed)

    def begin(self) -> None:
        """Write the sample into the private folder and read it; all else follows."""
        name, path = self._sample, self._context.private_folder / f"{self._sample}.csv"

        def work(progress: Progress) -> tuple[Opened, Recipe]:
            data, text = sample_files(name)
            path.write_bytes(data)
            recipe = parse_recipe(tomllib.loads(text))
            return read_file(path, recipe.input)(progress), recipe

        self._context.runner.start("read", work, self._on_read)

    @Slot(object)
    def _on_read(self, outcome: TaskOutcome) -> None:
        if not outcome.ok:
            self.failed.emit(outcome.words)
            return
        opened, recipe = outcome.result
        begin(self._session, opened)
        recipe = recipe.model_copy(update={"input": self._session.decisions.recipe.input})
        self._session.decide("Recipe of the sample", recipe=recipe, confirmed=frozenset(recipe.columns))
        self._go_on()

    def _go_on(self) -> None:
        """Do the next thing that the page waits for, in the order in which the session asks for them."""
        session = self._session
        waits = session.why_not(self._step)
        if waits is None:
            self.ready.emit()
        elif session.assessment is None:
            self._measure()
        elif not session.finished():
            self._waits_for_runs = True
            self._queue.add_all([("", session.decisions.recipe.steps)] * _RUNS)
        elif session.chosen is None:
            session.decide("Choose the first", chosen=session.finished()[0].name)
            self._go_on()
        else:
            self.failed.emit(render(waits).sentence)

    def _measure(self) -> None:
        decisions, reading, basis = self._session.decisions, self._session.reading, self._session.basis()
        assert decisions.path is not None
        assert reading is not None
        path = decisions.path

        def work(progress: Progress) -> Assessment:
            return measure(path, reading, decisions.recipe, basis, progress)

        self._context.runner.start("risk", work, self._on_measured)

    @Slot(object)
    def _on_measured(self, outcome: TaskOutcome) -> None:
        if not outcome.ok:
            self.failed.emit(outcome.words)
            return
        self._session.assessment = outcome.result
        self._session.changed()
        self._go_on()

    def _on_changed(self) -> None:
        """Go on once every run has ended."""
        if not self._waits_for_runs or self._queue.unfinished:
            return
        self._waits_for_runs = False
        failed = next((entry for entry in self._session.candidates if entry.status != DONE), None)
        if failed is not None:
            self.failed.emit(failed.error)
        else:
            self._go_on()


class PreviewWindow(QWidget):
    """A window that holds one page, without rail, head and action bar.

    Parameters
    ----------
    page
        The page's class.
    folder
        Where the sample and what the page makes go.
    sample
        Name of the sample.
    tab
        The tab to bring to the front; the page's own choice when empty.
    dialogs
        Where questions go.

    Signals
    -------
    failed
        (words) The page cannot be shown.
    """

    failed = Signal(str)

    def __init__(self, page: type[Page], folder: Path, *, sample: str, tab: str, dialogs: Dialogs) -> None:
        super().__init__()
        self.setObjectName("window_preview")
        self.setWindowTitle(f"{page.step}: {sample}")
        session = Session()
        self.runner = TaskRunner(self, file_number=lambda: session.file_number)
        context = Context(session, self.runner, dialogs, folder)
        self.page, self._tab = page(context), tab
        self._is_ready = False
        self._strip = Strip()
        self._area = Area(self.page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self._strip)
        whole.addWidget(self._area, 1)
        # Pages count on what comes before them: nothing of this one is shown until that is there.
        self._area.hide()
        self._desk = Desk(session, self.runner, [self.page])
        session.listen(self._on_session_changed)
        self._steps = SampleSteps(context, sample, page.step, self)
        self._steps.ready.connect(self._on_ready)
        self._steps.failed.connect(self._on_failed)
        self.runner.progressed.connect(self._on_progressed)

    def begin(self) -> None:
        """Begin the work that the page needs."""
        self._steps.begin()

    @property
    def is_quiet(self) -> bool:
        """Whether the page is shown and nothing is under way or about to begin."""
        begins = any(timer.isSingleShot() and timer.isActive() for timer in self.findChildren(QTimer))
        return self._is_ready and not self.runner.is_running() and not begins

    def closeEvent(self, event: QCloseEvent) -> None:
        """Wait for every thread."""
        self.runner.stop_all()
        event.accept()

    def _on_session_changed(self) -> None:
        self._desk.clear()
        self.page.session_changed()

    @Slot(object)
    def _on_progressed(self, progress: TaskProgress) -> None:
        if not self._is_ready:
            self._strip.set("note", progress_words(progress, render("doing.work").sentence))

    @Slot()
    def _on_ready(self) -> None:
        self._is_ready = True
        self._strip.set("note", "")
        self.page.entered()
        self.page.show_now()
        if self._tab:
            self.page.show_tab(self._tab)
        self._area.show()

    @Slot(str)
    def _on_failed(self, words: str) -> None:
        self._strip.set("blocks", words)
        self.failed.emit(words)


class Shot(QObject):
    """Saves a picture of a preview once nothing changes in it any more, and ends the application."""

    def __init__(self, window: PreviewWindow, file: Path) -> None:
        super().__init__(window)
        self._window, self._file = window, file
        self._quiet = 0
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._look)
        self._timer.start(_LOOK_EVERY_MS)
        window.failed.connect(self._on_failed)

    @Slot()
    def _look(self) -> None:
        # What the end of one job starts counts too.
        self._quiet = self._quiet + 1 if self._window.is_quiet else 0
        if self._quiet < _QUIET_LOOKS:
            return
        if self._window.grab().save(str(self._file)):
            self._end(0)
        else:
            self._on_failed(f"{self._file} cannot be written as a picture")

    @Slot(str)
    def _on_failed(self, words: str) -> None:
        sys.stderr.write(f"error: {words}\n")
        self._end(1)

    def _end(self, code: int) -> None:
        self._timer.stop()
        self._window.close()
        QApplication.exit(code)


def main(arguments: Sequence[str]) -> int:
    """Show the page asked for and return the exit code."""
    pages = {page.step: page for page in PAGES}
    parser = argparse.ArgumentParser(
        prog="python -m ppdm_desktop.ui.preview", description="Show one page alone on a bundled sample."
    )
    parser.add_argument("page", choices=pages)
    parser.add_argument("--tab", default="", help="bring this tab to the front")
    parser.add_argument("--sample", choices=tuple(all_samples()), default=ready_sample().id)
    parser.add_argument("--scale", type=float, default=1.0, help=f"text size, {LEAST_SCALE} to {MOST_SCALE}")
    parser.add_argument("--dark", action="store_true")
    parser.add_argument("--shot", type=Path, metavar="FILE.png", help="save a picture instead, without a screen")
    given = parser.parse_args(arguments)
    if given.shot is not None:
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = build_application()
    theme().set_appearance("dark" if given.dark else "light")
    theme().set_scale(given.scale)
    with tempfile.TemporaryDirectory(prefix="ppdm-preview-") as folder:
        window = PreviewWindow(
            pages[given.page], Path(folder), sample=given.sample, tab=given.tab, dialogs=SystemDialogs()
        )
        if given.tab and given.tab not in window.page.tab_names:
            known = ", ".join(window.page.tab_names) or "none"
            parser.error(f"the page {given.page} has no tab {given.tab}; its tabs: {known}")
        window.resize(theme().px(_WIDTH), theme().px(_HEIGHT))
        if given.shot is not None:
            Shot(window, given.shot.resolve())
        window.show()
        window.begin()
        return app.exec()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
