"""Columns written coarser: their totals in the same words on both sides, counted again by hand from the file."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import candidate_of
from optional import existing

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.coarsening_texts import describe_coarsening
from ppdm_desktop.engine.release.measures.losses import describe_all_losses, describe_losses
from ppdm_desktop.engine.release.measures.utility import MOST_BARS, measure
from ppdm_desktop.engine.table.column import Column, NumberStyle
from ppdm_desktop.engine.table.generalised_texts import OTHER

COLUMNS: dict[str, Any] = {
    "age": {"role": "q", "kind": "numeric"},
    "town": "q",
    "pay": {"role": "c", "kind": "numeric"},
}


def people(rows: int = 240) -> list[dict[str, str]]:
    rng = np.random.default_rng(4)
    towns = np.array(["Delft", "Ghent", "Bonn", "Lille", "Genk"])[rng.choice(5, rows, p=(0.4, 0.3, 0.2, 0.08, 0.02))]
    return [
        {"age": str(age), "town": town, "pay": str(pay)}
        for age, town, pay in zip(rng.integers(18, 80, rows), towns, rng.integers(1, 9, rows), strict=True)
    ]


def sides(candidate: Candidate, folder: Path, name: str) -> tuple[list[str], list[str]]:
    """The column in the source and in the release, row by row."""
    with (folder / "source.csv").open(encoding="utf-8", newline="") as file:
        source = [line[name] for line in csv.DictReader(file)]
    column = candidate.final.column(name)
    return source, column.values()


@pytest.mark.parametrize("method", ["generalize", "mondrian"])
def test_cells_values_and_spans_are_those_of_the_file(tmp_path: Path, method: str) -> None:
    candidate = candidate_of(tmp_path, people(), COLUMNS, [{"method": method, "columns": ["age", "town"]}])
    found = {each.name: each for each in measure(candidate).generalised}
    assert "age" in found
    assert "pay" not in found
    for name, told in found.items():
        before, after = sides(candidate, tmp_path, name)
        assert len(before) == len(after)
        assert told.records == len(before)
        assert told.generalised == sum(one != other for one, other in zip(before, after, strict=True))
        assert (told.values_before, told.values_after) == (len(set(before)), len(set(after)))
        stands_for = {words: {b for b, a in zip(before, after, strict=True) if a == words} for words in set(after)}
        for span in told.spans:
            inside = [w for w in after if span.low <= len(stands_for[w]) <= (span.high or 10**9)]
            assert span.share == pytest.approx(len(inside) / len(after))
        one_range = all(
            len({a for b, a in zip(before, after, strict=True) if b == value}) == 1 for value in set(before)
        )
        assert (told.marginal is not None) == one_range


def test_a_range_is_set_against_itself_and_nothing_moved(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, people(), COLUMNS, [{"method": "generalize", "columns": ["age", "town"]}])
    measures = measure(candidate)
    by_value = {each.name: existing(each.total_variation.value) for each in measures.columns}
    for told in measures.generalised:
        assert told.marginal is not None
        assert told.shift == pytest.approx(0)
        assert told.marginal.before == pytest.approx(told.marginal.after)
        _, after = sides(candidate, tmp_path, told.name)
        shares = {words: uses / len(after) for words, uses in Counter(after).items()}
        assert dict(zip(told.marginal.labels, told.marginal.after, strict=True)) == pytest.approx(shares)
        assert told.marginal in measures.marginals
    assert by_value["age"] > 0.5  # value by value nearly everything would have moved


def test_ranges_stand_in_the_order_of_their_values(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, people(), COLUMNS, [{"method": "generalize", "columns": ["age"]}])
    told = next(each for each in measure(candidate).generalised if each.name == "age")
    before, after = sides(candidate, tmp_path, "age")
    lowest = {words: min(int(b) for b, a in zip(before, after, strict=True) if a == words) for words in set(after)}
    assert told.marginal is not None
    assert list(told.marginal.labels) == sorted(lowest, key=lowest.__getitem__)
    assert len(told.marginal.labels) <= MOST_BARS


def test_changed_or_untouched_columns_are_not_called_coarser(tmp_path: Path) -> None:
    columns: dict[str, Any] = {**COLUMNS, "town": "c"}
    swap = {"method": "random-swap", "columns": ["town"]}
    swapped = candidate_of(tmp_path / "a", people(), columns, [swap])
    assert measure(swapped).generalised == ()
    both = [swap, {"method": "generalize", "columns": ["age"]}]
    names = {each.name for each in measure(candidate_of(tmp_path / "b", people(), columns, both)).generalised}
    assert names == {"age"}


@pytest.mark.parametrize(("setting", "base"), [({"base": 20_000}, "20,000"), ({"coarser": 1}, "50")])
def test_the_base_that_is_said_is_that_of_the_step(tmp_path: Path, setting: dict[str, int], base: str) -> None:
    rows = [{"age": "30", "town": "Bonn", "pay": str((38 if row % 2 else 62) * 1000 + row)} for row in range(240)]
    candidate = candidate_of(tmp_path, rows, COLUMNS, [{"method": "round", "columns": ["pay"], "parameters": setting}])
    assert f"“pay” (rounded to {base})." in str(describe_all_losses(candidate))
    assert [used.why for used in candidate.steps[0].used] == ["set"]


def test_a_card_names_every_column_that_is_gone(tmp_path: Path) -> None:
    names = [f"c{place}" for place in range(9)]
    rows = [{**person, **{name: str(int(person["pay"]) + int(name[1])) for name in names}} for person in people()]
    step = {"method": "leave-out", "columns": names}
    lost = str(describe_losses(candidate_of(tmp_path, rows, {**COLUMNS, **dict.fromkeys(names, "o")}, [step])))
    assert all(f"“{name}”" in lost for name in names), lost


DAYS = [f"2020-{month:02d}-{day:02d}" for month in (1, 2, 3, 4) for day in (1, 11, 21)]


@pytest.mark.parametrize(
    ("kind", "shown", "expected"),
    [
        ("numeric", ["[0, 10)"] * 4 + ["[10, 20)"] * 4 + ["≥ 20"] * 4, "3 ranges"),
        ("numeric", ["[0, 10)", "[10, 20)", "[20, 30)", "[30, 40)", "[40, 50)", "≥ 50"] * 2, "ranges of 10"),
        ("numeric", ["[0, 5]", "[3, 8]", "[2, 20]", "[1, 13]", "[1, 13]", "7"] * 2, "ranges of 5 to 18, typically 12"),
        ("numeric", ["[0, 5]", "[2, 20]", "≤ 9", "≤ 8", "*", "≥ 7"] * 2, "6 ranges"),
        (
            "date",
            [f"[{DAYS[0]}, {DAYS[2]}]"] * 9 + [f"[{DAYS[3]}, {DAYS[8]}]"] * 3,
            "ranges of 21 to 50 days, typically 21",
        ),
        (
            "date",
            [f"[{DAYS[0]}, {DAYS[3]}]"] * 3 + [f"[{DAYS[0]}, {DAYS[-1]}]"] * 9,
            "ranges of 1 to 4 months, typically 4",
        ),
        ("date", [f"[{DAYS[row]}, {DAYS[row + 1]}]" for row in (0, 1, 3, 4, 6, 7)] * 2, "ranges of 11 days"),
        (
            "date",
            ["[2018-01-01, 2020-12-31]"] * 9 + ["[2018-01-01, 2021-12-31]"] * 3,
            "ranges of 3 to 4 years, typically 3",
        ),
        ("date", ["< 2020-02-01"] * 6 + ["≥ 2020-02-01"] * 6, "2 ranges"),
        ("nominal", ["0"] * 6 + [OTHER] * 6, "most frequent value, others together"),
    ],
)
def test_words_on_ranges_say_how_wide_they_are_for_people(kind: str, shown: list[str], expected: str) -> None:
    texts = DAYS if kind == "date" else [str(number) for number in range(0, 60, 5)]
    more: dict[str, Any] = {"date_format": "%Y-%m-%d"} if kind == "date" else {"style": NumberStyle()}
    source = Column.from_texts("x", texts, kind=kind, **more)
    assert [str(how) for how in describe_coarsening(source, Column.from_texts("x", shown, kind="ordinal"))] == [
        expected
    ]
