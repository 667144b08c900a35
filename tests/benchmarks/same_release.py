"""Does another checkout of the program make the same releases, byte for byte?

    .venv/bin/python -m tests.benchmarks.same_release BEFORE AFTER
    .venv/bin/python -m tests.benchmarks.same_release BEFORE AFTER --only mondrian suppress

BEFORE and AFTER are two checkouts. The interpreter that runs this runs both, each with its own code and its
own resources, through the command line: every bundled sample by its own recipe, and one recipe for each
method on 400 invented employees, all with ``--seed 7``: that of `methods`, or else its defaults. What asks for
a reason gets one; a release that is blocked is compared as a draft. Compared are all bytes of ``release/``, and
``internal/report.json`` and ``internal/recipe.toml`` as data, but for the times in them. Exit status 1 where
anything differs.

Without a checkout to compare with, the releases of one are hashed: ``--hashes CHECKOUT``.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomli_w
from support import accept_arguments

SEED = "7"
ROWS = "400"
SAMPLES = ("life-insurance", "employees", "agrawal", "salary-offers")
VOLATILE = frozenset({"created", "seconds", "at", "head", "report_sha256"})
NUMBERS = ["Salary", "Income tax", "Weeks worked"]
BOUNDS = {"Salary": [0, 200_000], "Income tax": [0, 100_000], "Weeks worked": [0, 52]}


@dataclass(frozen=True)
class Made:
    """What one checkout made of one recipe: hashes of the files to hand over, and its record as data."""

    released: Mapping[str, str]
    report: Any
    recipe: Any
    blocked: bool


def methods() -> dict[str, dict[str, Any]]:
    """Return the step and the roles of columns of each method that cannot run, or does little, with its defaults."""
    swap = {"Contract": {"role": "confidential", "kind": "nominal"}}
    several = {
        "Contract": {"role": "confidential", "kind": "nominal"},
        **{name: {"role": "other", "kind": "numeric", "bounds": BOUNDS[name]} for name in NUMBERS},
    }
    unknown = {name: {"role": "other"} for name in ("Sex", "Age", "Region")}
    return {
        "additive-noise": {"columns": NUMBERS},
        "bayes-swap": {"columns": ["Contract"], "roles": swap},
        "bit-minus-minus": {"columns": NUMBERS},
        "bit-plus-plus": {"columns": NUMBERS},
        "condensation": {"group": 4},
        "data-reconstruction": {"class": "Contract", "generations": 10, "roles": several},
        "date-shift": {"roles": {"Hired": {"role": "other"}}},
        "full-domain": {"roles": {"Hired": {"role": "quasi-identifier"}, **unknown}},
        "generalize": {"columns": ["Age"], "width": 20},
        "leave-out": {"columns": ["Region"]},
        "microaggregation": {"columns": NUMBERS},
        "mondrian": {"k": 5, "l": 2},
        "pram": {"roles": swap},
        "pseudonymise": {"columns": ["Name"]},
        "random-swap": {"columns": ["Contract"], "roles": swap},
        "suppress": {"k": 2},
        "two-phase-noise": {"columns": NUMBERS, "roles": {name: {"bounds": BOUNDS[name]} for name in NUMBERS}},
    }


def package_of(checkout: Path, folder: Path) -> Path:
    """Lay the package and its resources side by side as an installation has them, and return their place."""
    place = folder / "installed"
    # What is compiled already goes along: it is used where its source is unchanged.
    shutil.copytree(checkout / "ppdm_desktop", place / "ppdm_desktop")
    shutil.copytree(checkout / "resources", place / "ppdm_desktop" / "resources")
    return place


def command(place: Path, folder: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the command line of the package at a place, with a configuration folder of its own."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(place), "XDG_CONFIG_HOME": str(home), "HOME": str(home)}
    environment |= {"LOCALAPPDATA": str(home), "QT_QPA_PLATFORM": "offscreen"}
    # The copy is compiled by the first of its processes for all that follow.
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    words = [sys.executable, "-P", "-m", "ppdm_desktop", *map(str, arguments)]
    return subprocess.run(
        words, env=environment, cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False
    )


def without_times(document: Any) -> Any:
    """Return a document without what the clock wrote into it."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if key not in VOLATILE}
    return [without_times(each) for each in document] if isinstance(document, list) else document


def recipe_for(base: Mapping[str, Any], method: str, change: Mapping[str, Any]) -> dict[str, Any]:
    """Return the employees' recipe with one step of a method."""
    columns = {name: dict(section) for name, section in base["columns"].items()}
    for name, section in change.get("roles", {}).items():
        columns[name] = {**columns[name], **section}
    step = {"method": method, **{key: change[key] for key in ("columns",) if key in change}}
    step["parameters"] = {key: value for key, value in change.items() if key not in ("roles", "columns")}
    # For use inside the house, where what anybody could undo asks for a reason and is not refused.
    return {**base, "columns": columns, "steps": [step], "accept": {}, "release": {"type": "internal"}}


def method_cases(employees: Path, methods_to_run: Iterable[str]) -> Iterator[tuple[str, Path, Path]]:
    """Write the employees with a column of dates, and a recipe for each method; yield its name, table and recipe.

    Parameters
    ----------
    employees
        The sample, with its recipe in the same folder.
    methods_to_run
        Ids of the methods.
    """
    base = tomllib.loads(employees.with_suffix(".recipe.toml").read_text("utf-8"))
    base["columns"]["Hired"] = {"role": "left-out", "kind": "date"}
    header, *rows = employees.read_text("utf-8").splitlines()
    days = (f"20{10 + index % 9}-{1 + index % 12:02}-{1 + index % 28:02}" for index in range(len(rows)))
    lines = [f"{header},Hired", *(f"{row},{day}" for row, day in zip(rows, days, strict=True))]
    people = employees.with_name("people.csv")
    people.write_text("\n".join([*lines, ""]), "utf-8", newline="\n")
    for name in methods_to_run:
        recipe = employees.with_name(f"by-{name}.recipe.toml")
        recipe.write_text(tomli_w.dumps(recipe_for(base, name, methods().get(name, {}))), "utf-8", newline="\n")
        yield name, people, recipe


