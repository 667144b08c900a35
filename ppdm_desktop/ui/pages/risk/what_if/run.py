"""Measures the risk with the ticked changes in the background, and makes these changes a wanted version."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, Signal

from ppdm_desktop.engine.identifiability.what_if import LEFT_OUT
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.risk.logic import assess_with_changes, list_quasi_columns
from ppdm_desktop.ui.pages.risk.what_if.card import WhatIfCard
from ppdm_desktop.ui.pages.risk.what_if.logic import version_steps
from ppdm_desktop.ui.state.session import Assessment
from ppdm_desktop.ui.work.tasks import TaskOutcome

WHAT_IF_JOB = "what-if"


class WhatIfRun(QObject):
    """Measures the risk with the changes that are ticked on the card.

    Signals
    -------
    changed
        There is another previewed assessment, or none.
    used
        The user wants a version with the ticked changes, which is one decision.
    """

    changed = Signal()
    used = Signal()

    def __init__(self, context: Context, card: WhatIfCard, parent: QObject) -> None:
        super().__init__(parent)
        self._context, self._card = context, card
        self._original: Assessment | None = None
        self.would_be: Assessment | None = None
        self._instead = ""
        card.changed.connect(self._on_changed)
        card.used.connect(self._on_used)

    def show_original(self, original: Assessment | None) -> None:
        """Forget the previewed change and stop measuring it, because another original (or none) is shown.

        ``changed`` is not sent. Nothing happens if ``original`` is the same object as before.
        """
        if original is self._original:
            return
        self._context.runner.cancel(WHAT_IF_JOB)
        self._original, self.would_be, self._instead = original, None, ""

    def show_effect(self) -> None:
        """Show the joint effect of the ticked changes below the list."""
        self._card.show_effect(self.would_be, self._instead, why_not=self._explain_refusal())

    def _explain_refusal(self) -> str:
        """Return why the ticked changes cannot be used now (the figures are out of date), "" if they can."""
        if self._original is None or self._context.session.is_stale(self._original.basis):
            return _("Out of date: decisions changed")
        return ""

    def _on_changed(self) -> None:
        """Measure the risk with the ticked changes in the background; nothing before the original's risk is measured.

        If nothing is ticked, the original is shown instead. It is shown, too, if all quasi-identifiers would be left
        out, with the reason why nothing is measured.
        """
        original, chosen = self._original, self._card.chosen()
        if original is None:
            return
        self._context.runner.cancel(WHAT_IF_JOB)
        self._instead = ""
        left = {change.column for change in chosen if change.way == LEFT_OUT}
        if not chosen or len(left) == len(list_quasi_columns(original)):
            if chosen:
                self._instead = _("Keep at least one of these columns. Without all of them, nothing can be measured.")
            self._set_changed_risk(None)
            return
        self._context.runner.start(WHAT_IF_JOB, partial(assess_with_changes, original, chosen), self._on_done)

    def _on_done(self, outcome: TaskOutcome) -> None:
        """Show the risk with the ticked changes that was measured.

        If measuring failed, the original and the reason are shown. After a cancellation the present figures stay; if
        changes are ticked, a text says that the measurement was stopped, unless another reason is shown already.
        """
        if outcome.ok:
            self._set_changed_risk(outcome.result)
        elif not outcome.cancelled:
            self._instead = outcome.message
            self._set_changed_risk(None)
        elif self._card.chosen() and not self._instead:
            # Stopped by hand: what is on the page is what was there before the last tick.
            self._instead = _("Stopped. Nothing of this run is kept.")
            self.show_effect()

    def _set_changed_risk(self, would_be: Assessment | None) -> None:
        """Store the risk with the ticked changes (None: none is previewed), and send ``changed`` if it is new.

        If it is the same object as before, only the text on the joint effect of the changes is shown again.
        """
        if would_be is self.would_be:
            self.show_effect()
            return
        self.would_be = would_be
        self.changed.emit()

    def _on_used(self) -> None:
        """Store the wish for a version with the ticked changes as a decision, untick them, and send ``used``.

        Nothing happens without a ticked change or if the figures are out of date.
        """
        chosen = self._card.chosen()
        if not chosen or self._explain_refusal():
            return
        session = self._context.session
        self._card.untick()
        session.decide(wanted=version_steps(chosen))
        self.used.emit()
