"""Tooltips that stay text, whatever stands in a file.

Qt takes a tooltip that looks like HTML for HTML, and then fetches what its pictures name: on Windows also from another
computer, to which it introduces the user. The style sheet forbids that; on Windows a tooltip knows its window too late.
"""

from __future__ import annotations

from PySide6.QtGui import Qt

_NOTHING = "\u2060"
"""Has no width, and no name of an element begins with it."""


def plain_tip(text: str) -> str:
    """Return a text as it is shown in a tooltip: the same to the eye, and HTML to nobody."""
    if not Qt.mightBeRichText(text):
        return text
    return text.replace("<", f"<{_NOTHING}").replace("&", f"&{_NOTHING}")