def release(place: Path, folder: Path, source: Path, recipe: Path) -> Made:
    """Release a file with a reason for whatever asks for one, and read back what was written."""
    draft = folder / "draft"
    run = command(place, folder, "release", source, "--recipe", recipe, "--seed", SEED, "--out", draft, "--draft")
    if run.returncode:
        raise SystemExit(f"{recipe.name} cannot be run: {run.stderr[-2000:]}")
    gate = json.loads((draft / "internal" / "report.json").read_text("utf-8"))["verdict"]["checks"]
    blocked = any(check["status"] in ("red", "not-run") for check in gate)
    out = draft
    if not blocked:
        out = folder / "out"
        reasons = accept_arguments(each["id"] for each in gate if each["status"] == "amber")
        words: tuple[str | Path, ...] = ("release", source, "--recipe", recipe, "--seed", SEED, "--out", out, *reasons)
        run = command(place, folder, *words)
        if run.returncode:
            raise SystemExit(f"{recipe.name} cannot be released: {run.stdout[-2000:]}{run.stderr[-2000:]}")
    files = {path.name: path.read_bytes() for path in sorted((out / "release").glob("*"))} if not blocked else {}
    return Made(
        {name: hashlib.sha256(data).hexdigest() for name, data in files.items()},
        without_times(json.loads((out / "internal" / "report.json").read_text("utf-8"))),
        without_times(tomllib.loads((out / "internal" / "recipe.toml").read_text("utf-8"))),
        blocked,
    )


def cases(folder: Path, place: Path, only: frozenset[str], rows: str) -> Iterator[tuple[str, Path, Path]]:
    """Write each case's table and recipe, made by one checkout, and name the case."""
    known = [method["id"] for method in json.loads(command(place, folder, "methods", "--json").stdout)["methods"]]
    if unknown := only - {*SAMPLES, *known}:
        raise SystemExit(f"no such sample or method: {', '.join(sorted(unknown))}")
    for name in SAMPLES:
        if only and name != "employees" and name not in only:
            continue
        source = folder / f"{name}.csv"
        size = () if name == "life-insurance" else ("--rows", rows)
        run = command(place, folder, "sample", name, "--out", source, *size)
        if run.returncode:
            raise SystemExit(run.stderr)
        if not only or name in only:
            yield name, source, source.with_suffix(".recipe.toml")
    yield from method_cases(folder / "employees.csv", [name for name in known if not only or name in only])


def differences(before: Any, after: Any, at: str = "") -> Iterator[str]:
    """Name each place where two documents differ."""
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted({*before, *after}):
            if key not in before or key not in after:
                yield f"{at}.{key} stands only {'after' if key in after else 'before'}"
            else:
                yield from differences(before[key], after[key], f"{at}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for number, (one, other) in enumerate(zip(before, after, strict=True)):
            yield from differences(one, other, f"{at}[{number}]")
    elif before != after:
        yield f"{at}: {before!r:.80} became {after!r:.80}"


def compare(before: Path, after: Path, only: frozenset[str] = frozenset(), rows: str = ROWS) -> list[str]:
    """Return what differs between the releases of two checkouts; print a line for each case."""
    found: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        places = []
        for side, checkout in (("before", before), ("after", after)):
            (folder / side).mkdir()
            places.append(package_of(checkout, folder / side))
        (folder / "cases").mkdir()
        for case, source, recipe in cases(folder / "cases", places[0], only, rows):
            made = []
            for side, place in zip(("before", "after"), places, strict=True):
                work = folder / side / case
                work.mkdir()
                made.append(release(place, work, source, recipe))
            one, other = made
            wrong = [
                *differences(dict(one.released), dict(other.released), "release"),
                *differences(one.report, other.report, "report"),
                *differences(one.recipe, other.recipe, "recipe"),
            ]
            found += [f"{case}: {each}" for each in wrong]
            data = one.released.get("data.csv", "blocked, compared as a draft")
            print(f"{case:20} {'DIFFERS' if wrong else 'same':8} {data}", flush=True)
    return found


def hashes(checkout: Path, only: frozenset[str], rows: str) -> None:
    """Print the hash of each released file that one checkout writes."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        place = package_of(checkout, folder)
        (folder / "cases").mkdir()
        for case, source, recipe in cases(folder / "cases", place, only, rows):
            (folder / case).mkdir()
            for file, value in release(place, folder / case, source, recipe).released.items():
                print(f"{value}  {case}/{file}", flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Compare two checkouts, or print one's hashes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="+", metavar="CHECKOUT")
    parser.add_argument("--hashes", action="store_true", help="print the hashes of one checkout's releases")
    parser.add_argument("--only", nargs="+", default=[], help="these samples or methods")
    parser.add_argument("--rows", default=ROWS, help="rows of the invented tables (400)")
    given = parser.parse_args(arguments)
    only = frozenset(given.only)
    if given.hashes:
        hashes(given.checkouts[0].resolve(), only, given.rows)
        return 0
    if len(given.checkouts) != 2:
        parser.error("two checkouts are compared: BEFORE AFTER")
    before, after = (each.resolve() for each in given.checkouts)
    found = compare(before, after, only, given.rows)
    print("\n".join(found) if found else "No difference.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
