"""How fast the methods for numbers are, and how good the groups of near records.

Three parts, each case in a process of its own so that its peak memory is its own:
(a) noise and digit methods against one pass of the same NumPy arithmetic with its draws. That
pass starts from whole numbers and ends with whole numbers, so what a method spends on texts is
told apart: reading a column's texts once (done before the first step, for the check of a recipe
needs the values), the run, its recount, and writing the texts, which is put off until somebody
asks for them. Reading, run and writing together are set against the same pass with every
distinct text read and written once in the plainest way. The least of three runs stands for
each; (b) groups of near records against MDAV with all records looked at for every group; (c)
how the cost grows with the number of records. Times are CPU seconds and, in (b) and (c), beside
them seconds by the clock; the search for neighbours uses all cores. Run from the repository's root:

    python -m tests.benchmarks.numbers
    python -m tests.benchmarks.numbers --quick
    python -m tests.benchmarks.numbers --parts grouping --kinds gauss
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from operator import attrgetter
from typing import Any

REPEATS = 3
METHODS = ("additive-noise", "bit-plus-plus", "bit-minus-minus", "two-phase-noise")
KINDS = ("gauss", "correlated", "clustered")
SDC_MICRO = 48.7
"""CPU seconds of sdcMicro 5.8.1 for MDAV, groups of 3, 100,000 records of 5 normal columns (2 cores)."""


def points_of(kind: str, rows: int, width: int) -> Any:
    """Standardised records: without relations, with three directions, or in fifty clusters."""
    import numpy as np

    rng = np.random.default_rng(1)
    if kind == "gauss":
        points = rng.normal(size=(rows, width))
    elif kind == "correlated":
        points = rng.normal(size=(rows, 3)) @ rng.normal(size=(3, width)) + 0.1 * rng.normal(size=(rows, width))
    else:
        centres = 3 * rng.normal(size=(50, width))
        points = centres[rng.integers(0, 50, rows)] + 0.5 * rng.normal(size=(rows, width))
    return (points - points.mean(axis=0)) / points.std(axis=0)


def table_of(values: Any, decimals: int) -> Any:
    """A table of confidential columns of numbers with so many decimals; values in units of the last digit."""
    import numpy as np

    from ppdm_desktop.engine.methods.algorithms.digits.scaled import scaled_texts
    from ppdm_desktop.engine.table.column import Column, Table
    from ppdm_desktop.engine.table.levels import RecordLevels
    from ppdm_desktop.engine.table.numbers import NumberStyle

    columns = []
    for at, one in enumerate(values.T):
        distinct, codes = np.unique(one, return_inverse=True)
        texts = tuple(scaled_texts(distinct.tolist(), decimals))
        unit = 10.0**-decimals
        bounds = (float(one.min()) * unit - 1, float(one.max()) * unit + 1)
        style = NumberStyle.seen_in(texts)
        made = Column(f"A{at}", f"A{at}", codes.reshape(-1).astype(np.int32), texts, role="confidential")
        columns.append(_numeric(made, style, bounds))
    rows = len(values)
    return Table(tuple(columns), np.arange(1, rows + 1), RecordLevels.same_for_all(rows))


def _numeric(column: Any, style: Any, bounds: tuple[float, float]) -> Any:
    from dataclasses import replace

    return replace(column, kind="numeric", style=style, bounds=bounds)


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return a result, CPU seconds and seconds by the clock."""
    clock, cpu = time.perf_counter(), time.process_time()
    found = work()
    return found, time.process_time() - cpu, time.perf_counter() - clock


def applied(method_id: str, table: Any, parameters: dict[str, object]) -> dict[str, Any]:
    """Run and recount a method on a whole table."""
    from ppdm_desktop.engine.methods.base.registry import find_method
    from ppdm_desktop.engine.progress import silent
    from ppdm_desktop.engine.randomness import Key, StepStream

    method = find_method(method_id)
    settings = method.settings(table, None, parameters)
    streams = StepStream(Key.from_seed(1), "00" * 32, "00" * 32, 1)
    result, cpu, clock = timed(lambda: method.run(table, settings, streams, silent()))
    recount, again, _ = timed(lambda: method.recount(table, result.table, settings, result.detail))
    return {
        "cpu": cpu,
        "clock": clock,
        "recount": again,
        "holds": recount.guarantee.holds,
        "detail": result.detail,
        "released": result.table,
    }


# --- (a) noise and digits ---------------------------------------------------------------------


