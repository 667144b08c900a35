"""Learners, tasks and cross-validation: what is tested on what, and what small tables do."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from hypothesis import given
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.arrays import Ints, content_order
from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.utility.models.crossval import (
    FOLDS,
    Learner,
    Scores,
    cross_validate,
    fold_count,
    sample_rows,
    stratified_folds,
)
from ppdm_desktop.engine.utility.models.features import Encoder, Records, paired_records
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes, Noise
from ppdm_desktop.engine.utility.models.nearest import Compared, NearestNeighbours, NearestNumber, find_nearest_records
from ppdm_desktop.engine.utility.models.suite import DecisionTree, Network
from ppdm_desktop.engine.utility.models.tasks import tasks_of

LEARNERS: list[Learner] = [NaiveBayes(), DecisionTree(), Network(), NearestNeighbours(1), NearestNeighbours(5)]
IDS = [each.id for each in LEARNERS]


def numeric(values: Any, name: str = "x") -> Column:
    texts = ["" if v is None else str(v) for v in values]
    return Column.from_texts(name, texts, kind="numeric", style=NumberStyle())


def text(values: Sequence[str], name: str = "w", **more: str) -> Column:
    return Column.from_texts(name, values, **more)


def people(rows: int = 120, seed: int = 1) -> tuple[list[Column], Column]:
    """A class that two numbers and a name tell well."""
    rng = np.random.default_rng(seed)
    label = rng.integers(2, size=rows)
    first = rng.normal(size=rows) + 4 * label
    second = rng.normal(size=rows) - 3 * label
    names = np.where(rng.random(rows) < 0.9, label, 1 - label)
    columns = [
        numeric([f"{x:.2f}" for x in first], "a"),
        numeric([f"{x:.2f}" for x in second], "b"),
        text([f"n{x}" for x in names], "c"),
    ]
    return columns, text([f"k{x}" for x in label], "y")


def scores(
    learner: Any,
    before: Sequence[Column],
    after: Sequence[Column],
    target: Column,
    released_target: Column,
    twins: Ints | None,
    **more: Any,
) -> Scores:
    original, released = paired_records(before, after)
    return cross_validate(tasks_of(target, released_target)[0], learner, original, released, twins, **more)


# --- records as a matrix ---------------------------------------------------------------------


def test_a_column_whose_kind_changed_is_compared_name_by_name() -> None:
    before, after = numeric([1, 2, 30]), text(["1", "2", "[3, 40)"], "x", kind="ordinal")
    first, second = paired_records([before], [after])
    assert first.numbers.shape[1] == 0
    assert first.codes[:2].tolist() == second.codes[:2].tolist()
    assert first.codes[2] != second.codes[2]


# --- tasks -----------------------------------------------------------------------------------


def test_numbers_are_asked_for_by_the_middle_and_to_within_one() -> None:
    middle, near = tasks_of(numeric([1, 2, 3, 4, None]), numeric([4, 3, 2, 1, None]))
    assert str(middle.question) == "whether it is above 2.5, the median of the original"
    assert middle.before[:4].tolist() == [0, 0, 1, 1]
    assert middle.after[:4].tolist() == [1, 1, 0, 0]
    assert middle.known.tolist() == [True] * 4 + [False]
    assert near.tolerance == 1
    assert near.hits(np.array([1, 5, 9]), np.array([2, 3, 9])).tolist() == [True, False, True]
    assert len(tasks_of(numeric([0.5, 1, 2]), numeric([1, 2, 3]))) == 1, "not whole numbers"
    assert len(tasks_of(numeric(range(99)), numeric(range(99)))) == 1, "too many values"


# --- folds -----------------------------------------------------------------------------------


@given(st.lists(st.integers(0, 4), min_size=4, max_size=120))
def test_folds_are_even_in_size_and_in_every_class(labels: Any) -> None:
    labels = np.array(labels)
    folds = fold_count(labels)
    fold = stratified_folds(labels, folds)
    assert 2 <= folds <= FOLDS
    assert folds <= max(2, np.unique(labels, return_counts=True)[1].min())
    assert np.ptp(np.bincount(fold, minlength=folds)) <= 1
    for label in np.unique(labels):
        assert np.ptp(np.bincount(fold[labels == label], minlength=folds)) <= 1


@pytest.mark.parametrize(("records", "folds"), [(1_999, 10), (2_000, 5)])
def test_many_records_are_cut_into_fewer_folds(records: int, folds: int) -> None:
    assert fold_count(np.arange(records) % 2) == fold_count(np.arange(records), tolerance=1) == folds


def test_the_sample_is_the_same_every_time_and_in_order() -> None:
    rows = sample_rows(50_000, 10_000)
    assert np.array_equal(rows, sample_rows(50_000, 10_000))
    assert len(np.unique(rows)) == 10_000
    assert (np.diff(rows) > 0).all()
    assert sample_rows(7, 10).tolist() == list(range(7))


# --- learners --------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS, ids=IDS)
def test_every_learner_learns_and_is_repeatable(learner: Any) -> None:
    columns, target = people()
    twins = np.arange(120)
    found = scores(learner, columns, columns, target, target, twins)
    assert found.folds == 10
    assert existing(found.original.value) > 0.9 > 0.7 > existing(found.baseline.value)
    assert found.released_true_labels.value == found.released_labels.value == found.original.value
    assert existing(found.original.low) <= existing(found.original.value) <= existing(found.original.high)
    assert found.original.n == 120
    assert found == scores(learner, columns, columns, target, target, twins)


@pytest.mark.parametrize("learner", LEARNERS, ids=IDS)
def test_a_release_without_relations_is_worth_no_more_than_the_baseline(learner: Any) -> None:
    columns, target = people(400)
    rng = np.random.default_rng(3)
    shuffled = [column.take(rng.permutation(400)) for column in columns]
    found = scores(learner, columns, shuffled, target, target, np.arange(400))
    assert existing(found.original.value) > 0.9
    assert existing(found.released_true_labels.value) < 0.75
    assert existing(found.released_labels.value) < 0.65


def test_the_released_twin_of_a_tested_record_is_never_learnt_from() -> None:
    """Each record has a number of its own: only its twin could tell its random label."""
    rng = np.random.default_rng(0)
    own = numeric(rng.permutation(1000) * 10, "id")
    target = text([f"k{x}" for x in rng.integers(2, size=1000)], "y")
    twins = np.arange(1000)
    found = scores(NearestNeighbours(1), [own], [own], target, target, twins)
    assert abs(existing(found.released_true_labels.value) - 0.5) < 0.06
    order = rng.permutation(1000)
    turned = np.empty(1000, dtype=np.int64)
    turned[order] = np.arange(1000)
    again = scores(NearestNeighbours(1), [own], [own.take(order)], target, target.take(order), turned)
    assert again.released_true_labels.value == found.released_true_labels.value
    not_paired = scores(NearestNeighbours(1), [own], [own.take(order)], target, target.take(order), None)
    assert existing(not_paired.released_true_labels.value) > 0.9, (
        "nobody says which twin is whose, so nine of ten are learnt from"
    )
    assert "too good" in str(not_paired.released_true_labels.note)


def test_copies_of_a_record_are_never_on_both_sides() -> None:
    """A random label that a copy could tell: nothing is learnt where copies stay together."""
    rng = np.random.default_rng(0)
    own = numeric(rng.permutation(300) * 10, "id")
    target = text([f"k{x}" for x in rng.integers(2, size=300)], "y")
    copies = rng.permutation(np.repeat(np.arange(100), 5))
    found = scores(NearestNeighbours(1), [own], [own.take(copies)], target, target.take(copies), None)
    assert abs(existing(found.released_labels.value) - 0.5) < 0.15
    assert found.released_labels.n == 500


def test_the_baseline_is_the_share_of_the_commonest_even_where_classes_are_equal() -> None:
    values = ["a"] * 6 + ["b"] * 5 + ["c"] * 5
    columns, target = [text(values[::-1], "x")], text(values, "y")
    found = scores(NaiveBayes(), columns, columns, target, target, np.arange(16))
    assert found.baseline.value == pytest.approx(6 / 16)


def test_true_labels_are_the_originals_own() -> None:
    """All released labels are turned round: what is learnt is wrong in the world and right in the release."""
    columns, target = people(200)
    turned = text(["k1" if v == "k0" else "k0" for v in target.values()], "y")
    found = scores(NaiveBayes(), columns, columns, target, turned, np.arange(200))
    assert existing(found.released_labels.value) > 0.9
    assert existing(found.released_true_labels.value) < 0.1


def test_records_that_are_not_released_are_tested_and_not_learnt_from() -> None:
    columns, target = people(100)
    kept = np.arange(0, 100, 2)
    twins = np.full(100, -1)
    twins[kept] = np.arange(50)
    found = scores(NaiveBayes(), columns, [c.take(kept) for c in columns], target, target.take(kept), twins)
    assert found.released_true_labels.n == 100
    assert found.released_labels.n == 50
    assert existing(found.released_true_labels.value) > 0.9


def test_the_corrected_learner_is_not_tested_on_released_records() -> None:
    columns, target = people()
    seen: list[Any] = []
    noise = Noise(np.zeros(2), np.zeros(2))
    found = scores(
        NaiveBayes(),
        columns,
        columns,
        target,
        target,
        np.arange(120),
        released_learner=NaiveBayes(noise),
        watch=seen.append,
    )
    assert found.released_labels.value is None
    assert found.released_labels.note
    assert found.released_true_labels.value == found.original.value
    assert len(seen) == 10


@given(st.integers(0, 500), st.integers(1, 7))
def test_nearest_records_by_brute_force_equally_near_ones_by_content(seed: int, k: int) -> None:
    """Thirds and ninths have no exact sums: what is equally near comes out a little more or less so."""
    rng = np.random.default_rng(seed)
    train, test = (
        Compared(rng.integers(4, size=(rows, 2)) / [3, 9], rng.integers(2, size=(1, rows)).astype(np.uint8))
        for rows in (40, 5)
    )
    apart = ((test.numbers[:, None] - train.numbers) ** 2).sum(axis=2) + 2 * (train.names != test.names.T)
    order = content_order([*train.numbers.T, *train.names], 40)
    nearest = order[np.argsort(np.round(apart[:, order], 9), axis=1, kind="stable")[:, :k]]
    assert find_nearest_records(train, test, k).tolist() == nearest.tolist()
    turned = rng.permutation(40)
    again = find_nearest_records(train.take(turned), test, k)
    assert (train.numbers[turned[again]] == train.numbers[nearest]).all()
    assert (train.names[0, turned[again]] == train.names[0, nearest]).all()


@given(st.integers(0, 500), st.integers(1, 5))
def test_distances_of_names_are_those_of_their_indicators(seed: int, k: int) -> None:
    rng = np.random.default_rng(seed)
    numbers = np.where(rng.random((80, 2)) < 0.1, np.nan, rng.normal(size=(80, 2)))
    records = replace(Records.of_numbers(numbers), codes=rng.integers(-1, 40, (80, 2)), sizes=(40, 40))
    train, test = records.take(np.arange(60)), records.take(np.arange(60, 80))
    encoder = Encoder.fit(train)
    one, other = (encoder.matrix(each).astype(np.float64) for each in (train, test))
    apart = ((other[:, None] - one) ** 2).sum(axis=2)
    near = find_nearest_records(Compared.of(encoder, train), Compared.of(encoder, test), k)
    assert np.take_along_axis(apart, near, axis=1) == pytest.approx(np.sort(apart, axis=1)[:, :k], abs=1e-5)


# --- little tables ---------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS, ids=IDS)
@pytest.mark.parametrize(
    ("before", "target", "words"),
    case_rows("models-what-cannot-be-learnt-is-said-in-words", lists=True),
)
def test_what_cannot_be_learnt_is_said_in_words(
    learner: Any, before: Sequence[list[str]], target: Sequence[str], words: str
) -> None:
    columns = [text(values, f"c{i}") for i, values in enumerate(before)]
    found = scores(learner, columns, columns, text(target, "y"), text(target, "y"), np.arange(len(target)))
    assert found.original.value is None
    assert words in str(found.original.note)
    assert found.folds == 0


# --- public data -----------------------------------------------------------------------------


def from_file(path: Path) -> list[Column]:
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [
        Column.from_texts(
            name,
            [row[name] for row in rows],
            kind="numeric",
            style=NumberStyle.seen_in([row[name] for row in rows]),
        )
        for name in rows[0]
    ]


def test_nearest_record_on_pima_as_the_page_says(data_folder: Path) -> None:
    """Page B5: 1-NN accuracy of the original .7105, sd of one fold .05."""
    *columns, target = from_file(data_folder / "pima.csv")
    label = text(target.values(), "class")
    found = scores(NearestNeighbours(1), columns, columns, label, label, np.arange(768))
    assert found.original.value == pytest.approx(0.7105, abs=0.02)
    assert existing(found.original.low) < 0.7105 < existing(found.original.high)
    assert found.baseline.value == pytest.approx(500 / 768, abs=1e-3)


def test_within_one_year_on_abalone_as_the_page_says(data_folder: Path) -> None:
    """Page B5: within one year by the nearest record .514 (+- .023)."""
    found = from_file(data_folder / "abalone.csv")
    columns, rings = [c for c in found if c.name not in ("rings", "sex")], found[-1]
    assert rings.name == "rings"
    original, released = paired_records(columns, columns)
    near = tasks_of(rings, rings)[1]
    share = cross_validate(near, NearestNumber(1), original, released, np.arange(len(rings)))
    assert share.original.value == pytest.approx(0.514, abs=0.023)
