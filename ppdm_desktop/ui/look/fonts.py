"""The program's own fonts, so that window and documents look the same everywhere."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QByteArray, QHashSeed
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

FAMILY = "PPDM Sans"
"""Font family of window and documents; ``paper.css`` names the one for code."""
_FILES = ("PpdmSans-Regular.ttf", "PpdmSans-Bold.ttf", "PpdmSansMono-Regular.ttf")


@cache
def load_fonts() -> bool:
    """Load the program's fonts into Qt, once; return whether all of them could be loaded.

    They are DejaVu under another name, so that an installed copy cannot replace them. Also fixes Qt's hash seed, so
    that a PDF has its fonts in the same order each time. A Qt application must exist.
    """
    # Qt writes the fonts of a PDF in the order of a hash, which is another in each process unless it is said.
    QHashSeed.setDeterministicGlobalSeed()
    # The system's fonts first: of two fonts with one name Qt takes the later one, and ours may be installed too.
    QFontDatabase.families()
    folder = resources.files("ppdm_desktop.resources") / "fonts"
    # As bytes and not as paths: where the program is installed must not reach the order in a PDF either.
    font_ids = [QFontDatabase.addApplicationFontFromData(QByteArray((folder / name).read_bytes())) for name in _FILES]
    return -1 not in font_ids


def set_window_font(app: QApplication, points: float | None = None) -> None:
    """Use the program's font in all windows, in the system's usual size or in the size ``points``.

    Nothing changes if the font cannot be loaded.
    """
    if load_fonts():
        font = app.font()
        font.setFamilies([FAMILY])
        if points is not None:
            font.setPointSizeF(points)
        app.setFont(font)
