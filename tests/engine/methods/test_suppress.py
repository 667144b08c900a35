"""Suppress: the fewest records that can go, level by level, counted in the exported file."""

from __future__ import annotations

import itertools
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from generalising_support import classes_in, release
from hypothesis import assume, given
from hypothesis import strategies as st
from optional import existing
from pycanon import anonymity
from swap_support import random_table, streams
from thoroughness import examples

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import find_records_to_hide, find_records_to_remove
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.release.verify import verify

METHOD = find_method("suppress")
COLUMNS: dict[str, Any] = {"sex": "q", "city": "q", "ill": "c", "asked": "p"}
QUASI = ["sex", "city"]


def people(seed: int, rows: int, cities: int = 3) -> list[dict[str, str]]:
    rng = np.random.default_rng(seed)
    return [
        {
            "sex": str(rng.choice(["m", "f"])),
            "city": str(rng.choice([f"c{each}" for each in range(cities)], p=_shares(cities))),
            "ill": f"i{rng.integers(3)}",
            "asked": str(rng.choice([3, 3, 3, 4, 7])),
        }
        for _ in range(rows)
    ]


def _shares(cities: int) -> Floats:
    weights: Floats = 1.0 / np.arange(1, cities + 1) ** 2
    return np.asarray(weights / weights.sum())


@examples(80)
@given(
    ids=st.lists(st.integers(0, 2), min_size=1, max_size=8),
    asked=st.lists(st.integers(1, 5), min_size=8, max_size=8),
)
def test_no_smaller_number_of_records_could_go(ids: list[int], asked: list[int]) -> None:
    demands = np.array(asked[: len(ids)])
    classes = classes_of_codes([np.array(ids)], len(ids))
    out = find_records_to_remove(classes, demands)

    def content(kept: tuple[int, ...]) -> bool:
        return all(sum(ids[other] == ids[row] for other in kept) >= demands[row] for row in kept)

    most = max(
        len(kept)
        for size in range(len(ids) + 1)
        for kept in itertools.combinations(range(len(ids)), size)
        if content(kept)
    )
    assert content(tuple(np.flatnonzero(~out).tolist()))
    assert int((~out).sum()) == most


def test_the_hidden_are_a_class_of_their_own() -> None:
    ids = np.array([0, 0, 0, 0, 1, 1, 2, 2, 2, 3])
    classes, demands = classes_of_codes([ids], 10), np.full(10, 2)
    out = find_records_to_remove(classes, demands)
    assert np.flatnonzero(out).tolist() == [9]
    nobody = np.zeros(10, dtype=np.bool_)
    hidden = existing(find_records_to_hide(out, classes, demands, nobody))
    assert np.flatnonzero(hidden).tolist() == [4, 5, 9], "the smallest class joins"
    blank = ids == 2
    assert np.flatnonzero(existing(find_records_to_hide(out, classes, demands, blank))).tolist() == [9], (
        "three are blank anyway"
    )
    assert find_records_to_hide(out, classes, np.where(ids == 3, 11, 2), nobody) is None


@examples(20)
@given(seed=st.integers(0, 10**6), rows=st.integers(40, 90))
def test_every_level_is_met_in_the_exported_file(seed: int, rows: int) -> None:
    table = people(seed, rows)
    with tempfile.TemporaryDirectory() as folder:
        steps = [{"method": "suppress"}]
        try:
            found = release(Path(folder), table, COLUMNS, steps)
        except InputError as error:
            assume(error.id != "error.suppress.too-many")  # more than half stand out in few random tables
            raise
        lines, report = found.by_row, found.report
        assert verify(found.out, found.source).result == "identical"
    groups = classes_in(list(lines.values()), QUASI)
    data = pd.DataFrame(list(lines.values()))
    assert anonymity.k_anonymity(data, QUASI) == min(map(len, groups.values())) >= 3
    gone = 0
    for place, row in enumerate(table, start=1):
        line = lines.get(f"r{place}")
        if line is None:
            gone += 1
        else:
            assert (line["sex"], line["city"]) == (row["sex"], row["city"])
            assert line["ill"] == row["ill"]
            assert len(groups[line["sex"], line["city"]]) >= int(row["asked"])
    assert report["steps"][0]["detail"]["records"] == gone
    assert report["utility"]["rows_suppressed"] == gone
    assert report["release"]["rows"] == len(lines)
    assert found.check("levels-met")["status"] != "red"  # amber where a random group has one illness only
    assert sum(proof["records"] for proof in report["verdict"]["levels"]) == rows
    assert all(proof["met"] and proof["not_covered"] == 0 for proof in report["verdict"]["levels"])


def test_refusals() -> None:
    table = random_table(np.random.default_rng(1), 40, width=9)
    settings = METHOD.settings(table, None, {})
    with pytest.raises(InputError) as refused:
        METHOD.check(table, settings)
    assert refused.value.id in ("error.suppress.too-many", "error.suppress.nothing-left")
    with pytest.raises(InputError) as refused:
        METHOD.check(table, METHOD.settings(table, None, {"k": 41}))
    assert refused.value.id == "error.suppress.nothing-left"
    with pytest.raises(RecipeError):
        METHOD.check(table, METHOD.settings(table, ["Q0"], {}))
    alike = random_table(np.random.default_rng(1), 200, width=2)
    with pytest.raises(InputError) as refused:
        METHOD.check(alike, METHOD.settings(alike, None, {"k": 24, "most": 0}))
    assert refused.value.id == "error.suppress.too-many"


def test_the_recount_sees_changed_and_smuggled_rows() -> None:
    table = random_table(np.random.default_rng(2), 160, width=2, levels=3)
    settings = METHOD.settings(table, None, {})
    result = METHOD.run(table, settings, streams())
    assert METHOD.recount(table, result.table, settings, result.detail).guarantee.holds
    column = result.table.column("Q0")
    other = column.with_values(np.array([0]), ["q0" if column.values()[0] == "q1" else "q1"])
    assert not METHOD.recount(table, result.table.replacing(other), settings, result.detail).guarantee.holds
    numbers = result.table.row_numbers.copy()
    numbers[0] = 10_000
    smuggled = replace(result.table, row_numbers=numbers)
    assert not METHOD.recount(table, smuggled, settings, result.detail).guarantee.holds
