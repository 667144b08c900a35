"""The page's part on Vijayarani & Tamilarasi: the worked example, and figures a reader can check."""

from __future__ import annotations

import pytest

from tests.benchmarks.papers.vijayarani_measures import (
    CLUSTERS,
    COLUMNS,
    Result,
    measured,
)
from tests.benchmarks.papers.vijayarani_tamilarasi import table_2


def test_table_2_says_what_agrees_and_what_not() -> None:
    text = "\n".join(table_2())
    assert "we get 9 (Bit++), 9 (Bit--), 9 (additive noise" in text
    assert "6 (microaggregation)" in text
    assert "| Sita | 8763 | missing / 8874 | missing / 8652 | missing / 32346 | 32345.35 | missing / 9006 |" in text
    assert "17143.85 and 34287.70" in text
    assert "57971.7 instead of 47164.7" in text


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
