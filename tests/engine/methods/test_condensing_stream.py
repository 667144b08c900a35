"""Groups that records join one by one: golden figures, the split rules, what is conserved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from condensing_support import groups_of, pooled
from hypothesis import given
from hypothesis import strategies as st
from mixed_table import mixed
from number_support import applied
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream, should_split_group
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.resume import Dynamic
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import find_largest_group
from ppdm_desktop.engine.methods.algorithms.condensation.moments import (
    GroupMoments,
    compute_axes,
    group_moments,
    orient_eigenvectors,
    split_moments,
)
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Statistics
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.condensation import find_needed_sizes
from ppdm_desktop.engine.wording.texts import render

Rule = Literal["safe", "paper"]
RULES = ("safe", "paper")
GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).parents[2] / "golden" / "aggarwal-yu.json").read_text(encoding="utf-8")
)


def one_group(points: np.ndarray, needs: np.ndarray, rule: Rule = "safe") -> GroupStream:
    return GroupStream.of(group_moments(points, np.zeros(len(points), dtype=np.int64), needs), rule=rule)


def streamed(points: np.ndarray, needs: np.ndarray, start: int, rule: Rule) -> tuple[GroupStream, list[int]]:
    """Begin with one group of the first records and let the others join; return who found no group."""
    stream = one_group(points[:start], needs[:start], rule)
    waiting = []
    for row in range(start, len(points)):
        place = stream.nearest(points[row], int(needs[row]))
        if place < 0:
            assert needs[row] > stream.n[: stream.count].max() + 1
            waiting.append(row)
        else:
            stream.join(place, points[row], int(needs[row]))
    return stream, waiting


def test_the_papers_example_is_split_by_its_rule_and_not_by_the_safe_one() -> None:
    case = GOLDEN["paper_split_example"]
    n, psum, pmax = len(case["levels"]), sum(case["levels"]), max(case["levels"])
    assert n == case["n"]
    assert 2 * psum / n == pytest.approx(case["2Ps_over_n"])
    assert should_split_group(n, pmax, psum, "paper") is case["paper_rule_splits"]
    assert should_split_group(n, pmax, psum, "safe") is case["safe_rule_splits"]
    assert should_split_group(case["safe_needs_n"], pmax, psum, "safe")
    assert not should_split_group(case["safe_needs_n"] - 1, pmax, psum, "safe")


@pytest.mark.parametrize(("rule", "groups"), [("paper", [3, 3]), ("safe", [6])])
def test_the_papers_six_records(rule: Rule, groups: list[int]) -> None:
    """Levels 2 2 2 3 5 and then 3: the paper splits into three and three, the safe rule waits for ten."""
    rng = np.random.default_rng(3)
    points, needs = rng.normal(size=(6, 2)), np.array([2, 2, 2, 3, 5, 3])
    assert not should_split_group(5, 5, 14, rule)
    stream, waiting = streamed(points, needs, 5, rule)
    assert not waiting
    assert stream.n[: stream.count].tolist() == groups
    moments = stream.moments()
    assert moments.n[moments.n < moments.pmax].tolist() == (groups if rule == "paper" else [])


@pytest.mark.parametrize("offset", [0.0, 1e8])
@pytest.mark.parametrize("rule", RULES)
def test_pooled_covariance_is_the_datas_after_thousands_of_splits(rule: Rule, offset: float) -> None:
    rng = np.random.default_rng(5)
    points = rng.normal(size=(8_000, 3)) @ np.array([[2.0, 0.3, 0.0], [0.0, 1.0, 0.5], [0.0, 0.0, 0.7]]) + offset
    needs = rng.integers(2, 6, size=len(points))
    stream, waiting = streamed(points, needs, 50, rule)
    assert not waiting
    assert stream.splits > 400
    moments = stream.moments()
    total, mean, covariance = pooled(moments.n, moments.mean, moments.covariance)
    assert total == len(points)
    assert np.allclose(mean, points.mean(axis=0), rtol=1e-12)
    true = np.cov((points - points.mean(axis=0)).T, bias=True)
    assert np.abs(covariance - true).max() <= 1e-9 * np.abs(true).max()


@given(seed=st.integers(0, 2**32 - 1), levels=st.sampled_from(["equal", "mixed", "few high"]))
def test_no_group_is_ever_below_its_strictest_member(seed: int, levels: str) -> None:
    rng = np.random.default_rng(seed)
    rows, start = int(rng.integers(12, 120)), 10
    needs = {
        "equal": np.full(rows, 4),
        "mixed": rng.integers(1, 9, size=rows),
        "few high": np.where(rng.random(rows) < 0.1, 10, 2),
    }[levels]
    points = np.round(rng.normal(size=(rows, 2)), 1)
    stream, waiting = streamed(points, needs, start, "safe")
    moments = stream.moments()
    assert (moments.n >= moments.pmax).all()
    assert int(stream.n[: stream.count].sum()) + len(waiting) == rows


def test_categories_are_shared_out_in_proportion_and_never_lost() -> None:
    moments = GroupMoments(np.array([6]), np.zeros((1, 1)), np.ones((1, 1, 1)), np.array([4]), np.array([12.0]))
    counts = np.array([[4, 1, 1, 5, 1]])
    stream = GroupStream.of(
        moments, more_centres=np.array([[4 / 6, 1 / 6, 1 / 6, 5 / 6, 1 / 6]]), counts=counts, blocks=np.array([0, 3])
    )
    before = counts.sum()
    for step, names in enumerate(([0, 3], [0, 4])):
        point = np.array([float(step), *np.eye(5)[names].sum(axis=0)])
        stream.join(0, point, 2, np.array(names))
    assert stream.count == 2
    assert stream.n[:2].tolist() == [4, 4]
    shares = stream.counts[:2]
    assert shares.sum() == before + 4
    assert shares[:, :3].sum(axis=1).tolist() == shares[:, 3:].sum(axis=1).tolist() == [4, 4]
    assert shares.sum(axis=0).tolist() == [6, 1, 1, 6, 2]


# --- statistics of groups: what is added, split and pooled keeps mean and covariance (page, part B3) ---


def longest(variance: float) -> np.ndarray:
    return np.diag([0.5, variance, 1.0])


def test_even_split_as_in_the_paper() -> None:
    case = GOLDEN["split_even"]
    first, second = split_moments(case["n"], np.zeros(3), longest(case["lambda1"]), 12.0, case["n"] // 2)
    assert np.sqrt(12 * case["lambda1"]) == pytest.approx(case["a"])
    assert first.mean == pytest.approx([0, -case["shift"], 0])
    assert second.mean == pytest.approx([0, case["shift"], 0])
    for part in (first, second):
        assert part.n == case["n"] / 2
        assert part.covariance == pytest.approx(longest(case["lambda1_new"]))
        assert part.psum == 6.0


def test_any_split_by_the_formula() -> None:
    case = GOLDEN["split_odd_formula"]
    first, second = split_moments(case["n"], np.zeros(3), longest(case["lambda1"]), 10.0, case["n1"])
    assert (first.n, second.n) == (case["n1"], case["n2"])
    assert first.mean == pytest.approx([0, case["shift1"], 0])
    assert second.mean == pytest.approx([0, case["shift2"], 0])
    assert first.covariance == pytest.approx(longest(case["lambda1_1"]))
    assert second.covariance == pytest.approx(longest(case["lambda1_2"]))
    assert (first.psum, second.psum) == pytest.approx((4.0, 6.0))
    for nobody in (0, case["n"]):
        with pytest.raises(ValueError, match="both parts"):
            split_moments(case["n"], np.zeros(3), longest(3.0), 10.0, nobody)


def test_signs_of_eigenvectors_are_fixed() -> None:
    rng = np.random.default_rng(2)
    made = rng.normal(size=(30, 4, 4))
    values, vectors = compute_axes(made @ made.transpose(0, 2, 1))
    assert (values >= 0).all()
    assert (np.diff(values, axis=1) >= 0).all()
    largest = np.take_along_axis(vectors, np.abs(vectors).argmax(axis=1)[:, None, :], axis=1)
    assert (largest > 0).all()
    assert np.array_equal(orient_eigenvectors(-vectors), vectors)


# --- condensation record by record: nobody short, nothing invented, the same whatever the order of rows ---


METHOD = find_method("condensation")
WAYS: tuple[dict[str, Any], ...] = ({}, {"per": "class", "class": "sex"}, {"categories": "together"})


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
    ways: dict[str, Any] = {"dynamic": True, "first_records": first, "common": False, **way}
    result, settings = applied(METHOD.id, table, seed % 97, **ways), METHOD.settings(table, None, ways)
    assert METHOD.recount(table, result.table, settings, result.detail).guarantee.holds
    needs = find_needed_sizes(table, settings)
    group = groups_of(result)
    assert (np.bincount(group)[group] >= needs).all()
    assert isinstance(result.in_memory, Dynamic)
    moments = result.in_memory.condensed.moments
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
    assert len(find_largest_group(np.array(needs, dtype=np.int64))) == count


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
