"""Reads and writes files that contain a key or a recipient's secret as 64 hexadecimal digits."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import SECRET, read_file
from ppdm_desktop.engine.files.saving import sync_folder
from ppdm_desktop.engine.randomness import RecipientSecret
from ppdm_desktop.engine.wording.values import Reason

_PRIVATE = 0o600


@dataclass(frozen=True)
class SecretTexts:
    """The text ids of errors about a file with a key, or about one with a recipient's secret."""

    malformed: str
    unreadable: str


KEY_TEXTS = SecretTexts("error.key.malformed", "error.read.unreadable")
RECIPIENT_TEXTS = SecretTexts("error.recipient.malformed", "error.read.unreadable")


def read_digits(path: Path, texts: SecretTexts) -> str:
    """Return the text in a file with a secret, without checking that it is 64 hexadecimal digits.

    Blanks and line feeds around the digits are kept. Bytes that are not ASCII become replacement signs.

    Parameters
    ----------
    path
        The file to be read.
    texts
        Text ids of the errors: ``KEY_TEXTS`` for a key, ``RECIPIENT_TEXTS`` for a recipient's secret.

    Raises
    ------
    InputError
        When the file cannot be read, or has more than 4,096 bytes.
    """
    try:
        return read_file(path, SECRET).decode("ascii", "replace")
    except InputError as error:
        if error.id == "error.read.too-large":
            raise InputError(texts.malformed, file=str(path)) from error
        raise
    except OSError as error:
        reason = Reason.of(error)
        raise InputError(texts.unreadable, file=str(path), args={"reason": reason}) from error


def read_recipient_secret(path: Path) -> RecipientSecret:
    """Return the recipient's secret in a file.

    Raises
    ------
    InputError
        When the file cannot be read, has no secret, or has one that was not drawn at random.
    """
    return RecipientSecret.from_hex(read_digits(path, RECIPIENT_TEXTS), file=str(path))


def create_recipient_secret(path: Path) -> RecipientSecret:
    """Return a new random secret after writing it to a new file that only the file's owner may read.

    The file holds 64 hexadecimal digits and a line feed.

    Raises
    ------
    InputError
        When the file exists already, which is then left as it is, or cannot be written; no new file is left behind.
    """
    secret = RecipientSecret.fresh()
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        descriptor = os.open(path, flags, _PRIVATE)
    except FileExistsError as error:
        raise InputError("error.recipient.exists", file=str(path)) from error
    except OSError as error:
        raise _make_write_error(path, error) from error
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secret.hex().encode("ascii") + b"\n")
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except OSError as error:
        path.unlink(missing_ok=True)  # half a secret is none
        raise _make_write_error(path, error) from error
    return secret


def _make_write_error(path: Path, error: OSError) -> InputError:
    """Return the error to raise when the file with a recipient's secret cannot be written."""
    return InputError("error.output.not-written", file=str(path), args={"reason": Reason.of(error)})
