"""Speed and golden figures of the ten tools that other programs of the field have, too.

    .venv/bin/python -m tests.benchmarks.field --rows 10000 100000 1000000
    .venv/bin/python -m tests.benchmarks.field --rows

First processor seconds, on the people of UCI Adult drawn again with a part of their ages and details changed, and by
what power of the number of rows they grow from the number before. Then each figure of ``tests/golden/field.json`` and
``full-domain.json``: equal or not. Exit status 1 where one is not.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from risk_support import columns_of
from swap_support import streams

from ppdm_desktop.engine.identifiability.classes import Classes, equivalence_classes
from ppdm_desktop.engine.identifiability.population import match_chance
from ppdm_desktop.engine.identifiability.unique_sets import smallest_unique_sets
from ppdm_desktop.engine.methods.algorithms.coarsening.coded_ends import find_cut
from ppdm_desktop.engine.methods.algorithms.generalisation.column_levels import recodings_of
from ppdm_desktop.engine.methods.algorithms.swapping.rank_blocks import RankBlocks
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.methods.pram import LevelChances
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy
from ppdm_desktop.engine.table.hierarchy_draft import HierarchyDraft
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels
from ppdm_desktop.engine.utility.conclusions import conclusions, interval_overlap
from tests.engine.methods.test_full_domain import GOLDEN as BEST_LEVELS
from tests.engine.methods.test_full_domain import adult

FIELD: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "field.json").read_text("utf-8"))
DATA = Path(os.environ.get("PPDM_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
FIVE = ("sex", "age", "race", "marital-status", "education")


def people(rows: int) -> Table:
    """Return people of Adult drawn again: 30 % of the ages moved, 10 % of other details drawn anew; pay and a day."""
    source, rng = adult(DATA), np.random.default_rng(20261121)
    drawn, columns = rng.integers(source.rows, size=rows), []
    for column in source.columns:
        texts = np.array(column.values(), dtype=object)
        values = texts[drawn]
        if column.name == "age":
            ages = values.astype(np.int64) + np.where(rng.random(rows) < 0.3, rng.integers(-3, 4, rows), 0)
            values = np.clip(ages, 17, 90).astype(str)
        elif column.name not in ("sex", "class"):
            values = np.where(rng.random(rows) < 0.1, texts[rng.integers(source.rows, size=rows)], values)
        columns.append(replace(Column.from_texts(column.name, values, role=column.role), hierarchy=column.hierarchy))
    pay = np.round(rng.lognormal(10, 0.75, rows), -1).astype(np.int64).astype(str)
    days = (np.datetime64("2010-01-01") + rng.integers(0, 3650, rows)).astype(str)
    columns.append(Column.from_texts("pay", pay, role="confidential", kind="numeric"))
    columns.append(Column.from_texts("day", days, role="quasi-identifier", kind="date", date_format="%Y-%m-%d"))
    return Table(tuple(columns), np.arange(1, rows + 1), RecordLevels.same_for_all(rows))


def only(table: Table, names: tuple[str, ...], role: str = "quasi-identifier") -> Table:
    """Return a table of some columns, all of one role."""
    return Table(tuple(replace(table.column(name), role=role) for name in names), table.row_numbers, table.levels)


def tools(table: Table) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the name of each tool, and what it has to do with a table."""
    age, pay = table.column("age"), table.column("pay")
    tree = age.hierarchy or Hierarchy({}, 0)
    shuffled = pay.take(np.random.default_rng(1).permutation(table.rows))
    five, nine = only(table, FIVE), only(table, tuple(BEST_LEVELS["columns"]))
    yield "local-suppression", lambda: run("local-suppression", five, most=1, k=3)
    yield "population", lambda: match_chance(equivalence_classes(five.columns, five.rows), 9.0).interval
    yield "full-domain, cells", lambda: run("full-domain", nine)
    yield "full-domain, records", lambda: run("full-domain", nine, rest="records")
    yield "hierarchies", lambda: [recodings_of(pay), HierarchyDraft.of_hierarchy(tree, age.categories).written()]
    yield "date-shift", lambda: run("date-shift", only(table, ("day",)))
    yield "top-bottom-code", lambda: run("top-bottom-code", only(table, ("pay",), "confidential"))
    yield "rank-swap", lambda: run("rank-swap", only(table, ("pay",), "confidential"))
    yield "pram", lambda: run("pram", only(table, ("occupation",), "confidential"))
    yield "models", lambda: conclusions((pay, shuffled), [(column, column) for column in five.columns])
    yield "round", lambda: run("round", only(table, ("pay",), "confidential"))


