"""A release under less and less memory: does it end, in words, with nothing half-written? Linux alone.

Each run is a process of its own under a limit of its address space, from one in which nothing can begin to one in
which the release is written. Counted are runs that end otherwise than they should: not in time, with words of a library
in place of the program's, or with something left in the folder. From the repository's root:

    python -m tests.benchmarks.memory
    python -m tests.benchmarks.memory --from 100 --to 800 --step 20
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

LONGEST = 240.0
"""Seconds after which a run counts as one that does not end."""
RUN = "import resource as r, sys; r.setrlimit(r.RLIMIT_AS, (int(sys.argv.pop(1)),) * 2); "
RUN += "from ppdm_desktop.__main__ import main; sys.exit(main())"


def release(folder: Path, megabytes: int) -> tuple[str, float, str]:
    """Make a draft of a sample's release under a limit; return what came of it, seconds, and its last line."""
    out = folder / "out"
    command = [sys.executable, "-c", RUN, str(megabytes << 20), "release", str(folder / "sample.csv")]
    command += ["--recipe", str(folder / "sample.recipe.toml"), "--out", str(out), "--seed", "1", "--draft"]
    begun = time.monotonic()
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            text=True,
            check=False,
            timeout=LONGEST,
            env={**os.environ, "OPENBLAS_NUM_THREADS": "1", "XDG_CONFIG_HOME": str(folder / "config")},
        )
    except subprocess.TimeoutExpired:
        return "does not end", LONGEST, ""
    seconds, said = time.monotonic() - begun, done.stdout + done.stderr
    last = (said.strip().splitlines() or [""])[-1]
    left = [path.name for path in folder.iterdir() if path.name.startswith(".ppdm-")]
    if left or out.exists() != (done.returncode == 0):
        return "leaves something", seconds, last
    if done.returncode == 0:
        return "written", seconds, last
    return ("said in words" if "not enough memory" in said else "other words"), seconds, last


def main() -> int:
    """Run every limit and count."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="least", type=int, default=100, metavar="MB")
    parser.add_argument("--to", dest="most", type=int, default=900, metavar="MB")
    parser.add_argument("--step", type=int, default=40, metavar="MB")
    given = parser.parse_args()
    found = Counter[str]()
    for megabytes in range(given.least, given.most + 1, given.step):
        with tempfile.TemporaryDirectory() as made:
            folder = Path(made)
            sample = [sys.executable, "-m", "ppdm_desktop", "sample", "life-insurance", "--out"]
            subprocess.run([*sample, str(folder / "sample.csv")], check=True, capture_output=True)
            what, seconds, last = release(folder, megabytes)
        found[what] += 1
        print(f"{megabytes:5} MB {seconds:6.1f} s  {what}: {last[:90]}", flush=True)
    print(dict(found))
    return 0 if set(found) <= {"written", "said in words"} else 1


if __name__ == "__main__":
    sys.exit(main())
