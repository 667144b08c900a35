"""The file operations of the export, one call each, so that a test can make any of them fail."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from ppdm_desktop.engine.files import saving
from ppdm_desktop.engine.files.exchange import exchange

NEUTRAL_TIME = 946_684_800
"""Modification time of everything written: 1 January 2000, UTC."""


class Disk:
    """File operations that follow no links and overwrite nothing by accident."""

    def make_folder(self, path: Path) -> None:
        """Make a folder that only its owner may enter; on Windows it inherits the rights of its parent."""
        saving.make_folder(path)

    def make_own_folder(self, path: Path) -> None:
        """Make a folder that only its owner may enter, on every system that supports it."""
        saving.make_own_folder(path)

    def create(self, path: Path) -> int:
        """Create a file that only its owner may read and return its descriptor; raise FileExistsError if it exists."""
        flags = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
        return os.open(path, flags, saving.PRIVATE_FILE)

    def write(self, descriptor: int, data: bytes) -> None:
        """Write all bytes to an open file, in as many calls as the system needs; raise OSError where that fails."""
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]

    def sync(self, descriptor: int) -> None:
        """Wait until the bytes of an open file are on the disk."""
        os.fsync(descriptor)

    def close(self, descriptor: int) -> None:
        """Close a descriptor."""
        os.close(descriptor)

    def set_time(self, path: Path) -> None:
        """Give a file or folder the neutral modification time, 1 January 2000."""
        os.utime(path, (NEUTRAL_TIME, NEUTRAL_TIME))

    def read(self, path: Path) -> bytes:
        """Return a file's bytes."""
        return path.read_bytes()

    def sync_folder(self, path: Path) -> None:
        """Wait until a folder's entries are on the disk, where the system can do that."""
        saving.sync_folder(path)

    def rename(self, old: Path, new: Path) -> None:
        """Rename a file or folder; on Windows retry for a while if another program has it open."""
        saving.rename(old, new)

    def exchange(self, path: Path, second_path: Path) -> bool:
        """Exchange two folders in one call; return True, or False with nothing done where the system cannot."""
        return exchange(path, second_path)

    def remove_file(self, path: Path) -> None:
        """Remove a file or link; nothing happens if it is gone already."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(path)

    def remove_folder(self, path: Path) -> None:
        """Remove an empty folder; raise OSError where it is not empty."""
        os.rmdir(path)

    # --- made of the above -----------------------------------------------------------------

    def write_file(self, path: Path, data: bytes) -> None:
        """Create a file with these bytes, wait until they are on the disk, and set its time to 1 January 2000.

        Raises FileExistsError if there is one already, and any other OSError where that fails; a part of the file may
        remain then.
        """
        descriptor = self.create(path)
        try:
            self.write(descriptor, data)
            self.sync(descriptor)
        finally:
            self.close(descriptor)
        self.set_time(path)

    def remove_tree(self, path: Path) -> None:
        """Remove a folder and all in it, or a file; links are removed, not followed.

        Nothing happens if the path does not exist. Raises OSError at the first entry that cannot be removed; those
        removed before are gone.
        """
        if not os.path.lexists(path):
            return
        if path.is_symlink() or not path.is_dir():
            self.remove_file(path)
            return
        for entry in list(path.iterdir()):
            self.remove_tree(entry)
        self.remove_folder(path)
