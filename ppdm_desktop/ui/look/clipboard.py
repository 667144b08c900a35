"""The clipboard: what the program puts there is taken back when it ends, and stays out of Windows' history of it."""

from __future__ import annotations

import hashlib
import sys

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication, QImage

_NOT_KEPT = (
    "ExcludeClipboardContentFromMonitorProcessing",
    "CanIncludeInClipboardHistory",
    "CanUploadToCloudClipboard",
)
"""Formats by which Windows keeps what is copied out of its history and its cloud."""


def copy_text(text: str) -> None:
    """Put a text on the clipboard."""
    data = QMimeData()
    data.setText(text)
    _put(data)


def copy_image(image: QImage) -> None:
    """Put a picture on the clipboard."""
    data = QMimeData()
    data.setImageData(image)
    _put(data)


def _put(data: QMimeData) -> None:
    if sys.platform == "win32":
        for name in _NOT_KEPT:
            data.setData(f'application/x-qt-windows-mime;value="{name}"', b"\0\0\0\0")
    clipboard = QGuiApplication.clipboard()
    clipboard.setMimeData(data)
    _Own.last = _fingerprint(clipboard.mimeData())


class _Own:
    """What this program put there last, by a fingerprint alone."""

    last = b""


def _fingerprint(data: QMimeData) -> bytes:
    image = data.imageData() if data.hasImage() else None
    pixels = bytes(image.constBits()) if isinstance(image, QImage) else b""
    return hashlib.sha256(data.text().encode("utf-8", "replace") + b"\0" + pixels).digest()


def clear_own() -> None:
    """Empty the clipboard where it still holds what this program put there."""
    clipboard = QGuiApplication.clipboard()
    data = clipboard.mimeData() if _Own.last else None
    if data is not None and _fingerprint(data) == _Own.last:
        clipboard.clear()
    _Own.last = b""
