"""An icon drawn with lines rather than dots, so that a chart kept as SVG stays one of lines."""

from __future__ import annotations

from importlib import resources

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer

from ppdm_desktop.ui.look.theme import theme


def paint_icon(painter: QPainter, name: str, token: str, box: QRectF) -> None:
    """Draw an icon in a token's colour into a box."""
    drawing = (resources.files("ppdm_desktop.resources") / "icons" / f"{name}.svg").read_bytes()
    colour = theme().colour(token).name().encode()
    QSvgRenderer(QByteArray(drawing.replace(b"currentColor", colour))).render(painter, box)
