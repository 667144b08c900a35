"""The only functions by which the program opens files: recipe, key, list, ledger, project, settings, released table.

A file must be an ordinary one of at most the size allowed for its kind, and is read within a limited time. Files that
another file names (a recipe its hierarchies, a project its original) are opened only inside expected folders.
"""

from __future__ import annotations

import _thread
import json
import math
import os
import re
import stat
import threading
import time
import tomllib
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from ppdm_desktop.engine.errors import InputError

_MIB = 2**20
_PIECE = 2**20
_SECONDS_BASE, _SECONDS_PER_MIB = 15.0, 0.5
_SECONDS_TO_BEGIN = 5.0
_Result = TypeVar("_Result")


@dataclass(frozen=True)
class Kind:
    """The limits for files of one kind.

    Attributes
    ----------
    largest
        Largest size in bytes.
    deepest
        How many lists and tables may be nested inside one another.
    """

    largest: int
    deepest: int = 32


RECIPE = Kind(8 * _MIB)
SECRET = Kind(4096)
"""A key, or a recipient's secret."""
HIERARCHY = Kind(64 * _MIB)
LEDGER = Kind(64 * _MIB)
PROJECT = Kind(16 * _MIB)
PROJECT_SUFFIX = ".ppdm"
SETTINGS = Kind(_MIB)
FORM = Kind(_MIB)
PAPER = Kind(64 * _MIB)
"""A paper that people filled in with another program."""
MANIFEST = Kind(8 * _MIB)
REPORT = Kind(256 * _MIB, deepest=64)
"""report.json, and what else ``internal/`` keeps as JSON."""
ROWS = Kind(256 * _MIB)
"""The rows of a range that was tried."""
RELEASED = Kind(4096 * _MIB)
"""A data file, and what else an earlier release is made of."""
PART_OF_PROGRAM = Kind(1024 * _MIB)
"""A file of the delivered program, read to be compared with the shipped list."""

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"]
    + [f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"]
)
_TWO = re.compile(r"[\\/]{2}")
_LONG = re.compile(r"[\\/]{2}\?[\\/][A-Za-z]:[\\/]")
"""How Windows spells a long path of a disk."""
_SPACE = re.compile(r"[\\/]{2}[.?][\\/](?P<network>UNC[\\/])?", re.IGNORECASE)
"""How Windows spells what is no folder: devices, and the network once more."""


class Refused(Exception):
    """Raised for a path or file that must not be opened; its argument is the id of the message with the reason."""

    def __init__(self, id: str) -> None:
        """Store the message's id as ``id``."""
        super().__init__(id)
        self.id = id


# --- the path ----------------------------------------------------------------------------------


def leads_to_network(path: str | Path) -> bool:
    r"""Return whether a path, as it is written, leads over the network; this is decided without asking the system.

    It does for ``\\host``, ``//host`` and ``\\?\UNC\host``, but not for a disk of this computer in its long spelling
    (``\\?\C:\``), a device (``\\.\``), or a drive letter, which may lead to a network drive nevertheless.
    """
    text = os.fspath(path)
    if not _TWO.match(text) or _LONG.match(text):
        return False
    space = _SPACE.match(text)
    return space is None or space["network"] is not None


def check_path(path: Path, *, chosen: bool = True) -> None:
    r"""Raise Refused for a path that cannot be a file on this computer, before the system is asked.

    That is one with a control character, one of a device (``\\.\``, or on Windows a name such as ``con`` or
    ``CON.txt``), and, unless a person chose it, one that leads over the network.

    Parameters
    ----------
    path
        The path as it was given.
    chosen
        Whether a person chose it; then it may lie on a network drive.

    Raises
    ------
    Refused
        With the id of the message that says why.
    """
    text = os.fspath(path)
    if any(unicodedata.category(sign) == "Cc" for sign in text):
        raise Refused("error.read.odd-name")
    if leads_to_network(text):
        if not chosen:
            raise Refused("error.read.network-path")
    elif _SPACE.match(text) and not _LONG.match(text):
        raise Refused("error.read.not-a-file")
    if os.name == "nt" and path.name.split(".")[0].rstrip(" ").casefold() in _DEVICES:
        raise Refused("error.read.not-a-file")


def check_inside(path: Path, folder: Path) -> None:
    """Raise Refused for a file outside a folder, by its path as written or after symbolic links are followed.

    The folder itself counts as inside; neither path has to exist.

    Raises
    ------
    Refused
        With the id of the message that says why.
    """
    # By its spelling first: a look at a path on the network would already send this person's name there.
    if not Path(os.path.abspath(path)).is_relative_to(os.path.abspath(folder)):
        raise Refused("error.read.network-path" if leads_to_network(path) else "error.read.outside")
    if not Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder)):
        raise Refused("error.read.outside")


