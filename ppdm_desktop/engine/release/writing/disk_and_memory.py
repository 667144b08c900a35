"""Whether a release fits on the disk and in memory, asked before the work.

Both are cautious estimates from measurements on the bundled samples (see the constants).
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import secrets
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from ppdm_desktop.engine import windows
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.release.storage.atomic_folder import to_input_error
from ppdm_desktop.engine.release.storage.disk import Disk
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Term

SPARE = 1.5
"""So many times the estimate has to be free on the disk."""
BYTES_OF_DOCUMENTS = 6 * 2**20
"""Report, certificate, charts: they grow with columns, hardly with rows."""
SOURCE_TIMES = 2
"""The released file and what a method keeps of it beside, in sizes of the source."""
BYTES_ALWAYS, BYTES_A_CELL, BYTES_A_STEP = 540 * 2**20, 80, 20
"""Memory that a release takes with all that judges it: in any case, for each cell, and for each cell and step.

Measured by `tests.benchmarks.release` with noise in two of 15 columns: 10,000 rows took 531 MB, 100,000 rows 614 MB,
1,000,000 rows 1,654 MB; most of what small tables take are the libraries that learn.
"""
STORED_JUDGED_ALWAYS, BYTES_A_STORED_CELL = 400 * 2**20, 40
"""Memory that judging a release takes where the columns lie on the disk: in any case, and for each cell.

Measured by `tests.benchmarks.stored` with noise in two of 15 columns: 1,000,000 rows took 736 MB, 10,000,000 rows
3,979 MB, 24 bytes a cell; people who have several rows take more.
"""
COUNTED_ALWAYS = 160 * 2**20
"""Memory that counting a table takes in any case."""
READ_TIMES, JUDGED_TIMES = 4, 20
"""Memory that counting a table takes, and judging its release, in sizes of the source; beside ``COUNTED_ALWAYS`` and
``BYTES_ALWAYS``.

