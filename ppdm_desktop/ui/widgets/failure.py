"""A message on a failed job: what happened, the state of the disk, and what to do."""

from __future__ import annotations

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import place_words, render
from ppdm_desktop.ui.look.clipboard import copy_text
from ppdm_desktop.ui.widgets.basic import Strip
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.work.tasks import TaskOutcome


class FailureStrip(Strip):
    """Red message on why a job failed; it contains no cell values.

    Parameters
    ----------
    name
        Object name.
    disk
        Sentence on what is on disk after a failure of this page's work.
    """

    def __init__(self, *, name: str, disk: str = "") -> None:
        super().__init__("blocks", name=name)
        self._disk = disk or _("The original file is not changed, and nothing was written.")
        self._details = ""
        self._copy = Button(_("Copy details"), name=f"{name}_copy", link=True, clicked=self._on_copy)
        self._close = Button(_("Close"), name=f"{name}_close", link=True, clicked=self.clear)
        self.add_button(self._copy)
        self.add_button(self._close)

    def set_outcome(self, outcome: TaskOutcome) -> None:
        """Show why a job failed; hide the message if it succeeded or was cancelled."""
        if outcome.ok or outcome.cancelled:
            self.clear()
        elif outcome.error is not None:
            self.set_error(outcome.error)
        else:
            self._show(outcome.words, "", outcome.job)

    def set_error(self, error: PpdmError) -> None:
        """Show an error of the engine."""
        text = render(error.id, error.arguments)
        happened = "\n".join(filter(None, (place_words(error), text.sentence)))
        self._show(happened, text.window, error.log_line())

    def _show(self, happened: str, remedy: str, details: str) -> None:
        """Show what happened and what would help; details are only for copying."""
        self._details = details
        self.set("blocks", "\n".join(filter(None, (happened, self._disk, remedy))))

    def clear(self) -> None:
        """Hide the strip."""
        self.set("blocks", "")

    def _on_copy(self) -> None:
        """Copy the details of the failure."""
        copy_text(self._details)
