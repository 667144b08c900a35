"""The nearest-record attack where the truth is known."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks import gower
from ppdm_desktop.engine.attacks.comparison import success_figure
from ppdm_desktop.engine.attacks.gower import Linked, Values, find_nearest_rows
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import form_groups
from ppdm_desktop.engine.methods.algorithms.condensation.moments import group_moments
from ppdm_desktop.engine.methods.algorithms.condensation.run import draw_new_records
from ppdm_desktop.engine.wording.catalogue import untranslated


def values(numbers: Floats | Sequence[list[float]], codes: Any = None) -> Values:
    numbers = np.asarray(numbers, dtype=np.float64)
    codes = np.zeros((len(numbers), 0), dtype=np.int64) if codes is None else np.asarray(codes, dtype=np.int64)
    return Values(numbers, codes)


def attacked(
    targets: Values, target_group: Ints | Sequence[int], released: Values, released_group: Ints | Sequence[int]
) -> Linked:
    group = np.asarray(target_group)
    shown = np.asarray(released_group)
    return gower.link_nearest_records(targets, group, released, shown, np.bincount(group))


def test_a_copy_gives_everybody_away() -> None:
    x = np.random.default_rng(1).standard_normal((300, 4))
    order = np.random.default_rng(2).permutation(300)
    alone = np.arange(300)
    found = attacked(values(x), alone, values(x[order]), alone[order])
    assert found.gain.tolist() == [1.0] * 300
    mixed = values(x, np.arange(300)[:, None] % 7)
    assert attacked(mixed, alone, mixed.take(order), alone[order]).gain.tolist() == [1.0] * 300


def test_equal_records_share_the_gain() -> None:
    x = [[1.0], [1.0], [5.0], [9.0]]
    found = attacked(values(x), [0, 1, 2, 3], values(x), [0, 1, 2, 3])
    assert found.gain.tolist() == [0.5, 0.5, 1.0, 1.0]
    assert found.in_own_group.tolist() == [0.5, 0.5, 1.0, 1.0]


def test_group_means_name_one_of_the_group() -> None:
    x = np.random.default_rng(3).standard_normal((60, 2))
    group = np.repeat(np.arange(12), 5)
    x += 100.0 * group[:, None]
    means = np.array([x[group == each].mean(axis=0) for each in group])
    found = attacked(values(x), group, values(means), group)
    assert found.in_own_group.tolist() == [1.0] * 60
    assert found.gain == pytest.approx(0.2)


def test_pure_noise_gains_what_chance_gains() -> None:
    rng = np.random.default_rng(4)
    rows, size = 3000, 3
    group = rng.permutation(np.arange(rows) // size)
    found = attacked(values(rng.standard_normal((rows, 3))), group, values(rng.standard_normal((rows, 3))), group)
    # Hits are few: (size of the group) of (rows) each, 3 expected in all.
    assert found.in_own_group.sum() < 3 + 4 * np.sqrt(3)
    figure = success_figure(found.gain, 1 / size, untranslated("by hand"))
    assert existing(figure.low) <= 1 / rows <= existing(figure.high)


@pytest.mark.data
@pytest.mark.parametrize(("p", "page"), [(2, 0.451), (5, 0.152), (10, 0.063), (20, 0.027), (50, 0.010)])
def test_new_records_of_pima_keep_below_one_in_p(p: int, page: float, data_folder: Path) -> None:
    with (data_folder / "pima.csv").open(encoding="utf-8") as file:
        rows = list(csv.reader(file))[1:]
    x = np.array(rows, dtype=np.float64)[:, :8]
    x = (x - x.mean(axis=0)) / x.std(axis=0)
    needs = np.full(len(x), p)
    gains = []
    for algorithm in ("segment-cannibalize-attrition", "best-of"):
        group = form_groups(x, needs, algorithm).group
        moments = group_moments(x, group, needs)
        drawn = np.sqrt(12.0) * (np.random.default_rng(p).random(x.shape) - 0.5)
        shown = draw_new_records(moments.mean, moments.covariance, group, drawn)
        found = attacked(values(x), group, values(shown), group)
        figure = success_figure(found.gain, float(found.most.max()), untranslated("by hand"))
        assert 1 / len(x) < existing(figure.low)
        assert existing(figure.high) <= 1 / p
        gains.append(figure.value)
    # The page's groups are the paper's; one draw against its mean.
    assert gains[0] == pytest.approx(page, rel=0.12)


cell = st.one_of(st.just(np.nan), st.integers(-3, 3).map(float))


@pytest.mark.thorough
@settings(max_examples=150, deadline=None)
@given(st.data(), st.integers(1, 3), st.integers(0, 2), st.integers(1, 12), st.integers(1, 12))
def test_the_nearest_rows_by_hand(data: Any, width: Any, names: Any, targets: Any, released: Any) -> None:
    def made(count: Any) -> Any:
        numbers = data.draw(st.lists(st.lists(cell, min_size=width, max_size=width), min_size=count, max_size=count))
        codes = data.draw(
            st.lists(st.lists(st.integers(-1, 2), min_size=names, max_size=names), min_size=count, max_size=count)
        )
        return values(numbers, np.array(codes, dtype=np.int64).reshape(count, names))

    one, other = made(targets), made(released)
    found = find_nearest_rows(one, other)

    def apart(i: Any, j: Any) -> Any:
        total = 0.0
        for at in range(width):
            shown = other.numbers[:, at][~np.isnan(other.numbers[:, at])]
            a, b = one.numbers[i, at], other.numbers[j, at]
            if np.isnan(a) or np.isnan(b):
                total += float(np.isnan(a) != np.isnan(b))
            elif len(shown) and shown.max() > shown.min():
                total += abs(a - b) / (shown.max() - shown.min())
        return total + float(np.count_nonzero(one.codes[i] != other.codes[j]))

    for i in range(targets):
        distances = [apart(i, j) for j in range(released)]
        near = {j for j, d in enumerate(distances) if d <= min(distances) + 1e-7}
        looks = set(found.row[found.target == i].tolist())
        assert {j for j in range(released) if found.look[j] in looks} == near


def test_tree_and_blocks_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    x, y = rng.standard_normal((200, 3)), np.round(rng.standard_normal((400, 3)), 1)
    tree = find_nearest_rows(values(x), values(y))
    monkeypatch.setattr(gower, "_BLOCK", 1_000)
    blocks = find_nearest_rows(values(x, np.zeros((200, 1))), values(y, np.zeros((400, 1))))
    assert tree.look.tolist() == blocks.look.tolist()
    assert list(zip(tree.target, tree.row)) == list(zip(blocks.target, blocks.row))


def test_fewer_targets_only_where_each_is_compared_with_each_row() -> None:
    few, many = values(np.zeros((10, 1))), values(np.zeros((1_000_000, 1)))
    names = values(np.zeros((1_000_000, 1)), np.zeros((1_000_000, 1)))
    assert gower.limit_attacked_people(few, many) == 2000
    assert gower.limit_attacked_people(few, names) == 300
    assert gower.limit_attacked_people(few, names.take(np.arange(250_000))) == 800
    assert gower.limit_attacked_people(values(np.full((1, 1), np.nan)), few) == 2000
    assert gower.limit_attacked_people(few, names.take(np.arange(0))) == 2000


@settings(max_examples=100, deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.floats(0.01, 1))
def test_an_interval_holds_its_mean_and_stays_in_bounds(shares: Any, most: Any) -> None:
    figure = success_figure(np.array(shares) * most, most, untranslated("by hand"))
    assert 0 <= existing(figure.low) <= existing(figure.value) <= existing(figure.high) <= most * (1 + 1e-12)
    assert success_figure(np.zeros(0), most, untranslated("by hand")).value is None


def test_wilsons_interval_of_a_coin() -> None:
    # statsmodels' proportion_confint(8, 10, method="wilson")
    figure = success_figure(np.array([1.0] * 8 + [0.0] * 2), 1.0, untranslated("by hand"))
    assert (figure.low, figure.high) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
