"""Class sizes with one value hidden, against comparing every record with every other."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.identifiability.contributions import find_equivalent_records, measure_contributions
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING, OWN_VALUE
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People

ROWS = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.tuples(*[st.sampled_from(["", "a", "b", "c"])] * width), max_size=16).map(
        lambda rows: (width, rows)
    )
)


def columns_of(rows: list[tuple[str, ...]], width: int) -> list[Column]:
    return [Column.from_texts(f"q{i}", [row[i] for row in rows]) for i in range(width)]


def brute(rows: list[tuple[str, ...]], width: int, rule: str) -> list[list[list[int]]]:
    def same(a: str, b: str) -> bool:
        return a == b or (rule == MATCHES_ANYTHING and "" in (a, b))

    return [
        [
            [j for j, b in enumerate(rows) if all(same(a[i], b[i]) for i in range(width) if i != hidden)]
            for hidden in range(width)
        ]
        for a in rows
    ]


@pytest.mark.parametrize("rule", [OWN_VALUE, MATCHES_ANYTHING])
@given(drawn=ROWS)
def test_agrees_with_brute_force(rule: str, drawn: tuple[int, list[tuple[str, ...]]]) -> None:
    width, rows = drawn
    columns, expected = columns_of(rows, width), brute(rows, width, rule)
    found = measure_contributions(columns, People.identity(len(rows)), rule)
    every = np.arange(len(rows), dtype=np.int64)
    assert found.of_records(every).tolist() == [[len(each) for each in record] for record in expected]
    for record in range(len(rows)):
        for hidden in range(width):
            alike = find_equivalent_records(columns, record, f"q{hidden}", rule)
            assert alike.tolist() == expected[record][hidden]
    for hidden in range(width):
        still = sum(len(record[hidden]) == 1 for record in expected)
        assert found.count_unique_without()[f"q{hidden}"] == still


@given(drawn=ROWS)
def test_ranked_by_the_strongest_then_by_place(drawn: tuple[int, list[tuple[str, ...]]]) -> None:
    width, rows = drawn
    found = measure_contributions(columns_of(rows, width), People.identity(len(rows)))
    best = [max(map(len, record)) for record in brute(rows, width, OWN_VALUE)]
    order = found.ranked(np.arange(len(rows), dtype=np.int64)).tolist()
    assert order == sorted(range(len(rows)), key=lambda i: (-best[i], i))


def test_many_wide_columns_do_not_overflow() -> None:
    rows = [tuple(str(i * j % 997) for j in range(1, 13)) for i in range(997)]
    found = measure_contributions(columns_of(rows, 12), People.identity(len(rows)))
    assert found.without.shape == (997, 12)
    assert found.without.max() == 1


def test_row_75_of_the_census_is_given_away_by_its_age(data_folder: Path) -> None:
    names = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
    with (data_folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = [Column.from_texts(name, [row[name] for row in rows]) for name in names]
    found = measure_contributions(columns, People.identity(len(rows)))
    assert found.of_records(np.array([74])).tolist()[0][0] == 133
    assert len(find_equivalent_records(columns, 74, "age")) == 133
    assert found.count_unique_without()["age"] == 2953
