"""Local suppression: few cells emptied, beside brute force, bounds and golden figures, counted in the exported file."""

from __future__ import annotations

import csv
import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from generalising_support import classes_in, release
from hypothesis import given
from hypothesis import strategies as st
from several_rows_support import column, people_of
from swap_support import random_table, streams
from thoroughness import examples

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.generalisation.fewest_blanks import bound_row_costs, fewest_blanks
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import UNDOES_GROUPS, misplaced_step
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.table.column import Column, Table

METHOD = find_method("local-suppression")
FIVE = ("sex", "age", "race", "marital-status", "education")
NINE = (*FIVE, "native-country", "workclass", "occupation", "class")


def class_sizes(codes: Ints, mask: Bools) -> list[int]:
    """The size of each row's class of equal shown values, counted slowly."""
    shown = [tuple(row) for row in np.where(mask, -1, codes).tolist()]
    return [shown.count(row) for row in shown]


def fewest_by_trying_all(codes: Ints, demands: Ints) -> int:
    """The fewest cells that do for two columns: every choice of masks, the cheapest first."""
    masks = ((False, False), (True, False), (False, True), (True, True))
    rows, asked = codes.tolist(), demands.tolist()
    for chosen in sorted(itertools.product(masks, repeat=len(rows)), key=lambda each: sum(map(sum, each))):
        shown = [
            tuple(-1 if gone else cell for cell, gone in zip(*pair, strict=True))
            for pair in zip(rows, chosen, strict=True)
        ]
        if all(shown.count(row) >= group for row, group in zip(shown, asked, strict=True)):
            return sum(map(sum, chosen))
    raise AssertionError("all cells empty is a solution")


def test_nearly_the_fewest_cells_of_150_small_tables() -> None:
    rng = np.random.default_rng(5)
    ours, fewest = [], []
    for at in range(150):
        codes = rng.integers(0, 3, (int(rng.integers(4, 7)), 2))
        demands = rng.choice([2, 2, 3], len(codes)) if at % 3 == 0 else np.full(len(codes), 1 + at % 3)
        ours.append(int(fewest_blanks(codes, demands).sum()))
        fewest.append(fewest_by_trying_all(codes, demands))
        assert bound_row_costs(codes, demands, np.ones(2)).sum() <= fewest[-1] <= ours[-1]
    assert np.mean(np.equal(ours, fewest)) >= 0.80
    assert sum(ours) <= 1.06 * sum(fewest)


def test_the_six_rows_of_sdcmicro_issue_354_need_three_cells() -> None:
    codes = np.array([[0, 0], [0, 1], [0, 1], [0, 1], [0, 2], [0, 2]])
    mask = fewest_blanks(codes, np.full(6, 3))
    assert mask.sum() == 3
    assert min(class_sizes(codes, mask)) == 3


def adult_codes(folder: Path, names: tuple[str, ...]) -> Ints:
    with (folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if all(value.strip() not in ("?", "") for value in row.values())]
    assert len(rows) == 30_162
    return np.stack([np.unique([row[name] for row in rows], return_inverse=True)[1] for name in names], axis=1)


LEVELS = np.random.default_rng(11).choice([5, 10, 20, 50], 30_162, p=[0.9, 0.06, 0.03, 0.01])


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize(
    ("names", "demands", "weights", "bound", "at_most"),
    [
        (FIVE, 3, (1, 1, 1, 1, 1), 5_134, 5_400),
        (FIVE, 5, (1, 1, 1, 1, 1), 7_828, 8_260),
        (FIVE, 3, (5, 1, 4, 2, 3), 5_636, 5_900),
        (FIVE, LEVELS, (1, 1, 1, 1, 1), 8_540, 9_870),
        (NINE, 3, (1,) * 9, 24_786, 1.17 * 24_786),
        (NINE, 5, (1,) * 9, 31_458, 1.17 * 31_458),
    ],
    ids=["k3", "k5", "importance", "levels", "nine-k3", "nine-k5"],
)
def test_adult_stays_between_the_golden_figures(
    data_folder: Path, names: tuple[str, ...], demands: Any, weights: tuple[float, ...], bound: int, at_most: float
) -> None:
    codes, asked = adult_codes(data_folder, names), np.zeros(30_162, dtype=np.int64) + demands
    mask = fewest_blanks(codes, asked, np.array(weights, dtype=np.float64))
    _, ids, sizes = np.unique(np.where(mask, -1, codes), axis=0, return_inverse=True, return_counts=True)
    assert (sizes[ids.reshape(-1)] >= asked).all()
    assert bound_row_costs(codes, asked, np.array(weights, dtype=np.float64)).sum() == bound
    assert bound <= (mask * np.array(weights)).sum() <= at_most


@examples(300)
@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(5, 40),
    columns=st.sampled_from([1, 2, 3, 5]),
    several=st.booleans(),
)
def test_everybody_has_company_whatever_the_order_of_rows(seed: int, rows: int, columns: int, several: bool) -> None:
    check_company(seed, rows, columns, several)


@pytest.mark.parametrize("columns", [13, 30])
def test_everybody_has_company_where_not_all_masks_are_tried(columns: int) -> None:
    check_company(1, 30, columns, several=False)


