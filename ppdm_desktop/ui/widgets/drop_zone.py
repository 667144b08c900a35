"""A dashed area on which a file can be dropped; red with a text if the file is refused."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QMimeData, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout

from ppdm_desktop.ui.look.theme import theme


def dropped_paths(data: QMimeData) -> list[Path]:
    """Return the paths of the local files in a drag."""
    return [Path(url.toLocalFile()) for url in data.urls() if url.isLocalFile()]


class DropZone(QFrame):
    """Area for dropping files; whoever receives the signal decides whether they are accepted.

    Signals
    -------
    dropped
        List of paths.
    """

    dropped = Signal(list)

    def __init__(self, *, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAcceptDrops(True)
        self._over = self.refused = False
        self.body = QVBoxLayout(self)
        margin = theme().px(24)
        self.body.setContentsMargins(margin, margin, margin, margin)
        theme().gap(self.body, 12)
        theme().changed.connect(self.update)

    def set_refused(self, refused: bool) -> None:
        """Draw the outline in red, or as usual."""
        self.refused = refused
        self.update()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Highlight the area if files are dragged over it."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()
            self._over = True
            self.update()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Remove the highlight."""
        self._over = False
        self.update()

    def dropEvent(self, event: QDropEvent) -> None:
        """Send the dropped paths."""
        self._over = False
        self.update()
        event.acceptProposedAction()
        self.dropped.emit(dropped_paths(event.mimeData()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the background and the dashed outline."""
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        token = "blocks" if self.refused else "accent" if self._over else "control"
        pen = QPen(t.colour(token), 2.0 if self.refused or self._over else 1.2)
        pen.setStyle(Qt.PenStyle.DashLine)
        painter.setPen(pen)
        painter.setBrush(t.colour("selection" if self._over else "surface"))
        inset = pen.widthF()
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(inset, inset, -inset, -inset), t.px(8), t.px(8))
