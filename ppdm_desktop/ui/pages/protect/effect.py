"""Compute the effect of a step in the background, shortly after the last key was pressed."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.protect.effect_preview import Effect, foresee
from ppdm_desktop.ui.work.chunked_work import timer
from ppdm_desktop.ui.work.tasks import TaskOutcome

_JOB = "effect"
_AFTER_LAST_KEY_MS = 300


class EffectQuestion(QObject):
    """Computes the effect of the selected step in the background, and keeps the prepared table for the next request.

    Signals
    -------
    answered
        The ``Effect`` of the step.
    failed
        Why there is no effect, in words; empty if the request was cancelled.
    """

    answered = Signal(object)
    failed = Signal(str)

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(parent)
        self._context = context
        self._prepared: tuple[bytes, Prepared] | None = None
        self._asked: tuple[bytes, StepSection] | None = None
        self._wait = timer(self, _AFTER_LAST_KEY_MS, self._start)

    def ask(self, step: StepSection) -> None:
        """Request the effect of a step, unless it was the last one requested."""
        asked = (self._context.session.basis(), step)
        if asked != self._asked:
            self._asked = asked
            self._wait.start()

    def forget(self) -> None:
        """Forget the last request, so that the same step can be requested again."""
        self._asked = None

    def clear(self) -> None:
        """Cancel the waiting request, and discard the prepared table."""
        self._wait.stop()
        self._asked, self._prepared = None, None

    def stop_waiting(self) -> bool:
        """Cancel a request that has not started yet; return whether there was one."""
        waiting = self._wait.isActive()
        if waiting:
            self._wait.stop()
            self._asked = None
        return waiting

    def prepared(self, basis: bytes) -> Prepared | None:
        """Return the table before the first step for the decisions ``basis``, None if it was not prepared yet."""
        if self._prepared is not None and self._prepared[0] == basis:
            return self._prepared[1]
        assessment = self._context.session.assessment
        return assessment.prepared if assessment is not None and assessment.basis == basis else None

    def _start(self) -> None:
        """Compute the effect of the requested step in the background."""
        session = self._context.session
        if self._asked is None or session.reading is None or session.decisions.path is None:
            return
        self._context.runner.start(_JOB, self._work(*self._asked), self._on_done)

    def _work(self, basis: bytes, step: StepSection) -> Callable[[], Effect]:
        """Return the work that computes the effect of a step."""
        decisions, reading = self._context.session.decisions, self._context.session.reading
        path = decisions.path
        assert path is not None
        assert reading is not None
        prepared = self.prepared(basis)

        def work() -> Effect:
            return foresee(path, reading, decisions.recipe, basis, prepared, step)

        return work

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Report the effect of a step, or why it failed; answers to former questions are only kept as preparation."""
        if not outcome.ok:
            self.failed.emit("" if outcome.cancelled else outcome.words)
            if outcome.cancelled:
                self._asked = None
            return
        effect: Effect = outcome.result
        self._prepared = (effect.basis, effect.prepared)
        if self._asked is not None and self._asked[0] == effect.basis:
            self.answered.emit(effect)
