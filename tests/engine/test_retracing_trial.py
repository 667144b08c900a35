"""Retracing by boosting, and the interval that a trial is held against."""

from __future__ import annotations

import numpy as np
import pytest
from swap_support import stream

from ppdm_desktop.engine.attacks.comparison import success_figure
from ppdm_desktop.engine.retracing import trial
from ppdm_desktop.engine.retracing.trial import FOLDS, Trial, boosted_shares
from ppdm_desktop.engine.wording.catalogue import untranslated


@pytest.mark.parametrize(("right", "people"), [(0, 10), (7, 10), (50, 100), (999, 1_000)])
def test_the_interval_is_the_one_of_the_audit(right: int, people: int) -> None:
    gains = np.r_[np.ones(right), np.zeros(people - right)]
    assert trial._tried(right / people, right / people, people).high == pytest.approx(
        success_figure(gains, 1.0, untranslated("test")).high
    )


def test_a_record_is_not_guessed_by_itself() -> None:
    rng = np.random.default_rng(1)
    known = [rng.integers(4, size=300) for _ in range(3)]
    shown = rng.integers(2, size=300)
    fold = np.arange(300) % FOLDS
    first = boosted_shares(known, shown, 2, fold)
    other = shown.copy()
    other[::3] = 1 - other[::3]  # all of fold 0
    second = boosted_shares(known, other, 2, fold)
    assert np.array_equal(first[fold == 0], second[fold == 0])
    assert not np.array_equal(first[fold == 1], second[fold == 1])
    assert first.sum(axis=1) == pytest.approx(np.ones(300))


def test_boosting_retraces_what_simple_bayes_cannot_see() -> None:
    rng = np.random.default_rng(2)
    one, two = rng.integers(2, size=(2, 1_200))
    truth = one ^ two
    released = truth.copy()
    flipped = rng.permutation(1_200)[:240]
    released[flipped] = 1 - released[flipped]
    trial = Trial([one, two], truth, 2, np.arange(1_200), stream())
    boosted = trial.by_boosting(released)
    assert boosted is not None
    assert boosted.success > 0.95
    assert trial.by_bayes(released).success < 0.8


def test_a_swap_that_follows_the_model_is_found_and_a_random_one_is_not() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(2, size=2_000)
    known = [np.where(rng.random(2_000) < 0.7, truth, rng.integers(2, size=2_000)) for _ in range(4)]
    plain = np.array([np.sum([column == value for column in known], axis=0) for value in (0, 1)])
    trial = Trial(known, truth, 2, np.arange(2_000), stream())
    led = truth.copy()
    for value in (0, 1):
        own = np.flatnonzero(truth == value)
        led[own[np.argsort(plain[value][own], kind="stable")[: len(own) // 2]]] = 1 - value
    assert not trial.by_bayes(led).gains_nothing
    drawn = truth.copy()
    part = rng.permutation(2_000)[:900]
    drawn[part] = 1 - drawn[part]
    assert trial.by_bayes(drawn).gains_nothing


def test_of_columns_that_move_as_one_the_combination_and_each_column_are_tried() -> None:
    rng = np.random.default_rng(5)
    first, second = rng.integers(3, size=600), rng.integers(2, size=600)
    truth, views = first * 2 + second, [np.repeat(np.arange(3), 2), np.tile(np.arange(2), 3)]
    trial = Trial([first, second, rng.integers(4, size=600)], truth, 6, np.arange(600), stream(), views)
    # One column alone goes where its details say it does not belong: the other tells nothing of it.
    released = truth.copy()
    moved = rng.permutation(600)[:120]
    released[moved] = first[moved] * 2 + (1 - second[moved])
    for found in (trial.by_bayes(released), trial.by_boosting(released)):
        assert found is not None
        assert found.success > 0.95
