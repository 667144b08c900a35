"""Start the window: application, theme, session, pages."""

from __future__ import annotations

import contextlib
import gc
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import NoReturn

from PySide6.QtCore import QProcess, QRect, QSize, QStandardPaths, Qt, QTimer
from PySide6.QtWidgets import QApplication

from ppdm_desktop import __version__
from ppdm_desktop.cli.crash_file import CrashFile, collect_crash_file
from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.files.private import PrivateFolder
from ppdm_desktop.engine.release.storage.ledger import FILE as LEDGER
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import install_accessibility
from ppdm_desktop.ui.look.clipboard import clear_copied
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context, Dialogs, show_notice
from ppdm_desktop.ui.pages.registry import build_pages, page_modules
from ppdm_desktop.ui.shell import start_check as smoke
from ppdm_desktop.ui.shell.language import switch_language
from ppdm_desktop.ui.shell.system_dialogs import SystemDialogs, redirect_dialog_state
from ppdm_desktop.ui.shell.unfinished import StartQuestions
from ppdm_desktop.ui.shell.window import MainWindow
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.state.settings import Settings, read_settings
from ppdm_desktop.ui.work.library_loading import Libraries
from ppdm_desktop.ui.work.qt_environment import ignore_plugin_variables
from ppdm_desktop.ui.work.tasks import TaskRunner

_SWITCH_SECONDS = 0.0001
_FRAME = 32
"""Height of the title bar above the window, in pixels at 100 % text size."""


def build_window(
    dialogs: Dialogs | None = None,
    settings: Settings | None = None,
    folder: Path | None = None,
    asked_language: str | None = None,
) -> MainWindow:
    """Return the main window with session, pages and a private folder; an application must exist already.

    Language, appearance and plug-ins are set by the settings. The private folder is removed with the window.

    Parameters
    ----------
    dialogs
        Dialogs to use; the system's dialogs for None.
    settings
        Settings to use; for None they are read from ``folder``.
    folder
        Folder of the settings; the system's usual folder for None.
    asked_language
        Code of the window's language; that of the settings for None.
    """
    config = QStandardPaths.StandardLocation.AppConfigLocation
    home = folder or Path(QStandardPaths.writableLocation(config))
    chosen = settings or read_settings(home)
    switch_language(asked_language or chosen.language)
    install_accessibility()
    theme().set_appearance(chosen.appearance)
    theme().set_scale(chosen.scale)
    if chosen.plugins:
        # Only here: who switched on none starts without what tests them. Before there is a page that lists methods.
        from ppdm_desktop.ui.shell.settings_dialog import switch_on

        switch_on(chosen.plugins)
    session = Session()
    runner = TaskRunner(file_number=lambda: session.file_number)
    private = PrivateFolder("desktop")
    context = Context(session, runner, dialogs or SystemDialogs(), private.path, home / LEDGER, private.remove)
    window = theme().make_window(lambda: MainWindow(context, build_pages(context), chosen, home))
    window.destroyed.connect(private.remove)
    runner.setParent(window)
    return window


def prefer_window(window: MainWindow) -> None:
    """Make the window respond quickly while background jobs run, and import libraries and pages in advance.

    It shortens Python's thread switching interval. Every call into Qt releases the interpreter lock, and a working
    thread returns it only after that interval, so a page that makes a hundred such calls waits a hundred times.
    """
    sys.setswitchinterval(_SWITCH_SECONDS)
    window.runner.collector.spare_window()
    Libraries(window.runner, window, (*page_modules(), _import_declarations))


def _import_declarations() -> None:
    """Import every method, attack and check, so that no page has to wait for these imports."""
    from ppdm_desktop.engine.methods.base.declaration import all_methods
    from ppdm_desktop.engine.release.attack_audit.base import all_attacks
    from ppdm_desktop.engine.release.gate.base import all_checks

    for declared in (all_methods, all_attacks, all_checks):
        declared()


def build_application() -> QApplication:
    """Return a new Qt application with the program's name, style and font.

    Environment variables by which Qt would load plug-ins and styles are removed before.
    """
    ignore_plugin_variables()
    app = QApplication(["ppdm-desktop"])
    app.setApplicationName("PPDM Desktop")
    app.setApplicationVersion(__version__)
    app.setStyle("Fusion")
    set_window_font(app)
    return app


