"""Rules of values: found where they hold, not where they do not, and counted in what is released."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest
from rules_support import ROWS, employees, numbers, table_of

from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.codes import guess_codes_answer
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.rules import count_breaking_rows, find_rule_violations, find_rules, kept_rules
from ppdm_desktop.engine.table.rules.pairs import PairRule
from ppdm_desktop.engine.table.rules.products import ProductRule


def test_what_holds_is_found_and_nothing_else() -> None:
    for seed in range(5):
        table = employees(np.random.default_rng(seed))
        found = {(rule.id, rule.columns): rule for rule in find_rules(table)}
        several = {key for key in found if key[0] not in ("range", "list")}
        assert several == {
            ("pair", ("city", "country")),
            ("pair", ("unit", "job")),
            ("order", ("hired", "left")),
            ("order", ("salary", "total")),
            ("sum", ("salary", "bonus", "total")),
            ("grid", ("salary",)),
            ("spike", ("bonus",)),
        }
        assert ("list", ("grade",)) in found
        order = found["order", ("hired", "left")]
        known = int(np.count_nonzero(~table.column("left").missing))
        assert (order.holds_in, order.of) == (known, known)
        assert str(order.title) == "“hired” is not after “left”"
        assert all(rule.kept for rule in found.values())


@pytest.mark.parametrize(("exceptions", "found"), [(0.0, True), (0.03, False), (0.15, False)])
def test_pairs_that_are_only_rare_are_no_rule(exceptions: float, found: bool) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        first, second = rng.integers(0, 6, (2, 700))
        moved = ((first + second) % 3 == 0) & (rng.random(700) >= exceptions)
        second = np.where(moved, (second + 1) % 6, second)
        columns = [Column.from_texts(name, list(map(str, codes))) for name, codes in (("a", first), ("b", second))]
        assert any(rule.id == "pair" for rule in find_rules(table_of(*columns))) is found


def test_a_text_limits_numbers_and_says_what_is_empty() -> None:
    rng = np.random.default_rng(1)
    flat, sizes = rng.choice(["studio", "flat", "house"], ROWS), rng.integers(20, 900, ROWS)
    rooms = np.select([flat == "studio", flat == "flat"], [1, rng.integers(2, 5, ROWS)], rng.integers(3, 9, ROWS))
    garden = [str(size) if kind == "house" else "" for kind, size in zip(flat, sizes, strict=True)]
    texts = Column.from_texts("flat", flat.tolist(), role="other")
    table = table_of(texts, numbers("rooms", rooms), numbers("garden", garden))
    rules = [rule for rule in find_rules(table) if rule.id in ("limits", "filled")]
    assert [(rule.id, rule.columns) for rule in rules] == [
        ("limits", ("flat", "rooms")),
        ("filled", ("flat", "garden")),
    ]
    assert [(rule.holds_in, rule.of) for rule in rules] == [(ROWS, ROWS), (sum(flat != "house"),) * 2]
    turned = replace(texts, texts=tuple({"studio": "house", "house": "studio"}.get(kind, kind) for kind in texts.texts))
    broken = find_rule_violations(table, table.replacing(turned), rules)
    assert [each.count for each in broken] == [sum((flat == "studio") | (flat == "house")), sum(flat == "house")]


def test_an_end_of_few_people_is_rounded_outwards_and_never_below_zero() -> None:
    shown = {}
    for least, most in ((1, 1), (9, 9)):
        values = [3] * least + list(range(100, 950)) + [980] * most
        (rule,) = (rule for rule in find_rules(table_of(numbers("pay", values))) if rule.id == "range")
        shown[least] = str(rule.title)
    assert shown == {1: "“pay” lies between 0 and 1,000", 9: "“pay” lies between 3 and 980"}


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(("full", "least", "shown"), [(3, 3, {100}), (1, 1, {105}), (6, 1, {100})])
def test_the_full_score_of_several_tests_is_no_end_of_few_people(
    sign: int, full: int, least: int, shown: set[int]
) -> None:
    """Rows with the full score: ``full`` in the first test, ``least`` others in the second."""
    values = [sign * value for value in range(20, 100)] * 2
    first = values + [sign * 100] * full + [sign * 50] * least
    second = values + [sign * 50] * full + [sign * 100] * least
    rules = find_rules(table_of(numbers("maths", first), numbers("writing", second)))
    assert {abs(rule.parameters["high" if sign > 0 else "low"]) for rule in rules if rule.id == "range"} == shown


def test_no_end_of_few_people_tells_their_value_beside_a_shared_end() -> None:
    """Whoever knows all other values and the end can still not tell the largest one."""
    told: dict[float, list[int]] = {}
    for most in range(96, 112):
        writing = [*[*range(20, most)] * 9, most]
        shared = [100 if row < 9 else 20 + row % 70 for row in range(len(writing))]
        ends = find_rules(table_of(numbers("maths", shared), numbers("writing", writing)))
        (rule,) = (rule for rule in ends if (rule.id, rule.columns) == ("range", ("writing",)))
        assert rule.parameters["high"] >= most
        told.setdefault(rule.parameters["high"], []).append(most)
    assert 100 in told
    assert all(len(values) > 1 for end, values in told.items() if end < 111), told


@pytest.mark.parametrize("sign", [1, -1])
def test_an_end_is_rounded_by_more_than_one_person_lies_apart(sign: int) -> None:
    values = [sign * value for value in (*range(15_000, 175_000, 200), 412_000)]
    (rule,) = (rule for rule in find_rules(table_of(numbers("pay", values))) if rule.id == "range")
    assert rule.parameters["high" if sign > 0 else "low"] == sign * 500_000


def test_orders_of_dates_form_a_chain_even_where_chance_would_seldom_break_it() -> None:
    days = np.arange(300) + np.datetime64("1960-01-01") + np.array([[0], [9000], [9001]])
    columns = [
        Column.from_texts(name, list(map(str, dates)), kind="date", date_format="%Y-%m-%d")
        for name, dates in zip(("born", "hired", "left"), days, strict=True)
    ]
    orders = {rule.columns for rule in find_rules(table_of(*columns)) if rule.id == "order"}
    assert orders == {("born", "hired"), ("hired", "left")}


def test_nearly_equal_numbers_hide_no_order_from_each_other_and_can_be_rounded() -> None:
    planned = np.random.default_rng(1).integers(100, 5000, 3000)
    paid = planned + 700 * (np.arange(3000) == 5)
    limit = paid + 1 + np.arange(3000) % 50
    table = table_of(numbers("planned", planned), numbers("paid", paid), numbers("limit", limit))
    orders = {rule.columns for rule in find_rules(table) if rule.id == "order"}
    assert {("planned", "limit"), ("paid", "limit")} <= orders
    method = find_method("round")
    assert method.effect(table, method.settings(table, ["planned", "paid", "limit"], {})).id


@pytest.mark.parametrize("parts", [2, 4, 8])
@pytest.mark.parametrize("largest", [3, 10, 5_000])
def test_sums_of_any_number_of_parts_are_found_despite_gaps_and_an_exception(parts: int, largest: int) -> None:
    rng = np.random.default_rng(parts * largest)
    values = rng.integers(0, largest + 1, (parts, 1_500))
    total, more = values.sum(axis=0), rng.integers(0, 4_000, 1_500)
    total[3] += 20 * largest
    cells = np.where(rng.random(values.shape) < 0.02, "", values.astype(str))
    columns = [numbers(f"part {index}", texts) for index, texts in enumerate(cells)]
    columns += [numbers("more", more), numbers("whole", total + more), numbers("sum", total)]
    columns += [numbers("again", cells[0]), numbers("other", rng.integers(0, largest + 1, 1_500))]
    sums = {rule.columns for rule in find_rules(table_of(*columns)) if rule.id == "sum"}
    assert sums == {(*(f"part {index}" for index in range(parts)), "sum"), ("more", "sum", "whole")}


@pytest.mark.parametrize("share", [0.0, 0.0004, 0.003, 0.05])
@pytest.mark.parametrize("powers", [(1, 1), (1, -1), (1, -2), (0.5, 0.5), (-1.0, 0)])
def test_products_and_ranges_are_found_unless_wrong_in_some_rows(share: float, powers: tuple[float, ...]) -> None:
    rng = np.random.default_rng(1)
    first, second, other = rng.integers(20, 400, (3, 3_000))
    made = np.round(703 * first ** powers[0] * (second / 10) ** powers[1], 1) * np.where(
        rng.random(3_000) < share, 2, 1
    )
    size = np.searchsorted([120, 300], first, side="right")
    size = np.where(rng.random(3_000) < share, (size + 1) % 3, size)
    empty = [""] * 17_000
    table = table_of(
        *(numbers(name, [*values, *empty]) for name, values in zip("fsom", (first, second, other, made), strict=True)),
        Column.from_texts("size", [*(("small", "middle", "large")[code] for code in size), *empty], role="other"),
    )
    rules = find_rules(table)
    products = [rule for rule in rules if isinstance(rule, ProductRule)]
    pairs = [rule for rule in rules if isinstance(rule, PairRule) and rule.columns == ("f", "size")]
    parts = {name for name, power in zip("fs", powers, strict=True) if power}
    factors = {(frozenset(rule.columns[:-1]), rule.columns[-1]): rule.factor for rule in products}
    holds = share < 0.001
    assert factors == ({(frozenset(parts), "m"): pytest.approx(703 / 10 ** powers[1], 1e-4)} if holds else {})
    assert [[start for start, _ in rule.ranges] for rule in pairs] == ([[-np.inf, 120, 300]] if holds else [])


@pytest.mark.parametrize("share", [0.002, 0.03])
def test_a_total_that_is_wrong_in_some_rows_is_no_sum(share: float) -> None:
    rng = np.random.default_rng(1)
    values = rng.integers(0, 100, (5, 2_000))
    total = values.sum(axis=0) - (rng.random(2_000) < share)
    columns = [numbers(f"part {index}", part) for index, part in enumerate([*values, total])]
    assert not [rule for rule in find_rules(table_of(*columns)) if rule.id == "sum"]


@pytest.mark.parametrize(
    ("rate", "more", "unit", "order"),
    [
        ((300, 600), (0, 1), 1, []),
        ((2, 4), (0, 1), 1, ["“days” is at most “cost”"]),
        ((1, 2), (1, 4), 45, ["“cost” is at least “days” + 45"]),
        ((1, 2), (462, 20_000), 0.01, ["“days” is at most “cost”"]),
        ((1, 2), (4_662, 9_000), 0.01, ["“cost” is at least “days” + 46"]),
    ],
)
def test_an_order_that_only_zeros_could_break_says_nothing_and_a_gap_is_a_round_number(
    rate: tuple[int, int], more: tuple[int, int], unit: float, order: list[str]
) -> None:
    rng = np.random.default_rng(1)
    days = rng.integers(0, 2, 1_000) * rng.integers(1, 90, 1_000) * 0.97
    cost = days * rng.integers(*rate, 1_000) + unit * rng.integers(*more, 1_000)
    table = table_of(*(numbers(name, np.round(values, 2)) for name, values in (("days", days), ("cost", cost))))
    rules = [rule for rule in find_rules(table) if rule.id == "order"]
    assert [str(rule.title) for rule in rules] == order
    assert not count_breaking_rows(find_rule_violations(table, table, rules))


LIMIT = 60_000
BREAKS: list[tuple[str, str, Callable[[str], str], bool]] = [
    ("city", "Delft is in Belgium", lambda text: "Ghent", True),
    ("city", "a town nobody knows may lie anywhere", lambda text: "(*)", False),
    ("job", "the office has no chemist", lambda text: "chemist", True),
    ("salary", "below zero", lambda text: "-1000", True),
    ("salary", "between two steps", lambda text: str(int(text) + 1), True),
    ("total", "not the sum", lambda text: str(int(text) + 7), True),
    ("total", "the sum rounded", lambda text: str(round(int(text) / 5000) * 5000), False),
    ("total", "a range that holds the sum", lambda text: f"[{int(text) - 9}, {int(text) + 9})", False),
    ("total", "a range beside the sum", lambda text: f"[{int(text) + 9}, {int(text) + 19})", True),
    ("grade", "none of the list", lambda text: "7", True),
    ("hired", "after everybody left", lambda text: "2030-01-01", True),
    ("hired", "a year in which the day may lie", lambda text: text[:4], False),
    ("sign", "nothing is known of it", lambda text: "z", False),
    ("salary", "the highest at a limit that stands for them", lambda text: str(min(int(text), LIMIT)), False),
    ("salary", "more at the limit than reach it", lambda text: str(LIMIT if int(text) > LIMIT - 9000 else text), True),
]


@pytest.mark.parametrize(("name", "what", "change", "breaks"), BREAKS, ids=[case[1] for case in BREAKS])
def test_a_released_row_breaks_a_rule_only_if_no_reading_keeps_it(
    name: str, what: str, change: Callable[[str], str], breaks: bool
) -> None:
    table = employees(np.random.default_rng(1))
    rules = kept_rules(table)
    assert not count_breaking_rows(find_rule_violations(table, table, rules))
    column = table.column(name)
    texts = [change(text) for text in column.values()]
    made = Column.from_texts(name, texts, role="other")
    if column.kind == "numeric" and "[" not in texts[0]:
        made = numbers(name, texts)
    elif column.kind == "date" and len(texts[0]) > 4:
        made = replace(made, kind="date", date_format="%Y-%m-%d")
    order = np.random.default_rng(2).permutation(ROWS)
    broken = find_rule_violations(table, table.replacing(made).take(order), rules)
    assert (count_breaking_rows(broken) > 0) is breaks, [
        (each.rule.id, each.rule.columns, each.count) for each in broken
    ]


def test_a_frequent_value_that_is_lost_makes_no_row_impossible() -> None:
    table = table_of(numbers("income", [0] * 400 + list(range(1001, 1601))))
    released = table.replacing(numbers("income", list(range(1001, 2001))))
    kinds = {broken.rule.id: broken.count for broken in find_rule_violations(table, released, kept_rules(table))}
    assert kinds["spike"] == 0


def test_the_recipe_leaves_rules_out_adds_some_and_sets_their_figures() -> None:
    table = replace(
        employees(np.random.default_rng(1)),
        rules=(
            ValueRuleSection(kind="order", columns=("hired", "left"), kept=False),
            ValueRuleSection(kind="range", columns=("salary",), low=0, high=200_000),
            ValueRuleSection(kind="order", columns=("grade", "salary")),
            ValueRuleSection(kind="sum", columns=("city", "grade", "salary")),
            ValueRuleSection(kind="grid", columns=("gone",), step=5),
        ),
    )
    kept = {(rule.id, rule.columns): rule for rule in kept_rules(table)}
    assert ("order", ("hired", "left")) not in kept
    assert ("order", ("grade", "salary")) in kept
    assert ("sum", ("city", "grade", "salary")) not in kept
    assert str(kept["range", ("salary",)].title) == "“salary” lies between 0 and 200,000"
    numbered = replace(table, rules=(ValueRuleSection(kind="list", columns=("grade",), kept=False),))
    (grades,) = (rule for rule in kept_rules(numbered) if rule.columns == ("grade",))
    assert (grades.id, "range" in {rule.id for rule in kept_rules(table) if rule.columns == ("grade",)}) == (
        "range",
        False,
    )
    again = replace(table, rules=tuple(rule.section(kept=True, exact=True) for rule in find_rules(table)))
    assert {rule.title for rule in find_rules(again)} == {rule.title for rule in find_rules(table)}


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [
        ("sex", [1, 2], "codes"),
        ("smoker", [0, 1], "codes"),
        ("status", [1, 2, 3, 4], "codes"),
        ("children", [0, 1, 2, 3, 5], "numbers"),
        ("trust", [*range(11), *range(1, 11)], "numbers"),
        ("satisfaction", range(1, 11), "numbers"),
        ("part time", [50, 80, 100], "codes"),
        ("Liczba wizyt", range(1, 10), "numbers"),
        ("家庭人口", range(1, 6), "numbers"),
        ("year", [2019, 2020, 2021], "numbers"),
        ("Zuwendung", (0, 600, 1200, 2400), "numbers"),
        ("pay", range(40), None),
        ("ratio", [0.5, 1.5], None),
        ("constant", [4], None),
    ],
)
def test_few_whole_numbers_are_asked_about(name: str, values: Sequence[float], expected: str | None) -> None:
    assert guess_codes_answer(numbers(name, list(values) * 3)) == expected
