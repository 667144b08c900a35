"""A release folder that appears complete or not at all.

OUT stands for the path of the finished release folder. Everything is written into a temporary folder next to OUT, with
a lock file that names OUT. When it is complete it is renamed to OUT. An old OUT is first renamed and removed last.
Leftovers of a crash are found by their names at the next start: an OUT that was moved aside is moved back, the rest is
removed. The work of a running process is left alone, because the process holds its lock.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ppdm_desktop.engine import windows
from ppdm_desktop.engine.dossier import INTERNAL as INTERNAL
from ppdm_desktop.engine.dossier import PAPERS
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import SETTINGS, parse_json
from ppdm_desktop.engine.files.private import try_lock
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.wording.values import Reason, Term

RELEASE, MANIFEST = "release", "manifest.json"
TEACHING = "teaching-copy"
"""Stands in place of ``release`` where nothing may be handed over."""
_OURS = re.compile(r"\.ppdm-([0-9a-f]{16})\.(?:lock|new|old)")


# --- where OUT may be ------------------------------------------------------------------------


def check_target(out: Path, source: Path, *, replace: bool) -> None:
    """Raise InputError if the release folder OUT cannot or must not be written.

    OUT must not be the source, lie below it or contain it, and must not be a link or a file. Its parent must be a
    folder. OUT must not exist, unless ``replace`` is True and it is empty or a release folder. Nothing is written, so
    rights and free space are not tested.

    Raises
    ------
    InputError
        With the reason, errors of the system included.
    """
    try:
        _check_target(out, source, replace=replace)
    except OSError as error:
        raise to_input_error(error, out) from error
    except ValueError as error:  # a NUL in the path
        raise InputError("error.export.no-name", file=str(out)) from error


def _check_target(out: Path, source: Path, *, replace: bool) -> None:
    """Raise InputError if the release folder OUT cannot or must not be written.

    OUT must have a name, lie in an existing folder, and be no link and no file. It must not be the source file, lie
    below it or contain it. If OUT exists, ``replace`` must be True, and it must be a release folder or empty. Errors of
    the system come through as OSError or ValueError.
    """
    target = str(out)
    source_id = _read_identity(source)  # None when it is gone; check source-unchanged will say so
    for path in (out, *out.parents):
        if not path.is_dir() and _is_same_file(path, source_id):
            raise InputError("error.export.is-source", file=target)
    if any(
        _is_same_file(parent, _read_identity(out))
        for parent in (*Path(os.path.abspath(source)).parents, *source.resolve().parents)
    ):
        raise InputError("error.export.contains-source", file=target)
    if out.name in ("", ".", ".."):
        raise InputError("error.export.no-name", file=target)
    if not out.parent.is_dir():
        raise _make_parent_error(out)
    if out.is_symlink():
        raise InputError("error.export.is-link", file=target)
    if not os.path.lexists(out):
        return
    if not out.is_dir():
        raise InputError("error.export.is-file", file=target)
    if not replace:
        raise InputError("error.export.exists", file=target)
    if not is_release_folder(out):
        raise InputError("error.export.not-a-release", file=target)
    if any(_is_same_file(path, source_id) for path in out.rglob("*")):
        raise InputError("error.export.contains-source", file=target)


def _make_parent_error(out: Path) -> InputError:
    """Return the error for an OUT (path of the release folder) whose parent is no folder.

    It says that a part of the path is a file, that the name is too long (Windows), or else that there is no such
    folder.
    """
    for path in out.parents:
        folder_identity = _read_identity(path)
        if folder_identity is not None and not stat.S_ISDIR(folder_identity.st_mode):
            return InputError("error.export.below-file", file=str(out), args={"part": Term(str(path))})
    if windows.IS_HERE and windows.is_too_long(out):
        return InputError("error.export.name-too-long", file=str(out))
    return InputError("error.export.no-parent", file=str(out))


def _read_identity(path: Path) -> os.stat_result | None:
    """Return the status of a file or folder, or of what a link leads to; None where it is missing or unreadable."""
    try:
        return path.stat()
    except OSError:
        return None


def _is_same_file(path: Path, expected: os.stat_result | None) -> bool:
    """Return whether a path is the file or folder with this status, whatever its name; False for None."""
    identity = _read_identity(path)
    return identity is not None and expected is not None and os.path.samestat(identity, expected)


def is_release_folder(out: Path) -> bool:
    """Return whether a folder holds only a release of this program, or nothing at all; raise OSError if unreadable."""
    names = {entry.name for entry in out.iterdir()}
    return not names or (names <= {RELEASE, TEACHING, INTERNAL, PAPERS} and (out / INTERNAL / MANIFEST).is_file())


def check_apart(path: Path) -> None:
    """Raise InputError if a recipient's secret would be written into a release folder, at any depth below it.

    A folder above the file is one if it has the manifest of a release; so is the release's ``internal`` folder. The
    file itself need not exist; the error names it.
    """
    for folder in path.resolve().parents:
        if folder.is_dir() and _holds_release(folder):
            raise InputError("error.recipient.in-release", file=str(path))


def _holds_release(folder: Path) -> bool:
    """Return whether a folder is a release of this program, or its ``internal`` part, by the manifest in it."""
    own_half = folder.name == INTERNAL and (folder / MANIFEST).is_file()
    return own_half or (folder / INTERNAL / MANIFEST).is_file()


# --- after a crash ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Leftover:
    """Files that an interrupted export left in a folder, perhaps with its key and data.

    Attributes
    ----------
    parent
        The folder.
    token
        Random part of the file names, the same for all files of one export.
    """

    parent: Path
    token: str

    @property
    def paths(self) -> tuple[Path, ...]:
        """The files and folders of this interrupted export that exist."""
        return tuple(path for path in _working_paths(self.parent, self.token) if os.path.lexists(path))


def find_leftovers(parent: Path) -> tuple[Leftover, ...]:
    """Return what interrupted exports left in a folder, sorted by name; the work of running processes is not listed."""
    return tuple(Leftover(parent, token) for token in list_tokens(parent) if _is_abandoned(parent, token))


def remove_leftover(leftover: Leftover, disk: Disk) -> None:
    """Remove what an interrupted export left; a release folder that it had moved aside is moved back.

    Raises
    ------
    OSError
        When it cannot be removed.
    """
    _recover_one(leftover.parent, leftover.token, disk)


def recover(parent: Path, disk: Disk) -> None:
    """Remove what interrupted exports left in a folder, and move back release folders that they had moved aside.

    Files of an export that still runs are left alone, because its process holds a lock. A folder moved aside stays
    without a lock file, which says its name, and is removed if a new one has that name. Errors are ignored.
    """
    for token in list_tokens(parent):
        with contextlib.suppress(OSError):
            _recover_one(parent, token, disk)


def bring_back(parent: Path, disk: Disk) -> tuple[Path, ...]:
    """Move back each release folder in ``parent`` that an interrupted export had moved aside; nothing is removed.

    A moved folder stays where it is if a new one has its name, no lock file says what its name was, another process
    holds its lock, or it cannot be moved.

    Returns
    -------
    tuple of Path
        The folders that were moved back, by the names that they have again.
    """
    paths = []
    for token in list_tokens(parent):
        lock, _, old = _working_paths(parent, token)
        if not os.path.lexists(old) or not os.path.lexists(lock):
            continue
        with contextlib.suppress(OSError), _hold_lock(lock) as descriptor:
            target = None if descriptor is None else _read_target(descriptor, parent)
            if target is not None and not os.path.lexists(target):
                disk.rename(old, target)
                disk.sync_folder(parent)
                paths.append(target)
    return tuple(paths)


def list_tokens(parent: Path) -> list[str]:
    """Return the random tokens in the names of this program's working files in a folder, each once.

    All working files of one export have the same token in their names; names of other files are passed over. Sorted by
    file name; empty where the folder cannot be read.
    """
    try:
        names = sorted(os.listdir(parent))
    except OSError:
        return []
    return list(dict.fromkeys(match[1] for name in names if (match := _OURS.fullmatch(name)) is not None))


def _is_abandoned(parent: Path, token: str) -> bool:
    """Return whether the export with this token was abandoned: its lock file is gone, or no process holds it.

    False where that cannot be found out, as on a file system without locks.
    """
    lock = _working_paths(parent, token)[0]
    if not os.path.lexists(lock):
        return True
    try:
        with _hold_lock(lock) as descriptor:
            return descriptor is not None
    except OSError:
        return False


@contextlib.contextmanager
def _hold_lock(lock: Path) -> Iterator[int | None]:
    """Open and lock an existing lock file for a ``with`` block; yield its descriptor, or None if it cannot be locked.

    It cannot where another process holds the lock, or the file system knows no locks. The file is closed afterwards,
    and stays.

    Raises
    ------
    OSError
        When the file cannot be opened, or does not exist.
    """
    descriptor = os.open(lock, os.O_RDWR | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        yield descriptor if try_lock(descriptor) else None
    finally:
        os.close(descriptor)


def _recover_one(parent: Path, token: str, disk: Disk) -> None:
    """Remove what one interrupted export left in a folder, and move back the release folder that it had moved aside.

    - While another process holds the lock, or if the file system knows no locks, nothing is done.
    - Without a lock file only the unfinished new folder is removed; a folder moved aside stays, since nobody knows its
      name.
    - With a lock file that names no release folder and a folder moved aside, nothing is removed.
    - If a new folder has the old name already, the folder moved aside is removed as well.
    """
    lock, new, old = _working_paths(parent, token)
    if not os.path.lexists(lock):
        # Without its journal nobody knows whose an old OUT is: it stays, and is named.
        disk.remove_tree(new)
        return
    with _hold_lock(lock) as descriptor:
        if descriptor is None:
            return
        if os.path.lexists(old):
            target = _read_target(descriptor, parent)
            if target is None:
                return
            if os.path.lexists(target):
                disk.remove_tree(new)
                disk.rename(old, new)
            else:
                disk.rename(old, target)
                disk.sync_folder(parent)
        disk.remove_tree(new)
    disk.remove_file(lock)


def _read_target(descriptor: int, parent: Path) -> Path | None:
    """Return the release folder in ``parent`` that an open lock file names.

    None if the file is unreadable or names a path in another folder.
    """
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        name = parse_json(os.read(descriptor, 65_536), SETTINGS, parent)["out"]
    except (InputError, ValueError, KeyError, TypeError):
        return None
    is_name = isinstance(name, str) and Path(name).name == name and name not in ("", "..") and "\0" not in name
    return parent / name if is_name else None


def _working_paths(parent: Path, token: str) -> tuple[Path, Path, Path]:
    """Return the paths of an export's lock file, of its new folder and of the old folder moved aside."""
    return tuple(parent / f".ppdm-{token}.{kind}" for kind in ("lock", "new", "old"))  # type: ignore[return-value]