def numbers_case(method_id: str, rows: int, decimals: int) -> dict[str, Any]:
    """Time one method on one column against the plain pass; without decimals values repeat, with them hardly any."""
    from dataclasses import replace

    import numpy as np

    rng = np.random.default_rng(2)
    spread = 20_000 if decimals == 0 else 300_000_000
    values = np.maximum(rng.normal(3 * spread, spread, size=rows).astype(np.int64), 0)
    source = table_of(values[:, None], decimals)
    column = source.columns[0]
    _pass(method_id, values[:1000], rng)
    seconds: dict[str, list[float]] = {}
    holds = True
    for _ in range(REPEATS):
        moved, plain, _ = timed(lambda: _pass(method_id, values, rng))
        _, texts, _ = timed(partial(_texts, column, moved))
        # A column of its own each time: nothing is known of its texts yet.
        table = replace(source, columns=(replace(column),))
        _, read, _ = timed(partial(attrgetter("scaled"), table.columns[0]))
        found = applied(method_id, table, {})
        released = found["released"].columns[0]
        _, write, _ = timed(partial(attrgetter("codes", "texts"), released))
        holds = holds and found["holds"]
        parts = {"plain": plain, "texts": texts, "read": read, "write": write}
        for name, spent in {**parts, "cpu": found["cpu"], "recount": found["recount"]}.items():
            seconds.setdefault(name, []).append(spent)
    least = {name: min(each) for name, each in seconds.items()}
    return {"distinct": len(column.texts), "written": len(released.texts), "holds": holds, **least}


def _pass(method_id: str, values: Any, rng: Any) -> Any:
    """One pass of the method's arithmetic over whole numbers, draws from the release's own stream included."""
    import numpy as np

    from ppdm_desktop.engine.randomness import RandomStream

    if method_id == "additive-noise":
        mean = values.sum() / len(values)
        high = values >= mean
        count = int(high.sum())
        moved = np.where(high, values - 2 * mean / count, values + 2 * mean / (len(values) - count))
        return np.floor(moved + 0.5).astype(np.int64)
    if method_id == "two-phase-noise":
        stream = RandomStream(b"benchmark")
        noisy = np.rint(values + values.std() * stream.normal(len(values))).astype(np.int64)
        return noisy // 50 * 50 + stream.integers(50, len(values))
    by = 1 if method_id == "bit-plus-plus" else -1
    moved, unit, left = np.zeros_like(values), 1, values
    while (left > 0).any():
        left, digit = left // 10, left % 10
        moved += np.where(left > 0, (digit + by) % 10, digit) * unit
        unit *= 10
    return moved


def _texts(column: Any, moved: Any) -> Any:
    """Read the column's texts and write the moved values, each distinct one once, in the plainest way."""
    import numpy as np

    decimals = column.style.decimals
    read = [int(text.replace(".", "")) for text in column.texts]
    np.array(read, dtype=np.int64)[column.codes]
    distinct, codes = np.unique(moved, return_inverse=True)
    unit = 10.0**-decimals
    texts = tuple(f"{value * unit:.{decimals}f}" for value in distinct.tolist())
    return {text: code for code, text in enumerate(texts)}, codes.astype(np.int32)


# --- (b) and (c) groups ------------------------------------------------------------------------


def grouping_case(kind: str, rows: int, width: int, least: int) -> dict[str, Any]:
    """Time multivariate microaggregation as a whole step."""
    import numpy as np

    table = table_of(np.rint(points_of(kind, rows, width) * 1_000).astype(np.int64), 3)
    found = applied("microaggregation", table, {"mode": "multivariate", "group": least})
    (figures,) = found["detail"]["sets"]
    kept = {name: figures[name] for name in ("groups", "smallest", "information_loss")}
    return {**kept, **{name: found[name] for name in ("cpu", "clock", "recount", "holds")}}


def mdav_case(kind: str, rows: int, width: int, least: int) -> dict[str, Any]:
    """Time and measure MDAV that looks at all records for every group, and each search by itself."""
    import numpy as np

    from ppdm_desktop.engine.methods.algorithms.grouping.kd_batches import kd_batch_groups
    from ppdm_desktop.engine.methods.algorithms.grouping.mdav import mdav_groups
    from ppdm_desktop.engine.methods.algorithms.grouping.pca_tree import pca_tree_groups
    from ppdm_desktop.engine.methods.algorithms.grouping.quality import within_ssq
    from ppdm_desktop.engine.methods.algorithms.grouping.refinement import refine
    from ppdm_desktop.engine.progress import silent

    points, needs = points_of(kind, rows, width), np.full(rows, least)
    whole = float((points**2).sum())
    found: dict[str, Any] = {}
    for name, search in (("MDAV", mdav_groups), ("k-d batches", kd_batch_groups), ("PCA tree", pca_tree_groups)):
        group, cpu, _ = timed(partial(search, points, needs, silent()))
        refined, more, _ = timed(partial(refine, points, needs, group))
        found[name] = [cpu, within_ssq(points, group) / whole, cpu + more, within_ssq(points, refined) / whole]
    return found


