"""The random numbers of a generated sample: one stream for each block and column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ppdm_desktop.engine.arrays import Floats, Ints
    from ppdm_desktop.engine.randomness import RandomStream

_DOMAIN = b"ppdm-1 sample"


@dataclass(frozen=True)
class Draws:
    """The random numbers of one block of a sample.

    Attributes
    ----------
    sample
        Name of the sample.
    seed
        The number that the user chose; the same number gives the same file.
    block
        Number of the block of rows, from 0.
    rows
        How many rows the block has.
    """

    sample: str
    seed: int
    block: int
    rows: int

    def stream(self, purpose: str) -> RandomStream:
        """Return the random stream for a purpose; a second call starts the same stream again.

        It depends on the sample, the seed, the block and the purpose only, not on the number of rows.
        """
        from ppdm_desktop.engine.randomness import RandomStream

        parts = (_DOMAIN, self.sample.encode(), str(self.seed).encode(), str(self.block).encode(), purpose.encode())
        return RandomStream(b"".join(len(part).to_bytes(8, "big") + part for part in parts))

    def uniform(self, purpose: str) -> Floats:
        """Return a random number strictly between 0 and 1 for each row, shape (rows,); ``purpose`` names the stream."""
        return self.stream(purpose).uniform(self.rows)

    def normal(self, purpose: str) -> Floats:
        """Return a standard normal random number for each row, shape (rows,); ``purpose`` names the stream."""
        return self.stream(purpose).normal(self.rows)

    def whole(self, purpose: str, low: int, high: int) -> Ints:
        """Return a random whole number from ``low`` to ``high``, both included, for each row, int64, shape (rows,)."""
        return low + self.stream(purpose).integers(high - low + 1, self.rows)

    def choice(self, purpose: str, weights: Sequence[float] | Floats) -> Ints:
        """Return a random index from 0 to k - 1 for each row, int64, shape (rows,), in proportion to k weights.

        Parameters
        ----------
        purpose
            Name of the random stream.
        weights
            Shape (k,), or (rows, k) for weights that differ by row; none negative, with a positive sum that need not be
            1.
        """
        import numpy as np

        shares = np.cumsum(np.atleast_2d(np.asarray(weights, dtype=np.float64)), axis=1)
        shares /= shares[:, -1:]
        chosen = (self.uniform(purpose)[:, None] > shares).sum(axis=1)
        return np.asarray(np.minimum(chosen, shares.shape[1] - 1), dtype=np.int64)