# --- the folder being made ---------------------------------------------------------------------


@dataclass(frozen=True)
class Staging:
    """The folder that is being filled and will become the release folder OUT.

    Attributes
    ----------
    out
        The path it will have.
    path
        Its present path.
    """

    out: Path
    path: Path
    _old: Path
    _disk: Disk

    def add(self, relative_path: str, data: bytes) -> bytes:
        """Write a new file at a path inside the folder and return its bytes as read back from the disk."""
        self._disk.write_file(self.path / relative_path, data)
        return self._disk.read(self.path / relative_path)

    def add_folder(self, name: str, *, is_private: bool = False) -> None:
        """Make a folder inside; only the owner may enter it where ``is_private``."""
        (self._disk.make_own_folder if is_private else self._disk.make_folder)(self.path / name)

    def commit(self, *, replace: bool) -> None:
        """Give the complete folder the path OUT of the release folder; an old OUT is removed last.

        Without ``replace`` an OUT that holds anything, however lately it was made, is an OSError.

        Where the system can exchange two folders in one call, it does so; otherwise the old OUT is moved aside first,
        and moved back if the renaming fails. All new folders get a neutral time before (1 January 2000). An old OUT
        that cannot be removed now is left for the next start, without an error.

        Raises
        ------
        OSError
            When a folder cannot be renamed, written to the disk, or given its time.
        InputError
            When Windows refuses the renaming, because OUT is open in another program.
        """
        inside = sorted((path for path in self.path.rglob("*") if path.is_dir()), key=lambda folder: -len(folder.parts))
        for folder in [*inside, self.path]:
            self._disk.sync_folder(folder)
            self._disk.set_time(folder)
        replaces = replace and os.path.lexists(self.out)
        if replaces and self._disk.exchange(self.path, self.out):
            self._disk.sync_folder(self.out.parent)
            # The old one goes. What cannot be removed now is removed later.
            with contextlib.suppress(OSError):
                self._disk.remove_tree(self.path)
            return
        if replaces:
            try:
                self._disk.rename(self.out, self._old)
            except OSError as error:
                self._refuse_open_folder(error)
                raise
        try:
            if replaces:
                # What a power cut leaves must be this state or a later one, for the journal to be true.
                self._disk.sync_folder(self.out.parent)
            self._disk.rename(self.path, self.out)
        except OSError as error:
            if replaces:
                self._disk.rename(self._old, self.out)
            self._refuse_open_folder(error)
            raise
        self._disk.sync_folder(self.out.parent)
        if replaces:
            # Under its new name it is rubbish: half removed it must never be taken for a release to bring
            # back. What cannot be removed now is removed at the next start.
            with contextlib.suppress(OSError):
                self._disk.rename(self._old, self.path)
                self._disk.remove_tree(self.path)

    def _refuse_open_folder(self, error: OSError) -> None:
        """Raise InputError if Windows denied a rename because OUT is open elsewhere; do nothing for other errors."""
        if windows.is_denied(error):
            raise InputError("error.export.held", file=str(self.out)) from error


