"""What a sample is: columns drawn block by block, written as CSV, with a recipe that releases it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import resources

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.samples.draws import Draws

DEFAULT_SEED = 1
BLOCK = 50_000
"""Rows drawn and written at a time, so that a sample of any size needs the memory of one block."""


@dataclass(frozen=True, eq=False)
class SampleColumn:
    """Some rows of one column.

    Attributes
    ----------
    values
        int64: the numbers themselves, or places in ``labels``.
    labels
        The texts of a nominal or ordinal column; none of them needs quoting in CSV.
    """

    name: str
    values: Ints
    labels: tuple[str, ...] | None = None

    def texts(self) -> list[str]:
        """Return each row's cell."""
        if self.labels is None:
            return list(map(str, self.values.tolist()))
        return [self.labels[place] for place in self.values.tolist()]


Generator = Callable[[Draws, int], Sequence[SampleColumn]]
"""Draws a block; the second argument is the number of the class function, 0 where there is none."""


@dataclass(frozen=True)
class Sample:
    """A sample by name.

    Attributes
    ----------
    name
        Name on the command line and of the recipe in ``resources/samples``.
    default_rows, least_rows
        How many rows when nothing is said, and at least.
    functions
        Numbers of the class functions to choose from, the first one by default.
    generator
        None: the file itself lies in ``resources/samples`` and has one size.
    """

    name: str
    default_rows: int
    least_rows: int
    generator: Generator | None = None
    functions: tuple[int, ...] = ()

    def recipe(self) -> str:
        """Return the text of the recipe that releases the sample."""
        return _resource(f"{self.name}.recipe.toml").decode("utf-8")

    def check(self, rows: int | None, function: int | None, seed: int | None) -> None:
        """Refuse what does not go with this sample.

        Raises
        ------
        InputError
            For a size, a class function or a seed that this sample does not have.
        """
        known = {"name": self.name, "rows": self.default_rows, "least": self.least_rows}
        if self.generator is None and (rows is not None or seed is not None):
            raise InputError("error.sample.fixed", args=known)
        if rows is not None and rows < self.least_rows:
            raise InputError("error.sample.too-few-rows", args=known)
        if function is not None and function not in self.functions:
            wrong = "error.sample.function" if self.functions else "error.sample.no-functions"
            last = max(self.functions, default=0)
            raise InputError(wrong, args={"name": self.name, "function": function, "last": last})
        if seed is not None and seed < 0:
            raise InputError("error.sample.seed", args={"seed": seed})

    def columns(
        self, rows: int | None = None, function: int | None = None, seed: int | None = None
    ) -> Iterator[Sequence[SampleColumn]]:
        """Draw the sample block by block, none for a sample that lies ready as a file.

        The first rows are the same whatever the number of rows.

        Parameters
        ----------
        rows, function, seed
            None takes the sample's own.

        Raises
        ------
        InputError
            As ``check``.
        """
        self.check(rows, function, seed)
        total = rows or self.default_rows
        if self.generator is None:
            return
        chosen = function or (self.functions[0] if self.functions else 0)
        for block, start in enumerate(range(0, total, BLOCK)):
            draws = Draws(self.name, DEFAULT_SEED if seed is None else seed, block, min(BLOCK, total - start))
            yield self.generator(draws, chosen)

    def blocks(self, rows: int | None = None, function: int | None = None, seed: int | None = None) -> Iterator[bytes]:
        """Return the CSV file in pieces: header and rows, UTF-8, comma, newline.

        Raises
        ------
        InputError
            As ``check``.
        """
        self.check(rows, function, seed)
        if self.generator is None:
            yield _resource(f"{self.name}.csv")
        for number, drawn in enumerate(self.columns(rows, function, seed)):
            lines = [",".join(column.name for column in drawn)] if number == 0 else []
            lines += map(",".join, zip(*(column.texts() for column in drawn), strict=True))
            yield ("\n".join(lines) + "\n").encode("utf-8")


def _resource(name: str) -> bytes:
    return (resources.files("ppdm_desktop.resources") / "samples" / name).read_bytes()
