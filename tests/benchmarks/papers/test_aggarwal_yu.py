"""The page's part on Aggarwal & Yu: reading the data, condensing a fold, and what the lines say."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ppdm_desktop.engine.release.measures.condensed_models import LEARNERS
from tests.benchmarks.papers.aggarwal_yu import cells
from tests.benchmarks.papers.aggarwal_yu_data import DataSet, Fold, read
from tests.benchmarks.papers.cells import Asked
from tests.benchmarks.papers.verdicts import verdict

pytestmark = pytest.mark.thorough


def made(rows: int = 240, *, is_number: bool = False) -> DataSet:
    rng = np.random.default_rng(7)
    target = rng.integers(0, 2, rows)
    x = rng.standard_normal((rows, 3)) + 4.0 * target[:, None]
    return DataSet("Abalone", x, 3 + 5 * target, is_number=True) if is_number else DataSet("Pima", x, target)


def test_reading_with_commas_blanks_names_and_a_heading(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text("a,b,c,class\n1,0,2.5,g\n3,0,4.5,b\n", encoding="utf-8")
    found = read(tmp_path / "one.csv", "Ionosphere")
    assert found.x.tolist() == [[1.0, 2.5], [3.0, 4.5]]  # the constant column tells nothing
    assert found.target.tolist() == [1, 0]
    (tmp_path / "two.data").write_text("AAT_ECOLI  0.49  0.29  cp\nACEA_ECOLI  0.07  0.40  im\n\n", encoding="utf-8")
    found = read(tmp_path / "two.data", "Ecoli")
    assert found.x.tolist() == [[0.49, 0.29], [0.07, 0.40]]
    assert found.target.tolist() == [0, 1]
    (tmp_path / "three.csv").write_text("x,y\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no numbers"):
        read(tmp_path / "three.csv", "Ecoli")


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


def test_statistics_alone_tell_what_is_easy_to_tell() -> None:
    data = made()
    train, test = next(data.folds(0))
    for learner in LEARNERS:
        assert Fold(data, train, test, 10, 0).direct(learner) >= 0.95


def test_rare_classes_are_pooled() -> None:
    data = made()
    rare = DataSet(data.name, data.x, np.where(np.arange(240) < 6, 2, data.target))
    train, test = next(rare.folds(0))
    fold = Fold(rare, train, test, 30, 0)
    for each in (fold.static("best-of"), fold.dynamic("safe")):
        assert each.accuracy >= 0.9
        assert each.below == 0


def test_the_cells_of_a_data_set_hold_both_figures_and_the_sentences(tmp_path: Path) -> None:
    found = {
        (cell.shown, cell.what): cell.value
        for cell in cells(made(), ("Fig. 12", "Fig. 13"), Asked(tmp_path, quick=True))
    }
    assert found["Fig. 12", "original"] == 1.0
    apart = found["Fig. 12", "dynamic at 50"] - found["Fig. 12", "original"]
    assert found["Fig. 12", "dynamic at 50, difference"] == pytest.approx(apart)
    assert found["Fig. 12", "dynamic at 50, upper end"] >= apart
    assert found["Fig. 12", "dynamic, safe rule at 50, short"] == 0
    gap = found["Fig. 12", "static at 50"] - found["Fig. 12", "static at 5"]
    assert found["Fig. 12", "static, largest size less smallest"] == pytest.approx(gap)
    assert found["Fig. 13", "static, lowest"] == min(found["Fig. 13", f"static at {alpha}"] for alpha in (5, 50))
    assert {f"told by {each.id} at 5" for each in LEARNERS} <= {what for _, what in found}


def test_verdicts_are_those_of_a_paired_t_test() -> None:
    found = verdict(np.array([0.02, 0.03, 0.04, 0.03]))
    assert (found.word, found.words) == ("better", "better (+0.030 ± 0.013)")
    assert verdict(np.array([-0.02, -0.03, -0.04, -0.03])).word == "worse"
    assert verdict(np.array([0.02, -0.03, 0.04, -0.03])).word == "no difference"
    # Training records that tests share say the same thing twice.
    assert verdict(np.array([0.02, 0.03, 0.04, 0.03]), overlap=1.0).word == "better"
    assert verdict(np.array([0.01, 0.03, 0.05, 0.03]), overlap=1.0).word == "no difference"
