"""Base of the widgets that draw a scene and are read mark by mark."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt, Signal

from ppdm_desktop.engine.report.scene.model import Row, Scene
from ppdm_desktop.ui.look.spoken import as_chart
from ppdm_desktop.ui.widgets.layout import Panel

MOVES = {Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Down: (0, -1), Qt.Key.Key_Up: (0, 1)}
"""Steps (right, up) of the arrow keys."""


class SceneView(Panel):
    """A widget that draws a scene, with the row that keys or pointer point at.

    Parameters
    ----------
    name, label
        Object name, and the accessible name while no row is pointed at.

    Signals
    -------
    opened
        Key of the row that was opened.
    """

    spoken = as_chart

    opened = Signal(str)

    def __init__(self, *, name: str, label: str) -> None:
        super().__init__(name=name, label=label)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.scene: Scene | None = None
        self.current: int | None = None

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The scene as a tuple, for a picture."""
        return () if self.scene is None else (self.scene,)

    @property
    def pointed(self) -> Row | None:
        """The row pointed at, None without one."""
        return None if self.scene is None or self.current is None else self.scene.rows[self.current]


def neighbour(rows: Sequence[Row], placed: Iterable[int], now: int, across: int, up: int) -> int:
    """Return the index of the nearest row in a direction on the same line, else ``now``.

    Parameters
    ----------
    placed
        Indices of the rows to choose from.
    now
        Index of the present row.
    across, up
        Direction: -1, 0 or 1.
    """
    x, y = rows[now].at or (0.0, 0.0)
    best, least = now, float("inf")
    for rect in placed:
        other_x, other_y = rows[rect].at or (0.0, 0.0)
        same, ahead = (y == other_y, (other_x - x) * across) if across else (x == other_x, (other_y - y) * up)
        if same and 0 < ahead < least:
            best, least = rect, ahead
    return best
