"""Starting the window: application, theme, session, pages."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtWidgets import QApplication

from ppdm_desktop import __version__
from ppdm_desktop.ui.dialogs import SystemDialogs
from ppdm_desktop.ui.page import Context, Dialogs
from ppdm_desktop.ui.pages.all import build_pages
from ppdm_desktop.ui.session import Session
from ppdm_desktop.ui.settings import Settings, read_settings
from ppdm_desktop.ui.tasks import TaskRunner
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.window import MainWindow

_PLUGIN_VARIABLES = ("QT_PLUGIN_PATH", "QT_QPA_PLATFORM_PLUGIN_PATH", "QT_STYLE_OVERRIDE")


def build_window(
    dialogs: Dialogs | None = None, settings: Settings | None = None, folder: Path | None = None
) -> MainWindow:
    """Make the window in an application that exists already.

    Parameters
    ----------
    dialogs
        Where questions go; the system's dialogs when None.
    settings
        Looks and habits; read from ``folder`` when None.
    folder
        Where settings are kept; the system's place for them when None.
    """
    config = QStandardPaths.StandardLocation.AppConfigLocation
    home = folder or Path(QStandardPaths.writableLocation(config))
    chosen = settings or read_settings(home)
    theme().set_appearance(chosen.appearance)
    theme().set_scale(chosen.scale)
    session, runner = Session(), TaskRunner()
    private = Path(tempfile.mkdtemp(prefix="ppdm-desktop-"))
    context = Context(session, runner, dialogs or SystemDialogs(), private)
    window = MainWindow(context, build_pages(context), chosen, home)
    runner.setParent(window)
    return window


def run_window(arguments: Sequence[str]) -> int:
    """Open the window, on a file when one is named, and return the exit code."""
    for name in _PLUGIN_VARIABLES:
        os.environ.pop(name, None)
    app = QApplication(["ppdm-desktop"])
    app.setApplicationName("PPDM Desktop")
    app.setApplicationVersion(__version__)
    app.setStyle("Fusion")
    window = build_window()
    window.resize(theme().px(1280), theme().px(800))
    window.show()
    if arguments:
        window.open_path(Path(arguments[0]))
    code = app.exec()
    window.context.private_folder.rmdir()
    return code


if __name__ == "__main__":
    sys.exit(run_window(sys.argv[1:]))
