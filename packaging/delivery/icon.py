"""The program's icon for menus and folders, made from the drawing that the window uses."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtSvg import QSvgRenderer

from ppdm_desktop.ui.look.tokens import LIGHT

SIZES = (48, 256)
_SIDE = (164, 314)
"""Width and height of the picture beside the first and the last words of the installer for Windows."""
_OF_WINDOWS = (16, 24, 32, 48, 64, 256)


def coloured(drawing: str) -> str:
    """Return the drawing in the window's colour."""
    return drawing.replace("currentColor", LIGHT.accent)


def write_icons(source: Path, folder: Path) -> None:
    """Write the icon in the folders where Linux menus look for it, as a drawing and in several sizes."""
    drawing = coloured(source.read_text("utf-8"))
    scalable = folder / "scalable" / "apps"
    scalable.mkdir(parents=True)
    (scalable / "ppdm-desktop.svg").write_text(drawing, "utf-8", newline="\n")
    for size in SIZES:
        place = folder / f"{size}x{size}" / "apps"
        place.mkdir(parents=True)
        (place / "ppdm-desktop.png").write_bytes(picture(drawing, size))


def picture(drawing: str, size: int) -> bytes:
    """Return the drawing as a PNG."""
    image = QImage(size, size, QImage.Format.Format_ARGB32)
    image.fill(0)
    painter = QPainter(image)
    QSvgRenderer(QByteArray(drawing.encode())).render(painter)
    painter.end()
    return _saved(image, "PNG")


def side_picture(drawing: str) -> bytes:
    """Return the drawing on a pale ground as ``.bmp``, which the installer for Windows shows at its side."""
    width, height = _SIDE
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor(LIGHT.selection))
    painter = QPainter(image)
    size = width / 2
    QSvgRenderer(QByteArray(drawing.encode())).render(painter, QRectF(size / 2, size / 2, size, size))
    painter.end()
    return _saved(image, "BMP")


def windows_icon(drawing: str, sizes: Sequence[int] = _OF_WINDOWS) -> bytes:
    """Return the drawing as ``.ico``, which holds a PNG for each size."""
    pictures = [picture(drawing, size) for size in sizes]
    head, at = struct.pack("<HHH", 0, 1, len(sizes)), 6 + 16 * len(sizes)
    for size, data in zip(sizes, pictures, strict=True):
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(data), at)
        at += len(data)
    return head + b"".join(pictures)


def _saved(image: QImage, form: str) -> bytes:
    """Return an image as the bytes of a file in a format."""
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    image.save(buffer, form)  # type: ignore[call-overload]  # PySide6's stub knows only names of formats as bytes
    return bytes(buffer.data().data())
