"""The system's own dialogs behind the ``Dialogs`` door; no file history is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget


class SystemDialogs:
    """Real dialogs; tests pass their own."""

    def open_file(self, parent: QWidget, title: str, filters: str) -> Path | None:
        """Ask for one existing file."""
        name, _ = QFileDialog.getOpenFileName(parent, title, "", filters)
        return Path(name) if name else None

    def save_file(self, parent: QWidget, title: str, suggestion: Path, filters: str) -> Path | None:
        """Ask where to save; the system asks before overwriting."""
        name, _ = QFileDialog.getSaveFileName(parent, title, str(suggestion), filters)
        return Path(name) if name else None

    def folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        """Ask for a folder."""
        name = QFileDialog.getExistingDirectory(parent, title, str(start))
        return Path(name) if name else None

    def ask(self, parent: QWidget, question: str, text: str, buttons: Sequence[tuple[str, str]], default: str) -> str:
        """Ask a question in plain text; Escape is the default answer."""
        box = QMessageBox(parent)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setWindowTitle(question)
        box.setText(question)
        box.setInformativeText(text)
        keys = {}
        for key, words in buttons:
            role = QMessageBox.ButtonRole.AcceptRole if key == default else QMessageBox.ButtonRole.DestructiveRole
            button = box.addButton(words, role)
            keys[button] = key
            if key == default:
                box.setDefaultButton(button)
                box.setEscapeButton(button)
        box.exec()
        clicked = box.clickedButton()
        return next((key for button, key in keys.items() if button is clicked), default)

    def open_folder(self, path: Path) -> bool:
        """Show a folder in the file manager; say whether the system knows one."""
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))

    def open_document(self, path: Path) -> bool:
        """Show a document in its program; say whether the system knows one."""
        return QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))
