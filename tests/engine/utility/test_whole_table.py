"""Figures of the whole table: covariance compatibility, loss record by record, separability."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from optional import existing
from swap_support import streams

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.utility.accuracy import covariance_compatibility, information_loss
from ppdm_desktop.engine.utility.models.features import Records, paired_records
from ppdm_desktop.engine.utility.separability import is_uninformative, propensity_error


def normal(rows: int = 400, columns: int = 4, seed: int = 0) -> Floats:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(rows, columns)) @ rng.normal(size=(columns, columns)) * [1, 10, 100, 0.1][:columns]


def shown(numbers: tuple[Floats, Floats]) -> Figure:
    return propensity_error(Records.of_numbers(numbers[0]), Records.of_numbers(numbers[1]))


# --- covariance ------------------------------------------------------------------------------


def test_a_table_is_compatible_with_itself_and_with_its_rows_in_another_order() -> None:
    table = normal()
    for other in (table, table[::-1], table + 1e6):
        found = covariance_compatibility(table, other)
        assert found.standardised.value == pytest.approx(1)
        assert found.raw.value == pytest.approx(1)


def test_compatibility_by_hand() -> None:
    """Three columns, every pair (i, j) one pair of entries, as numpy counts them."""
    before, after = normal(seed=1)[:, :3], normal(seed=2)[:300, :3]
    found = covariance_compatibility(before, after)
    assert found.raw.value == pytest.approx(np.corrcoef(np.cov(before.T).ravel(), np.cov(after.T).ravel())[0, 1])
    scale = before.std(axis=0)
    first, second = np.cov((before / scale).T), np.cov((after / scale).T)
    assert found.standardised.value == pytest.approx(np.corrcoef(first.ravel(), second.ravel())[0, 1])
    assert covariance_compatibility(before, np.repeat(after[:1], 50, axis=0)).raw.value is None, "constant after"


@pytest.mark.parametrize(
    "table",
    [
        np.zeros((5, 3)),
        np.arange(5.0)[:, None],
        np.full((5, 3), np.nan),
        np.zeros((0, 2)),
        np.ones((1, 2)),
        np.zeros((4, 0)),
        np.column_stack([np.arange(4.0), np.zeros(4)]),
        np.column_stack([np.arange(4.0), np.arange(4.0)]),
    ],
    ids=["constant", "one column", "missing", "empty", "one row", "no columns", "one constant", "the same twice"],
)
def test_no_compatibility_is_said_in_words(table: Floats) -> None:
    found = covariance_compatibility(table, table)
    assert found.standardised.value is None
    assert found.standardised.note
    assert found.raw.value is None


# --- loss ------------------------------------------------------------------------------------


def test_loss_by_hand() -> None:
    before = np.array([[1.0, 10], [2, 20], [3, 30], [np.nan, 40]])
    after = np.array([[1.0, 10], [2, 20], [5, 30], [7, np.nan]])
    found = information_loss(before, after)
    variance = np.var([1, 2, 3])
    assert found.sse_sst.value == pytest.approx((4 / variance) / 6)
    assert found.il1s.value == pytest.approx(2 / (np.sqrt(2) * np.std([1, 2, 3], ddof=1)) / 6)
    assert found.sse_sst.n == 6
    assert str(found.sse_sst.note) == "missing cells left out: 2"
    same = information_loss(before, before)
    assert (same.sse_sst.value, same.il1s.value) == (0, 0)


@pytest.mark.parametrize("before", [np.zeros((3, 0)), np.full((3, 1), 5.0), np.full((3, 1), np.nan), np.zeros((0, 1))])
def test_no_loss_is_said_in_words(before: Floats) -> None:
    found = information_loss(before, before)
    assert found.sse_sst.value is None
    assert found.il1s.note


@pytest.mark.parametrize(("mode", "columns"), [("univariate", 1), ("multivariate", 3), ("clusters", 1)])
def test_loss_is_what_microaggregation_says(mode: str, columns: int) -> None:
    rng = np.random.default_rng(columns)
    made = tuple(
        Column.from_texts(
            f"x{i}",
            [f"{v:.6f}" for v in rng.normal(size=80) * 10**i],
            kind="numeric",
            role="confidential",
            style=NumberStyle.seen_in(["0.000001"]),
        )
        for i in range(columns)
    )
    table = Table(made, np.arange(1, 81), RecordLevels.same_for_all(80))
    method = find_method("microaggregation")
    settings = method.settings(table, None, {"mode": mode})
    result = method.run(table, settings, streams())
    sides = [np.column_stack([side.column(c.name).numbers for c in made]) for side in (table, result.table)]
    found = existing(information_loss(*sides).sse_sst.value)
    assert 100 * found == pytest.approx(result.detail["sets"][0]["information_loss"], rel=1e-5)
    assert found > 0


# --- separability ----------------------------------------------------------------------------


def test_nobody_tells_a_copy_and_everybody_a_shifted_one() -> None:
    table = normal(500, 3)
    assert shown((table, table)).value == pytest.approx(0, abs=1e-12)
    assert shown((table, table[np.random.default_rng(1).permutation(500)])).value == pytest.approx(0, abs=1e-9)
    assert existing(shown((table, table + 20 * table.std(axis=0))).value) > 0.24
    half = existing(shown((table, table + 1.0 * table.std(axis=0))).value)
    assert 0.01 < half < 0.24
    assert existing(shown((table, table * 3)).value) > 0.01, "a spread that changed is told by squares"


def test_lost_relations_are_told_by_products() -> None:
    rng = np.random.default_rng(2)
    first = rng.normal(size=1000)
    table = np.column_stack([first, first + 0.3 * rng.normal(size=1000)])
    torn = np.column_stack([table[:, 0], rng.permutation(table[:, 1])])
    assert existing(shown((table, torn)).value) > 0.02
    names = Column.from_texts("w", [f"n{int(v > 0)}" for v in first])
    number = Column.from_texts("x", [f"{v:.2f}" for v in first], kind="numeric", style=NumberStyle())
    before, after = paired_records([names, number], [names.take(rng.permutation(1000)), number])
    assert existing(propensity_error(before, after).value) > 0.05


@pytest.mark.parametrize("rows", [3, 5, 9, 10, 40])
def test_short_tables_name_no_level_of_chance_that_is_the_most_there_is(rows: int) -> None:
    """Nine terms: up to nine records together any two tables can be told, and the figure says so."""
    rng = np.random.default_rng(rows)
    found = shown((rng.normal(size=(rows, 3)), rng.normal(size=(rows, 3))))
    assert found.value is not None
    if 2 * rows <= 9:
        assert is_uninformative(found)
        assert f"9 terms distinguishes any two tables that have {2 * rows} records together" in str(found.note)
    else:
        by_chance, most = (float(part.split()[-1]) for part in str(found.note).split("; "))
        assert by_chance == pytest.approx(9 * 0.25 / (2 * rows), rel=0.05)
        assert by_chance < most == 0.25
        assert not is_uninformative(found)


@given(st.integers(0, 10_000))
def test_no_small_table_breaks_the_figures(seed: Any) -> None:
    rng = np.random.default_rng(seed)
    rows, width = rng.integers(0, 6), rng.integers(0, 4)
    before, after = (
        np.where(rng.random((rows, width)) < 0.3, np.nan, rng.integers(0, 3, (rows, width)).astype(float))
        for _ in range(2)
    )
    loss = information_loss(before, after)
    mu = covariance_compatibility(before, after)
    for figure in (loss.sse_sst, loss.il1s, mu.standardised, mu.raw, shown((before, after))):
        assert figure.note if figure.value is None else np.isfinite(figure.value)
