"""Rows side by side: level marks beside the row numbers, equal columns on both sides, and whole rows."""

from __future__ import annotations

import numpy as np
from PySide6.QtGui import QFontMetrics

from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.diff_model import DiffModel
from ppdm_desktop.ui.state.diff import Diff
from ppdm_desktop.ui.state.level_names import level_bars, level_words
from ppdm_desktop.ui.widgets.level_mark import level_icon
from ppdm_desktop.ui.widgets.tables.data_table import DataTable

_WIDEST = 180
_AROUND_HEAD, _BAR = 12, 12
_LEAST_ROWS = 3
"""Rows in sight at least; with more, two tables below each other would not be in sight together at 200 %."""


def mark_levels(view: DataTable, model: DiffModel, diff: Diff) -> None:
    """Mark each row with its privacy level where there are several."""
    levels = diff.levels
    if levels is None or not diff.rows_correspond or len(np.unique(levels.codes)) < 2:
        model.set_levels([])
        view.fit()
        return
    level_map = LevelMap()
    model.set_levels(
        [(level_icon(level_bars(level, level_map)), level_words(level.name, diff.said)) for level in levels.levels]
    )
    view.fit()
    view.verticalHeader().setFixedWidth(view.verticalHeader().width() + theme().px(26))


def share_widths(first: DataTable, second: DataTable) -> None:
    """Give each column the wider of both sides' widths, to a limit."""
    for column in range(second.columns_model().columnCount()):
        width = min(max(first.columnWidth(column), second.columnWidth(column)), theme().px(_WIDEST))
        first.setColumnWidth(column, width)
        second.setColumnWidth(column, width)


def share_heights(first: DataTable, second: DataTable, rows: int) -> None:
    """Let both sides show whole rows: all where there are few, so that only the page scrolls."""
    shown = max(min(rows, _LEAST_ROWS), 1)
    # Counted as the style sheet will have it: just after a change of size headers and bars still have their old one.
    head = QFontMetrics(theme().font(semibold=True)).height() + theme().px(_AROUND_HEAD)
    for view in (first, second):
        rest = head + theme().px(_BAR) + 2 * view.frameWidth() + theme().px(2)
        view.setMinimumHeight(rest + shown * view.verticalHeader().defaultSectionSize())
