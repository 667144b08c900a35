"""The legend of step curves: a piece of each line with its name."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF
from PySide6.QtGui import QPainter

from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.ui.charts.legend import Legend
from ppdm_desktop.ui.charts.plot import curve_pen
from ppdm_desktop.ui.look.theme import theme

_WIDE = 26


def curve_legend(scene: Scene) -> Legend:
    """Return the legend of the lines of a scene."""

    def paint_piece(painter: QPainter, place: int, at: QPointF) -> None:
        painter.setPen(curve_pen(scene.series[place].role))
        painter.drawLine(QLineF(at.x(), at.y(), at.x() + theme().px(_WIDE), at.y()))

    return Legend([each.name for each in scene.series], paint_piece, _WIDE)