def open_regular(path: Path) -> int:
    """Return the descriptor of an ordinary file, opened for reading; the caller has to close it.

    That it is ordinary is checked before and after opening, so that opening never waits for a pipe. Symbolic links are
    followed.

    Raises
    ------
    Refused
        For a folder, a pipe, a device.
    OSError, ValueError
        The system's own errors.
    """
    flags = os.O_RDONLY
    for name in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NONBLOCK"):
        flags |= getattr(os, name, 0)
    # Before opening, because opening a device may already do something.
    _check_regular(os.stat(path).st_mode)
    descriptor = os.open(path, flags)
    try:
        _check_regular(os.fstat(descriptor).st_mode)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_regular(mode: int) -> None:
    """Raise Refused unless a file's mode (``st_mode``) is that of an ordinary file."""
    if stat.S_ISDIR(mode):
        raise Refused("error.read.folder")
    if not stat.S_ISREG(mode):
        raise Refused("error.read.not-a-file")


# --- the bytes ---------------------------------------------------------------------------------


def read_file(path: Path, kind: Kind, *, chosen: bool = True, within: Path | None = None) -> bytes:
    """Return the bytes of a file, after checking it against the limits of its kind.

    Parameters
    ----------
    path
        The file.
    kind
        The kind of file, with its limits.
    chosen
        Whether a person chose the path; otherwise it must not lead over the network. Without effect if ``within`` is
        given.
    within
        The folder in which the file must lie, for a path that another file names; it may lead over the network only if
        it is written as a path in this folder. None allows any folder.

    Raises
    ------
    InputError
        When it is no file that may be opened, is too large, or takes too long; names the file.
    OSError
        When it does not exist or cannot be read.
    """
    try:
        check_path(path, chosen=(chosen and within is None) or _is_spelt_inside(path, within))
        return _run_in_time(lambda until: _read_bytes(path, kind, within, until), path, kind)
    except Refused as refused:
        raise InputError(refused.id, file=str(path)) from refused
    except ValueError as error:  # a name that the system's encoding does not have
        raise InputError("error.read.odd-name", file=str(path)) from error


def _is_spelt_inside(path: Path, within: Path | None) -> bool:
    """Return whether a path, as it is written, is the folder ``within`` or lies in it; False without a folder."""
    return within is not None and Path(os.path.abspath(path)).is_relative_to(os.path.abspath(within))


def _read_bytes(path: Path, kind: Kind, within: Path | None, until: float) -> bytes:
    """Return the bytes of a file; raise InputError if it is too large, or takes longer than the moment ``until``.

    ``until`` is a time of ``time.monotonic``. Raises Refused for a file that is not ordinary, or lies outside
    ``within`` if that is given, and OSError if it cannot be opened or read.
    """
    if within is not None:
        check_inside(path, within)
    descriptor = open_regular(path)
    try:
        data = bytearray()
        # What stands in no folder's list (as below /proc) says a size of 0: read and see.
        if os.fstat(descriptor).st_size > kind.largest:
            raise _make_too_large_error(path, kind)
        while piece := os.read(descriptor, _PIECE):
            data += piece
            if len(data) > kind.largest:
                raise _make_too_large_error(path, kind)
            if time.monotonic() > until:
                raise _make_too_slow_error(path)
        return bytes(data)
    finally:
        os.close(descriptor)


