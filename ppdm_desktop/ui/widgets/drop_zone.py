"""A dashed area on which files can be dropped; it turns red if they are refused."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QFrame

from ppdm_desktop.ui.look.theme import restyle
from ppdm_desktop.ui.widgets.layout import vbox


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the paths of the local files and folders in a drag, in its order; web addresses are left out."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class DropZone(QFrame):
    """Area for dropping files; whoever receives the signal decides whether they are accepted.

    Signals
    -------
    dropped
        Emitted with the list of dropped paths.
    """

    dropped = Signal(list)

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setProperty("drop", "")
        self.setAcceptDrops(True)
        self.body = vbox(on=self, margins=(24, 24, 24, 24), gap=12)

    def set_state(self, state: str) -> None:
        """Draw the outline of the area.

        ``state`` is "" (as usual), "over" while files are dragged over it, or "refused" for files that were refused.
        """
        restyle(self, "drop", state)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept and highlight a drag that has files or other addresses; ignore any other drag."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self.set_state("over")

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the highlight when a drag leaves the area."""
        self.set_state("")

    def dropEvent(self, event: QDropEvent) -> None:
        """Remove the highlight and send ``dropped`` with the dropped paths.

        The list is empty if none is a local file.
        """
        self.set_state("")
        event.acceptProposedAction()
        self.dropped.emit(dropped_paths(event.mimeData()))
