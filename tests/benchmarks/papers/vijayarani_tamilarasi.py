"""Vijayarani & Tamilarasi (2011): Table 2, and Fig. 2 to 4 on synthetic employees.

The paper's employees are not public and its figures are pictures without numbers, so what
can be compared is Table 2, value by value, and the sentences that say which method is best.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.samples.drawn import DEFAULT_SEED
from tests.benchmarks.papers.cells import Asked, Cell
from tests.benchmarks.papers.vijayarani_measures import (
    CLUSTERS,
    METHODS,
    PAPERS,
    SIZES,
    Compared,
    Result,
    measured,
    numbers_table,
    protect,
)

GOLDEN = Path(__file__).resolve().parents[2] / "golden" / "vijayarani-tamilarasi.json"
_QUICK_SIZES = (300, 600)
NOISE, PLUS = "additive noise", "Bit++"


def table_2(asked: Asked) -> Iterator[Cell]:
    """Yield every value of the worked example; additive noise rounded half up at every step, as the paper must have."""
    golden = json.loads(GOLDEN.read_text(encoding="utf-8"))
    pay = golden["original"]
    table = numbers_table({"Income": [str(value) for value in pay]})
    rounded = Compared(NOISE, "additive-noise", {"rounding": "paper"})
    for compared in (METHODS[0], METHODS[1], rounded, METHODS[3]):
        shown = protect(table, compared).column("Income").values()
        for name, text in zip(golden["names"], shown, strict=True):
            yield Cell("Table 2", f"{name}, {compared.name}", float(text))
    clusters = protect(table, METHODS[3]).column("Income").values()
    lowest = [value for value, other in zip(pay, clusters, strict=True) if other == clusters[3]]
    yield Cell("Table 2", "sum of the lowest cluster", float(sum(lowest)))
    yield Cell("Table 2", "mean of the lowest cluster", float(np.mean(lowest)))


def employees(asked: Asked) -> Iterator[Cell]:
    """Yield Fig. 2 to 4 by size: shares in %, in the mean of the three columns, and what the sentences come to.

    ``within 1 %`` and ``taken back`` are what Fig. 3 does not see: values near the truth, and values that anybody can
    restore from the release alone. ``matched`` counts records in corresponding clusters, where the paper counts sizes.
    """
    leads: dict[str, list[float]] = {"Fig. 2": [], "Fig. 3": [], "Fig. 4": []}
    for size in _QUICK_SIZES if asked.quick else SIZES:
        if not asked.missing("Fig. 4", [f"Bit++ less the best other, {size} records"]):
            leads = {
                shown: [*found, asked.known[shown, f"{_first(shown)} less the best other, {size} records"].value]
                for shown, found in leads.items()
            }
            continue
        results = measured(size, DEFAULT_SEED + asked.seed)
        for name, result in results.items():
            for shown, line, value in _figures(result):
                words = f"{name}, {size} records" + (f", {line}" if line else "")
                yield Cell(shown, words, value, "" if line else name, size)
        for shown, found in leads.items():
            first = _first(shown)
            own = {name: _main(results[name], shown) for name in PAPERS}
            found.append(own[first] - max(value for name, value in own.items() if name != first))
            yield Cell(shown, f"{first} less the best other, {size} records", found[-1])
    for shown, found in leads.items():
        yield Cell(shown, f"{_first(shown)} less the best other, least of all sizes", min(found))


def _first(shown: str) -> str:
    """Return the method that the paper calls the best in this figure."""
    return NOISE if shown == "Fig. 2" else PLUS


def _main(result: Result, shown: str) -> float:
    return next(value for figure, line, value in _figures(result) if figure == shown and not line)


def _figures(result: Result) -> Iterator[tuple[str, str, float]]:
    yield "Fig. 2", "", 100 * result.mean("mean")
    yield "Fig. 3", "", 100 * result.mean("changed")
    yield "Fig. 3", "within 1 %", 100 * result.mean("near")
    yield "Fig. 3", "taken back", 100 * result.mean("recovered")
    yield "Fig. 4", "", 100 * result.agreement("by_sizes")
    yield "Fig. 4", "matched", 100 * result.agreement("matched")
    for k in CLUSTERS:
        yield "Fig. 4", f"matched, {k} clusters", 100 * result.agreement("matched", k)
