"""What every widget has that shows a scene and is read mark by mark."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.report.scene.model import Row, Scene
from ppdm_desktop.ui.look.spoken import as_chart


class SceneView(QWidget):
    """A scene with the row that keys or the pointer are at.

    Parameters
    ----------
    name, words
        Object name, and accessible name until a row is pointed at.

    Signals
    -------
    opened
        Key of the row that was chosen.
    """

    spoken = as_chart

    opened = Signal(str)

    def __init__(self, *, name: str, words: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._scene: Scene | None = None
        self._at: int | None = None

    @property
    def scene(self) -> Scene | None:
        """What is shown."""
        return self._scene

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """What a picture of it holds."""
        return () if self._scene is None else (self._scene,)

    @property
    def current(self) -> int | None:
        """Place of the row that keys or the pointer are at."""
        return self._at

    @property
    def pointed(self) -> Row | None:
        """The row itself."""
        return None if self._scene is None or self._at is None else self._scene.rows[self._at]
