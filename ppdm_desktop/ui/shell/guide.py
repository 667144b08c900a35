"""The printable guide: which file it is, and showing it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.samples.base import resource
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, language
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.page import Dialogs

FOLDER = resource("").parent / "guide"
"""Where the packaged program has its guides; not in a checkout, unless ``dev.py guide`` made one."""


def guide_file(code: str) -> Path | None:
    """Return the guide in a language, else the one in English; None where neither was made."""
    files = (FOLDER / f"ppdm-desktop-{name}.pdf" for name in (code, SOURCE))
    return next((file for file in files if file.is_file()), None)


def open_guide(parent: QWidget, dialogs: Dialogs) -> None:
    """Show the guide in the system's program for PDF files; where that cannot be done, say why."""
    path = guide_file(language())
    if path is not None and dialogs.open_document(path):
        return
    if path is None:
        why = _("This copy of the program has no guide to print. The packaged program includes one.")
    else:
        why = _("No program for PDF files was found. The guide is here: {file}", file=Term(str(path)))
    buttons = [("close", _("Close"))]
    dialogs.ask(parent, _("The guide could not be opened"), why, buttons, "close")
