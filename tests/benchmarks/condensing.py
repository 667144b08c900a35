"""Groups for condensation: nobody short in many tables, the paper's figures beside ours, and how long it takes.

    python -m tests.benchmarks.condensing --tables 10000
    python -m tests.benchmarks.condensing --streams 2000
    python -m tests.benchmarks.condensing --pima DATA/pima.csv
    python -m tests.benchmarks.condensing --scale --records 10000 100000 1000000

Each case of ``--scale`` runs in a process of its own with one thread, so that its peak
memory is its own. Run from the repository's root.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import subprocess
import sys
import time
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

COLUMNS = 10
SPECIFIED = {5: (0.198, 0.179), 10: (0.399, 0.331), 20: (0.574, 0.439), 30: (0.684, 0.525), 50: (0.803, 0.601)}
"""Share of squares left within groups on Pima: the paper's procedure, and top-down seeds refined (prototype)."""


def many_tables(tables: int) -> bool:
    """Group random tables by every algorithm; print violations and SSQ; say whether all is well."""
    import numpy as np
    from condensing_support import PATTERNS, random_table, too_small

    from ppdm_desktop.engine.methods.algorithms.condensation.grouping import ALGORITHMS, BEST, PAPER, form_groups
    from ppdm_desktop.engine.progress import silent

    short: Counter[str] = Counter()
    ssq: defaultdict[str, float] = defaultdict(float)
    groups: Counter[str] = Counter()
    repaired = above = 0
    for seed in range(tables):
        rng = np.random.default_rng([seed, 1])
        count, width, rounded = int(rng.integers(5, 81)), int(rng.integers(1, 4)), bool(rng.integers(2))
        points, needs = random_table(seed, count, width, PATTERNS[seed % len(PATTERNS)], rounded)
        found = {each: form_groups(points, needs, each, silent()) for each in ALGORITHMS}
        for name, each in found.items():
            short[name] += too_small(each.group, needs)
            ssq[name] += each.ssq
            groups[name] += int(each.group.max()) + 1
        repaired += found[PAPER].repairs > 0
        above += found[BEST].ssq > found[PAPER].ssq
    print(f"{tables} tables; the paper's procedure had to be helped in {repaired}")
    print(f"{'algorithm':<32} records short      groups             SSQ")
    for name in ALGORITHMS:
        print(f"{name:<32} {short[name]:>13} {groups[name]:>11} {ssq[name]:>15.1f}")
    print(f"tables in which best-of is above the paper's procedure: {above}")
    return not above and not short.total()


