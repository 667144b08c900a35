"""Triangular matrix that shows which pairs of columns single people out."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from PySide6.QtCore import Signal

from ppdm_desktop.engine.identifiability.contributions import Pairs
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.legend import BandLegend
from ppdm_desktop.ui.charts.matrix_row import cells_scene
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.risk.texts import pairs_title
from ppdm_desktop.ui.state.number_texts import format_rounded_count, shorten_common_prefix
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.batch_visibility import lay_out_once

# Fixed, so that a previewed change can be compared with the present state.
EDGES = (1, 5, 20, 50, 100, 500, 5000)
_MOST_IN_TABLE = 500
MOST_WITH_CELLS = 24
"""Most columns for which cells are drawn with figures; cells of more would be under six pixels wide."""


def _band_labels() -> list[str]:
    """Return the labels of the legend, as numbers of people: "0", "1–4", "5–19" and so on to "5,000+"."""
    inner = [
        format_rounded_count(low)
        if low + 1 == high
        else f"{format_rounded_count(low)}–{format_rounded_count(high - 1)}"
        for low, high in pairwise(EDGES)
    ]
    return ["0", *inner, f"{format_rounded_count(EDGES[-1])}+"]


def pairs_scene(pairs: Pairs, title: str, small: str) -> Scene:
    """Return the drawing of the triangle of all pairs of columns.

    A cell has the people who are unique by its two columns. Long column names that begin alike are shortened on the
    axes. Beyond 24 columns it is an image without figures in its cells, and the scene's rows have shortened names, too.

    Parameters
    ----------
    pairs
        Counts for at least two columns.
    title, small
        Texts above and below.
    """
    large = len(pairs.scope) > MOST_WITH_CELLS
    names = shorten_common_prefix(pairs.scope) if large else pairs.scope
    below = np.tril(np.ones(pairs.unique_people.shape, dtype=np.bool_), -1)
    values = np.where(below, pairs.unique_people, np.nan)[1:, :-1]
    texts = [["" if np.isnan(value) else format_rounded_count(value) for value in row] for row in values]
    unit = _("People who are unique by two columns alone")
    sides = names[1:], names[:-1]
    return cells_scene(
        title, sides, values, texts, EDGES, "risk", bands=_band_labels(), unit=unit, small=small, as_image=large
    )


class PairsCard(ChartCard):
    """Card with the triangle of all pairs of columns.

    Signals
    -------
    people_wanted
        Show the people who are unique in these two columns: names.
    """

    people_wanted = Signal(object)

    def __init__(self) -> None:
        text = _("People who are unique by two columns alone")
        model = RowsModel([_("Column"), _("With"), _("Unique people")], right=(2,))
        self.map = DrawnView(name="heat_pairs", label=text)
        super().__init__("pairs", self.map, model, label=text, topic="figure.unique")
        self.bands = BandLegend(text, EDGES, "risk", _band_labels(), has_visible_label=False)
        self.legend.addWidget(self.bands)
        self._wait = Text(_("These figures are being worked out."), tone="text2", name="label_pairs_wait")
        self.body.insertWidget(2, self._wait)
        self._pairs: Pairs | None = None
        self.map.opened.connect(self._on_opened)
        self.show_pairs(None)

    @lay_out_once
    def show_pairs(self, counts: Pairs | None) -> None:
        """Show the matrix of pairs as a map, or as a table while the button is pressed.

        For a single column, only the title is shown, with how many people are unique by it. ``counts`` are the unique
        people by pair; None, while they are being counted, shows a placeholder.
        """
        self._pairs = counts
        there = counts is not None and len(counts.scope) > 1
        self._wait.setVisible(counts is None)
        self.bands.setVisible(there)
        self.map.setVisible(there and not self.button.isChecked())
        self.table.setVisible(there and self.button.isChecked())
        for button in (self.button, self.keep):
            button.setVisible(there)
        if counts is None:
            self.set_title(_("People who are unique by two columns alone"), "")
            self.set_print("")
        elif not there:
            self.set_title(pairs_title(counts), "")
            self.set_print("")
        else:
            self._draw_pairs(counts)

    def _draw_pairs(self, counts: Pairs) -> None:
        """Draw and list the counts of two or more columns; the pair with most unique people is highlighted.

        The list has at most 500 pairs, most unique people first.
        """
        title = pairs_title(counts)
        small = _("People who are unique by two columns alone")
        self.set_title(title, "")
        self.set_print(small, _("Click a cell to list them."))
        self.map.set_scene(pairs_scene(counts, title, small))
        if (best := counts.strongest()) is not None:
            self.map.point_at(f"{best[0] - 1}:{best[1]}")
        names = shorten_common_prefix(counts.scope)
        pairs = [
            (int(counts.unique_people[row, column]), names[column], names[row])
            for row in range(1, len(counts.scope))
            for column in range(row)
        ]
        pairs.sort(key=lambda pair: -pair[0])
        self.model.set_rows(
            [(first, second, format_rounded_count(people)) for people, first, second in pairs[:_MOST_IN_TABLE]]
        )

    def _on_opened(self, key: str) -> None:
        """Send ``people_wanted`` with the two columns of the cell with this key; nothing before pairs are counted.

        The key is "row:column" in the triangle, from 0.
        """
        row, column = map(int, key.split(":"))
        if self._pairs is not None:
            self.people_wanted.emit((self._pairs.scope[column], self._pairs.scope[row + 1]))
