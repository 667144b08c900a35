"""Risk as a person sees it: the figures, the map and who stands behind a cell, stale results."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QAccessible, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from ui_support import ADULT_ROLES, Person, decide_roles, find, go_through

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.identifiability.contributions import contributions
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.load import write_recipe
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.ui.charts.record_heatmap import (
    COUNT_ROLE,
    EDGES,
    HeatModel,
    HeatView,
    band,
    band_labels,
    shared_widths,
    squeezed,
)
from ppdm_desktop.ui.charts.standing_header import StandingHeader
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import DARK, LIGHT, contrast, text_on
from ppdm_desktop.ui.pages.risk.words import cell_words, writer

ROWS = """age,town,income
31,Oslo,low
31,Oslo,low
31,Bergen,high
44,Bergen,high
44,Bergen,low
79,Oslo,
"""
ROLES = {"quasi-identifier": ("age", "town"), "confidential": ("income",)}


def open_risk(
    window: Any, dialogs: Any, folder: Path, text: str = ROWS, roles: Any = ROLES, *, confirmed: bool = True
) -> Person:
    path = folder / "people.csv"
    path.write_text(text, encoding="utf-8")
    person = Person(window, dialogs)
    window.open_path(path)
    person.settle()
    decide_roles(person.session, roles)
    release = person.session.decisions.recipe.release.model_copy(update={"type": "research"})
    each_row = person.session.decisions.recipe.input.model_copy(update={"one_row_per_person": confirmed})
    person.session.decide_recipe("who", release=release, input=each_row)
    window.go_to("risk")
    person.settle()
    assert window.current == "risk"
    return person


@pytest.fixture
def person(window: Any, dialogs: Any, tmp_path: Path) -> Person:
    return open_risk(window, dialogs, tmp_path)


def test_the_current_state_says_figure_and_limit_in_one_way(person: Person) -> None:
    # Four kinds of six people: found by 4 of 6, where a group of five lets one in five be found.
    words = [each.text() for line in find(person.window, "card_score")._lines for each in line]
    assert words[:6] == ["Unique", "2 of 6", "Found", "67%", "Limit", "20%"]
    open_type = person.session.decisions.recipe.release.model_copy(update={"type": None})
    person.session.decide_recipe("who", release=open_type)
    person.settle()
    shown = [line[0].text() for line in find(person.window, "card_score")._lines if not line[0].isHidden()]
    assert "Limit" not in shown


def test_t_turns_the_map_of_records_into_its_table_and_back(person: Person) -> None:
    view, table = find(person.window, "heat_records"), find(person.window, "table_heat_figures")
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_T)
    assert table.isVisible()
    assert not view.isVisible()
    QTest.keyClick(table, Qt.Key.Key_T)
    assert view.isVisible()
    assert not table.isVisible()


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
        "In a group where everyone has the same “income”",
    )
    assert figures(person, "gauge_collective")[2].startswith("2 in 1 group ·")
    assert figures(person, "gauge_match")[0] == writer().percent(document["risk"]["prosecutor_mean"]) == "67%"
    assert person.words("label_headline") == (
        "2 of 6 people are unique: nobody else has the same details. Without “age”, nobody would be unique."
    )
    assert "Limit: groups of at least 5, so a person is found with a chance of at most 1 in 5." in person.words(
        "label_judged"
    )
    assert "1 person has no value." in person.words("label_confidential")
    assert person.words("label_status") == "Measured on 6 people"
    person.click("button_as_table_classes")
    assert find(person.window, "table_classes_figures").model().rows == [
        ("unique", "2", "2"),
        ("groups of 2", "2", "4"),
    ]


def test_no_confidential_column_is_said_and_not_counted_as_zero(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = open_risk(window, dialogs, tmp_path, roles={"quasi-identifier": ("age", "town")})
    figure, sentence, _ = figures(person, "gauge_collective")
    assert figure == "–"
    assert "No column is marked as confidential" in sentence
    assert "No column is marked as confidential" in person.words("label_confidential")
    keys = [person.see("filter_heat_records").itemData(i) for i in range(3)]
    assert "collective" not in keys


def test_three_rows(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = open_risk(window, dialogs, tmp_path, "age,town,income\n1,a,x\n1,a,x\n1,a,y\n", confirmed=False)
    # Nobody said that each row is another person.
    assert person.words("label_headline") == ("No row is unique. The smallest group with the same details has 3 rows.")
    assert figures(person, "gauge_alone")[0] == "0 of 3"
    assert figures(person, "gauge_match")[0] == "33%"
    assert person.see("filter_heat_records").currentData() == "below"
    assert heat_rows(person) == [("2", "1/3", "a/3"), ("3", "1/3", "a/3"), ("4", "1/3", "a/3")]


def test_a_missing_value_is_no_value_to_hide() -> None:
    value = cell_words(1234, "town", "Bonn", 3)
    assert value == "Row 1234: without “town” (“Bonn”), 3 people would have the same details."
    missing = cell_words(4, "town", "∅", 3)
    assert missing == "Row 4: if it did not show that “town” is missing, 3 people would have the same details."
    assert "∅" not in cell_words(4, "town", "∅", 1)


# --- the map ----------------------------------------------------------------------------


def test_the_map_shows_who_is_alone_with_the_strongest_first(person: Person) -> None:
    assert person.see("filter_heat_records").currentText() == "Unique: 2"
    assert heat_rows(person) == [("4", "31/3", "Bergen/3"), ("7", "79/3", "Oslo/1")]


def test_room_that_few_rows_do_not_take_lies_at_the_end(person: Person) -> None:
    view = person.see("heat_records")
    card = view.parentWidget()
    for rows in (2, 0):
        view.model().set_rows(np.arange(rows, dtype=np.int64))
        card.strip.setVisible(rows > 0)
        card.body.setGeometry(QRect(0, 0, 330, 700))
        ends = [card.body.itemAt(place).geometry() for place in range(card.body.count() - 1)]
        assert view.geometry().top() < 260
        assert max(each.bottom() for each in ends) < 500


def test_a_cell_fills_the_strip_and_shows_the_people_behind_it(person: Person) -> None:
    person.click_row("heat_records", 1, 1)
    assert find(person.window, "strip_heat").text.text() == (
        "Row 7: without “age” (“79”), 3 people would have the same details."
    )
    person.click("button_show_alike")
    people = person.see("table_people").model()
    assert [people.headerData(row, Qt.Orientation.Vertical) for row in range(people.rowCount())] == ["2", "3", "7"]
    assert [people.index(row, 0).data() for row in range(3)] == ["31", "31", "79"]
    person.click_row("heat_records", 1, 2)
    assert "even without “town” (“Oslo”), this person stays unique" in find(person.window, "strip_heat").text.text()
    assert not person.sees("button_show_alike")
    person.click("button_close_people")
    assert not person.sees("table_people")


def test_arrow_keys_move_in_the_map(person: Person) -> None:
    view = person.see("heat_records")
    person.click_row("heat_records", 0, 1)
    QTest.keyClick(view, Qt.Key.Key_Down)
    person.settle()
    assert find(person.window, "strip_heat").text.text().startswith("Row 7: without “age”")
    index = view.currentIndex()
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == "“age” 79: without it, 3 people have the same details."


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


def test_the_map_can_be_read_as_a_table(person: Person) -> None:
    person.click("button_as_table_heat")
    assert person.see("table_heat_figures").model().rows == [("4", "3", "3"), ("7", "3", "1")]
    person.click("button_as_table_heat")
    assert person.sees("heat_records")


def test_the_map_takes_tables_of_fewer_and_of_more_columns(qapp: Any) -> None:
    model = HeatModel("Level")
    view = HeatView(model, name="heat", words="Map")
    view.resize(400, 300)
    view.show()
    rows = np.arange(6, dtype=np.int64)
    for width in (3, 1, 0, 2, 3):
        columns = tuple(Column.from_texts(f"q{i}", [str(i * row) for row in range(6)]) for i in range(width))
        model.set_table(Table(columns, rows + 1), contributions(columns, 6), rows, [])
        qapp.processEvents()
        assert model.columnCount() == (width + 1 if width else 0)
    assert model.headerData(3, Qt.Orientation.Horizontal) == "q2"
    view.deleteLater()


def test_names_above_narrow_columns_stand_and_are_whole(qapp: Any) -> None:
    names = ("marital-status", "occupation", "native-country", "education", "race")
    columns = tuple(
        Column.from_texts(name, [str(row * place % 4) for row in range(8)]) for place, name in enumerate(names)
    )
    rows = np.arange(8, dtype=np.int64)
    model = HeatModel("Level")
    view = HeatView(model, name="heat", words="Map")
    model.set_table(Table(columns, rows + 1), contributions(columns, 8), rows, [])
    header = view.horizontalHeader()
    assert isinstance(header, StandingHeader)
    for wide, standing in ((330, True), (900, False), (330, True)):
        view.resize(wide, 300)
        view.show()
        qapp.processEvents()
        shown = [model.headerData(place, Qt.Orientation.Horizontal) for place in range(1, 6)]
        assert shown == list(names), "no name is cut"
        assert (list(header.standing.values()) == list(names)) is standing
        above = max(QFontMetrics(theme().font(semibold=True)).horizontalAdvance(name) for name in names)
        assert (header.height() > above) is standing, "as high as the longest name that stands"
        assert not view.horizontalScrollBar().isVisible()
    view.resize(330, 300)
    qapp.processEvents()
    picture = header.grab().toImage()
    ink = [
        y
        for y in range(picture.height() - 4)
        for x in range(header.sectionViewportPosition(1), header.sectionViewportPosition(1) + header.sectionSize(1))
        if picture.pixelColor(x, y).lightness() < 140
    ]
    assert min(ink) < 40, "the name is drawn upwards"
    longer = tuple(dataclasses.replace(each, name=f"{each.name} 12") for each in columns)
    model.set_table(Table(longer, rows + 1), contributions(longer, 8), rows, [])
    metrics = QFontMetrics(theme().font(semibold=True))
    assert header.height() > max(metrics.horizontalAdvance(each.name) for each in longer), "at once, not when resized"
    view.deleteLater()


def test_values_too_long_for_one_line_go_on_in_the_next(qapp: Any) -> None:
    values = (
        "Never-married",
        "United States",
        "Married-civ-spouse",
        "Priv-house-serv-and-more",
        "Xxxxxxxxxxxxxxxxxxxx",
        "?",
    )
    columns = (Column.from_texts("status", list(values)), Column.from_texts("b", ["1"] * 6))
    rows = np.arange(6, dtype=np.int64)
    model = HeatModel("Level")
    view = HeatView(model, name="heat", words="Map")
    model.set_table(Table(columns, rows + 1), contributions(columns, 6), rows, [])
    delegate: Any = view.itemDelegate()
    small = QFontMetrics(theme().font(0.8))
    width = small.horizontalAdvance("civ-spouse") + 1
    lines = {value: delegate.lines(value, width)[0] for value in values}
    assert lines["Never-married"] == ["Never-", "married"]
    assert lines["United States"] == ["United", "States"]
    assert lines["Married-civ-spouse"] == ["Married-", "civ-spouse"]
    assert lines["Priv-house-serv-and-more"][1].endswith("…")
    assert lines["Xxxxxxxxxxxxxxxxxxxx"][0].endswith("…")
    assert lines["?"] == ["?"]
    for value in values:
        for room in range(width, 300):
            written, font = delegate.lines(value, room)
            assert max(map(QFontMetrics(font).horizontalAdvance, written)) <= room, "in the letters it is drawn in"
    assert delegate.lines("Never-married", 300)[0] == ["Never-married"]
    assert view.rowHeight(0) >= 2 * small.height()
    view.deleteLater()


def test_bands_are_those_of_the_legend() -> None:
    assert band_labels() == ["1", "2–4", "5–9", "10–19", "20–39", "40–79", "80+"]
    assert [band(count) for count in (1, 2, 4, 5, 9, 10, 79, 80, 10**6)] == [0, 1, 1, 2, 2, 3, 5, 6, 6]


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_text_can_be_read_on_every_band(tokens: Any) -> None:
    for step in range(len(EDGES) + 1):
        assert contrast(text_on(tokens.risk[step]), tokens.risk[step]) >= 4.5


def test_widths_are_shared_so_that_narrow_columns_keep_theirs() -> None:
    assert shared_widths([50, 200, 300], 400, 60) == [50, 175, 175]
    assert shared_widths([50, 50], 200, 60) == [100, 100]
    assert shared_widths([300, 300], 100, 60) == [60, 60]
    assert shared_widths([], 100, 60) == []


def test_columns_are_narrow_only_where_that_spares_scrolling(qapp: Any) -> None:
    px = theme().px
    room = 3 * px(56)
    assert squeezed([px(170)] * 3, room) == [px(56)] * 3, "as narrow as it takes"
    assert squeezed([px(170)] * 9, room) == [px(80)] * 9, "else as wide as values need"
    assert squeezed([px(40), *[px(170)] * 8], room) == [px(40), *[px(80)] * 8]


# --- change and failure -----------------------------------------------------------------


def test_a_change_marks_the_figures_and_measures_again_when_asked(person: Person) -> None:
    before = person.session.assessment
    assert not person.sees("strip_stale")
    person.session.set_column("town is other", ["town"], role="other")
    person.settle()
    assert "Out of date" in find(person.window, "strip_stale").text.text()
    assert person.session.assessment is before
    assert figures(person, "gauge_alone")[0] == "2 of 6"
    assert person.words("label_status") == "Out of date: decisions changed"
    person.click_row("heat_records", 0, 1)
    person.click("button_show_alike")
    person.click("button_measure_again")
    assert not person.sees("strip_stale")
    assert not person.sees("table_people")
    assert figures(person, "gauge_alone")[0] == "1 of 6"
    assert person.see("heat_records").model().columnCount() == 2
    person.click("button_undo")
    assert person.sees("strip_stale")


@pytest.mark.thorough
def test_entering_measures_what_is_out_of_date(person: Person) -> None:
    person.window.go_to("levels")
    person.settle()
    person.session.set_column("town is other", ["town"], role="other")
    person.window.go_to("risk")
    person.settle()
    assert not person.sees("strip_stale")
    assert figures(person, "gauge_alone")[0] == "1 of 6"


def test_a_failure_is_said_in_words_and_the_old_figures_stay(person: Person) -> None:
    columns = person.session.decisions.recipe.columns
    wrong = {**columns, "town": columns["town"].model_copy(update={"kind": "numeric"})}
    person.session.decide_recipe("town is a number", columns=wrong)
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


def test_a_failure_nobody_foresaw_keeps_the_page(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_given: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("ppdm_desktop.ui.pages.risk.page.measure", fails)
    person.window._pages["risk"].measure()
    person.settle()
    assert "ZeroDivisionError" in find(person.window, "strip_failed").text.text()
    assert person.session.assessment is not None


def test_stopping_keeps_nothing_and_says_so(person: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    before = person.session.assessment

    def waits(*given: Any) -> None:
        progress: Progress = given[-1]
        while True:
            progress.check()

    monkeypatch.setattr("ppdm_desktop.ui.pages.risk.page.measure", waits)
    person.window._pages["risk"].measure()
    person.window.runner.cancel("risk")
    person.settle()
    assert person.session.assessment is before
    assert "Nothing of this measurement was kept" in find(person.window, "strip_stale").text.text()


def test_protect_comes_next(person: Person) -> None:
    person.click("button_next")
    assert person.window.current == "protect"


# --- what it looks like -----------------------------------------------------------------


def test_everything_that_takes_the_focus_has_a_name(person: Person) -> None:
    person.click_row("heat_records", 0, 1)
    person.click("button_show_alike")
    page = find(person.window, "page_risk")
    nameless = [
        each.objectName() or type(each).__name__
        for each in page.findChildren(QWidget)
        if each.isVisible()
        and each.focusPolicy() & Qt.FocusPolicy.TabFocus
        and not QAccessible.queryAccessibleInterface(each).text(QAccessible.Text.Name)
    ]
    assert nameless == []
    assert "unique" in find(person.window, "chart_classes").accessibleDescription()


@pytest.mark.parametrize(("width", "height", "scale"), [(1280, 720, 1.5), (1280, 800, 2.0)])
def test_fits_small_windows_and_large_text(
    make_window: Callable[..., Any], dialogs: Any, tmp_path: Path, width: int, height: int, scale: float
) -> None:
    window = make_window(width, height, scale=scale)
    open_risk(window, dialogs, tmp_path)
    assert find(window, "area_risk").horizontalScrollBar().maximum() == 0


def test_long_names_and_markup_stay_plain_text(window: Any, dialogs: Any, tmp_path: Path) -> None:
    long = "a very long name of a column " * 5
    text = f"age,{long}<b>bold</b>,income\n1,<img src=x>,x\n2,b,y\n"
    person = open_risk(
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


@pytest.mark.thorough
def test_the_census_on_screen_is_the_census_assessed(
    window: Any, dialogs: Any, data_folder: Path, tmp_path: Path, capsys: Any
) -> None:
    person = Person(window, dialogs)
    go_through(person, data_folder / "adult_train.csv", ADULT_ROLES, until="risk", kind="research")
    document = assessed(person, tmp_path, capsys)
    shown = " ".join(figures(person, "gauge_alone") + figures(person, "gauge_collective"))
    shown += " " + " ".join(figures(person, "gauge_match"))
    number = find(window, "page_risk").locale().toString
    for key in ("uniquely_identifiable", "collectively_identifiable", "collective_groups", "equivalence_classes"):
        assert number(document[key]) in shown, key
    assert figures(person, "gauge_alone")[0] == "37%"
    assert figures(person, "gauge_collective")[0] == "33%"
    assert figures(person, "gauge_match")[0] == "51%"
    view = person.see("heat_records")
    assert view.model().rowCount() == document["uniquely_identifiable"] == 11972
    rows = [view.model().number_at(row) for row in range(view.model().rowCount())]
    person.click_row("heat_records", rows.index(76), 1)
    strip = find(person.window, "strip_heat").text.text()
    assert strip == "Row 76: without “age” (“79”), 133 rows would have the same details."
    person.click("button_show_alike")
    assert person.see("table_people").model().rowCount() == 133
