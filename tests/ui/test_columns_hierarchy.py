"""How values become coarser, as a person says it: a file is chosen, shown, refused in words, taken away."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QItemSelectionModel, Qt
from several_rows_support import column
from ui_support import find, open_columns

from ppdm_desktop.engine.methods.algorithms.generalisation.column_levels import proposed_levels

LEFT = Qt.MouseButton.LeftButton

WAIT = 20_000

TOWNS = "Delft;South Holland;Netherlands;*\nLeiden;South Holland;Netherlands;*\nGent;East Flanders;Belgium;*\n"

AGES = "".join(f"{age};{age // 10}0s;*\n" for age in range(20, 60))


@pytest.fixture
def source(tmp_path: Path) -> Path:
    folder = tmp_path / "study"
    folder.mkdir()
    towns = ["Delft", "Delft", "Leiden", "Gent"]
    rows = [f"{towns[n % 4]},{20 + n % 40},{'ab'[n % 2]} {n}" for n in range(80)]
    (folder / "people.csv").write_text("town,age,remark\n" + "\n".join(rows) + "\n", encoding="utf-8")
    (folder / "towns.csv").write_text(TOWNS, encoding="utf-8")
    (folder / "ages.csv").write_text(AGES, encoding="utf-8")
    return folder / "people.csv"


@pytest.fixture
def page(qtbot: Any, window: Any, source: Path) -> Any:
    page = open_columns(qtbot, window, source)
    for row in (0, 1):
        page.table.setCurrentIndex(page.model.index(row, 1))
        qtbot.keyClick(page.table, Qt.Key.Key_Q)
    page.table.setCurrentIndex(page.model.index(0, 1))
    return page


def section(page: Any, name: str = "town") -> Any:
    return page.session.decisions.recipe.columns[name]


def choose(qtbot: Any, page: Any, dialogs: Any, path: Path | None) -> None:
    """Click on the button, pick a file, and wait for what is said of it."""
    dialogs.will("open_file", path)
    qtbot.mouseClick(find(page, "button_choose_hierarchy"), LEFT)
    qtbot.waitUntil(lambda: not page.context.runner.is_running(), timeout=WAIT)


def test_a_file_is_chosen_shown_undone_and_taken_away(qtbot: Any, page: Any, dialogs: Any, source: Path) -> None:
    holds, remove = find(page, "label_hierarchy"), find(page, "button_remove_hierarchy")
    assert find(page, "editor_hierarchy").isVisible()
    assert not remove.isVisible()
    choose(qtbot, page, dialogs, None)
    assert section(page).hierarchy is None
    choose(qtbot, page, dialogs, source.parent / "towns.csv")
    assert section(page).hierarchy == "towns.csv"
    assert section(page).hierarchy_sha256 == sha256(TOWNS.encode()).hexdigest()
    assert find(page, "label_hierarchy_file").text() == "towns.csv"
    assert not find(page, "strip_hierarchy").isVisible()
    page.session.undo()
    assert section(page).hierarchy is None
    assert not find(page, "label_hierarchy_example").isVisible()
    page.session.redo()
    qtbot.waitUntil(lambda: "3 levels" in holds.text(), timeout=WAIT)
    qtbot.mouseClick(remove, LEFT)
    assert (section(page).hierarchy, section(page).hierarchy_sha256) == (None, None)
    assert not remove.isVisible()
    page.session.undo()
    assert section(page).hierarchy == "towns.csv"
    qtbot.waitUntil(lambda: "3 levels" in holds.text(), timeout=WAIT)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Delft;*\nLeiden;*\n", "Gent"),
        ("Delft;South;*\nLeiden;*\nGent;East;*\n", "Line 2"),
        ("Delft\nLeiden\nGent\n", "no broader value"),
    ],
)
def test_a_file_that_does_not_fit_is_refused_in_words(
    qtbot: Any, page: Any, dialogs: Any, source: Path, text: str, said: str
) -> None:
    choose(qtbot, page, dialogs, source.parent / "towns.csv")
    before = page.session.decisions
    wrong = source.parent / "wrong.csv"
    wrong.write_text(text, encoding="utf-8")
    choose(qtbot, page, dialogs, wrong)
    strip = find(page, "strip_hierarchy")
    assert strip.isVisible()
    assert said in strip.text.text()
    assert str(source.parent) not in strip.text.text()
    assert page.session.decisions is before
    assert find(page, "label_hierarchy_file").text() == "towns.csv"
    # A file that fits makes the message go.
    choose(qtbot, page, dialogs, source.parent / "towns.csv")
    assert not strip.isVisible()


def test_a_list_is_made_by_hand_with_keys_undone_used_and_mended(
    qtbot: Any, page: Any, dialogs: Any, source: Path
) -> None:
    grid = find(page, "card_values")
    qtbot.mouseClick(find(page, "button_edit_hierarchy"), LEFT)
    qtbot.waitUntil(grid.isVisible, timeout=WAIT)
    table, name = find(page, "table_values"), find(page, "edit_group")

    def group(column: int, values: set[str], text: str) -> None:
        table.clearSelection()
        for row in range(grid.model.rowCount()):
            if grid.model.text_at(grid.model.index(row, 0)) in values:
                index = grid.model.index(row, column)
                table.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.Select)
        qtbot.keyClick(table, Qt.Key.Key_G)
        name.clear()
        qtbot.keyClicks(name, text)
        qtbot.keyClick(name, Qt.Key.Key_Return)

    assert str(grid.model.index(0, 0).data()) == "Delft  (40)", "the most frequent value comes first"
    group(0, {"Delft", "Leiden"}, "Holland")
    qtbot.keyClick(table, Qt.Key.Key_L)
    assert grid.draft.height == 3
    group(2, {"Gent"}, "Holland")
    qtbot.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert grid.draft.levels == (("Holland", "Holland", "Gent"), ("*",) * 3)
    table.setCurrentIndex(grid.model.index(0, 1))
    qtbot.keyClick(table, Qt.Key.Key_U)
    assert grid.draft.levels[0] == ("Delft", "Leiden", "Gent")
    qtbot.mouseClick(find(page, "button_undo_values"), LEFT)
    qtbot.mouseClick(find(page, "button_use_values"), LEFT)
    qtbot.waitUntil(lambda: section(page).hierarchy is not None and not grid.isVisible(), timeout=WAIT)
    written = (source.parent / section(page).hierarchy).read_text("utf-8")
    assert written == "Delft;Holland;*\nLeiden;Holland;*\nGent;Gent;*\n"
    assert section(page).hierarchy_sha256 == sha256(written.encode()).hexdigest()
    page.session.undo()
    assert section(page).hierarchy is None
    (source.parent / "two.csv").write_text("Delft,NL,*\nLeiden,NL,*\n", encoding="utf-8")
    choose(qtbot, page, dialogs, source.parent / "two.csv")
    qtbot.mouseClick(find(page, "button_put_under"), LEFT)
    qtbot.waitUntil(grid.isVisible, timeout=WAIT)
    assert grid.draft.levels == (("NL", "NL", "*"), ("*",) * 3)
    qtbot.mouseClick(find(page, "button_use_values"), LEFT)
    qtbot.waitUntil(lambda: section(page).hierarchy is not None, timeout=WAIT)


@pytest.mark.parametrize(
    ("kind", "texts", "heights"),
    [
        ("numeric", [str(n) for n in range(20, 60)], [20, 4, 2]),
        ("date", [f"20{n:02}-0{n % 9 + 1}-{d}" for n in range(10, 30) for d in (10, 20)], [20, 2]),
        ("nominal", [f"{n}{n % 3}{d}" for n in range(10, 30) for d in (1, 2)], [20, 2]),
        ("nominal", ["a", "b", "c"], []),
    ],
)
def test_levels_are_proposed_for_numbers_dates_and_codes_only(kind: str, texts: list[str], heights: list[int]) -> None:
    made = column("Q", texts, "quasi-identifier", kind)
    made = replace(made, date_format="YYYY-MM-DD") if kind == "date" else made
    levels = proposed_levels(made)
    assert [len(set(level)) for level in levels] == heights
    for finer, broader in pairwise(levels):
        assert len(set(zip(finer, broader, strict=True))) == len(set(finer)), "nested"


def test_a_file_that_changes_later_is_noticed_and_can_be_chosen_again(
    qtbot: Any, page: Any, dialogs: Any, source: Path
) -> None:
    choose(qtbot, page, dialogs, source.parent / "towns.csv")
    (source.parent / "towns.csv").write_text(TOWNS.replace("Netherlands", "NL"), encoding="utf-8")
    page.table.setCurrentIndex(page.model.index(1, 1))
    page.table.setCurrentIndex(page.model.index(0, 1))
    strip = find(page, "strip_hierarchy")
    qtbot.waitUntil(strip.isVisible, timeout=WAIT)
    choose(qtbot, page, dialogs, source.parent / "towns.csv")
    assert not strip.isVisible()
