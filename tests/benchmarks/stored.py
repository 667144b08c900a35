"""What a table costs whose columns lie on the disk, beside one in memory: processor seconds and the largest memory.

The table is that of ``release``, made in blocks of a million rows, so that making it takes little memory, too. Each
case is a process of its own. From the repository's root:

    python -m tests.benchmarks.stored                                            1,000,000 rows, assess, both places
    python -m tests.benchmarks.stored --rows 10000000 --columns disk             615 MB of source
    python -m tests.benchmarks.stored --rows 100000000 --columns disk            6.2 GB of source
    python -m tests.benchmarks.stored --rows 300000 --cases assess held verify

What was printed is the same wherever the columns lie: ``tests/engine/release/test_stored_release.py`` compares it.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from tests.benchmarks.release import commands, run, told, write_mix, write_recipe

CASES = ("inspect", "assess", "held", "full", "verify")
_BLOCK = 1_000_000


def write_blocks(path: Path, rows: int) -> None:
    """Write the table, a block of rows after another."""
    part = path.with_suffix(".part")
    with path.open("wb") as whole:
        for place, start in enumerate(range(0, rows, _BLOCK)):
            write_mix(part, min(_BLOCK, rows - start), seed=place + 1)
            with part.open("rb") as file:
                names = file.readline()
                whole.write(b"" if start else names)
                while piece := file.read(2**24):
                    whole.write(piece)
    part.unlink()


def main() -> None:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000_000])
    parser.add_argument("--cases", nargs="+", choices=CASES, default=["assess"])
    parser.add_argument("--columns", nargs="+", choices=("memory", "disk"), default=["memory", "disk"])
    parser.add_argument("--method", default="two-phase-noise")
    given = parser.parse_args()
    for rows in given.rows:
        with tempfile.TemporaryDirectory() as place:
            source, recipe = Path(place) / "mix.csv", Path(place) / "mix.recipe.toml"
            write_blocks(source, rows)
            write_recipe(recipe, given.method)
            size = source.stat().st_size
            for columns in given.columns:
                folder = Path(place) / columns
                folder.mkdir()
                for case in given.cases:
                    command = [*commands(case, folder, source, recipe), "--columns", columns]
                    parts = folder / "parts.json" if case in ("held", "full") else None
                    print(told(run(f"{case}, {columns}", command, rows, size, parts)), flush=True)


if __name__ == "__main__":
    main()
