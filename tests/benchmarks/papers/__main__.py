"""Re-create the papers' tables and figures, each row as it comes, and close with one table: printed beside ours.

Usage: python -m tests.benchmarks.papers [NAME ...] [--out FOLDER] [--data FOLDER] [--seed N] [--quick] [--sweeps |
       --measured] [--ionosphere FILE] [--ecoli FILE]

The names are those of the files in ``resources/papers``. A folder that holds rows already is gone on with.
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
from tests.benchmarks.papers.runner import Run, closing  # noqa: E402

DEFAULT_DATA = Path(__file__).resolve().parents[4] / "shared" / "data"
QUICK_ROWS = 150


def main() -> int:
    """Run what was asked for and the data at hand allows."""
    declared = all_declared()
    parser = argparse.ArgumentParser(description="Re-create the papers' tables and figures, printed beside ours.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"some of: {', '.join(declared)}")
    parser.add_argument("--out", type=Path, default=Path("build/papers"), help="folder that keeps each row as it comes")
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
    run = Run(asked, given.out, QUICK_ROWS if given.quick else None)
    for name in given.names or declared:
        if not given.closing:
            for line in run.lines(declared[name], sweeps=not given.measured, measured=not given.sweeps):
                print(line, flush=True)
    lines = closing([(declared[name], run.found(declared[name])) for name in given.names or declared])
    text = "\n".join(lines) + "\n"
    sys.stdout.write("\n" + text)
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "closing.md").write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
