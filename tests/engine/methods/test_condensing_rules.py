"""Artificial records obey the rules of the file, and rules never undo a protection."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from number_support import levels_for, number_column
from rules_support import ROWS, dates, employees, numbers, table_of
from swap_support import streams

from ppdm_desktop.engine.methods.algorithms.condensation.believable import find_common_texts, replace_categories
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage, JointColumn
from ppdm_desktop.engine.methods.algorithms.condensation.moments import group_moments
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import (
    FILE_NAME,
    Statistics,
    add_known_variances,
    remove_table_share,
)
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy
from ppdm_desktop.engine.table.rules import count_breaking_rows, find_rule_violations, find_rules, kept_rules

METHOD = find_method("condensation")
GROUP = 5


def run(table: Table, **parameters: Any) -> StepResult:
    table = replace(table, levels=levels_for([GROUP] * table.rows))
    settings = METHOD.settings(table, None, {"algorithm": "tree", **parameters})
    result = METHOD.run(table, settings, streams(3))
    assert METHOD.recount_run(table, result.table, settings, result).guarantee.holds
    statistics = METHOD.internal_files(table, settings, result)[FILE_NAME]
    assert Statistics.from_json(statistics).to_json() == statistics
    return result


def employed(seed: int = 1) -> Table:
    table = employees(np.random.default_rng(seed))
    dated = [replace(table.column(name), date_format="%Y-%m-%d") for name in ("hired", "left")]
    return table.replacing(*dated)


@pytest.mark.parametrize("parameters", [{}, {"regenerate": "gaussian"}, {"dynamic": True}])
def test_no_artificial_row_breaks_a_rule(parameters: dict[str, Any]) -> None:
    table = employed()
    rules = kept_rules(table)
    released = run(table, **parameters).table
    broken = find_rule_violations(table, released, rules)
    assert {(each.rule.id, each.rule.columns): each.count for each in broken if each.count} == {}
    as_in_paper = find_rule_violations(table, run(table, common=False, **parameters).table, rules)
    assert count_breaking_rows(as_in_paper) > ROWS / 2
    zeros = [np.count_nonzero(each.column("bonus").numbers == 0) for each in (table, released)]
    assert abs(zeros[0] - zeros[1]) <= 0.05 * ROWS


@pytest.mark.parametrize(
    ("parameters", "time", "known", "title"),
    [
        ({}, "", ("born", "hired", "left"), "“hired” is at least 18 years after “born”"),
        ({"group": 20}, "", ("born", "hired", "left"), "“hired” is at least 18 years after “born”"),
        ({"dynamic": True}, "", ("born", "hired", "left"), "“hired” is at least 18 years after “born”"),
        ({}, " %H:%M", ("born", "hired", "left"), "“hired” is at least 18 years after “born”"),
        ({}, "", ("age", "hired", "left"), "“hired” plus “age” years is 2062 or later"),
        ({}, "", ("age", "service"), "“age” is at least “service” + 18"),
        ({}, "", ("age", "year"), "“year” + “age” is at least 2062"),
    ],
)
def test_nobody_is_hired_as_a_child_where_nobody_was(
    parameters: dict[str, Any], time: str, known: tuple[str, ...], title: str
) -> None:
    """With days, times or years of hire, or years of service, beside days of birth or ages on the last day."""
    rng = np.random.default_rng(1)
    born = rng.integers(-14_000, 0, ROWS)
    hired = born + 6_576 + np.rint(1_900 * rng.gamma(1.5, 1, ROWS)).astype(int)
    stayed = np.rint(700 * rng.gamma(1.2, 1, ROWS)).astype(int)
    left = [int(day) if gone else None for day, gone in zip(hired + stayed, rng.random(ROWS) < 0.4, strict=True)]
    columns = [dates("born", born.tolist()), dates("hired", hired.tolist()), dates("left", left)]
    columns = [replace(column, date_format="%Y-%m-%d") for column in columns]
    texts = tuple(f"{text} 09:30" if time else text for text in columns[1].texts)
    columns[1] = replace(columns[1], texts=texts, date_format=f"%Y-%m-%d{time}")
    years = {"age": int(hired.max()) - born, "service": int(hired.max()) - hired}
    columns += [numbers(name, (days // 365.2425).astype(int)) for name, days in years.items()]
    columns.append(numbers("year", 2000 + (hired // 365.2425).astype(int)))
    source = table_of(*(column for column in columns if column.name in known))
    assert title in {str(rule.title) for rule in kept_rules(source)}
    ages, stays = [], []
    for table in (source, run(source, **parameters).table):
        days = [
            int(hired.max()) - table.column(name).numbers * 365.2425
            if name in years
            else (table.column(name).numbers - 2000) * 365.2425
            if name == "year"
            else (np.array([text[:10] for text in table.column(name).values()], "M8[D]") - np.datetime64("2000-01-01"))
            / np.timedelta64(1, "D")
            for name in known
        ]
        ages.append((days[1] - days[0]) / 365.2425)
        stays.append((days[-1] - days[1])[~np.isnan(days[-1])])
    assert ages[1].min() >= (16.5 if "age" in known else 17.999)
    assert stays[1].min() >= 0
    for before, after in (ages, stays):
        quarters = np.quantile(before, (0.1, 0.25, 0.5, 0.75))
        assert np.abs(np.quantile(after, (0.1, 0.25, 0.5, 0.75)) - quarters).max() <= 0.15 * before.std()


@pytest.mark.parametrize(
    ("total", "columns", "minus"),
    [
        ([1, 1, 1], ("a", "b", "c", "d"), ()),
        ([1, -1, -1], ("b", "c", "d", "a"), ()),
        ([1, 1, -1], ("a", "b", "c", "d"), ("c",)),
    ],
)
def test_sums_of_three_parts_are_found_and_kept(
    total: list[int], columns: tuple[str, ...], minus: tuple[str, ...]
) -> None:
    rng = np.random.default_rng(4)
    parts = [rng.integers(3_000, 9_000, ROWS), rng.integers(500, 2_000, ROWS), rng.integers(10, 400, ROWS)]
    parts.append(np.sum([sign * part for sign, part in zip(total, parts, strict=True)], axis=0))
    table = table_of(*(numbers(name, values) for name, values in zip("abcd", parts, strict=True)))
    (rule,) = (rule for rule in find_rules(table) if rule.id == "sum")
    assert (rule.columns, rule.section(kept=True).minus or ()) == (columns, minus)
    released = run(table).table
    assert not count_breaking_rows(find_rule_violations(table, released, kept_rules(table)))
    shifted = table.replacing(numbers("c", parts[2] + 1))
    assert count_breaking_rows(find_rule_violations(table, shifted, [rule])) == ROWS


def test_sums_of_many_parts_and_zeros_that_go_together_are_kept() -> None:
    rng = np.random.default_rng(4)
    days = rng.integers(0, 2, ROWS) * rng.geometric(0.1, ROWS)
    cost = days * rng.integers(200, 900, ROWS)
    answers, claims = rng.integers(0, 11, (6, ROWS)), rng.poisson(0.8, ROWS)
    paid = np.round(claims * rng.lognormal(5, 1, ROWS), 2)
    columns = [numbers(f"answer {index}", values) for index, values in enumerate(answers)]
    columns += [numbers("claims", claims), numbers("paid", paid), numbers("any", np.sign(claims))]
    table = table_of(*columns, numbers("sum", answers.sum(axis=0)), numbers("days", days), numbers("cost", cost))
    released = run(table).table
    given = [released.column(f"answer {index}").numbers for index in range(6)]
    assert (released.column("sum").numbers == np.sum(given, axis=0)).all()
    for first, second in (("days", "cost"), ("claims", "paid"), ("any", "paid")):
        assert ((released.column(first).numbers == 0) == (released.column(second).numbers == 0)).all(), first


def test_only_combinations_of_enough_people_leave() -> None:
    table = employed()
    city, country = table.column("city"), table.column("country")
    # One person lives across the border: the pair is theirs alone.
    moved = table.replacing(
        country.with_values(np.array([0]), ["Belgium" if city.text_at(0) != "Ghent" else "Germany"])
    )
    before = Counter(zip(moved.column("city").values(), moved.column("country").values(), strict=True))
    assert min(before.values()) < GROUP
    released = run(moved).table
    after = Counter(zip(released.column("city").values(), released.column("country").values(), strict=True))
    assert all(before[pair] >= GROUP for pair in after)


@pytest.mark.parametrize("kind", ["numeric", "ordinal"])
def test_what_words_decide_is_drawn_with_them(kind: str) -> None:
    """A degree says how many years of school: as a number, and as a rank; nobody is absent longer."""
    rng = np.random.default_rng(1)
    years_of = {"school": 12, "bachelor": 16, "college": 16, "master": 18}
    degree = rng.choice(list(years_of), ROWS)
    years = numbers("years", [years_of[name] for name in degree])
    if kind == "ordinal":
        years = replace(years, kind="ordinal", style=None, order=("12", "16", "18"))
    pay = numbers("pay", rng.integers(1_000, 9_000, ROWS))
    most = np.array([years_of[name] for name in degree])
    absent = numbers("absent", np.where((most > 12) & (rng.random(ROWS) < 0.4), 16, rng.integers(2, most + 1)))
    table = table_of(Column.from_texts("degree", degree.tolist(), role="other"), years, pay, absent)
    (rule,) = (rule for rule in kept_rules(table) if rule.columns == ("degree", "years"))
    orders = [rule for rule in kept_rules(table) if rule.id == "order"]
    assert [rule.columns for rule in orders] == [("absent", "years")] * (kind == "numeric")
    released = run(table).table
    assert released.column("years").kind == kind
    assert not count_breaking_rows(find_rule_violations(table, released, (rule, *orders)))
    mixed = table.replacing(years.take(rng.permutation(ROWS)))
    others = np.count_nonzero(mixed.column("years").codes != years.codes)
    assert count_breaking_rows(find_rule_violations(table, mixed, (rule,))) == others > ROWS / 3


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_numbers_fit_what_they_are_multiplied_to_and_the_texts_of_their_ranges(kind: str) -> None:
    """Counted without the rules: a body mass index, a rent by the hour, and texts for ages and pay."""
    rng = np.random.default_rng(2)
    age, hours = np.clip(rng.normal(40, 20, ROWS), 2, 95).astype(int), rng.integers(5, 41, ROWS)
    height = np.round(rng.normal(168, 9, ROWS) - np.maximum(18 - age, 0) * 4)
    weight = np.round(rng.normal(22, 3.5, ROWS) * height**2 / 10_000, 1)
    pay = np.where(rng.random(ROWS) < 0.3, 0, rng.integers(900, 9_000, ROWS))

    def describe(age: np.ndarray, pay: np.ndarray) -> list[list[str]]:
        stages = np.array(["child", "adult", "senior"])[np.searchsorted([18, 65], age, side="right")]
        return [stages.tolist(), np.array(["none", "low", "high"])[np.searchsorted([1, 5_000], pay, "right")].tolist()]

    stage, level = describe(age, pay)
    values = {"age": age, "height": height.astype(int), "weight": weight, "pay": pay, "hours": hours}
    values |= {"index": np.round(weight / (height / 100) ** 2, 1), "rent": np.round(weight * hours, 1)}
    order = ("child", "adult", "senior") if kind == "ordinal" else None
    texts = [
        Column.from_texts("stage", stage, kind=kind, order=order, role="other"),
        Column.from_texts("level", level, role="other"),
    ]
    released = run(table_of(*(numbers(name, column) for name, column in values.items()), *texts)).table
    made = {name: released.column(name).numbers for name in values}
    assert np.abs(made["weight"] / (made["height"] / 100) ** 2 - made["index"]).max() < 0.0501
    assert np.abs(made["weight"] * made["hours"] - made["rent"]).max() < 0.0501
    assert [released.column(name).values() for name in ("stage", "level")] == describe(made["age"], made["pay"])
    assert released.column("stage").kind == kind


@pytest.mark.parametrize("kind", ["nominal", "ordinal"])
def test_gaps_and_numbers_fit_the_text_they_depend_on(kind: str) -> None:
    """Counted without the rules: only houses have gardens, studios one room, and repairs a year and a firm."""
    rng = np.random.default_rng(3)
    flat, town = rng.choice(["studio", "flat", "house"], ROWS), rng.choice(list("abcdef"), ROWS)
    rooms = np.select([flat == "studio", flat == "flat"], [1, rng.integers(2, 5, ROWS)], rng.integers(3, 9, ROWS))
    repaired = rng.random(ROWS) < 0.3
    garden = np.where(flat == "house", rng.integers(20, 900, ROWS).astype(str), "")
    year = np.where(repaired, rng.integers(1950, 2020, ROWS).astype(str), "")
    by = np.where(repaired, rng.choice(["owner", "firm"], ROWS), "")
    order = ("studio", "flat", "house") if kind == "ordinal" else None
    columns = [numbers(name, values) for name, values in (("rooms", rooms), ("garden", garden), ("year", year))]
    columns += [Column.from_texts(name, values.tolist(), role="other") for name, values in (("town", town), ("by", by))]
    table = table_of(*columns, Column.from_texts("flat", flat.tolist(), kind=kind, order=order, role="other"))
    released = run(table).table
    made = {name: np.array(released.column(name).values(), dtype=object) for name in table.names}
    assert ((made["garden"] != "") == (made["flat"] == "house")).all()
    assert ((made["year"] != "") == (made["by"] != "")).all()
    assert ((released.column("rooms").numbers == 1) == (made["flat"] == "studio")).all()
    assert released.column("rooms").numbers[made["flat"] == "flat"].max() <= 4


@pytest.mark.parametrize("unit", ["M", "Y"])
def test_weekly_hours_and_first_days_are_drawn_among_those_that_occur(unit: str) -> None:
    """One person's hours, and the few days that are no first of a month or year, are not drawn."""
    rng = np.random.default_rng(3)
    first_days = (rng.integers(0, 300 if unit == "M" else 25, ROWS)).astype(f"datetime64[{unit}]")
    hired = first_days.astype("datetime64[D]") + (np.arange(ROWS) < 4)
    days = {"born": hired - rng.integers(0, 9_000, ROWS), "hired": hired, "left": hired + rng.integers(0, 900, ROWS)}
    columns = [
        Column.from_texts(name, list(map(str, dates)), kind="date", date_format="%Y-%m-%d", role="other")
        for name, dates in days.items()
    ]
    hours = np.append(rng.choice([19.5, 25, 30.2, 35.4, 38.5], ROWS - 1), 12.5)
    table = table_of(
        *columns,
        numbers("hours", hours),
        numbers("worked", np.round(hours * rng.beta(3, 1, ROWS), 1)),
        numbers("metres", [4.5, 4.6, 4.7] + [7.25] * 4 + [8.5] * (ROWS - 7)),
    )
    assert [rule.columns for rule in kept_rules(table) if rule.id == "list"] == [("hours",)]
    released = run(table).table
    assert set(released.column("hours").numbers) == {19.5, 25, 30.2, 35.4, 38.5}
    born, hired, left = (np.array(released.column(name).values(), dtype="datetime64[D]") for name in days)
    assert (hired.astype(f"datetime64[{unit}]") == hired).all()
    assert not count_breaking_rows(find_rule_violations(table, released, kept_rules(table)))
    assert (born <= hired).all()
    assert (hired <= left).all()


