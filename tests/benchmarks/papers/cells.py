"""Measured cells: what the functions behind the declarations yield, kept on disk as they come."""

from __future__ import annotations

import ast
import hashlib
import importlib
import inspect
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path

import ppdm_desktop.engine
from ppdm_desktop import __version__

_HERE = "tests.benchmarks.papers"
_END: Mapping[str, object] = {"whole": True}


class NotAtHand(Exception):
    """A data set is not there; the message names it."""


@dataclass(frozen=True)
class Cell:
    """One measured value.

    Attributes
    ----------
    shown, what
        Of which table or figure, and which of its values, as its file calls them.
    value
        Ours.
    line, x
        For a drawing: the curve it is a point of, and where.
    words
        What is said of it beside its value: a verdict, a standard error.
    seconds
        Processor time since the cell before it.
    """

    shown: str
    what: str
    value: float
    line: str = ""
    x: float | None = None
    words: str = ""
    seconds: float = field(default=0.0, compare=False)


@dataclass(frozen=True)
class Asked:
    """What a measured function is asked for.

    Attributes
    ----------
    data
        Folder of the public data sets.
    files
        Files of data sets that are not in the folder, by name.
    seed, quick
        First seed; fewer records, folds, learners and sizes, whose values prove nothing.
    known
        What was reached before: a function may leave it out.
    """

    data: Path
    files: Mapping[str, Path] = field(default_factory=dict)
    seed: int = 0
    quick: bool = False
    known: Mapping[tuple[str, str], Cell] = field(default_factory=dict)

    def missing(self, shown: str, whats: Iterable[str]) -> bool:
        """Say whether one of these is still to be measured."""
        return any((shown, what) not in self.known for what in whats)


Measured = Callable[[Asked], Iterator[Cell]]


@dataclass(frozen=True)
class Head:
    """What a file of cells says of its run.

    Attributes
    ----------
    program, seed, quick
        Version, first seed, and whether the run was only to see that it runs.
    measured_by
        Fingerprint of the modules that measured it (``fingerprint``).
    begun
        The day, as in 2026-11-26; empty in files that do not say.
    """

    program: str
    seed: int
    quick: bool
    measured_by: str = ""
    begun: str = ""

    def is_run_of(self, asked: Asked, measured_by: str) -> bool:
        """Say whether cells of now may be put beside those of the file."""
        return (self.program, self.seed, self.quick, self.measured_by) == (
            __version__,
            asked.seed,
            asked.quick,
            measured_by,
        )


def fingerprint(measured: Measured) -> str:
    """Return what tells one measuring program from another: a hash of its module and of those it takes from here.

    Comments, blank lines and how lines are broken do not count, nor do parts of the engine: these have the version.
    """
    function = measured.func if isinstance(measured, partial) else measured
    found: dict[str, str] = {}
    waiting = [str(function.__module__)]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        source = inspect.getsource(importlib.import_module(name))
        found[name] = " ".join(" ".join(line for line in source.splitlines() if line.lstrip()[:1] != "#").split())
        waiting += [
            module
            for node in ast.walk(ast.parse(source))
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith(_HERE)
            for module in _modules_of(node)
        ]
    text = "\n".join(found[name] for name in sorted(found) if name != __name__)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@cache
def program() -> str:
    """Return which program measures now: its version, and a hash of the engine's code, comments included."""
    engine = Path(ppdm_desktop.engine.__file__).parent
    found = hashlib.sha256()
    for path in sorted(engine.rglob("*.py")):
        found.update(path.relative_to(engine).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return f"{__version__}+{found.hexdigest()[:16]}"


def _modules_of(node: ast.ImportFrom) -> list[str]:
    if node.module != _HERE:
        return [str(node.module)]
    return [f"{_HERE}.{each.name}" for each in node.names]


class CellsFile:
    """A file of cells, a line each; a stopped run goes on from it.

    Raises
    ------
    ValueError
        When it holds cells of another version, seed, size or measuring program.
    """

    def __init__(self, path: Path, asked: Asked, measured_by: str = "") -> None:
        self._path = path
        self.known: dict[tuple[str, str], Cell] = {}
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            day = datetime.now(UTC).date().isoformat()
            self._write(asdict(Head(__version__, asked.seed, asked.quick, measured_by, day)))
            return
        whole, mark, rest = path.read_bytes().rpartition(b"\n")
        head, self.known, _ = _kept(whole)
        if not head.is_run_of(asked, measured_by):
            raise ValueError(f"{path} holds another run: {head}; move it away to measure anew")
        if rest:
            # Cut off while it was written.
            os.truncate(path, len(whole) + len(mark))

    @staticmethod
    def kept(path: Path) -> tuple[Head, tuple[Cell, ...], bool]:
        """Return what a file holds, whatever its run was, and whether that run came to its end."""
        head, known, whole = _kept(path.read_bytes().rpartition(b"\n")[0])
        return head, tuple(known.values()), whole

    def add(self, cell: Cell) -> None:
        """Keep a cell."""
        self.known[cell.shown, cell.what] = cell
        self._write(asdict(cell))

    def end(self) -> None:
        """Note that there is nothing more to measure."""
        self._write(_END)

    def _write(self, document: Mapping[str, object]) -> None:
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(document, ensure_ascii=False) + "\n")


def _kept(text: bytes) -> tuple[Head, dict[tuple[str, str], Cell], bool]:
    first, *lines = [json.loads(line) for line in text.decode("utf-8").splitlines()]
    cells = [Cell(**line) for line in lines if line != _END]
    return Head(**first), {(cell.shown, cell.what): cell for cell in cells}, _END in lines
