"""Saving the project: asking where, and saying why it could not be saved."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.project import PROJECT_SUFFIX
from ppdm_desktop.ui.state.saved import Saved


def save_project(parent: QWidget, context: Context, saved: Saved, page: str) -> bool:
    """Save the project with the page in front, asking for a place the first time; say whether it was saved."""
    session = context.session
    if session.reading is None or session.decisions.path is None:
        return False
    path = session.project
    if path is None:
        suggestion = session.decisions.path.with_suffix(PROJECT_SUFFIX)
        path = context.dialogs.save_file(parent, _("Save the project"), suggestion, _("Projects (*.ppdm)"))
    if path is None:
        return False
    try:
        saved.save(Path(path), page)
    except PpdmError as error:
        context.dialogs.ask(
            parent, _("The project was not saved"), explain(error, window=True), [("ok", _("Close"))], "ok"
        )
        return False
    return True
