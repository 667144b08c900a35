"""Private folders for the temporary files of one run; those of interrupted runs are found and removed later."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from ppdm_desktop.engine.files.saving import PRIVATE_FILE

_LOCK = ".ppdm-lock"
_OURS = re.compile(r"ppdm-(?:columns|desktop|self-test|writing)-[A-Za-z0-9_]+")


class PrivateFolder:
    """A folder of temporary files that only this user may enter, locked as long as it is in use.

    Parameters
    ----------
    purpose
        ``columns``, ``desktop``, ``self-test`` or ``writing``; it becomes part of the folder's name.
    """

    def __init__(self, purpose: str) -> None:
        """Make the folder in the system's temporary folder, store its path as ``path``, and lock a file in it.

        Where the file system knows no locks, the folder is not locked. OSError is raised where it cannot be made.
        """
        self.path = Path(tempfile.mkdtemp(prefix=f"ppdm-{purpose}-"))
        assert _OURS.fullmatch(self.path.name)
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
        self._lock = os.open(self.path / _LOCK, flags, 0o600)
        try_lock(self._lock)

    def remove(self) -> None:
        """Release the lock and delete the folder with its files; errors are ignored.

        On Windows, files that another program holds stay. `abandoned_folders` lists the folder then only if its lock
        file has stayed, too. Calling it again does no harm.
        """
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        shutil.rmtree(self.path, ignore_errors=True)


def write_private(path: Path, parts: Iterable[bytes]) -> None:
    """Write some bytes, given in parts, to a new file that only its owner may read.

    It is not flushed to the disk, since no later run reads it.

    Raises
    ------
    OSError
        When the file exists already, or cannot be written; in the latter case a part may remain.
    """
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags, PRIVATE_FILE)
    try:
        for part in parts:
            view = memoryview(part)
            while view:
                view = view[os.write(descriptor, view) :]
    finally:
        os.close(descriptor)


def read_private(path: Path, position: int, size: int) -> bytes:
    """Return ``size`` bytes of a private file, from the byte ``position`` on.

    Raises
    ------
    OSError
        When it does not exist, or is shorter.
    """
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0))
    try:
        os.lseek(descriptor, position, os.SEEK_SET)
        data = bytearray()
        while len(data) < size and (piece := os.read(descriptor, size - len(data))):
            data += piece
    finally:
        os.close(descriptor)
    if len(data) < size:
        raise OSError(errno.EIO, os.strerror(errno.EIO))
    return bytes(data)


def remove_private(path: Path) -> None:
    """Delete a private file; nothing happens where it does not exist or cannot be deleted."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def abandoned_folders() -> tuple[Path, ...]:
    """Return this user's private folders whose run ended without deleting them, sorted by name.

    They are looked for in the system's temporary folder; empty if that cannot be listed.
    """
    folder = Path(tempfile.gettempdir())
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ()
    return tuple(folder / name for name in names if _OURS.fullmatch(name) and _is_abandoned(folder / name))


def _is_abandoned(folder: Path) -> bool:
    """Return whether a path is this user's own folder with a lock file that no running program has locked.

    False where the lock file is missing, as in a folder that was just made, or cannot be opened, and where the file
    system knows no locks.
    """
    try:
        status = os.lstat(folder)
        if not stat.S_ISDIR(status.st_mode) or (hasattr(os, "getuid") and status.st_uid != os.getuid()):
            return False
        descriptor = os.open(folder / _LOCK, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        return try_lock(descriptor)
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool:
    """Lock an open file without waiting, and return whether this succeeded; the lock ends when it is closed.

    Returns
    -------
    bool
        False when the file is locked already through another descriptor, also one of this process, or when this file
        system knows no locks.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
