"""Collecting one column while it is being read: its distinct texts and a code for each row.

Delimited text becomes codes a block of records at a time, straight from the bytes. A block whose quotes are all in
proper places is cut with array operations: positions of separators, fields packed into 64-bit words, one dictionary
look-up for each text that is new in the block. Any other block goes record by record through the ``csv`` module
(``delimited.py``); both ways give the same texts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, groupby

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Codes, Ints, Words, allocate_own_pages

_MIX = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
# Where more of a block's values than this are distinct, looking each up costs more than
# sorting all of them once at the end.
_MANY_SHARE = 0.3
_ENOUGH_ROWS = 4096
_PIECE = 65536
_WAITING_ROWS = 2**20
"""So many rows wait at the most as words where few of their values are distinct: words take eight bytes a row."""


@dataclass(frozen=True, eq=False)
class _Packed:
    """Rows whose fields are kept packed into words until all distinct texts are known."""

    packed: list[Words]
    quoted: bool

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.packed[0])


@dataclass(frozen=True, eq=False)
class _Numbered:
    """Rows whose fields are given by the numbers of their texts."""

    numbers: AnyInts

    def __len__(self) -> int:
        """Return the number of rows."""
        return len(self.numbers)


class ColumnBuilder:
    """Collects the codes and distinct texts of one column, block by block."""

    def __init__(self) -> None:
        """Start a column without rows and without texts."""
        # A text that is new gets the next number by being looked up.
        self._index: defaultdict[str, int] = defaultdict(count().__next__)
        self._parts: list[AnyInts | _Packed | _Numbered] = []
        # Texts of packed rows have numbers of their own until all texts are known.
        self._late: defaultdict[str, int] = defaultdict(count().__next__)
        self._waiting = 0
        self._waits_to_end = False
        self._gathered = self._loose = 0
        self.many_distinct = False

    def codes_of(self, texts: Sequence[str]) -> Codes:
        """Return the codes of some texts, shape (texts,); a text that is new gets the next code."""
        return np.fromiter(map(self._index.__getitem__, texts), dtype=np.int32, count=len(texts))

    def add(self, codes: Codes) -> None:
        """Append rows to the column, given by the codes of their texts in this builder (see `codes_of`)."""
        self._parts.append(_narrow_codes(codes, len(self._index)))
        self._loose += len(codes)
        if self._loose >= _WAITING_ROWS:
            self._join_parts()

    def add_packed(self, fields: list[Words], quoted: bool) -> None:
        """Append rows given by their fields packed into words; their distinct texts are found later.

        A field is one cell's text. ``quoted`` says whether fields may be in quotes, which are then removed. Once a
        million rows wait, the texts of all of them are looked up unless many are distinct, which raises
        UnicodeDecodeError where one is no valid UTF-8.
        """
        self._parts.append(_Packed(fields, quoted))
        self._waiting += len(fields[0])
        if self._waiting >= _WAITING_ROWS and not self._waits_to_end:
            self._number_waiting_rows()

    def note_distinct(self, count: int, rows: int) -> None:
        """Set ``many_distinct`` by whether a block has at least 4,096 rows, and distinct fields in over 30 % as many.

        ``count`` is the number of distinct fields. If so, the fields of later blocks are kept packed.
        """
        self.many_distinct = rows >= _ENOUGH_ROWS and count > _MANY_SHARE * rows

    def finish(self) -> tuple[Codes, tuple[str, ...]]:
        """Return the codes of all rows, in the order in which they were added, and the distinct texts.

        The codes are int32, shape (rows,), and are indices of the texts, which are in no particular order. The builder
        must not be used afterwards. Raises UnicodeDecodeError where a field that was added packed is no valid UTF-8.
        """
        progress.check()
        late_codes = self.codes_of([*progress.each(tuple(self._late))])
        extra = self._assign_waiting_codes()
        codes = np.empty(sum(map(len, self._parts)), dtype=np.int32)
        start = 0
        for index, part in enumerate(self._parts):
            stop = start + len(part)
            codes[start:stop] = late_codes[part.numbers] if isinstance(part, _Numbered) else _to_array(part)
            start = stop
            self._parts[index] = codes[:0]
        texts = (*self._index, *extra)
        self._parts = []
        self._index.clear()
        return codes, texts

    def _number_waiting_rows(self) -> None:
        """Replace the packed fields of waiting rows by the numbers of their texts, in place, to free memory.

        Equal texts have equal numbers, with or without quotes, also in rows that come later; `finish` turns numbers
        into codes. If more than 30 % of the fields are distinct, or in the rare case that two different ones have the
        same hash, nothing is replaced, and all packed rows of the column stay packed until `finish`. Raises
        UnicodeDecodeError where a field is no valid UTF-8.
        """
        places = [index for index, part in enumerate(self._parts) if isinstance(part, _Packed)]
        waiting = [part for part in self._parts if isinstance(part, _Packed)]
        fields = _join_packed_parts(waiting)
        values = find_distinct_fields(fields)
        if values is None or len(values[0]) > _MANY_SHARE * self._waiting:
            # A dictionary of nearly all rows would take more than their words.
            self._waits_to_end = True
            return
        texts = _unpack_texts([part[values[0]] for part in fields])
        if any(part.quoted for part in waiting):
            texts = [unquote_field(text) for text in texts]
        numbers = np.fromiter(map(self._late.__getitem__, texts), dtype=np.int32, count=len(texts))[values[1]]
        for index, rows in zip(places, np.split(numbers, np.cumsum([len(part) for part in waiting])[:-1])):
            self._parts[index] = _Numbered(_narrow_codes(rows, len(self._late)))
        self._waiting = 0
        self._join_parts()

    def _join_parts(self) -> None:
        """Join the parts collected since the last call, in place: neighbours of the same sort become one array.

        The sorts are codes, and numbers that later become codes. Nothing happens while packed parts wait for their
        numbers. Many small arrays between other allocations would keep their memory pages: 1.6 GB for a hundred million
        rows.
        """
        loose = self._parts[self._gathered :]
        if any(isinstance(part, _Packed) for part in loose):
            return  # they are gathered once they have their numbers
        made: list[AnyInts | _Packed | _Numbered] = []
        for numbered, run in groupby(loose, key=lambda part: isinstance(part, _Numbered)):
            arrays = [_to_array(part) for part in run]
            whole = allocate_own_pages(sum(map(len, arrays)), np.result_type(*arrays))
            np.concatenate(arrays, out=whole)
            made.append(_Numbered(whole) if numbered else whole)
        self._parts[self._gathered :] = made
        self._gathered, self._loose = len(self._parts), 0

    def _assign_waiting_codes(self) -> list[str]:
        """Replace packed rows by codes, in place, and return those of their texts that are not in the index.

        The codes of these texts follow those of the index, in the order of the returned list. Where some field is
        quoted, or in the rare case that two different ones have the same hash, the texts are added to the index
        instead, and the list is empty; it is also empty without packed rows.
        """
        waiting = [part for part in self._parts if isinstance(part, _Packed)]
        if not waiting:
            return []
        fields = _join_packed_parts(waiting)
        sizes = [len(part) for part in waiting]
        progress.check()
        values = find_distinct_fields(fields)
        progress.check()
        firsts, inverse = values if values is not None else (np.arange(sum(sizes)), np.arange(sum(sizes)))
        texts = _unpack_texts([part[firsts] for part in fields])
        extra: list[str] = []
        if values is None or any(part.quoted for part in waiting):
            codes = self.codes_of([unquote_field(text) for text in progress.each(texts)])
        else:
            codes = np.array([self._index.get(text, -1) for text in progress.each(texts)], dtype=np.int32)
            progress.check()
            new = np.flatnonzero(codes < 0)
            codes[new] = np.arange(len(self._index), len(self._index) + len(new), dtype=np.int32)
            extra = [texts[index] for index in progress.each(new.tolist())]
        ready = iter(np.split(codes[inverse], np.cumsum(sizes)[:-1]))
        self._parts = [next(ready) if isinstance(part, _Packed) else part for part in self._parts]
        return extra


def _narrow_codes(codes: Codes, most: int) -> AnyInts:
    """Return codes, all of which are below ``most``, in the narrowest of uint8, uint16 and int32 that holds them."""
    return codes.astype(np.uint8 if most <= 2**8 else np.uint16 if most <= 2**16 else np.int32, copy=False)


def _to_array(part: AnyInts | _Packed | _Numbered) -> AnyInts:
    """Return the codes, or the numbers of texts, that a part holds for its rows; packed parts are not allowed."""
    assert not isinstance(part, _Packed)
    return part.numbers if isinstance(part, _Numbered) else part


def _join_packed_parts(parts: Sequence[_Packed]) -> list[Words]:
    """Return the packed words of several parts as those of one, the rows of the parts one after another.

    The result has an array for each word of the longest field; shorter fields are filled up with zeros.
    """
    widest = max(len(part.packed) for part in parts)
    return [
        np.concatenate(
            [part.packed[index] if index < len(part.packed) else np.zeros_like(part.packed[0]) for part in parts]
        )
        for index in range(widest)
    ]


def unquote_field(field: str) -> str:
    """Return a field's text without the quotes around it and with doubled quotes made single.

    A field that does not begin with a quote is returned unchanged.
    """
    return field[1:-1].replace('""', '"') if field.startswith('"') else field


def _unpack_texts(packed: list[Words]) -> list[str]:
    """Return the texts of fields that are packed into words, with eight bytes of UTF-8 in each word, in order.

    Zeros at the end of a field are dropped. Raises UnicodeDecodeError where a field is no valid UTF-8.
    """
    texts: list[str] = []
    for start in range(0, len(packed[0]), _PIECE):
        progress.check()
        piece = np.stack([part[start : start + _PIECE] for part in packed], axis=1).astype("<u8", copy=False)
        fields = piece.view(f"S{8 * len(packed)}")[:, 0]
        if (piece & np.uint64(0x8080808080808080)).any():
            texts += [field.decode("utf-8") for field in fields.tolist()]
        else:
            texts += fields.astype(f"U{8 * len(packed)}").tolist()
    return texts


def find_distinct_fields(fields: list[Words]) -> tuple[Ints, Ints] | None:
    """Return the rows at which the distinct ones of packed fields first occur, and which of them each row has.

    Returns
    -------
    The row at which each distinct field first occurs, rising, and for each row the index of its field among these: rows
    7, 3, 7 give [0, 1] and [0, 1, 0]. None in the rare case that two different fields have the same hash.
    """
    key = fields[0]
    if not len(key):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    for part in fields[1:]:
        key = (key ^ (key >> _SHIFT)) * _MIX + part
    order = np.argsort(key)
    progress.check()
    ordered = key[order]
    fresh = np.empty(len(key), dtype=np.bool_)
    fresh[0] = True
    np.not_equal(ordered[1:], ordered[:-1], out=fresh[1:])
    for part in fields if len(fields) > 1 else ():
        progress.check()
        ordered = part[order]
        if not ((ordered[1:] == ordered[:-1]) | fresh[1:]).all():
            return None
    progress.check()
    firsts = np.minimum.reduceat(order, np.flatnonzero(fresh))
    inverse = np.empty(len(key), dtype=np.int64)
    inverse[order] = np.cumsum(fresh) - 1
    progress.check()
    by_appearance = np.argsort(firsts)
    rank = np.empty(len(firsts), dtype=np.int64)
    rank[by_appearance] = np.arange(len(firsts))
    return firsts[by_appearance], rank[inverse]


QUOTE, NEWLINE, RETURN = 34, 10, 13
# A field longer than this is taken for an unclosed quote.
LONGEST_FIELD = 2**20
_MOST_WORDS = 4
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
        For each record the index of its first field; one more at the end.
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
        """Return for each record how many line ends come before it in the block, shape (records,)."""
        breaks = np.flatnonzero(self.padded[: self.used] == NEWLINE)
        return np.searchsorted(breaks, self.starts[self.first_field[:-1]])

    def lines(self) -> int:
        """Return the number of line ends in the block, those inside quoted fields included."""
        return int(np.count_nonzero(self.padded[: self.used] == NEWLINE))


def locate_record_fields(data: bytes, position: int, stop: int, end: int, delimiter: int) -> Block | None:
    """Return the positions of the fields of all whole records in ``data[position:stop]``, counted from ``position``.

    A field's quotes belong to it; the carriage return before a line break does not.

    Parameters
    ----------
    data
        The text of the file, which ends at ``end``.
    position, stop
        The piece of the text; a record must begin at ``position``.
    end
        Where the text ends in ``data``. A piece that ends there needs no line break after its last record.
    delimiter
        The byte that separates fields.

    Returns
    -------
    None when the piece holds a quote out of place, a lone carriage return, a field of more than 1 MiB or no whole
    record; then the records must be read one by one.
    """
    size = stop - position
    last = stop == end
    padded = np.zeros(size + 8 * (_MOST_WORDS + 1) + 1, dtype=np.uint8)
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
    if len(quotes) and not _has_sound_quotes(piece, quotes, delimiter):
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


def _has_sound_quotes(piece: npt.NDArray[np.uint8], quotes: Ints, delimiter: int) -> bool:
    """Return whether every quote opens a field, closes one, or is doubled inside one.

    ``quotes`` are the positions of all quotes in ``piece``, rising; ``delimiter`` is the byte that separates fields.
    """
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
    """Add the fields of a block's records to the builders of the columns, in place.

    Each builder also learns whether many of its fields were distinct, in which case those of later blocks are added
    packed, unless one is longer than 32 bytes. Raises UnicodeDecodeError where a field is no valid UTF-8; in columns
    with many distinct texts this may come later, from a later block or from ``finish``.

    Parameters
    ----------
    block
        Whole records of a piece of the file.
    records
        Indices of the records to add; None for all. Each has as many fields as there are builders.
    builders
        One for each column, in order.
    """
    first = block.first_field[:-1] if records is None else block.first_field[records]
    raw = block.padded[: block.used].tobytes()
    # In pure ASCII a position in the bytes is a position in the text.
    data = raw.decode("ascii") if raw.isascii() else raw
    packed_bytes: Words = np.ndarray(shape=(len(block.padded) - 7,), dtype="<u8", buffer=block.padded, strides=(1,))
    few = len(first) < _FEW
    for index, builder in enumerate(builders):
        starts, stops = block.starts[first + index], block.stops[first + index]
        packed = None if few and not builder.many_distinct else _pack_fields(packed_bytes, starts, stops)
        if packed is not None and builder.many_distinct:
            builder.add_packed(packed, block.quoted)
            continue
        values = find_distinct_fields(packed) if packed is not None else None
        if values is not None:
            starts, stops = starts[values[0]], stops[values[0]]
        texts = _slice_texts(data, starts, stops)
        codes = builder.codes_of([unquote_field(text) for text in texts] if block.quoted else texts)
        if values is None:
            builder.add(codes)
        else:
            builder.add(codes[values[1]])
            builder.note_distinct(len(texts), len(values[1]))


def _slice_texts(data: str | bytes, starts: Ints, stops: Ints) -> list[str]:
    """Return the text of each field from its start and stop position in ``data``, which is UTF-8 if it is bytes.

    Raises UnicodeDecodeError where a field is no valid UTF-8.
    """
    spans = zip(starts.tolist(), stops.tolist())
    if isinstance(data, str):
        return [data[start:stop] for start, stop in spans]
    return [data[start:stop].decode("utf-8") for start, stop in spans]


def _pack_fields(packed_bytes: Words, starts: Ints, stops: Ints) -> list[Words] | None:
    """Return a column's fields packed into 64-bit words, a list of arrays of shape (fields,); None if one is too long.

    ``packed_bytes`` has the eight bytes from each position as one word; ``starts`` and ``stops`` (exclusive) are the
    positions of the fields, shape (fields,). The list has one array for each eight bytes of the longest field, at least
    one and at most four: 32 bytes fit. Text has no NUL bytes, so two fields filled up with zeros have
    the same words only if they are the same.
    """
    lengths = stops - starts
    longest = int(lengths.max(initial=0))
    if longest > 8 * _MOST_WORDS:
        return None
    if longest <= 8:
        return [packed_bytes[starts] & _MASKS[lengths]]
    return [packed_bytes[starts + offset] & _MASKS[np.clip(lengths - offset, 0, 8)] for offset in range(0, longest, 8)]
