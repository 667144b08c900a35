"""How long bayes-swap takes, how much memory, and how good it is beside the paper's own search.

Simulated records with six quasi-identifiers that lean on the confidential value, 20 % of
the records in groups of two, proportion 0.5. Each case runs in a process of its own, so
that its peak memory is its own. Run from the repository's root:

    python -m tests.benchmarks.swapping
    python -m tests.benchmarks.swapping --records 2000 25000 --categories 3
    python -m tests.benchmarks.swapping --kept --keys 10
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tests.benchmarks.papers.__main__ import DEFAULT_DATA

ATTRIBUTES = 6
VALUES = 40
GROUPED = 0.2


def simulated(records: int, categories: int, seed: int) -> Any:
    """A table of the kind the specification's prototype used."""
    import numpy as np

    from ppdm_desktop.engine.table.column import Table
    from ppdm_desktop.engine.table.levels import RecordLevels

    rng = np.random.default_rng(seed)
    marginal = rng.dirichlet(np.full(categories, 5.0))
    value = rng.choice(categories, size=records, p=marginal)
    pairs = int(records * GROUPED / 2)
    twin = np.arange(records)
    twin[records - pairs :] = np.arange(records - 2 * pairs, records - pairs)
    value = value[twin]
    columns = []
    for index in range(ATTRIBUTES):
        edges = np.cumsum(rng.dirichlet(np.full(VALUES, 1.0), size=categories), axis=1)
        drawn = (rng.random(records)[:, None] > edges[value]).sum(axis=1).clip(0, VALUES - 1)[twin]
        columns.append(_column(f"Q{index}", drawn, VALUES, "quasi-identifier"))
    columns.append(_column("S", value, categories, "confidential"))
    return Table(tuple(columns), np.arange(1, records + 1), RecordLevels.same_for_all(records))


def _column(name: str, codes: Any, width: int, role: str) -> Any:
    import numpy as np

    from ppdm_desktop.engine.table.column import Column

    texts = tuple(f"{name.lower()}{code:02}" for code in range(width))
    return Column(name, name, codes.astype(np.int32), texts, role=role)


def measure(records: int, categories: int, search: str, noise: float, seed: int) -> dict[str, Any]:
    """Run one case in this process."""
    from ppdm_desktop.engine.methods.base.registry import find_method
    from ppdm_desktop.engine.progress import Progress
    from ppdm_desktop.engine.randomness import Key, StepStream

    table = simulated(records, categories, seed)
    method = find_method("bayes-swap")
    settings = method.settings(table, None, {"proportion": 0.5, "selection_noise": noise, "search": search})
    method.check(table, settings)
    streams = StepStream(Key.from_seed(seed), "00" * 32, "00" * 32, 1)
    silence, last = 0.0, time.perf_counter()

    class Watched(Progress):
        """Notes the longest time without a check."""

        def check(self) -> None:
            nonlocal silence, last
            now = time.perf_counter()
            silence, last = max(silence, now - last), now

        def part(self, low: float, high: float) -> Progress:
            return self

    last, started = time.perf_counter(), time.process_time()
    result = method.run(table, settings, streams, Watched())
    seconds = time.process_time() - started
    started = time.process_time()
    recount = method.recount(table, result.table, settings, result.detail)
    detail = result.detail["columns"]["S"]
    kept = (
        "unique",
        "groups",
        "objective",
        "start",
        "lower_bound",
        "proven_optimum",
        "ratio",
        "status",
        "gap",
        "departure",
    )
    return {
        "records": records,
        "categories": categories,
        "search": search,
        "noise": noise,
        "seconds": seconds,
        "recount": time.process_time() - started,
        "silence": silence,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "holds": recount.guarantee.holds,
        **{key: detail[key] for key in kept},
    }


def alone(*case: object) -> dict[str, Any]:
    """Run one case in a process of its own with one thread."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.benchmarks.swapping", "--case", json.dumps(case)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, nargs="+", default=[25_000, 1_000_000])
    parser.add_argument("--categories", type=int, nargs="+", default=[2, 3, 10])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kept", nargs="*", choices=["offers", "census"], help="what swaps keep, beside retracing")
    parser.add_argument("--keys", type=int, default=10)
    parser.add_argument("--out", type=Path, help="file that keeps the rows of --kept; docs/papers.md is made of it")
    parser.add_argument("--first", type=int, default=1, help="number of the first key")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", DEFAULT_DATA)))
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        print(json.dumps(measure(*json.loads(given.case))))
        return
    if given.kept is not None:
        print_kept(given)
        return
    from ppdm_desktop.engine.methods.algorithms.swapping.greedy import GREEDY_LIMIT

    head = "records  C  search  noise  seconds    MB  silent s      objective    lower bound  ratio      gap  status"
    print(head)
    for records in given.records:
        for categories in given.categories:
            cases = [("exact", 0.0), ("exact", 0.5)]
            if records <= GREEDY_LIMIT:
                cases.append(("greedy", 0.0))
            for search, noise in cases:
                print(line(alone(records, categories, search, noise, given.seed)), flush=True)
            if records > GREEDY_LIMIT:
                print(f"{records:>7} {categories:>2}  greedy  left out: offered up to {GREEDY_LIMIT} records")


def print_kept(given: argparse.Namespace) -> None:
    """Print each row of ``--kept`` as it comes, then the means."""
    from tests.benchmarks.swap_kept import HEAD, census, keep, line, means, measured, offers

    sets = (offers() if name == "offers" else census(given.data) for name in given.kept or ["offers", "census"])
    found = (row for each in sets for row in measured(each, given.keys, given.first))
    rows = []
    print(HEAD)
    for row in keep(given.out, found) if given.out is not None else found:
        rows.append(row)
        print(line(row), flush=True)
    for name in dict.fromkeys(row.data for row in rows):
        print("", *means([row for row in rows if row.data == name]), sep="\n")


def line(case: dict[str, Any]) -> str:
    """One row of the table."""
    gap = "-" if case["gap"] is None else f"{case['gap']:.1e}"
    ratio = "-" if case["ratio"] is None else f"{case['ratio']:.3f}"
    broken = "" if case["holds"] else "  PROMISE BROKEN"
    return (
        f"{case['records']:>7} {case['categories']:>2}  {case['search']:<6} {case['noise']:>6} "
        f"{case['seconds']:>8.2f} {case['megabytes']:>5.0f} {case['silence']:>9.2f} "
        f"{case['objective']:>14.4f} {case['lower_bound']:>14.4f} {ratio:>6} {gap:>8}  {case['status']}{broken}"
    )


if __name__ == "__main__":
    main()
