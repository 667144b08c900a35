"""Sweeps: what is tried, what a row says beside a release of its setting, what a stop leaves, what is proposed."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows, case_text

from ppdm_desktop import __version__
from ppdm_desktop.engine.errors import Cancelled, InputError, RecipeError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.sweep.curves import curves_of, propose_value
from ppdm_desktop.engine.release.sweep.rows_file import FILE, RowsFile, read_trial_key
from ppdm_desktop.engine.release.sweep.run import (
    BLOCKED,
    MEASURES,
    REFUSED,
    RELEASED,
    WITH_REASONS,
    Grid,
    Sweep,
    SweepRow,
    read_grid,
)
from ppdm_desktop.engine.release.sweep.texts import describe_proposal
from ppdm_desktop.engine.table.reading import read_source

RECIPE = case_text("sweep-recipe.toml")
KEY = Key(bytes(range(32)), "file")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("sweep")
    rng = np.random.default_rng(3)
    lines = ["Town,Age,Pay,Illness"]
    for town, age, pay, ill in zip(
        rng.choice(["Bonn", "Delft"], 60), rng.integers(20, 60, 60), rng.integers(20, 90, 60) * 100,
        rng.choice(["flu", "cold", "ulcer"], 60), strict=True,
    ):  # fmt: skip
        lines.append(f"{town},{age},{pay},{ill}")
    (found / "people.csv").write_text("\n".join(lines) + "\n", "utf-8")
    (found / "people.toml").write_text(RECIPE, "utf-8")
    return found


@pytest.fixture(scope="module")
def recipe(folder: Path) -> Recipe:
    return read_recipe(folder / "people.toml")


def sweep_of(folder: Path, recipe: Recipe, text: str, repeats: int = 2, **options: Any) -> Sweep:
    path = folder / "people.csv"
    reading = read_source(path, recipe.input)
    return Sweep(path, reading, recipe, read_grid(recipe, text), repeats, KEY, **options)


# --- what is tried -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "grid"),
    [
        ("group=3,5,10", Grid(1, "group", (3, 5, 10))),
        ("group=3..6", Grid(1, "group", (3, 4, 5, 6))),
        ("group=10..4/-3", Grid(1, "group", (10, 7, 4))),
        ("proportion=0.1..0.4/0.1", Grid(2, "proportion", (0.1, 0.2, 0.3, 0.4))),
        ("2:proportion=0.5,0.5,0.25", Grid(2, "proportion", (0.5, 0.25))),
        ("obey_groups=true,false", Grid(2, "obey_groups", (True, False))),
        ("centre=mean,median", Grid(1, "centre", ("mean", "median"))),
    ],
)
def test_what_a_text_asks_for(recipe: Recipe, text: str, grid: Grid) -> None:
    assert read_grid(recipe, text) == grid


@pytest.mark.parametrize(("text", "id"), case_rows("sweep-what-cannot-be-tried-is-refused"))
def test_what_cannot_be_tried_is_refused(recipe: Recipe, text: str, id: str) -> None:
    with pytest.raises(RecipeError) as caught:
        read_grid(recipe, text)
    assert caught.value.id == f"error.sweep.{id}"


def test_a_setting_of_two_steps_wants_the_step(recipe: Recipe) -> None:
    twice = recipe.model_copy(update={"steps": (recipe.steps[0], recipe.steps[0])})
    with pytest.raises(RecipeError) as caught:
        read_grid(twice, "group=3")
    assert caught.value.id == "error.sweep.several-steps"
    assert read_grid(twice, "2:group=3").step == 2
    # A step that is switched off is not run: nothing of it can be tried.
    off = recipe.model_copy(update={"steps": (recipe.steps[0].model_copy(update={"enabled": False}), recipe.steps[0])})
    assert read_grid(off, "group=3").step == 2


# --- rows ----------------------------------------------------------------------------------


def test_a_row_says_what_a_release_of_that_setting_says(folder: Path, recipe: Recipe) -> None:
    rows = list(sweep_of(folder, recipe, "group=4,12", repeats=1).rows())
    assert [row.value for row in rows] == [4, 12]
    for row in rows:
        own = Grid(1, "group", (row.value,)).recipe_with(recipe, row.value)
        prepared = prepare(folder / "people.csv", own)
        found = evaluate(run_candidate(prepared, KEY.replicate(1)))
        verdict = found.report.verdict
        assert row.figures["columns"] == verdict.usefulness.columns.value
        assert row.figures["pairs"] == verdict.usefulness.pairs.value
        gaps = [each.ks.value for each in found.measures.columns if each.ks.value is not None]
        assert row.figures["distribution"] == pytest.approx(sum(gaps) / len(gaps))
        assert row.figures["match"] == verdict.check("linkage").share
        assert row.blocking == tuple(check.id for check in verdict.blocking)
        assert (row.outcome == BLOCKED) == bool(verdict.blocking)
    assert rows[0].figures["columns"] > rows[1].figures["columns"]


def test_keys_differ_and_the_same_key_gives_the_same(folder: Path, recipe: Recipe) -> None:
    sweep = sweep_of(folder, recipe, "proportion=0.3", attacked=False)
    first, again = ([replace(row, seconds=0.0) for row in sweep.rows()] for _ in range(2))
    assert first == again
    assert [row.repeat for row in first] == [1, 2]
    assert all(row.drawn for row in first)
    assert first[0].figures != first[1].figures


def test_what_draws_nothing_is_tried_once(folder: Path, recipe: Recipe) -> None:
    still = recipe.model_copy(update={"steps": recipe.steps[:1]})
    rows = list(sweep_of(folder, still, "group=4,8", repeats=3, attacked=False).rows())
    assert [(row.value, row.repeat, row.drawn) for row in rows] == [(4, 1, False), (8, 1, False)]


def test_a_setting_that_cannot_be_kept_is_a_row_with_its_reason(folder: Path, recipe: Recipe) -> None:
    rows = list(sweep_of(folder, recipe, "group=5,61", repeats=2, attacked=False).rows())
    refused = [row for row in rows if row.outcome == REFUSED]
    assert [(row.value, row.repeat) for row in refused] == [(61, 1)]
    assert "61" in refused[0].why
    assert propose_value(rows).value in (5, None)


def test_every_measure_is_one_of_its_own() -> None:
    assert len({each.id for each in MEASURES}) == len(MEASURES)
    assert len({str(each.title) for each in MEASURES}) == len(MEASURES)


# --- stopped and resumed -------------------------------------------------------------------


def test_what_was_reached_before_a_stop_is_not_tried_again(folder: Path, recipe: Recipe, tmp_path: Path) -> None:
    sweep = sweep_of(folder, recipe, "proportion=0.3,0.6", attacked=False)
    whole = [replace(row, seconds=0.0) for row in sweep.rows()]
    file = RowsFile(tmp_path / FILE, sweep, resume=False)
    work = Progress(lambda fraction, doing: None)

    def until_stopped() -> None:
        for row in sweep.rows():
            file.add(row)
            if row.repeat == 1 and row.value == 0.6:
                work.cancel()

    with pytest.raises(Cancelled), work:
        until_stopped()
    # A line that was being written when the power went.
    with (tmp_path / FILE).open("a", encoding="utf-8") as torn:
        torn.write('{"value": 0.3, "rep')
    assert read_trial_key(tmp_path / FILE) is not None
    later = RowsFile(tmp_path / FILE, sweep, resume=True)
    assert [(row.value, row.repeat) for row in later.stored_rows] == [(0.3, 1), (0.6, 1)]
    for row in sweep.rows(later.stored_rows):
        later.add(row)
    kept = RowsFile(tmp_path / FILE, sweep, resume=True).stored_rows
    assert [replace(row, seconds=0.0) for row in kept] == whole


def test_a_row_is_on_the_disk_when_it_is_shown(
    folder: Path, recipe: Recipe, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = RowsFile(tmp_path / FILE, sweep_of(folder, recipe, "proportion=0.3", attacked=False), resume=False)
    flushed = []
    monkeypatch.setattr(os, "fsync", lambda number: flushed.append((os.fstat(number).st_ino, os.fstat(number).st_size)))
    file.add(SweepRow(0.3, 1, "released", drawn=True))
    about = (tmp_path / FILE).stat()
    assert flushed == [(about.st_ino, about.st_size)]


def test_a_row_says_which_program_tried_it_and_a_file_that_does_not_is_read(
    folder: Path, recipe: Recipe, tmp_path: Path
) -> None:
    sweep = sweep_of(folder, recipe, "group=5,61", repeats=1, attacked=False)
    file = RowsFile(tmp_path / FILE, sweep, resume=False)
    rows = list(sweep.rows())
    assert [row.program for row in rows] == [__version__] * 2
    for each in rows:
        file.add(each)
    assert RowsFile.rows_in(tmp_path / FILE) == tuple(rows)
    head, *lines = (json.loads(line) for line in (tmp_path / FILE).read_text("utf-8").splitlines())
    assert [line.pop("program") for line in lines] == [__version__] * 2
    (tmp_path / FILE).write_text("".join(json.dumps(line) + "\n" for line in (head, *lines)), "utf-8")
    stored_rows = RowsFile(tmp_path / FILE, sweep, resume=True).stored_rows
    assert stored_rows == tuple(replace(row, program="") for row in rows)
    assert list(sweep.rows(stored_rows)) == []


def test_another_sweep_is_never_mixed_in(folder: Path, recipe: Recipe, tmp_path: Path) -> None:
    sweep = sweep_of(folder, recipe, "proportion=0.3", attacked=False)
    path = tmp_path / FILE
    RowsFile(path, sweep, resume=False)
    before = path.read_bytes()
    with pytest.raises(InputError, match="sweep.exists"):
        RowsFile(path, sweep, resume=False)
    others = [
        sweep_of(folder, recipe, "proportion=0.4", attacked=False),
        sweep_of(folder, recipe, "proportion=0.3"),
        replace(sweep, key=KEY.replicate(9)),
        replace(sweep, recipe=recipe.model_copy(update={"steps": recipe.steps[1:]}), grid=replace(sweep.grid, step=1)),
    ]
    for other in others:
        with pytest.raises(InputError, match="sweep.other"):
            RowsFile(path, other, resume=True)
    assert path.read_bytes() == before
    # Rows of another version of the program might be drawn or measured in another way.
    path.write_text(before.decode("utf-8").replace(f'"program": "{__version__}"', '"program": "0.0.1"'), "utf-8")
    with pytest.raises(InputError, match="sweep.other"):
        RowsFile(path, sweep, resume=True)
    path.write_text(json.dumps([1]) + "\nnot json\n", "utf-8")
    with pytest.raises(InputError, match="sweep.damaged"):
        RowsFile(path, sweep, resume=True)


def test_the_key_cannot_be_found_in_the_rows(folder: Path, recipe: Recipe, tmp_path: Path) -> None:
    kept = replace(sweep_of(folder, recipe, "proportion=0.3"), key=KEY.replicate(0))
    RowsFile(tmp_path / FILE, kept, resume=False)
    assert KEY.hex() not in (tmp_path / FILE).read_text("utf-8")


# --- curves and proposal -------------------------------------------------------------------


def row(value: int, repeat: int, outcome: str, detail: float, blocking: tuple[str, ...] = ()) -> SweepRow:
    return SweepRow(value, repeat, outcome, True, {"columns": detail}, blocking)


def test_a_curve_has_mean_and_band_of_each_value() -> None:
    rows = [row(3, 1, RELEASED, 0.5), row(5, 1, RELEASED, 0.25), row(3, 2, RELEASED, 1.0)]
    (curve,) = curves_of(rows)
    assert [(p.value, p.mean, p.low, p.high, p.keys) for p in curve.points] == [
        (3, 0.75, 0.5, 1.0, 2),
        (5, 0.25, 0.25, 0.25, 1),
    ]


def test_what_one_key_stops_is_never_proposed() -> None:
    # The most useful value is stopped under one of its keys, the next needs a reason under one.
    rows = [
        row(3, 1, RELEASED, 0.9), row(3, 2, BLOCKED, 0.9, ("class-size",)),
        row(5, 1, RELEASED, 0.8), row(5, 2, WITH_REASONS, 0.8),
        row(9, 1, RELEASED, 0.4), row(9, 2, RELEASED, 0.4), row(12, 1, RELEASED, 0.3), row(12, 2, RELEASED, 0.3),
    ]  # fmt: skip
    assert propose_value(rows).value == 9
    assert propose_value(rows[:4]).value == 5
    assert propose_value(rows[:4]).reasons
    none = propose_value([*rows[:2], SweepRow(4, 1, REFUSED, False)])
    assert none.value is None
    assert none.blocking == ("class-size",)
    assert not any("class-size" in sentence.format() for sentence in describe_proposal(none))
