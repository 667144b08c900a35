"""The page's part on Aggarwal & Yu: reading the data, condensing a fold, and what the lines say."""

from __future__ import annotations

import numpy as np
import pytest

from tests.benchmarks.papers.aggarwal_yu_data import DataSet, Fold
from tests.benchmarks.papers.verdicts import verdict

pytestmark = pytest.mark.thorough


def made(rows: int = 240, *, is_number: bool = False) -> DataSet:
    rng = np.random.default_rng(7)
    target = rng.integers(0, 2, rows)
    x = rng.standard_normal((rows, 3)) + 4.0 * target[:, None]
    return DataSet("Abalone", x, 3 + 5 * target, is_number=True) if is_number else DataSet("Pima", x, target)


@pytest.mark.parametrize("is_number", [False, True])
def test_what_is_easy_to_tell_stays_easy(is_number: bool) -> None:
    data = made(is_number=is_number)
    train, test = next(data.folds(0))
    fold = Fold(data, train, test, 10, 0)
    assert fold.original() == 1.0
    ways = [fold.static("best-of"), fold.dynamic("safe"), fold.dynamic("paper")]
    for each in ways:
        assert each.accuracy >= 0.95
        assert each.mu > 0.95
        assert 0 < each.ssq < 1
        assert each.waiting <= 5  # of 216, and all of them are in a group at the end
    assert (ways[0].below, ways[1].below) == (0, 0)


def test_verdicts_are_those_of_a_paired_t_test() -> None:
    found = verdict(np.array([0.02, 0.03, 0.04, 0.03]))
    assert (found.word, found.words) == ("better", "better (+0.030 ± 0.013)")
    assert verdict(np.array([-0.02, -0.03, -0.04, -0.03])).word == "worse"
    assert verdict(np.array([0.02, -0.03, 0.04, -0.03])).word == "no difference"
    # Training records that tests share say the same thing twice.
    assert verdict(np.array([0.02, 0.03, 0.04, 0.03]), overlap=1.0).word == "better"
    assert verdict(np.array([0.01, 0.03, 0.05, 0.03]), overlap=1.0).word == "no difference"
