"""Beliefs where a person may have several rows, held against the formula in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.class_belief import Observations, Values
from ppdm_desktop.engine.attacks.noise_belief import NoiseBelief
from ppdm_desktop.engine.attacks.people_belief import (
    belief_in_classes,
    combine_draws,
    combine_observations,
    has_repeated_draws,
    is_constant_in_person,
    noise_uncertainty_in_classes,
    row_weights,
    weight_by_people,
)
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.table.people import People, renumber_by_appearance

NAMES = ("a", "b", "c")
ROWS = st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 2)), min_size=2, max_size=20)


def people_of(whose: list[int]) -> People:
    of_row = renumber_by_appearance(np.array(whose, dtype=np.int64))
    return People(of_row, np.zeros(len(of_row), dtype=np.bool_))


def ids_of(column: list[int]) -> tuple[Ints, int]:
    ids = renumber_by_appearance(np.array(column, dtype=np.int64))
    return ids, int(ids.max()) + 1


def least_ratio(beliefs: list[tuple[float, float]]) -> float:
    """Return the least doubt ratio of pairs of belief and control."""
    return min((1 - b) / (1 - a) if a < 1 - 1e-12 else float(b < 1 - 1e-9) for b, a in beliefs)


@given(ROWS, st.sampled_from([1, 5, 11]))
def test_each_persons_mean_counts_once(rows: list[tuple[int, int, int]], k_min: int) -> None:
    people = people_of([person for person, _, _ in rows])
    codes = np.array([value for _, _, value in rows], dtype=np.int64)
    values = weight_by_people(Values.of_categories(codes, NAMES), people)
    observations = Observations.counted(codes, codes, 3, row_weights(codes, people))
    ids, count = ids_of([group for _, group, _ in rows])
    uncertainty, *_ = belief_in_classes(values, observations, Classes(ids, count), k_min, people).uncertainty()
    everybody = sorted({person for person, _, _ in rows})

    def mean(person: int, inside: list[tuple[int, int, int]], value: int) -> float:
        return float(np.mean([row[2] == value for row in inside if row[0] == person]))

    for place, (person, group, shown) in enumerate(rows):
        inside = [row for row in rows if row[1] == group]
        there = {row[0] for row in inside}
        beliefs = []
        for value in range(3):
            own = mean(person, inside, value) if len(there) > 1 else float(shown == value)
            others = sum([mean(each, inside, value) for each in there - {person}])
            total = sum([mean(each, rows, value) for each in everybody])
            prior = min(max((total - own) / max(len(everybody) - 1, 1), 0.0), 1.0)
            beliefs.append(((own + others) / len(there), (others + k_min * prior) / (len(there) - 1 + k_min)))
        assert uncertainty.ratio[place] == pytest.approx(least_ratio(beliefs), abs=1e-9)


@given(ROWS, st.sampled_from([1, 5]), st.integers(0, 1_000))
def test_noise_in_classes_counts_each_person_once(rows: list[tuple[int, int, int]], k_min: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = np.arange(6.0)
    prior = rng.dirichlet(np.ones(6))
    belief = NoiseBelief(
        grid, prior, rng.dirichlet(np.ones(6), 3), np.array([row[2] for row in rows]), np.full(6, 0.4), 0.0
    )
    people = people_of([person for person, _, _ in rows])
    ids, count = ids_of([group for _, group, _ in rows])
    truth = rng.integers(0, 6, len(rows)).astype(np.float64)
    uncertainty = noise_uncertainty_in_classes(belief, truth, ids, count, k_min, people)
    for place, (person, group, shown) in enumerate(rows):
        inside = [row for row in rows if row[1] == group]
        there = {row[0] for row in inside}
        means = {each: np.mean([belief.rows[row[2]] for row in inside if row[0] == each], axis=0) for each in there}
        own = means[person] if len(there) > 1 else belief.rows[shown]
        others = sum([means[each] for each in there - {person}], np.zeros(6))
        pairs = zip((own + others) / len(there), (others + k_min * prior) / (len(there) - 1 + k_min), strict=True)
        assert uncertainty.ratio[place] == pytest.approx(
            least_ratio([(float(b), float(a)) for b, a in pairs]), abs=1e-9
        )


def test_independent_tellings_multiply() -> None:
    """Shown right in half of the rows, else one of two others: three rows that show a make 1/2 · 4 · 4 · 4."""
    people = people_of([0, 0, 0, 1, 1])
    shares = np.array([[0.5, 0.25, 0.25], [0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    from scipy.sparse import csr_array

    observations = Observations(np.array([0, 0, 0, 0, 1]), csr_array(np.column_stack([shares, np.zeros(3)])))
    prior = np.full(3, 1 / 3)
    shown = observations.of
    alike = np.array([True, True])
    often = combine_observations(observations, shown, people, alike, prior, repeated=False)
    told = often.shares.toarray()[often.of]
    assert told[0][:3] == pytest.approx([8 / 10, 1 / 10, 1 / 10])
    assert told[3][:3] == pytest.approx([0.4, 0.4, 0.2])
    once = combine_observations(observations, shown, people, alike, prior, repeated=True)
    assert once.shares.toarray()[once.of][0][:3] == pytest.approx([0.5, 0.25, 0.25])
    assert once.shares.toarray()[once.of][3][:3] == pytest.approx([0.4, 0.4, 0.2])


def test_rows_that_contradict_each_other_stand_for_themselves() -> None:
    from scipy.sparse import csr_array

    observations = Observations(np.array([0, 1]), csr_array(np.array([[1.0, 0, 0, 0], [0, 1.0, 0, 0]])))
    found = combine_observations(
        observations, observations.of, people_of([0, 0]), np.array([True]), np.full(3, 1 / 3), repeated=False
    )
    assert found.shares.toarray()[found.of].tolist() == observations.shares.toarray()[observations.of].tolist()


def test_draws_on_one_number_multiply() -> None:
    grid, prior = np.arange(3.0), np.full(3, 1 / 3)
    rows = np.array([[0.6, 0.2, 0.2], [0.2, 0.6, 0.2]])
    belief = NoiseBelief(grid, prior, rows, np.array([0, 0, 1, 1]), np.full(3, 0.4), 0.0)
    people = people_of([0, 0, 0, 1])
    often = combine_draws(belief, people, np.array([True, False]), repeated=False)
    assert often.rows[often.row_index[0]] == pytest.approx(np.array([9, 3, 1]) / 13)
    once = combine_draws(belief, people, np.array([True, False]), repeated=True)
    assert once.rows[once.row_index[0]] == pytest.approx(np.array([3, 3, 1]) / 7)
    assert once.rows[once.row_index[3]].tolist() == rows[1].tolist()


def test_what_stays_and_what_is_repeated_is_seen() -> None:
    people = people_of([0, 0, 1, 1, 2, 2, 3])
    assert is_constant_in_person(np.array([1, 1, 2, 2, 0, 1, 5]), people).tolist() == [True, True, False, False]
    assert not is_constant_in_person(np.array([1, 1, 2, 3, 0, 1, 5]), people).any()
    assert is_constant_in_person(np.array([1, -1, 2, 2, 3, 3, 5]), people).tolist() == [False, True, True, False]
    assert people.constant(np.array([1, 1, 2, 3, 0, 0, 5])).tolist() == [True, False, True, True]
    alike, same = np.array([True, True, True, False]), np.zeros(7, dtype=np.bool_)
    assert has_repeated_draws(np.array([7, 7, 8, 8, 6, 5, 1]), same, people, alike)
    assert not has_repeated_draws(np.array([7, 9, 8, 4, 6, 6, 1]), same, people, alike)
