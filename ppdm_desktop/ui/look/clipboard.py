"""The clipboard: what the program copied is cleared at its end, and kept out of the clipboard history of Windows."""

from __future__ import annotations

import hashlib
import sys

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage

_NOT_IN_HISTORY = (
    "ExcludeClipboardContentFromMonitorProcessing",
    "CanIncludeInClipboardHistory",
    "CanUploadToCloudClipboard",
)
"""Formats that tell Windows to keep a copy out of its clipboard history and cloud."""


def copy_text(text: str) -> None:
    """Copy a text to the clipboard, kept out of the clipboard history where the system allows it."""
    data = QMimeData()
    data.setText(text)
    _copy_to_clipboard(data)


def copy_image(image: QImage) -> None:
    """Copy an image to the clipboard, kept out of the clipboard history where the system allows it."""
    data = QMimeData()
    data.setImageData(image)
    _copy_to_clipboard(data)


def _copy_to_clipboard(data: QMimeData) -> None:
    """Copy data to the clipboard, outside the clipboard history of Windows, and remember its digest."""
    if sys.platform == "win32":
        for name in _NOT_IN_HISTORY:
            data.setData(f'application/x-qt-windows-mime;value="{name}"', b"\0\0\0\0")
    clipboard = QGuiApplication.clipboard()
    clipboard.setMimeData(data)
    _Copied.last = _compute_fingerprint(clipboard.mimeData())


class _Copied:
    """Digest of what this program copied last."""

    last = b""


def _compute_fingerprint(data: QMimeData) -> bytes:
    """Return the SHA-256 digest (32 bytes) of the text and the image's pixels in clipboard data."""
    image = data.imageData() if data.hasImage() else None
    pixels = bytes(image.constBits()) if isinstance(image, QImage) else b""
    return hashlib.sha256(data.text().encode("utf-8", "replace") + b"\0" + pixels).digest()


def clear_copied() -> None:
    """Clear the clipboard if it still holds what this program copied last; otherwise leave it alone."""
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData() if _Copied.last else None
    if data is not None and _compute_fingerprint(data) == _Copied.last:
        clipboard.clear()
    _Copied.last = b""
