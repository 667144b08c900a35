"""What it costs a bundle to start, cold and warm: processor seconds, and seconds that a person waits.

Cold is a start whose files the system has to fetch from the disk: it is told to forget those of the bundle, and of
nothing else. Warm is the start after it. The window paints without a screen and reads the sample. Linux alone, from the
repository's root:

    python -m tests.benchmarks.bundle_start
    python -m tests.benchmarks.bundle_start --bundle FOLDER --times 5
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
STARTS = {"version": ["--version"], "inspect": ["inspect", "people.csv"], "window": ["people.csv"]}


def forget(folder: Path) -> None:
    """Tell the system that what it holds of these files in memory is not needed."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
                os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def start(program: Path, words: Sequence[str], place: Path) -> tuple[float, float]:
    """Run the program once; return its processor seconds, those of its children too, and the seconds it took."""
    environment = {"PATH": str(place), "HOME": str(place), "LANG": "C.UTF-8", "QT_QPA_PLATFORM": "offscreen"}
    before, begun = os.times(), time.monotonic()
    subprocess.run(
        [str(program), *words],
        cwd=place,
        env={**environment, "PPDM_DESKTOP_SMOKE": "1"},
        check=True,
        capture_output=True,
    )
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return spent, time.monotonic() - begun


def main(arguments: Sequence[str]) -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bundle", type=Path, default=ROOT / "dist" / "ppdm-desktop")
    parser.add_argument("--times", type=int, default=3)
    given = parser.parse_args(arguments)
    program = given.bundle.absolute() / "ppdm-desktop"
    sizes = [path.lstat().st_size for path in given.bundle.rglob("*") if path.is_file() and not path.is_symlink()]
    sys.stdout.write(f"{sum(sizes) / 1e6:.0f} MB, {len(sizes)} files; medians of {given.times}\n")
    sys.stdout.write(f"{'start':10}{'cold':>22}{'warm':>22}\n")
    with tempfile.TemporaryDirectory(prefix="ppdm-start-") as name:
        place = Path(name)
        start(program, ["sample", "life-insurance", "--out", "people.csv"], place)
        for what, words in STARTS.items():
            said = []
            for cold in (True, False):
                found = []
                for _ in range(given.times):
                    if cold:
                        forget(given.bundle)
                    found.append(start(program, words, place))
                spent, took = (statistics.median(each) for each in zip(*found, strict=True))
                said.append(f"{spent:.2f} s of {took:.2f} s")
            sys.stdout.write(f"{what:10}{said[0]:>22}{said[1]:>22}\n")
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
