"""Condensation: every record in a large enough group, every column treated, moments kept."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from condensing_support import groups_of
from hypothesis import given
from hypothesis import strategies as st
from mixed_table import mixed
from number_support import applied, levels_for, number_table
from swap_support import streams
from thoroughness import examples

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.condensation.run import make_class_strata
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import FILE_NAME, Statistics
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.texts import render

METHOD = find_method("condensation")
run = partial(applied, METHOD.id)

# --- the promise ------------------------------------------------------------------------------


@examples(60)
@given(
    seed=st.integers(0, 2**32),
    rows=st.integers(12, 50),
    gaps=st.booleans(),
    algorithm=st.sampled_from(["segment-cannibalize-attrition", "tree", "top-down", "best-of"]),
    shape=st.sampled_from(["uniform", "gaussian"]),
    together=st.sampled_from(["independent", "together"]),
)
def test_every_group_is_large_enough_and_shows_its_own_values(
    seed: int, rows: int, gaps: bool, algorithm: str, shape: str, together: str
) -> None:
    table = mixed(np.random.default_rng(seed), rows, gaps=gaps, groups=(1, 2, 5, 11))
    result = run(table, seed, algorithm=algorithm, regenerate=shape, categories=together, common=False)
    group = groups_of(result)
    sizes = np.bincount(group)[group]
    asked = table.levels.of("group")  # type: ignore[union-attr]
    assert (sizes >= np.maximum(asked, 2)).all()
    for name in ("grade", "town", "sex"):
        before, after = table.column(name).values(), result.table.column(name).values()
        for each in np.unique(group):
            own = np.flatnonzero(group == each)
            assert sorted(before[i] for i in own) == sorted(after[i] for i in own)
    if together == "together":
        pairs = [
            sorted(zip(group.tolist(), each.column("town").values(), each.column("sex").values(), strict=True))
            for each in (table, result.table)
        ]
        assert pairs[0] == pairs[1]
    for name in ("pay", "tax", "born", "grade"):
        gaps_before, gaps_after = table.column(name).missing, result.table.column(name).missing
        assert np.array_equal(np.bincount(group, gaps_before), np.bincount(group, gaps_after))
    numbers = [text for text in result.table.column("tax").values() if text]
    assert all(len(text.partition(".")[2]) == 2 for text in numbers)
    assert all("." not in text for text in result.table.column("pay").values())
    for text in result.table.column("born").values():
        assert not text or str(np.datetime64(text)) == text


def test_groups_smaller_than_a_member_asks_are_found_by_the_recount() -> None:
    table = mixed(np.random.default_rng(1))
    settings = METHOD.settings(table, None, {})
    result = METHOD.run(table, settings, streams())
    assert METHOD.recount_run(table, result.table, settings, result).guarantee.holds
    split = groups_of(result).copy()
    split[np.flatnonzero(split == 0)[0]] = split.max() + 1
    broken = METHOD.recount_run(table, result.table, settings, replace(result, row_groups=split))
    assert not broken.guarantee.holds
    assert broken.guarantee.worst == 1.0
    assert not all(proof.met for proof in broken.levels)
    worst = next(proof for proof in broken.levels if not proof.met)
    assert worst.worst_row is not None


@pytest.mark.parametrize("name", ["pay", "town", "grade"])
def test_another_value_in_the_file_is_found_by_the_recount(name: str) -> None:
    table = mixed(np.random.default_rng(1), gaps=True)
    settings = METHOD.settings(table, None, {})
    result = METHOD.run(table, settings, streams())
    column = result.table.column(name)
    row = int(np.flatnonzero(~column.missing)[0])
    spoilt = column.with_values(np.array([row]), [""])
    found = METHOD.recount_run(table, result.table.replacing(spoilt), settings, result)
    assert not found.guarantee.holds
    # Without what the run holds in memory the groups are formed anew from the input.
    assert METHOD.recount(table, result.table, settings, result.detail).guarantee.holds
    assert not METHOD.recount(table, result.table.replacing(spoilt), settings, result.detail).guarantee.holds


def test_too_few_records_are_refused_with_the_level() -> None:
    table = number_table([1, 2, 3, 4, 5], [5, 4, 3, 2, 1], levels=[2, 2, 2, 2, 9])
    with pytest.raises(InputError) as refused:
        run(table)
    text = render(refused.value.id, refused.value.arguments)
    assert "groups of 9" in text.sentence
    assert "4 too few" in text.sentence
    assert text.remedy
    table = with_class(np.random.default_rng(1), {"a": 20, "b": 30}, 51)
    with pytest.raises(InputError):
        METHOD.recount(table, table, METHOD.settings(table, None, CLASSES), {})


# --- every released column is treated -----------------------------------------------------------


def test_a_released_column_left_as_it_is_is_refused_by_name() -> None:
    table = mixed(np.random.default_rng(3))
    with pytest.raises(RecipeError) as refused:
        METHOD.settings(table, ["pay", "tax", "born", "grade", "sex"], {})
    assert (refused.value.id, refused.value.column) == ("error.condensation.uncovered", "town")
    kept = table.replacing(replace(table.column("town"), role="left-out"))
    assert METHOD.settings(kept, ["pay", "tax", "born", "grade", "sex"], {}).columns


def test_dates_with_a_time_zone_are_refused_by_name_and_hours_need_no_zero() -> None:
    texts = [f"2020-01-0{day}T10:00:00Z" for day in range(1, 9)]
    column = Column.from_texts("seen", texts, role="other", kind="date", order=tuple(texts))
    table = Table((replace(column, date_format="%Y-%m-%dT%H:%M:%S"),), np.arange(1, 9), levels_for([2] * 8))
    with pytest.raises(InputError) as refused:
        run(table)
    assert (refused.value.id, refused.value.column) == ("error.condensation.date-form", "seen")
    bare = [f"{day}.02.2020 9:30" for day in range(1, 9)]
    column = Column.from_texts("seen", bare, role="other", kind="date", order=tuple(bare))
    table = Table((replace(column, date_format="%d.%m.%Y %H:%M"),), np.arange(1, 9), levels_for([2] * 8))
    assert all(len(text) == len("01.02.2020 09:30") for text in run(table).table.column("seen").values())


@pytest.mark.parametrize(
    ("form", "texts"),
    case_rows("condensation-dates-are-written-as-the-column-writes-them", lists=True),
)
def test_dates_are_written_as_the_column_writes_them(form: str, texts: list[str]) -> None:
    from ppdm_desktop.engine.methods.algorithms.condensation.coverage import DateGrid
    from ppdm_desktop.engine.table.dates import DateFormat

    rows = (texts * 6)[:18]
    column = Column.from_texts("when", rows, role="other", kind="date", order=tuple(texts), date_format=form)
    grid = DateGrid.of(column)
    assert [grid.text(grid.count(text)) for text in texts] == texts
    released = run(Table((column,), np.arange(1, 19), levels_for([3] * 18))).table.column("when")
    parsed = DateFormat.parse(form)
    assert parsed is not None
    for text in released.values():
        assert parsed.read(text) is not None
        assert grid.text(grid.count(text)) == text
    assert list(released.order or ()) == sorted(released.order or (), key=grid.count)
    assert grid.text(grid.ends[0])
    assert grid.text(grid.ends[1])


def test_only_categories_and_only_one_column_work() -> None:
    rng = np.random.default_rng(6)
    table = mixed(rng)
    alone = Table((table.column("town"),), table.row_numbers, table.levels)
    assert run(alone).table.column("town").categories == alone.column("town").categories
    number = Table((table.column("pay"),), table.row_numbers, table.levels)
    assert run(number).table.column("pay").kind == "numeric"
    ranks = Table((table.column("grade"), table.column("sex")), table.row_numbers, table.levels)
    assert run(ranks).detail["regenerated"] == 0


def test_constant_columns_stay_and_gaps_throughout_stay() -> None:
    rng = np.random.default_rng(8)
    table = number_table([7] * 30, [""] * 30, rng.integers(0, 99, size=30).tolist(), levels=[4] * 30)
    released = run(table).table
    assert set(released.column("A").values()) == {"7"}
    assert set(released.column("B").values()) == {""}


# --- what is kept and what is not ---------------------------------------------------------------


def test_the_floor_leaves_the_plane_of_the_true_records_and_little_else() -> None:
    rng = np.random.default_rng(12)
    points = rng.normal(size=(120, 6)) @ rng.normal(size=(6, 6))
    table = number_table(*[[f"{each:.4f}" for each in column] for column in points.T], levels=[3] * 120)

    def distance(**parameters: Any) -> float:
        """Largest distance of a made-up record from the plane of its group, in the groups' own spread."""
        result = run(table, **parameters)
        released = np.column_stack([result.table.column(name).numbers for name in "ABCDEF"])
        group, away = groups_of(result), []
        for each in range(int(group.max()) + 1):
            own = points[group == each]
            axes = np.linalg.svd(own - own.mean(axis=0), full_matrices=True)[2][len(own) - 1 :]
            away.append(np.abs((released[group == each] - own.mean(axis=0)) @ axes.T).max())
        return float(np.median(away))

    assert distance(floor=False) < 1e-3
    assert distance(floor=True) > 0.1
    assert run(table, floor=True).detail["small_groups"] == run(table).detail["groups"]


