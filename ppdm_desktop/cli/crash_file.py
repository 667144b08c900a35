"""What happens at a crash: no memory dump, but a file with the stack trace, which contains no values."""

from __future__ import annotations

import contextlib
import faulthandler
import os
import re
import sys
from pathlib import Path
from typing import IO

from ppdm_desktop.engine.files.private import try_lock
from ppdm_desktop.engine.files.saving import PRIVATE_FILE, make_private_folder

LAST = "last-crash.txt"
"""What the newest of them is called once its crash was reported."""
_SESSION = re.compile(r"session-\d+\.txt")
_NO_HEAP = 1
"""``WER_FAULT_REPORTING_FLAG_NOHEAP`` of Windows."""


def prevent_core_dumps() -> None:
    """Prevent memory dumps of this process at a crash, which would contain the data and the key.

    On Windows only the heap, which holds them, is kept out of crash reports. Nothing happens if the system refuses.
    """
    if sys.platform == "win32":
        import ctypes

        with contextlib.suppress(OSError, AttributeError):
            ctypes.windll.kernel32.WerSetFlags(_NO_HEAP)
        return
    import resource

    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


class CrashFile:
    """The file that receives Python's traceback if the program crashes: functions and lines, never a value.

    Parameters
    ----------
    folder
        Folder of the program's own files.
    """

    def __init__(self, folder: Path) -> None:
        """Choose the path of the file, which has the process number; nothing is written yet."""
        self.path = folder / f"session-{os.getpid()}.txt"
        self._file: IO[bytes] | None = None

    def begin(self) -> None:
        """Open and lock the file for this run, and let Python write its traceback into it at a crash.

        Nothing happens if the file cannot be opened.
        """
        with contextlib.suppress(OSError):
            make_private_folder(self.path.parent)
            flags = os.O_CREAT | os.O_TRUNC | os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
            descriptor = os.open(self.path, flags, PRIVATE_FILE)
            try_lock(descriptor)
            self._file = os.fdopen(descriptor, "wb")
            faulthandler.enable(self._file, all_threads=True)

    def end(self) -> None:
        """Delete the file at the regular end of a run; do nothing if it was never opened."""
        if self._file is None:
            return
        faulthandler.disable()
        self._file.close()
        self._file = None
        with contextlib.suppress(OSError):
            self.path.unlink()


def collect_crash_file(folder: Path) -> Path | None:
    """Return the crash file of the newest run that crashed, renamed to ``last-crash.txt``; None if no run crashed.

    An earlier ``last-crash.txt`` is replaced. Crash files of older ended runs are removed; those of running programs
    are left alone. None also if another program that starts now collects the file.
    """
    dead = [path for path in folder.glob("session-*.txt") if _SESSION.fullmatch(path.name) and _is_dead(path)]
    if not dead:
        return None
    # Another program that starts at the same moment may collect the files first.
    with contextlib.suppress(FileNotFoundError):
        dead.sort(key=lambda path: path.stat().st_mtime_ns)
        for older in dead[:-1]:
            older.unlink(missing_ok=True)
        os.replace(dead[-1], folder / LAST)
        return folder / LAST
    return None


def _is_dead(path: Path) -> bool:
    """Return whether no running program has locked a crash file; False if this cannot be found out.

    That is so where the file cannot be opened, or its file system knows no locks.
    """
    try:
        descriptor = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        return try_lock(descriptor)
    finally:
        os.close(descriptor)
