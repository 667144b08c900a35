"""A figure cannot be without its meaning, and the interval of a share is Wilson's."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest
from scipy import stats

from ppdm_desktop.engine.figure import Z_95, Figure, wilson
from ppdm_desktop.engine.wording.catalogue import untranslated


def test_a_figure_that_was_not_computed_says_why() -> None:
    with pytest.raises(ValueError, match="note that says why"):
        Figure(None)
    with pytest.raises(ValueError, match="note that says why"):
        Figure(None, note=None)
    absent = Figure.absent(untranslated("nothing to count"), unit="records", method=untranslated("counted"))
    assert absent == Figure(None, unit="records", method=untranslated("counted"), note=untranslated("nothing to count"))


@pytest.mark.parametrize("key", ["method", "note"])
def test_what_is_said_of_a_figure_is_a_message(key: str) -> None:
    with pytest.raises(TypeError, match="message"):
        Figure(1.0, **{key: "in English only"})  # type: ignore[arg-type]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("place", ["value", "low", "high"])
def test_a_figure_is_finite(odd: float, place: str) -> None:
    whole: dict[str, Any] = {"value": 1.0, "low": 0.0, "high": 2.0}
    assert Figure(**whole).document()["low"] == 0.0
    with pytest.raises(ValueError, match="finite"):
        Figure(**{**whole, place: odd})


def test_a_figure_is_written_in_the_order_of_the_contract_and_never_changed() -> None:
    figure = Figure(3, n=4, unit="records", method=untranslated("counted"))
    assert list(figure.document()) == ["value", "low", "high", "n", "unit", "method", "note"]
    assert figure.document()["low"] is None
    assert figure.document()["method"] == {"is": "sentence", "context": "", "english": "counted", "values": {}}
    assert figure.document()["n"] == 4
    with pytest.raises(dataclasses.FrozenInstanceError):
        figure.n = 5  # type: ignore[misc]


@pytest.mark.parametrize(("hits", "of"), [(0, 1), (1, 1), (0, 20), (20, 20), (3, 10), (499, 1000)])
def test_the_interval_of_a_share_is_that_of_scipy(hits: int, of: int) -> None:
    other = stats.binomtest(hits, of).proportion_ci(0.95, "wilson")
    assert wilson(hits / of, of) == pytest.approx((other.low, other.high), abs=1e-12)
    low, high = wilson(hits / of, of)
    assert 0.0 <= low <= hits / of <= high <= 1.0


def test_of_nobody_everything_is_possible() -> None:
    assert wilson(0.5, 0) == (0.0, 1.0)
    assert pytest.approx(stats.norm.ppf(0.975), abs=1e-12) == Z_95