def test_no_made_up_row_is_a_true_one() -> None:
    rng = np.random.default_rng(14)
    points = rng.normal(size=(300, 3))
    table = number_table(*[[f"{each:.6f}" for each in column] for column in points.T], levels=[4] * 300)
    released = run(table).table
    true = set(zip(*(table.column(name).values() for name in "ABC"), strict=True))
    made = set(zip(*(released.column(name).values() for name in "ABC"), strict=True))
    assert not true & made


def test_new_records_have_nothing_to_do_with_the_old_row_they_stand_in() -> None:
    rng = np.random.default_rng(15)
    points = rng.normal(size=400)
    table = number_table([f"{each:.4f}" for each in points], levels=[40] * 400)
    inside = []
    for seed in range(20):
        result = run(table, seed)
        group = groups_of(result)
        released = result.table.column("A").numbers
        centres = np.bincount(group, points) / np.bincount(group)
        inside.append(np.corrcoef(points - centres[group], released - centres[group])[0, 1])
    assert abs(np.mean(inside)) < 4 / np.sqrt(20 * 400)


def test_values_stop_only_at_declared_bounds_and_only_when_asked() -> None:
    rng = np.random.default_rng(16)
    values = rng.integers(0, 40, size=200) ** 2 // 40
    table = number_table(values.tolist(), rng.integers(0, 9, size=200).tolist(), levels=[20] * 200)
    table = table.replacing(replace(table.column("A"), bounds=(0.0, 1_000.0)))
    free, kept, usual = (
        found.table for found in (run(table, common=False), run(table, common=False, clip=True), run(table))
    )
    assert free.column("A").numbers.min() < 0
    assert np.array_equal(np.maximum(free.column("A").numbers, 0), kept.column("A").numbers)
    assert kept.column("B").numbers.min() < 0
    assert min(usual.column(name).numbers.min() for name in "AB") >= 0


