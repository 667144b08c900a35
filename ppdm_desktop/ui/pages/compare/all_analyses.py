"""Run the usual analyses on every finished candidate, one after another in the background."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.analyses.logic import analyse_candidate
from ppdm_desktop.ui.state.finished_candidates import list_finished_candidates
from ppdm_desktop.ui.state.number_words import time_left
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import vbox
from ppdm_desktop.ui.widgets.work import WorkLine
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

JOB = "analyses-all"


class AllAnalyses(QObject):
    """Runs the analyses of all candidates that have none yet.

    Signals
    -------
    progressed
        (candidates done, candidates in all, share done from 0 to 1, seconds left or None).
    found
        The analyses of a candidate are finished.
    ended
        Why the run ended early, in words; empty if all are done or the user cancelled.
    """

    progressed = Signal(object)
    found = Signal()
    ended = Signal(str)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._waiting: list[CandidateEntry] = []
        self._entry: CandidateEntry | None = None
        self._done = self._all = 0
        context.runner.progressed.connect(self._on_progressed)

    @property
    def is_running(self) -> bool:
        """Whether analyses are being run."""
        return self._entry is not None

    @property
    def running(self) -> CandidateEntry | None:
        """The candidate whose analyses are being run, None if there is none."""
        return self._entry

    def lacking(self) -> list[CandidateEntry]:
        """Return the finished candidates without analyses, in the order of the queue."""
        return [entry for entry in list_finished_candidates(self._context.session) if entry.analyses is None]

    def start(self) -> None:
        """Run the analyses of every finished candidate without analyses, one after the other; nothing if that runs."""
        if not self.is_running:
            self._waiting = self.lacking()
            self._done, self._all = 0, len(self._waiting)
            self._start_next_analyses()

    def cancel(self) -> None:
        """Cancel the running analyses and those that wait; finished ones are kept."""
        self._waiting = []
        self._context.runner.cancel(JOB)

    def forget(self) -> None:
        """Forget the candidate whose analyses run and those that wait, and send ``ended``; no job is cancelled."""
        self._waiting, self._entry = [], None
        self._done = self._all = 0
        self.ended.emit("")

    def _start_next_analyses(self) -> None:
        """Start the analyses of the next waiting candidate that has none, or send ``ended`` if there is none."""
        while self._waiting:
            entry = self._waiting.pop(0)
            if entry.analyses is None and entry.candidate is not None:
                self._entry = entry
                learn_from = self._context.session.decisions.recipe.utility.learn_from
                self._context.runner.start(JOB, partial(analyse_candidate, entry.candidate, learn_from), self._on_done)
                return
            self._done += 1
        self._entry = None
        self.ended.emit("")

    def _on_progressed(self, progress: TaskProgress) -> None:
        """Send ``progressed`` with (versions done, versions in all, share of all work done, seconds left or None).

        Progress of other jobs is ignored.
        """
        if progress.job == JOB and self._entry is not None:
            share = (self._done + progress.fraction) / max(self._all, 1)
            left = None if progress.left is None else progress.left + len(self._waiting) * _estimate_duration(progress)
            self.progressed.emit((self._done, self._all, share, left))

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Keep the analyses of a candidate that was not run again meanwhile, and start the next.

        An error or cancel ends the series.
        """
        entry, self._entry = self._entry, None
        if entry is not None and outcome.ok:
            analyses, candidate = outcome.result
            if entry.candidate is candidate:
                entry.analyses = analyses
                self.found.emit()
        if not outcome.ok:
            self._waiting = []
            self.ended.emit("" if outcome.cancelled else outcome.words)
            return
        self._done += 1
        self._start_next_analyses()


def _estimate_duration(progress: TaskProgress) -> float:
    """Return the estimated seconds that the analyses of one candidate take, from the progress of the present one."""
    return progress.seconds / max(progress.fraction, 1e-3)


class AllAnalysesPart(QWidget):
    """The button that runs the analyses of all candidates, with progress and a cancel button."""

    def __init__(self, analyses: AllAnalyses) -> None:
        super().__init__()
        self._analyses = analyses
        self.button = Button(_("Try the analyses for all versions"), name="button_analyse_all", clicked=self._on_wanted)
        self._said = Text("", tone="text2", factor=0.9, name="label_analyse_all")
        self._work = WorkLine(job="analyse_all", label=_("Progress of the analyses for all versions"))
        self._work.cancelled.connect(analyses.cancel)
        self._failed = Strip("blocks", "", name="strip_analyse_all")
        vbox(self.button, self._said, self._work, self._failed, on=self, gap=6)
        analyses.progressed.connect(self._on_progressed)
        analyses.ended.connect(self._on_ended)
        self.refresh()

    def refresh(self) -> None:
        """Show the button if a candidate has no analyses yet, or the progress; hide all if there is nothing to say."""
        running, lacking = self._analyses.is_running, len(self._analyses.lacking())
        self.button.setVisible(not running and lacking > 0)
        self._work.setVisible(running)
        self._said.setVisible(running or lacking > 0)
        # Nothing to do, nothing to tell: no room either.
        wanted = running or lacking > 0 or bool(self._failed.text.text())
        if self.parentWidget() is not None or not wanted:
            self.setVisible(wanted)
        if not running:
            self._said.setText(
                _(
                    "Predictions (decision tree, naive Bayes) were not tried for {n} {n:version|versions} yet.",
                    n=lacking,
                )
            )

    def _on_wanted(self) -> None:
        """Start the analyses of all versions that lack them."""
        self._failed.set("blocks", "")
        self._work.begin()
        self._analyses.start()
        self.refresh()
        self._show_progress(0, len(self._analyses.lacking()), None)

    def _on_progressed(self, reached: tuple[int, int, float, float | None]) -> None:
        """Show the share of the work done, and the time left; ``reached`` is what ``AllAnalyses.progressed`` sends."""
        done, every, share, left = reached
        self._work.show_share(share)
        self._show_progress(done, every, left)

    def _show_progress(self, done: int, every: int, left: float | None) -> None:
        """Write which version is analysed, which of ``every`` it is (``done`` + 1), and the seconds left unless None.

        Nothing happens if none is analysed.
        """
        running = self._analyses.running
        if running is None:
            return
        text = _("Trying {name}, {n} of {all}", name=Term(running.shown), n=done + 1, all=every)
        self._said.setText(f"{text} · {time_left(left)}" if left is not None else text)

    def _on_ended(self, text: str) -> None:
        """Show why the series ended early, nothing if it was stopped by hand or is complete."""
        self._failed.set("blocks", text)
        self.refresh()
