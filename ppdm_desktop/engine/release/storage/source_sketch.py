"""A keyed sketch of a source's rows, by which versions of one source are recognised; no row can be read from it.

Source: P. Li, A. Owen and C.-H. Zhang, One permutation hashing, NIPS 2012.
"""

from __future__ import annotations

from dataclasses import dataclass

NUMBERS = 128
IN_COMMON = 0.5
"""Share of rows in common from which on two sources count as the same."""
MOSTLY_EQUAL = 0.9
"""Where so many rows are in common by chance, only sketches without any difference count."""
_BYTES = 8
_EMPTY = b"\xff" * _BYTES


@dataclass(frozen=True)
class SourceSketch:
    """Hashes of a sample of a source's rows, by which other versions of the source are recognised.

    Attributes
    ----------
    rows
        Number of rows.
    smallest
        The smallest hash in each of 128 equal ranges, hexadecimal digits one after another.
    by_chance
        Share of the rows that an independent source of the same size would share by chance, because many are equal.
    """

    rows: int
    smallest: str
    by_chance: float

    def __post_init__(self) -> None:
        """Raise ValueError unless there is a row and the hashes are 128 of 16 hexadecimal digits."""
        if self.rows < 1 or len(bytes.fromhex(self.smallest)) != _BYTES * NUMBERS:
            raise ValueError

    def is_version_of(self, earlier: SourceSketch) -> bool:
        """Return whether both sources are versions of one: at least half of the rows of the smaller one are in both.

        The number of rows in both is an estimate, and rows that an unrelated source would share by chance do not count:
        if that is 20 % of this source, 60 % in common are needed (0.2 + 0.8 / 2). If it is more than nine in ten, the
        hashes of both sketches must be equal instead.
        """
        likeness = self._compute_likeness(earlier)
        if self.by_chance > MOSTLY_EQUAL:
            return likeness == 1.0
        return self.share_in_common(earlier) >= self.by_chance + (1 - self.by_chance) * IN_COMMON

    def share_in_common(self, earlier: SourceSketch) -> float:
        """Return the estimated share, 0 to 1, of the rows of the smaller source that are in both."""
        likeness = self._compute_likeness(earlier)
        return min(likeness / (1 + likeness) * (self.rows + earlier.rows) / min(self.rows, earlier.rows), 1.0)

    def _compute_likeness(self, earlier: SourceSketch) -> float:
        """Return the estimated share of rows in both sources among all rows in either (Jaccard similarity), 0 to 1.

        It is the share of the 128 hash ranges in which both have the same smallest hash; ranges that are empty in both
        do not count. 0 if all are empty.
        """
        both = [
            pair for pair in zip(self._list_hashes(), earlier._list_hashes(), strict=True) if pair != (_EMPTY, _EMPTY)
        ]
        return sum(mine == theirs for mine, theirs in both) / max(len(both), 1)

    def _list_hashes(self) -> list[bytes]:
        """Return the stored hashes, one for each equal range; eight bytes of 255 where the range has none."""
        numbers = bytes.fromhex(self.smallest)
        return [numbers[start : start + _BYTES] for start in range(0, len(numbers), _BYTES)]
