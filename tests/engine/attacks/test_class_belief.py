"""Belief of somebody who knows a person's class, against counting by hand; swaps, against their pools."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.attacks import class_belief
from ppdm_desktop.engine.attacks.class_belief import ClassBelief, Observations, Values
from ppdm_desktop.engine.attacks.people_belief import belief_in_classes
from ppdm_desktop.engine.attacks.swap_belief import Swapped, observe_swapped_rows
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.table.people import People


def belief(codes: Ints, ids: Ints, names: tuple[str, ...], k_min: int = 5, of: Ints | None = None) -> ClassBelief:
    values = Values.of_categories(codes, names)
    observations = Observations.counted(codes if of is None else of, codes, len(names), np.ones(len(codes)))
    return belief_of(values, observations, ids, k_min)


def counted(values: Values) -> Observations:
    return Observations.counted(values.codes, values.codes, values.count, np.ones(len(values.codes)))


def belief_of(values: Values, observations: Observations, ids: Ints, k_min: int = 5) -> ClassBelief:
    return belief_in_classes(values, observations, Classes(ids, int(ids.max()) + 1), k_min, People.identity(len(ids)))


def test_thirty_nine_of_forty_alike() -> None:
    """Verdict page, 2.1: with half of everybody else so, a = .920, b = .975, and .314 of the doubt is left."""
    rest = 200_000
    codes = np.concatenate([np.zeros(39, int), [1], np.arange(rest) % 2])
    ids = np.concatenate([np.zeros(40, int), 1 + np.arange(rest) // 50])
    found, _, control = belief(codes, ids, ("a", "b")).uncertainty()
    assert found.ratio[0] == pytest.approx(0.314, abs=0.001)
    assert found.right[[0, 39]].tolist() == [True, False]
    assert not found.certain[:40].any()
    assert control[0]


def test_one_value_in_a_class_is_proved_and_one_person_alone_too() -> None:
    codes = np.array([0, 0, 0, 1, 1, 0])
    ids = np.array([0, 0, 0, 1, 1, 2])
    found, *_ = belief(codes, ids, ("a", "b")).uncertainty()
    assert found.confirmed.all()
    assert found.certain.all()


def test_who_chooses_without_knowing_whose_row_is_whose_is_right_no_more_often_than_the_class_shows() -> None:
    """Classes of 24 with four values a quarter each: a guess is right for a quarter, whomever the intruder picks.

    Held against a control without the person's very row, the person's own value always gained most by the release:
    a choice by it would be right for everybody.
    """
    codes, ids = np.arange(240) % 4, np.arange(240) // 24
    classes = belief(codes, ids, ("a", "b", "c", "d"))
    assert classes.uncertainty()[0].right.all()
    _, blind, _ = classes.uncertainty()
    assert blind.ratio == pytest.approx(1.0)
    assert blind.right.mean() == 0.25
    assert not blind.certain.any()


@st.composite
def tables(draw: st.DrawFn) -> tuple[Ints, Ints, Ints, int]:
    rows = draw(st.integers(2, 40))
    values = draw(st.integers(1, 5))
    numbers = st.integers(0, values - 1)
    codes = np.array(draw(st.lists(numbers, min_size=rows, max_size=rows)), dtype=np.int64)
    ids = np.array(draw(st.lists(st.integers(0, 6), min_size=rows, max_size=rows)), dtype=np.int64)
    observations = np.array(draw(st.lists(st.integers(0, 8), min_size=rows, max_size=rows)), dtype=np.int64)
    ids = np.unique(ids, return_inverse=True)[1].reshape(-1)
    return codes, ids, observations, values


@given(tables(), st.booleans())
def test_counted_by_hand(table: tuple[Ints, Ints, Ints, int], as_they_are: bool) -> None:
    codes, ids, observations, values = table
    of = codes if as_they_are else observations
    found, *_ = belief(codes, ids, tuple(map(str, range(values))), of=of).uncertainty()
    tells = np.array([[np.mean(codes[of == each] == v) for v in range(values)] for each in of])
    for person in range(len(codes)):
        mates = np.flatnonzero(ids == ids[person])
        b = tells[mates].mean(axis=0)
        prior = (tells.shape[0] * np.bincount(codes, minlength=values) / len(codes) - tells[person]) / (len(codes) - 1)
        a = (tells[mates].sum(axis=0) - tells[person] + 5 * np.clip(prior, 0, 1)) / (len(mates) - 1 + 5)
        usable = b > 0
        ratio = np.where(1 - a <= 1e-12, np.where(1 - b <= 1e-9, 0.0, 1.0), (1 - b) / np.maximum(1 - a, 1e-300))
        assert found.ratio[person] == pytest.approx(ratio[usable].min(), abs=1e-9)


@given(tables())
def test_names_and_order_mean_nothing(table: tuple[Ints, Ints, Ints, int]) -> None:
    codes, ids, _, values = table
    names = tuple(map(str, range(values)))
    found, *_ = belief(codes, ids, names).uncertainty()
    order = np.random.default_rng(1).permutation(len(codes))
    renamed = np.random.default_rng(2).permutation(values)
    other, *_ = belief(renamed[codes][order], ids[order], names).uncertainty()
    assert np.allclose(found.ratio[order], other.ratio)
    assert (found.certain[order] == other.certain).all()


def test_numbers_are_right_within_their_half_width() -> None:
    numbers = np.array([100.0, 101.0, 102.0, 500.0, np.nan])
    values = Values.of_numbers(numbers, 1.0)
    assert values.codes.tolist() == [0, 1, 2, 3, -1]
    assert values.right(np.array([1, 1, 1, 1]), np.array([0, 1, 2, 3])).tolist() == [True, True, True, False]
    exact = Values.of_numbers(numbers, 1.0, tolerance=0.4)
    assert exact.right(np.array([1, 1, 1, 1]), np.array([0, 1, 2, 3])).tolist() == [False, True, False, False]
    ids = np.array([0, 0, 0, 1, 1])
    found, *_ = belief_of(values, counted(values), ids).uncertainty()
    assert found.confirmed.tolist() == [True, True, True, False, False]  # one mate of the last has no value
    assert not found.certain[4]


def test_a_guess_between_two_numbers_is_right_for_both() -> None:
    numbers = np.concatenate([[50.0, 52.0], np.repeat([0.0, 51.0, 100.0], 20)])
    values = Values.of_numbers(numbers, 1.0, tolerance=1.0)
    ids = np.concatenate([[0, 0], 1 + np.arange(60) % 3])
    found, *_ = belief_of(values, counted(values), ids).uncertainty()
    assert found.confirmed[:2].all()
    assert found.right[:2].all()


def test_a_rare_category_and_a_tail_are_named_where_half_the_belief_is_theirs() -> None:
    codes = np.zeros(100, dtype=np.int64)
    codes[:4] = 1
    ids = np.arange(100) // 2
    (rare,) = belief(codes, ids, ("no", "yes")).rare()
    assert (rare.secret, rare.holders, rare.named, rare.right) == ("yes", 4, 4, 4)
    numbers = np.arange(100.0)
    values = Values.of_numbers(numbers, 1.0)
    tails = belief_of(values, counted(values), np.arange(100)).rare()
    assert {(each.secret, each.above, each.holders) for each in tails} >= {(89.0, True, 10), (10.0, False, 10)}
    assert all(each.right == each.named == each.holders for each in tails)


# --- swaps --------------------------------------------------------------------------------


def flat(rows: Ints) -> Floats:
    return np.zeros(len(rows))


def told(truth: Ints, shown: Ints, ids: Ints, categories: int = 2) -> Floats:
    column = Swapped(truth, shown, categories, ids, int(ids.max()) + 1, flat)
    found = observe_swapped_rows(column)
    return np.asarray(found.shares.toarray())[found.of]


def test_unique_people_tell_the_share_of_their_pool() -> None:
    truth = np.repeat([0, 1], 50)
    shown = truth.copy()
    shown[:10], shown[50:60] = 1, 0
    found = told(truth, shown, np.arange(100))
    assert found[20].tolist() == [0.8, 0.2, 0.0]
    assert found[0].tolist() == [0.2, 0.8, 0.0]


def test_nobody_changed_and_everybody_changed_tell_the_truth() -> None:
    truth = np.repeat([0, 1], 50)
    for shown in (truth, 1 - truth):
        found = told(truth, shown, np.arange(100))
        assert (found[np.arange(100), truth] == 1).all()


def test_mixed_classes_that_nobody_touched_tell_the_truth_beside_unique_people_who_were() -> None:
    truth = np.concatenate([np.repeat([0, 1], 30), np.tile([0, 1], 20)])
    ids = np.concatenate([np.arange(60), 60 + np.arange(40) // 4])
    shown = truth.copy()
    shown[:15], shown[30:45] = 1, 0
    found = told(truth, shown, ids)
    assert np.allclose(found[:60].max(axis=1), 0.5)
    assert (found[np.arange(60, 100), truth[60:]] == 1).all()


def test_groups_of_five_with_one_changed_tell_their_truth_by_the_majority() -> None:
    groups = 60
    truth = np.repeat(np.arange(groups) % 2, 5)
    shown = truth.copy()
    shown[::5] = 1 - shown[::5]
    found = told(truth, shown, np.repeat(np.arange(groups), 5))
    assert (found[np.arange(len(truth)), truth] == 1).all()


def test_groups_whose_half_is_changed_leave_it_open() -> None:
    groups = 60
    truth = np.repeat(np.arange(groups) % 2, 4)
    shown = truth.copy()
    shown[::4], shown[1::4] = 1 - shown[::4], 1 - shown[1::4]
    found = told(truth, shown, np.repeat(np.arange(groups), 4))
    assert np.allclose(found[:, :2], 0.5)


@given(st.integers(0, 2**32 - 1), st.integers(2, 4))
def test_what_rows_tell_is_a_distribution(seed: int, categories: int) -> None:
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(1, 300))
    truth = rng.integers(-1, categories, rows)
    shown = np.where(rng.random(rows) < 0.4, rng.integers(-1, categories, rows), truth)
    ids = np.unique(rng.integers(0, max(rows // 2, 1), rows), return_inverse=True)[1].reshape(-1)
    found = told(truth, shown, ids, categories)
    assert np.allclose(found.sum(axis=1), 1)
    assert (found >= -1e-12).all()


@pytest.mark.parametrize("numeric", [False, True])
def test_blocks_of_classes_and_pairs_move_no_figure(numeric: bool) -> None:
    rng = np.random.default_rng(21)
    truth, ids = rng.integers(0, 9, 400), rng.permutation(np.concatenate([np.arange(50), 50 + np.arange(350) % 60]))
    names = tuple(map(str, range(9)))
    values = Values.of_numbers(truth.astype(np.float64), 1.0) if numeric else Values.of_categories(truth, names)
    observations = Observations.counted(
        rng.integers(0, 30, 400), values.codes, values.count, np.ones(len(values.codes))
    )
    whole = belief_of(values, observations, ids)
    expected, _, control = whole.uncertainty()
    with patch.object(class_belief, "_ROWS_AT_ONCE", 7), patch.object(class_belief, "_PAIRS_AT_ONCE", 11):
        found, _, again = belief_of(values, observations, ids).uncertainty()
    assert found.ratio.tolist() == expected.ratio.tolist()
    assert found.right.tolist() == expected.right.tolist()
    assert found.confirmed.tolist() == expected.confirmed.tolist()
    assert again.tolist() == control.tolist()


@given(st.integers(0, 10_000), st.sampled_from(["one after the other", "in a table", "halving"]))
def test_belief_within_reach_is_found_in_three_ways(seed: int, way: str) -> None:
    from scipy.sparse import csr_array

    rng = np.random.default_rng(seed)
    dense = rng.random((6, 8)) * (rng.random((6, 8)) < 0.4)
    values = Values.of_numbers(np.arange(7.0), 1.0, tolerance=float(rng.integers(0, 3)))
    masses = class_belief._Masses(csr_array(dense), values)
    guesses = rng.integers(0, 7, (6, 5))
    few, cells = {"one after the other": (8, 0), "in a table": (0, 48), "halving": (0, 0)}[way]
    with patch.object(class_belief, "_FEW", few), patch.object(class_belief, "_TABLE_CELLS", cells):
        found = masses.within(np.arange(6)[:, None], guesses)
    for row in range(6):
        for place, guess in enumerate(guesses[row].tolist()):
            assert found[row, place] == pytest.approx(dense[row, values.low[guess] : values.high[guess]].sum())
