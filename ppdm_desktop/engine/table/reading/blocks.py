"""Delimited text to codes, a block of records at a time, straight from the bytes.

A block whose quotes all stand where they belong is cut with array operations: positions of
separators, fields packed into 64-bit words, one dictionary look-up for each text that is
new in the block. Any other block goes record by record through the ``csv`` module
(``delimited.py``); both ways give the same texts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.arrays import Bools, Ints, Words
from ppdm_desktop.engine.table.reading.column_builder import ColumnBuilder, distinct, unquoted

QUOTE, NEWLINE, RETURN = 34, 10, 13
# A field longer than this is taken for an unclosed quote.
LONGEST_FIELD = 2**20
_WORDS = 4
# So few fields of a column are looked up one by one sooner than the distinct ones are found.
_FEW = 128
_MASKS = np.array([(1 << (8 * length)) - 1 for length in range(9)], dtype=np.uint64)


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
        """Return the number of fields of each record, shape (records,)."""
        return np.diff(self.first_field)

    def blank(self) -> Bools:
        """Return which records are empty lines, bool, shape (records,)."""
        first = self.first_field[:-1]
        return np.asarray((self.fields == 1) & (self.starts[first] == self.stops[first]))

    def lines_before(self) -> Ints:
        """Return for each record how many lines of the block stand before it, shape (records,)."""
        breaks = np.flatnonzero(self.padded[: self.used] == NEWLINE)
        return np.searchsorted(breaks, self.starts[self.first_field[:-1]])

    def lines(self) -> int:
        """Return the number of line ends in the block."""
        return int(np.count_nonzero(self.padded[: self.used] == NEWLINE))


def cut(data: bytes, position: int, stop: int, end: int, delimiter: int) -> Block | None:
    """Return the whole records of ``data[position:stop]`` as positions of fields; the text ends at ``end``.

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
    """Return whether every quote opens a field, closes one, or is doubled inside one."""
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
    """Add the fields of a block's records to the builders of the columns.

    Parameters
    ----------
    records
        Which records; None for all. Each has as many fields as there are builders.
    """
    first = block.first_field[:-1] if records is None else block.first_field[records]
    raw = block.padded[: block.used].tobytes()
    # In pure ASCII a position in the bytes is a position in the text.
    data = raw.decode("ascii") if raw.isascii() else raw
    packed_bytes: Words = np.ndarray(shape=(len(block.padded) - 7,), dtype="<u8", buffer=block.padded, strides=(1,))
    few = len(first) < _FEW
    for index, builder in enumerate(builders):
        starts, stops = block.starts[first + index], block.stops[first + index]
        packed = None if few and not builder.many_distinct else _pack(packed_bytes, starts, stops)
        if packed is not None and builder.many_distinct:
            builder.add_packed(packed, block.quoted)
            continue
        values = distinct(packed) if packed is not None else None
        if values is not None:
            starts, stops = starts[values[0]], stops[values[0]]
        texts = _texts_between(data, starts, stops)
        codes = builder.codes_of([unquoted(text) for text in texts] if block.quoted else texts)
        if values is None:
            builder.add(codes)
        else:
            builder.add(codes[values[1]])
            builder.note_distinct(len(texts), len(values[1]))


def _texts_between(data: str | bytes, starts: Ints, stops: Ints) -> list[str]:
    """Return the text of each field from its start and stop position."""
    spans = zip(starts.tolist(), stops.tolist())
    if isinstance(data, str):
        return [data[start:stop] for start, stop in spans]
    return [data[start:stop].decode("utf-8") for start, stop in spans]


def _pack(packed_bytes: Words, starts: Ints, stops: Ints) -> list[Words] | None:
    """Return a column's fields packed into 64-bit words; None when a field is too long for it.

    Text has no NUL bytes, so two fields filled up with zeros are the same words only if they are the same field.
    """
    lengths = stops - starts
    longest = int(lengths.max(initial=0))
    if longest > 8 * _WORDS:
        return None
    if longest <= 8:
        return [packed_bytes[starts] & _MASKS[lengths]]
    return [packed_bytes[starts + offset] & _MASKS[np.clip(lengths - offset, 0, 8)] for offset in range(0, longest, 8)]
