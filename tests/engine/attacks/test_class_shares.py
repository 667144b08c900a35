"""Beliefs of an intruder who undoes known chances of change within the classes of other columns."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from scipy.sparse import csr_array

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.class_belief import Observations, Values
from ppdm_desktop.engine.attacks.people_belief import (
    MOST_CATEGORIES,
    belief_in_classes,
    estimate_class_shares,
    weight_by_people,
)
from ppdm_desktop.engine.attacks.swap_belief import Swapped, observe_swapped_rows
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.table.people import People

PEOPLE, REDRAWN, K_MIN = 8_000, 0.4, 11
EVERYBODY = People.identity(PEOPLE)
SHARES = np.array([0.5, 0.3, 0.15, 0.05])


def told(share: float, ward: int = 800) -> tuple[Observations, Observations, Values, Ints, Ints]:
    """Return observations of people who are all unique without classes and with them, values, shown, and wards.

    In ward 0 the given share has the rarest value; each person's value is drawn again with chance ``REDRAWN``.
    """
    rng = np.random.default_rng(7)
    truth = rng.choice(4, PEOPLE, p=SHARES)
    wards = rng.permutation(np.where(np.arange(PEOPLE) < ward, 0, 1 + np.arange(PEOPLE) % 8))
    truth[(wards == 0) & (rng.random(PEOPLE) < share)] = 3
    of_all = np.bincount(truth, minlength=4) / PEOPLE
    shown = np.where(rng.random(PEOPLE) < REDRAWN, rng.choice(4, PEOPLE, p=of_all), truth)
    values, tell = Values.of_categories(truth, ("a", "b", "c", "d")), partial(tell_of_people, truth)
    after = estimate_class_shares(tell, values, shown, [np.arange(PEOPLE), wards], K_MIN, EVERYBODY)
    return tell(shown), after, values, shown, wards


def tell_of_people(truth: Ints, shown: Ints) -> Observations:
    """Return observations without classes of people who are all unique."""
    return observe_swapped_rows(Swapped(truth, shown, 4, np.arange(PEOPLE), PEOPLE, lambda rows: np.zeros(len(rows))))


def beliefs(observations: Observations, rows: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    """Return the belief in each value for some rows, shape (rows, 4)."""
    return np.asarray(observations.shares[observations.of[rows]].toarray()[:, :4])


@pytest.mark.parametrize("share", [0.5, 0.8, 1.0])
def test_beliefs_in_a_ward_follow_from_its_true_shares_and_the_chances(share: float) -> None:
    before, after, values, shown, wards = told(share)
    of_all, in_ward = values.shares, np.bincount(values.codes[wards == 0], minlength=4) / 800
    chances = (1 - REDRAWN) * np.eye(4) + REDRAWN * of_all
    for value in range(4):
        rows = np.flatnonzero((wards == 0) & (shown == value))
        exact = in_ward * chances[:, value] / (in_ward @ chances[:, value])
        assert np.abs(beliefs(after, rows) - exact).max() < 0.12
        assert beliefs(before, rows)[:, 3].max() < exact[3] - 0.1
    classes = Classes(np.arange(PEOPLE), PEOPLE)
    uncertainty, _, _ = belief_in_classes(values, after, classes, K_MIN, EVERYBODY).uncertainty()
    assert not uncertainty.certain[wards == 0].any(), "most of it is known without the person's own row"


def test_wards_that_differ_by_chance_only_tell_nothing_more() -> None:
    before, after, *_ = told(0.0)
    assert after.without is None
    assert (before.of == after.of).all()
    assert (before.shares != after.shares).nnz == 0


def test_an_observation_that_leaves_no_doubt_stays_if_it_is_that_of_a_class() -> None:
    _, _, values, shown, wards = told(0.8)
    sure = Observations(np.zeros(PEOPLE, dtype=np.int64), csr_array(np.eye(5)[:1]))
    is_settled = np.arange(PEOPLE) % 2 == 0
    after = estimate_class_shares(lambda _: sure, values, shown, [wards], K_MIN, EVERYBODY, is_settled)
    assert (beliefs(after, np.flatnonzero(is_settled)).max(axis=1) == 1).all()
    assert (beliefs(after, np.flatnonzero(~is_settled & (wards == 0))).max(axis=1) < 1).all()


def test_nothing_is_estimated_where_a_value_is_shown_that_nobody_has() -> None:
    before, _, values, shown, wards = told(0.8)
    shown = np.where(np.arange(PEOPLE) == 5, 4, shown)
    assert estimate_class_shares(lambda _: before, values, shown, [wards], K_MIN, EVERYBODY) is before


def test_a_person_with_several_rows_counts_once_in_a_class() -> None:
    _, after, values, shown, wards = told(0.8)
    of_row = np.repeat(np.arange(PEOPLE), np.where((wards == 0) & (shown == 0), 5, 1))
    people = People(of_row, np.zeros(len(of_row), dtype=np.bool_))
    first = people.first_rows

    def tell(shown: Ints) -> Observations:
        of_people = tell_of_people(values.codes, shown[first])
        return Observations(of_people.of[of_row], of_people.shares)

    of_rows = weight_by_people(replace(values, codes=values.codes[of_row]), people)
    divisions = [of_row, wards[of_row]]
    found = estimate_class_shares(tell, of_rows, shown[of_row], divisions, K_MIN, people)
    assert beliefs(found, first) == pytest.approx(beliefs(after, np.arange(PEOPLE)), abs=1e-9)
    assert (found.of == found.of[first][of_row]).all()


@pytest.mark.parametrize("count", [MOST_CATEGORIES, MOST_CATEGORIES + 1])
def test_columns_of_many_values_are_not_looked_at_and_the_method_says_so(count: int) -> None:
    before, after, values, shown, wards = told(0.8)
    more = Values.of_categories(values.codes, tuple(str(index) for index in range(count)))
    before = Observations(before.of, csr_array(np.pad(before.shares.toarray(), ((0, 0), (0, count - 4)))))
    found = estimate_class_shares(lambda _: before, more, shown, [wards], K_MIN, EVERYBODY)
    assert (found is before) == (count > MOST_CATEGORIES)
    assert any(f"at most {MOST_CATEGORIES} " in limit.english for limit in find_method("pram").limits)
