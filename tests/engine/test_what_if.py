"""What a change would do is what it does: against counting the changed table, and against `generalize`."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from swap_support import streams

from ppdm_desktop.engine.identifiability.risk import OWN_VALUE, risk_figures
from ppdm_desktop.engine.identifiability.what_if import (
    CHARACTERS,
    LEFT_OUT,
    LEVEL,
    MONTHS,
    RANGES,
    RARE,
    WIDTH,
    Change,
    Effect,
    changed_columns,
    generalisations_of,
    make_leave_out_change,
    try_combined_changes,
    try_single_changes,
)
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy
from ppdm_desktop.engine.table.people import People

TREE = Hierarchy(
    {"Bonn": ("DE", "EU", "*"), "Kiel": ("DE", "EU", "*"), "Lyon": ("FR", "EU", "*"), "Bern": ("CH", "–", "*")}, 3
)
GENERALIZE = find_method("generalize")


def numbers(values: list[str], **more: Any) -> Column:
    style = NumberStyle.seen_in([value for value in values if value])
    return Column.from_texts("age", values, role="quasi-identifier", kind="numeric", style=style, **more)


def names(name: str, values: list[str], **more: Any) -> Column:
    return Column.from_texts(name, values, role="quasi-identifier", **more)


def quasi_of(rows: list[tuple[str, ...]]) -> list[Column]:
    """Five columns, one of each kind."""
    by_column = [[row[place] for row in rows] for place in range(5)]
    days = sorted(set(by_column[1]) - {""})
    return [
        numbers(by_column[0]),
        names("day", by_column[1], kind="date", date_format="%Y-%m-%d", order=tuple(days)),
        names("city", by_column[2], hierarchy=TREE),
        names("size", by_column[3], kind="ordinal", order=("S", "M", "L", "XL")),
        names("job", by_column[4]),
    ]


ROW = st.tuples(
    st.sampled_from(["", "17", "23", "38", "39", "61", "90"]),
    st.sampled_from(["2020-01-31", "2020-02-03", "2020-08-30", "2021-01-15", ""]),
    st.sampled_from(["Bonn", "Kiel", "Lyon", "Bern"]),
    st.sampled_from(["S", "M", "L", "XL"]),
    st.sampled_from(["", "cook", "smith", "judge", "nurse"]),
)


def effect_of(quasi: list[Column], secret: list[Column], rows: int, rule: str) -> Effect:
    """Count the changed columns as risk counts any table."""
    risk = risk_figures(quasi, secret, People.identity(rows), rule)
    assert risk.judged.overall is not None
    overall = risk.judged.overall
    return Effect(
        records=rows,
        unique_people=risk.unique_people,
        uniquely=overall.uniquely,
        collectively=overall.collectively,
        groups=overall.groups,
        classes=risk.classes.count,
        k=risk.k,
        prosecutor_mean=pytest.approx(risk.judged.prosecutor_mean),  # type: ignore[arg-type]
        prosecutor_max=risk.judged.prosecutor_max,
    )


@given(rows=st.lists(ROW, min_size=2, max_size=14), data=st.data())
def test_changes_together_are_what_the_changed_table_counts(rows: list[tuple[str, ...]], data: st.DataObject) -> None:
    quasi = quasi_of(rows)
    secret = [Column.from_texts("s", [str(place % 3) for place in range(len(rows))])]
    chosen = []
    for column in quasi:
        choices = [None, make_leave_out_change(column), *generalisations_of(column)]
        change = data.draw(st.sampled_from(choices))
        chosen += [change] if change is not None else []
    found = try_combined_changes(quasi, secret, People.identity(len(rows)), chosen)
    assert found == effect_of(changed_columns(quasi, chosen), secret, len(rows), OWN_VALUE)


def step_parameters(change: Change) -> dict[str, object]:
    if change.way == RARE:
        return {RARE: change.value}
    return {change.way: {change.column: change.value}}


@given(rows=st.lists(ROW, min_size=1, max_size=14))
def test_the_coarser_column_is_the_one_that_generalize_releases(rows: list[tuple[str, ...]]) -> None:
    for column in quasi_of(rows):
        table = Table((column,), np.arange(1, len(rows) + 1))
        for change in generalisations_of(column):
            settings = GENERALIZE.settings(table, (column.name,), step_parameters(change))
            released = GENERALIZE.run(table, settings, streams()).table.column(column.name)
            ours = change.applied(column)
            assert ours.values() == released.values()
            assert (ours.kind, ours.categories, ours.order) == (released.kind, released.categories, released.order)


def test_codes_and_bounds_are_those_of_generalize_too() -> None:
    zips = names("zip", ["90210", "90211", "10115", "10999"])
    bounded = numbers(["0", "17", "64", "99", ""], bounds=(0.0, 120.0))
    halves = numbers(["0.5", "1.25", "2.75", "9.5"])
    for column in (zips, bounded, halves):
        table = Table((column,), np.arange(1, len(column) + 1))
        ways = generalisations_of(column)
        assert ways
        for change in ways:
            settings = GENERALIZE.settings(table, (column.name,), step_parameters(change))
            released = GENERALIZE.run(table, settings, streams()).table.column(column.name)
            assert change.applied(column).values() == released.values()
    assert [change.way for change in generalisations_of(zips)] == [CHARACTERS, CHARACTERS]


def test_the_ways_of_each_kind_finest_first() -> None:
    ages = numbers([str(age) for age in range(17, 91)])
    assert [(change.way, change.value) for change in generalisations_of(ages)] == [
        (WIDTH, each) for each in (5, 10, 20, 50)
    ]
    assert generalisations_of(ages)[1].texts[:4] == ("< 20", "< 20", "< 20", "[20, 30)")
    days = names("d", ["2020-01-31", "2020-02-01", "2021-05-05"], kind="date", date_format="%Y-%m-%d")
    # Month and day tell the same apart here; quarters join the first two, as years do.
    assert [(change.way, change.value) for change in generalisations_of(days)] == [(MONTHS, 3)]
    cities = names("c", ["Bonn", "Kiel", "Lyon", "Bern"], hierarchy=TREE)
    assert [(change.way, change.value) for change in generalisations_of(cities)] == [(LEVEL, 1), (LEVEL, 2)]
    marks = names("m", list("ABCDEF"), kind="ordinal", order=tuple("ABCDEF"))
    assert [(change.way, change.value) for change in generalisations_of(marks)] == [(RANGES, 3), (RANGES, 2)]
    jobs = names("j", ["a"] * 90 + ["b"] * 6 + ["c"] * 2 + ["d", "e"])
    assert [(change.way, change.value, change.groups) for change in generalisations_of(jobs)] == [
        (RARE, 0.05, 3),
        (RARE, 0.1, 2),
    ]


@pytest.mark.parametrize(
    "column",
    [
        names("one", ["a", "a", "a"]),
        names("two", ["a", "b", "a"]),
        numbers(["5", "5.0", ""]),
        numbers(["0", "1", "1"]),
        names("long", ["something told at length", "another story"], kind="text"),
        names("day", ["2020-01-01", "2020-01-02"], kind="date", date_format="%Y-%m-%d"),
        names("none", ["", ""]),
        numbers([]),
    ],
)
def test_nothing_coarser_suits_these(column: Column) -> None:
    assert generalisations_of(column) == ()


def test_a_coarser_text_that_means_missing_is_not_offered() -> None:
    column = names("c", ["Bonn", "Kiel", "Lyon", "Bern"], hierarchy=TREE, missing_texts=frozenset({"", "EU"}))
    assert [change.value for change in generalisations_of(column)] == [1]


def test_two_changes_of_one_column_are_refused() -> None:
    quasi = quasi_of([("17", "2020-01-31", "Bonn", "S", "cook")])
    with pytest.raises(ValueError, match="two changes"):
        try_combined_changes(
            quasi, [], People.identity(1), [make_leave_out_change(quasi[0]), make_leave_out_change(quasi[0])]
        )


def test_the_census_has_the_known_figures(data_folder: Path) -> None:
    with (data_folder / "adult_train.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    quasi = [
        names(name, [row[name] for row in rows])
        for name in ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
    ]
    quasi[0] = replace(quasi[0], kind="numeric", style=NumberStyle())
    secret = [Column.from_texts("class", [row["class"] for row in rows])]
    found = try_single_changes(quasi, secret, People.identity(len(rows)))
    assert (found.before.unique_people, found.before.collectively, found.before.classes) == (11972, 10732, 16455)
    left = {change.column: effect.unique_people for change, effect in found.single if change.way == LEFT_OUT}
    assert (left["age"], left["occupation"], left["education"]) == (2953, 5594, 5901)
    tens = found.find("age", "width 10")
    assert tens is not None
    assert tens[1].unique_people == 5387
    assert found.ranked()[0][0] == make_leave_out_change(quasi[0])
