"""Opening source files: regular files only, read-only, read once, with the SHA-256 of the same bytes."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from ppdm_desktop.engine import progress, windows
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import Refused, check_path, open_regular
from ppdm_desktop.engine.wording.values import Reason

_PIECE = 8 * 2**20


def open_source(path: Path) -> int:
    """Return the descriptor of a regular file, opened for reading; the caller has to close it.

    Raises
    ------
    InputError
        When it is no regular file, or cannot be opened.
    """
    try:
        check_path(path)
        return open_regular(path)
    except Refused as refused:
        raise InputError(refused.id) from refused
    except FileNotFoundError as error:
        raise InputError("error.read.no-such-file") from error
    except (OSError, ValueError) as error:
        if isinstance(error, PermissionError) and windows.IS_HERE and windows.is_open_elsewhere(path):
            raise InputError("error.read.held") from error
        reason = Reason(getattr(error, "strerror", None) or type(error).__name__)
        raise InputError("error.read.unreadable", args={"reason": reason}) from error


def load(path: Path) -> tuple[bytes, str]:
    """Return the bytes of a regular file and their SHA-256 in hexadecimal digits; the file is read once.

    Raises
    ------
    InputError
        When it is not a regular file, cannot be read, or changes while it is read.
    """
    handle = open_source(path)
    try:
        before = os.fstat(handle)
        whole = bytearray(before.st_size)
        view = memoryview(whole)
        digest = hashlib.sha256()
        filled = 0
        while filled < len(whole):
            progress.report(filled / len(whole), "progress.read.rows")
            piece = os.read(handle, min(_PIECE, len(whole) - filled))
            if not piece:
                break
            view[filled : filled + len(piece)] = piece
            digest.update(piece)
            filled += len(piece)
        view.release()
        after = os.fstat(handle)
        if filled != len(whole) or os.read(handle, 1) or after.st_mtime_ns != before.st_mtime_ns:
            raise InputError("error.read.changed")
    except OSError as error:
        reason = Reason.of(error)
        raise InputError("error.read.unreadable", args={"reason": reason}) from error
    finally:
        os.close(handle)
    return bytes(whole), digest.hexdigest()


def hash_file(path: Path) -> str:
    """Return the SHA-256 of a regular file in hexadecimal digits, by which later changes can be noticed.

    Raises
    ------
    InputError
        When it is no longer a readable regular file.
    """
    digest = hashlib.sha256()
    try:
        handle = open_source(path)
    except InputError as error:
        error.file = str(path)
        raise
    try:
        while piece := os.read(handle, _PIECE):
            progress.check()
            digest.update(piece)
    except OSError as error:
        raise InputError("error.read.unreadable", file=str(path), args={"reason": Reason.of(error)}) from error
    finally:
        os.close(handle)
    return digest.hexdigest()
