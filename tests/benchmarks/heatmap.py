"""Seconds to make the record heatmap's figures at 1,000,000 records and 9 quasi-identifiers.

Run as ``python tests/benchmarks/heatmap.py [rows]``; prints one line for each spread of the
data. The figures are those of the Risk page: class sizes without each column, and the order.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from ppdm_desktop.engine.identifiability.contributions import contributions
from ppdm_desktop.engine.table.column import Column

WIDTHS = {
    "few people alone": (4, 4, 3, 3, 2, 2, 2, 2, 2),
    "like a census": (74, 16, 7, 15, 5, 2, 42, 9, 6),
    "nearly all alone": (1000, 500, 300, 90, 74, 42, 16, 9, 2),
}


def table(rows: int, widths: tuple[int, ...]) -> list[Column]:
    """Make skewed columns (squared uniform), as real ones are."""
    draws = np.random.default_rng(20_260_101)
    made = []
    for place, width in enumerate(widths):
        codes = (draws.random(rows) ** 2 * width).astype(np.int32)
        made.append(Column(f"q{place}", f"q{place}", codes, tuple(map(str, range(width)))))
    for column in made:
        _ = column.category_codes  # made once when risk is measured, not part of the map
    return made


def main() -> None:
    """Time each spread once."""
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    for name, widths in WIDTHS.items():
        columns = table(rows, widths)
        started = time.perf_counter()
        found = contributions(columns, rows)
        alone = np.flatnonzero(found.classes.size_of_record == 1).astype(np.int64)
        order = found.ranked(alone)
        seconds = time.perf_counter() - started
        sys.stdout.write(
            f"heatmap {rows:,} x {len(widths)} ({name}: {found.classes.count:,} classes, "
            f"{len(order):,} alone): {seconds:.2f} s\n"
        )


if __name__ == "__main__":
    main()
