"""Speed and golden figures of the ten tools that other programs of the field have, too.

    .venv/bin/python -m tests.benchmarks.field --rows 10000 100000 1000000

First processor seconds and by what power of the rows they grow from one number to the next, on people of UCI Adult;
then each figure of ``tests/golden/field.json`` and ``full-domain.json``. Exit status 1 where one is not equal.
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
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from risk_support import columns_of
from swap_support import streams

from ppdm_desktop.engine.identifiability.classes import Classes, equivalence_classes
from ppdm_desktop.engine.identifiability.unique_sets import smallest_unique_sets
from ppdm_desktop.engine.methods.algorithms.coarsening.shared_numbers import find_cut
from ppdm_desktop.engine.methods.algorithms.generalisation.column_levels import recodings_of
from ppdm_desktop.engine.methods.algorithms.swapping.rank_blocks import RankBlocks
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.pram import LevelChances
from ppdm_desktop.engine.release.measures.outside import match_chance
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.hierarchies import HierarchyDraft
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import identify_people, with_ids_marked
from ppdm_desktop.engine.utility.conclusions import compare_regressions, interval_overlap
from tests.engine.methods.test_full_domain import GOLDEN as BEST_LEVELS
from tests.engine.methods.test_full_domain import adult

FIELD: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden" / "field.json").read_text("utf-8"))
DATA = Path(os.environ.get("PPDM_DATA") or Path(__file__).resolve().parents[3] / "shared" / "data")
FIVE = ("sex", "age", "race", "marital-status", "education")


def people(rows: int) -> Table:
    """Return people of Adult drawn again, a tenth of each detail drawn by itself; three days a person, and pay."""
    source, rng = adult(DATA), np.random.default_rng(20261121)
    drawn = rng.integers(source.rows, size=rows)
    columns = [
        column.take(np.where(rng.random(rows) < 0.1, rng.integers(source.rows, size=rows), drawn))
        for column in source.columns
    ]
    pay = np.round(rng.lognormal(10, 0.75, rows), -1).astype(np.int64).astype(str)
    days = (np.datetime64("2010-01-01") + rng.integers(0, 3650, rows)).astype(str)
    columns.append(Column.from_texts("pay", pay, role="confidential", kind="numeric"))
    columns.append(Column.from_texts("day", days, kind="date", date_format="%Y-%m-%d"))
    columns.append(Column.from_texts("person", rng.integers(0, rows // 3, rows).astype(str)))
    return Table(tuple(columns), np.arange(1, rows + 1), RecordLevels.same_for_all(rows))


def only(table: Table, names: tuple[str, ...], role: str = "quasi-identifier") -> Table:
    """Return a table of some columns, all of one role."""
    return Table(tuple(replace(table.column(name), role=role) for name in names), table.row_numbers, table.levels)


def tools(table: Table) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield the name of each tool, and what it has to do with a table."""
    age, pay = table.column("age"), table.column("pay")
    shuffled = pay.take(np.random.default_rng(1).permutation(table.rows))
    five, nine = only(table, FIVE), only(table, tuple(BEST_LEVELS["columns"]))
    yield "local-suppression", lambda: run("local-suppression", five, most=1, k=3)
    yield "population", lambda: match_chance(equivalence_classes(five.columns, five.rows), 9.0).interval
    yield "full-domain, cells", lambda: run("full-domain", nine)
    yield "full-domain, records", lambda: run("full-domain", nine, rest="records")
    yield "hierarchies", lambda: [recodings_of(pay), HierarchyDraft.of_values(pay.categories).written()]
    visits = only(table, ("day",))
    visits = with_ids_marked(replace(visits, columns=(*visits.columns, table.column("person"))), ["person"])
    visits = visits.with_people(identify_people(visits, ["person"]))
    yield "date-shift", lambda: run("date-shift", visits)
    for method, name in (("top-bottom-code", "pay"), ("rank-swap", "pay"), ("pram", "occupation"), ("round", "pay")):
        yield method, partial(run, method, only(table, (name,), "confidential"))
    explaining = [replace(age, kind="numeric"), *(table.column(name) for name in ("sex", "race", "education"))]
    yield "models", lambda: compare_regressions((pay, shuffled), [(column, column) for column in explaining])


