"""Which columns give another one, at the edges of what is looked for: very many sets, few people, ties."""

from __future__ import annotations

import sys
from itertools import combinations
from math import comb

import numpy as np
import pytest
from optional import existing

from ppdm_desktop.engine.attacks.dependence import (
    FEWEST_SHARED,
    Form,
    _has_variation,
    find_determining_formula,
    find_determining_sets,
    fit_formula,
)
from ppdm_desktop.engine.progress import Progress

MOST_TRIPLES = 600


class Counting(Progress):
    """Counts how often work looked at the stop sign: once at each set."""

    def __init__(self) -> None:
        super().__init__()
        self.looks = 0

    def check(self) -> None:
        self.looks += sys._getframe(2).f_code is find_determining_sets.__code__

    def report(self, fraction: float, doing: str = "") -> None:
        self.check()


def test_of_very_many_sets_of_three_those_that_widen_the_best_pairs_are_looked_at() -> None:
    """Of 17 columns there are 680 sets of three; the one that gives the value widens a pair that gives some of it."""
    rng = np.random.default_rng(2)
    columns = [rng.integers(0, 3, 400) for _ in range(17)]
    one, other, third = columns[14], columns[11], columns[3]
    hidden = np.where((one == 0) & (other == 0), 0, 1 + one + 3 * other + 9 * third)
    progress = Counting()
    (found,) = progress.run(find_determining_sets, columns, [hidden])
    assert found is not None
    assert (found.columns, found.share) == ((3, 11, 14), 1.0)
    assert comb(17, 3) > MOST_TRIPLES
    assert progress.looks == 17 + comb(17, 2) + MOST_TRIPLES
    # All of them tell no more; so says the same without the limit, on the columns that matter.
    (small,) = find_determining_sets([columns[place] for place in (3, 11, 14)], [hidden])
    assert small is not None
    assert (small.share, small.shared) == (found.share, found.shared)


def test_no_set_of_three_is_looked_at_twice_where_few_pairs_say_anything() -> None:
    """Fifteen columns that are the same in all tell nobody apart: one pair is left, and fifteen ways to widen it."""
    rng = np.random.default_rng(3)
    columns = [np.zeros(500, dtype=np.int64) for _ in range(17)]
    columns[4], columns[9] = rng.integers(0, 4, 500), rng.integers(0, 4, 500)
    hidden = columns[4] * 4 + columns[9]
    progress = Counting()
    (found,) = progress.run(find_determining_sets, columns, [hidden])
    assert found is not None
    assert found.columns == (4, 9)
    assert progress.looks == 17 + comb(17, 2) + 15
    assert sum({4, 9} < set(each) for each in combinations(range(17), 3)) == 15