def check_company(seed: int, rows: int, columns: int, several: bool) -> None:
    rng = np.random.default_rng(seed)
    codes = rng.integers(-1, 3 + 2 * (seed % 2), (rows, columns))
    who = rng.integers(0, rows // 2 + 3, rows) if several else np.arange(rows)
    demands = rng.choice([1, 2, 3, 5], rows)[who % rows]
    weights = rng.choice([1.0, 1.0, 2.5, 0.01], columns)
    given_people = who if several else None
    if demands.max() > len(set(who.tolist())):
        with pytest.raises(InputError):
            fewest_blanks(codes, demands, weights, who=given_people)
        return
    mask = fewest_blanks(codes, demands, weights, who=given_people)
    assert not (mask & (codes < 0)).any()
    shown = [tuple(row) for row in np.where(mask, -1, codes).tolist()]
    for row, asked in zip(shown, demands.tolist(), strict=True):
        assert len({person for person, other in zip(who.tolist(), shown, strict=True) if other == row}) >= asked
    paid = np.where(codes >= 0, weights, 0.0)
    assert bound_row_costs(codes, demands, weights, who=given_people).sum() <= (paid * mask).sum() + 1e-6
    if not several:
        order = rng.permutation(rows)
        again = fewest_blanks(codes[order], demands[order], weights)
        assert sorted(map(tuple, np.where(again, -1, codes[order]).tolist())) == sorted(shown)


def test_a_release_shows_the_truth_or_nothing(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    rows = [
        {
            "sex": str(rng.choice(["m", "f"])),
            "age": str(20 + int(rng.integers(30))),
            "city": f"c{rng.geometric(0.4)}" if rng.random() > 0.05 else "",
            "ill": f"i{rng.integers(3)}",
            "asked": str(rng.choice([3, 3, 3, 4, 7])),
        }
        for _ in range(300)
    ]
    columns: dict[str, Any] = {
        "sex": "q",
        "age": {"role": "q", "kind": "numeric"},
        "city": "q",
        "ill": "c",
        "asked": "p",
    }
    steps: list[dict[str, Any]] = [
        {"method": "generalize", "columns": ["age"], "parameters": {"width": {"age": 10}}},
        {"method": "local-suppression", "parameters": {"importance": {"sex": 5}}},
        {"method": "bayes-swap", "parameters": {"selection_noise": 0.5}},
    ]
    found = release(tmp_path, rows, columns, steps)
    quasi = ("sex", "age", "city")
    groups = classes_in(found.rows, quasi)
    emptied = dict.fromkeys(quasi, 0)
    for place, line in found.by_row.items():
        row = rows[int(place[1:]) - 1]
        assert len(groups[tuple(line[name] for name in quasi)]) >= int(row["asked"])
        for name in quasi:
            emptied[name] += row[name] != "" and line[name] == ""
            assert line[name] in ("", row[name]) or name == "age"
    detail = found.report["steps"][1]["detail"]
    assert {name: of["cells"] for name, of in detail["columns"].items()} == emptied
    assert 0 < detail["bound"] <= detail["cells"] == sum(emptied.values()) <= 0.2 * detail["all"]
    assert found.report["steps"][1]["guarantee"]["holds"]
    assert verify(found.out, found.source).result == "identical"


def table_of(columns: list[Column], ids: list[int], linked: bool) -> Table:
    table = Table(tuple(columns), np.arange(1, len(ids) + 1))
    return table.with_people(people_of(ids, linked=linked))


def test_refusals_and_nothing_to_do() -> None:
    table = random_table(np.random.default_rng(1), 40, width=9)
    few = [column("Q", ["a", "b", "b", "a", "a"], "quasi-identifier")]
    for made, parameters, expected in (
        (table, {"k": 41}, "error.method.too-few"),
        (table, {"k": 5, "most": 0.1}, "error.local-suppression.too-many"),
        (table_of(few, [0, 0, 1, 2, 2], True), {"k": 2}, "error.mondrian.rows-put-together"),
        (table_of(few, [0, 1, 1, 2, 3], True), {"k": 2}, "error.mondrian.alone-by-number"),
    ):
        settings = METHOD.settings(made, None, parameters)
        with pytest.raises((InputError, RecipeError)) as refused:
            METHOD.run(made, settings, streams())
        assert refused.value.id == expected
    constant = Table((column("Q", ["a"] * 100, "quasi-identifier"),), np.arange(100))
    settings = METHOD.settings(constant, None, {"most": 0.29})
    assert METHOD.effect(constant, settings).arguments["cells"] == 29
    assert [note.id for note in METHOD.check(constant, settings)] == ["note.local-suppression.nothing"]
    assert METHOD.run(constant, settings, streams()).table is constant


@pytest.mark.parametrize(
    ("later", "columns", "undoes"),
    case_rows("local-suppression-no-later-step-changes-what-the-groups-are"),
)
def test_no_later_step_changes_what_the_groups_are_made_of(
    later: str, columns: tuple[str, ...] | None, undoes: bool
) -> None:
    steps = [StepSection(method="local-suppression"), StepSection(method=later, columns=columns)]
    found = misplaced_step(steps, ["q"])
    assert (found is not None and found.reason == UNDOES_GROUPS) == undoes
    assert misplaced_step(steps[::-1], ["q"]) is None or later == "condensation"
