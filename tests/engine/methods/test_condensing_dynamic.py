"""Condensation record by record: nobody short, nothing invented, the same whatever the order of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mixed_table import mixed
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import largest_together
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.table import Dynamic
from ppdm_desktop.engine.methods.algorithms.condensation.moments import group_moments
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Statistics
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.methods.condensation import needed
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.texts import render

METHOD = find_method("condensation")
WAYS: tuple[dict[str, Any], ...] = ({}, {"per": "class", "class": "sex"}, {"categories": "together"})


def run(table: Table, seed: int, **parameters: Any) -> StepResult:
    settings = METHOD.settings(table, None, parameters)
    METHOD.check(table, settings)
    result = METHOD.run(table, settings, streams(seed))
    assert METHOD.recount_run(table, result.table, settings, result).guarantee.holds
    assert METHOD.recount(table, result.table, settings, result.detail).guarantee.holds
    return result


def groups_of(result: StepResult) -> np.ndarray:
    assert result.row_groups is not None
    return result.row_groups


@examples(100)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(15, 60),
    first=st.integers(0, 30),
    gaps=st.booleans(),
    way=st.sampled_from(WAYS),
)
def test_every_record_has_its_level_and_its_familys_values(
    seed: int, rows: int, first: int, gaps: bool, way: dict[str, object]
) -> None:
    table = mixed(np.random.default_rng(seed), rows, gaps=gaps, groups=(2, 5, 13))
    result = run(table, seed % 97, dynamic=True, first_records=first, common=False, **way)
    needs = needed(table, METHOD.settings(table, None, {}))
    group = groups_of(result)
    assert (np.bincount(group)[group] >= needs).all()
    assert isinstance(result.kept, Dynamic)
    moments = result.kept.condensed.moments
    assert np.bincount(group).tolist() == moments.n.tolist()
    assert (moments.n >= moments.pmax).all()
    for name in ("town", "sex", "grade"):
        assert sorted(result.table.column(name).values()) == sorted(table.column(name).values())
    for name in ("pay", "born", "tax"):
        assert result.table.column(name).missing.sum() == table.column(name).missing.sum()


def test_the_papers_rule_is_counted_and_not_releasable() -> None:
    rng = np.random.default_rng(2)
    table = mixed(rng, 150, groups=(2, 2, 2, 12))
    settings = METHOD.settings(table, None, {"dynamic": True, "split_rule": "paper", "first_records": 40})
    assert METHOD.mode(settings) == "own"  # the paper has neither the closest groups nor the floor
    assert any(note.id == "note.condensation.paper-rule" for note in METHOD.check(table, settings))
    result = METHOD.run(table, settings, streams(1))
    figures = result.detail["dynamic"]
    assert figures["groups_below_demand"] > 0
    assert figures["records_below_demand"] > 0
    recount = METHOD.recount_run(table, result.table, settings, result)
    assert not recount.guarantee.holds
    assert not all(proof.met for proof in recount.levels)
    assert not METHOD.recount(table, result.table, settings, result.detail).guarantee.holds
    assert "paper’s rule" in [render(note.id, note.arguments).sentence for note in result.notes][0]


def test_statistics_hold_the_streams_groups_and_where_their_rows_stand() -> None:
    table = mixed(np.random.default_rng(4), 120, gaps=True)
    settings = METHOD.settings(table, None, {"dynamic": True, "per": "class", "class": "sex"})
    result = METHOD.run(table, settings, streams(2))
    order = np.random.default_rng(0).permutation(table.rows)
    kept = Statistics.from_json(METHOD.internal_files(table, settings, result, order)[FILE_NAME])
    assert kept.layout.released.tolist() == groups_of(result)[order].tolist()
    assert np.bincount(kept.layout.released).tolist() == kept.moments.n.tolist()
    assert {label for labels in kept.layout.strata for label in labels} == {"f", "m"}
    for counts in kept.counts:
        assert np.bincount(counts.group, counts.count, len(kept.moments.n)).tolist() == kept.moments.n.tolist()


@pytest.mark.parametrize(("needs", "count"), [([9, 1, 3, 3], 3), ([5, 5], 0), ([1], 1), ([2, 2, 2], 3), ([], 0)])
def test_the_largest_set_that_can_stand_alone(needs: list[int], count: int) -> None:
    assert len(largest_together(np.array(needs, dtype=np.int64))) == count


def test_variances_with_gaps_are_those_of_the_known_values() -> None:
    rng = np.random.default_rng(12)
    points, has = rng.normal(5, 2, size=(50, 2)), rng.random((50, 2)) > 0.3
    has[:2] = True
    start = group_moments(points[:2], np.zeros(2, dtype=np.int64), np.full(2, 100))
    stream = GroupStream.of(start, patterns=np.ones((0, 2), dtype=np.bool_))
    for point, known in zip(points[2:], has[2:], strict=True):
        stream.add(0, point, 100, None, known)
    for column in range(2):
        values = points[has[:, column], column]
        assert stream.known[0, column] == len(values)
        assert np.isclose(stream.mean[0, column], values.mean())
        assert np.isclose(stream.covariance[0, column, column] * 50 / len(values), values.var())
