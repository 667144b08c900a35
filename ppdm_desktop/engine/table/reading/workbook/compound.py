"""Detecting endless chains of sectors in a compound file, the container of XLS.

A reader that follows a chain which leads back into itself never ends and takes all memory. The layout is that of
[MS-CFB], sections 2.2 (header), 2.3 to 2.5 (tables of sectors) and 2.6 (directory).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts

_LAST = 0xFFFF_FFFA
"""Numbers of sectors end below it; what is above marks the end of a chain, or a sector that is free."""
_HEADER = 512
_IN_HEADER = 109
_ENTRY = 128


def has_endless_chain(data: bytes) -> bool:
    """Return whether a chain of sectors in a compound file leads back into itself, which would be read without end.

    False for a file that is too short or has no possible size of sectors.
    """
    if len(data) < _HEADER:
        return False
    (shift,) = struct.unpack_from("<H", data, 30)
    directory, _, _, small, _, more = struct.unpack_from("<6I", data, 48)
    if not 7 <= shift <= 16:
        return False
    sectors = _Sectors(data, 1 << shift)
    table = sectors.table(np.frombuffer(data, "<u4", _IN_HEADER, 76), more)
    if table is None:
        return True
    following = table.astype(np.int64)
    entries = sectors.chain(directory, following)
    if entries is None or sectors.chain(small, following) is None:
        return True
    return any(sectors.chain(start, following) is None for start in sectors.starts(entries))


class _Sectors:
    """The sectors of a compound file, by their numbers."""

    def __init__(self, data: bytes, size: int) -> None:
        """Store the bytes of a file whose sectors have ``size`` bytes each."""
        self._data, self._size = data, size
        self._count = max(len(data) // size, 1)

    def numbers(self, sector: int) -> AnyInts:
        """Return the content of a sector as 32-bit numbers; beyond the end of the file they mean the end of a chain."""
        start = (sector + 1) * self._size
        return np.frombuffer(self._data[start : start + self._size // 4 * 4].ljust(self._size, b"\xff"), "<u4")

    def table(self, listed: AnyInts, more: int) -> AnyInts | None:
        """Return for each sector the one that follows it; None where the list of such tables is endless.

        The index in the array is the sector's number; values from 0xFFFFFFFA on mean the end of a chain, or a free
        sector.

        Parameters
        ----------
        listed
            The sectors with this table that the header names.
        more
            The first sector that lists further ones.
        """
        lists, seen = [listed], 0
        while more < _LAST:
            numbers = self.numbers(more)
            lists.append(numbers[:-1])
            more, seen = int(numbers[-1]), seen + 1
            if seen > self._count:
                return None
        sectors = np.concatenate(lists)
        listed_numbers = [self.numbers(sector) for sector in sectors[sectors < self._count].tolist()]
        return np.concatenate(listed_numbers) if listed_numbers else np.empty(0, dtype="<u4")

    def chain(self, sector: int, following: AnyInts) -> list[int] | None:
        """Return the sectors of the chain that begins at ``sector``, in order; None where it is endless.

        ``following`` has for each sector the one that follows it. A number beyond it ends the chain.
        """
        sectors: list[int] = []
        while sector < min(len(following), _LAST):
            sectors.append(sector)
            if len(sectors) > len(following):
                return None
            sector = int(following[sector])
        return sectors

    def starts(self, entries: list[int]) -> Iterator[int]:
        """Yield the first sector of each stream of at least 4,096 bytes in a directory, and of the root entry.

        ``entries`` are the sectors of the directory, the list of streams in the file; smaller streams are inside that
        of the root.
        """
        for sector in entries:
            begin = (sector + 1) * self._size
            for position in range(begin, min(begin + self._size, len(self._data) - _ENTRY + 1), _ENTRY):
                (kind,) = struct.unpack_from("<B", self._data, position + 66)
                start, size = struct.unpack_from("<2I", self._data, position + 116)
                if kind == 5 or (kind == 2 and size >= 4096):
                    yield start