def _make_too_large_error(path: Path, kind: Kind) -> InputError:
    """Return the error for a file larger than its kind may be; it names that limit in MiB, at least 1."""
    return InputError("error.read.too-large", file=str(path), args={"most": max(kind.largest // _MIB, 1)})


def _make_too_slow_error(path: Path) -> InputError:
    """Return the error for a file that takes too long to read."""
    return InputError("error.read.too-slow", file=str(path))


def _run_in_time(work: Callable[[float], _Result], path: Path, kind: Kind) -> _Result:
    """Return the result of ``work``, which runs in a thread; raise InputError when its time is over.

    The time is 15 seconds, and half a second for each MiB that files of the kind may have, since a dead network drive
    could otherwise block the program for ever. ``work`` gets the moment at which its time ends; its errors are raised
    here. Work whose time is over goes on in its thread, and its result is lost. If no thread can be started within five
    seconds, the work is done in the caller's thread, where only ``work`` itself can end it.
    """
    seconds = _SECONDS_BASE + _SECONDS_PER_MIB * kind.largest / _MIB
    outcome: list[_Result | BaseException] = []
    begun, over = threading.Event(), threading.Event()

    def run() -> None:
        """Do the work and store its result or its error."""
        begun.set()
        try:
            outcome.append(work(time.monotonic() + seconds))
        except BaseException as error:
            outcome.append(error)
        over.set()

    # A thread can end for want of memory before its first line; ``Thread.start`` would wait for that line for ever.
    try:
        _thread.start_new_thread(run, ())
    except (RuntimeError, MemoryError):  # a starved machine has no room for one more
        return work(time.monotonic() + seconds)
    if not begun.wait(_SECONDS_TO_BEGIN):
        return work(time.monotonic() + seconds)
    over.wait(seconds)
    if not outcome:
        raise _make_too_slow_error(path)
    result = outcome[0]
    if isinstance(result, BaseException):
        raise result
    return result


# --- what they say -----------------------------------------------------------------------------


def read_json(path: Path, kind: Kind, *, chosen: bool = True) -> Any:
    """Return the content of a JSON file, after checking it against the limits of its kind.

    Raises
    ------
    InputError
        When it is no file that may be opened, is too large, takes too long, or is nested too deeply; names the file.
    OSError
        When it does not exist or cannot be read.
    ValueError
        When it is not JSON.
    """
    return parse_json(read_file(path, kind, chosen=chosen), kind, path)


def parse_json(data: bytes, kind: Kind, path: Path) -> Any:
    """Return the content of JSON data in UTF-8; ``path`` is the file that errors name.

    Raises
    ------
    InputError
        When it is nested deeper than its kind may be.
    ValueError
        When it is not UTF-8 or not JSON, or holds half of a surrogate pair, NaN, or a number that is not finite.
    """
    text = data.decode("utf-8")
    if _count_json_depth(text, kind.deepest) > kind.deepest:
        raise _make_too_deep_error(path, kind)
    document = json.loads(text, parse_constant=_refuse_non_number, parse_float=_parse_finite_number)
    if "\\u" in text:
        # Half a sign by its number passes the parser and fails wherever it is written.
        json.dumps(document, ensure_ascii=False).encode("utf-8")
    return document


def _refuse_non_number(text: str) -> float:
    """Raise ValueError always; it is called for NaN and infinity, which JSON does not have."""
    raise ValueError(f"{text} is no number")


def _parse_finite_number(text: str) -> float:
    """Return a number as float; raise ValueError for one that is too large to be finite."""
    number = float(text)
    return number if math.isfinite(number) else _refuse_non_number(text)


def parse_toml(text: str, kind: Kind, path: Path) -> dict[str, Any]:
    """Return the content of a TOML text; ``path`` is the file that errors name.

    Raises
    ------
    InputError
        When it is nested deeper than its kind may be.
    ValueError
        When it is not TOML.
    """
    if _count_toml_depth(text, kind.deepest) > kind.deepest:
        raise _make_too_deep_error(path, kind)
    return tomllib.loads(text)


def _make_too_deep_error(path: Path, kind: Kind) -> InputError:
    """Return the error for a file that is nested too deeply; it names the limit of the file's kind."""
    return InputError("error.read.too-deep", file=str(path), args={"most": kind.deepest})


_JSON_PART = re.compile(r'"(?:[^"\\]|\\.)*+(?:"|\Z)|[\[{]|[\]}]', re.DOTALL)
_TOML_PART = re.compile(
    r'"""(?:[^\\]|\\.)*?(?:"""|\Z)' + r"|'''.*?(?:'''|\Z)"
    r'|"(?:[^"\\\n]|\\.)*+(?:"|$)' + r"|'[^'\n]*+(?:'|$)" + r"|\#[^\n]*|[\[{]|[\]}]|\.|[\n=,]",
    re.DOTALL | re.MULTILINE,
)


def _count_json_depth(text: str, enough: int) -> int:
    """Return how deeply lists and objects of a JSON text are nested, 0 for a number and 1 for a list of numbers.

    Brackets inside strings do not count. Counting stops at ``enough`` + 1.
    """
    depth = deepest = 0
    for part in _JSON_PART.finditer(text):
        if (sign := part[0]) in ("[", "{"):
            depth += 1
            deepest = max(deepest, depth)
            if deepest > enough:
                break
        elif sign in ("]", "}"):
            depth -= 1
    return deepest


def _count_toml_depth(text: str, enough: int) -> int:
    """Return how deeply a TOML text is nested, by brackets or by the parts of one key (``a.b.c`` adds 2).

    Strings and comments do not count. The point of a number counts like that of a key, so that the result can be 1 too
    high: 1 for ``x = 1.5``. Counting stops at ``enough`` + 1.
    """
    depth = deepest = parts = 0
    for part in _TOML_PART.finditer(text):
        sign = part[0]
        if sign in ("[", "{"):
            depth, parts = depth + 1, 0
        elif sign in ("]", "}"):
            depth = max(depth - 1, 0)
        elif sign == ".":
            parts += 1
        elif sign in ("\n", "=", ","):
            parts = 0
        deepest = max(deepest, depth, depth + parts)
        if deepest > enough:
            break
    return deepest
