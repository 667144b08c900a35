"""What a field of a paper holds: paragraphs and tables, whose texts say where their figures stand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass


@dataclass(frozen=True)
class Cell:
    """A text, the paths in report.json of all figures in it, and whether it needs attention."""

    text: str
    paths: tuple[str, ...] = ()
    is_amber: bool = False


@dataclass(frozen=True)
class Block:
    """A table where it has a head; else paragraphs. ``rows`` holds the texts."""

    rows: tuple[tuple[Cell, ...], ...]
    head: tuple[str, ...] = ()

    @property
    def is_amber(self) -> bool:
        """Return whether one of its texts needs attention."""
        return any(cell.is_amber for row in self.rows for cell in row)

    @property
    def lines(self) -> list[str]:
        """Return all its texts, line by line, without blanks around them."""
        return lines_of("\n".join((*self.head, *(cell.text for row in self.rows for cell in row))))


BLOCKS = TypeAdapter(dict[str, tuple[Block, ...]])
"""Reads and writes blocks by keys as plain data."""


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not empty, each without outer blanks and with single blanks inside."""
    return [line for part in text.split("\n") if (line := " ".join(part.split()))]


def make_paragraph(text: str, *paths: str) -> Block:
    """Return a block of one paragraph; ``paths`` say where its figures stand in report.json."""
    return Block(((Cell(text, paths),),))


def make_table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Block:
    """Return a block that is a table with a head; each row has a cell for every head."""
    return Block(tuple(tuple(row) for row in rows), tuple(head))
