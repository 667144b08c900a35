"""Whether the decisions are saved, also as text; no widget here."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.state.project import PROJECT_SUFFIX, write_project
from ppdm_desktop.ui.state.session import Session


def is_unsaved(session: Session) -> bool:
    """Return whether closing the window would lose decisions: some were made since the file was opened or last saved.

    False without a file, before the first decision, and on the guided tour.
    """
    if session.rehearses:
        return False
    return session.reading is not None and session.can_undo is not None and session.saved != session.decisions


class Saved:
    """Saves the decisions of a session as a project, and remembers when."""

    def __init__(self, session: Session, ledger: Path | None = None) -> None:
        self._session, self._ledger = session, ledger
        self._at: dict[Path, str] = {}

    def text(self) -> str:
        """Return the line below the project's name: "Not saved", "Saved", or "Saved at 14:05" if saved in this run.

        Empty before any decision that could be saved.
        """
        unsaved = is_unsaved(self._session)
        if unsaved or self._session.project is None:
            return _("Not saved") if unsaved else ""
        at = self._at.get(self._session.project)  # None of a project that was opened and not saved here
        return _("Saved") if at is None else _("Saved at {time}", time=Term(at))

    def save(self, path: Path, page: str) -> None:
        """Save the project at ``path`` with the name of the open page, and remember the time.

        The suffix of project files (.ppdm) is added if it is missing. Raise InputError if the file cannot be written.
        """
        session = self._session
        if path.suffix != PROJECT_SUFFIX:
            path = path.with_name(path.name + PROJECT_SUFFIX)
        write_project(path, session, page, self._ledger)
        session.project, session.saved = path, session.decisions
        self._at[path] = datetime.now().strftime("%H:%M")
