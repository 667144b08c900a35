"""How the parts of Risk share their room: full lines of gauges, no holes beside few people."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from ui_support import Person, let_work, on_risk

from ppdm_desktop.engine.identifiability.unique_sets import UniqueSets
from ppdm_desktop.ui.charts.gauge import Gauge, GaugeFace
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.risk.head import GaugeRow
from ppdm_desktop.ui.pages.risk.sets import SetsCard
from ppdm_desktop.ui.widgets.tables.form_table import FormTable

SENTENCES = (
    "Unique",
    "Unique: nobody else has the same details, as far as is known",
    "Found by a list",
    "of",
    "never",
)


FEW = "age,town,income\n31,Oslo,low\n31,Oslo,low\n31,Bergen,high\n44,Bergen,high\n44,Bergen,low\n79,Oslo,\n"
ROLES = {"quasi-identifier": ("age", "town"), "confidential": ("income",)}


def open_risk(window: Any, dialogs: Any, folder: Path, text: str = FEW) -> Person:
    return on_risk(window, dialogs, folder, text, ROLES)


def face(sentence: str, *, measured: bool = True) -> GaugeFace:
    share = 0.3 if measured else None
    return GaugeFace("30", sentence, share, 0.2, "limit 20", "blocks", "Above the limit", "300 of 1,000")


def lines_of(gauges: list[Gauge]) -> dict[int, list[Gauge]]:
    lines: dict[int, list[Gauge]] = {}
    for gauge in gauges:
        lines.setdefault(gauge.y(), []).append(gauge)
    return lines


@pytest.mark.parametrize(("wide", "across"), [(1100, [5]), (640, [3, 2]), (420, [2, 2, 1]), (250, [1] * 5)])
def test_lines_of_gauges_are_full_and_their_bars_stand_at_one_height(qtbot: Any, wide: int, across: list[int]) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    gauges = [Gauge(name=f"gauge_{place}") for place in range(5)]
    row = GaugeRow(gauges)
    row.setParent(page)
    page.show()
    for place, (gauge, sentence) in enumerate(zip(gauges, SENTENCES, strict=True)):
        gauge.show_face(face(sentence, measured=place < 4))
    row.resize(theme().px(wide), theme().px(1200))
    let_work(30)
    lines = lines_of(gauges)
    assert [len(line) for line in lines.values()] == across
    for line in lines.values():
        assert line[-1].geometry().right() == row.width() - 1
        widths = [gauge.width() for gauge in line]
        assert max(widths) - min(widths) <= len(line)
        assert len({gauge._meter.y() for gauge in line}) == 1
        assert len({gauge._severity.y() for gauge in line}) == 1
        assert all(gauge._meter.isVisible() for gauge in line)


def test_what_counts_few_people_stands_below_their_map(window: Any, dialogs: Any, tmp_path: Path) -> None:
    person = open_risk(window, dialogs, tmp_path)
    page: Any = window.findChild(object, "page_risk")
    assert page.counts.shown.assessment.risk.records == 6
    assert page._left.indexOf(page.classes) > page._left.indexOf(page.heat) >= 0
    assert page._left.indexOf(page.sets) > page._left.indexOf(page.classes)
    assert page._below.isHidden()
    assert person.sees("chart_classes")
    assert person.sees("list_smallest_sets")


def test_of_many_people_it_stands_below_both_sides(window: Any, dialogs: Any, tmp_path: Path) -> None:
    text = "age,town,income\n" + "".join(f"{20 + row},Oslo,low\n" for row in range(40))
    person = open_risk(window, dialogs, tmp_path, text)
    page: Any = window.findChild(object, "page_risk")
    assert page._left.indexOf(page.classes) == page._left.indexOf(page.sets) == -1
    assert not page._below.isHidden()
    assert page._below.isAncestorOf(page.classes)
    assert page._below.isAncestorOf(page.sets)
    assert person.sees("chart_classes")


def test_a_table_that_grows_shows_more_rows_but_no_empty_room(qtbot: Any) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    model = RowsModel(["Row", "Count"], right=(0, 1), parent=page)
    model.set_rows([(str(row), "1") for row in range(30)])
    table = FormTable(model, name="table", words="Figures", most_rows=12, grows=True)
    table.setParent(page)
    high = table.verticalHeader().defaultSectionSize()
    assert table.maximumHeight() - table.minimumHeight() == 18 * high
    model.set_rows([("1", "1")])
    assert table.maximumHeight() == table.minimumHeight()


def test_nobody_found_is_explained_only_where_all_was_looked_at(qtbot: Any) -> None:
    card = SetsCard()
    qtbot.addWidget(card)
    card.show_sets(UniqueSets(sets=(), largest=2, columns=2))
    assert card.title.text() == "Nobody is unique, whatever an intruder knows of these columns"
    assert card.caption.text() == (
        "Even an intruder who knows all these details of a person finds at least two matching rows."
    )
    card.show_sets(UniqueSets(sets=(), largest=2, columns=3))
    assert card.title.text() == "2 details are not enough to find anyone"
    assert card.caption.isHidden()


def test_another_sentence_lines_the_gauges_up_anew(qtbot: Any) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    gauges = [Gauge(name=f"gauge_{place}") for place in range(5)]
    row = GaugeRow(gauges)
    row.setParent(page)
    page.show()
    for gauge in gauges:
        gauge.show_face(face("Unique"))
    row.resize(theme().px(1100), theme().px(400))
    let_work(30)
    before = gauges[0]._meter.y()
    gauges[3].show_face(face("Found by linking a whole list of people with the file, one way or the other"))
    let_work(30)
    assert {gauge._meter.y() for gauge in gauges} == {gauges[3]._meter.y()}
    assert gauges[0]._meter.y() > before
    gauges[3].show_face(face("Unique"))
    let_work(30)
    assert {gauge._meter.y() for gauge in gauges} == {before}


def worded(word: str) -> GaugeFace:
    return GaugeFace(
        "85 %", "Gefunden", 0.85, 0.333, "Grenzwert 33,3 %", "blocks", word, "jetzt 85 % · 664 Gruppen " * 3
    )


def test_the_word_of_a_gauge_is_never_cut_and_never_drawn_over(qtbot: Any, make_window: Any) -> None:
    window = make_window()  # brings the style sheet, in which cards have a frame
    gauges = [Gauge(name=f"gauge_{place}") for place in range(5)]
    row = GaugeRow(gauges)
    page = QWidget(window)
    column = QVBoxLayout(page)
    column.addWidget(row)
    column.addStretch(1)
    page.show()
    for wide in (1010, 1044, 1058, 1082, 640, 420):
        for word in ("gut", "Über dem Grenzwert", "Innerhalb des Grenzwerts"):
            for gauge in gauges:
                gauge.show_face(worded(word))
            page.resize(theme().px(wide), theme().px(1400))
            let_work(40)
            for gauge in gauges:
                label = gauge._severity._word
                assert label.width() >= label.minimumSizeHint().width(), f"{word} in {wide}"
                assert gauge.height() >= gauge.heightForWidth(gauge.width()), f"{word} in {wide}"
                assert gauge._severity.geometry().bottom() < gauge._small.y()
