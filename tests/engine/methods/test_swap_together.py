"""Several confidential columns that move as one: counts, least costs, relations, recounts, attacks and refusals."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.swapping.participants import Unit, unit_input
from ppdm_desktop.engine.methods.algorithms.swapping.steps import COMBINATION_LIMIT
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels

BAYES, RANDOM = find_method("bayes-swap"), find_method("random-swap")
TOGETHER = ["A", "B"]


def paired_table(
    rows: int, a: int, b: int, seed: int, *, levels: int = 1, missing: float = 0.0, attributes: int = 4, width: int = 6
) -> Table:
    """Mostly unique people with two confidential columns that lean on their details, and on one another."""
    rng = np.random.default_rng(seed)
    first = rng.integers(a, size=rows)
    second = np.where(rng.random(rows) < 0.7, first % b, rng.integers(b, size=rows))
    columns = []
    for index in range(attributes):
        leaning = first if index % 2 else second
        shown = np.where(rng.random(rows) < 0.5, leaning, rng.integers(width, size=rows))
        columns.append(Column.from_texts(f"Q{index}", [f"q{each}" for each in shown], role="quasi-identifier"))
    for name, values, many in (("A", first, a), ("B", second, b)):
        texts = ["" if rng.random() < missing else f"{name.lower()}{each}" for each in values]
        texts[:many] = [f"{name.lower()}{each}" for each in range(many)]
        columns.append(Column.from_texts(name, texts, role="confidential"))
    given_levels = RecordLevels(DEFAULT_LEVELS[:levels], rng.integers(levels, size=rows).astype(np.int32), {})
    return Table(tuple(columns), np.arange(1, rows + 1), given_levels)


def swapped(table: Table, seed: int = 1, method: Any = BAYES, **parameters: Any) -> StepResult:
    settings = method.settings(table, None, {"together": TOGETHER, **parameters})
    method.check(table, settings)
    result: StepResult = method.run(table, settings, streams(seed))
    assert method.recount(table, result.table, settings, result.detail).guarantee.holds
    return result


def pairs(table: Table) -> list[tuple[str, str]]:
    return list(zip(table.column("A").values(), table.column("B").values(), strict=True))


def joint(table: Table) -> Any:
    return unit_input(table, Unit(("A", "B")), quasi_identifier_classes(table))


WAYS: list[Mapping[str, Any]] = [
    {"search": "exact"},
    {"search": "exact", "selection_noise": 0, "proportion": 0.5},
    {"search": "greedy", "selection_noise": 0, "proportion": 0.4, "group_share": "one-member", "balance": "separate"},
    {"search": "random-start", "proportion": "largest-balanced"},
    {"search": "exact", "selection_noise": 2.0},
]


@pytest.mark.thorough
@given(st.integers(0, 10_000), st.sampled_from(WAYS), st.integers(1, 3))
@examples(20)
def test_combinations_move_as_one_and_their_counts_are_kept(seed: int, way: Mapping[str, Any], levels: int) -> None:
    table = paired_table(60, 3, 2, seed, levels=levels, missing=0.02)
    result = swapped(table, seed, **way)
    before, after = Counter(pairs(table)), Counter(pairs(result.table))
    detail = result.detail["together"]
    assert set(after) <= set(before)
    assert sum(((before - after) + (after - before)).values()) == detail["departure"]
    # Per level as many unique people show another combination as was promised, and nobody else but group members.
    given_ = joint(table)
    changed = np.array([one != other for one, other in zip(pairs(table), pairs(result.table), strict=True)])
    found = given_.identified()
    for place, each in enumerate(detail["levels"]):
        assert changed[found.unique][given_.level[found.unique] == place].sum() == each["m"]
    assert not np.delete(changed, np.concatenate([found.unique, found.collective])).any()
    for group in range(found.groups):
        assert changed[found.collective[found.group == group]].sum() >= 1
    for name, many in detail["shown_otherwise"].items():
        one, other = table.column(name).category_codes, result.table.column(name)
        texts = [table.column(name).categories[code] if code >= 0 else "" for code in one]
        assert many == sum(texts[row] != list(other.values())[row] for row in found.unique)


@given(st.integers(0, 10_000))
@examples(16)
def test_the_least_cost_and_its_bound_are_those_of_all_choices(seed: int) -> None:
    """Every choice of a tiny table that keeps the counts, tried one by one, with costs worked out by hand."""
    table = paired_table(7, 2, 2, seed, attributes=2, width=3)
    settings = BAYES.settings(table, None, {"together": TOGETHER, "proportion": 0.5, "selection_noise": 0})
    result = BAYES.run(table, settings, streams(seed))
    detail, given_ = result.detail["together"], joint(table)
    found = given_.identified()
    truth, ways = given_.truth, given_.categories
    costs = by_hand(table, truth, ways)
    rows = found.unique if not len(found.collective) else np.flatnonzero(shown_otherwise(table, result))
    changed = [row for row in found.collective if row in rows]
    places = [*found.unique, *changed]
    least = np.inf
    for choice in itertools.product(range(ways), repeat=len(places)):
        shown = dict(zip(places, choice, strict=True))
        if sum(shown[row] != truth[row] for row in found.unique) != detail["m"]:
            continue
        if any(shown[row] == truth[row] for row in changed):
            continue
        after = truth.copy()
        after[places] = choice
        drift = np.abs(np.bincount(after, minlength=ways) - np.bincount(truth, minlength=ways)).sum()
        if drift == detail["departure"]:
            least = min(least, sum(costs[row, to] for row, to in shown.items()))
    assert detail["proven_optimum"] == pytest.approx(least, abs=1e-6)
    assert detail["lower_bound"] <= least + 1e-6
    # Without noise the exact search is the optimum, but where a group must show other values of one column.
    assert detail["objective"] >= least - 1e-6
    if not len(found.collective):
        assert detail["objective"] == pytest.approx(least, abs=1e-6)


def shown_otherwise(table: Table, result: StepResult) -> Any:
    return np.array([one != other for one, other in zip(pairs(table), pairs(result.table), strict=True)])


def by_hand(table: Table, truth: Any, ways: int) -> Any:
    """p(own) - p(other) of each row and combination, from counts of pairs of an attribute and one column."""
    people, combos = pairs(table), {}
    for row, code in enumerate(truth):
        combos[int(code)] = people[row]
    found = np.zeros((table.rows, ways))
    for row in range(table.rows):
        for code, (a, b) in combos.items():
            chance = people.count((a, b)) / len(people)
            for quasi in table.with_role("quasi-identifier"):
                values = list(quasi.values())
                for at, value in ((0, a), (1, b)):
                    holders = [place for place, pair in enumerate(people) if pair[at] == value]
                    chance *= sum(values[place] == values[row] for place in holders) / len(holders)
            found[row, code] = chance
        found[row] /= found[row].sum()
    return found[np.arange(table.rows), truth][:, None] - found


def relation(table: Table) -> Any:
    return sorted(Counter(pairs(table)).items())


def test_the_relation_between_the_columns_is_kept_together_and_not_in_turn() -> None:
    table = paired_table(180, 3, 3, 4)
    for search in ("exact", "greedy"):
        assert relation(swapped(table, search=search).table) == relation(table)
    in_turn = BAYES.settings(table, None, {})
    notes = BAYES.check(table, in_turn)
    assert [note.id for note in notes if note.id == "note.swap.several-columns"]
    assert relation(BAYES.run(table, in_turn, streams(1)).table) != relation(table)
    assert not BAYES.check(table, BAYES.settings(table, None, {"together": TOGETHER}))


def test_missing_values_stay_and_take_their_row_out() -> None:
    table = paired_table(120, 3, 2, 7, missing=0.1)
    result = swapped(table)
    for before, after in zip(pairs(table), pairs(result.table), strict=True):
        if "" in before:
            assert after == before
    ids = [note.id for note in result.notes]
    assert "note.swap.no-value" in ids
    assert "note.swap.left-out" in ids
    known = joint(table).identified()
    left_out = {str(note.arguments["column"]): note.arguments["records"] for note in result.notes if note.id == ids[-1]}
    assert all(known.unidentifiable + known.no_value >= people for people in left_out.values())


def by_details(quasi: str, a: str, b: str) -> Table:
    """People with one detail each and two values, a letter or digit a person."""
    return Table(
        (
            Column.from_texts("Q", list(quasi), role="quasi-identifier"),
            Column.from_texts("A", [f"a{each}" for each in a], role="confidential"),
            Column.from_texts("B", [f"b{each}" for each in b], role="confidential"),
        ),
        np.arange(1, len(quasi) + 1),
        RecordLevels.same_for_all(len(quasi)),
    )


@pytest.mark.parametrize("method", [BAYES, RANDOM])
@pytest.mark.parametrize("seed", range(4))
def test_a_group_that_one_column_tells_shows_another_value_of_it(method: Any, seed: int) -> None:
    """Three by three people with equal details: one column tells their value, the other does not."""
    table = by_details("xxxyyyzzzopqrstuvw", "000111222" + "012012012", "012012012" + "000111222")
    result = swapped(table, seed, method=method)
    found = joint(table).identified()
    assert found.groups == 3
    assert result.detail["together"]["left_out"] == {"A": 0, "B": 0}
    before, after = table.column("A").values(), result.table.column("A").values()
    for group in (range(3), range(3, 6), range(6, 9)):
        assert any(before[row] != after[row] for row in group)
    # Who of them moved shows another value of that column, and not only of the other one.
    for row in range(9):
        assert pairs(table)[row] == pairs(result.table)[row] or before[row] != after[row]
    assert result.protections[0].protected[:9].all()


def test_a_group_that_no_count_lets_show_another_value_is_named() -> None:
    """Nobody who changes gives the group another value of A, and the counts are kept."""
    table = by_details("xxyz", "0001", "0110")
    result = swapped(table, proportion=0.5)
    assert result.detail["together"]["left_out"]["B"] == 0
    revealed = result.detail["together"]["left_out"]["A"]
    moved = [one != other for one, other in zip(table.column("A").values(), result.table.column("A").values())]
    assert revealed == (0 if any(moved[:2]) else 2)
    notes = [note.arguments["records"] for note in result.notes if note.id == "note.swap.left-out"]
    assert notes == ([revealed] if revealed else [])


def test_a_recount_finds_a_group_that_is_told_again() -> None:
    table = by_details("xxxyyyzzzopqrstuvw", "000111222" + "012012012", "012012012" + "000111222")
    settings = BAYES.settings(table, None, {"together": TOGETHER, "search": "exact"})
    result = BAYES.run(table, settings, streams(1))
    assert BAYES.recount(table, result.table, settings, result.detail).guarantee.holds
    # Each of the group shows its own value of A again, beside another combination.
    shown = result.table.column("A")
    codes = shown.codes.copy()
    codes[:3] = table.column("A").codes[:3]
    planted = result.table.replacing(replace(shown, codes=codes))
    assert not BAYES.recount(table, planted, settings, result.detail).guarantee.holds


def test_too_many_combinations_are_refused_with_the_remedy() -> None:
    rows = COMBINATION_LIMIT + 1
    texts = [f"a{n}" for n in range(rows)]
    table = Table(
        (
            Column.from_texts("Q", texts, role="quasi-identifier"),
            Column.from_texts("A", texts, role="confidential"),
            Column.from_texts("B", [f"b{n % 2}" for n in range(rows)], role="confidential"),
        ),
        np.arange(1, rows + 1),
        RecordLevels.same_for_all(rows),
    )
    with pytest.raises(RecipeError) as refused:
        swapped(table)
    assert refused.value.id == "error.swap.too-many-combinations"
    assert refused.value.arguments["combinations"] == rows
    BAYES.check(table, BAYES.settings(table, None, {}))
    fewer = Table(tuple(column.take(np.arange(rows - 1)) for column in table.columns), table.row_numbers[:-1])
    BAYES.check(fewer, BAYES.settings(fewer, None, {"together": TOGETHER}))


@pytest.mark.parametrize("second", [["b0", "b0", "", "b1"], ["", "", "b0", "b1"]])
def test_columns_with_one_combination_or_none_are_refused(second: list[str]) -> None:
    texts = {
        "Q": ["u", "u", "v", "w"],
        "A": ["a0", "a0" if second[0] else "a1", "a1" if second[0] else "", ""],
        "B": second,
    }
    roles = {"Q": "quasi-identifier", "A": "confidential", "B": "confidential"}
    columns = tuple(Column.from_texts(name, column, role=roles[name]) for name, column in texts.items())
    table = Table(columns, np.arange(1, 5), RecordLevels.same_for_all(4))
    with pytest.raises(InputError, match="one-value"):
        swapped(table)


@pytest.mark.parametrize("value", [["A"], ["A", "A"], "A", ["A", 1]])
def test_what_is_no_list_of_columns_is_refused(value: object) -> None:
    table = paired_table(30, 2, 2, 1)
    with pytest.raises(RecipeError, match="bad-parameter"):
        BAYES.settings(table, None, {"together": value})
    with pytest.raises(RecipeError, match="value-for-untreated"):
        BAYES.settings(table, ["A"], {"together": TOGETHER})
