"""Tooltips: what stands in a file is shown as it stands there, and fetches nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QApplication, QLabel, QToolTip, QWidget
from source_trees import parse_once

from ppdm_desktop.engine.report.charts import Bar, Series, bars_scene
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.elided import Elided

HOSTILE = '<img src="//elsewhere/share/x.png"> age'


@pytest.mark.parametrize("text", [HOSTILE, "<b>a</b>", "&lt;b", "a <i>b", "<br/><b>", "<!doctype html>"])
def test_what_looks_like_html_is_none(text: str) -> None:
    assert Qt.mightBeRichText(text)
    assert not Qt.mightBeRichText(plain_tip(text))
    assert plain_tip(text).replace("\u2060", "") == text


@pytest.mark.parametrize("text", ["", "plain", "a < b", "R&D", "x\n<b>"])
def test_other_texts_stay_as_they_are(text: str) -> None:
    assert plain_tip(text) is text


def test_a_tooltip_of_a_window_is_text_before_it_has_one(qapp: QApplication, qtbot: Any) -> None:
    window = theme().make_window(QWidget)
    qtbot.addWidget(window)
    window.show()
    QToolTip.showText(QPoint(5, 5), HOSTILE, window)
    (tip,) = (each for each in qapp.topLevelWidgets() if each.inherits("QTipLabel"))
    assert isinstance(tip, QLabel)
    assert tip.textFormat() == Qt.TextFormat.PlainText
    QToolTip.hideText()


def test_names_of_columns_are_no_html_in_tooltips(qapp: QApplication, qtbot: Any) -> None:
    label = Elided(HOSTILE * 20)
    qtbot.addWidget(label)
    label.resize(40, 20)
    label.show()
    assert label.toolTip()
    assert not Qt.mightBeRichText(label.toolTip())


def test_a_value_under_the_pointer_is_no_html(qtbot: Any) -> None:
    chart = DrawnView(name="chart", label="Incomes", opens=HOSTILE)
    qtbot.addWidget(chart)
    assert not Qt.mightBeRichText(chart.toolTip())
    series: list[Series] = [("original", "original", [Bar(0.1), Bar(0.3)])]
    chart.set_scene(bars_scene("Incomes", "", [HOSTILE, "b"], series))
    chart.resize(400, 200)
    chart.show()
    qtbot.waitExposed(chart)
    for y in range(2, chart.height(), 4):
        qtbot.mouseMove(chart, QPoint(30, y))
        assert not Qt.mightBeRichText(chart.toolTip())
        if "age" in chart.toolTip().replace(chart._opens, ""):
            break
    else:
        pytest.fail("no bar was under the pointer")


def _texts_of_tips(tree: ast.AST) -> Iterator[ast.expr]:
    """Yield what becomes the text of a tooltip."""
    places = {"setToolTip": 0, "setStatusTip": 0, "setWhatsThis": 0, "setTabToolTip": 1, "showText": 1}
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in places:
            yield node.args[places[node.func.attr]]


def _holds_nothing_of_a_file(text: ast.expr) -> bool:
    """Say whether a text is made plain, or is a sentence of the catalogue into which nothing is put."""
    if isinstance(text, ast.IfExp):
        return _holds_nothing_of_a_file(text.body) and _holds_nothing_of_a_file(text.orelse)
    if isinstance(text, ast.Call) and isinstance(text.func, ast.Name):
        return text.func.id == "plain_tip" or (text.func.id == "_" and not text.keywords)
    return isinstance(text, ast.Constant)


def test_no_tooltip_is_set_that_was_not_made_plain(repository: Path) -> None:
    texts = [
        (path.name, text)
        for path in sorted((repository / "ppdm_desktop" / "ui").rglob("*.py"))
        for text in _texts_of_tips(parse_once(path.read_text("utf-8")))
    ]
    assert len(texts) > 20
    assert not [
        f"{name}:{text.lineno} {ast.unparse(text)}" for name, text in texts if not _holds_nothing_of_a_file(text)
    ]
