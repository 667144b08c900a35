"""Tooltips as plain text, whatever a file contains.

Qt treats a tooltip that looks like HTML as HTML and loads its pictures; on Windows even from another computer, to which
it logs the user in. The style sheet forbids that, but on Windows a tooltip gets the style sheet of its window too late.
"""

from __future__ import annotations

from PySide6.QtGui import Qt

_NOTHING = "\u2060"
"""A character without width with which no HTML element's name begins."""


def plain_tip(text: str) -> str:
    """Return a text that looks the same in a tooltip and is never taken for HTML.

    If Qt would take the text for HTML ("<b>"), an invisible sign is added after each "<" and "&"; else it is unchanged.
    """
    if not Qt.mightBeRichText(text):
        return text
    return text.replace("<", f"<{_NOTHING}").replace("&", f"&{_NOTHING}")
