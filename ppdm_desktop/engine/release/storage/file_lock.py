"""A lock of the operating system on a file, so that one process works at a time.

The system releases the lock when the process ends, however it ends, so that no lock is left behind. The empty file
may be left behind; the next process uses it.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ppdm_desktop.engine import windows

_AGAIN = 0.01
_LOCKED = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


# Elsewhere it goes while it is held, so that nobody holds a file that is there no more.
_REMOVED_WHEN_CLOSED = sys.platform == "win32"


def _remove_lock_file(path: Path) -> None:
    """Remove the lock file; nothing happens if the system does not allow it."""
    with suppress(OSError):  # another process has it open, and removes it in turn
        path.unlink()


@contextmanager
def hold_lock(path: Path, seconds: float) -> Iterator[bool]:
    """Hold a lock while the block runs; yield True, or False where the disk does not support locks.

    Parameters
    ----------
    path
        The file that carries the lock, in an existing folder. It is removed afterwards, unless the disk does not
        support locks.
    seconds
        How long to wait for another process, or another part of this one, that holds the lock; 0 to try once.

    Raises
    ------
    TimeoutError
        When the lock was held elsewhere all the time.
    OSError
        When the file cannot be made.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        except PermissionError:
            # Windows opens no file that its last holder is just removing.
            if not windows.IS_HERE or time.monotonic() >= until:
                raise
            time.sleep(_AGAIN)
            continue
        is_owner = False
        try:
            is_locked = _try_lock(file)
            if is_locked is None:
                yield False
                return
            # The last holder may have removed the file between its opening and its locking.
            is_owner = is_locked and _is_same_file(path, file)
            if is_owner:
                yield True
                return
        finally:
            if is_owner and not _REMOVED_WHEN_CLOSED:
                _remove_lock_file(path)
            os.close(file)
            if is_owner and _REMOVED_WHEN_CLOSED:
                _remove_lock_file(path)
        if time.monotonic() >= until:
            raise TimeoutError(errno.ETIMEDOUT, "another program is writing it")
        time.sleep(_AGAIN)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(file: int) -> bool | None:
        """Return whether the lock was taken, without waiting; here, on Windows, False for any failure."""
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:  # whatever its number: there it says "held" for every reason, and under Wine none at all
            return False
        return True

    def _is_same_file(path: Path, file: int) -> bool:
        """Return whether an open file is still the one at this path."""
        return True  # a file that is open elsewhere cannot be removed here

else:
    import fcntl

    def _try_lock(file: int) -> bool | None:
        """Return whether the lock was taken, without waiting: False where another process holds it.

        None where the disk does not support locks.
        """
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return False if error.errno in _LOCKED else None
        return True

    def _is_same_file(path: Path, file: int) -> bool:
        """Return whether an open file is still the one at this path; False if the path is gone."""
        try:
            return os.path.samestat(os.stat(path), os.fstat(file))
        except FileNotFoundError:
            return False
