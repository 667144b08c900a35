"""A Qt application for writing PDFs, started without a screen if no application exists."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from typing import Any

from ppdm_desktop.ui.work.qt_environment import ignore_plugin_variables

_application: Any = None
"""Reference that keeps the application alive, because Qt's fonts depend on it."""


def has_application() -> bool:
    """Return whether there is a Qt application that can draw; if there is none at all, one without a screen is started.

    False if the existing application cannot draw, if one would have to be started in another thread than the main one,
    and where Qt cannot start without a screen.

    Raises
    ------
    ImportError
        Where Qt or its system libraries are missing.
    """
    global _application
    from PySide6.QtCore import QCoreApplication, QLibraryInfo, qInstallMessageHandler
    from PySide6.QtGui import QGuiApplication
    from PySide6.QtWidgets import QApplication

    instance = QCoreApplication.instance()
    if instance is not None:
        return isinstance(instance, QGuiApplication)
    if threading.current_thread() is not threading.main_thread():
        return False
    ignore_plugin_variables()
    arguments = ["ppdm-desktop"]
    if sys.platform != "win32":  # there the fonts belong to the usual platform, which needs no desktop either
        # Qt ends the whole process where a platform is asked for that is not there.
        plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath))
        if not any((plugins / "platforms").glob("*qoffscreen*")):
            return False
        arguments += ["-platform", "offscreen"]
    # What Qt remarks about fonts and folders of a machine without a desktop is nothing to tell a person.
    before = qInstallMessageHandler(_ignore_message)
    # One with widgets: whatever opens a window in this process later can use it.
    _application = QApplication(arguments)
    qInstallMessageHandler(before)
    return True


def _ignore_message(kind: object, context: object, message: str) -> None:
    """Ignore a log message of Qt, so that nothing is printed while a PDF is drawn."""
