"""Rows that break what always holds in an invented table, in the source and after each method.

    python -m tests.benchmarks.believable [--only TABLE ...] [-v]

Each method of the registry takes all columns that it can take, or where it refuses them those that it takes by itself,
with its recommended settings, or with those that it proposes for the table where it proposes some. Counted by
``tests.benchmarks.believable_truths``, which knows nothing of the program's rules. Beside it, for methods that make
records, words that fewer than five people of the source have and that stand in the release.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from tests.benchmarks.believable_truths import is_number
from tests.benchmarks.useful_tables import TABLES, InventedTable, recipe_of, released_frame

KEY = Key.from_seed(1)
_LEAST_PEOPLE, _MOST_ROWS = 5, 5_000


def release_by(method: Method, prepared: Prepared) -> pd.DataFrame:
    """Return what a method makes of a table, as texts.

    Raises
    ------
    PpdmError
        When the method refuses the table.
    """
    roles = ("confidential",) if method.protects == "attribute" else tuple(method.roles)
    columns = prepared.table.with_role(*roles)
    fitting = tuple(column.name for column in columns if column.kind in method.kinds)
    proposed = [dict(suggestion.parameters) for suggestion in method.suggestions(prepared.table)]
    changes = {"columns": fitting or None, "parameters": next(iter(proposed), {})}
    try:
        return _run(prepared, method.new_step.model_copy(update=changes))
    except PpdmError:
        return _run(prepared, method.new_step.model_copy(update={**changes, "columns": None}))


def _run(prepared: Prepared, step: StepSection) -> pd.DataFrame:
    recipe = prepared.recipe.model_copy(update={"steps": (step,)})
    return released_frame(run_candidate(replace(prepared, recipe=recipe), KEY).released)


def prepared_table(source: pd.DataFrame, table: InventedTable) -> Prepared:
    """Return a table as the program reads it."""
    recipe = recipe_of(list(source), table.known, table.secret, "research", codes=table.codes)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "people.csv"
        source.to_csv(path, index=False)
        return prepare(path, parse_recipe(recipe), need_type=True)


def count_broken(table: InventedTable, source: pd.DataFrame, released: pd.DataFrame) -> Counter[str]:
    """Return how many rows break each kind of truth, and how many break any."""
    rows = np.zeros(len(released), dtype=bool)
    counts = Counter[str](rows=len(released))
    for kind in dict.fromkeys(truth.kind for truth in table.truths):
        of_kind = [truth.broken(source, released) for truth in table.truths if truth.kind == kind]
        broken = np.any(of_kind, axis=0)
        rows |= broken
        counts[kind] = int(broken.sum())
    counts["any"] = int(rows.sum())
    return counts


def rare_words(source: pd.DataFrame, released: pd.DataFrame) -> int:
    """Return how many cells show a word that fewer than five people of the source have."""
    count = 0
    for name in set(source) & set(released):
        if not is_number(source[name]):
            counts = source[name].value_counts()
            count += int(released[name].isin(counts.index[counts < _LEAST_PEOPLE]).sum())
    return count


def main(arguments: Sequence[str]) -> int:
    """Print a line for each table and method, and the sums of each method."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=TABLES, default=list(TABLES))
    parser.add_argument("-v", "--verbose", action="store_true", help="a line for each table, and what is refused")
    options = parser.parse_args(arguments)
    kinds = ("any", "pair", "order", "sum", "range")
    totals = {"(source)": Counter[str](), **{id: Counter[str]() for id in all_methods()}}
    for name in options.only:
        table = TABLES[name]
        source = table.frame(1, min(table.rows, _MOST_ROWS))
        prepared = prepared_table(source, table)
        totals["(source)"] += count_broken(table, source, source) + Counter(tables=1)
        for id, method in all_methods().items():
            began = time.process_time()
            try:
                released = release_by(method, prepared)
            except PpdmError as refused:
                totals[id]["refused"] += 1
                if options.verbose:
                    print(f"{name}, {id}: {refused.id}", flush=True)
                continue
            counts = count_broken(table, source, released)
            counts["rare"] = rare_words(source, released) if method.correspondence != "record" else 0
            totals[id] += counts + Counter(tables=1)
            if options.verbose:
                print(f"{name}, {id}: {dict(counts)}, {time.process_time() - began:.1f} s", flush=True)
    print(f"| method | tables | refused | rows | {' | '.join(kinds)} | rare words |\n|{'---|' * (len(kinds) + 5)}")
    for id, counts in totals.items():
        figures = [counts[key] for key in ("tables", "refused", "rows", *kinds, "rare")]
        print(f"| {id} | {' | '.join(map(str, figures))} |")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
