"""How strongly columns belong together, against SciPy, pandas and brute force."""

from __future__ import annotations

import math
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optional import existing
from scipy import stats

from ppdm_desktop.engine.arrays import Codes, Ints
from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.utility.associations import (
    CRAMER,
    PEARSON,
    RATIO,
    compare_associations,
    corrected_cramers_v,
    correlation_ratio,
    covariances,
)

CELLS = st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 3)), min_size=1, max_size=60)


def numeric(name: str, values: Any) -> Column:
    return Column.from_texts(name, [str(v) for v in values], kind="numeric", style=NumberStyle())


def words(name: str, values: Any) -> Column:
    return Column.from_texts(name, [str(v) for v in values])


def brute_v(first: Codes | Ints, second: Codes | Ints) -> float | None:
    """Bergsma's corrected V, cell by cell from the definition of chi square."""
    pairs = [(a, b) for a, b in zip(first, second, strict=True) if a >= 0 and b >= 0]
    rows, columns = sorted({a for a, _ in pairs}), sorted({b for _, b in pairs})
    n, r, c = len(pairs), len(rows), len(columns)
    if r < 2 or c < 2:
        return None
    chi = 0.0
    for a in rows:
        for b in columns:
            expected = sum(x == a for x, _ in pairs) * sum(y == b for _, y in pairs) / n
            chi += (sum((x, y) == (a, b) for x, y in pairs) - expected) ** 2 / expected
    phi = max(0.0, chi / n - (r - 1) * (c - 1) / (n - 1))
    least = min(r - (r - 1) ** 2 / (n - 1), c - (c - 1) ** 2 / (n - 1)) - 1
    return min(1.0, math.sqrt(phi / least)) if least > 0 else None


@given(CELLS)
def test_corrected_v_by_brute_force(pairs: Any) -> None:
    first, second = (np.array(side, dtype=np.int64) for side in zip(*pairs, strict=True))
    found, expected = corrected_cramers_v(first, second), brute_v(first, second)
    assert (found is None) == (expected is None)
    if expected is not None:
        assert found == pytest.approx(expected, abs=1e-7)


def test_corrected_v_is_nought_by_chance_and_one_for_renamed_columns() -> None:
    rng = np.random.default_rng(1)
    by_chance = [existing(corrected_cramers_v(rng.integers(0, 30, 200), rng.integers(0, 30, 200))) for _ in range(20)]
    table = np.histogram2d(rng.integers(0, 30, 200), rng.integers(0, 30, 200), 30)[0].astype(int)
    plain = stats.contingency.association(table[table.any(axis=1)][:, table.any(axis=0)])
    assert np.mean(by_chance) < 0.1 < 0.3 < plain
    codes = rng.integers(0, 5, 400)
    assert corrected_cramers_v(codes, 4 - codes) == pytest.approx(1.0)


def test_correlation_ratio_follows_from_the_f_test() -> None:
    rng = np.random.default_rng(2)
    cells = rng.integers(0, 6, 300)
    numbers = rng.normal(size=300) + 0.4 * cells
    f = stats.f_oneway(*(numbers[cells == k] for k in range(6))).statistic
    square = f * 5 / (f * 5 + 294)
    assert existing(correlation_ratio(cells, numbers)) ** 2 == pytest.approx(1 - (1 - square) * 299 / 294)
    noise = [existing(correlation_ratio(rng.integers(0, 40, 200), rng.normal(size=200))) for _ in range(20)]
    assert np.mean(np.square(noise)) < 0.05
    assert correlation_ratio(cells, cells.astype(float)) == pytest.approx(1.0)


@pytest.mark.parametrize("shift", [0.0, 1e6, -3e8])
def test_covariance_and_correlation_against_numpy_and_pandas(shift: float, monkeypatch: pytest.MonkeyPatch) -> None:
    pandas = pytest.importorskip("pandas")
    monkeypatch.setattr("ppdm_desktop.engine.utility.associations._CHUNK", 37)
    rng = np.random.default_rng(3)
    table = rng.normal(size=(400, 4)) @ rng.normal(size=(4, 4)) + shift
    whole = covariances([table[:, k].copy() for k in range(4)])
    assert whole.covariance == pytest.approx(np.cov(table, rowvar=False), rel=1e-6)
    assert whole.correlation == pytest.approx(np.corrcoef(table, rowvar=False), rel=1e-6)
    table[rng.random(table.shape) < 0.3] = np.nan
    gaps = covariances([table[:, k].copy() for k in range(4)])
    assert gaps.covariance == pytest.approx(pandas.DataFrame(table).cov().to_numpy(), rel=1e-6)
    assert gaps.correlation == pytest.approx(pandas.DataFrame(table).corr().to_numpy(), rel=1e-6)


