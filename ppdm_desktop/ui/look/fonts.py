"""The fonts that come with the program, so that window and documents look the same on every machine."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QByteArray, QHashSeed
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication

FAMILY = "PPDM Sans"
"""The family of window and documents; ``paper.css`` names the one for code."""
_FILES = ("PpdmSans-Regular.ttf", "PpdmSans-Bold.ttf", "PpdmSansMono-Regular.ttf")


@cache
def load_fonts() -> bool:
    """Make the program's fonts known to Qt, once; say whether they are.

    They are DejaVu under a name of their own: no font of the system can come before them, a copy of them that is
    installed there included. Needs an application.
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
    """Set the window in the program's font: in the system's usual size, or in ``points``."""
    if load_fonts():
        font = app.font()
        font.setFamilies([FAMILY])
        if points is not None:
            font.setPointSizeF(points)
        app.setFont(font)
