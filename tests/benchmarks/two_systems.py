"""Do two systems make the same releases, and does each verify those of the other?

    .venv/bin/python -m tests.benchmarks.two_systems make FOLDER linux
    packaging/windows.py run -m tests.benchmarks.two_systems make FOLDER windows     # as it is called there
    .venv/bin/python -m tests.benchmarks.two_systems verify FOLDER windows
    packaging/windows.py run -m tests.benchmarks.two_systems verify FOLDER linux
    .venv/bin/python -m tests.benchmarks.two_systems compare FOLDER linux windows

``make`` releases every bundled sample by its own recipe, and the employees once by each method, all with ``--seed 7``,
to ``FOLDER/SIDE``; what is blocked is written as a draft. The first to make lays tables and recipes in ``FOLDER`` for
both. ``compare`` names each file that differs; report.json and recipe.toml are compared without times, and the figures
of report.json to nine digits. One process does
all of a side, because on Windows under Wine each start is slow. Exit status 1 where anything differs.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.gate.base import all_checks

sys.path.append(str(Path(__file__).resolve().parent.parent / "shared"))

from support import accept_arguments

from tests.benchmarks.same_release import SAMPLES, SEED, differences, method_cases, without_times

ROWS = 200
_NOTHING = 1e-6
"""Figures below are differences of larger ones: of their digits none is like another's."""
OWN = {"certificate.html", "report.html", "certificate.pdf", "report.pdf", "manifest.json", "report.json"}
"""Files that hold the time of the release, or the hash of one that does."""


def cases(folder: Path) -> list[tuple[str, Path, Path]]:
    """Return name, table and recipe of each case; they are made where there are none yet."""
    found = []
    for name in SAMPLES:
        source = folder / f"{name}.csv"
        if not source.exists():
            quietly("sample", name, "--out", source, *(() if name == "life-insurance" else ("--rows", ROWS)))
        found.append((name, source, source.with_suffix(".recipe.toml")))
    of_methods = method_cases(folder / "employees.csv", all_methods())
    return found + [(f"by-{name}", people, recipe) for name, people, recipe in of_methods]


def quietly(*words: object) -> tuple[int, str]:
    """Run a command and return its exit code and what it said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = run([str(word) for word in words])
    return code, said.getvalue()


def make(folder: Path, side: str) -> int:
    """Release every case to a side."""
    wrong = 0
    (folder / side).mkdir(parents=True, exist_ok=True)
    # A person who has released nothing before: what they remember would stand in the report.
    with tempfile.TemporaryDirectory(prefix="ppdm-person-") as person:
        os.environ.update(XDG_CONFIG_HOME=person, LOCALAPPDATA=person)
        for name, source, recipe in cases(folder):
            wrong += released(folder / side / name, name, source, recipe)
    return wrong


def released(out: Path, name: str, source: Path, recipe: Path) -> bool:
    """Release one case, or write it as a draft where it is blocked; say so, and return whether it failed."""
    words = ("release", source, "--recipe", recipe, "--seed", SEED, "--out", out)
    code, said = quietly(*words, *accept_arguments(all_checks()))
    what = "released"
    if code == 3:
        code, said = quietly(*words, "--draft")
        what = "draft"
    print(f"{name:24} {what if not code else said[-400:]}", flush=True)
    return bool(code)


def verify(folder: Path, side: str) -> int:
    """Verify here what a side made."""
    wrong = 0
    for name, source, _ in cases(folder):
        code, said = quietly("verify", folder / side / name, "--input", source, "--json")
        outcome = json.loads(said[said.index("{") :])["result"] if "{" in said else said[-300:]
        wrong += bool(code)
        print(f"{name:24} {code} {outcome}", flush=True)
    return wrong


def rounded(document: Any) -> Any:
    """Return a document with its figures to nine digits: the mathematics of two systems differ in the last ones."""
    if isinstance(document, dict):
        return {key: rounded(value) for key, value in document.items()}
    if isinstance(document, list):
        return [rounded(each) for each in document]
    if isinstance(document, float):
        return float(f"{document:.9g}") if abs(document) > _NOTHING else 0.0
    return document


def compare(folder: Path, one: str, other: str) -> int:
    """Name each file in which two sides differ."""
    wrong = 0
    for name, _, _ in cases(folder):
        digits = 0
        places = [folder / side / name for side in (one, other)]
        files = [{path.relative_to(each).as_posix() for path in each.rglob("*") if path.is_file()} for each in places]
        found = [f"{each} stands on one side alone" for each in sorted(files[0] ^ files[1])]
        for file in sorted(files[0] & files[1]):
            left, right = ((each / file).read_bytes() for each in places)
            if file.endswith("report.json"):
                mine, theirs = (without_times(json.loads(each)) for each in (left, right))
                for each in (mine, theirs):
                    del each["program"]
                digits += len(list(differences(mine, theirs)))
                found += differences(rounded(mine), rounded(theirs), file)
            elif file.endswith("recipe.toml"):
                mine, theirs = (without_times(tomllib.loads(each.decode())) for each in (left, right))
                found += differences(mine, theirs, file)
            elif left != right and file.rpartition("/")[2] not in OWN:
                found.append(f"{file} differs")
        wrong += bool(found)
        last = f", but for the last digits of {digits} figures of the report" if digits else ""
        print(f"{name:24} {f'same{last}' if not found else ''}", *found[:8], sep="\n    " if found else "", flush=True)
    return wrong


def main() -> int:
    """Do what was asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("make", "verify", "compare"))
    parser.add_argument("folder", type=Path)
    parser.add_argument("sides", nargs="+", metavar="SIDE")
    given = parser.parse_args()
    if given.what == "compare":
        return 1 if compare(given.folder, *given.sides) else 0
    return 1 if (make if given.what == "make" else verify)(given.folder, *given.sides) else 0


if __name__ == "__main__":
    sys.exit(main())
