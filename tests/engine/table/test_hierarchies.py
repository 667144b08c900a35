"""Hierarchy files: what is read, what is refused by name and line, and how they enter a recipe."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe, write_recipe
from ppdm_desktop.engine.release.candidate.model import Prepared
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.table.hierarchies import Hierarchy, HierarchyDraft, read_hierarchy
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Quoted

GOOD = 'Bonn;Germany;*\nKiel;Germany;*\n"Lyon; North";France;*\r\n'


def read(folder: Path, text: str | bytes) -> Hierarchy:
    path = folder / "h.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    return read_hierarchy(path, "City")


def test_values_and_their_ancestors(tmp_path: Path) -> None:
    found = read(tmp_path, b"\xef\xbb\xbf" + GOOD.encode())
    assert found.height == 2
    assert found.generalised["Lyon; North"] == ("France", "*")
    assert [found.at("Kiel", level) for level in range(3)] == ["Kiel", "Germany", "*"]
    assert found.sha256 == sha256(b"\xef\xbb\xbf" + GOOD.encode()).hexdigest()


@pytest.mark.parametrize(
    ("text", "what", "line"),
    [
        ("", "too-narrow", 1),
        ("Bonn\nKiel\n", "too-narrow", 1),
        ("Bonn;DE;*\nKiel;*\n", "ragged", 2),
        ("Bonn;DE;*\n\nBonn;DE;*\n", "twice", 3),
        ("Bonn;R;DE;*\nLyon;R;FR;*\n", "not-a-tree", 2),
        ("Bonn;DE;*\nLyon;FR;all\n", "no-top", 2),
        (b"B\xf6nn;DE;*\n", "not-utf8", None),
    ],
)
def test_bad_files_are_refused_by_line(tmp_path: Path, text: str | bytes, what: str, line: int | None) -> None:
    with pytest.raises(InputError) as refused:
        read(tmp_path, text)
    error = refused.value
    assert error.id == f"error.hierarchy.{what}"
    assert error.arguments.get("line") == line
    assert error.column == "City"
    assert error.file is not None
    assert explain(error)


def test_a_file_that_is_not_there_or_cut_short(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        read_hierarchy(tmp_path / "none.csv", "City")
    assert refused.value.id == "error.read.unreadable"
    with pytest.raises(InputError) as refused:
        read(tmp_path, 'Bonn;"DE;*\n')
    assert refused.value.id == "error.read.damaged"


def prepared(folder: Path, hierarchy: str = GOOD, *, steps: int = 1, **section: Any) -> Prepared:
    (folder / "h.csv").write_text(hierarchy, encoding="utf-8", newline="")
    source = folder / "source.csv"
    source.write_text("City,Ill\nBonn,flu\nKiel,cold\n,flu\nBonn,cold\n", encoding="utf-8")
    city = {"role": "quasi-identifier", "kind": "nominal", "hierarchy": "h.csv", **section}
    recipe = {
        "recipe": 1,
        "columns": {"City": city, "Ill": {"role": "confidential"}},
        "steps": [{"method": "generalize"}] * steps,
        "release": {"type": "internal"},
    }
    return prepare(source, parse_recipe(recipe))


def refusal(folder: Path, hierarchy: str = GOOD, **section: Any) -> PpdmError:
    with pytest.raises(PpdmError) as refused:
        prepared(folder, hierarchy, **section)
    assert explain(refused.value)
    return refused.value


def test_the_recipe_names_a_file_beside_the_input(tmp_path: Path) -> None:
    found = prepared(tmp_path)
    released = run_candidate(found, Key.from_seed(1)).final.column("City")
    assert released.values() == ["Germany", "Germany", "", "Germany"]
    digest = sha256(GOOD.encode()).hexdigest()
    assert found.effective["columns"]["City"]["hierarchy_sha256"] == digest
    assert f'hierarchy_sha256 = "{digest}"' in write_recipe(found.complete)
    assert "hierarchy_sha256" not in found.effective["columns"]["Ill"]


def test_another_file_draws_otherwise_and_a_changed_one_is_refused(tmp_path: Path) -> None:
    first = prepared(tmp_path)
    other = GOOD.replace("Germany", "DE")
    assert prepared(tmp_path, other).recipe_sha256 != first.recipe_sha256
    error = refusal(tmp_path, other, hierarchy_sha256=sha256(GOOD.encode()).hexdigest())
    assert isinstance(error, RecipeError)
    assert (error.id, error.column) == ("error.hierarchy.other-file", "City")


def test_a_value_that_the_hierarchy_lacks(tmp_path: Path) -> None:
    error = refusal(tmp_path, "Bonn;DE;*\nLyon;FR;*\n")
    assert (error.id, error.column, error.row) == ("error.hierarchy.value-missing", "City", 3)
    assert (error.arguments["value"], error.arguments["count"]) == (Quoted("Kiel"), 1)
    assert "Kiel" not in error.log_line()


def test_where_a_hierarchy_does_not_belong(tmp_path: Path) -> None:
    assert refusal(tmp_path, kind="text").id == "error.hierarchy.not-here"
    with pytest.raises(RecipeError) as refused:
        parse_recipe({"recipe": 1, "columns": {"a": {"role": "other", "hierarchy_sha256": "0" * 64}}})
    assert refused.value.id == "error.recipe.bad-value"
    left_out = prepared(tmp_path, "no hierarchy at all", steps=0, role="left-out")
    assert left_out.table.column("City").hierarchy is None


# --- a hierarchy made by hand: it stays nested whatever is edited, and its file is read as it was made ---


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
