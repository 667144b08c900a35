"""People outside the file: chances, bounds, models and the order of people, against figures of papers and peers."""

from __future__ import annotations

import csv
from collections import Counter
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st
from risk_support import columns_of
from thoroughness import examples

from ppdm_desktop.engine.identifiability.beyond_the_file import compute_log_probability, dependence_tree, rank_in_tenths
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.identifiability.unique_sets import smallest_unique_sets
from ppdm_desktop.engine.release.measures.outside import (
    individual_risk,
    map_risk,
    match_chance,
    modelled_uniques,
    poisson_interval,
)
from ppdm_desktop.engine.table.people import People


def classes_of_sizes(sizes: list[int]) -> Classes:
    """Return classes of people with these sizes."""
    return Classes(np.repeat(np.arange(len(sizes), dtype=np.int64), sizes), len(sizes))


def sizes_of(*counts: int) -> list[int]:
    """Return as many sizes 1, 2, 3, ... as the counts say."""
    return [size for size, count in enumerate(counts, start=1) for _ in repeat(None, count)]


@pytest.mark.parametrize(("counts", "odds", "value", "ends", "bounds"), case_rows("population-chance-of-a-match"))
def test_chance_of_a_match(
    counts: tuple[int, ...],
    odds: float,
    value: float,
    ends: tuple[float, float] | None,
    bounds: tuple[float, float] | None,
) -> None:
    chance = match_chance(classes_of_sizes(sizes_of(*counts)), odds)
    assert chance.counts == counts
    assert chance.value == pytest.approx(value)
    assert ends is None or chance.interval == pytest.approx(ends)
    assert bounds is None or chance.unique_outside == pytest.approx(bounds)


def test_weighted_chance_by_hand() -> None:
    classes = Classes(np.array([0, 1, 2, 2, 3, 3, 3, 4]), 5)
    chance = match_chance(classes, np.array([2.0, 5.0, 3.0, 4.0, 2.0, 2.0, 2.0, 10.0]) - 1)
    assert chance.value == 0.375
    assert chance.pairs + chance.squares + chance.triples == 36
    assert match_chance(classes_of_sizes([2, 3]), 1.0).value is None


@examples(300)
@given(
    sizes=st.lists(st.integers(1, 5), min_size=1, max_size=40).map(lambda sizes: [1, *sizes]), odds=st.floats(0, 1e4)
)
def test_ends_enclose_the_chance_and_bounds_are_shares(sizes: list[int], odds: float) -> None:
    chance = match_chance(classes_of_sizes(sizes), odds)
    (low, high), (least, most) = chance.interval, chance.unique_outside
    assert chance.value is not None
    assert 0 < low <= chance.value * (1 + 1e-12)
    assert chance.value <= high * (1 + 1e-12)
    assert high <= 1
    assert 0 <= least <= most <= 1
    # Equal weights say the same as the number of people they stand for.
    weighted = match_chance(classes_of_sizes(sizes), np.full(sum(sizes), odds))
    assert weighted.interval == pytest.approx(chance.interval)
    assert weighted.unique_outside == pytest.approx(chance.unique_outside, abs=1e-9)


@given(file=st.lists(st.integers(1, 4), min_size=1, max_size=20), more=st.lists(st.integers(0, 9), min_size=20))
def test_risk_by_a_table_is_never_above_the_risk_in_the_file(file: list[int], more: list[int]) -> None:
    in_file = np.array(file)
    in_table = in_file + np.array(more[: len(file)])
    risk = map_risk(in_file, in_table, in_file)
    assert risk["journalist_max"] <= 1 / in_file.min()
    assert 0 < risk["marketer"] <= len(file) / in_file.sum() + 1e-12
    assert risk["presence"] <= 1


def test_risk_by_a_table_by_hand() -> None:
    in_file, in_table = np.array([1, 2, 3]), np.array([4, 2, 10])
    risk = map_risk(in_file, in_table, in_file)
    assert tuple(risk.values()) == pytest.approx((0.5, 17 / 60, 31 / 120, 1.0))


def test_risk_of_a_person_equals_sdcmicros() -> None:
    risk = individual_risk(np.array([2, 1, 2, 1, 4]), np.array([30.0, 15, 35, 8, 114]))
    assert risk == pytest.approx([0.0576119887699, 0.1934321572216, 0.0500929260572, 0.2970630773828, 0.0115606936416])
    assert individual_risk(np.array([2]), np.array([2.0])) == pytest.approx([0.5])


