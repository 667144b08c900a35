"""Methods on people with several rows: what each promises is counted in people, by code that shares nothing with it."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from number_support import applied
from optional import existing
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_bipartite_matching
from several_rows_support import (
    at_levels,
    checked_with,
    column,
    least_alike,
    people_of,
    squares_about_means,
    texts,
    visits_table,
)
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.methods.algorithms.grouping.grouped_columns import (
    find_best_people_runs,
    growing_groups,
    latest_starts,
)
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.table.column import Column, Table


def try_step(method: str, table: Table, columns: list[str] | None, **parameters: Any) -> tuple[StepResult | None, str]:
    """Return the result of a method that keeps its promise, or None with the id of the refusal."""
    try:
        return applied(method, table, columns=columns, **parameters), ""
    except PpdmError as refused:
        return None, refused.id


# --- suppress -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("linked", "rows", "people", "vanished"), [(False, 94, 67, 64), (True, 958, 329, 329)], ids=["one-row", "linked"]
)
def test_suppress_takes_the_golden_rows_of_visits(linked: bool, rows: int, people: int, vanished: int) -> None:
    table = visits_table(linked=linked)
    result = applied("suppress", table, k=5, most=1.0)
    assert result.detail["records"] == table.rows - result.table.rows == rows
    assert (result.detail["people"], result.detail["people_gone"]) == (people, vanished)
    before, after = (set(each.column("person_nbr").values()) for each in (table, result.table))
    assert len(before - after) == vanished
    left = existing(result.table.people)
    assert min(least_alike(checked_with(result.table), left).values()) >= 5


@st.composite
def several(draw: st.DrawFn, most_people: int = 9, linked: bool | None = None) -> Table:
    """A small table of people with one to three rows, two quasi-identifiers and a level a person."""
    ids = draw(st.lists(st.integers(0, most_people - 1), min_size=1, max_size=24))
    coded = draw(st.booleans()) if linked is None else linked
    people = people_of(ids, linked=coded, ordered=coded and draw(st.booleans()))
    levels = draw(st.lists(st.integers(0, 1), min_size=most_people, max_size=most_people))
    groups = draw(st.sampled_from([(2, 3), (2, 5), (1, 4)]))
    cells = [draw(st.lists(st.sampled_from(["a", "b", ""]), min_size=len(ids), max_size=len(ids))) for _ in range(2)]
    columns = [column(f"Q{place}", each, "quasi-identifier") for place, each in enumerate(cells)]
    secret = draw(st.lists(st.sampled_from("xyz"), min_size=len(ids), max_size=len(ids)))
    columns.append(column("S", secret, "confidential"))
    made = Table(tuple(columns), np.arange(1, len(ids) + 1))
    return made.with_people(people).with_levels(at_levels([levels[person] for person in ids], groups))


def lacking(after: Table) -> list[int]:
    """People (by their number in the source) who share what is released with fewer than their level asks."""
    assert after.people is not None
    assert after.levels is not None
    asked = after.levels.of("group").astype(int).tolist()
    wanted = dict(zip(after.people.of_row.tolist(), asked, strict=True))
    alike = least_alike(checked_with(after), after.people)
    return [person for person, size in alike.items() if size < wanted[person]]


@examples(150)
@given(several(), st.sampled_from(["suppress", "local-suppression"]))
def test_suppressing_leaves_nobody_with_too_few_people(table: Table, name: str) -> None:
    method = find_method(name)
    settings = method.settings(table, None, {"most": 1.0})
    try:
        result = method.run(table, settings, streams())
    except PpdmError:
        return
    assert not lacking(result.table)
    assert method.recount(table, result.table, settings, result.detail).guarantee.holds


@examples(60)
@given(several(most_people=6))
def test_no_smaller_number_of_people_could_go(table: Table) -> None:
    """Brute force: linked, the largest set of people that may stay whole; else class by class."""
    method = find_method("suppress")
    people, levels = table.people, table.levels
    assert people is not None
    assert levels is not None
    asked = dict(zip(people.of_row.tolist(), levels.of("group").tolist(), strict=True))
    shown = checked_with(table)
    rows: dict[int, list[object]] = {}
    for person, value in zip(people.of_row.tolist(), shown, strict=True):
        rows.setdefault(person, []).append(value)
    if people.linked:
        keys = {p: tuple(of) if people.in_order else tuple(sorted(map(repr, of))) for p, of in rows.items()}
        pairs: set[tuple[int, object]] = set(keys.items())
    else:
        pairs = {(person, value) for person, of in rows.items() for value in of}
    stay = 0
    for alike in {value for _, value in pairs}:
        inside = sorted(asked[person] for person, own in pairs if own == alike)
        stay += max([size for size in range(len(inside) + 1) if not size or inside[size - 1] <= size])
    settings = method.settings(table, None, {"most": 1.0})
    try:
        after = method.run(table, settings, streams()).table
    except InputError:
        assert stay == 0
        return
    assert after.people is not None
    left = after.people.of_row.tolist()
    assert stay == (len(set(left)) if people.linked else len(set(zip(left, checked_with(after), strict=True))))


# --- mondrian -------------------------------------------------------------------------------------


def values_of_different_people(table: Table, name: str) -> list[int]:
    """Of each group of alike rows: how many values different people hold, the most there are (a matching)."""
    assert table.people is not None
    groups: dict[object, set[tuple[int, str]]] = {}
    for shown, person, value in zip(
        checked_with(table), table.people.of_row.tolist(), table.column(name).values(), strict=True
    ):
        groups.setdefault(shown, set()).add((person, value))
    found = []
    for held in groups.values():
        people, values = sorted({person for person, _ in held}), sorted({value for _, value in held})
        beside = np.array([[(person, value) in held for value in values] for person in people], dtype=np.int8)
        found.append(int((maximum_bipartite_matching(csr_array(beside)) >= 0).sum()))
    return found


@examples(150)
@given(several(), st.booleans(), st.sampled_from([1, 2, 3]))
def test_mondrian_makes_enough_people_alike(table: Table, strict: bool, least: int) -> None:
    result, refusal = try_step("mondrian", table, None, strict=strict, l=least)
    if result is None:
        assert refusal in {
            "error.method.too-few",
            "error.mondrian.too-uniform",
            "error.mondrian.alone-by-number",
            "error.mondrian.rows-put-together",
            "error.mondrian.uniform-by-number",
        }
        return
    assert not lacking(result.table)
    people = existing(result.table.people)
    if len(set(zip(people.of_row.tolist(), table.column("S").values(), strict=True))) > 1:
        values = len(set(table.column("S").values()))
        whole = values_of_different_people(table.replacing(*merged(table)), "S")[0]
        assert min(values_of_different_people(result.table, "S")) >= min(least, values, whole)


def merged(table: Table) -> list[Column]:
    """The quasi-identifiers with one value for all."""
    return [column(each.name, ["*"] * table.rows, "quasi-identifier") for each in table.with_role("quasi-identifier")]


# --- numbers --------------------------------------------------------------------------------------


def by_person(table: Table, name: str) -> dict[int, set[str]]:
    """The values that each person shows, missing ones aside."""
    assert table.people is not None
    found: dict[int, set[str]] = {}
    cells = table.column(name)
    for person, value in zip(table.people.of_row.tolist(), cells.values(), strict=True):
        found.setdefault(person, set()).update({value} - cells.missing_texts)
    return found


@pytest.mark.parametrize("method", ["bit-plus-plus", "bit-minus-minus"])
def test_shifted_digits_are_those_of_each_row_by_itself(method: str) -> None:
    table = visits_table()
    result = applied(method, table, columns=["born"])
    without = applied(method, table.with_people(None), columns=["born"])
    assert texts(result.table) == texts(without.table)
    assert all(len(values) == 1 for values in by_person(result.table, "born").values())
    each = find_method(method)
    settings = each.settings(table, ["born"], {})
    lines = each.recount(table, result.table, settings, result.detail).levels
    assert [(line.records, line.covered) for line in lines] == [(2_000, 0)]


@pytest.mark.parametrize("linked", [False, True])
@pytest.mark.parametrize("noise", ["gaussian", "uniform"])
def test_noise_on_what_never_changes_is_one_draw_a_person(noise: str, linked: bool) -> None:
    table = visits_table(linked=linked, strict=True)
    existing(table.people)
    result = applied("two-phase-noise", table, columns=["born", "days"], noise=noise, intervals=12)
    assert result.detail["columns"]["born"]["levels"][0]["width"] > 3, "a draw of its own would show"
    assert all(len(values) == 1 for values in by_person(result.table, "born").values())
    drawn = {name: own["drawn_for"] for name, own in result.detail["columns"].items()}
    assert drawn == {"born": "people", "days": "rows"}
    assert sum(len(values) > 3 for values in by_person(result.table, "days").values()) > 50
    lines = find_method("two-phase-noise").recount(
        table,
        result.table,
        find_method("two-phase-noise").settings(table, ["born", "days"], {"noise": noise, "intervals": 12}),
        result.detail,
    )
    assert [line.records for line in lines.levels] == [2_000 - 286, 286] * 2


def test_the_mean_of_a_persons_rows_tells_no_more_than_one_of_them() -> None:
    """The attack that a draw of its own for each row would fall to: the mean over forty rows of one person."""
    table = visits_table()
    assert table.people is not None
    result = applied("two-phase-noise", table, columns=["born"], snr=1.0)
    truth, shown = (each.column("born").numbers for each in (table, result.table))
    most = np.flatnonzero(table.people.sizes >= 5)
    off = np.array(
        [shown[table.people.of_row == person].mean() - truth[table.people.of_row == person][0] for person in most]
    )
    spread = result.detail["columns"]["born"]["sd"]
    assert len(most) > 30
    # With a draw for each row it would be below a third of the noise's own standard deviation.
    assert np.sqrt((off**2).mean()) > 0.7 * spread


@pytest.mark.parametrize(("id", "name"), [("two-phase-noise", "born"), ("random-swap", "blood")])
def test_a_row_apart_from_its_person_is_found_by_the_recount(id: str, name: str) -> None:
    table = visits_table() if name == "born" else visits_table(("region", "sex", "age", "days"))
    method = find_method(id)
    settings = method.settings(table, [name], {})
    result = method.run(table, settings, streams())
    people, column = existing(table.people), result.table.column(name)
    row = int(np.flatnonzero(people.of_row == np.argmax(people.sizes))[1])
    other = next(text for text in column.texts if text != column.values()[row])
    spoilt = result.table.replacing(column.with_values(np.array([row]), [other]))
    assert method.recount(table, result.table, settings, result.detail).guarantee.holds
    assert not method.recount(table, spoilt, settings, result.detail).guarantee.holds


# --- swaps ----------------------------------------------------------------------------------------


def identifiable_people(table: Table, name: str) -> tuple[set[int], dict[object, set[int]]]:
    """The people whose value is found for certain, and the groups, counted in dictionaries (Li & Sarkar, people)."""
    people = existing(table.people)
    rows: dict[int, list[object]] = {}
    value: dict[int, str] = {}
    for person, row, cell in zip(people.of_row.tolist(), checked_with(table), table.column(name).values(), strict=True):
        rows.setdefault(person, []).append(row)
        value[person] = cell
    missing = table.column(name).missing_texts
    if people.linked:
        rows = {p: [tuple(of) if people.in_order else tuple(sorted(of, key=repr))] for p, of in rows.items()}
    inside: dict[object, set[int]] = {}
    for person, of in rows.items():
        for shown in of:
            inside.setdefault(shown, set()).add(person)
    told = {shown: {value[person] for person in of} for shown, of in inside.items()}
    unique: set[int] = set()
    groups: dict[object, set[int]] = {}
    for person, of in rows.items():
        if value[person] in missing:
            continue
        if any(len(inside[shown]) == 1 for shown in of):
            unique.add(person)
            continue
        pure = [shown for shown in of if len(told[shown]) == 1]
        if pure:
            groups.setdefault(min(pure, key=lambda shown: len(inside[shown])), set()).add(person)
    return unique, groups


def held_by(table: Table, name: str) -> dict[int, str]:
    """The one value that each person shows in all their rows."""
    found = by_person(table, name)
    assert all(len(values) <= 1 for values in found.values())
    return {person: next(iter(values), "") for person, values in found.items()}


@pytest.mark.parametrize("method", ["random-swap", "bayes-swap"])
@pytest.mark.parametrize("linked", [False, True])
def test_swaps_exchange_people(method: str, linked: bool) -> None:
    table = visits_table(("region", "sex", "age", "days"), linked=linked, strict=True)
    result = applied(method, table, columns=["blood"], proportion=0.4, group_share=0.4)
    unique, groups = identifiable_people(table, "blood")
    before, after = held_by(table, "blood"), held_by(result.table, "blood")
    changed = {person for person in before if before[person] != after[person]}
    members = set().union(*groups.values())
    assert changed <= unique | members
    assert table.levels is not None
    assert table.people is not None
    level = dict(zip(table.people.of_row.tolist(), table.levels.codes.tolist(), strict=True))
    for of in groups.values():
        tenths = (4, 6)[max(level[person] for person in of)] * len(of)
        assert max(tenths // 10, 1) <= len(changed & of) <= max(-(-tenths // 10), 1)
    own = result.detail["columns"]["blood"]
    assert (own["unique"], own["groups"], own["group_records"]) == (len(unique), len(groups), len(members))
    for place, stated in enumerate(own["levels"]):
        pool = {person for person in unique if level[person] == place}
        assert len(changed & pool) == stated["m"]
        assert stated["m"] == int((0.4, 0.6)[place] * len(pool) + 0.5)
    counts = [Counter(each.values()) for each in (before, after)]
    moved = sum(abs(counts[1][key] - counts[0][key]) for key in counts[0])
    assert moved == own["departure"]
    assert method != "bayes-swap" or moved == 0
    served = result.protections[0].protected
    assert {int(p) for p in table.people.of_row[served]} == unique | members
    assert all(served[row] == (person in unique | members) for row, person in enumerate(table.people.of_row.tolist()))


@st.composite
def several_with_blood(draw: st.DrawFn) -> Table:
    """As ``several``, with a confidential column that is the same in all rows of a person, some without a value."""
    table = draw(several(most_people=12))
    people = existing(table.people)
    told = draw(st.lists(st.sampled_from(["A", "B", "0", "A", "B", ""]), min_size=people.count, max_size=people.count))
    cells = [told[person] for person in people.of_row.tolist()]
    return replace(table, columns=(*table.columns, column("blood", cells, "confidential")))


@examples(120)
@given(several_with_blood(), st.sampled_from(["random-swap", "bayes-swap"]), st.integers(1, 1_000))
def test_all_rows_of_a_person_change_together(table: Table, method: str, seed: int) -> None:
    each = find_method(method)
    settings = each.settings(table, ["blood"], {})
    refusal, result = None, None
    try:
        each.check(table, settings)
        result = each.run(table, settings, streams(seed))
    except InputError as refused:
        refusal = refused.id
    if result is None:
        assert refusal == "error.swap.one-value"
        return
    unique, groups = identifiable_people(table, "blood")
    own = result.detail["columns"]["blood"]
    assert (own["unique"], own["groups"]) == (len(unique), len(groups))
    before, after = held_by(table, "blood"), held_by(result.table, "blood")
    changed = {person for person in before if before[person] != after[person]}
    assert changed <= unique.union(*groups.values())
    assert all(changed & of for of in groups.values())
    assert each.recount(table, result.table, settings, result.detail).guarantee.holds


# --- microaggregation -----------------------------------------------------------------------------


def sharing(table: Table, names: Sequence[str]) -> dict[int, int]:
    """Of each person: the fewest people who show what one of their rows shows, in every column that it has."""
    assert table.people is not None
    whose = table.people.of_row.tolist()
    cells = [
        [None if cell in table.column(name).missing_texts else cell for cell in table.column(name).values()]
        for name in names
    ]
    shown = list(zip(*cells, strict=True))
    least: dict[int, int] = {}
    for person, row in zip(whose, shown, strict=True):
        filled = [place for place, cell in enumerate(row) if cell is not None]
        if filled:
            alike = {
                other
                for other, there in zip(whose, shown, strict=True)
                if all(there[place] == row[place] for place in filled)
            }
            least[person] = min(least.get(person, len(whose)), len(alike))
    return least


def asked_by(table: Table) -> dict[int, int]:
    """The group that each person asks for."""
    assert table.people is not None
    assert table.levels is not None
    return dict(zip(table.people.of_row.tolist(), table.levels.of("group").astype(int).tolist(), strict=True))


@st.composite
def several_with_numbers(draw: st.DrawFn) -> Table:
    """As ``several``, with two numbers that change within people and one that does not; some gaps."""
    table = draw(several(most_people=10))
    people = existing(table.people)
    drawn = st.sampled_from([*map(str, range(12)), "", "40"])
    cells = [draw(st.lists(drawn, min_size=table.rows, max_size=table.rows)) for _ in range(2)]
    told = draw(st.lists(drawn, min_size=people.count, max_size=people.count))
    cells.append([told[person] for person in people.of_row.tolist()])
    for each in cells:
        each[0] = each[0] or "5"
    first = people.of_row.tolist()[0]
    cells[2] = [cell or ("5" if person == first else "") for cell, person in zip(cells[2], people.of_row.tolist())]
    names = ("N0", "N1", "C")
    added = [column(name, each, "confidential", "numeric") for name, each in zip(names, cells, strict=True)]
    return replace(table, columns=(*table.columns, *added))


@examples(200)
@given(
    several_with_numbers(),
    st.sampled_from([["N0"], ["C"], ["N0", "N1"], ["N0", "N1", "C"]]),
    st.sampled_from(["univariate", "multivariate", "clusters"]),
    st.sampled_from(["mean", "median"]),
)
def test_every_average_is_shared_by_enough_people(table: Table, columns: list[str], mode: str, centre: str) -> None:
    result, refusal = try_step("microaggregation", table, columns, mode=mode, centre=centre)
    if result is None:
        assert refusal == "error.method.too-few"
        return
    method = find_method("microaggregation")
    settings = method.settings(table, columns, {"mode": mode, "centre": centre})
    recount = method.recount(table, result.table, settings, result.detail)
    assert "C" not in columns or all(len(values) <= 1 for values in by_person(result.table, "C").values())
    if mode == "clusters":
        return
    asked = asked_by(table)
    for names in [each["columns"] for each in result.detail["sets"]]:
        found = sharing(result.table, names)
        assert all(size >= asked[person] for person, size in found.items())
    table_people = sum(line.records for line in recount.levels) / len(columns)
    assert table.people is not None
    assert table_people == table.people.count


def test_a_value_that_one_person_leaves_apart_is_found_by_the_recount() -> None:
    table = visits_table()
    method = find_method("microaggregation")
    for name in ("born", "days"):
        settings = method.settings(table, [name], {})
        result = method.run(table, settings, streams())
        assert table.people is not None
        row = int(np.flatnonzero(table.people.of_row == np.argmax(table.people.sizes))[1])
        told = result.table.column(name).values()[row]
        other = next(text for text in result.table.column(name).texts if text != told)
        for spoilt in ([other], ["77"]) if name == "born" else (["77"],):
            broken = result.table.replacing(result.table.column(name).with_values(np.array([row]), spoilt))
            assert not method.recount(table, broken, settings, result.detail).guarantee.holds


RUNS = st.lists(st.tuples(st.integers(0, 20), st.integers(0, 5)), min_size=1, max_size=14)


@examples(200)
@given(RUNS, st.lists(st.integers(1, 4), min_size=6, max_size=6))
def test_the_best_runs_of_people_are_the_best(rows: list[tuple[int, int]], needs: list[int]) -> None:
    """Against every partition of up to fourteen sorted values into runs."""
    rows = sorted(rows)
    values, who = np.array([float(value) for value, _ in rows]), np.array([person for _, person in rows])
    asked = np.array([min(needs[person], len(set(who.tolist()))) for person in who.tolist()])
    for people in range(1, 5):
        latest = latest_starts(who, people).tolist()
        for end in range(len(rows) + 1):
            fit = [start for start in range(end) if len(set(who[start:end].tolist())) >= people]
            assert latest[end] == max(fit, default=-1)
    best = np.full(len(rows) + 1, np.inf)
    best[0] = 0.0
    for end in range(1, len(rows) + 1):
        for start in range(end):
            if len(set(who[start:end].tolist())) >= asked[start:end].max():
                run = values[start:end]
                best[end] = min(best[end], best[start] + float(((run - run.mean()) ** 2).sum()))
    starts = find_best_people_runs(values, asked, who)
    edges = [*starts.tolist(), len(rows)]
    for start, end in itertools.pairwise(edges):
        assert len(set(who[start:end].tolist())) >= asked[start:end].max()
    assert squares_about_means(values, starts) == pytest.approx(best[-1], abs=1e-9)


def test_blocks_without_enough_people_become_one() -> None:
    who = np.concatenate([np.zeros(9_000, dtype=np.int64), np.arange(1, 5_001)])
    points = np.concatenate([np.linspace(50, 60, 9_000), np.linspace(0, 10, 5_000)])[:, None]
    needs = np.full(14_000, 5)
    group = growing_groups(points, needs, who)
    people = np.bincount(np.unique(group * 5_001 + who) // 5_001)
    assert (people >= 5).all()
    assert len(people) > 500
