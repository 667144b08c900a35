"""Removed rows beside their place, groups beside groups, and a million rows in no time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import candidate_of
from optional import existing
from PySide6.QtCore import Qt

from ppdm_desktop.ui.models.diff_model import DiffModel
from ppdm_desktop.ui.pages.compare.rows.tab import mark_levels
from ppdm_desktop.ui.pages.compare.rows.texts import count_changes_by_kind, describe_cell, describe_legend
from ppdm_desktop.ui.state.diff import (
    REMOVED,
    SAME,
    Diff,
    compute_change_density,
    filter_diff_rows,
    find_change_stops,
    make_diff,
    next_change,
)
from ppdm_desktop.ui.widgets.tables.data_table import DataTable


def people(rows: int) -> list[dict[str, str]]:
    rng = np.random.default_rng(2)
    towns = np.where(np.arange(rows) % 20 == 3, [f"t{place}" for place in range(rows)], rng.choice(["a", "b"], rows))
    return [
        {"town": str(town), "pay": str(pay), "ill": str(ill)}
        for town, pay, ill in zip(towns, rng.integers(1, 90, rows), rng.choice(["x", "y"], rows), strict=True)
    ]


@pytest.fixture
def removing(tmp_path: Path) -> Diff:
    columns: dict[str, Any] = {"town": "q", "pay": {"role": "o", "kind": "numeric"}, "ill": "c"}
    steps = [{"method": "suppress", "parameters": {"most": 0.2}}]
    return make_diff(candidate_of(tmp_path, people(80), columns, steps))


def test_removed_rows_keep_their_line_and_say_so(removing: Diff) -> None:
    gone = np.flatnonzero(removing.removed)
    assert gone.tolist() == [3, 23, 43, 63]
    assert removing.original.rows == removing.released.rows == 80
    assert removing.released_rows == 76
    for states in removing.states:
        assert set(states[gone].tolist()) == {REMOVED}
        assert set(np.delete(states, gone).tolist()) == {SAME}
    assert sum(removing.counts) == 76 * len(removing.states)
    assert not removing.changed.any()
    for column in range(len(removing.states)):
        one, other = removing.original.columns[column].values(), removing.released.columns[column].values()
        assert [text for place, text in enumerate(one) if place not in gone] == [
            text for place, text in enumerate(other) if place not in gone
        ]
    assert filter_diff_rows(removing, "removed", None, None).tolist() == gone.tolist()
    assert filter_diff_rows(removing, "any", None, None).tolist() == gone.tolist()
    assert count_changes_by_kind(removing) == {"changed": 0, "hidden": 0, "coarser": 0, "removed": 4}
    assert "removed" in describe_cell(removing, 3, 0)
    assert "unchanged" in describe_cell(removing, 4, 0)


def test_a_removed_row_is_one_place_to_jump_to_and_shows_in_the_map(removing: Diff) -> None:
    rows = filter_diff_rows(removing, "all", None, None)
    jumps = find_change_stops(removing, rows, None)
    seen, at = [], (0, -1)
    for _ in range(5):
        found = existing(next_change(removing, rows, jumps, at, None))
        at = found
        seen.append(at)
    assert seen == [(3, 0), (23, 0), (43, 0), (63, 0), (3, 0)]
    assert next_change(removing, rows, jumps, (3, 0), None, back=True) == (63, 0)
    hidden, generalised, changed = compute_change_density(removing, rows, 4)
    assert hidden == [0.05] * 4
    assert generalised == changed == [0.0] * 4


def test_no_text_of_a_removed_person_is_shown_as_released(removing: Diff) -> None:
    model = DiffModel(marks=True, hidden_text="▨ hidden", removed_text="▨ removed")
    model.set_diff(removing, None)
    assert [str(model.index(3, column).data()) for column in range(3)] == ["▨ removed"] * 3
    left = DiffModel(marks=False, hidden_text="▨ hidden")
    left.set_diff(removing, None)
    assert left.index(3, 1).data() == "t3"


@pytest.fixture
def grouped(tmp_path: Path) -> tuple[Diff, np.ndarray]:
    columns: dict[str, Any] = {"town": "q", "pay": {"role": "q", "kind": "numeric"}, "ill": "c", "row": "x"}
    made = candidate_of(tmp_path, people(60), columns, [{"method": "condensation"}])
    groups = existing(made.steps[0].result.row_groups)
    return make_diff(made), groups


def test_group_stands_beside_group(grouped: tuple[Diff, np.ndarray]) -> None:
    diff, groups = grouped
    assert not diff.rows_correspond
    assert diff.groups is not None
    assert diff.states == ()
    assert diff.groups.tolist() == sorted(groups.tolist())
    # Each line's person is of its group, and all of them are there.
    of_person = dict(enumerate(groups.tolist(), start=2))
    numbers = diff.original.row_numbers.tolist()
    assert sorted(numbers) == sorted(of_person)
    assert [of_person[number] for number in numbers] == diff.groups.tolist()
    # A made-up record bears no number of an original row.
    assert diff.released.row_numbers.tolist() == list(range(1, 61))


def test_jumps_go_from_group_to_group_and_the_sentence_counts_them(grouped: tuple[Diff, np.ndarray]) -> None:
    diff, groups = grouped
    starts = [place for place in range(60) if place == 0 or diff.groups[place] != diff.groups[place - 1]]  # type: ignore[index]
    rows = filter_diff_rows(diff, "all", None, None)
    jumps = find_change_stops(diff, rows, None)
    assert jumps.tolist() == starts
    at, seen = (0, 0), []
    for _ in starts:
        found = existing(next_change(diff, rows, jumps, at, None))
        at = found
        seen.append(at[0])
    assert seen == [*starts[1:], starts[0]]
    sizes = np.bincount(groups)
    words = describe_cell(diff, starts[1], 0)
    assert words.startswith(f"Group 2 of {len(sizes)} ")
    assert f"{sizes[1]} people, replaced by {sizes[1]} artificial records" in words
    assert "≠" not in describe_legend(diff)


def test_rows_bear_their_level_where_there_are_several(qtbot: Any, tmp_path: Path) -> None:
    rows = [{**each, "asked": "3" if place % 4 else "7"} for place, each in enumerate(people(80))]
    columns: dict[str, Any] = {
        "town": "q",
        "pay": {"role": "o", "kind": "numeric"},
        "ill": "c",
        "asked": "p",
        "row": "x",
    }
    diff = make_diff(candidate_of(tmp_path, rows, columns, [{"method": "bayes-swap"}]))
    model = DiffModel(marks=False, hidden_text="▨ hidden")
    view = DataTable(model, name="table", label="Rows")
    qtbot.addWidget(view)
    model.set_diff(diff, None)
    narrow = view.verticalHeader().width()
    mark_levels(view, model, diff)
    assert view.verticalHeader().width() > narrow
    told = [model.headerData(row, Qt.Orientation.Vertical, Qt.ItemDataRole.AccessibleTextRole) for row in range(5)]
    assert told == ["2, groups of 7", *(f"{row}, groups of 3" for row in (3, 4, 5)), "6, groups of 7"]
    assert not model.headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.DecorationRole).isNull()
    assert model.headerData(0, Qt.Orientation.Horizontal) == "town"
