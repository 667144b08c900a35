"""Questions at the start about earlier runs that were interrupted: restored releases, leftover files, a crash."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.page import show_notice
from ppdm_desktop.ui.shell.window import MainWindow

if TYPE_CHECKING:
    from ppdm_desktop.engine.release.storage.unfinished import Unfinished

_MOST_FILES = 8


class StartQuestions(QObject):
    """Asks once, when the window is shown, what to do with what interrupted runs left behind.

    Parameters
    ----------
    window
        The window in front of which the questions are shown.
    crashed
        File left by a run that crashed; None if there is none.
    first_start
        Whether this account starts the program for the first time; then leftover files belong to others and are not
        asked about.
    """

    def __init__(self, window: MainWindow, crashed: Path | None, *, first_start: bool = False) -> None:
        super().__init__(window)
        self._window, self._crashed, self._first_start = window, crashed, first_start

    @Slot()
    def ask(self) -> None:
        """Report what interrupted runs left, and ask whether to remove their files.

        A release whose replacement was interrupted is moved back to its folder, which is reported. Then follow the
        question on leftover files, not at the first start, and the report on a crash. Nothing is shown if there is
        nothing of the kind.
        """
        from ppdm_desktop.engine.release.storage.unfinished import find_unfinished, move_back_releases

        ledger = self._window.context.ledger
        for out in move_back_releases(ledger):
            self._show_message(
                _("An earlier release is back in its place"),
                _(
                    "The program ended while it replaced {folder}. The earlier release is complete there.",
                    folder=Term(str(out)),
                ),
            )
        leftovers = find_unfinished(ledger)
        if leftovers.paths and not self._first_start:
            self._offer_removal(leftovers, ledger)
        if self._crashed is not None:
            self._show_message(
                _("The program ended unexpectedly the last time"),
                _(
                    "A release that was not complete by then was not written. {file} says where it happened, without "
                    "values of your data. Include it when you report this.",
                    file=Term(str(self._crashed)),
                ),
            )

    def _offer_removal(self, unfinished: Unfinished, ledger: Path | None) -> None:
        """Ask whether to remove the files that interrupted runs left; at most eight of them are listed.

        If the user agrees, remove them, and name those that could not be removed.
        """
        from ppdm_desktop.engine.release.storage.unfinished import remove_unfinished

        paths = [str(path) for path in unfinished.paths]
        listed = "\n".join(paths[:_MOST_FILES] + (["…"] if len(paths) > _MOST_FILES else []))
        text = _(
            "The program ended before it could remove the files below. They may hold original data or a key. Finished "
            "releases are not among them."
        )
        answer = self._window.context.dialogs.ask(
            self._window,
            _("Remove what an interrupted run left behind?"),
            f"{text}\n\n{listed}",
            [("keep", _("Cancel")), ("remove", _("Remove the files"))],
            "keep",
        )
        if answer != "remove":
            return
        left = remove_unfinished(unfinished, ledger)
        if left:
            self._show_message(
                _("Some files could not be removed"),
                _(
                    "Close other programs that use them, then remove these files yourself: {files}",
                    files=Term(", ".join(map(str, left))),
                ),
            )

    def _show_message(self, title: str, text: str) -> None:
        """Show a message with a single button."""
        show_notice(self._window.context.dialogs, self._window, title, text)
