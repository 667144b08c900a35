"""What a person reads of a window, to find what is said outside the catalogue and what is cut off."""

from __future__ import annotations

import re
from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QComboBox,
    QGroupBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTableView,
    QTreeView,
    QWidget,
)

_LETTERS = re.compile(r"[^\W\d_]{2}")
_MESSAGE = re.compile(r"\[[^\[\]]*\]")
# A figure that stands alone, as the writer of numbers writes it: "6 of 16", "1 in 3".
_FIGURE = re.compile(r"\d[\d,.]* (?:of|in) \d[\d,.]*")
# The name of a file or folder of a release: the same in every language.
_FILE = re.compile(r"[\w-]+\.(?:csv|xlsx|html|pdf|toml|key|json)\b|[\w-]+/(?=\s|$)")
# The sign of a role or of a kind of values before a name: "T  Age".
_SIGN = re.compile(r"^\S\s{2,}")


def texts_of(widget: QWidget) -> Iterator[tuple[str, str]]:
    """Yield what a widget shows and says aloud, each with what it is."""
    if isinstance(widget, QLabel | QAbstractButton):
        yield "text", widget.text()
    if isinstance(widget, QLineEdit | QPlainTextEdit):
        yield "placeholder", widget.placeholderText()
    if isinstance(widget, QGroupBox):
        yield "title", widget.title()
    if isinstance(widget, QComboBox):
        for place in range(widget.count()):
            yield "choice", widget.itemText(place)
    if isinstance(widget, QTabBar):
        for place in range(widget.count()):
            yield "tab", widget.tabText(place)
    if isinstance(widget, QTableView | QTreeView) and (model := widget.model()) is not None:
        for orientation, number in (
            (Qt.Orientation.Horizontal, model.columnCount()),
            (Qt.Orientation.Vertical, min(model.rowCount(), 50)),
        ):
            for place in range(number):
                yield "heading", str(model.headerData(place, orientation) or "")
    yield "accessible name", widget.accessibleName()
    yield "accessible description", widget.accessibleDescription()
    yield "tool tip", widget.toolTip()


def plain(text: str) -> str:
    """Return a text without its marks of rich text and of short keys."""
    return re.sub(r"<[^>]*>", " ", text).replace("&", "").strip()


def without_messages(text: str) -> str:
    """Return what a text has beside messages in brackets, figures, signs and names of files."""
    left, before = text, ""
    while left != before:
        left, before = _MESSAGE.sub(" ", left), left
    return _SIGN.sub("", _FILE.sub(" ", _FIGURE.sub(" ", left)).strip()).strip(" .,:;·–\n")


def outside_the_catalogue(window: QWidget, data: set[str]) -> list[str]:
    """Return what a window in the pseudo-language says that comes from no catalogue.

    Parameters
    ----------
    data
        What is the owner's: names of columns and files, values of cells. Numbers and single letters are data, too.
    """
    found = []
    for widget in (window, *window.findChildren(QWidget)):
        if not widget.isVisible() or widget.objectName().startswith("qt_") or isinstance(widget.parent(), QTabBar):
            continue  # Qt's own parts, also the buttons that move a row of tabs
        for kind, text in texts_of(widget):
            words = plain(text)
            rest = without_messages(words)
            if words in data or rest in data or not _LETTERS.search(rest):
                continue
            found.append(f"{type(widget).__name__} {widget.objectName()} {kind}: {words[:120]} ({rest[:120]})")
    return found