def run(method: str, table: Table, **parameters: object) -> Any:
    """Return the result of a step with all columns of a table."""
    return (step := find_method(method)).run(table, step.settings(table, None, parameters), streams())


def goldens() -> Iterator[tuple[str, Any, Any]]:
    """Yield what is compared, its figures here, and the golden ones."""
    table = adult(DATA)
    table = table.with_levels(RecordLevels.same_for_all(table.rows))
    for name, of in FIELD["local-suppression"].items():
        keys = only(table, BEST_LEVELS["columns"][: of["columns"]])
        detail = run("local-suppression", keys, k=of["k"], most=1).detail
        yield f"{name}: bound", detail["bound"], of["lower_bound"]
        yield f"{name}: {detail['cells']} cells", of["lower_bound"] <= detail["cells"] <= of["at_most"], True
    for name in ("most 4 percent", "unlimited"):
        of = BEST_LEVELS[name]
        detail = run("full-domain", table, most=of["share"], rest="records").detail
        here = [detail["loss"], detail["left_out"], *(column["level"] for column in detail["columns"].values())]
        yield f"full-domain: {name}", here, [of["loss"], of["left_out"], *of["levels"]]
    of, sizes = FIELD["population"], np.repeat([1, 2, 3], FIELD["population"]["f"])
    chance = match_chance(Classes(np.repeat(np.arange(len(sizes)), sizes), len(sizes)), of["odds"])
    yield "population", [chance.value, *chance.interval], of["theta"]
    rows = [tuple(row) for row in FIELD["suda"]["rows"]]
    scores = smallest_unique_sets(columns_of(rows, 4), People.identity(8)).scores
    yield "smallest sets", scores, FIELD["suda"]["score"]
    chances = LevelChances.of(FIELD["pram"]["swap"], DEFAULT_LEVELS[0], np.array(FIELD["pram"]["counts"]))
    yield "pram", [chances.redrawn, *chances.matrix.ravel()], FIELD["pram"]["chances"]
    of, ranks = FIELD["rank-swap"], np.arange(1_000_000)
    blocks = RankBlocks.draw(ranks, ranks, 0 * ranks, of["block"] / len(ranks), streams().stream("ranks"))
    moved = np.abs(blocks.permuted(ranks) - ranks)
    here = [np.mean(moved > 0), moved.mean()]
    yield "rank-swap, to 1 %", np.isclose(here, of["moved_and_distance"], 0.01), True
    values = np.array(FIELD["top-bottom-code"]["values"])
    for demand, cut in FIELD["top-bottom-code"]["cuts"].items():
        yield f"top-bottom-code: {demand}", find_cut(values, np.full(len(values), int(demand)), 1), cut
    here = [interval_overlap(*one[:3]) for one in FIELD["models"]]
    yield "models", here, [one[3] for one in FIELD["models"]]


def main() -> None:
    """Print the processor seconds of each tool with their growth, and whether the golden figures are equal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, nargs="*", default=[10_000, 100_000, 1_000_000])
    before: dict[str, tuple[int, float]] = {}
    for rows in parser.parse_args().rows:
        for name, do in tools(people(rows)):
            begun = time.process_time()
            do()
            spent = max(time.process_time() - begun, 1e-4)
            fewer, less = before.get(name, (1, spent))
            power = math.log(spent / less) / math.log(rows / fewer)
            print(f"{name:22}{rows:10,}{spent:9.2f} s  rows^{power:.2f}", flush=True)
            before[name] = rows, spent
    differ = 0
    for name, here, golden in goldens():
        is_equal = bool(np.allclose(here, golden, rtol=0, atol=1e-9))
        differ += not is_equal
        print(f"{name:36}{'equal' if is_equal else f'DIFFERENT: {here} instead of {golden}'}", flush=True)
    sys.exit(differ > 0)


if __name__ == "__main__":
    main()