# --- by class -------------------------------------------------------------------------------------


def with_class(rng: np.random.Generator, sizes: dict[str, int], asked: int) -> Table:
    labels = [label for label, size in sizes.items() for _ in range(size)]
    rows = len(labels)
    column = Column.from_texts("class", labels, role="confidential")
    table = number_table(rng.integers(0, 99, size=rows).tolist(), levels=[asked] * rows)
    return replace(table, columns=(*table.columns, column))


CLASSES: dict[str, Any] = {"per": "class", "class": "class"}


def test_groups_by_class_hold_one_class() -> None:
    table = with_class(np.random.default_rng(1), {"a": 20, "b": 30}, 4)
    result, column = run(table, **CLASSES), table.column("class")
    group, codes = groups_of(result), column.codes
    for each in np.unique(group):
        assert len(np.unique(codes[group == each])) == 1
    assert result.table.column("class").values() == table.column("class").values()
    settings = METHOD.settings(table, None, {"per": "class", "class": "class"})
    assert [note.id for note in METHOD.check(table, settings)] == ["note.condensation.class-disclosed"]
    alone = replace(table, columns=(replace(table.columns[0], role="other"),))
    both = replace(alone, columns=(*alone.columns, column))
    assert np.array_equal(groups_of(run(both, mix_confidential=True)), groups_of(run(alone)))


