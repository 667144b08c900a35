"""A workbook is read in a process of its own: what it may use is bounded, and its death is a message.

The parent hands over the bytes and gets back codes and texts. Messages are JSON and raw
arrays; nothing the child sends is ever executed.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import time
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Codes
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.import_log import Hidden
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.reading.workbook.extract import Extract, extract
from ppdm_desktop.engine.texts import Note

# The child may use this much memory beyond what it has when it starts, and this long.
MEMORY = 3 * 2**30
SECONDS_BASE, SECONDS_PER_MIB = 120, 8
_PIECE = 2**20
_WAIT = 0.05
_TICK = 0.2


def read_workbook(
    data: bytes,
    container: str,
    options: InputSection,
    progress: Progress,
    *,
    memory: int = MEMORY,
    seconds: float | None = None,
) -> RawTable:
    """Read one sheet of a workbook in a child process.

    Parameters
    ----------
    container
        ``zip`` or ``ole``.
    memory, seconds
        What the child may use.

    Raises
    ------
    InputError
        What the child found, or that it died or took too long.
    Cancelled
        The child is ended at once.
    """
    if seconds is None:
        seconds = SECONDS_BASE + SECONDS_PER_MIB * len(data) / 2**20
    progress.check()
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    child = context.Process(target=_serve, args=(theirs,), daemon=True, name="workbook")
    child.start()
    theirs.close()
    try:
        job = {
            "container": container,
            "sheet": options.sheet,
            "header_row": options.header_row,
            "bytes": len(data),
            "memory": memory,
            "seconds": seconds,
        }
        return _converse(ours, job, data, progress, time.monotonic() + seconds)
    except (EOFError, BrokenPipeError, ConnectionResetError) as error:
        raise InputError("error.read.workbook-died") from error
    finally:
        ours.close()
        if child.is_alive():
            child.kill()
        child.join()
        child.close()


def _converse(ours: Connection, job: dict[str, Any], data: bytes, progress: Progress, until: float) -> RawTable:
    # Sending blocks while nobody receives, so the child says first that it is there.
    _next_message(ours, progress, until)
    ours.send_bytes(json.dumps(job).encode())
    view = memoryview(data)
    for start in range(0, len(data), _PIECE):
        progress.check()
        ours.send_bytes(view[start : start + _PIECE])
    while True:
        message = _next_message(ours, progress, until)
        if "share" in message:
            progress.report(message["share"], "progress.read.workbook")
        elif "error" in message:
            raise InputError(message["error"], args=message["args"])
        else:
            return _received(ours, message)


def _next_message(ours: Connection, progress: Progress, until: float) -> dict[str, Any]:
    """Wait for the child's next message, ready to stop at any moment."""
    while not ours.poll(_WAIT):
        progress.check()
        if time.monotonic() > until:
            raise InputError("error.read.workbook-slow")
    progress.check()
    message: dict[str, Any] = json.loads(ours.recv_bytes())
    return message


def _received(ours: Connection, message: dict[str, Any]) -> RawTable:
    columns: list[tuple[Codes, tuple[str, ...]]] = []
    for _ in message["headers"]:
        texts = tuple(json.loads(ours.recv_bytes()))
        columns.append((np.frombuffer(ours.recv_bytes(), dtype=np.int32), texts))
    numbers = np.frombuffer(ours.recv_bytes(), dtype=np.int64)
    return RawTable(
        headers=tuple(message["headers"]),
        columns=tuple(columns),
        row_numbers=numbers,
        header_row=message["header_row"],
        format=message["format"],
        warnings=tuple(Note(id, arguments) for id, arguments in message["warnings"]),
        decimal=".",
        sheet=message["sheet"],
        sheets=tuple(message["sheets"]),
        hidden=Hidden(*message["hidden"]),
    )


# --- in the child -----------------------------------------------------------------------


def _serve(theirs: Connection) -> None:
    """Answer one job."""
    # What a library prints while dying must not reach the user's terminal.
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        _send(theirs, {"ready": True})
        job = json.loads(theirs.recv_bytes())
        _limit(job["memory"], job["seconds"])
        data = bytearray()
        while len(data) < job["bytes"]:
            data += theirs.recv_bytes()
        said = time.monotonic()

        def tick() -> None:
            nonlocal said
            if time.monotonic() - said > _TICK:
                said = time.monotonic()
                _send(theirs, {"share": 0.5})

        try:
            result = extract(bytes(data), job["container"], job["sheet"], job["header_row"], tick)
        except InputError as error:
            _send(theirs, {"error": error.id, "args": error.arguments})
            return
        except MemoryError:
            _send(theirs, {"error": "error.read.workbook-died", "args": {}})
            return
        _answer(theirs, result)
    except (EOFError, OSError):
        return


def _limit(memory: int, seconds: float) -> None:
    """Cap memory and processor time where the system can (Linux)."""
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(OSError, ValueError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, int(seconds) + 2))
        with open("/proc/self/statm", encoding="ascii") as figures:
            used = int(figures.read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + memory, used + memory))


def _send(theirs: Connection, message: object) -> None:
    theirs.send_bytes(json.dumps(message).encode())


def _answer(theirs: Connection, result: Extract) -> None:
    table = result.table
    _send(
        theirs,
        {
            "headers": table.headers,
            "header_row": table.header_row,
            "format": result.format,
            "sheet": result.sheet,
            "sheets": result.sheets,
            "hidden": [table.hidden_rows, table.hidden_columns, result.hidden_sheets],
            "warnings": [[each.id, dict(each.arguments)] for each in result.warnings + table.warnings],
        },
    )
    for codes, texts in table.columns:
        _send(theirs, texts)
        theirs.send_bytes(codes.astype(np.int32).tobytes())
    theirs.send_bytes(table.row_numbers.astype(np.int64).tobytes())
