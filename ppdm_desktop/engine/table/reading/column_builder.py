"""One column while it is being read: its distinct texts and a code for each row."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, groupby

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Codes, Ints, Words, own_pages

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
    """Rows whose fields wait packed into words until all distinct texts are known."""

    packed: list[Words]
    quoted: bool

    def __len__(self) -> int:
        return len(self.packed[0])


@dataclass(frozen=True, eq=False)
class _Numbered:
    """Rows whose fields are known by the numbers of their texts."""

    numbers: AnyInts

    def __len__(self) -> int:
        return len(self.numbers)


class ColumnBuilder:
    """Collects the codes and distinct texts of one column, block by block."""

    def __init__(self) -> None:
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
        """Return the codes of some texts; a new text gets the next code."""
        return np.fromiter(map(self._index.__getitem__, texts), dtype=np.int32, count=len(texts))

    def add(self, codes: Codes) -> None:
        """Append rows given by their codes."""
        self._parts.append(_narrow(codes, len(self._index)))
        self._loose += len(codes)
        if self._loose >= _WAITING_ROWS:
            self._gather()

    def add_packed(self, fields: list[Words], quoted: bool) -> None:
        """Append rows given by fields packed into words; fields may stand in quotes if ``quoted``."""
        self._parts.append(_Packed(fields, quoted))
        self._waiting += len(fields[0])
        if self._waiting >= _WAITING_ROWS and not self._waits_to_end:
            self._number_waiting()

    def note_distinct(self, count: int, rows: int) -> None:
        """Record how many of a block's rows are distinct, which decides how rows are kept."""
        self.many_distinct = rows >= _ENOUGH_ROWS and count > _MANY_SHARE * rows

    def finish(self) -> tuple[Codes, tuple[str, ...]]:
        """Return the codes of all rows and the distinct texts, and release all other memory."""
        progress.check()
        later = self._late_codes()
        extra = self._resolve()
        codes = np.empty(sum(map(len, self._parts)), dtype=np.int32)
        start = 0
        for index, part in enumerate(self._parts):
            stop = start + len(part)
            codes[start:stop] = later[part.numbers] if isinstance(part, _Numbered) else _array(part)
            start = stop
            self._parts[index] = codes[:0]
        texts = (*self._index, *extra)
        self._parts = []
        self._index.clear()
        return codes, texts

    def _number_waiting(self) -> None:
        """Replace the packed fields of waiting rows by codes, to free memory, unless most of the rows differ."""
        places = [index for index, part in enumerate(self._parts) if isinstance(part, _Packed)]
        waiting = [part for part in self._parts if isinstance(part, _Packed)]
        fields = _side_by_side(waiting)
        values = distinct(fields)
        if values is None or len(values[0]) > _MANY_SHARE * self._waiting:
            # A dictionary of nearly all rows would take more than their words.
            self._waits_to_end = True
            return
        texts = _texts([part[values[0]] for part in fields])
        if any(part.quoted for part in waiting):
            texts = [unquoted(text) for text in texts]
        numbers = np.fromiter(map(self._late.__getitem__, texts), dtype=np.int32, count=len(texts))[values[1]]
        for index, rows in zip(places, np.split(numbers, np.cumsum([len(part) for part in waiting])[:-1])):
            self._parts[index] = _Numbered(_narrow(rows, len(self._late)))
        self._waiting = 0
        self._gather()

    def _gather(self) -> None:
        """Join the parts collected since the last call into one array.

        Many small arrays between other allocations would keep their memory pages: of a hundred million rows 1.6 GB.
        """
        loose = self._parts[self._gathered :]
        if any(isinstance(part, _Packed) for part in loose):
            return  # they are gathered once they have their numbers
        made: list[AnyInts | _Packed | _Numbered] = []
        for numbered, run in groupby(loose, key=lambda part: isinstance(part, _Numbered)):
            arrays = [_array(part) for part in run]
            whole = own_pages(sum(map(len, arrays)), np.result_type(*arrays))
            np.concatenate(arrays, out=whole)
            made.append(_Numbered(whole) if numbered else whole)
        self._parts[self._gathered :] = made
        self._gathered, self._loose = len(self._parts), 0

    def _late_codes(self) -> Codes:
        """Return the code of each numbered text; texts that are not in the index yet get the next codes."""
        return self.codes_of([*progress.each(tuple(self._late))])

    def _resolve(self) -> list[str]:
        """Give the waiting rows their codes; return their texts that are not in the index yet."""
        waiting = [part for part in self._parts if isinstance(part, _Packed)]
        if not waiting:
            return []
        fields = _side_by_side(waiting)
        sizes = [len(part) for part in waiting]
        progress.check()
        values = distinct(fields)
        progress.check()
        firsts, inverse = values if values is not None else (np.arange(sum(sizes)), np.arange(sum(sizes)))
        texts = _texts([part[firsts] for part in fields])
        extra: list[str] = []
        if values is None or any(part.quoted for part in waiting):
            codes = self.codes_of([unquoted(text) for text in progress.each(texts)])
        else:
            codes = np.array([self._index.get(text, -1) for text in progress.each(texts)], dtype=np.int32)
            progress.check()
            new = np.flatnonzero(codes < 0)
            codes[new] = np.arange(len(self._index), len(self._index) + len(new), dtype=np.int32)
            extra = [texts[index] for index in progress.each(new.tolist())]
        ready = iter(np.split(codes[inverse], np.cumsum(sizes)[:-1]))
        self._parts = [next(ready) if isinstance(part, _Packed) else part for part in self._parts]
        return extra


def _narrow(codes: Codes, most: int) -> AnyInts:
    """Return codes in the narrowest integer type that holds values up to ``most``."""
    return codes.astype(np.uint8 if most <= 2**8 else np.uint16 if most <= 2**16 else np.int32, copy=False)


def _array(part: AnyInts | _Packed | _Numbered) -> AnyInts:
    """Return the code of each row of a part, or the number of its text."""
    assert not isinstance(part, _Packed)
    return part.numbers if isinstance(part, _Numbered) else part


def _side_by_side(parts: Sequence[_Packed]) -> list[Words]:
    """Return the words of several parts as one; shorter fields are filled up with zeros."""
    widest = max(len(part.packed) for part in parts)
    return [
        np.concatenate(
            [part.packed[index] if index < len(part.packed) else np.zeros_like(part.packed[0]) for part in parts]
        )
        for index in range(widest)
    ]


def unquoted(field: str) -> str:
    """Return a field's text without the quotes around it, doubled quotes made single."""
    return field[1:-1].replace('""', '"') if field.startswith('"') else field


def _texts(packed: list[Words]) -> list[str]:
    """Return the texts of fields that are packed into words."""
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


def distinct(fields: list[Words]) -> tuple[Ints, Ints] | None:
    """Return the distinct fields among packed ones, and which of them each row has.

    Returns
    -------
    The first row of each distinct field, in order of appearance, and for each row which
    distinct field it has; None in the rare case that two fields share a sorting key.
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
