"""Pairs of more columns than cells can hold figures of: an image that is zoomed, with a crosshair that reads names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
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
