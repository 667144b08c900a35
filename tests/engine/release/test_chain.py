"""Chains: what each step of a recipe changed, counted again from the tables, and shown in the report."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_text
from support import not_analysed

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.measures.kept_shares import is_rough
from ppdm_desktop.engine.release.measures.losses import describe_kept_columns, describe_losses, list_lost_marked_columns
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.wording.values import Term

HEAD = case_text("chain-head.toml")

SWAP = """
[[steps]]
method = "random-swap"
columns = ["Illness"]
"""

NOISE = """
[[steps]]
method = "two-phase-noise"
columns = ["Pay"]
"""

CONDENSE = """
[[steps]]
method = "condensation"
"""


def people(folder: Path, cities: int = 2) -> Path:
    lines = ["Age,City,Pay,Illness"]
    for row in range(80):
        city = ("Bonn", "Ghent")[row % 2] if cities < 80 else f"T{row}"
        city = "Oslo" if cities == 3 and row == 0 else city
        lines.append(f"{20 + row % 9},{city},{50 + 7 * row % 60},{('flu', 'cold', 'ulcer')[row % 3]}")
    path = folder / "people.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def candidate_of(folder: Path, recipe: str, *, cities: int = 2) -> Candidate:
    prepared = prepare(people(folder, cities), parse_recipe(tomllib.loads(recipe)), need_type=True)
    return run_candidate(prepared, Key.from_seed(3))


def report_of(candidate: Candidate, out: Path) -> tuple[dict[str, Any], str]:
    export(candidate, out, draft=True, analyses=not_analysed(), attacks=())
    return (
        json.loads((out / "internal" / "report.json").read_text(encoding="utf-8")),
        (out / "internal" / "annex.html").read_text(encoding="utf-8"),
    )


def alone(rows: list[tuple[str, str]]) -> int:
    return sum(rows.count(row) == 1 for row in rows)


def test_each_step_of_a_chain_has_risk_and_usefulness_after_it(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, HEAD + SWAP + NOISE)
    report, page = report_of(candidate, tmp_path / "out")
    found = [step["detail"]["after"] for step in report["steps"]]
    assert [each["step"] for each in found] == [1, 2]
    for step, each in zip(candidate.steps, found, strict=True):
        table = step.result.table
        rows = list(zip(table.column("Age").values(), table.column("City").values(), strict=True))
        assert (each["records"], each["alone"], each["k"]) == (80, alone(rows), min(map(rows.count, rows)))
    assert found[1]["moved_column"] == "Pay"
    assert found[0]["moved_column"] in (None, "Illness", "Age", "City", "Pay")
    assert found[0]["total_variation"] < found[1]["total_variation"]


def test_made_up_records_have_no_class_sizes(tmp_path: Path) -> None:
    report, _ = report_of(candidate_of(tmp_path, HEAD + SWAP + CONDENSE), tmp_path / "out")
    first, last = (step["detail"]["after"] for step in report["steps"])
    assert first["k"] is not None
    assert (last["k"], last["alone"], last["identifiable"]) == (None, None, None)
    assert last["total_variation"] > 0


@pytest.mark.parametrize("later", [SWAP, NOISE])
def test_after_made_up_records_no_step_may_need_records(tmp_path: Path, later: str) -> None:
    with pytest.raises(RecipeError) as refused:
        candidate_of(tmp_path, HEAD + CONDENSE + later)
    assert refused.value.id == "error.step.after-no-rows"
    assert refused.value.arguments["earlier"] == Term(find_method("condensation").title)


def test_a_step_switched_off_is_skipped_and_changes_no_draw_of_a_chain_without_it(tmp_path: Path) -> None:
    off = NOISE.replace('method = "two-phase-noise"', 'method = "two-phase-noise"\nenabled = false')
    with_it, without = (candidate_of(tmp_path, HEAD + text) for text in (off + SWAP, SWAP))
    assert [step.method.id for step in with_it.steps] == ["random-swap"]
    assert with_it.released.column("Illness").values() == without.released.column("Illness").values()


def test_a_column_that_keeps_less_than_half_of_its_detail_is_not_said_to_be_kept(tmp_path: Path) -> None:
    broad = '[[steps]]\nmethod = "generalize"\ncolumns = ["Age"]\nparameters = { width = 9 }\n'
    candidate = candidate_of(tmp_path, HEAD + broad)
    assert str(describe_losses(candidate)) == "You lose no column, only detail. Only roughly: “Age” (2 ranges)."
    assert "City" in str(describe_kept_columns(candidate))
    assert "Age" not in str(describe_kept_columns(candidate))
    assert list_lost_marked_columns(candidate) == ()
    marked = HEAD.replace("[columns.Age]", '[columns.Age]\ndetail = "keep"')
    assert list_lost_marked_columns(candidate_of(tmp_path, marked + broad)) == ("Age",)
    assert list_lost_marked_columns(candidate_of(tmp_path, marked)) == ()


@pytest.mark.parametrize(
    ("kept", "shown", "source", "rough"),
    [
        (0.9, [50, 50], [10] * 10, True),  # two ranges of ten values
        (0.9, [82, 9, 5, 2, 2], [1] * 100, True),  # five, of which most people have one
        (0.6, [20, 15, 15, 10, 10, 10, 8, 8, 4], [1] * 100, False),  # nine ranges
        (0.45, [1] * 45, [1] * 100, True),  # many cells are empty
        (1.0, [90, 10], [90, 10], False),  # there were no more
    ],
)
def test_a_column_is_rough_by_what_is_left_of_it(kept: float, shown: list[int], source: list[int], rough: bool) -> None:
    assert is_rough(kept, np.array(shown), np.array(source)) == rough


MONDRIAN = """
[[steps]]
method = "mondrian"
"""


def test_coarser_values_have_a_cost_and_groups_give_something_away(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, HEAD + MONDRIAN)
    report, page = report_of(candidate, tmp_path / "out")
    found = report["steps"][0]["detail"]["coarseness"]
    table = candidate.final
    rows = list(zip(table.column("Age").values(), table.column("City").values(), strict=True))
    sizes = [rows.count(row) for row in rows]
    assert found["discernibility"]["value"] == sum(sizes)
    assert found["average_class"]["value"] == len(rows) / len(set(rows)) / candidate.prepared.type.k_min
    assert 0 < found["granularity"]["value"] < 1
    shown = list(zip(rows, table.column("Illness").values(), strict=True))
    alone_in_value = [len({value for other, value in shown if other == row}) == 1 for row in rows]
    own = found["homogeneity"]["Illness"]
    assert own["one_valued"]["value"] == sum(alone_in_value) / len(rows)
    assert own["majority"]["value"] >= own["baseline"]["value"]
