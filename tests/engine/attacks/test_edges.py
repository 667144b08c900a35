"""Nobody, one person, one value, a level without people, a class without a secret: by hand."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case_rows
from kept_values import faults_of

from ppdm_desktop.engine import attacks
from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.attacks.averaging import compute_averaged_error
from ppdm_desktop.engine.attacks.class_belief import Observations, Values
from ppdm_desktop.engine.attacks.comparison import (
    FILTER_LIMIT,
    FILTER_SERIOUS,
    NEARLY_ALL,
    REVERSAL_LIMIT,
    REVERSAL_SERIOUS,
    severity_of_advantage,
    severity_of_filter,
    success_figure,
)
from ppdm_desktop.engine.attacks.noise_belief import NoiseBelief
from ppdm_desktop.engine.attacks.noise_filter import error_figure, ratio_figure
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, NoisyColumn, estimate_true_shares, informed_prior
from ppdm_desktop.engine.attacks.people_belief import (
    belief_in_classes,
    choose_least_uncertainty,
    find_least_uncertain_rows,
    row_weights,
)
from ppdm_desktop.engine.attacks.reversal import compare_with_controls
from ppdm_desktop.engine.attacks.swap_belief import Swapped, observe_swapped_rows
from ppdm_desktop.engine.attacks.uncertainty import Uncertainty, measure_worst_case
from ppdm_desktop.engine.figure import Figure, wilson
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import untranslated

NOBODY = np.zeros(0)
NO_ONE = NOBODY.astype(np.bool_)
NOISE = LevelNoise(NoiseLaw("gaussian", 2.0), 1.0)


def alone(rows: int) -> People:
    return People(np.arange(rows, dtype=np.int64), np.zeros(rows, dtype=np.bool_))


def column(truth: Floats, shown: Floats, levels: int = 1, **more: float) -> NoisyColumn:
    """Every person is at the first level, so that others have nobody."""
    at = np.zeros(len(truth), dtype=np.int64)
    bounds = {"low": float(truth.min()), "high": float(truth.max()), **more}
    return NoisyColumn(truth, shown, at, (NOISE,) * levels, 1.0, **bounds)


def one_hot(grid: int, *places: int) -> NoiseBelief:
    """Return a belief in which each person's value is told outright; -1: nothing is told."""
    rows = np.array([np.eye(grid)[place] if place >= 0 else np.full(grid, 1 / grid) for place in places])
    prior = np.full(grid, 1 / grid)
    return NoiseBelief(np.arange(float(grid)), prior, rows, np.arange(len(places)), np.full(grid, 0.4), 0.0)


# --- one secret of a class ------------------------------------------------------------------


GROUPS = {"nine of ten": [0] * 9 + [1], "eight of ten": [0] * 8 + [1] * 2, "all": [2] * 3}
CODES = np.concatenate([GROUPS[name] for name in GROUPS]).astype(np.int64)
IDS = np.repeat(np.arange(len(GROUPS)), [len(each) for each in GROUPS.values()]).astype(np.int64)


def test_a_class_gives_one_value_away_from_nine_rows_in_ten_on() -> None:
    values = Values.of_categories(CODES, ("a", "b", "c"))
    observations = Observations.counted(CODES, CODES, 3, np.ones(len(CODES)))
    found = belief_in_classes(values, observations, Classes(IDS, 3), 5, alone(23))
    assert found.one_secret().tolist() == [True, False, True]
    assert found.one_secret_rows().tolist() == [True] * 10 + [False] * 10 + [True] * 3
    assert found.people_count == 23


def test_no_value_and_nobody_give_nothing_away() -> None:
    codes = np.full(4, -1, dtype=np.int64)
    values = Values.of_numbers(np.full(4, np.nan), 1.0)
    assert (values.count, values.numeric) == (0, True)
    ids = np.zeros(4, dtype=np.int64)
    observations = Observations.counted(codes, codes, 0, np.ones(len(codes)))
    found = belief_in_classes(values, observations, Classes(ids, 1), 5, alone(4))
    assert found.one_secret().tolist() == [False]
    uncertainty, _, control = found.uncertainty()
    assert uncertainty.ratio.tolist() == [1.0] * 4
    assert not control.any()


