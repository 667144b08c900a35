"""Reading a file in a child process whose memory and time are limited; if it dies, this becomes an error message.

The parent sends the bytes of the file and receives codes and texts. Messages are JSON and raw arrays; nothing that the
child sends is ever executed.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import astuple, replace
from itertools import starmap
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from types import ModuleType
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress, windows
from ppdm_desktop.engine.arrays import Codes
from ppdm_desktop.engine.errors import InputError, lacks_memory
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.codebook import CodeLabel
from ppdm_desktop.engine.table.reading.base import Reader, read_with
from ppdm_desktop.engine.table.reading.header import Header
from ppdm_desktop.engine.table.reading.import_log import Hidden, SheetSeen, UnreadRow
from ppdm_desktop.engine.table.reading.raw import DeclaredMissing, RawTable, SecondReading
from ppdm_desktop.engine.table.reading.registry import all_readers
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import as_data, from_data

# The child may use this much memory beyond what it has when it starts, and this long.
MEMORY = 3 * 2**30
SECONDS_BASE, SECONDS_PER_MIB = 120, 8
_GRACE = 5
_SLOW, _MEMORY, _DAMAGED = "error.read.too-slow", "error.read.memory", "error.read.damaged"
# By these signals a process ends that took too long, or went astray in foreign code. An abort is what a reader does
# that is refused memory, and a system that is short of it kills.
_ENDED_BY = {"SIGXCPU": _SLOW, "SIGSEGV": _DAMAGED, "SIGBUS": _DAMAGED, "SIGILL": _DAMAGED, "SIGFPE": _DAMAGED}
# The same as exit codes of Windows: the quota is that of processor time.
_ENDED_WITH = {
    0x718: _SLOW,
    0xC0000044: _SLOW,
    0xC0000005: _DAMAGED,
    0xC000001D: _DAMAGED,
    0xC0000094: _DAMAGED,
    0xC00000FD: _DAMAGED,
}
NO_CAP = "warning.read.no-cap"
_PLAIN = (
    "headers", "header_row", "labels", "ranked", "weight", "format", "encoding", "delimiter", "decimal", "sheet",
    "sheets",
)  # fmt: skip
"""Fields of a `RawTable` that JSON holds as they are, but with lists in place of tuples."""
_STARTING = threading.Lock()
_PIECE = 2**20
_WAIT = 0.05
_TICK = 0.2


def read_in_child(
    reader: Reader, data: bytes, options: InputSection, *, memory: int = MEMORY, seconds: float | None = None
) -> RawTable:
    """Return the cells of a file, read by a reader in a child process with limited memory and time.

    Parameters
    ----------
    reader
        A reader whose module the child process can import.
    data, options
        The bytes of the whole file, and the recipe's section on how to read it.
    memory, seconds
        Bytes and seconds that the child may use; by default 3 GiB, and two minutes plus 8 seconds for each MiB of the
        file.

    Returns
    -------
    RawTable
        With a warning where this system did not limit the child's memory.

    Raises
    ------
    InputError
        The child's error, or that it died or took too long.
    Cancelled
        When the user stops the work; the child is ended at once.
    """
    if seconds is None:
        seconds = SECONDS_BASE + SECONDS_PER_MIB * len(data) / 2**20
    progress.check()
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_serve_one_job, args=(theirs,), daemon=True, name="workbook")
    with _hide_main_script():
        child.start()
    theirs.close()
    try:
        job = {
            "module": type(reader).__module__,
            "reader": reader.id,
            "options": options.model_dump(mode="json"),
            "bytes": len(data),
            "memory": memory,
            "seconds": seconds,
        }
        until = time.monotonic() + seconds
        # Sending blocks while nobody receives, so the child says first that it is there.
        _receive_message(ours, until)
        with _limit_child_process(child, memory, seconds) as capped:
            return _request_cells(ours, job, data, until, capped=capped)
    except (EOFError, BrokenPipeError, ConnectionResetError) as error:
        raise InputError(_find_exit_cause(child)) from error
    finally:
        ours.close()
        if child.is_alive():
            child.kill()
        child.join()
        child.close()


@contextlib.contextmanager
def _hide_main_script() -> Iterator[None]:
    """Hide the main script, while the context is open, from a child process that starts, which would otherwise run it.

    A script without ``if __name__ == "__main__"`` would start children without end. Only one thread at a time gets in.
    """
    with _STARTING:
        script = sys.modules["__main__"]
        sys.modules["__main__"] = ModuleType("__main__")
        try:
            yield
        finally:
            sys.modules["__main__"] = script


def _find_exit_cause(child: SpawnProcess) -> str:
    """Return the id of the message that says why a child process ended without an answer.

    It is found from the exit code or the signal that ended the child; lack of memory if that says nothing. The function
    waits up to 5 seconds for the process to end.
    """
    child.join(_GRACE)
    code = child.exitcode or 0
    if code in _ENDED_WITH:
        return _ENDED_WITH[code]
    return next((id for name, id in _ENDED_BY.items() if getattr(signal, name, None) == -code), _MEMORY)


def _limit_child_process(child: SpawnProcess, memory: int, seconds: float) -> contextlib.AbstractContextManager[bool]:
    """Return a context that, on Windows, limits the child from outside; it yields whether the memory is limited.

    On other systems it does nothing and yields False, since there the child limits itself.
    """
    return windows.limit_process(child.sentinel, memory, seconds) if windows.IS_HERE else contextlib.nullcontext(False)


def _request_cells(ours: Connection, job: dict[str, Any], data: bytes, until: float, *, capped: bool) -> RawTable:
    """Send the job and the file to the child, and return the cells it read, with a warning if memory is unlimited.

    The child's progress is reported. Its errors are raised here as InputError, and so is that it takes longer than the
    moment ``until``; EOFError is raised when it died, Cancelled when the user stops the work. ``capped`` says whether
    its memory is limited from outside.
    """
    ours.send_bytes(json.dumps(job).encode())
    view = memoryview(data)
    for start in range(0, len(data), _PIECE):
        progress.check()
        ours.send_bytes(view[start : start + _PIECE])
    while True:
        message = _receive_message(ours, until)
        if "share" in message:
            progress.report(message["share"], "progress.read.rows")
        elif "error" in message:
            raise InputError(message["error"], args=_from_json_data(message["args"]))
        else:
            raw = _receive_cells(ours, message)
            return raw if capped or message["capped"] else replace(raw, warnings=(*raw.warnings, Note(NO_CAP)))


def _receive_message(ours: Connection, until: float) -> dict[str, Any]:
    """Return the child's next message.

    Raises InputError when the moment ``until`` (of ``time.monotonic``) passes, Cancelled when the user stops the work,
    and EOFError when the child died.
    """
    while not ours.poll(_WAIT):
        progress.check()
        if time.monotonic() > until:
            raise InputError(_SLOW)
    progress.check()
    message: dict[str, Any] = json.loads(ours.recv_bytes())
    return message


def _receive_cells(ours: Connection, message: dict[str, Any]) -> RawTable:
    """Return the cells that the child sends after ``message``, which describes them.

    They come as messages of texts (JSON) and of raw arrays, in the order in which `_send_cells` sends them.
    """
    columns: list[tuple[Codes, tuple[str, ...]]] = []
    for _ in message["plain"]["headers"]:
        texts = tuple(json.loads(ours.recv_bytes()))
        columns.append((np.frombuffer(ours.recv_bytes(), dtype=np.int32), texts))
    typed = tuple(np.frombuffer(ours.recv_bytes(), dtype=np.int32) for _ in range(message["typed"]))
    second = []
    for index in message["second"]:
        texts = tuple(json.loads(ours.recv_bytes()))
        codes, of_typed = (np.frombuffer(ours.recv_bytes(), dtype=np.int32) for _ in range(2))
        second.append(SecondReading(index, codes, texts, of_typed))
    numbers = np.frombuffer(ours.recv_bytes(), dtype=np.int64)
    plain: dict[str, Any] = {name: message["plain"][name] for name in _PLAIN}
    plain = {name: tuple(value) if isinstance(value, list) else value for name, value in plain.items()}
    return RawTable(
        **plain,
        columns=tuple(columns),
        row_numbers=numbers,
        header=Header(*message["header"]) if message["header"] is not None else None,
        typed=typed,
        second=tuple(second),
        declared_missing=tuple(tuple(starmap(DeclaredMissing, marks)) for marks in message["own_marks"]),
        codebooks=tuple(tuple(starmap(CodeLabel, pairs)) for pairs in message["codebooks"]),
        unread=tuple(UnreadRow(*row) for row in message["unread"]),
        warnings=tuple(Note(id, _from_json_data(arguments)) for id, arguments in message["warnings"]),
        sheets_seen=tuple(
            seen._replace(corner=tuple(map(tuple, seen.corner))) for seen in starmap(SheetSeen, message["sheets_seen"])
        ),
        hidden=Hidden(*message["hidden"]),
    )


# --- in the child -----------------------------------------------------------------------


def _serve_one_job(theirs: Connection) -> None:
    """Receive one job and the file's bytes, read the file, and send back its cells or the error; runs in the child.

    A message that the child is ready is sent first. Memory and time of the process are limited before the file is
    received, and what libraries print as errors is dropped. Progress is sent at most five times a second. Nothing is
    ever raised: an unexpected error is sent as lack of memory or as a damaged file, as long as the parent is there.
    """
    # What a library prints while dying must not reach the user's terminal.
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        _send_message(theirs, {"ready": True})
        job = json.loads(theirs.recv_bytes())
        module = importlib.import_module(job["module"])
        reader, options = _find_reader(module, job["reader"]), InputSection.model_validate(job["options"])
        capped = _limit_own_process(job["memory"], job["seconds"])
        data = bytearray()
        while len(data) < job["bytes"]:
            data += theirs.recv_bytes()
        last_message = time.monotonic()

        def tell(share: float, doing: str) -> None:
            """Send the share of the work done, at most five times a second."""
            nonlocal last_message
            if time.monotonic() - last_message > _TICK:
                last_message = time.monotonic()
                _send_message(theirs, {"share": share})

        try:
            raw = Progress(tell).run(read_with, reader, bytes(data), options)
        except InputError as error:
            _send_message(theirs, {"error": error.id, "args": _to_json_data(error.arguments)})
            return
        _send_cells(theirs, raw, capped=capped)
    except BaseException as error:
        # Where the parent has gone, sending fails, and nobody waits for the message.
        with contextlib.suppress(OSError):
            _send_message(theirs, {"error": _MEMORY if lacks_memory(error) else _DAMAGED, "args": {}})


def _find_reader(module: ModuleType, id: str) -> Reader:
    """Return a reader by its id: a registered one, or one whose class is defined in the module of a plug-in.

    Raises StopIteration where there is none.
    """
    if id in (readers := all_readers()):
        return readers[id]
    declared = (var for var in vars(module).values() if isinstance(var, type) and issubclass(var, Reader))
    return next(reader for reader in declared if getattr(reader, "id", None) == id)()


def _limit_own_process(memory: int, seconds: float) -> bool:
    """Limit this process's further memory (bytes) and processor time (seconds); return whether memory is limited.

    Files with the memory of a crashed process are switched off as well. On Windows it does nothing and returns False,
    because the parent sets the limits there. If the system refuses, it returns whether another limit of memory is in
    force.
    """
    try:
        import resource
    except ImportError:  # Windows, where the parent does it
        return False
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        with open("/proc/self/statm", encoding="ascii") as figures:
            used = int(figures.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))
    except (OSError, ValueError):
        # A machine that gives the whole program less has capped it already.
        return resource.getrlimit(resource.RLIMIT_AS)[1] != resource.RLIM_INFINITY
    return True


def _to_json_data(arguments: Mapping[str, object]) -> dict[str, Any]:
    """Return the arguments of a message as data for JSON."""
    return {name: as_data(value) for name, value in arguments.items()}


def _from_json_data(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of a message from data read from JSON."""
    return {name: from_data(value) for name, value in arguments.items()}


