"""Limits for extreme numbers, rounding, and columns left out: closed figures, planted failures, chains."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import candidate_of
from hypothesis import example, given
from hypothesis import strategies as st
from number_support import applied
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.methods.algorithms.coarsening.shared_numbers import find_cut
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import Settings, StepResult
from ppdm_desktop.engine.methods.round import round_off_spikes
from ppdm_desktop.engine.release.disclosure.beliefs import belief_of
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.measures.utility import measure
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, RecordLevels
from ppdm_desktop.engine.table.people import People, renumber_by_appearance
from ppdm_desktop.engine.table.rules import find_rules
from ppdm_desktop.engine.wording.texts import render

CODE, ROUND, LEAVE = (find_method(id) for id in ("top-bottom-code", "round", "leave-out"))

GOLDEN = ["1", "2", "2", "3", "3", "3", "4", "5", "6", "7", "50", "60", "60", "100", "900"]


def table_of(texts: list[str], groups: list[int] | int, persons: list[int] | None = None, **more: Any) -> Table:
    """Return a table of one confidential column of numbers whose people ask for groups of these sizes."""
    style = NumberStyle.seen_in([text for text in texts if text])
    column = Column.from_texts("pay", texts, role="confidential", kind="numeric", style=style, **more)
    asked = [groups] * len(texts) if isinstance(groups, int) else groups
    sizes = enumerate(sorted(set(asked)))
    levels = tuple(Level(f"asks {size}", replace(DEFAULT_LEVELS[0].demand, group=size), rank) for rank, size in sizes)
    codes = np.array([sorted(set(asked)).index(size) for size in asked], dtype=np.int32)
    people = (
        None
        if persons is None
        else People(renumber_by_appearance(np.array(persons)), np.zeros(len(texts), dtype=np.bool_))
    )
    return Table((column,), np.arange(1, len(texts) + 1), RecordLevels(levels, codes, {"default": len(texts)}), people)


def run(method: Any, table: Table, seed: int = 1, **parameters: Any) -> tuple[Settings, StepResult]:
    return method.settings(table, ["pay"], parameters), applied(method.id, table, seed, ["pay"], **parameters)


def shown(method: Any, table: Table, **parameters: Any) -> list[str]:
    return run(method, table, **parameters)[1].table.column("pay").values()


@pytest.mark.parametrize(("demand", "cut", "people", "changed"), [(3, 60, 4, 2), (5, 50, 5, 4)])
def test_the_cut_is_the_first_value_that_enough_people_lie_at_or_beyond(
    demand: int, cut: int, people: int, changed: int
) -> None:
    assert find_cut(np.array(list(map(int, GOLDEN))), np.full(15, demand), 0) == cut
    _, result = run(CODE, table_of(GOLDEN, demand), ends="top")
    figures = result.detail["columns"]["pay"]
    assert (figures["highest"], figures["people_above"], figures["cells"]) == (cut, people, changed)


@pytest.mark.parametrize(
    ("parameters", "named", "is_sum", "largest"),
    [
        ({}, ("pay", "bonus", "total"), True, None),
        ({"limits": {"total": [2000, 4000]}}, ("pay", "bonus", "total"), False, "4000.0"),
        ({"totals": False}, ("pay", "bonus", "total"), False, None),
        ({}, ("pay", "total"), False, None),
    ],
    ids=["sum", "limits", "not-asked", "part-missing"],
)
def test_a_total_is_the_sum_of_its_parts_as_shown(
    parameters: dict[str, Any], named: tuple[str, ...], is_sum: bool, largest: str | None
) -> None:
    """Row 7 has a total that is off by 3, which stays so; bonus has one decimal, pay none."""
    draw = np.random.default_rng(5)
    pay, bonus = draw.integers(2000, 6000, 1500), draw.integers(1, 900, 1500) / 10
    total = pay + bonus + 3 * (np.arange(1500) == 7)
    table = table_of([str(value) for value in pay], 5)
    texts = {"bonus": [f"{value:.1f}" for value in bonus], "total": [f"{value:.1f}" for value in total]}
    style = NumberStyle.seen_in(texts["bonus"])
    columns = [Column.from_texts(name, texts[name], role="confidential", kind="numeric", style=style) for name in texts]
    table = replace(table, columns=(*table.columns, *columns))
    settings = CODE.settings(table, named, {"share": 0.05, **parameters})
    result = CODE.run(table, settings, streams(1))
    assert CODE.recount(table, result.table, settings, result.detail).guarantee.holds
    released = {name: np.array(result.table.column(name).values(), dtype=float) for name in table.names}
    off = released["total"] - released["pay"] - released["bonus"]
    assert (np.flatnonzero(np.abs(off) > 1e-6).tolist() == [7]) == is_sum
    assert ("sum of its parts" in str(CODE.column_note(settings, result.detail, "total"))) == is_sum
    assert largest is None or str(released["total"].max()) == largest
    altered = result.table.replacing(table.column("total"))
    changes_total = (released["total"] != total).any()
    assert CODE.recount(table, altered, settings, result.detail).guarantee.holds != changes_total


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({}, ["2", "2", "2", *GOLDEN[3:13], "60", "60"]),
        ({"ends": "bottom"}, ["2", "2", "2", *GOLDEN[3:]]),
        ({"limits": {"pay": [0, 50]}}, [*GOLDEN[:11], "50", "50", "50", "50"]),
        ({"share": 0.3}, ["3", "3", "3", *GOLDEN[3:10], "50", "50", "50", "50", "50"]),
        ({"ends": "top", "limits": {"pay": [0, 7]}, "show": "mean"}, GOLDEN[:9] + ["7"] * 6),  # 900 dominates it
    ],
    ids=["both", "bottom", "limits", "share", "mean"],
)
def test_ends_are_shown_as_their_limit(parameters: dict[str, Any], expected: list[str]) -> None:
    assert shown(CODE, table_of(GOLDEN, 3), **parameters) == expected


def test_the_recount_knows_limits_with_fewer_decimals_than_the_values_had() -> None:
    texts = ["0.0123456789", "0.04", "0.05", "0.06", "0.07", "0.08"]
    assert shown(CODE, table_of(texts, 2)) == ["0.04", "0.04", "0.05", "0.06", "0.07", "0.07"]


@pytest.mark.parametrize(
    ("texts", "base", "more", "expected"),
    [
        (["5", "15", "25", "-5", "-15", "26"], 10, {}, ["0", "20", "20", "0", "-20", "30"]),
        (["0.25", "0.75", "1.5", ""], 0.5, {}, ["0.00", "1.00", "1.50", ""]),
        (["1", "97", "50", "44"], 10, {"bounds": (1.0, 97.0)}, ["1", "97", "50", "40"]),
        (["-50", "98", "150", "44"], 10, {"bounds": (0.0, 100.0)}, ["0", "100", "100", "40"]),
        (["0.5", "1.5", "2.5", "3.5"] * 3, "automatic", {}, ["0.0", "2.0", "2.0", "4.0"] * 3),
    ],
    ids=[
        "ties to the even multiple",
        "decimals alike",
        "bounds stay",
        "beyond a bound",
        "two values at least become one",
    ],
)
def test_numbers_go_to_the_nearest_multiple(
    texts: list[str], base: float | str, more: dict[str, Any], expected: list[str]
) -> None:
    assert shown(ROUND, table_of(texts, 1, **more), base=base) == expected


@pytest.mark.parametrize(
    ("coarser", "expected"), [(0, ["0.0", "2.0", "2.0", "4.0"]), (2, ["0.0", "0.0", "0.0", "5.0"])]
)
def test_a_coarser_base_is_the_next_round_number_that_leaves_two_values(coarser: int, expected: list[str]) -> None:
    table = table_of(["0.5", "1.5", "2.5", "3.5"] * 3, 1)
    assert shown(ROUND, table, coarser=coarser) == expected * 3
    assert shown(ROUND, table, coarser=60) == ["0.0", "0.0", "0.0", "5.0"] * 3
    assert ROUND.most_notches(ROUND.knobs[0], table, table.columns[0]) == 0, "fewer than four values are of no use"


@pytest.mark.parametrize("parameters", [{}, {"base": 10}, {"coarser": 3}])
def test_no_other_number_is_rounded_to_a_spike(parameters: dict[str, Any]) -> None:
    """0 stands for "no bonus": who has 4 does not become one of them; 0 is a value of its own in the verdict, too."""
    draw = np.random.default_rng(3)
    texts = [str(value) for value in [*[0] * 300, *draw.integers(1, 60, 400), *draw.integers(-9, 0, 20)]]
    numbers = np.array(shown(ROUND, table_of(texts, 5), **parameters), dtype=float)
    assert np.array_equal(numbers == 0, np.array(texts, dtype=float) == 0)
    assert "0" in shown(ROUND, table_of(["4", "14", "24", "60"] * 9, 5), base=10)[:1], "without a spike"
    assert round_off_spikes(np.array([60, 40, -40]), 100, [0, 100]).tolist() == [100, 0, -100], "the nearer spike"


def test_planning_rounds_only_as_far_as_small_numbers_beside_a_spike_stay_what_they_are() -> None:
    draw = np.random.default_rng(3)
    steep, flat = (
        table_of([str(value) for value in [*[0] * 300, *numbers]], 5)
        for numbers in (draw.geometric(0.15, 700), draw.integers(1, 200, 700))
    )
    assert [ROUND.most_notches(ROUND.knobs[0], table, table.columns[0]) for table in (steep, flat)] == [1, 3]


@examples(60)
@given(seed=st.integers(0, 10**6), coarser=st.integers(0, 3), is_limited=st.booleans())
def test_rounded_numbers_keep_their_order(seed: int, coarser: int, is_limited: bool) -> None:
    """Bonus is at most pay, and pay at most limit, with one, no and two decimals; few have any bonus."""
    draw = np.random.default_rng(seed)
    bonus = draw.integers(1, 900, 400) / 10 * (draw.random(400) < 0.7)
    pay = np.ceil(bonus + draw.lognormal(3, 1, 400) * (draw.random(400) < 0.8))
    limit = pay + draw.integers(0, 9000, 400) / 100
    table = table_of([f"{value:.0f}" for value in pay], 3)
    columns = [
        Column.from_texts(name, texts, role="confidential", kind="numeric", style=NumberStyle.seen_in(texts))
        for name, texts in (("bonus", [f"{value:.1f}" for value in bonus]), ("limit", [f"{x:.2f}" for x in limit]))
    ]
    table = replace(table, columns=(*table.columns, *columns))
    settings = ROUND.settings(table, (*table.names[: 2 + is_limited],), {"coarser": coarser})
    result = ROUND.run(table, settings, streams(1))
    assert ROUND.recount(table, result.table, settings, result.detail).guarantee.holds
    released = {name: result.table.column(name).numbers for name in table.names}
    assert (released["bonus"] <= released["pay"] + 1e-9).all()
    assert not is_limited or (released["pay"] <= released["limit"] + 1e-9).all()
    dropped = replace(table, rules=tuple(rule.section(kept=False) for rule in find_rules(table)))
    plain = ROUND.run(dropped, settings, streams(1)).table.column("pay").numbers
    assert (np.abs(plain - pay) <= np.abs(released["pay"] - pay) + 1e-9).all(), "rules that are dropped change nothing"


def test_random_rounding_keeps_the_mean_and_a_persons_equal_values_equal() -> None:
    table = table_of([str(13 + 100 * (row % 2)) for row in range(4_000)], 2, [row // 4 for row in range(4_000)])
    _, result = run(ROUND, table, base=10, direction="random")
    values = result.table.column("pay").numbers
    assert set(values) == {10.0, 20.0, 110.0, 120.0}
    assert abs(values.mean() - 63) < 4 * 10 * (0.3 * 0.7 / 2_000) ** 0.5
    of_person = np.sort(values.reshape(1_000, 4), axis=1)
    assert (of_person[:, 0] == of_person[:, 1]).all()


@examples(300)
@example(seed=3806, rows=44, several=True, gaps=True)  # who asks for 6 has no value in the row that asks for it
@given(seed=st.integers(0, 10**6), rows=st.integers(20, 90), several=st.booleans(), gaps=st.booleans())
def test_every_level_shares_what_is_promised(seed: int, rows: int, several: bool, gaps: bool) -> None:
    """Counted again by hand: who shows a limit, and the smallest base with company for 95% of every level."""
    rng = np.random.default_rng(seed)
    texts = [str(int(value)) for value in rng.lognormal(3, 1, rows)]
    if gaps:
        texts = [text if rng.random() < 0.9 else "" for text in texts]
    persons = (rng.integers(rows // 2, size=rows) if several else np.arange(rows)).tolist()
    asked = rng.choice([2, 3, 6], rows).tolist()
    demand = {person: max(asked[row] for row in range(rows) if persons[row] == person) for person in persons}
    table = table_of(texts, asked, persons if several else None)
    for method in (CODE, ROUND):
        try:
            _, result = run(method, table)
        except InputError:  # too few people have a value, or it is one value: the cases of refusals
            continue
        after = result.table.column("pay").values()
        holders: dict[str, set[int]] = {}
        for person, text in zip(persons, after, strict=True):
            holders.setdefault(text, set()).add(person)
        figures, protection = result.detail["columns"]["pay"], result.protections[0]
        if method is CODE:
            for text in {after[row] for row in np.flatnonzero(protection.protected)}:  # a limit that somebody is beyond
                assert any(true != text for true, released in zip(texts, after, strict=True) if released == text)
            limits = [figures[end] for end in ("lowest", "highest") if figures[end] is not None]
            for limit in limits:
                people = holders[f"{limit:g}"]
                assert len(people) >= max(demand[person] for person in people)
            low, high = (figures["lowest"] or -math.inf), (figures["highest"] or math.inf)
            inside = [text for text in texts if text and low < int(text) < high]
            assert inside == [text for text in after if text and low < int(text) < high]
        else:
            assert all(int(text) % figures["base"] == 0 for text in after if text)
        for row in np.flatnonzero(protection.protected).tolist():
            assert len(holders[after[row]]) >= demand[persons[row]]


@pytest.mark.parametrize(
    ("method", "texts", "group", "parameters", "id"),
    [
        (CODE, GOLDEN, 3, {"limits": {"pay": [0, 100]}}, "error.top-bottom-code.few-at-limit"),
        (CODE, GOLDEN, 3, {"limits": {"pay": [0, 59.5]}}, "error.coarsening.off-grid"),
        (CODE, ["1", "1", "2", "2", "3", "3"], 3, {}, "error.top-bottom-code.one-value"),
        (CODE, GOLDEN, 16, {}, "error.method.too-few"),
        (ROUND, GOLDEN, 3, {"base": 1}, "error.round.base"),
        (ROUND, GOLDEN, 3, {"base": 500}, "error.round.base"),
        (ROUND, GOLDEN, 3, {"base": 2.5}, "error.coarsening.off-grid"),
        (ROUND, GOLDEN, 16, {}, "error.method.too-few"),
        (LEAVE, GOLDEN, 3, {}, "error.recipe.nothing-released"),
    ],
)
def test_what_cannot_work_is_refused_in_words(
    method: Any, texts: list[str], group: int, parameters: dict[str, Any], id: str
) -> None:
    table = table_of(texts, group)
    with pytest.raises(PpdmError) as refused:
        method.check(table, method.settings(table, ["pay"], parameters))
    assert refused.value.id == id
    assert render(id, refused.value.arguments).sentence


def test_a_limit_is_not_rounded_past_somebody_who_asks_for_a_larger_group() -> None:
    texts = [str(number) for number in (1007, 1007, 1007, 1003, 500, 400, 300, *range(20, 33))]
    table = table_of(texts, [3, 3, 3, 10] + [3] * 16)
    _, result = run(CODE, table, share=0.1, ends="top")
    assert result.table.column("pay").values() == texts


def test_rounded_numbers_that_too_few_people_show_are_listed() -> None:
    texts = [str(value) for value in [*[10, 12, 21, 23] * 25, 501, 502]]
    _, result = run(ROUND, table_of(texts, 3))
    (note,) = result.notes
    assert (note.id, note.arguments["people"]) == ("note.round.rare", 2)
    assert "500" in render(note.id, note.arguments).sentence


@pytest.mark.parametrize("method", [CODE, ROUND], ids=lambda method: method.id)
def test_a_constant_column_is_no_error(method: Any) -> None:
    table = table_of(["7"] * 5, 3)
    settings, result = run(method, table)
    assert result.table.column("pay") is table.column("pay")
    assert [note.id for note in method.check(table, settings)] == [f"note.{method.id}.nothing"]


# --- in releases ------------------------------------------------------------------------------------------


def people(rows: int = 400) -> list[dict[str, str]]:
    rng = np.random.default_rng(5)
    return [
        {
            "age": str(rng.integers(20, 60)),
            "city": f"c{rng.integers(12)}",
            "sex": str(rng.choice(["f", "m"])),
            "hours": str(rng.integers(10, 50)),
            "pay": str(int(2_500 * rng.lognormal(0, 0.6))),
            "ill": f"i{rng.integers(3)}",
        }
        for _ in range(rows)
    ]


COLUMNS: dict[str, Any] = {
    "row": "x",
    "age": {"role": "q", "kind": "numeric"},
    "city": "q",
    "sex": "q",
    "hours": {"role": "q", "kind": "numeric"},
    "pay": {"role": "c", "kind": "numeric"},
    "ill": "c",
}

LEAVE_OUT = {"method": "leave-out", "columns": ["city", "hours"]}

SUPPRESS = {"method": "suppress", "parameters": {"k": 5}}

CODED = {"method": "top-bottom-code", "columns": ["pay"]}

ROUNDED = {"method": "round", "columns": ["pay"]}


@pytest.mark.parametrize(
    ("first", "second"), [(LEAVE_OUT, SUPPRESS | {"columns": ["age", "sex", "city"]}), (LEAVE_OUT,) * 2]
)
def test_no_later_step_takes_a_column_that_is_left_out(
    tmp_path: Path, first: dict[str, Any], second: dict[str, Any]
) -> None:
    with pytest.raises(RecipeError) as refused:
        candidate_of(tmp_path, people(40), COLUMNS, [first, second])
    assert (refused.value.id, refused.value.column) == ("error.step.unfit-role", "city")
    with pytest.raises(RecipeError) as unnamed:
        candidate_of(tmp_path, people(40), COLUMNS, [{"method": "leave-out"}])
    assert unnamed.value.id == "error.leave-out.no-columns"


@pytest.mark.parametrize(
    "steps", [(CODED,), (ROUNDED,), (CODED, ROUNDED)], ids=lambda steps: " ".join(step["method"] for step in steps)
)
def test_a_rounded_or_coded_number_is_read_as_all_true_numbers_that_show_it(
    tmp_path: Path, steps: tuple[dict[str, Any], ...]
) -> None:
    """Nobody is certain of a shared number, though it is the true one of some who show it."""
    exact = {**COLUMNS, "pay": {**COLUMNS["pay"], "tolerance": 0.5}}
    candidate = candidate_of(tmp_path, people(), exact, steps, "internal")
    released = Released(candidate, candidate.final, candidate.prepared.table.column)
    after, before = candidate.final.column("pay").numbers, candidate.prepared.table.column("pay").numbers
    is_true = released.is_true_value("pay")
    for number in np.unique(after).tolist():
        held = before[after == number]
        assert is_true[after == number].all() == (len(set(held)) == 1 and held[0] == number)
    belief = belief_of(released, "pay")
    assert belief.family == "coarse"
    for row in np.flatnonzero(belief.others.confirmed).tolist():
        assert len(set(before[after == after[row]])) == 1
    (described,) = (each for each in measure(candidate).generalised if each.name == "pay")
    assert described.values_after == len(np.unique(after))
