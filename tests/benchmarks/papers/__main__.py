"""Re-create the papers' tables, printed figures beside ours.

Usage: python -m tests.benchmarks.papers [--data FOLDER] [--page FILE] [--seed N] [--quick]
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

from tests.benchmarks.papers import li_sarkar  # noqa: E402 - after the thread settings

DEFAULT_DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


def main() -> int:
    """Run what the data at hand allows and print one page."""
    parser = argparse.ArgumentParser(description="Re-create the papers' tables, printed figures beside ours.")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", DEFAULT_DATA)))
    parser.add_argument("--page", type=Path, help="also write the page to this Markdown file")
    parser.add_argument("--seed", type=int, default=0, help="seed of the census sample")
    parser.add_argument("--quick", action="store_true", help="one learner only")
    given = parser.parse_args()
    lines = ["# The papers' tables, printed beside ours", ""]
    if all((given.data / name).exists() for name in ("adult_train.csv", "adult_test.csv")):
        lines += li_sarkar.run(given.data, seed=given.seed, quick=given.quick)
    else:
        lines.append(f"Census experiment left out: adult_train.csv and adult_test.csv are not in {given.data}.")
    text = "\n".join(lines) + "\n"
    sys.stdout.write(text)
    if given.page is not None:
        given.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
