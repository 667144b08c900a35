"""One process at a time: a lock of the operating system's own beside a file.

The system gives a lock up with the process that holds it, however that ends, so that none is ever
left behind. What may be left behind is the empty file that carried it; the next one takes it.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_AGAIN = 0.01
_HELD = (errno.EACCES, errno.EAGAIN, errno.EDEADLK)


@contextmanager
def locked(path: Path, seconds: float) -> Iterator[bool]:
    """Hold a lock while the block runs; gives False where the disk knows no locks.

    Parameters
    ----------
    path
        The file that carries the lock; its folder is there. It is removed afterwards.
    seconds
        How long to wait for another process that holds it.

    Raises
    ------
    TimeoutError
        When another process held it all the time.
    OSError
        When the file cannot be made.
    """
    until = time.monotonic() + seconds
    while True:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            held = _try(file)
            if held is None:
                yield False
                return
            # The last holder may have removed the file between its opening and its locking.
            if held and _is_still(path, file):
                try:
                    yield True
                finally:
                    _remove(path, file)
                return
        finally:
            with suppress(OSError):
                os.close(file)
        if time.monotonic() >= until:
            raise TimeoutError(errno.ETIMEDOUT, "another program is writing it")
        time.sleep(_AGAIN)


if sys.platform == "win32":
    import msvcrt

    def _try(file: int) -> bool | None:
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return False if error.errno in _HELD else None
        return True

    def _is_still(path: Path, file: int) -> bool:
        return True  # a file that somebody has open cannot be removed here

    def _remove(path: Path, file: int) -> None:
        os.close(file)
        with suppress(OSError):  # somebody waits for it, and removes it in turn
            path.unlink()

else:
    import fcntl

    def _try(file: int) -> bool | None:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return False if error.errno in _HELD else None
        return True

    def _is_still(path: Path, file: int) -> bool:
        try:
            return os.path.samestat(os.stat(path), os.fstat(file))
        except FileNotFoundError:
            return False

    def _remove(path: Path, file: int) -> None:
        with suppress(OSError):
            path.unlink()
