"""Risk as a person sees it: the figures, the map and who stands behind a cell, stale results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from ui_support import Person, find, on_risk

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.recipe.load import write_recipe
from ppdm_desktop.engine.recipe.models import PopulationSection
from ppdm_desktop.ui.charts.record_heatmap import (
    COUNT_ROLE,
)
from ppdm_desktop.ui.pages.risk.texts import make_number_writer

ROWS = """age,town,income
31,Oslo,low
31,Oslo,low
31,Bergen,high
44,Bergen,high
44,Bergen,low
79,Oslo,
"""
ROLES = {"quasi-identifier": ("age", "town"), "confidential": ("income",)}


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    return on_risk(window, dialogs, tmp_path, ROWS, ROLES)


def assessed(person: Person, folder: Path, capsys: Any) -> dict[str, Any]:
    """Return what the command line says of the same file and decisions."""
    recipe = folder / "r.toml"
    recipe.write_text(write_recipe(person.session.decisions.recipe), encoding="utf-8")
    capsys.readouterr()
    assert run(["assess", str(person.session.decisions.path), "--recipe", str(recipe), "--json"]) == 0
    return json.loads(capsys.readouterr().out)  # type: ignore[no-any-return]


def figures(person: Person, name: str) -> tuple[str, str, str]:
    return tuple(person.words(f"{name}_{part}") for part in ("figure", "sentence", "small"))  # type: ignore[return-value]


def heat_rows(person: Person) -> list[tuple[str, ...]]:
    model = person.see("heat_records").model()
    return [
        (
            str(model.headerData(row, Qt.Orientation.Vertical)),
            *(
                f"{model.index(row, column).data()}/{model.index(row, column).data(COUNT_ROLE)}"
                for column in range(1, model.columnCount())
            ),
        )
        for row in range(model.rowCount())
    ]


# --- the figures ------------------------------------------------------------------------


def test_the_page_measures_by_itself_and_says_what_the_command_line_says(
    person: Person, tmp_path: Path, capsys: Any
) -> None:
    document = assessed(person, tmp_path, capsys)
    assert person.session.assessment.document == document
    assert document["uniquely_identifiable"] == 1
    assert figures(person, "gauge_alone") == (
        "2 of 6",
        "Unique: nobody else has the same details",
        "1 of 6 · uniquely identifiable · 1 more without a confidential value",
    )
    assert figures(person, "gauge_collective")[:2] == (
        "2 of 6",
        "In a group where everyone has the same confidential value",
    )
    assert figures(person, "gauge_collective")[2].startswith("2 in 1 group ·")
    assert (
        figures(person, "gauge_match")[0] == make_number_writer().percent(document["risk"]["prosecutor_mean"]) == "67%"
    )
    person.click("button_as_table_classes")
    assert find(person.window, "table_classes_figures").model().rows == [
        ("unique", "2", "2"),
        ("groups of 2", "2", "4"),
    ]


# --- the map ----------------------------------------------------------------------------


def test_the_map_shows_who_is_alone_with_the_strongest_first(person: Person) -> None:
    assert person.see("filter_heat_records").currentText() == "Unique: 2"
    assert heat_rows(person) == [("4", "31/3", "Bergen/3"), ("7", "79/3", "Oslo/1")]


def test_a_cell_fills_the_strip_and_shows_the_people_behind_it(person: Person) -> None:
    person.click_row("heat_records", 1, 1)
    person.click("button_show_alike")
    people = person.see("table_people").model()
    assert [people.headerData(row, Qt.Orientation.Vertical) for row in range(people.rowCount())] == ["2", "3", "7"]
    assert [people.index(row, 0).data() for row in range(3)] == ["31", "31", "79"]
    person.click_row("heat_records", 1, 2)
    assert not person.sees("button_show_alike")
    person.click("button_close_people")
    assert not person.sees("table_people")


def test_filters_and_group_sizes_choose_who_is_shown(person: Person) -> None:
    person.choose("filter_heat_records", "all")
    assert len(heat_rows(person)) == 6
    chart = person.see("chart_classes")
    QTest.mouseClick(chart, Qt.MouseButton.LeftButton, pos=chart.row_rect(1).center().toPoint())
    person.settle()
    assert person.see("filter_heat_records").currentData() == "size-2"
    assert sorted(row[0] for row in heat_rows(person)) == ["2", "3", "5", "6"]
    chart.setFocus()
    QTest.keyClick(chart, Qt.Key.Key_Up)
    QTest.keyClick(chart, Qt.Key.Key_Return)
    person.settle()
    assert sorted(row[0] for row in heat_rows(person)) == ["4", "7"]


def test_the_order_beyond_the_file_is_of_the_unique_people_alone(person: Person) -> None:
    heat = find(person.window, "page_risk").heat
    tenths = np.array([0, 0, 7, 0, 0, 1])
    heat.show_tenths(tenths)
    person.choose("filter_heat_records", "beyond")
    assert [row[0] for row in heat_rows(person)] == ["7", "4"]
    assert person.see("button_more_heat").text() == "Give 2 people more protection…"
    found = heat._heatmap
    heat.show_heat(None)
    heat.show_heat(found)
    assert heat.filter.current == "alone"
    heat.show_tenths(tenths)
    assert heat.filter.current == "beyond", "the wish waits until the order is counted again"


# --- change and failure -----------------------------------------------------------------


def test_a_change_marks_the_figures_and_measures_again_when_asked(person: Person) -> None:
    before = person.session.assessment
    assert not person.sees("strip_stale")
    person.session.set_column(["town"], role="other")
    person.settle()
    assert person.session.assessment is before
    assert figures(person, "gauge_alone")[0] == "2 of 6"
    person.click_row("heat_records", 0, 1)
    person.click("button_show_alike")
    person.click("button_measure_again")
    assert not person.sees("strip_stale")
    assert not person.sees("table_people")
    assert figures(person, "gauge_alone")[0] == "1 of 6"
    assert person.see("heat_records").model().columnCount() == 2
    person.click("button_undo")
    assert person.sees("strip_stale")


def test_a_failure_is_said_in_words_and_the_old_figures_stay(person: Person) -> None:
    columns = person.session.decisions.recipe.columns
    wrong = {**columns, "town": columns["town"].model_copy(update={"kind": "numeric"})}
    person.session.decide_recipe(columns=wrong)
    person.settle()
    person.click("button_measure_again")
    words = find(person.window, "strip_failed").text.text()
    assert "town" in words
    assert "Nothing was written" in words
    assert figures(person, "gauge_alone")[0] == "2 of 6"
    assert person.sees("strip_stale")
    person.click("button_undo")
    person.click("button_retry_risk")
    assert not person.sees("strip_failed")
    assert not person.sees("strip_stale")


# --- what it looks like -----------------------------------------------------------------


def test_long_names_and_markup_stay_plain_text(window: Any, dialogs: Any, tmp_path: Path) -> None:
    long = "a very long name of a column " * 5
    text = f"age,{long}<b>bold</b>,income\n1,<img src=x>,x\n2,b,y\n"
    person = on_risk(
        window,
        dialogs,
        tmp_path,
        text,
        {"quasi-identifier": ("age", f"{long}<b>bold</b>"), "confidential": ("income",)},
    )
    assert find(window, "area_risk").horizontalScrollBar().maximum() == 0
    assert "“age” and “a very long name" in person.words("label_judged")
    rows = heat_rows(person)
    assert any("<img src=x>" in cell for row in rows for cell in row)
    for label in find(window, "page_risk").findChildren(QWidget):
        if hasattr(label, "textFormat"):
            assert label.textFormat() == Qt.TextFormat.PlainText or not label.text()


# --- the people outside the file ----------------------------------------------------------


def test_an_answer_that_the_recipe_does_not_allow_is_explained(person: Person) -> None:
    person.choose("combo_population_drawn", "not-random")
    person.type("edit_population_who", "people of the two towns", enter=False)
    size = find(person.window, "spin_population_size")
    size.setMinimum(-1)
    size.setValue(-1)
    person.click("button_population")
    assert person.see("strip_outside").text.text() == "it must be 1 or more, but it is -1"
    assert person.session.decisions.recipe.population is None


def test_who_all_the_people_are_is_asked_and_judges_only(
    window: Any, dialogs: Any, tmp_path: Path, capsys: Any
) -> None:
    lines = ["age,town,income", *(f"{20 + place % 37},{'ABC'[place % 3]},{place % 5}" for place in range(60))]
    person = on_risk(window, dialogs, tmp_path, "\n".join(lines) + "\n", ROLES)
    basis = person.session.basis()
    person.choose("combo_population_drawn", "random")
    person.click("button_population")
    assert "three words" in person.see("strip_outside").text.text()
    person.type("edit_population_who", "people of the three towns", enter=False)
    find(person.window, "spin_population_size").setValue(600)
    person.click("button_population")
    person.settle()
    said = person.words("label_outside")
    assert "unique in this file" in said
    assert "among people of the three towns" in said
    assert person.session.basis() == basis
    assert assessed(person, tmp_path, capsys)["outside"]["size"] == 600
    # The map says who stands out most beyond the file, and can be ordered by it.
    person.choose("filter_heat_records", "beyond")
    assert heat_rows(person)[0][-1] == "tenth 1/None"
    # A table of all people gives the chance itself; a file elsewhere is refused.
    (tmp_path / "all.csv").write_text("\n".join([lines[0], *lines[1:] * 4]) + "\n", encoding="utf-8")
    person.choose("combo_population_drawn", "table")
    dialogs.will("open_file", tmp_path.parent / "all.csv")
    person.click("button_population_table")
    assert "another folder" in person.see("strip_outside").text.text()
    dialogs.will("open_file", tmp_path / "all.csv")
    person.click("button_population_table")
    person.click("button_population")
    person.settle()
    assert "25% of the cases" in person.words("label_outside")
    assert figures(person, "gauge_journalist")[0] == "25%"
    # What only a recipe says beside a table stays when the answer is given again.
    by_recipe = PopulationSection(who="people of three towns", table="all.csv", drawn="random", size=240)
    person.session.decide_recipe(population=by_recipe)
    person.settle()
    person.click("button_population")
    assert person.session.decisions.recipe.population == by_recipe
    person.choose("combo_population_drawn", "everybody")
    person.click("button_population")
    person.settle()
    assert person.words("label_outside") == "Everybody is in the file: unique here is unique."
    assert heat_rows(person)[0][-1] != "tenth 1/None"