@contextmanager
def make_staging_folder(out: Path, disk: Disk) -> Iterator[Staging]:
    """Make and yield a temporary folder that can become the release folder ``out``; remove it unless committed.

    For a ``with`` block, in which the folder is filled; `Staging.commit` gives it its name.

    Raises
    ------
    InputError
        For any OSError, those of the block included: the disk is full, the place cannot be written, or the system
        refuses. Nothing is left behind, as far as it can be removed.
    """
    parent = out.parent
    try:
        token, descriptor = _create_lock(parent, out.name, disk)
    except OSError as error:
        raise to_input_error(error, out) from error
    lock, new, old = _working_paths(parent, token)
    try:
        try:
            disk.make_folder(new)
            yield Staging(out, new, old, disk)
        except OSError as error:
            raise to_input_error(error, out) from error
    finally:
        try:
            with contextlib.suppress(OSError):
                disk.remove_tree(new)
        finally:
            os.close(descriptor)
        if not os.path.lexists(new) and not os.path.lexists(old):
            with contextlib.suppress(OSError):
                disk.remove_file(lock)


def _create_lock(parent: Path, name: str, disk: Disk) -> tuple[str, int]:
    """Create and hold a lock file that names the release folder; return its random token and open descriptor.

    The token has 16 hexadecimal digits. ``name`` is the name of the release folder in ``parent``. Where the file system
    knows no locks, the file is not locked. Raises OSError, with the file removed, where the file cannot be written.
    """
    while True:
        token = secrets.token_hex(8)
        lock = _working_paths(parent, token)[0]
        descriptor = disk.create(lock)
        try:
            try_lock(descriptor)
            disk.write(descriptor, json.dumps({"out": name}).encode("utf-8"))
            disk.sync(descriptor)
        except BaseException:
            os.close(descriptor)
            with contextlib.suppress(OSError):
                disk.remove_file(lock)
            raise
        # Another process may have swept the file between its creation and the lock.
        if os.path.lexists(lock):
            return token, descriptor
        os.close(descriptor)


_OF_WINDOWS: dict[str, str] = {
    "held": "error.export.held",
    "full": "error.export.disk-full",
    "too-long": "error.export.name-too-long",
}


def to_input_error(error: OSError, out: Path) -> InputError:
    """Return the system's error on a folder or file as an InputError with a message for a person.

    The message says that the disk is full, the place not writable, the name too long, the parent no folder, or (on
    Windows) that another program has the folder open; for any other error that it failed, with the system's reason.
    """
    if (meant := windows.find_error_cause(error, out)) is not None:
        return InputError(_OF_WINDOWS[meant], file=str(out))
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return _make_parent_error(out)
    ids = {
        errno.ENOSPC: "error.export.disk-full",
        errno.EDQUOT if hasattr(errno, "EDQUOT") else errno.ENOSPC: "error.export.disk-full",
        errno.EFBIG: "error.export.disk-full",
        errno.EACCES: "error.export.not-writable",
        errno.EPERM: "error.export.not-writable",
        errno.EROFS: "error.export.not-writable",
        errno.ENAMETOOLONG: "error.export.name-too-long",
    }
    id = ids.get(error.errno or 0, "error.export.failed")
    return InputError(id, file=str(out), args={"reason": Reason.of(error)})
