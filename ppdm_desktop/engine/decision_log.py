"""The log of decisions on a release: each line contains the hash of the line before, so that an edit is noticed.

Whoever has a signed page that states the length and the last hash of the log can tell that a line before it was
changed. This proves nothing against somebody who rewrites both the log and the papers.
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
    """One decision as a line of the log.

    Attributes
    ----------
    n
        Number of the line, from 1 on.
    at
        UTC time.
    who
        Name as it was entered, without being checked; empty where none was entered.
    event
        What happened, such as ``approved``.
    about, value
        What the decision is about, and what was decided.
    prev, hash
        Hash of the line before, and hash of this line.
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
    """A decision that is not yet in a log; line breaks in its texts are removed when it is added."""

    event: str
    about: str = ""
    value: str = ""


def extend_log(log: Sequence[LogLine], entries: Iterable[Entry], *, at: str, who: str) -> tuple[LogLine, ...]:
    """Return a log with further decisions added at its end, all made at one time by one person.

    Each added line gets the next number and the hash of the line before. In its texts (``who`` among them) every run of
    blanks and line breaks becomes one blank.
    """
    lines = list(log)
    for entry in entries:
        texts = {"who": who, "event": entry.event, "about": entry.about, "value": entry.value}
        cleaned = {key: " ".join(text.split()) for key, text in texts.items()}
        content: dict[str, Any] = {"n": len(lines) + 1, "at": at, **cleaned, "prev": find_last_hash(lines)}
        lines.append(LogLine(**content, hash=_hash_line(content)))
    return tuple(lines)


def find_last_hash(log: Sequence[LogLine]) -> str:
    """Return the hash of the last line; 64 zeros for an empty log."""
    return log[-1].hash if log else FIRST


def read_lines(documents: Iterable[Mapping[str, Any]], file: str = "") -> tuple[LogLine, ...]:
    """Return the lines of a log from plain data, after checking their chain of hashes.

    Raises
    ------
    InputError
        When an entry is not a log line, its number is not the next one from 1 on, or its hash does not match its
        content and the line before; the first such line is named.
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
    """Return the log in a file, after checking its chain of hashes; an empty log where there is no file.

    Raises
    ------
    InputError
        When the file cannot be read, an entry is not a log line, or a hash does not match.
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
    """Write a log to its file, replacing the whole file at once.

    Raises
    ------
    OSError
        When the file cannot be written; the old file is kept.
    """
    save_whole(path, to_bytes(log))


def state_of(log: Sequence[LogLine]) -> str:
    """Return the last of the events ``prepared``, ``approved``, ``refused`` and ``released``; "" if there is none."""
    states = (PREPARED, APPROVED, REFUSED, RELEASED)
    return next((line.event for line in reversed(log) if line.event in states), "")


def _hash_line(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the hash of the line before (``prev``) and the line's JSON without its own hash."""
    return hashlib.sha256(str(content["prev"]).encode("utf-8") + _to_canonical_json(content)).hexdigest()


def _to_canonical_json(content: Mapping[str, Any]) -> bytes:
    """Return a line as JSON with sorted keys and no blanks between them, encoded in UTF-8."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
