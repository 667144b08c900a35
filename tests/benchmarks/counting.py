"""What it costs to count the classes of equal values in nine columns: the call alone, beside those of others.

The columns are the eight quasi-identifiers of the table of ``release`` and one confidential column, held as each
program holds them (codes here and in pandas, categories in polars), so that nothing is read or parsed. Times are
processor seconds, the least of some runs, all on one thread. From the repository's root:

    python -m tests.benchmarks.counting
    python -m tests.benchmarks.counting --rows 100000 1000000 10000000
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import os
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1", POLARS_MAX_THREADS="1")

import numpy as np
import pandas as pd

from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from tests.benchmarks.release import ROLES, apart

NAMES = [*ROLES["quasi-identifier"], "diagnosis"]
_RUNS = 5


def least(work: Callable[[], object]) -> float:
    """Return the least processor seconds of some runs."""
    found = []
    for _ in range(_RUNS):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return min(found)


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    for rows in parser.parse_args().rows:
        with tempfile.TemporaryDirectory() as place:
            source = Path(place) / "mix.csv"
            apart(f"write_mix({source!r}, {rows})")
            frame = pd.read_csv(source, dtype=str, usecols=NAMES)[NAMES]
        codes = [pd.factorize(frame[name])[0].astype(np.int32) for name in NAMES]
        classes = classes_of_codes(codes, rows)
        print(f"{rows:,} rows, {len(NAMES)} columns, {classes.count:,} classes", flush=True)
        print(f"  here    {least(partial(classes_of_codes, codes, rows)):7.3f} s", flush=True)
        coded = pd.DataFrame(dict(zip(NAMES, codes, strict=True)))
        print(f"  pandas  {least(partial(_by_pandas, coded)):7.3f} s", flush=True)
        if importlib.util.find_spec("polars") is not None:
            polars = importlib.import_module("polars")
            table = polars.DataFrame(dict(zip(NAMES, codes, strict=True)))
            print(f"  polars  {least(partial(_by_polars, table)):7.3f} s", flush=True)


def _by_pandas(table: pd.DataFrame) -> object:
    return table.groupby(NAMES, sort=False, dropna=False).size()


def _by_polars(table: Any) -> object:
    return table.group_by(NAMES).len()


if __name__ == "__main__":
    main()
