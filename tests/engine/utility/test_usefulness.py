"""Usefulness in three figures: each case is worked out by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cases import case_rows

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.utility.usefulness import (
    MOST_PAIRS,
    TrueRows,
    Usefulness,
    _choose_column_pairs,
    measure_usefulness,
)
from ppdm_desktop.engine.wording.catalogue import untranslated

NOT_COUNTED = Figure.absent(untranslated("not counted"))
HUNDRED = [str(number) for number in range(100)]
"""A number for each of 100 rows: a range of ten of them loses (10 - 1) / (100 - 1) of each cell."""
MONTHS = [f"20{year}-{month:02d}-0{day}" for year in (10, 11) for month in range(1, 13) for day in (1, 2)]


def column(name: str, values: list[str], kind: str = "nominal", **more: Any) -> Column:
    style = NumberStyle() if kind == "numeric" else None
    return Column.from_texts(name, values, kind=kind, style=style, **more)


def measured(source: list[Column], released: list[Column], believable: Figure = NOT_COUNTED) -> Usefulness:
    """Measure a release of true rows, of which the last may be missing."""
    shown = {each.name: each for each in released}
    rows = {name: TrueRows(each, np.arange(len(each))) for name, each in shown.items()}
    return measure_usefulness(source, shown, rows, believable)


def tens(values: list[str]) -> list[str]:
    return [f"[{int(value) // 10 * 10}, {int(value) // 10 * 10 + 10})" for value in values]


@pytest.mark.parametrize(
    ("kind", "before", "after", "kind_after", "kept"),
    case_rows("usefulness-a-column-keeps-what-both-distributions-share", lists=True),
)
def test_a_column_keeps_what_both_distributions_share_less_what_broader_values_do_not_say(
    kind: str, before: list[str], after: list[str], kind_after: str, kept: float
) -> None:
    more = {"date_format": "%Y-%m-%d"} if kind == "date" else {}
    found = measured([column("a", before, kind, **more)], [column("a", after, kind_after)])
    assert found.columns.value == pytest.approx(kept, abs=2e-4)
    assert found.pairs.value is None
    assert found.useful.value == pytest.approx(found.columns.value)


def test_pairs_see_what_single_columns_hide() -> None:
    first, second = column("a", ["x", "y"] * 50), column("b", ["p", "q"] * 50)
    broken = measured([first, second], [first, column("b", ["p"] * 50 + ["q"] * 50)])
    assert (broken.columns.value, broken.pairs.value) == (1.0, 0.5)
    assert broken.useful.value == pytest.approx(0.5**0.5)
    whole = measured([first, second], [first, second], Figure(0.25, unit="share"))
    assert whole.useful.value == pytest.approx(0.25 ** (1 / 3))


def test_a_column_that_only_the_release_leaves_out_counts_nothing_also_in_its_pairs() -> None:
    source = [column(name, ["x", "y"] * 50) for name in "abc"]
    found = measured(source, source[:2])
    assert found.columns.value == pytest.approx(2 / 3)
    assert found.pairs.value == pytest.approx(1 / 3)
    assert (found.columns.n, found.pairs.n) == (3, 3)


@pytest.mark.parametrize("kind", ["date", "ordinal"])
def test_a_range_of_dates_or_ranks_stands_for_all_values_inside_it(kind: str) -> None:
    days = [f"2020-01-{day:02d}" for day in range(1, 11)]
    wide = f"[{days[0]}, {days[-1]}]"
    more = {"date_format": "%Y-%m-%d"} if kind == "date" else {}
    release = column("a", [wide, *days[1:-1], wide], kind, **more)
    assert measured([column("a", days, kind, **more)], [release]).columns.value == pytest.approx(0.8)


@pytest.mark.parametrize("first", [40, 60])
def test_overlapping_ranges_count_as_wide_as_recipients_see_them(first: int) -> None:
    """Everybody's range holds 60 of 100 numbers, also where the people in it have only 40 of them."""
    shown = ["[0, 59]"] * first + ["[40, 100)"] * (100 - first)
    found = measured([column("a", HUNDRED, "numeric")], [column("a", shown, "ordinal")])
    assert found.columns.value == pytest.approx(1 - 59 / 99)


def test_ranges_of_unknown_rows_are_read_as_they_are_written() -> None:
    source, shown = column("a", HUNDRED, "numeric"), column("a", ["[0, 9]", "50"] * 50, "ordinal")
    found = measure_usefulness([source], {"a": shown}, {}, NOT_COUNTED)
    # Half of the rows lie in 0 to 9, which hold a tenth; the others in the cell of 50, which holds 5 of 100.
    assert found.columns.value == pytest.approx(0.1 + 0.05)


def test_of_many_pairs_some_are_chosen_that_name_every_column() -> None:
    assert len(_choose_column_pairs(24)) == 276
    chosen = _choose_column_pairs(50)
    assert len(set(chosen)) == MOST_PAIRS
    assert {index for pair in chosen for index in pair} == set(range(50))
