"""Pairs of more columns than cells can hold figures of: an image that is zoomed, with a crosshair that reads names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QSignalSpy, QTest
from scene_support import numbers, svg_texts
from ui_support import let_work

from ppdm_desktop.engine.identifiability.pairs import Pairs
from ppdm_desktop.ui.pages.risk.pairs import MOST_WITH_CELLS, PairsCard, pairs_scene
from ppdm_desktop.ui.state.number_words import count


def pairs(columns: int) -> Pairs:
    draws = np.random.default_rng(5)
    alone = draws.integers(0, 6_000, (columns, columns))
    alone = np.tril(alone, -1)
    return Pairs(tuple(f"c{place}" for place in range(columns)), alone + alone.T)


@pytest.fixture
def card(qtbot: Any) -> Iterator[PairsCard]:
    made = PairsCard()
    qtbot.addWidget(made)
    made.resize(900, 900)
    made.show_pairs(pairs(65), 6_000)
    made.show()
    made.activateWindow()
    let_work(10)
    yield made
    made.close()


def test_many_columns_are_a_plot_and_few_a_table_of_cells(card: PairsCard) -> None:
    assert card.plot.isVisible()
    assert not card.map.isVisible()
    card.show_pairs(pairs(MOST_WITH_CELLS), 6_000)
    assert card.map.isVisible()
    assert not card.plot.isVisible()
    card.button.click()
    assert card.table.isVisible()
    card.show_pairs(pairs(MOST_WITH_CELLS + 1), 6_000)
    assert not card.plot.isVisible()
    assert not card.map.isVisible()
    card.button.click()
    assert card.plot.isVisible()


def test_every_writer_of_the_pairs_has_the_same_figures() -> None:
    found = pairs(65)
    scene = pairs_scene(found, "Title", "Small")
    for row in scene.rows:
        one, other = int(row.cells[0][1:]), int(row.cells[1][1:])
        assert row.cells[2] == count(int(found.alone[other, one]))
        assert row.words == f"c{other} with c{one}: {row.cells[2]}"
    assert len(scene.rows) == 65 * 64 // 2
    names = {f"c{place}" for place in range(65)}
    assert names <= set(svg_texts(scene))
    assert numbers(svg_texts(scene)) >= numbers(names)


def test_the_crosshair_reads_names_and_a_click_opens(card: PairsCard) -> None:
    plot, spy = card.plot, QSignalSpy(card.people_wanted)
    at = plot.place(3.5, 64 - 40 + 0.5)
    QTest.mouseMove(plot, at.toPoint())
    assert plot.pointed is not None
    assert plot.pointed.words.startswith("c40 with c3: ")
    QTest.mouseClick(plot, Qt.MouseButton.LeftButton, pos=at.toPoint())
    assert spy.at(0) == [("c3", "c40")]
    assert not plot.near(plot.place(50.5, 60.5)), "nothing above the diagonal"
    plot.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(plot, key)
    assert spy.at(1) == [("c4", "c41")]
    assert not plot._ticks["left"], "cells are too low for names"
    for _ in range(4):
        plot.zoom(1.5, QPointF(at))
    assert "c40" in {words for _, words in plot._ticks["left"]}
