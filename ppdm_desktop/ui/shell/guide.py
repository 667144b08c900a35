"""The printable guide: which file it is, and showing it."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.samples.base import resource
from ppdm_desktop.engine.wording.catalogue import SOURCE, language, say
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.page import Dialogs


def guide_file(code: str) -> Path:
    """Return the guide in a language, in English where there is none."""
    folder = resource("").parent / "guide"
    found = folder / f"ppdm-desktop-{code}.pdf"
    return found if found.is_file() else folder / f"ppdm-desktop-{SOURCE}.pdf"


def open_guide(parent: QWidget, dialogs: Dialogs) -> None:
    """Show the guide in the system's program for PDF; where there is none, say where it lies."""
    path = guide_file(language())
    if not dialogs.open_document(path):
        dialogs.ask(
            parent,
            say("help", "The guide could not be opened"),
            say("help", "No program for PDF files was found. The guide is here: {file}", file=Term(str(path))),
            [("close", say("help", "Close"))],
            "close",
        )