def run(method: str, table: Table, **parameters: object) -> Any:
    """Return the result of a step with all columns of a table."""
    found = find_method(method)
    return found.run(table, found.settings(table, None, parameters), streams())


def print_speed(sizes: list[int]) -> None:
    """Print the processor seconds of each tool and their growth."""
    before: dict[str, tuple[int, float]] = {}
    for rows in sizes:
        for name, do in tools(people(rows)):
            begun = time.process_time()
            do()
            spent = max(time.process_time() - begun, 1e-4)
            power = ""
            if name in before:
                power = f"  grows by rows^{math.log(spent / before[name][1]) / math.log(rows / before[name][0]):.2f}"
            before[name] = rows, spent
            print(f"{name:22}{rows:10,}{spent:9.2f} s{power}", flush=True)


def goldens() -> Iterator[tuple[str, object, object]]:
    """Yield what is compared, its figures here, and the golden ones; a pair of numbers is a range."""
    table = adult(DATA)
    table = table.with_levels(RecordLevels.same_for_all(table.rows))
    for name, of in FIELD["local-suppression"].items():
        detail = run(
            "local-suppression", only(table, BEST_LEVELS["columns"][: of["columns"]]), k=of["k"], most=1
        ).detail
        yield f"{name}: bound", detail["bound"], of["lower_bound"]
        yield f"{name}: {detail['cells']} cells", of["lower_bound"] <= detail["cells"] <= of["at_most"], True
    for name in ("most 4 percent", "unlimited"):
        of, detail = (
            BEST_LEVELS[name],
            run("full-domain", table, most=BEST_LEVELS[name]["share"], rest="records").detail,
        )
        levels = [column["level"] for column in detail["columns"].values()]
        yield (
            f"full-domain: {name}",
            [detail["loss"], detail["left_out"], *levels],
            [of["loss"], of["left_out"], *of["levels"]],
        )
    of = FIELD["population"]
    sizes = np.repeat([1, 2, 3], of["f"])
    chance = match_chance(Classes(np.repeat(np.arange(len(sizes)), sizes), len(sizes)), of["odds"])
    yield "population: theta", [chance.value, *chance.interval], [of["theta"], of["low"], of["high"]]
    of = FIELD["suda"]
    columns = columns_of([tuple(row) for row in of["rows"]], 4)
    yield "smallest sets", smallest_unique_sets(columns, len(of["rows"])).scores, of["score"]
    of = FIELD["pram"]
    chances = LevelChances.of(of["swap"], DEFAULT_LEVELS[0], np.array(of["counts"]))
    yield "pram", [chances.redrawn, *chances.matrix.ravel()], [of["redrawn"], *np.ravel(of["matrix"])]
    of, ranks = FIELD["rank-swap"], np.arange(1_000_000)
    blocks = RankBlocks.draw(ranks, ranks, 0 * ranks, of["block"] / len(ranks), streams().stream("ranks"))
    moved = np.abs(blocks.permuted(ranks) - ranks)
    yield (
        "rank-swap, to 1 %",
        np.isclose([np.mean(moved > 0), moved.mean()], [of["share_moved"], of["mean_distance"]], 0.01),
        True,
    )
    of = FIELD["top-bottom-code"]
    for demand, cut in of["cuts"].items():
        values = np.array(of["values"])
        yield f"top-bottom-code: {demand}", find_cut(values, np.full(len(values), int(demand)), 1), cut
    of = FIELD["models"]
    yield (
        "models: overlap",
        [interval_overlap(one["b0"], one["se0"], one["b1"]) for one in of],
        [one["overlap"] for one in of],
    )


def main() -> None:
    """Print speed and golden figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    print_speed(parser.parse_args().rows)
    differ = 0
    for name, here, golden in goldens():
        is_equal = bool(np.allclose(here, golden, rtol=0, atol=1e-9))  # type: ignore[call-overload]
        differ += not is_equal
        print(f"{name:36}{'equal' if is_equal else f'DIFFERENT: {here} instead of {golden}'}", flush=True)
    sys.exit(1 if differ else 0)


if __name__ == "__main__":
    main()
