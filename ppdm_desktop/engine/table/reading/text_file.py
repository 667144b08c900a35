"""Reading a text file that is too large for memory: it is checked and hashed in one pass, then read in pieces."""

from __future__ import annotations

import codecs
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.table.reading.base import HEAD
from ppdm_desktop.engine.table.reading.source import open_source
from ppdm_desktop.engine.wording.values import Reason

_PIECE = 8 * 2**20
_WINDOW = 4 * 2**20
_UTF8 = frozenset({"utf-8", "utf-8-sig"})


class TextFile:
    """The UTF-8 text of a file, read from the disk where it is needed; it can be sliced and searched like bytes.

    Attributes
    ----------
    encoding
        The encoding as the account of the reading states it.
    sha256
        SHA-256 of the whole file.
    size
        Bytes of the whole file.
    """

    def __init__(self, handle: int, size: int, sha256: str, encoding: str, skipped: int) -> None:
        """Store the open file and what is known about it; bytes are read from ``handle`` only when they are asked for.

        ``skipped`` is the number of bytes of the byte order mark.
        """
        self.encoding = encoding
        self.sha256 = sha256
        self.size = size
        self._handle = handle
        self._skipped = skipped
        self._start = 0
        self._window = b""

    def __len__(self) -> int:
        """Return the number of bytes of the text, without a byte order mark."""
        return self.size - self._skipped

    def __getitem__(self, part: slice) -> bytes:
        """Return the bytes of a slice of the text.

        Positions count from 0 after a byte order mark; open or negative ends are as for bytes, a step is ignored.

        Raises
        ------
        InputError
            When the file became shorter.
        """
        start, stop, _ = part.indices(len(self))
        if start >= stop:
            return b""
        inside = start - self._start
        if inside >= 0 and stop <= self._start + len(self._window):
            return self._window[inside : stop - self._start]
        if stop - start >= _WINDOW:
            return self._read_bytes(start, stop)
        self._start, self._window = start, self._read_bytes(start, min(start + _WINDOW, len(self)))
        return self._window[: stop - start]

    def __contains__(self, sign: bytes) -> bool:
        """Return whether a byte occurs in the text."""
        return self.find(sign, 0, len(self)) >= 0

    def find(self, sign: bytes, start: int, end: int) -> int:
        """Return the first position of a single byte from ``start`` to before ``end``; -1 where it does not occur.

        Positions count from 0 at the beginning of the text, after a byte order mark.
        """
        assert len(sign) == 1
        while start < end:
            # What follows within the window is looked through before anything is read.
            ahead = self._start + len(self._window)
            stop = min(end, ahead if self._start <= start < ahead else start + _WINDOW)
            position = self[start:stop].find(sign)
            if position >= 0:
                return start + position
            start = stop
        return -1

    def rstripped(self, signs: bytes) -> int:
        r"""Return the end of the text, in bytes, after removing all of the bytes ``signs`` from its end.

        "a\n\n" without line feeds ends at 1. 0 if the text has no other bytes.
        """
        end = len(self)
        while end:
            start = max(0, end - _PIECE)
            kept = len(self._read_bytes(start, end).rstrip(signs))
            if kept:
                return start + kept
            end = start
        return 0

    def _read_bytes(self, start: int, stop: int) -> bytes:
        """Return the bytes from ``start`` to before ``stop``, counted from 0 after a byte order mark.

        Raises InputError when the file became shorter.
        """
        data = bytearray()
        os.lseek(self._handle, self._skipped + start, os.SEEK_SET)
        while len(data) < stop - start and (piece := os.read(self._handle, stop - start - len(data))):
            data += piece
        if len(data) < stop - start:
            raise InputError("error.read.changed")
        return bytes(data)


@contextmanager
def open_text(path: Path, wanted: str | None) -> Iterator[TextFile | None]:
    """Return a context that yields the text of a file, or None for a file that has to be read as a whole.

    That is a file that is not UTF-8, holds NUL bytes, or for which the recipe names another encoding. At its end the
    context closes the file, and checks whether it changed since.

    Parameters
    ----------
    path
        A regular file; it is opened read-only.
    wanted
        The encoding that the recipe names, or None.

    Raises
    ------
    InputError
        When it is not a regular file, cannot be read, or, where a text is yielded, changes before the context ends.
    """
    handle = open_source(path)
    try:
        before = os.fstat(handle)
        text_file = progress.part(0.0, 0.1).run(_open_if_utf8, handle, before.st_size, wanted)
        yield text_file
        after = os.fstat(handle)
        if text_file is not None and (after.st_size, after.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
            raise InputError("error.read.changed")
    except OSError as error:
        raise InputError("error.read.unreadable", args={"reason": Reason.of(error)}) from error
    finally:
        os.close(handle)


def _open_if_utf8(handle: int, size: int, wanted: str | None) -> TextFile | None:
    """Return the text of a file if all of it is UTF-8 without NUL bytes; None if not, or if it is to be read otherwise.

    ``handle`` is the open file, at its beginning, and ``size`` its number of bytes. ``wanted`` is the encoding that the
    recipe names, or None; any other than UTF-8 gives None. The text's ``encoding`` is ``wanted`` as it is written
    there, else "utf-8", or "utf-8-sig" with a byte order mark. Raises InputError when the file's size changes while it
    is read.
    """
    if wanted is not None and _find_standard_name(wanted) not in _UTF8:
        return None
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    digest = hashlib.sha256()
    done = skipped = 0
    while piece := os.read(handle, _PIECE if done else HEAD):
        progress.report(done / max(size, 1), "progress.read.rows")
        digest.update(piece)
        if not done and piece.startswith(codecs.BOM_UTF8):
            skipped = len(codecs.BOM_UTF8)
        done += len(piece)
        try:
            decoder.decode(piece)
        except UnicodeDecodeError:
            return None
        if b"\0" in piece:
            return None
    if decoder.getstate()[0]:
        return None
    if done != size:
        raise InputError("error.read.changed")
    encoding = wanted or ("utf-8-sig" if skipped else "utf-8")
    return TextFile(handle, size, digest.hexdigest(), encoding, skipped)


def _find_standard_name(encoding: str) -> str:
    """Return Python's standard name of an encoding ("UTF8" and "utf_8" give "utf-8"); "" for an unknown one."""
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return ""


Text = bytes | TextFile
"""What is cut into records: UTF-8 without NUL bytes, in memory or in a file."""
