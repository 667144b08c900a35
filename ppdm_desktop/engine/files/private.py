"""Folders for one run of the program alone, which are found again when the run was cut short."""

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
    """A folder in the system's place for such things that only this user may enter; it is known to be in use.

    Parameters
    ----------
    purpose
        ``columns``, ``desktop``, ``self-test`` or ``writing``; stands in its name.
    """

    def __init__(self, purpose: str) -> None:
        self.path = Path(tempfile.mkdtemp(prefix=f"ppdm-{purpose}-"))
        assert _OURS.fullmatch(self.path.name)
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_CLOEXEC", 0)
        self._lock = os.open(self.path / _LOCK, flags, 0o600)
        try_lock(self._lock)

    def remove(self) -> None:
        """Remove it with all that is in it; what another program holds stays and is found at the next start."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1
        shutil.rmtree(self.path, ignore_errors=True)


def write_private(path: Path, parts: Iterable[bytes]) -> None:
    """Write a new file of a private folder, for its owner alone; it is not flushed, for no later run reads it.

    Raises
    ------
    OSError
        When it is there, or the disk does not take it.
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
    """Return a piece of a file of a private folder.

    Raises
    ------
    OSError
        When it is not there, or shorter.
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
    """Remove a file of a private folder, which may have gone with it."""
    with contextlib.suppress(OSError):
        os.unlink(path)


def abandoned_folders() -> tuple[Path, ...]:
    """Return the private folders of this user whose run has ended without removing them."""
    folder = Path(tempfile.gettempdir())
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return ()
    return tuple(folder / name for name in names if _OURS.fullmatch(name) and _is_abandoned(folder / name))


def _is_abandoned(folder: Path) -> bool:
    """Say whether a folder is this user's own and nobody works in it; one without a lock has only just begun."""
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
    """Take a lock on an open file without waiting; it goes when the process ends, however it ends.

    Returns
    -------
    bool
        False when another process holds it, or when this file system knows no locks.
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