def many_streams(streams: int) -> bool:
    """Let records join groups one by one by both split rules, and add more later; say whether the safe rule held."""
    import numpy as np
    from condensing_support import PATTERNS, random_needs, too_small

    from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.add_records import add_records
    from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import Arrivals, condense_stream
    from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.split_rule import PAPER_RULE, SAFE
    from ppdm_desktop.engine.methods.algorithms.condensation.grouping import TREE
    from ppdm_desktop.engine.methods.algorithms.condensation.moments import pooled
    from ppdm_desktop.engine.methods.algorithms.condensation.values import ValueBlocks
    from ppdm_desktop.engine.progress import silent

    runs: Counter[str] = Counter()
    short: Counter[str] = Counter()
    records: Counter[str] = Counter()
    groups: Counter[str] = Counter()
    splits: Counter[str] = Counter()
    waited = founded = merges = later = waits = worse = 0
    apart = 0.0
    for seed in range(streams):
        rng = np.random.default_rng([seed, 2])
        count, width = int(rng.integers(40, 240)), int(rng.integers(1, 4))
        points = rng.standard_normal((count, width)) + 3.0 * rng.integers(0, 3, (count, 1))
        needs = random_needs(rng, count, PATTERNS[seed % len(PATTERNS)])
        blocks = ValueBlocks((tuple("abc"[:width]),), (((None,) * width,),), np.array([-1]))
        known, places = np.ones(points.shape, dtype=np.bool_), np.zeros((count, 1), dtype=np.int64)
        coming, none = Arrivals(points, known, places, needs), np.zeros((1, 0))
        first = int(rng.integers(1, count // 2))
        for rule in (SAFE, PAPER_RULE):
            found = condense_stream(coming, blocks, none, first=first, algorithm=TREE, rule=rule, progress=silent())
            wrong = too_small(found.group, needs)
            short[rule] += wrong
            runs[rule] += wrong > 0
            records[rule] += count
            groups[rule] += found.stream.count
            splits[rule] += found.stream.splits
            moments = found.stream.moments()
            covariance, true = pooled(moments.n, moments.mean, moments.covariance)[2], np.cov(points.T, bias=True)
            apart = max(apart, float(np.abs(covariance - true).max() / np.abs(true).max()))
            if rule == SAFE:
                waited, founded, merges = waited + found.waited, founded + found.founded, merges + found.merges
                more = int(rng.integers(10, count))
                extra = random_needs(rng, more, PATTERNS[seed % len(PATTERNS)])
                arrivals = Arrivals(
                    rng.standard_normal((more, width)) * 2.0,
                    np.ones((more, width), dtype=np.bool_),
                    np.zeros((more, 1), dtype=np.int64),
                    extra,
                )
                stratum = np.zeros(more, dtype=np.int64), np.zeros(found.stream.count, dtype=np.int64)
                added = add_records(
                    found.stream, arrivals, *stratum, blocks, none, TREE, silent(), (points, found.group)
                )
                after = found.stream.moments()
                entered = added.group >= 0
                worse += int(after.n[after.n < after.pmax].sum())
                worse += int(np.count_nonzero(after.n[added.group[entered]] < extra[entered]))
                later, waits = later + more, waits + len(added.why)
    print(f"{streams} streams, 40 to 239 records each")
    print("rule    runs with a record short   records short of all   groups   splits")
    for rule in (SAFE, PAPER_RULE):
        shares = f"{short[rule]} of {records[rule]}"
        print(f"{rule:<6} {runs[rule]:>25} {shares:>22} {groups[rule]:>8} {splits[rule]:>8}")
    print(f"safe rule: {waited} records found no group at first; {founded} formed groups, {merges} merges")
    print(f"added later: {later} records, {waits} of them wait; records short afterwards: {worse}")
    print(f"largest departure of the pooled covariance: {apart:.1e} of its largest entry")
    return not short[SAFE] and not worse and apart <= 1e-9


def pima(path: Path, draws: int) -> None:
    """Print the share of squares within groups per class, beside the specification's figures."""
    import numpy as np

    from ppdm_desktop.engine.methods.algorithms.condensation.grouping import (
        BEST,
        PAPER,
        REFINED,
        TOP_DOWN,
        TREE,
        form_groups,
    )
    from ppdm_desktop.engine.progress import silent

    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    numbers = np.array([[float(value) for value in row[:-1]] for row in rows])
    kinds = np.array([row[-1] for row in rows])
    print("Nine tenths of Pima, standardised, per class; demands uniform in [alpha-4, alpha]; mean of draws")
    print("alpha  paper's (prototype)  refined  tree   top-down (prototype)  best-of")
    names = (PAPER, PAPER + REFINED, TREE + REFINED, TOP_DOWN + REFINED)
    for alpha, (specified, improved) in SPECIFIED.items():
        totals: Counter[str] = Counter()
        for draw in range(draws):
            rng = np.random.default_rng([alpha, draw])
            kept = rng.permutation(len(rows))[: round(0.9 * len(rows))]
            points = (numbers[kept] - numbers[kept].mean(axis=0)) / numbers[kept].std(axis=0)
            needs = rng.integers(alpha - 4, alpha + 1, len(kept))
            for kind in np.unique(kinds):
                mine = kinds[kept] == kind
                found = form_groups(points[mine], needs[mine], BEST, silent())
                for name, value in [*found.tried.items(), (BEST, found.ssq)]:
                    totals[name] += value / points.size / draws
        paper, refined, tree, top_down = (totals[name] for name in names)
        print(
            f"{alpha:>5}    {paper:.3f} ({specified:.3f})     {refined:.3f}   {tree:.3f}    {top_down:.3f} "
            f"({improved:.3f})      {totals[BEST]:.3f}",
            flush=True,
        )


def simulated(kind: str, records: int, levels: str, seed: int) -> Any:
    """Points of ten columns, normal, correlated or clustered, and demands."""
    import numpy as np

    rng = np.random.default_rng(seed)
    points = rng.standard_normal((records, COLUMNS))
    if kind == "correlated":
        points = rng.standard_normal((records, 3)) @ rng.standard_normal((3, COLUMNS)) + 0.15 * points
    elif kind == "clustered":
        middles = 4.0 * rng.standard_normal((50, COLUMNS))
        points = 0.7 * points + middles[rng.integers(0, 50, records)]
    points = (points - points.mean(axis=0)) / points.std(axis=0)
    needs = {
        "10": np.full(records, 10),
        "6-10": rng.integers(6, 11, records),
        "few-50": np.where(rng.random(records) < 0.02, 50, rng.integers(2, 6, records)),
    }[levels]
    return points, needs


def measure(kind: str, records: int, levels: str, algorithm: str) -> dict[str, Any]:
    """Run one case in this process."""
    from ppdm_desktop.engine.methods.algorithms.condensation.grouping import form_groups
    from ppdm_desktop.engine.progress import Progress

    points, needs = simulated(kind, records, levels, 1)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    silence, last = 0.0, time.process_time()

    class Watched(Progress):
        """Notes the longest time without a check, in processor time: others may share the machine."""

        def check(self) -> None:
            nonlocal silence, last
            now = time.process_time()
            silence, last = max(silence, now - last), now

        def part(self, low: float, high: float) -> Progress:
            return self

    started, worked = time.perf_counter(), time.process_time()
    last = worked
    found = form_groups(points, needs, algorithm, Watched())
    return {
        "seconds": time.perf_counter() - started,
        "processor": time.process_time() - worked,
        "share": found.ssq_share,
        "groups": int(found.group.max()) + 1,
        "won": found.algorithm,
        "repairs": found.repairs,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "before": before,
        "silence": silence,
    }


def alone(*case: object) -> dict[str, Any]:
    """Run one case in a process of its own with one thread."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.benchmarks.condensing", "--case", json.dumps(case)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return dict(json.loads(done.stdout))


def scale(sizes: list[int], kinds: list[str], levels: list[str], algorithms: list[str]) -> None:
    """Print seconds, SSQ share and memory; the paper's procedure only up to its limit."""
    from ppdm_desktop.engine.methods.algorithms.condensation.grouping import PAPER, QUADRATIC_LIMIT

    print(
        "records  data        demands  algorithm                      seconds (own)     SSQ   groups  MB (data)  silent"
    )
    for records in sizes:
        for kind in kinds:
            for asked in levels:
                for algorithm in algorithms:
                    if algorithm == PAPER and records > QUADRATIC_LIMIT:
                        continue
                    case = alone(kind, records, asked, algorithm)
                    won = "" if case["won"] == algorithm else f"  won: {case['won']}"
                    memory = f"{case['megabytes']:.0f} ({case['before']:.0f})"
                    print(
                        f"{records:>7}  {kind:<10}  {asked:<7}  {algorithm:<29} {case['seconds']:>8.2f} "
                        f"({case['processor']:.2f}) {case['share']:>7.4f} {case['groups']:>8}  {memory:>10} "
                        f"{case['silence']:>6.2f}{won}",
                        flush=True,
                    )


def main() -> int:
    """Run what was asked for; 1 where a record is short or best-of is not the best."""
    from ppdm_desktop.engine.methods.algorithms.condensation.grouping import ALGORITHMS

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=0, help="random tables to group by every algorithm")
    parser.add_argument("--streams", type=int, default=0, help="random streams by both split rules")
    parser.add_argument("--pima", type=Path, help="the Pima file")
    parser.add_argument("--draws", type=int, default=10, help="draws of nine tenths and of demands")
    parser.add_argument("--scale", action="store_true", help="time large tables")
    parser.add_argument("--records", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--data", nargs="+", default=["normal", "correlated", "clustered"])
    parser.add_argument("--levels", nargs="+", default=["10", "6-10", "few-50"])
    parser.add_argument("--algorithms", nargs="+", default=list(ALGORITHMS), choices=ALGORITHMS)
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        print(json.dumps(measure(*json.loads(given.case))))
        return 0
    well = many_tables(given.tables) if given.tables else True
    if given.streams:
        well = many_streams(given.streams) and well
    if given.pima:
        pima(given.pima, given.draws)
    if given.scale:
        scale(given.records, given.data, given.levels, given.algorithms)
    if not (given.tables or given.streams or given.pima or given.scale):
        parser.print_help()
    return 0 if well else 1


if __name__ == "__main__":
    raise SystemExit(main())
