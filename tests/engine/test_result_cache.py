"""What learners said is kept by content: found again exactly where all is the same, bounded, and never half."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.result_cache import RESULTS, ResultCache
from ppdm_desktop.engine.utility.models import crossval
from ppdm_desktop.engine.utility.models.crossval import Always, Scores, cross_validate, make_learner_key
from ppdm_desktop.engine.utility.models.features import Records
from ppdm_desktop.engine.utility.models.naive_bayes import NaiveBayes, Noise
from ppdm_desktop.engine.utility.models.nearest import NearestNeighbours, NearestNumber
from ppdm_desktop.engine.utility.models.suite import DecisionTree
from ppdm_desktop.engine.utility.models.tasks import Task
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import LazyText

ROWS = 60


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    RESULTS.clear()
    Counting.fitted = 0
    yield
    RESULTS.clear()


@dataclass(frozen=True)
class Counting:
    """Says the first label it saw, and counts how often it learned."""

    shift: int = 0
    most_rows: int = 1_000
    fewest_rows: int = 2
    fitted: ClassVar[int] = 0

    @property
    def id(self) -> str:
        return "counting"

    @property
    def method(self) -> LazyText:
        return untranslated("counts")

    def fit(self, records: Records, labels: Ints, classes: int) -> Always:
        Counting.fitted += 1
        return Always((int(labels[0]) + self.shift) % max(classes, 1))


def records(seed: int = 1) -> Records:
    draw = np.random.default_rng(seed)
    numbers = draw.integers(0, 5, (ROWS, 2)).astype(np.float64)
    numbers[3, 0] = np.nan
    codes = draw.integers(-1, 4, (ROWS, 2)).astype(np.int64)
    return Records(numbers, codes, (4, 4), np.zeros(2, dtype=np.bool_))


def task(seed: int = 2, *, released: int = 2) -> Task:
    before, after = (np.random.default_rng(each).integers(0, 3, ROWS).astype(np.int64) for each in (seed, released))
    known = np.ones(ROWS, dtype=np.bool_)
    return Task("Illness", untranslated("which of its values"), before, after, known, known, 3)


def validate(learner: Any, asked: Task, original: Records, released: Records) -> Scores:
    return cross_validate(asked, learner, original, released, np.arange(ROWS))


def folds_of(asked: Task) -> int:
    return crossval.fold_count(asked.before)


def test_the_original_is_learned_once_and_the_same_release_not_again() -> None:
    asked, folds = task(), folds_of(task())
    first = validate(Counting(), asked, records(), records())
    assert Counting.fitted == folds, "both sides are the same"
    noisy = replace(records(), numbers=records().numbers + 1)
    validate(Counting(), asked, records(), noisy)
    assert Counting.fitted == 2 * folds, "the released side alone is new"
    assert validate(Counting(), asked, records(), records()) == first
    assert Counting.fitted == 2 * folds


def test_whatever_is_different_is_learned_again() -> None:
    asked, folds = task(), folds_of(task())
    validate(Counting(), asked, records(), records())
    other = records()
    other.numbers[7, 1] += 1e-9
    other_labels = replace(asked, before=np.roll(asked.before, 1), after=np.roll(asked.after, 1))
    more_classes = replace(asked, classes=4)
    expected = Counting.fitted
    for case in (
        (Counting(1), asked, records(), records()),
        (Counting(), other_labels, records(), records()),
        (Counting(), more_classes, records(), records()),
        (Counting(), asked, other, other),
        (Counting(), asked, replace(records(), sizes=(5, 4)), replace(records(), sizes=(5, 4))),
    ):
        validate(*case)
        expected += folds
        assert Counting.fitted == expected, case


def test_a_learner_that_holds_more_than_plain_values_is_not_kept() -> None:
    noise = Noise(np.array([1.0]), np.array([0.0]))
    assert make_learner_key(NaiveBayes(noise)) is None
    assert make_learner_key(object()) is None
    assert make_learner_key(DecisionTree(3)) != make_learner_key(DecisionTree(4))
    assert make_learner_key(NearestNeighbours(1)) != make_learner_key(NearestNumber(1))


def test_what_is_stopped_leaves_nothing_behind() -> None:
    kept = ResultCache()

    def stopped() -> Ints:
        raise Cancelled

    with pytest.raises(Cancelled):
        kept.get("key", stopped)
    assert kept.used_bytes == 0
    assert kept.get("key", lambda: np.arange(3)).tolist() == [0, 1, 2]
