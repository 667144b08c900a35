"""A table of which everything holds that a rule can say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from ppdm_desktop.engine.table.column import Column, NumberStyle, Table

ROWS = 600


def numbers(name: str, values: Iterable[object]) -> Column:
    """Return a column of numbers."""
    texts = [str(value) for value in values]
    style = NumberStyle.seen_in([text for text in texts if text])
    return Column.from_texts(name, texts, kind="numeric", style=style, role="other")


def dates(name: str, days: Sequence[int | None]) -> Column:
    """Return a column of days, counted from the year 2000."""
    texts = ["" if day is None else str(np.datetime64("2000-01-01") + day) for day in days]
    return Column.from_texts(name, texts, kind="date", role="other")


def table_of(*columns: Column) -> Table:
    """Return a table of columns."""
    return Table(columns, np.arange(1, len(columns[0]) + 1))


def employees(rng: np.random.Generator) -> Table:
    """People with everything that a rule can say, and columns of which nothing holds."""
    city = rng.choice(["Delft", "Leiden", "Ghent", "Bonn"], ROWS)
    country = [{"Ghent": "Belgium", "Bonn": "Germany"}.get(name, "Netherlands") for name in city]
    unit = rng.choice(["Sales", "Lab", "Office"], ROWS)
    job = [rng.choice({"Sales": ["rep", "head"], "Lab": ["chemist", "head"]}.get(name, ["clerk"])) for name in unit]
    salary = rng.integers(20, 90, ROWS) * 1000
    bonus = np.where(rng.random(ROWS) < 0.5, 0, rng.integers(1, 9000, ROWS))
    hired = rng.integers(0, 5000, ROWS)
    left = [int(day) + int(rng.integers(1, 3000)) if rng.random() < 0.2 else None for day in hired]
    return table_of(
        Column.from_texts("city", city.tolist(), role="other"),
        Column.from_texts("country", country, role="other"),
        Column.from_texts("unit", unit.tolist(), role="other"),
        Column.from_texts("job", list(map(str, job)), role="other"),
        Column.from_texts("sign", rng.choice(["a", "b", "c"], ROWS).tolist(), role="other"),
        numbers("salary", salary),
        numbers("bonus", bonus),
        numbers("total", salary + bonus),
        numbers("noise", rng.integers(10_000, 99_999, ROWS)),
        numbers("grade", rng.integers(1, 5, ROWS)),
        dates("hired", hired.tolist()),
        dates("left", left),
    )
