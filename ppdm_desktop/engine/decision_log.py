"""The log of decisions on a release: lines of which each holds the hash of the line before, so that an edit shows.

Whoever holds a signed page with length and head of the log can tell that a line before it was changed. It proves
nothing against somebody who rewrites log and papers together.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.files.opening import REPORT, parse_json, read_file
from ppdm_desktop.engine.files.saving import save_whole

FILE = "decisions.jsonl"
FIRST = "0" * 64
"""What stands for the hash of the line before the first."""
PREPARED, APPROVED, REFUSED, RELEASED = "prepared", "approved", "refused", "released"
LOOKED_AT, KEY_DESTROYED = "looked-at", "key-destroyed"


@dataclass(frozen=True)
class LogLine:
    """One decision.

    Attributes
    ----------
    n
        Number of the line, from 1 on.
    at
        UTC time.
    who
        Name as it was entered, which nobody checked; empty where none was.
    event
        What happened, such as ``approved``.
    about, value
        What was decided on, and how.
    prev, hash
        Hash of the line before, and of this one.
    """

    n: int
    at: str
    who: str
    event: str
    about: str
    value: str
    prev: str
    hash: str


@dataclass(frozen=True)
class Entry:
    """A decision before it has its place in a log; texts become one line each."""

    event: str
    about: str = ""
    value: str = ""


def extend_log(log: Sequence[LogLine], entries: Iterable[Entry], *, at: str, who: str) -> tuple[LogLine, ...]:
    """Return a log with further decisions at its end, all of one time and person; line breaks become blanks."""
    lines = list(log)
    for entry in entries:
        texts = {"who": who, "event": entry.event, "about": entry.about, "value": entry.value}
        one_line = {key: " ".join(text.split()) for key, text in texts.items()}
        content: dict[str, Any] = {"n": len(lines) + 1, "at": at, **one_line, "prev": find_last_hash(lines)}
        lines.append(LogLine(**content, hash=_hash_line(content)))
    return tuple(lines)


def find_last_hash(log: Sequence[LogLine]) -> str:
    """Return the hash of the last line; 64 zeros for an empty log."""
    return log[-1].hash if log else FIRST


def read_lines(documents: Iterable[Mapping[str, Any]], file: str = "") -> tuple[LogLine, ...]:
    """Return the lines of a log from plain data, after following their chain of hashes.

    Raises
    ------
    InputError
        When an entry is no line, or its hash does not fit it and the line before; the first such line is named.
    """
    lines: list[LogLine] = []
    try:
        for document in documents:
            line = LogLine(**document)
            content = {key: value for key, value in document.items() if key != "hash"}
            if (line.n, line.prev, line.hash) != (len(lines) + 1, find_last_hash(lines), _hash_line(content)):
                raise ValueError(line.n)
            lines.append(line)
    except (TypeError, ValueError) as error:
        raise InputError("error.log.broken", file=file, args={"line": len(lines) + 1}) from error
    return tuple(lines)


def read_log(path: Path) -> tuple[LogLine, ...]:
    """Return the log in a file; an empty one where there is no file.

    Raises
    ------
    InputError
        As ``read_lines``, or when the file cannot be read.
    """
    try:
        texts = read_file(path, REPORT).split(b"\n")
    except FileNotFoundError:
        return ()
    except OSError as error:
        raise InputError("error.log.broken", file=str(path), args={"line": 1}) from error
    return read_lines((parse_json(text, REPORT, path) for text in texts if text), str(path))


def to_bytes(log: Sequence[LogLine]) -> bytes:
    """Return a log as the content of its file: a line of JSON for each decision."""
    return b"".join(_to_canonical_json(asdict(line)) + b"\n" for line in log)


def write_log(path: Path, log: Sequence[LogLine]) -> None:
    """Replace a log's file as a whole.

    Raises
    ------
    OSError
        When it cannot be written; the old one stays.
    """
    save_whole(path, to_bytes(log))


def state_of(log: Sequence[LogLine]) -> str:
    """Return ``prepared``, ``approved``, ``refused`` or ``released``, whichever came last; "" for none of them."""
    states = (PREPARED, APPROVED, REFUSED, RELEASED)
    return next((line.event for line in reversed(log) if line.event in states), "")


def _hash_line(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a line's ``prev`` and its canonical text without the hash."""
    return hashlib.sha256(str(content["prev"]).encode("utf-8") + _to_canonical_json(content)).hexdigest()


def _to_canonical_json(content: Mapping[str, Any]) -> bytes:
    """Return a line as JSON with sorted keys and no blanks between them, encoded in UTF-8."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