def test_a_rule_that_the_recipe_leaves_out_is_not_kept() -> None:
    table = employed()
    section = ValueRuleSection(kind="sum", columns=("salary", "bonus", "total"), kept=False)
    rules = kept_rules(table)
    broken = find_rule_violations(table, run(replace(table, rules=(section,))).table, rules)
    assert {each.rule.id for each in broken if each.count} == {"sum"}


def test_what_the_table_lends_to_a_group_beside_a_spike_is_taken_back() -> None:
    """One of three groups of four has only two ordinary numbers in the second column; six are asked for."""
    points, group = np.random.default_rng(1).normal(size=(12, 2)), np.repeat(np.arange(3), 4)
    points[[0, 1], 1] = points[[2, 3], 1].mean()
    own, known = group_moments(points, group, np.full(12, 6)), np.array([[4, 2], [4, 4], [4, 4]])
    joint = tuple(JointColumn.of(numbers(name, [1, 2]), spikes) for name, spikes in (("age", ()), ("paid", (0.0,))))
    mixed = add_known_variances(own, known, Coverage(joint, ())).moments
    share = np.sqrt(known / 4)
    mixed = replace(mixed, covariance=mixed.covariance * share[:, :, None] * share[:, None, :])
    back = remove_table_share(mixed, known, joint)
    assert np.allclose(back.mean, own.mean)
    assert np.allclose(back.covariance, own.covariance)
    assert not np.allclose(mixed.mean, own.mean)


