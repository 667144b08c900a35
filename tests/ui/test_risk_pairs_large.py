"""Pairs of more columns than cells can hold figures of: an image whose cells are read by keys."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from optional import existing
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import let_work

from ppdm_desktop.engine.identifiability.contributions import Pairs
from ppdm_desktop.ui.pages.risk.pairs import MOST_WITH_CELLS, PairsCard


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


@pytest.mark.parametrize("columns", [MOST_WITH_CELLS, MOST_WITH_CELLS + 1, 65, 200])
def test_pairs_of_any_number_of_columns_are_cells_read_by_keys(card: PairsCard, columns: int) -> None:
    counts = pairs(columns)
    card.show_pairs(counts, 6_000)
    let_work(10)
    assert card.map.isVisible()
    row, column = existing(counts.strongest())
    assert existing(card.map.pointed).key == f"{row - 1}:{column}"
    for index, cell in enumerate(existing(card.map.scene).rows):
        box = card.map.row_rect(index)
        assert card.map.rect().adjusted(-1, -1, 1, 1).contains(box.toAlignedRect()), cell.words
    card.map.setFocus()
    card.map.point_at("1:0")
    QTest.keyClick(card.map, Qt.Key.Key_Down)
    assert existing(card.map.pointed).key == "2:0"
    card.button.click()
    assert card.table.isVisible()
    assert not card.map.isVisible()
