"""A scene of labelled rows that is read row by row, with the keys or the pointer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy

from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.ui.charts.paint import RowsDrawing, around_rows, row_height
from ppdm_desktop.ui.charts.scene_view import SceneView
from ppdm_desktop.ui.look.spoken import in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip

_WIDE, _LEAST_WIDE, _GROWS = 300, 180, 34
_MOST_NAMED = 3
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)


class RowsView(SceneView):
    """Bars or marks, one row each. Up and Down go from row to row; Enter or a click opens one that has a key.

    Parameters
    ----------
    name, words
        Object name, and accessible name until a row is pointed at.
    opens
        What choosing a row does, in words; empty where it does nothing.
    grows
        Whether the rows become higher where there is room.
    """

    def __init__(self, *, name: str, words: str, opens: str = "", grows: bool = False) -> None:
        super().__init__(name=name, words=words)
        self._words, self._opens, self._grows = words, opens, grows
        fixed = QSizePolicy.Policy.Preferred if grows else QSizePolicy.Policy.Fixed
        self.setSizePolicy(QSizePolicy.Policy.Expanding, fixed)
        if opens:
            self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.setToolTip(plain_tip(opens))
        theme().changed.connect(self._on_theme_changed)

    def set_scene(self, scene: Scene) -> None:
        """Show another scene."""
        self._scene = scene
        if self._at is not None and self._at >= len(scene.rows):
            self._at = None
        said = [scene.rows[place].words for place in _telling(scene)]
        said += [rule.words for rule in scene.rules if rule.words]
        self.setAccessibleDescription(in_sentences([scene.title, "; ".join(said)]))
        self._describe()
        self._on_theme_changed()

    # --- size ---------------------------------------------------------------------------

    def _high(self, row: int) -> int:
        return max(len(self._scene.rows), 1) * row + around_rows(self._scene) if self._scene is not None else row

    def _row(self) -> int:
        assert self._scene is not None
        least = row_height(self._scene)
        if not self._grows:
            return least
        room = (self.height() - around_rows(self._scene)) // max(len(self._scene.rows), 1)
        return min(max(room, least), theme().px(_GROWS))

    def sizeHint(self) -> QSize:
        """Return the height of all rows and of what stands below them."""
        return QSize(theme().px(_WIDE), self._high(row_height(self._scene)) if self._scene is not None else 0)

    def minimumSizeHint(self) -> QSize:
        """Return the least width that still says something."""
        return QSize(theme().px(_LEAST_WIDE), self.sizeHint().height())

    def _on_theme_changed(self) -> None:
        if self._grows and self._scene is not None:
            self.setMaximumHeight(self._high(theme().px(_GROWS)))
        self.updateGeometry()
        self.update()

    def drawing(self) -> RowsDrawing | None:
        """Return the drawing at the present size; None while there is nothing to draw."""
        scene = self._scene
        return None if scene is None or not scene.rows else RowsDrawing(scene, self.width(), self._row())

    def row_rect(self, place: int) -> QRectF:
        """Return where a row is."""
        drawing = self.drawing()
        return QRectF() if drawing is None else drawing.row_rect(place)

    def held_words(self) -> list[str]:
        """Return everything that is written in the drawing now."""
        drawing = self.drawing()
        return [] if drawing is None else drawing.held_words()

    # --- drawing, keys and pointer ------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the scene, and the row that keys are at while this has the focus."""
        drawing = self.drawing()
        if drawing is not None:
            painter = QPainter(self)
            drawing.paint(painter, (self._at or 0) if self.hasFocus() else None)
            painter.end()

    def point_to(self, place: int | None) -> None:
        """Go to a row, and say it."""
        self._at = place
        self._describe()
        self.update()

    def _describe(self) -> None:
        row = self.pointed
        # The row first, so that it is heard at once.
        self.setAccessibleName(in_sentences([row.words if row is not None else "", self._words]))

    def _open(self, place: int) -> None:
        if self._scene is not None and self._scene.rows[place].key:
            self.opened.emit(self._scene.rows[place].key)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the row under the pointer."""
        drawing = self.drawing()
        place = None if drawing is None else drawing.row_at(event.position().y())
        if place is not None and event.button() == Qt.MouseButton.LeftButton:
            self.point_to(place)
            self._open(place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer, and what a click does."""
        drawing, scene = self.drawing(), self._scene
        place = None if drawing is None else drawing.row_at(event.position().y())
        said = scene.rows[place].words if scene is not None and place is not None else ""
        self.setToolTip(plain_tip(in_sentences([said, self._opens])))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from row to row, and open one."""
        rows, key = self._scene.rows if self._scene is not None else (), Qt.Key(event.key())
        last, now = len(rows) - 1, self._at
        places = {
            Qt.Key.Key_Up: 0 if now is None else max(now - 1, 0),
            Qt.Key.Key_Down: 0 if now is None else min(now + 1, last),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        if rows and key in places:
            self.point_to(places[key])
        elif rows and key in _ENTER and self._opens:
            self._open(now or 0)
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the row that keys are at."""
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say nothing any more."""
        super().focusOutEvent(event)
        self.point_to(None)

    def leaveEvent(self, event: QEvent) -> None:
        """Say only what a click does."""
        self.setToolTip(plain_tip(self._opens))


def _telling(scene: Scene) -> list[int]:
    """Return the rows that tell most: those that moved most where there is a before and after, else the largest.

    Where rows are judged, all of them.
    """
    if any(row.status for row in scene.rows):  # a judgement is never left out
        return list(range(len(scene.rows)))
    series = scene.bars
    apart = len(series) > 1 and not any(mark.stacked for mark in series)

    def weight(place: int) -> float:
        found = [mark.values[place] or 0.0 for mark in series]
        return abs(found[1] - found[0]) if apart else sum(found)

    return sorted(range(len(scene.rows)), key=lambda place: -weight(place))[:_MOST_NAMED]
