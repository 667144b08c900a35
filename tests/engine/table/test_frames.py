"""DataFrames in and out: the rules by which values become exact texts, and the way back."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from thoroughness import examples

from ppdm_desktop.api import Table
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.engine.table.reading.memory_source import MemorySource
from ppdm_desktop.engine.table.writing.delimited import write_delimited


def only(values: Any, **more: Any) -> Column:
    """The one column of a frame with these values."""
    return Table.from_frame(pd.DataFrame({"x": pd.Series(values, **more)})).column("x")


def held(table: Table) -> MemorySource:
    return MemorySource(table, write_delimited(table, guarded=False), Path("frame"))


@pytest.mark.parametrize(
    ("values", "more", "kind", "texts"),
    [
        ([1, -20, 3], {}, "numeric", ["1", "-20", "3"]),
        ([1, None, 3], {"dtype": "Int64"}, "numeric", ["1", "", "3"]),
        ([1.0, None, 3.0], {}, "numeric", ["1", "", "3"]),
        ([0.1, 2.0, float("nan")], {}, "numeric", ["0.1", "2", ""]),
        ([1e-7, 1.5], {}, "numeric", ["0.0000001", "1.5"]),
        ([-0.0, 1.0], {}, "numeric", ["0", "1"]),
        ([-0.0, 0.5], {}, "numeric", ["0", "0.5"]),
        ([0.1, 0.25], {"dtype": "float32"}, "numeric", ["0.1", "0.25"]),
        ([0.5, None], {"dtype": "Float64"}, "numeric", ["0.5", ""]),
        ([True, False], {}, "nominal", ["True", "False"]),
        ([True, None], {"dtype": "boolean"}, "nominal", ["True", ""]),
        (["a", None, "b"], {}, "nominal", ["a", "", "b"]),
        (["007", "12"], {}, "nominal", ["007", "12"]),
        (["12", "13"], {}, "nominal", ["12", "13"]),
        (["2024-01-05", "2024-02-01"], {}, "nominal", ["2024-01-05", "2024-02-01"]),
        ([" a ", 'say "x", y', "two\nlines"], {}, "nominal", [" a ", 'say "x", y', "two\nlines"]),
        ([2**53, 2**60], {}, "nominal", [str(2**53), str(2**60)]),
    ],
)
def test_values_become_exact_texts(values: list[Any], more: dict[str, Any], kind: str, texts: list[str]) -> None:
    found = only(values, **more)
    assert (found.kind, found.values()) == (kind, texts)
    assert found.missing.tolist() == [text == "" for text in texts]


def test_whole_floats_of_2_to_the_53_and_more_are_not_taken_for_whole_numbers() -> None:
    assert only([2.0**53 - 1, 1.0]).values() == [str(2**53 - 1), "1"]
    assert only([2.0**53, 1.5]).values() == ["9007199254740992", "1.5"]
    assert only([2.0**60, 1.0]).values() == ["1152921504606847000", "1"], "the shortest text that gives it back"


def test_points_in_time() -> None:
    assert only(pd.to_datetime(["2024-02-29", None])).values() == ["2024-02-29", ""]
    timed = only(pd.to_datetime(["2024-02-29 00:00:00", "2024-03-01 07:05:09"]))
    assert timed.values() == ["2024-02-29T00:00:00", "2024-03-01T07:05:09"]
    assert timed.kind == "date"
    assert only(pd.to_datetime(["2024-03-01 07:05:09.25"])).values() == ["2024-03-01T07:05:09.250000"]


def test_categories() -> None:
    ordered = only(pd.Categorical(["low", None, "high"], categories=["low", "mid", "high"], ordered=True))
    assert (ordered.kind, ordered.order, ordered.values()) == ("ordinal", ("low", "mid", "high"), ["low", "", "high"])
    free = only(pd.Categorical([3, 1, 3]))
    assert (free.kind, free.order, free.values()) == ("nominal", None, ["3", "1", "3"])


@pytest.mark.parametrize(
    ("values", "type"),
    [
        ([Decimal(1), Decimal(2)], "Decimal"),
        (["a", 3], "int"),
        ([dt.date(2024, 1, 1)], "date"),
        (pd.to_timedelta(["1 day"]), "timedelta64"),
        (pd.to_datetime(["2024-01-01"]).tz_localize("UTC"), "UTC"),
        ([1 + 2j], "complex128"),
        ([b"x"], "bytes"),
    ],
)
def test_any_other_type_is_refused_by_name(values: Any, type: str) -> None:
    with pytest.raises(InputError) as refused:
        only(values)
    assert (refused.value.id, refused.value.column) == ("error.frame.type", "x")
    assert type in str(refused.value.arguments["type"])
    assert "x" in refused.value.__notes__[0]


def test_infinite_numbers_are_refused_with_their_row() -> None:
    with pytest.raises(InputError) as refused:
        only([1.0, 2.0, float("-inf")])
    assert (refused.value.id, refused.value.column, refused.value.row) == ("error.frame.infinite", "x", 4)


def test_names_index_and_roles() -> None:
    frame = pd.DataFrame([[1, 2, 3]], columns=["a", "a", 7])
    assert Table.from_frame(frame).names == ("a", "a#2", "7")
    frame.index = pd.Index(["who"], name="id")
    found = Table.from_frame(frame, {"id": "identifier"})
    assert found.names == ("id", "a", "a#2", "7")
    assert [column.role for column in found.columns] == ["identifier", None, None, None]
    with pytest.raises(RecipeError):
        Table.from_frame(frame, {"b": "other"})
    with pytest.raises(RecipeError):
        Table.from_frame(frame, {"a": "secret"})
    with pytest.raises(InputError):
        Table.from_frame(frame.iloc[:0])


def test_the_way_back_has_the_types_of_the_kinds() -> None:
    frame = pd.DataFrame(
        {
            "whole": [1, 2, None],
            "part": [0.5, None, 2.25],
            "rank": pd.Categorical(["b", "a", None], categories=["b", "a"], ordered=True),
            "word": ["x", None, "y"],
            "day": pd.to_datetime(["2024-01-02", None, "1999-12-31"]),
        }
    )
    back = Table.from_frame(frame).to_frame()
    assert [str(each) for each in back.dtypes] == ["Int64", "Float64", "category", "string", "datetime64[s]"]
    assert back.isna().equals(frame.isna())
    assert back["rank"].cat.categories.tolist() == ["b", "a"]
    assert back["day"].dropna().tolist() == frame["day"].dropna().tolist()


WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\0\r"), min_size=1, max_size=8)
COLUMNS = st.one_of(
    st.lists(st.one_of(st.none(), st.integers(-(10**14), 10**14)), min_size=4, max_size=4).map(
        lambda values: pd.Series(values, dtype="Int64")
    ),
    st.lists(
        st.one_of(st.none(), st.decimals(-10_000, 10_000, places=3, allow_nan=False).map(float)), min_size=4, max_size=4
    ).map(lambda values: pd.Series(values, dtype="Float64")),
    st.lists(st.one_of(st.none(), WORDS), min_size=4, max_size=4).map(lambda values: pd.Series(values, dtype="string")),
    st.lists(st.one_of(st.none(), st.dates(dt.date(1000, 1, 1), dt.date(9000, 1, 1))), min_size=4, max_size=4).map(
        lambda values: pd.Series(np.array(values, dtype="datetime64[s]"))
    ),
    st.lists(WORDS, min_size=2, max_size=5, unique=True).flatmap(
        lambda order: st.lists(st.sampled_from([-1, 0, 1]), min_size=4, max_size=4).map(
            lambda codes: pd.Series(pd.Categorical.from_codes(codes, categories=order, ordered=True))
        )
    ),
)


@examples(40)
@given(st.lists(COLUMNS, min_size=1, max_size=4))
def test_there_and_back_and_there_again_is_the_same(columns: list[pd.Series]) -> None:
    first = Table.from_frame(pd.DataFrame(dict(enumerate(columns))))
    again = Table.from_frame(first.to_frame())
    for one, other in zip(first.columns, again.columns, strict=True):
        assert (one.kind, one.order, one.values()) == (other.kind, other.order, other.values())
        assert one.category_codes.tolist() == other.category_codes.tolist()


@examples(40)
@given(st.lists(COLUMNS, min_size=2, max_size=4))
def test_a_frame_is_read_as_the_csv_that_it_would_be(columns: list[pd.Series]) -> None:
    """The texts and the hash are those of a file with these bytes; only kinds may be known better."""
    source = held(Table.from_frame(pd.DataFrame(dict(enumerate(columns)))))
    found = read_source(source, InputSection())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("ppdm_desktop.engine.table.reading.read.load", lambda path: (source.data, "hash"))
        written = read_source(Path("any.csv"), found.options)
    assert [column.values() for column in found.table.columns] == [column.values() for column in written.table.columns]
    assert found.table.row_numbers.tolist() == written.table.row_numbers.tolist()
    assert found.account.format == "frame"
