"""Full-domain: the best levels beside full enumeration and golden figures, counted in the exported file."""

from __future__ import annotations

import csv
import itertools
import json
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import classes_in, release
from several_rows_support import at_levels, column, people_of
from swap_support import streams

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.generalisation import best_levels
from ppdm_desktop.engine.methods.algorithms.generalisation.best_levels import BestLevels, ColumnLevels, LevelSearch
from ppdm_desktop.engine.methods.algorithms.generalisation.column_levels import levels_of_column, recodings_of
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.candidate.step_order import UNDOES_GROUPS, misplaced_step
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy

METHOD = find_method("full-domain")
GOLDEN: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden" / "full-domain.json").read_text("utf-8"))


def random_levels(rng: np.random.Generator) -> ColumnLevels:
    """A random tree over a few values, with the losses of its levels."""
    values = int(rng.integers(2, 7))
    rows = [np.arange(values)]
    while len(np.unique(rows[-1])) > 1:
        merged = np.sort(rng.integers(0, max(len(np.unique(rows[-1])) - 1, 1), values))
        rows.append(merged[np.unique(rows[-1], return_inverse=True)[1]])
    codes = np.array([np.append(row, -1) for row in rows])
    losses = np.array([[(np.sum(row == code) - 1) / (values - 1) for code in row] + [0.0] for row in rows])
    return ColumnLevels(codes, losses)


def left_out_by_hand(shown: list[tuple[int, ...]], demands: Ints, who: Ints) -> set[int]:
    """The rows left out: of each class, people beyond the largest number of which nobody asks for more."""
    members: dict[tuple[int, ...], dict[int, int]] = defaultdict(dict)
    for row, key in enumerate(shown):
        members[key][int(who[row])] = int(demands[row])
    kept = {}
    for key, people in members.items():
        asked = sorted(people.values())
        kept[key] = max([number for number in range(1, len(asked) + 1) if asked[number - 1] <= number], default=0)
    return {row for row, key in enumerate(shown) if demands[row] > kept[key]}


def best_by_trying_all(
    columns: list[ColumnLevels], codes: Ints, demands: Ints, importance: Any, who: Ints, part: Ints, most: int
) -> tuple[float, int, tuple[int, ...]] | None:
    found = []
    for levels in itertools.product(*(range(len(each.codes)) for each in columns)):
        cells = [each.codes[level][row] for each, level, row in zip(columns, levels, codes, strict=True)]
        shown = [tuple(int(cell) for cell in row) for row in zip(*cells, part, strict=True)]
        out = left_out_by_hand(shown, demands, who)
        people = len({int(who[row]) for row in out})
        product = 1.0
        for each, level, row, weight in zip(columns, levels, codes, importance, strict=True):
            lost = each.losses[level][row].copy()
            lost[list(out)] = 1.0
            product *= 1 + weight * lost.mean()
        if people <= most:
            found.append((round(product ** (1 / len(columns)) - 1, 10), people, levels))
    return min(found, default=None)


