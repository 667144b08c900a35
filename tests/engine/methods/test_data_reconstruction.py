"""Data reconstruction: cuts, exchange, learners against slow ones, the search, the audit, the worked example."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from number_support import applied, levels_for
from reconstruction_support import column_of, patients, slow_bayes, slow_tree
from swap_support import stream, streams
from thoroughness import examples

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods import data_reconstruction
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.genes import apportion_quotas, evolve
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.learners import Lessons, NaiveBayes, Tree
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import MDL, mask_of
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.plan import (
    MOST_LEFT_OUT,
    join_masks,
    plan_of,
    swap_within_classes,
)
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.search import (
    Chosen,
    audit_cells,
    choose_records,
    diversify_choice,
)
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.methods.base.step import StepResult
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import ProfileName
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.hierarchies import ANYTHING

METHOD = find_method("data-reconstruction")
GOLDEN = json.loads((Path(__file__).parents[2] / "golden" / "zhu.json").read_text(encoding="utf-8"))


def ran(table: Table, seed: int = 1, **parameters: Any) -> StepResult:
    result, settings = applied(METHOD.id, table, seed, **parameters), METHOD.settings(table, None, parameters)
    assert METHOD.recount(table, result.table, settings, result.detail).guarantee.holds
    return result


# --- masks --------------------------------------------------------------------------------


def test_cuts_on_pima_are_the_golden_ones(data_folder: Path) -> None:
    """A golden cut lies in the middle between two values; ours is the lowest value above, or a step above the other."""
    head, *rows = [line.split(",") for line in (data_folder / "pima.csv").read_text().split()]
    golden = {"skin_thickness": "skin", "diabetes_pedigree": "pedigree"}
    columns = [
        replace(column_of(name, [row[place] for row in rows], "other"), kind="nominal", style=None)
        if name == "class"
        else _numeric(name, [row[place] for row in rows])
        for place, name in enumerate(head)
    ]
    table = Table(tuple(columns), np.arange(1, len(rows) + 1))
    for column in table.columns[:-1]:
        cuts = GOLDEN["pima_mdl_cuts"][golden.get(column.name, column.name)]
        mask = mask_of(column, table, "class", method=MDL, count=4)
        expected = np.searchsorted(cuts or [np.median(column.numbers)], column.numbers, side="right")
        if cuts:
            assert np.array_equal(mask.values, expected), column.name
        else:
            shares = np.bincount(mask.values) / len(rows)
            assert len(shares) == 2
            assert abs(shares[0] - 0.5) < 0.06


def _numeric(name: str, texts: list[str]) -> Column:
    return Column.from_texts(name, texts, role="other", kind="numeric", style=NumberStyle.seen_in(texts))


@pytest.mark.parametrize(
    ("on_public_grid", "income", "born"), [(True, "44500", "01.01.1940"), (False, "44067", "13.04.1940")]
)
def test_cuts_on_the_public_grid_are_nobodys_values(on_public_grid: bool, income: str, born: str) -> None:
    """The members next to the cuts earn 44,066 and were born on 12.04.1940; who has no cut is not told by another."""
    days = [f"{1 + n % 28:02}.0{1 + n % 9}.{1901 + n}" for n in range(80)]
    secret = column_of("secret", ["yes" if n > 39 else "no" for n in range(80)], "confidential")
    dates = replace(column_of("born", days, "quasi-identifier"), kind="date", date_format="%d.%m.%Y")
    incomes, alike = _numeric("income", [str(20_003 + 617 * n) for n in range(80)]), _numeric("n", ["7", *["8"] * 79])
    table = Table((incomes, dates, secret, alike), np.arange(1, 81), levels_for([2] * 80))
    for column, labels in ((incomes, (f"< {income}", f"≥ {income}")), (dates, (f"< {born}", f"≥ {born}"))):
        assert mask_of(column, table, "secret", method=MDL, count=4, on_public_grid=on_public_grid).labels == labels
    for gaps, label in ((alike.missing_texts, ANYTHING), (frozenset({ANYTHING}), "* (joined)")):
        same = replace(alike, missing_texts=gaps)
        assert mask_of(same, table, "secret", method=MDL, count=4, on_public_grid=on_public_grid).labels == (label,)


@pytest.mark.parametrize(("profile", "first"), [("paper", "< 44684"), ("safe", "< 45000")])
def test_the_paper_s_profile_cuts_at_own_values_whatever_k_is(profile: ProfileName, first: str) -> None:
    income = replace(_numeric("income", [str(20_003 + 617 * n) for n in range(80)]), role="quasi-identifier")
    secret = column_of("secret", ["yes" if (n > 39) != (n % 10 == 0) else "no" for n in range(80)], "confidential")
    table, method = Table((income, secret), np.arange(1, 81), levels_for([2] * 80)), find_method("data-reconstruction")
    settings = method.settings(table, None, method.merge_profile(profile, {"k": 20}))
    assert plan_of(table, settings).masks[0].labels[0] == first


@examples(60)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(20, 120),
    width=st.integers(1, 6),
    k=st.integers(2, 9),
    missing=st.sampled_from([0.0, 0.1]),
)
def test_joining_leaves_few_people_out(seed: int, rows: int, width: int, k: int, missing: float) -> None:
    table = random_patients(seed, rows, width, missing)
    classes = table.column("secret").category_codes.astype(np.int64)
    quasi = [mask_of(each, table, "secret", method=MDL, count=4) for each in table.with_role("quasi-identifier")]
    masks = join_masks(quasi, classes, 2, k)
    cells: dict[tuple[int, ...], list[int]] = {}
    for at in range(rows):
        cells.setdefault(tuple(int(mask.codes[at]) for mask in masks), []).append(int(classes[at]))
    unfit = sum(len(each) for each in cells.values() if len(each) < k or len({c for c in each if c >= 0}) < 2)
    spent = all(len(mask.groups) == 1 for mask in masks)
    assert unfit <= MOST_LEFT_OUT * rows or spent
    for before, after in zip(quasi, masks, strict=True):
        assert sorted(value for group in after.groups for value in group) == list(range(len(before.groups)))
        assert len(set(after.labels)) == len(after.groups)
        assert np.array_equal(after.codes < 0, before.codes < 0)


def test_rare_names_are_joined_before_what_says_much() -> None:
    """One town in ten is one of thirty rare ones: they go together, and sex and age stay."""
    rng = np.random.default_rng(4)
    rows = 1200
    towns = ["Ghent" if rng.random() < 0.9 else f"hamlet {n}" for n in rng.integers(30, size=rows)]
    sexes = [str(each) for each in rng.choice(["f", "m"], rows)]
    ill = [("ill" if rng.random() < (0.7 if sex == "f" else 0.3) else "well") for sex in sexes]
    columns = (
        column_of("town", towns, "quasi-identifier"),
        column_of("sex", sexes, "quasi-identifier"),
        column_of("secret", ill, "confidential"),
    )
    table = Table(columns, np.arange(1, rows + 1), levels_for([5] * rows))
    classes = table.column("secret").category_codes.astype(np.int64)
    quasi = [mask_of(each, table, "secret", method=MDL, count=4) for each in columns[:2]]
    town, sex = join_masks(quasi, classes, 2, 5)
    assert sex.labels == ("f", "m")
    assert "Ghent" in town.labels
    everything_else = town.joined(*(place for place, label in enumerate(town.labels) if label != "Ghent"))
    assert sorted(everything_else.labels) == ["Ghent", "{" + ", ".join(sorted({*towns} - {"Ghent"})) + "}"]


def random_patients(seed: int, rows: int, width: int, missing: float = 0.0) -> Table:
    rng = np.random.default_rng(seed)

    def gaps(texts: list[str]) -> list[str]:
        return [text if rng.random() >= missing else "" for text in texts]

    age = rng.integers(18, 90, rows)
    secret = ["ill" if rng.random() < (a - 10) / 90 else "well" for a in age.tolist()]
    secret[:2] = ["ill", "well"]
    columns = (
        column_of("age", gaps([str(a) for a in age]), "quasi-identifier"),
        column_of("town", gaps([f"t{n}" for n in rng.integers(width, size=rows)]), "quasi-identifier"),
        column_of("pulse", gaps([str(n) for n in rng.integers(50, 110, rows)]), "other"),
        column_of("secret", secret, "confidential"),
    )
    return Table(columns, np.arange(1, rows + 1), levels_for([3] * rows))


# --- exchange -----------------------------------------------------------------------------


@given(
    pairs=st.lists(st.tuples(st.integers(-1, 4), st.integers(-1, 2)), min_size=1, max_size=60),
    share=st.sampled_from([0.0, 0.2, 0.5, 1.0]),
    seed=st.integers(0, 1000),
)
def test_exchange_keeps_every_value_of_every_class(pairs: list[tuple[int, int]], share: float, seed: int) -> None:
    codes, classes = np.array(pairs, dtype=np.int64).T
    found = swap_within_classes(codes, classes, share, stream(seed))
    for label in set(classes.tolist()):
        assert sorted(found[classes == label]) == sorted(codes[classes == label])
        size = int((classes == label).sum())
        assert (found != codes)[classes == label].sum() <= 2 * int(share * size / 2)


# --- learners -----------------------------------------------------------------------------


@examples(40)
@given(seed=st.integers(0, 2**32), rows=st.integers(6, 60), columns=st.integers(1, 4), width=st.integers(2, 4))
def test_learners_agree_with_slow_ones(seed: int, rows: int, columns: int, width: int) -> None:
    rng = np.random.default_rng(seed)
    sizes = tuple(rng.integers(2, 6, columns).tolist())
    codes = np.stack([rng.integers(size, size=rows) for size in sizes], axis=1)
    classes = rng.integers(width, size=rows)
    numbers = rng.normal(size=(rows, 2)) + classes[:, None]
    numbers[rng.random((rows, 2)) < 0.1] = np.nan
    assume(not np.isnan(numbers).all(axis=0).any())
    members = rng.random((3, rows)) < 0.6
    members[:, :2] = True
    lessons = Lessons(codes, sizes, classes, width)
    tree, bayes = Tree(lessons), NaiveBayes(lessons, numbers, 3)
    for choice, fast, other in zip(members, tree.correct(members), bayes.correct(members), strict=True):
        slow = slow_tree(codes[choice], classes[choice], width, Tree.depth, Tree.smallest_leaf, codes)
        assert fast == pytest.approx(np.mean(slow == classes))
        told = slow_bayes(codes, sizes, numbers, classes, width, choice, 3)
        assert other == pytest.approx(np.mean(told == classes))


# --- the search ---------------------------------------------------------------------------


def count_ones(goal: np.ndarray):  # type: ignore[no-untyped-def]
    return lambda choices: (choices & goal).sum(axis=1) / goal.sum()


def test_search_finds_what_it_is_after_and_keeps_its_shares() -> None:
    rng = np.random.default_rng(1)
    classes, goal = np.arange(60) % 3, np.zeros(60, dtype=np.bool_)
    goal[rng.permutation(60)[:20]] = True
    places = apportion_quotas(classes, np.bincount(classes), 20)
    seen: list[np.ndarray] = []

    def fitness(choices: np.ndarray) -> Floats:
        seen.append(choices)
        return np.asarray((choices & goal).sum(axis=1) / 20)

    found = evolve(places, fitness, streams(), population=30, generations=60, mutation=0.02)
    for choices in seen:
        for quota in places:
            assert (choices[:, quota.records].sum(axis=1) == quota.chosen).all()
    assert list(found.curve) == sorted(found.curve)
    most = sum(min(quota.chosen, int(goal[quota.records].sum())) for quota in places) / 20
    assert found.curve[0] < 0.7
    assert found.curve[-1] >= most - 0.051
    assert found.evaluations == sum(map(len, seen))


def test_a_short_search_is_the_beginning_of_a_long_one() -> None:
    goal = np.arange(40) < 15
    places = apportion_quotas(np.zeros(40, dtype=np.int64), np.array([40]), 15)
    long = evolve(places, count_ones(goal), streams(), population=8, generations=12, mutation=0.02)
    short = evolve(places, count_ones(goal), streams(), population=8, generations=5, mutation=0.02)
    assert short.curve == long.curve[:6]
    told: list[dict[str, float]] = []
    progress = Progress(figures=lambda doing, figures: told.append(dict(figures)))

    def ended(choices: np.ndarray) -> np.ndarray:
        if len(told) == 5:
            progress.finish_early()
        return np.asarray(count_ones(goal)(choices))

    stopped = progress.part(0.1, 0.9).run(evolve, places, ended, streams(), population=8, generations=12, mutation=0.02)
    assert stopped.generations == 5
    assert stopped.curve == short.curve
    assert np.array_equal(stopped.best, short.best)
    assert [each["generation"] for each in told] == [0, 1, 2, 3, 4, 5]
    assert [each["best"] for each in told] == list(stopped.curve)


@given(seed=st.integers(0, 10_000), rows=st.integers(4, 40), cells=st.integers(1, 6))
def test_mending_leaves_no_cell_with_one_class(seed: int, rows: int, cells: int) -> None:
    rng = np.random.default_rng(seed)
    cell = np.r_[np.repeat(np.arange(cells), 2), rng.integers(cells, size=rows)]
    classes = np.r_[np.tile([0, 1], cells), rng.integers(3, size=rows)]
    chosen = rng.random(len(cell)) < rng.random()
    chosen[:2] = True
    found, _ = diversify_choice(chosen, cell, classes, stream(seed))
    assert 2 <= found.sum() <= chosen.sum()
    for place in set(cell[found].tolist()):
        assert len(set(classes[found & (cell == place)].tolist())) >= 2


# --- the audit ----------------------------------------------------------------------------


def test_audit_refuses_copies_that_only_look_like_people() -> None:
    people = np.array([9, 9, 2, 9])
    fine = audit_cells(np.array([0] * 6), np.array([1, 1, 1, 4, 4, 4]), np.array([0, 0, 0, 1, 1, 1]), people, 3)
    assert fine.passed
    # Ten copies of one record: ten rows, one person.
    assert not audit_cells(np.zeros(10, dtype=np.int64), np.full(10, 7), np.zeros(10, dtype=np.int64), people, 3).passed
    # Two people of one class.
    lone = audit_cells(np.array([1] * 6), np.array([1, 1, 1, 4, 4, 4]), np.zeros(6, dtype=np.int64), people, 3)
    assert (lone.passed, lone.least_records, lone.least_classes) == (False, 2, 1)
    # Two people in the whole source have the combination, shown eight times.
    few = audit_cells(np.array([2] * 8), np.array([1, 4] * 4), np.array([0, 1] * 4), people, 3)
    assert (few.passed, few.least_rows, few.least_people) == (False, 8, 2)
    # A missing class is no second class.
    assert not audit_cells(
        np.array([1] * 6), np.array([1, 1, 1, 4, 4, 4]), np.array([0, 0, 0, -1, -1, -1]), people, 3
    ).passed
    assert not audit_cells(np.array([3, 3]), np.array([1, 4]), np.array([0, 1]), people, 3).passed
    empty = np.zeros(0, dtype=np.int64)
    assert not audit_cells(empty, empty, empty, people, 3).passed


def test_a_run_whose_audit_fails_releases_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def one_person(*args: Any) -> Chosen:
        found = choose_records(*args)
        return replace(found, records=found.records[:1])

    table = patients()
    settings = METHOD.settings(table, None, {})
    METHOD.run(table, settings, streams())
    monkeypatch.setattr(data_reconstruction, "choose_records", one_person)
    with pytest.raises(InputError) as refused:
        METHOD.run(table, settings, streams())
    assert refused.value.id == "error.reconstruction.cosmetic"


def test_a_recount_sees_what_was_changed_afterwards() -> None:
    table = patients()
    settings = METHOD.settings(table, None, {})
    result = METHOD.run(table, settings, streams())
    same = result.table.column("test result")
    pure = same.with_values(np.arange(len(same)), ["negative"] * len(same))
    told = METHOD.recount_run(table, result.table.replacing(pure), settings, result)
    assert not told.guarantee.holds
    age = result.table.column("age")
    finer = age.with_values(np.array([0]), ["23"])
    assert not METHOD.recount_run(table, result.table.replacing(finer), settings, result).guarantee.holds
    assert isinstance(result.in_memory, data_reconstruction.Reconstruction)
    lonely = replace(result, in_memory=replace(result.in_memory, source=np.zeros(table.rows, dtype=np.int64)))
    assert not METHOD.recount_run(table, result.table, settings, lonely).guarantee.holds
    assert not METHOD.recount(table, result.table.take(np.arange(20)), settings, result.detail).guarantee.holds


# --- the whole method ---------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_the_worked_example(seed: int) -> None:
    """Age and marital status known to others, the test result confidential, k = 3."""
    table = patients()
    result = ran(table, seed, classifier="both")
    released = result.table
    assert released.rows == 21
    rows = list(zip(*(released.column(name).values() for name in released.names), strict=True))
    whole = [list(table.column(name).values()) for name in ("blood pressure", "blood type", "test result")]
    true = list(zip(*whole, strict=True))
    cells: dict[tuple[str, ...], list[tuple[str, ...]]] = {}
    for row in rows:
        assert row[2:] in true, "what is no quasi-identifier is a chosen person's own"
        cells.setdefault(row[:2], []).append(row[2:])
    for shown in cells.values():
        assert len(shown) >= 3
        assert {result for _, _, result in shown} == {"negative", "positive"}
    assert len(set(rows)) <= 7
    assert all(rows.count(row) >= 3 for row in rows)
    assert result.detail["cells"]["least_people"] >= 3
    assert result.detail["chosen"] == 7


def test_k_is_the_largest_group_that_anybody_asks_for() -> None:
    table = patients([3] * 20 + [6])
    assert ran(table).detail["k"] == 6
    assert ran(table, k=4).detail["k"] == 6
    assert ran(table, k=7).detail["k"] == 7
    with pytest.raises(InputError) as refused:
        METHOD.check(table, METHOD.settings(table, None, {"k": 11}))
    assert refused.value.id == "error.reconstruction.too-few"


@examples(25)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(24, 90),
    width=st.integers(1, 8),
    missing=st.sampled_from([0.0, 0.2]),
    share=st.sampled_from([0.0, 0.2, 1.0]),
)
def test_missing_values_and_many_names(seed: int, rows: int, width: int, missing: float, share: float) -> None:
    table = random_patients(seed, rows, width, missing)
    settings = METHOD.settings(table, None, {"swap_share": share, "generations": 3, "population": 6})
    try:
        result = METHOD.run(table, settings, streams(seed % 99))
    except InputError as refused:
        if refused.id != "error.reconstruction.no-cells":
            raise
        return
    recount = METHOD.recount_run(table, result.table, settings, result)
    assert recount.guarantee.holds
    cells: dict[tuple[str, ...], list[str]] = {}
    columns = [result.table.column(name).values() for name in ("age", "town", "secret")]
    for age, town, secret in zip(*columns, strict=True):
        cells.setdefault((age, town), []).append(secret)
    assert sum(map(len, cells.values())) == rows
    for shown in cells.values():
        assert len(shown) >= 3
        assert set(shown) == {"ill", "well"}


def test_rare_classes_and_records_without_class() -> None:
    table = patients()
    results = table.column("test result").with_values(np.array([0, 5, 9]), ["", "unclear", ""])
    table = table.replacing(results)
    result = ran(table)
    assert "" not in result.table.column("test result").values()
    assert len(result.table.column("test result")) == 21
    gone = [note for note in result.notes if note.id == "note.reconstruction.classes-gone"]
    shown = set(result.table.column("test result").values())
    assert bool(gone) == ("unclear" not in shown)


def test_refusals_are_by_name() -> None:
    table = patients()
    for columns, parameters, wanted in (
        (["age", "marital status", "test result"], {}, "error.reconstruction.uncovered"),
        (None, {"class": "age"}, "error.reconstruction.unfit-class"),
        (None, {"class": "nobody"}, "error.recipe.no-such-column"),
    ):
        with pytest.raises(RecipeError) as refused:
            METHOD.settings(table, columns, parameters)
        assert refused.value.id == wanted
    bare = table.mapped(lambda column: replace(column, role="other"))
    with pytest.raises(RecipeError) as refused:
        METHOD.settings(bare, None, {"class": "test result"})
    assert refused.value.id == "error.reconstruction.no-quasi"
    with pytest.raises(RecipeError) as refused:
        METHOD.settings(table.replacing(replace(table.column("test result"), role="other")), None, {})
    assert refused.value.id == "error.reconstruction.no-class"
