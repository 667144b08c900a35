"""What the tests of the methods for numbers share: golden figures and small tables."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from support import export_or_reject, reasons_for, write_lines

from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, RecordLevels

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "golden" / "vijayarani-tamilarasi.json").read_text(encoding="utf-8")
)
CHECKS = tuple(all_checks())


def number_column(name: str, texts: Sequence[str], step: float | None = None, mark: str = ".") -> Column:
    """A confidential column of numbers; empty cells are missing."""
    style = NumberStyle.seen_in([text for text in texts if text], mark, step)
    return Column.from_texts(name, texts, role="confidential", kind="numeric", style=style)


def number_table(*columns: Sequence[object], levels: Sequence[int] | None = None, step: float | None = None) -> Table:
    """A table of confidential numbers A, B, ..., each record's level by its group size."""
    made = tuple(
        number_column(chr(ord("A") + at), [str(value) for value in values], step) for at, values in enumerate(columns)
    )
    rows = len(made[0])
    return Table(made, np.arange(1, rows + 1), levels_for(levels) if levels is not None else None)


def levels_for(groups: Sequence[int]) -> RecordLevels:
    """Levels that demand these group sizes."""
    sizes = sorted(set(groups))
    made = tuple(
        Level(f"group {size}", replace(DEFAULT_LEVELS[0].demand, group=size), rank) for rank, size in enumerate(sizes)
    )
    codes = np.array([sizes.index(group) for group in groups], dtype=np.int32)
    return RecordLevels(made, codes, {"default": len(groups)})


def applied(
    method: str, table: Table, seed: int = 1, columns: Sequence[str] | None = None, **parameters: Any
) -> StepResult:
    """Check, run and recount a method; its promise has to hold, and every record has to get what its level asks for."""
    found = find_method(method)
    settings = found.settings(table, columns, parameters)
    found.check(table, settings)
    result = found.run(table, settings, StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 1))
    recount = found.recount_run(table, result.table, settings, result)
    assert recount.guarantee.holds, recount.guarantee
    assert all(proof.met for proof in recount.levels)
    return result


def number_recipe(steps: list[dict[str, Any]], type: str = "internal") -> dict[str, object]:
    """A recipe for the columns row, area, pay, tax and level.

    Of pay and tax those are confidential that a step treats; the other one is in the way of no check.
    """
    treated = {name for step in steps for name in step.get("columns", ("pay", "tax"))}
    roles = {name: "confidential" if name in treated else "other" for name in ("pay", "tax")}
    return {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": {
            "row": {"role": "other", "kind": "nominal"},
            "area": {"role": "quasi-identifier", "kind": "nominal"},
            "pay": {"role": roles["pay"], "kind": "numeric"},
            "tax": {"role": roles["tax"], "kind": "numeric"},
            "level": {"role": "privacy-level"},
        },
        "steps": steps,
        "release": {"type": type},
    }


def released_rows(
    folder: Path, rows: Sequence[Sequence[str]], steps: list[dict[str, Any]], seed: int = 1
) -> tuple[dict[str, dict[str, str]], dict[str, Any]]:
    """Release a table of area, pay, tax and level; return the file's lines by row, and the report.

    A random table that tells too many their value is rejected, see ``export_or_reject``.
    """
    source, out = folder / "source.csv", folder / "out"
    write_source(source, rows)
    prepared = prepare(source, parse_recipe(number_recipe(steps)), need_type=True)
    candidate = run_candidate(prepared, Key.from_seed(seed))
    export_or_reject(candidate, out, reasons_for(CHECKS))
    with (out / "release" / "data.csv").open(encoding="utf-8", newline="") as file:
        lines = {line["row"]: line for line in csv.DictReader(file)}
    return lines, json.loads((out / "internal" / "report.json").read_text(encoding="utf-8"))


def write_source(path: Path, rows: Sequence[Sequence[str]]) -> None:
    """Write such a table as CSV."""
    write_lines(path, ["row", "area", "pay", "tax", "level"], ([f"r{i}", *row] for i, row in enumerate(rows)))
