"""Binning: no value split, labels as the contract writes them, draws inside their bin."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.table.bins import apply_bins, draw_numbers
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.kinds import apply_columns


def binned(texts: list[str], bins: dict[str, object], **more: Any) -> tuple[Table, Table, dict[str, ColumnSection]]:
    section = ColumnSection.model_validate({"role": "confidential", "kind": "numeric", "bins": bins, **more})
    sections = {"x": section}
    table = apply_columns(Table((Column.from_texts("x", texts),), np.arange(1, len(texts) + 1)), sections, ".")
    return apply_bins(table, sections), table, sections


def labels(texts: list[str], bins: dict[str, object], **more: Any) -> list[str]:
    return binned(texts, bins, **more)[0].column("x").values()


def test_labels_open_and_closed() -> None:
    texts = ["1", "2", "3", "4", ""]
    assert labels(texts, {"method": "equal-frequency", "count": 2}) == ["< 3", "< 3", "≥ 3", "≥ 3", ""]
    closed = labels(texts, {"method": "cuts", "at": [2.5]}, bounds=[0, 10])
    assert closed == ["[0.0, 2.5)", "[0.0, 2.5)", "[2.5, 10.0]", "[2.5, 10.0]", ""]
    wide = labels(texts, {"method": "equal-width", "count": 2}, bounds=[0, 10])
    assert wide == ["[0, 5)"] * 4 + [""]


def test_private_extremes_are_never_an_edge() -> None:
    found = labels(["-987", "5", "6", "7", "8", "9999"], {"method": "equal-frequency", "count": 3})
    assert not any("987" in label or "9999" in label for label in found)


@pytest.mark.parametrize("method", ["equal-frequency", "mdl"])
@pytest.mark.parametrize("side", [1, -1])
def test_no_edge_tells_how_far_away_an_extreme_is(method: str, side: int) -> None:
    def edges(extreme: int) -> tuple[str, ...]:
        numbers = [100] * 200 + [101] * 198 + [extreme] * 4
        bins = {"method": "mdl", "against": "y"} if method == "mdl" else {"method": method, "count": 20}
        section = ColumnSection.model_validate({"role": "confidential", "kind": "numeric", "bins": bins})
        classes = ["a"] * 398 + ["b"] * 4
        columns = (Column.from_texts("x", [str(side * v) for v in numbers]), Column.from_texts("y", classes))
        table = apply_columns(Table(columns, np.arange(1, 403)), {"x": section}, ".")
        return tuple(apply_bins(table, {"x": section}).column("x").categories)

    # The extreme may lie anywhere beyond the rest: the categories are the same.
    assert edges(102) == edges(5_000) == edges(999_983)


def test_no_value_is_split_and_equal_cuts_merge() -> None:
    found = labels(["1"] * 9 + ["2"], {"method": "equal-frequency", "count": 4})
    assert set(found) == {"< 2", "≥ 2"}


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60), st.integers(2, 8))
def test_equal_frequency_against_its_definition(values: list[int], count: int) -> None:
    ordered = sorted(values)
    cuts = set()
    for i in range(1, count):
        # The first distinct value whose cumulative count reaches i*n/count.
        value = next(v for v in ordered if sum(w <= v for w in ordered) * count >= i * len(ordered))
        if value < ordered[-1]:
            cuts.add(value)
    wish = {"method": "equal-frequency", "count": count}
    if not cuts:
        with pytest.raises(InputError, match="one-bin"):
            labels([str(v) for v in values], wish)
        return
    found = labels([str(v) for v in values], wish)
    expected = [sum(v > cut for cut in cuts) for v in values]
    order = {label: i for i, label in enumerate(dict.fromkeys(label for _, label in sorted(zip(values, found))))}
    assert [order[label] for label in found] == [sorted(set(expected)).index(e) for e in expected]
    assert len(set(found)) <= count


@given(st.lists(st.integers(0, 100), min_size=1, max_size=40), st.integers(0, 2**31))
def test_every_record_is_drawn_inside_its_bin_on_the_grid(values: list[int], seed: int) -> None:
    texts = [str(v) for v in values]
    table, original, sections = binned(texts, {"method": "cuts", "at": [20, 50.5], "release": "draw"}, bounds=[0, 100])
    streams = StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 0)
    drawn = draw_numbers(table, original, sections, streams.stream).column("x")
    assert drawn.kind == "numeric"
    for value, text in zip(values, drawn.values(), strict=True):
        edges = [0, 20, 51, 101]
        bin_of = sum(value >= e for e in (20, 50.5))
        assert edges[bin_of] <= int(text) < edges[bin_of + 1]


def test_draws_need_bounds_and_values_stay_inside() -> None:
    with pytest.raises(RecipeError, match="draw-needs-bounds"):
        binned(["1", "2"], {"method": "cuts", "at": [2], "release": "draw"})
    with pytest.raises(InputError) as caught:
        labels(["1", "11"], {"method": "cuts", "at": [2]}, bounds=[0, 10])
    assert caught.value.row == 2


def test_only_numbers_are_cut() -> None:
    wish = {"role": "other", "kind": "nominal", "bins": {"method": "cuts", "at": [1]}}
    sections = {"x": ColumnSection.model_validate(wish)}
    table = Table((Column.from_texts("x", ["a"]),), np.array([1]))
    with pytest.raises(RecipeError, match="key-without-kind"):
        apply_columns(table, sections, ".")
    with pytest.raises(RecipeError, match="not-numeric"):
        apply_bins(table, sections)


def test_mdl_finds_the_clean_cut_and_refuses_noise() -> None:
    def cut(classes: list[str]) -> list[str]:
        section = ColumnSection.model_validate(
            {"role": "other", "kind": "numeric", "bins": {"method": "mdl", "against": "y"}}
        )
        numbers = Column.from_texts("x", [str(i) for i in range(100)])
        table = Table((numbers, Column.from_texts("y", classes)), np.arange(1, 101))
        sections = {"x": section}
        return list(apply_bins(apply_columns(table, sections, "."), sections).column("x").categories)

    assert cut(["a" if i < 37 else "b" for i in range(100)]) == ["< 37", "≥ 37"]
    assert cut(["a" if i < 20 else "b" if i < 60 else "c" for i in range(100)]) == ["< 20", "[20, 60)", "≥ 60"]
    noise = np.random.default_rng(3).integers(0, 2, 100)
    with pytest.raises(InputError, match="one-bin"):
        cut([str(each) for each in noise])
