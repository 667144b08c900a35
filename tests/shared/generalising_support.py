"""What the tests of mondrian, generalize and suppress share: releases of small tables, slow counts from the file."""

from __future__ import annotations

import csv
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, log
from pathlib import Path
from typing import Any

from support import export_or_reject, reasons_for, write_lines

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.writing.export import Exported, evaluate

ROLES = {"q": "quasi-identifier", "c": "confidential", "o": "other", "p": "privacy-level", "x": "left-out"}
Row = dict[str, str]


@dataclass(frozen=True)
class Released:
    """A release read back from its file by the standard library."""

    candidate: Candidate
    exported: Exported
    out: Path
    source: Path

    @property
    def rows(self) -> list[Row]:
        """The lines of the data file."""
        with (self.out / "release" / "data.csv").open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    @property
    def by_row(self) -> dict[str, Row]:
        """The lines by the column row."""
        return {line["row"]: line for line in self.rows}

    @property
    def report(self) -> dict[str, Any]:
        """The content of report.json."""
        return self.exported.report

    def check(self, id: str) -> dict[str, Any]:
        """One verdict of the gate."""
        return next(each for each in self.report["verdict"]["checks"] if each["id"] == id)


def recipe_for(
    columns: Mapping[str, str | Mapping[str, Any]], steps: Sequence[Mapping[str, Any]], type: str = "internal"
) -> dict[str, Any]:
    """A recipe; a column is the first letter of its role, or a section with that letter as role."""
    sections = {
        name: {"role": ROLES[given]} if isinstance(given, str) else {**given, "role": ROLES[given["role"]]}
        for name, given in columns.items()
    }
    document: dict[str, Any] = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": sections,
        "steps": list(steps),
        "release": {"type": type},
    }
    level = [name for name, given in sections.items() if given["role"] == "privacy-level"]
    return {**document, "privacy": {"default": 3, "column": level[0]}} if level else document


def write_rows(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    """Write lines as CSV, with a running number in front."""
    write_lines(path, ["row", *rows[0]], ([f"r{place}", *row.values()] for place, row in enumerate(rows, start=1)))


def candidate_of(
    folder: Path,
    rows: Sequence[Mapping[str, str]],
    columns: Mapping[str, str | Mapping[str, Any]],
    steps: Sequence[Mapping[str, Any]],
    type: str = "internal",
    seed: int = 1,
) -> Candidate:
    """Run the steps on a table of these rows."""
    folder.mkdir(exist_ok=True, parents=True)
    source = folder / "source.csv"
    write_rows(source, rows)
    recipe = parse_recipe(recipe_for({"row": "o", **columns}, steps, type))
    return run_candidate(prepare(source, recipe, need_type=True), Key.from_seed(seed))


def release(
    folder: Path,
    rows: Sequence[Mapping[str, str]],
    columns: Mapping[str, str | Mapping[str, Any]],
    steps: Sequence[Mapping[str, Any]],
    type: str = "internal",
    seed: int = 1,
) -> Released:
    """Release a table of these rows; every amber is accepted, red stops the test or has another table drawn."""
    candidate = candidate_of(folder, rows, columns, steps, type, seed)
    checks = evaluate(candidate, attacks=()).checks
    amber = reasons_for(check.id for check in checks if check.status in ("amber", "not-run"))
    out = folder / "out"
    exported = export_or_reject(candidate, out, amber)
    return Released(candidate, exported, out, folder / "source.csv")


def classes_in(rows: Sequence[Row], quasi: Sequence[str]) -> dict[tuple[str, ...], list[Row]]:
    """Lines by equal texts of some columns."""
    found: dict[tuple[str, ...], list[Row]] = defaultdict(list)
    for row in rows:
        found[tuple(row[name] for name in quasi)].append(row)
    return found


def entropy_l(rows: Sequence[Row], name: str) -> float:
    """exp of the entropy of one column."""
    counts = Counter(row[name] for row in rows)
    return exp(-sum(n / len(rows) * log(n / len(rows)) for n in counts.values()))


def earth_mover(rows: Sequence[Row], table: Sequence[Row], name: str, order: Sequence[str] | None) -> float:
    """Distance of a class from the table by the definition; without an order half the sum of differences."""
    values = order or sorted({row[name] for row in table})
    gaps = [
        sum(row[name] == value for row in rows) / len(rows) - sum(row[name] == value for row in table) / len(table)
        for value in values
    ]
    if order is None:
        return sum(map(abs, gaps)) / 2
    return sum(abs(sum(gaps[: i + 1])) for i in range(len(gaps))) / (len(gaps) - 1)
