"""Small ways to draw an invented table: who the people are, and what each column says of them.

`made` puts them together: ``made(crossed(40, village=60), income=normal(3_000, 500))`` is sixty villages of forty
people who earn about 3,000. A table is drawn anew, and always the same, each time it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from tests.corpus.tables import Columns

Generator = np.random.Generator
Draw = Callable[[Generator, Columns], Any]
"""Returns a column's values, by what the columns before it say."""
Values = int | tuple[int, int] | Sequence[str]
"""So many numbered values, all whole numbers from one to below another, or the values themselves."""


def made(people: Callable[[Generator], Columns], **columns: Draw) -> Callable[[], Columns]:
    """Return what draws a table: the people first, then the columns in their order."""

    def table() -> Columns:
        generator = np.random.default_rng(41)
        drawn = dict(people(generator))
        for name, draw in columns.items():
            drawn[name] = draw(generator, drawn)
        return drawn

    return table


def crossed(size: int | Callable[[Generator], int], **values: Values) -> Callable[[Generator], Columns]:
    """Return what draws people of every combination of values, ``size`` of each."""

    def people(generator: Generator) -> Columns:
        combinations = list(product(*map(_values, values.values())))
        sizes = [size if isinstance(size, int) else size(generator) for _ in combinations]
        rows = np.repeat(np.array(combinations, dtype=object), sizes, axis=0)
        return dict(zip(values, rows.T, strict=True))

    return people


def about(mean: float, least: int = 1) -> Callable[[Generator], int]:
    """Return what draws the size of a group as chance does, but not below the least."""
    return lambda generator: max(int(generator.poisson(mean)), least)


def scattered(count: int, **values: Values) -> Callable[[Generator], Columns]:
    """Return what draws people whose columns have nothing to do with one another."""

    def people(generator: Generator) -> Columns:
        return {name: generator.choice(_values(choice), count) for name, choice in values.items()}

    return people


def _values(values: Values) -> Any:
    if isinstance(values, int):
        return range(values)
    return range(*values) if isinstance(values, tuple) and isinstance(values[0], int) else values


def size_of(table: Columns) -> int:
    """Return how many rows a table has."""
    return len(next(iter(table.values())))


def pick(*values: Any, shares: Sequence[float] | None = None) -> Draw:
    """Draw one of some values for everybody, equally often where no shares are given."""
    return lambda generator, table: generator.choice(np.array(values, dtype=object), size_of(table), p=shares)


def pick_word(words: str, shares: Sequence[float] | None = None) -> Draw:
    """Draw one of the words of a text for everybody."""
    return pick(*words.split(), shares=shares)


def codes(count: int) -> Draw:
    """Draw one of so many even codes."""
    return pick(*(f"d{number}" for number in range(count)))


def few(share: float, value: Any = "yes", rest: Any = "no") -> Draw:
    """Draw a value that so large a share holds."""
    return pick(value, rest, shares=(share, 1 - share))


def normal(mean: float, sd: float) -> Draw:
    """Draw whole numbers about a mean."""
    return lambda generator, table: np.round(generator.normal(mean, sd, size_of(table))).astype(int)


def lognormal(median: float, sigma: float, most: float = np.inf) -> Draw:
    """Draw whole numbers about a median, some far above it but none above ``most``."""
    return lambda generator, table: np.minimum(
        np.round(median * generator.lognormal(0, sigma, size_of(table))), most
    ).astype(int)


def uniform(low: int, high: int) -> Draw:
    """Draw whole numbers from one to below another."""
    return lambda generator, table: generator.integers(low, high, size_of(table))


def days(first: str, count: int) -> Draw:
    """Draw days from the first on."""
    return lambda generator, table: (
        np.datetime64(first) + generator.integers(0, count, size_of(table)).astype("timedelta64[D]")
    ).astype(str)


def exactly(**counts: int) -> Draw:
    """Give so many people each value, in an order that is drawn; the last value goes to all others as well."""

    def draw(generator: Generator, table: Columns) -> Any:
        values = np.repeat(np.array(list(counts), dtype=object), list(counts.values()))
        rest = np.full(size_of(table) - len(values), list(counts)[-1], dtype=object)
        return generator.permutation(np.concatenate([values, rest]))

    return draw


def where(conditions: Mapping[str, Any], inside: Draw, outside: Draw) -> Draw:
    """Draw for people who show these values (or one of a set of them) in one way, for all others in another."""

    def draw(generator: Generator, table: Columns) -> Any:
        chosen = np.ones(size_of(table), dtype=bool)
        for name, values in conditions.items():
            wanted = values if isinstance(values, set) else {values}
            chosen &= np.array([value in wanted for value in table[name]])
        return np.where(chosen, inside(generator, table), outside(generator, table))

    return draw


def within(columns: str | tuple[str, ...], **counts: int) -> Draw:
    """Give so many people of each group that agrees in some columns each value, as `exactly` does."""
    names = (columns,) if isinstance(columns, str) else columns

    def draw(generator: Generator, table: Columns) -> Any:
        groups = np.unique(np.array([table[name] for name in names]).astype(str), axis=1, return_inverse=True)[1]
        drawn = np.empty(size_of(table), dtype=object)
        for group in range(int(groups.max()) + 1):
            rows = np.flatnonzero(groups == group)
            drawn[rows] = exactly(**counts)(generator, {"": rows})
        return drawn

    return draw


def by(column: str, values: Callable[[Any], Any]) -> Draw:
    """Work a column out from another one."""
    return lambda generator, table: [values(value) for value in table[column]]


def sorted_by(table: Callable[[], Columns], column: str) -> Callable[[], Columns]:
    """Return what draws a table and sorts its rows by a column."""

    def drawn() -> Columns:
        columns = table()
        order = np.argsort(np.array(columns[column]), kind="stable")
        return {name: np.array(values, dtype=object)[order] for name, values in columns.items()}

    return drawn


def without(table: Callable[[], Columns], *columns: str) -> Callable[[], Columns]:
    """Return what draws a table and leaves columns out."""
    return lambda: {name: values for name, values in table().items() if name not in columns}


AGES = ("18-29", "30-39", "40-49", "50-59", "60-69", "70+")
REGIONS = ("north", "south", "east", "west", "isles")
PAY = normal(3_000, 500)
