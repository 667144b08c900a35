"""Guessing confidential values where the truth is known, beside the same guess without the person's record."""

from __future__ import annotations

import numpy as np
import pytest
from optional import existing

from ppdm_desktop.engine.arrays import GRID, Floats, Ints
from ppdm_desktop.engine.attacks.comparison import paired_advantage
from ppdm_desktop.engine.attacks.gower import Values, compute_gower_distances, range_scale
from ppdm_desktop.engine.attacks.inference import Details, Inferred, _guess_by_votes, find_near_records, infer
from ppdm_desktop.engine.figure import Figure

ROWS, NAMES = 400, 6


def people(seed: int, rows: int = ROWS) -> tuple[Ints, Floats, Ints]:
    """Two nominal columns and a number, and a value of three that leans on them."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, NAMES, (rows, 2))
    numbers = rng.integers(20, 60, (rows, 1)).astype(np.float64)
    leaning = (codes[:, 0] + (numbers[:, 0] > 40)) % 3
    value = np.where(rng.random(rows) < 0.6, leaning, rng.integers(0, 3, rows))
    return codes.astype(np.int64), numbers, value.astype(np.int64)


def known(codes: Ints, numbers: Floats, owner: Ints | None = None) -> Details:
    cells = [*codes.T, np.digitize(numbers[:, 0], [30, 40, 50]).astype(np.int64)]
    return Details(Values(numbers, codes), cells, np.arange(len(codes)) if owner is None else owner)


def attacked(targets: Details, value: Ints, released: Details, shown: Ints) -> tuple[Inferred, Figure]:
    found = infer(targets, value, released, shown, 3)
    return found, paired_advantage(found.attack.right, found.control.right)


def test_a_copy_tells_everything() -> None:
    rng = np.random.default_rng(5)
    rows = 300
    numbers = rng.permutation(rows)[:, None].astype(np.float64)
    codes = rng.integers(0, NAMES, (rows, 2)).astype(np.int64)
    value = rng.integers(0, 3, rows)
    side = known(codes, numbers)
    found, advantage = attacked(side, value, side, value)
    assert found.attack.right.mean() == 1.0
    assert found.attack.sure_and_right.mean() > 0.9
    assert found.control.right.mean() < 0.5
    assert existing(advantage.low) > 0.5


@pytest.mark.parametrize("gaps", [False, True])
def test_votes_are_those_of_all_records_at_the_least_distance(gaps: bool) -> None:
    codes, numbers, value = people(3, 120)
    owner = np.arange(120) // 2
    released = known(codes, numbers, owner)
    shown = np.where(np.random.default_rng(8).random(120) < 0.3, -1, value) if gaps else value
    rows = np.flatnonzero(shown >= 0)
    some = np.arange(0, 120, 9)
    targets = Details(released.values.take(some), [each[some] for each in released.cells], owner[some])
    near = find_near_records(targets, released, rows)
    scale = range_scale(numbers[rows])
    apart = compute_gower_distances(
        Values(numbers[some] * scale, codes[some]), Values(numbers[rows] * scale, codes[rows])
    )
    for labels in (shown, np.where(shown >= 0, (shown + 1) % 3, -1)):
        with_own, without = near.votes(labels, 3)
        for place, person in enumerate(owner[some]):
            for found, counted in (
                (with_own, apart[place]),
                (without, np.where(owner[rows] == person, 9, apart[place])),
            ):
                nearest = counted <= counted.min() + GRID
                assert found[place].tolist() == np.bincount(labels[rows][nearest], minlength=3).tolist()


def test_of_tied_categories_the_commonest_is_guessed() -> None:
    votes, marginal = np.array([[2.0, 2.0, 0.0], [0.0, 0.0, 0.0]]), np.array([0.3, 0.36, 0.34])
    assert _guess_by_votes(votes, np.array([1, 1]), marginal).right.tolist() == [1, 1]


def test_order_of_the_release_says_nothing() -> None:
    codes, numbers, value = people(1)
    order = np.random.default_rng(9).permutation(ROWS)
    side = known(codes, numbers)
    shuffled = known(codes[order], numbers[order], order)
    one = infer(side, value, side, value, 3)
    other = infer(side, value, shuffled, value[order], 3)
    assert np.array_equal(one.attack.right, other.attack.right)
    assert np.array_equal(one.control.sure_and_right, other.control.sure_and_right)


@pytest.mark.parametrize("useless", ["values", "everything"])
def test_what_says_nothing_of_a_person_gains_nothing(useless: str) -> None:
    outside, total = 0, np.zeros(2)
    for seed in range(30):
        codes, numbers, value = people(seed)
        rng = np.random.default_rng(1000 + seed)
        shown = rng.permutation(value)
        released = known(codes, numbers)
        if useless == "everything":
            # Records of other people of the same kind, put in anybody's place.
            others, ages, shown = people(500 + seed)
            released = known(others, ages)
        _, advantage = attacked(known(codes, numbers), value, released, shown)
        outside += not existing(advantage.low) <= 0 <= existing(advantage.high)
        total += existing(advantage.value), 1
    assert outside <= 5
    assert abs(total[0] / total[1]) < 0.02


def test_the_control_leaves_out_a_whole_group() -> None:
    codes, numbers, value = people(3)
    group = np.arange(ROWS) // 4
    codes, numbers, value = codes[group * 4], numbers[group * 4], value[group * 4]
    side = known(codes, numbers, group)
    found, _ = attacked(side, value, side, value)
    single, _ = attacked(known(codes, numbers), value, known(codes, numbers), value)
    # Three more records of the group still tell the value when only the person's own is left out.
    assert found.attack.right.mean() > 0.95
    assert single.control.right.mean() > 0.95
    assert found.control.right.mean() < 0.8


def test_missing_values_take_no_part() -> None:
    codes, numbers, value = people(4)
    shown = value.copy()
    shown[::2] = -1
    numbers = numbers.copy()
    numbers[::7] = np.nan
    side = Details(Values(numbers, codes), [*codes.T], np.arange(ROWS))
    found, _ = attacked(side, value, side, shown)
    assert found.attack.right[1::2].mean() > found.attack.right[::2].mean()
    # Nobody whose value is not released is told by their own record.
    assert np.array_equal(found.attack.right[::2] >= 0, np.ones(ROWS // 2, dtype=bool))


def test_nothing_released_leaves_a_blind_guess() -> None:
    codes, numbers, value = people(6)
    side = known(codes, numbers)
    found, advantage = attacked(side, value, side, np.full(ROWS, -1))
    assert np.array_equal(found.attack.right, found.control.right)
    assert advantage.value == 0


def test_a_value_that_nobody_else_has_is_read_off_a_copy() -> None:
    codes = np.arange(300)[:, None].astype(np.int64)
    value = np.array([0, 1] * 145 + list(range(2, 12)))
    side = Details(Values(np.zeros((300, 0)), codes), [codes[:, 0]], np.arange(300))
    found = infer(side, value, side, value, 12)
    assert found.attack.right.mean() == 1.0
