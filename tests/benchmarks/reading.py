"""Reading a large CSV file, beside pandas: seconds and peak memory, each in a process of its own.

Usage: ``python -m tests.benchmarks.reading [--rows N]`` or ``python tests/benchmarks/reading.py``.
The file has 15 columns: an identifier, numbers, codes and words; it is made in a temporary
folder. To reach (product page): at most 3 times the seconds of
``pandas.read_csv(engine="c", dtype=str)``, and a peak below 6 times the file + 250 MB.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

ROUNDS = 3
# The process's own high-water mark: that of getrusage would count what its parent had.
_PEAK = """
def peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))
"""
_OURS = """
import sys, time
from pathlib import Path
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading import read_source

class Watched(Progress):
    longest, last = 0.0, time.perf_counter()
    def check(self):
        now = time.perf_counter()
        Watched.longest, Watched.last = max(Watched.longest, now - Watched.last), now
        super().check()
    def part(self, low, high):
        return self

began = Watched.last = time.perf_counter()
found = read_source(Path(sys.argv[1]), InputSection(), Watched())
seconds = time.perf_counter() - began
rows = found.account.rows_read
print(seconds, peak(), rows, Watched.longest)
"""
_PANDAS = """
import sys, time
import pandas
began = time.perf_counter()
found = pandas.read_csv(sys.argv[1], engine="c", dtype=str)
seconds = time.perf_counter() - began
print(seconds, peak(), len(found), 0)
"""


def make_file(path: Path, rows: int) -> None:
    """Write the table: fixed seed, so that every run reads the same bytes."""
    draw = np.random.default_rng(20261121)
    numbers = np.arange(10_000_000, 10_000_000 + rows).astype(str)
    columns = [
        numbers,
        np.char.mod("%.2f", draw.lognormal(8, 1, rows)),
        draw.integers(17, 91, rows).astype(str),
        draw.integers(10_000, 99_999, rows).astype(str),
        draw.integers(0, 100, rows).astype(str),
        np.char.mod("%.1f", draw.normal(100, 15, rows)),
    ]
    for distinct in (2, 3, 5, 7, 10, 16, 41, 100, 500):
        words = np.array([f"word {distinct}-{place}"[:11] for place in range(distinct)])
        columns.append(words[draw.integers(0, distinct, rows)])
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.write(",".join(f"column {place}" for place in range(len(columns))) + "\n")
        for start in range(0, rows, 50_000):
            part = [column[start : start + 50_000].tolist() for column in columns]
            file.writelines(",".join(row) + "\n" for row in zip(*part, strict=True))


def measure(program: str, path: Path) -> tuple[float, float, int, float]:
    """Run a program in a fresh process; returns seconds, peak MB, rows, longest time without a check."""
    done = subprocess.run(
        [sys.executable, "-c", _PEAK + program, str(path)], capture_output=True, text=True, check=True, env=os.environ
    )
    seconds, peak, rows, pause = done.stdout.split()
    return float(seconds), float(peak), int(rows), float(pause)


def main() -> None:
    """Print what was measured."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    rows = parser.parse_args().rows
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.csv"
        make_file(path, rows)
        size = path.stat().st_size / 2**20
        print(f"{rows:,} rows x 15 columns, {size:.0f} MB; best of {ROUNDS}, alternating")
        runs = [(measure(_OURS, path), measure(_PANDAS, path)) for _ in range(ROUNDS)]
        ours, pandas = (min(each[side] for each in runs) for side in (0, 1))
        assert ours[2] == pandas[2] == rows
        limit = 6 * size + 250
        pause = max(each[0][3] for each in runs)
        print(f"ours    {ours[0]:6.2f} s  {ours[1]:6.0f} MB peak, longest {1000 * pause:.0f} ms without a check")
        print(f"pandas  {pandas[0]:6.2f} s  {pandas[1]:6.0f} MB peak")
        print(f"ratio   {ours[0] / pandas[0]:6.2f}    (to reach: 3)")
        print(f"memory  {ours[1]:6.0f} of {limit:.0f} MB allowed ({ours[1] / size:.1f} times the file)")


if __name__ == "__main__":
    main()
