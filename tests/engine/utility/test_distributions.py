"""Utility figures against SciPy and brute force."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optional import existing
from scipy import stats

from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.utility.cells import shared_cells
from ppdm_desktop.engine.utility.distributions import QUANTILES, column_utility, counted_quantiles
from ppdm_desktop.engine.utility.pairs import i_divergence, pair_utility, pearson

WORDS = st.lists(st.sampled_from(["a", "b", "c", "d", ""]), min_size=1, max_size=30)


def numeric(values: Any, name: str = "x") -> Column:
    return Column.from_texts(name, [str(v) for v in values], kind="numeric", style=NumberStyle())


def test_numbers_against_scipy() -> None:
    rng = np.random.default_rng(3)
    first, second = rng.integers(0, 40, 500), rng.integers(3, 50, 400)
    found = column_utility(numeric(first), numeric(second))
    assert found.mean_before.value == pytest.approx(first.mean())
    assert found.sd_after.value == pytest.approx(second.std(ddof=1))
    assert found.ks.value == pytest.approx(stats.ks_2samp(first, second).statistic)
    assert found.wasserstein.value == pytest.approx(stats.wasserstein_distance(first, second))
    assert [q.before for q in found.quantiles] == pytest.approx(list(np.quantile(first, [0.05, 0.25, 0.5, 0.75, 0.95])))


def test_ordinal_distance_counts_category_steps() -> None:
    order = ("low", "mid", "high")
    before = Column.from_texts("o", ["low", "low", "mid", "high"], kind="ordinal", order=order)
    after = Column.from_texts("o", ["high", "low", "mid", "high"], kind="ordinal", order=order)
    found = column_utility(before, after)
    assert found.wasserstein.value == pytest.approx(0.5)
    assert found.ks.value == pytest.approx(0.25)
    assert found.wasserstein.unit == "category steps"
    assert found.mean_before.value is None
    assert found.mean_before.note


@given(WORDS, WORDS)
def test_text_distances_by_brute_force(first: Any, second: Any) -> None:
    found = column_utility(Column.from_texts("w", first), Column.from_texts("w", second))
    p = {w: first.count(w) / len(first) for w in {*first, *second}}
    q = {w: second.count(w) / len(second) for w in p}
    assert found.total_variation.value == pytest.approx(sum(abs(p[w] - q[w]) for w in p) / 2)
    assert found.hellinger.value == pytest.approx(
        np.sqrt(sum((np.sqrt(p[w]) - np.sqrt(q[w])) ** 2 for w in p) / 2), abs=1e-7
    )
    assert found.ks.value is None


def test_missing_numbers_are_left_out_of_means_and_counted_in_total_variation() -> None:
    before = Column.from_texts("x", ["1", "2", "", "3"], kind="numeric", style=NumberStyle())
    after = Column.from_texts("x", ["1", "2", "3", "3"], kind="numeric", style=NumberStyle())
    found = column_utility(before, after)
    assert found.mean_before.value == 2
    assert found.total_variation.value == pytest.approx(0.25)


def test_many_values_are_cut_into_equal_cells() -> None:
    cells = shared_cells(numeric(range(1000)), numeric(range(1000)))
    assert cells.cut
    assert cells.count == 21
    first, second = cells.shares()
    assert np.array_equal(first, second)
    assert first[:-1] == pytest.approx(np.full(20, 0.05), abs=0.002)
    words = shared_cells(Column.from_texts("w", map(str, range(200))), Column.from_texts("w", ["x"] * 200))
    assert words.count == 52
    assert words.after.tolist() == [50] * 200


def test_pearson_against_scipy() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.integers(0, 4, 300), rng.integers(0, 3, 300)
    assert pearson(first.astype(float), second.astype(float)) == pytest.approx(stats.pearsonr(first, second)[0])
    assert pearson(np.ones(5), np.arange(5.0)) is None


def test_many_categories_are_related_to_nothing_by_chance() -> None:
    rng = np.random.default_rng(6)
    towns = [f"t{town}" for town in rng.integers(0, 50, 120)]
    sides = [Column.from_texts("town", texts) for texts in (towns, [*towns[:12], *["t1"] * 108])]
    sex = Column.from_texts("sex", list(map(str, rng.integers(0, 2, 120))))
    changed = pair_utility([sides[0], sex], [sides[1], sex]).correlation_max_change.value
    assert changed is not None
    assert changed < 0.1


def test_i_divergence_by_brute_force() -> None:
    before, after = np.array([[3.0, 0], [5, 0]]), np.array([[0.0, 4], [4, 0]])
    p, q = np.array([3.5, 0.5, 5.5]), np.array([0.5, 4.5, 4.5])
    p, q = p / p.sum(), q / q.sum()
    assert i_divergence(before, after) == pytest.approx(float((p * np.log2(p / q)).sum()))
    assert i_divergence(before, before) == 0


def test_pairs_find_the_broken_relation() -> None:
    rng = np.random.default_rng(7)
    x = rng.integers(0, 5, 2000)
    a, b = numeric(x, "a"), numeric(x * 2, "b")
    c = Column.from_texts("c", [f"k{v}" for v in x])
    shuffled = numeric(rng.permutation(x) * 2, "b")
    found = pair_utility([a, b, c], [a, shuffled, c])
    assert existing(found.correlation_max_change.value) > 0.9
    assert existing(found.i_divergence.value) > 0.5
    assert found.i_divergence.n == 3
    same = pair_utility([a, b, c], [a, b, c])
    assert same.i_divergence.value == same.correlation_max_change.value == 0


@given(st.lists(st.integers(-300, 300), min_size=1, max_size=60), st.integers(-3, 5))
def test_quantiles_of_counted_numbers_are_to_the_last_bit_those_of_the_numbers(values: list[int], scale: int) -> None:
    numbers = np.array(values) * 10.0**scale
    different, counts = np.unique(numbers, return_counts=True)
    shares = [0.0, *QUANTILES, 1.0]
    assert counted_quantiles(different, counts, shares).tolist() == np.quantile(numbers, shares).tolist()
