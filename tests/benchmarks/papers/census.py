"""The census table of Li & Sarkar's experiment, as far as the paper lets it be rebuilt.

The paper states neither the number of bins nor the attribute list. Four equal-frequency
bins without fnlwgt bracket both printed counts; that setting was found by a search over
about 180 combinations, so it is a plausible reading and not evidence of what was done.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.table.column import Column, Table

NUMERIC = ("age", "fnlwgt", "education-num", "capital-gain", "capital-loss", "hours-per-week")
CLASS = "class"
RICH, KEPT_OTHERS = ">50K", 13_362


def adult(folder: Path) -> dict[str, list[str]]:
    """Read train and test together (48,842 rows), labels without the test file's dot."""
    columns: dict[str, list[str]] = {}
    for name in ("adult_train.csv", "adult_test.csv"):
        with (folder / name).open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                for key, value in row.items():
                    columns.setdefault(key, []).append(value.rstrip(".") if key == CLASS else value)
    return columns


def cuts(values: Floats, bins: int) -> list[float]:
    """Equal-frequency cut points by the benchmark's own rule (contract, section 6).

    Walk the distinct sorted values; cut when the running count reaches the remaining weight
    over the remaining bins, before the value if that is nearer; then recompute the share.
    """
    distinct, counts = np.unique(values, return_counts=True)
    remaining, left = float(len(values)), bins
    share, running = remaining / left, 0.0
    found: list[float] = []
    last, last_running = -1, 0.0
    for i in range(len(distinct) - 1):
        running += counts[i]
        remaining -= counts[i]
        if running < share:
            last, last_running = i, running
            continue
        if last >= 0 and share - last_running < running - share:
            found.append((distinct[last] + distinct[last + 1]) / 2)
            running -= last_running
            last, last_running = i, running
        else:
            found.append((distinct[i] + distinct[i + 1]) / 2)
            running, last = 0.0, -1
            last_running = 0.0
        left -= 1
        share = (remaining + running) / max(left, 1)
    return found[: bins - 1]


def census_table(folder: Path, *, seed: int, bins: int = 4, leave_out: tuple[str, ...] = ("fnlwgt",)) -> Table:
    """Return the working table: all rows above 50K and 13,362 others, numbers in bins."""
    columns = adult(folder)
    rich = np.array([value == RICH for value in columns[CLASS]])
    others = np.flatnonzero(~rich)
    kept = np.random.default_rng(seed).choice(others, KEPT_OTHERS, replace=False)
    rows = np.sort(np.concatenate([np.flatnonzero(rich), kept]))
    made = []
    for name, values in columns.items():
        if name in leave_out:
            continue
        chosen = [values[row] for row in rows]
        if name in NUMERIC:
            numbers = np.array(chosen, dtype=np.float64)
            chosen = [str(code) for code in np.searchsorted(cuts(numbers, bins), numbers)]
        role = "confidential" if name == CLASS else "quasi-identifier"
        made.append(Column.from_texts(name, chosen, role=role))
    return Table(tuple(made), np.arange(1, len(rows) + 1))