def test_each_hidden_column_is_given_as_if_it_were_the_only_one() -> None:
    """Whoever has no value in one column still counts in the others."""
    rng = np.random.default_rng(5)
    columns = [rng.integers(-1, 4, 300) for _ in range(4)]
    hidden = [5 * columns[0] + columns[1] + 6, rng.integers(0, 3, 300), columns[2] + 1, columns[3] // 2 + 1]
    hidden[0][::7] = hidden[2][::7] = hidden[3][::5] = -1
    together = find_determining_sets(columns, hidden)
    alone = [find_determining_sets(columns, [column])[0] for column in hidden]
    for by_set, by_itself in zip(together, alone, strict=True):
        assert by_set is not None
        assert by_itself is not None
        assert (by_set.columns, by_set.share, by_set.shared) == (by_itself.columns, by_itself.share, by_itself.shared)
        assert by_set.revealed.tolist() == by_itself.revealed.tolist()
    assert [by_set.columns for by_set in together if by_set is not None and by_set.share == 1] == [(0, 1), (2,), (3,)]


@pytest.mark.parametrize(
    ("flags", "counts", "columns"),
    [(8, [125] * 8, tuple(range(7))), (6, [125] * 8, None), (4, [300, 300, 337, 18, 30, 15], (0, 1, 2, 3))],
)
def test_flags_of_one_value_each_are_found_together(flags: int, counts: list[int], columns: object) -> None:
    """Of eight values seven flags say all; without two, two stay alike. A fourth flag may raise the share by little."""
    values = np.repeat(np.arange(len(counts)), counts)
    (found,) = find_determining_sets([(values == value).astype(np.int64) for value in range(flags)], [values])
    assert (existing(found).columns if existing(found).share >= 0.95 else None) == columns


N = 3_000
SCREENED = np.linspace(0, N - 1, 200).astype(np.int64)
"""On whom formulas are tried first."""


def test_what_hardly_differs_is_not_looked_for() -> None:
    """Within four steps one number for all is right to within two."""
    rng = np.random.default_rng(4)
    one = rng.integers(0, 5, N).astype(float)
    assert find_determining_formula(one, 1.0, one[:, None]) is None
    wide = rng.integers(0, 6, N).astype(float)
    found = existing(find_determining_formula(wide, 1.0, wide[:, None]))
    assert found.share == 1.0


def test_of_too_few_people_and_by_no_column_nothing_is_given() -> None:
    numbers = np.arange(20.0) ** 2
    found = existing(find_determining_formula(numbers, 1.0, numbers[:, None]))
    assert found.people == 20
    assert find_determining_formula(numbers[:19], 1.0, numbers[:19, None]) is None
    assert find_determining_formula(numbers, 1.0, np.zeros((20, 0))) is None


def test_a_column_whose_zeros_alone_fit_gives_nothing() -> None:
    rng = np.random.default_rng(8)
    giver, hidden = np.zeros(N), np.zeros(N)
    giver[: N // 50], hidden[: N // 50] = rng.random(N // 50), rng.random(N // 50)
    found = fit_formula(Form((0,), ""), hidden, 1e-13, giver[:, None])
    assert found is None or found.share < 0.1


@pytest.mark.parametrize("known", [60, 160])
def test_a_formula_for_hardly_anyone_is_none(known: int) -> None:
    """It takes a twentieth of all whose number is hidden: of three thousand, 150."""
    rng = np.random.default_rng(5)
    hidden = rng.integers(0, 900, N).astype(float)
    giver = np.full(N, np.nan)
    giver[SCREENED[:known]] = 2 * hidden[SCREENED[:known]] + 5
    found = find_determining_formula(hidden, 1.0, giver[:, None])
    assert (found is not None) == (known >= 150)


def test_a_formula_that_holds_only_of_those_who_are_tried_first_is_none() -> None:
    rng = np.random.default_rng(6)
    hidden = rng.integers(0, 1_000_000, N).astype(float)
    giver = rng.integers(0, 1_000_000, N).astype(float)
    giver[SCREENED] = hidden[SCREENED]
    assert find_determining_formula(hidden, 1.0, giver[:, None]) is None


def test_a_column_that_is_nought_for_most_gives_another() -> None:
    """Lines are laid through people at several places of the order; at most of these nobody differs."""
    rng = np.random.default_rng(7)
    paid = np.where(rng.random(N) < 0.7, 0, rng.integers(1, 5_000, N)).astype(float)
    found = existing(find_determining_formula(paid * 3 + 10, 1.0, paid[:, None]))
    assert found.form.columns == (0,)
    assert found.revealed.all()
    np.testing.assert_allclose(found.guesses, paid * 3 + 10, atol=0.5)


def test_of_two_formulas_that_give_as_much_the_first_is_taken() -> None:
    rng = np.random.default_rng(8)
    one = rng.integers(0, 700, N).astype(float)
    spoilt = np.where(rng.random(N) < 0.1, rng.integers(0, 700, N), one)
    hidden = one + 20
    found = existing(find_determining_formula(hidden, 1.0, np.column_stack([spoilt, one, 2 * one])))
    assert (found.form.columns, found.share) == ((1,), 1.0)


def test_only_what_differs_among_enough_people_can_give_another_column() -> None:
    gaps = np.full(30, np.nan)
    assert _has_variation(np.concatenate([np.arange(FEWEST_SHARED), gaps]))
    assert not _has_variation(np.concatenate([np.arange(FEWEST_SHARED - 1.0), gaps]))
    assert not _has_variation(np.concatenate([np.full(30, 5.0), gaps]))
    assert not _has_variation(gaps)
