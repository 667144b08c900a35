"""Generalize: what each rule makes of a column, the rules by default, and refusals."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import classes_in, release
from hypothesis import given
from hypothesis import strategies as st
from number_support import applied
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.errors import GateBlocked, InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.generalisation.recoding import inferred_levels
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.generalised_texts import span_of
from ppdm_desktop.engine.table.hierarchies import Hierarchy
from ppdm_desktop.engine.wording.texts import render

METHOD = find_method("generalize")


def numbers(values: Sequence[float | int | str], **more: Any) -> Column:
    texts = [str(value) for value in values]
    style = NumberStyle.seen_in([text for text in texts if text])
    return Column.from_texts("a", texts, role="quasi-identifier", kind="numeric", style=style, **more)


def names(values: list[str], **more: Any) -> Column:
    return Column.from_texts("a", values, role="quasi-identifier", **more)


def dates(values: list[str]) -> Column:
    column = names(values, kind="date", date_format="%Y-%m-%d")
    return replace(column, order=tuple(sorted(set(values))))


def generalised(column: Column, **parameters: Any) -> Column:
    table = Table((column,), np.arange(1, len(column) + 1))
    settings, result = METHOD.settings(table, None, parameters), applied(METHOD.id, table, **parameters)
    assert render(METHOD.effect(table, settings).id, METHOD.effect(table, settings).arguments).sentence
    return result.table.column("a")


def test_numbers_by_width_number_and_ends() -> None:
    ages = [17, 20, 29, 30, 45, 90]
    by_width = generalised(numbers(ages), width=10)
    assert by_width.values() == ["< 20", "[20, 30)", "[20, 30)", "[30, 40)", "[40, 50)", "≥ 90"]
    assert (by_width.kind, by_width.style) == ("ordinal", None)
    bounded = generalised(numbers(ages, bounds=(0.0, 120.0)), width={"a": 25})
    assert bounded.values() == ["[0, 25)", "[0, 25)", "[25, 50)", "[25, 50)", "[25, 50)", "[75, 120]"]
    assert generalised(numbers(ages), ends={"a": [20, 45]}).values() == ["< 20", "20", "29", "30", "≥ 45", "≥ 45"]
    both = generalised(numbers(ages), width=10, ends={"a": [25, 45]})
    assert both.values() == ["< 25", "< 25", "[25, 30)", "[30, 40)", "≥ 45", "≥ 45"]
    thirds = generalised(numbers(list(range(9))), ranges=3)
    assert thirds.values() == ["< 3"] * 3 + ["[3, 6)"] * 3 + ["≥ 6"] * 3
    halves = generalised(numbers(["0.5", "1.25", "", "2.75"]), width=0.5)
    assert halves.values() == ["< 1.00", "[1.00, 1.50)", "", "≥ 2.50"]
    computed = generalised(numbers(["37.66667", "52.5204", "60"]), width=20)
    assert computed.values() == ["< 40", "[40, 60)", "≥ 60"], "[40.00000, 60.00000) reads as coordinates"


def test_dates_codes_and_hierarchies() -> None:
    days = ["2020-01-31", "2020-04-01", "2021-12-24", ""]
    assert generalised(dates(days), months=1).values() == ["2020-01", "2020-04", "2021-12", ""]
    assert generalised(dates(days), months={"a": 3}).values() == ["2020-Q1", "2020-Q2", "2021-Q4", ""]
    assert generalised(dates(days), months=12).values() == ["2020", "2020", "2021", ""]
    assert generalised(dates(days), months=60).values() == ["≥ 2020"] * 3 + [""]
    assert generalised(dates(["1999-12-31", *days]), months=120).values() == ["[1990, 1999]", *["≥ 2020"] * 3, ""]
    assert generalised(dates(["2019-12-30", *days, "9999-12-31"]), weeks={"a": 1}).values() == [
        "[2019-12-30, 2020-01-05]", "[2020-01-27, 2020-02-02]", "[2020-03-30, 2020-04-05]",
        "[2021-12-20, 2021-12-26]", "", "[9999-12-27, 9999-12-31]",
    ]  # fmt: skip
    rare = ["2020-01-02", "2020-01-09", "2020-02-03", "2020-03-01", "2020-03-08", "2020-05-30", ""]
    joined = generalised(dates(rare), months=1, fewest={"a": 2}).values()
    assert joined == [*["2020-01"] * 2, *["≥ 2020-02"] * 4, ""], "May, one person's, joins the months before it"
    early = generalised(dates(["2019-03-01", "2019-05-01", *rare]), months=1, fewest=2).values()
    assert early[:3] == ["< 2020-01", "< 2020-01", "2020-01"]
    assert generalised(dates([*days, "2031-01-01"]), months=60, fewest=2).values() == [
        "≥ 2020", "≥ 2020", "≥ 2020", "", "≥ 2020",
    ]  # fmt: skip
    assert generalised(dates(days)).values() == ["2020-Q1", "2020-Q2", "2021-Q4", ""], "two years: quarters"
    zips = ["90210", "90211", "10115"]
    assert generalised(names(zips)).values() == ["902**", "902**", "101**"]
    assert generalised(names(zips), characters=1).values() == ["9****", "9****", "1****"]
    assert generalised(names(zips), level=1).values() == ["9021*", "9021*", "1011*"]
    assert set(generalised(names(zips), level=5).values()) == {"*"}
    tree = Hierarchy({"Bonn": ("DE", "*"), "Kiel": ("DE", "*"), "Lyon": ("FR", "*")}, 2)
    cities = names(["Bonn", "Kiel", "Lyon"], hierarchy=tree)
    assert generalised(cities).values() == ["DE", "DE", "FR"]
    assert generalised(cities, level={"a": 2}).values() == ["*"] * 3
    assert generalised(cities).hierarchy is None


def test_ordered_and_plain_names() -> None:
    order = ("none", "school", "college", "degree")
    ranked = replace(names(["none", "school", "college", "degree"], kind="ordinal"), order=order)
    assert generalised(ranked).values() == ["[none, school]"] * 2 + ["[college, degree]"] * 2
    many = names(["x"] * 50 + ["y"] * 45 + ["p", "q", "r", "s", "t"])
    assert generalised(many).values() == ["x"] * 50 + ["y"] * 45 + ["(*)"] * 5
    assert generalised(many, rare=0.001).values()[95:] == ["(*)", "(*)", "r", "s", "t"], "two at least"
    two = names(["x", "y"])
    table = Table((two,), np.arange(1, 3))
    assert [note.id for note in METHOD.check(table, METHOD.settings(table, None, {}))] == ["note.generalize.unchanged"]


@examples(60)
@given(values=st.lists(st.integers(-500, 500), min_size=1, max_size=30), width=st.integers(1, 200))
def test_every_number_lies_in_its_range(values: list[int], width: int) -> None:
    column = numbers(values)
    if len({value // width for value in values}) == 1:
        assert refused(column, width=width) == "error.generalize.one-range"
        return
    found = generalised(column, width=width).values()
    for value, label in zip(values, found, strict=True):
        if label.startswith("<"):
            assert value < int(label[2:])
        elif label.startswith("≥"):
            assert value >= int(label[2:])
        elif width == 1:
            assert value == int(label)
        else:
            low, high = map(int, label[1:-1].split(", "))
            assert low <= value < high
            assert high - low == width


@examples(40)
@given(values=st.lists(st.integers(-10_000, 10_000), min_size=1, max_size=30))
def test_inferred_levels_are_nested_and_end_in_one_text(values: list[int]) -> None:
    column = numbers(values)
    levels = [level().texts for level in inferred_levels(column)]
    assert set(levels[-1]) == {"*"}
    for fine, coarse in itertools.pairwise(levels):
        joined = dict(zip(fine, coarse))
        assert all(joined[one] == other for one, other in zip(fine, coarse))
    assert generalised(column).kind in ("ordinal", "numeric")


def refused(column: Column, **parameters: Any) -> str:
    with pytest.raises((RecipeError, InputError)) as error:
        generalised(column, **parameters)
    assert error.value.column == "a"
    assert render(error.value.id, error.value.arguments).sentence
    return error.value.id


def test_refusals() -> None:
    ages = numbers([1, 2, 30])
    assert refused(ages, width=100) == "error.generalize.one-range"
    assert refused(ages, width={"a": 1e-5}) == "error.generalize.too-narrow"
    assert refused(ages, months={"a": 3}) == "error.generalize.unfit"
    assert refused(ages, width={"a": 5}, ranges={"a": 2}) == "error.generalize.two-rules"
    assert refused(ages, ranges=2.5) == "error.generalize.whole"
    assert refused(ages, ranges=1) == "error.generalize.whole"
    assert refused(ages, level=99) == "error.generalize.no-level"
    assert refused(dates(["2020-01-01"]), months=2) == "error.generalize.period"
    assert refused(dates(["2020-01-01"]), weeks=2) == "error.generalize.period"
    assert refused(names(["x", "y", "z"]), level={"a": 1}) == "error.generalize.no-hierarchy"
    assert refused(names(["x", "y"]), ends={"a": [1, 2]}) == "error.generalize.unfit"


def test_every_parameter_takes_a_number_for_each_column() -> None:
    job = names(["x"] * 50 + ["y"] * 46 + ["p", "q", "r", "s"])
    columns = {
        "age": numbers(range(100)),
        "pay": numbers(range(0, 100_000, 1_000)),
        "born": dates([f"{1900 + year}-05-01" for year in range(100)]),
        "hired": dates([f"2020-{1 + month % 12:02d}-01" for month in range(100)]),
        "zip": names([f"{90_000 + row}" for row in range(100)]),
        "job": job,
        "town": job,
    }
    table = Table(tuple(replace(column, name=name) for name, column in columns.items()), np.arange(1, 101))
    settings = METHOD.settings(
        table,
        list(columns),
        {
            "width": {"age": 10, "pay": 20_000},
            "months": {"born": 120},
            "weeks": {"hired": 1},
            "characters": {"zip": 4},
            "rare": {"job": 0.5, "town": 0.01},
        },
    )
    after = METHOD.run(table, settings, streams()).table
    assert {name: len(after.column(name).categories) for name in columns} == {
        "age": 10, "pay": 5, "born": 10, "hired": 12, "zip": 10, "job": 2, "town": 5,
    }  # fmt: skip
    assert {"rare", "weeks"}.isdisjoint(METHOD.ineffective_parameters(table, settings))
    settings = METHOD.settings(table, ["age"], {"level": 1, "ends": {"age": [20, 45]}, "fewest": 5})
    assert METHOD.ineffective_parameters(table, settings) >= {"ends", "fewest"}


def test_levels_it_does_not_reach_are_not_covered(tmp_path: Path) -> None:
    rows = [{"age": str(20 + at % 23), "ill": f"i{at % 3}", "asked": "3" if at < 80 else "40"} for at in range(90)]
    columns: dict[str, Any] = {"age": {"role": "q", "kind": "numeric"}, "ill": "c", "asked": "p"}
    found = release(tmp_path, rows, columns, [{"method": "generalize", "parameters": {"width": 10}}])
    proofs = {proof["level"]: proof for proof in found.report["verdict"]["levels"]}
    sizes = {key[0]: len(group) for key, group in classes_in(found.rows, ["age"]).items()}
    served = sum(sizes[found.by_row[f"r{place}"]["age"]] >= 40 for place in range(81, 91))
    assert 0 < served < 10
    assert (proofs["group 40"]["covered"], proofs["group 40"]["not_covered"]) == (served, 10 - served)
    assert found.check("levels-met")["status"] == "amber"


@pytest.mark.parametrize("is_same", [True, False])
def test_confidential_days_shown_as_months_are_judged_as_months(tmp_path: Path, is_same: bool) -> None:
    rows = [
        {"town": f"t{at // 20}", "left": f"20{(at // 20 if is_same else at % 7) + 10}-03-{1 + at % 28:02}"}
        for at in range(140)
    ]
    columns: dict[str, Any] = {"town": {"role": "q"}, "left": "c"}
    step = {"method": "generalize", "columns": ["left"], "parameters": {"months": {"left": 1}}}
    if is_same:
        with pytest.raises(GateBlocked) as blocked:
            release(tmp_path, rows, columns, [step])
        assert "certain-disclosure" in str(blocked.value.arguments)
    else:
        shown = release(tmp_path, rows, columns, [step]).rows
        assert {row["left"] for row in shown} == {f"20{year}-03" for year in range(10, 17)}


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        ("[2020-01, 2020-03]", "[2021-01, 2021-02]", "[2020-01, 2021-02]"), ("[1, 2)", "[2, 3)", "[1, 3)"),
        ("< 18", "[18, 30)", "< 30"), ("≤ 20", "[30, 40]", "≤ 40"), ("2020-05", "≥ 2021-01", "≥ 2020-05"),
        ("≤ 20", "≥ 40", "*"), ("1,5", "2,5", "[1,5; 2,5]"),
    ],
)  # fmt: skip
def test_neighbouring_ranges_become_one(low: str, high: str, text: str) -> None:
    assert span_of(low, high) == text
