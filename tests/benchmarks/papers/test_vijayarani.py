"""The page's part on Vijayarani & Tamilarasi: the worked example, and figures a reader can check."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.benchmarks.papers import vijayarani_tamilarasi
from tests.benchmarks.papers.cells import Asked
from tests.benchmarks.papers.vijayarani_measures import (
    CLUSTERS,
    COLUMNS,
    PAPERS,
    Result,
    measured,
)
from tests.benchmarks.papers.vijayarani_tamilarasi import employees

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def small() -> dict[str, Result]:
    return measured(400, 3)


def test_what_everybody_can_take_back(small: dict[str, Result]) -> None:
    for name in ("Bit++", "Bit--", "additive noise"):
        assert set(small[name].values["recovered"].values()) == {1.0}
    groups = small["microaggregation, best groups of 3"]
    for name in COLUMNS:
        values = groups.values
        # Nothing is known of averages but that they are the values.
        assert values["recovered"][name] == pytest.approx(1 - values["changed"][name])


def test_three_clusters_are_three_clusters(small: dict[str, Result]) -> None:
    found = small["microaggregation, 3 clusters"]
    assert set(found.clusters[3, "matched"].values()) == {1.0}
    assert found.agreement("matched") < 1
    both = [(found.clusters[k, "matched"][n], found.clusters[k, "by_sizes"][n]) for k in CLUSTERS for n in COLUMNS]
    assert all(matched <= sizes + 1e-12 for matched, sizes in both)
    assert 0.9 < small["Bit++"].mean("mean") < 1


def test_the_best_of_each_figure_is_held_against_the_best_other(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(vijayarani_tamilarasi, "_QUICK_SIZES", (200,))
    found = {(cell.shown, cell.what): cell for cell in employees(Asked(tmp_path, quick=True))}
    for shown, first in (("Fig. 2", "additive noise"), ("Fig. 3", "Bit++"), ("Fig. 4", "Bit++")):
        own = {name: found[shown, f"{name}, 200 records"].value for name in PAPERS}
        best = max(value for name, value in own.items() if name != first)
        lead = f"{first} less the best other, least of all sizes"
        assert found[shown, lead].value == pytest.approx(own[first] - best)
    # What was reached before a stop is not measured again.
    again = list(employees(Asked(tmp_path, quick=True, known=found)))
    assert [cell.what for cell in again] == [what for _, what in found if what.endswith("of all sizes")]