Measured on a million rows of 15 columns (62 MB): 5.7 and 26.9 times their size, all together.
"""
STORED_ALWAYS, STORED_TIMES = 64 * 2**20, 1
"""What the columns take on the disk, in sizes of the source: a code takes no more bytes than its text and comma."""
_MIB = 2**20


def check_folder(out: Path, source: Path, disk: Disk | None = None) -> None:
    """Raise InputError if a folder cannot be written or has too little space, before anything is computed.

    An empty file is made next to the folder and removed again. Space is not checked where the disk does not tell how
    much is free.

    Parameters
    ----------
    out
        The folder to be made.
    source
        The file that is to be released.
    disk
        The file operations.

    Raises
    ------
    InputError
        When nothing can be written in the folder around ``out``, or stating the free and the needed space.
    """
    disk = disk or Disk()
    trial = out.parent / f".ppdm-{secrets.token_hex(8)}.lock"
    try:
        # A lock file of our own pattern: if the program ends here, the next start knows what it is.
        os.close(disk.create(trial))
        disk.remove_file(trial)
    except OSError as error:
        raise to_input_error(error, out) from error
    needed = bytes_needed(source)
    try:
        free = shutil.disk_usage(out.parent).free
    except OSError:
        return  # a disk that does not say
    _refuse_full_disk("error.export.no-room", out, needed, free)


def _refuse_full_disk(id: str, folder: Path, needed: int, free: int) -> None:
    """Raise InputError with the text ``id`` if less space is free than needed, both in bytes.

    The error states both in MiB, the needed space rounded up and the free space rounded down.
    """
    if free < needed:
        space = {"needed": -(-needed // _MIB), "free": free // _MIB}
        raise InputError(id, file=str(folder), args=space)


def bytes_needed(source: Path) -> int:
    """Return the free disk space in bytes that a release of this file needs, estimated from the file's size.

    If its size is unknown, the need of an empty file is returned.
    """
    with contextlib.suppress(OSError):
        return round(SPARE * (BYTES_OF_DOCUMENTS + SOURCE_TIMES * source.stat().st_size))
    return round(SPARE * BYTES_OF_DOCUMENTS)


def memory_note(rows: int, columns: int, steps: int) -> Note | None:
    """Return a warning if judging a release may need more memory than is free; None if it fits.

    None also where the free memory is not known. The warning states both sizes in MiB. ``rows``, ``columns`` and
    ``steps`` are the numbers of these in the release.
    """
    free = free_memory()
    needed = _compute_judging_memory(rows, columns, steps)
    if free is None or needed <= free:
        return None
    return Note("note.export.memory", {"needed": -(-needed // _MIB), "free": free // _MIB})


def should_keep_on_disk(source: Path, *, judged: bool, share: float = 1.0) -> bool:
    """Return whether the columns of a source should be kept on disk, because they may not fit in memory.

    False where the free memory or the size of the file is not known.

    Parameters
    ----------
    source
        The file.
    judged
        Whether a release is made and judged; otherwise the file is only read and its values are counted.
    share
        Share of the free memory that may be used.
    """
    free = free_memory()
    if free is None:
        return False
    try:
        size = source.stat().st_size
    except OSError:
        return False  # reading says what is wrong with it
    needed = BYTES_ALWAYS + JUDGED_TIMES * size if judged else COUNTED_ALWAYS + READ_TIMES * size
    return needed > share * free


def check_store(path: Path, source: Path) -> None:
    """Raise InputError if the disk has too little space for the columns to be kept there, before the file is read.

    Nothing happens where the free space or the size of the file is not known. ``path`` is the folder of the columns.

    Raises
    ------
    InputError
        Stating the free and the needed space.
    """
    with contextlib.suppress(OSError):
        needed = STORED_ALWAYS + STORED_TIMES * source.stat().st_size
        _refuse_full_disk("error.stored.no-room", path, needed, shutil.disk_usage(path).free)


def refuse_beyond_memory(methods: Iterable[Method], rows: int, columns: int) -> None:
    """Raise an error if a release would not fit in memory even with its columns on disk.

    ``rows`` and ``columns`` are the numbers of these, ``methods`` the methods of the steps. Nothing is raised where the
    free memory is not known.

    Raises
    ------
    RecipeError
        If the columns do not fit in memory, naming the first of the methods that needs all records there at once;
        without such a method the columns need not fit.
    InputError
        If the checks and attacks would not fit, because a release must be judged completely.
    """
    listed = list(methods)
    free, needed = free_memory(), _compute_judging_memory(rows, columns, len(listed))
    for method in listed:
        if not method.record_by_record and free is not None and needed > free:
            raise RecipeError(
                "error.stored.whole-table",
                args={"method": Term(method.title), "needed": -(-needed // _MIB), "free": free // _MIB},
            )
    needed = STORED_JUDGED_ALWAYS + rows * columns * BYTES_A_STORED_CELL
    if free is not None and needed > free:
        raise InputError("error.stored.judging", args={"needed": -(-needed // _MIB), "free": free // _MIB})


def _compute_judging_memory(rows: int, columns: int, steps: int) -> int:
    """Return the bytes of memory that judging a release with columns in memory needs, estimated."""
    return BYTES_ALWAYS + rows * columns * (BYTES_A_CELL + BYTES_A_STEP * steps)


def rights_note(out: Path) -> Note | None:
    """Return a note if others may be able to read ``internal/``; None if not, and always on systems other than Windows.

    There are two notes: for a remote disk, whatever its rights, and for a local disk that keeps no access rights.
    """
    if not windows.IS_HERE:
        return None
    if windows.is_remote(out):
        return Note("note.export.remote")
    return None if windows.keeps_rights(out) else Note("note.export.no-rights")


def free_memory() -> int | None:
    """Return the bytes of memory that this process may still take; None where the system does not say."""
    limits = [limit for limit in (_find_free_memory(), _find_memory_under_limit()) if limit is not None]
    return min(limits, default=None)


def _find_free_memory() -> int | None:
    """Return the bytes of memory that the system has free; None where it does not say.

    On Linux this is the memory available without swapping; limits on this process do not count, except on Windows.
    """
    if sys.platform == "win32":
        return _find_windows_memory()
    with contextlib.suppress(OSError, ValueError, IndexError):
        lines = _read_system_file("/proc/meminfo").splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:"))
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _find_memory_under_limit() -> int | None:
    """Return the bytes of memory left under a limit on this process's address space, at least 0.

    This is the limit (``ulimit -v``) less the address space in use. None without a limit, on Windows, and where the
    space in use is not known.
    """
    if sys.platform == "win32":
        return None
    import resource

    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    with contextlib.suppress(OSError, ValueError, IndexError):
        return max(0, limit - int(_read_system_file("/proc/self/statm").split()[0]) * resource.getpagesize())
    return None


def _read_system_file(path: str) -> str:
    """Return the content of a file in which the system describes itself."""
    with open(path, encoding="ascii") as file:
        return file.read()


def _find_windows_memory() -> int | None:
    """Return the bytes of memory that Windows has free and lets this process use; None where it does not say."""

    class Status(ctypes.Structure):
        _fields_ = [(name, ctypes.c_ulong) for name in ("length", "load")] + [
            (name, ctypes.c_ulonglong) for name in ("all", "free", "paging", "free_paging", "own", "free_own", "more")
        ]

    status = Status()
    status.length = ctypes.sizeof(status)
    with contextlib.suppress(OSError, AttributeError):
        if ctypes.windll.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):  # type: ignore[attr-defined,unused-ignore]
            return int(min(status.free, status.free_own))
    return None
