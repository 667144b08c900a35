"""The icons' drawings: as a file for the style sheet, and drawn with lines in a colour.

Widgets draw icons by ``theme().pixmap``; a chart draws them with lines rather than dots, so that
what is saved of it as SVG stays one of lines.
"""

from __future__ import annotations

from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable

from PySide6.QtCore import QByteArray, QRectF
from PySide6.QtGui import QPainter
from PySide6.QtSvg import QSvgRenderer


def _file(name: str) -> Traversable:
    return resources.files("ppdm_desktop.resources") / "icons" / f"{name}.svg"


@lru_cache(maxsize=128)
def _drawing(name: str) -> bytes:
    return _file(name).read_bytes()


def icon_url(name: str) -> str:
    """Return an icon's file as a style sheet names it."""
    return f'url("{str(_file(name)).replace(chr(92), "/")}")'


def paint_icon(painter: QPainter, name: str, colour: str, box: QRectF) -> None:
    """Draw an icon in a colour, such as ``#1a2b3c``, into a box."""
    drawing = _drawing(name).replace(b"currentColor", colour.encode())
    QSvgRenderer(QByteArray(drawing)).render(painter, box)
