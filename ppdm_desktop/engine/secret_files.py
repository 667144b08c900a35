"""Files that hold 64 hexadecimal digits of a key or of a recipient's secret."""

from __future__ import annotations

import os
from pathlib import Path

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import SECRET, read_file
from ppdm_desktop.engine.files.saving import sync_folder
from ppdm_desktop.engine.randomness import RecipientSecret
from ppdm_desktop.engine.wording.values import Reason

_PRIVATE = 0o600


def read_digits(path: Path, kind: str) -> str:
    """Return what a small file holds.

    Parameters
    ----------
    path
        The file.
    kind
        ``key`` or ``recipient``: whose sentences say what is wrong.

    Raises
    ------
    InputError
        When it cannot be read, or is too large to hold a key.
    """
    try:
        return read_file(path, SECRET).decode("ascii", "replace")
    except InputError as error:
        if error.id == "error.read.too-large":
            raise InputError(f"error.{kind}.malformed", file=str(path)) from error
        raise
    except OSError as error:
        reason = Reason.of(error)
        raise InputError(f"error.{kind}.unreadable", file=str(path), args={"reason": reason}) from error


def read_recipient_secret(path: Path) -> RecipientSecret:
    """Read a recipient's secret.

    Raises
    ------
    InputError
        When the file cannot be read, holds no secret, or one that nobody drew.
    """
    return RecipientSecret.from_hex(read_digits(path, "recipient"), file=str(path))


def new_recipient_secret(path: Path) -> RecipientSecret:
    """Draw a secret from the operating system and write it to a new file that only its owner may read.

    Raises
    ------
    InputError
        When there is such a file already, or it cannot be written; nothing is left behind then.
    """
    secret = RecipientSecret.fresh()
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, _PRIVATE)
    except FileExistsError as error:
        raise InputError("error.recipient.exists", file=str(path)) from error
    except OSError as error:
        raise _unwritable(path, error) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret.hex().encode("ascii") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except OSError as error:
        path.unlink(missing_ok=True)  # half a secret is none
        raise _unwritable(path, error) from error
    return secret


def _unwritable(path: Path, error: OSError) -> InputError:
    return InputError("error.recipient.unwritable", file=str(path), args={"reason": Reason.of(error)})
