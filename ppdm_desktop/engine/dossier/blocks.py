"""What a field of a paper holds: paragraphs, lists and tables, whose texts say where their figures stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Cell:
    """A text, the paths in report.json of all figures in it, and whether it needs attention."""

    text: str
    paths: tuple[str, ...] = ()
    is_amber: bool = False

    def document(self) -> dict[str, Any]:
        """Return the cell as plain data."""
        amber = {"amber": True} if self.is_amber else {}
        return {"text": self.text, "paths": list(self.paths), **amber}


@dataclass(frozen=True)
class Block:
    """A table where it has a head; a list where it is ``listed``; else paragraphs. ``rows`` holds the texts."""

    rows: tuple[tuple[Cell, ...], ...]
    head: tuple[str, ...] = ()
    listed: bool = False

    def document(self) -> dict[str, Any]:
        """Return the block as plain data."""
        rows = [[cell.document() for cell in row] for row in self.rows]
        return {"head": list(self.head), "listed": self.listed, "rows": rows}

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Block:
        """Return the block that was written as plain data."""
        rows = (
            tuple(Cell(cell["text"], tuple(cell["paths"]), cell.get("amber", False)) for cell in row)
            for row in document["rows"]
        )
        return cls(tuple(rows), tuple(document["head"]), document["listed"])

    @property
    def lines(self) -> list[str]:
        """Return all its texts, line by line, without blanks around them."""
        return lines_of("\n".join((*self.head, *(cell.text for row in self.rows for cell in row))))


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not empty, without superfluous blanks."""
    return [line for part in text.split("\n") if (line := " ".join(part.split()))]


def paragraph(text: str, *paths: str) -> Block:
    """Return one paragraph."""
    return Block(((Cell(text, paths),),))


def listing(texts: Iterable[str], *paths: str) -> Block:
    """Return a list of texts."""
    return Block(tuple((Cell(text, paths),) for text in texts), listed=True)


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Block:
    """Return a table with a head."""
    return Block(tuple(tuple(row) for row in rows), tuple(head))
