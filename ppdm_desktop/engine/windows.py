"""Functions that only Windows needs: limits for a process, private folders, causes of errors.

All of them call the system by ``ctypes``; no other program is started. On other systems none of them is called.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

IS_HERE = os.name == "nt"

_IN_USE = frozenset({32, 33, 1224})
"""Another program has the file open, has locked a part of it, or has it mapped to memory."""
_FULL = frozenset({39, 112})
_TOO_LONG = frozenset({111, 206})
_NOT_FOUND = frozenset({2, 3})
LONGEST_FOLDER, _LONGEST_NAME = 247, 255
"""A longer path of a folder is "not found" by an older Windows, or where long paths are switched off."""
_DENIED = 5

_JOB_LIMITS = 9
_PROCESS_TIME, _ONE_PROCESS, _PROCESS_MEMORY, _NO_BOX, _KILL_ON_CLOSE = 0x2, 0x8, 0x100, 0x400, 0x2000
_TICKS = 10_000_000
"""Windows counts processor time in tenths of a microsecond."""
_OWNER_ONLY = "D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;FA;;;OW)"
"""The owner, the system and administrators; nothing is inherited from the folder above, all of it from this one."""
_REMOTE_DRIVE = 4
_KEEPS_RIGHTS = 0x8


# --- what went wrong ---------------------------------------------------------------------------


def find_error_cause(error: OSError, path: Path | None = None) -> Literal["held", "full", "too-long"] | None:
    """Return the cause of a Windows error where Python's exception class does not show it; None for any other error.

    The cause is "held" (another program has the file open or locked), "full" (no space on the disk), or "too-long" (the
    path is longer than Windows allows).

    Parameters
    ----------
    error
        The error that Python raised.
    path
        The path that was used, because Windows may report a path that is too long as not existing.
    """
    number = getattr(error, "winerror", None)
    if number in _IN_USE:
        return "held"
    if number in _FULL:
        return "full"
    if number in _TOO_LONG or (number in _NOT_FOUND and path is not None and is_too_long(path)):
        return "too-long"
    return None


def is_too_long(path: Path) -> bool:
    """Return whether Windows may not find a path: over 247 characters, or a part of it over 255."""
    return len(str(path)) > LONGEST_FOLDER or any(len(part) > _LONGEST_NAME for part in path.parts)


def is_open_elsewhere(path: Path) -> bool:
    """Return whether a file cannot be opened because another program has it open, which Python calls "no permission".

    False if it can be opened, or opening fails for any other reason.
    """
    kernel = _load_system_library("kernel32")
    kernel.CreateFileW.restype = ctypes.c_void_p
    access, sharing, existing = (ctypes.c_uint32(argument) for argument in (0x80000000, 0x7, 3))
    file = kernel.CreateFileW(ctypes.c_wchar_p(str(path)), access, sharing, None, existing, ctypes.c_uint32(0), None)
    if file != ctypes.c_void_p(-1).value:
        kernel.CloseHandle(ctypes.c_void_p(file))
        return False
    return int(ctypes.get_last_error()) in _IN_USE  # type: ignore[attr-defined,unused-ignore]


def is_denied(error: OSError) -> bool:
    """Return whether an error is Windows' "access denied", which it also says if a file in a renamed folder is open."""
    return getattr(error, "winerror", None) == _DENIED


# --- another process ---------------------------------------------------------------------------