def test_behind_noise_a_class_gives_one_value_away_where_the_same_is_told_of_nine_in_ten() -> None:
    """Nine of ten by one value; ten by two values, each of them certain; three of whom nothing is told."""
    told = [2] * 9 + [-1] + [3] * 5 + [4] * 5 + [-1] * 3
    ids = np.repeat(np.arange(3), [10, 10, 3]).astype(np.int64)
    belief = one_hot(6, *told)
    assert belief.one_secret(ids, 3, np.ones(23)).tolist() == [True, False, False]
    assert one_hot(6, -1, -1).one_secret(np.zeros(2, dtype=np.int64), 1, np.ones(2)).tolist() == [False]


def test_behind_noise_each_class_is_held_against_its_own_commonest_value() -> None:
    told, ids = [2] * 5 + [4] * 5 + [1] * 5, np.repeat(np.arange(3), 5).astype(np.int64)
    assert one_hot(6, *told).one_secret(ids, 3, np.ones(15)).all()
    assert one_hot(6, *told).one_secret(ids[::-1].copy(), 3, np.ones(15)).all()
    assert one_hot(6, *[4] * 9, 1).one_secret(np.zeros(10, dtype=np.int64), 1, np.ones(10)).all()


def test_behind_noise_a_person_with_many_rows_is_one_person() -> None:
    """Ten rows of one person tell one value, and those of three others nothing: one of four people."""
    belief = one_hot(6, *[2] * 10, -1, -1, -1)
    people = People(np.array([0] * 10 + [1, 2, 3], dtype=np.int64), np.zeros(13, dtype=np.bool_))
    together, apart = np.zeros(13, dtype=np.int64), np.array([0] * 10 + [1] * 3)
    assert not belief.one_secret(together, 1, row_weights(together, people)).any()
    assert belief.one_secret(apart, 2, row_weights(apart, people)).tolist() == [True, False]


def test_in_the_tail_people_are_named_by_any_of_their_rows() -> None:
    """Twenty values a twentieth each; the person with the highest has two rows, one of which tells it."""
    truth = np.array([19.0, 19.0, *range(19)])
    belief = one_hot(20, 19, -1, *range(19))
    people = People(np.array([0, 0, *range(1, 20)], dtype=np.int64), np.zeros(21, dtype=np.bool_))
    above = [each for each in belief.rare(truth, people) if each.above]
    assert [(each.named, each.holders, each.right) for each in above] == [(1, 1, 1), (2, 2, 2)]
    assert belief.rare(truth, alone(21))[0].holders == 2, "row by row the same person counts twice"


# --- doubts ----------------------------------------------------------------------------------


DOUBTS = Uncertainty(np.array([0.01, 0.01, 0.5, 0.5]), np.array([True, False, True, False]), np.array([False] * 4))


def test_who_is_sure_and_wrong_and_whose_doubt_shrinks() -> None:
    assert DOUBTS.certain.tolist() == [True, False, False, False]
    assert DOUBTS.certain_but_wrong.tolist() == [False, True, False, False]
    assert DOUBTS.short_of(2.0).tolist() == [True, False, True, False]
    other = Uncertainty(
        np.array([0.02, 0.0, 0.4, 0.6]), np.array([False, True, False, True]), np.array([False, True, True, True])
    )
    least = DOUBTS.least(other)
    assert least.ratio.tolist() == [0.01, 0.0, 0.4, 0.5]
    assert least.right.tolist() == [True, True, False, False]
    # What either of them proves stays proved.
    assert least.confirmed.tolist() == [False, True, True, True]
    assert measure_worst_case(Uncertainty(NOBODY, NO_ONE, NO_ONE), NO_ONE).people == 0


def test_a_persons_doubt_is_that_of_the_row_that_tells_most() -> None:
    people = People(np.array([0, 0, 1, 1], dtype=np.int64), np.zeros(4, dtype=np.bool_))
    assert find_least_uncertain_rows(DOUBTS, people).tolist() == [0, 2]
    assert choose_least_uncertainty(DOUBTS, people).ratio.tolist() == [0.01, 0.5]
    # A wrong guess is none, however little it is doubted.
    turned = Uncertainty(DOUBTS.ratio, ~DOUBTS.right, DOUBTS.confirmed)
    assert choose_least_uncertainty(turned, people).right.tolist() == [True, True]


# --- noise --------------------------------------------------------------------------------------


def test_one_person_is_too_few_to_say_that_less_noise_was_added() -> None:
    one = column(np.array([3.0]), np.array([3.0]), low=0.0, high=9.0)
    assert one.with_measured_noise().levels == (NOISE,)
    many = column(np.resize(np.arange(10.0), 300), np.resize(np.arange(10.0), 300))
    assert many.with_measured_noise().levels[0].law.sd < NOISE.law.sd