def test_the_one_number_beside_a_spike_is_not_given_away() -> None:
    near: list[bool] = []
    for seed in range(4):
        rng = np.random.default_rng(seed)
        paid = [np.where(rng.random(ROWS) < 0.85, 0, rng.integers(1_000, 90_000, ROWS)) for _ in range(4)]
        released = run(table_of(*(numbers(f"paid {at}", values) for at, values in enumerate(paid))))
        group = released.row_groups
        assert group is not None
        for at, true in enumerate(paid):
            made = released.table.column(f"paid {at}").numbers
            for number in np.unique(group):
                own, shown = true[(group == number) & (true > 0)], made[(group == number) & (made > 0)]
                if len(own) == 1:
                    near += (np.abs(shown - own) < 4_500).tolist()
    assert len(near) > 40
    assert np.mean(near) < 0.25, "by chance a tenth are as near"


def test_a_true_column_never_corrects_a_treated_one() -> None:
    rng = np.random.default_rng(5)
    parts = [rng.integers(100, 900, ROWS) for _ in range(2)]
    columns = [
        number_column(name, list(map(str, values)))
        for name, values in zip("ABC", [*parts, parts[0] + parts[1]], strict=True)
    ]
    true = [replace(column, role="other") for column in columns[:2]]
    table = Table((*true, columns[2]), np.arange(1, ROWS + 1), levels_for([GROUP] * ROWS))
    assert [rule.columns for rule in kept_rules(table) if rule.id == "sum"] == [("A", "B", "C")]
    noise = find_method("two-phase-noise")
    released = noise.run(table, noise.settings(table, ["C"], {}), streams(3)).table
    total = released.column("A").numbers + released.column("B").numbers
    assert np.count_nonzero(released.column("C").numbers != total) > 0.9 * ROWS


