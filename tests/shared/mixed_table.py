"""A random table with every kind of column."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from number_support import levels_for, number_column

from ppdm_desktop.engine.table.column import Column, Table


def mixed(rng: np.random.Generator, rows: int = 60, *, gaps: bool = False, groups: tuple[int, ...] = (3, 6)) -> Table:
    """Two numbers, a date, an ordinal and two nominal columns, related to one another."""
    lean = rng.normal(size=rows)

    def blank(texts: list[str]) -> list[str]:
        return [text if not gaps or rng.random() > 0.2 else "" for text in texts]

    pay = blank([str(round(2_000 + 400 * each)) for each in lean])
    tax = blank([f"{20 + 5 * each + rng.normal():.2f}" for each in lean])
    born = blank([str(np.datetime64("1980-06-15") + np.timedelta64(int(900 * each), "D")) for each in lean])
    grade = blank([f"g{min(max(round(each + 2), 0), 4)}" for each in lean])
    town = blank([str(each) for each in rng.choice(["Delft", "Ghent", "Bonn"], size=rows)])
    sex = [str(each) for each in rng.choice(["f", "m"], size=rows)]
    columns = (
        replace(number_column("pay", pay), role="quasi-identifier"),
        number_column("tax", tax),
        replace(
            Column.from_texts("born", born, role="quasi-identifier", kind="date"),
            order=tuple(sorted({text for text in born if text})),
            date_format="%Y-%m-%d",
        ),
        Column.from_texts("grade", grade, role="other", kind="ordinal", order=tuple(f"g{n}" for n in range(5))),
        Column.from_texts("town", town, role="quasi-identifier"),
        Column.from_texts("sex", sex, role="other"),
    )
    asked = rng.choice(groups, size=rows)
    return Table(columns, np.arange(1, rows + 1), levels_for(asked.tolist()))