def test_a_column_of_one_value_is_known_to_anybody() -> None:
    grid = np.array([5.0, 5.0])
    belief = NoiseBelief(grid, np.array([0.5, 0.5]), np.full((1, 2), 0.5), np.zeros(3, np.int64), np.ones(2), 0.0)
    assert belief.compute_prior_within(np.array([5.0, 5.5, 7.0]), 1.0).tolist() == [1.0, 1.0, 0.0]
    assert informed_prior(np.full(50, 4.0), np.arange(10.0), 1.0).tolist() == np.eye(10)[4].tolist()


def test_a_chance_rounded_below_zero_leaves_shares_between_0_and_1() -> None:
    shares = estimate_true_shares(np.array([4.0, 2.0, 1.0]), np.array([[0.6, 0.4], [0.4, 0.6], [-1e-13, -1e-13]]))
    assert shares.min() >= 0
    assert shares.sum() == pytest.approx(1.0)


# --- figures of nobody --------------------------------------------------------------------------


def test_errors_of_nobody_and_of_a_perfect_guess() -> None:
    assert error_figure(NOBODY, NOBODY, 1.0, untranslated("by hand")).value is None
    assert ratio_figure(NOBODY, NOBODY, NOBODY).value is None
    truth = np.array([1.0, 2.0, 3.0])
    assert ratio_figure(truth, truth, truth).value is None, "nothing to be better than"
    found = ratio_figure(truth, truth, truth + 1)
    assert (found.value, found.low, found.high) == (0.0, 0.0, 0.0)
    assert compute_averaged_error(0.0, 3) == 0.0


def test_where_nothing_is_shown_nobody_guesses_by_chance() -> None:
    found = compare_with_controls(np.array([1.0, 2.0]), np.array([1.0, np.nan]), np.array([np.nan]), 0.0)
    assert found.success.tolist() == [1.0, 0.0]
    assert found.control.tolist() == [0.0, 0.0]
    assert found.blind.tolist() == [0.0, 0.0]


def test_a_swap_that_moved_nothing_tells_every_value_and_nobody_tells_none() -> None:
    truth = np.array([0, 1, 1, 0], dtype=np.int64)
    ids = np.array([0, 1, 0, 1], dtype=np.int64)
    told = observe_swapped_rows(Swapped(truth, truth, 2, ids, 2, lambda people: np.zeros(len(people))))
    assert told.shares.toarray()[told.of].tolist() == np.eye(3)[truth].tolist()
    none = np.zeros(0, dtype=np.int64)
    empty = observe_swapped_rows(Swapped(none, none, 2, none, 0, lambda people: np.zeros(len(people))))
    assert empty.shares.shape == (0, 3)


def test_what_attacks_found_stays_as_it_is() -> None:
    assert faults_of(attacks) == []


def just_below(value: float) -> float:
    return float(np.nextafter(value, -np.inf))


def just_above(value: float) -> float:
    return float(np.nextafter(value, np.inf))


@pytest.mark.parametrize(
    ("ratio", "severity"),
    [
        (1 - NEARLY_ALL, "total"),
        (just_above(1 - NEARLY_ALL), "serious"),
        (just_below(FILTER_SERIOUS), "serious"),
        (FILTER_SERIOUS, "some"),
        (just_below(FILTER_LIMIT), "some"),
        (FILTER_LIMIT, "none"),
    ],
)
def test_the_edges_of_what_filtering_leaves(ratio: float, severity: str) -> None:
    assert severity_of_filter(ratio) == severity


@pytest.mark.parametrize(("success", "gain", "severity"), case_rows("edges-the-edges-of-what-is-gained"))
def test_the_edges_of_what_is_gained(success: float | None, gain: float | None, severity: str) -> None:
    nothing = Figure.absent(untranslated("not measured"), unit="share")
    found = severity_of_advantage(
        nothing if success is None else Figure(success, unit="share"),
        # However far its interval reaches, the value counts.
        nothing if gain is None else Figure(gain, high=1.0, unit="share"),
        limit=REVERSAL_LIMIT,
        serious=REVERSAL_SERIOUS,
    )
    assert found == severity


def test_an_interval_is_that_of_a_coin_times_the_most_that_can_be_gained() -> None:
    low, high = wilson(0.5, 10)
    found = success_figure(np.full(10, 0.25), 0.5, untranslated("by hand"))
    assert found.value == 0.25
    assert [found.low, found.high] == pytest.approx([low / 2, high / 2])
