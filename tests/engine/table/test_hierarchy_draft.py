"""A hierarchy made by hand: it stays nested whatever is edited, and its file is read as it was made."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ppdm_desktop.engine.table.hierarchies import Hierarchy, read_hierarchy
from ppdm_desktop.engine.table.hierarchy_draft import HierarchyDraft

TOWNS = ("Delft", "Leiden", "Gent", "Bonn")


def test_groups_are_made_joined_split_and_put_on_levels() -> None:
    draft = HierarchyDraft.of_values(TOWNS).grouped(0, [0, 1], "Holland")
    assert draft.levels == (("Holland", "Holland", "Gent", "Bonn"), ("*",) * 4)
    draft = draft.with_level(1).grouped(2, [0, 2], "Benelux")
    assert draft.levels[1] == ("Benelux", "Benelux", "Benelux", "Bonn"), "who shares a finer group comes along"
    joined = draft.grouped(1, [3], "Holland")
    assert joined.levels == (("Holland", "Holland", "Gent", "Holland"), ("Benelux",) * 4, ("*",) * 4)
    assert joined.ungrouped(1, [0]).levels[0] == TOWNS
    assert draft.without_level(1).levels == (draft.levels[1], ("*",) * 4)
    assert draft.without_level(3) == draft == draft.ungrouped(3, [0]) == draft.without_level(0)
    assert draft.grouped(3, [3], "East").levels[2] == ("Benelux", "Benelux", "Benelux", "East")


def test_lacking_values_are_under_the_text_for_all_and_further_ones_are_kept() -> None:
    tree = Hierarchy({"Gent": ("BE", "all"), "Kiel": ("DE", "all")}, 2)
    draft = HierarchyDraft.of_hierarchy(tree, ("Delft", "Gent"))
    assert draft.values == ("Delft", "Gent", "Kiel")
    assert draft.levels == (("all", "BE", "DE"), ("all",) * 3)


def test_any_edits_leave_a_hierarchy_that_reads_as_it_was_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    for turn in range(300):
        draft = HierarchyDraft.of_values([f'v {n};"{n}' for n in range(7)])
        for _ in range(12):
            rows, level = rng.choice(7, int(rng.integers(1, 4)), replace=False).tolist(), int(rng.integers(0, 5))
            edits = (
                lambda d, rows=rows, level=level: d.grouped(level, rows, f"g{rng.integers(4)}"),
                lambda d, rows=rows, level=level: d.ungrouped(level, rows),
                lambda d, level=level: d.with_level(level) if d.height < 5 else d,
                lambda d, level=level: d.without_level(level),
            )
            draft = edits[int(rng.integers(4))](draft)
            draft = draft.without_level(1) if draft.height > 6 else draft
        path = tmp_path / f"{turn}.csv"
        path.write_bytes(draft.written())
        found = read_hierarchy(path, "Q")
        assert HierarchyDraft.of_hierarchy(found, draft.values) == draft
