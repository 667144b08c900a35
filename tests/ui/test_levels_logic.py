"""What the page of levels derives from its fields: spans, conditions, words, the map."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import case_rows
from hypothesis import example, given
from hypothesis import strategies as st
from PySide6.QtWidgets import QApplication

from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import Condition, PrivacySection, RowsRule
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, LevelMap
from ppdm_desktop.engine.table.record_levels import rows_in_spans
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.ui.pages.levels.editor import ConditionRow, build_condition
from ppdm_desktop.ui.state.level_column import add_word_meaning, find_reversed_words, map_words_to_levels, open_words
from ppdm_desktop.ui.state.level_counts import (
    align_other_demands,
    change_level_demand,
    column_texts,
    find_weakened_demands,
    map_sections,
    spans_of,
)
from ppdm_desktop.ui.state.typed_numbers import format_as_typed, parse_typed_number


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
        ("nominal", "in", [" x", "1"], {"in": (" x", "1")}),
        ("nominal", "equals", [" x"], {"equals": " x"}),
        ("date", "at_least", ["2001-12-31"], {"at_least": "2001-12-31"}),
        ("nominal", "missing", [], {"missing": True}),
    ],
)
def test_typed_values_become_the_recipes_condition_which_the_editor_shows_again(
    qapp: QApplication, kind: str, test: str, typed: list[str], expected: dict[str, object]
) -> None:
    values = column(kind, "1", "2", *typed)
    condition = build_condition(values, test, typed)
    assert condition == Condition.model_validate({"column": "c", **expected})
    row = ConditionRow(0)
    row.fill(Table((values,), np.arange(1, len(values) + 1)), condition)
    assert row.condition() == condition


@pytest.mark.parametrize(
    ("kind", "test", "typed", "words"),
    case_rows("levels-logic-what-is-missing-is-said", lists=True),
)
def test_what_is_missing_is_said(kind: str, test: str, typed: list[str], words: str) -> None:
    found = build_condition(column(kind, "low", "high", order=("low", "high")), test, typed)
    assert isinstance(found, str)
    assert words in found


@pytest.mark.parametrize(
    ("typed", "instead"),
    [("1,234", "Write 1234 or 1.234."), ("1e5", "Write 100000."), ("1,5", "Write 1.5."), ("1.2.3", "not a number")],
)
def test_a_number_that_can_be_meant_otherwise_is_never_guessed(typed: str, instead: str) -> None:
    found = build_condition(column("numeric", "1", "2"), "at_least", [typed])
    assert isinstance(found, str)
    assert instead in found


@given(value=st.one_of(st.integers(-(2**53), 2**53), st.floats(-1e15, 1e15).filter(lambda each: abs(each) > 1e-9)))
@example(value=1.234)
def test_what_a_rule_compares_with_is_typed_again_as_it_is_read(value: float) -> None:
    for code in ("en", "de"):
        with speak_language(code):
            again = parse_typed_number(format_as_typed(value))
            assert again is not None
            assert again == pytest.approx(value, rel=1e-14)


def test_a_map_that_falls_says_where_and_can_be_moved() -> None:
    assert find_weakened_demands(change_level_demand(DEFAULT_LEVELS, "cautious", "intervals", 40)) == []
    named = change_level_demand(DEFAULT_LEVELS, "cautious", "doubt", 4)
    (wrong,) = find_weakened_demands(named)
    assert (wrong.key, wrong.stricter, wrong.weaker) == ("doubt", "extra-cautious", "cautious")
    moved = align_other_demands(named, "cautious", "doubt")
    assert [level.demand.doubt for level in moved] == [20, 4, 4, 3]
    assert find_weakened_demands(moved) == []
    assert LevelMap.from_recipe(map_sections(moved)).named == moved


@given(
    name=st.sampled_from([level.name for level in DEFAULT_LEVELS]),
    key=st.sampled_from(["group", "intervals", "noise", "swap"]),
    value=st.integers(1, 300),
)
def test_moved_maps_are_always_accepted_by_the_engine(name: str, key: str, value: int) -> None:
    given_value = value / 300 if key == "swap" else value
    moved = align_other_demands(change_level_demand(DEFAULT_LEVELS, name, key, given_value), name, key)
    assert find_weakened_demands(moved) == []
    assert LevelMap.from_recipe(map_sections(moved)).named == moved


def shown(cells: list[str], /, **privacy: Any) -> list[tuple[str, int, str | None]]:
    """Return the words of a column as the page lists them."""
    column = Column.from_texts("wish", cells)
    found = column_texts(column, PrivacySection.model_validate(privacy), LevelMap())
    return [(each.text, each.people, each.level) for each in found]


def test_words_of_a_column_that_was_made_for_levels_mean_themselves_but_an_empty_cell_is_asked() -> None:
    words = ["paranoid", "cautious", "", "7", "cautious", " paranoid"]
    assert shown(words) == [
        ("cautious", 2, "cautious"),
        ("paranoid", 2, "paranoid"),
        ("7", 1, "group 7"),
        ("", 1, None),
    ]


def test_one_word_of_the_files_own_makes_all_of_them_its_own() -> None:
    words = ["low", "normal", "normal", "9", "high"]
    assert shown(words) == [("normal", 2, None), ("high", 1, None), ("low", 1, None), ("9", 1, "group 9")]
    meant = {"low": "normal", "normal": "cautious"}
    assert shown(words, words=meant)[0] == ("normal", 2, "cautious")
    assert shown(words, words={**meant, "9": "paranoid"})[-1] == ("9", 1, "paranoid")


def test_what_was_seen_is_kept_when_the_first_word_is_given_a_meaning() -> None:
    seen = {"cautious": "cautious", "7": "7", "": None}
    words = add_word_meaning(seen, PrivacySection(), "", "normal").words
    assert words == {"cautious": "cautious", "": "normal"}
    again = add_word_meaning({**seen, "": "normal"}, PrivacySection(words=words), "cautious", "paranoid").words
    assert again == {"cautious": "paranoid", "": "normal"}


@pytest.mark.parametrize(("words", "turned"), case_rows("levels-logic-a-choice-that-looks-upside-down-is-noticed"))
def test_a_choice_that_looks_upside_down_is_noticed(words: dict[str, str], turned: tuple[str, str] | None) -> None:
    privacy = PrivacySection.model_validate({"words": words})
    assert find_reversed_words(map_words_to_levels(words, privacy, LevelMap())) == turned


def test_words_without_a_level_wait_for_a_meaning() -> None:
    document = {"recipe": 1, "columns": {"wish": {"role": "privacy-level", "kind": "nominal"}}}
    words = ["hoch", "nix", "", "cautious", "7", "Staff", "hoch"]
    table = Table((Column.from_texts("wish", words, role="privacy-level"),), np.arange(2, 9))
    assert open_words(table, parse_recipe(document)) == ("hoch", "nix", "", "cautious", "Staff")
