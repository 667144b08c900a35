"""What every widget has that shows a scene and is read mark by mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal

from ppdm_desktop.engine.report.scene.model import Row, Scene
from ppdm_desktop.ui.look.spoken import as_chart
from ppdm_desktop.ui.widgets.layout import Panel

MOVES = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Down: (0, -1), Qt.Key.Key_Up: (0, 1)}
"""Keys that go from one cell or mark to the next, and their steps to the right and upwards."""


class SceneView(Panel):
    """A scene with the row that keys or the pointer are at.

    Parameters
    ----------
    name, label
        Object name, and accessible name until a row is pointed at.

    Signals
    -------
    opened
        Key of the row that was chosen.
    """

    spoken = as_chart

    opened = Signal(str)

    def __init__(self, *, name: str, label: str) -> None:
        super().__init__(name=name, label=label)
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


def neighbour(rows: Sequence[Row], placed: Iterable[int], now: int, across: int, up: int) -> int:
    """Return the next cell in a direction: the nearest in the same line, else the one where keys are now."""
    x, y = rows[now].at or (0.0, 0.0)
    best, least = now, float("inf")
    for rect in placed:
        other_x, other_y = rows[rect].at or (0.0, 0.0)
        same, ahead = (y == other_y, (other_x - x) * across) if across else (x == other_x, (other_y - y) * up)
        if same and 0 < ahead < least:
            best, least = rect, ahead
    return best