def test_a_column_of_fifteen_decimals_is_rounded_to_what_can_be_written() -> None:
    values = np.random.default_rng(6).normal(50, 9, 80)
    column = number_column("share", [f"{value:.15f}" for value in values])
    result = run(Table((column, Column.from_texts("sex", ["f", "m"] * 40, role="other")), np.arange(1, 81)))
    assert [(note.id, note.arguments["decimals"]) for note in result.notes if "rounded" in note.id] == [
        ("note.numbers.rounded", 12)
    ]
    assert all(len(text.partition(".")[2]) == 12 for text in result.table.column("share").values())


# --- categories of fewer people than the group: what is written in their place --------------------


def _shown(texts: list[str], group: int, **more: object) -> list[str]:
    table = Table((Column.from_texts("town", texts, **more),), np.arange(1, len(texts) + 1))
    replaced = find_common_texts(table, ["town"], np.full(len(texts), group))
    return replace_categories(table, replaced).column("town").values()


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        # Together they are enough for a group, so they are put together.
        (["Ulm"] * 6 + ["A", "B", "C", "D", "E"], ["Ulm"] * 6 + ["(*)"] * 5),
        # Together they are too few: drawn from the most frequent one.
        (["Ulm"] * 6 + ["Bonn"] * 5 + ["A", "B", ""], ["Ulm"] * 6 + ["Bonn"] * 5 + ["Ulm", "Ulm", ""]),
        # Codes keep as many characters as enough people share.
        ([f"8907{n}" for n in range(5)] + ["10115"] * 5, ["8907*"] * 5 + ["10115"] * 5),
        # Nobody shares anything.
        (["A", "B", "C", "D", "E"], ["(*)"] * 5),
        (["Ulm"] * 5 + ["Bonn"] * 6, ["Ulm"] * 5 + ["Bonn"] * 6),
    ],
)
def test_names_and_codes(texts: list[str], expected: list[str]) -> None:
    assert _shown(texts, 5) == expected


