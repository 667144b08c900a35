"""Delimited text to codes, a block of records at a time, straight from the bytes.

A block whose quotes all stand where they belong is cut with array operations: positions of
separators, fields packed into 64-bit words, one dictionary look-up for each text that is
new in the block. Any other block goes record by record through the ``csv`` module
(``records.py``); both ways give the same texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.table.column import Codes, Ints

QUOTE, NEWLINE, RETURN = 34, 10, 13
# A field longer than this is taken for an unclosed quote.
LONGEST_FIELD = 2**20
_WORDS = 4
_MASKS = np.array([(1 << (8 * length)) - 1 for length in range(9)], dtype=np.uint64)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)


class ColumnBuilder:
    """Collects one column: its distinct texts in order of appearance and a code a row."""

    def __init__(self) -> None:
        self.index: dict[str, int] = {}
        self._parts: list[Codes] = []

    def add_codes(self, codes: Codes) -> None:
        """Add rows by codes that ``index`` gave."""
        self._parts.append(codes)

    def add_texts(self, texts: Sequence[str]) -> None:
        """Add rows by their texts."""
        index = self.index
        codes = [index.setdefault(text, len(index)) for text in texts]
        self._parts.append(np.array(codes, dtype=np.int32))

    def finish(self) -> tuple[Codes, tuple[str, ...]]:
        """Return the codes of all rows and the texts, and let go of the rest."""
        codes = np.concatenate(self._parts) if self._parts else np.empty(0, dtype=np.int32)
        texts = tuple(self.index)
        self._parts, self.index = [], {}
        return codes, texts


@dataclass(frozen=True, eq=False)
class Block:
    """Whole records of a piece of the file, as positions of their fields.

    Attributes
    ----------
    padded
        The bytes, followed by zeros so that words may be read past the end.
    used
        How many bytes the whole records take.
    starts, stops
        Where each field begins and ends.
    first_field
        For each record its first field; one more at the end.
    quoted
        Whether any quote occurs.
    """

    padded: npt.NDArray[np.uint8]
    used: int
    starts: Ints
    stops: Ints
    first_field: Ints
    quoted: bool

    @property
    def fields(self) -> Ints:
        """Number of fields of each record."""
        return np.diff(self.first_field)

    def blank(self) -> npt.NDArray[np.bool_]:
        """Say which records are empty lines."""
        first = self.first_field[:-1]
        return np.asarray((self.fields == 1) & (self.starts[first] == self.stops[first]))

    def lines_before(self) -> Ints:
        """Return for each record how many lines of the block stand before it."""
        breaks = np.flatnonzero(self.padded[: self.used] == NEWLINE)
        return np.searchsorted(breaks, self.starts[self.first_field[:-1]])

    def lines(self) -> int:
        """Return the number of line ends in the block."""
        return int(np.count_nonzero(self.padded[: self.used] == NEWLINE))


def cut(data: bytes, position: int, stop: int, end: int, delimiter: int) -> Block | None:
    """Cut the whole records out of ``data[position:stop]``; the text ends at ``end``.

    Returns
    -------
    None when the piece holds a quote out of place, a lone carriage return, a very long
    field or no whole record: then the records must be read one by one.
    """
    size = stop - position
    last = stop == end
    padded = np.zeros(size + 8 * (_WORDS + 1) + 1, dtype=np.uint8)
    padded[:size] = np.frombuffer(data, dtype=np.uint8, count=size, offset=position)
    if last and size and padded[size - 1] != NEWLINE:
        padded[size] = NEWLINE
        size += 1
    piece = padded[:size]
    is_break = piece == NEWLINE
    quotes = np.flatnonzero(piece == QUOTE)
    cuts = np.flatnonzero(is_break | (piece == delimiter))
    if len(quotes):
        cuts = cuts[(np.searchsorted(quotes, cuts) & 1) == 0]
    ends = np.flatnonzero(is_break[cuts])
    if not len(ends) or (last and len(quotes) & 1):
        return None
    cuts = cuts[: ends[-1] + 1]
    used = int(cuts[-1]) + 1
    starts = np.empty_like(cuts)
    starts[0] = 0
    starts[1:] = cuts[:-1] + 1
    stops = cuts.copy()
    quotes = quotes[quotes < used]
    if len(quotes) and not _quotes_fit(piece, quotes, delimiter):
        return None
    returns = np.flatnonzero(piece[:used] == RETURN)
    if len(returns):
        if (piece[returns + 1] != NEWLINE).any():
            return None
        at_end = ends[(cuts[ends] > 0) & (piece[cuts[ends] - 1] == RETURN)]
        stops[at_end] -= 1
    if int((stops - starts).max()) > LONGEST_FIELD:
        return None
    first_field = np.concatenate([[0], ends + 1])
    return Block(padded, min(used, stop - position), starts, stops, first_field, bool(len(quotes)))


def _quotes_fit(piece: npt.NDArray[np.uint8], quotes: Ints, delimiter: int) -> bool:
    """Say whether each quote opens a field, closes one, or is doubled inside one."""
    opening, closing = quotes[0::2], quotes[1::2]
    before = piece[opening - 1]
    doubled = np.zeros(len(opening), dtype=np.bool_)
    doubled[1:] = opening[1:] - 1 == closing[: len(opening) - 1]
    sound = (before == delimiter) | (before == NEWLINE) | doubled | (opening == 0)
    if not sound.all():
        return False
    after = piece[np.minimum(closing + 1, len(piece) - 1)]
    reopened = np.zeros(len(closing), dtype=np.bool_)
    reopened[: len(opening) - 1] = (opening[1:] - 1 == closing[: len(opening) - 1])[: len(closing)]
    sound = (after == delimiter) | (after == NEWLINE) | (after == RETURN) | reopened
    return bool(sound.all())


def add_block(block: Block, records: Ints | None, builders: Sequence[ColumnBuilder]) -> None:
    """Add a block's records to the columns.

    Parameters
    ----------
    records
        Which records; None for all. Each has as many fields as there are builders.
    """
    first = block.first_field[:-1] if records is None else block.first_field[records]
    raw = block.padded.tobytes()
    words: npt.NDArray[np.uint64] = np.ndarray(
        shape=(len(block.padded) - 7,), dtype="<u8", buffer=block.padded, strides=(1,)
    )
    for place, builder in enumerate(builders):
        starts, stops = block.starts[first + place], block.stops[first + place]
        found = _distinct(words, starts, stops)
        if found is None:
            builder.add_texts([_text(raw[a:b], block.quoted) for a, b in zip(starts.tolist(), stops.tolist())])
            continue
        firsts, inverse = found
        index = builder.index
        codes = np.empty(len(firsts), dtype=np.int32)
        for rank, (a, b) in enumerate(zip(starts[firsts].tolist(), stops[firsts].tolist())):
            codes[rank] = index.setdefault(_text(raw[a:b], block.quoted), len(index))
        builder.add_codes(codes[inverse])


def _text(raw: bytes, quoted: bool) -> str:
    text = raw.decode("utf-8")
    if quoted and text.startswith('"'):
        return text[1:-1].replace('""', '"')
    return text


def _distinct(words: npt.NDArray[np.uint64], starts: Ints, stops: Ints) -> tuple[Ints, Ints] | None:
    """Find the distinct fields of a column in a block.

    Returns
    -------
    The first row of each distinct field, in order of appearance, and for each row which
    distinct field it has; None when fields are too long for it.
    """
    if not len(starts):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    lengths = stops - starts
    longest = int(lengths.max())
    if longest > 8 * _WORDS:
        return None
    parts = []
    for offset in range(0, max(longest, 1), 8):
        rest = np.clip(lengths - offset, 0, 8) if longest > 8 else lengths
        parts.append(words[starts + offset] & _MASKS[rest])
    key = parts[0]
    for part in parts[1:]:
        key = (key ^ (key >> _SHIFT)) * _MIX + part
    order = np.argsort(key)
    ordered = key[order]
    fresh = np.empty(len(key), dtype=np.bool_)
    fresh[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    group = np.cumsum(fresh) - 1
    firsts = np.minimum.reduceat(order, np.flatnonzero(fresh))
    inverse = np.empty(len(key), dtype=np.int64)
    inverse[order] = group
    if len(parts) > 1 and not all((part == part[firsts][inverse]).all() for part in parts):
        return None  # two different fields share a key: rare, and read the slow way
    by_appearance = np.argsort(firsts)
    rank = np.empty(len(firsts), dtype=np.int64)
    rank[by_appearance] = np.arange(len(firsts))
    return firsts[by_appearance], rank[inverse]
