"""Measured cells: what the functions behind the declarations yield, kept on disk as they come."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

from ppdm_desktop import __version__


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


class CellsFile:
    """A file of cells, a line each; a stopped run goes on from it.

    Raises
    ------
    ValueError
        When it holds cells of another version, seed or size.
    """

    def __init__(self, path: Path, asked: Asked) -> None:
        self._path = path
        self.known: dict[tuple[str, str], Cell] = {}
        head = {"program": __version__, "seed": asked.seed, "quick": asked.quick}
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write(head)
            return
        whole, mark, rest = path.read_bytes().rpartition(b"\n")
        lines = [json.loads(line) for line in whole.decode("utf-8").splitlines()]
        if not lines or lines[0] != head:
            raise ValueError(f"{path} holds another run: {lines[:1]} instead of {head}")
        if rest:
            # Cut off while it was written.
            os.truncate(path, len(whole) + len(mark))
        for line in lines[1:]:
            cell = Cell(**line)
            self.known[cell.shown, cell.what] = cell

    def add(self, cell: Cell) -> None:
        """Keep a cell."""
        self.known[cell.shown, cell.what] = cell
        self._write(asdict(cell))

    def _write(self, document: Mapping[str, object]) -> None:
        with self._path.open("a", encoding="utf-8", newline="\n") as file:
            file.write(json.dumps(document, ensure_ascii=False) + "\n")
