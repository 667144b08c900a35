"""The system's own dialogs behind the ``Dialogs`` door; no file history is kept.

Qt writes the folder that was last visited, and others before it, for all programs that are made with it. Here that
goes to a folder of this run alone. Windows adds what its own dialog opened to the list of recent files, so that
there Qt's dialog is used, and what Qt's settings said before is put back.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontMetrics
from PySide6.QtWidgets import QFileDialog, QGridLayout, QMessageBox, QSpacerItem, QWidget

from ppdm_desktop.ui.look.theme import theme

_OPTIONS = QFileDialog.Option.DontUseNativeDialog if os.name == "nt" else QFileDialog.Option(0)
_LEAST_WIDE, _MOST_WIDE = 400, 760
"""Pixels at 100 % of a question: Qt makes it so narrow that the window's title is cut."""
_BESIDE_TITLE = 190
"""Pixels at 100 % that the system takes beside a title: its icon and three buttons."""
_KEPT = ("FileDialog/history", "FileDialog/lastVisited")


def remember_nothing(folder: Path) -> None:
    """Let Qt store the state of its dialogs in a folder that is deleted at the end of this run."""
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(folder))


@contextmanager
def _as_before() -> Iterator[None]:
    """Put Qt's settings back as they were, where they are no files that could lie elsewhere."""
    if os.name != "nt":
        yield
        return
    before = {key: QSettings(QSettings.Scope.UserScope, "QtProject").value(key) for key in _KEPT}
    try:
        yield
    finally:
        settings = QSettings(QSettings.Scope.UserScope, "QtProject")
        for key, value in before.items():
            if value is None:
                settings.remove(key)
            else:
                settings.setValue(key, value)


def question_width(question: str) -> int:
    """Return how wide a question has to be at least, so that it can be read in the window's title as well."""
    width = QFontMetrics(theme().font(semibold=True)).horizontalAdvance(question)
    return min(max(theme().px(_LEAST_WIDE), width + theme().px(_BESIDE_TITLE)), theme().px(_MOST_WIDE))


class SystemDialogs:
    """Real dialogs; tests pass their own.

    Parameters
    ----------
    start
        The folder in which files are looked for first: a program that starts again goes on where it was.
    """

    def __init__(self, start: Path | None = None) -> None:
        self._start = "" if start is None else str(start)

    def open_file(self, parent: QWidget, title: str, filters: str) -> Path | None:
        """Ask for one existing file."""
        with _as_before():
            name, _ = QFileDialog.getOpenFileName(parent, title, self._start, filters, options=_OPTIONS)
        if name:
            self._start = str(Path(name).parent)
        return Path(name) if name else None

    def save_file(self, parent: QWidget, title: str, suggestion: Path, filters: str) -> Path | None:
        """Ask where to save; the system asks before overwriting."""
        with _as_before():
            name, _ = QFileDialog.getSaveFileName(parent, title, str(suggestion), filters, options=_OPTIONS)
        return Path(name) if name else None

    def folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        """Ask for a folder."""
        with _as_before():
            name = QFileDialog.getExistingDirectory(
                parent, title, str(start), QFileDialog.Option.ShowDirsOnly | _OPTIONS
            )
        return Path(name) if name else None

    def ask(self, parent: QWidget, question: str, text: str, buttons: Sequence[tuple[str, str]], default: str) -> str:
        """Ask a question in plain text; Escape is the default answer."""
        box = QMessageBox(parent)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(question)
        box.setText(question)
        box.setInformativeText(text)
        keys = {}
        for key, label in buttons:
            role = QMessageBox.ButtonRole.AcceptRole if key == default else QMessageBox.ButtonRole.DestructiveRole
            button = box.addButton(label, role)
            keys[button] = key
            if key == default:
                box.setDefaultButton(button)
                box.setEscapeButton(button)
        inside = box.layout()
        if isinstance(inside, QGridLayout):
            inside.addItem(QSpacerItem(question_width(question), 0), inside.rowCount(), 0, 1, inside.columnCount())
        box.exec()
        clicked = box.clickedButton()
        return next((key for button, key in keys.items() if button is clicked), default)

    def open_folder(self, path: Path) -> bool:
        """Show a folder in the file manager; say whether the system knows one."""
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def open_document(self, path: Path) -> bool:
        """Show a document in its program; say whether the system knows one."""
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