def _send_message(theirs: Connection, message: object) -> None:
    """Send a message as JSON to the parent."""
    theirs.send_bytes(json.dumps(message).encode())


def _send_cells(theirs: Connection, raw: RawTable, *, capped: bool) -> None:
    """Send the cells that were read to the parent: a message that describes them, then texts and arrays.

    ``capped`` says whether this process's memory is limited.
    """
    _send_message(
        theirs,
        {
            "capped": capped,
            "plain": {name: getattr(raw, name) for name in _PLAIN},
            "header": None if raw.header is None else astuple(raw.header),
            "typed": len(raw.typed),
            "second": [reading.column for reading in raw.second],
            "own_marks": raw.declared_missing,
            "codebooks": raw.codebooks,
            "unread": raw.unread,
            "warnings": [[warning.id, _to_json_data(warning.arguments)] for warning in raw.warnings],
            "sheets_seen": raw.sheets_seen,
            "hidden": astuple(raw.hidden),
        },
    )
    for codes, texts in raw.columns:
        _send_message(theirs, texts)
        theirs.send_bytes(codes.astype(np.int32, copy=False).tobytes())
    for codes in raw.typed:
        theirs.send_bytes(codes.astype(np.int32, copy=False).tobytes())
    for second_reading in raw.second:
        _send_message(theirs, second_reading.texts)
        for codes in (second_reading.codes, second_reading.typed):
            theirs.send_bytes(codes.astype(np.int32, copy=False).tobytes())
    theirs.send_bytes(raw.row_numbers.astype(np.int64, copy=False).tobytes())
