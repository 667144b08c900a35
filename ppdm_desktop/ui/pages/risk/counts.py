"""Background counts of the page Risk, one after another: heatmap, pairs, sets of columns, effects of changes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.identifiability.contributions import Pairs
from ppdm_desktop.engine.identifiability.unique_sets import UniqueSets
from ppdm_desktop.engine.identifiability.what_if import WhatIf
from ppdm_desktop.ui.pages.risk import logic as risk_logic
from ppdm_desktop.ui.pages.risk.logic import Heatmap
from ppdm_desktop.ui.state.session import Assessment
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskRunner

MAPS_JOB = "maps"


@dataclass(eq=False)
class Counted:
    """Figures counted for one risk assessment; a figure that is not counted yet is None."""

    assessment: Assessment
    heat: Heatmap | None = None
    pairs: Pairs | None = None
    changes: WhatIf | None = None
    sets: UniqueSets | None = None
    order: Ints | None = None


class RiskCounts(QObject):
    """Counts the figures of the displayed risk assessment in the background.

    The figures of the original are kept while a previewed change is displayed.

    Signals
    -------
    ready
        A figure was counted: ``heat``, ``pairs``, ``changes``, ``sets`` or ``order``.
    failed
        Counting failed: sentence. The next ``go_on`` tries it again; until then no further figure is counted.
    """

    ready = Signal(str)
    failed = Signal(str)

    def __init__(self, runner: TaskRunner, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._runner = runner
        self.original: Counted | None = None
        self.current: Counted | None = None
        self._running: tuple[Counted, str] | None = None
        self.with_order = False
        """Whether it is asked in which order people stand out beyond the file."""

    def show(self, original: Assessment | None, assessment: Assessment | None) -> None:
        """Choose the risk assessment whose figures are counted next; ``go_on`` starts the count.

        If either parameter is None, no figures are displayed. Figures that are counted for the same assessment stay. A
        running count for another assessment is cancelled.

        Parameters
        ----------
        original
            Assessment of the original.
        assessment
            Assessment to display: the original's, or that of a previewed change.
        """
        if original is None or assessment is None:
            self._cancel_count()
            self.original = self.current = None
            return
        if self.original is None or self.original.assessment is not original:
            self.original = Counted(original)
        if assessment is original:
            now = self.original
        elif self.current is not None and self.current.assessment is assessment:
            now = self.current
        else:
            now = Counted(assessment)
        if now is not self.current:
            self._cancel_count()
            self.current = now

    def go_on(self) -> None:
        """Start to count the next missing figure of the displayed assessment.

        Nothing happens while a count runs, if all figures are counted, or if no assessment is displayed.
        """
        if self._running is not None or self.current is None:
            return
        for part, count in self._list_wanted_counts().items():
            # What each change would do is always said of the original.
            counted = self.original if part == "changes" else self.current
            if counted is not None and getattr(counted, part) is None:
                self._running = (counted, part)
                self._runner.start(MAPS_JOB, partial(count, counted.assessment), self._on_counted)
                return

    def _list_wanted_counts(self) -> dict[str, Callable[[Assessment], Any]]:
        """Return the functions that count the figures, by the figures' names, in the order in which they are counted.

        The figure "order" is counted only if it is wanted (``with_order``), and needs the figure "sets".
        """
        counts: dict[str, Callable[[Assessment], Any]] = {
            "heat": risk_logic.build_heatmap,
            "pairs": risk_logic.count_unique_by_pair,
            "changes": risk_logic.compute_change_effects,
            "sets": risk_logic.find_unique_sets,
        }
        if self.with_order and self.current is not None and self.current.sets is not None:
            counts["order"] = partial(risk_logic.rank_beyond_file, unique_sets=self.current.sets)
        return counts

    def _cancel_count(self) -> None:
        """Cancel the running count, if there is one."""
        if self._running is not None:
            self._running = None
            self._runner.cancel(MAPS_JOB)

    def _on_counted(self, outcome: TaskOutcome) -> None:
        """Store a counted figure, send ``ready`` and start the next count, or send ``failed`` if counting failed.

        After a failure the next count is not started. After a cancellation nothing happens.
        """
        if self._running is None:
            return
        counted, part = self._running
        self._running = None
        if outcome.ok:
            setattr(counted, part, outcome.result)
            self.ready.emit(part)
            self.go_on()
        elif not outcome.cancelled:
            self.failed.emit(outcome.message)
