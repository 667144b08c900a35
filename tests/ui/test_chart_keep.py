"""A chart is copied and saved as PNG and SVG: whole, on light ground, and without a trace of where it came from."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QVBoxLayout, QWidget
from ui_support import FakeDialogs, let_work

from ppdm_desktop.engine.report.charts import Bar, Series, bars_scene
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.save_chart import SHARPNESS, make_file_name
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import LIGHT
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context

TITLE = "Incomes shifted: their totals moved by 12 of 100 people, and this sentence needs more than one line of room"

SMALL = "Share of records. Original n = 10."

UNBROKEN = SMALL.replace(" = ", "\u00a0=\u00a0")


@pytest.fixture
def card(qtbot: Any, dialogs: FakeDialogs, tmp_path: Path) -> Iterator[ChartCard]:
    host = QWidget()
    qtbot.addWidget(host)
    session: Any = SimpleNamespace(decisions=SimpleNamespace(path=tmp_path / "people.csv"))
    runner: Any = None
    host.context = Context(session, runner, dialogs, tmp_path)  # type: ignore[attr-defined]
    chart = DrawnView(name="chart", label="Incomes")
    made = ChartCard("incomes", chart, RowsModel(["a", "b"]), label="Incomes")
    made.set_title(TITLE)
    before, after = [Bar(0.1), Bar(0.3)], [Bar(0.2), Bar(0.25)]
    series: list[Series] = [("original", "original", before), ("released", "C7", after)]
    scene = bars_scene(TITLE, SMALL, ["Divorced", "Never"], series)
    made.set_print(SMALL)
    chart.set_scene(scene)
    QVBoxLayout(host).addWidget(made)
    host.resize(560, 300)
    host.show()
    let_work(10)
    yield made
    host.close()


def choose(card: ChartCard, key: str) -> None:
    action = next(each for each in card.keep.menu().actions() if each.data() == key)
    action.trigger()


def colours(image: QImage) -> set[str]:
    return {image.pixelColor(x, y).name().upper() for x in range(image.width()) for y in range(0, image.height(), 2)}


@pytest.mark.parametrize("appearance", ["light", "dark"])
def test_png_has_title_marks_and_light_ground_at_twice_the_size(
    card: ChartCard, dialogs: FakeDialogs, tmp_path: Path, appearance: str
) -> None:
    theme().set_appearance(appearance)
    before = theme().tokens
    dialogs.will("save_file", tmp_path / "incomes.png")
    choose(card, "png")
    image = QImage(str(tmp_path / "incomes.png"))
    assert image.width() >= SHARPNESS * card.chart.width()
    assert image.height() > SHARPNESS * (card.chart.height() + 2 * theme().h)
    found = colours(image)
    assert {LIGHT.surface, LIGHT.accent, LIGHT.original, LIGHT.text} <= found
    assert theme().tokens is before
    assert not image.textKeys()


def test_svg_is_of_lines_and_text_and_says_what_the_chart_says(
    card: ChartCard, dialogs: FakeDialogs, tmp_path: Path
) -> None:
    dialogs.will("save_file", tmp_path / "incomes.svg")
    choose(card, "svg")
    file = tmp_path / "incomes.svg"
    root = ElementTree.parse(file).getroot()
    kinds = [each.tag.rpartition("}")[2] for each in root.iter()]
    assert "image" not in kinds
    assert kinds.count("rect") + kinds.count("path") >= 5
    words = " ".join(each.text or "" for each in root.iter() if each.tag.endswith("}text"))
    for wanted in (TITLE.split()[-1], "Divorced", UNBROKEN):
        assert wanted in words
    assert root.findtext("{http://www.w3.org/2000/svg}title") == TITLE
    assert QSvgRenderer(str(file)).isValid()


def test_png_holds_nothing_but_dots(card: ChartCard) -> None:
    data = card.picture().png()
    place, chunks = 8, []
    while place < len(data):
        length = int.from_bytes(data[place : place + 4], "big")
        chunks.append(data[place + 4 : place + 8])
        place += 12 + length
    assert set(chunks) == {b"IHDR", b"pHYs", b"IDAT", b"IEND"}


def test_no_path_user_or_host_is_in_the_drawing(
    card: ChartCard, dialogs: FakeDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("USER", "somebody-special")
    dialogs.will("save_file", tmp_path / "x.svg")
    choose(card, "svg")
    data = (tmp_path / "x.svg").read_bytes()
    for trace in (str(tmp_path), "somebody-special", platform.node(), str(Path.home()), "Qt"):
        assert trace.encode() not in data


def test_copy_puts_the_same_picture_on_the_clipboard(card: ChartCard) -> None:
    QGuiApplication.clipboard().clear()
    choose(card, "copy")
    assert QGuiApplication.clipboard().image().size() == card.picture().image().size()
    assert "copied" in card.outcome.text.text()
    QGuiApplication.clipboard().clear()


def test_a_failure_is_said_in_words_and_nothing_is_left(card: ChartCard, dialogs: FakeDialogs, tmp_path: Path) -> None:
    dialogs.will("save_file", tmp_path / "no-folder" / "incomes.png")
    choose(card, "png")
    assert card.outcome.property("strip") == "blocks"
    assert not list(tmp_path.rglob("*.png"))


def test_the_original_is_never_written_over(card: ChartCard, dialogs: FakeDialogs, tmp_path: Path) -> None:
    source = tmp_path / "people.png"
    source.write_bytes(b"age,income")
    card.window().context.session.decisions.path = source  # type: ignore[attr-defined]
    dialogs.will("save_file", source)
    choose(card, "png")
    assert source.read_bytes() == b"age,income"


def test_the_suggested_name_is_one_every_system_takes() -> None:
    assert make_file_name("marginal_native-country") == "chart-marginal_native-country"
    assert make_file_name("marginal_a/b: c?*") == "chart-marginal_a-b-c"
    assert make_file_name("???") == "chart-figure"
    assert len(make_file_name("x" * 300)) < 80
