"""The strip beside the tables: where rows are hidden, coarser, or show another value, and what it says in words."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from generalising_support import candidate_of
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from ppdm_desktop.ui.state.diff import (
    GENERALISED,
    Diff,
    filter_diff_rows,
    find_change_stops,
    make_diff,
    next_change,
)
from ppdm_desktop.ui.widgets.tables.minimap import Minimap

COLUMNS: dict[str, Any] = {"age": {"role": "q", "kind": "numeric"}, "ill": "c"}


def people(rows: int) -> list[dict[str, str]]:
    ages = np.random.default_rng(5).integers(18, 80, rows)
    return [{"age": str(age), "ill": "xy"[place % 2]} for place, age in enumerate(ages)]


@pytest.fixture
def generalised(tmp_path: Path) -> Diff:
    return make_diff(candidate_of(tmp_path, people(60), COLUMNS, [{"method": "mondrian"}]))


def test_without_any_other_change_the_way_goes_to_coarser_values(generalised: Diff) -> None:
    rows = filter_diff_rows(generalised, "all", None, None)
    jumps = find_change_stops(generalised, rows, None)
    assert jumps.tolist() == np.flatnonzero(generalised.generalised).tolist()
    found = next_change(generalised, rows, jumps, (0, -1), None)
    assert found is not None
    assert generalised.state(int(rows[found[0]]), found[1]) == GENERALISED


def test_a_click_jumps_below_the_line_of_signs(qtbot: Any) -> None:
    strip = Minimap("Rows")
    qtbot.addWidget(strip)
    strip.resize(60, 300)
    seen: list[float] = []
    strip.jumped.connect(seen.append)
    for y in (0, strip._compute_sign_height() + (300 - strip._compute_sign_height()) // 2, 299):
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(10, y))
    assert seen[0] == 0.0
    assert seen[1] == pytest.approx(0.5, abs=0.01)
    assert seen[2] > 0.99