def test_rare_classes_are_pooled_and_their_labels_exchanged() -> None:
    table = with_class(np.random.default_rng(2), {"a": 40, "b": 3, "c": 2, "d": 12}, 8)
    result = run(table, **CLASSES, common=False)
    before, after = table.column("class").values(), result.table.column("class").values()
    assert sorted(before) == sorted(after)
    assert before[:40] == after[:40]
    assert before[40:] != after[40:]
    assert [note.id for note in result.notes if "pooled" in note.id]
    assert (np.bincount(groups_of(result)) >= 8).all()
    strata = make_class_strata(table.column("class"), np.full(57, 8))
    assert [stratum.labels for stratum in strata] == [("a",), ("b", "c", "d")]
    assert [stratum.is_pool for stratum in strata] == [False, True]


@pytest.mark.parametrize(("name", "id"), [("", "no-class"), ("A", "unfit-class")])
def test_an_unfit_class_is_refused(name: str, id: str) -> None:
    table = with_class(np.random.default_rng(1), {"a": 20, "b": 30}, 4)
    with pytest.raises(RecipeError) as refused:
        run(table, **{**CLASSES, "class": name})
    assert refused.value.id == f"error.condensation.{id}"


# --- what is kept for later -----------------------------------------------------------------------


def test_the_statistics_file_is_exact_and_holds_no_record() -> None:
    table = mixed(np.random.default_rng(20), 90, gaps=True, groups=(2, 8))
    settings = METHOD.settings(table, None, {"common": False})
    result = METHOD.run(table, settings, streams())
    files = METHOD.internal_files(table, settings, result)
    assert tuple(files) == METHOD.internal_names()
    data = files[FILE_NAME]
    kept = Statistics.from_json(data)
    assert kept.to_json() == data
    group = groups_of(result)
    assert np.array_equal(kept.moments.n, np.bincount(group))
    asked = np.maximum(table.levels.of("group"), 2)  # type: ignore[union-attr]
    for each in range(len(kept.moments.n)):
        own = group == each
        assert kept.moments.pmax[each] == asked[own].max()
        assert kept.moments.psum[each] == asked[own].sum()
        for at, column in enumerate(kept.columns):
            if column["sort"] != "number":
                continue
            values = table.column(column["name"]).numbers[own]
            values = values[~np.isnan(values)]
            assert kept.known[each, at] == len(values)
            if len(values):
                assert kept.moments.mean[each, at] == pytest.approx(values.mean())
                assert kept.moments.covariance[each, at, at] == pytest.approx(values.var(), abs=1e-9)
    d = result.detail["regenerated"]
    assert np.array_equal(kept.too_small, ((kept.known[:, :d] > 0) & (kept.known[:, :d] <= d)).any(axis=1))
    town = next(each for each in kept.counts if each.columns == ("town",))
    values = table.column("town").values()
    for place, value, count in zip(town.group, town.value, town.count, strict=True):
        text = town.values[value][0]
        assert count == sum(group[row] == place and values[row] == text for row in range(table.rows))
    assert "group" not in json.loads(data)
    whole = {(column["name"]): column for column in kept.columns}
    assert (whole["tax"]["decimals"], whole["born"]["format"]) == (2, "%Y-%m-%d")
    for spoilt in (b"{}", b'{"format": 2, "method": "condensation"}', b"\xff"):
        with pytest.raises(ValueError, match=r"."):
            Statistics.from_json(spoilt)


def test_the_report_holds_no_records_group() -> None:
    table = mixed(np.random.default_rng(22))
    result = applied("condensation", table)
    assert all(not isinstance(value, np.ndarray) for value in result.detail.values())
    assert sum(each["records"] for each in result.detail["sizes"]) == table.rows
    assert sum(each["groups"] for each in result.detail["sizes"]) == result.detail["groups"]
    assert result.detail["pending"] == []
    assert 0 < result.detail["ssq_share"] < 1


@pytest.mark.parametrize(("numbers", "notch"), [(4, 0), (5, 1), (10, 2), (40, 0)])
def test_planning_begins_with_more_people_than_numbers_unless_no_group_is_so_large(numbers: int, notch: int) -> None:
    table = number_table(*[range(60)] * numbers, levels=[5] * 60)
    assert METHOD.first_notch(METHOD.knobs[0], table) == notch
