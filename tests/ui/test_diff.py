"""What became of each cell, and the way from change to change; no window needed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from protect_support import small_csv

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import ColumnSection, InputSection, Recipe, ReleaseSection, StepSection
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading, run_candidate
from ppdm_desktop.engine.table.reading import read_source
from ppdm_desktop.ui.state.diff import (
    CHANGED,
    GENERALISED,
    HIDDEN,
    filter_diff_rows,
    find_change_stops,
    make_diff,
    next_change,
    restore_row_order,
)


def candidate_of(folder: Path, **age: object) -> Candidate:
    path = small_csv(folder)
    reading = read_source(path, InputSection())
    columns = {
        "age": ColumnSection.model_validate({"role": "quasi-identifier", **age}),
        "city": ColumnSection(role="quasi-identifier"),
        "illness": ColumnSection(role="confidential"),
        "weight": ColumnSection(role="left-out"),
    }
    recipe = Recipe(
        recipe=1, columns=columns, steps=(StepSection(method="bayes-swap"),), release=ReleaseSection(type="internal")
    )
    return run_candidate(prepare_reading(path, reading, recipe), Key.from_seed(3))


@pytest.fixture
def candidate(tmp_path: Path) -> Candidate:
    return candidate_of(tmp_path)


def test_rows_stand_in_the_original_order_and_equal_the_file_unshuffled(candidate: Candidate) -> None:
    shown = restore_row_order(candidate)
    assert shown.row_numbers.tolist() == list(range(2, 62))
    assert shown.names == ("age", "city", "illness")
    for column, written in zip(shown.columns, candidate.released.columns, strict=True):
        in_file = written.values()
        values = column.values()
        assert [values[row] for row in candidate.row_order.tolist()] == in_file


def test_states_are_the_cells_that_differ(candidate: Candidate) -> None:
    diff = make_diff(candidate)
    before, after = diff.original.column("illness").values(), diff.released.column("illness").values()
    wanted = [CHANGED if one != other else 0 for one, other in zip(before, after, strict=True)]
    place = diff.released.names.index("illness")
    assert diff.states[place].tolist() == wanted
    assert diff.cells(CHANGED) == sum(value == CHANGED for value in wanted) > 0
    assert diff.cells(HIDDEN) == diff.cells(GENERALISED) == 0


def test_a_bin_is_coarser_not_another_value(tmp_path: Path) -> None:
    binned = candidate_of(tmp_path, kind="numeric", bins={"method": "equal-width", "count": 3})
    diff = make_diff(binned)
    place = diff.released.names.index("age")
    assert set(diff.states[place].tolist()) == {GENERALISED}
    assert diff.original.column("age").kind == "numeric"
    # A jump goes to hidden and other values only: a whole column of bins is no way from change to change.
    jumps = find_change_stops(diff, filter_diff_rows(diff, "all", None, None), None)
    assert len(jumps) == int(diff.changed.sum())


def test_filters_keep_what_they_say(candidate: Candidate) -> None:
    diff = make_diff(candidate)
    changed = filter_diff_rows(diff, "changed", None, None)
    assert changed.tolist() == np.flatnonzero(diff.changed).tolist()
    assert len(filter_diff_rows(diff, "changed", diff.released.names.index("city"), None)) == 0
    assert len(filter_diff_rows(diff, "hidden", None, None)) == 0
    assert len(filter_diff_rows(diff, "all", None, 0)) == 60
    nothing = find_change_stops(diff, filter_diff_rows(diff, "hidden", None, None), None)
    assert next_change(diff, filter_diff_rows(diff, "hidden", None, None), nothing, (0, 0), None) is None
