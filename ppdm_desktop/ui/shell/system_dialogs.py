"""File dialogs and questions of the system; no history of files is kept.

Qt stores visited folders for all programs made with it. Here they are stored in a folder of this run alone. Windows
adds files opened by its own dialog to the list of recent files, so Qt's dialog is used there, and Qt's settings are
restored afterwards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QSettings, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFontMetrics
from PySide6.QtWidgets import QFileDialog, QGridLayout, QMessageBox, QSpacerItem, QWidget
from shiboken6 import delete

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme

_OPTIONS = QFileDialog.Option.DontUseNativeDialog if os.name == "nt" else QFileDialog.Option(0)
_LEAST_WIDE, _MOST_WIDE = 400, 760
"""Least and largest width of a question in pixels at 100 % text size, because Qt would cut the window's title."""
_TITLE_MARGIN = 190
"""Width in pixels at 100 % text size of the icon and the three buttons beside a window's title."""
_DIALOG_WIDE, _DIALOG_HIGH = 760, 500
"""Size of Qt's own file dialog in pixels at 100 % text size."""
_SETTINGS = ("FileDialog/history", "FileDialog/lastVisited")


def redirect_dialog_state(folder: Path) -> None:
    """Let Qt store the state of its dialogs, such as visited folders, in ``folder``.

    The folder is not deleted here. Without effect on Windows, where the state is in the registry (see
    `_restore_qt_settings`).
    """
    QSettings.setPath(QSettings.Format.NativeFormat, QSettings.Scope.UserScope, str(folder))


@contextmanager
def _restore_qt_settings() -> Iterator[None]:
    """Restore, at the end of the block, what Qt's file dialog remembered before the block; only on Windows.

    Elsewhere these settings are files that ``redirect_dialog_state`` keeps in another folder.
    """
    if os.name != "nt":
        yield
        return
    before = {key: QSettings(QSettings.Scope.UserScope, "QtProject").value(key) for key in _SETTINGS}
    try:
        yield
    finally:
        settings = QSettings(QSettings.Scope.UserScope, "QtProject")
        for key, value in before.items():
            if value is None:
                settings.remove(key)
            else:
                settings.setValue(key, value)


def _file_dialog(parent: QWidget, title: str, folder: str, patterns: str = "") -> QFileDialog:
    """Return a file dialog that begins in a folder and whose size follows the text size.

    ``patterns`` are those of the files to offer, such as "*.csv *.xlsx"; "" offers all.
    """
    filters = _("Files ({patterns});;All files (*)", patterns=Term(patterns)) if patterns else ""
    dialog = QFileDialog(parent, title.removesuffix("…"), folder, filters)
    dialog.setOptions(_OPTIONS)
    dialog.resize(theme().px(_DIALOG_WIDE), theme().px(_DIALOG_HIGH))
    return dialog


def _ask_for_path(dialog: QFileDialog) -> Path | None:
    """Show a file dialog, delete it, and return the chosen path; None if it was cancelled."""
    with _restore_qt_settings():
        accepted = dialog.exec() == QFileDialog.DialogCode.Accepted
        chosen = dialog.selectedFiles()
        delete(dialog)  # here, because Qt writes its settings when the dialog is destroyed
    return Path(chosen[0]) if accepted else None


def question_width(question: str) -> int:
    """Return the width in pixels at which a question fits into a window's title: 400 to 760 at 100 % text size."""
    width = QFontMetrics(theme().font(semibold=True)).horizontalAdvance(question)
    return min(max(theme().px(_LEAST_WIDE), width + theme().px(_TITLE_MARGIN)), theme().px(_MOST_WIDE))


class SystemDialogs:
    """The real dialogs of the system; tests replace this class.

    Parameters
    ----------
    start
        Folder shown first; a restarted program passes the folder used before.
    """

    def __init__(self, start: Path | None = None) -> None:
        self._start = "" if start is None else str(start)

    def open_file(self, parent: QWidget, title: str, patterns: str) -> Path | None:
        """Ask for an existing file, beginning in the folder used last; return its path, None if cancelled."""
        dialog = _file_dialog(parent, title, self._start, patterns)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        path = _ask_for_path(dialog)
        if path is not None:
            self._start = str(path.parent)
        return path

    def save_file(self, parent: QWidget, title: str, suggestion: Path, patterns: str) -> Path | None:
        """Ask where to save a file, with a suggested path; return the chosen path, None if cancelled.

        A name without suffix gets the suggested one. The system asks before a file is replaced.
        """
        dialog = _file_dialog(parent, title, str(suggestion.parent), patterns)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suggestion.suffix.removeprefix("."))
        dialog.selectFile(str(suggestion))
        return _ask_for_path(dialog)

    def folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        """Ask for a folder, beginning at ``start``; return its path, None if cancelled.

        The folder used last for files stays as it was.
        """
        dialog = _file_dialog(parent, title, str(start))
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return _ask_for_path(dialog)

    def ask(self, parent: QWidget, question: str, text: str, buttons: Sequence[tuple[str, str]], default: str) -> str:
        """Ask a question and return the key of the pressed button; Escape and closing give ``default``.

        ``buttons`` are (key, label); that of ``default`` has the focus. ``text`` is the explanation below the question.
        """
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
        """Show a folder in the system's file manager; return whether there is a file manager."""
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def open_document(self, path: Path) -> bool:
        """Open a document in the system's program for it; return whether there is such a program."""
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
