"""Pictures of the screen inside a PDF: 256 colours each, compressed without loss.

Qt compresses pictures as photographs, which blurs letters and takes three times the space. So a placeholder of a unique
size is drawn for each picture, and replaced by the picture in the file that Qt wrote.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtGui import QImage

from ppdm_desktop.ui.pdf.continuing import continued, objects_of

Bytes = npt.NDArray[np.uint8]
COLOURS = 256
_LEAST = 3  # px of the narrowest stand-in: no other image in a document is so low and so narrow


@dataclass(frozen=True)
class Picture:
    """A picture and its placeholder.

    Attributes
    ----------
    image
        The picture.
    stand_in
        Placeholder, one pixel high, with a width no other has.
    """

    image: QImage
    stand_in: QImage


def pictures_of(images: Iterable[QImage]) -> list[Picture]:
    """Return each image with a small stand-in that is replaced by it in the finished PDF."""
    pictures = []
    for index, image in enumerate(images):
        stand_in = QImage(_LEAST + index, 1, QImage.Format.Format_RGB32)
        stand_in.fill(index)
        pictures.append(Picture(image, stand_in))
    return pictures


def with_pictures(data: bytes, pictures: Iterable[Picture]) -> bytes:
    """Return a PDF written by Qt with the placeholders replaced by the pictures.

    Raises
    ------
    ValueError
        When a placeholder is not in the file.
    """
    objects = objects_of(data)
    places = {
        (_field(body, b"Width"), _field(body, b"Height")): number
        for number, body in objects.items()
        if b"/Subtype /Image" in body[:400]
    }
    added = {}
    for picture in pictures:
        size = (picture.stand_in.width(), picture.stand_in.height())
        if size not in places:
            raise ValueError(f"no image of {size}")
        added[places[size]] = _packed(picture.image)
    return continued(data, added)


def _field(body: bytes, name: bytes) -> int:
    """Return the whole number of a named field in a PDF object."""
    return int(body.partition(b"/" + name + b" ")[2].split()[0])


def _packed(image: QImage) -> bytes:
    """Return an image as a PDF object: its most common colours, and for each pixel the nearest of them."""
    palette, pixels = reduced(image)
    raw = zlib.compress(pixels.tobytes(), 9)
    head = (
        f"<< /Type /XObject /Subtype /Image /Width {image.width()} /Height {image.height()} /BitsPerComponent 8 "
        f"/ColorSpace [/Indexed /DeviceRGB {len(palette) - 1} <{palette.tobytes().hex()}>] "
        f"/Filter /FlateDecode /Length {len(raw)} >>\nstream\n"
    )
    return head.encode("ascii") + raw + b"\nendstream"


def reduced(image: QImage) -> tuple[Bytes, Bytes]:
    """Return the commonest colours of a picture and the nearest of them for each pixel.

    Returns
    -------
    palette
        uint8, shape (colours, 3).
    pixels
        uint8, shape (height, width).
    """
    plain = image.convertToFormat(QImage.Format.Format_RGB888)
    lines = np.frombuffer(plain.constBits(), np.uint8).reshape(plain.height(), plain.bytesPerLine())
    pixels = lines[:, : 3 * plain.width()].reshape(-1, 3).astype(np.int32)
    codes = pixels @ np.array([65536, 256, 1], dtype=np.int32)
    colours, places, counts = np.unique(codes, return_inverse=True, return_counts=True)
    apart = np.stack([colours >> 16, colours >> 8 & 255, colours & 255], axis=1)
    palette = apart[np.argsort(-counts, kind="stable")[:COLOURS]]
    far = ((apart[:, None, :] - palette[None, :, :]) ** 2).sum(axis=2)
    nearest = far.argmin(axis=1).astype(np.uint8)
    return palette.astype(np.uint8), nearest[places.ravel()].reshape(plain.height(), plain.width())