def alone(case: str, *arguments: object) -> dict[str, Any]:
    """Run one case in a process of its own, NumPy with one thread; its peak memory is added."""
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.benchmarks.numbers", "--case", json.dumps([case, *arguments])]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
    return dict(json.loads(done.stdout))


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the records")
    parser.add_argument("--parts", nargs="+", choices=["numbers", "grouping", "growth"])
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--case", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.case:
        name, *arguments = json.loads(given.case)
        cases: dict[str, Callable[..., dict[str, Any]]] = {
            "numbers": numbers_case,
            "grouping": grouping_case,
            "mdav": mdav_case,
        }
        found = cases[name](*arguments)
        found["megabytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps(found))
        return
    parts = given.parts or ["numbers", "grouping", "growth"]
    if "numbers" in parts:
        print_numbers(100_000 if given.quick else 1_000_000)
    if "grouping" in parts:
        print_grouping(given.kinds, quick=given.quick)
    if "growth" in parts:
        print_growth(given.kinds[0], quick=given.quick)


def print_numbers(rows: int) -> None:
    """Print part (a)."""
    print(f"(a) {rows:,} rows, one column; CPU seconds, the least of {REPEATS}; ratios to the arithmetic alone,")
    print("    and of reading, run and writing to the arithmetic with the plainest texts")
    print(
        "method           decimals  distinct   written  arithmetic    run  ratio  recount  ratio with it"
        "   read  write  ratio with texts     MB"
    )
    for decimals in (0, 2):
        for method in METHODS:
            found = alone("numbers", method, rows, decimals)
            plain, run, again = found["plain"], found["cpu"], found["recount"]
            in_all = (found["read"] + run + found["write"]) / (plain + found["texts"])
            print(
                f"{method:<16} {decimals:>8} {found['distinct']:>9} {found['written']:>9} {plain:>11.3f} {run:>6.3f} "
                f"{run / plain:>6.2f} {again:>8.3f} {(run + again) / plain:>14.2f} {found['read']:>6.3f} "
                f"{found['write']:>6.3f} {in_all:>17.2f} {found['megabytes']:>6.0f}{broken(found)}",
                flush=True,
            )


def print_grouping(kinds: list[str], *, quick: bool) -> None:
    """Print part (b)."""
    rows = 2_000 if quick else 10_000
    print(f"\n(b) searches, {rows:,} x 10: CPU seconds and share of squares lost, alone and refined")
    print("data        least  search       seconds   lost   refined  lost    beside MDAV")
    for kind in kinds:
        for least in (3, 10):
            found = alone("mdav", kind, rows, 10, least)
            found.pop("megabytes")
            exact = found["MDAV"][1]
            for search, (cpu, lost, more, less) in found.items():
                print(
                    f"{kind:<12} {least:>4}  {search:<12} {cpu:>6.2f} {lost:>8.5f} {more:>7.2f} {less:>8.5f} "
                    f"{100 * (less / exact - 1):>+8.1f} %",
                    flush=True,
                )
    print("\n    multivariate microaggregation, the whole step")
    print("data            rows  columns  least  CPU s  clock s  loss %     MB  recount")
    cases = [("gauss", 100_000, 5, 3), *((kind, 1_000_000, 10, 10) for kind in kinds)]
    for kind, count, width, least in cases:
        _print_step(kind, count // 10 if quick else count, width, least)
    if not quick:
        print(f"    sdcMicro, 100,000 x 5 normal, groups of 3: {SDC_MICRO} CPU seconds")


def _print_step(kind: str, rows: int, width: int, least: int) -> dict[str, Any]:
    found = alone("grouping", kind, rows, width, least)
    print(
        f"{kind:<12} {rows:>8} {width:>7} {least:>7} {found['cpu']:>6.1f} {found['clock']:>8.1f} "
        f"{found['information_loss']:>7.3f} {found['megabytes']:>6.0f} {found['recount']:>8.2f}{broken(found)}",
        flush=True,
    )
    return found


def print_growth(kind: str, *, quick: bool) -> None:
    """Print part (c)."""
    print(f"\n(c) growth, multivariate microaggregation, {kind}, 5 columns, groups of 5")
    print("data            rows  columns  least  CPU s  clock s  loss %     MB  recount")
    counts = [12_500, 25_000, 50_000, 100_000] if quick else [25_000, 50_000, 100_000, 200_000, 400_000, 800_000]
    seconds = [_print_step(kind, rows, 5, 5)["cpu"] for rows in counts]
    scaled = [1e6 * cpu / (rows * math.log2(rows)) for cpu, rows in zip(seconds, counts, strict=True)]
    print("    microseconds per n log2 n: " + "  ".join(f"{each:.2f}" for each in scaled))


def broken(case: dict[str, Any]) -> str:
    """Say so where a promise does not hold."""
    return "" if case["holds"] else "  PROMISE BROKEN"


if __name__ == "__main__":
    main()
