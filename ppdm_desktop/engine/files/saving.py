"""Saving a file completely or not at all, flushed to the disk, and making folders with the right permissions."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Callable
from pathlib import Path

from ppdm_desktop.engine import windows

PRIVATE_FILE, PRIVATE_FOLDER = 0o600, 0o700
_USUAL, _USUAL_FOLDER = 0o666, 0o777
_RETRIES, _PAUSE = 10, 0.25


def save_whole(path: Path, data: bytes, *, private: bool = True) -> None:
    """Replace the content of a file, or create it; after a crash it holds the old bytes or the new ones, never a part.

    Parameters
    ----------
    path
        The file; its folder must exist. A symbolic link is replaced itself, not the file that it leads to.
    data
        The new content.
    private
        Whether only its owner may read it; otherwise it gets the rights that new files usually have. Rights of the old
        file are not kept. Without effect on Windows.

    Raises
    ------
    OSError
        When it cannot be written; the file is unchanged then, and no temporary file is left. Only if flushing its
        folder to the disk fails, which comes last, is the new content there already.
    """
    # A name of this process's own: where the disk knows no locks, two do not mix their files.
    new_path = path.with_name(f"{path.name}.{os.getpid()}.new")
    flags = os.O_CREAT | os.O_TRUNC | os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(new_path, flags, PRIVATE_FILE if private else _USUAL)
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        replace_file(new_path, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(new_path)
        raise
    sync_folder(path.parent)


def replace_file(new: Path, path: Path) -> None:
    """Move one file to another's path, replacing it; on Windows wait up to 2.5 seconds for a program that holds it.

    Raises
    ------
    OSError
        When it is still held after that time, or the system refuses.
    """
    _retry_if_denied(lambda: os.replace(new, path))


def rename(old: Path, new: Path) -> None:
    """Rename a file or folder; on Windows wait up to 2.5 seconds for a program that holds it.

    Raises
    ------
    OSError
        When it is still held after that time, or the system refuses.
    """
    _retry_if_denied(lambda: os.rename(old, new))


def _retry_if_denied(work: Callable[[], None]) -> None:
    """Call ``work``; on Windows call it up to ten times within 2.5 seconds while access is denied.

    PermissionError is raised after the last try, and at once on other systems. Other errors are raised at once.
    """
    for attempt in range(_RETRIES):
        try:
            work()
        except PermissionError:
            if not windows.IS_HERE or attempt == _RETRIES - 1:
                raise
            time.sleep(_PAUSE)
        else:
            return


def sync_folder(path: Path) -> None:
    """Wait until a folder's list of files is written to the disk; on Windows nothing happens.

    OSError is raised where the folder cannot be opened or written.
    """
    if windows.IS_HERE:
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def make_folder(path: Path) -> None:
    """Make a folder for its owner alone; on Windows it inherits the rights of the folder above.

    Setting rights there would make some versions of Python lock everybody else out, the recipient included.

    Raises
    ------
    OSError
        When it cannot be made.
    """
    os.mkdir(path, _USUAL_FOLDER if windows.IS_HERE else PRIVATE_FOLDER)


def make_own_folder(path: Path) -> None:
    """Make a folder that only its owner may enter, also on Windows.

    Raises
    ------
    OSError
        When it cannot be made, for example because it exists already or the folder above it does not.
    """
    if windows.IS_HERE:
        windows.make_own_folder(path)
    else:
        os.mkdir(path, PRIVATE_FOLDER)


def make_private_folder(path: Path) -> None:
    """Make a folder that only its owner may enter, or restrict an existing one to its owner.

    Missing folders above it are made with the usual rights. An existing folder is left as it is on Windows, and where
    its rights cannot be changed. Raises FileExistsError where the path is a file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        make_own_folder(path)
        return
    if not path.is_dir():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    if not windows.IS_HERE:  # there it is as it was made
        with contextlib.suppress(OSError):  # a folder of another user is as it is
            path.chmod(PRIVATE_FOLDER)
