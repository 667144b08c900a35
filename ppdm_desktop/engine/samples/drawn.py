"""Samples whose rows are drawn at random, block by block, and written as CSV."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ppdm_desktop.engine.methods.base.parameters import NumberParameter
from ppdm_desktop.engine.samples.base import ROWS, Options, Sample
from ppdm_desktop.engine.wording.catalogue import lazy

if TYPE_CHECKING:
    from ppdm_desktop.engine.arrays import Ints
    from ppdm_desktop.engine.samples.draws import Draws

DEFAULT_SEED = 1
SEED = NumberParameter(
    name="seed",
    help=lazy("another number gives other rows ({seed:place})", seed=DEFAULT_SEED),
    effect=lazy("The same number gives the same file on every computer."),
    default=DEFAULT_SEED,
    low=0,
    whole=True,
)
BLOCK = 50_000
"""Rows drawn and written at a time, so that a sample of any size needs the memory of one block."""


@dataclass(frozen=True, eq=False)
class SampleColumn:
    """The values of one column in one block of rows.

    Attributes
    ----------
    name
        Name of the column.
    values
        int64, shape (rows,): the numbers themselves, or indices into ``labels``.
    labels
        The texts of a nominal or ordinal column, none of which needs quoting in CSV; None for numbers.
    """

    name: str
    values: Ints
    labels: tuple[str, ...] | None = None

    def texts(self) -> list[str]:
        """Return the text of each row's cell: the number, or the label whose index the value is."""
        if self.labels is None:
            return list(map(str, self.values.tolist()))
        return [self.labels[code] for code in self.values.tolist()]


def rows_option(default: int, least: int) -> NumberParameter:
    """Return a sample's option ``rows``, the number of rows to make: a whole number from ``least`` on."""
    effect = lazy("The first rows are always the same, however many there are.")
    return NumberParameter(
        name=ROWS, help=lazy("number of rows"), effect=effect, default=default, low=least, whole=True
    )


class DrawnSample(Sample):
    """A generated sample of any size, whose options are the number of rows, a seed, and those that it declares."""

    @abstractmethod
    def draw(self, draws: Draws, options: Options) -> Sequence[SampleColumn]:
        """Return the columns of one block of rows, drawn from ``draws``; ``options`` has a value for every option."""

    def columns(self, options: Options) -> Iterator[Sequence[SampleColumn]]:
        """Return an iterator over the sample's blocks of 50,000 rows (the last may be shorter), each with all columns.

        Raises
        ------
        InputError
            For unfit options; at the call, before anything is drawn.
        """
        return self._draw_blocks(self.settled(options))

    def _draw_blocks(self, settled: Options) -> Iterator[Sequence[SampleColumn]]:
        """Yield the columns of the sample in blocks of 50,000 rows (the last may be shorter), so that memory suffices.

        ``settled`` has a value for every option. A block's values depend only on the sample, the options, the number of
        the block and its length.
        """
        from ppdm_desktop.engine.samples.draws import Draws

        total = settled[ROWS]
        for block, start in enumerate(range(0, total, BLOCK)):
            yield self.draw(Draws(self.id, settled[SEED.name], block, min(BLOCK, total - start)), settled)

    def make(self, options: Options) -> bytes:
        """Return the bytes of the whole CSV file; raise InputError for unfit options."""
        return b"".join(self.pieces(options))

    def pieces(self, options: Options) -> Iterator[bytes]:
        """Return an iterator over the bytes of the CSV file, block by block, with the header in the first block.

        Raises InputError for unfit options before anything is drawn.
        """
        return map(self._write_block, enumerate(self.columns(options)))

    def _write_block(self, block: tuple[int, Sequence[SampleColumn]]) -> bytes:
        """Return a block as lines of CSV in UTF-8, each with a line feed; block 0 begins with the header.

        ``block`` is its number from 0 and its columns. Nothing is quoted, as no label needs it.
        """
        number, drawn = block
        lines = [",".join(column.name for column in drawn)] if number == 0 else []
        lines += map(",".join, zip(*(column.texts() for column in drawn), strict=True))
        return ("\n".join(lines) + "\n").encode("utf-8")