@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_all_combinations_of_300_random_tables(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for turn in range(100):
        columns = [random_levels(rng) for _ in range(int(rng.integers(1, 4)))]
        rows = int(rng.integers(5, 40))
        codes = np.array([rng.integers(-1 if turn % 3 else 0, len(each.codes[0]) - 1, rows) for each in columns])
        who = rng.integers(0, rows, rows) if turn % 4 == 0 else np.arange(rows)
        part = rng.integers(0, 2, rows) if turn % 5 == 0 else np.zeros(rows, dtype=np.int64)
        demands = (rng.choice([2, 3, 5, 10], rows) if turn % 2 else np.full(rows, 3))[who]
        importance = rng.choice([0.1, 1.0, 10.0], len(columns))
        most = int(rng.integers(0, rows + 1))
        search = LevelSearch(
            columns,
            codes,
            demands,
            importance,
            who=who if turn % 4 == 0 else None,
            part=part if turn % 5 == 0 else None,
        )
        found = search.run(most)
        expected = best_by_trying_all(columns, codes, demands, importance, who, part, most)
        if expected is None:
            assert not isinstance(found, BestLevels)
            continue
        assert isinstance(found, BestLevels)
        assert (round(found.best.loss, 10), *found.best[1:]) == expected
        assert found.gap == 0


def test_a_search_that_stops_early_says_how_far_it_may_be_off(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    columns = [random_levels(rng) for _ in range(4)]
    codes = np.array([rng.integers(0, len(each.codes[0]) - 1, 60) for each in columns])
    arguments = columns, codes, np.full(60, 6), np.ones(4)
    proven = LevelSearch(*arguments).run(2)
    monkeypatch.setattr(best_levels, "MOST_COMBINATIONS", 3)
    monkeypatch.setattr(best_levels, "MOST_EVALUATED", 3)
    bounded = LevelSearch(*arguments).run(2)
    assert isinstance(proven, BestLevels)
    assert isinstance(bounded, BestLevels)
    assert bounded.gap > 0
    assert bounded.best.left_out <= 2
    assert bounded.best.loss - bounded.gap <= proven.best.loss <= bounded.best.loss


def adult(folder: Path) -> Table:
    """The complete rows of Adult, nine columns with their hierarchies."""
    with (folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if all(value.strip() not in ("?", "") for value in row.values())]
    trees = {
        name: {value: tuple(path.split(";")) for path, values in groups.items() for value in values}
        for name, groups in GOLDEN["hierarchies"].items()
    }
    trees["age"] = {
        str(age): (*(f"{(age - 1) // width * width}-" for width in (5, 10, 20)), "*") for age in range(1, 101)
    }
    columns = []
    for name in GOLDEN["columns"]:
        tree = Hierarchy(trees[name], len(next(iter(trees[name].values()))))
        made = Column.from_texts(name, [row[name] for row in rows], role="quasi-identifier")
        columns.append(replace(made, hierarchy=tree))
    return Table(tuple(columns), np.arange(1, len(rows) + 1))


@pytest.mark.slow
@pytest.mark.data
@pytest.mark.parametrize("case", ["most 4 percent", "unlimited"])
def test_adult_has_the_golden_levels_and_loss(data_folder: Path, case: str) -> None:
    table, golden = adult(data_folder), GOLDEN[case]
    settings = METHOD.settings(table, None, {"most": golden["share"], "rest": "records"})
    result = METHOD.run(table, settings, streams())
    assert [of["level"] for of in result.detail["columns"].values()] == golden["levels"]
    assert result.detail["left_out"] == golden["left_out"] == table.rows - result.table.rows
    assert result.detail["loss"] == pytest.approx(golden["loss"], abs=1e-9)
    assert result.detail["gap"] == 0
    assert METHOD.recount(table, result.table, settings, result.detail).guarantee.holds


def test_leaves_are_those_of_the_file_or_the_numbers_inside_the_bounds() -> None:
    ages = column("age", [str(20 + 7 * n % 50) for n in range(60)], "quasi-identifier", "numeric")
    rules = recodings_of(ages)
    levels, (low, high) = levels_of_column(ages, rules), ages.bounds or (0, 0)
    for rule, losses in zip(rules[1:-1], levels.losses[1:-1], strict=True):
        inside = Counter(
            next(text for value, text in zip(ages.categories, rule.texts, strict=True) if int(value) == age)
            for age in range(int(low), int(high) + 1)
            if str(age) in ages.categories
        )
        assert (np.diff(losses[:-1]) != 0).any()
        assert all(
            lost >= (inside[text] - 1) / (high - low) - 1e-9 for lost, text in zip(losses, rule.texts, strict=False)
        )
    shares = {text: loss * (high - low) + 1 for text, loss in zip(rules[1].texts, levels.losses[1], strict=False)}
    assert sum(shares.values()) == pytest.approx(high - low + 1)
    assert set(levels.losses[0]) == {0.0}
    assert set(levels.losses[-1][:-1]) == {1.0}


def people(rng: np.random.Generator) -> list[dict[str, str]]:
    return [
        {
            "sex": str(rng.choice(["m", "f"])),
            "age": str(20 + int(rng.integers(40))),
            "zip": f"{rng.integers(10, 14)}{rng.integers(100, 130)}" if rng.random() > 0.02 else "",
            "ill": f"i{rng.integers(4)}",
            "asked": str(rng.choice([3, 3, 3, 4, 12])),
        }
        for _ in range(300)
    ]


COLUMNS: dict[str, Any] = {
    "sex": {"role": "q", "hierarchy": "sex.csv"},
    "age": {"role": "q", "kind": "numeric"},
    "zip": "q",
    "ill": "c",
    "asked": "p",
}


@pytest.mark.parametrize("rest", ["cells", "records"])
def test_a_release_has_one_rule_per_column_and_groups_as_asked(tmp_path: Path, rest: str) -> None:
    rows = people(np.random.default_rng(3))
    (tmp_path / "sex.csv").write_text("m;*\nf;*\n", encoding="utf-8")
    found = release(tmp_path, rows, COLUMNS, [{"method": "full-domain", "parameters": {"rest": rest, "most": 0.1}}])
    groups, quasi = classes_in(found.rows, ("sex", "age", "zip")), ("sex", "age", "zip")
    shown: dict[str, dict[str, set[str]]] = {name: defaultdict(set) for name in quasi}
    for place, line in found.by_row.items():
        row = rows[int(place[1:]) - 1]
        assert len(groups[tuple(line[name] for name in quasi)]) >= int(row["asked"])
        for name in quasi:
            if line[name]:
                shown[name][row[name]].add(line[name])
    assert all(len(texts) == 1 for texts_of in shown.values() for texts in texts_of.values())
    step = found.report["steps"][0]
    assert step["guarantee"]["holds"]
    assert step["detail"]["left_out"] <= 30
    assert (len(found.rows) == 300) == (rest == "cells")
    finer = [of["finer_left_out"] for of in step["detail"]["columns"].values() if of["level"]]
    assert finer
    assert all(number is not None for number in finer)
    assert verify(found.out, found.source).result == "identical"


def small_table(seed: int, *, levels: bool = True) -> Table:
    rng = np.random.default_rng(seed)
    tree = Hierarchy({f"v{code}": (f"w{code // 2}", f"x{code // 4}", "*") for code in range(8)}, 3)
    values = [[f"v{code}" for code in rng.integers(0, 8, 90)] for _ in range(3)]
    columns = tuple(
        replace(column(f"Q{n}", texts, "quasi-identifier"), hierarchy=tree) for n, texts in enumerate(values)
    )
    table = Table(columns, np.arange(1, 91))
    return table.with_levels(at_levels(rng.integers(0, 2, 90).tolist(), (3, 6))) if levels else table


def run(table: Table, **parameters: Any) -> StepResult:
    return METHOD.run(table, METHOD.settings(table, None, parameters), streams())


@pytest.mark.parametrize("rest", ["cells", "records"])
def test_the_order_of_rows_changes_nothing(rest: str) -> None:
    for seed in range(5):
        table = small_table(seed)
        order = np.random.default_rng(seed).permutation(table.rows)
        first, again = run(table, rest=rest), run(table.take(order), rest=rest)
        texts = [sorted(zip(*(each.values() for each in made.table.columns), strict=True)) for made in (first, again)]
        assert texts[0] == texts[1]
        assert first.detail["columns"] == again.detail["columns"]


def test_people_with_several_rows_are_counted_as_people() -> None:
    table = small_table(4, levels=False)
    for linked in (False, True):
        ids = [row // 2 for row in range(table.rows)]
        made = table.with_people(people_of(ids, linked=linked))
        if linked:
            firsts = np.repeat(np.arange(0, table.rows, 2), 2)
            made = table.take(firsts)
            made = Table(made.columns, np.arange(1, 91)).with_people(people_of(ids, linked=True))
        settings = METHOD.settings(made, None, {})
        result = METHOD.run(made, settings, streams())
        assert METHOD.recount(made, result.table, settings, result.detail).guarantee.holds
        assert result.detail["people"] == 45


def test_refusals_and_nothing_to_do() -> None:
    table = small_table(1)
    bare = Table((column("Q", ["a", "b"] * 20, "quasi-identifier"),), np.arange(1, 41))
    few = Table((column("Q", ["1001", "1002", "1003"], "quasi-identifier"),), np.arange(1, 4))
    gappy = table.column("Q0").with_values(np.arange(3), [""] * 3)
    gaps = table.replacing(replace(gappy, missing_texts=frozenset({""})))
    for made, parameters, expected in (
        (bare, {}, "error.full-domain.no-list"),
        (few, {}, "error.method.too-few"),
        (gaps, {"k": 20, "most": 0}, "error.full-domain.none-allowed"),
    ):
        with pytest.raises((InputError, RecipeError)) as refused:
            run(made, **parameters)
        assert refused.value.id == expected
    assert not METHOD.suggestions(bare)
    assert METHOD.suggestions(table)
    constant = Table((column("Q", ["1001", "1002"] * 9, "quasi-identifier"),), np.arange(1, 19))
    result = run(constant)
    assert [note.id for note in result.notes] == ["note.full-domain.nothing"]
    assert result.table.column("Q") is constant.column("Q")
    steps = [StepSection(method="full-domain"), StepSection(method="generalize", columns=("q",))]
    misplaced = misplaced_step(steps, ["q"])
    assert misplaced is not None
    assert misplaced.reason == UNDOES_GROUPS
