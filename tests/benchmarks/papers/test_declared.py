"""The files of resources/papers: read, complete, each recipe swept in a small setting, and the table at the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from paper_shapes import in_shape
from swap_support import few_temperatures

from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.release.candidate.pipeline import prepare
from ppdm_desktop.engine.release.sweep.run import REFUSED, read_grid
from tests.benchmarks.papers import census, li_sarkar, registry
from tests.benchmarks.papers.__main__ import KEPT, REPOSITORY
from tests.benchmarks.papers.cells import Asked, CellsFile, program
from tests.benchmarks.papers.declared import PAPERS, Declared, all_declared
from tests.benchmarks.papers.page import PAGE, VALUES, page, values_page
from tests.benchmarks.papers.runner import Found, Run
from tests.benchmarks.papers.sources import source_of

pytestmark = pytest.mark.thorough

DECLARED = all_declared()
SWEPT = [name for name, each in DECLARED.items() if each.recipe is not None]
ROWS = 80
GOLDEN = Path(__file__).resolve().parents[2] / "golden"
WANTED = {
    "Li & Sarkar 2004": {*(f"Table {n}" for n in (1, 2, 3)), "Table 4, Offer", "Table 4, Census"},
    "Aggarwal & Yu 2005": {"Fig. 2 to 5", *(f"Fig. {n}" for n in (1, *range(6, 16)))},
    "Liu, Kantarcioglu & Thuraisingham 2008": {f"Fig. {n}" for n in range(1, 8)} | {f"Table {n}" for n in range(1, 10)},
    "Vijayarani & Tamilarasi 2011": {*(f"Fig. {n}" for n in range(1, 5)), "Table 1", "Table 2"},
    "Zhu, Li & Wu 2009": {"Tables 1 to 6", "Table 7", "Section 4", "Section 4, Haberman", "Section 4, BUPA"},
}


# --- what is declared ----------------------------------------------------------------------


def test_every_table_and_figure_of_the_five_papers_is_there_once() -> None:
    found: dict[str, list[str]] = {paper: [] for paper in PAPERS}
    for each in DECLARED.values():
        found[each.paper.source] += [shown.id for shown in each.paper.shown]
    assert {paper: set(ids) for paper, ids in found.items()} == WANTED
    assert all(len(ids) == len(set(ids)) for ids in found.values())


def test_what_is_measured_apart_is_known_and_what_is_not_measured_says_why() -> None:
    assert {each.paper.measured for each in DECLARED.values()} - {None} == set(registry.MEASURED)
    for each in DECLARED.values():
        for shown in each.paper.shown:
            assert shown.why or any(item.is_judged for item in shown.items), (each.name, shown.id)


@pytest.mark.parametrize("name", SWEPT)
def test_each_recipe_runs_in_a_small_setting(name: str, tmp_path: Path) -> None:
    declared = DECLARED[name]
    run = Run(in_shape(tmp_path, ROWS), tmp_path / "out", ROWS, values=1)
    lines = list(run.lines(declared, measured=False))
    rows = run.found(declared).rows
    assert len(rows) == 1
    assert rows[0].outcome != REFUSED, rows[0].why
    assert rows[0].program == program()
    assert any(f"= {rows[0].value}, key 1: " in line for line in lines)
    read = {item.measure for shown in declared.paper.shown for item in shown.items if item.measure is not None}
    assert read <= set(rows[0].figures)


@pytest.mark.parametrize("name", SWEPT)
def test_no_recipe_sets_what_changes_nothing(name: str, tmp_path: Path) -> None:
    """As a class column does where groups are not made by class: the paper condenses each class by itself."""
    declared = DECLARED[name]
    assert declared.recipe is not None
    source = source_of(declared, in_shape(tmp_path, ROWS), tmp_path, ROWS)
    prepared = prepare(source, declared.recipe)
    for step in declared.recipe.steps:
        method = find_method(step.method)
        settings = method.read_step_settings(prepared.table, step)
        assert not method.ineffective_parameters(prepared.table, settings) & step.parameters.keys()


# --- the pages of docs ------------------------------------------------------------------------


def kept() -> list[tuple[Declared, Found]]:
    run = Run(Asked(GOLDEN), KEPT)
    return [(each, run.found(each)) for each in DECLARED.values()]


def test_the_pages_are_what_is_kept() -> None:
    found = kept()
    for name, lines in ((PAGE, page(found)), (VALUES, values_page(found))):
        assert (REPOSITORY / "docs" / name).read_text("utf-8") == "\n".join(lines) + "\n", (
            f"docs/{name} is not what is kept: python -m tests.benchmarks.papers --closing"
        )


def is_whole(declared: Declared, found: Found) -> bool:
    """Say whether everything that is declared was measured, and every value of the sweep was tried under every key."""
    if declared.paper.measured is not None and not (
        found.cells and CellsFile.kept(KEPT / f"{declared.name}.cells.jsonl")[2]
    ):
        return False
    if any(
        item.is_judged and found.value(shown.id, item) is None for shown in declared.paper.shown for item in shown.items
    ):
        return False
    if declared.sweep is None:
        return True
    assert declared.recipe is not None
    values = read_grid(declared.recipe, declared.sweep.over).values
    return {(row.value, row.repeat) for row in found.rows} == {
        (value, n + 1) for value in values for n in range(declared.sweep.repeats)
    }


def test_everything_is_measured_at_full_size() -> None:
    found = kept()
    assert [declared.name for declared, each in found if not is_whole(declared, each)] == []
    for declared, each in found:
        assert each.head is None or not each.head.quick, declared.name
        assert [row.why for row in each.rows if row.outcome == REFUSED] == [], declared.name


# --- measured functions, small --------------------------------------------------------------


def shaped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Return what a measured function is asked for, with data drawn here and its dearest part cut short."""
    few_temperatures(monkeypatch)
    monkeypatch.setattr(census, "KEPT_OTHERS", 2_000)
    monkeypatch.setattr(li_sarkar, "RUNS", {"proposed": li_sarkar.RUNS["proposed"]})
    return replace(in_shape(folder, ROWS, of_adult=2_400), quick=True)


@pytest.mark.parametrize("name", sorted(registry.MEASURED))
def test_each_measured_function_runs_small_and_measures_what_is_declared(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = next(each for each in DECLARED.values() if each.paper.measured == name)
    cells = list(registry.MEASURED[name](shaped(tmp_path, monkeypatch)))
    assert len({(cell.shown, cell.what) for cell in cells}) == len(cells)
    assert all(np.isfinite(cell.value) for cell in cells)
    shown = {each.id: {item.what for item in each.items} for each in declared.paper.shown}
    assert {cell.shown for cell in cells} == {id for id, items in shown.items() if items}
    for id in {cell.shown for cell in cells}:
        assert shown[id] & {cell.what for cell in cells if cell.shown == id}, id
