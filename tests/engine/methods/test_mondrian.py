"""Mondrian: k, l and t counted from exported files by plain counting and by pycanon; cuts, levels, labels."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from cases import case_rows
from generalising_support import classes_in, earth_mover, entropy_l, release
from hypothesis import given
from hypothesis import strategies as st
from number_support import applied
from pycanon import anonymity
from swap_support import random_table, streams
from thoroughness import examples

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.identifiability.diversity import count_distinct_values, entropy_values
from ppdm_desktop.engine.methods.algorithms.generalisation.cutting import Diversity, Secret, cut_classes
from ppdm_desktop.engine.methods.algorithms.generalisation.labels import Grouping, label_classes
from ppdm_desktop.engine.methods.algorithms.generalisation.scales import scale_of
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.hierarchies import Hierarchy
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, LevelMap, RecordLevels
from ppdm_desktop.engine.table.people import People

METHOD = find_method("mondrian")
run = partial(applied, METHOD.id)
COLUMNS: dict[str, Any] = {
    "age": {"role": "q", "kind": "numeric"},
    "city": "q",
    "ill": "c",
    "pay": {"role": "c", "kind": "numeric"},
}
QUASI = ["age", "city"]


def people(draw_numbers: np.random.Generator, rows: int, ills: int = 4) -> list[dict[str, str]]:
    ages = draw_numbers.integers(18, 60, size=rows)
    return [
        {
            "age": str(age),
            "city": f"c{draw_numbers.integers(6)}",
            "ill": f"i{draw_numbers.integers(ills)}",
            "pay": str(draw_numbers.integers(1, 9) * 100),
        }
        for age in ages.tolist()
    ]


def numbers(name: str, values: list[int], role: str = "quasi-identifier", **more: Any) -> Column:
    texts = [str(value) for value in values]
    style = NumberStyle.seen_in([text for text in texts if text != "-999"])
    return Column.from_texts(name, texts, role=role, kind="numeric", style=style, **more)


def levelled(table: Table, demands: list[int]) -> Table:
    distinct = sorted(set(demands))
    levels = tuple(LevelMap().of_number(each) for each in distinct)
    codes = np.array([distinct.index(each) for each in demands], dtype=np.int32)
    return table.with_levels(RecordLevels(levels, codes, {"column": len(demands)}))


# --- what the exported file shows --------------------------------------------------------------


@examples(25)
@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(12, 60),
    k=st.integers(2, 6),
    least=st.sampled_from([1, 2, 3]),
    kind=st.sampled_from(["distinct", "entropy"]),
    t=st.sampled_from(["off", 0.2, 0.4]),
    strict=st.booleans(),
)
def test_k_l_and_t_of_the_exported_file(
    seed: int,
    rows: int,
    k: int,
    least: int,
    kind: str,
    t: Any,
    strict: bool,
) -> None:
    table = people(np.random.default_rng(seed), rows)
    asked = {"k": k, "l": least, "l_kind": kind, "t": t, "strict": strict}
    for name in ("ill", "pay"):
        whole = entropy_l(table, name) if kind == "entropy" else len({row[name] for row in table})
        if least > whole:
            asked.pop("l")  # the default asks for what the column can give
    with tempfile.TemporaryDirectory() as folder:
        found = release(Path(folder), table, COLUMNS, [{"method": "mondrian", "parameters": asked}])
        lines = found.rows
        holds = found.report["steps"][0]["guarantee"]
    assert holds["holds"]
    assert holds["kind"] == "file"
    groups = classes_in(lines, QUASI)
    assert min(map(len, groups.values())) == holds["worst"] >= k
    data = pd.DataFrame(lines)
    assert anonymity.k_anonymity(data, QUASI) == min(map(len, groups.values()))
    if "l" in asked and kind == "distinct":
        assert anonymity.l_diversity(data, QUASI, ["ill", "pay"]) >= least
        assert all(len({row[name] for row in group}) >= least for group in groups.values() for name in ("ill", "pay"))
    if "l" in asked and kind == "entropy":
        assert all(entropy_l(group, name) >= least - 1e-9 for group in groups.values() for name in ("ill", "pay"))
    if t != "off":
        order = sorted({row["pay"] for row in table}, key=int)
        data["pay"] = data["pay"].astype(int)
        assert anonymity.t_closeness(data, QUASI, ["ill", "pay"]) <= t + 1e-9
        assert all(earth_mover(group, lines, "ill", None) <= t + 1e-9 for group in groups.values())
        assert all(earth_mover(group, lines, "pay", order) <= t + 1e-9 for group in groups.values())


def test_gate_is_green_where_l_holds(tmp_path: Path) -> None:
    # The running number is left out: released, it would tell everybody's values to whoever knows it.
    columns = {**COLUMNS, "row": "x"}
    found = release(tmp_path, people(np.random.default_rng(4), 200), columns, [{"method": "mondrian"}], type="research")
    assert found.report["release"]["k_min"] == 5
    for id in ("class-size", "certain-disclosure", "certain-by-all", "levels-met", "release-text", "written-back"):
        assert found.check(id)["status"] == "green", id
    dictionary = (found.out / "release" / "data-dictionary.csv").read_text(encoding="utf-8")
    assert dictionary.count("Each value was replaced by a range or a set that contains it.") == 2


def test_the_same_twice_and_rows_in_another_order() -> None:
    table = random_table(np.random.default_rng(5), 300, levels=3)
    first, again = run(table), run(table)
    turned = np.random.default_rng(1).permutation(300)
    other = run(table.take(turned))
    for name in ("Q0", "Q1", "Q2"):
        assert first.table.column(name).values() == again.table.column(name).values()
        assert first.table.column(name).take(turned).values() == other.table.column(name).values()


# --- cuts -----------------------------------------------------------------------------------------


def test_strict_keeps_equal_values_together_and_relaxed_parts_them() -> None:
    table = levelled(Table((numbers("a", [1, 2, 2, 2, 2, 2, 2, 9]),), np.arange(1, 9)), [4] * 8)
    assert set(run(table).table.column("a").values()) == {"*"}
    relaxed = run(table, strict=False).table.column("a").values()
    assert relaxed == ["≤ 2"] * 4 + ["≥ 2"] * 4


@examples(60)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 60), k=st.integers(1, 7), columns=st.integers(1, 4))
def test_cuts_are_as_fine_as_the_demands_allow(seed: int, rows: int, k: int, columns: int) -> None:
    """No class could be cut in two parts of at least k along any one column; relaxed ones have at most 2k - 1."""
    rng = np.random.default_rng(seed)
    demands = np.full(rows, min(k, rows), dtype=np.int64)
    made = [numbers(f"n{at}", rng.integers(0, 12, size=rows).tolist()) for at in range(columns)]
    scales = [scale_of(column) for column in made]
    strict = cut_classes(scales, demands, strict=True, refuses=None, people=People.identity(len(demands)))
    relaxed = cut_classes(scales, demands, strict=False, refuses=None, people=People.identity(len(demands)))
    for ids in (strict, relaxed):
        assert sorted(set(ids.tolist())) == list(range(int(ids.max()) + 1))
        assert (np.bincount(ids) >= demands[0]).all()
    for group in range(int(strict.max()) + 1):
        inside = strict == group
        for column in made:
            values = np.sort(column.numbers[inside])
            places = [i for i in range(1, len(values)) if values[i] != values[i - 1]]
            assert all(i < demands[0] or len(values) - i < demands[0] for i in places)
    for group in range(int(relaxed.max()) + 1):
        inside = relaxed == group
        if any(len(set(column.numbers[inside].tolist())) > 1 for column in made):
            assert int(inside.sum()) < 2 * demands[0]


# --- what a class shows ------------------------------------------------------------------------


def test_an_uneven_cut_is_made_where_the_middle_one_shows_one_value() -> None:
    ill = np.array([row % 2 for row in range(10)] + [1] * 10)

    def refuses(group: np.ndarray, count: int) -> np.ndarray:
        kept = group >= 0
        sizes = np.bincount(group[kept], minlength=count)
        return np.asarray((sizes > 0) & (np.bincount(group[kept], ill[kept], count) == sizes))

    scale, everybody = scale_of(numbers("age", list(range(20)))), People.identity(20)
    ids = cut_classes([scale], np.full(20, 5), strict=True, refuses=refuses, people=everybody)
    assert np.bincount(ids).tolist() == [7, 13]


def labels(column: Column, ids: list[int], how: str = "ranges") -> Column:
    return label_classes(scale_of(column), Grouping.of(np.array(ids)), how)


def test_ranges_never_show_the_extremes_of_the_column() -> None:
    ids = [0, 0, 1, 1, 2, 2]
    plain = labels(numbers("a", [1, 2, 3, 5, 7, 99]), ids)
    assert plain.values() == ["≤ 2", "≤ 2", "[3, 5]", "[3, 5]", "≥ 7", "≥ 7"]
    assert (plain.kind, plain.order) == ("ordinal", ("≤ 2", "[3, 5]", "≥ 7"))
    bounded = labels(numbers("a", [1, 2, 3, 5, 7, 99], bounds=(0.0, 120.0)), ids)
    assert bounded.categories == ("[0, 2]", "[2, 6]", "[6, 120]")  # in steps of 2: 60 of them span the bounds
    assert labels(numbers("a", [1, 9, 5]), [0, 0, 1]).values() == ["*", "*", "5"]
    comma = Column.from_texts("a", ["1,5", "2", "3", "9", "8", "7"], role="quasi-identifier", kind="numeric")
    comma = replace(comma, style=NumberStyle.seen_in(comma.texts, ","))
    assert labels(comma, [0, 0, 1, 2, 1, 2]).values() == ["≤ 2", "≤ 2", "[3; 8]", "≥ 7", "[3; 8]", "≥ 7"]


def test_sets_of_names_and_ranges_of_ordered_ones() -> None:
    names = Column.from_texts("n", ["b", "a", "c", "c", "d", "d", "d"], role="quasi-identifier")
    assert labels(names, [0, 0, 1, 1, 2, 2, 1]).values() == ["{a, b}", "{a, b}", "{c, d}", "{c, d}", "d", "d", "{c, d}"]
    assert set(labels(names, [0] * 7).values()) == {"*"}
    commas = Column.from_texts("n", ["x, y", "z", "w"], role="quasi-identifier")
    assert labels(commas, [0, 0, 1]).values() == ["{x, y; z}", "{x, y; z}", "w"]
    ranks = Column.from_texts("r", ["low", "high", "mid"], role="quasi-identifier", kind="ordinal")
    ranks = replace(ranks, order=("low", "mid", "high"))
    assert labels(ranks, [0, 1, 0]).values() == ["[low, mid]", "high", "[low, mid]"]
    periods = ["[2020-01, 2020-04]", "2020-05", "[2020-06, 2020-09]", "home to work"]
    joined = Column.from_texts("p", periods, role="quasi-identifier", kind="ordinal", order=tuple(periods))
    assert labels(joined, [0, 0, 0, 1]).values() == [*["[2020-01, 2020-09]"] * 3, "home to work"]
    assert labels(joined, [1, 1, 0, 0]).values()[2:] == ["[2020-06, home to work]"] * 2


def test_a_label_that_reads_as_missing_is_refused() -> None:
    column = numbers("a", [1, 9], missing_texts=frozenset({"*"}))
    with pytest.raises(InputError) as refused:
        labels(column, [0, 0])
    assert refused.value.id == "error.numeric.becomes-missing"


def test_hierarchy_decides_cuts_and_labels() -> None:
    tree = Hierarchy(
        {
            "Lyon": ("France", "*"),
            "Bonn": ("Germany", "*"),
            "Paris": ("France", "*"),
            "Kiel": ("Germany", "*"),
            "Rome": ("Italy", "*"),
        },
        2,
    )
    names = ["Lyon", "Kiel", "Paris", "Bonn", "Lyon", "Bonn", "Paris", "Kiel"]
    column = Column.from_texts("city", names, role="quasi-identifier", hierarchy=tree)
    table = levelled(Table((column,), np.arange(1, 9)), [3] * 8)
    france = ["France" if name in ("Lyon", "Paris") else "Germany" for name in names]
    assert run(table).table.column("city").values() == france
    assert run(levelled(table, [2] * 8)).table.column("city").values() == names
    assert set(run(levelled(table, [5] * 8)).table.column("city").values()) == {"*"}


def test_centres_stand_for_groups() -> None:
    ages = numbers("a", [1, 2, 4, 10, 11, 15, 15, 16])
    found = labels(ages, [0, 0, 0, 0, 1, 1, 1, 1], "centre")
    assert found.values() == ["4"] * 4 + ["14"] * 4
    assert (found.kind, found.style) == ("numeric", ages.style)
    names = Column.from_texts("n", ["b", "a", "b", "c", "c", "a"], role="quasi-identifier")
    assert labels(names, [0, 0, 0, 1, 1, 1], "centre").values() == ["b"] * 3 + ["c"] * 3
    days = ["01.02.2020", "03.02.2020", "02.03.2021"]
    dates = Column.from_texts("d", days, role="quasi-identifier", kind="date", date_format="%d.%m.%Y")
    dates = replace(dates, order=tuple(days))
    assert set(labels(dates, [0, 0, 0], "centre").values()) == {"03.02.2020"}
    table = levelled(Table((ages,), np.arange(1, 9)), [3] * 8)
    assert run(table, show="centre").detail["smallest"] >= 3


# --- l and t by their definitions ----------------------------------------------------------------


@examples(80)
@given(seed=st.integers(0, 10**6), rows=st.integers(1, 40), values=st.integers(1, 9), groups=st.integers(1, 6))
def test_diversity_of_groups_by_the_definitions(seed: int, rows: int, values: int, groups: int) -> None:
    rng = np.random.default_rng(seed)
    ids = rng.integers(0, groups, size=rows)
    column = numbers("s", rng.integers(0, values, size=rows).tolist(), role="confidential")
    for each in (column, replace(column, kind="nominal")):
        secret = Secret.of(each, People.identity(len(each)))
        counts = secret.counts(Classes(ids, groups), np.arange(rows))
        distinct, entropies, distances = count_distinct_values(counts), entropy_values(counts), secret.distance(counts)
        lines = [{"s": text} for text in each.values()]
        order = sorted(set(each.values()), key=int) if each.kind == "numeric" else None
        for group in set(ids.tolist()):
            inside = [lines[row] for row in np.flatnonzero(ids == group)]
            assert distinct[group] == len({row["s"] for row in inside})
            assert entropies[group] == pytest.approx(entropy_l(inside, "s"))
            far = earth_mover(inside, lines, "s", order) if len(secret.shares) > 1 else 0.0
            assert distances[group] == pytest.approx(far, abs=1e-12)
        asked = Diversity(2, "distinct", 0.3)
        broken = asked.broken(secret, ids, groups)
        wanted = (distinct < 2) | (distances > 0.3 + 1e-9)
        assert broken.tolist() == (wanted & (np.bincount(ids, minlength=groups) > 0)).tolist()
        assert not asked.broken(secret, np.full(rows, -1), groups).any()


@pytest.mark.parametrize(
    ("texts", "most", "expected"), case_rows("mondrian-a-group-may-not-hold-too-large-a-share-of-one", lists=True)
)
def test_a_group_may_not_hold_too_large_a_share_of_one_value(texts: str, most: float, expected: list[bool]) -> None:
    ids = np.repeat([0, 1], 10)
    column = numbers("s", [int(text == "y") for text in texts], role="confidential")
    secret = Secret.of(replace(column, kind="nominal"), People.identity(len(column)))
    assert Diversity(1, "distinct", None, most).broken(secret, ids, 2).tolist() == expected


def test_the_effect_says_how_many_become_alike() -> None:
    table = levelled(Table((numbers("a", list(range(12))),), np.arange(1, 13)), [2] * 6 + [5] * 6)
    note = METHOD.effect(table, METHOD.settings(table, None, {}))
    assert (note.arguments["least"], note.arguments["most"]) == (2, 5)
    written = METHOD.effect(table, METHOD.settings(table, None, {"k": 3}))
    assert (written.arguments["least"], written.arguments["most"]) == (3, 5), "a number as level is used as it is"
    named = table.with_levels(RecordLevels.same_for_all(12))
    assert METHOD.effect(named, METHOD.settings(named, None, {"k": 3})).arguments["least"] == 3


# --- refusals --------------------------------------------------------------------------------------


def test_refusals_name_the_column_and_the_remedy() -> None:
    table = random_table(np.random.default_rng(2), 60)
    with pytest.raises(RecipeError) as refused:
        METHOD.check(table, METHOD.settings(table, ["Q0"], {}))
    assert (refused.value.id, refused.value.column) == ("error.generalising.left-over", "Q1")
    with pytest.raises(RecipeError) as refused:
        METHOD.check(table, METHOD.settings(table, ["Q0", "Q1", "Q2", "S0"], {}))
    assert (refused.value.id, refused.value.column) == ("error.step.unfit-role", "S0")
    with pytest.raises(InputError) as bad:
        METHOD.check(table, METHOD.settings(table, None, {"k": 61}))
    assert bad.value.id == "error.method.too-few"
    with pytest.raises(InputError) as bad:
        METHOD.check(table, METHOD.settings(table, None, {"l": 4}))
    assert (bad.value.id, bad.value.column) == ("error.mondrian.too-uniform", "S0")


def test_a_damaged_release_fails_the_recount() -> None:
    table = random_table(np.random.default_rng(2), 200)
    settings = METHOD.settings(table, None, {})
    result = METHOD.run(table, settings, streams())
    column = result.table.column("Q0")
    damaged = result.table.replacing(column.with_values(np.array([7]), ["q0 "]))
    assert not METHOD.recount(table, damaged, settings, result.detail).guarantee.holds
    everyone_else = replace(table, levels=RecordLevels.same_for_all(200, DEFAULT_LEVELS[3]))
    assert not METHOD.recount(everyone_else, result.table, settings, result.detail).guarantee.holds
