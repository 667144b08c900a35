"""Who is alone by two columns, against comparing every record with every other."""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from risk_support import CENSUS, ROWS, columns_of, lonely

from ppdm_desktop.engine.identifiability.contributions import count_unique_by_pairs, find_unique_rows
from ppdm_desktop.engine.identifiability.risk import MATCHES_ANYTHING, OWN_VALUE, Distinct
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People


@pytest.mark.parametrize("rule", [OWN_VALUE, MATCHES_ANYTHING])
@given(drawn=ROWS)
def test_agrees_with_brute_force(rule: str, drawn: tuple[int, list[tuple[str, ...]]]) -> None:
    width, rows = drawn
    columns = columns_of(rows, width)
    found = count_unique_by_pairs(columns, People.identity(len(rows)), rule)
    for one in range(width):
        for other in range(width):
            expected = lonely(rows, (one, other), rule)
            assert found.unique_people[one, other] == len(expected)
            assert (
                find_unique_rows([columns[one], columns[other]], People.identity(len(rows)), rule).tolist() == expected
            )


def test_wide_columns_are_counted_by_sorting() -> None:
    draws = np.random.default_rng(3)
    codes = [draws.integers(0, 3000, 4000).astype(np.int32) for _ in range(2)]
    columns = [Column(f"q{i}", f"q{i}", each, tuple(map(str, range(3000)))) for i, each in enumerate(codes)]
    keys = codes[0].astype(np.int64) * 3000 + codes[1]
    expected = int((np.unique(keys, return_counts=True)[1] == 1).sum())
    people = People.identity(4000)
    assert (
        Distinct.of(columns, people).count_unique([0, 1])
        == expected
        == count_unique_by_pairs(columns, people).unique_people[0, 1]
    )


def test_the_census_has_the_known_figures(data_folder: Path) -> None:
    with (data_folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = [Column.from_texts(name, [row[name] for row in rows]) for name in CENSUS]
    found = count_unique_by_pairs(columns, People.identity(len(rows)))
    assert [found.unique_people[i, :i].tolist() for i in range(1, 7)] == [
        [110],
        [38, 3],
        [91, 16, 4],
        [23, 0, 1, 2],
        [5, 0, 0, 0, 0],
        [566, 129, 29, 97, 28, 1],
    ]
    assert found.strongest() == (6, 0)
    assert len(find_unique_rows([columns[0], columns[6]], People.identity(len(rows)))) == 566