def test_a_rare_step_of_an_order_becomes_its_nearest_common_neighbour() -> None:
    order = ("low", "middle", "high", "top")
    texts = ["low", *["middle"] * 5, *["high"] * 5, "top"]
    shown = ["middle", *["middle"] * 5, *["high"] * 5, "high"]
    assert _shown(texts, 5, kind="ordinal", order=order) == shown


def test_a_hierarchy_gives_the_narrowest_value_of_enough_people() -> None:
    tree = Hierarchy({"Ulm": ("south", "*"), "Passau": ("south", "*"), "Kiel": ("north", "*")}, 2)
    texts = ["Ulm"] * 3 + ["Passau"] * 2 + ["Kiel"] * 5
    assert _shown(texts, 5, hierarchy=tree) == ["south"] * 5 + ["Kiel"] * 5


def test_what_was_replaced_once_is_replaced_in_records_that_come_later() -> None:
    replaced = {"town": {"Ulm": "Ulm", "Passau": "Ulm"}}
    later = Table((Column.from_texts("town", ["Passau", "Ulm", "Oslo"]),), np.arange(1, 4))
    assert replace_categories(later, replaced).column("town").values() == ["Ulm", "Ulm", "Oslo"]


@pytest.mark.parametrize("shape", ["uniform", "gaussian"])
def test_means_of_skewed_amounts_are_kept_at_the_end_of_their_range(shape: str) -> None:
    """Many payments near zero and a few large ones: records with a negative one are not drawn and thrown away."""
    rng = np.random.default_rng(6)
    amounts = [np.rint(300 * rng.lognormal(0, 1.5, 4_000)) for _ in range(6)]
    shares = np.rint(np.minimum(100 * rng.beta(8, 1, 4_000), 100))
    table = table_of(*(numbers(f"paid {at}", values) for at, values in enumerate([*amounts, shares])))
    released = run(table, regenerate=shape).table
    for before, after in zip(table.columns, released.columns, strict=True):
        assert abs(after.numbers.mean() / before.numbers.mean() - 1) < 0.08
        assert abs(np.median(after.numbers) - np.median(before.numbers)) < 0.1 * before.numbers.std()


def test_values_that_avoid_each_other_are_dealt_out_together() -> None:
    """Two values of columns that hardly depend on each other: what two people have does not become common."""
    rng = np.random.default_rng(7)
    sex, illness = rng.choice(["woman", "man"], 2_000), rng.choice([f"illness {at}" for at in range(12)], 2_000)
    men = np.flatnonzero((sex == "man") & (illness == "illness 3"))
    sex[men[2:]] = "woman"
    columns = [Column.from_texts(name, values.tolist(), role="other") for name, values in (("s", sex), ("i", illness))]
    released = run(table_of(*columns, numbers("pay", rng.integers(1_000, 9_000, 2_000)))).table
    pairs = Counter(zip(released.column("s").values(), released.column("i").values(), strict=True))
    assert pairs["man", "illness 3"] == 0
    assert pairs["woman", "illness 3"] == np.count_nonzero(illness == "illness 3")
