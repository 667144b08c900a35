"""What bayes-swap keeps beside what retracing finds, for each of its searches: ``swap_kept`` measures, this prints.

Run from the repository's root:

    python -m tests.benchmarks.swapping --kept --keys 10
    python -m tests.benchmarks.swapping --kept --out tests/golden/swap-kept.jsonl      docs/papers.md is made of it
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from tests.benchmarks.papers.__main__ import DEFAULT_DATA
from tests.benchmarks.swap_kept import HEAD, census, keep, line, means, measured, offers


def main() -> None:
    """Print each row as it comes, then the means."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--kept", nargs="*", choices=["offers", "census"], default=[], help="both without a name")
    parser.add_argument("--keys", type=int, default=10)
    parser.add_argument("--out", type=Path, help="file that keeps the rows")
    parser.add_argument("--first", type=int, default=1, help="number of the first key")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", DEFAULT_DATA)))
    given = parser.parse_args()
    data_sets = (offers() if name == "offers" else census(given.data) for name in given.kept or ["offers", "census"])
    measured_rows = (row for data_set in data_sets for row in measured(data_set, given.keys, given.first))
    rows = []
    print(HEAD)
    for row in keep(given.out, measured_rows) if given.out is not None else measured_rows:
        rows.append(row)
        print(line(row), flush=True)
    for name in dict.fromkeys(row.data for row in rows):
        print("", *means([row for row in rows if row.data == name]), sep="\n")


if __name__ == "__main__":
    main()