def mixed(rng: np.random.Generator, rows: int) -> list[Column]:
    age = rng.integers(18, 80, rows)
    job = np.where(rng.random(rows) < 0.3, "none", np.where(age > 50, "office", "field"))
    pay = 3 * age + rng.normal(0, 20, rows).round(1)
    sex = rng.choice(["f", "m"], rows)
    return [numeric("age", age), words("job", job), numeric("pay", pay), words("sex", sex)]


def test_every_pair_has_its_measure_and_its_figure() -> None:
    rng = np.random.default_rng(5)
    before, after = mixed(rng, 500), mixed(rng, 400)
    found = compare_associations(before, after)
    assert existing(found).names == ("age", "job", "pay", "sex")
    assert existing(found).kinds[0] == ("", RATIO, PEARSON, RATIO)
    assert existing(found).kinds[1] == (RATIO, "", RATIO, CRAMER)
    for side, columns in ((existing(found).before, before), (existing(found).after, after)):
        assert np.array_equal(side, side.T, equal_nan=True)
        assert np.isnan(np.diag(side)).all()
        assert side[0, 2] == pytest.approx(stats.pearsonr(columns[0].numbers, columns[2].numbers)[0])
        assert side[1, 3] == pytest.approx(brute_v(columns[1].category_codes, columns[3].category_codes), abs=1e-7)
        assert side[0, 1] == pytest.approx(
            correlation_ratio(columns[1].category_codes.astype(np.int64), columns[0].numbers)
        )
    assert existing(found).numeric == ("age", "pay")
    assert existing(found).covariance_before == pytest.approx(np.cov(before[0].numbers, before[2].numbers))
    i, j = existing(existing(found).largest_change())
    assert abs(existing(found).change[i, j]) == np.nanmax(np.abs(existing(found).change))
    assert i < j


def test_change_is_measured_along_the_direction_before() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(size=2000)
    steps = [(-0.6, -0.2), (0.5, -0.3), (0.4, 0.7)]
    for first, second in steps:
        y, z = (r * x + math.sqrt(1 - r * r) * rng.normal(size=2000) for r in (first, second))
        found = compare_associations([numeric("x", x), numeric("y", y)], [numeric("x", x), numeric("y", z)])
        expected = math.copysign(1, first) * second - abs(first)
        assert existing(found).change[0, 1] == pytest.approx(expected, abs=0.08)
        assert existing(found).change[0, 1] < 0 or first == 0.4


def test_a_number_that_became_ranges_counts_as_categories_on_both_sides() -> None:
    rng = np.random.default_rng(8)
    before = mixed(rng, 300)
    ranges = [f"[{value // 10 * 10}, {value // 10 * 10 + 9}]" for value in before[0].numbers.astype(int)]
    found = compare_associations(before, [words("age", ranges), *before[1:]])
    assert existing(found).kinds[0] == ("", CRAMER, RATIO, CRAMER)
    assert existing(found).numeric == ("pay",)


def test_what_cannot_be_measured_is_left_out_and_named() -> None:
    one = [words("a", ["x", "y", "x"])]
    assert compare_associations(one, one) is None
    text = Column.from_texts("note", ["p", "q", "r"], kind="text")
    assert compare_associations([*one, text], [*one, text]) is None
    flat = words("b", ["k", "k", "k"])
    found = compare_associations([*one, flat, text], [*one, flat, text])
    assert existing(found).left_out == ("note",)
    assert np.isnan(existing(found).before).all()
    assert existing(found).largest_change() is None


@pytest.mark.parametrize("rows", [1, 2, 3])
def test_few_rows_give_figures_or_none(rows: int) -> None:
    columns = [numeric("n", range(rows)), words("w", range(rows)), words("v", ["a", "b", "a"][:rows])]
    found = compare_associations(columns, columns)
    values = existing(found).before[~np.isnan(existing(found).before)]
    assert ((values >= -1) & (values <= 1)).all()
    assert all(existing(found).kinds[i][j] for i, j in combinations(range(3), 2))
