"""Granularity, entropy and class sizes of coarser tables, by hand and by their definitions."""

from __future__ import annotations

import math
from collections import Counter, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.utility.generalisation import measure_generalisation


def names(name: str, values: list[str]) -> Column:
    return Column.from_texts(name, values, kind="nominal")


def numbers(name: str, values: list[str]) -> Column:
    return Column.from_texts(name, values, kind="numeric", style=NumberStyle.seen_in(values))


def same(rows: int) -> np.ndarray:
    return np.arange(rows)


def test_nothing_changed_and_nothing_left() -> None:
    true = [numbers("age", ["20", "30", "40", "60"]), names("city", ["a", "b", "b", "c"])]
    kept = measure_generalisation(true, true, same(4), 1)
    assert (kept.granularity.value, kept.entropy.value, kept.entropy_kept.value) == (1.0, 0.0, 1.0)
    assert (kept.discernibility.value, kept.average_class.value) == (4, 1.0)
    gone = measure_generalisation(true, [names("age", ["*"] * 4), names("city", ["*"] * 4)], same(4), 2)
    assert gone.granularity.value == 0.0
    assert gone.entropy.value == pytest.approx((4 * 2 + 2 * 2 + 2 * 1) / 8)
    assert gone.entropy_kept.value == pytest.approx(0.0)
    assert (gone.discernibility.value, gone.average_class.value) == (16, 2.0)


def test_ranges_by_hand() -> None:
    true = [numbers("age", ["20", "30", "40", "60"])]
    shown = [names("age", ["20-30", "20-30", "40-60", "40-60"])]
    found = measure_generalisation(true, shown, same(4), 2)
    assert found.granularity.value == pytest.approx(1 - (0.25 + 0.25 + 0.5 + 0.5) / 4)
    assert found.by_column == {"age": pytest.approx(0.625)}
    assert found.entropy.value == 1.0
    assert found.entropy_kept.value == pytest.approx(0.5)
    assert (found.discernibility.value, found.average_class.value) == (8, 1.0)


def test_removed_records_and_emptied_cells_say_nothing() -> None:
    true = [names("city", ["a", "a", "b", "c"])]
    removed = measure_generalisation(true, [names("city", ["a", "b"])], np.array([0, -1, 1, -1]), 1)
    assert removed.granularity.value == pytest.approx(0.5)
    assert removed.entropy.value == pytest.approx((1 + 2) / 4)
    assert removed.discernibility.value == 1 + 1 + 2 * 4
    emptied = measure_generalisation(true, [names("city", ["a", "", "b", ""])], same(4), 1)
    assert emptied.granularity.value == removed.granularity.value
    assert emptied.entropy.value == removed.entropy.value


def test_what_was_missing_before_is_no_loss() -> None:
    true, shown = [names("city", ["a", "", "b"])], [names("city", ["a", "", "b"])]
    assert measure_generalisation(true, shown, same(3), 1).granularity.value == 1.0
    nothing = [names("city", ["", ""])]
    found = measure_generalisation(nothing, nothing, same(2), 1)
    assert found.granularity.value is None
    assert found.granularity.note


ROW = st.tuples(st.sampled_from("abcde"), st.sampled_from("XYZ"))


@given(st.lists(ROW, min_size=1, max_size=40))
def test_entropy_and_names_by_their_definitions(rows: list[tuple[str, str]]) -> None:
    found = measure_generalisation(
        [names("c", [row[0] for row in rows])], [names("c", [row[1] for row in rows])], same(len(rows)), 1
    )
    stands_for: dict[str, set[str]] = defaultdict(set)
    for true, shown in rows:
        stands_for[shown].add(true)
    pairs, shows = Counter(rows), Counter(row[1] for row in rows)
    bits = -sum(math.log2(pairs[row] / shows[row[1]]) for row in rows) / len(rows)
    assert found.entropy.value == pytest.approx(bits, abs=1e-12)
    domain = len({row[0] for row in rows})
    loss = sum((len(stands_for[row[1]]) - 1) / (domain - 1) if domain > 1 else 0.0 for row in rows) / len(rows)
    assert found.granularity.value == pytest.approx(1 - loss)
    assert found.discernibility.value == sum(size * size for size in shows.values())
