"""Paragraphs and tables of a paper's fields, whose texts name the paths of their figures in report.json."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from pydantic import TypeAdapter
from pydantic.dataclasses import dataclass

_BREAKS = re.compile(r"(?<=-)|[ \n]")
"""Where a line may be broken: not at the spaces inside numbers."""
_WIDTH = 9638
"""Width of the text in twentieths of a point: A4 with margins of 2 cm."""
_LETTER, _CAPITAL, _MARGIN = 102, 130, 240
"""Width of a letter, of a capital, and of a cell's margins."""


@dataclass(frozen=True)
class Cell:
    """A text of a table or paragraph, the paths in report.json of all figures in it, and whether it needs attention."""

    text: str
    paths: tuple[str, ...] = ()
    is_amber: bool = False


@dataclass(frozen=True)
class Block:
    """A table if it has a head, else paragraphs; ``rows`` holds the texts."""

    rows: tuple[tuple[Cell, ...], ...]
    head: tuple[str, ...] = ()

    @property
    def is_amber(self) -> bool:
        """Return whether one of the block's texts needs attention."""
        return any(cell.is_amber for row in self.rows for cell in row)

    @property
    def lines(self) -> list[str]:
        """Return the lines of all texts of the block, the head first, that are not empty; see `lines_of` for blanks."""
        return lines_of("\n".join((*self.head, *(cell.text for row in self.rows for cell in row))))

    @property
    def column_widths(self) -> list[int]:
        """Return the widths of a table's columns, chosen so that words do not break if possible.

        Remaining space goes to columns with longer sentences. The widths, in twentieths of a point, add up to
        at most ``_WIDTH``. Where the longest words of all columns do not fit together, words break in the widest
        columns.
        """
        columns = list(zip(self.head, *((cell.text for cell in row) for row in self.rows), strict=True))
        widest_words = [max(_measure(word) for text in texts for word in _BREAKS.split(text)) for texts in columns]
        # Where they do not fit, a column gets what the others leave, and at least an equal share.
        least = [min(word, max(_WIDTH // len(columns), _WIDTH - sum(widest_words) + word)) for word in widest_words]
        lengths = [1 + sum(len(text) for text in texts if " " in text) for texts in columns]
        spare = _WIDTH - sum(least)
        return [width + spare * length // sum(lengths) for width, length in zip(least, lengths, strict=True)]


def _measure(word: str) -> int:
    """Return the width that a table cell needs to hold a word, in twentieths of a point, margins included."""
    return _MARGIN + sum(_CAPITAL if sign.isupper() else _LETTER for sign in word)


BLOCKS = TypeAdapter(dict[str, tuple[Block, ...]])
"""Reads and writes blocks by keys as plain data."""


def lines_of(text: str) -> list[str]:
    """Return the lines of a text that are not empty, each without outer blanks and with single blanks inside."""
    return [line for part in text.split("\n") if (line := " ".join(part.split()))]


def make_paragraph(text: str, *paths: str) -> Block:
    """Return a block of one paragraph; ``paths`` are the paths of its figures in report.json."""
    return Block(((Cell(text, paths),),))


def make_table(head: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Block:
    """Return a block that is a table with a head; each row has a cell for every head."""
    return Block(tuple(tuple(row) for row in rows), tuple(head))
