"""Re-create the papers' tables and figures, each row as it comes, and close with one table: printed beside ours.

Usage: python -m tests.benchmarks.papers [NAME ...] [--again] [--out FOLDER] [--data FOLDER] [--seed N] [--quick]
       [--sweeps | --measured | --closing] [--ionosphere FILE] [--ecoli FILE] [--docs FOLDER]

The names are those of the files in ``resources/papers``. What is kept in ``tests/golden/papers`` is not measured again
unless that is asked for; a run that was stopped is gone on with. A run of all names writes the pages of ``docs``.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

from tests.benchmarks.papers.cells import Asked  # noqa: E402 - after the thread settings
from tests.benchmarks.papers.declared import all_declared  # noqa: E402
from tests.benchmarks.papers.page import write_pages  # noqa: E402
from tests.benchmarks.papers.runner import Run, closing  # noqa: E402

REPOSITORY = Path(__file__).resolve().parents[3]
DEFAULT_DATA = REPOSITORY.parent / "shared" / "data"
KEPT = REPOSITORY / "tests" / "golden" / "papers"
QUICK_ROWS = 150


def main() -> int:
    """Run what was asked for and the data at hand allows."""
    declared = all_declared()
    parser = argparse.ArgumentParser(description="Re-create the papers' tables and figures, printed beside ours.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(declared)}")
    parser.add_argument("--out", type=Path, help="folder that keeps each row as it comes (tests/golden/papers)")
    parser.add_argument("--again", action="store_true", help="measure anew what is kept")
    parser.add_argument("--docs", type=Path, help="folder of the pages (docs; none for --quick or some of the names)")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", DEFAULT_DATA)))
    parser.add_argument("--seed", type=int, default=0, help="seed of samples, splits and keys")
    parser.add_argument("--quick", action="store_true", help="few rows, keys and folds: only to see that it runs")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--sweeps", action="store_true", help="only the sweeps of the program")
    only.add_argument("--measured", action="store_true", help="only what has a protocol of its own")
    parser.add_argument("--closing", action="store_true", help="run nothing: the closing table of what is there")
    for name in ("ionosphere", "ecoli"):
        parser.add_argument(f"--{name}", type=Path, help=f"the UCI file {name}.data, class last")
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in declared]:
        parser.error(f"no {', '.join(unknown)}; there are {', '.join(declared)}")
    files = {name: path for name in ("ionosphere", "ecoli") if (path := getattr(given, name)) is not None}
    asked = Asked(given.data, files, given.seed, given.quick)
    out = given.out or (Path("build/papers-quick") if given.quick else KEPT)
    docs = given.docs or (REPOSITORY / "docs" if out == KEPT and not given.names else None)
    run = Run(asked, out, QUICK_ROWS if given.quick else None, drawings=out if out != KEPT else Path("build/papers"))
    names = given.names or list(declared)
    for name in names:
        if given.again:
            run.forget(declared[name])
        if not given.closing:
            for line in run.lines(declared[name], sweeps=not given.measured, measured=not given.sweeps):
                print(line, flush=True)
    found = [(declared[name], run.found(declared[name])) for name in names]
    sys.stdout.write("\n" + "\n".join(closing(found)) + "\n")
    for path in write_pages(found, docs) if docs is not None else ():
        print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
