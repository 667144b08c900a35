"""What the Privacy levels page derives without a window: spans, conditions, words, the map."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.recipe.models import Condition, RowsRule, Rule
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, LevelMap
from ppdm_desktop.engine.table.record_levels import rows_in_spans
from ppdm_desktop.ui.pages.levels import conditions as levels_conditions
from ppdm_desktop.ui.pages.levels.conditions import build_condition, number_typed
from ppdm_desktop.ui.state.level_words import rule_words, rules_and_picks, spans_words, weaker_words
from ppdm_desktop.ui.state.levels_found import (
    alias_of,
    changed_map,
    column_texts,
    map_sections,
    spans_of,
    weaker_than_before,
    with_aliases,
    with_others_moved,
)


@given(rows=st.sets(st.integers(1, 60)))
def test_spans_hold_exactly_the_rows_they_were_made_from(rows: set[int]) -> None:
    spans = spans_of(np.array(sorted(rows), dtype=np.int64))
    if not rows:
        assert spans == ()
        return
    rule = RowsRule(rows=spans, level="cautious")
    held = {row for low, high in rule.spans() for row in range(low, high + 1)}
    assert held == rows
    assert rows_in_spans(np.arange(1, 61, dtype=np.int64), rule.spans()).sum() == len(rows)


@given(
    numbers=st.sets(st.integers(1, 40)),
    spans=st.lists(st.tuples(st.integers(1, 45), st.integers(0, 9)), max_size=6),
)
def test_rows_in_spans_are_those_of_any_span(numbers: set[int], spans: list[tuple[int, int]]) -> None:
    ordered = sorted(numbers)
    edges = [(low, low + wide) for low, wide in spans]
    found = rows_in_spans(np.array(ordered, dtype=np.int64), edges)
    assert found.tolist() == [any(low <= number <= high for low, high in edges) for number in ordered]


def column(kind: str, *texts: str, order: tuple[str, ...] | None = None) -> Column:
    return Column.from_texts("c", texts, kind=kind, order=order)


@pytest.mark.parametrize(
    ("kind", "test", "typed", "expected"),
    [
        ("numeric", "at_least", ["75"], {"at_least": 75}),
        ("numeric", "at_most", ["-1.5"], {"at_most": -1.5}),
        ("numeric", "between", ["1", "9"], {"between": (1, 9)}),
        ("numeric", "in", ["1", "2"], {"in": (1, 2)}),
        ("nominal", "equals", [" x"], {"equals": " x"}),
        ("date", "at_least", ["2001-12-31"], {"at_least": "2001-12-31"}),
        ("nominal", "missing", [], {"missing": True}),
    ],
)
def test_typed_values_become_the_recipes_condition(
    kind: str, test: str, typed: list[str], expected: dict[str, object]
) -> None:
    found = build_condition(column(kind, "1", "2"), test, typed)
    assert found == Condition.model_validate({"column": "c", **expected})


@pytest.mark.parametrize(
    ("kind", "test", "typed", "words"),
    [
        ("numeric", "at_least", ["x"], "not a number"),
        ("numeric", "at_least", ["nan"], "not a number"),
        ("numeric", "at_least", [""], "Type a value"),
        ("numeric", "between", ["9", "1"], "lowest value comes first"),
        ("nominal", "in", [], "at least one"),
        ("date", "at_most", ["31.12.2001"], "year-month-day"),
        ("ordinal", "at_least", ["huge"], "not a value"),
    ],
)
def test_what_is_missing_is_said(kind: str, test: str, typed: list[str], words: str) -> None:
    found = build_condition(column(kind, "low", "high", order=("low", "high")), test, typed)
    assert isinstance(found, str)
    assert words in found


def test_tests_fit_the_kind() -> None:
    assert [key for key, _ in levels_conditions.tests_for(column("nominal", "a"))] == ["equals", "in", "missing"]
    assert [key for key, _ in levels_conditions.tests_for(column("numeric", "1"))][:3] == [
        "at_least",
        "at_most",
        "between",
    ]
    assert [key for key, _ in levels_conditions.tests_for(None)] == ["unique", "collective"]


def test_a_decimal_comma_is_read_as_the_file_writes_it() -> None:
    assert number_typed("1,5", ",") == 1.5
    assert number_typed("1.5", ".") == 1.5
    assert number_typed("12") == 12


def test_rules_in_words() -> None:
    countries = column("nominal", *"abcdef")
    table = Table((countries,), np.arange(1, 7))
    but_one = Rule.model_validate({"where": {"column": "c", "in": ["a", "b", "c", "d", "e"]}, "level": "cautious"})
    assert rule_words(but_one, table) == "c is known and not f"
    assert rule_words(but_one) == "c is a, b or one of 3 more"
    two = Rule(where=(Condition(column="c", in_=("a", "b")), Condition(status="unique")), level="cautious")
    assert rule_words(two) == "c is a or b and is the only one of their kind"
    assert spans_words(RowsRule(rows=(3, "7-9"), level="cautious")) == "rows 3, 7 to 9"


@pytest.mark.parametrize(
    ("rules", "picked", "words"),
    [
        (0, 0, ""),
        (1, 0, "1 rule"),
        (2, 1, "2 rules, 1 set of picked rows"),
        (0, 3, "3 sets of picked rows"),
    ],
)
def test_rules_and_picked_rows_are_counted_in_words(rules: int, picked: int, words: str) -> None:
    rule, some = Rule(where=(Condition(status="unique"),), level="cautious"), RowsRule(rows=(1,), level="cautious")
    assert rules_and_picks([rule] * rules, [some] * picked) == words


def test_a_map_that_falls_says_where_and_can_be_moved() -> None:
    named = changed_map(DEFAULT_LEVELS, "cautious", "intervals", 40)
    (wrong,) = weaker_than_before(named)
    assert (wrong.key, wrong.stricter, wrong.weaker) == ("intervals", "extra-cautious", "cautious")
    assert "Fewer cells hide more" in weaker_words(wrong)
    moved = with_others_moved(named, "cautious", "intervals")
    assert [level.demand.intervals for level in moved] == [200, 40, 40, 25]
    assert weaker_than_before(moved) == []
    assert LevelMap.from_recipe(map_sections(moved)).named == moved


@given(
    name=st.sampled_from([level.name for level in DEFAULT_LEVELS]),
    key=st.sampled_from(["group", "intervals", "noise", "swap"]),
    value=st.integers(1, 300),
)
def test_moved_maps_are_always_accepted_by_the_engine(name: str, key: str, value: int) -> None:
    given_value = value / 300 if key == "swap" else value
    moved = with_others_moved(changed_map(DEFAULT_LEVELS, name, key, given_value), name, key)
    assert weaker_than_before(moved) == []
    assert LevelMap.from_recipe(map_sections(moved)).named == moved


def test_texts_of_a_column_and_their_meaning() -> None:
    wishes = Column.from_texts("wish", ["hoch", "cautious", "", "7", "hoch", " paranoid", "nix"])
    plain = column_texts(wishes, LevelMap())
    assert [(each.text, each.people, each.level) for each in plain] == [
        ("hoch", 2, None),
        ("nix", 1, None),
        (" paranoid", 1, "paranoid"),
        ("7", 1, "group 7"),
        ("cautious", 1, "cautious"),
    ]
    levels = LevelMap.from_recipe(with_aliases({}, {"hoch": "paranoid", "nix": "normal"}))
    assert [each.level for each in column_texts(wishes, levels)][:2] == ["hoch", "nix"]
    assert alias_of("hoch", levels) == "paranoid"
    assert alias_of("paranoid", levels) is None
    again = LevelMap.from_recipe(with_aliases(map_sections(levels.named), {"hoch": "cautious"}))
    assert alias_of("hoch", again) == "cautious"
    # A level's own name keeps its meaning.
    assert with_aliases({}, {"cautious": "paranoid"}) == {}