class _Basic(ctypes.Structure):
    """The Windows structure ``JOBOBJECT_BASIC_LIMIT_INFORMATION``."""

    _fields_ = [
        ("process_time", ctypes.c_int64),
        ("job_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("least_working_set", ctypes.c_size_t),
        ("largest_working_set", ctypes.c_size_t),
        ("processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority", ctypes.c_uint32),
        ("scheduling", ctypes.c_uint32),
    ]


class JobLimits(ctypes.Structure):
    """The Windows structure ``JOBOBJECT_EXTENDED_LIMIT_INFORMATION``, with the limits of a group of processes."""

    _fields_ = [
        ("basic", _Basic),
        ("counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    ]


class MemoryCounters(ctypes.Structure):
    """The Windows structure ``PROCESS_MEMORY_COUNTERS``, with the memory that a process uses."""

    _fields_ = [("size", ctypes.c_uint32), ("faults", ctypes.c_uint32)] + [
        (name, ctypes.c_size_t)
        for name in (
            *("peak_working_set", "working_set", "peak_paged", "paged", "peak_nonpaged", "nonpaged"),
            *("committed", "peak_committed"),
        )
    ]


@contextmanager
def limit_process(process: int, memory: int, seconds: float) -> Iterator[bool]:
    """Limit memory and time of another process inside the context; it is ended afterwards, or if this program dies.

    Parameters
    ----------
    process
        Windows handle of the process.
    memory
        Bytes that it may commit in addition to what it has committed now.
    seconds
        Processor time that it may use, in seconds.

    Yields
    ------
    bool
        False if the system could not set the limits; the process then runs without them and is not ended.
    """
    kernel = _load_system_library("kernel32")
    kernel.CreateJobObjectW.restype = ctypes.c_void_p
    job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
    try:
        yield job.value is not None and _set_job_limits(kernel, job, ctypes.c_void_p(process), memory, seconds)
    finally:
        if job.value is not None:
            kernel.CloseHandle(job)


def _set_job_limits(kernel: Any, job: ctypes.c_void_p, process: ctypes.c_void_p, memory: int, seconds: float) -> bool:
    """Limit memory and time of a job and put the process into it; return whether this succeeded.

    A job is a group of processes. ``memory`` is in bytes in addition to what the process has committed now, and
    ``seconds`` is processor time. The process may start no other, and is ended when the job is closed.
    """
    counters = MemoryCounters(size=ctypes.sizeof(MemoryCounters))
    if not kernel.K32GetProcessMemoryInfo(process, ctypes.byref(counters), counters.size):
        return False
    limits = JobLimits()
    limits.basic.flags = _PROCESS_TIME | _ONE_PROCESS | _PROCESS_MEMORY | _NO_BOX | _KILL_ON_CLOSE
    limits.basic.process_time = int(seconds * _TICKS)
    limits.basic.processes = 1
    limits.process_memory = counters.committed + memory
    size = ctypes.c_uint32(ctypes.sizeof(limits))
    if not kernel.SetInformationJobObject(job, _JOB_LIMITS, ctypes.byref(limits), size):
        return False
    return bool(kernel.AssignProcessToJobObject(job, process))


# --- folders -----------------------------------------------------------------------------------


class _SecurityAttributes(ctypes.Structure):
    """The Windows structure ``SECURITY_ATTRIBUTES``, with the access rights of a new folder."""

    _fields_ = [("size", ctypes.c_uint32), ("descriptor", ctypes.c_void_p), ("inherits", ctypes.c_int)]


def make_own_folder(path: Path) -> None:
    """Make a folder that only its owner, the system and administrators may enter.

    On a disk without access rights it is an ordinary folder; see ``keeps_rights``.

    Raises
    ------
    OSError
        When the folder cannot be made.
    """
    kernel, rights = _load_system_library("kernel32"), _load_system_library("advapi32")
    descriptor = ctypes.c_void_p()
    convert = rights.ConvertStringSecurityDescriptorToSecurityDescriptorW
    if not convert(ctypes.c_wchar_p(_OWNER_ONLY), ctypes.c_uint32(1), ctypes.byref(descriptor), None):
        raise _make_os_error(path)
    try:
        security = _SecurityAttributes(ctypes.sizeof(_SecurityAttributes), descriptor, 0)
        if not kernel.CreateDirectoryW(ctypes.c_wchar_p(str(path)), ctypes.byref(security)):
            raise _make_os_error(path)
    finally:
        kernel.LocalFree(descriptor)


def is_remote(folder: Path) -> bool:
    """Return whether a folder is on another computer: on a network share, or on a drive letter mapped to one."""
    anchor = folder.absolute().anchor
    return bool(_load_system_library("kernel32").GetDriveTypeW(ctypes.c_wchar_p(anchor)) == _REMOTE_DRIVE)


def keeps_rights(folder: Path) -> bool:
    """Return whether a folder's disk stores access rights; most memory sticks do not.

    The result is True if the disk does not tell.
    """
    flags = ctypes.c_uint32()
    anchor = ctypes.c_wchar_p(folder.absolute().anchor)
    nothing = (None, ctypes.c_uint32(0), None, None)
    if not _load_system_library("kernel32").GetVolumeInformationW(
        anchor, *nothing, ctypes.byref(flags), None, ctypes.c_uint32(0)
    ):
        return True  # a disk that does not say
    return bool(flags.value & _KEEPS_RIGHTS)


# --- the system --------------------------------------------------------------------------------


def _load_system_library(name: str) -> Any:
    """Return a library of Windows, loaded only from the system folder."""
    return ctypes.WinDLL(f"{name}.dll", use_last_error=True, winmode=0x800)  # type: ignore[attr-defined,unused-ignore]


def _make_os_error(path: Path) -> OSError:
    """Return (not raise) the system's last error as an OSError that names the path."""
    number = ctypes.get_last_error()  # type: ignore[attr-defined,unused-ignore]
    message = ctypes.FormatError(number).strip()  # type: ignore[attr-defined,unused-ignore]
    return OSError(0, message, str(path), number)
