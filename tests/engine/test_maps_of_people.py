"""Pairs, smallest sets, contributions and what-if where people have several rows, against plain counting."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.identifiability.contributions import (
    count_unique_by_pairs,
    find_unique_rows,
    measure_contributions,
)
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING, OWN_VALUE, risk_figures
from ppdm_desktop.engine.identifiability.unique_sets import minimal_unique_sets, smallest_unique_sets
from ppdm_desktop.engine.identifiability.what_if import (
    Effect,
    changed_columns,
    try_combined_changes,
    try_single_changes,
)
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People, renumber_by_appearance

QUASI = 3
Row = tuple[str, ...]
ROWS = st.lists(
    st.tuples(
        st.sampled_from("pqrst"),
        st.sampled_from(["", "a", "b", "c"]),
        st.sampled_from(["x", "y"]),
        st.sampled_from(["", "k", "l"]),
        st.sampled_from(["", "1", "2"]),
    ),
    min_size=1,
    max_size=16,
)
RULES = pytest.mark.parametrize("rule", [OWN_VALUE, MATCHES_ANYTHING])


def people_of(rows: list[Row]) -> People:
    _, codes = np.unique([row[0] for row in rows], return_inverse=True)
    return People(renumber_by_appearance(codes.astype(np.int64)), np.zeros(len(rows), dtype=np.bool_))


def columns_of(rows: list[Row]) -> tuple[list[Column], list[Column]]:
    found = [Column.from_texts(f"c{place}", [row[place] for row in rows]) for place in range(1, QUASI + 2)]
    return found[:QUASI], found[QUASI:]


def alike(rows: list[Row], at: int, places: Sequence[int], rule: str) -> list[int]:
    """Return the rows that match one in some of the columns, numbered from 1."""
    one = rows[at]
    return [
        other
        for other, row in enumerate(rows)
        if all(row[p] == one[p] or (rule == MATCHES_ANYTHING and "" in (row[p], one[p])) for p in places)
    ]


def who_is_alone(rows: list[Row], places: Sequence[int], rule: str) -> set[str]:
    """Return the people of whom a row matches no row of anybody else."""
    return {
        row[0] for at, row in enumerate(rows) if {rows[each][0] for each in alike(rows, at, places, rule)} == {row[0]}
    }


@RULES
@given(rows=ROWS)
def test_pairs(rule: str, rows: list[Row]) -> None:
    quasi, _ = columns_of(rows)
    people = people_of(rows)
    found = count_unique_by_pairs(quasi, people, rule)
    for one in range(QUASI):
        for other in range(QUASI):
            assert found.unique_people[one, other] == len(who_is_alone(rows, (one + 1, other + 1), rule))
    lonely = find_unique_rows(quasi[:2], people, rule)
    assert {rows[at][0] for at in lonely.tolist()} == who_is_alone(rows, (1, 2), rule)


@RULES
@given(rows=ROWS)
def test_smallest_sets(rule: str, rows: list[Row]) -> None:
    quasi, _ = columns_of(rows)
    every = [each for size in range(1, QUASI + 1) for each in combinations(range(1, QUASI + 1), size)]
    alone = {each: who_is_alone(rows, each, rule) for each in every}
    expected = {}
    for each in every:
        parts = [part for part in every if set(part) < set(each)]
        adds = alone[each] - set().union(*(alone[part] for part in parts))
        if adds:
            expected[tuple(f"c{place}" for place in each)] = (len(alone[each]), len(adds))
    found = smallest_unique_sets(quasi, people_of(rows), rule)
    assert {each.columns: (each.unique_people, each.adds) for each in found.sets} == expected
    least = [each for each in every if alone[each] and not any(alone[part] for part in every if set(part) < set(each))]
    names = [tuple(f"c{place}" for place in each) for each in least]
    assert minimal_unique_sets(quasi, people_of(rows), rule) == names


@RULES
@given(rows=ROWS)
def test_who_looks_alike_without_a_column(rule: str, rows: list[Row]) -> None:
    quasi, _ = columns_of(rows)
    found = measure_contributions(quasi, people_of(rows), rule)
    every = range(1, QUASI + 1)
    expected = [
        [len({rows[each][0] for each in alike(rows, at, [p for p in every if p != place], rule)}) for place in every]
        for at in range(len(rows))
    ]
    assert found.of_records(np.arange(len(rows))).tolist() == expected
    left = [len(who_is_alone(rows, [p for p in every if p != place], rule)) for place in every]
    assert list(found.count_unique_without().values()) == left


@RULES
@given(rows=ROWS, linked=st.booleans())
def test_each_change_is_what_the_changed_table_counts(rule: str, rows: list[Row], linked: bool) -> None:
    quasi, secrets = columns_of(rows)
    people = people_of(rows)
    people = people.released_in_order() if linked else people

    def counted(columns: list[Column]) -> Effect:
        return Effect.of(risk_figures(columns, secrets, people, rule).judged)

    found = try_single_changes(quasi, secrets, people, rule)
    assert found.before == counted(quasi)
    assert found.before.records == people.count
    for change, effect in found.single:
        assert effect == counted(changed_columns(quasi, [change]))
    lefts = [change for change, _ in found.single if change.way == "left-out"][:2]
    assert try_combined_changes(quasi, secrets, people, lefts, rule) == counted(changed_columns(quasi, lefts))
