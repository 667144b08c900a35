"""Rows side by side: level marks beside the row numbers, and equal columns on both sides."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.ui.diff import Diff
from ppdm_desktop.ui.models.diff_model import DiffModel
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.data_table import DataTable
from ppdm_desktop.ui.widgets.level_mark import level_bars, level_icon, level_words

_WIDEST = 180


def mark_levels(view: DataTable, model: DiffModel, diff: Diff) -> None:
    """Mark each row with its privacy level where there are several."""
    levels = diff.levels
    if levels is None or not diff.rows_correspond or len(np.unique(levels.codes)) < 2:
        model.set_levels([])
        view.fit()
        return
    known = LevelMap()
    model.set_levels([(level_icon(level_bars(each, known)), level_words(each.name)) for each in levels.levels])
    view.fit()
    view.verticalHeader().setFixedWidth(view.verticalHeader().width() + theme().px(26))


def share_widths(first: DataTable, second: DataTable) -> None:
    """Give each column the wider of both sides' widths, to a limit."""
    for column in range(second.columns_model().columnCount()):
        width = min(max(first.columnWidth(column), second.columnWidth(column)), theme().px(_WIDEST))
        first.setColumnWidth(column, width)
        second.setColumnWidth(column, width)
