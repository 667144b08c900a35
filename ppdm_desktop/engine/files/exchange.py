"""Exchanging two files or folders in one step, where the operating system can do this."""

from __future__ import annotations

import ctypes
import errno
import os
import sys
from pathlib import Path

_HERE = -100
"""What Linux calls the working folder (``AT_FDCWD``)."""
_SWAP = 2
"""``RENAME_EXCHANGE`` of Linux, ``RENAME_SWAP`` of macOS."""
_UNKNOWN = frozenset(
    getattr(errno, name) for name in ("ENOSYS", "EINVAL", "ENOTSUP", "EOPNOTSUPP", "EPERM") if hasattr(errno, name)
)


def exchange(path: Path, other_path: Path) -> bool:
    """Exchange two existing files or folders atomically, and return whether this was possible.

    Returns
    -------
    bool
        False where this system or this disk has no such call or does not permit it; nothing was done then.

    Raises
    ------
    OSError
        When the system refuses for another reason, for example because one of both does not exist, or they are on
        different disks.
    """
    number = _exchange_paths(os.fsencode(path), os.fsencode(other_path))
    if number is None or number in _UNKNOWN:
        return False
    if number:
        raise OSError(number, os.strerror(number), str(other_path))
    return True


def _exchange_paths(first_path: bytes, second_path: bytes) -> int | None:
    """Exchange two paths by the system's call, and return the system's error number, which is 0 for success.

    None where this system or its library has no such call.
    """
    try:
        library = ctypes.CDLL(None, use_errno=True)
        if sys.platform.startswith("linux"):
            failed = library.renameat2(_HERE, first_path, _HERE, second_path, ctypes.c_uint(_SWAP))
        elif sys.platform == "darwin":
            failed = library.renamex_np(first_path, second_path, ctypes.c_uint(_SWAP))
        else:
            return None
    except (OSError, TypeError, AttributeError):
        return None
    return ctypes.get_errno() if failed else 0
