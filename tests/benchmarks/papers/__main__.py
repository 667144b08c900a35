"""Re-create the papers' tables and figures, printed figures beside ours.

Usage: python -m tests.benchmarks.papers [--only NAME,NAME] [--data FOLDER] [--page FILE] [--seed N] [--quick]
       [--ionosphere FILE] [--ecoli FILE]
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

for _name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
    os.environ[_name] = "1"

from tests.benchmarks.papers import aggarwal_yu, li_sarkar, liu, vijayarani_tamilarasi, zhu  # noqa: E402 - after the thread settings

DEFAULT_DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


@dataclass(frozen=True)
class Asked:
    """What was asked for.

    Attributes
    ----------
    data
        Folder of the public data sets.
    page
        The Markdown page to write, plots beside it; None prints only.
    seed, quick
        First seed; fewer learners, repetitions and sizes.
    files
        Files of data sets that are not in the folder, by the data set's name.
    """

    data: Path
    page: Path | None
    seed: int
    quick: bool
    files: Mapping[str, Path] = field(default_factory=dict)


def _li_sarkar(asked: Asked) -> list[str]:
    if not all((asked.data / name).exists() for name in ("adult_train.csv", "adult_test.csv")):
        return [f"Census experiment left out: adult_train.csv and adult_test.csv are not in {asked.data}."]
    return li_sarkar.run(asked.data, seed=asked.seed, quick=asked.quick)


def _vijayarani(asked: Asked) -> list[str]:
    return vijayarani_tamilarasi.run(asked.page, seed=asked.seed, quick=asked.quick)


def _liu(asked: Asked) -> list[str]:
    return liu.run(asked.data, page=asked.page, seed=asked.seed, quick=asked.quick)


def _aggarwal_yu(asked: Asked) -> list[str]:
    return aggarwal_yu.run(asked.data, asked.files, page=asked.page, seed=asked.seed, quick=asked.quick)


def _zhu(asked: Asked) -> list[str]:
    return zhu.run(asked.data, seed=asked.seed, quick=asked.quick)


SECTIONS: Mapping[str, Callable[[Asked], list[str]]] = {
    "li-sarkar": _li_sarkar,
    "vijayarani": _vijayarani,
    "liu": _liu,
    "zhu": _zhu,
    "aggarwal-yu": _aggarwal_yu,
}
"""The papers by name: each returns its lines of the page. A new paper is one more entry."""


def main() -> int:
    """Run what was asked for and the data at hand allows, and print one page."""
    parser = argparse.ArgumentParser(description="Re-create the papers' tables and figures, printed beside ours.")
    parser.add_argument("--only", default="", metavar="NAME,NAME", help=f"some of: {', '.join(SECTIONS)}")
    parser.add_argument("--data", type=Path, default=Path(os.environ.get("PPDM_DATA", DEFAULT_DATA)))
    parser.add_argument("--page", type=Path, help="also write the page to this Markdown file, with its plots")
    parser.add_argument("--seed", type=int, default=0, help="seed of samples and splits")
    parser.add_argument("--quick", action="store_true", help="fewer learners, repetitions and sizes")
    for name in ("ionosphere", "ecoli"):
        parser.add_argument(f"--{name}", type=Path, help=f"the UCI file {name}.data, class last")
    given = parser.parse_args()
    wanted = [name.strip() for name in given.only.split(",") if name.strip()] or list(SECTIONS)
    if unknown := [name for name in wanted if name not in SECTIONS]:
        parser.error(f"no section {', '.join(unknown)}; there are {', '.join(SECTIONS)}")
    files = {name: path for name in ("ionosphere", "ecoli") if (path := getattr(given, name)) is not None}
    asked = Asked(given.data, given.page, given.seed, given.quick, files)
    lines = ["# The papers' tables, printed beside ours", ""]
    for name in wanted:
        lines += [*SECTIONS[name](asked), ""]
    text = "\n".join(lines).rstrip("\n") + "\n"
    sys.stdout.write(text)
    if given.page is not None:
        given.page.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