def test_models_of_a_known_population() -> None:
    # 2,000 people of a population of 20,000, in which classes are drawn by a Ewens-Pitman urn.
    draws = np.random.default_rng(5)
    sizes: list[int] = []
    for people in range(20_000):
        if draws.random() < (50 + 0.5 * len(sizes)) / (people + 50):
            sizes.append(1)
        else:
            weight = np.array(sizes) - 0.5
            sizes[int(draws.choice(len(sizes), p=weight / weight.sum()))] += 1
    sample = classes_of_sizes(sizes).ids[draws.permutation(20_000)[:2_000]]
    in_file = np.bincount(sample)[np.bincount(sample) > 0]
    true = float((np.array(sizes)[np.flatnonzero(np.bincount(sample) == 1)] == 1).mean())
    models = modelled_uniques(in_file, 20_000)
    assert models["pitman"] == pytest.approx(true, rel=0.2)
    assert models["dankar"] == models["pitman"]
    assert models["zayatz"] > models["pitman"]


def test_ends_of_a_count() -> None:
    assert poisson_interval(0) == pytest.approx((0, 3.688879), abs=1e-6)
    assert poisson_interval(10) == pytest.approx((4.795389, 18.390356), abs=1e-6)


ROWS = ["1111", "1121", "2111", "2212", "3222", "3221", "1311", "2112"]
SUDA = [1, 4, 2, 4, 4, 4, 6, 2]


def adult(folder: Path, names: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Return some details of the 30,162 complete people of Adult."""
    with (folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        people = [row for row in csv.DictReader(file, skipinitialspace=True) if "?" not in row.values()]
    return [tuple(person[name] for name in names) for person in people]


@pytest.mark.parametrize(("people", "golden"), [(2_000, (19_459, 156, 1_095)), (30_162, (37_381, 120, 6_113))])
def test_score_of_smallest_sets_equals_sdcmicros(data_folder: Path, people: int, golden: tuple[int, int, int]) -> None:
    assert smallest_unique_sets(columns_of([tuple(row) for row in ROWS], 4), People.identity(8)).scores.tolist() == SUDA
    rows = adult(data_folder, ("sex", "age", "race", "marital-status", "education", "workclass"))[:people]
    scores = smallest_unique_sets(columns_of(rows, 6), People.identity(people)).scores
    assert (int(scores.sum()), int(scores.max()), int((scores > 0).sum())) == golden


def test_models_equal_those_of_arx(data_folder: Path) -> None:
    """ARX 3.9.2 with its number of people in the USA; it divides by all people, we by the unique ones."""
    names = ("sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation", "class")
    sizes = np.array(list(Counter(adult(data_folder, names)).values()))
    unique = int((sizes == 1).sum())
    models = modelled_uniques(sizes, 317_238_626)
    of_all = {name: share * unique / 30_162 for name, share in models.items()}
    assert unique == 15_512
    assert of_all == pytest.approx({"pitman": 0.03889619, "zayatz": 0.26456472, "dankar": 0.03889619}, abs=1e-6)


def test_order_of_people_follows_the_tree() -> None:
    # Age and school go together; the city is drawn by itself. The pupil with a pension stands out.
    age = np.array([0] * 40 + [1] * 40 + [0])
    school = np.array([0] * 40 + [1] * 40 + [1])
    city = np.array([0, 1] * 40 + [0])
    columns = [classes_of_codes([codes], 81) for codes in (age, school, city)]
    tree = dependence_tree(columns)
    assert {frozenset((column, parent)) for column, parent in tree[:2] if parent is not None} == {frozenset((0, 1))}
    usual = compute_log_probability([age, school, city], 81)
    assert int(usual.argmin()) == 80
    order = rank_in_tenths(usual, np.zeros(81, dtype=np.int64), np.arange(61, 81))
    assert order[-1] == 1
    assert sorted(set(order.tolist())) == list(range(1, 11))
    # Of equals the one who is singled out by less stands out more.
    special = np.array([0, 0, 5, 0])
    assert rank_in_tenths(np.zeros(4), special, np.arange(4)).tolist() == [3, 6, 1, 8]
