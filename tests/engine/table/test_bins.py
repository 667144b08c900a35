"""Binning: no value split, labels as the contract writes them, draws inside their bin."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.table.bins import apply_bins, draw_numbers, equal_frequency_cuts
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.kinds import apply_columns
from ppdm_desktop.engine.table.mdl import mdl_cuts

STREAMS = StepStream(Key.from_seed(1), "00" * 32, "11" * 32, 0)


def binned(texts: list[str], bins: dict[str, object], **more: object) -> tuple[Table, Table, dict[str, ColumnSection]]:
    section = ColumnSection.model_validate({"role": "confidential", "kind": "numeric", "bins": bins, **more})
    sections = {"x": section}
    table = apply_columns(Table((Column.from_texts("x", texts),), np.arange(1, len(texts) + 1)), sections, ".")
    return apply_bins(table, sections), table, sections


def labels(texts: list[str], bins: dict[str, object], **more: object) -> list[str]:
    return binned(texts, bins, **more)[0].column("x").values()


def test_labels_open_and_closed() -> None:
    texts = ["1", "2", "3", "4", ""]
    assert labels(texts, {"method": "equal-frequency", "count": 2}) == ["< 3", "< 3", "≥ 3", "≥ 3", ""]
    closed = labels(texts, {"method": "cuts", "at": [2.5]}, bounds=[0, 10])
    assert closed == ["[0, 2.5)", "[0, 2.5)", "[2.5, 10]", "[2.5, 10]", ""]
    wide = labels(texts, {"method": "equal-width", "count": 2}, bounds=[0, 10])
    assert wide == ["[0, 5)"] * 4 + [""]


def test_private_extremes_are_never_an_edge() -> None:
    found = labels(["-987", "5", "6", "7", "8", "9999"], {"method": "equal-frequency", "count": 3})
    assert not any("987" in label or "9999" in label for label in found)


def test_no_value_is_split_and_equal_cuts_merge() -> None:
    found = labels(["1"] * 9 + ["2"], {"method": "equal-frequency", "count": 4})
    assert set(found) == {"< 2", "≥ 2"}


@given(st.lists(st.integers(-50, 50), min_size=1, max_size=60), st.integers(2, 8))
def test_equal_frequency_against_its_definition(values: list[int], count: int) -> None:
    found = labels([str(v) for v in values], {"method": "equal-frequency", "count": count})
    ordered = sorted(values)
    cuts = set()
    for i in range(1, count):
        # The first distinct value whose cumulative count reaches i*n/count.
        value = next(v for v in ordered if sum(w <= v for w in ordered) * count >= i * len(ordered))
        if value < ordered[-1]:
            cuts.add(value)
    expected = [sum(v > cut for cut in cuts) for v in values]
    order = {label: i for i, label in enumerate(dict.fromkeys(label for _, label in sorted(zip(values, found))))}
    assert [order[label] for label in found] == [sorted(set(expected)).index(e) for e in expected]
    assert len(set(found)) <= count


def test_counts_near_the_limit_do_not_round() -> None:
    assert equal_frequency_cuts(np.array([1, 1, 1]), 3) == [0, 1]
    assert equal_frequency_cuts(np.array([3]), 2) == []


@given(st.lists(st.integers(0, 100), min_size=1, max_size=40), st.integers(0, 2**31))
def test_every_record_is_drawn_inside_its_bin_on_the_grid(values: list[int], seed: int) -> None:
    texts = [str(v) for v in values]
    table, original, sections = binned(texts, {"method": "cuts", "at": [20, 50.5], "release": "draw"}, bounds=[0, 100])
    streams = StepStream(Key.from_seed(seed), "00" * 32, "11" * 32, 0)
    drawn = draw_numbers(table, original, sections, streams).column("x")
    assert drawn.kind == "numeric"
    for value, text in zip(values, drawn.values(), strict=True):
        edges = [0, 20, 51, 101]
        bin_of = sum(value >= e for e in (20, 50.5))
        assert edges[bin_of] <= int(text) < edges[bin_of + 1]


def test_draws_need_bounds_and_values_stay_inside() -> None:
    with pytest.raises(RecipeError, match="width-needs-bounds"):
        labels(["1", "2"], {"method": "equal-width", "count": 2})
    table, original, sections = binned(["1", "2"], {"method": "cuts", "at": [2], "release": "draw"})
    with pytest.raises(RecipeError, match="draw-needs-bounds"):
        draw_numbers(table, original, sections, STREAMS)
    with pytest.raises(InputError) as caught:
        labels(["1", "11"], {"method": "cuts", "at": [2]}, bounds=[0, 10])
    assert (caught.value.id, caught.value.row) == ("error.bins.outside-bounds", 2)
    with pytest.raises(RecipeError, match="not-numeric"):
        sections = {
            "x": ColumnSection.model_validate(
                {"role": "other", "kind": "nominal", "bins": {"method": "cuts", "at": [1]}}
            )
        }
        apply_bins(apply_columns(Table((Column.from_texts("x", ["a"]),), np.array([1])), sections, "."), sections)


def test_mdl_finds_the_clean_cut_and_leaves_noise_alone() -> None:
    values = np.arange(100, dtype=float)
    assert mdl_cuts(values, (values >= 37).astype(np.int64)) == [36]
    random = np.random.default_rng(3).integers(0, 2, 100)
    assert mdl_cuts(values, random) == []
    three = np.digitize(values, [20, 60])
    assert mdl_cuts(values, three) == [19, 59]
