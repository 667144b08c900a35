"""Information loss of multivariate microaggregation on the CASC reference sets, beside MDAV.

Usage: python -m tests.benchmarks.reference_sets [--data FOLDER]

Printed are 100 SSE/SST on standardised columns: sdcMicro 5.8.1's MDAV (none at hand for groups of
20), our MDAV, and what the method takes.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = "1"

import numpy as np

from ppdm_desktop.engine.methods.algorithms.grouping.best_of_searches import near_groups
from ppdm_desktop.engine.methods.algorithms.grouping.mdav import mdav_groups
from ppdm_desktop.engine.methods.algorithms.grouping.quality import within_ssq
from ppdm_desktop.engine.progress import silent
from tests.benchmarks.papers.__main__ import DEFAULT_DATA

SDC_MICRO = {
    "casc_census.csv": {3: 5.6922, 5: 9.0884, 10: 14.1559},
    "casc_tarragona.csv": {3: 16.9326, 5: 22.4619, 10: 33.1929},
}


def main() -> int:
    """Print the table, or say which file is absent."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", DEFAULT_DATA)))
    folder = parser.parse_args().data
    print("data                 least  sdcMicro  our MDAV      ours")
    for name, peer in SDC_MICRO.items():
        path = folder / name
        if not path.exists():
            print(f"{name:<20} left out: it is not in {folder}")
            continue
        with path.open(encoding="utf-8", newline="") as file:
            values = np.array([[float(cell) for cell in row] for row in list(csv.reader(file))[1:]])
        points = (values - values.mean(axis=0)) / values.std(axis=0)
        total = within_ssq(points, np.zeros(len(points), dtype=np.int64))
        for least in (3, 5, 10, 20):
            needs = np.full(len(points), least, dtype=np.int64)
            plain, ours = (
                100 * within_ssq(points, search(points, needs, silent())) / total
                for search in (mdav_groups, near_groups)
            )
            printed = f"{peer[least]:9.4f}" if least in peer else f"{'-':>9}"
            print(f"{name:<20} {least:>5} {printed} {plain:9.4f} {ours:9.4f}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
