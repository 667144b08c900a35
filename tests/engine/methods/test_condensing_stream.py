"""Groups that records join one by one: golden figures, the split rules, what is conserved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pytest
from condensing_support import pooled
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import GroupStream
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.split_rule import splits
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments, group_moments

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
    assert splits(n, pmax, psum, "paper") is case["paper_rule_splits"]
    assert splits(n, pmax, psum, "safe") is case["safe_rule_splits"]
    assert splits(case["safe_needs_n"], pmax, psum, "safe")
    assert not splits(case["safe_needs_n"] - 1, pmax, psum, "safe")


@pytest.mark.parametrize(("rule", "groups"), [("paper", [3, 3]), ("safe", [6])])
def test_the_papers_six_records(rule: Rule, groups: list[int]) -> None:
    """Levels 2 2 2 3 5 and then 3: the paper splits into three and three, the safe rule waits for ten."""
    rng = np.random.default_rng(3)
    points, needs = rng.normal(size=(6, 2)), np.array([2, 2, 2, 3, 5, 3])
    assert not splits(5, 5, 14, rule)
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
