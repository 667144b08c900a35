"""Smallest sets of columns that single people out, against trying every set on every record."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from generalising_support import candidate_of
from hypothesis import given
from hypothesis import strategies as st
from risk_support import ROWS, Row, columns_of, lonely

from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING, OWN_VALUE
from ppdm_desktop.engine.identifiability.unique_sets import (
    UniqueSet,
    find_largest_set_size,
    minimal_unique_sets,
    smallest_unique_sets,
)
from ppdm_desktop.engine.release.writing.export import evaluate
from ppdm_desktop.engine.table.people import People


def brute(rows: list[Row], width: int, rule: str) -> dict[tuple[int, ...], tuple[int, int]]:
    """Count for each set who is unique by it, and who by no part of it; only sets that add somebody."""
    sets = [places for size in range(1, width + 1) for places in combinations(range(width), size)]
    alone = {places: set(lonely(rows, places, rule)) for places in sets}
    found = {}
    for places in sets:
        parts = [part for size in range(1, len(places)) for part in combinations(places, size)]
        adds = alone[places] - set().union(*(alone[part] for part in parts))
        if adds:
            found[places] = (len(alone[places]), len(adds))
    return found


@pytest.mark.parametrize("rule", [OWN_VALUE, MATCHES_ANYTHING])
@given(drawn=ROWS)
def test_agrees_with_brute_force(rule: str, drawn: tuple[int, list[Row]]) -> None:
    width, rows = drawn
    columns, expected = columns_of(rows, width), brute(rows, width, rule)
    found = smallest_unique_sets(columns, People.identity(len(rows)), rule)
    assert found.complete
    shown = {tuple(int(name[1:]) for name in each.columns): (each.unique_people, each.adds) for each in found.sets}
    assert shown == expected
    sizes = [(len(each.columns), -each.adds) for each in found.sets]
    assert sizes == sorted(sizes)
    least = [places for places in expected if not any(set(part) < set(places) for part in expected)]
    named = [tuple(f"q{place}" for place in places) for places in sorted(least, key=lambda each: (len(each), each))]
    assert minimal_unique_sets(columns, People.identity(len(rows)), rule) == named


@given(drawn=ROWS, most=st.integers(1, 20))
def test_what_is_left_out_is_only_what_is_larger(drawn: tuple[int, list[Row]], most: int) -> None:
    width, rows = drawn
    columns, people = columns_of(rows, width), People.identity(len(rows))
    found, whole = smallest_unique_sets(columns, people, most=most), smallest_unique_sets(columns, people)
    assert found.largest == find_largest_set_size(width, most)
    assert found.sets == tuple(each for each in whole.sets if len(each.columns) <= found.largest)
    minimal = minimal_unique_sets(columns, people)
    assert minimal_unique_sets(columns, people, most=most) == [e for e in minimal if len(e) <= found.largest]


def test_by_hand() -> None:
    rows = [("a", "x", "1"), ("a", "y", "1"), ("b", "x", "1"), ("b", "y", "2"), ("b", "y", "1")]
    found = smallest_unique_sets(columns_of(rows, 3), People.identity(5))
    assert found.sets == (
        UniqueSet(("q2",), 1, 1),
        UniqueSet(("q0", "q1"), 3, 3),
        UniqueSet(("q0", "q1", "q2"), 5, 1),
    )
    assert minimal_unique_sets(columns_of(rows, 3), People.identity(5)) == [("q2",), ("q0", "q1")]


def test_the_report_names_the_smallest_sets_before_and_after(tmp_path: Path) -> None:
    rows = [
        {"age": age, "town": town, "ill": ill}
        for age, town, ill in [
            ("31", "Oslo", "flu"),
            ("31", "Bergen", "cold"),
            ("32", "Oslo", "flu"),
            ("32", "Bergen", "cold"),
            ("39", "Bergen", "flu"),
            ("39", "Bergen", "flu"),
        ]
    ]
    columns: dict[str, Any] = {"age": {"role": "q", "kind": "numeric"}, "town": "q", "ill": "c"}
    steps = [{"method": "generalize", "columns": ["age"], "parameters": {"width": {"age": 5}}}]
    candidate = candidate_of(tmp_path, rows, columns, steps)
    found = evaluate(candidate, attacks=()).report.risk
    before, after = found.before.scope, found.after.scope
    assert before.quasi_identifiers is not None
    assert before.released is not None
    assert after.quasi_identifiers is not None
    assert before.quasi_identifiers.unique_sets == [["age", "town"]]
    assert before.released.unique_sets == [["row"], ["age", "town"]]
    assert after.quasi_identifiers.unique_sets == []
