"""How fast Mondrian is on Adult with nine quasi-identifiers, k = 5, and what the groups lose.

Three tables: the 30,162 complete rows of Adult's training file; a million rows drawn from them
with replacement; and a million such rows with 30 % of the ages moved by up to three years and
10 % of four columns drawn anew, the table on which the peers' times of product.md were taken.
Times are CPU seconds of the operation alone (cutting, ranges written, no file) with one thread;
the peers' are for k = 5 with up to 4 % of the records suppressed, Mondrian removes nobody.
Run from the repository's root:

    python -m tests.benchmarks.mondrian
    python -m tests.benchmarks.mondrian --quick
"""

from __future__ import annotations

import argparse
import csv
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

QUASI = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "class")
REDRAWN = ("education", "occupation", "workclass", "native-country")
SEED = 20261121
K = 5
PEERS = {30_162: "ARX 1.7, anjana 2.9", 1_000_000: "ARX 5.1, anjana 45.0"}
"""CPU seconds of ARX 3.9.2 and anjana on two cores."""


def data_folder() -> Path:
    """Where the public data sets lie."""
    return Path(os.environ.get("PPDM_DATA", Path(__file__).resolve().parents[3] / "shared" / "data"))


def complete_rows(path: Path) -> list[dict[str, str]]:
    """The rows of Adult in which nothing is missing."""
    with path.open(encoding="utf-8", newline="") as file:
        return [row for row in csv.DictReader(file) if "?" not in row.values()]


def adult_table(rows: Sequence[dict[str, str]], count: int, *, moved: bool) -> Any:
    """The rows themselves, or so many drawn from them; ``moved`` as the peers' inputs were made."""
    import numpy as np

    from ppdm_desktop.engine.table.column import Column, Table

    rng = np.random.default_rng(SEED)
    chosen = rng.integers(0, len(rows), count) if count != len(rows) else np.arange(count)
    columns = {name: Column.from_texts(name, [row[name] for row in rows], role="quasi-identifier") for name in QUASI}
    source = dict(columns)
    columns = {name: column.take(chosen) for name, column in columns.items()}
    if moved:
        who = rng.random(count) < 0.3
        ages = np.array([int(text) for text in source["age"].texts])[columns["age"].codes]
        ages[who] = np.clip(ages[who] + rng.integers(-3, 4, int(who.sum())), 17, 90)
        columns["age"] = Column.from_texts("age", map(str, ages.tolist()), role="quasi-identifier")
        for name in REDRAWN:
            who = rng.random(count) < 0.1
            codes = columns[name].codes.copy()
            codes[who] = source[name].codes[rng.integers(0, len(rows), int(who.sum()))]
            columns[name] = replace(columns[name], codes=codes)
    return Table(tuple(_typed(column) for column in columns.values()), np.arange(1, count + 1))


def _typed(column: Any) -> Any:
    from ppdm_desktop.engine.table.numbers import NumberStyle

    if column.name != "age":
        return column
    return replace(column, kind="numeric", style=NumberStyle.seen_in(column.texts))


def losses(before: Any, after: Any) -> dict[str, float]:
    """Figures of a release from its classes.

    Granularity: the mean share of a column's domain that a cell covers, 0 (nothing lost) to 1
    (Iyengar, KDD 2002). Discernibility: the sum of squared class sizes (Bayardo & Agrawal 2005).
    Average class: records over classes times k (LeFevre et al. 2006), 1 at best.
    """
    import numpy as np

    from ppdm_desktop.engine.identifiability.classes import equivalence_classes

    classes = equivalence_classes(after.columns, after.rows)
    order = np.argsort(classes.ids, kind="stable")
    starts = np.cumsum(classes.sizes) - classes.sizes
    lost = []
    for column in before.columns:
        codes = column.category_codes.astype(np.int64)
        if column.kind == "numeric":
            values = column.numbers[order]
            width = np.maximum.reduceat(values, starts) - np.minimum.reduceat(values, starts)
            share = width / (values.max() - values.min())
        else:
            names = len(column.categories)
            cells = np.unique(classes.ids * names + codes) // names
            share = (np.bincount(cells, minlength=classes.count) - 1) / max(names - 1, 1)
        lost.append(float((share * classes.sizes).sum() / after.rows))
    return {
        "classes": classes.count,
        "k": classes.smallest,
        "granularity": sum(lost) / len(lost),
        "discernibility": float((classes.sizes.astype(np.float64) ** 2).sum()),
        "average": after.rows / (classes.count * K),
    }


def measured(table: Any, *, strict: bool) -> dict[str, float]:
    """Run Mondrian once and measure it."""
    from ppdm_desktop.engine.methods.base.registry import find_method
    from ppdm_desktop.engine.progress import silent
    from ppdm_desktop.engine.randomness import Key, StepStream

    method = find_method("mondrian")
    settings = method.settings(table, None, {"k": K, "strict": strict})
    streams = StepStream(Key.from_seed(1), "00" * 32, "11" * 32, 1)
    # Category codes are made when a file is read; the peers' inputs were coded before the clock, too.
    for column in table.columns:
        _ = column.category_codes
    cpu, clock = time.process_time(), time.perf_counter()
    result = method.run(table, settings, streams, silent())
    cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
    return {"cpu": cpu, "clock": clock, **losses(table, result.table)}


def main() -> None:
    """Print one line a case."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="the 30,162 rows only")
    arguments = parser.parse_args()
    rows = complete_rows(data_folder() / "adult_train.csv")
    cases = [("complete rows", len(rows), False)]
    if not arguments.quick:
        cases += [("drawn again", 1_000_000, False), ("as the peers' input", 1_000_000, True)]
    print(f"{'table':20} {'cuts':8} {'rows':>9} {'CPU s':>7} {'clock':>7} {'classes':>8} {'k':>4} ", end="")
    print(f"{'granularity':>11} {'discernibility':>14} {'average':>8}  peers' CPU s")
    for name, count, moved in cases:
        table = adult_table(rows, count, moved=moved)
        for strict in (True, False):
            found = measured(table, strict=strict)
            print(
                f"{name:20} {'strict' if strict else 'relaxed':8} {count:9,} {found['cpu']:7.2f} {found['clock']:7.2f} "
                f"{found['classes']:8,.0f} {found['k']:4.0f} {found['granularity']:11.4f} "
                f"{found['discernibility']:14,.0f} {found['average']:8.3f}  {PEERS[count]}",
                flush=True,
            )


if __name__ == "__main__":
    main()