def run_window(arguments: Sequence[str], asked_language: str | None = None) -> int:
    """Open the window, with the file named first in the arguments if any; return the exit code once it is closed.

    The program is started again if the user asked for it. If threads still run at the end, the process ends at once
    instead. If the environment variable of ``start_check`` is set, the window tests its start, and quits by itself.
    ``asked_language`` is the code of the window's language; None for that of its settings.
    """
    app = build_application()
    asked = Path(arguments[0]).absolute() if arguments else None
    window = build_window(SystemDialogs(None if asked is None else asked.parent), asked_language=asked_language)
    redirect_dialog_state(window.context.private_folder)
    first_start = not window.settings_folder.is_dir()
    crashed = collect_crash_file(window.settings_folder)
    crash_file = CrashFile(window.settings_folder)
    crash_file.begin()
    faults = Faults(window)
    sys.excepthook = faults.tell
    set_first_size(window, window.screen().availableGeometry(), window.settings.size)
    start = StartQuestions(window, crashed, first_start=first_start)
    if os.environ.get(smoke.VARIABLE):
        smoke.StartCheck(window, reads=bool(arguments))
    else:
        QTimer.singleShot(0, start.ask)
    window.show()
    if asked is not None:
        window.open_path(asked)
    prefer_window(window)
    code = app.exec()
    if window.restarts:
        QProcess.startDetached(*restart_command(window.session.project or window.session.decisions.path))
    gc.unfreeze()
    clear_copied()
    window.context.private_removed()
    crash_file.end()
    # The loop can be left without closing the window, as when the desk's session ends.
    if window.still_working or window.stop_work():
        leave_at_once(code)
    return code


def set_first_size(window: MainWindow, screen_area: QRect, last: tuple[int, ...] = ()) -> None:
    """Give the window its last or usual size; maximise it if this does not fit into the available screen area.

    ``last`` is the last (width, height) in pixels, empty for the usual size. The window is never smaller than its
    minimum size.
    """
    wanted, around = QSize(theme().px(1280), theme().px(800)), theme().px(_FRAME)
    if len(last) == 2:
        wanted = QSize(*last).expandedTo(window.minimumSize())
    if wanted.width() <= screen_area.width() and wanted.height() + around <= screen_area.height():
        window.resize(wanted)
        return
    least = window.minimumSize()
    window.resize(wanted.boundedTo(screen_area.size() - QSize(0, around)).expandedTo(least))
    window.move(screen_area.topLeft())
    window.setWindowState(Qt.WindowState.WindowMaximized)


def leave_at_once(code: int) -> NoReturn:
    """End the process with an exit code at once; Qt would abort while destroying threads that still run."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(code)


def restart_command(path: Path | None) -> tuple[str, list[str]]:
    """Return (program, arguments) that start this program again with a project or file; None opens none.

    The program is the bundled one, or Python with ``-m ppdm_desktop`` where it is not bundled.
    """
    opened = [] if path is None else [str(path)]
    if getattr(sys, "frozen", False):
        return sys.executable, opened
    return sys.executable, ["-m", "ppdm_desktop", *opened]


class Faults:
    """Reports unexpected exceptions to the user, by class and place, without cell values.

    The window stays open, so that decisions can still be saved.
    """

    def __init__(self, window: MainWindow) -> None:
        self._window = window
        self._reported: set[str] = set()

    def tell(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        """Report an exception on stderr and, once for each place in the code, in a dialog.

        Only its class and place are named; without a trace the place is "?". A KeyboardInterrupt closes the window
        instead.
        """
        if issubclass(kind, KeyboardInterrupt):
            self._window.close()
            return
        places = traceback.extract_tb(trace)
        where = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else "?"
        sys.stderr.write(f"error: {kind.__name__} at {where}\n")
        if where in self._reported:
            return
        self._reported.add(where)
        text = explain(PpdmError("error.work.unexpected", args={"kind": Term(f"{kind.__name__}, {where}")}))
        show_notice(self._window.context.dialogs, self._window, _("An unexpected error occurred"), text)


if __name__ == "__main__":
    sys.exit(run_window(sys.argv[1:]))
