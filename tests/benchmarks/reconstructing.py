"""How long data-reconstruction's search takes: Pima as specified, and how the cost grows with records.

    python -m tests.benchmarks.reconstructing --pima DATA/pima.csv
    python -m tests.benchmarks.reconstructing --scale --records 1000 4000 16000 64000

One thread; processor time beside wall time. Run from the repository's root.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

CLASSIFIERS = {"naive-bayes": 1.0, "tree": 8.0, "both": 9.0}
"""Seconds that 1,200 evaluations on Pima may take."""
EVALUATIONS = 1_200


def pima(path: Path) -> bool:
    """Time the search on Pima; say whether it is as fast as asked."""
    from tests.benchmarks.papers.zhu_data import pima as read

    fast = True
    print("Pima, 768 records, k = 5, the whole run with masks, copies and audit")
    print("| classifier | evaluations | processor s | wall s | s for 1,200 evaluations | limit |\n" + "|---" * 6 + "|")
    table = read(path, ("pregnancies", "age"))
    for classifier, limit in CLASSIFIERS.items():
        evaluations, processor, wall = _timed(table, classifier, generations=43)
        each = processor * EVALUATIONS / evaluations
        fast &= each <= limit
        print(f"| {classifier} | {evaluations} | {processor:.2f} | {wall:.2f} | {each:.2f} | {limit:g} |")
    return fast


def scale(records: list[int]) -> None:
    """Time one evaluation on ever larger tables."""
    import numpy as np

    from ppdm_desktop.engine.table.column import Column, Table
    from ppdm_desktop.engine.table.numbers import NumberStyle

    print("Ten columns, two of them known to others; milliseconds of processor time per evaluation, 90 evaluations")
    print("| records | " + " | ".join(CLASSIFIERS) + " |\n|---|" + "---|" * len(CLASSIFIERS))
    for rows in records:
        rng = np.random.default_rng(1)
        numbers = rng.integers(0, 100, (rows, 10))
        label = (numbers[:, 0] + numbers[:, 5] + rng.normal(0, 40, rows) > 100).astype(int)
        columns = [
            Column.from_texts(
                f"c{place}",
                [str(value) for value in numbers[:, place].tolist()],
                role="quasi-identifier" if place < 2 else "other",
                kind="numeric",
                style=NumberStyle(),
            )
            for place in range(10)
        ]
        secret = Column.from_texts("class", [f"k{each}" for each in label.tolist()], role="confidential")
        table = Table((*columns, secret), np.arange(1, rows + 1))
        cells = []
        for classifier in CLASSIFIERS:
            few, spent, _ = _timed(table, classifier, generations=1)
            many, longer, _ = _timed(table, classifier, generations=3)
            cells.append(f"{1000 * (longer - spent) / (many - few):.2f}")
        print(f"| {rows} | " + " | ".join(cells) + " |", flush=True)


def _timed(table: object, classifier: str, generations: int) -> tuple[int, float, float]:
    from ppdm_desktop.engine.methods.base.registry import find_method
    from ppdm_desktop.engine.progress import silent
    from tests.benchmarks.papers.zhu_data import RECONSTRUCTION, streams

    method = find_method(RECONSTRUCTION)
    settings = method.settings(table, None, {"classifier": classifier, "generations": generations})  # type: ignore[arg-type]
    wall, processor = time.perf_counter(), time.process_time()
    result = method.run(table, settings, streams(1), silent())  # type: ignore[arg-type]
    spent = time.process_time() - processor, time.perf_counter() - wall
    return int(result.detail["fitness"]["evaluations"]), *spent


def main() -> int:
    """Run what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--pima", type=Path, metavar="FILE", help="time the search on Pima")
    parser.add_argument("--scale", action="store_true", help="time one evaluation on ever larger tables")
    parser.add_argument("--records", type=int, nargs="+", default=[1000, 4000, 16000, 64000])
    given = parser.parse_args()
    if given.scale:
        scale(given.records)
    return 0 if given.pima is None or pima(given.pima) else 1


if __name__ == "__main__":
    sys.exit(main())
