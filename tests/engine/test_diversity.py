"""l-diversity and t-closeness against their definitions and pycanon; the homogeneity attack."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pycanon import anonymity

from ppdm_desktop.engine.attacks.homogeneity import measure_homogeneity
from ppdm_desktop.engine.identifiability import diversity
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.identifiability.diversity import ValueCounts

ROWS = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 5)), min_size=1, max_size=60)


def counted(rows: Sequence[tuple[int, ...]]) -> ValueCounts:
    table = np.array(rows, dtype=np.int64)
    return ValueCounts.of_codes(classes_of_codes([table[:, 0], table[:, 1]], len(rows)), table[:, 2])


def frame(rows: list[tuple[int, ...]], *, names: bool) -> pd.DataFrame:
    found = pd.DataFrame(rows, columns=["a", "b", "c"]).astype({"a": str, "b": str})
    return found.assign(c=found["c"].map(lambda value: f"v{value}")) if names else found


@given(ROWS)
def test_l_agrees_with_pycanon(rows: list[tuple[int, ...]]) -> None:
    counts = counted(rows)
    table = frame(rows, names=True)
    assert int(diversity.count_distinct_values(counts).min()) == anonymity.l_diversity(table, ["a", "b"], ["c"])
    # pycanon rounds down to a whole number.
    least = float(diversity.entropy_values(counts).min())
    theirs = anonymity.entropy_l_diversity(table, ["a", "b"], ["c"])
    assert theirs <= least + 1e-9
    assert least < theirs + 1 + 1e-9


@given(ROWS)
def test_t_agrees_with_pycanon(rows: list[tuple[int, ...]]) -> None:
    counts = counted(rows)
    nominal = float(diversity.closeness_nominal(counts).max())
    assert nominal == pytest.approx(anonymity.t_closeness(frame(rows, names=True), ["a", "b"], ["c"]), abs=1e-9)
    ordered = float(diversity.closeness_ordered(counts).max())
    if len({row[2] for row in rows}) == 1:
        assert ordered == 0.0
    else:
        theirs = anonymity.t_closeness(frame(rows, names=False), ["a", "b"], ["c"])
        assert ordered == pytest.approx(theirs, abs=1e-9)


def test_by_hand() -> None:
    # One class of values 0 0 1 2 and one of 3 3 3 3.
    counts = counted([(0, 0, value) for value in (0, 0, 1, 2)] + [(1, 1, 3)] * 4)
    assert diversity.count_distinct_values(counts).tolist() == [3, 1]
    assert diversity.entropy_values(counts).tolist() == pytest.approx([2**1.5, 1.0])
    assert diversity.closeness_nominal(counts).tolist() == pytest.approx([0.5, 0.5])
    # Cumulated: table .25 .375 .5 1; class one .5 .75 1 1; class two 0 0 0 1.
    assert diversity.closeness_ordered(counts).tolist() == pytest.approx([1.125 / 3, 1.125 / 3])


def test_missing_is_a_value_of_its_own_below_all_others() -> None:
    codes = np.array([-1, 0, 0, 1])
    classes = classes_of_codes([np.array([0, 0, 1, 1])], 4)
    counts = ValueCounts.of_codes(classes, codes)
    assert diversity.count_distinct_values(counts).tolist() == [2, 2]
    moved = ValueCounts.of_codes(classes, codes + 1)
    assert diversity.closeness_ordered(counts).tolist() == diversity.closeness_ordered(moved).tolist()


def test_many_values_in_many_classes_take_no_table_of_both() -> None:
    rows = 200_000
    rng = np.random.default_rng(0)
    classes = classes_of_codes([rng.integers(0, 50_000, rows)], rows)
    counts = ValueCounts.of_codes(classes, np.arange(rows))
    found = diversity.closeness_ordered(counts)
    # A class of one record in the middle: a quarter of the way on both sides.
    alone = np.flatnonzero(classes.sizes == 1)
    places = np.array([counts.value[counts.of == each][0] for each in alone[:20]]) / (rows - 1)
    assert found[alone[:20]] == pytest.approx((places**2 + (1 - places) ** 2) / 2, abs=1e-4)


# --- homogeneity ------------------------------------------------------------------------------------


def test_homogeneity_by_hand() -> None:
    ids = np.array([0, 0, 0, 1, 1, 2, 2, 3])
    shown = np.array([4, 4, 4, 1, 2, 1, -1, -1])
    found = measure_homogeneity(ids, shown)
    # Six people have a value: three are in a class of one value; two are a coin; one is told by the only known value.
    assert found.one_valued.value == pytest.approx(3 / 6)
    assert found.majority.value == pytest.approx((3 + 0.5 + 0.5 + 1) / 6)
    assert found.baseline.value == pytest.approx(3 / 6)
    assert found.majority.n == 6


@given(ROWS)
def test_homogeneity_agrees_with_brute_force(rows: list[tuple[int, ...]]) -> None:
    table = np.array(rows, dtype=np.int64)
    classes = classes_of_codes([table[:, 0]], len(rows))
    shown, true = table[:, 2], (table[:, 2] + (table[:, 1] == 0)) % 6
    found = measure_homogeneity(classes.ids, shown, true)
    told = one = 0.0
    for own, value in zip(classes.ids.tolist(), true.tolist(), strict=True):
        members = Counter(shown[classes.ids == own].tolist())
        best = [each for each, count in members.items() if count == max(members.values())]
        told += (value in best) / len(best)
        one += len(members) == 1
    assert found.majority.value == pytest.approx(told / len(rows))
    assert found.one_valued.value == pytest.approx(one / len(rows))


def test_nobody_to_attack() -> None:
    none = np.zeros(0, dtype=np.int64)
    assert measure_homogeneity(none, none).majority.value is None
    assert measure_homogeneity(np.zeros(3, dtype=np.int64), np.full(3, -1)).one_valued.value is None


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(-1, 9)), min_size=2, max_size=60), st.integers(1, 12))
def test_closeness_is_the_same_in_blocks_of_classes(rows: list[tuple[int, int]], together: int) -> None:
    groups, codes = (np.array(each) for each in zip(*rows, strict=True))
    counts = ValueCounts.of_codes(classes_of_codes([groups], len(rows)), codes)
    whole = diversity.closeness_ordered(counts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(diversity, "_PAIRS_AT_ONCE", together)
        assert diversity.closeness_ordered(counts) == pytest.approx(whole, abs=1e-12)
